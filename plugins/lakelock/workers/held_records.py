"""Hold records until there are enough for each table: to decode and write a few at a time takes longer than all at once.

Those of tables with few records wait on the local disk, in buckets of neighbouring tables, until all have been read.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import alone, joined, sizes_beside, taken
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State
from lakelock.records.routing.numbered_texts import Codes

# While they are released, they are there twice.
HELD_BYTES = 48 << 20
# A table with this share of what is held has enough for a block of its own.
DIRECT_SHARE = 0.0625
BUCKETS = 64
# Of a record without its value: where it comes from, and its place.
_BYTES_A_RECORD = 64
# Of the length of the first part of a piece, and of each of its buffers.
_LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class TableSection:
    """Records `[start, end)` of a block, which are those of table *number*."""

    number: int
    start: int
    end: int


# A block whose records are sorted by table.
Sections = tuple[Block, Sequence[TableSection]]


@dataclass(frozen=True, slots=True)
class _Held:
    """A block, and for each of its *records* the number of its table."""

    block: Block
    records: Codes
    tables: Codes
    sizes: Codes


class HeldRecords:
    """Records of one topic with the number of their table, one of *tables*; a record for several tables counts for each.

    They are released in blocks of at most *most_records*, and of at most *most_bytes* unless a record is larger, in which
    the records of a table are neighbours.
    """

    def __init__(self, tables: int, most_records: int, most_bytes: int, limit_bytes: int = HELD_BYTES) -> None:
        self._tables = max(tables, 1)
        self._most_records, self._most_bytes, self._limit_bytes = most_records, most_bytes, limit_bytes
        self._held: list[_Held] = []
        self._bytes = 0
        self._disk: Spill | None = None

    def add(self, block: Block, records: Codes, tables: Codes) -> None:
        """Indexes of *records* of a `kept` block, and the number of the table of each."""
        if not len(tables):
            return
        if len(records) < len(block.values):
            block, records = alone(taken(block, records)), np.arange(len(records))
        sizes = np.diff(block.values.bounds)
        if block.compressed is not None:
            sizes = sizes + np.diff(block.compressed.bounds)
        sizes = sizes + sizes_beside(block)
        held = _Held(block, records, tables, sizes[records] + _BYTES_A_RECORD)
        self._held.append(held)
        self._bytes += int(held.sizes.sum())

    @property
    def is_full(self) -> bool:
        return self._bytes > self._limit_bytes

    def most(self) -> Iterator[Sections]:
        """Records of the tables with many; those of the others wait on the disk."""
        held = self._whole()
        has_many = np.bincount(held.tables, weights=held.sizes) >= self._limit_bytes * DIRECT_SHARE
        is_direct = has_many[held.tables]
        self._set_aside(held.block, held.records[~is_direct], held.tables[~is_direct])
        yield from self._sections(held.block, held.records[is_direct], held.tables[is_direct])

    def all(self) -> Iterator[Sections | range]:
        """What is left; a range has the numbers of tables that had their last record."""
        if self._disk is None:
            if self._held:
                yield from self._sections_held()
            return
        if self._held:
            held = self._whole()
            self._set_aside(held.block, held.records, held.tables)
            del held
        for bucket in range(BUCKETS):
            for piece in self._disk.pieces(bucket):
                block, tables = loaded(piece)
                self.add(block, np.arange(len(tables)), tables)
                if self.is_full:
                    yield from self._sections_held()
            if self._held:
                yield from self._sections_held()
            yield range(self._first_of(bucket), self._first_of(bucket + 1))
        self.close()

    def pieces(self, buckets: int) -> Iterator[tuple[int, Block, Codes]]:
        """All that is held, which is no longer held: for each of the *buckets* of neighbouring tables that has records, these
        records and the numbers of their tables, sorted by table."""
        if self._held:
            held = self._whole()
            yield from self._by_bucket(held.block, held.records, held.tables, buckets)

    def close(self) -> None:
        """Forget all, also on the disk."""
        self._held, self._bytes = [], 0
        if self._disk is not None:
            self._disk.close()
            self._disk = None

    def _set_aside(self, block: Block, records: Codes, tables: Codes) -> None:
        if not len(tables):
            return
        if self._disk is None:
            self._disk = Spill(State.BATCH_PLANNED)
        for bucket, of_bucket, numbers in self._by_bucket(block, records, tables, BUCKETS):
            self._disk.put(bucket, dumped((of_bucket, numbers)))

    def _by_bucket(
        self, block: Block, records: Codes, tables: Codes, buckets: int
    ) -> Iterator[tuple[int, Block, Codes]]:
        # Sorted by table, records of a table are neighbours when the pieces of a bucket are sorted.
        order = np.argsort(tables.astype(np.min_scalar_type(self._tables)), kind="stable")
        records, tables = records[order], tables[order]
        ends = np.searchsorted(tables, [self._first_of(bucket, buckets) for bucket in range(buckets + 1)]).tolist()
        for bucket, (start, end) in enumerate(pairwise(ends)):
            if end > start:
                yield bucket, taken(block, records[start:end]), tables[start:end]

    def _first_of(self, bucket: int, buckets: int = BUCKETS) -> int:
        """Number of its first table."""
        return -(-bucket * self._tables // buckets)

    def _whole(self) -> _Held:
        """All that is held, which is no longer held."""
        held, self._held, self._bytes = self._held, [], 0
        starts = np.cumsum([0, *(len(h.block.values) for h in held)])[:-1]
        return _Held(
            joined([h.block for h in held]),
            np.concatenate([h.records + start for h, start in zip(held, starts, strict=True)]),
            np.concatenate([h.tables for h in held]),
            np.concatenate([h.sizes for h in held]),
        )

    def _sections_held(self) -> Iterator[Sections]:
        held = self._whole()
        return self._sections(held.block, held.records, held.tables)

    def _sections(self, block: Block, records: Codes, tables: Codes) -> Iterator[Sections]:
        order = np.argsort(tables.astype(np.min_scalar_type(self._tables)), kind="stable")
        records, tables = records[order], tables[order]
        sizes = np.concatenate([[0], np.cumsum(np.diff(block.values.bounds)[records])])
        start = 0
        while start < len(records):
            end = int(np.searchsorted(sizes, sizes[start] + self._most_bytes, "right")) - 1
            end = max(start + 1, min(end, start + self._most_records, len(records)))
            # Where a table's records begin, unless they are more than a block has.
            if end < len(records) and tables[start] != tables[end]:
                end = int(np.searchsorted(tables, tables[end]))
            of = tables[start:end]
            firsts = [0, *(np.flatnonzero(np.diff(of)) + 1).tolist()]
            ends = [*firsts[1:], end - start]
            sections = [TableSection(int(of[a]), a, b) for a, b in zip(firsts, ends, strict=True)]
            yield taken(block, records[start:end]), sections
            start = end


def dumped(held: object) -> list[bytes | memoryview]:
    """Parts of a piece."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(held, protocol=5, buffer_callback=buffers.append)
    parts: list[bytes | memoryview] = [head, *(buffer.raw() for buffer in buffers)]
    return [np.array([len(parts), *(len(part) for part in parts)], np.int64).tobytes(), *parts]


def loaded(piece: memoryview) -> Any:
    """Inverse of `dumped`; what is in buffers is part of *piece*."""
    count = int.from_bytes(piece[:_LENGTH_BYTES], "little")
    at = _LENGTH_BYTES * (count + 1)
    parts = []
    for length in np.frombuffer(piece[_LENGTH_BYTES:at], np.int64).tolist():
        parts.append(piece[at : at + length])
        at += length
    return pickle.loads(parts[0], buffers=parts[1:])
