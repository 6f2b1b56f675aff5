"""Kafka."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lakelock.model.offsets import OffsetRange, Source


@dataclass(frozen=True, slots=True)
class Watermarks:
    """`low` is the first offset Kafka still holds, `end` the last stable offset (what read_committed may read up to)."""

    low_offset: int
    end_offset: int
    high_offset: int
    leader_epoch: int | None = None


class Broker(Protocol):
    """Kafka, as plan, publish and check see it. Raises Unreachable, AccessDenied, TopicMissing."""

    def sources(self, topics: Sequence[str], topics_regex: str | None = None) -> list[Source]:
        """Every partition of the topics, with topic ids, in order. A named topic that is absent is TopicMissing."""
        ...

    def watermarks(self, sources: Sequence[Source]) -> dict[Source, Watermarks]: ...

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        """First offset with a timestamp ≥ *timestamp_ms*; the end where there is none (never the start)."""
        ...

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        """Sets the group's offsets. The group must have no members; may fail for some partitions only."""
        ...

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        """The topics' retention.ms; None is unlimited. Without topics whose settings the login may not read."""
        ...

    def record_bytes(self, ranges: Sequence[OffsetRange]) -> float:
        """Bytes of key and value on average, by a few records at the start of each range; 0 where there is none."""
        ...

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        """Timestamp in ms of the first record at or after each offset; None where there is none within a short wait."""
        ...
