"""Values that table adapters return: files, and rows by their offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lakelock.errors import LakelockError, State
from lakelock.model.offsets import OffsetRange

# `orphans` deletes nothing younger than an hour by Postgres' clock; storage may have another clock.
LAND_WITHIN_MS = 45 * 60_000


@dataclass(frozen=True, slots=True)
class LiveFile:
    """A data file of the branch's head.

    *partition* is its partition value, as JSON; *partitioning* is the number of that partitioning. *added_ms* is None if the
    snapshot that added it has expired. *unfit* is the reason why it cannot be rewritten, if any. If only equality deletes
    make it unfit, *deleted_at* is the lowest of their sequence numbers.
    """

    path: str
    partitioning: int
    partition: str
    rows: int
    size_bytes: int
    sequence_number: int
    added_ms: int | None = None
    unfit: str = ""
    deleted_at: int | None = None


@dataclass(frozen=True, slots=True)
class FileView:
    """A data file of the newest version, from its manifest; bounds are inclusive, None without columns or metrics."""

    path: str
    size_bytes: int
    rows: int
    version_id: int | None
    first_partition: int | None = None
    last_partition: int | None = None
    first_offset: int | None = None
    last_offset: int | None = None

    def may_hold(self, numbers: Iterable[tuple[int, int, int]]) -> bool:
        """*numbers* as `RowsOf.numbers`. Files hold several partitions, whose offsets' bounds are one: only the file itself
        knows for sure."""
        return any(
            _meet(self.first_partition, self.last_partition, n, n)
            and _meet(self.first_offset, self.last_offset, a, b - 1)
            for n, a, b in numbers
        )


def _meet(low: int | None, high: int | None, first: int, last: int) -> bool:
    return (low is None or low <= last) and (high is None or high >= first)


@dataclass(frozen=True, slots=True)
class Manifest:
    """A list of data files that the branch's head references.

    *low* and *high* bound each partition field, with values ordered as by `placed`. *unfit* is the reason why it cannot
    be rewritten, if any.
    """

    path: str
    partitioning: int
    files: int
    size_bytes: int
    low: tuple[tuple[Any, ...], ...] = ()
    high: tuple[tuple[Any, ...], ...] = ()
    unfit: str = ""


def size_in(properties: Mapping[str, str], name: str, default_bytes: int) -> int:
    """In bytes, as a table's property *name* says; one that is no size counts as none."""
    text = properties.get(name, "")
    return int(text) if text.isdecimal() and int(text) else default_bytes


def check_in_time(late: type[LakelockError], table: str, work: str, began_ms: int, now_ms: int, remedy: str) -> None:
    """Raises *late* once a clean-up may take the new files of *work* for orphans. Ask after the table was loaded: a clean-up
    that lists them later moves it first."""
    if now_ms - began_ms > LAND_WITHIN_MS:
        raise late(
            f"table {table}: {work} took {(now_ms - began_ms) // 60_000} minutes, but must take at most "
            f"{LAND_WITHIN_MS // 60_000}: a clean-up may delete the new files.",
            State.ORPHANED,
            remedy,
        )


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that lakelock wrote for a known table, judging by its path; batch and attempt are those of a data file."""

    path: str
    size_bytes: int
    modified_ms: int
    batch_id: str | None = None
    attempt: str | None = None

    @property
    def name(self) -> str:
        """Unique on its own: it contains an id, however the path to it is spelled."""
        return name_of(self.path)


@dataclass(frozen=True, slots=True)
class BatchNote:
    """A batch in the write-ahead log: whether it has open parts, and which attempt works on it."""

    open: bool
    attempt: str | None


@dataclass(frozen=True, slots=True)
class KnownFiles:
    """The write-ahead log's knowledge of some batches, and the names of all files that it has of them."""

    batches: Mapping[str, BatchNote] = field(default_factory=dict)
    files: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RowsOf:
    """Rows of *ranges*, identified by a table's *columns* for partition and offset. A number means one source."""

    columns: tuple[str, str]
    ranges: tuple[OffsetRange, ...]

    @property
    def numbers(self) -> list[tuple[int, int, int]]:
        """(partition, start, end), half-open."""
        return [(r.source.partition, r.start, r.end) for r in self.ranges]


@dataclass(frozen=True, slots=True)
class Compared:
    """Offsets of one source in old and new rows, as counted by an engine other than the writer.

    *twice* have several old rows or several new ones; *lost* have only an old row, *more* only a new one. `first_…` is
    the lowest such offset.
    """

    before: int = 0
    after: int = 0
    twice: int = 0
    lost: int = 0
    more: int = 0
    first_twice: int | None = None
    first_lost: int | None = None
    first_more: int | None = None


@dataclass(frozen=True, slots=True)
class OfTime:
    """Rows of one source that are, or may be, within a time interval; *timeless* ones have no timestamp. *newest_ms* is
    the latest timestamp.
    """

    rows: int
    first_offset: int
    last_offset: int
    timeless: int = 0
    newest_ms: int | None = None
