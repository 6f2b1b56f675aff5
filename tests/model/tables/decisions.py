"""What the product decides, asked for the values of the model; answers are remembered.

The model has no rule of its own beside these. A rule is removed by what a decision is given, or by wrapping it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from unittest.mock import patch

from lakelock.errors import TableUnfit
from lakelock.ingest import commit_decision as commit
from lakelock.ingest import unclosed_decision
from lakelock.ingest.closing_decision import as_planned
from lakelock.ingest.dead_letter_state import refuse_late
from lakelock.ingest.decided_records import refuse_decided
from lakelock.ingest.reconcile_decision import follow
from lakelock.model.batches import NO_TABLE, Books, PartResult, StagedPart, TableIdentity, covered_range
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import PartNote, PartState, Stand, TailBatch
from lakelock.model.offsets import OffsetRange
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.versions import OwnVersion
from lakelock.recovery.rebuild_decision import rebuilt
from lakelock.rollback import decision as rollback

from model.tables import rules
from model.tables.ledgers import COMMIT_ID, SOURCE, STARTS, Ledgers, ranges
from model.tables.state import DEAD_LETTERS, Batch, Part, PipelineLedger, Table, TableLedger

NEVER = datetime(2000, 1, 1, tzinfo=UTC)


class Given(NamedTuple):
    """A staged part with what a committer knows of its batch."""

    number: int
    start: int
    end: int
    config: str
    part: Part


class Landing(NamedTuple):
    """`ingest.commit_decision.Decision`; *ledger* is what the commit would carry, *filled* what it fills."""

    append: tuple[Given, ...]
    mark: tuple[Given, ...]
    rewrite: tuple[Given, ...]
    again: tuple[tuple[Given, tuple[OffsetRange, ...]], ...]
    ledger: TableLedger
    filled: tuple[OffsetRange, ...]


class Followed(NamedTuple):
    mark: frozenset[int]
    restage: frozenset[int]
    abort: frozenset[int]
    redo: tuple[OffsetRange, ...]


class Recovered(NamedTuple):
    frontier: int
    redo: Mapping[str, tuple[OffsetRange, ...]]
    tail: tuple[TailBatch, ...]


class Known(NamedTuple):
    """`RouteEvidence` as offsets, so that it can be remembered."""

    closed_to: int
    letters_to: int
    open: frozenset[int]
    frontier: int


class Core(Ledgers):
    """The decisions under a set of removed rules."""

    # What the pipeline's ledger says of a table, and fill.

    def is_registered(self, pipeline: PipelineLedger, name: str, uuid: str) -> bool:
        """Whether the ledger names this very table."""
        if not self.has(rules.REGISTER_TABLES):
            return True
        return pipeline.tables.get(name) == uuid or (name in pipeline.tables and not self.has(rules.MARK_UUID))

    def evidence(self, known: Known) -> RouteEvidence:
        return RouteEvidence(
            STARTS,
            {SOURCE: known.closed_to if self.has(rules.FILL_CLOSED) else known.frontier},
            {SOURCE: known.letters_to if self.has(rules.FILL_LETTERS) else known.frontier},
            ranges(known.open) if self.has(rules.FILL_OPEN) else (),
            {SOURCE: known.frontier},
        )

    def _owing(self, ledger: Ledger) -> Ledger:
        return ledger if self.has(rules.FILL_OWED) else replace(ledger, coverage=ledger.coverage.owing_within(()))

    # Commit.

    def landing(self, parts: tuple[Given, ...], table: Table, name: str, known: Known) -> Landing:
        key = ("landing", parts, table.uuid, table.ledger, name, known)
        return self.remembered(key, lambda: self._landing(parts, table, name, known))  # type: ignore[no-any-return]

    def _landing(self, parts: tuple[Given, ...], table: Table, name: str, known: Known) -> Landing:
        now = self._owing(table.ledger.ledger)
        given = {g.number: g for g in parts}
        standing = commit.TableStanding(table.uuid, now)
        with self._without(rules.ORDER, commit, "_gap", lambda *_: None):
            staged = [_staged(name, g, "") for g in parts]
            d = commit.decide(staged, standing, STARTS, lambda _: Coverage(), self.evidence(known))
        version = OwnVersion(d.coverage, tuple(r for p in d.append for r in p.ranges))
        return Landing(
            tuple(given[p.sequence] for p in d.append),
            tuple(given[p.sequence] for p in d.mark),
            tuple(given[p.sequence] for p, _ in d.rewrite),
            tuple((given[p.sequence], r) for p, _, r in d.again),
            self.table_ledger(replace(now, coverage=d.coverage)),
            tuple(rollback.filled_since(now.coverage, [version])),
        )

    def letters(
        self, parts: tuple[Given, ...], pipeline: PipelineLedger
    ) -> tuple[tuple[Given, ...], tuple[Given, ...], PipelineLedger]:
        """Parts of the dead-letter table that would land, those that it has, and the ledger with them."""
        key = ("letters", parts, pipeline)

        def make() -> tuple[tuple[Given, ...], tuple[Given, ...], PipelineLedger]:
            given = {g.number: g for g in parts}
            standing = commit.TableStanding(DEAD_LETTERS, pipeline.ledger)
            d = commit.decide(
                [_staged(DEAD_LETTERS, g, NO_TABLE) for g in parts], standing, STARTS, lambda _: Coverage()
            )
            append, mark = (tuple(given[p.sequence] for p in some) for some in (d.append, d.mark))
            return append, mark, self.pipeline_with(pipeline, coverage=d.coverage)

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def _without(self, rule: rules.Rule, module: Any, name: str, instead: Any) -> AbstractContextManager[Any]:
        return nullcontext() if self.has(rule) else patch.object(module, name, instead)

    # Dead letters of a batch that is read again.

    def may_be_letters(
        self, batch: Batch, pipeline: PipelineLedger, held: Mapping[str, Coverage], *, is_decided: bool
    ) -> bool:
        """Whether a record of *batch* may be a new dead letter; *held* has the coverage of each registered table.

        *is_decided*: its tables are known, or it is read for one table alone.
        """
        r = ranges(batch.offsets())[0]
        there = pipeline.ledger.coverage.contains(covered_range(r, NO_TABLE))
        new = [Books(r, r.offsets, 0, r.offsets)]
        try:
            refuse_late(NO_TABLE, new, [r] if is_decided or there else [], [])
            refuse_decided(new, held if self.has(rules.DECIDED_HELD) else {}, pipeline.ledger.coverage)
        except TableUnfit:
            return False
        return True

    # Rollback, reconcile, recover.

    def rolled_back(self, table: Table, mode: Mode) -> TableLedger:
        before = table.past[-1]

        def make() -> TableLedger:
            now, at, record = table.ledger.ledger, before.ledger.ledger, Rollback(0, 0, mode, "", "")
            filled = before.filled if self.has(rules.OWED) else None
            return self.table_ledger(rollback.rolled_back(now, at, record, COMMIT_ID, filled=filled))

        return self.remembered(("rolled back", table.ledger, before.ledger, before.filled, mode), make)  # type: ignore[no-any-return]

    def fenced(self, ledger: TableLedger, mark: Coverage | None) -> TableLedger:
        """As `recovery.adoption`: what it owes above the mark is read again for all tables."""
        now, record = ledger.ledger, Rollback(0, 0, Mode.RECOMMIT, "", "")
        after = rollback.rolled_back(now, now, record, COMMIT_ID)
        marked = mark.ranges if mark and self.has(rules.MARK) else ()
        return self.table_ledger(replace(after, coverage=after.coverage.owing_within(marked)))

    def followed(
        self, table: Table, known: Known, notes: tuple[tuple[str, int, int], ...], generation: int
    ) -> Followed:
        key = ("follow", table.ledger, known, notes, generation)

        def make() -> Followed:
            parts = [
                PartNote(i, PartState(state), (OffsetRange(SOURCE, start, end),))
                for i, (state, start, end) in enumerate(notes)
            ]
            now = self._owing(table.ledger.ledger)
            planned = replace(now, coverage=as_planned(self.evidence(known), now, parts))
            f = follow(parts, planned, generation, STARTS, {SOURCE: known.frontier}, lambda _: True)
            return Followed(frozenset(f.mark), frozenset(f.restage), frozenset(f.abort), f.redo)

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def recovered(self, present: Mapping[str, Table], pipeline: PipelineLedger) -> Recovered:
        """The frontier, what each table owes below the mark, and the batches above it."""
        key = ("recovered", pipeline, tuple((name, t.ledger) for name, t in sorted(present.items())))

        def make() -> Recovered:
            ledger = pipeline.ledger if self.has(rules.MARK) else replace(pipeline.ledger, mark=None, behind={})
            ledger = ledger if self.has(rules.BEHIND_READ) else replace(ledger, behind={})
            stands = [
                Stand(DEAD_LETTERS, DEAD_LETTERS, ledger),
                *(Stand(name, t.uuid, t.ledger.ledger) for name, t in sorted(present.items())),
            ]
            with self._without(rules.CUT, unclosed_decision, "_cut", lambda r, _: [r]):
                found = rebuilt(stands, lambda *_: False, max(self.setup.sizes))
            redo = {t: tuple(r) for t, r in found.redo.items() if t in present or self.has(rules.BEHIND_ABSENT)}
            return Recovered(found.streams[0].next_offset, redo, found.tail)

        return self.remembered(key, make)  # type: ignore[no-any-return]


def _staged(table: str, given: Given, target: str) -> StagedPart:
    rows = len(given.part.rows)
    identity = TableIdentity(given.part.uuid, given.part.generation, "")
    result = PartResult(table, identity, (), (Books(OffsetRange(SOURCE, given.start, given.end), rows, rows),), target)
    return StagedPart(str(given.number), given.number, "", "", given.config, NEVER, 0.0, result)
