"""One slice of a batch inside a Spark task: consume, decode, convert, route, write. Needs no server of its own."""

from __future__ import annotations

import logging
import math
import resource
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.errors import LakelockError
from lakelock.ingest.plan_decision import check_identity
from lakelock.model.batches import StreamState
from lakelock.model.offsets import OffsetRange
from lakelock.ports import SliceOutput, TableOutput, WriteOrder
from lakelock.records.decompression import parts
from lakelock.records.reasons import Reason
from lakelock.workers.sink import RecordsInDoubt, Sink, bare
from lakelock.workers.table_rows import share_decoding

logger = logging.getLogger(__name__)
T = TypeVar("T")

BLOCK_MESSAGES = 20_000


def write_slice(order: WriteOrder, slice_no: int) -> SliceOutput:
    """Read the slice's ranges and write their rows; the result lists every file and balanced books for every range.

    If the time or bytes of the slice are used up first, the books cover the ranges read so far; the rest is `unread`.

    Records that no file can hold become dead letters. A table whose files cannot be written has a fault in its output;
    other tables are not affected. Raises HistoryMissing, TopicRecreated, TopicMissing, AccessDenied, Unreachable,
    BooksUnbalanced, and any fault of the dead-letter table's files. Nothing references files that were written before
    an error.
    """
    in_doubt: set[str] = set()
    while True:
        try:
            return _write(order, slice_no, in_doubt)
        except RecordsInDoubt as found:
            in_doubt.add(found.table)
            logger.warning("table %s: %s; trying each record of the slice", found.table, found.__cause__)


def _write(order: WriteOrder, slice_no: int, in_doubt: Collection[str]) -> SliceOutput:
    """One try; each record is tried on its own for the tables *in_doubt*."""
    seconds: dict[str, float] = defaultdict(float)
    ranges = order.slices[slice_no]
    broker = KafkaBroker(order.kafka)
    _same_topics(broker, ranges, order.pipeline)
    sinks: list[Sink] = []
    unusable: list[TableOutput] = []
    unread: list[OffsetRange] = []
    for target in order.targets:
        try:
            sinks.append(Sink(target, order, target.table in in_doubt))
        except LakelockError as fault:
            unusable.append(TableOutput(target.table, (), (), fault=bare(fault)))
    share_decoding([s.rows for s in sinks])
    budget, was_read = _Budget(order), False
    for topic in sorted({r.source.topic for r in ranges}):
        of_topic = [r for r in ranges if r.source.topic == topic]
        takers = [s for s in sinks if topic in s.target.topics and s.fault is None]
        if not takers:
            continue
        # Always read something, or no job would make progress.
        if was_read and budget.is_used_up():
            unread += of_topic
            continue
        for sink in takers:
            sink.open_books(of_topic)
        with RangeReader(order.kafka, of_topic) as reader:
            blocks = reader.blocks(BLOCK_MESSAGES, order.block_bytes, budget.is_used_up)
            while takers and (block := _timed(seconds, "consume", blocks)) is not None:
                for part, unfit in _parts(block, order, seconds):
                    shares = part.shares()
                    for sink in takers:
                        sink.take(part, unfit, shares, seconds)
                    takers = [s for s in takers if s.fault is None]
            was_read = True
            budget.add(reader.taken_bytes)
            # If no table could be written, the rest need not be read.
            unread += reader.unread if takers else []
    _same_topics(broker, ranges, order.pipeline)
    began = time.perf_counter()
    outputs = [s.finish(unread) for s in sinks]
    seconds["write"] += time.perf_counter() - began
    return SliceOutput(
        slice_no,
        (*(data for data, _ in outputs), *unusable),
        tuple(dead_letters for _, dead_letters in outputs if dead_letters.files),
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        dict(seconds),
        tuple(sorted(unread)),
        budget.taken_bytes,
    )


class _Budget:
    """Time and bytes left for a slice, from its construction on."""

    def __init__(self, order: WriteOrder) -> None:
        self._until = math.inf if order.slice_s is None else time.monotonic() + order.slice_s
        self._most_bytes = math.inf if order.slice_bytes is None else order.slice_bytes
        self.taken_bytes = 0

    def add(self, taken_bytes: int) -> None:
        self.taken_bytes += taken_bytes

    def is_used_up(self, taken_bytes: int = 0) -> bool:
        """*taken_bytes* are added to those counted so far."""
        return time.monotonic() >= self._until or self.taken_bytes + taken_bytes >= self._most_bytes


def _same_topics(broker: KafkaBroker, ranges: Sequence[OffsetRange], pipeline: str) -> None:
    """Raise TopicRecreated for a new topic of the same name: its offsets would be other records."""
    topics = sorted({r.source.topic for r in ranges})
    check_identity([StreamState(r.source, r.start, r.start) for r in ranges], broker.sources(topics), pipeline)


def _parts(block: Block, order: WriteOrder, seconds: dict[str, float]) -> Iterator[tuple[Block, Mapping[int, Reason]]]:
    """The block in parts with decompressed values, each with the reasons of values that could not be decompressed."""
    found = parts(block.values, order.compression, order.block_bytes)
    while (part := _timed(seconds, "decompress", found)) is not None:
        yield block.part(part.start, part.values), part.unfit


def _timed(seconds: dict[str, float], what: str, found: Iterator[T]) -> T | None:
    """The next of *found*, None at its end."""
    began = time.perf_counter()
    one = next(found, None)
    seconds[what] += time.perf_counter() - began
    return one
