"""The page's queries of single data files: the offsets in a file, and the dead letters in files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyiceberg.io import FileIO

from lakelock.adapters.duckdb.reader import bounds, place, query_files
from lakelock.model.offsets import OffsetRange

# Enough of a value for the page to show its beginning, even if the producer compressed it.
VALUE_BYTES = 16 << 10

_OFFSETS = """
SELECT partition, min(position), max(position), count(*), count(DISTINCT position)
FROM {files}
GROUP BY partition ORDER BY partition
"""

_AT = """
SELECT count(*)
FROM {files}
WHERE partition = $partition AND position = $offset
"""

_COUNTED = """
SELECT l.target, stage, kind, {of}, count(*), count(*) FILTER (l.position < r.until), epoch_ms(max(moment))
FROM {{files}} l
ASOF LEFT JOIN covered r
    ON l.target = r.target AND l.topic_id = r.topic_id AND l.partition = r.partition AND l.position >= r.start
WHERE list_contains($targets, l.target) AND list_contains($topic_ids, l.topic_id)
GROUP BY ALL ORDER BY 6 DESC, 1, 2, 3, 4 LIMIT $limit
"""
_CAUSES = _COUNTED.format(of="field, any_value(reason)")
_KINDS = _COUNTED.format(of="NULL, NULL")

_SAMPLE = """
SELECT target, topic, partition, position, epoch_ms(moment), stage, reason, value[1:$bytes], octet_length(value)
FROM {files}
WHERE list_contains($targets, target) AND list_contains($topic_ids, topic_id)
ORDER BY moment DESC NULLS LAST, topic, partition, position DESC LIMIT $limit
"""


@dataclass(frozen=True, slots=True)
class FileOffsets:
    """Rows of one partition in one file; the offsets are inclusive."""

    partition: int | None
    first_offset: int | None
    last_offset: int | None
    rows: int
    distinct: int


@dataclass(frozen=True, slots=True)
class Cause:
    """Dead letters of one table, stage, kind and field, with one of their reasons as an example.

    `count` includes those that became rows, which `redriven` counts. *newest_ms* is the newest record's time, if any.
    Without access to contents there is neither field nor example.
    """

    target: str
    stage: str
    kind: str
    field: str | None
    example: str | None
    count: int
    redriven: int
    newest_ms: int | None


@dataclass(frozen=True, slots=True)
class SampledDeadLetter:
    """One dead letter; *value* is its beginning, *value_bytes* its full length (None: a tombstone)."""

    target: str
    topic: str
    partition: int
    offset: int
    timestamp_ms: int | None
    stage: str
    reason: str
    value: bytes | None
    value_bytes: int | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Dead letters of these topics and of the tables in *redriven*, whose ranges became rows and are counted separately.

    *causes* and *sample* are the most to return. A sample of 0 is for users without access to contents: fields and
    reasons quote records, so they are omitted as well.
    """

    topic_ids: Collection[str]
    redriven: Mapping[str, Collection[OffsetRange]]
    causes: int
    sample: int


def offsets_of_file(io: FileIO, path: str, field_ids: tuple[int, int]) -> list[FileOffsets]:
    """Offsets by partition; *field_ids* are those of partition and offset."""
    return [FileOffsets(*row) for row in query_files(io, _OFFSETS, place(field_ids), [path], {})]


def rows_at(io: FileIO, path: str, field_ids: tuple[int, int], partition: int, offset: int) -> int:
    """Rows of one offset in one file."""
    ((count,),) = query_files(io, _AT, place(field_ids), [path], {"partition": partition, "offset": offset})
    return int(count)


def dead_letters(
    io: FileIO, paths: Sequence[str], field_ids: dict[str, int], wanted: Wanted
) -> tuple[list[Cause], list[SampledDeadLetter]]:
    """Commonest causes and newest records; *field_ids* are by the dead-letter table's column names."""
    short = {"target": (field_ids["target_table"], "VARCHAR"), "moment": (field_ids["timestamp"], "TIMESTAMPTZ")}
    short |= {name: (field_ids[name], "VARCHAR") for name in ("topic_id", "stage", "kind", "field", "reason")}
    numbers = place((field_ids["partition"], field_ids["offset"]))
    of = {"targets": sorted(wanted.redriven), "topic_ids": sorted(wanted.topic_ids)}
    became = [(target, r) for target, ranges in wanted.redriven.items() for r in ranges]
    rows = bounds([r for _, r in became])
    rows = rows.append_column("target", pa.array([target for target, _ in became], pa.string()))
    counted = _CAUSES if wanted.sample else _KINDS
    found = query_files(io, counted, short | numbers, paths, of | {"limit": wanted.causes}, covered=rows)
    if not wanted.sample:
        return [Cause(*c) for c in found], []
    whole = short | {"topic": (field_ids["topic"], "VARCHAR"), "value": (field_ids["value"], "BLOB")}
    sampled = query_files(io, _SAMPLE, whole | numbers, paths, of | {"limit": wanted.sample, "bytes": VALUE_BYTES})
    return [Cause(*c) for c in found], [SampledDeadLetter(*r) for r in sampled]
