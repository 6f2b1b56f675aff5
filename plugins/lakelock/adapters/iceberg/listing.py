"""List the folders of a table: PyIceberg reads and writes files, but cannot list them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pyarrow.fs import FileSelector, FileType
from pyiceberg.io import FileIO
from pyiceberg.io.fsspec import FsspecFileIO
from pyiceberg.io.pyarrow import PyArrowFileIO

from lakelock.errors import State, TableUnfit

_MODIFIED_KEYS = ("mtime", "LastModified", "last_modified", "updated")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry, with its path *relative* to the listed folder; folders have neither size nor time."""

    relative: str
    is_folder: bool
    size_bytes: int = 0
    modified_ms: int = 0


def entries(io: FileIO, folder: str, *, recursive: bool = False) -> Iterator[Entry]:
    """Entries of *folder*; none if it does not exist. Raises TableUnfit for storage that cannot be listed."""
    if isinstance(io, PyArrowFileIO):
        return _by_pyarrow(io, folder, recursive)
    if isinstance(io, FsspecFileIO):
        return _by_fsspec(io, folder, recursive)
    raise TableUnfit(
        f"the storage at {folder} cannot be listed: PyIceberg reads it with {type(io).__name__}.",
        State.NOTHING_CHANGED,
        "Use PyArrow or fsspec ('py-io-impl' of the catalog connection), or remove orphan files with another engine.",
    )


def _by_pyarrow(io: PyArrowFileIO, folder: str, recursive: bool) -> Iterator[Entry]:
    scheme, netloc, path = io.parse_location(folder, io.properties)
    for info in io.fs_by_scheme(scheme, netloc).get_file_info(
        FileSelector(path, recursive=recursive, allow_not_found=True)
    ):
        relative = info.path[len(path.rstrip("/")) + 1 :]
        if info.type == FileType.File:
            if info.mtime_ns is None:
                raise _without_time(folder)
            yield Entry(relative, False, info.size or 0, info.mtime_ns // 1_000_000)
        elif info.type == FileType.Directory:
            yield Entry(relative, True)


def _by_fsspec(io: FsspecFileIO, folder: str, recursive: bool) -> Iterator[Entry]:
    # The file system of a location is not public, but that of a file is.
    fs: Any = io.new_input(folder)._fs
    fs.invalidate_cache()
    base = str(fs._strip_protocol(folder)).rstrip("/")
    try:
        found = fs.find(base, detail=True).values() if recursive else fs.ls(base, detail=True)
    except FileNotFoundError:
        return
    for info in found:
        relative = str(fs._strip_protocol(info["name"])).rstrip("/")[len(base) + 1 :]
        if info["type"] == "directory":
            yield Entry(relative, True)
        elif relative:
            yield Entry(relative, False, int(info.get("size") or 0), _modified_ms(info, folder))


def _modified_ms(info: dict[str, Any], folder: str) -> int:
    for key in _MODIFIED_KEYS:
        value = info.get(key)
        if isinstance(value, datetime):
            return int(value.timestamp() * 1000)
        if isinstance(value, int | float):
            return int(value * 1000)
    raise _without_time(folder)


def _without_time(folder: str) -> TableUnfit:
    return TableUnfit(
        f"the storage at {folder} does not record when its files were written, so lakelock cannot find the old ones.",
        State.NOTHING_CHANGED,
        "Remove orphan files with another engine.",
    )
