"""`recover` after Postgres was lost, one step at a time, and what operators and other tools do to tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Mode, Rollback
from lakelock.model.offsets import without
from lakelock.rollback import decision as rollback

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import COMMIT_ID, SOURCE, ranges
from model.tables.mark_decision import Mark
from model.tables.planning import again
from model.tables.registration_decision import Uuids, cut
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


class Recovery(NamedTuple):
    """*tables* is the list that the ledger had when it was fenced, *fenced* how many of them are."""

    tables: Uuids | None = None
    fenced: int = 0

    def __hash__(self) -> int:
        return hash((tuple(self.tables.items()) if self.tables is not None else None, self.fenced))


def recover(core: Core, world: World, process: Recovery) -> Iterator[Move]:
    """Fence the ledger, then each table that it names, then rebuild the log in one transaction."""
    if process.tables is None:
        now = world.directory
        bumped = replace(now.ledger.ledger, generation=now.ledger.ledger.generation + 1)
        ledger = core.pipeline_with(now.ledger, ledger=bumped)
        after = world._replace(directory=now._replace(version=now.version + 1, ledger=ledger))
        yield Move("recover fences D", after, Recovery(now.ledger.tables))
        return
    if process.fenced < len(process.tables):
        name = sorted(process.tables)[process.fenced]
        at = core.setup.names.index(name)
        table, line = world.tables[at], f"recover leaves {name} alone"
        mine = table is not None and (process.tables[name] == table.uuid or not core.has(rules.MARK_UUID))
        if table and mine and core.has(rules.FENCE_TABLES):
            line = f"recover fences {name}"
            world = world.with_table(at, table._replace(version=table.version + 1, ledger=core.fenced(table.ledger)))
        yield Move(line, world, process._replace(fenced=process.fenced + 1))
        return
    yield _rebuild(core, world, process.tables)


def _rebuild(core: Core, world: World, named: Uuids) -> Move:
    ledger, names = world.directory.ledger, core.setup.names
    present = {
        t: table
        for t, table in zip(names, world.tables, strict=True)
        if table and t in named and (named[t] == table.uuid or not core.has(rules.MARK_UUID))
    }
    found = core.recovered(present, ledger)
    bound = tuple(present[t].uuid if t in present else named.get(t) for t in names)
    generations = tuple(t.ledger.ledger.generation if t else 0 for t in world.tables)
    now = core.pipeline_with(ledger, configs=cut(ledger.configs, found.frontier))
    directory = world.directory._replace(version=world.directory.version + 1, ledger=now)
    log = Log(world.installation + 1, found.frontier, bound, generations)
    world = world._replace(directory=directory, log=log, installation=world.installation + 1)
    config_at = now.config_at
    complete = ledger.complete if core.has(rules.MARK) else frozenset()
    tail = _tail(core, world, frozenset(range(found.frontier)) - complete, present, config_at)
    for start, end in tail:
        batch = Batch(world.batch, LIVE, start, end, config_at[start])
        log = log._replace(batches=(*log.batches, batch))
        world = world._replace(batch=world.batch + 1)
    redo = dict(found.redo)
    redo |= {
        t: frozenset(o for x, o in ledger.behind if x == t) for t in named if t not in present and named[t] is None
    }
    redo[DEAD_LETTERS] = ledger.owes & complete
    again_for = {t: offsets for t, offsets in sorted(redo.items()) if offsets}
    world = world._replace(log=log)
    for table, offsets in again_for.items():
        assert world.log is not None
        world = again(world, world.log, table, offsets, 1)
    read = {o for some in again_for.values() for o in some} | {o for start, end in tail for o in range(start, end)}
    gone = sorted(o for o in read if o < world.low)
    wrong = f"recover needs {gone} from Kafka, which has deleted them as complete" if gone else None
    return Move("recover rebuilds the log", world, wrong=wrong)


def _tail(
    core: Core, world: World, offsets: frozenset[int], present: dict[str, Table], config_at: tuple[str, ...]
) -> list[tuple[int, int]]:
    """Batches of the offsets above the mark, for all tables, cut where any coverage or configuration begins or ends."""
    out: list[tuple[int, int]] = []
    letters = world.directory.ledger.letters
    last: object = None
    for o in sorted(offsets):
        held = [o in t.ledger.held for t in present.values()] if core.has(rules.CUT) else []
        here = (held, o in letters if core.has(rules.CUT) else False, config_at[o])
        if out and out[-1][1] == o and here == last and o - out[-1][0] < max(core.setup.sizes):
            out[-1] = (out[-1][0], o + 1)
        else:
            out.append((o, o + 1))
        last = here
    return out


# Operators and other tools.


def roll_back(core: Core, world: World, at: int, mode: Mode) -> World:
    table = world.tables[at]
    assert table is not None
    after = core.rolled_back(table, mode)
    rows = table.past[-1].rows
    return world.with_table(
        at, table._replace(version=table.version + 1, ledger=after, rows=rows, past=table.past[:-1])
    )


def roll_back_ledger(core: Core, world: World) -> World:
    """The dead-letter table is set back by hand, and put right by `recover`: its letters are owed, the rest is the head's."""
    now, (then, rows) = world.directory, world.directory.past[-1]
    owed = without(ranges(now.ledger.letters), ranges(then.letters))
    kept = now.ledger if core.has(rules.LEDGER_ROLLBACK) else then
    record = Rollback(0, 0, Mode.RECOMMIT, "", "")
    ledger = core.pipeline_ledger(
        rollback.rolled_back(now.ledger.ledger, then.ledger, record, COMMIT_ID),
        (*now.ledger.owed, *owed),
        kept.mark,
        kept.tables,
        kept.configs,
    )
    world = world._replace(directory=LedgerTable(now.version + 1, ledger, rows))
    log = world.log
    if log is None:
        return world
    generation = ledger.ledger.generation
    for b in log.batches:
        parts = tuple(
            p._replace(state=STAGED, generation=generation)
            if p.table == DEAD_LETTERS and (p.state == STAGED or not ledger.letters >= set(p.rows))
            else p
            for p in b.parts
        )
        log = log.with_batch(b._replace(parts=parts))
    coming = log.open(DEAD_LETTERS)
    return again(world, log, DEAD_LETTERS, ledger.owes - coming, 1)


