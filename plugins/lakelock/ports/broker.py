"""Protocol for Kafka."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lakelock.model.offsets import OffsetRange, Source


@dataclass(frozen=True, slots=True)
class Watermarks:
    """`low` is the first offset that Kafka still holds, `end` the last stable offset (the end for read_committed)."""

    low_offset: int
    end_offset: int
    high_offset: int
    leader_epoch: int | None = None


class Broker(Protocol):
    """Kafka, as planning, publishing and checks use it. Raises Unreachable, AccessDenied, TopicMissing."""

    def sources(self, topics: Sequence[str], topics_regex: str | None = None) -> list[Source]:
        """Every partition of the topics, with topic ids, in order. Raises TopicMissing if a named topic is absent."""
        ...

    def watermarks(self, sources: Sequence[Source]) -> dict[Source, Watermarks]: ...

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        """First offset with a timestamp ≥ *timestamp_ms*; the end if there is none (never the start)."""
        ...

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        """Set the group's offsets. The group must have no members; may fail for some partitions only."""
        ...

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        """The topics' retention.ms; None is unlimited. Omits topics whose settings the login may not read."""
        ...

    def record_bytes(self, ranges: Sequence[OffsetRange]) -> float:
        """Average bytes of key and value, from a few records at the start of each range; 0 without records."""
        ...

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        """Timestamp in ms of the first record at or after each offset; None if none arrives within a short wait."""
        ...
