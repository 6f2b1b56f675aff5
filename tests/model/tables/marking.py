"""The mark, one step at a time: draw it up from the log and the ledger, then swap it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lakelock.ingest.marking import NowComplete, advanced
from lakelock.model.registry import RegisteredTable

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import SOURCE, STARTS
from model.tables.state import COMMITTED, DEAD_LETTERS, Batch, Log, Move, PipelineLedger, World


class Marker(NamedTuple):
    """The ledger with a new mark, for the version that it was drawn up on."""

    version: int
    ledger: PipelineLedger


def drawn_up(core: Core, world: World) -> PipelineLedger:
    """The ledger with the mark that may be written now."""
    log, now = world.log, world.directory.ledger
    if log is None:
        return now
    return core.remembered(("drawn up", log, now), lambda: _drawn_up(core, log, now))  # type: ignore[no-any-return]


def _drawn_up(core: Core, log: Log, now: PipelineLedger) -> PipelineLedger:
    complete = min((b.start for b in log.batches if _holds_up(core, b)), default=log.frontier)
    registry = now.registry
    if not core.has(rules.REGISTER_TABLES):
        bound = zip(core.setup.names, log.bound, strict=True)
        registry = registry.with_tables({t: RegisteredTable(t, uuid) for t, uuid in bound if uuid is not None})
    mark = advanced(now.ledger.mark, NowComplete(STARTS, {SOURCE: complete}))
    return core.pipeline_with(now, mark=mark, registry=registry)


def _holds_up(core: Core, batch: Batch) -> bool:
    """As `complete` of the log: a batch that is not closed, or has an open part."""
    parts = [p for p in batch.parts if core.has(rules.MARK_OPEN) or p.table == DEAD_LETTERS]
    return not batch.closed or any(p.state != COMMITTED for p in parts)


def marks(core: Core, world: World) -> Iterator[Move]:
    ledger = drawn_up(core, world)
    if ledger.complete != world.directory.ledger.complete:
        yield Move("a mark is drawn up", world, Marker(world.directory.version, ledger))


def write_mark(core: Core, world: World, process: Marker) -> Iterator[Move]:
    now = world.directory
    if now.version != process.version and core.has(rules.MARK_SWAP):
        yield Move("the mark is refused", world)
        return
    ledger = process.ledger
    if now.version != process.version:
        # Without the compare-and-swap, the properties are written as they were read; dead letters stay.
        kept = {f: getattr(now.ledger.ledger, f) for f in ("coverage", "generation", "rollback")}
        ledger = core.pipeline_with(ledger, **kept)
    line = f"the mark goes to {max(ledger.complete, default=-1) + 1}"
    yield Move(line, world._replace(directory=now._replace(version=now.version + 1, ledger=ledger)))
