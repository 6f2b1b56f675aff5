"""Which of our own files nothing can ever name again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
BATCH = re.compile(_UUID)
_DATA = re.compile(rf"({_UUID})/([^/]+)/{_UUID}\.parquet")
# Configurations are named by their content alone, so the next commit may name one that nothing names now: they stay.
_METADATA = re.compile(
    rf"lakelock-{_UUID}-\d+-m\d+\.avro|snap-\d+-lakelock-{_UUID}\.avro|lakelock-(?:coverage|ranges)-{_UUID}-[0-9a-f]{{64}}\.json"
)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file whose name says that lakelock wrote it; batch and attempt of a data file."""

    path: str
    size_bytes: int
    modified_ms: int
    batch_id: str | None = None
    attempt: str | None = None

    @property
    def name(self) -> str:
        """Unique by itself: it holds an id of its own, whatever way the path to it is spelled."""
        return name_of(self.path)


@dataclass(frozen=True, slots=True)
class BatchNote:
    """A batch that the write-ahead log knows: whether it has open parts, and who works on it."""

    open: bool
    attempt: str | None


@dataclass(frozen=True, slots=True)
class Known:
    """What the write-ahead log says of some batches, and the names of all files that it has of them."""

    batches: Mapping[str, BatchNote] = field(default_factory=dict)
    files: frozenset[str] = frozenset()


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def data_file(folder: str, relative: str, size_bytes: int, modified_ms: int) -> OwnFile | None:
    """The file at *relative* in a table's data folder, if it is one of ours."""
    match = _DATA.fullmatch(relative)
    return OwnFile(f"{folder}/{relative}", size_bytes, modified_ms, match[1], match[2]) if match else None


def metadata_file(folder: str, relative: str, size_bytes: int, modified_ms: int) -> OwnFile | None:
    """The same for the metadata folder: a manifest, a manifest list, or a file of the ledger."""
    return OwnFile(f"{folder}/{relative}", size_bytes, modified_ms) if _METADATA.fullmatch(relative) else None


def unnamed(found: Iterable[OwnFile], older_than_ms: int, named: Collection[str]) -> list[OwnFile]:
    """Those old enough that no snapshot of the table names."""
    return [f for f in found if f.modified_ms < older_than_ms and f.name not in named]


def orphans(found: Sequence[OwnFile], known: Known, alone: bool) -> list[OwnFile]:
    """Of files that no snapshot names, those that no part can name either, and that nobody may still be writing.

    A batch that the log does not know is finished and folded away; unless the table has writers of another log (it is not
    *alone*), which may know it.
    """

    def is_orphan(file: OwnFile) -> bool:
        if file.batch_id is None:
            return True
        if file.name in known.files:
            return False
        note = known.batches.get(file.batch_id)
        if note is None:
            return alone
        return not (note.open and note.attempt == file.attempt)

    return list(filter(is_orphan, found))


def overlapping(folders: Collection[str], others: Collection[str]) -> str | None:
    """A folder that lies in, above or at one of another table."""
    for mine in sorted(folders):
        for other in sorted(others):
            a, b = f"{mine.rstrip('/')}/", f"{other.rstrip('/')}/"
            if a.startswith(b) or b.startswith(a):
                return mine
    return None
