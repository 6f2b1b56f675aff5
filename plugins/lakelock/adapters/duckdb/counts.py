"""Count rows in a table's data files with DuckDB, an engine other than the writer.

Only the requested columns are read, by field id. Files are read through the table's own FileIO, and so with the
catalog's storage settings and credentials.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pyiceberg.io import FileIO

from lakelock.adapters.duckdb.reader import bounds, integers, place, query_files
from lakelock.model.counts import Counted, DeadLetterCounts
from lakelock.model.coverage import SourceCoverage
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.reasons import CountedCause

_ROWS = """
WITH offsets AS (
    SELECT CASE WHEN position IS NOT NULL THEN partition END AS partition, position, count(*) AS n
    FROM {files}
    GROUP BY ALL
)
SELECT o.partition, sum(o.n)::BIGINT, count(*),
    coalesce(sum(o.n) FILTER (i.until IS NULL OR o.position >= i.until), 0)::BIGINT
FROM offsets o
ASOF LEFT JOIN covered i ON o.partition = i.partition AND o.position >= i.start
GROUP BY o.partition
"""

_CAUSES = """
SELECT kind, field, count(*), min(reason)
FROM {files}
WHERE target = $target AND list_contains($topic_ids, topic_id) GROUP BY kind, field ORDER BY 3 DESC, 1, 2 LIMIT $most
"""

_DEAD_LETTERS = """
SELECT r.topic_id, r.partition, count(*), count(DISTINCT position)
FROM {files} r
JOIN covered i ON i.topic_id = r.topic_id AND i.partition = r.partition AND r.position >= i.start AND r.position < i.until
WHERE target = $target
GROUP BY ALL
"""


def count_rows(
    io: FileIO,
    paths: Sequence[str],
    field_ids: tuple[int, int],
    covered: Mapping[int, SourceCoverage],
) -> dict[int | None, Counted]:
    """Rows by partition number; None counts rows without partition or offset.

    *field_ids* are those of partition and offset.
    """
    intervals = [(p, i.start, i.end) for p, coverage in covered.items() for i in coverage.data]
    rows = query_files(io, _ROWS, place(field_ids), paths, {}, covered=integers(intervals))
    return {p: Counted(*counts) for p, *counts in rows}


def count_dead_letters(
    io: FileIO,
    paths: Sequence[str],
    field_ids: tuple[int, int, int, int],
    target: str,
    covered: Mapping[Source, SourceCoverage],
) -> dict[Source, DeadLetterCounts]:
    """*target*'s dead letters by source. *field_ids* are those of target, topic id, partition and offset."""
    columns = {"target": (field_ids[0], "VARCHAR"), "topic_id": (field_ids[1], "VARCHAR")} | place(field_ids[2:])
    intervals = [OffsetRange(s, i.start, i.end) for s, coverage in covered.items() for i in coverage.data]
    rows = query_files(io, _DEAD_LETTERS, columns, paths, {"target": target}, covered=bounds(intervals))
    sources = {(s.topic_id, s.partition): s for s in covered}
    return {sources[topic_id, partition]: DeadLetterCounts(*counts) for topic_id, partition, *counts in rows}


def dead_letter_causes(
    io: FileIO,
    paths: Sequence[str],
    field_ids: Mapping[str, int],
    target: str,
    topic_ids: Collection[str],
    most: int,
) -> list[CountedCause]:
    """Causes of dead letters of these topics, commonest first. *field_ids* are by the dead-letter table's column names."""
    named = {"target_table": "target"} | {name: name for name in ("topic_id", "kind", "field", "reason")}
    columns = {called: (field_ids[name], "VARCHAR") for name, called in named.items()}
    key = {"target": target, "topic_ids": sorted(topic_ids), "most": most}
    return [CountedCause(*row) for row in query_files(io, _CAUSES, columns, paths, key)]
