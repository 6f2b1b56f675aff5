"""plan: decide which offsets the next batch reads, and record them before anything is read."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from lakelock.config import Pipeline
from lakelock.errors import Terminal, WalUnusable
from lakelock.ingest import pace
from lakelock.ingest import plan_decision as decisions
from lakelock.ingest.outcome import PlanOutcome, held_back, listed
from lakelock.model.batches import LIVE, Batch, StreamState, is_backfill
from lakelock.model.offsets import Source, offsets_in
from lakelock.model.units import counted
from lakelock.model.valid_through import surveyed
from lakelock.ports import Broker, Log, Watermarks

logger = logging.getLogger(__name__)


def plan(
    pipeline: Pipeline,
    log: Log,
    broker: Broker,
    *,
    new_id: Callable[[], str],
    table_fault: Callable[[str], Terminal | None],
    publish_due: bool = False,
    max_records: int | None = None,
    dry_run: bool = False,
    passed_over: Collection[str] = (),
    stop_at: decisions.StopAt | None = None,
) -> PlanOutcome:
    """The oldest batch that still has a part to write, else a new batch, else nothing.

    *table_fault* tells why a table cannot be written now: parts of such a table wait, its siblings go on, and only when
    no table can be written is its error raised. Batches *passed_over* could not be written just now: the tables that such
    a batch is open for hold up no other, unless they are all of the pipeline's, and nothing new is planned for them alone.
    *stop_at* bounds new batches; one that is planned already is written whole.
    """
    if stop_at is not None and stop_at.offsets:
        # Also where no new batch is planned: a wrong name must not pass unseen.
        sources = current_sources(pipeline, log.streams(pipeline.name, LIVE), broker)
        decisions.stops(stop_at, sources, {})
    # Where a rollback was begun, a commit task finds out whether it landed.
    staged = bool(log.staged_tables(pipeline.name) or log.unsettled(pipeline.name))
    # A backfill's own runs write what it asked for, beside this.
    open_batches = [b for b in log.planned(pipeline.name) if not is_backfill(b.lane)]
    faults = {name: table_fault(name) for name in _open_tables(open_batches)}
    all_tables = {t.name for t in pipeline.tables}
    failed = [set(b.planned_tables) for b in open_batches if b.batch_id in passed_over]
    stuck = {t for tables in failed if not all_tables <= tables for t in tables}
    for batch in open_batches:
        if set(batch.planned_tables) <= stuck:
            continue
        if any(faults[t] is None for t in batch.planned_tables):
            ranges = [p.range for p in batch.ranges]
            line = f"goes on with batch {batch.batch_id}: {listed(ranges)}, {counted(offsets_in(ranges), 'offset')}"
            if stop_at is not None:
                line += "; it was planned before and is written whole, wherever this run is to stop"
            return PlanOutcome(None if dry_run else batch.batch_id, staged, publish_due, line)
    blocked = [fault for fault in faults.values() if fault is not None]
    if len(blocked) == len(faults) and blocked and all_tables <= set(faults):
        raise blocked[0]

    if not log.begun(pipeline.name):
        # A log that was lost would begin where the file says, not where the tables are.
        for table in pipeline.tables:
            if isinstance(fault := table_fault(table.name), WalUnusable):
                raise fault
    # Before Kafka is asked: what came since is no part of what it says.
    at_ms = int(log.now().timestamp() * 1000)
    streams, starts, spans = survey(pipeline, log, broker)
    # What only such tables take would fault like the batch before it.
    feeding = {s: span for s, span in spans.items() if _feeds_any(pipeline, s.topic, stuck)}
    before = _stops(stop_at, list(spans), broker)
    decided = _decided(
        pipeline, log, broker, lambda most: decisions.plan(streams, starts, feeding, most, before), max_records
    )
    ranges = [p.range for p in decided.ranges]
    if not ranges:
        if (starts or not streams) and not dry_run:
            # Declared now, or "latest" would mean another place at the next run and skip what came between.
            tables = {t.name: () for t in pipeline.tables}
            log.plan(pipeline.name, LIVE, new_id(), pipeline.resolved(), pipeline.digest, (), starts, tables)
        where = " before where it is to stop" if before else ""
        line = f"nothing to read in {counted(len(spans), 'partition')}{where}{held_back(decided.held_back)}"
        return PlanOutcome(None, staged, publish_due, line, is_stopped=bool(decided.held_back))
    line = (
        f"{listed(ranges)}: {counted(offsets_in(ranges), 'offset')}, {decided.backlog_offsets} left for later batches"
    )
    line += held_back(decided.held_back)
    if dry_run:
        line = f"dry run, nothing recorded: {line}"
        return PlanOutcome(None, staged, publish_due, line, decided.backlog_offsets, offsets=offsets_in(ranges))
    topics = sorted({r.source.topic for r in ranges})
    batch_id = new_id()
    log.plan(
        pipeline.name,
        LIVE,
        batch_id,
        pipeline.resolved(),
        pipeline.digest,
        decided.ranges,
        starts,
        {t.name: taken for t in pipeline.tables if (taken := [x for x in topics if pipeline.takes(t, x)])},
        surveyed(at_ms, streams, starts, {s: span.high_offset for s, span in spans.items()}, decided.ranges),
    )
    line = f"batch {batch_id}: {line}"
    return PlanOutcome(
        batch_id, staged, publish_due, line, decided.backlog_offsets, is_new=True, offsets=offsets_in(ranges)
    )


def _decided(
    pipeline: Pipeline,
    log: Log,
    broker: Broker,
    plan: Callable[[int], decisions.PlannedOffsets],
    max_records: int | None,
) -> decisions.PlannedOffsets:
    """Of all that may be read about as much as has the bytes and takes the time that a batch may, as far as that is known."""
    decided = plan(max_records or pipeline.batch.max_records)
    ranges, by_size = [p.range for p in decided.ranges], None
    if not ranges:
        return decided
    if (there := offsets_in(ranges)) >= pace.WEIGHED_FROM:
        by_size = pace.offsets_in_size(broker.record_bytes(ranges), pipeline.batch.max_bytes)
    by_time = pace.offsets_in_time(log.paces(pipeline.name), pipeline.job_s)
    fitting = min(n for n in (there, by_size, by_time) if n is not None)
    return plan(fitting) if fitting < there else decided


def survey(
    pipeline: Pipeline, log: Log, broker: Broker
) -> tuple[list[StreamState], dict[Source, int], dict[Source, Watermarks]]:
    """Known streams, declared starts of sources seen for the first time, and what Kafka holds, checked for loss."""
    streams = log.streams(pipeline.name, LIVE)
    sources = current_sources(pipeline, streams, broker)
    decisions.check_identity(streams, sources, pipeline.name)
    spans = broker.watermarks(sources)
    decisions.check_history(streams, spans)
    known = {s.source for s in streams}
    # Only the first plan follows source.start: what appears later was never skipped on purpose.
    begun = bool(known) or log.begun(pipeline.name)
    declared: str | Mapping[str, Mapping[int, int]] | datetime = "earliest" if begun else pipeline.source.start
    unseen = [s for s in sources if s not in known]
    at_time: dict[Source, int] = {}
    if isinstance(declared, datetime):
        at_time = broker.offsets_at(unseen, int(declared.timestamp() * 1000))
        declared = "time"
    return streams, {s: decisions.start_offset(declared, s, spans[s], at_time) for s in unseen}, spans


def current_sources(pipeline: Pipeline, streams: Sequence[StreamState], broker: Broker) -> list[Source]:
    """What the pipeline file names and Kafka has; a named topic that is absent is TopicMissing unless it was retired."""
    topics, topics_regex = decisions.still_named(pipeline.source.topics, pipeline.source.topics_regex, streams)
    return broker.sources(topics, topics_regex)


def _stops(asked: decisions.StopAt | None, sources: list[Source], broker: Broker) -> dict[Source, int]:
    if asked is None:
        return {}
    at_time: dict[Source, int] = {}
    if asked.time is not None:
        # Below zero Kafka means other things.
        at_time = broker.offsets_at(sources, max(0, math.ceil(asked.time.timestamp() * 1000)))
    return decisions.stops(asked, sources, at_time)


def _feeds_any(pipeline: Pipeline, topic: str, stuck: set[str]) -> bool:
    """Whether a table takes the topic that is not *stuck*; one that no table takes is read past as ever."""
    taking = {t.name for t in pipeline.tables if pipeline.takes(t, topic)}
    return not taking or not taking <= stuck


def _open_tables(batches: list[Batch]) -> list[str]:
    return sorted({t for b in batches for t in b.planned_tables})
