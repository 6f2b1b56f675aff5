"""The world of the tables' model as small hashable values, and the setup of a search.

One source, offsets [0, n). A configuration routes each record to tables, by their one-letter names, or to none. A record
that begins with `?` can be decoded in one attempt and not in the next: it is then a dead letter without a target.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from lakelock.model.ledger import Ledger, Mode
from lakelock.model.offsets import OffsetRange
from lakelock.model.registry import Registry

PLANNED, STAGED, COMMITTED = "planned", "staged", "committed"
LIVE = "live"
DEAD_LETTERS = "D"  # the dead-letter table, which is the pipeline's ledger
DEAD = "!"
FAULTS = ("attempts", "kill", "lost", "edit", "rollback", "ledger_rollback", "drop", "replace", "forbidden", "trim")


@dataclass(frozen=True, eq=False, slots=True)
class TableLedger:
    """A data table's ledger; one object for equal ones, which compares as fast as a number."""

    ledger: Ledger
    held: frozenset[int]
    skipped: frozenset[int]
    owes: frozenset[int]


@dataclass(frozen=True, eq=False, slots=True)
class PipelineLedger:
    """The dead-letter table's ledger, with its mark and registry; one object for equal ones.

    *complete* is marked, *lacks* has what each table that is behind may lack of it, *config_at* is the registered configuration
    of each offset.
    """

    ledger: Ledger
    registry: Registry
    tables: Mapping[str, str | None]
    complete: frozenset[int]
    lacks: Mapping[str, frozenset[int]]
    config_at: tuple[str, ...]


class Before(NamedTuple):
    """A data table before one of its commits, and the ranges that this commit filled."""

    ledger: TableLedger
    rows: tuple[tuple[int, str], ...]
    filled: tuple[OffsetRange, ...]
    added: tuple[int, ...]


class Table(NamedTuple):
    """Rows are (offset, configuration). Each commit raises *version*."""

    uuid: str
    version: int
    ledger: TableLedger
    rows: tuple[tuple[int, str], ...] = ()
    past: tuple[Before, ...] = ()


class LedgerTable(NamedTuple):
    """The dead-letter table; *rows* are offsets of dead letters."""

    version: int
    ledger: PipelineLedger
    rows: tuple[int, ...] = ()
    past: tuple[PipelineLedger, ...] = ()


class Part(NamedTuple):
    """As in lakelock.parts. *expected* is the number of records that a part which is not written yet must have."""

    table: str
    state: str
    generation: int = 0
    uuid: str = ""
    rows: tuple[int, ...] = ()
    expected: int | None = None


class Batch(NamedTuple):
    """*lane* is LIVE, or the one table that the offsets are read again for. *closed*: its tables are known."""

    number: int
    lane: str
    start: int
    end: int
    config: str
    attempt: int = 0
    closed: bool = False
    parts: tuple[Part, ...] = ()

    def offsets(self) -> range:
        return range(self.start, self.end)

    @property
    def letters(self) -> tuple[int, ...]:
        return tuple(o for p in self.parts if p.table == DEAD_LETTERS for o in p.rows)


class Log(NamedTuple):
    """Postgres. *bound* and *generations* are what it knows of each table."""

    installation: int
    frontier: int
    bound: tuple[str | None, ...]
    generations: tuple[int, ...]
    batches: tuple[Batch, ...] = ()

    def batch(self, number: int) -> Batch | None:
        return next((b for b in self.batches if b.number == number), None)

    def with_batch(self, batch: Batch) -> Log:
        return self._replace(batches=tuple(batch if b.number == batch.number else b for b in self.batches))

    def live(self, offset: int) -> Batch | None:
        return next((b for b in self.batches if b.lane == LIVE and b.start <= offset < b.end), None)

    def open(self, table: str) -> frozenset[int]:
        """Offsets of its parts that are not committed, in any lane."""
        return frozenset(
            o for b in self.batches for p in b.parts if p.table == table and p.state != COMMITTED for o in b.offsets()
        )


class World(NamedTuple):
    """All that stays when every process dies. *low* is Kafka's first offset, *config* today's."""

    low: int
    config: str
    tables: tuple[Table | None, ...]
    directory: LedgerTable
    log: Log | None
    attempt: int = 1
    batch: int = 1
    uuid: int = 1
    installation: int = 1

    def with_table(self, at: int, table: Table | None) -> World:
        return self._replace(tables=changed(self.tables, at, table))


class State(NamedTuple):
    """A node of the search: *processes* are in the middle of something, *budget* has the faults still to come."""

    world: World
    processes: tuple[tuple[Any, ...], ...]
    budget: tuple[int, ...]


class Move(NamedTuple):
    """What a step makes of the world, and of the process that takes it (None: it ends). *fault* is what it costs."""

    line: str
    world: World
    process: tuple[Any, ...] | None = None
    fault: str | None = None
    wrong: str | None = None


@dataclass(frozen=True)
class Setup:
    """A small world: routes by configuration, what may happen at once, and how often each fault may come.

    *behind*: the mark may pass tables with open parts.
    """

    name: str
    routes: tuple[tuple[str, ...], ...]
    faults: Mapping[str, int] = field(default_factory=dict)
    sizes: tuple[int, ...] = (1,)
    writers: int = 1
    ahead: int = 1
    modes: tuple[Mode, ...] = (Mode.RECOMMIT, Mode.REPLAY)
    folds: bool = False
    behind: bool = False
    most_batches: int = 9

    @cached_property
    def names(self) -> str:
        return "".join(sorted({t for routes in self.routes for route in routes for t in route if t != "?"}))

    @cached_property
    def offsets(self) -> int:
        return len(self.routes[0])

    @property
    def budget(self) -> tuple[int, ...]:
        unknown = set(self.faults) - set(FAULTS)
        assert not unknown, f"no fault: {unknown}"
        return tuple(self.faults.get(f, 3 if f == "attempts" else 0) for f in FAULTS)

    def route(self, config: str, offset: int) -> str:
        """Tables of a record under a configuration, once it can be decoded."""
        return self.routes[int(config)][offset].lstrip("?")

    def undecided(self, config: str, offset: int) -> bool:
        return self.routes[int(config)][offset].startswith("?")


def changed(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])
