"""Records of one topic as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from confluent_kafka import Message


@dataclass(frozen=True, slots=True)
class PartitionShare:
    """The share of one partition in a block; timestamps are None if no record has one."""

    partition: int
    records: int
    low_timestamp_ms: int | None
    high_timestamp_ms: int | None


@dataclass(slots=True)
class Block:
    """Records of one topic in delivery order; order within a partition is offset order.

    `messages` gives keys and headers of single records; the columns are what every record needs. `timestamps_ms` is
    below zero where a record has none, or one beyond the year 9999.
    """

    topic: str
    messages: Sequence[Message]
    values: Sequence[bytes | None]
    partitions: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    timestamps_ms: npt.NDArray[np.int64]
    size_bytes: int = 0

    def part(self, start: int, values: Sequence[bytes | None]) -> Block:
        """The records from *start* on, with other *values*, as many as these are."""
        end = start + len(values)
        if (start, end) == (0, len(self.values)):
            return replace(self, values=values)
        return Block(
            self.topic,
            self.messages[start:end],
            values,
            self.partitions[start:end],
            self.offsets[start:end],
            self.timestamps_ms[start:end],
        )

    def shares(self) -> list[PartitionShare]:
        """One for each partition with a record here."""
        order = np.argsort(self.partitions, kind="stable")
        partitions, stamps = self.partitions[order], self.timestamps_ms[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(partitions)) + 1])
        counts = np.diff(np.append(starts, len(partitions)))
        highs = np.maximum.reduceat(stamps, starts)
        lows = np.minimum.reduceat(np.where(stamps < 0, np.iinfo(np.int64).max, stamps), starts)
        return [
            PartitionShare(int(p), int(n), int(low) if high >= 0 else None, int(high) if high >= 0 else None)
            for p, n, low, high in zip(partitions[starts], counts, lows, highs, strict=True)
        ]


def joined(blocks: Sequence[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    return Block(
        blocks[0].topic,
        [m for b in blocks for m in b.messages],
        [v for b in blocks for v in b.values],
        np.concatenate([b.partitions for b in blocks]),
        np.concatenate([b.offsets for b in blocks]),
        np.concatenate([b.timestamps_ms for b in blocks]),
        sum(b.size_bytes for b in blocks),
    )
