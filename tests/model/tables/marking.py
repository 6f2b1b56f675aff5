"""The mark, one step at a time: draw it up from the log and the ledger, then swap it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lakelock.model.offsets import OffsetRange

from model.tables import rules
from model.tables.decisions import Core
from model.tables.ledgers import ranges
from model.tables.mark_decision import LiveRange, Mark, advanced
from model.tables.registration_decision import config_of
from model.tables.state import LIVE, Log, Move, PipelineLedger, World


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
    planned = []
    for b in log.batches:
        if b.lane == LIVE:
            landed = now.letters >= set(b.letters)
            planned.append(LiveRange(ranges(b.offsets())[0], b.config, b.closed, landed))
    open_parts = {t: ranges(log.open(t)) for t in core.setup.names if log.open(t)}
    digests = {p.range: p.config_digest for p in planned}

    def registered(r: OffsetRange) -> str | None:
        return config_of(now.configs, r) if core.has(rules.REGISTER_CONFIGS) else digests[r]

    mark = advanced(now.mark, planned, open_parts, registered)
    if not core.has(rules.MARK_BEHIND):
        mark = Mark(mark.complete)
    tables = dict(now.tables)
    if not core.has(rules.REGISTER_TABLES):
        tables |= {t: u for t, u in zip(core.setup.names, log.bound, strict=True) if u is not None}
    return core.pipeline_with(now, mark=mark, tables=tables)


def marks(core: Core, world: World) -> Iterator[Move]:
    ledger = drawn_up(core, world)
    if ledger is not world.directory.ledger:
        yield Move("a mark is drawn up", world, Marker(world.directory.version, ledger))


def write_mark(core: Core, world: World, process: Marker) -> Iterator[Move]:
    now = world.directory
    if now.version != process.version and core.has(rules.MARK_SWAP):
        yield Move("the mark is refused", world)
        return
    ledger = process.ledger
    if now.version != process.version:
        # Without the compare-and-swap, the properties are written as they were read; dead letters stay.
        ledger = core.pipeline_with(ledger, ledger=now.ledger.ledger, owed=now.ledger.owed)
    behind = sorted(process.ledger.behind)
    said = f", behind {', '.join(f'{t} at {o}' for t, o in behind)}" if behind else ""
    line = f"the mark goes to {max(ledger.complete, default=-1) + 1}{said}"
    yield Move(line, world._replace(directory=now._replace(version=now.version + 1, ledger=ledger)))
