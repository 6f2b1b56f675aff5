"""Hold records until there are enough for each table: to decode a few at a time takes longer than all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.detached import joined, taken
from lakelock.records.routing.block_texts import Codes

HELD_BYTES = 128 << 20
# Tables with few records keep this share of the room when the others are released.
CARRIED_SHARE = 0.25
# Of a record without its value: where it comes from, and its place.
_BYTES_A_RECORD = 64


class HeldRecords:
    """Records of one topic with the number of their table; a record for several tables is held for each."""

    def __init__(self, limit_bytes: int = HELD_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._sections: dict[int, list[Block]] = defaultdict(list)
        self._bytes: dict[int, int] = defaultdict(int)
        self._all_bytes = 0

    def add(self, block: Block, records: Codes, tables: Codes) -> None:
        """Indexes of *records* of a `kept` block, and the number of the table of each."""
        if not len(tables):
            return
        order = np.argsort(tables, kind="stable")
        block, tables = taken(block, records[order]), tables[order]
        starts = [0, *(np.flatnonzero(np.diff(tables)) + 1).tolist(), len(tables)]
        for start, end in pairwise(starts):
            self._hold(int(tables[start]), block.between(start, end))

    @property
    def is_full(self) -> bool:
        return self._all_bytes > self._limit_bytes

    def most(self) -> Iterator[tuple[int, Block]]:
        """Records by table, but for those of the tables with fewest, which stay."""
        room, stay = self._limit_bytes * CARRIED_SHARE, list[int]()
        for number in sorted(self._bytes, key=self._bytes.__getitem__):
            room -= self._bytes[number]
            if room < 0:
                break
            stay.append(number)
        carried = [(number, joined(self._sections.pop(number))) for number in stay]
        yield from self.all()
        for number, block in carried:
            self._hold(number, block)

    def all(self) -> Iterator[tuple[int, Block]]:
        sections, self._sections = self._sections, defaultdict(list)
        self._bytes.clear()
        self._all_bytes = 0
        for number in list(sections):
            yield number, joined(sections.pop(number))

    def _hold(self, number: int, block: Block) -> None:
        size = _size_bytes(block)
        self._sections[number].append(block)
        self._bytes[number] += size
        self._all_bytes += size


def _size_bytes(block: Block) -> int:
    sent = 0 if block.compressed is None else block.compressed.size_bytes
    return block.size_bytes + sent + _BYTES_A_RECORD * len(block.values)


def cut(block: Block, most_records: int, most_bytes: int) -> Iterator[Block]:
    """*block* in pieces of at most *most_records*, and of at most *most_bytes* unless a record is larger."""
    bounds, start, count = block.values.bounds, 0, len(block.values)
    while start < count:
        end = int(np.searchsorted(bounds, bounds[start] + most_bytes, "right")) - 1
        end = max(start + 1, min(end, start + most_records, count))
        yield block if (start, end) == (0, count) else block.between(start, end)
        start = end
