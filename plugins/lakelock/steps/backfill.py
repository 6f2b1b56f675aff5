"""backfill: an interval of record timestamps is asked for in the tables, written in batches of its own, and committed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lakelock.core import backfill as decisions
from lakelock.core.backfill import Share
from lakelock.core.batch import LIVE
from lakelock.core.decisions import Decided, What
from lakelock.core.ledger import Ledger
from lakelock.core.offsets import OffsetRange, Source, offsets_in, overlap
from lakelock.core.plan import check_identity
from lakelock.errors import (
    BackfillRefused,
    BackfillUnfinished,
    LedgerDetached,
    Terminal,
)
from lakelock.ports import Broker, Change, Clock, TableState
from lakelock.steps.backfill_batches import Stops, open_batches
from lakelock.steps.follow import Follower
from lakelock.steps.landing import until_landed
from lakelock.steps.outcome import listed
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
    """What a backfill of *span* means by table; one that cannot be read now is in *left_out*, with the reason."""

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
                (share.dropped, "may be of this time, but Kafka no longer has it"),
                (share.others, "is in the table already, from another pipeline"),
            ):
                if ranges:
                    out.append(f"{table}: {offsets_in(ranges)} offsets: {listed(ranges)} {what}")
            if share.nothing and not share.dropped:
                out.append(f"{table}: nothing to bring: of this it has, or gets by itself, what it is to have")
        return [*out, *(f"{table}: left out: {why}" for table, why in self.left_out.items())]


@dataclass(frozen=True, slots=True)
class Waiting:
    """*tables* were asked for what they have not got yet, or backfill batches are planned for them; *left_out*, with reasons,
    are those that cannot be read now."""

    tables: dict[str, TableState]
    left_out: dict[str, str]

    @property
    def lines(self) -> list[str]:
        out = []
        for table, state in self.tables.items():
            asked = _ledger(state).coverage.asked
            out.append(
                f"{table}: {listed(asked)} is asked for" if asked else f"{table}: a batch is planned, for what it has"
            )
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
                shares[name] = self._share(state, ledger, interval, lows)
            except Terminal as fault:
                left_out[name] = str(fault)
        return BackfillPlan(span, tuple(interval), shares, left_out)

    def ask(self, planned: BackfillPlan, who: str, why: str) -> None:
        """One commit without files in each table that is asked for more, then its batches are planned; again it changes
        nothing, but for batches that an earlier try did not come to plan.

        No more than was *planned* is asked for: what was left out since then was left out on purpose. Where a person must act
        on a table first, the others are asked before its error is raised.
        """
        span, stops = planned.span, Stops()
        said = Decided(
            What.BACKFILL, self.clock.now().replace(microsecond=0), who, why, decisions.about(span.start, span.end)
        )
        for table, share in planned.shares.items():
            if share.nothing:
                continue
            with stops.kept():
                self._ask(table, share.asking, said)
        stops.raise_first()

    def waiting(self) -> Waiting:
        pipeline = self.follower.pipeline
        planned = {t for b in open_batches(self.follower.log, pipeline.name, None) for t in b.planned_tables}
        asked, left_out = {}, {}
        for table in self._written(t.name for t in pipeline.tables):
            try:
                state, ledger = self._loaded(table)
            except Terminal as fault:
                left_out[table] = str(fault)
                continue
            if table in planned or any(pipeline.feeds(table, r.source.topic) for r in ledger.coverage.asked):
                asked[table] = state
        return Waiting(asked, left_out)

    def go_on(self) -> list[str]:
        """Plans what was asked for and is not planned, as where an earlier try did not come to it; the tables that wait."""
        waiting = self.waiting().tables
        for state in waiting.values():
            self._fill(state)
        return list(waiting)

    def check(self, planned: BackfillPlan) -> None:
        """Raises BackfillRefused where a table was left out, BackfillUnfinished where one still waits for some of it."""
        self._refuse_left_out(planned.left_out)
        left = []
        for table in planned.shares:
            _, ledger = self._loaded(table)
            feeds = [r for r in planned.interval if self.follower.pipeline.feeds(table, r.source.topic)]
            if waiting := overlap(feeds, ledger.coverage.asked):
                left.append(f"{table}: {offsets_in(waiting)} offsets: {listed(waiting)}")
        if left:
            raise BackfillUnfinished(
                f"a backfill of pipeline {self.follower.pipeline.name!r} is not at its end: {'; '.join(left)}. What was written "
                "is kept; another run writes the rest, or the next one does."
            )

    def check_all(self) -> None:
        """As `check`, of all that was ever asked for."""
        waiting = self.waiting()
        self._refuse_left_out(waiting.left_out)
        if waiting.tables:
            raise BackfillUnfinished(
                f"not in the tables yet: {'; '.join(waiting.lines)}. What was written is kept. Run it again to go on."
            )

    def _refuse_left_out(self, left_out: Mapping[str, str]) -> None:
        if left_out:
            raise BackfillRefused(
                f"a backfill of pipeline {self.follower.pipeline.name!r} left out {'; '.join(left_out.values())} What others "
                "were to get is kept. Mend it, then run the same again."
            )

    def _ask(self, table: str, allowed: Sequence[OffsetRange], said: Decided) -> None:
        commit_id = self.follower.new_id()
        after: list[TableState] = []

        def draft() -> tuple[TableState, Change] | None:
            state, ledger = self._loaded(table)
            lows = {s: w.low_offset for s, w in self.broker.watermarks(sorted({r.source for r in allowed})).items()}
            asking = self._share(state, ledger, allowed, lows).asking
            if asking:
                ledger = replace(
                    ledger,
                    commit_id=commit_id,
                    coverage=ledger.coverage.asking(asking, self._starts(table)),
                    decisions=decisions.decided(ledger.decisions, replace(said, ranges=asking)),
                )
            after.append(replace(state, ledger=ledger))
            return (state, self.follower.change(ledger)) if asking else None

        undone = "It was not asked for; run the same again."
        snapshot_id = until_landed(self.follower.tables, table, draft, self.pause, undone)
        if snapshot_id is not None:
            logger.info("%s: snapshot %s: %s", table, snapshot_id, _ledger(after[-1]).decisions[-1].line)
        self._fill(after[-1])

    def _fill(self, state: TableState) -> None:
        name, redo = self.follower.pipeline.name, self.follower.redo()
        bounded = replace(redo, max_offsets=decisions.most_offsets(redo.max_offsets))
        self.follower.log.fill_asked(name, state.name, state.uuid, _ledger(state), bounded)

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
        # Of what Kafka dropped nobody knows the time: it may be of this one.
        starts = {s: 0 if start <= lows[s] else start for s, start in starts.items()}
        return [OffsetRange(s, starts[s], ends[s]) for s in known if starts[s] < ends[s]], lows

    def _tables(self, span: Span, interval: Sequence[OffsetRange]) -> list[str]:
        pipeline = self.follower.pipeline
        names = [t.name for t in pipeline.tables]
        if span.table is not None and span.table not in names:
            raise BackfillRefused(
                f"pipeline {pipeline.name!r} has no table {span.table!r}: {', '.join(names)}. Nothing was changed."
            )
        topics = {r.source.topic for r in interval}
        meant = [n for n in names if span.table in {None, n} and any(pipeline.feeds(n, topic) for topic in topics)]
        return self._written(meant)

    def _written(self, tables: Iterable[str]) -> list[str]:
        """Those that a batch was ever written to: of others nothing is missing."""
        bound = self.follower.log.bound(self.follower.pipeline.name)
        return [t for t in tables if t in bound]

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.follower.followed(table)
        return state, _ledger(state)

    def _starts(self, table: str) -> dict[Source, int]:
        return self.follower.log.declared_starts(self.follower.pipeline.name, table)

    def _share(
        self, state: TableState, ledger: Ledger, interval: Sequence[OffsetRange], lows: dict[Source, int]
    ) -> Share:
        feeds = [r for r in interval if self.follower.pipeline.feeds(state.name, r.source.topic)]
        others = [r for theirs in self.follower.tables.others(state).values() for r in decisions.belonging(theirs)]
        return decisions.share(ledger.coverage, self._starts(state.name), feeds, lows, others)


def _ledger(state: TableState) -> Ledger:
    if state.ledger is None:
        raise LedgerDetached(
            f"table {state.name}: its ledger is gone: its property and tag were removed. Nothing was changed. Put both back."
        )
    return state.ledger


def _ms(moment: datetime) -> int:
    # Below zero Kafka means other things.
    return max(0, int(moment.timestamp() * 1000))
