"""The world of the model check as small hashable values: tables, the write-ahead log, and who is in the middle of what.

One source, offsets [0, n). Tables are data tables `A`, `B` and the dead-letter table `D`, which comes last. A record of
table T is a row of T, or a row of D with target T.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from lakelock.model.ledger import Ledger

DEAD_LETTERS = "D"
PLANNED, STAGED, COMMITTED, ABORTED = "planned", "staged", "committed", "aborted"

Row = tuple[str, int, int]  # target table, offset, the attempt that wrote its file


@dataclass(eq=False, slots=True)
class Entry:
    """A ledger, one object for equal ones, so that it hashes and compares as fast as a number."""

    number: int
    ledger: Ledger
    summary: dict[str, str]

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"entry {self.number}"


@dataclass(eq=False, slots=True)
class Snapshot:
    """One snapshot and, through `parent`, its history; a parent that expired is EXPIRED. *own* ones carry an entry."""

    serial: int
    number: int
    entry: Entry | None
    rows: tuple[Row, ...]
    parent: Snapshot | None

    def __hash__(self) -> int:
        return self.serial

    def __repr__(self) -> str:
        return f"s{self.number}"

    def history(self) -> Iterator[Snapshot]:
        """This one and all before it that are retained."""
        here: Snapshot | None = self
        while here is not None and here is not EXPIRED:
            yield here
            here = here.parent


EXPIRED = Snapshot(0, -1, None, (), None)

_snapshots: dict[tuple[object, ...], Snapshot] = {}


def snapshot(number: int, entry: Entry | None, rows: tuple[Row, ...], parent: Snapshot | None) -> Snapshot:
    """One object for equal ones."""
    key = (number, entry, rows, parent)
    found = _snapshots.get(key)
    if found is None:
        found = _snapshots[key] = Snapshot(len(_snapshots) + 1, number, entry, rows, parent)
    return found


class Table(NamedTuple):
    """What the catalog shows. `owner` is the table property; `tag` None where the ledger is gone.

    `reached` and `condemned` are no part of it, invariants are judged by them: the highest generation that ever was, and the
    attempts whose files an operator removed to have them read again.
    """

    uuid: int
    owner: int
    main: Snapshot
    tag: Snapshot | None
    next_number: int
    reached: int
    condemned: tuple[int, ...] = ()


class Part(NamedTuple):
    """As in lakelock.parts; a part of D has a target. `rows` and `dead` are offsets, what the attempt wrote."""

    table: str
    target: str
    state: str
    attempt: int
    generation: int
    uuid: int
    rows: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    restaged: bool = False


class Batch(NamedTuple):
    """As in lakelock.batches; a redo has a lane of its own."""

    number: int
    redo: bool
    start: int
    end: int
    config: int
    attempt: int
    parts: tuple[Part, ...]

    @property
    def planned(self) -> tuple[str, ...]:
        return tuple(p.table for p in self.parts if p.state == PLANNED)


class Given(NamedTuple):
    """A staged part as a committer read it, with its batch's number, configuration and range."""

    number: int
    config: int
    start: int
    end: int
    part: Part


class Wal(NamedTuple):
    """Postgres. Per table: the bound UUID (-1: none), the generation it knows of, the one a rollback was begun to."""

    installation: int
    frontier: int
    bound: tuple[int, ...]
    generations: tuple[int, ...]
    awaited: tuple[int, ...]
    batches: tuple[Batch, ...] = ()

    def batch(self, number: int) -> Batch | None:
        return next((b for b in self.batches if b.number == number), None)

    def with_batch(self, batch: Batch) -> Wal:
        """Aborted parts are left out: nothing reads them again, and a look for one is refused either way."""
        batch = batch._replace(parts=tuple(p for p in batch.parts if p.state != ABORTED))
        batches = (batch if b.number == batch.number else b for b in self.batches)
        return self._replace(batches=tuple(b for b in batches if b.parts))

    def staged(self, table: str) -> tuple[Given, ...]:
        """In planning order."""
        return tuple(
            Given(b.number, b.config, b.start, b.end, p)
            for b in self.batches
            for p in b.parts
            if p.table == table and p.state == STAGED
        )


class World(NamedTuple):
    """All that stays when every process dies. `gone` are (attempt, table, target) of deleted files; `config` is today's.

    `suspect`: Postgres was restored, an operator was notified, and `recover` has not ended yet.
    """

    wal: Wal
    tables: tuple[Table, ...]
    gone: tuple[tuple[int, str, str], ...] = ()
    config: int = 0
    suspect: bool = False
    next_attempt: int = 1
    next_batch: int = 1

    def with_table(self, at: int, table: Table) -> World:
        return self._replace(tables=(*self.tables[:at], table, *self.tables[at + 1 :]))


Process = tuple[Any, ...]  # what it is, which step comes next, what it holds


class State(NamedTuple):
    """A node of the search. `backup` is the Postgres dump that a restore would load; `budget` the faults still to come."""

    world: World
    processes: tuple[Process, ...]
    budget: tuple[int, ...]
    backup: Wal | None = None


def changed(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])
