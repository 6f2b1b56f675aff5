"""Commit a table's staged parts in one snapshot that carries their offsets, exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.config import Pipeline
from lakelock.config.commit_sections import Commit
from lakelock.errors import CommitConflict, Fenced, LedgerDetached, State, TableReplaced
from lakelock.ingest import commit_decision as decisions
from lakelock.ingest.bind import rebind
from lakelock.ingest.commit_decision import Decision, TableStanding
from lakelock.ingest.commit_loop import send
from lakelock.ingest.commit_stops import nothing_appended, unread
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import CommitOutcome, listed
from lakelock.model import valid_through
from lakelock.model.batches import StagedPart, is_backfill
from lakelock.model.coverage import Coverage, joined
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.units import counted
from lakelock.ports import Log, Tables, TableState

logger = logging.getLogger(__name__)

ATTEMPTS = 12
RACES = 2
# Another tool's clean-up may have deleted older files; Iceberg commits missing files silently.
VERIFY_FILES_AFTER_S = 3600.0
# The name that Iceberg's Kafka Connect sink uses.
CONNECT_VALID_THROUGH = "kafka.connect.valid-through-ts"


@dataclass(frozen=True, slots=True)
class Committer:
    """Commits the tables of one pipeline; *pause* sleeps the given seconds between attempts."""

    context: PipelineContext
    pause: Callable[[float], None]

    @property
    def log(self) -> Log:
        return self.context.log

    @property
    def tables(self) -> Tables:
        return self.context.tables

    @property
    def pipeline(self) -> str:
        return self.context.pipeline.name

    @property
    def settings(self) -> Commit:
        return self.context.pipeline.commit

    def commit(
        self, table: str, *, now: bool = False, report: Callable[[CommitOutcome], None] = lambda outcome: None
    ) -> list[CommitOutcome]:
        """Commit the staged parts of *table* that are due, its dead letters first.

        The table's outcome comes last, after those of dead-letter tables that got a snapshot. *report* gets each outcome
        as it happens, also if a later commit fails.
        """
        outcomes: list[CommitOutcome] = []

        def hear(outcome: CommitOutcome) -> None:
            outcomes.append(outcome)
            report(outcome)

        self._commit(table, now, hear)
        return outcomes

    def _commit(self, table: str, now: bool, report: Callable[[CommitOutcome], None]) -> None:
        self.context.settle(table)
        parts = self.log.staged(self.pipeline, table)
        if not parts:
            report(CommitOutcome(table, None, (), 0, f"{table}: nothing staged"))
            return
        rows, size_bytes = sum(p.result.rows for p in parts), sum(p.result.size_bytes for p in parts)
        oldest_s = max(p.age_s for p in parts)
        has_rows = any(p.result.rows or p.result.dead for p in parts)
        settings, now = self.settings, now or self._is_awaited(parts)
        due_in_s = decisions.due_in_s(size_bytes, oldest_s, has_rows, settings.min_bytes, settings.max_latency_s, now)
        if due_in_s > 0 and not self._is_first(table):
            line = f"{table}: {counted(rows, 'staged row')}, {size_bytes} bytes, {oldest_s:.1f} s old: due in {due_in_s:.0f} s"
            report(CommitOutcome(table, None, (), 0, line))
            return
        tables = {p.config_digest: self._dead_letter_table(p) for p in parts if p.result.dead}
        # Landing reads them again: holding them twice would be half of this task's memory.
        del parts
        # A batch's own configuration names its dead-letter table. Earlier dead letters may be in an older one.
        for name in sorted(set(tables.values())):
            self._commit(name, True, lambda outcome: report(outcome) if outcome.snapshot_id is not None else None)
            self._standing(self.context.followed(name)[0])
        self._land(table, self._dead_letters(tables) if tables else {}, report)

    def _dead_letters(self, tables: Mapping[str, str]) -> dict[str, Coverage]:
        """The dead-letter coverage that parts' rows wait for, by configuration; *tables* are their dead-letter tables.

        A range that was declared lost in another table does not count: its dead letters, if written again, get into
        this one.
        """
        known = self.context.dead_letters_by_table()
        return {
            digest: joined([known.get(own, Coverage()), *(c.data for name, c in known.items() if name != own)])
            for digest, own in tables.items()
        }

    def _is_awaited(self, parts: Sequence[StagedPart]) -> bool:
        """Whether a planned batch cannot be written before dead letters among *parts* have landed."""
        dead_letters = [p for p in parts if p.result.target]
        batches = self.log.planned(self.pipeline) if dead_letters else []
        return any(
            p.result.target in b.planned_tables
            and any(r.range.overlaps(k.range) for r in b.ranges for k in p.result.books)
            for b in batches
            for p in dead_letters
        )

    def _is_first(self, table: str) -> bool:
        """Whether the table has no commit yet: the first one is not delayed, so that a new pipeline soon shows rows."""
        return any(t.name == table for t in self.context.pipeline.tables) and not self.log.has_ledger(
            self.pipeline, table
        )

    def _dead_letter_table(self, part: StagedPart) -> str:
        return Pipeline.from_resolved(self.log.config(part.config_digest)).dead_letter_table

    def _land(self, table: str, dead_letters: Mapping[str, Coverage], report: Callable[[CommitOutcome], None]) -> None:
        """Land the parts; try again if a rollback, a recovery or another committer took a part first."""
        for _ in range(RACES):
            try:
                return self._try_to_land(table, dead_letters, report)
            except Fenced as fault:
                logger.info("%s: %s; trying again", table, fault)
        return self._try_to_land(table, dead_letters, report)

    def _try_to_land(
        self, table: str, dead_letters: Mapping[str, Coverage], report: Callable[[CommitOutcome], None]
    ) -> None:
        """Load, decide and commit. Each try starts from a fresh load, so that a landed commit is always seen.

        *report* gets each snapshot at once: marking it in the log may fail, and so may parts that cannot land with it.
        """
        starts = self.log.declared_starts(self.pipeline, table)
        suspect = False
        landed, otherwise = False, report
        for attempt in range(ATTEMPTS):
            # Read before the staged parts, so that a part that is staged in between is in one of the two.
            planned = self.log.planned(self.pipeline) if suspect else []
            known = self.log.generations(self.pipeline)
            parts = self.log.staged(self.pipeline, table)
            state, followed = self.context.followed(table, known)
            if followed:
                continue
            standing, ledger = self._standing(state)
            if ledger.paused:
                report(CommitOutcome(table, None, (), 0, f"{table}: no batch is committed: {ledger.paused.line}"))
                return
            decision = decisions.decide(
                parts, standing, starts, lambda part: dead_letters.get(part.config_digest, Coverage())
            )
            self._settle(state, decision, ledger)
            if self._replanned_for_lost_files(state, decision):
                continue
            if landed and decision.append:
                return
            if decision.hole and not decision.append and not decision.refused:
                if not suspect:
                    suspect = True
                    continue
                if not any(table in b.planned_tables and not is_backfill(b.lane) for b in planned):
                    raise unread(table, decision.hole)
            if not decision.append:
                otherwise(nothing_appended(table, decision))
                return
            config_digest = decision.append[-1].config_digest
            after = replace(
                ledger,
                commit_id=self.context.new_id(),
                config_digest=config_digest,
                coverage=decision.coverage,
                valid_through_ms=self._valid_through_ms(table, decision, ledger, starts),
            )
            change = self.context.change(
                after,
                self.log.config(config_digest),
                batch_ids=tuple(dict.fromkeys(p.batch_id for p in decision.append)),
                files=decision.files,
                books=decision.books,
                properties=self._properties(after),
            )
            snapshot_id = send(self.tables, state, change, attempt, self.pause)
            if snapshot_id is None:
                continue
            landed, otherwise = True, lambda outcome: None
            report(self._landed(table, decision, snapshot_id))
            self.log.committed(decision.append, snapshot_id, after.commit_id, after)
            if not decision.waiting and not decision.refused:
                return
            # Parts that cannot land get a round of their own, or the success of the others would hide them.
        if landed:
            return
        raise CommitConflict(
            f"{table}: other writers committed first {ATTEMPTS} times in a row.",
            State.STAGED,
            "The next run commits them.",
        )

    def _valid_through_ms(
        self, table: str, decision: Decision, before: Ledger, starts: Mapping[Source, int]
    ) -> int | None:
        """Valid-through after this commit, None if unknown. A commit without live batches keeps the value *before*."""
        newest = valid_through.newest_live(decision.append)
        if newest is None:
            return before.valid_through_ms
        survey = self.log.survey(newest.batch_id)
        if survey is None:
            return None
        planned = Pipeline.from_resolved(self.log.config(newest.config_digest))
        known = {*survey.reached, *decision.coverage}
        taken = {s.topic for s in known if planned.feeds(table, s.topic)}
        lateness_ms = planned.publish.max_lateness_ms
        return valid_through.valid_through_ms(survey, taken, decision.append, decision.coverage, starts, lateness_ms)

    def _properties(self, after: Ledger) -> dict[str, str]:
        if not self.context.pipeline.publish.connect_valid_through or after.valid_through_ms is None:
            return {}
        return {CONNECT_VALID_THROUGH: valid_through.text(after.valid_through_ms)}

    def _standing(self, state: TableState) -> tuple[TableStanding, Ledger]:
        if state.ledger is None:
            raise LedgerDetached(
                f"{state.name}: staged parts exist for this table (UUID {state.uuid}), but it carries no ledger of pipeline "
                f"{self.pipeline!r}: property and tag were removed.",
                State.STAGED,
                "Restore both (the tag names the newest snapshot with 'lakelock.' properties).",
            )
        return TableStanding(state.uuid, state.schema_id, state.spec_id, state.ledger), state.ledger

    def _settle(self, state: TableState, decision: Decision, ledger: Ledger) -> None:
        """Carry out the outcomes of *decision* that need no commit."""
        table = state.name
        if decision.replaced:
            part = decision.replaced[0]
            before = part.result.identity.uuid
            raise TableReplaced(
                f"table {table} was replaced: batch {part.batch_id} was written for UUID {before}.",
                State.STAGED_KEPT,
                "To put that table back, drop the new one without its files, never by purge. "
                f"{self.tables.way_back(table, before, self.log.staged_files(table))}. Or continue with the new one, which gets "
                f"all records from the start: {rebind(table)}.",
            )
        if decision.mark:
            logger.info("%s: already in the table: %s", table, listed(_ranges(decision.mark)))
            self.log.committed(decision.mark, None, None, ledger)
        for part, reason in decision.rewrite:
            logger.warning("%s: batch %s will be written again: %s", table, part.batch_id, reason)
            self.log.replan(part, reason)
        for part, why, ranges in decision.again:
            again = f"; {listed(ranges)} will be read again" if ranges else ""
            self._replace(table, part, f"{why}{again}", ranges)
        for part, reason in decision.refused:
            logger.error("%s: batch %s is refused: %s", table, part.batch_id, reason)
        for part, reason in decision.waiting:
            logger.info("%s: batch %s waits: %s", table, part.batch_id, reason)

    def _replace(self, table: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange]) -> None:
        logger.warning("%s: batch %s will never be committed: %s", table, part.batch_id, reason)
        self.log.plan_instead(self.pipeline, part, reason, ranges, self.context.redo_of(part))

    def _replanned_for_lost_files(self, state: TableState, decision: Decision) -> bool:
        """Plan parts again if their files are gone, and return whether any are. Checks restaged and older parts."""
        old = [p for p in decision.append if p.restaged or p.age_s >= VERIFY_FILES_AFTER_S]
        gone = set(self.tables.missing_files(state, [f for p in old for f in p.result.files])) if old else set()
        for part in old:
            lost = [f.path for f in part.result.files if f.path in gone]
            if lost:
                reason = f"{len(lost)} of its files are gone, first {lost[0]}"
                logger.error("%s: batch %s will be read from Kafka again: %s", state.name, part.batch_id, reason)
                self.log.replan(part, reason)
        return bool(gone)

    def _landed(self, table: str, decision: Decision, snapshot_id: int) -> CommitOutcome:
        ranges = _ranges(decision.append)
        rows, files = sum(p.result.rows for p in decision.append), len(decision.files)
        size_bytes = sum(f.size_bytes for f in decision.files)
        line = (
            f"{table}: snapshot {snapshot_id}: {listed(ranges)}: {counted(rows, 'row')}, {counted(files, 'file')}, "
            f"{size_bytes} bytes, {counted(len(decision.append), 'batch', 'batches')}"
        )
        return CommitOutcome(table, snapshot_id, tuple(ranges), rows, line)


def _ranges(parts: Sequence[StagedPart]) -> list[OffsetRange]:
    return [b.range for p in parts for b in p.result.books]
