"""Postgres' side: the transactions of adapters/wal and adapters/sql, each with its guard. A guard that does not hold is Fenced."""

from __future__ import annotations

from collections.abc import Iterable

from lakelock.errors import Fenced, PlanConflict

from model.decisions import Followed, Range
from model.setup import Env
from model.state import ABORTED, COMMITTED, PLANNED, STAGED, Batch, Entry, Given, Part, Wal, World, changed


def insert(env: Env, world: World, start: int, end: int, config: int, tables: Iterable[str], redo: bool) -> World:
    """plan.sql: a batch with its parts; in the live lane it begins at the frontier and overlaps nothing that is open."""
    wal = world.wal
    if not redo:
        if env.has("database constraint") and wal.frontier != start:
            raise PlanConflict("another planner was faster")
        wal = wal._replace(frontier=max(end, wal.frontier))
    parts = tuple(Part(t, "", PLANNED, 0, 0, 0) for t in tables)
    batch = Batch(world.next_batch, redo, start, end, config, 0, parts)
    return world._replace(wal=wal._replace(batches=(*wal.batches, batch)), next_batch=world.next_batch + 1)


def fed(env: Env, world: World) -> str:
    """The tables that today's pipeline file feeds."""
    return env.setup.files[world.config]


def plan_again(env: Env, world: World, table: str, ranges: Iterable[Range], config: int, dead_letters: Entry) -> World:
    """following.plan_again: lanes of their own, for the table."""
    for start, end in env.core.batches(tuple(ranges), dead_letters, table, env.setup.most):
        world = insert(env, world, start, end, config, (table,), redo=True)
    return world


def claim(world: World, number: int) -> World:
    batch = _batch(world.wal, number)
    wal = world.wal.with_batch(batch._replace(attempt=world.next_attempt))
    return world._replace(wal=wal, next_attempt=world.next_attempt + 1)


def bind(env: Env, world: World, tables: Iterable[str]) -> World:
    """read.sql: the first table of its name that was written to is the one."""
    bound = list(world.wal.bound)
    for name in tables:
        t = env.at[name]
        bound[t] = world.tables[t].uuid if bound[t] == -1 else bound[t]
    return world._replace(wal=world.wal._replace(bound=tuple(bound)))


def stage(env: Env, world: World, number: int, attempt: int, parts: tuple[Part, ...]) -> World:
    """stage.sql: all or nothing, for the attempt that holds the batch, over parts that are planned."""
    batch = _batch(world.wal, number)
    if batch.attempt != attempt and env.has("attempt fence"):
        raise Fenced("a newer attempt works on it")
    out = list(batch.parts)
    for new in parts:
        if new.target:
            if any((p.target, p.state) == (new.target, STAGED) for p in out):
                raise Fenced("its dead letters are staged already")
            out.append(new)
            continue
        at = [i for i, p in enumerate(out) if p.table == new.table and not p.target]
        if not at or (out[at[0]].state != PLANNED and env.has("state guard at stage")):
            raise Fenced("the part is no longer planned")
        out[at[0]] = new
    return world._replace(wal=world.wal.with_batch(batch._replace(parts=tuple(out))))


def mark(env: Env, world: World, table: str, given: tuple[Given, ...], entry: Entry) -> World:
    """mark.sql: guarded by state, attempt and generation; all of them or none."""
    wal = world.wal
    for number, _, _, _, part in given:
        batch = _batch(wal, number)
        i = _find(env, batch, part, (STAGED, COMMITTED))
        wal = wal.with_batch(batch._replace(parts=changed(batch.parts, i, batch.parts[i]._replace(state=COMMITTED))))
    return world._replace(wal=keep_ledger(env, wal, table, entry))


def keep_ledger(env: Env, wal: Wal, table: str, entry: Entry) -> Wal:
    t = env.at[table]
    return wal._replace(generations=changed(wal.generations, t, max(wal.generations[t], entry.ledger.generation)))


def replan(env: Env, world: World, given: Given) -> World:
    """marking.replan: dead letters are given up, and the staged part of their table goes back to planned."""
    batch, part = _batch(world.wal, given.number), given.part
    i = _find(env, batch, part, (STAGED,))
    parts = batch.parts
    if part.target:
        parts = changed(parts, i, part._replace(state=ABORTED))
        if not env.has("rows go with their dead letters"):
            return world._replace(wal=world.wal.with_batch(batch._replace(parts=parts)))
        rows = [n for n, p in enumerate(parts) if (p.table, p.target, p.state) == (part.target, "", STAGED)]
    else:
        rows = [i]
    for n in rows:
        parts = changed(parts, n, Part(parts[n].table, "", PLANNED, 0, 0, 0))
    return world._replace(wal=world.wal.with_batch(batch._replace(parts=parts)))


def replace(env: Env, world: World, given: Given, ranges: tuple[Range, ...], dead_letters: Entry) -> World:
    """following.replace: the part is aborted."""
    batch, part = _batch(world.wal, given.number), given.part
    i = _find(env, batch, part, (STAGED,))
    wal = world.wal.with_batch(batch._replace(parts=changed(batch.parts, i, batch.parts[i]._replace(state=ABORTED))))
    return plan_again(env, world._replace(wal=wal), part.table, ranges, given.config, dead_letters)


