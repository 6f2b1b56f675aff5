"""Adopt registered tables to which no commit was made, so that a recovery fences them as it does others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from lakelock.errors import LedgerForeign, TableMissing, TableReplaced, TableUnfit
from lakelock.ingest.bind import NOTHING, Binder, Owner
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.registration import topics_of
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import FOREVER, OffsetRange, overlap
from lakelock.model.registry import Registry
from lakelock.recovery.examination import Examined
from lakelock.recovery.several_tables import for_each_table


def give_ledgers(
    context: PipelineContext, examined: Examined, mark: Coverage, pause: Callable[[float], None], at_once: int
) -> list[str]:
    """Take the tables that are unadopted from *examined*, and adopt them: their names, to examine them again.

    Otherwise a process of a lost installation could adopt them after the recovery. *mark* is that of the dead-letter table.

    A table that such a process has adopted meanwhile is left for the recovery to take over. A new one with records of another
    pipeline is left to the next batch: only that knows which offsets this one would add to them.
    """
    pipeline, log, tables = context.pipeline, context.log, context.tables
    owner = Owner(pipeline.name, log.installation_id(), pipeline.resolved(), pipeline.digest)
    binder = Binder(log, tables, owner, pipeline.commit, context.new_id, pause)
    names = list(examined.unadopted)
    examined.unadopted.clear()
    registry = examined.registry

    def adopt(name: str) -> None:
        with suppress(LedgerForeign, TableMissing, TableReplaced, TableUnfit):
            state, owing = tables.load(name), owing_of(registry, name, mark)
            if registry.tables[name].refilled or not tables.others(state):
                starts = {source: covered.start_offset for source, covered in owing.items()}
                binder.adopted(name, False, partial(dict, starts), state.uuid, owing)

    for_each_table(names, adopt, at_once)
    return names


def owing_of(registry: Registry, name: str, mark: Coverage) -> Coverage:
    """What a table without a ledger owes: all that is marked and may have records for it, if it took the place of another.

    A table that was new when it was registered had no records before.
    """
    if not registry.tables[name].refilled:
        return NOTHING
    topics = topics_of(registry, name, {s.topic for s in mark})
    starts = {s: covered.start_offset for s, covered in mark.items() if s.topic in topics}
    later = [OffsetRange(source, start, FOREVER) for source, start in starts.items()]
    earlier = [OffsetRange(source, 0, start) for source, start in starts.items() if start > 0]
    requested = overlap(registry.backfilled, earlier)
    return Coverage().requesting(requested, starts).starting(starts).owing(overlap(mark.ranges, later))