def rebind(core: Core, world: World, at: int) -> World:
    """An operator lets the pipeline go on with another table under the name: behind in everything, then read for it alone."""
    log, name, table = world.log, core.setup.names[at], world.tables[at]
    assert log is not None
    if table is None:
        table = Table(f"u{world.uuid}", 0, core.new_table())
        world = world._replace(uuid=world.uuid + 1)
    ledger = table.ledger.ledger
    fresh = core.table_ledger(
        replace(
            ledger,
            generation=max(log.generations[at], ledger.generation) + 1,
            coverage=Coverage().starting({SOURCE: 0}),
        ),
        (),
    )
    table = Table(table.uuid, table.version + 1, fresh, table.rows)
    now = world.directory.ledger
    behind = {**now.mark.behind, name: tuple(now.mark.complete.ranges)}
    mark = Mark(now.mark.complete, {t: r for t, r in behind.items() if r})
    after = core.pipeline_with(now, tables={**now.tables, name: table.uuid}, mark=mark)
    directory = world.directory._replace(version=world.directory.version + 1, ledger=after)
    world = world.with_table(at, table)._replace(directory=directory)
    bound, generations = changed(log.bound, at, table.uuid), changed(log.generations, at, fresh.ledger.generation)
    log = log._replace(bound=bound, generations=generations)
    for b in log.batches:
        log = log.with_batch(b._replace(parts=tuple(p for p in b.parts if p.table != name)))
    log = log._replace(batches=tuple(b for b in log.batches if b.lane != name))
    unclosed = {o for b in log.batches if b.lane == LIVE and not b.closed for o in b.offsets()}
    offsets = frozenset(range(log.frontier)) - unclosed
    return again(world, log, name, offsets, 1)


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
    gone = set(directory.rows) - set(directory.past[-1][1]) if directory.past else ()
    if "ledger_rollback" in left and directory.past and all(o >= world.low for o in gone):
        after = roll_back_ledger(core, world)
        yield Move("another tool removes the last dead letters of D", after, fault="ledger_rollback")
    if "trim" in left:
        needed = [o for o in range(core.setup.offsets) if _is_needed(world, o)]
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


def _is_needed(world: World, offset: int) -> bool:
    """Whether Kafka must keep an offset: what is marked, and that no table lacks, may go."""
    ledger = world.directory.ledger
    lacking = any(o == offset for _, o in ledger.behind) or offset in ledger.owes
    return offset not in ledger.complete or lacking or any(t and offset in t.ledger.owes for t in world.tables)


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
