"""`recover` after Postgres was lost, one step at a time, and what operators and other tools do to tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.registry import RegisteredTable
from lakelock.rollback import decision as rollback

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import COMMIT_ID, SOURCE, STARTS, offsets_of, ranges
from model.tables.planning import again
from model.tables.state import (
    COMMITTED,
    DEAD_LETTERS,
    LIVE,
    STAGED,
    Batch,
    LedgerTable,
    Log,
    Move,
    Table,
    World,
    changed,
)

Uuids = Mapping[str, str | None]


class Recovery(NamedTuple):
    """*tables* is the list that the ledger had when it was fenced; *fenced* are those of them so far, as they were left."""

    tables: Uuids | None = None
    fenced: tuple[tuple[str, Table | None], ...] = ()

    def __hash__(self) -> int:
        return hash((tuple(self.tables.items()) if self.tables is not None else None, self.fenced))


def recover(core: Core, world: World, process: Recovery) -> Iterator[Move]:
    """Fence the ledger, then each table that it names, then rebuild the log in one transaction."""
    if process.tables is None:
        now = world.directory
        ledger = core.pipeline_ledger(_fenced(now.ledger.ledger))
        after = world._replace(directory=now._replace(version=now.version + 1, ledger=ledger))
        yield Move("recover fences D", after, Recovery(now.ledger.tables))
        return
    if len(process.fenced) < len(process.tables):
        name = sorted(process.tables)[len(process.fenced)]
        at = core.setup.names.index(name)
        table, line = world.tables[at], f"recover leaves {name} alone"
        mine = table is not None and (process.tables[name] == table.uuid or not core.has(rules.MARK_UUID))
        if table and mine and core.has(rules.FENCE_TABLES):
            line, mark = f"recover fences {name}", world.directory.ledger.ledger.mark
            world = world.with_table(
                at, table._replace(version=table.version + 1, ledger=core.fenced(table.ledger, mark))
            )
        left = world.tables[at] if mine else None
        yield Move(line, world, process._replace(fenced=(*process.fenced, (name, left))))
        return
    yield _rebuild(core, world, process.tables, {name: table for name, table in process.fenced if table})


def _rebuild(core: Core, world: World, named: Uuids, present: Mapping[str, Table]) -> Move:
    ledger, names = world.directory.ledger, core.setup.names
    found = core.recovered(present, ledger)
    bound = tuple(present[t].uuid if t in present else named.get(t) for t in names)
    generations = tuple(present[t].ledger.ledger.generation if t in present else 0 for t in names)
    log = Log(world.installation + 1, found.frontier, bound, generations)
    world = world._replace(log=log, installation=world.installation + 1)
    for batch in found.tail:
        for r in batch.ranges:
            log = log._replace(batches=(*log.batches, Batch(world.batch, LIVE, r.start, r.end, batch.config_digest)))
            world = world._replace(batch=world.batch + 1)
    world = world._replace(log=log)
    for table, some in sorted(found.redo.items()):
        assert world.log is not None
        world = again(world, world.log, table, some, 1)
    read = [r for some in (*found.redo.values(), *(b.ranges for b in found.tail)) for r in some]
    gone = sorted(o for o in offsets_of(read) if o < world.low)
    wrong = f"recover needs {gone} from Kafka, which has deleted them as complete" if gone else None
    return Move("recover rebuilds the log", world, wrong=wrong)


# Operators and other tools.


def roll_back(core: Core, world: World, at: int, mode: Mode) -> World:
    table = world.tables[at]
    assert table is not None
    after = core.rolled_back(table, mode)
    rows = table.past[-1].rows
    return world.with_table(
        at, table._replace(version=table.version + 1, ledger=after, rows=rows, past=table.past[:-1])
    )


def _fenced(ledger: Ledger) -> Ledger:
    """The dead-letter table's ledger, one generation later."""
    return rollback.rolled_back(ledger, ledger, Rollback(0, 0, Mode.RECOMMIT, "", ""), COMMIT_ID)


def roll_back_ledger(core: Core, world: World) -> World:
    """The dead-letter table is set back by hand, and `recover` puts it back, with the ledger of before."""
    now, then = world.directory, world.directory.past[-1]
    after = _fenced(now.ledger.ledger)
    if not core.has(rules.LEDGER_ROLLBACK):
        after = replace(after, mark=then.ledger.mark, registry=then.ledger.registry)
    ledger = core.pipeline_ledger(after)
    world = world._replace(directory=LedgerTable(now.version + 1, ledger, now.rows))
    log = world.log
    if log is None:
        return world
    for b in log.batches:
        parts = tuple(
            p._replace(generation=after.generation) if p.table == DEAD_LETTERS and p.state == STAGED else p
            for p in b.parts
        )
        log = log.with_batch(b._replace(parts=parts))
    return world._replace(log=log)


