"""Read a slice's ranges and decode their records for each table, as events in order."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from itertools import groupby
from typing import TypeVar

import pyarrow as pa

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.parquet.file_form import arrow_schema_of
from lakelock.errors import LakelockError
from lakelock.ports import Pieces, Target, WriteOrder
from lakelock.records.reasons import Reason
from lakelock.workers.alike_targets import AlikeTargets
from lakelock.workers.slice_events import BlockRead, Event, RangesOpened, ReadEnded, TablesEnded, bare
from lakelock.workers.slice_parts import (
    Part,
    PartRead,
    PartsEnded,
    TopicBegun,
    TopicEnded,
    read_parts,
    timed,
)
from lakelock.workers.slice_routes import SliceRoutes, among
from lakelock.workers.slice_shares import LastShares, TableShares
from lakelock.workers.table_blocks import TableBlock, TableBlocks
from lakelock.workers.table_rows import share_decoding

T = TypeVar("T")

BLOCK_MESSAGES = 20_000


def read_slice(
    order: WriteOrder, slice_no: int, stopped: Collection[str] = (), *, detaches: bool = False
) -> Iterator[Event]:
    """For an order whose rules have no predicates. Blocks are no longer decoded for tables in *stopped*, which may grow
    between two events.
    *detaches*: each block will be detached.

    Raises HistoryMissing, TopicRecreated, TopicMissing, AccessDenied, Unreachable.
    """
    seconds: dict[str, float] = defaultdict(float)
    decoders = _Decoders(order, seconds)

    def takes(topic: str) -> bool:
        return order.router is not None or any(name not in stopped for name in decoders.static(topic))

    notes = detaches or order.router is not None
    parts = read_parts(order, slice_no, BLOCK_MESSAGES, takes, notes_originals=notes)
    return _events(order, ((part, None) for part in parts), stopped, decoders, seconds)


def events_of(
    order: WriteOrder, parts: Iterator[tuple[Part, pa.Array | None]], stopped: Collection[str]
) -> Iterator[Event]:
    """The events of *parts* that another process read, each with the outcomes of predicates for its records."""
    seconds: dict[str, float] = defaultdict(float)
    return _events(order, parts, stopped, _Decoders(order, seconds), seconds)


def events_of_shares(
    order: WriteOrder, shares: Iterator[RangesOpened | TableShares | LastShares], stopped: Collection[str]
) -> Iterator[Event]:
    """The events of *shares* of routed tables that other tasks read; no share of a table follows its last one."""
    seconds: dict[str, float] = defaultdict(float)
    decoders = _Decoders(order, seconds)
    while (one := timed(seconds, "receive", shares)) is not None:
        if isinstance(one, RangesOpened):
            yield one
        else:
            yield from decoders.of_routes(iter((one,)), stopped, is_last=True)
    yield ReadEnded((), 0, dict(seconds), decoders.unusable, decoders.unknown_fields, decoders.left_out)


def _events(
    order: WriteOrder,
    parts: Iterator[tuple[Part, pa.Array | None]],
    stopped: Collection[str],
    decoders: _Decoders,
    seconds: dict[str, float],
) -> Iterator[Event]:
    routes = None if order.router is None else SliceRoutes(order, decoders.routed, BLOCK_MESSAGES)
    takers: list[str] = []
    with nullcontext() if routes is None else closing(routes):
        for part, outcomes in parts:
            match part:
                case TopicBegun(ranges):
                    topic = ranges[0].source.topic
                    takers = [name for name in decoders.static(topic) if name not in stopped]
                    yield RangesOpened(ranges, [*takers, *(t.table for t in (routes.targets(topic) if routes else ()))])
                    if routes is not None:
                        routes.begin(ranges)
                case PartRead(block, unfit):
                    takers = [name for name in takers if name not in stopped]
                    if takers:
                        yield decoders.decoded(block, unfit, takers)
                    if routes is not None:
                        routed_now = _each(seconds, "route", routes.take(block, unfit, outcomes))
                        yield from decoders.of_routes(routed_now, stopped)
                case TopicEnded(is_last):
                    if routes is not None:
                        rest = _each(seconds, "route", routes.rest())
                        yield from decoders.of_routes(rest, stopped, is_last=is_last)
                case PartsEnded(unread, taken_bytes, of_parts, memory_bytes, pid):
                    yield ReadEnded(
                        unread,
                        taken_bytes,
                        {**seconds, **of_parts},
                        decoders.unusable,
                        decoders.unknown_fields,
                        decoders.left_out,
                        memory_bytes,
                        pid,
                        routed=None if routes is None else routes.output(unread),
                        settled=0 if routes is None else routes.settled,
                        sent={} if routes is None else routes.sent,
                    )


class _Decoders:
    """Decodes for the targets of *order*; for routed ones, a decoder is made when there are records. *unusable* are faults."""

    def __init__(self, order: WriteOrder, seconds: dict[str, float]) -> None:
        self._order, self._seconds = order, seconds
        self._targets = {t.table: t for t in order.targets}
        self._made: dict[str, TableBlocks] = {}
        self._alike = AlikeTargets(order)
        self._shared_by_form: dict[int, TableBlocks | None] = {}
        self.routed = self._alike.routed
        self.unusable: dict[str, LakelockError] = {}
        for target in order.targets:
            if not target.is_routed:
                self._make(target)
        share_decoding([blocks.rows for blocks in self._made.values()])

    def static(self, topic: str) -> list[str]:
        """Tables that take all records of *topic*."""
        names = (name for name, t in self._targets.items() if not t.is_routed and topic in t.topics)
        return [name for name in names if name in self._made]

    def decoded(self, block: Block, unfit: Mapping[int, Reason], tables: Collection[str]) -> BlockRead:
        began = time.perf_counter()
        found = [self._of(block, unfit, self._made[name]) for name in tables]
        self._seconds["decode"] += time.perf_counter() - began
        return BlockRead(block, found)

    def of_routes(
        self,
        routed: Iterator[TableShares | LastShares | Pieces | tuple[Block, TableBlock]],
        stopped: Collection[str],
        *,
        is_last: bool = False,
    ) -> Iterator[BlockRead | TablesEnded | Pieces]:
        """*is_last*: no other topic follows."""
        for one in routed:
            if isinstance(one, Pieces):
                yield one
                continue
            if isinstance(one, LastShares):
                if is_last:
                    yield TablesEnded(one.tables)
                continue
            if not isinstance(one, TableShares):
                block, dead_letters = one
                yield BlockRead(block, [dead_letters])
                continue
            for form, sections in groupby(one.sections, lambda section: self._alike.of.get(section[0])):
                together = [s for s in sections if s[0] not in stopped]
                if form is None or len(together) < 2:
                    for section in together:
                        yield from self._alone(one, section)
                else:
                    yield from self._together(one, together, form, copies=not (is_last and one.end_soon))

    def _alone(self, shares: TableShares, section: tuple[str, int, int]) -> Iterator[BlockRead]:
        table, start, end = section
        if not self._usable(table):
            return
        is_whole = end - start == len(shares.block.values)
        unfit = shares.unfit if is_whole else {i - start: why for i, why in shares.unfit.items() if start <= i < end}
        yield self.decoded(shares.block if is_whole else shares.block.between(start, end), unfit, [table])

    def _together(
        self, shares: TableShares, sections: Sequence[tuple[str, int, int]], form: int, *, copies: bool
    ) -> Iterator[BlockRead]:
        """The sections of tables that are alike, decoded at once. Those with a bad record are decoded again, each alone: what
        was found is found of a table. *copies*: a table may keep its rows for longer than the others."""
        if (blocks := self._shared(sections[0][0], form)) is None:
            for section in sections:
                yield from self._alone(shares, section)
            return
        began = time.perf_counter()
        first, last = sections[0][1], sections[-1][2]
        block = shares.block.between(first, last)
        unfit = {i - first: why for i, why in shares.unfit.items() if first <= i < last}
        whole = blocks.of(block.values, block.metadata, unfit)
        for table, start, end in sections:
            part = whole.between(start - first, end - first, table, copies=copies)
            if part is None:
                self._seconds["decode"] += time.perf_counter() - began
                yield from self._alone(shares, (table, start, end))
                began = time.perf_counter()
                continue
            of_table = block.between(start - first, end - first)
            self._seconds["decode"] += time.perf_counter() - began
            yield BlockRead(of_table, [part])
            began = time.perf_counter()

    def _shared(self, table: str, form: int) -> TableBlocks | None:
        """A decoder for all tables of *form*; None if there is none, and each table has its own fault."""
        if form not in self._shared_by_form:
            blocks: TableBlocks | None = None
            with suppress(LakelockError):
                blocks = self._blocks(self._targets[table])
            self._shared_by_form[form] = blocks
        return self._shared_by_form[form]

    @property
    def unknown_fields(self) -> dict[str, tuple[str, ...]]:
        """By table; one that is not here has none."""
        return {name: tuple(sorted(blocks.rows.unknown_fields)) for name, blocks in self._made.items()}

    @property
    def left_out(self) -> dict[str, dict[str, int]]:
        return {name: dict(blocks.rows.left_out) for name, blocks in self._made.items()}

    def _usable(self, table: str) -> bool:
        if table not in self._made and table not in self.unusable:
            self._make(self._targets[table])
        return table in self._made

    def _make(self, target: Target) -> None:
        try:
            self._made[target.table] = self._blocks(target)
        except LakelockError as fault:
            self.unusable[target.table] = bare(fault)

    def _blocks(self, target: Target) -> TableBlocks:
        return TableBlocks(target, arrow_schema_of(target.layout), skips_tombstones=self._order.skips_tombstones)

    def _of(self, block: Block, unfit: Mapping[int, Reason], blocks: TableBlocks) -> TableBlock:
        decided, lost = (
            among(block, named.get(blocks.table, frozenset())) for named in (self._order.decided, self._order.lost)
        )
        return blocks.of(block.values, block.metadata, unfit, decided, lost)


def _each(seconds: dict[str, float], what: str, found: Iterator[T]) -> Iterator[T]:
    while (one := timed(seconds, what, found)) is not None:
        yield one
