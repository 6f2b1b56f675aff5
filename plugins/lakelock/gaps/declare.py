"""Declare offsets that will never be read, and record them in the tables, so that the pipeline can continue."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.errors import (
    DecisionRefused,
    LakelockError,
    LedgerDetached,
    Retryable,
    State,
    TableMissing,
)
from lakelock.gaps import decision as decisions
from lakelock.gaps.claims import Holding
from lakelock.gaps.gap_preview import ApprovedGaps, GapPlan, TableGaps, Which
from lakelock.gaps.given_up_backfills import give_up_backfills
from lakelock.gaps.unread_ranges import never_read
from lakelock.ingest.commit_loop import UNDONE, Done, Draft, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import LIVE, NO_TABLE, StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.coverage_gaps import decided, declaring
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartState, Recorded
from lakelock.model.offsets import OffsetRange, Source, overlap, united, without
from lakelock.model.operator_log import Decided
from lakelock.ports import Broker, Clock, TableState

logger = logging.getLogger(__name__)

Table = tuple[TableState | None, Ledger]


@dataclass(frozen=True, slots=True)
class Declarations:
    """Declares gaps of one pipeline. *interrupt* stops jobs that a dead attempt left running on Spark."""

    context: PipelineContext
    broker: Broker
    clock: Clock
    pause: Callable[[float], None]
    interrupt: Callable[[str], None]

    def preview(self, which: Which) -> GapPlan:
        """Preview a decision. Raises DecisionRefused if tables or Kafka hold offsets that would be declared."""
        streams = self.context.log.streams(self.context.pipeline.name, LIVE)
        wanted = never_read(self.broker, self.context.pipeline.name, which, streams)
        frontiers = {s.source: s.next_offset for s in streams}
        tables = [
            self._or_left_out(t, lambda name: self._gaps(which, name, wanted.ranges, frontiers, self._starts(name))[0])
            for t in self._names(which, streams)
        ]
        if which.start is not None:
            if tables and all(t.left_out for t in tables):
                self._refuse_undecided(which, tables)
            self._refuse_covered(which, wanted.ranges, tables)
        moving = []
        for s in streams:
            after = decisions.moved(s.next_offset, [(g.start, g.end) for g in wanted.ranges if g.source == s.source])
            if after != s.next_offset:
                moving.append((s.source, s.next_offset, after))
        undecided = len(self._undecided(wanted.ranges))
        return GapPlan(which, wanted.ranges, tuple(moving), tuple(tables), wanted.notes, wanted.onto, undecided)

    def decide(self, which: Which, who: str, why: str, shown: ApprovedGaps | None = None) -> GapPlan:
        """Commit to each table that lacks offsets, between two transactions in the log. Idempotent.

        Raises DecisionRefused, with nothing changed, if the decision would exceed *shown*, the approved preview.
        """
        planned = self.preview(which)
        if planned.nothing:
            return planned
        approved = shown or planned.shown
        if more := approved.beyond(planned.shown):
            raise DecisionRefused(
                f"{which.what.value} {which.about}: the plan changed after you approved it: {', '.join(more)}.",
                State.NOTHING_CHANGED,
                "Review the new plan and approve it.",
            )
        if planned.tables or not planned.undecided:
            self._refuse_undecided(which, planned.tables)
        if planned.idle:
            return planned
        log, pipeline = self.context.log, self.context.pipeline.name
        said = Decided(which.what, self.clock.now().replace(microsecond=0), who, why)
        attempt = self.context.new_id()
        # As of before the log stops planning the given-up offsets.
        frontiers = {source: before for source, before, _ in planned.moving}
        with Holding(log, pipeline, attempt, which.what.value, self.pause, self.interrupt).all_of(planned.gaps):
            # Raises if dead-letter tables cannot be read: now, before any table has the decision.
            self.context.redo()
            recorded = {
                t.table: self._declare(which, t.table, planned.gaps, frontiers, approved.gaps.get(t.table, ()), said)
                for t in planned.tables
                if t.gaps or t.cut
            }
            reason = f"{which.what.value} by {who}: {why}"
            log.declare(pipeline, recorded, planned.gaps, self.context.redo(), attempt, reason)
        # Last: as long as a batch of a backfill has such offsets, the mark must not.
        if self.context.pipeline.route is not None:
            give_up_backfills(self.context, planned.gaps, which.kind, self.pause)
        return planned

    def _undecided(self, wanted: Sequence[OffsetRange]) -> list[list[OffsetRange]]:
        """Of each batch that no table alone stands for what is never read: it is not closed, or has dead letters of no table."""
        planned = self.context.log.planned(self.context.pipeline.name)
        batches = [b for b in planned if not b.closed or NO_TABLE in b.planned_tables]
        return list(filter(None, (overlap([p.range for p in b.ranges], wanted) for b in batches)))

    def _refuse_undecided(self, which: Which, tables: Sequence[TableGaps]) -> None:
        if any(not t.left_out for t in tables):
            return
        reasons = " ".join(t.left_out for t in tables)
        decision = f"{which.what.value} {which.about}"
        if reasons:
            raise DecisionRefused(f"{decision}: no table can record it now. {reasons}", State.NOTHING_CHANGED)
        raise DecisionRefused(
            f"{decision}: no table of the pipeline file takes it or waits for it, so there is nothing to decide.",
            State.NOTHING_CHANGED,
            "To read it again, assign it to a table in the pipeline file.",
        )

    def _names(self, which: Which, streams: Sequence[StreamState]) -> list[str]:
        """Tables that take the topics today, and those that still wait for offsets of them."""
        pipeline = self.context.pipeline
        topics = {s.source.topic for s in streams if which.takes(s.source)}
        today = [t.name for t in pipeline.tables if any(pipeline.takes(t, topic) for topic in topics)]
        planned = [t for b in self.context.log.planned(pipeline.name) for t in b.planned_tables if t != NO_TABLE]
        ledgers = self.context.log.ledgers(pipeline.name)
        requests = [t for t, known in ledgers.items() if any(which.takes(r.source) for r in known.coverage.requested)]
        return list(dict.fromkeys([*today, *sorted([*planned, *requests])]))

    def _or_left_out(self, name: str, load: Callable[[str], TableGaps]) -> TableGaps:
        try:
            return load(name)
        except Retryable:
            raise
        except LakelockError as fault:
            return TableGaps(name, left_out=str(fault))

    def _gaps(
        self,
        which: Which,
        name: str,
        wanted: Sequence[OffsetRange],
        frontiers: Mapping[Source, int],
        starts: Mapping[Source, int],
    ) -> tuple[TableGaps, Table]:
        """The offsets of *wanted* that the table lacks and no part supplies, with the table."""
        pipeline = self.context.pipeline
        # Before the parts, as for a commit (`CommitDrafts`).
        evidence = self.context.evidence(name)
        # Read before the table, which then shows parts that are staged or marked in between.
        notes = self.context.log.notes(pipeline.name, name)
        state, ledger = self._table(name)
        planned = [r for n in notes if n.state is PartState.PLANNED for r in n.ranges]
        on_its_way = [r for n in notes if n.state is not PartState.PLANNED for r in n.ranges]
        coverage = ledger.coverage if evidence is None else evidence.in_closed(ledger.coverage, ledger.generation)
        gaps = []
        for r in wanted:
            unread = decisions.unread(coverage, starts, on_its_way, r)
            if evidence is not None:
                # A backfill of all routed tables gave it a part before its start.
                unread = united([*unread, *without(overlap(planned, [r]), coverage.ranges)])
            # If the file does not give a topic to the table, only offsets that were planned or requested before count.
            known = [*planned, *ledger.coverage.requested]
            gaps += unread if pipeline.feeds(name, r.source.topic) else overlap(unread, known)
        kinds = decisions.kinds(gaps, which.kind, decisions.known_ends(frontiers, (r for n in notes for r in n.ranges)))
        after = declaring(ledger.coverage, kinds, starts, 0)
        cut = decisions.given_up(notes, after, wanted)
        unreadable = overlap([r for n in notes if n.part_id in cut for r in n.ranges], wanted)
        return TableGaps(name, tuple(kinds), len(cut), tuple(unreadable)), (state, ledger)

    def _starts(self, name: str) -> dict[Source, int]:
        return self.context.log.declared_starts(self.context.pipeline.name, name)

    def _table(self, name: str) -> Table:
        """The table and its ledger. A table that was never written to has no state: the log keeps its decisions."""
        log, pipeline = self.context.log, self.context.pipeline
        bound = name in log.bound(pipeline.name)
        try:
            state, _ = self.context.followed(name)
        except TableMissing:
            if bound:
                raise
        if not bound:
            kept = log.ledgers(pipeline.name).get(name)
            first = Ledger(log.installation_id(), pipeline.name, "", 0, pipeline.digest, Coverage())
            return None, kept or first
        if state.ledger is None:
            raise LedgerDetached(
                f"table {name} carries no ledger of pipeline {pipeline.name!r}: its {state.marks.owner} and its "
                f"{state.marks.newest} were removed.",
                State.TABLE_WAITS,
                f"{state.marks.restore}.",
            )
        return state, state.ledger

    def _refuse_covered(self, which: Which, wanted: Sequence[OffsetRange], tables: Sequence[TableGaps]) -> None:
        """Raise DecisionRefused unless every named offset is lost in some table or was declared before."""
        lost = [r for t in tables for r in (*t.ranges, *t.unreadable)]
        lost += [r for of_batch in self._undecided(wanted) for r in of_batch]
        for ledger in [self._table(t.table)[1] for t in tables if not t.left_out]:
            lost += decided(ledger.coverage)
        if not_lost := without(wanted, lost):
            away = "".join(f" {t.table} was left out: {t.left_out}" for t in tables if t.left_out)
            raise DecisionRefused(
                f"{', '.join(map(str, wanted))}: {', '.join(map(str, not_lost))} is in the tables, or staged for them.",
                State.NOTHING_CHANGED,
                f"Omit --from and --to to see which offsets of {which.about} are lost.{away}",
            )

    def _declare(
        self,
        which: Which,
        table: str,
        wanted: Sequence[OffsetRange],
        frontiers: Mapping[Source, int],
        allowed: Sequence[OffsetRange],
        said: Decided,
    ) -> Recorded:
        """Commit the gaps to the table and return its ledger.

        Gaps are looked up again, because batches may have landed since; none beyond *allowed* is declared.
        """
        commit_id = self.context.new_id()

        def draft() -> Land[Recorded] | Done[Recorded]:
            # If it had nothing of a source yet, it begins at the source's former frontier, now missing in the log.
            starts = {**frontiers, **self._starts(table)}
            now, (state, ledger) = self._gaps(which, table, wanted, frontiers, starts)
            kinds = [(g, kind) for r, kind in now.gaps for g in overlap([r], allowed)]
            if kinds:
                ledger = ledger.decided(
                    commit_id,
                    declaring(ledger.coverage, kinds, starts, ledger.generation),
                    (*ledger.decisions, replace(said, ranges=tuple(r for r, _ in kinds))),
                )
            recorded = Recorded(state.uuid if state else None, ledger)
            return Land(state, self.context.change(ledger), recorded) if state and kinds else Done(recorded)

        return self._landed(table, draft)

    def _landed(self, table: str, draft: Draft[Recorded]) -> Recorded:
        done = until_landed(self.context.tables, table, draft, self.pause, *UNDONE)
        if done.version_id is not None:
            logger.info("%s: snapshot %s: %s", table, done.version_id, done.result.ledger.decisions[-1].line)
        return done.result
