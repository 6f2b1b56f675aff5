"""The dead-letter table: one row per record and target table whose value could not be decoded or converted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from lakelock.records.reasons import Reason

# The format of values as Kafka has them.
FORMAT = "json"
_HEADER = {
    "type": "struct",
    "fields": [
        {"id": 14, "name": "key", "type": "string", "required": False},
        {"id": 15, "name": "value", "type": "binary", "required": False},
    ],
}

SCHEMA: dict[str, object] = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "target_table", "type": "string", "required": False},
        {"id": 2, "name": "topic", "type": "string", "required": True},
        {"id": 12, "name": "topic_id", "type": "string", "required": False},
        {"id": 3, "name": "partition", "type": "int", "required": True},
        {"id": 4, "name": "offset", "type": "long", "required": True},
        {"id": 5, "name": "timestamp", "type": "timestamptz", "required": False},
        {"id": 6, "name": "key", "type": "binary", "required": False},
        {"id": 7, "name": "value", "type": "binary", "required": False},
        {
            "id": 8,
            "name": "headers",
            "required": False,
            "type": {"type": "list", "element-id": 13, "element": _HEADER, "element-required": False},
        },
        {"id": 9, "name": "stage", "type": "string", "required": True},
        {"id": 16, "name": "kind", "type": "string", "required": True},
        {"id": 17, "name": "field", "type": "string", "required": False},
        {"id": 10, "name": "reason", "type": "string", "required": True},
        {"id": 18, "name": "found", "type": "string", "required": False},
        {"id": 19, "name": "format", "type": "string", "required": True},
        {"id": 11, "name": "batch_id", "type": "string", "required": True},
        {"id": 20, "name": "pipeline_version", "type": "string", "required": True},
    ],
}


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that does not fit, by its index in the block.

    *stage* is `decode` (not a JSON object), `convert` (no valid row) or `write` (the row cannot be written to a file).
    """

    index: int
    stage: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One row of the dead-letter table. Raw bytes are kept whole: a redrive sees exactly what the producer sent."""

    target_table: str
    topic: str
    topic_id: str
    partition: int
    offset: int
    timestamp_ms: int | None
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]]
    stage: str
    reason: Reason

    @property
    def size_bytes(self) -> int:
        """Size of key, value and headers; the rest is negligible."""
        headers = sum(len(k) + len(v or b"") for k, v in self.headers)
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
        "headers": [[{"key": k, "value": v} for k, v in x.headers] or None for x in dead_letters],
        "stage": [x.stage for x in dead_letters],
        "kind": [x.reason.kind for x in dead_letters],
        "field": [x.reason.field for x in dead_letters],
        "reason": [x.reason.message for x in dead_letters],
        "found": [x.reason.found for x in dead_letters],
        "format": [FORMAT] * len(dead_letters),
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
