"""Read a slice's ranges and decode their records for each table, as events in order."""

from __future__ import annotations

import math
import os
import resource
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pyarrow as pa

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.detached import detached
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.parquet.file import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.errors import LakelockError
from lakelock.ingest.plan_decision import check_identity
from lakelock.model.batches import StreamState
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Target, WriteOrder
from lakelock.records.decompression import Part, parts
from lakelock.workers.table_blocks import TableBlock, TableBlocks
from lakelock.workers.table_rows import share_decoding

T = TypeVar("T")

BLOCK_MESSAGES = 20_000


@dataclass(frozen=True, slots=True)
class RangesOpened:
    """The ranges of one topic, which *tables* take."""

    ranges: Sequence[OffsetRange]
    tables: Collection[str]


@dataclass(frozen=True, slots=True)
class BlockRead:
    """A block, whose originals are there until the next event, and its rows for each table."""

    block: Block
    tables: Sequence[TableBlock]


@dataclass(frozen=True, slots=True)
class ReadEnded:
    """The last event. *unread* begins where the time or bytes of the slice were used up. *unusable* are faults by table.

    *unknown_fields* are names by table, *left_out* counts values by table and field.
    *memory_bytes* is the most that process *pid* had.
    """

    unread: Sequence[OffsetRange]
    taken_bytes: int
    seconds: Mapping[str, float]
    unusable: Mapping[str, LakelockError]
    unknown_fields: Mapping[str, Sequence[str]]
    left_out: Mapping[str, Mapping[str, int]]
    memory_bytes: int = field(default_factory=lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    pid: int = field(default_factory=os.getpid)


Event = RangesOpened | BlockRead | ReadEnded


def read_slice(
    order: WriteOrder, slice_no: int, stopped: Collection[str] = (), *, detaches: bool = False
) -> Iterator[Event]:
    """Tables in *stopped*, which may grow between two events, take no more blocks. *detaches*: each block will be detached.

    Raises HistoryMissing, TopicRecreated, TopicMissing, AccessDenied, Unreachable.
    """
    seconds: dict[str, float] = defaultdict(float)
    ranges = order.slices[slice_no]
    broker = KafkaBroker(order.kafka)
    _same_topics(broker, ranges, order.pipeline)
    tables: dict[str, tuple[Target, TableBlocks]] = {}
    unusable: dict[str, LakelockError] = {}
    for target in order.targets:
        try:
            schema = arrow_schema(FileLayout.of(target.layout).schema)
            tables[target.table] = target, TableBlocks(target, schema, skips_tombstones=order.skips_tombstones)
        except LakelockError as fault:
            unusable[target.table] = bare(fault)
    share_decoding([blocks.rows for _, blocks in tables.values()])
    unread: list[OffsetRange] = []
    budget, was_read = _Budget(order), False
    for topic in sorted({r.source.topic for r in ranges}):
        of_topic = [r for r in ranges if r.source.topic == topic]
        takers = [name for name, (target, _) in tables.items() if topic in target.topics and name not in stopped]
        if not takers:
            continue
        # Always read something, or no job would make progress.
        if was_read and budget.is_used_up():
            unread += of_topic
            continue
        yield RangesOpened(of_topic, takers)
        with RangeReader(order.kafka, of_topic, notes_originals=detaches) as reader:
            blocks = reader.blocks(BLOCK_MESSAGES, order.block_bytes, budget.is_used_up)
            while takers and (block := _timed(seconds, "consume", blocks)) is not None:
                found = parts(block.values, order.compression, order.block_bytes)
                while (part := _timed(seconds, "decompress", found)) is not None:
                    began = time.perf_counter()
                    read = _decoded(order, block, part, [tables[name][1] for name in takers])
                    seconds["decode"] += time.perf_counter() - began
                    yield read
                    takers = [name for name in takers if name not in stopped]
            was_read = True
            budget.add(reader.taken_bytes)
            # If no table could be written, the rest need not be read.
            unread += reader.unread if takers else []
    _same_topics(broker, ranges, order.pipeline)
    names = {name: tuple(sorted(blocks.rows.unknown_fields)) for name, (_, blocks) in tables.items()}
    left_out = {name: dict(blocks.rows.left_out) for name, (_, blocks) in tables.items()}
    yield ReadEnded(unread, budget.taken_bytes, dict(seconds), unusable, names, left_out)


def read_detached(order: WriteOrder, slice_no: int) -> Iterator[tuple[Event, Mapping[str, pa.Table]]]:
    """The events of `read_slice` for another process, each with the rows of tables that have expressions."""
    inputs = {t.table: len(t.expressions.inputs) for t in order.targets if t.expressions is not None}
    for event in read_slice(order, slice_no, detaches=True):
        if not isinstance(event, BlockRead):
            yield event, {}
            continue
        block, tables = event.block, []
        for of_table in event.tables:
            rows, own = of_table.decoded, of_table.decoded.table.num_columns - inputs.get(of_table.table, 0)
            tables.append(replace(of_table, decoded=replace(rows, table=rows.table.select(range(own)))))
        rows_by_table = {t.table: t.decoded.table for t in event.tables if t.table in inputs}
        yield BlockRead(detached(block), tables), rows_by_table


def _decoded(order: WriteOrder, block: Block, part: Part, tables: Sequence[TableBlocks]) -> BlockRead:
    read = block.part(part.start, part.values)
    found = []
    for blocks in tables:
        decided, lost = (_among(read, named.get(blocks.table, frozenset())) for named in (order.decided, order.lost))
        found.append(blocks.of(read.values, read.metadata, part.unfit, decided, lost))
    return BlockRead(read, found)


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


def _among(block: Block, named: frozenset[tuple[str, int, int]]) -> frozenset[int]:
    """Indexes of the records in *named*, which is keyed by topic, partition and offset."""
    if not named:
        return frozenset()
    places = zip(block.partitions.tolist(), block.offsets.tolist(), strict=True)
    return frozenset(i for i, (p, o) in enumerate(places) if (block.topic, p, o) in named)


def _timed(seconds: dict[str, float], what: str, found: Iterator[T]) -> T | None:
    """The next of *found*, None at its end."""
    began = time.perf_counter()
    one = next(found, None)
    seconds[what] += time.perf_counter() - began
    return one


def bare(fault: LakelockError) -> LakelockError:
    """*fault* without its traceback, whose frames would keep blocks of records alive until the slice ends."""
    fault.__cause__ = fault.__context__ = None
    return fault.with_traceback(None)
