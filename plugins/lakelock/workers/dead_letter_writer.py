"""Write dead letters of one target in one slice to files of the dead-letter table."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.model.batches import DataFile
from lakelock.ports import WriteOrder
from lakelock.records import dead_letters
from lakelock.records.dead_letters import BadRecord, DeadLetter
from lakelock.workers.range_books import SliceBooks

DEAD_LETTERS_A_WRITE = 2_000
DEAD_LETTERS_BYTES_A_WRITE = 8 << 20


class DeadLetterWriter:
    """Of records for *table*, whose values are of *value_format*. Nothing is opened before there is a dead letter."""

    def __init__(self, order: WriteOrder, table: str, value_format: str, budget: WriterBudget) -> None:
        self._order, self._table, self._format, self._budget = order, table, value_format, budget
        self._dead_letters: list[DeadLetter] = []
        self._bytes = 0
        self._writer: TableWriter | None = None

    def add(self, block: Block, records: Sequence[BadRecord], books: SliceBooks) -> None:
        """*books* have the ranges of the block's partitions."""
        for record in records:
            dead_letter = self._dead_letter(block, record, books)
            self._dead_letters.append(dead_letter)
            self._bytes += dead_letter.size_bytes
            if len(self._dead_letters) >= DEAD_LETTERS_A_WRITE or self._bytes >= DEAD_LETTERS_BYTES_A_WRITE:
                self._write()

    def finish(self) -> tuple[DataFile, ...]:
        self._write()
        return self._writer.finish() if self._writer else ()

    def abandon(self) -> None:
        """No dead letter of the slice will be of use."""
        if self._writer is not None:
            self._writer.abandon()
        self._dead_letters, self._bytes, self._writer = [], 0, None

    def _dead_letter(self, block: Block, record: BadRecord, books: SliceBooks) -> DeadLetter:
        i = record.index
        original = block.original(i)
        partition, at = int(block.partitions[i]), int(block.timestamps_ms[i])
        return DeadLetter(
            self._table,
            block.topic,
            books.of(block.topic, partition).range.source.topic_id,
            partition,
            int(block.offsets[i]),
            at if at >= 0 else None,
            *original,
            record.stage,
            record.reason,
            self._format,
        )

    def _write(self) -> None:
        if not self._dead_letters:
            return
        order = self._order
        if self._writer is None:
            self._writer = TableWriter(
                order.dead_letters, order.batch_id, order.attempt, order.target_file_bytes, budget=self._budget
            )
        schema = self._writer.arrow_schema
        self._writer.write(dead_letters.to_arrow(self._dead_letters, order.batch_id, order.pipeline_version, schema))
        self._dead_letters, self._bytes = [], 0
