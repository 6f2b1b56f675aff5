"""Offset ranges and interval arithmetic. Half-open everywhere: `end` is the next offset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# The end of an open-ended interval: nothing of the source is read from its start on. Kafka's own offsets end before it.
FOREVER = 2**63 - 1


@dataclass(frozen=True, order=True, slots=True)
class Source:
    """One partition of one incarnation of a topic (KIP-516: a recreated topic has another id)."""

    topic: str
    topic_id: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, order=True, slots=True)
class OffsetRange:
    """Offsets `[start, end)` of one source; not a row count, because of control records and compaction."""

    source: Source
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"not an offset range: {self.source} [{self.start}, {self.end})")

    @property
    def offsets(self) -> int:
        return self.end - self.start

    def overlaps(self, other: OffsetRange) -> bool:
        return self.source == other.source and self.start < other.end and other.start < self.end

    def __str__(self) -> str:
        return f"{self.source} [{self.start}, {self.end})"


def merged(intervals: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same offsets as the fewest intervals, in order."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def missing(start: int, end: int, covered: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts of `[start, end)` outside all intervals of *covered*, in order."""
    out: list[tuple[int, int]] = []
    position = start
    for covered_start, covered_end in merged(covered):
        if covered_end <= position:
            continue
        if covered_start >= end:
            break
        if covered_start > position:
            out.append((position, covered_start))
        position = covered_end
    if position < end:
        out.append((position, end))
    return out


def overlap(ranges: Iterable[OffsetRange], others: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Parts of *ranges* inside *others*; each only once, even if several of *others* have it."""
    covered = _by_source(others)
    return [
        OffsetRange(r.source, max(r.start, a), min(r.end, b))
        for r in ranges
        for a, b in merged(covered.get(r.source, ()))
        if r.start < b and a < r.end
    ]


def without(ranges: Iterable[OffsetRange], others: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Parts of *ranges* outside all of *others*."""
    covered = _by_source(others)
    return [OffsetRange(r.source, a, b) for r in ranges for a, b in missing(r.start, r.end, covered.get(r.source, ()))]


def _by_source(ranges: Iterable[OffsetRange]) -> Mapping[Source, list[tuple[int, int]]]:
    out: defaultdict[Source, list[tuple[int, int]]] = defaultdict(list)
    for r in ranges:
        out[r.source].append((r.start, r.end))
    return out


def united(ranges: Iterable[OffsetRange]) -> list[OffsetRange]:
    """The same offsets as the fewest ranges, in order."""
    return [
        OffsetRange(source, a, b) for source, covered in sorted(_by_source(ranges).items()) for a, b in merged(covered)
    ]


def offsets_in(ranges: Iterable[OffsetRange]) -> int:
    return sum(r.offsets for r in ranges)