def on_their_way(world: World, table: str, batch: Batch) -> bool:
    """DeadLetterTables.on_their_way: dead letters of a piece of the batch are staged."""
    return any(
        (p.target, p.state) == (table, STAGED) and b.start < batch.end and batch.start < b.end
        for b in world.wal.batches
        for p in b.parts
    )


def split(env: Env, world: World, number: int, attempt: int, table: str, dead_letters: Entry) -> World:
    """following.split: a part that must be written is planned in pieces instead."""
    batch = _batch(world.wal, number)
    if batch.attempt != attempt:
        raise Fenced("a newer attempt took over")
    planned = [p for p in batch.parts if (p.table, p.target, p.state) == (table, "", PLANNED)]
    if not planned:
        return world
    parts = tuple(p._replace(state=ABORTED) if p in planned else p for p in batch.parts)
    wal = world.wal.with_batch(batch._replace(parts=parts))
    ranges = (("", batch.start, batch.end),)
    return plan_again(env, world._replace(wal=wal), table, ranges, batch.config, dead_letters)


def await_generation(env: Env, world: World, table: str, entry: Entry) -> World:
    awaited = changed(world.wal.awaited, env.at[table], entry.ledger.generation)
    return world._replace(wal=world.wal._replace(awaited=awaited))


def ahead(env: Env, wal: Wal, table: str, entry: Entry) -> bool:
    return entry.ledger.generation > wal.generations[env.at[table]]


def unsettled(env: Env, wal: Wal, table: str) -> bool:
    return wal.awaited[env.at[table]] > wal.generations[env.at[table]]


def notes(batch: Batch, part: Part) -> tuple[str, tuple[Range, ...]]:
    return part.state, ((part.target, batch.start, batch.end),)


def follows(env: Env, world: World, table: str, entry: Entry) -> tuple[list[tuple[int, Part]], Followed]:
    """What the log would make of the table's ledger: its parts, and what is decided about them."""
    mine = [(b, p) for b in world.wal.batches for p in b.parts if p.table == table and p.state != ABORTED]
    noted = tuple(notes(b, p) for b, p in mine)
    known = world.wal.generations[env.at[table]]
    decided = env.core.follow(noted, entry, known, table, world.wal.frontier, fed(env, world))
    return [(b.number, p) for b, p in mine], decided


def follow(env: Env, world: World, table: str, uuid: int, entry: Entry, dead_letters: Entry) -> World:
    """following.follow: nothing where the log is at that generation already, or bound to another table."""
    wal, t = world.wal, env.at[table]
    if not ahead(env, wal, table, entry) or (wal.bound[t] != uuid and env.has("follow by UUID")):
        return world
    mine, decided = follows(env, world, table, entry)
    state = {(number, p): _followed(i, p, decided, entry) for i, (number, p) in enumerate(mine)}
    for batch in wal.batches:
        parts = tuple(state.get((batch.number, p), p) for p in batch.parts)
        wal = wal.with_batch(batch._replace(parts=parts))
    world = plan_again(env, world._replace(wal=wal), table, decided.redo, world.config, dead_letters)
    return world._replace(wal=keep_ledger(env, world.wal, table, entry))


def _followed(i: int, part: Part, decided: Followed, entry: Entry) -> Part:
    if i in decided.mark:
        return part._replace(state=COMMITTED)
    if i in decided.abort:
        return part._replace(state=ABORTED)
    if i in decided.restage:
        return part._replace(state=STAGED, generation=entry.ledger.generation, restaged=True)
    return part


def lacking(env: Env, world: World, table: str, entry: Entry) -> tuple[Range, ...]:
    """following.lacking: what neither the ledger nor any part that is not aborted has."""
    wal = world.wal
    known = tuple(r for b in wal.batches for p in b.parts if p.table == table for r in notes(b, p)[1])
    return env.core.lacking(entry, known, table, wal.frontier, fed(env, world))


def give_up(world: World) -> World:
    """rebuilding.give_up."""
    wal = world.wal
    for batch in wal.batches:
        wal = wal.with_batch(batch._replace(parts=tuple(p._replace(state=ABORTED) for p in batch.parts)))
    return world._replace(wal=wal)


def rebuild(env: Env, world: World, stands: tuple[tuple[str, int, Entry], ...], dead_letters: Entry) -> World:
    """rebuilding.rebuild: all parts are given up, and the tables say the rest."""
    frontier, redo = env.core.rebuilt(stands, fed(env, world))
    wal = world.wal._replace(frontier=frontier, batches=(), awaited=(0,) * len(world.wal.awaited))
    for name, uuid, entry in stands:
        t = env.at[name]
        wal = wal._replace(bound=changed(wal.bound, t, uuid))
        wal = wal._replace(generations=changed(wal.generations, t, entry.ledger.generation))
    world = world._replace(wal=wal)
    for name, ranges in redo.items():
        world = plan_again(env, world, name, ranges, world.config, dead_letters)
    return world


def _batch(wal: Wal, number: int) -> Batch:
    found = wal.batch(number)
    if found is None:
        raise Fenced("the write-ahead log no longer has the batch")
    return found


def _find(env: Env, batch: Batch, part: Part, states: tuple[str, ...]) -> int:
    """Where the part is that *part* was read as: same attempt, same generation, in one of *states*."""
    for i, p in enumerate(batch.parts):
        if (p.table, p.target) != (part.table, part.target):
            continue
        if not env.has("mark guard") or (
            p.state in states and (p.attempt, p.generation) == (part.attempt, part.generation)
        ):
            return i
    raise Fenced("the part is not as it was read")
