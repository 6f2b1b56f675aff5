"""Counts rows in a table's data files with DuckDB: another reader than the engine that wrote them.

Only the two columns that hold partition and offset are read. Files come through the table's own FileIO, so whatever
storage and credentials the table needs are those of the catalog.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from fsspec import AbstractFileSystem
from pyiceberg.io import FileIO

from lakelock.core.audit import Counted, Letters
from lakelock.core.coverage import SourceCoverage

_SCHEME = "lakelock://"
# Offsets of one partition are grouped on disk when they need more.
_MEMORY = "1GB"

_BY_PARTITION = """
WITH offsets AS (
    SELECT {partition}::BIGINT AS partition, {offset}::BIGINT AS at, count(*) AS n
    FROM read_parquet($files, union_by_name = true)
    GROUP BY ALL
)
SELECT o.partition, sum(o.n)::BIGINT, count(*), coalesce(sum(o.n) FILTER (i.until IS NULL OR o.at >= i.until), 0)::BIGINT
FROM offsets o
ASOF LEFT JOIN held i ON o.partition = i.partition AND o.at >= i.start
GROUP BY o.partition
"""

_LETTERS = """
SELECT topic, partition, count(*), count(DISTINCT "offset")
FROM read_parquet($files, union_by_name = true)
WHERE target_table = $target
GROUP BY ALL
"""


class _Files(AbstractFileSystem):  # type: ignore[misc]
    """A FileIO as DuckDB wants to see it; `lakelock://` before a file's full location."""

    protocol = "lakelock"
    cachable = False

    def __init__(self, io: FileIO) -> None:
        super().__init__()
        self._io = io

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        location = self._strip_protocol(path)
        return {"name": location, "size": len(self._io.new_input(location)), "type": "file"}

    def modified(self, path: str) -> datetime:
        """Data files never change, so one moment is as good as another."""
        return datetime.fromtimestamp(0, UTC)

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        return self._io.new_input(self._strip_protocol(path)).open()


def count_rows(
    io: FileIO, paths: Sequence[str], partition: str, offset: str, held: Mapping[int, SourceCoverage]
) -> dict[int | None, Counted]:
    """Rows by partition number; None holds the rows without one."""
    starts = [(p, i.start, i.end) for p, coverage in held.items() for i in coverage.intervals]
    columns = [pa.array([row[n] for row in starts], pa.int64()) for n in range(3)]
    held_offsets = pa.Table.from_arrays(columns, names=["partition", "start", "until"])
    query = _BY_PARTITION.format(partition=_quoted(partition), offset=_quoted(offset))
    rows = _run(io, query, paths, {}, held=held_offsets)
    return {p: Counted(n, distinct, outside) for p, n, distinct, outside in rows}


def count_dead_letters(io: FileIO, paths: Sequence[str], target: str) -> dict[tuple[str, int], Letters]:
    """*target*'s dead letters by topic and partition."""
    rows = _run(io, _LETTERS, paths, {"target": target})
    return {(topic, partition): Letters(n, distinct) for topic, partition, n, distinct in rows}


def _run(
    io: FileIO, query: str, paths: Sequence[str], parameters: Mapping[str, object], **tables: pa.Table
) -> list[tuple[Any, ...]]:
    import duckdb

    if not paths:
        return []
    with duckdb.connect(config={"memory_limit": _MEMORY, "threads": 2}) as connection:
        connection.register_filesystem(_Files(io))
        for name, table in tables.items():
            connection.register(name, table)
        files = [_SCHEME + path for path in paths]
        found: list[tuple[Any, ...]] = connection.execute(query, {"files": files, **parameters}).fetchall()
        return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
