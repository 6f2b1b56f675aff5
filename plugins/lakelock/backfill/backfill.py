"""Backfill an interval of record timestamps: request it in the tables, write its batches, and commit them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.backfill import decision as decisions
from lakelock.backfill.backfill_batches import Stops, open_batches
from lakelock.backfill.decision import Share
from lakelock.backfill.routed_backfill import NAME as ROUTED
from lakelock.backfill.routed_backfill import RoutedBackfill, left_of_all
from lakelock.backfill.span import Span, interval_of, ledger_of, tables_of, written
from lakelock.errors import BackfillRefused, BackfillUnfinished, State, Terminal
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import listed
from lakelock.model.batches import NO_TABLE
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap
from lakelock.model.operator_log import Decided, What, about
from lakelock.ports import Broker, Clock, TableState

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackfillPlan:
    """The preview of a backfill of *span*, by table; *left_out* has tables that cannot be read now, with reasons.

    *routed* is the share of all routed tables together, None without routes and for a span of one table. If that is one that
    rules made, it *is_of_one_routed*.
    """

    span: Span
    interval: tuple[OffsetRange, ...]
    shares: dict[str, Share]
    left_out: dict[str, str]
    routed: Share | None = None
    is_of_one_routed: bool = False

    @property
    def nothing(self) -> bool:
        return all(share.nothing for share in self.all_shares.values())

    @property
    def all_shares(self) -> dict[str, Share]:
        """*shares*, and that of the routed tables under a name for people."""
        return self.shares if self.routed is None else {ROUTED: self.routed, **self.shares}

    @property
    def lines(self) -> list[str]:
        """The preview that a person approves."""
        out = [
            f"backfill of records of {self.span.text}: {offsets_in(self.interval)} offsets in {len(self.interval)} partitions"
        ]
        for table, share in self.all_shares.items():
            for ranges, what in (
                (share.requesting, "will be requested, and read from Kafka"),
                (share.waiting, "was requested before, and is not loaded yet"),
                (share.dropped, "may be of this time, but Kafka no longer has it"),
                (share.others, "is in the table already, from another pipeline"),
            ):
                if ranges:
                    out.append(f"{table}: {offsets_in(ranges)} offsets: {listed(ranges)} {what}")
            if share.nothing and not share.dropped:
                they = "the tables have" if table == ROUTED else "the table has"
                gets = "get" if table == ROUTED else "gets"
                out.append(f"{table}: nothing to load: {they} these records, or {gets} them anyway")
        if self.is_of_one_routed:
            out.append(
                f"{self.span.table}: only what a rollback left out is loaded into one routed table alone. Name no table to load "
                "earlier records into all routed tables"
            )
        return [*out, *(f"{table}: left out: {why}" for table, why in self.left_out.items())]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tables with pending backfills: requested ranges or planned batches.

    *left_out* has tables that cannot be read now, with reasons. *routed* are ranges that are not complete in all routed tables.
    """

    tables: dict[str, TableState]
    left_out: dict[str, str]
    routed: tuple[OffsetRange, ...] = ()

    @property
    def nothing(self) -> bool:
        return not self.tables and not self.routed

    @property
    def lines(self) -> list[str]:
        out = [f"{ROUTED}: {listed(self.routed)} is requested"] if self.routed else []
        for table, state in self.tables.items():
            requested = ledger_of(state).coverage.requested
            out.append(
                f"{table}: {listed(requested)} is requested"
                if requested
                else f"{table}: a batch is planned, for records that it already has"
            )
        return [*out, *(f"{table}: left out: {why}" for table, why in self.left_out.items())]


