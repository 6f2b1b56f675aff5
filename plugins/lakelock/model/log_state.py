"""Values of the write-ahead log: open parts, and the changes that bring it up to a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lakelock.model.batches import StreamState, is_target
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source

Wanted = Callable[[Source], bool]


class PartState(Enum):
    PLANNED = "planned"
    STAGED = "staged"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True)
class PartNote:
    """A part of the table, with its ranges as the table's coverage names them.

    Schema and spec are those its files were written for, None while it is planned.
    """

    part_id: int
    state: PartState
    ranges: tuple[OffsetRange, ...]
    schema_id: int | None = None
    spec_id: int | None = None

    @property
    def has_letters(self) -> bool:
        """Whether it is of the dead-letter table."""
        return any(is_target(r.source) for r in self.ranges)


# By table.
Notes = Mapping[str, Sequence[PartNote]]


@dataclass(frozen=True, slots=True)
class Following:
    """Parts by id: *mark* is in the table, *restage* lands again under the new generation, *abort* never will.

    *redo* is what then is neither in the table nor on its way, and must be read again. *left* was taken out as well, but
    the pipeline file no longer gives it to the table: a person decides.
    """

    mark: tuple[int, ...] = ()
    restage: tuple[int, ...] = ()
    abort: tuple[int, ...] = ()
    redo: tuple[OffsetRange, ...] = ()
    left: tuple[OffsetRange, ...] = ()


def wanted(takes: Callable[[str, str], bool], table: str) -> Wanted:
    """Which sources *table* will still get."""
    return lambda source: takes(table, source.topic)


@dataclass(frozen=True, slots=True)
class Stand:
    """A table as it is: which one, and its newest ledger."""

    table: str
    uuid: str
    ledger: Ledger

    @property
    def starts(self) -> dict[Source, int]:
        """Declared starts; empty for the dead-letter table, whose coverage has no order."""
        return {s: h.start_offset for s, h in self.ledger.coverage.items() if not is_target(s)}


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Streams of the live lane, and by table what it lacks below their frontiers.

    *nowhere* is in no table, and the pipeline file gives it to none that lacks it: no run would read it.
    """

    streams: tuple[StreamState, ...]
    redo: Mapping[str, tuple[OffsetRange, ...]]
    nowhere: tuple[OffsetRange, ...]


@dataclass(frozen=True, slots=True)
class Redo:
    """How offsets are planned again: the configuration, the most offsets of a batch, what dead-letter tables have.

    *takes* says whether the pipeline file, as it is now, gives a topic to a table: (table, topic).
    """

    config: Mapping[str, object]
    config_digest: str
    max_offsets: int
    letters: Coverage
    new_id: Callable[[], str]
    takes: Callable[[str, str], bool]

    def wanted(self, table: str) -> Wanted:
        return wanted(self.takes, table)


@dataclass(frozen=True, slots=True)
class Told:
    """A table's ledger that has a decision; *uuid* is None for a table that nobody has written to, which gets it then."""

    uuid: str | None
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Pace:
    """The offsets of a batch, and the seconds from the claim of an attempt until it staged them."""

    offsets: int
    seconds: float
