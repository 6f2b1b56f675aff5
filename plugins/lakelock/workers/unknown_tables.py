"""Tables that records of a slice are routed to and that are not among its targets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from lakelock.adapters.kafka.block import Block
from lakelock.model.offsets import OffsetRange
from lakelock.ports import UnknownTable
from lakelock.records.decoding import Indexes
from lakelock.records.routing.numbered_texts import Codes
from lakelock.records.routing.templates import Rendered

SAMPLE_RECORDS, SAMPLE_BYTES = 100, 256 << 10
# Of all samples of a slice; then a table gets one record each.
SAMPLES_BYTES = 32 << 20


@dataclass(slots=True)
class _Found:
    made: Rendered
    topics: dict[str, None] = field(default_factory=dict)
    sample: list[bytes] = field(default_factory=list)
    sample_bytes: int = 0
    first: tuple[int, int] | None = None


class UnknownTables:
    """Numbers tables from *first* on, and collects samples of their records. Of more than *most* tables, the others are only
    known to be there: a batch with so many is not written."""

    def __init__(self, first: int, most: int) -> None:
        self._first, self._most = first, most
        self._numbers: dict[Rendered, int] = {}
        self._found: list[_Found] = []
        self._bytes = 0

    def number(self, made: Rendered) -> int:
        """-1 for one of the tables that are too many."""
        number = self._numbers.get(made)
        if number is None:
            if len(self._found) >= self._most:
                return -1
            number = self._numbers[made] = self._first + len(self._found)
            self._found.append(_Found(made))
        return number

    def take(self, block: Block, records: Indexes, tables: Codes) -> None:
        """Pairs of records of *block*, and the numbers of their tables."""
        order = np.argsort(tables, kind="stable")
        records, tables = records[order], tables[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(tables)) + 1, [len(tables)]]).tolist()
        for start, end in itertools.pairwise(starts):
            self._take(self._found[int(tables[start]) - self._first], block, records[start:end])

    def _take(self, found: _Found, block: Block, records: Indexes) -> None:
        found.topics[block.topic] = None
        if found.first is None:
            found.first = int(block.partitions[records[0]]), int(block.offsets[records[0]])
        for i in records[: SAMPLE_RECORDS - len(found.sample)].tolist():
            value = block.values[i]
            if value is None:
                continue
            is_room = found.sample_bytes + len(value) <= SAMPLE_BYTES and self._bytes + len(value) <= SAMPLES_BYTES
            if found.sample and not is_room:
                return
            found.sample.append(value)
            found.sample_bytes += len(value)
            self._bytes += len(value)

    def found(self, read: Sequence[OffsetRange]) -> tuple[UnknownTable, ...]:
        """*read* are all ranges that the slice has read."""
        return tuple(
            UnknownTable(
                one.made.name,
                one.made.raw_name,
                tuple(one.topics),
                tuple(r for r in read if r.source.topic in one.topics),
                tuple(one.sample),
                *one.first,
            )
            for one in self._found
            if one.first is not None
        )
