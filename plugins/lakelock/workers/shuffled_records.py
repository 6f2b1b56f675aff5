"""Records of shuffled tables on their way from the tasks that read them to those that write them, and the sums of both ends."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pickle import PickleBuffer
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State
from lakelock.ports import Pieces, Sender, SentCount, SentPiece, Shuffle, Target
from lakelock.records.reasons import Reason
from lakelock.records.routing.numbered_texts import Codes
from lakelock.workers.framing import framed, parts_in
from lakelock.workers.held_records import HELD_BYTES, HeldRecords
from lakelock.workers.slice_shares import LastShares, TableShares, Unfit, unfit_in
from lakelock.workers.unfit_places import UnfitPlaces

# Spark may send pieces again in another order, and each passes through the memory of several processes.
_CODEC = pa.Codec("lz4")
# By table, topic and partition.
Tallies = Mapping[tuple[str, str, int], SentCount]


class Counts:
    """Tallies of records by table, topic and partition."""

    def __init__(self, tables: Sequence[str]) -> None:
        self._tables = tables
        self._found: dict[tuple[str, str, int], tuple[int, int]] = {}

    def add(self, block: Block, records: Codes, numbers: Codes) -> None:
        """*records* of *block* by index, with the number of the table of each."""
        of, partitions = block.partitions[records], int(block.partitions.max()) + 1
        keys, inverse = np.unique(numbers.astype(np.int64) * partitions + of, return_inverse=True)
        sums = np.zeros(len(keys), np.uint64)
        np.add.at(sums, inverse, _hashed(block.offsets[records]))
        for key, count, total in zip(keys.tolist(), np.bincount(inverse).tolist(), sums.tolist(), strict=True):
            place = (self._tables[key // partitions], block.topic, key % partitions)
            had_count, had_total = self._found.get(place, (0, 0))
            self._found[place] = (had_count + count, (had_total + total) & (2**64 - 1))

    @property
    def tallies(self) -> Tallies:
        return {place: SentCount(*found) for place, found in self._found.items()}


def _hashed(offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Plain offsets would have equal sums if one record was lost, and a neighbour of another one doubled."""
    found = offsets.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    found ^= found >> np.uint64(29)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(found ^ (found >> np.uint64(32)))


def tables_sent(shuffle: Shuffle, targets: Sequence[Target]) -> list[str]:
    """The tables of *shuffle* in the order of *targets*, by which pieces number them."""
    return [t.table for t in targets if t.table in shuffle.tables]


