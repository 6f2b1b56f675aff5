"""Redrive dead letters that fit their table now: they become its rows, in a commit that records which."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from lakelock.config import Pipeline
from lakelock.errors import JobCancelled, LakelockError, RedriveRefused, Retryable, State
from lakelock.ingest.changed_records import overtaken
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.dead_letter_state import coverage_of
from lakelock.ingest.evolving import settings_now
from lakelock.ingest.write_order import MaskKeys, no_keys
from lakelock.model.batches import NO_TABLE, DataFile
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.offsets import OffsetRange, offsets_in, united
from lakelock.model.operator_log import Decided, What
from lakelock.ports import TableState
from lakelock.ports.edits import Append
from lakelock.ports.redrive_jobs import (
    DeadLetterStore,
    LettersToRoute,
    RedriveOrder,
    RedriveOutput,
    Redriver,
    RoutedLetters,
)
from lakelock.redrive import decision as decisions
from lakelock.redrive.assignment import Assignment
from lakelock.redrive.dead_letter_lookup import DeadLetterLookup, Selection, filled
from lakelock.redrive.redrive_order import order_of
from lakelock.redrive.redrive_preview import (
    ApprovedDeadLetters,
    RedriveOutcome,
    RedrivePlan,
    RedriveRequest,
    TableDeadLetters,
)

T = TypeVar("T")

logger = logging.getLogger(__name__)

UNDONE = (State.ORPHANED, "Run the command again.")


@dataclass(frozen=True, slots=True)
class Redrives:
    """Redrives one pipeline's dead letters, also while it runs.

    *redriver* is called only if there are some; *trial* runs the one slice of an order that writes nothing. *route* and *make*
    are as in `Assignment`.
    """

    context: PipelineContext
    box: DeadLetterStore
    redriver: Callable[[], Redriver]
    trial: Callable[[RedriveOrder], RedriveOutput]
    pause: Callable[[float], None]
    route: Callable[[LettersToRoute], RoutedLetters]
    make: Callable[[Pipeline, str, Sequence[bytes]], None]
    keys: MaskKeys = no_keys

    @property
    def lookup(self) -> DeadLetterLookup:
        return DeadLetterLookup(self.context, self.box)

    def preview(self, request: RedriveRequest) -> RedrivePlan:
        """Preview a redrive. Raises RedriveRefused if no table can be looked at."""
        assignment = self._assignment()
        unassigned = self._looked(NO_TABLE, request, lambda: assignment.preview(request)) if assignment else None
        selecting = [(name, partial(self.lookup.select, name, request)) for name in self._names(request)]
        for name in assignment.of(request) if assignment else ():
            selecting.append((name, partial(self.lookup.select_assigned, name, request)))
        tables = [self._looked(name, request, partial(self._planned, select)) for name, select in selecting]
        if isinstance(unassigned, TableDeadLetters):
            tables.append(unassigned)
            unassigned = None
        of_retired = assignment.of_retired(request) if assignment else {}
        left_out = [t.left_out for t in tables if t.left_out]
        if left_out and not any(t.found for t in tables) and not (unassigned and unassigned.found):
            raise RedriveRefused(f"nothing can be redriven now. {' '.join(left_out)}")
        return RedrivePlan(request, tuple(tables), unassigned, of_retired)

    def _looked(self, table: str, request: RedriveRequest, look: Callable[[], T]) -> T | TableDeadLetters:
        """A table that cannot be looked at is left out, unless the request is about it alone."""
        try:
            return look()
        except Retryable:
            raise
        except LakelockError as fault:
            if request.table is not None:
                raise
            return TableDeadLetters(table, left_out=str(fault))

    def redrive(
        self,
        request: RedriveRequest,
        who: str,
        why: str,
        shown: ApprovedDeadLetters,
        report: Callable[[RedriveOutcome], None],
    ) -> list[RedriveOutcome]:
        """Redrive each table in chunks, a Spark job and a commit each; running it again does the rest.

        Commits that landed stay. An error of one table does not stop the others, and is raised at the end; *report* also
        gets the chunks that landed before it. Only dead letters that were there at the preview (*shown*) are redriven.
        """
        names = self._names(request)
        outcomes: list[RedriveOutcome] = []
        faults: list[LakelockError] = [
            decisions.no_longer_there(name, self.context.pipeline.name) for name in shown.of_tables if name not in names
        ]
        seen = shown.tables
        selecting = [(name, partial(self.lookup.select, name, request, seen[name])) for name in names if name in seen]
        this, assignment = self, self._assignment()

        def done_with(name: str, chunks: Callable[[], Iterator[RedriveOutcome]]) -> None:
            done = RedriveOutcome(name)
            try:
                for so_far in chunks():
                    done = so_far
            except JobCancelled:
                raise
            except LakelockError as fault:
                logger.error("%s: %s: %s", name, type(fault).__name__, fault)
                faults.append(fault)
                if not done.has_landed:
                    return
            outcomes.append(done)
            report(done)

        if assignment is not None and NO_TABLE in seen:
            said = Decided(What.REDRIVE, self._now(), who, why, request.about)
            done_with(NO_TABLE, partial(assignment.assign, request, seen[NO_TABLE], said))
            known = self.context.pipeline.with_routed(self.context.routed())
            this = replace(self, context=replace(self.context, pipeline=known))
            assignment = this._assignment()
        for name in assignment.of(request) if assignment is not None else ():
            if NO_TABLE in seen or name in shown.assigned:
                selecting.append((name, partial(this.lookup.select_assigned, name, request)))
        for name, select in selecting:
            done_with(name, partial(this._redriven, select, request, who, why))
        if faults:
            raise next((f for f in faults if not isinstance(f, Retryable)), faults[0])
        return outcomes

    def _names(self, request: RedriveRequest) -> list[str]:
        names = [t.name for t in self.context.pipeline.tables]
        if request.table == NO_TABLE:
            return []
        if request.table is not None and request.table not in names:
            raise decisions.no_such_table(request.table, names, self.context.pipeline.name)
        bound = self.context.log.bound(self.context.pipeline.name)
        return [n for n in names if n in bound and request.table in {None, n}]

    def _assignment(self) -> Assignment | None:
        return Assignment.begin(self.lookup, self.route, self.make, self.pause)

    def _planned(self, select: Callable[[], Selection]) -> TableDeadLetters:
        selection = select()
        table, covered, reported = selection.state.name, selection.ledger.coverage, selection.recorded
        waiting = [] if selection.is_assigned else decisions.not_landed(table, covered, reported)
        if not selection.found.ranges:
            return TableDeadLetters(table, selection.seen, waiting=tuple(waiting), had_no_table=selection.is_assigned)
        tried = decisions.sample(selection.found.ranges)
        out = self.trial(replace(self._order(selection, "", (tried,)), is_trial=True))
        return TableDeadLetters(
            table,
            selection.seen,
            selection.found.ranges,
            selection.found.causes,
            offsets_in(tried),
            offsets_in(out.rows),
            out.unfit,
            tuple(waiting),
            had_no_table=selection.is_assigned,
        )

    def _redriven(
        self, select: Callable[[], Selection], request: RedriveRequest, who: str, why: str
    ) -> Iterator[RedriveOutcome]:
        """Yield the result so far after each chunk."""
        selection = select()
        done = RedriveOutcome(selection.state.name)
        for chunk in decisions.chunks(selection.found.ranges):
            done = self._chunk(selection, chunk, Decided(What.REDRIVE, self._now(), who, why, request.about), done)
            yield done

    def _chunk(
        self, selection: Selection, chunk: Sequence[OffsetRange], said: Decided, done: RedriveOutcome
    ) -> RedriveOutcome:
        selection = self._refreshed(selection)
        table, redrive_id, began_ms = selection.state.name, self.context.new_id(), self._now_ms()
        redriver, dead_letters = self.redriver(), offsets_in(chunk)
        outputs = redriver.run(self._order(selection, redrive_id, decisions.slices(chunk, redriver.parallelism)))
        rows = united(r for o in outputs for r in o.rows)
        files = tuple(f for o in outputs for f in o.files)
        unfit: Counter[str] = Counter(done.unfit)
        for output in outputs:
            unfit.update(output.unfit)
        count = offsets_in(rows)
        still = sum(unfit.values()) - sum(done.unfit.values())
        decisions.check_books(table, dead_letters, count, still, sum(f.rows for f in files))
        done = replace(done, tried=done.tried + dead_letters, unfit=dict(unfit))
        if not rows:
            return done
        said = replace(said, about=f"{count} of {dead_letters} dead letters of {said.about}")
        version_id = self._landed(selection, rows, files, said, redrive_id, began_ms)
        if version_id is None:
            return replace(done, twice=done.twice + count)
        logger.info("%s: snapshot %s: %s", table, version_id, said.line)
        return replace(
            done, rows=done.rows + count, ranges=(*done.ranges, *rows), snapshots=(*done.snapshots, version_id)
        )

    def _refreshed(self, selection: Selection) -> Selection:
        """The same dead letters with freshly loaded tables: a catalog's credentials may not last for all chunks.

        Raises RedriveRefused if the table is no longer the same. The ledger stays that of the look: with it, a row
        that others made since is distinguished from those of this redrive.
        """
        state, ledger = self.lookup.loaded(selection.state.name)
        self._refuse_moved((), selection.state, state, ledger.coverage)
        pipeline, tables = self.context.pipeline, self.context.tables
        names = settings_now(pipeline, pipeline.table(state.name), state, tables)
        return replace(selection, state=state, names=names, dead_letters=self.lookup.dead_letter_tables())

    def _refuse_moved(
        self, rows: Sequence[OffsetRange], before: TableState, now: TableState, coverage: Coverage
    ) -> None:
        """Raise RedriveRefused if files that were written for the table *before* must not be committed to it *now*."""
        misfit = self.context.misfit(now, before.layout.token)
        decisions.refuse_moved(now.name, rows, before.identity, now.identity, misfit, coverage)

    def _landed(
        self,
        selection: Selection,
        rows: Sequence[OffsetRange],
        files: tuple[DataFile, ...],
        said: Decided,
        redrive_id: str,
        began_ms: int,
    ) -> int | None:
        """The snapshot with the rows; None if another redrive made all of them first. Each try decides again."""
        context, table, before = self.context, selection.state.name, selection.state.identity

        def draft() -> Land[None] | Done[None]:
            evidence = context.evidence(table) if selection.is_assigned else None
            state, ledger = self.lookup.loaded(table)
            landed = context.tables.find_commit(state, redrive_id)
            now = state.identity
            same = (now.uuid, now.generation) == (before.uuid, before.generation)
            if landed is not None or (same and decisions.are_rows(rows, ledger.coverage)):
                return Done(None, landed)
            covered = filled(ledger, evidence, rows)
            self._refuse_moved(rows, selection.state, state, covered)
            if newer := overtaken(rows, selection.ledger, ledger):
                raise RedriveRefused(f"table {table}: {newer}.", State.ORPHANED, decisions.AGAIN)
            dead_letters = joined(map(coverage_of, self.lookup.dead_letter_tables()))
            decisions.refuse_gone(table, rows, dead_letters, selection.letters_of)
            coverage = (decisions.received if selection.is_assigned else decisions.redriven)(covered, rows)
            decisions.refuse_pieces(table, decisions.pieces(coverage))
            # After the table was loaded: a clean-up that takes the files for orphans changes the table first.
            decisions.check_in_time(table, began_ms, self._now_ms())
            # Iceberg commits missing files silently.
            if gone := context.tables.missing_files(state, files):
                raise RedriveRefused(
                    f"table {table}: a new file is gone: {gone[0]}.",
                    State.DEAD_LETTERS_KEPT,
                    "Run it again.",
                )
            after = replace(ledger, commit_id=redrive_id, coverage=coverage, decisions=(*ledger.decisions, said))
            return Land(state, context.change(after, Append(files), batch_ids=(redrive_id,)), None)

        done = until_landed(context.tables, table, draft, self.pause, *UNDONE)
        # Also if a later try found it landed, or found another run's commit: that run may have died before this step.
        context.report(table)
        return done.version_id

    def _order(
        self, selection: Selection, redrive_id: str, slices: tuple[tuple[OffsetRange, ...], ...]
    ) -> RedriveOrder:
        return order_of(self.context, self.box, self.keys, selection, redrive_id, slices)

    def _now(self) -> datetime:
        return self.context.log.now().replace(microsecond=0)

    def _now_ms(self) -> int:
        return int(self.context.log.now().timestamp() * 1000)
