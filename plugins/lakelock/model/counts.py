"""Offsets and rows as the log and another engine count them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source


@dataclass(frozen=True, slots=True)
class Accounts:
    """What the write-ahead log says of a pipeline at one moment.

    `streams` are the live lane's; `open` has the ranges of open parts of all lanes by table and source, `unwritten` those
    that must still be read from Kafka. `seen` is the newest ledger that a commit told the log of, by table.
    """

    streams: Mapping[Source, StreamState]
    open: Mapping[tuple[str, Source], Sequence[OffsetRange]]
    unwritten: tuple[OffsetRange, ...]
    seen: Mapping[str, Ledger]


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows of one source as another engine counts them; `outside` lie in no interval that the ledger has as data."""

    rows: int = 0
    distinct: int = 0
    outside: int = 0


@dataclass(frozen=True, slots=True)
class Letters:
    """Dead letters of one target and source as another engine counts them, within what the target holds as data.

    `lost` ones were set back by hand and declared lost.
    """

    rows: int = 0
    distinct: int = 0
    lost: int = 0

    def plus(self, other: Letters) -> Letters:
        return Letters(
            self.rows + other.rows,
            self.distinct + other.distinct,
            self.lost + other.lost,
        )


def countable(coverage: Coverage) -> dict[int, Source] | None:
    """Which source each partition number means; None where one number means several, as with two topics in a table."""
    out: dict[int, Source] = {}
    for source in coverage:
        if out.setdefault(source.partition, source) != source:
            return None
    return out


def ever_dead(held: SourceCoverage) -> int:
    """How many of the records that are held became dead letters, whatever some of them are by now: a redrive leaves the
    dead-letter table as it is."""
    return held.totals.dead + sum(b - a for a, b in held.redriven)
