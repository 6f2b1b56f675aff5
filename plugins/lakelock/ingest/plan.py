"""Decide which offsets the next batch reads, and record them before anything is read."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, State, Terminal, WalUnusable
from lakelock.ingest import pace
from lakelock.ingest import plan_decision as decisions
from lakelock.ingest.outcome import PlanOutcome, listed, withheld
from lakelock.model.batches import LIVE, Batch, StreamState, is_backfill
from lakelock.model.offsets import OffsetRange, Source, offsets_in
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
    refuse_edited: Callable[[Sequence[OffsetRange]], None] = lambda ranges: None,
    publish_due: bool = False,
    max_records: int | None = None,
    dry_run: bool = False,
    passed_over: Collection[str] = (),
    stop_at: decisions.StopAt | None = None,
) -> PlanOutcome:
    """The oldest batch that still has a part to write, else a new batch, else nothing.

    *table_fault* returns why a table cannot be written now. Parts of such a table wait while other tables continue;
    its error is raised only if no table can be written. *refuse_edited* raises an error if new ranges must not be planned
    under the file. *passed_over* are batches that could not be written just now: tables with a part in them hold up no
    other table, unless they are all tables of the pipeline, and nothing new is planned for them alone. *stop_at* bounds
    new batches; a batch that is planned already is written whole.
    """
    if stop_at is not None and stop_at.offsets:
        # Checked even if no new batch is planned: a wrong name must not go unnoticed.
        sources = current_sources(pipeline, log.streams(pipeline.name, LIVE), broker)
        decisions.stops(stop_at, sources, {})
    refuse_other_tables(pipeline, log)
    # If a rollback was begun, a commit task finds out whether it landed.
    staged = bool(log.staged_tables(pipeline.name) or log.unsettled(pipeline.name))
    # Backfill runs write their own batches.
    open_batches = [b for b in log.planned(pipeline.name) if not is_backfill(b.lane)]
    faults = {name: table_fault(name) for name in _open_tables(open_batches)}
    # The records of a pipeline with routes may always be for other tables than those that cannot be written.
    all_tables = None if pipeline.route else {t.name for t in pipeline.entries}
    failed = [set(b.planned_tables) for b in open_batches if b.batch_id in passed_over]
    stuck = {t for tables in failed if all_tables is None or not all_tables <= tables for t in tables}
    for batch in open_batches:
        if batch.closed and set(batch.planned_tables) <= stuck:
            continue
        if not batch.closed or any(faults[t] is None for t in batch.planned_tables):
            ranges = [p.range for p in batch.ranges]
            line = f"continues with batch {batch.batch_id}: {listed(ranges)}, {counted(offsets_in(ranges), 'offset')}"
            if stop_at is not None:
                line += "; it was planned before and is written in full, regardless of where this run stops"
            return PlanOutcome(None if dry_run else batch.batch_id, staged, publish_due, line)
    blocked = [fault for fault in faults.values() if fault is not None]
    if len(blocked) == len(faults) and blocked and all_tables is not None and all_tables <= set(faults):
        raise blocked[0]

    if not log.begun(pipeline.name):
        # After the loss of the log, planning would begin where the file says, not where the tables are.
        for name in [*(t.name for t in pipeline.entries), *([pipeline.dead_letter_table] if pipeline.route else [])]:
            if isinstance(fault := table_fault(name), WalUnusable):
                raise fault
    # Taken before the requests to Kafka, so that the survey claims nothing about later records.
    at_ms = int(log.now().timestamp() * 1000)
    streams, starts, spans = survey(pipeline, log, broker)
    # Topics that only stuck tables take would fail like the batch before.
    feeding = {s: span for s, span in spans.items() if pipeline.route or _feeds_any(pipeline, s.topic, stuck)}
    before = _stops(stop_at, list(spans), broker)
    decided = _decided(
        pipeline, log, broker, lambda most: decisions.plan(streams, starts, feeding, most, before), max_records
    )
    ranges = [p.range for p in decided.ranges]
    if not ranges:
        if (starts or not streams) and not dry_run:
            # Declare the starts now: "latest" would be another place at the next run and skip the records in between.
            tables = dict.fromkeys(
                [*(t.name for t in pipeline.entries), *([pipeline.dead_letter_table] if pipeline.route else [])], ()
            )
            log.plan(pipeline.name, LIVE, new_id(), pipeline.resolved(), pipeline.digest, (), starts, tables)
        where = " before this run's stop" if before else ""
        line = f"nothing to read in {counted(len(spans), 'partition')}{where}{withheld(decided.withheld)}"
        return PlanOutcome(None, staged, publish_due, line, is_stopped=bool(decided.withheld))
    line = (
        f"{listed(ranges)}: {counted(offsets_in(ranges), 'offset')}, {decided.backlog_offsets} left for later batches"
    )
    line += withheld(decided.withheld)
    refuse_edited(ranges)
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
        pipeline.taken_by_entries(topics),
        surveyed(at_ms, streams, starts, {s: span.high_offset for s, span in spans.items()}, decided.ranges),
        closed=pipeline.route is None,
    )
    line = f"batch {batch_id}: {line}"
    return PlanOutcome(
        batch_id, staged, publish_due, line, decided.backlog_offsets, is_new=True, offsets=offsets_in(ranges)
    )


def refuse_other_tables(pipeline: Pipeline, log: Log) -> None:
    """Raise ConfigFaults if a table that rules made would be none of theirs any more."""
    if pipeline.route is not None:
        own = [*(t.name for t in pipeline.entries), pipeline.dead_letter_table]
        of_rules = {*log.routed(pipeline.name, own), *log.retirements(pipeline.name)}
        if taken := sorted(of_rules.intersection(own)):
            raise ConfigFaults(
                f"the file of pipeline {pipeline.name!r} names {taken[0]}, but rules made this table: a recovery would route its "
                "records.",
                State.NOTHING_CHANGED,
                "Remove this name from the file, and give the table its records with a rule.",
            )
        return
    if not log.has_routed(pipeline.name):
        return
    routed = sorted({**log.routed(pipeline.name), **log.retirements(pipeline.name)})
    shown = ", ".join(routed[:3]) + (", …" if len(routed) > 3 else "")
    raise ConfigFaults(
        f"the file of pipeline {pipeline.name!r} has no `route`, but rules made {counted(len(routed), 'table')} ({shown}), which "
        "would get no further commits.",
        State.NOTHING_CHANGED,
        "Put `route` back; its rules may make no further tables.",
    )


def _decided(
    pipeline: Pipeline,
    log: Log,
    broker: Broker,
    plan: Callable[[int], decisions.PlannedOffsets],
    max_records: int | None,
) -> decisions.PlannedOffsets:
    """Plan as much as fits the limits of a batch in records, bytes and time, as far as bytes and time are known."""
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
    """Known streams, declared starts of sources seen for the first time, and Kafka's watermarks, checked for loss.

    Raises TopicRecreated and HistoryMissing.
    """
    streams = log.streams(pipeline.name, LIVE)
    sources = current_sources(pipeline, streams, broker)
    decisions.check_identity(streams, sources, pipeline.name)
    spans = broker.watermarks(sources)
    decisions.check_history(streams, spans)
    known = {s.source for s in streams}
    # Only the first plan follows source.start: a source that appears later was never skipped on purpose.
    begun = bool(known) or log.begun(pipeline.name)
    declared: str | Mapping[str, Mapping[int, int]] | datetime = "earliest" if begun else pipeline.source.start
    unseen = [s for s in sources if s not in known]
    at_time: dict[Source, int] = {}
    if isinstance(declared, datetime):
        at_time = broker.offsets_at(unseen, int(declared.timestamp() * 1000))
        declared = "time"
    return streams, {s: decisions.start_offset(declared, s, spans[s], at_time) for s in unseen}, spans


def current_sources(pipeline: Pipeline, streams: Sequence[StreamState], broker: Broker) -> list[Source]:
    """Sources that the pipeline file names and Kafka has.

    Raises TopicMissing for a named topic that is absent, unless it was retired.
    """
    topics, topics_regex = decisions.still_named(pipeline.source.topics, pipeline.source.topics_regex, streams)
    return broker.sources(topics, topics_regex)


def _stops(requested: decisions.StopAt | None, sources: list[Source], broker: Broker) -> dict[Source, int]:
    if requested is None:
        return {}
    at_time: dict[Source, int] = {}
    if requested.time is not None:
        # Kafka gives negative timestamps other meanings.
        at_time = broker.offsets_at(sources, max(0, math.ceil(requested.time.timestamp() * 1000)))
    return decisions.stops(requested, sources, at_time)


def _feeds_any(pipeline: Pipeline, topic: str, stuck: set[str]) -> bool:
    """Whether any table that takes the topic is not *stuck*. A topic that no table takes is read past as usual."""
    taking = {t.name for t in pipeline.tables if pipeline.takes(t, topic)}
    return not taking or not taking <= stuck


def _open_tables(batches: list[Batch]) -> list[str]:
    return sorted({t for b in batches for t in b.planned_tables})
