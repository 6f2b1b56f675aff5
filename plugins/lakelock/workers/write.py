"""One slice of a batch inside a Spark task: consume, decode, convert, route, write. Needs no server of its own."""

from __future__ import annotations

import logging
import os
import re
import resource
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace

import pyarrow as pa

from lakelock.adapters.parquet.budget import WriterBudget
from lakelock.errors import LakelockError
from lakelock.ports import RecordsInDoubt, SliceOutput, TableOutput, WriteOrder
from lakelock.workers.sink import Sink
from lakelock.workers.slice_reading import BlockRead, Event, RangesOpened, ReadEnded, bare, read_slice

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
    with closing(WriterBudget()) as budget:
        return _written(order, slice_no, events, set() if stopped is None else stopped, budget)


def _written(
    order: WriteOrder,
    slice_no: int,
    events: Iterator[tuple[Event, Results]],
    stopped: set[str],
    budget: WriterBudget,
) -> SliceOutput:
    seconds: dict[str, float] = defaultdict(float)
    sinks: dict[str, Sink] = {}
    faults: dict[str, LakelockError] = {}
    for target in order.targets:
        try:
            sinks[target.table] = Sink(target, order, target.table in order.in_doubt, budget)
        except LakelockError as fault:
            faults[target.table] = bare(fault)
            stopped.add(target.table)
    ended: ReadEnded | None = None
    for event, results in events:
        match event:
            case RangesOpened(ranges, tables):
                # Another process reads for tables whose files cannot be written too.
                for sink in (sinks[name] for name in tables if name in sinks):
                    sink.open_books(ranges)
            case BlockRead(block, of_tables):
                shares = block.shares()
                for read in of_tables:
                    if (of_table := sinks.get(read.table)) is not None and of_table.fault is None:
                        of_table.take(block, read, results.get(read.table), shares, seconds)
                stopped |= {name for name, sink in sinks.items() if sink.fault is not None}
            case ReadEnded():
                ended = event
    assert ended is not None
    faults |= ended.unusable
    began = time.perf_counter()
    outputs = [
        s.finish(ended.unread, ended.unknown_fields[n], ended.left_out[n]) for n, s in sinks.items() if n not in faults
    ]
    seconds["write"] += time.perf_counter() - began
    for what, spent in ended.seconds.items():
        seconds[what] += spent
    return SliceOutput(
        slice_no,
        (*(data for data, _ in outputs), *(TableOutput(name, (), (), fault=fault) for name, fault in faults.items())),
        tuple(dead_letters for _, dead_letters in outputs if dead_letters.files),
        _peak_memory_bytes(ended),
        dict(seconds),
        tuple(sorted(ended.unread)),
        ended.taken_bytes,
    )


def _peak_memory_bytes(ended: ReadEnded) -> int:
    """Of this process, and of the one that read if it is another: both map the same libraries."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if ended.pid == os.getpid():
        return own
    with open("/proc/self/status", encoding="ascii") as status:
        mapped = re.search(r"RssFile:\s+(\d+) kB", status.read())
    return own + ended.memory_bytes - (int(mapped[1]) * 1024 if mapped else 0)
