"""Writer, one step at a time: claim and read, create, register, stage.

Between two steps any other process may act, and the writer may die.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from lakelock.errors import WalUnusable
from lakelock.ingest.decided_records import refuse_behind
from lakelock.model.registry import PlannedConfig, RegisteredTable, Registry

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import SOURCE, ranges
from model.tables.planning import named
from model.tables.state import (
    DEAD,
    DEAD_LETTERS,
    LIVE,
    PLANNED,
    STAGED,
    Batch,
    Log,
    Move,
    Part,
    Table,
    World,
    changed,
)

Planned = tuple[int, int, str]  # offsets and configuration of a batch
Identity = tuple[str, int] | None  # UUID and generation of a table, as an attempt knows them


class Writer(NamedTuple):
    """*reads* has each record's tables, or DEAD. *generation* is the pipeline ledger's at the claim, *before* are the live
    batches without tables that the log then had before this one.
    """

    attempt: int
    installation: int
    batch: Batch
    generation: int
    reads: tuple[str, ...]
    seen: tuple[Identity, ...]
    before: tuple[Planned, ...]
    step: str = "create"

    @property
    def who(self) -> str:
        return f"a{self.attempt}"


def claims(core: Core, world: World) -> Iterator[Move]:
    """A new attempt takes a batch and reads it, in every way that its undecided records allow."""
    log = world.log
    assert log is not None
    for batch in log.batches:
        if batch.closed and not any(p.state == PLANNED for p in batch.parts):
            continue
        if not batch.closed and _is_behind(core, world, batch):
            continue
        if _waits(core, log, batch):
            continue
        claimed = batch._replace(attempt=world.attempt)
        after = world._replace(log=log.with_batch(claimed), attempt=world.attempt + 1)
        for reads in _readings(core, world, batch):
            seen = tuple(_known(log, i, t) for i, t in enumerate(world.tables))
            generation = world.directory.ledger.ledger.generation
            writer = Writer(world.attempt, log.installation, claimed, generation, reads, seen, _before(log, batch))
            line = f"{writer.who} claims {named(core, batch)} and reads {_read(batch, reads)}"
            yield Move(line, after, writer, "attempts")


def _is_behind(core: Core, world: World, batch: Batch) -> bool:
    mark = world.directory.ledger.ledger.mark if core.has(rules.MARK) else None
    try:
        refuse_behind(DEAD_LETTERS, mark, ranges(batch.offsets()))
    except WalUnusable:
        return True
    return False


def _waits(core: Core, log: Log, batch: Batch) -> bool:
    """As `ingest.readiness`: until dead letters are decided that a batch may find, or has staged."""
    if batch.lane == LIVE or not core.has(rules.DECIDED_FIRST):
        return False
    return any(not b.closed and b.start < batch.end and batch.start < b.end for b in log.batches)


def _before(log: Log, batch: Batch) -> tuple[Planned, ...]:
    live = [b for b in log.batches if b.lane == LIVE and not b.closed and b.number < batch.number]
    return tuple((b.start, b.end, b.config) for b in live)


def _known(log: Log, at: int, table: Table | None) -> Identity:
    """The log's own knowledge of a table is never newer than the table, and older files are only refused."""
    bound = log.bound[at]
    if bound is not None:
        return bound, log.generations[at]
    return (table.uuid, table.ledger.ledger.generation) if table else None


def _readings(core: Core, world: World, batch: Batch) -> list[tuple[str, ...]]:
    ways = []
    for o in batch.offsets():
        route = core.setup.route(batch.config, o)
        if not core.setup.undecided(batch.config, o):
            ways.append([route])
            continue
        letter, may_be = _letter(core, world, batch, o)
        ways.append([DEAD] if letter else [route, DEAD] if may_be else [route])
    return [tuple(way) for way in product(*ways)]


