"""Report where each source and table of a pipeline stands."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lakelock.config import Pipeline
from lakelock.config.table_sections import Table
from lakelock.errors import AccessDenied, HistoryMissing, TopicRecreated, WalUnusable
from lakelock.ingest.plan import current_sources
from lakelock.ingest.plan_decision import check_history, check_identity, not_shown
from lakelock.model.batches import LIVE, Batch, PartSummary
from lakelock.model.consistent_cut import RoutedProgress
from lakelock.model.lag import positions
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, offsets_in
from lakelock.model.overview import PipelineView
from lakelock.monitor.alerts import stops
from lakelock.monitor.cut_status import CutStatus, cut_status
from lakelock.monitor.table_status import TableStatus, tables_behind
from lakelock.ports import Broker, Clock, Log

logger = logging.getLogger(__name__)

MAX_DECISIONS = 5
# Open batches, then committed ones, newest first: at most this many in all.
PARTS = 20


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The position of one source. Offsets are next offsets; None is unknown or not applicable.

    * `committed` is the offset that every table has reached, and `unpaused_committed` the offset that every table has
      reached that is not paused.
    * `high_offset` is Kafka's high watermark, above `end_offset` while a transaction is open.
    * `lag_s` is the age of the oldest uncommitted record, and `unpaused_lag_s` that of the oldest one that a table
      lacks which is not paused.
    * `retention_left_s` is the time until Kafka's retention deletes that record, negative if it may be gone at any
      moment.
    * `retention_unknown`: something may be unread, but its age or Kafka's retention is unknown. If it is false, no
      `retention_left_s` means that nothing is deleted.
    """

    source: Source
    low_offset: int
    end_offset: int
    frontier: int
    committed: int
    lag_offsets: int
    lag_s: float | None
    retention_left_s: float | None
    retention_unknown: bool = False
    high_offset: int = field(kw_only=True)
    unpaused_committed: int = field(kw_only=True)
    unpaused_lag_s: float | None = field(kw_only=True)

    @property
    def unpaused(self) -> SourceStatus:
        """As the tables that are not paused see it."""
        committed, end = self.unpaused_committed, self.end_offset
        return replace(self, committed=committed, lag_offsets=max(0, end - committed), lag_s=self.unpaused_lag_s)


@dataclass(frozen=True, slots=True)
class UnclosedBatch:
    """A batch that is planned, and of which no table is known yet: its records decide which tables it is for."""

    batch_id: str
    lane: str
    ranges: tuple[OffsetRange, ...]
    offsets: int

    @classmethod
    def of(cls, batch: Batch) -> UnclosedBatch:
        ranges = tuple(p.range for p in batch.ranges)
        return cls(batch.batch_id, batch.lane, ranges, offsets_in(ranges))


@dataclass(frozen=True, slots=True)
class PipelineStatus:
    """One pipeline now; `parts` are open parts and the last commits, newest first, and so are `decisions`.

    * `sources` leaves out retired ones.
    * `rollbacks` has each table's last one: earlier commits may not be in the table.
    * `paused` has the decisions under which tables commit no batch.
    * `stopped` says why the next plan stops, if it does; `with_stops` adds why work waits.
    * `missing` were read before, but Kafka does not show them. They are not in `sources`, and their lag is unknown.
    * `valid_through_ms` has each table that was ever committed to; None if unknown.
    * `tables` has those that are behind first, by lag.
    * `unclosed` are batches of a pipeline with routes that have no parts yet.
    * `cut` is the consistent cut of a pipeline with routes; None without, and before the first one.
    """

    pipeline: str
    at: datetime
    sources: tuple[SourceStatus, ...]
    parts: tuple[PartSummary, ...]
    waiting_s: dict[str, float]
    decisions: tuple[str, ...] = ()
    rollbacks: tuple[str, ...] = ()
    paused: tuple[str, ...] = ()
    stopped: str = ""
    missing: tuple[Source, ...] = ()
    valid_through_ms: Mapping[str, int | None] = field(default_factory=dict)
    tables: tuple[TableStatus, ...] = ()
    unclosed: tuple[UnclosedBatch, ...] = ()
    cut: CutStatus | None = None

    @property
    def behind(self) -> list[TableStatus]:
        return [t for t in self.tables if t.open_offsets]

    @property
    def lag_offsets(self) -> int:
        return sum(s.lag_offsets for s in self.sources)