def rebind(core: Core, world: World, at: int) -> World:
    """An operator lets the pipeline go on with another table under the name, which owes everything and is read for alone."""
    log, name, table = world.log, core.setup.names[at], world.tables[at]
    assert log is not None
    if table is None:
        table = Table(f"u{world.uuid}", 0, core.new_table())
        world = world._replace(uuid=world.uuid + 1)
    unclosed = [b for b in log.batches if not b.closed]
    owed = ranges(range(min((b.start for b in unclosed), default=log.frontier)))
    ledger = table.ledger.ledger
    generation = max(log.generations[at], ledger.generation) + 1
    fresh = replace(ledger, generation=generation, coverage=Coverage().starting(STARTS).owing(owed))
    table = Table(table.uuid, table.version + 1, core.table_ledger(fresh), table.rows)
    now = world.directory.ledger
    registry = now.registry.with_tables({name: RegisteredTable(name, table.uuid)}).rebound(name, table.uuid, {})
    after = core.pipeline_with(now, registry=registry)
    directory = world.directory._replace(version=world.directory.version + 1, ledger=after)
    world = world.with_table(at, table)._replace(directory=directory)
    bound, generations = changed(log.bound, at, table.uuid), changed(log.generations, at, generation)
    log = log._replace(bound=bound, generations=generations)
    for b in log.batches:
        log = log.with_batch(b._replace(parts=tuple(p for p in b.parts if p.table != name)))
    log = log._replace(batches=tuple(b for b in log.batches if b.lane != name))
    on_its_way = [r for b in unclosed for r in ranges(b.offsets())]
    lacks = lacking(fresh.coverage, on_its_way, STARTS, {SOURCE: log.frontier}, lambda _: True)
    return again(world, log, name, lacks, 1)


def faults(core: Core, world: World, left: frozenset[str]) -> Iterator[Move]:
    """Every fault of those that may still come."""
    if world.log is not None and "lost" in left:
        yield Move("Postgres is lost", world._replace(log=None), fault="lost")
    for config in range(len(core.setup.routes)) if world.log is not None and "edit" in left else ():
        if str(config) != world.config:
            yield Move(f"the rules are edited to c{config}", world._replace(config=str(config)), fault="edit")
    for at, (name, table) in enumerate(zip(core.setup.names, world.tables, strict=True)):
        if table is not None:
            yield from _of_table(core, world, at, name, table, left)
    directory = world.directory
    if "ledger_rollback" in left and directory.past:
        after = roll_back_ledger(core, world)
        line = "another tool removes the last dead letters of D, and recover puts them back"
        yield Move(line, after, fault="ledger_rollback")
    if "trim" in left:
        needed = [o for o in range(core.setup.offsets) if _is_needed(core, world, o)]
        low = min(needed, default=core.setup.offsets)
        if low > world.low:
            yield Move(f"Kafka deletes [0, {low})", world._replace(low=low), fault="trim")


def _of_table(core: Core, world: World, at: int, name: str, table: Table, left: frozenset[str]) -> Iterator[Move]:
    if "rollback" in left and table.past and min(table.past[-1].added) >= world.low:
        for mode in core.setup.modes:
            after = roll_back(core, world, at, mode)
            yield Move(f"a rollback removes the last commit of {name}, mode {mode.value}", after, fault="rollback")
    if "drop" in left:
        yield Move(f"{name} is dropped", world.with_table(at, None), fault="drop")
    if "replace" in left:
        other = Table(f"u{world.uuid}", 0, core.new_table())
        yield Move(f"{name} is replaced", world.with_table(at, other)._replace(uuid=world.uuid + 1), fault="replace")


def _is_needed(core: Core, world: World, offset: int) -> bool:
    """Whether Kafka must keep an offset: what is marked, and that no table lacks, may go."""
    ledger = world.directory.ledger
    held = {name: t.ledger.held for name, t in zip(core.setup.names, world.tables, strict=True) if t}
    lacked = any(offset in some - held.get(name, frozenset()) for name, some in ledger.lacks.items())
    return offset not in ledger.complete or lacked or any(t and offset in t.ledger.owes for t in world.tables)


def folds(core: Core, world: World) -> Iterator[Move]:
    """`publish` folds away batches below the mark that have nothing open."""
    log, ledger = world.log, world.directory.ledger
    if log is None or not core.setup.folds:
        return
    for b in log.batches:
        done = b.closed and all(p.state == COMMITTED for p in b.parts)
        if done and set(b.offsets()) <= ledger.complete:
            left = tuple(x for x in log.batches if x.number != b.number)
            yield Move(f"publish folds b{b.number}", world._replace(log=log._replace(batches=left)))
