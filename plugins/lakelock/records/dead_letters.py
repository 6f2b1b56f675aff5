"""The dead-letter table: one row per record and target table whose value could not be decoded or converted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from lakelock.model.column_types import Binary, Column, Integer, Text, Timestamp
from lakelock.records.headers import listed
from lakelock.records.metadata import HEADERS
from lakelock.records.reasons import Reason

COLUMNS = (
    Column("target_table", Text()),
    Column("topic", Text(), required=True),
    Column("topic_id", Text()),
    Column("partition", Integer(32), required=True),
    Column("offset", Integer(64), required=True),
    Column("timestamp", Timestamp(zoned=True)),
    Column("key", Binary()),
    Column("value", Binary()),
    Column("headers", HEADERS),
    Column("stage", Text(), required=True),
    Column("kind", Text(), required=True),
    Column("field", Text()),
    Column("reason", Text(), required=True),
    Column("found", Text()),
    Column("format", Text(), required=True),
    Column("batch_id", Text(), required=True),
    Column("pipeline_version", Text(), required=True),
)


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that does not fit, by its index in the block.

    *stage* is `decode` (not a JSON object), `convert` (no valid row), `check` (the row fails a check), `write` (the row cannot be
    written to a file), `decompress`, or `route` (rules send the record to no table).
    """

    index: int
    stage: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One row of the dead-letter table. Raw bytes are kept whole: another attempt sees exactly what the producer sent.

    *headers* are None if they cannot be read.
    """

    target_table: str
    topic: str
    topic_id: str
    partition: int
    offset: int
    timestamp_ms: int | None
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]] | None
    stage: str
    reason: Reason
    format: str

    @property
    def size_bytes(self) -> int:
        """Size of key, value and headers; the rest is negligible."""
        headers = sum(len(k) + len(v or b"") for k, v in self.headers or ())
        return len(self.key or b"") + len(self.value or b"") + headers


def to_arrow(dead_letters: Sequence[DeadLetter], batch_id: str, pipeline_version: str, schema: pa.Schema) -> pa.Table:
    """Rows in *schema*, the dead-letter table's; columns that lakelock does not know are null."""
    columns: dict[str, list[object]] = {
        "target_table": [x.target_table for x in dead_letters],
        "topic": [x.topic for x in dead_letters],
        "topic_id": [x.topic_id for x in dead_letters],
        "partition": [x.partition for x in dead_letters],
        "offset": [x.offset for x in dead_letters],
        "timestamp": [None if x.timestamp_ms is None else x.timestamp_ms * 1000 for x in dead_letters],
        "key": [x.key for x in dead_letters],
        "value": [x.value for x in dead_letters],
        "headers": [listed(x.headers) for x in dead_letters],
        "stage": [x.stage for x in dead_letters],
        "kind": [x.reason.kind for x in dead_letters],
        "field": [x.reason.field for x in dead_letters],
        "reason": [x.reason.message for x in dead_letters],
        "found": [x.reason.found for x in dead_letters],
        "format": [x.format for x in dead_letters],
        "batch_id": [batch_id] * len(dead_letters),
        "pipeline_version": [pipeline_version] * len(dead_letters),
    }
    arrays = []
    for field in schema:
        values = columns.get(field.name, [None] * len(dead_letters))
        if field.name == "timestamp":
            arrays.append(pa.array(values, pa.int64()).cast(pa.timestamp("us", "UTC")).cast(field.type))
        else:
            arrays.append(pa.array(values, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)
