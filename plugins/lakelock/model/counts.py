"""Offsets and rows as counted from the log and by another query engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source


@dataclass(frozen=True, slots=True)
class Accounts:
    """The write-ahead log's view of a pipeline at one moment.

    `streams` are the live lane's. `open` has the ranges of open parts of all lanes, by table and source; `unwritten`
    those still to be read from Kafka. `seen` is the newest ledger of each table that the log knows.
    """

    streams: Mapping[Source, StreamState]
    open: Mapping[tuple[str, Source], Sequence[OffsetRange]]
    unwritten: tuple[OffsetRange, ...]
    seen: Mapping[str, Ledger]


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows of one source as counted by another engine; `outside` are rows in no data interval of the ledger."""

    rows: int = 0
    distinct: int = 0
    outside: int = 0


@dataclass(frozen=True, slots=True)
class DeadLetterCounts:
    """Dead letters of one target and source as counted by another engine, within the target's data intervals.

    `lost` counts those missing since the dead-letter table was set back by hand, and declared lost.
    """

    rows: int = 0
    distinct: int = 0
    lost: int = 0

    def plus(self, other: DeadLetterCounts) -> DeadLetterCounts:
        return DeadLetterCounts(
            self.rows + other.rows,
            self.distinct + other.distinct,
            self.lost + other.lost,
        )


@dataclass(frozen=True, slots=True)
class RoutedRange:
    """What routing did with the records of one range of a closed batch, by the batch's own books.

    `filtered` are left out by a rule, and `without_table` are dead letters that no table is known for. `in_tables` sums up what
    routed tables have of it, `letters` what the dead-letter table has of those without one; None if it is not to be compared:
    something of the batch is open, was rolled back, or was read again after a recovery.
    """

    range: OffsetRange
    read: int
    filtered: int
    without_table: int
    in_tables: int | None = None
    letters: int | None = None

    @property
    def routed(self) -> int:
        """Records that go to at least one table."""
        return self.read - self.filtered - self.without_table


def countable(coverage: Coverage) -> dict[int, Source] | None:
    """Source of each partition number; None if one number means several sources, as with two topics in a table."""
    out: dict[int, Source] = {}
    for source in coverage:
        if out.setdefault(source.partition, source) != source:
            return None
    return out
