"""Queries over a table's data files with DuckDB.

Only the requested columns are read, by field id. Files are read through the table's own FileIO, with the storage and
credentials of its catalog.
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

from lakelock.model.offsets import OffsetRange

SCHEME = "lakelock://"
# Beyond that the offsets are grouped on disk.
_MEMORY = "1GB"
Columns = Mapping[str, tuple[int, str]]


class SharedFile:
    """A file that several threads read at once: DuckDB gives one handle to all of its own, and each seeks before it reads.

    Each has a stream of its own, or one would read where another has sought.
    """

    def __init__(self, opened: Callable[[], Any], kept: Callable[[Any], Any]) -> None:
        self._opened, self._kept = opened, kept
        # By thread: those that are not Python's own lose what `threading.local` holds for them between two calls.
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
    """A FileIO as DuckDB wants to see it; `lakelock://` before a file's full location.

    DuckDB makes a message of whatever is raised in here; `fault` keeps the first.
    """

    protocol = "lakelock"
    cachable = False

    def __init__(self, io: FileIO) -> None:
        super().__init__()
        self._io = io
        self.fault: Exception | None = None

    def glob(self, path: str, **_: Any) -> list[str]:
        """A location is what it is, whatever characters it has."""
        return [path]

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        location = self._strip_protocol(path)
        return {"name": location, "size": self._kept(lambda: len(self._io.new_input(location))), "type": "file"}

    def modified(self, path: str) -> datetime:
        """Data files never change, so one moment is as good as another."""
        return datetime.fromtimestamp(0, UTC)

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        return SharedFile(lambda: self._io.new_input(self._strip_protocol(path)).open(), self._kept)

    def _kept(self, act: Any) -> Any:
        try:
            return act()
        except Exception as fault:
            self.fault = self.fault or fault
            raise


def place(field_ids: Sequence[int]) -> dict[str, tuple[int, str]]:
    """The columns `partition` and `position`. *field_ids* are those of partition and offset."""
    partition, offset = field_ids
    return {"partition": (partition, "BIGINT"), "position": (offset, "BIGINT")}


def bounds(ranges: Sequence[OffsetRange]) -> pa.Table:
    """*ranges* by `topic_id`, `partition`, `start` and `until`."""
    numbers = integers([(r.source.partition, r.start, r.end) for r in ranges])
    return numbers.append_column("topic_id", pa.array([r.source.topic_id for r in ranges], pa.string()))


def integers(rows: Sequence[tuple[int, int, int]]) -> pa.Table:
    """*rows* of `partition`, `start` and `until`."""
    names = ["partition", "start", "until"]
    return pa.Table.from_arrays([pa.array([row[n] for row in rows], pa.int64()) for n in range(3)], names=names)


def query_files(
    io: FileIO,
    query: str,
    columns: Columns,
    paths: Sequence[str],
    parameters: Mapping[str, object],
    **tables: pa.Table,
) -> list[tuple[Any, ...]]:
    """Rows of *query*, in which `{files}` is the data files, with *columns* of a field id and a type each, and `filename`.

    Raises what storage raised.
    """
    import duckdb

    if not paths:
        return []
    by_id = ", ".join(f"{i}: {{name: '{n}', type: '{kind}', default_value: NULL}}" for n, (i, kind) in columns.items())
    scan = f"read_parquet($files, hive_partitioning = false, filename = true, schema = MAP {{{by_id}}})"
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
            found: list[tuple[Any, ...]] = connection.execute(query.format(files=scan), given).fetchall()
        except duckdb.Error:
            if files.fault is not None:
                raise files.fault from None
            raise
        return found
