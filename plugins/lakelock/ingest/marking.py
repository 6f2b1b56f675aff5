"""The mark of a pipeline with routes: the offsets that are complete in every table, but for what a table owes or lacks.

The dead-letter table's ledger has it. A recovery reads only the offsets that are not marked again, whatever table had no records.
A table that others need not wait for is named as behind, with the ranges that it lacks: a recovery reads these for it alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from lakelock.config import Pipeline
from lakelock.errors import State, WalUnusable
from lakelock.ingest.bind import load
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import PipelineContext, is_ahead
from lakelock.model.consistent_cut import RoutedProgress, lacked
from lakelock.model.coverage import Coverage
from lakelock.model.joint_mark import Marked
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, overlap, without
from lakelock.model.registry import Registry
from lakelock.model.route_evidence import with_ranges
from lakelock.model.units import counted
from lakelock.model.valid_through import marked_through_ms

logger = logging.getLogger(__name__)

# With more tables behind, the mark waits: only the part that a recovery reads for all tables grows.
MOST_BEHIND = 100


def advanced(
    before: Marked,
    now: RoutedProgress,
    behind_after_s: float,
    requested: Sequence[OffsetRange] = (),
    empty: Collection[str] = (),
) -> Marked:
    """The mark goes on to what is complete in all tables but those that are behind. It never goes back.

    A table is behind if one of its parts is open for *behind_after_s*. Every table that has an open part below the mark is named,
    because the mark is true only with it. Ranges that backfills *requested*, before the starts, are marked as they get complete.
    Of *empty* tables that are behind, *now* does not say what they lack: all of their sources.
    """
    mark = (before.mark or Coverage()).starting(now.starts)
    passed = _waited_for(before, now, behind_after_s)
    new = [
        OffsetRange(source, mark[source].prefix_end, end)
        for source, end in sorted(now.complete_but_for(passed).items())
        if mark[source].prefix_end < end
    ]
    new += without(overlap(requested, now.filled_but_for(passed)), mark.ranges)
    mark = with_ranges(mark, new, now.starts, 0)
    lack = {
        table: lacked(
            [*(now.open[table].ranges if table in now.open else ()), *_unseen(before, now, table)], mark.ranges
        )
        for table in sorted({*now.open, *before.behind})
    }
    for table in before.behind.keys() & set(empty):
        sources = {r.source for r in (*before.behind[table], *lack[table])}
        lack[table] = lacked((r for r in mark.ranges if r.source in sources), mark.ranges)
    return before._replace(mark=mark, behind={table: ranges for table, ranges in lack.items() if ranges})


def _unseen(before: Marked, now: RoutedProgress, table: str) -> list[OffsetRange]:
    """What *table* may lack of batches that were closed after *now* was read: another process has marked them."""
    behind = before.behind.get(table, ())
    decided = [OffsetRange(s, now.starts[s], end) for s, end in now.decided.items() if now.starts[s] < end]
    return without(behind, [*decided, *now.known])


def _waited_for(before: Marked, now: RoutedProgress, behind_after_s: float) -> Collection[str]:
    """Tables that the mark passes."""
    mark = before.mark or Coverage()
    named = {t for t in before.behind.keys() & now.open.keys() if lacked(now.open[t].ranges, mark.ranges)}
    late = {table for table, of in now.open.items() if of.waits_s >= behind_after_s}
    return named | late if len(named | late) <= MOST_BEHIND else named


def behind_after_s(pipeline: Pipeline) -> float:
    """How long other tables wait for one: usually, its staged parts are committed much sooner."""
    period, route = pipeline.schedule.period, pipeline.route
    assert route is not None
    waits = (10 * route.mark_every_s, 5 * pipeline.commit.max_latency_s, 3 * period.total_seconds() if period else 0.0)
    return max(waits)


def marking(context: PipelineContext, ledger: Ledger, now: RoutedProgress) -> Ledger:
    """*ledger* of the dead-letter table with the mark that *now* allows."""
    registry = ledger.registry or Registry()
    before = Marked.of(ledger)
    # What a retired table lacks is not read again.
    before = before._replace(behind={t: r for t, r in before.behind.items() if t not in registry.retired})
    empty: list[str] = []
    if refilled := [t for t in before.behind if t in registry.tables and registry.tables[t].refilled]:
        bound = context.log.bound(context.pipeline.name, refilled)
        empty = [t for t in refilled if bound.get(t) != registry.tables[t].uuid]
        # What is read again for a table is open in the log as soon as it is bound there.
        now = context.log.routed_progress(context.pipeline.name)
    after = advanced(before, now, behind_after_s(context.pipeline), registry.backfilled, empty)
    mark, through_ms = after.mark, after.through_ms
    if mark is not None and mark != ledger.mark:
        ends = {source: covered.prefix_end for source, covered in mark.items()}
        found = context.log.surveyed(context.pipeline.name, ends)
        known = (through_ms, marked_through_ms(*found, ends) if found else None)
        # What was complete through a time stays so.
        through_ms = max((at for at in known if at is not None), default=None)
    return after._replace(through_ms=through_ms).onto(ledger)


def mark(context: PipelineContext, pause: Callable[[float], None], *, now_due: bool = False) -> str:
    """Commit the mark if it can move and was not committed lately; a line that says so, empty if it was not.

    If it is due now, it does not matter when it was committed.
    """
    pipeline, commit_id = context.pipeline, context.new_id()
    name, route = pipeline.dead_letter_table, pipeline.route
    assert route is not None
    moved: list[str] = []

    def draft() -> Land[None] | Done[None]:
        moved.clear()
        # The log before the table: what lands in between is not claimed. If the table then has a generation that the log did
        # not know, the log was rebuilt since, and what is read again is not in what was read of it.
        known = context.log.generations(pipeline.name, [name])
        now, now_ms = context.log.routed_progress(pipeline.name), int(context.log.now().timestamp() * 1000)
        state = load(context.log, context.tables, pipeline.name, name)
        ledger, newest = state.ledger, state.ledger_version
        if ledger is None or newest is None or ledger.paused or is_ahead(state, known):
            return Done(None)
        after = marking(context, ledger, now)
        is_early = not now_due and ledger.mark is not None and now_ms - newest.at_ms < route.mark_every_s * 1000
        if is_early or Marked.of(after) == Marked.of(ledger):
            return Done(None)
        moved.append(_line(ledger, after))
        return Land(state, context.change(replace(after, commit_id=commit_id), None), None)

    if (not now_due and _was_lately(context)) or context.log.bound_uuid(pipeline.name, name) is None:
        return ""
    until_landed(context.tables, name, draft, pause, State.NOTHING_CHANGED, "The next run tries again.")
    if moved:
        context.report(name)
    return "".join(moved)


def is_due(context: PipelineContext) -> bool:
    """Whether the mark can move, and was not committed lately; from the log alone."""
    log, name = context.log, context.pipeline.dead_letter_table
    if _was_lately(context) or (ledger := log.ledgers(context.pipeline.name, [name]).get(name)) is None:
        return False
    try:
        now = log.routed_progress(context.pipeline.name)
    except WalUnusable:
        # A recovery is under way, and moves it.
        return False
    return not ledger.paused and Marked.of(marking(context, ledger, now)) != Marked.of(ledger)


def _was_lately(context: PipelineContext) -> bool:
    """By the log's copy of the ledger, which may be older than the table; then the table decides. Most runs come too early."""
    route = context.pipeline.route
    assert route is not None
    marked_s_ago = context.log.marked_s_ago(context.pipeline.name, context.pipeline.dead_letter_table)
    return marked_s_ago is not None and marked_s_ago < route.mark_every_s


def _line(before: Ledger, after: Ledger) -> str:
    more = (after.mark.size if after.mark else 0) - (before.mark.size if before.mark else 0)
    said = [f"{counted(more, 'offset')} more are complete in all tables"] if more else []
    if new := sorted(after.behind.keys() - before.behind.keys()):
        logger.warning("behind, so that other tables do not wait: %s", ", ".join(new))
    said += [f"behind: {', '.join(sorted(after.behind))}"] if after.behind else []
    said += ["no table is behind"] if before.behind and not after.behind else []
    return "; ".join(said)
