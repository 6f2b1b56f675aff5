"""A FileIO that counts what it asks of storage, for tests; named by the catalog property `py-io-impl`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pyiceberg.io import InputFile, OutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO

IMPLEMENTATION = f"{__name__}.CountingIO"
# In this process; which file was asked for how, by kind of request and of file.
counted: Counter[tuple[str, str]] = Counter()


def kind(location: str) -> str:
    """`metadata`, `manifest`, `list`, `side` or `data`."""
    name = location.rpartition("/")[2]
    if name.endswith(".metadata.json"):
        return "metadata"
    if name.endswith(".avro"):
        return "list" if name.startswith("snap-") or "-list-" in name else "manifest"
    return "side" if name.endswith(".json") else "data"


def requests() -> dict[str, int]:
    """So many of each kind of request, and nothing is counted any more before the next."""
    out: Counter[str] = Counter()
    for (request, _), count in counted.items():
        out[request] += count
    return dict(out)


class _File:
    def __init__(self, file: InputFile | OutputFile) -> None:
        self._file: Any = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __len__(self) -> int:
        counted["head", kind(self._file.location)] += 1
        return len(self._file)


class _Input(_File):
    def exists(self) -> bool:
        counted["head", kind(self._file.location)] += 1
        return bool(self._file.exists())

    def open(self, seekable: bool = True) -> Any:
        counted["get", kind(self._file.location)] += 1
        return self._file.open(seekable=seekable)


class _Output(_File):
    def create(self, overwrite: bool = False) -> Any:
        counted["put", kind(self._file.location)] += 1
        return self._file.create(overwrite=overwrite)


class CountingIO(PyArrowFileIO):
    """Satisfies FileIO."""

    def new_input(self, location: str) -> Any:
        return _Input(super().new_input(location))

    def new_output(self, location: str) -> Any:
        return _Output(super().new_output(location))

    def delete(self, location: str | InputFile | OutputFile) -> None:
        path = location if isinstance(location, str) else location.location
        counted["delete", kind(path)] += 1
        super().delete(path)