def _retention(broker: Broker, topics: set[str]) -> dict[str, int | None]:
    """Retention by topic, without topics whose settings the login may not read: the status does not need them."""
    try:
        found = broker.retention_ms(topics)
    except AccessDenied as fault:
        logger.warning("the retention of the topics is unknown: %s", fault)
        return {}
    if hidden := sorted(topics - set(found)):
        logger.warning("the retention of %s is unknown: grant the login DescribeConfigs", ", ".join(hidden))
    return found


def status(pipeline: Pipeline, log: Log, broker: Broker, clock: Clock, limit: int = PARTS) -> PipelineStatus:
    """Collect the status from Postgres and Kafka; no table is loaded."""
    known = log.streams(pipeline.name, LIVE)
    retired = {s.source for s in known if s.retired}
    sources = [s for s in current_sources(pipeline, known, broker) if s not in retired]
    spans = broker.watermarks(sources)
    stopped = ""
    try:
        check_identity(known, sources, pipeline.name)
        check_history(known, spans)
    except (TopicRecreated, HistoryMissing) as fault:
        stopped = f"{type(fault).__name__}: {fault}"
    streams = {s.source: s for s in known}
    accounts = log.accounts(pipeline.name)
    # As of the last commits.
    ledgers = accounts.seen
    starts = {s: streams[s].start_offset if s in streams else spans[s].low_offset for s in sources}
    listed = [t for t in pipeline.tables if not pipeline.is_routed(t.name)]
    progress = _progress(pipeline, log)
    reached = _reached(listed, ledgers, starts, progress.complete if progress else {})
    behind = {s: offset for s, offset in reached.items() if offset < spans[s].end_offset}
    oldest = broker.timestamps_at(behind)
    ends = {s: spans[s].end_offset for s in sources}
    unpaused_reached, unpaused_oldest = reached, oldest
    if paused := {name for name, ledger in ledgers.items() if ledger.paused}:
        unpaused = [t for t in listed if t.name not in paused]
        had = {s for t in unpaused if t.name in ledgers for s in ledgers[t.name].coverage}
        read = {
            s: start
            for s, start in starts.items()
            if pipeline.route or s in had or any(pipeline.takes(t, s.topic) for t in unpaused)
        }
        # Nothing waits for a source that only paused tables take.
        complete = progress.complete_but_for(paused) if progress else {}
        unpaused_reached = ends | _reached(unpaused, ledgers, read, complete)
        others = {s: offset for s, offset in unpaused_reached.items() if offset < ends[s] and offset != reached[s]}
        unpaused_oldest = {**oldest, **dict.fromkeys(others), **broker.timestamps_at(others)}
    rows = []
    first_requested = _first_requested(ledgers, sources)
    requested = broker.timestamps_at(first_requested)
    retention = _retention(broker, {s.topic for s in sources})
    now_ms = clock.now().timestamp() * 1000
    for source in sources:
        span = spans[source]
        # Ranges of a pending backfill are unread as well, although no table waits for them.
        unread = [ages.get(source) for ages, of in ((oldest, behind), (requested, first_requested)) if source in of]
        unread_s = [(now_ms - t) / 1000 for t in unread if t is not None]
        keeps_ms = retention.get(source.topic)
        limited = keeps_ms is not None or source.topic not in retention
        is_known = keeps_ms is not None and None not in unread
        rows.append(
            SourceStatus(
                source=source,
                low_offset=span.low_offset,
                end_offset=span.end_offset,
                high_offset=span.high_offset,
                frontier=streams[source].next_offset if source in streams else reached[source],
                committed=reached[source],
                lag_offsets=max(0, span.end_offset - reached[source]),
                lag_s=_age_s(oldest.get(source), now_ms) if source in behind else 0.0,
                unpaused_committed=unpaused_reached[source],
                unpaused_lag_s=_age_s(unpaused_oldest.get(source), now_ms)
                if unpaused_reached[source] < span.end_offset
                else 0.0,
                retention_left_s=keeps_ms / 1000 - max(0.0, *unread_s) if keeps_ms is not None and unread_s else None,
                retention_unknown=bool(unread) and limited and not is_known,
            )
        )
    staged_s = {table: s.age_s for table, s in log.staged_tables(pipeline.name).items()}
    keeps = {s: keeps_ms for s in sources if (keeps_ms := retention.get(s.topic)) is not None}
    tables = tables_behind([t.name for t in pipeline.tables], accounts, staged_s, keeps, broker, now_ms)
    return PipelineStatus(
        pipeline.name,
        clock.now(),
        tuple(rows),
        tuple(log.recent(pipeline.name, limit)),
        staged_s,
        _decisions(ledgers),
        tuple(f"{table}: {led.rollback.line}" for table, led in sorted(ledgers.items()) if led.rollback),
        tuple(f"{table}: {led.paused.line}" for table, led in sorted(ledgers.items()) if led.paused),
        stopped,
        tuple(not_shown(pipeline.source.topics, pipeline.source.topics_regex, known, sources)),
        {t.name: ledgers[t.name].valid_through_ms for t in pipeline.tables if t.name in ledgers},
        tables,
        tuple(UnclosedBatch.of(b) for b in (log.planned(pipeline.name) if pipeline.route else ()) if not b.closed),
        cut_status(ledgers.get(pipeline.dead_letter_table), tables) if pipeline.route else None,
    )


