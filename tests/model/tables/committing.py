"""Committer, one step at a time: load and decide, settle, swap, mark the parts in the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from model.tables.decisions import Core, Given, Known, Landing
from model.tables.marking import drawn_up
from model.tables.planning import again
from model.tables.state import (
    COMMITTED,
    DEAD_LETTERS,
    LIVE,
    PLANNED,
    STAGED,
    Batch,
    Before,
    LedgerTable,
    Log,
    Move,
    Part,
    PipelineLedger,
    Table,
    World,
)


class Committer(NamedTuple):
    """A swap of a table, decided on *uuid* and *version*; of the dead-letter table it has a *ledger* and no *landing*."""

    name: str
    installation: int
    uuid: str
    version: int
    given: tuple[Given, ...]
    landing: Landing | None
    ledger: PipelineLedger | None = None
    step: str = "swap"


def commits(core: Core, world: World) -> Iterator[Move]:
    """A commit of each table that has staged parts: what it decides is settled in the log at once, or will be swapped."""
    yield from _letters(core, world)
    for at, name in enumerate(core.setup.names):
        yield from _load(core, world, at, name)


def _load(core: Core, world: World, at: int, name: str) -> Iterator[Move]:
    table, log = world.tables[at], world.log
    assert log is not None
    if table is None or log.bound[at] != table.uuid:
        return
    if table.ledger.ledger.generation > log.generations[at]:
        yield Move(f"the log follows {name}", followed(core, world, at, name, table))
        return
    parts = staged(log, name)
    if not parts:
        return
    landing = core.landing(parts, table, name, known(log, name))
    if landing.mark or landing.rewrite or landing.again:
        yield Move(f"commit of {name} settles {_settled(landing)}", _settle(core, world, log, landing))
    elif landing.append:
        process = Committer(name, log.installation, table.uuid, table.version, landing.append, landing)
        fill = f", fills {_spans(landing)}" if landing.filled else ""
        yield Move(f"commit of {name} loads, will add {_numbers(landing.append)}{fill}", world, process)


def staged(log: Log, name: str) -> tuple[Given, ...]:
    return tuple(
        Given(b.number, b.start, b.end, b.config, p)
        for b in log.batches
        for p in b.parts
        if p.table == name and p.state == STAGED
    )


def known(log: Log, name: str) -> Known:
    """What the log knows of a table's offsets."""
    letters = [b.start for b in log.batches if any(p.table == DEAD_LETTERS and p.state != COMMITTED for p in b.parts)]
    return Known(
        min((b.start for b in log.batches if not b.closed), default=log.frontier),
        min(letters, default=log.frontier),
        log.open(name),
        log.frontier,
    )


def followed(core: Core, world: World, at: int, name: str, table: Table) -> World:
    """The log takes over that the table went back."""
    log = world.log
    assert log is not None
    mine = [(b, p) for b in log.batches for p in b.parts if p.table == name]
    notes = tuple((p.state, b.start, b.end) for b, p in mine)
    generation = table.ledger.ledger.generation
    then = core.followed(table, known(log, name), notes, log.generations[at])
    for i, (b, p) in enumerate(mine):
        now = None if i in then.abort else p
        if i in then.mark:
            now = p._replace(state=COMMITTED)
        elif i in then.restage:
            now = p._replace(state=STAGED, generation=generation)
        if now != p:
            log = _with_part(log, b.number, p, now)
    generations = (*log.generations[:at], generation, *log.generations[at + 1 :])
    log = log._replace(generations=generations)
    return again(world, log, name, then.redo, max(core.setup.sizes))


def _with_part(log: Log, number: int, part: Part, now: Part | None) -> Log:
    batch = log.batch(number)
    if batch is None:
        return log
    parts = tuple(q for p in batch.parts for q in ([now] if p == part else [p]) if q is not None)
    return _kept(log, batch._replace(parts=parts))


def _kept(log: Log, batch: Batch) -> Log:
    """A batch that reads again for one table is gone with its last part; of a live one, its tables stay known."""
    if batch.parts or batch.lane == LIVE:
        return log.with_batch(batch)
    return log._replace(batches=tuple(b for b in log.batches if b.number != batch.number))


