"""Find the rows of an interval in data files, and compare rows by offset, with an engine other than the writer."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pyarrow as pa
from pyiceberg.io import FileIO

from lakelock.adapters.duckdb.reader import SCHEME, bounds, place, query_files
from lakelock.model.table_files import Compared, OfTime, RowsOf

_OF_INTERVAL = """
FROM {files} r
JOIN wanted w ON w.partition = r.partition AND r.position >= w.start AND r.position < w.until
"""

_WITHIN = f"SELECT r.filename, count(*) {_OF_INTERVAL} GROUP BY r.filename"

_OF_TIME = f"""
SELECT r.partition, count(*), min(r.position), max(r.position), count(*) FILTER (MOMENT IS NULL), max(epoch_ms(MOMENT))
{_OF_INTERVAL}
WHERE MOMENT IS NULL OR (epoch_ms(MOMENT) >= $from_ms AND epoch_ms(MOMENT) < $to_ms)
GROUP BY r.partition
"""

_COMPARED = f"""
WITH rows AS (
    SELECT r.partition, r.position, r.filename IN (SELECT path FROM fresh) AS is_new {_OF_INTERVAL}
),
offsets AS (
    SELECT partition, position, count(*) FILTER (NOT is_new) AS before, count(*) FILTER (is_new) AS after
    FROM rows GROUP BY ALL
)
SELECT
    partition,
    sum(before)::BIGINT,
    sum(after)::BIGINT,
    count(*) FILTER (before > 1 OR after > 1),
    count(*) FILTER (after = 0),
    count(*) FILTER (before = 0),
    min(position) FILTER (before > 1 OR after > 1),
    min(position) FILTER (after = 0),
    min(position) FILTER (before = 0)
FROM offsets GROUP BY partition
"""


def rows_within(io: FileIO, paths: Sequence[str], field_ids: tuple[int, int], rows: RowsOf) -> dict[str, int]:
    """The number of *rows* in each file that has any. *field_ids* are those of partition and offset."""
    found = query_files(io, _WITHIN, place(field_ids), paths, {}, wanted=bounds(rows.ranges))
    return {path.removeprefix(SCHEME): count for path, count in found}


def of_time(
    io: FileIO,
    paths: Sequence[str],
    field_ids: tuple[int, int, int | None],
    rows: RowsOf,
    between_ms: tuple[int, int],
) -> dict[int, OfTime]:
    """Those of *rows* within a time interval, or without a timestamp, by partition.

    *field_ids* are those of partition, offset and moment; without the last, all rows count as having no timestamp.
    """
    *partition_and_offset, moment_id = field_ids
    columns = place(partition_and_offset)
    query = _OF_TIME.replace("MOMENT", "NULL::TIMESTAMPTZ" if moment_id is None else "r.moment")
    if moment_id is not None:
        columns["moment"] = (moment_id, "TIMESTAMPTZ")
    given = dict(zip(("from_ms", "to_ms"), between_ms, strict=True))
    found = query_files(io, query, columns, paths, given, wanted=bounds(rows.ranges))
    return {partition: OfTime(*counts) for partition, *counts in found}


def compared(
    io: FileIO, old: Sequence[str], new: Collection[str], field_ids: tuple[int, int], rows: RowsOf
) -> dict[int, Compared]:
    """Compare the offsets of *rows* in *old* and *new* files, by partition."""
    fresh = pa.table({"path": pa.array([SCHEME + path for path in new], pa.string())})
    found = query_files(io, _COMPARED, place(field_ids), [*old, *new], {}, wanted=bounds(rows.ranges), fresh=fresh)
    return {partition: Compared(*counts) for partition, *counts in found}