def with_stops(found: PipelineStatus, view: PipelineView | None) -> PipelineStatus:
    """*found*, and why work waits: the log, and the last look of the watch, know it. *view* is None before the first plan."""
    return replace(found, stopped="; ".join([*filter(None, [found.stopped]), *(stops(view) if view else ())]))


def _reached(
    tables: Sequence[Table], ledgers: Mapping[str, Ledger], starts: Mapping[Source, int], complete: Mapping[Source, int]
) -> dict[Source, int]:
    """For each source of *starts*, the offset that each of *tables* with it in its ledger has reached; at most *complete*."""
    reached = positions({t.name: ledgers[t.name].coverage for t in tables if t.name in ledgers})
    known = {**complete, **{s: min(offset, complete.get(s, offset)) for s, offset in reached.items()}}
    return {s: known.get(s, start) for s, start in starts.items()}


def _progress(pipeline: Pipeline, log: Log) -> RoutedProgress | None:
    """None without routes. A table that has no rows of a source is not behind."""
    if pipeline.route is None:
        return None
    try:
        return log.routed_progress(pipeline.name)
    except WalUnusable as fault:
        logger.warning("the lag is shown from the start of the topics: %s", fault)
        return None


def _age_s(at_ms: int | None, now_ms: float) -> float | None:
    return None if at_ms is None else max(0.0, (now_ms - at_ms) / 1000)


def _first_requested(ledgers: Mapping[str, Ledger], sources: Sequence[Source]) -> dict[Source, int]:
    """The first offset of each source that a backfill has yet to load into some table."""
    out: dict[Source, int] = {}
    for r in (r for ledger in ledgers.values() for r in ledger.coverage.requested if r.source in sources):
        out[r.source] = min(r.start, out.get(r.source, r.start))
    return out


def _decisions(ledgers: Mapping[str, Ledger]) -> tuple[str, ...]:
    """The newest decisions of all tables, each with its table's name."""
    found = [(d.at, table, d) for table, ledger in ledgers.items() for d in ledger.decisions]
    newest = sorted(found, key=lambda f: f[:2], reverse=True)[:MAX_DECISIONS]
    return tuple(f"{table}: {d.line}" for _, table, d in newest)
