"""One target table in one slice: its files, books and dead letters."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pyarrow as pa

from lakelock.adapters.kafka.block import Block, PartitionShare
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.errors import BUG, BooksUnbalanced, CheckFailed, LakelockError, State
from lakelock.model.batches import Books, DataFile
from lakelock.model.offsets import OffsetRange
from lakelock.model.units import as_reason
from lakelock.ports import RecordsInDoubt, SliceNews, TableOutput, Target, WriteOrder
from lakelock.records.decoding import News
from lakelock.records.reasons import Reason
from lakelock.workers.dead_letter_writer import DeadLetterWriter
from lakelock.workers.derived_columns import DerivedColumns
from lakelock.workers.range_books import SliceBooks
from lakelock.workers.slice_events import bare
from lakelock.workers.table_blocks import TableBlock
from lakelock.workers.trial import Trial, may_be_of_records


class Sink:
    """Takes a slice's blocks for one table; *tries_records* turns records that no file can hold into dead letters.
    *budget* is that of all tables of the slice.

    If the table's files cannot be written, `fault` is set and callers must pass no further block. Other errors are
    raised.
    """

    def __init__(self, target: Target, order: WriteOrder, tries_records: bool, budget: WriterBudget) -> None:
        self.target = target
        self.fault: LakelockError | None = None
        self._order = order
        self._budget = budget
        self._writer = TableWriter(target, order.batch_id, order.attempt, order.target_file_bytes, budget=budget)
        self._derived = DerivedColumns(target, self._writer.arrow_schema) if target.expressions else None
        self._trial = Trial(target) if tries_records else None
        self._dead_letters = DeadLetterWriter(order, target.table, target.format, budget)
        self._books = SliceBooks()
        self._files: tuple[DataFile, ...] | None = None
        self._news: News | None = None
        self._place = ("", 0, 0)

    def open_books(self, ranges: Sequence[OffsetRange]) -> None:
        self._books.open(ranges)

    def take(
        self,
        block: Block,
        read: TableBlock,
        results: pa.Table | None,
        shares: Sequence[PartitionShare],
        seconds: dict[str, float],
    ) -> None:
        """Write a block; *results* are those of the table's expressions, one for each row."""
        if self._has_news(block, read):
            return
        began = time.perf_counter()
        decoded, filtered, settled = read.decoded, read.filtered, list(read.decided)
        if self._derived is not None:
            assert results is not None
            filled = self._derived.fill(decoded, results)
            if filled.stopped is not None:
                raise self._check_failed(block, *filled.stopped)
            decoded = filled.decoded
            # The dead letter of a lost one was counted, so it stays one.
            settled += [i for i in filled.left_out.tolist() if i in read.lost]
            filtered = np.union1d(filtered, np.setdiff1d(filled.left_out, list(read.lost)))
        if self._trial:
            try:
                decoded = self._trial.sifted(decoded)
            except LakelockError as fault:
                self._stop(fault)
                return
        seconds["decode"] += (done := time.perf_counter()) - began
        try:
            self._writer.write(decoded.table)
        except Exception as fault:
            self._stop(fault)
            return
        new = [b for b in decoded.bad if b.index not in read.lost]
        known = [*settled, *(b.index for b in decoded.bad if b.index in read.lost)]
        self._books.count(block, shares, [b.index for b in new], known, filtered)
        self._dead_letters.add(block, new, self._books)
        seconds["write"] += time.perf_counter() - done

    def close_files(self) -> None:
        """No block follows."""
        if self.fault is None and self._news is None and self._files is None:
            try:
                self._files = self._writer.finish()
            except Exception as fault:
                self._stop(fault)

    def finish(
        self,
        unread: Sequence[OffsetRange] = (),
        unknown_fields: Sequence[str] = (),
        left_out: Mapping[str, int] = MappingProxyType({}),
    ) -> tuple[TableOutput, TableOutput]:
        """Close files and books; the books end where *unread* begins."""
        if self._news is not None and self.fault is None:
            return self._with_news(self._news, unread), TableOutput(self.target.table, (), ())
        self.close_files()
        files = self._files or ()
        if self.fault is not None:
            table = self.target.table
            return TableOutput(table, (), (), fault=self.fault), TableOutput(table, (), ())
        dead_letter_files = self._dead_letters.finish()
        of_ranges = self._books.ended(unread)
        books = [b.books() for b in of_ranges]
        written, dead = sum(b.written for b in books), sum(b.dead_letters for b in of_ranges)
        landed, dead_lettered = sum(f.rows for f in files), sum(f.rows for f in dead_letter_files)
        if (written, dead) != (landed, dead_lettered):
            raise BooksUnbalanced(
                f"{self.target.table}: the books say {written} rows and {dead} dead letters, the files hold {landed} and "
                f"{dead_lettered}.",
                State.BATCH_PLANNED,
                BUG,
            )
        dead_letters = tuple(Books(b.read_range, b.dead_letters, b.dead_letters) for b in of_ranges if b.dead_letters)
        return (
            TableOutput(self.target.table, files, tuple(books), tuple(unknown_fields), dict(left_out)),
            TableOutput(self.target.table, dead_letter_files, dead_letters),
        )

    def _has_news(self, block: Block, read: TableBlock) -> bool:
        """Whether the slice has records that ask for other columns, in this block or before: then no row is of use."""
        news = read.decoded.news
        if news is not None and self._news is None:
            self._abandon()
            self._news = news
            self._place = (block.topic, int(block.partitions[news.first]), int(block.offsets[news.first]))
        elif news is not None and self._news is not None:
            self._news = self._news.and_also(news)
        return self._news is not None

    def _with_news(self, news: News, unread: Sequence[OffsetRange]) -> TableOutput:
        ranges = tuple(b.read_range for b in self._books.ended(unread))
        return TableOutput(self.target.table, (), (), news=SliceNews(news.observed, ranges, *self._place))

    def _stop(self, fault: Exception) -> None:
        """Set `fault`; raises RecordsInDoubt if records may be at fault, and any error that is not lakelock's."""
        if self._trial is None and may_be_of_records(fault):
            self._writer.abandon()
            raise RecordsInDoubt(self.target.table, as_reason(fault)) from fault
        if not isinstance(fault, LakelockError):
            raise fault
        self.fault = bare(fault)
        self._abandon()

    def _abandon(self) -> None:
        """No row and no dead letter of the slice will be of use."""
        self._writer.abandon()
        self._dead_letters.abandon()

    def _check_failed(self, block: Block, index: int, reason: Reason) -> CheckFailed:
        place = f"topic {block.topic}, partition {block.partitions[index]}, offset {block.offsets[index]}"
        return CheckFailed(
            f"table {self.target.table}: the record of {place} fails a check that stops the batch: {reason.message}.",
            State.BATCH_PLANNED,
            "Set the check's on_fail to dead_letter or filter, which also applies to this batch.",
        )
