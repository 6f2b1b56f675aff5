"""Orders for one slice, and what it wrote."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.model.column_types import Column
from lakelock.model.offsets import OffsetRange
from lakelock.ports import SliceOutput, Target, WriteOrder
from lakelock.records import dead_letters as letters
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionSpec
from stack.kafka import Kafka

from kits.columns import columns, layout

METADATA = {"partition": "_p", "offset": "_o", "timestamp": "_t"}


METADATA_TYPES = {"_p": "int", "_o": "long", "_t": "timestamptz"}


def target(
    folder: Path,
    name: str,
    of: Sequence[Column],
    topics: Sequence[str],
    *,
    spec: PartitionSpec = UNPARTITIONED_PARTITION_SPEC,
    **more: Any,
) -> Target:
    defaults: dict[str, Any] = {
        "identity_uuid": str(uuid.uuid4()),
        "generation": 0,
        "layout": layout(tuple(of), spec),
        "location": f"file://{folder}/{name}",
        "columns": tuple(of),
        "properties": {},
        "metadata_columns": METADATA,
    }
    return Target(table=f"ns.{name}", topics=tuple(topics), **{**defaults, **more})


def order(
    kafka: Kafka, folder: Path, ranges: Sequence[OffsetRange], *targets: Target, slices: int = 1, **kafka_config: str
) -> WriteOrder:
    dead_letters = target(folder, "dead", letters.COLUMNS, sorted({r.source.topic for r in ranges}))
    return WriteOrder(
        pipeline="p",
        batch_id=str(uuid.uuid4()),
        attempt=str(uuid.uuid4()),
        slices=tuple(tuple(ranges[n::slices]) for n in range(slices)),
        targets=targets,
        dead_letters=dead_letters,
        kafka={"bootstrap.servers": kafka.bootstrap, **kafka_config},
    )


def whole(kafka: Kafka, *topics: str) -> list[OffsetRange]:
    broker = KafkaBroker({"bootstrap.servers": kafka.bootstrap})
    marks = broker.watermarks(broker.sources(topics))
    return [OffsetRange(s, 0, m.end_offset) for s, m in sorted(marks.items()) if m.end_offset]


def rows(output: SliceOutput, table: str = "ns.t") -> list[dict[str, Any]]:
    (found,) = [t for t in output.tables if t.table == table]
    return [row for f in found.files for row in pq.read_table(f.path.removeprefix("file://")).to_pylist()]


def dead_letters(output: SliceOutput, table: str = "ns.t") -> list[dict[str, Any]]:
    return [
        row
        for t in output.dead_letters
        if t.table == table
        for f in t.files
        for row in pq.read_table(f.path.removeprefix("file://")).to_pylist()
    ]


ID = columns({"id": "long", **METADATA_TYPES})
