"""status: where every source and table of a pipeline stands."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from lakelock.config import Pipeline
from lakelock.errors import AccessDenied, HistoryMissing, TopicRecreated
from lakelock.ingest.plan import current_sources
from lakelock.ingest.plan_decision import check_history, check_identity, not_shown
from lakelock.ingest.publish import committed_offsets
from lakelock.model.batches import LIVE, PartSummary
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import Source
from lakelock.ports import Broker, Clock, Log

logger = logging.getLogger(__name__)

MAX_DECISIONS = 5


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """Offsets are next offsets; `committed` is what every table has; None where it is not known or does not apply.

    `high_offset` is Kafka's high watermark, above `end_offset` while a transaction is open. `lag_s` is the age of the oldest
    record that is not committed; `retention_left_s` the time until Kafka's retention deletes it, negative when it may be gone
    any moment. `retention_unknown`: something may be unread, and the age of it or what Kafka keeps could not be learned, so
    that the time left is not known; without it, no time left means that nothing is deleted.
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


@dataclass(frozen=True, slots=True)
class PipelineStatus:
    """One pipeline now; `parts` are open parts and the last commits, newest first, and so are `decisions`.

    What was retired is not among the sources. `rollbacks` has each table's last one: commits before it may not be in it.
    `paused` has the decisions under which tables commit no batch.
    `stopped` says why the next plan stops, if it does. `missing` were read before, and Kafka does not show them: they are not
    among the sources, and nobody knows how far they are behind. `valid_through_ms` has each table that was ever committed to;
    None if it is not known.
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

    @property
    def lag_offsets(self) -> int:
        return sum(s.lag_offsets for s in self.sources)


def _retention(broker: Broker, topics: set[str]) -> dict[str, int | None]:
    """Without the topics whose settings the login may not read: the rest of the status does not need them."""
    try:
        found = broker.retention_ms(topics)
    except AccessDenied as fault:
        logger.warning("how long Kafka keeps the records is not known: %s", fault)
        return {}
    if hidden := sorted(topics - set(found)):
        logger.warning(
            "how long Kafka keeps the records of %s is not known: grant the login DescribeConfigs", ", ".join(hidden)
        )
    return found


def status(pipeline: Pipeline, log: Log, broker: Broker, clock: Clock, limit: int = 20) -> PipelineStatus:
    """Reads Postgres and Kafka only; no table is loaded."""
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
    committed = committed_offsets(log, pipeline.name, [t.name for t in pipeline.tables])
    rows = []
    reached = {s: committed.get(s, streams[s].start_offset if s in streams else spans[s].low_offset) for s in sources}
    behind = {s: offset for s, offset in reached.items() if offset < spans[s].end_offset}
    oldest = broker.timestamps_at(behind)
    # As the last commits told the log.
    ledgers = log.ledgers(pipeline.name)
    first_asked = _first_asked(ledgers, sources)
    asked = broker.timestamps_at(first_asked)
    retention = _retention(broker, {s.topic for s in sources})
    now_ms = clock.now().timestamp() * 1000
    for source in sources:
        span, at = spans[source], oldest.get(source)
        age_s = None if at is None else max(0.0, (now_ms - at) / 1000)
        # What a backfill is to bring is still to be read, too, though nothing waits for it.
        unread = [ages.get(source) for ages, of in ((oldest, behind), (asked, first_asked)) if source in of]
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
                lag_s=age_s if source in behind else 0.0,
                retention_left_s=keeps_ms / 1000 - max(0.0, *unread_s) if keeps_ms is not None and unread_s else None,
                retention_unknown=bool(unread) and limited and not is_known,
            )
        )
    return PipelineStatus(
        pipeline.name,
        clock.now(),
        tuple(rows),
        tuple(log.recent(pipeline.name, limit)),
        log.staged_tables(pipeline.name),
        _decisions(ledgers),
        tuple(f"{table}: {led.rollback.line}" for table, led in sorted(ledgers.items()) if led.rollback),
        tuple(f"{table}: {led.paused.line}" for table, led in sorted(ledgers.items()) if led.paused),
        stopped,
        tuple(not_shown(pipeline.source.topics, pipeline.source.topics_regex, known, sources)),
        {t.name: ledgers[t.name].valid_through_ms for t in pipeline.tables if t.name in ledgers},
    )


def _first_asked(ledgers: Mapping[str, Ledger], sources: Sequence[Source]) -> dict[Source, int]:
    """The first offset of each source that a backfill is still to bring to some table."""
    out: dict[Source, int] = {}
    for r in (r for ledger in ledgers.values() for r in ledger.coverage.asked if r.source in sources):
        out[r.source] = min(r.start, out.get(r.source, r.start))
    return out


def _decisions(ledgers: Mapping[str, Ledger]) -> tuple[str, ...]:
    """The last ones, each table's with its name."""
    found = [(d.at, table, d) for table, ledger in ledgers.items() for d in ledger.decisions]
    newest = sorted(found, key=lambda f: f[:2], reverse=True)[:MAX_DECISIONS]
    return tuple(f"{table}: {d.line}" for _, table, d in newest)
