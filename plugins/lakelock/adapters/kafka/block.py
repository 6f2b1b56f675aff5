"""Records of one topic as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lakelock.records.values import Values

# The last millisecond of the year 9999. Producers that send micro- or nanoseconds get past brokers that do not limit how
# far ahead a timestamp may be, and no table's timestamp type holds such a number.
LAST_TIMESTAMP_MS = 253_402_300_799_999


class Original(NamedTuple):
    """A record as it was sent; *headers* are None if they cannot be read."""

    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes | None]] | None


class Messages(Protocol):
    """What a block's columns do not have, of single records or of *count* records from *start* on."""

    def original(self, index: int) -> Original: ...

    def keys(self, start: int, count: int) -> Values: ...

    def timestamp_types(self, start: int, count: int) -> pa.Array:
        """Kafka's names of them, null for records without a timestamp."""
        ...

    def headers(self, start: int, count: int) -> pa.Array:
        """Of type `lakelock.records.headers.HEADERS`."""
        ...

    def keys_and_headers(self, start: int, count: int) -> tuple[Values | None, pa.Array | None]:
        """As `keys` and `headers`; None if no record has one."""
        ...


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

    The columns are what every record needs. `timestamps_ms` is below zero where a record has none, or one beyond the year
    9999. `messages` are there until the next block is requested; `first` is their index of the first record here.
    `compressed` are the values as they were sent, if these are others.
    """

    topic: str
    messages: Messages
    values: Values
    partitions: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    timestamps_ms: npt.NDArray[np.int64]
    first: int = 0
    compressed: Values | None = None

    def original(self, index: int) -> Original:
        return self.messages.original(self.first + index)

    @property
    def size_bytes(self) -> int:
        return self.values.size_bytes

    @property
    def sent_values(self) -> Values:
        return self.values if self.compressed is None else self.compressed

    def part(self, start: int, values: Values) -> Block:
        """The records from *start* on, with other *values*, as many as these are."""
        end = start + len(values)
        if values is self.values:
            return self
        if (start, end) == (0, len(self.values)):
            return replace(self, values=values, compressed=self.values)
        section = self.between(start, end)
        section.values, section.compressed = values, section.values
        return section

    def between(self, start: int, end: int) -> Block:
        """The records from *start* to *end*."""
        return Block(
            self.topic,
            self.messages,
            self.values[start:end],
            self.partitions[start:end],
            self.offsets[start:end],
            self.timestamps_ms[start:end],
            self.first + start,
            None if self.compressed is None else self.compressed[start:end],
        )

    def metadata(self, key: str) -> pa.Array:
        """Of all records, by a key of `METADATA_TYPES`; single headers are among all of them."""
        match key:
            case "partition":
                return pa.array(self.partitions)
            case "offset":
                return pa.array(self.offsets)
            case "topic":
                return pa.repeat(self.topic, len(self.values))
            case "key":
                return self.messages.keys(self.first, len(self.values)).binary()
            case "timestamp_type":
                return self.messages.timestamp_types(self.first, len(self.values))
            case "headers":
                return self.messages.headers(self.first, len(self.values))
        assert key == "timestamp", key
        absent = self.timestamps_ms < 0
        micros = pa.array(self.timestamps_ms * 1000, mask=absent if absent.any() else None)
        return micros.cast(pa.timestamp("us", "UTC"))

    def shares(self) -> list[PartitionShare]:
        """One for each partition with a record here."""
        # Small numbers are sorted without comparisons.
        small = self.partitions.astype(np.int16)
        order = np.argsort(small if (small == self.partitions).all() else self.partitions, kind="stable")
        partitions, stamps = self.partitions[order], self.timestamps_ms[order]
        firsts = np.concatenate([[0], np.flatnonzero(partitions[1:] != partitions[:-1]) + 1])
        highs, lows = np.maximum.reduceat(stamps, firsts), np.minimum.reduceat(stamps, firsts)
        if lows.min() < 0:
            lows = np.minimum.reduceat(np.where(stamps < 0, np.iinfo(np.int64).max, stamps), firsts)
        starts = firsts.tolist()
        return [
            PartitionShare(partition, end - start, low if high >= 0 else None, high if high >= 0 else None)
            for partition, start, end, low, high in zip(
                partitions[firsts].tolist(),
                starts,
                [*starts[1:], len(partitions)],
                lows.tolist(),
                highs.tolist(),
                strict=True,
            )
        ]