class Sending:
    """Records of one topic for the tables of *shuffle*, which are among *targets*, until they are sent in pieces."""

    def __init__(self, shuffle: Shuffle, targets: Sequence[Target]) -> None:
        self._shuffle = shuffle
        tables = tables_sent(shuffle, targets)
        self.takes = np.array([t.table in shuffle.tables for t in targets], bool)
        self._numbers = np.cumsum(self.takes) - 1
        self._held = HeldRecords(len(tables), 0, 0, HELD_BYTES // 2)
        self._sent_bytes = [0] * shuffle.buckets
        self._counts = Counts(tables)

    def add(self, block: Block, records: Codes, tables: Codes) -> None:
        """As `HeldRecords.add`."""
        numbers = self._numbers[tables]
        self._counts.add(block, records, numbers)
        self._held.add(block, records, numbers)

    @property
    def is_full(self) -> bool:
        return self._held.is_full

    def pieces(self, unfit: Unfit) -> Iterator[Pieces]:
        """All that is held, which is no longer held; *unfit* has the decompression faults of its records."""
        numbered = []
        for bucket, block, tables in self._held.pieces(self._shuffle.buckets):
            plain = dumped((block, tables, unfit_in(block, unfit)))
            begun = self._sent_bytes[bucket] // self._shuffle.bucket_bytes
            self._sent_bytes[bucket] += len(plain)
            head = (block.topic, np.unique(tables), len(plain))
            body = dumped((*head, PickleBuffer(_CODEC.compress(plain))))
            numbered.append((bucket + begun * self._shuffle.buckets, body))
        if numbered:
            yield Pieces(numbered)

    @property
    def tallies(self) -> Tallies:
        return self._counts.tallies

    def close(self) -> None:
        self._held.close()


class Received:
    """Pieces of several slices, on the local disk. *tables* has the names by number."""

    def __init__(self, pieces: Iterable[SentPiece], shuffle: Shuffle, tables: Sequence[str]) -> None:
        self._tables, self._shuffle = tables, shuffle
        self._disk = Spill(State.BATCH_PLANNED)
        # Of each bucket, the slices whose pieces of a topic are there, in their order.
        self._slices: dict[int, dict[str, list[int]]] = {}
        self._by_slice: dict[int, Counts] = {}
        present = np.zeros(len(tables), bool)
        for piece in pieces:
            topic, numbers, _, _ = loaded(piece.body)
            present[numbers] = True
            # A bucket that was begun again has records of the same tables.
            bucket = piece.bucket % shuffle.buckets
            self._slices.setdefault(bucket, {}).setdefault(topic, []).append(piece.slice_no)
            self._disk.put((bucket, topic), [piece.body])
        self.tables = frozenset(tables[n] for n in np.flatnonzero(present).tolist())

    @property
    def topics(self) -> list[str]:
        return sorted({topic for topics in self._slices.values() for topic in topics})

    @property
    def tallies(self) -> dict[Sender, SentCount]:
        """Of the shares that were taken so far."""
        return {
            (table, slice_no, topic, partition): tally
            for slice_no, counts in self._by_slice.items()
            for (table, topic, partition), tally in counts.tallies.items()
        }

    def shares(self, block_records: int, block_bytes: int) -> Iterator[TableShares | LastShares]:
        """All records, table by table, in blocks as `HeldRecords` makes them."""
        held = HeldRecords(len(self._tables), block_records, block_bytes)
        for bucket, topics in sorted(self._slices.items()):
            seen: dict[str, None] = {}
            for topic, slices in topics.items():
                unfit = UnfitPlaces()
                for slice_no, body in zip(slices, self._disk.pieces((bucket, topic)), strict=True):
                    block, numbers, faults = _opened(body)
                    records = np.arange(len(numbers))
                    self._by_slice.setdefault(slice_no, Counts(self._tables)).add(block, records, numbers)
                    seen |= dict.fromkeys(self._tables[n] for n in np.unique(numbers).tolist())
                    unfit |= {(int(block.partitions[i]), int(block.offsets[i])): why for i, why in faults.items()}
                    held.add(block, records, numbers)
                    if held.is_full:
                        yield from self._released(held, unfit)
                yield from self._released(held, unfit)
            yield LastShares(list(seen))

    def close(self) -> None:
        self._disk.close()

    def _released(self, held: HeldRecords, unfit: Unfit) -> Iterator[TableShares]:
        for one in held.all():
            # Nothing was set aside, so no tables had their last record.
            assert not isinstance(one, range)
            block, sections = one
            named = [(self._tables[s.number], s.start, s.end) for s in sections]
            yield TableShares(block, named, unfit_in(block, unfit), end_soon=True)


def dumped(held: object) -> bytes:
    """*held*, whose buffers are not copied by `loaded`."""
    buffers: list[PickleBuffer] = []
    head = pickle.dumps(held, protocol=5, buffer_callback=buffers.append)
    return b"".join(framed([[head], *([buffer.raw()] for buffer in buffers)]))


def loaded(piece: memoryview) -> Any:
    """Inverse of `dumped`; what is in buffers is part of *piece*."""
    head, *buffers = parts_in(piece)
    return pickle.loads(head, buffers=buffers)


def _opened(body: memoryview) -> tuple[Block, Codes, Mapping[int, Reason]]:
    _, _, length, compressed = loaded(body)
    plain = _CODEC.decompress(compressed, length)
    found: tuple[Block, Codes, Mapping[int, Reason]] = loaded(memoryview(plain))
    return found
