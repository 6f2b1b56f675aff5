"""One slice of a batch inside a Spark task: consume, decode, convert, route, write. Needs no server of its own."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import pyarrow as pa

from lakelock.adapters.kafka.block import Block, PartitionShare
from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.errors import LakelockError
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Pieces, RecordsInDoubt, SliceOutput, TableOutput, Target, WriteOrder
from lakelock.workers.dead_letters_without_table import DeadLettersWithoutTable
from lakelock.workers.garbage import rare_collections
from lakelock.workers.range_books import SliceBooks
from lakelock.workers.sink import Sink
from lakelock.workers.slice_events import BlockRead, Event, RangesOpened, ReadEnded, TablesEnded, bare
from lakelock.workers.slice_parts import peak_memory_bytes
from lakelock.workers.slice_reading import read_slice
from lakelock.workers.table_blocks import TableBlock

logger = logging.getLogger(__name__)

# By table, what its expressions give for its rows in a block.
Results = Mapping[str, pa.Table]


def write_slice(order: WriteOrder, slice_no: int) -> SliceOutput:
    """Read the slice's ranges and write their rows; the result lists every file and balanced books for every range.

    For an order without expressions. If the time or bytes of the slice are used up first, the books cover the ranges read
    so far; the rest is `unread`.

    Records that no file can hold become dead letters. A table whose files cannot be written has a fault in its output;
    other tables are not affected. Raises HistoryMissing, TopicRecreated, TopicMissing, AccessDenied, Unreachable,
    BooksUnbalanced, and any fault of the dead-letter table's files. Nothing references files that were written before
    an error.
    """
    while True:
        stopped: set[str] = set()
        try:
            return write_read(order, slice_no, ((e, {}) for e in read_slice(order, slice_no, stopped)), stopped)
        except RecordsInDoubt as found:
            logger.warning("%s Trying each record of the slice.", found.what)
            order = replace(order, in_doubt=order.in_doubt | {found.table})


def write_read(
    order: WriteOrder, slice_no: int, events: Iterator[tuple[Event, Results]], stopped: set[str] | None = None
) -> SliceOutput:
    """Write the rows of *events*, each with the results of its tables' expressions; tables with a fault join *stopped*.

    Raises RecordsInDoubt, CheckFailed, BooksUnbalanced, any fault of the dead-letter table's files, and what *events* do.
    """
    (output,) = written(order, slice_no, events, stopped)
    assert isinstance(output, SliceOutput)
    return output


def written(
    order: WriteOrder, slice_no: int, events: Iterator[tuple[Event, Results]], stopped: set[str] | None = None
) -> Iterator[Pieces | SliceOutput]:
    """As `write_read`: the pieces that a slice with a shuffle sends, and in the end its output."""
    with closing(WriterBudget()) as budget, rare_collections():
        yield from _written(order, slice_no, events, set() if stopped is None else stopped, budget)


def _written(
    order: WriteOrder,
    slice_no: int,
    events: Iterator[tuple[Event, Results]],
    stopped: set[str],
    budget: WriterBudget,
) -> Iterator[Pieces | SliceOutput]:
    seconds: dict[str, float] = defaultdict(float)
    sinks = _Sinks(order, stopped, budget)
    without_table = DeadLettersWithoutTable(order, budget) if order.router is not None else None
    ended: ReadEnded | None = None
    for event, results in events:
        match event:
            case RangesOpened(ranges, tables):
                sinks.open_books(ranges, tables)
                if without_table is not None:
                    without_table.open_books(ranges)
            case BlockRead(block, of_tables):
                shares = block.shares()
                for read in of_tables:
                    if read.table == NO_TABLE:
                        assert without_table is not None
                        without_table.take(block, read)
                    else:
                        sinks.take(block, read, results.get(read.table), shares, seconds)
            case TablesEnded(tables):
                sinks.close_files(tables, seconds)
            case Pieces():
                yield event
            case ReadEnded():
                ended = event
    assert ended is not None
    sinks.faults |= ended.unusable
    began = time.perf_counter()
    outputs = sinks.finish(ended)
    dead_letters = [letters for _, letters in outputs]
    if without_table is not None:
        dead_letters.append(without_table.finish(ended))
    seconds["write"] += time.perf_counter() - began
    for what, spent in ended.seconds.items():
        seconds[what] += spent
    faults = (TableOutput(name, (), (), fault=fault) for name, fault in sinks.faults.items())
    yield SliceOutput(
        slice_no,
        (*(data for data, _ in outputs), *faults),
        tuple(letters for letters in dead_letters if letters.files),
        peak_memory_bytes(ended.memory_bytes, ended.pid),
        dict(seconds),
        tuple(sorted(ended.unread)),
        ended.taken_bytes,
        ended.routed,
        {(table, slice_no, topic, partition): tally for (table, topic, partition), tally in ended.sent.items()},
    )


class _Sinks:
    """The sinks of *order*; a routed table has one as soon as it has records. *faults* are those of tables without a sink."""

    def __init__(self, order: WriteOrder, stopped: set[str], budget: WriterBudget) -> None:
        self._order, self._stopped, self._budget = order, stopped, budget
        sent = order.shuffle.tables if order.shuffle is not None else frozenset()
        self._targets = {t.table: t for t in order.targets if t.table not in sent}
        self._sinks: dict[str, Sink] = {}
        self._opened: list[tuple[Sequence[OffsetRange], frozenset[str]]] = []
        self.faults: dict[str, LakelockError] = {}
        for target in order.targets:
            if not target.is_routed:
                self._make(target)

    def open_books(self, ranges: Sequence[OffsetRange], tables: Collection[str]) -> None:
        """Another process reads for *tables* whose files cannot be written too."""
        of_tables = frozenset(tables)
        self._opened.append((ranges, of_tables))
        for name, sink in self._sinks.items():
            if name in of_tables:
                sink.open_books(ranges)

    def take(
        self,
        block: Block,
        read: TableBlock,
        results: pa.Table | None,
        shares: Sequence[PartitionShare],
        seconds: dict[str, float],
    ) -> None:
        """Write a block, unless its table cannot be written."""
        table = read.table
        if table not in self._sinks and table not in self.faults:
            self._make(self._targets[table])
        sink = self._sinks.get(table)
        if sink is None or sink.fault is not None:
            return
        sink.take(block, read, results, shares, seconds)
        if sink.fault is not None:
            self._stopped.add(table)

    def close_files(self, tables: Sequence[str], seconds: dict[str, float]) -> None:
        """Of *tables* that get no further block: their rows need not wait in memory."""
        began = time.perf_counter()
        for name in tables:
            if (sink := self._sinks.get(name)) is not None:
                sink.close_files()
        seconds["write"] += time.perf_counter() - began

    def finish(self, ended: ReadEnded) -> list[tuple[TableOutput, TableOutput]]:
        """Rows and dead letters of each table without a fault here; of one without records, books without any."""
        without_records = SliceBooks()
        topics: dict[str, frozenset[str]] = {}
        for ranges, tables in self._opened:
            without_records.open(ranges)
            topics |= dict.fromkeys((r.source.topic for r in ranges), tables)
        none = [(b.range.source.topic, b.books()) for b in without_records.ended(ended.unread)]
        outputs = []
        for name in self._targets:
            if name in self.faults:
                continue
            if (sink := self._sinks.get(name)) is not None:
                outputs.append(
                    sink.finish(ended.unread, ended.unknown_fields.get(name, ()), ended.left_out.get(name, {}))
                )
            else:
                books = tuple(books for topic, books in none if name in topics[topic])
                outputs.append((TableOutput(name, (), books), TableOutput(name, (), ())))
        return outputs

    def _make(self, target: Target) -> None:
        try:
            sink = Sink(target, self._order, target.table in self._order.in_doubt, self._budget)
        except LakelockError as fault:
            self.faults[target.table] = bare(fault)
            self._stopped.add(target.table)
            return
        self._sinks[target.table] = sink
        for ranges, tables in self._opened:
            if target.table in tables:
                sink.open_books(ranges)
