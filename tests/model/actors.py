"""Planner and writer, one step at a time: between two steps anybody else may act, and the process may die.

A step gives what may come of it: a line for the trace, the world after, what the process then is (empty: it ended), the
invariant that this very step broke, and which fault it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from lakelock.errors import LakelockError, PlanConflict

from model import wal
from model.lake import Loaded, load
from model.setup import Env
from model.state import DEAD_LETTERS, STAGED, Batch, Part, Process, World


class Move(NamedTuple):
    line: str
    world: World
    process: Process = ()
    wrong: str | None = None
    fault: str | None = None
    stopped: str | None = None


def guarded(step: Callable[..., Iterator[Move]]) -> Callable[..., list[Move]]:
    """A step that raises what the code raises ends its process and changes nothing."""

    def run(env: Env, world: World, process: Process) -> list[Move]:
        try:
            return list(step(env, world, process))
        except LakelockError as fault:
            name = type(fault).__name__
            return [Move(f"{_who(process)} stops: {name}", world, stopped=f"{name} {fault}")]

    return run


def _who(process: Process) -> str:
    return f"{process[0]} of {process[1]}" if isinstance(process[1], str) else str(process[0])


# Plan.


def plan(env: Env, world: World) -> Iterator[Move]:
    """A new batch, where no batch still has a part to write."""
    if any(b.planned for b in world.wal.batches):
        return
    yield from (
        Move(m.line, m.world) for size in env.setup.sizes for m in _planned(env, world, world.wal.frontier, size)
    )


def _planned(env: Env, world: World, start: int, size: int) -> Iterator[Move]:
    if start + size <= env.setup.offsets:
        after = wal.insert(env, world, start, start + size, world.config, env.setup.files[world.config], redo=False)
        yield Move(f"plan b{world.next_batch} [{start}, {start + size})", after)


@guarded
def planner(env: Env, world: World, process: Process) -> Iterator[Move]:
    """The same in two steps, for planners that race."""
    if not process:
        yield Move("a planner reads the frontier", world, ("planner", "", world.wal.frontier))
        return
    for size in env.setup.sizes:
        try:
            yield from _planned(env, world, process[2], size)
        except PlanConflict:
            yield Move("a planner is refused: another was faster", world)


# Write.


def claims(env: Env, world: World) -> Iterator[Move]:
    """A new attempt takes a batch; the one before it may be alive, its heartbeat was not seen."""
    for batch in world.wal.batches:
        if batch.planned:
            attempt = world.next_attempt
            where = f"b{batch.number} [{batch.start}, {batch.end})"
            process = ("writer", attempt, "claimed", batch._replace(attempt=attempt))
            yield Move(f"attempt a{attempt} claims {where}", wal.claim(world, batch.number), process, fault="attempts")


@guarded
def writer(env: Env, world: World, process: Process) -> Iterator[Move]:
    _, attempt, step, covered = process
    if step == "claimed":
        if any(wal.on_their_way(world, name, covered) for name in covered.planned) and env.has("wait for dead letters"):
            yield Move(f"a{attempt} lets b{covered.number} wait for staged dead letters", world)
            return
        dead_letters = load(env, world, DEAD_LETTERS)
        pieces = [
            n for n in covered.planned if env.core.decided(dead_letters.entry, (n, covered.start, covered.end))[1]
        ]
        if pieces and env.has("cut at the dead-letter table's edges"):
            for name in pieces:
                world = wal.split(env, world, covered.number, attempt, name, dead_letters.entry)
            yield Move(f"a{attempt} splits b{covered.number}: dead letters of a piece are there", world)
            return
        for parts in written(env, world, covered, attempt, dead_letters):
            shown = ", ".join(f"{_named(p)}{list(p.rows)}" for p in parts)
            bound = wal.bind(env, world, {DEAD_LETTERS, *(p.table for p in parts)})
            yield Move(
                f"a{attempt} reads and writes {shown}", bound, ("writer", attempt, "written", (covered.number, parts))
            )
        return
    number, parts = covered
    before = world.wal.batch(number)
    after = wal.stage(env, world, number, attempt, parts)
    fenced = before is not None and before.attempt != attempt
    yield Move(
        f"a{attempt} stages b{number}", after, wrong="I7 an older attempt stages into the log" if fenced else None
    )


def written(env: Env, world: World, batch: Batch, attempt: int, dead_letters: Loaded) -> list[tuple[Part, ...]]:
    """What an attempt may make of the batch's records: as ingest/write, under the batch's configuration and today's columns."""
    config = batch.config if env.has("pinned configuration") else world.config
    tables, fault = [], None
    for name in batch.planned:
        try:
            tables.append(load(env, world, name))
        except LakelockError as stopped:
            fault = stopped
    # A table that is not in the file cannot be written: the code ends with an error before it reads.
    missing = [t.name for t in tables if t.name not in env.setup.files[config]]
    if missing or not tables:
        raise fault or LakelockError(f"{missing} not in the file")
    per_table = [_outcomes(env, world, batch, attempt, config, t, dead_letters) for t in tables]
    return [tuple(p for parts in chosen for p in parts) for chosen in product(*per_table)]


def _outcomes(
    env: Env, world: World, batch: Batch, attempt: int, config: int, table: Loaded, dead_letters: Loaded
) -> list[tuple[Part, ...]]:
    """Dead letters that landed are decided; what fitted when they landed must fit again."""
    settled, _ = env.core.decided(dead_letters.entry, (table.name, batch.start, batch.end))
    settled = settled and env.has("decisions pinned")
    there = {o for target, o, _ in dead_letters.main.rows if target == table.name}
    choices: list[str] = []
    for o in range(batch.start, batch.end):
        how = env.setup.decoding[config][o]
        if settled and o in there:
            choices.append("d")
        elif settled and how == "b":
            raise LakelockError(f"offset {o} fitted before and does not now")
        else:
            choices.append("g" if settled or how == "g" else "b" if how == "b" else "gb")
    out = []
    for kinds in product(*choices):
        named = list(zip(range(batch.start, batch.end), kinds, strict=True))
        rows = tuple(o for o, k in named if k == "g")
        dead = tuple(o for o, k in named if k != "g")
        noted = tuple(o for o, k in named if k == "b")
        parts = [Part(table.name, "", STAGED, attempt, table.entry.ledger.generation, table.uuid, rows, dead)]
        if noted:
            now = dead_letters.entry.ledger.generation
            parts.insert(0, Part(DEAD_LETTERS, table.name, STAGED, attempt, now, dead_letters.uuid, noted))
        out.append(tuple(parts))
    return out


def _named(part: Part) -> str:
    return f"{part.table}>{part.target}" if part.target else part.table
