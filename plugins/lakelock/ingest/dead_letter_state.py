"""Find the dead letters that exist for the ranges of a batch, and check a batch against them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lakelock.errors import State, TableMissing, TableUnfit
from lakelock.ingest import bind as binding
from lakelock.model.batches import NO_TABLE, Books, StagedPart, covered_range, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.lost_dead_letters import lost_dead_letters
from lakelock.model.offsets import OffsetRange, overlap, united
from lakelock.model.older_log import older_log
from lakelock.ports import Log, Tables, TableState


@dataclass(frozen=True, slots=True)
class DeadLetterTables:
    """The dead-letter table of a batch as just loaded, and those that the pipeline file named before it."""

    tables: Tables
    current: TableState
    former: tuple[TableState, ...]
    staged: tuple[StagedPart, ...]

    @classmethod
    def load(
        cls, log: Log, tables: Tables, pipeline: str, name: str, bind: Callable[[], TableState]
    ) -> DeadLetterTables:
        """Load all dead-letter tables of the pipeline; *bind* loads the one of this *name*."""
        others = [n for n in log.dead_letter_tables(pipeline) if n != name]
        # Read before the tables, so that a part that lands in between is in one of the two.
        staged = [p for n in (name, *others) for p in log.staged(pipeline, n)]
        current, former = bind(), []
        for other in others:
            try:
                former.append(binding.load(log, tables, pipeline, other))
            except TableMissing:
                continue
        return cls(tables, current, tuple(former), tuple(staged))

    @property
    def all(self) -> tuple[TableState, ...]:
        return (self.current, *self.former)

    @property
    def coverage(self) -> Coverage:
        """Joint coverage of all the tables."""
        return joined(map(coverage_of, self.all))

    def in_pieces(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges of which only a piece is covered, or only a piece is declared lost."""
        both = (self.coverage, self.coverage.data)
        named = [(r, covered_range(r, table)) for r in ranges]
        return [r for r, n in named if any(covered.touches(n) and not covered.contains(n) for covered in both)]

    def landed(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges whose dead letters have landed."""
        covered = self.coverage.data
        return [r for r in ranges if covered.contains(covered_range(r, table))]

    def closed(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges that take no further dead letter: the current table covers them, perhaps as lost."""
        covered = coverage_of(self.current)
        return [r for r in ranges if covered.contains(covered_range(r, table))]

    def lost(self, table: str, closed: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of exactly the dead letters in *closed* ranges that were declared lost."""
        known = lost_dead_letters(self.current.ledger) if self.current.ledger else []
        return _offsets(overlap(known, [covered_range(r, table) for r in closed]))

    def decided(self, table: str, landed: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *table*'s dead letters in ranges that `landed` returned."""
        out: set[tuple[str, int, int]] = set()
        for state in self.all:
            covered = coverage_of(state)
            there = [r for r in landed if covered.touches(covered_range(r, table))]
            if there:
                out |= self.tables.dead_letters(state, table, there)
        return frozenset(out)

    def no_rows(self, table: str, ranges: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *table*'s dead letters in *ranges*, landed or declared lost."""
        known = [r for s in self.all if s.ledger for r in lost_dead_letters(s.ledger)]
        away = overlap(known, [covered_range(r, table) for r in ranges])
        return self.decided(table, ranges) | _offsets(list(map(plain_range, away)))

    def unsettled(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """The overlap of *ranges* with staged dead letters."""
        return united(
            overlap(ranges, [b.range for p in self.staged if p.result.target == table for b in p.result.books])
        )

    def on_their_way(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges with staged dead letters. Until these have landed it is unknown which records are dead letters."""
        theirs = [b.range for p in self.staged if p.result.target == table for b in p.result.books]
        return [r for r in ranges if any(map(r.overlaps, theirs))]


def _offsets(ranges: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
    return frozenset((r.source.topic, r.source.partition, o) for r in ranges for o in range(r.start, r.end))


def coverage_of(state: TableState) -> Coverage:
    return state.ledger.coverage if state.ledger else Coverage()


def refuse_late(
    table: str, books: Sequence[Books], landed: Collection[OffsetRange], closed: Collection[OffsetRange]
) -> None:
    """Raise TableUnfit for new dead letters in ranges that are settled.

    In a *landed* range a further dead letter would be taken for one that landed, and be lost. A *closed* range may
    have had its dead letters declared lost since: only those stay out. *table* may be NO_TABLE.
    """
    for late in books:
        if late.range not in landed and late.range not in closed:
            continue
        if table == NO_TABLE:
            raise TableUnfit(
                f"{late.read} records of {late.range} went to a table before and now go to none, but the dead letters of this "
                "range for which no table is known are decided.",
                State.BATCH_PLANNED,
                "Run once more: records are routed by the settings that their batch was planned with. If the error stays, run "
                "the release of lakelock that wrote the batch first.",
            )
        what, further = "are already committed", ""
        if late.range not in landed:
            what = "were declared lost without these"
            further = (
                " If a file of the lost dead letters was gone, or if there were more than the ledger records, lakelock does not "
                "know which were lost, and these records may never have fitted. Then set another dead_letters.table in the "
                "pipeline file and run `bin/lakelock recover FILE --restored`; that table gets them."
            )
        raise TableUnfit(
            f"table {table}: {late.read} records of {late.range} fitted the table before and no longer do, but the "
            f"dead letters of this range {what}.",
            State.BATCH_PLANNED,
            "Undo the change of the table's columns, or of `value.tombstones` and `metadata_columns` in the pipeline file, run "
            f"once, then change them again.{further}",
        )


def refuse_covered(state: TableState, books: Sequence[Books]) -> None:
    """Raise WalUnusable for dead letters of ranges that the table holds: only a restored log plans them again."""
    covered = coverage_of(state).data
    for late in books:
        if covered.touches(late.range):
            raise older_log(
                f"table {state.name} already holds some of {late.range}, but Postgres has it as not written yet",
                further=f"{late.read} of these records do not fit the table's columns, and may already be rows.",
            )
