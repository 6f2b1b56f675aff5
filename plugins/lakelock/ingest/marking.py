"""The mark of a pipeline with routes: the offsets that are complete in every routed table, but for what a table owes.

The dead-letter table's ledger has it. A recovery reads only the offsets that are not marked again, whatever table had no records.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from lakelock.errors import State
from lakelock.ingest.bind import load
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.route_evidence import with_ranges
from lakelock.model.units import counted

logger = logging.getLogger(__name__)

# A mark that rides on no other commit of the dead-letter table gets one of its own, but not more often.
MARK_EVERY_MS = 60_000


class NowComplete(NamedTuple):
    """Declared starts of sources, and the offsets up to which they are complete, by the log."""

    starts: Mapping[Source, int]
    ends: Mapping[Source, int]


def advanced(mark: Coverage | None, complete: NowComplete) -> Coverage:
    """*mark* up to the *complete* offsets; it never goes back."""
    before = (mark or Coverage()).starting(complete.starts)
    new = [
        OffsetRange(source, before[source].prefix_end, end)
        for source, end in sorted(complete.ends.items())
        if source in before and before[source].prefix_end < end
    ]
    return with_ranges(before, new, complete.starts, 0)


def now_complete(context: PipelineContext) -> NowComplete:
    """To be read before the dead-letter table is loaded."""
    name = context.pipeline.name
    ends = context.log.complete(name)
    return NowComplete({s.source: s.start_offset for s in context.log.streams(name, LIVE) if s.source in ends}, ends)


def mark(context: PipelineContext, pause: Callable[[float], None]) -> str:
    """Commit the mark if it can move and was not committed lately; a line that says so, empty if it was not."""
    name, commit_id = context.pipeline.dead_letter_table, context.new_id()
    moved: list[int] = []

    def draft() -> Land[None] | Done[None]:
        complete = now_complete(context)
        now_ms = int(context.log.now().timestamp() * 1000)
        state = load(context.log, context.tables, context.pipeline.name, name)
        ledger, newest = state.ledger, state.ledger_version
        if ledger is None or newest is None or ledger.paused:
            return Done(None)
        after = advanced(ledger.mark, complete)
        moved[:] = [after.size - (ledger.mark.size if ledger.mark else 0)]
        if after == ledger.mark or (ledger.mark is not None and now_ms - newest.at_ms < MARK_EVERY_MS):
            moved.clear()
            return Done(None)
        return Land(state, context.change(replace(ledger, commit_id=commit_id, mark=after)), None)

    if context.log.bound_uuid(context.pipeline.name, name) is None:
        return ""
    until_landed(context.tables, name, draft, pause, State.NOTHING_CHANGED, "The next run tries again.")
    return f"{counted(moved[0], 'offset')} more are complete in all tables" if moved and moved[0] else ""
