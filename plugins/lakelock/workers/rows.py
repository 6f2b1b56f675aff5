"""Decode Kafka values to rows of one table, including the table's metadata columns."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
import pyarrow as pa
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema

from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.ports import Target
from lakelock.records import reasons
from lakelock.records.dead_letters import BadRecord
from lakelock.records.json.decode import NONE, Decoded, Indexes, JsonDecoder
from lakelock.records.reasons import Reason
from lakelock.records.values import Values

Metadata = Callable[[str], pa.Array]


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

    def decode(self, values: Values, metadata: Metadata, filtered: Indexes = NONE) -> Decoded:
        """Decode *values* except for those *filtered*; *metadata* has a column of all of them by key."""
        decoded = self._decoder.decode(values, filtered)
        for index, (key, field) in self._metadata.items():
            column = metadata(key)
            if key == "key" and not pa.types.is_binary(field.type) and not pa.types.is_large_binary(field.type):
                decoded = _with_text_keys(decoded, column, field.name)
            chosen = column if decoded.good is None else column.take(pa.array(decoded.good, pa.int64()))
            decoded = replace(decoded, table=decoded.table.set_column(index, field, chosen.cast(field.type)))
        return decoded


def _with_text_keys(decoded: Decoded, keys: pa.Array, column: str) -> Decoded:
    """Without the rows whose key is not UTF-8, which *column* cannot hold."""
    try:
        keys.cast(pa.large_string())
    except pa.ArrowInvalid:
        good = range(len(keys)) if decoded.good is None else decoded.good
        bad = [
            i
            for i, key in zip(good, keys.take(pa.array(good, pa.int64())).to_pylist(), strict=True)
            if not _is_text(key)
        ]
        reason = Reason(reasons.NOT_UTF8, f"column {column!r}: the key is not UTF-8", column)
        found = [*decoded.bad, *(BadRecord(i, "convert", reason) for i in bad)]
        return replace(decoded.without(frozenset(bad)), bad=sorted(found, key=lambda b: b.index))
    return decoded


def _is_text(key: bytes | None) -> bool:
    try:
        (key or b"").decode()
    except UnicodeDecodeError:
        return False
    return True


def tombstones(values: Values, kept: Collection[int]) -> Indexes:
    """Indexes of the records without a value, except for those *kept*."""
    return np.setdiff1d(np.flatnonzero(values.absent), list(kept))
