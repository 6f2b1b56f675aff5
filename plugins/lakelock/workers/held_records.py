"""Hold records until there are enough for each table: to decode a few at a time takes longer than all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import joined, taken
from lakelock.records.routing.block_texts import Codes

# While they are released, they are there twice.
HELD_BYTES = 192 << 20
# Tables with few records keep this share of the room when the others are released.
CARRIED_SHARE = 0.25
# Of a record without its value: where it comes from, and its place.
_BYTES_A_RECORD = 64


@dataclass(frozen=True, slots=True)
class TableSection:
    """Records `[start, end)` of a block, which are those of table *number*."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Held:
    """A block, and for each of its *records* the number of its table."""

    block: Block
    records: Codes
    tables: Codes
    sizes: Codes


class HeldRecords:
    """Records of one topic with the number of their table; a record for several tables counts for each.

    They are released in blocks of at most *most_records*, and of at most *most_bytes* unless a record is larger, in which
    the records of a table are neighbours.
    """

    def __init__(self, most_records: int, most_bytes: int, limit_bytes: int = HELD_BYTES) -> None:
        self._most_records, self._most_bytes, self._limit_bytes = most_records, most_bytes, limit_bytes
        self._held: list[_Held] = []
        self._bytes = 0

    def add(self, block: Block, records: Codes, tables: Codes) -> None:
        """Indexes of *records* of a `kept` block, and the number of the table of each."""
        if not len(tables):
            return
        if len(records) < len(block.values):
            block, records = taken(block, records), np.arange(len(records))
        sizes = np.diff(block.values.bounds)
        if block.compressed is not None:
            sizes = sizes + np.diff(block.compressed.bounds)
        held = _Held(block, records, tables, sizes[records] + _BYTES_A_RECORD)
        self._held.append(held)
        self._bytes += int(held.sizes.sum())

    @property
    def is_full(self) -> bool:
        return self._bytes > self._limit_bytes

    def most(self) -> Iterator[tuple[Block, Sequence[TableSection]]]:
        """Records by table, but for those of the tables with fewest, which stay."""
        held = self._whole()
        by_table = np.bincount(held.tables, weights=held.sizes)
        order = np.argsort(by_table, kind="stable")
        carried = np.zeros(len(by_table), np.bool_)
        carried[order[np.cumsum(by_table[order]) <= self._limit_bytes * CARRIED_SHARE]] = True
        stays = carried[held.tables]
        self.add(taken(held.block, held.records[stays]), np.arange(np.count_nonzero(stays)), held.tables[stays])
        yield from self._sections(held.block, held.records[~stays], held.tables[~stays])

    def all(self) -> Iterator[tuple[Block, Sequence[TableSection]]]:
        if self._held:
            held = self._whole()
            yield from self._sections(held.block, held.records, held.tables)

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

    def _sections(self, block: Block, records: Codes, tables: Codes) -> Iterator[tuple[Block, Sequence[TableSection]]]:
        order = np.argsort(tables, kind="stable")
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
