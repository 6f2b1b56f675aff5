"""Count rows in a table's data files with DuckDB, an engine other than the writer.

Only the requested columns are read, by field id. Files are read through the table's own FileIO, and so with the
catalog's storage settings and credentials.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
from fsspec import AbstractFileSystem
from pyiceberg.io import FileIO

from lakelock.model.counts import Counted, Letters
from lakelock.model.coverage import SourceCoverage
from lakelock.model.offsets import Source
from lakelock.records.reasons import CountedCause

SCHEME = "lakelock://"
# Above this, offsets are grouped on disk.
_MEMORY = "1GB"

_ROWS = """
WITH offsets AS (
    SELECT CASE WHEN position IS NOT NULL THEN partition END AS partition, position, count(*) AS n
    FROM read_parquet($files, hive_partitioning = false, schema = {columns})
    GROUP BY ALL
)
SELECT o.partition, sum(o.n)::BIGINT, count(*),
    coalesce(sum(o.n) FILTER (i.until IS NULL OR o.position >= i.until), 0)::BIGINT
FROM offsets o
ASOF LEFT JOIN held i ON o.partition = i.partition AND o.position >= i.start
GROUP BY o.partition
"""

_CAUSES = """
SELECT kind, field, count(*), min(reason)
FROM read_parquet($files, hive_partitioning = false, schema = {columns})
WHERE target = $target GROUP BY kind, field ORDER BY 3 DESC, 1, 2 LIMIT $most
"""

_LETTERS = """
SELECT r.topic_id, r.partition, count(*), count(DISTINCT position)
FROM read_parquet($files, hive_partitioning = false, schema = {columns}) r
JOIN held i ON i.topic_id = r.topic_id AND i.partition = r.partition AND r.position >= i.start AND r.position < i.until
WHERE target = $target
GROUP BY ALL
"""


class SharedFile:
    """A file that several threads read at once. DuckDB shares one handle among its threads; each seeks before it reads.

    Each thread gets its own stream, so that none reads where another has sought.
    """

    def __init__(self, opened: Callable[[], Any], kept: Callable[[Any], Any]) -> None:
        self._opened, self._kept = opened, kept
        # By thread id: threads created outside Python lose `threading.local` values between calls.
        self._streams: dict[int, Any] = {}

    def _stream(self) -> Any:
        thread = threading.get_ident()
        if thread not in self._streams:
            self._streams[thread] = self._kept(self._opened)
        return self._streams[thread]

    def seek(self, offset: int, whence: int = 0) -> Any:
        return self._stream().seek(offset, whence)

    def tell(self) -> Any:
        return self._stream().tell()

    def read(self, size: int = -1) -> Any:
        return self._kept(lambda: self._stream().read(size))

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()


class _Files(AbstractFileSystem):  # type: ignore[misc]
    """A FileIO as a file system for DuckDB; paths are `lakelock://` and a file's full location.

    DuckDB turns exceptions raised in here into messages; `fault` keeps the first one.
    """

    protocol = "lakelock"
    cachable = False

    def __init__(self, io: FileIO) -> None:
        super().__init__()
        self._io = io
        self.fault: Exception | None = None

    def glob(self, path: str, **_: Any) -> list[str]:
        """Return the location itself: it may contain pattern characters."""
        return [path]

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        location = self._strip_protocol(path)
        return {"name": location, "size": self._kept(lambda: len(self._io.new_input(location))), "type": "file"}

    def modified(self, path: str) -> datetime:
        """A constant: data files never change."""
        return datetime.fromtimestamp(0, UTC)

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        return SharedFile(lambda: self._io.new_input(self._strip_protocol(path)).open(), self._kept)

    def _kept(self, act: Any) -> Any:
        try:
            return act()
        except Exception as fault:
            self.fault = self.fault or fault
            raise


def count_rows(
    io: FileIO,
    paths: Sequence[str],
    field_ids: tuple[int, int],
    held: Mapping[int, SourceCoverage],
) -> dict[int | None, Counted]:
    """Rows by partition number; None counts rows without partition or offset.

    *field_ids* are those of partition and offset.
    """
    columns = {"partition": (field_ids[0], "BIGINT"), "position": (field_ids[1], "BIGINT")}
    intervals = [(p, i.start, i.end) for p, coverage in held.items() for i in coverage.data]
    rows = query_files(
        io,
        _ROWS,
        columns,
        paths,
        {},
        held=integers(intervals, "partition", "start", "until"),
    )
    return {p: Counted(*counts) for p, *counts in rows}


def count_dead_letters(
    io: FileIO,
    paths: Sequence[str],
    field_ids: tuple[int, int, int, int],
    target: str,
    held: Mapping[Source, SourceCoverage],
) -> dict[Source, Letters]:
    """*target*'s dead letters by source. *field_ids* are those of target, topic id, partition and offset."""
    names = {"target": "VARCHAR", "topic_id": "VARCHAR", "partition": "BIGINT", "position": "BIGINT"}
    columns = {name: (i, kind) for i, (name, kind) in zip(field_ids, names.items(), strict=True)}
    intervals = [(s.topic_id, s.partition, i.start, i.end) for s, coverage in held.items() for i in coverage.data]
    bounds = integers([numbers for _, *numbers in intervals], "partition", "start", "until")
    bounds = bounds.append_column("topic_id", pa.array([topic_id for topic_id, *_ in intervals], pa.string()))
    rows = query_files(io, _LETTERS, columns, paths, {"target": target}, held=bounds)
    sources = {(s.topic_id, s.partition): s for s in held}
    return {sources[topic_id, partition]: Letters(*counts) for topic_id, partition, *counts in rows}


def letter_causes(
    io: FileIO, paths: Sequence[str], field_ids: Mapping[str, int], target: str, most: int
) -> list[CountedCause]:
    """Causes, commonest first. *field_ids* are by the dead-letter table's column names."""
    names = {"target_table": "target", "kind": "kind", "field": "field", "reason": "reason"}
    columns = {called: (field_ids[name], "VARCHAR") for name, called in names.items()}
    return [CountedCause(*row) for row in query_files(io, _CAUSES, columns, paths, {"target": target, "most": most})]


def integers(rows: Sequence[Sequence[int]], *names: str) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return pa.Table.from_arrays([pa.array(column, pa.int64()) for column in columns], names=list(names))


def query_files(
    io: FileIO,
    query: str,
    columns: Mapping[str, tuple[int, str]],
    paths: Sequence[str],
    parameters: Mapping[str, object],
    **tables: pa.Table,
) -> list[tuple[Any, ...]]:
    """Rows of *query* over data files; *columns* have a field id and a type each. Raises the storage's errors."""
    import duckdb

    if not paths:
        return []
    by_id = ", ".join(f"{i}: {{name: '{n}', type: '{kind}', default_value: NULL}}" for n, (i, kind) in columns.items())
    files = _Files(io)
    with (
        tempfile.TemporaryDirectory(prefix="lakelock-audit-") as scratch,
        duckdb.connect(config={"memory_limit": _MEMORY, "threads": 2, "temp_directory": scratch}) as connection,
    ):
        connection.register_filesystem(files)
        for name, table in tables.items():
            connection.register(name, table)
        given = {"files": [SCHEME + path for path in paths], **parameters}
        try:
            found: list[tuple[Any, ...]] = connection.execute(
                query.format(columns=f"MAP {{{by_id}}}"), given
            ).fetchall()
        except duckdb.Error:
            if files.fault is not None:
                raise files.fault from None
            raise
        return found
