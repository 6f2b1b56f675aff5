"""define: what a table that does not exist yet is created as."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from lakelock.config import Pipeline
from lakelock.core.batch import Batch
from lakelock.core.define import schema_with_metadata
from lakelock.core.infer import infer_schema
from lakelock.core.offsets import OffsetRange
from lakelock.errors import BadTableDefinition
from lakelock.ports import TableDefinition

logger = logging.getLogger(__name__)

SAMPLE_RECORDS = 10_000


def define(
    pipeline: Pipeline, name: str, batch: Batch, sample: Callable[[Sequence[OffsetRange], int], Sequence[bytes]]
) -> TableDefinition:
    """The declared columns, or columns inferred from a sample of the batch, with the metadata columns behind them."""
    table = pipeline.table(name)
    fields = table.fields
    if not fields:
        ranges = [p.range for p in batch.ranges if pipeline.takes(table, p.range.source.topic)]
        values = sample(ranges, SAMPLE_RECORDS)
        inferred = infer_schema(values, pipeline.metadata_columns_by_key.values())
        fields = list(inferred.fields)
        if not fields:
            raise BadTableDefinition(
                f"table {name} does not exist, and none of {len(values)} sampled records of "
                f"{', '.join(str(r) for r in ranges[:3])} is a JSON object with fields to infer columns from. Nothing was "
                "created and the batch stays planned. Declare its columns in the pipeline file."
            )
        for note in inferred.notes:
            logger.warning("%s: inferred from %s records: %s", name, len(values), note)
    return TableDefinition(
        schema=schema_with_metadata(name, fields, pipeline.metadata_columns_by_key),
        partition_by=table.partition_by,
        sort_by=table.sort_by,
        identifier_columns=table.id_columns,
        properties=table.properties,
        location=table.location,
    )