def _settle(core: Core, world: World, log: Log, landing: Landing) -> World:
    for g in landing.mark:
        log = _with_part(log, g.number, g.part, g.part._replace(state=COMMITTED))
    for g in landing.rewrite:
        log = _with_part(log, g.number, g.part, Part(g.part.table, PLANNED, expected=len(g.part.rows)))
    for g, _ in landing.again:
        log = _with_part(log, g.number, g.part, None)
    world = world._replace(log=log)
    for g, some in landing.again:
        assert world.log is not None
        world = again(world, world.log, g.part.table, some, max(core.setup.sizes))
    return world


def _letters(core: Core, world: World) -> Iterator[Move]:
    """Dead letters land before what covers their offsets; the mark as it may be before them rides along."""
    log, directory = world.log, world.directory
    assert log is not None
    parts = staged(log, DEAD_LETTERS)
    if not parts:
        return
    append, mark, ledger = core.letters(parts, directory.ledger)
    if mark:
        for g in mark:
            log = _with_part(log, g.number, g.part, g.part._replace(state=COMMITTED))
        yield Move(f"commit of D settles {_numbers(mark)}: held", world._replace(log=log))
        return
    if not append:
        return
    for marked in (one.ledger for one in drawn_up(core, world)):
        after = core.pipeline_with(ledger, mark=marked.mark, registry=marked.registry, behind=marked.behind)
        process = Committer(DEAD_LETTERS, log.installation, DEAD_LETTERS, directory.version, append, None, after)
        yield Move(f"commit of D loads, will add the dead letters of {_numbers(append)}", world, process)


def commit(core: Core, world: World, process: Committer) -> Iterator[Move]:
    if process.step == "mark":
        log = world.log
        if log and log.installation == process.installation:
            for g in process.given:
                log = _with_part(log, g.number, g.part, g.part._replace(state=COMMITTED))
        yield Move(f"commit of {process.name} marks {_numbers(process.given)}", world._replace(log=log))
        return
    after = _swapped(core, world, process)
    if after is None:
        yield Move(f"commit of {process.name} is refused", world)
    else:
        yield Move(f"commit of {process.name} is swapped in", after, process._replace(step="mark"))


def _swapped(core: Core, world: World, process: Committer) -> World | None:
    rows = tuple(o for g in process.given for o in g.part.rows)
    if process.landing is None:
        assert process.ledger is not None
        now = world.directory
        if now.version != process.version:
            return None
        past = (now.ledger,) if _goes_back(core, "ledger_rollback") else ()
        after = LedgerTable(now.version + 1, process.ledger, tuple(sorted(now.rows + rows)), past)
        return world._replace(directory=after)
    at = core.setup.names.index(process.name)
    table = world.tables[at]
    if table is None or (table.uuid, table.version) != (process.uuid, process.version):
        return None
    added = tuple(o for g in process.given for o in range(g.start, g.end))
    before = Before(table.ledger, table.rows, process.landing.filled, added)
    landed = tuple((o, g.config) for g in process.given for o in g.part.rows)
    return world.with_table(
        at,
        Table(
            table.uuid,
            table.version + 1,
            process.landing.ledger,
            tuple(sorted(table.rows + landed)),
            (*table.past, before)[-2:] if _goes_back(core, "rollback") else (),
        ),
    )


def _goes_back(core: Core, fault: str) -> bool:
    """Worlds without rollbacks keep no history: more states would be alike."""
    return core.setup.faults.get(fault, 0) > 0


def _numbers(given: tuple[Given, ...]) -> str:
    return ", ".join(f"b{g.number}" for g in given)


def _spans(landing: Landing) -> str:
    return ", ".join(f"[{r.start}, {r.end})" for r in landing.filled)


def _settled(landing: Landing) -> str:
    some = [
        (landing.mark, "held"),
        (landing.rewrite, "to be written again"),
        (tuple(g for g, _ in landing.again), "held partly"),
    ]
    return "; ".join(f"{_numbers(given)} {what}" for given, what in some if given)
