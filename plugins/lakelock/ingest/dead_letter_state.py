"""What dead-letter tables already say of the ranges of a batch, and what follows from that."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from lakelock.errors import State, TableMissing, TableUnfit, WalUnusable
from lakelock.ingest import bind as binding
from lakelock.ingest.context import PipelineContext, is_ahead
from lakelock.model.batches import Books, PartResult, StagedPart, covered_range, is_target, of_target, plain_range
from lakelock.model.counts import countable
from lakelock.model.coverage import Coverage, joined
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, overlap, united, without
from lakelock.model.operator_log import Decided, What
from lakelock.model.rollback_notes import left_out, newly_skipped, noted
from lakelock.ports import Log, Tables, TableState

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LetterTables:
    """The dead-letter table of a batch as loaded now, and those that the pipeline file named before it."""

    tables: Tables
    current: TableState
    former: tuple[TableState, ...]
    staged: tuple[StagedPart, ...]
    generations: Mapping[str, int]

    @classmethod
    def load(cls, log: Log, tables: Tables, pipeline: str, name: str, bind: Callable[[], TableState]) -> LetterTables:
        """*bind* loads the table of this *name*."""
        others = [n for n in log.letter_tables(pipeline) if n != name]
        # Before the tables: what lands meanwhile is in one of the two. Generations before both, for what a rollback takes out
        # is in neither until the log follows it.
        generations = log.generations(pipeline)
        staged = [p for n in (name, *others) for p in log.staged(pipeline, n)]
        current, former = bind(), []
        for other in others:
            try:
                former.append(binding.load(log, tables, pipeline, other))
            except TableMissing:
                continue
        return cls(tables, current, tuple(former), tuple(staged), generations)

    @property
    def all(self) -> tuple[TableState, ...]:
        return (self.current, *self.former)

    @property
    def coverage(self) -> Coverage:
        """What all of them hold together."""
        return joined(map(coverage_of, self.all))

    def in_pieces(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges of which dead letters landed for a piece only: neither all of it is decided nor nothing."""
        held = self.coverage.data
        named = [(r, covered_range(r, table)) for r in ranges]
        return [r for r, n in named if held.touches(n) and not held.contains(n)]

    def landed(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges whose dead letters landed; what a rollback skipped did not."""
        held = self.coverage.data
        return [r for r in ranges if held.contains(covered_range(r, table))]

    def closed(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges that take no further dead letter: the current table holds them, be it as left out."""
        held = coverage_of(self.current)
        return [r for r in ranges if held.contains(covered_range(r, table))]

    def left_out(self, table: str, closed: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of the very dead letters in *closed* ranges that a rollback left out for good."""
        known = left_out(self.current.ledger) if self.current.ledger else []
        found = overlap(known, [covered_range(r, table) for r in closed])
        return _offsets(found)

    def decided(self, table: str, landed: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *table*'s dead letters in ranges that `landed` named."""
        out: set[tuple[str, int, int]] = set()
        for state in self.all:
            held = coverage_of(state)
            there = [r for r in landed if held.touches(covered_range(r, table))]
            if there:
                out |= self.tables.dead_letters(state, table, there)
        return frozenset(out)

    def no_rows(
        self, table: str, ranges: Sequence[OffsetRange], redriven: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *table*'s records in *ranges* that are none of its rows: dead letters but the *redriven*
        ones, and those that a rollback left out for good."""
        known = [r for s in self.all if s.ledger for r in left_out(s.ledger)]
        away = overlap(known, [covered_range(r, table) for r in ranges])
        others = without(ranges, redriven)
        return self.decided(table, others) | _offsets(overlap(others, map(plain_range, away)))

    def unsettled(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """What of *ranges* has dead letters that are staged, or that a rollback took out and that have not landed again."""
        staged = [b.range for p in self.staged if p.result.target == table for b in p.result.books]
        records = [s.ledger.rollback for s in self.all if s.ledger and s.ledger.rollback]
        owed = overlap([covered_range(r, table) for r in ranges], [r for one in records for r in one.owed.ranges])
        lacking = without(owed, self.coverage.ranges)
        return united([*overlap(ranges, staged), *map(plain_range, lacking)])

    @property
    def set_back(self) -> list[str]:
        """Tables that a rollback has set back, and the log had not followed when it was asked what is staged."""
        return [s.name for s in self.all if is_ahead(s, self.generations)]

    def on_their_way(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges whose dead letters are staged: until they have landed nobody knows which records became such."""
        theirs = [b.range for p in self.staged if p.result.target == table for b in p.result.books]
        return [r for r in ranges if any(map(r.overlaps, theirs))]

    def owed(self, table: str, ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
        """Ranges whose dead letters a rollback took out of one of them, and that have landed again in none."""
        records = [s.ledger.rollback for s in self.all if s.ledger and s.ledger.rollback]
        held, named = self.coverage, [(r, covered_range(r, table)) for r in ranges]
        return [r for r, n in named if any(record.owed.contains(n) for record in records) and not held.contains(n)]


def _offsets(ranges: Sequence[OffsetRange]) -> frozenset[tuple[str, int, int]]:
    return frozenset((r.source.topic, r.source.partition, o) for r in ranges for o in range(r.start, r.end))


def coverage_of(state: TableState) -> Coverage:
    return state.ledger.coverage if state.ledger else Coverage()


def redriven_in(state: TableState, ranges: Sequence[OffsetRange]) -> tuple[OffsetRange, ...]:
    """Dead letters of *ranges* that are rows of the table by now. Where their dead letters are read again they are told as such
    again: a rollback of the table to before it got the rows finds them there."""
    return tuple(overlap(ranges, coverage_of(state).redriven))


def noting_left_out(context: PipelineContext, state: TableState, head: Ledger, after: Ledger) -> Ledger:
    """*after* a rollback of a dead-letter table, with the very dead letters that it leaves out.

    *state* shows them, *head* is its ledger. Where a file of theirs is gone, or they are too many, they are not known: then
    none of their ranges is written again while a record of it fits no more.
    """
    skipped = [r for r in newly_skipped(head.coverage, after.coverage) if is_target(r.source)]
    record = after.rollback
    if not skipped or record is None:
        return after
    found: set[tuple[Source, int]] = set()
    try:
        for source in sorted({r.source for r in skipped}):
            target, _ = of_target(source)
            ranges = [plain_range(r) for r in skipped if r.source == source]
            found |= {(source, offset) for _, _, offset in context.tables.dead_letters(state, target, ranges)}
    except TableUnfit as fault:
        logger.warning("%s: which dead letters are left out is not known: %s", state.name, fault)
        return after
    at = context.log.now().replace(microsecond=0)
    return noted(after, Decided(What.ROLLBACK, at, record.who, record.why), found)


def refuse_late(
    table: str, books: Sequence[Books], landed: Collection[OffsetRange], closed: Collection[OffsetRange]
) -> None:
    """A range whose dead letters landed is settled there: a further one would be taken for one that landed, and lost.

    So is a *closed* one, whose dead letters a rollback left out since: those alone stay out.
    """
    for late in books:
        if late.range not in landed and late.range not in closed:
            continue
        what, further = "have landed already", ""
        if late.range not in landed:
            what = "were left out by a rollback, these not among them"
            further = (
                " Where a file of the dead letters was gone at the rollback, or they were more than can be noted, nobody knows "
                "which they were, and these may never have fitted: name another dead_letters.table in the pipeline file and run "
                "`bin/lakelock recover FILE --restored`; they get into that one."
            )
        raise TableUnfit(
            f"table {table}: {late.read} records of {late.range} fitted the table before and do not any more, while the "
            f"dead letters of this range {what}.",
            State.BATCH_PLANNED,
            f"Undo the change of the table's columns, run once, then change them again.{further}",
        )


def refuse_held(state: TableState, books: Sequence[Books], owed: Collection[OffsetRange]) -> None:
    """No dead letter of what the table holds as rows, unless it is *owed*: only a log that was set back plans that again."""
    held = coverage_of(state).data
    for late in books:
        if late.range not in owed and held.touches(late.range):
            raise WalUnusable(
                f"table {state.name} holds some of {late.range} already, which Postgres has as not written yet: it was restored "
                f"to an earlier moment. {late.read} of these records do not fit the table's columns, and may be rows of it.",
                State.BATCH_PLANNED,
                "Run `bin/lakelock recover FILE --restored`.",
            )


def refuse_changed(
    tables: Tables, state: TableState, columns: Mapping[str, str], part: PartResult, owed: Collection[OffsetRange]
) -> None:
    """Of a range whose rows the table holds already only dead letters land: they must be just the other records.

    Told by the offsets of its rows, where the table has columns for partition and offset, and each number of the first means
    one topic.
    """
    ledger, partition, offset = state.ledger, columns.get("partition"), columns.get("offset")
    fields = state.schema["fields"]
    assert isinstance(fields, list)
    if ledger is None or partition is None or offset is None or not {partition, offset} <= {f["name"] for f in fields}:
        return
    if countable(ledger.coverage) is None:
        return
    data = ledger.coverage.data
    for b in part.books:
        if b.range not in owed or not data.contains(b.range):
            continue
        # Those that were redriven are rows of the table, and told as dead letters again.
        besides = [(r.start, r.end) for r in redriven_in(state, [b.range])]
        if tables.same_rows(state, (partition, offset), b.range, part.files, besides) is False:
            raise TableUnfit(
                f"table {state.name}: it holds rows of {b.range}, and they are not the {b.written} records that would fit it "
                "now. The others became dead letters, which a rollback took out of the dead-letter table; they cannot be told "
                "from the rest any more.",
                State.BATCH_PLANNED,
                "Undo the "
                "change of the table's columns, run once, then change them again. If they were changed while these rows came, "
                "roll the table back to before them in mode replay: all of it is read again.",
            )
