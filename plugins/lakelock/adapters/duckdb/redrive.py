"""Find a target's dead letters in data files with DuckDB: their distinct offsets, and their causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyiceberg.io import FileIO

from lakelock.adapters.duckdb.reader import bounds, place, query_files
from lakelock.model.offsets import OffsetRange
from lakelock.ports.redrive_jobs import OpenDeadLetters

CAUSES = 20
TEXTS = ("kind", "field", "reason")

# Same as `lakelock.records.reasons.cause`.
CAUSE = "CASE WHEN r.field IS NULL THEN r.kind ELSE '`' || r.field || '`: ' || r.kind END"

_FOUND = """
WITH letters AS (
    SELECT DISTINCT r.topic_id, r.partition, r.position{more}
    FROM {{files}} r
    ASOF JOIN within i ON i.topic_id = r.topic_id AND i.partition = r.partition AND r.position >= i.start
    WHERE r.target = $target AND r.position < i.until
        AND ($reason IS NULL OR contains(r.reason, $reason) OR contains({cause}, $reason))
)
"""

_RANGES = (
    _FOUND.format(more="", cause=CAUSE)
    + """, islands AS (
    SELECT topic_id, partition, position,
        position - row_number() OVER (PARTITION BY topic_id, partition ORDER BY position) AS island
    FROM letters
)
SELECT topic_id, partition, min(position), max(position) + 1
FROM islands GROUP BY topic_id, partition, island ORDER BY 1, 2, 3 LIMIT $most
"""
)

_CAUSES = (
    _FOUND.format(more=f", {CAUSE} AS cause", cause=CAUSE)
    + """
SELECT cause, count(*) FROM letters GROUP BY cause ORDER BY 2 DESC, 1 LIMIT $most
"""
)


def open_dead_letters(
    io: FileIO,
    paths: Sequence[str],
    field_ids: Mapping[str, int],
    target: str,
    within: Sequence[OffsetRange],
    reason: str | None,
    most: int,
) -> OpenDeadLetters:
    """See `lakelock.ports.redrive_jobs.DeadLetterStore.open`; *field_ids* are by the dead-letter table's column names."""
    names = {"target_table": "target"} | {name: name for name in ("topic_id", *TEXTS)}
    columns = {called: (field_ids[name], "VARCHAR") for name, called in names.items()}
    columns |= place((field_ids["partition"], field_ids["offset"]))
    given = {"target": target, "reason": reason}
    sources = {(r.source.topic_id, r.source.partition): r.source for r in within}
    requested = bounds(within)
    found = query_files(io, _RANGES, columns, paths, given | {"most": most + 1}, within=requested)
    causes = query_files(io, _CAUSES, columns, paths, given | {"most": CAUSES}, within=requested)
    ranges = tuple(OffsetRange(sources[topic_id, partition], a, b) for topic_id, partition, a, b in found)
    return OpenDeadLetters(ranges, dict(causes))
