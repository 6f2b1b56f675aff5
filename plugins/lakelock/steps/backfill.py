"""backfill: an interval of record timestamps is asked for in the tables, written in batches of its own, and committed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lakelock.core import backfill as decisions
from lakelock.core.backfill import Share
from lakelock.core.batch import LIVE, Batch, is_backfill
from lakelock.core.decisions import Decided, What
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange, Source, offsets_in, overlap
from lakelock.core.plan import check_identity
from lakelock.errors import (
    BackfillRefused,
    BackfillUnfinished,
    BatchBusy,
    Fenced,
    LedgerDetached,
    Terminal,
)
from lakelock.ports import Broker, Change, Clock, Log, TableState
from lakelock.steps.follow import Follower
from lakelock.steps.landing import until_landed
from lakelock.steps.outcome import WriteOutcome, listed
from lakelock.steps.plan import current_sources

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Span:
    """Records with a timestamp in `[start, end)`, and *table* that is to get them (None: all that take the topics).

    Per source it is the offsets from the first record of *start* or later to the first of *end* or later: where producers
    write timestamps out of order, some records in between are of another time.
    """

    start: datetime
    end: datetime
    table: str | None = None

    @property
    def text(self) -> str:
        return f"{self.start.isoformat()} to {self.end.isoformat()}"


@dataclass(frozen=True, slots=True)
class BackfillPlan:
    """What a backfill of *span* means by table; one that cannot be read now, or never was written to, is in *left_out*."""

    span: Span
    interval: tuple[OffsetRange, ...]
    shares: dict[str, Share]
    left_out: dict[str, str]

    @property
    def nothing(self) -> bool:
        return all(share.nothing for share in self.shares.values())

    @property
    def lines(self) -> list[str]:
        """What a person reads before approving."""
        out = [
            f"backfill of records of {self.span.text}: {offsets_in(self.interval)} offsets in {len(self.interval)} partitions"
        ]
        for table, share in self.shares.items():
            for ranges, what in (
                (share.asking, "is asked for, and read from Kafka"),
                (share.waiting, "was asked for before, and is not there yet"),
                (share.dropped, "would be asked for, but Kafka no longer has it"),
                (share.others, "is in the table already, from another pipeline"),
            ):
                if ranges:
                    out.append(f"{table}: {offsets_in(ranges)} offsets: {listed(ranges)} {what}")
            if share.nothing:
                out.append(f"{table}: nothing to bring: of this it has, or gets by itself, what it is to have")
        return [*out, *(f"{table}: left out: {why}" for table, why in self.left_out.items())]


@dataclass(frozen=True, slots=True)
class Backfills:
    """Backfills of one pipeline, beside its other runs."""

    follower: Follower
    broker: Broker
    clock: Clock
    pause: Callable[[float], None]

    def plan(self, span: Span) -> BackfillPlan:
        """Changes nothing. Raises BackfillRefused where the span or its table cannot be meant."""
        interval, lows = self._interval(span)
        shares, left_out = {}, {}
        for name in self._tables(span, interval):
            try:
                state, ledger = self._loaded(name)
            except Terminal as fault:
                left_out[name] = str(fault)
                continue
            shares[name] = self._share(state, ledger, interval, lows)
        return BackfillPlan(span, tuple(interval), shares, left_out)

    def ask(self, span: Span, who: str, why: str) -> BackfillPlan:
        """One commit without files in each table that is asked for more, then its batches are planned; again it changes
        nothing, but for batches that an earlier try did not come to plan."""
        planned = self.plan(span)
        said = Decided(
            What.BACKFILL, self.clock.now().replace(microsecond=0), who, why, decisions.about(span.start, span.end)
        )
        for table, share in planned.shares.items():
            if not share.nothing:
                self._ask(table, list(planned.interval), said)
        return planned

    def waiting(self) -> dict[str, Ledger]:
        """Ledgers of tables that were asked for what they have not got yet, or that backfill batches are planned for."""
        pipeline = self.follower.pipeline
        planned = {t for b in open_batches(self.follower.log, pipeline.name, None) for t in b.planned_tables}
        out = {}
        for table in pipeline.tables:
            try:
                ledger = self._loaded(table.name)[1]
            except Terminal as fault:
                logger.warning("%s is left out: %s", table.name, fault)
                continue
            if table.name in planned or any(pipeline.feeds(table.name, r.source.topic) for r in ledger.coverage.asked):
                out[table.name] = ledger
        return out

    def go_on(self) -> list[str]:
        """Plans what was asked for and is not planned, as where an earlier try did not come to it; the tables that wait."""
        waiting = self.waiting()
        for table, ledger in waiting.items():
            self.follower.log.fill(self.follower.pipeline.name, table, ledger, self.follower.redo())
        return list(waiting)

    def check(self, planned: BackfillPlan) -> None:
        """Raises BackfillRefused where a table was left out, BackfillUnfinished where one still waits for some of it."""
        if planned.left_out:
            raise BackfillRefused(
                f"a backfill of pipeline {self.follower.pipeline.name!r} left out {'; '.join(planned.left_out.values())} What "
                "others were to get is kept. Mend it, then run the same again."
            )
        left = []
        for table in planned.shares:
            _, ledger = self._loaded(table)
            if waiting := overlap(planned.interval, ledger.coverage.asked):
                left.append(f"{table}: {offsets_in(waiting)} offsets: {listed(waiting)}")
        if left:
            raise BackfillUnfinished(
                f"a backfill of pipeline {self.follower.pipeline.name!r} is not at its end: {'; '.join(left)}. What was written "
                "is kept; another run writes the rest, or the next one does."
            )

    def _ask(self, table: str, interval: list[OffsetRange], said: Decided) -> None:
        commit_id = self.follower.new_id()
        after: list[Ledger] = []

        def draft() -> tuple[TableState, Change] | None:
            state, ledger = self._loaded(table)
            lows = {s: w.low_offset for s, w in self.broker.watermarks(sorted({r.source for r in interval})).items()}
            asking = self._share(state, ledger, interval, lows).asking
            if asking:
                ledger = replace(
                    ledger,
                    commit_id=commit_id,
                    coverage=ledger.coverage.asking(asking, self._starts(table)),
                    decisions=decisions.decided(ledger.decisions, replace(said, ranges=asking)),
                )
            after.append(ledger)
            return (state, self.follower.change(ledger)) if asking else None

        undone = "It was not asked for; run the same again."
        snapshot_id = until_landed(self.follower.tables, table, draft, self.pause, undone)
        if snapshot_id is not None:
            logger.info("%s: snapshot %s: %s", table, snapshot_id, after[-1].decisions[-1].line)
        self.follower.log.fill(self.follower.pipeline.name, table, after[-1], self.follower.redo())

    def _interval(self, span: Span) -> tuple[list[OffsetRange], dict[Source, int]]:
        """Offsets of the span by source, and where Kafka begins."""
        if span.start >= span.end:
            raise BackfillRefused(f"{span.text}: the end must be after the start. Nothing was changed.")
        pipeline, log = self.follower.pipeline, self.follower.log
        streams = log.streams(pipeline.name, LIVE)
        sources = current_sources(pipeline, streams, self.broker)
        check_identity(streams, sources, pipeline.name)
        known = sorted({s.source for s in streams} & set(sources))
        if not known:
            raise BackfillRefused(
                f"pipeline {pipeline.name!r} has read nothing yet, so nothing is missing. Nothing was changed. Let it run first, "
                "or set source.start in its file."
            )
        starts = self.broker.offsets_at(known, _ms(span.start))
        ends = self.broker.offsets_at(known, _ms(span.end))
        lows = {s: w.low_offset for s, w in self.broker.watermarks(known).items()}
        return [OffsetRange(s, starts[s], ends[s]) for s in known if starts[s] < ends[s]], lows

    def _tables(self, span: Span, interval: Sequence[OffsetRange]) -> list[str]:
        pipeline = self.follower.pipeline
        names = [t.name for t in pipeline.tables]
        if span.table is not None and span.table not in names:
            raise BackfillRefused(
                f"pipeline {pipeline.name!r} has no table {span.table!r}: {', '.join(names)}. Nothing was changed."
            )
        topics = {r.source.topic for r in interval}
        return [n for n in names if span.table in {None, n} and any(pipeline.feeds(n, topic) for topic in topics)]

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.follower.followed(table)
        if state.ledger is None:
            raise LedgerDetached(f"table {table}: no batch was written to it yet, so nothing is missing in it")
        return state, state.ledger

    def _starts(self, table: str) -> dict[Source, int]:
        return self.follower.log.declared_starts(self.follower.pipeline.name, table)

    def _share(
        self, state: TableState, ledger: Ledger, interval: Sequence[OffsetRange], lows: dict[Source, int]
    ) -> Share:
        feeds = [r for r in interval if self.follower.pipeline.feeds(state.name, r.source.topic)]
        others = [r for theirs in self.follower.tables.others(state).values() for r in decisions.belonging(theirs)]
        return decisions.share(ledger.coverage, self._starts(state.name), feeds, lows, others)


def waiting_lines(waiting: Mapping[str, Ledger]) -> list[str]:
    """What a person reads of `Backfills.waiting`."""
    out = []
    for table, ledger in waiting.items():
        asked = ledger.coverage.asked
        out.append(
            f"{table}: {listed(asked)} is asked for" if asked else f"{table}: a batch is planned, for what it has"
        )
    return out


def open_batches(log: Log, pipeline: str, interval: Sequence[OffsetRange] | None) -> list[Batch]:
    """Backfill batches that are planned and have something of *interval* (None: all), oldest first."""
    return [
        b
        for b in log.planned(pipeline)
        if is_backfill(b.lane) and (interval is None or overlap([p.range for p in b.ranges], interval))
    ]


def write_all(
    log: Log,
    pipeline: str,
    interval: Sequence[OffsetRange] | None,
    write: Callable[[str], WriteOutcome],
    told: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Writes each batch of *interval* that nobody else writes; one that is planned anew meanwhile is written, too.

    Where a person must act on a batch first, the others are written before its error is raised.
    """
    outcomes: list[WriteOutcome] = []
    tried: set[str] = set()
    fault: Terminal | None = None
    while found := [b.batch_id for b in open_batches(log, pipeline, interval) if b.batch_id not in tried]:
        for batch_id in found:
            tried.add(batch_id)
            try:
                outcomes.append(write(batch_id))
                told(outcomes[-1])
            except BatchBusy as busy:
                logger.info("%s", busy)
            except Fenced:
                raise
            except Terminal as stop:
                logger.error("%s", stop)
                fault = fault or stop
    if fault is not None:
        raise fault
    return outcomes


def _ms(moment: datetime) -> int:
    # Below zero Kafka means other things.
    return max(0, int(moment.timestamp() * 1000))
