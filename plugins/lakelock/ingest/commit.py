"""Commit a table's staged parts in one snapshot that carries their offsets, exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace

from lakelock.config.commit_sections import Commit
from lakelock.errors import Fenced, State
from lakelock.ingest import commit_decision as decisions
from lakelock.ingest.commit_decision import Decision
from lakelock.ingest.commit_draft import Appended, CommitDrafts, ledger_of, ranges_of
from lakelock.ingest.commit_loop import Done, Draft, until_landed
from lakelock.ingest.commit_views import CommitViews
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import CommitOutcome, listed
from lakelock.model.batches import NO_TABLE, StagedPart
from lakelock.model.commit_view import CommitView
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.units import counted
from lakelock.ports import Log, Tables

logger = logging.getLogger(__name__)

RACES = 2


@dataclass(frozen=True, slots=True)
class Committer:
    """Commits the tables of one pipeline; *pause* sleeps the given seconds between attempts."""

    context: PipelineContext
    pause: Callable[[float], None]
    coming: InitVar[Sequence[str]] = ()
    views: CommitViews = field(init=False, compare=False)

    def __post_init__(self, coming: Sequence[str]) -> None:
        views = CommitViews(self.context.log, self.context.pipeline.name, tuple(coming))
        object.__setattr__(self, "views", views)

    def expecting(self, coming: Sequence[str]) -> Committer:
        """As this one, for the *coming* tables, which are committed in this order."""
        return Committer(self.context, self.pause, coming)

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
        drafts = self._due(table, now, report)
        if drafts is not None:
            self._land(drafts, report)

    def _due(self, table: str, now: bool, report: Callable[[CommitOutcome], None]) -> CommitDrafts | None:
        """The commit of what is due, after that of its dead letters; None if nothing is, which *report* gets."""
        view = self.views.next(table)
        if view.is_unsettled:
            # A rollback was begun: the log follows even if nothing is staged.
            self.context.followed(table)
            view = self.views.now(table)
        parts = view.parts
        if not parts:
            report(CommitOutcome(table, None, (), 0, f"{table}: nothing staged"))
            return None
        rows, size_bytes = sum(p.result.rows for p in parts), sum(p.result.size_bytes for p in parts)
        oldest_s = max(p.age_s for p in parts)
        has_rows = any(p.result.rows or p.result.dead for p in parts)
        settings, now = self.settings, now or self._is_awaited(parts)
        due_in_s = decisions.due_in_s(size_bytes, oldest_s, has_rows, settings.min_bytes, settings.max_latency_s, now)
        if due_in_s > 0 and not self._is_first(table, view):
            line = f"{table}: {counted(rows, 'staged row')}, {size_bytes} bytes, {oldest_s:.1f} s old: due in {due_in_s:.0f} s"
            report(CommitOutcome(table, None, (), 0, line))
            return None
        tables = {p.config_digest: self._dead_letter_table(p) for p in parts if p.result.dead}
        lacks_letters = view.evidence is not None and view.evidence.lacks_letters
        if not tables and not lacks_letters:
            return CommitDrafts(self.context, self.views, table, {}, view)
        # Landing reads them again: holding them twice would be half of this task's memory.
        del view, parts
        # A batch's own configuration names its dead-letter table. Earlier dead letters may be in an older one.
        for name in sorted({*tables.values(), *(self._with_letters() if lacks_letters else ())}):
            self._commit(name, True, lambda outcome: report(outcome) if outcome.version_id is not None else None)
            ledger_of(self.context.followed(name)[0], self.pipeline)
        return CommitDrafts(self.context, self.views, table, self._dead_letters(tables) if tables else {})

    def _with_letters(self) -> list[str]:
        """Dead-letter tables with staged dead letters for which no table is known: parts of a routed table wait for these."""
        staged = {n: self.log.staged(self.pipeline, n) for n in self.context.dead_letter_tables}
        return [name for name, parts in staged.items() if any(p.result.target == NO_TABLE for p in parts)]

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
            (p.result.target == NO_TABLE or p.result.target in b.planned_tables)
            and any(r.range.overlaps(k.range) for r in b.ranges for k in p.result.books)
            for b in batches
            for p in dead_letters
        )

    def _is_first(self, table: str, view: CommitView) -> bool:
        """Whether the table has no commit yet: the first one is not delayed, so that a new pipeline soon shows rows."""
        return not view.has_ledger and not self.context.is_dead_letter_table(table)

    def _dead_letter_table(self, part: StagedPart) -> str:
        return self.context.file_of(part.config_digest).dead_letter_table

    def _land(self, drafts: CommitDrafts, report: Callable[[CommitOutcome], None]) -> None:
        """Land the parts; try again if a rollback, a recovery or another committer took a part first."""
        for _ in range(RACES):
            try:
                return self._try_to_land(drafts, report)
            except Fenced as fault:
                logger.info("%s: %s; trying again", drafts.table, fault)
                drafts = CommitDrafts(self.context, self.views, drafts.table, drafts.dead_letters)
        return self._try_to_land(drafts, report)

    def _try_to_land(self, drafts: CommitDrafts, report: Callable[[CommitOutcome], None]) -> None:
        """Commit what can land. *report* gets the snapshot at once: marking it in the log may fail."""
        done = self._until_landed(drafts.table, drafts.draft)
        if isinstance(done.result, CommitOutcome):
            report(done.result)
            return
        decision, after, version_id = done.result.decision, done.result.after, done.version_id
        assert version_id is not None
        report(replace(_landed(drafts.table, decision, version_id), columns_changed=done.result.columns_changed))
        self.log.committed(decision.append, version_id, after.commit_id, after)
        if any(p.result.target for p in decision.append):
            # Tables that come later need not wait for these dead letters.
            self.views.forget()
        if decision.waiting or decision.refused:
            # Or the success of the others would hide the error of parts that cannot land.
            self._until_landed(drafts.table, drafts.after_landing)

    def _until_landed(self, table: str, draft: Draft[Appended | CommitOutcome]) -> Done[Appended | CommitOutcome]:
        return until_landed(self.tables, table, draft, self.pause, State.STAGED, "The next run commits them.")


def _landed(table: str, decision: Decision, version_id: int) -> CommitOutcome:
    ranges = ranges_of(decision.append)
    rows, files = sum(p.result.rows for p in decision.append), len(decision.files)
    size_bytes = sum(f.size_bytes for f in decision.files)
    line = (
        f"{table}: snapshot {version_id}: {listed(ranges)}: {counted(rows, 'row')}, {counted(files, 'file')}, "
        f"{size_bytes} bytes, {counted(len(decision.append), 'batch', 'batches')}"
    )
    return CommitOutcome(table, version_id, tuple(ranges), rows, line)
