"""Counts of one range of a slice while it is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lakelock.adapters.kafka.block import PartitionShare
from lakelock.model.batches import Books
from lakelock.model.offsets import OffsetRange


class RangeBooks:
    """*settled* are dead letters that are not written again."""

    def __init__(self, r: OffsetRange) -> None:
        self.range = r
        self.end = r.end
        self.read = self.dead_letters = self.settled = self.filtered = 0
        self.low: int | None = None
        self.high: int | None = None

    def add(self, share: PartitionShare, dead_lettered: int, settled: int) -> None:
        self.read += share.records
        self.dead_letters += dead_lettered
        self.settled += settled
        if share.low_timestamp_ms is not None:
            self.low = share.low_timestamp_ms if self.low is None else min(self.low, share.low_timestamp_ms)
        if share.high_timestamp_ms is not None:
            self.high = share.high_timestamp_ms if self.high is None else max(self.high, share.high_timestamp_ms)

    @property
    def read_range(self) -> OffsetRange:
        return OffsetRange(self.range.source, self.range.start, self.end)

    def books(self) -> Books:
        dead = self.dead_letters + self.settled
        written = self.read - dead - self.filtered
        return Books(self.read_range, self.read, written, dead, self.filtered, self.low, self.high)


class SliceBooks:
    """The books of a slice's ranges, by topic and partition."""

    def __init__(self) -> None:
        self._books: dict[tuple[str, int], RangeBooks] = {}

    def open(self, ranges: Iterable[OffsetRange]) -> None:
        for r in ranges:
            self._books[r.source.topic, r.source.partition] = RangeBooks(r)

    def of(self, topic: str, partition: int) -> RangeBooks:
        return self._books[topic, partition]

    def ended(self, unread: Sequence[OffsetRange]) -> list[RangeBooks]:
        """Those of ranges of which something was read: they end where *unread* begins."""
        for r in unread:
            if (key := (r.source.topic, r.source.partition)) in self._books:
                self._books[key].end = r.start
        return [b for b in self._books.values() if b.end > b.range.start]
