"""How far ranges of one topic are read, by what a client delivered: nothing else is asked, and nothing is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from confluent_kafka import KafkaError

from lakelock.errors import HistoryMissing, Retryable, State
from lakelock.model.offsets import OffsetRange

END = KafkaError._PARTITION_EOF
# A block ends early once it has passed the offsets of so many full ones.
SPARSE = 4

Codes = npt.NDArray[np.int32]
Partitions = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def is_full(records: int, size_bytes: int, passed: int, max_records: int, max_bytes: int) -> bool:
    """Whether a block of *records* with *size_bytes* of values must end, when reading has *passed* so many offsets since
    before its first record.

    Each record holds the fetch response that it came with in memory, and with it the records of aborted transactions that
    are never delivered. Their sizes are not known: they are taken to be those of the block's records.
    """
    if not records:
        return False
    if records >= max_records or size_bytes >= max_bytes:
        return True
    return passed >= SPARSE * max_records or passed * size_bytes >= SPARSE * max_bytes * records


class ReadProgress:
    """At most one range a partition, all of one topic. *finished* is called with each partition whose range was read while
    others are still open. `passed` counts the offsets that reading passed, also those that were never delivered.
    """

    def __init__(self, ranges: Sequence[OffsetRange], finished: Callable[[int], None]) -> None:
        (self.topic,) = {r.source.topic for r in ranges}
        self._ranges = {r.source.partition: r for r in ranges}
        if len(self._ranges) != len(ranges):
            raise ValueError("one range a partition")
        self.open = dict(self._ranges)
        self._positions = {partition: r.start for partition, r in self._ranges.items()}
        self._finished = finished
        self.passed = 0

    @property
    def unread(self) -> list[OffsetRange]:
        """The parts of the ranges that no record has covered yet."""
        return [OffsetRange(r.source, self._positions[partition], r.end) for partition, r in sorted(self.open.items())]

    @property
    def has_moved(self) -> bool:
        return len(self.open) < len(self._ranges) or any(
            self._positions[partition] > r.start for partition, r in self.open.items()
        )

    def take(self, codes: Codes, partitions: Partitions, offsets: Offsets) -> Flags:
        """What one call delivered, in order; which of it are records of open ranges. Closes the ranges that they reach the
        end of.

        A code is 0 for a record, `END` for the end of a partition as read_committed sees it, which may lie short of the
        range. Other codes say nothing of where reading is.
        """
        kept: Flags = codes == 0
        if not len(kept):
            return kept
        if kept.all():
            return self._records(partitions, offsets)
        if kept.any():
            kept[kept] = self._records(partitions[kept], offsets[kept])
        # Only now: an event follows the records that were delivered before it.
        for at in np.flatnonzero(codes == END).tolist():
            self._reached(int(partitions[at]), int(offsets[at]))
        return kept

    def missing(self, partition: int, low: int, high: int) -> HistoryMissing:
        """The client's position is no longer in [*low*, *high*), which is what Kafka has of the partition."""
        r, position = self._ranges[partition], self._positions[partition]
        return HistoryMissing(
            f"Kafka no longer holds all of {r}: offsets [{position}, {min(low, r.end)}) are gone, and partition "
            f"{partition} of {self.topic!r} now has [{low}, {high}). Nothing of this batch was staged, and it stays "
            "planned.",
            State.NOTHING_SKIPPED,
            "Restore the topic's data, or accept the loss of all offsets that this partition dropped unread: `lakelock "
            f"accept-loss FILE --topic {self.topic} --partition {partition} --why TEXT`.",
        )

    def _records(self, partitions: Partitions, offsets: Offsets) -> Flags:
        # A range ends with the first record after it, so a few records beyond its end are read and dropped.
        found, last = self._in_order(partitions, offsets)
        ends = np.array([self.open[p].end if p in self.open else -1 for p in found.tolist()], np.int64)
        kept: Flags = offsets < ends[np.searchsorted(found, partitions)]
        for partition, offset in zip(found.tolist(), last.tolist(), strict=True):
            self._reached(partition, offset + 1)
        return kept

    def _in_order(self, partitions: Partitions, offsets: Offsets) -> tuple[Partitions, Offsets]:
        """The partitions of a call and the last offset of each.

        Offsets may have gaps but never go back: clients have been known to deliver records again after a leader change,
        and each would become a duplicate row.
        """
        order = np.argsort(partitions, kind="stable")
        partitions, offsets = partitions[order], offsets[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(partitions)) + 1])
        found = partitions[starts]
        before = np.empty_like(offsets)
        before[1:] = offsets[:-1]
        before[starts] = [self._positions[p] - 1 for p in found.tolist()]
        if (offsets <= before).any():
            n = int(np.argmax(offsets <= before))
            raise Retryable(
                f"the client delivered offset {offsets[n]} of {self.topic}-{partitions[n]} after offset {before[n]}.",
                State.BATCH_PLANNED,
            )
        return found, offsets[np.append(starts[1:], len(offsets)) - 1]

    def _reached(self, partition: int, position: int) -> None:
        r = self.open.get(partition)
        if r is None:
            return
        before = self._positions[partition]
        self._positions[partition] = max(position, before)
        self.passed += self._positions[partition] - before
        if position >= r.end:
            del self.open[partition]
            if self.open:
                self._finished(partition)
