"""Give up requested ranges of a backfill of all routed tables that are never read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import listed
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.coverage_gaps import declaring
from lakelock.model.offsets import OffsetRange, overlap, without

logger = logging.getLogger(__name__)


def give_up_backfills(
    context: PipelineContext, gaps: Sequence[OffsetRange], kind: Kind, pause: Callable[[float], None]
) -> None:
    """Mark requested ranges among *gaps* that no closed batch has with *kind*: then no backfill waits for them. Idempotent."""
    log, pipeline, commit_id = context.log, context.pipeline, context.new_id()
    name = pipeline.dead_letter_table
    if not log.bound(pipeline.name, [name]):
        return

    def draft() -> Land[list[OffsetRange]] | Done[list[OffsetRange]]:
        # As for the mark: a batch that is closed in between is not given up. Nor is one that was planned since.
        closed = log.routed_progress(pipeline.name).backfilled
        unclosed = [p.range for b in log.planned(pipeline.name) if not b.closed for p in b.ranges]
        state, _ = context.followed(name)
        ledger = state.ledger
        given_up = without(overlap(ledger.backfills_left, gaps), [*closed, *unclosed]) if ledger is not None else []
        if ledger is None or not given_up:
            return Done([])
        starts = {s.source: s.start_offset for s in log.streams(pipeline.name, LIVE)}
        mark = declaring((ledger.mark or Coverage()).starting(starts), [(r, kind) for r in given_up], starts, 0)
        return Land(state, context.change(replace(ledger, commit_id=commit_id, mark=mark)), given_up)

    if given_up := until_landed(context.tables, name, draft, pause, *UNDONE).result:
        logger.info("%s: the backfill of %s is given up", name, listed(given_up))
