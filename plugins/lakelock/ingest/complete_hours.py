"""Find the hours that are complete in each table and not reported yet."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from lakelock.config import Pipeline
from lakelock.config.table_sections import Table
from lakelock.errors import HistoryMissing, LakelockError, TopicRecreated
from lakelock.ingest import bind as binding
from lakelock.ingest import hours_decision as decisions
from lakelock.ingest.hours_decision import SourceProgress
from lakelock.ingest.plan import survey
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import Source
from lakelock.ports import Broker, Log, Tables, Watermarks

logger = logging.getLogger(__name__)

Reported = Mapping[str, datetime | None]
Positions = dict[Source, int]


@dataclass(frozen=True, slots=True)
class CompleteHours:
    """Complete hours of a table: its snapshot `version_id` has every record stamped before `valid_through`."""

    table: str
    hours: tuple[datetime, ...]
    valid_through: datetime
    version_id: int | None

    @property
    def line(self) -> str:
        first, last = decisions.key_of(self.hours[0]), decisions.key_of(self.hours[-1])
        reported = f"hour {first}" if first == last else f"hours {first} to {last}"
        return f"{self.table}: complete: {reported}; valid through {_text(self.valid_through)}"


def waiting(pipeline: Pipeline, log: Log, max_lateness: timedelta, reported: Reported) -> list[Table]:
    """Tables that would have an hour to report if they had every record; *reported* has the last reported hour of each."""
    at, begun = log.now(), log.ledgers(pipeline.name)
    return [
        t for t in pipeline.tables if t.name in begun and decisions.may_be_due(at, max_lateness, reported.get(t.name))
    ]


def complete_hours(
    pipeline: Pipeline, log: Log, broker: Broker, tables: Tables, max_lateness: timedelta, reported: Reported
) -> list[CompleteHours]:
    """Complete hours of each table that come after the last reported one (*reported*).

    The log's copies of the ledgers select the candidates. Each candidate is then read from the catalog, which decides.
    """
    due = waiting(pipeline, log, max_lateness, reported)
    if not due:
        return []
    # Taken before the requests to Kafka, because later records are not part of the answer.
    at = log.now()
    try:
        kafka = _Kafka(pipeline, log, *survey(pipeline, log, broker))
    except (HistoryMissing, TopicRecreated) as fault:
        logger.warning("no hour is complete: %s", fault)
        return []
    ledgers = log.ledgers(pipeline.name)
    reached = {t.name: kafka.positions(t, ledgers[t.name].coverage) for t in due}
    stamps = _stamps(broker, kafka.spans, list(reached.values()))
    out = []
    for table in due:
        standings = [
            SourceProgress(offset, kafka.spans[s].low_offset, kafka.spans[s].high_offset, stamps.get((s, offset)))
            for s, offset in reached[table.name].items()
        ]
        through = None if kafka.hides_some_of(table) else decisions.valid_through(at, max_lateness, standings)
        hours = [] if through is None else decisions.complete(through, reported.get(table.name))
        if through is None or not hours:
            logger.info(
                "%s: %s", table.name, f"valid through {_text(through)}" if through else "valid through: unknown"
            )
            continue
        try:
            state = binding.load(log, tables, pipeline.name, table.name)
        except LakelockError as fault:
            logger.warning("%s: no hour is reported: %s", table.name, fault)
            continue
        now = kafka.positions(table, state.ledger.coverage) if state.ledger is not None else {}
        if any(now.get(source, -1) < offset for source, offset in reached[table.name].items()):
            # The table was set back, and the log has not followed yet.
            logger.warning(
                "%s: no hour is reported: the table has fewer offsets than the write-ahead log records", table.name
            )
            continue
        out.append(CompleteHours(table.name, tuple(hours), through, state.head_id))
    return out


class _Kafka:
    """The sources of a pipeline, as the log knows them and as Kafka holds them, for all of its tables."""

    def __init__(
        self,
        pipeline: Pipeline,
        log: Log,
        streams: Sequence[StreamState],
        starts: Mapping[Source, int],
        spans: Mapping[Source, Watermarks],
    ) -> None:
        self.pipeline, self.log, self.starts, self.spans = pipeline, log, starts, spans
        self.streams = {s.source: s for s in streams}

    def hides_some_of(self, table: Table) -> bool:
        """Whether Kafka no longer shows a source that a regular expression found: its last records may be missing."""
        known = [s for s, stream in self.streams.items() if not stream.retired and self.pipeline.takes(table, s.topic)]
        return any(s not in self.spans for s in known)

    def positions(self, table: Table, coverage: Coverage) -> Positions:
        """The first offset that the table lacks, per source that it takes, with a ledger of this *coverage*."""
        declared = self.log.declared_starts(self.pipeline.name, table.name)
        out: Positions = {}
        for source in self.spans:
            stream, covered = self.streams.get(source), coverage.get(source)
            retired = (stream is not None and stream.retired) or (covered is not None and covered.retired)
            if retired or not self.pipeline.takes(table, source.topic):
                continue
            if covered is not None:
                out[source] = covered.complete_to
            elif source in declared:
                out[source] = declared[source]
            else:
                # The table's first batch of this source will begin here.
                out[source] = stream.next_offset if stream is not None else self.starts[source]
        return out


def _stamps(
    broker: Broker, spans: Mapping[Source, Watermarks], reached: Sequence[Positions]
) -> dict[tuple[Source, int], int | None]:
    """Timestamps of the first records from each position on, except for positions at Kafka's end.

    One request for all sources is enough if the tables are at the same positions.
    """
    wanted = {(s, o) for positions in reached for s, o in positions.items() if o < spans[s].high_offset}
    out: dict[tuple[Source, int], int | None] = {}
    while wanted:
        requested = dict(sorted(wanted))
        out |= {(source, requested[source]): stamp for source, stamp in broker.timestamps_at(requested).items()}
        wanted -= set(requested.items())
    return out


def _text(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
