"""The mark, one step at a time: draw it up from the log and the ledger, then swap it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from lakelock.ingest.marking import advanced
from lakelock.model.consistent_cut import OpenTable, RoutedProgress
from lakelock.model.joint_mark import Marked
from lakelock.model.registry import RegisteredTable

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import SOURCE, STARTS, ranges
from model.tables.state import COMMITTED, DEAD_LETTERS, Batch, Log, Move, PipelineLedger, World


class Marker(NamedTuple):
    """The ledger with a new mark, for the version that it was drawn up on."""

    version: int
    ledger: PipelineLedger


def drawn_up(core: Core, world: World) -> list[PipelineLedger]:
    """The ledger with each mark that may be written now: others wait for the tables with open parts, or no longer do."""
    log, now = world.log, world.directory.ledger
    if log is None:
        return [now]
    waits_s = (0.0, 1.0) if core.setup.behind else (0.0,)
    every = [core.remembered(("drawn up", log, now, s), partial(_drawn_up, core, log, now, s)) for s in waits_s]
    return list(dict.fromkeys(every))


def _drawn_up(core: Core, log: Log, now: PipelineLedger, waits_s: float) -> PipelineLedger:
    decided = min((b.start for b in log.batches if _is_undecided(b)), default=log.frontier)
    open_ = {name: OpenTable(ranges(some), waits_s) for name in core.setup.names if (some := log.open(name))}
    registry = now.registry
    if not core.has(rules.REGISTER_TABLES):
        bound = zip(core.setup.names, log.bound, strict=True)
        registry = registry.with_tables({t: RegisteredTable(t, uuid) for t, uuid in bound if uuid is not None})
    progress = RoutedProgress(STARTS, {SOURCE: decided}, open_ if core.has(rules.MARK_OPEN) else {})
    mark, behind, _ = advanced(Marked.of(now.ledger), progress, 1.0)
    return core.pipeline_with(now, mark=mark, registry=registry, behind=behind if core.has(rules.BEHIND) else {})


def _is_undecided(batch: Batch) -> bool:
    """As `progress` of the log: a batch that is not closed, or of which dead letters have not landed."""
    return not batch.closed or any(p.state != COMMITTED for p in batch.parts if p.table == DEAD_LETTERS)


def marks(core: Core, world: World) -> Iterator[Move]:
    now = world.directory.ledger
    for ledger in drawn_up(core, world):
        if (ledger.complete, ledger.lacks) != (now.complete, now.lacks):
            behind = f", {' and '.join(sorted(ledger.lacks))} behind" if ledger.lacks else ""
            yield Move(f"a mark is drawn up{behind}", world, Marker(world.directory.version, ledger))


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
