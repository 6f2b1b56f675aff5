"""What the product and the design decide, asked for the values of the model; answers are remembered.

The model has no rule of its own beside these. A rule is removed by what a decision is given, or by wrapping it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple
from unittest.mock import patch

from lakelock.ingest import commit_decision as commit
from lakelock.ingest.reconcile_decision import follow
from lakelock.ingest.replan_decision import batches
from lakelock.model.batches import Books, PartResult, StagedPart, TableIdentity, covered_range, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Mode, Rollback
from lakelock.model.log_state import PartNote, PartState, Stand
from lakelock.model.offsets import OffsetRange, overlap, without
from lakelock.recovery.rebuild_decision import rebuilt

from model.tables import rules
from model.tables.fill_decision import Evidence, adding, filled
from model.tables.ledgers import COMMIT_ID, SOURCE, STARTS, Ledgers, offsets_of, ranges
from model.tables.mark_decision import effective, implied
from model.tables.owed_decision import repaid, rolled_back
from model.tables.rules import Rule
from model.tables.state import DEAD_LETTERS, Part, PipelineLedger, Table, TableLedger

NO_TARGET = "none"
NEVER = datetime(2000, 1, 1, tzinfo=UTC)


class Given(NamedTuple):
    """A staged part with what a committer knows of its batch."""

    number: int
    start: int
    end: int
    config: str
    letters: tuple[int, ...]
    part: Part


class Landing(NamedTuple):
    """`ingest.commit_decision.Decision`; *ledger* is what the commit would carry, *filled* what it fills."""

    append: tuple[Given, ...]
    mark: tuple[Given, ...]
    rewrite: tuple[Given, ...]
    again: tuple[tuple[Given, frozenset[int]], ...]
    ledger: TableLedger
    filled: tuple[OffsetRange, ...]


class Followed(NamedTuple):
    mark: frozenset[int]
    restage: frozenset[int]
    abort: frozenset[int]
    redo: tuple[OffsetRange, ...]


class Recovered(NamedTuple):
    frontier: int
    redo: dict[str, frozenset[int]]


class Known(NamedTuple):
    """`Evidence` as offsets, so that it can be remembered."""

    closed: frozenset[int]
    open: frozenset[int]
    unlanded: frozenset[int]


class Core(Ledgers):
    """The decisions under a set of removed rules."""

    # What the pipeline's ledger says of a table, and fill.

    def is_registered(self, pipeline: PipelineLedger, name: str, uuid: str) -> bool:
        """Whether the ledger names this very table."""
        return not self.has(rules.REGISTER_TABLES) or self._names(pipeline, name, uuid)

    def _names(self, pipeline: PipelineLedger, name: str, uuid: str) -> bool:
        return pipeline.tables.get(name) == uuid or (name in pipeline.tables and not self.has(rules.MARK_UUID))

    def implied(self, table: Table, name: str, pipeline: PipelineLedger) -> tuple[OffsetRange, ...]:
        key = ("implied", name, table.uuid, pipeline)

        def make() -> tuple[OffsetRange, ...]:
            named = self._names(pipeline, name, table.uuid)
            return implied(pipeline.mark, name, named) if self.has(rules.MARK) else ()

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def evidence(self, table: Table, name: str, pipeline: PipelineLedger, known: Known) -> Evidence:
        return Evidence(
            self.implied(table, name, pipeline),
            ranges(known.closed),
            ranges(known.open) if self.has(rules.FILL_OPEN) else (),
            table.ledger.owed if self.has(rules.FILL_OWED) else (),
            ranges(known.unlanded) if self.has(rules.FILL_LETTERS) else (),
        )

    def lacks(self, table: Table, name: str, pipeline: PipelineLedger) -> frozenset[int]:
        """Marked offsets that a recovery finds missing in the table."""

        def make() -> frozenset[int]:
            own = table.ledger.ledger.coverage
            owed = table.ledger.owed if self.has(rules.FILL_OWED) else ()
            there = effective(own, self.implied(table, name, pipeline), owed, 0)
            return offsets_of(without(pipeline.mark.complete.ranges, there.ranges))

        return self.remembered(("lacks", table.ledger, table.uuid, name, pipeline), make)  # type: ignore[no-any-return]

    # Commit.

    def landing(
        self, parts: tuple[Given, ...], table: Table, name: str, pipeline: PipelineLedger, known: Known
    ) -> Landing:
        key = ("landing", parts, table.uuid, table.ledger, name, pipeline, known)
        return self.remembered(key, lambda: self._landing(parts, table, name, pipeline, known))  # type: ignore[no-any-return]

    def _landing(
        self, parts: tuple[Given, ...], table: Table, name: str, pipeline: PipelineLedger, known: Known
    ) -> Landing:
        now, own = table.ledger.ledger, table.ledger.ledger.coverage
        last = max((g.start for g in parts), default=0)
        before = [OffsetRange(SOURCE, 0, last)] if last else []
        fills = filled(own, before, self.evidence(table, name, pipeline, known))
        given = {g.number: g for g in parts}
        standing = commit.TableStanding(table.uuid, replace(now, coverage=adding(own, fills, now.generation)))

        def dead_letters(part: StagedPart) -> Coverage:
            """The letters of a batch have no target: they count for each of its tables once all of them have landed."""
            of = given[part.sequence]
            whole = covered_range(OffsetRange(SOURCE, of.start, of.end), name)
            return adding(Coverage(), [whole], 0) if set(of.letters) <= pipeline.letters else Coverage()

        with self._without(rules.ORDER, "_gap", lambda *_: None):
            d = commit.decide([self._staged(name, g) for g in parts], standing, STARTS, dead_letters)
        append = tuple(given[p.sequence] for p in d.append)
        ends = max((g.end for g in append), default=0)
        kept = overlap(fills, [OffsetRange(SOURCE, 0, ends)]) if ends else []
        grown = adding(own, kept, now.generation).adding(d.books, STARTS, now.generation)
        landed = [*kept, *(b.range for b in d.books)]
        return Landing(
            append,
            tuple(given[p.sequence] for p in d.mark),
            tuple(given[p.sequence] for p, _ in d.rewrite),
            tuple((given[p.sequence], offsets_of(r)) for p, _, r in d.again),
            self.table_ledger(replace(now, coverage=grown), repaid(table.ledger.owed, landed)),
            tuple(kept),
        )

    def letters(
        self, parts: tuple[Given, ...], pipeline: PipelineLedger
    ) -> tuple[tuple[Given, ...], tuple[Given, ...], PipelineLedger]:
        """Parts of the dead-letter table that would land, those that it has, and the ledger with them."""
        key = ("letters", parts, pipeline)

        def make() -> tuple[tuple[Given, ...], tuple[Given, ...], PipelineLedger]:
            now, given = pipeline.ledger, {g.number: g for g in parts}
            staged = []
            for g in parts:
                books = tuple(Books(OffsetRange(SOURCE, o, o + 1), 1, 1) for o in g.part.rows)
                staged.append(_staged_part(DEAD_LETTERS, g, books, NO_TARGET))
            d = commit.decide(staged, commit.TableStanding(DEAD_LETTERS, now), STARTS, lambda _: Coverage())
            landed = [plain_range(r) for p in d.append for r in p.ranges]
            after = self.pipeline_with(
                pipeline, ledger=replace(now, coverage=d.coverage), owed=repaid(pipeline.owed, landed)
            )
            append, mark = (tuple(given[p.sequence] for p in some) for some in (d.append, d.mark))
            return append, mark, after

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def _staged(self, name: str, given: Given) -> StagedPart:
        rows, dead = len(given.part.rows), len(given.letters)
        books = (Books(OffsetRange(SOURCE, given.start, given.end), rows + dead, rows, dead),)
        return _staged_part(name, given, books, "")

    def _without(self, rule: Rule, name: str, instead: Callable[..., Any]) -> AbstractContextManager[Any]:
        return nullcontext() if self.has(rule) else patch.object(commit, name, instead)

    # Rollback, reconcile, recover.

    def rolled_back(self, table: Table, mode: Mode) -> TableLedger:
        before = table.past[-1]

        def make() -> TableLedger:
            record = Rollback(0, 0, mode, "", "")
            now, at = table.ledger.ledger, before.ledger.ledger
            if not self.has(rules.OWED):
                ledger, _ = rolled_back(replace(now, coverage=at.coverage), (), at, record, COMMIT_ID, ())
                return self.table_ledger(ledger, ())
            return self.table_ledger(*rolled_back(now, table.ledger.owed, at, record, COMMIT_ID, before.filled))

        return self.remembered(("rolled back", table.ledger, before.ledger, before.filled, mode), make)  # type: ignore[no-any-return]

    def fenced(self, ledger: TableLedger) -> TableLedger:
        now = ledger.ledger
        return self.table_ledger(replace(now, generation=now.generation + 1, rollback=None), ledger.owed)

    def followed(
        self,
        table: Table,
        name: str,
        pipeline: PipelineLedger,
        known: Known,
        notes: tuple[tuple[str, int, int], ...],
        generation: int,
        frontier: int,
    ) -> Followed:
        key = ("follow", table.uuid, table.ledger, name, pipeline, known, notes, generation, frontier)

        def make() -> Followed:
            now, own = table.ledger.ledger, table.ledger.ledger.coverage
            whole = [OffsetRange(SOURCE, 0, frontier)] if frontier else []
            fills = filled(own, whole, self.evidence(table, name, pipeline, known._replace(unlanded=frozenset())))
            there = replace(now, coverage=adding(own, fills, now.generation))
            parts = [
                PartNote(i, PartState(state), (OffsetRange(SOURCE, start, end),))
                for i, (state, start, end) in enumerate(notes)
            ]
            f = follow(parts, there, generation, STARTS, {SOURCE: frontier}, lambda _: True)
            return Followed(frozenset(f.mark), frozenset(f.restage), frozenset(f.abort), f.redo)

        return self.remembered(key, make)  # type: ignore[no-any-return]

    def recovered(self, present: dict[str, Table], pipeline: PipelineLedger) -> Recovered:
        """The frontier, and what each table lacks below the mark."""
        mark = pipeline.mark.complete if self.has(rules.MARK) else Coverage()
        empty = self.new_table().ledger
        stands = [
            Stand("*", "", replace(empty, coverage=mark.starting(STARTS))),
            Stand(DEAD_LETTERS, DEAD_LETTERS, pipeline.ledger),
            *(Stand(name, t.uuid, t.ledger.ledger) for name, t in present.items()),
        ]
        owed = max((o + 1 for o in pipeline.owes), default=0)
        owed = max([owed, *(o + 1 for t in present.values() for o in t.ledger.owes)])
        frontier = max(owed, next(s.next_offset for s in rebuilt(stands, lambda *_: True).streams))
        redo = {name: self.lacks(t, name, pipeline) & offsets_of(mark.ranges) for name, t in present.items()}
        return Recovered(frontier, redo)

    @staticmethod
    def cut(some: Iterable[OffsetRange], most: int) -> list[OffsetRange]:
        return [r for batch in batches(some, most) for r in batch]


def _staged_part(table: str, given: Given, books: tuple[Books, ...], target: str) -> StagedPart:
    identity = TableIdentity(given.part.uuid, given.part.generation, "")
    result = PartResult(table, identity, (), books, target)
    return StagedPart(str(given.number), given.number, "", "", given.config, NEVER, 0.0, result)
