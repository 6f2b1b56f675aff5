"""Values of the write-ahead log: open parts, and the changes that reconcile it with a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from lakelock.model.batches import StreamState, is_target
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, without
from lakelock.model.registry import ConfiguredRange, Registry

Wanted = Callable[[Source], bool]


@dataclass(frozen=True, slots=True)
class StagedTable:
    """The staged parts of one table: the oldest is `age_s` old. `is_first`: no commit of the table is recorded yet.

    `has_records`: some part has rows, or records that are dead letters. `is_routed`: rules made the table, and it is not retired.
    """

    age_s: float
    size_bytes: int
    has_records: bool
    is_first: bool
    is_routed: bool


class PartState(Enum):
    PLANNED = "planned"
    STAGED = "staged"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True)
class PartNote:
    """A part in the log, with ranges named as in the table's coverage.

    *layout* is the token of the layout that its files were written for, None while it is planned.
    """

    part_id: int
    state: PartState
    ranges: tuple[OffsetRange, ...]
    layout: str | None = None

    @property
    def has_dead_letters(self) -> bool:
        """Whether the part belongs to the dead-letter table."""
        return any(is_target(r.source) for r in self.ranges)


# Parts by table.
Notes = Mapping[str, Sequence[PartNote]]


@dataclass(frozen=True, slots=True)
class Following:
    """Part ids by change: *mark* are in the table, *restage* are committed again, *abort* never.

    *restage* goes under the new generation. *redo* are ranges that are then neither in the table nor on their way, and
    must be read again. *left* were removed as well, but the pipeline file no longer assigns them to the table: an
    operator decides.
    """

    mark: tuple[int, ...] = ()
    restage: tuple[int, ...] = ()
    abort: tuple[int, ...] = ()
    redo: tuple[OffsetRange, ...] = ()
    left: tuple[OffsetRange, ...] = ()


def wanted(takes: Callable[[str, str], bool], table: str) -> Wanted:
    """Predicate for the sources that *table* still takes."""
    return lambda source: takes(table, source.topic)


@dataclass(frozen=True, slots=True)
class Stand:
    """Identity and newest ledger of a table."""

    table: str
    uuid: str
    ledger: Ledger

    @property
    def starts(self) -> dict[Source, int]:
        """Declared starts; empty for the dead-letter table, whose coverage has no order."""
        return {s: h.start_offset for s, h in self.ledger.coverage.items() if not is_target(s)}


@dataclass(frozen=True, slots=True)
class TailBatch:
    """A batch that is planned for every table that its records are routed to, under the registered configuration.

    It is not closed, and has no part of a table of the pipeline file.
    """

    ranges: tuple[OffsetRange, ...]
    config_digest: str
    config: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Streams of the live lane, and per table the ranges it lacks below their frontiers.

    *nowhere* is in no table, and the pipeline file assigns it to no table that lacks it: no run would read it. *tail* has the
    batches of a pipeline with routes between its mark and the frontiers, in planning order; *backfills* those of requested
    backfills of all its tables. Of routed tables that are *left out*, which were there once, nothing is known.
    """

    streams: tuple[StreamState, ...]
    redo: Mapping[str, tuple[OffsetRange, ...]]
    nowhere: tuple[OffsetRange, ...]
    tail: tuple[TailBatch, ...] = ()
    backfills: tuple[TailBatch, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Redo:
    """Settings for planning offsets again: configuration, maximum offsets of a batch, coverage of dead-letter tables.

    *takes* says whether the current pipeline file assigns a topic to a table: (table, topic). Routed tables of a *registry* are
    read again under the configurations that it has for the offsets.
    """

    config: Mapping[str, object]
    config_digest: str
    max_offsets: int
    dead_letters: Coverage
    new_id: Callable[[], str]
    takes: Callable[[str, str], bool]
    registry: Registry | None = None

    def pieces(self, table: str, r: OffsetRange) -> list[ConfiguredRange]:
        """*r*, cut where the configuration changes under which it is read again for *table*."""
        routed = self.registry.pieces(r) if self.registry and table in self.registry.tables else []
        # What lies before all registered configurations was not routed.
        before = without([r], [p.range for p in routed])
        return [*(ConfiguredRange(b, self.config_digest, self.config) for b in before), *routed]

    def config_at(self, table: str, batch: Sequence[OffsetRange]) -> tuple[Mapping[str, object], str]:
        """The configuration of a batch of `ingest.replan_decision.redo_batches`, and its digest."""
        piece = self.pieces(table, batch[0])[0]
        return piece.config, piece.digest

    def wanted(self, table: str) -> Wanted:
        return wanted(self.takes, table)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A table's ledger with a new decision; *uuid* is None for a table that has never been written to."""

    uuid: str | None
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Pace:
    """Offsets of a batch, and the seconds from the claim of an attempt until it was staged."""

    offsets: int
    seconds: float
