"""Plan batches: live ones in the order of offsets, and those in which one table alone reads offsets again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lakelock.ingest.replan_decision import redo_batches
from lakelock.model.log_state import Redo
from lakelock.model.offsets import OffsetRange

from model.tables.decisions import Core
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


def again(world: World, log: Log, table: str, some: Iterable[OffsetRange], most: int) -> World:
    """Batches in which *table* alone reads *some* ranges again."""
    ledger = world.directory.ledger
    redo = Redo({}, world.config, most, ledger.ledger.coverage, str, lambda *_: False, ledger.registry)
    for batch in redo_batches(some, redo, table):
        _, config = redo.config_at(table, batch)
        for r in batch:
            part = Part(table, PLANNED)
            log = log._replace(
                batches=(*log.batches, Batch(world.batch, table, r.start, r.end, config, closed=True, parts=(part,)))
            )
            world = world._replace(batch=world.batch + 1)
    return world._replace(log=log)


def named(core: Core, batch: Batch) -> str:
    lane = "" if batch.lane == LIVE else f" of {batch.lane} alone"
    config = f" under c{batch.config}" if len(core.setup.routes) > 1 else ""
    return f"b{batch.number}{lane} [{batch.start}, {batch.end}){config}"