def _letter(core: Core, world: World, batch: Batch, offset: int) -> tuple[bool, bool]:
    """Whether a record is a dead letter already, and whether it may become one. An attempt stops at any other one."""
    log, ledger = world.log, world.directory.ledger
    assert log is not None
    live = log.live(offset)
    closed = live is not None and live.closed and core.has(rules.CLOSED_ONCE)
    if offset in world.directory.rows or (live and closed and offset in live.letters):
        return True, False
    named = zip(core.setup.names, world.tables, strict=True)
    held = {name: t.ledger.ledger.coverage for name, t in named if t and core.is_registered(ledger, name, t.uuid)}
    is_decided = closed or (batch.lane != LIVE and core.has(rules.DECIDED_ALONE))
    return False, core.may_be_letters(batch, ledger, held, is_decided=is_decided)


def write(core: Core, world: World, writer: Writer) -> Iterator[Move]:
    """The next step; each is also tried with one table that may not be created or written."""
    steps = {"create": _create, "register": _register, "stage": _stage}
    step = steps[writer.step]
    plain = list(step(core, world, writer, ""))
    yield from plain
    for name in core.setup.names:
        for move in step(core, world, writer, name):
            if move not in plain:
                yield move._replace(line=f"{move.line} ({name} is forbidden)", fault="forbidden")


def _routed(core: Core, writer: Writer) -> list[int]:
    """Places of the tables that it has records for."""
    return [
        i
        for i, t in enumerate(core.setup.names)
        if any(t in r for r in writer.reads) and writer.batch.lane in {LIVE, t}
    ]


def _create(core: Core, world: World, writer: Writer, forbidden: str) -> Iterator[Move]:
    names, known, log = core.setup.names, world.directory.ledger.tables, world.log
    seen, made, tables = writer.seen, [], world.tables
    routed = _routed(core, writer)
    for i in routed:
        table = world.tables[i]
        if table is not None:
            seen = seen if seen[i] else changed(seen, i, (table.uuid, table.ledger.ledger.generation))
            continue
        identity = seen[i]
        bound = log.bound[i] if log and log.installation == writer.installation else None
        # As `ingest.routed_batch`: a name that is known with a UUID is not created a second time.
        free = (known.get(names[i]) or bound or identity) is None or not core.has(rules.KNOWN_NAMES)
        if free and names[i] != forbidden:
            uuid = f"u{world.uuid}"
            tables, seen = changed(tables, i, Table(uuid, 0, core.new_table())), changed(seen, i, (uuid, 0))
            world = world._replace(uuid=world.uuid + 1)
            made.append(names[i])
    writer = writer._replace(seen=seen, step="register")
    if made:
        yield Move(f"{writer.who} creates {_listed(made)}", world._replace(tables=tables), writer)
    else:
        yield from _register(core, world, writer, forbidden)


def _register(core: Core, world: World, writer: Writer, forbidden: str) -> Iterator[Move]:
    ledger, names = world.directory.ledger, core.setup.names
    routed = {names[i]: identity[0] if (identity := writer.seen[i]) else None for i in _routed(core, writer)}
    named = {
        t: RegisteredTable(t, uuid)
        for t, uuid in routed.items()
        if core.has(rules.REGISTER_TABLES) and (uuid is not None or core.has(rules.REGISTER_FORBIDDEN))
    }
    registry = ledger.registry.with_tables(named)
    for t, uuid in routed.items() if not core.has(rules.KNOWN_NAMES) else ():
        registry = registry.rebound(t, uuid, {}) if t in registry.tables and uuid is not None else registry
    if core.has(rules.REGISTER_CONFIGS):
        registry = registry.with_configs(_planned(core, writer))
    writer = writer._replace(step="stage")
    if registry == ledger.registry:
        yield from _stage(core, world, writer, forbidden)
        return
    if ledger.ledger.generation != writer.generation and core.has(rules.REGISTER_GENERATION):
        yield Move(f"{writer.who} may not register: the ledger has another generation", world)
        return
    after = core.pipeline_with(ledger, registry=registry)
    directory = world.directory._replace(version=world.directory.version + 1, ledger=after)
    said = [t for t, one in sorted(registry.tables.items()) if ledger.registry.tables.get(t) != one]
    before = _configs(ledger.registry)
    said += [f"c{digest} from {first}" for first, digest in _configs(registry) if (first, digest) not in before]
    yield Move(f"{writer.who} registers {_listed(said)}", world._replace(directory=directory), writer)


