"""Hold records until there are enough for each table: to decode a few at a time takes longer than all at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import joined, taken
from lakelock.records.routing.block_texts import Codes

# While they are regrouped there are two of each.
HELD_BYTES = 128 << 20
# Of a record without its value: where it comes from, and its place.
_BYTES_A_RECORD = 64


class HeldRecords:
    """Records of one topic with the number of their table; a record for several tables is held for each."""

    def __init__(self, limit_bytes: int = HELD_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._blocks: list[Block] = []
        self._tables: list[Codes] = []
        self._bytes = 0

    def add(self, block: Block, tables: Codes) -> None:
        """*block* is a `kept` one; *tables* has a number for each record."""
        if not len(tables):
            return
        self._blocks.append(block)
        self._tables.append(tables)
        self._bytes += _size_bytes(block)

    @property
    def is_full(self) -> bool:
        return self._bytes > self._limit_bytes

    def most(self) -> Iterator[tuple[int, Block]]:
        """Records of the tables that have most, until half of the room is free, by table. The others stay."""
        return self._released(self._limit_bytes // 2)

    def all(self) -> Iterator[tuple[int, Block]]:
        return self._released(0)

    def _released(self, rest_bytes: int) -> Iterator[tuple[int, Block]]:
        if not self._blocks:
            return
        block, tables = joined(self._blocks), np.concatenate(self._tables)
        self._blocks, self._tables, self._bytes = [], [], 0
        released = self._largest(block, tables, rest_bytes)
        order = np.argsort(tables, kind="stable")
        goes = released[tables[order]]
        if not goes.all():
            stay = np.sort(order[~goes])
            self.add(taken(block, stay), tables[stay])
        order = order[goes]
        block, tables = taken(block, order), tables[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(tables)) + 1, [len(tables)]]).tolist()
        for start, end in itertools.pairwise(starts):
            yield int(tables[start]), block.section(start, end)

    @staticmethod
    def _largest(block: Block, tables: Codes, rest_bytes: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """By number of a table, whether its records are released."""
        sizes = np.bincount(tables, weights=np.diff(block.sent_values.bounds) + _BYTES_A_RECORD)
        largest = np.argsort(sizes)[::-1]
        before = np.cumsum(sizes[largest]) - sizes[largest]
        released = np.zeros(len(sizes), np.bool_)
        released[largest] = sizes.sum() - before > rest_bytes
        return released


def _size_bytes(block: Block) -> int:
    sent = 0 if block.compressed is None else block.compressed.size_bytes
    return block.size_bytes + sent + _BYTES_A_RECORD * len(block.values)


def cut(block: Block, most_records: int, most_bytes: int) -> Iterator[Block]:
    """*block* in pieces of at most *most_records*, and of at most *most_bytes* unless a record is larger."""
    bounds, start, count = block.values.bounds, 0, len(block.values)
    while start < count:
        end = int(np.searchsorted(bounds, bounds[start] + most_bytes, "right")) - 1
        end = max(start + 1, min(end, start + most_records, count))
        yield block if (start, end) == (0, count) else block.section(start, end)
        start = end
