"""Decode Kafka values to rows of one table, including the table's metadata columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema

from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.model.offset_arrays import Numbers
from lakelock.ports import Target
from lakelock.records.json.decode import NONE, Decoded, Indexes, JsonDecoder
from lakelock.records.values import Values


class TableRows:
    """Decoder for a target; *schema* is its Arrow schema with all columns."""

    def __init__(self, target: Target, schema: pa.Schema) -> None:
        metadata = {k: n for k, n in target.metadata_columns.items() if n in schema.names}
        self._metadata = {schema.get_field_index(n): (k, schema.field(n)) for k, n in metadata.items()}
        self._decoder = JsonDecoder(
            target.columns,
            schema,
            zones=target.zones,
            skip=frozenset(metadata.values()),
            unknown_fields=target.unknown_fields,
            check=PartitionLimits(
                Schema.model_validate(target.schema), PartitionSpec.model_validate(target.spec)
            ).check,
        )

    @property
    def unknown_fields(self) -> set[str]:
        """Unknown fields for which a record was refused."""
        return self._decoder.unknown_fields

    def decode(self, values: Values, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; metadata columns are null until `with_metadata` fills them."""
        return self._decoder.decode(values, filtered)

    def with_metadata(self, rows: pa.Table, columns: Mapping[str, Numbers], good: Sequence[int] | None) -> pa.Table:
        """*rows* with metadata columns filled in.

        *columns* are partition, offset and timestamp (in ms, negative: none) of all values; *good* has the indexes of
        the values that have a row (None: all).
        """
        chosen = None if good is None else np.asarray(good, np.int64)
        for index, (key, field) in self._metadata.items():
            values: Numbers = columns[key] if chosen is None else columns[key][chosen]
            if key == "timestamp":
                absent = values < 0
                array = pa.array(values * 1000, mask=absent if absent.any() else None).cast(field.type)
            else:
                array = pa.array(values).cast(field.type)
            rows = rows.set_column(index, field, array)
        return rows


def tombstones(values: Values, kept: Collection[int]) -> Indexes:
    """Indexes of the records without a value, except for those *kept*."""
    return np.setdiff1d(np.flatnonzero(values.absent), list(kept))