@dataclass(frozen=True, slots=True)
class Backfills:
    """Backfills of one pipeline, beside its other runs."""

    context: PipelineContext
    broker: Broker
    clock: Clock
    pause: Callable[[float], None]

    def preview(self, span: Span) -> BackfillPlan:
        """Preview a backfill. Raises BackfillRefused if the span or its table is not valid."""
        interval, lows = interval_of(self.context, self.broker, span, BackfillRefused)
        shares, left_out = {}, {}
        wanted = dict.fromkeys(tables_of(self.context, span, interval, BackfillRefused), interval)
        if (routed := self._routed) is not None:
            gaps = routed.with_gaps(interval)
            wanted |= {name: gaps[name] for name in gaps if span.table in {None, name}}
        for name, ranges in wanted.items():
            try:
                state, ledger = self._loaded(name)
                shares[name] = self._share(state, ledger, ranges, lows)
            except Terminal as fault:
                left_out[name] = str(fault)
        of_all = routed.share(interval, lows) if routed is not None and span.table is None else None
        is_of_one = span.table is not None and span.table in self.context.routed([span.table])
        return BackfillPlan(span, tuple(interval), shares, left_out, of_all, is_of_one)

    @property
    def _routed(self) -> RoutedBackfill | None:
        return RoutedBackfill(self.context, self.pause) if self.context.pipeline.route is not None else None

    def _lows(self, ranges: Sequence[OffsetRange]) -> dict[Source, int]:
        return {s: w.low_offset for s, w in self.broker.watermarks(sorted({r.source for r in ranges})).items()}

    def request(self, planned: BackfillPlan, who: str, why: str) -> None:
        """Request the backfill: one commit without files per table with new ranges, then plan its batches. Idempotent.

        A second call still plans batches that an earlier try did not. Ranges outside *planned* are not requested:
        those that became gaps since then are gaps on purpose. If an operator must act on a table, the others are done
        before its error is raised.
        """
        span, stops = planned.span, Stops()
        said = Decided(What.BACKFILL, self.clock.now().replace(microsecond=0), who, why, about(span.start, span.end))
        of_all, routed = planned.routed, self._routed
        if routed is not None and of_all is not None and not of_all.nothing:
            with stops.kept():
                routed.request(of_all.requesting, said, lambda: self._lows(of_all.requesting))
        for table, share in planned.shares.items():
            if share.nothing:
                continue
            with stops.kept():
                self._request(table, share.requesting, said)
        stops.raise_first()

    def waiting(self) -> Waiting:
        return self._waiting(self._all_routed())

    def _waiting(self, letters: TableState | None) -> Waiting:
        """As `waiting`; *letters* is the dead-letter table as `_all_routed` returns it."""
        pipeline, log = self.context.pipeline, self.context.log
        planned = {t for b in open_batches(log, pipeline.name, None) for t in b.planned_tables} - {NO_TABLE}
        requested, left_out = {}, {}
        for table in written(self.context, [*(t.name for t in pipeline.entries), *self._may_wait(planned)]):
            try:
                state, ledger = self._loaded(table)
            except Terminal as fault:
                left_out[table] = str(fault)
                continue
            if table in planned or any(self._feeds(table, r) for r in ledger.coverage.requested):
                requested[table] = state
        return Waiting(requested, left_out, tuple(left_of_all(letters)))

    def _may_wait(self, planned: Collection[str]) -> list[str]:
        """Routed tables that may wait for a backfill, by the log."""
        if not (known := self.context.routed()):
            return []
        ledgers = self.context.log.ledgers(self.context.pipeline.name)
        return sorted(known.keys() & {*planned, *(t for t, ledger in ledgers.items() if ledger.coverage.requested)})

    def _all_routed(self) -> TableState | None:
        """The dead-letter table, whose ledger has the backfills of all routed tables; None if nothing was routed yet."""
        return self._routed.known() if self._routed is not None else None

    def _marked(self) -> TableState | None:
        """As `_all_routed`, once it has a mark with all that is complete."""
        return self._routed.marked() if self._routed is not None else None

    def go_on(self) -> list[str]:
        """Plan requested ranges that are not planned yet, as after an interrupted try.

        Returns the tables that wait, without those that a backfill of all routed tables is still to find.
        """
        letters = self._marked()
        waiting = self._waiting(letters)
        if (routed := self._routed) is not None and letters is not None and waiting.routed:
            routed.fill(letters)
        for state in waiting.tables.values():
            self._fill(state)
        return list(waiting.tables)

    def check(self, planned: BackfillPlan) -> None:
        """Raise BackfillRefused if a table was left out, BackfillUnfinished if one still waits for *planned* ranges."""
        self._refuse_left_out(planned.left_out)
        letters = self._marked()
        left = []
        if planned.routed is not None and (waiting := overlap(planned.interval, left_of_all(letters))):
            left.append(f"{ROUTED}: {offsets_in(waiting)} offsets: {listed(waiting)}")
        for table in planned.shares:
            _, ledger = self._loaded(table)
            feeds = [r for r in planned.interval if self._feeds(table, r)]
            if waiting := overlap(feeds, ledger.coverage.requested):
                left.append(f"{table}: {offsets_in(waiting)} offsets: {listed(waiting)}")
        if left:
            raise BackfillUnfinished(
                f"a backfill of pipeline {self.context.pipeline.name!r} is not complete: {'; '.join(left)}.",
                State.DONE_KEPT,
                "Another run, or the next one, writes the rest.",
            )

    def check_all(self) -> None:
        """As `check`, for all pending backfills."""
        waiting = self._waiting(self._marked())
        self._refuse_left_out(waiting.left_out)
        if not waiting.nothing:
            raise BackfillUnfinished(
                f"not in the tables yet: {'; '.join(waiting.lines)}.", State.DONE_KEPT, "Run it again to continue."
            )

    def _refuse_left_out(self, left_out: Mapping[str, str]) -> None:
        if left_out:
            raise BackfillRefused(
                f"a backfill of pipeline {self.context.pipeline.name!r} left out {'; '.join(left_out.values())}",
                State.DONE_KEPT,
                "Fix the tables that were left out, then run it again.",
            )

    def _request(self, table: str, allowed: Sequence[OffsetRange], said: Decided) -> None:
        commit_id = self.context.new_id()

        def draft() -> Land[TableState] | Done[TableState]:
            state, ledger = self._loaded(table)
            requesting = self._share(state, ledger, allowed, self._lows(allowed)).requesting
            if not requesting:
                return Done(replace(state, ledger=ledger))
            ledger = ledger.decided(
                commit_id,
                ledger.coverage.requesting(requesting, self._starts(table)),
                decisions.decided(ledger.decisions, replace(said, ranges=requesting)),
            )
            return Land(state, self.context.change(ledger), replace(state, ledger=ledger))

        done = until_landed(self.context.tables, table, draft, self.pause, *UNDONE)
        if done.version_id is not None:
            logger.info("%s: snapshot %s: %s", table, done.version_id, ledger_of(done.result).decisions[-1].line)
        self._fill(done.result)

    def _fill(self, state: TableState) -> None:
        name, redo = self.context.pipeline.name, self.context.redo()
        self.context.log.fill_requested(name, state.name, state.uuid, ledger_of(state), redo)

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.context.followed(table)
        return state, ledger_of(state)

    def _feeds(self, table: str, r: OffsetRange) -> bool:
        """Whether the table gets records of the range. A routed one gets what it had, whatever the rules are now."""
        return table in self.context.routed([table]) or self.context.pipeline.feeds(table, r.source.topic)

    def _starts(self, table: str) -> dict[Source, int]:
        return self.context.log.declared_starts(self.context.pipeline.name, table)

    def _share(
        self, state: TableState, ledger: Ledger, interval: Sequence[OffsetRange], lows: dict[Source, int]
    ) -> Share:
        feeds = [r for r in interval if self._feeds(state.name, r)]
        others = [r for theirs in self.context.tables.others(state).values() for r in decisions.belonging(theirs)]
        return decisions.share(ledger.coverage, self._starts(state.name), feeds, lows, others)
