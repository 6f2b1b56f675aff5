"""Draft a table's next commit from a fresh load, and carry out what the decision asks for without a commit."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lakelock.config import Pipeline
from lakelock.errors import LedgerDetached, State, TableReplaced
from lakelock.ingest import commit_decision as decisions
from lakelock.ingest.bind import rebind
from lakelock.ingest.commit_decision import Decision, TableStanding
from lakelock.ingest.commit_loop import Again, Done, Land
from lakelock.ingest.commit_stops import nothing_appended, unread
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.marking import marking
from lakelock.ingest.outcome import CommitOutcome, listed
from lakelock.model import valid_through
from lakelock.model.batches import StagedPart, is_backfill
from lakelock.model.coverage import Coverage
from lakelock.model.cut import Progress
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.route_evidence import RouteEvidence
from lakelock.ports import TableState
from lakelock.ports.edits import Append

logger = logging.getLogger(__name__)

# Another tool's clean-up may have deleted older files; Iceberg commits missing files silently.
VERIFY_FILES_AFTER_S = 3600.0
# The name that Iceberg's Kafka Connect sink uses.
CONNECT_VALID_THROUGH = "kafka.connect.valid-through-ts"


@dataclass(frozen=True, slots=True)
class Appended:
    """The parts that a commit appends, the ledger that it leaves, and changes of columns since the commit before it."""

    decision: Decision
    after: Ledger
    columns_changed: tuple[ColumnsChanged, ...]


@dataclass(slots=True)
class CommitDrafts:
    """Drafts of one table's commit; *dead_letters* is the coverage that parts' rows wait for, by configuration.

    *suspect* is true once offsets were found missing before all staged parts. They may have been staged since, so the
    next draft reads the planned batches before it reads the parts.
    """

    context: PipelineContext
    table: str
    dead_letters: Mapping[str, Coverage]
    suspect: bool = field(default=False, init=False)
    progress: Progress | None = field(default=None, init=False)

    def draft(self) -> Land[Appended | CommitOutcome] | Done[Appended | CommitOutcome] | Again:
        """The commit of all parts that can land; the outcome if none can. Raises the errors of `commit_stops`."""
        return self._draft(lands=True)

    def after_landing(self) -> Done[Appended | CommitOutcome] | Again:
        """As `draft`, for parts that could not land with the others; parts that can land now are left to the next run."""
        drafted = self._draft(lands=False)
        assert not isinstance(drafted, Land)
        return drafted

    def _draft(self, *, lands: bool) -> Land[Appended | CommitOutcome] | Done[Appended | CommitOutcome] | Again:
        log, pipeline, table = self.context.log, self.context.pipeline.name, self.table
        # Read before the staged parts, so that a part that is staged in between is in one of the two.
        planned = log.planned(pipeline) if self.suspect else []
        known = log.generations(pipeline)
        # Before the parts and the table, and after the generations. A part that is open in the evidence stays so, or lands, and
        # the table that is loaded later covers it, or it is given up. Evidence that is newer than the parts would fill what was
        # given up in between, and those parts would carry that into the table. If the log was rebuilt or the table went back in
        # between, the table is ahead of the generations. A batch that is closed in between is not in the evidence: it waits.
        evidence = self.context.evidence(table)
        self.progress = self._progress()
        parts = log.staged(pipeline, table)
        state, followed = self.context.followed(table, known)
        if followed:
            return Again()
        ledger = ledger_of(state, pipeline)
        if ledger.paused:
            return Done(CommitOutcome(table, None, (), 0, f"{table}: no batch is committed: {ledger.paused.line}"))
        starts = {**log.declared_starts(pipeline, table), **(evidence.starts if evidence else {})}
        decision = decisions.decide(
            parts,
            self._standing(state, ledger, parts),
            starts,
            lambda part: self.dead_letters.get(part.config_digest, Coverage()),
            evidence,
        )
        self._settle(state, decision, ledger)
        if self._replanned_for_lost_files(state, decision):
            return Again()
        if decision.append:
            if not lands:
                return Done(CommitOutcome(table, None, (), 0, f"{table}: the next run commits what can land now"))
            return self._land(state, decision, ledger, starts, evidence)
        if decision.hole and not decision.refused:
            if not self.suspect:
                self.suspect = True
                return Again()
            # Until a batch is closed, and its dead letters without a table have landed, it may have records for a routed table.
            coming = evidence is not None and (evidence.lacks_letters or not all(b.closed for b in planned))
            if not coming and not any(table in b.planned_tables and not is_backfill(b.lane) for b in planned):
                raise unread(table, decision.hole)
        return Done(nothing_appended(table, decision))

    def _progress(self) -> Progress | None:
        """For the dead-letter table of a pipeline with routes: the mark rides on its commits."""
        pipeline = self.context.pipeline
        is_marked = pipeline.route is not None and self.table == pipeline.dead_letter_table
        return self.context.log.progress(pipeline.name) if is_marked else None

    def _standing(self, state: TableState, ledger: Ledger, parts: Sequence[StagedPart]) -> TableStanding:
        layouts = {p.result.identity.layout for p in parts if p.result.identity.uuid == state.uuid}
        return TableStanding(state.uuid, ledger, self.context.tables.misfits(state, layouts))

    def _land(
        self,
        state: TableState,
        decision: Decision,
        ledger: Ledger,
        starts: Mapping[Source, int],
        evidence: RouteEvidence | None,
    ) -> Land[Appended | CommitOutcome]:
        config_digest = decision.append[-1].config_digest
        after = replace(
            ledger,
            commit_id=self.context.new_id(),
            config_digest=config_digest,
            coverage=decision.coverage,
            valid_through_ms=self._valid_through_ms(decision, ledger, starts, evidence),
        )
        after = after if self.progress is None else marking(self.context, after, self.progress)
        change = self.context.change(
            after,
            Append(decision.files),
            config=self.context.log.config(config_digest),
            batch_ids=tuple(dict.fromkeys(p.batch_id for p in decision.append)),
            books=decision.books,
            properties=self._properties(after),
        )
        # From the table itself: the task that changed the columns may have ended before it could say so.
        changed = self.context.tables.columns_changed(state, since_commit=True)
        return Land(state, change, Appended(decision, after, tuple(changed)))

    def _valid_through_ms(
        self, decision: Decision, before: Ledger, starts: Mapping[Source, int], evidence: RouteEvidence | None
    ) -> int | None:
        """Valid-through after this commit, None if unknown. A commit without live batches keeps the value *before*."""
        newest = valid_through.newest_live(decision.append)
        if newest is None:
            return before.valid_through_ms
        survey = self.context.log.survey(newest.batch_id)
        if survey is None:
            return None
        planned = Pipeline.from_resolved(self.context.log.config(newest.config_digest))
        known = {*survey.reached, *decision.coverage}
        routed = {s.topic for s in evidence.starts} if evidence else set()
        taken = {s.topic for s in known if s.topic in routed or planned.feeds(self.table, s.topic)}
        lateness_ms = planned.publish.max_lateness_ms
        return valid_through.valid_through_ms(survey, taken, decision.append, decision.coverage, starts, lateness_ms)

    def _properties(self, after: Ledger) -> dict[str, str]:
        if not self.context.pipeline.publish.connect_valid_through or after.valid_through_ms is None:
            return {}
        return {CONNECT_VALID_THROUGH: valid_through.text(after.valid_through_ms)}

    def _settle(self, state: TableState, decision: Decision, ledger: Ledger) -> None:
        """Carry out the outcomes of *decision* that need no commit."""
        log, table = self.context.log, state.name
        if decision.replaced:
            part = decision.replaced[0]
            before, known = part.result.identity.uuid, log.bound(self.context.pipeline.name)
            raise TableReplaced(
                f"table {table} was replaced: batch {part.batch_id} was written for UUID {before}.",
                State.STAGED_KEPT,
                "To put that table back, drop the new one without its files, never by purge. "
                f"{self.context.tables.way_back(table, before, log.staged_files(table), known)}. Or continue with the new one, "
                f"which gets all records from the start: {rebind(table)}.",
            )
        if decision.mark:
            logger.info("%s: already in the table: %s", table, listed(ranges_of(decision.mark)))
            log.committed(decision.mark, None, None, ledger)
        for part, reason in decision.rewrite:
            logger.warning("%s: batch %s will be written again: %s", table, part.batch_id, reason)
            log.replan(part, reason)
        for part, why, ranges in decision.again:
            again = f"; {listed(ranges)} will be read again" if ranges else ""
            self._replace(part, f"{why}{again}", ranges)
        for part, reason in decision.refused:
            logger.error("%s: batch %s is refused: %s", table, part.batch_id, reason)
        for part, reason in decision.waiting:
            logger.info("%s: batch %s waits: %s", table, part.batch_id, reason)

    def _replace(self, part: StagedPart, reason: str, ranges: Sequence[OffsetRange]) -> None:
        logger.warning("%s: batch %s will never be committed: %s", self.table, part.batch_id, reason)
        self.context.log.plan_instead(self.context.pipeline.name, part, reason, ranges, self.context.redo_of(part))

    def _replanned_for_lost_files(self, state: TableState, decision: Decision) -> bool:
        """Plan parts again if their files are gone, and return whether any are. Checks restaged and older parts."""
        old = [p for p in decision.append if p.restaged or p.age_s >= VERIFY_FILES_AFTER_S]
        files = [f for p in old for f in p.result.files]
        gone = set(self.context.tables.missing_files(state, files)) if old else set()
        for part in old:
            lost = [f.path for f in part.result.files if f.path in gone]
            if lost:
                reason = f"{len(lost)} of its files are gone, first {lost[0]}"
                logger.error("%s: batch %s will be read from Kafka again: %s", state.name, part.batch_id, reason)
                self.context.log.replan(part, reason)
        return bool(gone)


def ledger_of(state: TableState, pipeline: str) -> Ledger:
    """The table's ledger. Raises LedgerDetached if it has none."""
    if state.ledger is None:
        raise LedgerDetached(
            f"{state.name}: staged parts exist for this table (UUID {state.uuid}), but it carries no ledger of pipeline "
            f"{pipeline!r}: its {state.marks.owner} and its {state.marks.newest} were removed.",
            State.STAGED,
            f"{state.marks.restore}.",
        )
    return state.ledger


def ranges_of(parts: Sequence[StagedPart]) -> list[OffsetRange]:
    """Ranges of the parts' books."""
    return [b.range for p in parts for b in p.result.books]
