"""Dead letters of records that a router sends to no table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.errors import BUG, BooksUnbalanced, State
from lakelock.model.batches import NO_TABLE, Books
from lakelock.model.offsets import OffsetRange
from lakelock.ports import TableOutput, WriteOrder
from lakelock.workers.dead_letter_writer import DeadLetterWriter
from lakelock.workers.range_books import SliceBooks
from lakelock.workers.slice_events import ReadEnded
from lakelock.workers.table_blocks import TableBlock


class DeadLettersWithoutTable:
    def __init__(self, order: WriteOrder, budget: WriterBudget) -> None:
        assert order.router is not None
        self._writer = DeadLetterWriter(order, NO_TABLE, order.router.format, budget)
        self._books = SliceBooks()

    def open_books(self, ranges: Sequence[OffsetRange]) -> None:
        self._books.open(ranges)

    def take(self, block: Block, read: TableBlock) -> None:
        bad = read.decoded.bad
        for partition, count in Counter(block.partitions[[b.index for b in bad]].tolist()).items():
            self._books.of(block.topic, partition).dead_letters += count
        self._writer.add(block, bad, self._books)

    def finish(self, ended: ReadEnded) -> TableOutput:
        """Raises BooksUnbalanced."""
        assert ended.routed is not None
        files = self._writer.finish()
        counted, written = sum(b.dead for b in ended.routed.books), sum(f.rows for f in files)
        if counted != written + ended.settled:
            raise BooksUnbalanced(
                f"the books say {counted} dead letters without a table, the files hold {written}, and {ended.settled} were "
                "there before.",
                State.BATCH_PLANNED,
                BUG,
            )
        dead = [b for b in self._books.ended(ended.unread) if b.dead_letters]
        return TableOutput(NO_TABLE, files, tuple(Books(b.read_range, b.dead_letters, b.dead_letters) for b in dead))
