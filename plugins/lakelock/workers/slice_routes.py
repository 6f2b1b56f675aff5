"""Route the records of a slice: to its targets, to tables that are not among them, or to none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import overload

import numpy as np
import pyarrow as pa

from lakelock.adapters.csv.splitter import splitter
from lakelock.adapters.json.reader import reader
from lakelock.adapters.json.scanner import places
from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import kept, taken
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Pieces, RouteOutput, Target, WriteOrder
from lakelock.records.decoding import NONE, Decoded, Indexes, no_rows
from lakelock.records.json.record_fields import Node
from lakelock.records.json.scanned import Scanned
from lakelock.records.reasons import Reason
from lakelock.records.routing.block_routes import BlockRoutes, RoutedBlock
from lakelock.records.routing.readers import Readers
from lakelock.records.routing.templates import Rendered
from lakelock.records.values import Values
from lakelock.workers.held_records import HeldRecords, Sections
from lakelock.workers.range_books import SliceBooks
from lakelock.workers.shuffled_records import Sending, Tallies
from lakelock.workers.slice_shares import LastShares, TableShares, unfit_in
from lakelock.workers.table_blocks import TableBlock
from lakelock.workers.unfit_places import UnfitPlaces
from lakelock.workers.unknown_tables import UnknownTables

_NO_ROWS = no_rows(pa.schema([]))


class SliceRoutes:
    """Applies the router of *order* to the blocks of a slice, in order; shares have at most *block_records*."""

    def __init__(self, order: WriteOrder, targets: Sequence[Target], block_records: int) -> None:
        """*targets* are the routed ones of *order*: those whose records should be neighbours follow one another."""
        assert order.router is not None
        self._order, self._router = order, order.router
        self._targets = targets
        self._numbers = {t.table: n for n, t in enumerate(self._targets)}
        left = max(self._router.max_tables - len(self._router.known), 0)
        # With one more than there may be the batch is not written. All known ones may be no targets.
        self._unknown = UnknownTables(len(self._targets), len(self._router.known) + left + 1)
        self._routes = BlockRoutes(self._router, READERS, self._number)
        self._with_types = any("timestamp_type" in t.metadata_columns for t in self._targets)
        self._held = HeldRecords(len(targets), block_records, order.block_bytes)
        self._sending = None if order.shuffle is None else Sending(order.shuffle, targets)
        self._unfit = UnfitPlaces()
        self._books = SliceBooks()
        self._decided = order.decided.get(NO_TABLE, frozenset())
        self._lost = order.lost.get(NO_TABLE, frozenset())
        self.settled = 0

    def targets(self, topic: str) -> list[Target]:
        """Those that may take records of *topic*."""
        return [t for t in self._targets if topic in t.topics]

    def begin(self, ranges: Sequence[OffsetRange]) -> None:
        """Start a topic."""
        self._books.open(ranges)

    def take(
        self, block: Block, unfit: Mapping[int, Reason], outcomes: pa.Array | None = None
    ) -> Iterator[TableShares | Pieces | tuple[Block, TableBlock]]:
        """Shares and pieces that are ready now, and dead letters without a table. *outcomes* are those of the router's
        predicates."""
        skips = self._order.skips_tombstones
        routed = self._routes.of(
            block.topic, block.values, block.metadata, unfit, skips_tombstones=skips, outcomes=outcomes
        )
        routed, settled = self._undecided(block, routed)
        self._count(block, routed, settled)
        targets = len(self._targets)
        is_ours = routed.tables < targets
        if not is_ours.all():
            self._unknown.take(block, routed.records[~is_ours], routed.tables[~is_ours])
        records, tables = routed.records[is_ours], routed.tables[is_ours]
        new = [b for b in routed.bad if b.index not in settled]
        is_sent = None if self._sending is None else self._sending.takes[tables]
        any_sent = is_sent is not None and is_sent.any()
        if not new and not any_sent and len(records) == len(block.values) and (tables == tables[0]).all():
            yield TableShares(block, [(self._targets[int(tables[0])].table, 0, len(block.values))], unfit)
            return
        if not new and not len(records):
            return
        whole = kept(block, with_types=self._with_types)
        if new:
            at = np.array([b.index for b in new], np.int64)
            bad = [replace(b, index=n) for n, b in enumerate(new)]
            yield taken(whole, at), TableBlock(NO_TABLE, Decoded(_NO_ROWS, [], bad), NONE)
        if unfit:
            at_place = zip(block.partitions.tolist(), block.offsets.tolist(), strict=True)
            self._unfit |= {place: unfit[i] for i, place in enumerate(at_place) if i in unfit}
        if self._sending is not None and is_sent is not None and any_sent:
            self._sending.add(whole, records[is_sent], tables[is_sent])
            if self._sending.is_full:
                yield from self._sending.pieces(self._unfit)
            records, tables = records[~is_sent], tables[~is_sent]
        self._held.add(whole, records, tables)
        if self._held.is_full:
            yield from self._shares(self._held.most())

    def rest(self) -> Iterator[TableShares | LastShares | Pieces]:
        """What is left of a topic at its end."""
        if self._sending is not None:
            yield from self._sending.pieces(self._unfit)
        end_soon = self._held.has_set_aside
        yield from self._shares(self._held.all(), end_soon=end_soon)
        self._unfit.clear()

    def close(self) -> None:
        self._held.close()
        if self._sending is not None:
            self._sending.close()

    @property
    def sent(self) -> Tallies:
        """Of the records that were sent to other tasks."""
        return {} if self._sending is None else self._sending.tallies

    def output(self, unread: Sequence[OffsetRange]) -> RouteOutput:
        """Of what was read, which ends where *unread* begins."""
        books = [b.books() for b in self._books.ended(unread)]
        return RouteOutput(tuple(books), self._unknown.found([b.range for b in books]))

    def _number(self, made: Rendered, topic: str) -> int:
        number = self._numbers.get(made.name)
        if number is not None and topic in self._targets[number].topics:
            return number
        only = self._router.only
        if number is None and (made.name in self._router.left_out or (only is not None and made.name not in only)):
            return -1
        return self._unknown.number(made)

    @overload
    def _shares(self, released: Iterator[Sections], *, end_soon: bool = False) -> Iterator[TableShares]: ...
    @overload
    def _shares(
        self, released: Iterator[Sections | range], *, end_soon: bool = False
    ) -> Iterator[TableShares | LastShares]: ...
    def _shares(
        self, released: Iterator[Sections | range], *, end_soon: bool = False
    ) -> Iterator[TableShares | LastShares]:
        for one in released:
            if isinstance(one, range):
                yield LastShares([self._targets[number].table for number in one])
                continue
            block, sections = one
            named = [(self._targets[s.number].table, s.start, s.end) for s in sections]
            yield TableShares(block, named, unfit_in(block, self._unfit), end_soon)

    def _undecided(self, block: Block, routed: RoutedBlock) -> tuple[RoutedBlock, Collection[int]]:
        """The rest of *routed*, and the dead letters that are not written again.

        One that is in the dead-letter table already stays there alone, whatever the rules and the known tables are now.
        """
        if not self._decided and not self._lost:
            return routed, ()
        decided = among(block, self._decided)
        settled = decided | (among(block, self._lost) & {b.index for b in routed.bad})
        if not decided:
            return routed, settled
        out = np.array(sorted(decided), np.int64)
        pairs = ~np.isin(routed.records, out)
        return (
            RoutedBlock(
                routed.records[pairs],
                routed.tables[pairs],
                np.setdiff1d(routed.filtered, out),
                [b for b in routed.bad if b.index not in decided],
            ),
            settled,
        )

    def _count(self, block: Block, routed: RoutedBlock, settled: Collection[int]) -> None:
        self.settled += len(settled)
        dead = _by_partition(block, np.array(sorted({*settled, *(b.index for b in routed.bad)}), np.int64))
        filtered = _by_partition(block, routed.filtered)
        for share in block.shares():
            books = self._books.of(block.topic, share.partition)
            books.add(share, dead.get(share.partition, 0), 0)
            books.filtered += filtered.get(share.partition, 0)


def among(block: Block, named: frozenset[tuple[str, int, int]]) -> frozenset[int]:
    """Indexes of the records in *named*, which is keyed by topic, partition and offset."""
    if not named:
        return frozenset()
    at_place = zip(block.partitions.tolist(), block.offsets.tolist(), strict=True)
    return frozenset(i for i, (p, o) in enumerate(at_place) if (block.topic, p, o) in named)


def _by_partition(block: Block, indexes: Indexes) -> dict[int, int]:
    found, counts = np.unique(block.partitions[indexes], return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def _places_of(root: Node, slots: int, keeps_rest: bool) -> Callable[[Values], Scanned]:
    assert not keeps_rest
    return places(root, slots)


READERS = Readers(_places_of, reader, splitter)
