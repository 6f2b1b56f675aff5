"""Records through a task's path into a table that a pipeline file declares: their rows, their dead letters, or neither."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from lakelock.adapters.iceberg.definitions import partition_spec_of, schema_of
from lakelock.adapters.kafka.block import Block, Original
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.config import Pipeline, load_pipeline
from lakelock.ingest.effective_settings import effective
from lakelock.ingest.evolving import evolving_of
from lakelock.ingest.write_order import filling_of
from lakelock.model.batches import Books, DataFile
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableDefinition, TableOutput, Target, WriteOrder
from lakelock.records import dead_letters as letters
from lakelock.records.decompression import parts
from lakelock.records.headers import headers_array
from lakelock.records.metadata import TIMESTAMP_TYPES, with_metadata_columns
from lakelock.records.values import Values
from lakelock.workers.sink import Sink
from lakelock.workers.table_blocks import NOTHING, TableBlocks

from kits.conversions import shown_as
from kits.slices import target
from kits.transform_cases import FILTERED, OF_PIPELINE, Record

Evaluate = Callable[[Target, pa.Table], pa.Table]


class _Sent:
    """The messages of a block, as they were sent."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records

    def original(self, index: int) -> Original:
        record = self._records[index]
        return Original(record.key, record.value, tuple(record.headers))

    def keys(self, start: int, count: int) -> Values:
        return Values.from_list([r.key for r in self._records[start : start + count]])

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        stamps = [r.timestamp_ms for r in self._records[start : start + count]]
        return pa.array([None if at is None else TIMESTAMP_TYPES[0] for at in stamps], pa.string())

    def headers(self, start: int, count: int) -> pa.Array:
        return headers_array(r.headers for r in self._records[start : start + count])

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Written:
    """What a slice with these records wrote."""

    target: Target
    order: WriteOrder
    rows: TableOutput
    dead_letters: TableOutput

    @property
    def books(self) -> Books:
        (of_range,) = self.rows.books
        return of_range


def pipeline_of(folder: Path, settings: Sequence[str], topic: str) -> Pipeline:
    """A pipeline file with *settings*, whose table is `shop.orders`."""
    defaults = [f"source: {{topics: [{topic}]}}", "metadata_columns: false"]
    own = [line for line in settings if line.startswith(OF_PIPELINE)]
    of_table = [line for line in settings if line not in own]
    names = {line.partition(":")[0] for line in own}
    top = [*own, *(line for line in defaults if line.partition(":")[0] not in names)]
    file = folder / "p.yaml"
    lines = [*top, "tables:", "  - name: shop.orders", *(f"    {line}" for line in of_table)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_pipeline(file, {})


def target_of(folder: Path, pipeline: Pipeline, topic: str, mask_keys: Mapping[str, str] | None = None) -> Target:
    """The pipeline's only table, as it is created, which takes *topic*."""
    (of_file,) = pipeline.tables
    table = effective(pipeline, of_file, None)
    assert topic in pipeline.source.topics or re.fullmatch(pipeline.source.topics_regex or "", topic)
    assert pipeline.takes(table, topic)
    columns = with_metadata_columns(
        table.name, table.with_rest_column(table.declared), pipeline.metadata_columns_by_key
    )
    spec = partition_spec_of(table.partition_by, schema_of(TableDefinition(columns)))
    evolving = evolving_of(pipeline, table, columns, table.id_columns)
    filling = filling_of(pipeline, table, mask_keys or {})
    return target(folder, "t", columns, [topic], spec=spec, evolving=evolving, **filling)


def written(
    folder: Path,
    pipeline: Pipeline,
    records: Sequence[Record],
    mask_keys: Mapping[str, str] | None = None,
    evaluate: Evaluate | None = None,
    lost: frozenset[int] = NOTHING,
) -> Written:
    """Of records of one partition, in order of their offsets, of which none is missing; *evaluate* is for expressions.

    *lost* are numbers of records whose dead letter was declared lost.
    """
    first = records[0]
    wanted = target_of(folder, pipeline, first.topic, mask_keys)
    source = Source(first.topic, "id", first.partition)
    order = WriteOrder(
        pipeline=pipeline.name,
        batch_id=str(uuid.uuid4()),
        attempt=str(uuid.uuid4()),
        slices=((OffsetRange(source, first.offset, first.offset + len(records)),),),
        targets=(wanted,),
        dead_letters=target(folder, "dead", letters.COLUMNS, wanted.topics),
        kafka={},
        compression=pipeline.value.compression,
        skips_tombstones=pipeline.value.tombstones == "skip",
    )
    sink = Sink(wanted, order, False, WriterBudget())
    sink.open_books(order.slices[0])
    block = Block(
        first.topic,
        _Sent(records),
        Values.from_list([r.value for r in records]),
        np.array([r.partition for r in records], np.int32),
        np.array([r.offset for r in records], np.int64),
        np.array([-1 if r.timestamp_ms is None else r.timestamp_ms for r in records], np.int64),
    )
    schema = arrow_schema(FileLayout.of(wanted.layout).schema)
    blocks = TableBlocks(wanted, schema, skips_tombstones=order.skips_tombstones)
    for part in parts(block.values, order.compression, order.block_bytes):
        taken = block.part(part.start, part.values)
        of_part = frozenset(n - part.start for n in lost if part.start <= n < part.start + len(part.values))
        read = blocks.of(taken.values, taken.metadata, part.unfit, lost=of_part)
        results = evaluate(wanted, read.decoded.table) if evaluate else None
        sink.take(taken, read, results, taken.shares(), {"decode": 0.0, "write": 0.0})
    rows, dead = sink.finish()
    assert sink.fault is None
    found = Written(wanted, order, rows, dead)
    assert found.books.balanced
    return found


def outcome(
    folder: Path, settings: Sequence[str], record: Record, evaluate: Evaluate | None = None
) -> tuple[dict[str, str] | None, str]:
    """The row, values as shown, and "", or else None and the kind of the dead letter, or that it was filtered."""
    found = written(folder, pipeline_of(folder, settings, record.topic), [record], None, evaluate)
    if found.books.filtered:
        return None, FILTERED
    (one,) = rows_in([*found.rows.files, *found.dead_letters.files])
    if found.books.dead:
        return None, str(one["kind"])
    return {c.name: shown_as(one[c.name], c.type) for c in found.target.columns}, ""


def rows_in(files: Sequence[DataFile]) -> list[dict[str, Any]]:
    tables = [pq.read_table(f.path.removeprefix("file://"), partitioning=None) for f in files]
    return [row for table in tables for row in table.to_pylist(maps_as_pydicts="strict")]