def _configs(registry: Registry) -> list[tuple[int, str]]:
    return sorted((c.first_offsets[SOURCE], c.digest) for c in registry.configs)


def _planned(core: Core, writer: Writer) -> list[PlannedConfig]:
    """The batch with those planned before it, as the log had them at the claim; a closed batch registers none."""
    if writer.batch.closed:
        return []
    own = (writer.batch.start, writer.batch.end, writer.batch.config)
    all_of_them = [*writer.before, own] if core.has(rules.REGISTER_ORDER) else [own]
    return [PlannedConfig(config, {}, ranges(range(start, end))) for start, end, config in all_of_them]


def _stage(core: Core, world: World, writer: Writer, forbidden: str) -> Iterator[Move]:
    log = world.log
    batch = log.batch(writer.batch.number) if log and log.installation == writer.installation else None
    if log is None or batch is None or batch.attempt != writer.attempt:
        yield Move(f"{writer.who} is refused at stage", world)
        return
    kept = [p for p in batch.parts if p.state != PLANNED]
    for i, table in _needed(core, batch, writer):
        if any(p.table == table for p in kept):
            continue
        rows = tuple(o for o, r in zip(batch.offsets(), writer.reads, strict=True) if table in r)
        planned = next((p for p in batch.parts if p.table == table), None)
        if planned and planned.expected not in {None, len(rows)} and core.has(rules.CLOSED_ONCE):
            yield Move(f"{writer.who} stops: a record of {table} no longer fits", world)
            return
        identity = writer.seen[i]
        if identity and table != forbidden and _is_the_same(core, world, log, i, identity):
            log = log._replace(bound=changed(log.bound, i, identity[0]))
            kept.append(Part(table, STAGED, identity[1], identity[0], rows))
        else:
            kept.append(Part(table, PLANNED, expected=len(rows)))
    letters = tuple(o for o, r in zip(batch.offsets(), writer.reads, strict=True) if r == DEAD)
    if letters and _adds_letters(core, batch) and not any(p.table == DEAD_LETTERS for p in kept):
        generation = world.directory.ledger.ledger.generation
        kept.append(Part(DEAD_LETTERS, STAGED, generation, DEAD_LETTERS, letters))
    log = log.with_batch(batch._replace(parts=tuple(kept), closed=True))
    said = [f"{p.table} {list(p.rows)}" if p.state != PLANNED else f"{p.table} stays planned" for p in kept]
    yield Move(f"{writer.who} stages b{batch.number}: {_listed(said) or 'nothing'}", world._replace(log=log))


def _needed(core: Core, batch: Batch, writer: Writer) -> list[tuple[int, str]]:
    """Tables that a stage decides on: those of a closed batch are known."""
    named = list(enumerate(core.setup.names))
    if batch.lane != LIVE:
        return [(i, t) for i, t in named if t == batch.lane]
    if batch.closed and core.has(rules.CLOSED_ONCE):
        return [(i, t) for i, t in named if any(p.table == t and p.state == PLANNED for p in batch.parts)]
    return [(i, t) for i, t in named if any(t in r for r in writer.reads)]


def _adds_letters(core: Core, batch: Batch) -> bool:
    if batch.lane != LIVE:
        return batch.lane == DEAD_LETTERS
    return not (batch.closed and core.has(rules.CLOSED_ONCE))


def _is_the_same(core: Core, world: World, log: Log, at: int, identity: tuple[str, int]) -> bool:
    """Whether the table is the one that the log and the ledger know under its name."""
    if not core.has(rules.KNOWN_NAMES):
        return True
    ledger, name, uuid = world.directory.ledger, core.setup.names[at], identity[0]
    return log.bound[at] in {None, uuid} and (ledger.tables.get(name) is None or core.is_registered(ledger, name, uuid))


def _listed(some: list[str]) -> str:
    return ", ".join(some)


def _read(batch: Batch, reads: tuple[str, ...]) -> str:
    """What it makes of each offset."""
    words = {DEAD: "as a dead letter", "": "for no table"}
    found = zip(batch.offsets(), reads, strict=True)
    return ", ".join(f"{o} {words.get(r) or 'for ' + ' and '.join(r)}" for o, r in found)
