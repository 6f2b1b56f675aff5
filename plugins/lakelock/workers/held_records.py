"""Hold records until there are enough for each table: to decode and write a few at a time takes longer than all at once.

Those of tables with few records wait on the local disk, in buckets of neighbouring tables, until all have been read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.packed_records import BESIDE, PackedRecords, PackedRun, joined_beside, packed, unpacked
from lakelock.adapters.parquet.spill import Spill
from lakelock.errors import State
from lakelock.records.routing.numbered_texts import Codes
from lakelock.records.values import Bounds, Bytes, Flags
from lakelock.workers.framing import framed, parts_in

# While they are released, they are there twice.
HELD_BYTES = 48 << 20
# A table with this share of what is held has enough for a block of its own.
DIRECT_SHARE = 0.0625
BUCKETS = 64
# A call takes 1,024 buffers.
_RUNS_A_PIECE = 1_000


@dataclass(frozen=True, slots=True)
class TableSection:
    """Records `[start, end)` of a block, which are those of table *number*."""

    number: int
    start: int
    end: int


# A block whose records are sorted by table.
Sections = tuple[Block, Sequence[TableSection]]


class HeldRecords:
    """Records of one topic with the number of their table, one of *tables*; a record for several tables counts for each.

    They are released in blocks of at most *most_records*, and of at most *most_bytes* unless a record is larger, in which
    the records of a table are neighbours.
    """

    def __init__(self, tables: int, most_records: int, most_bytes: int, limit_bytes: int = HELD_BYTES) -> None:
        self._tables = max(tables, 1)
        self._most_records, self._most_bytes, self._limit_bytes = most_records, most_bytes, limit_bytes
        self._topic = ""
        self._held: list[PackedRecords] = []
        self._bytes = 0
        # The last block goes beyond the limit.
        self._room = _Room(min(limit_bytes, HELD_BYTES) * 5 // 4)
        self._disk: Spill | None = None

    def add(self, block: Block, records: Codes, tables: Codes) -> None:
        """Indexes of *records* of a `kept` block, and the number of the table of each."""
        if not len(tables):
            return
        self._topic = block.topic
        held = packed(block, records, tables, self._tables, self._room.take)
        self._held.append(held)
        self._bytes += held.size_bytes

    @property
    def is_full(self) -> bool:
        return self._bytes > self._limit_bytes

    @property
    def has_set_aside(self) -> bool:
        """Whether `all` names the tables that had their last record."""
        return self._disk is not None

    def most(self) -> Iterator[Sections]:
        """Records of the tables with many; those of the others wait on the disk."""
        sizes = np.sum([np.diff(held.starts) for held in self._held], axis=0)
        is_direct = sizes >= self._limit_bytes * DIRECT_SHARE
        self._set_aside(~is_direct)
        yield from self._released(is_direct)

    def all(self) -> Iterator[Sections | range]:
        """What is left; a range has the numbers of tables that had their last record."""
        if self._disk is None:
            if self._held:
                yield from self._released(np.ones(self._tables, np.bool_))
            self.close()
            return
        self._set_aside(np.ones(self._tables, np.bool_))
        self._forget()
        for bucket in range(BUCKETS):
            first, end = self._first_of(bucket), self._first_of(bucket + 1)
            runs, size = list[PackedRun](), 0
            for piece in self._disk.pieces(bucket, self._room.take):
                runs.append(_loaded(piece))
                size += len(piece)
                if size > self._limit_bytes:
                    found, runs, size = unpacked(self._topic, runs, first, end), [], 0
                    self._room.clear()
                    yield from self._sections(*found, first)
            if runs:
                found, runs = unpacked(self._topic, runs, first, end), []
                self._room.clear()
                yield from self._sections(*found, first)
            yield range(first, end)
        self.close()

    def pieces(self, buckets: int) -> Iterator[tuple[int, Block, Codes]]:
        """All that is held, which is no longer held afterwards: for each of the *buckets* of neighbouring tables that has
        records, these records and the numbers of their tables, sorted by table."""
        if not self._held:
            return
        for bucket in range(buckets):
            first, end = self._first_of(bucket, buckets), self._first_of(bucket + 1, buckets)
            if runs := [run for held in self._held if (run := held.run(first, end)).count]:
                block, starts = unpacked(self._topic, runs, first, end)
                yield bucket, block, np.repeat(np.arange(first, end), np.diff(starts))
        self._held, self._bytes = [], 0
        self._room.clear()

    def close(self) -> None:
        """Forget all, also on the disk."""
        self._forget()
        if self._disk is not None:
            self._disk.close()
            self._disk = None

    def _forget(self) -> None:
        self._held, self._bytes = [], 0
        self._room.free()

    def _released(self, of: Flags) -> Iterator[Sections]:
        """Records of these tables; all that is held is forgotten."""
        runs = [held.run(*tables) for held in self._held for tables in _ranges(of, 0, self._tables)]
        block, starts = unpacked(self._topic, runs, 0, self._tables)
        del runs
        self._held, self._bytes = [], 0
        self._room.clear()
        yield from self._sections(block, starts, 0)

    def _set_aside(self, of: Flags) -> None:
        """Put the records of these tables on the disk."""
        for bucket in range(BUCKETS):
            tables = _ranges(of, self._first_of(bucket), self._first_of(bucket + 1))
            runs = [run for held in self._held for few in tables if (run := held.run(*few)).count]
            for at in range(0, len(runs), _RUNS_A_PIECE):
                if self._disk is None:
                    self._disk = Spill(State.BATCH_PLANNED)
                self._disk.put(bucket, _dumped(runs[at : at + _RUNS_A_PIECE]))

    def _first_of(self, bucket: int, buckets: int = BUCKETS) -> int:
        """Number of its first table."""
        return -(-bucket * self._tables // buckets)

    def _sections(self, block: Block, starts: Bounds, first: int) -> Iterator[Sections]:
        """*starts* are those of the tables from *first* on, and the end of the last one."""
        bounds, count, start = block.values.bounds, len(block.values), 0
        while start < count:
            end = int(np.searchsorted(bounds, bounds[start] + self._most_bytes, "right")) - 1
            end = max(start + 1, min(end, start + self._most_records, count))
            table = int(np.searchsorted(starts, end, "right")) - 1
            # Where a table's records begin, unless they are more than a block has.
            if start < starts[table] < end:
                end = int(starts[table])
            low = np.searchsorted(starts, start, "right")
            begins = [start, *np.unique(starts[low : np.searchsorted(starts, end)]).tolist()]
            numbers = (np.searchsorted(starts, begins, "right") - 1 + first).tolist()
            ends = [*begins[1:], end]
            sections = [TableSection(n, a - start, b - start) for n, a, b in zip(numbers, begins, ends, strict=True)]
            yield block.between(start, end), sections
            start = end


class _Room:
    """Memory that is used again and again, of which pages that were never used take none."""

    def __init__(self, size_bytes: int) -> None:
        self._size_bytes, self._used = size_bytes, 0
        self._buffer: Bytes | None = None

    def take(self, size_bytes: int) -> Bytes:
        """The next bytes, or others if these are not enough."""
        if self._used + size_bytes > self._size_bytes:
            return np.empty(size_bytes, np.uint8)
        if self._buffer is None:
            self._buffer = np.empty(self._size_bytes, np.uint8)
        self._used += size_bytes
        return self._buffer[self._used - size_bytes : self._used]

    def clear(self) -> None:
        """What was taken is no longer needed."""
        self._used = 0

    def free(self) -> None:
        self._used, self._buffer = 0, None


def _ranges(of: Flags, first: int, end: int) -> list[tuple[int, int]]:
    """Of the tables from *first* to *end*: the runs of those that *of* names."""
    if of[first:end].all():
        return [(first, end)] if first < end else []
    edges = np.flatnonzero(np.diff(of[first:end], prepend=False, append=False)) + first
    return [*zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]


def _dumped(runs: Sequence[PackedRun]) -> list[Any]:
    """Parts of a piece."""
    beside, count = joined_beside(runs), np.array([sum(run.count for run in runs)], np.int64)
    encoded = [] if beside is None else [beside.serialize()]
    return framed([[count.tobytes()], encoded, [run.rows for run in runs]])


def _loaded(piece: memoryview) -> PackedRun:
    """Inverse of `_dumped`; the records are part of *piece*."""
    count, encoded, rows = parts_in(piece)
    beside = pa.ipc.read_record_batch(pa.py_buffer(encoded), BESIDE) if encoded else None
    return PackedRun(np.frombuffer(rows, np.uint8), int(np.frombuffer(count, np.int64)[0]), beside)
