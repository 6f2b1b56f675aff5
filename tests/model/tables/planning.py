"""Plan batches: live ones in the order of offsets, and those in which one table alone reads offsets again."""

from __future__ import annotations

from collections.abc import Iterator

from model.tables.decisions import Core
from model.tables.ledgers import ranges
from model.tables.state import LIVE, PLANNED, Batch, Log, Move, Part, World


def plan(core: Core, world: World) -> Iterator[Move]:
    log = world.log
    assert log is not None
    if sum(not b.closed for b in log.batches if b.lane == LIVE) >= core.setup.ahead:
        return
    if world.batch > core.setup.most_batches:
        return
    for size in core.setup.sizes:
        if log.frontier + size <= core.setup.offsets:
            batch = Batch(world.batch, LIVE, log.frontier, log.frontier + size, world.config)
            after = log._replace(frontier=batch.end, batches=(*log.batches, batch))
            yield Move(f"a run plans {named(core, batch)}", world._replace(log=after, batch=world.batch + 1))


def again(world: World, log: Log, table: str, offsets: frozenset[int], most: int) -> World:
    """Batches in which *table* alone reads *offsets* again."""
    for r in Core.cut(ranges(offsets), most):
        for config, start, end in _by_config(r.start, r.end, world.directory.ledger.config_at):
            part = Part(table, PLANNED)
            batch = Batch(world.batch, table, start, end, config, closed=True, parts=(part,))
            log = log._replace(batches=(*log.batches, batch))
            world = world._replace(batch=world.batch + 1)
    return world._replace(log=log)


def _by_config(start: int, end: int, config_at: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    while start < end:
        last = start + 1
        while last < end and config_at[last] == config_at[start]:
            last += 1
        yield config_at[start], start, last
        start = last


def named(core: Core, batch: Batch) -> str:
    lane = "" if batch.lane == LIVE else f" of {batch.lane} alone"
    config = f" under c{batch.config}" if len(core.setup.routes) > 1 else ""
    return f"b{batch.number}{lane} [{batch.start}, {batch.end}){config}"
