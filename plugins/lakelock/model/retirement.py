"""When a routed table is retired: the offsets whose records it does not get. They are dead letters without a table instead.

A batch is within them as a whole or not at all: its first stage decides on its tables, so a batch that was closed before keeps
the ones that it has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lakelock.model.offsets import FOREVER, OffsetRange, Source, merged


@dataclass(frozen=True, slots=True)
class Retirement:
    """*intervals* are disjoint and in order. A *lasting* one also has all offsets of sources that it does not name."""

    intervals: Mapping[Source, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    lasting: bool = False

    @classmethod
    def of(cls, ranges: Iterable[OffsetRange]) -> Retirement:
        """Of these offsets alone."""
        out: dict[Source, list[tuple[int, int]]] = {}
        for r in ranges:
            out.setdefault(r.source, []).append((r.start, r.end))
        return cls({source: _disjoint(own) for source, own in out.items()})

    def has(self, ranges: Sequence[OffsetRange]) -> bool:
        """Whether it has all of *ranges*."""
        return bool(ranges) and all(map(self._has, ranges))

    def _has(self, r: OffsetRange) -> bool:
        own = self.intervals.get(r.source)
        if own is None:
            return self.lasting
        return any(start <= r.start and r.end <= end for start, end in own)

    def begun(self, frontiers: Mapping[Source, int], unclosed: Iterable[OffsetRange]) -> Retirement:
        """From now on: all that is planned from *frontiers* on, and the *unclosed* batches."""
        out = {source: [*self.intervals.get(source, ()), (end, FOREVER)] for source, end in frontiers.items()}
        for r in unclosed:
            out.setdefault(r.source, []).append((r.start, r.end))
        return Retirement({s: _disjoint(own) for s, own in {**self.intervals, **out}.items()}, lasting=True)

    @property
    def begins(self) -> dict[Source, int]:
        """From where on it has all offsets of a source: all before it were planned."""
        return {s: own[-1][0] for s, own in self.intervals.items() if own and own[-1][1] == FOREVER}

    def ended(self, frontiers: Mapping[Source, int]) -> Retirement:
        """What is planned from *frontiers* on is for the table again."""
        if not self.lasting:
            return self
        whole = {s: self.intervals.get(s, ((0, FOREVER),)) for s in {**self.intervals, **frontiers}}
        cut = {s: _disjoint((a, min(b, frontiers.get(s, FOREVER))) for a, b in own) for s, own in whole.items()}
        return Retirement({s: own for s, own in cut.items() if own})

    def joined(self, other: Retirement) -> Retirement:
        """Offsets of either."""
        named = {s: self._all_of(s) + other._all_of(s) for s in {**self.intervals, **other.intervals}}
        return Retirement({s: _disjoint(own) for s, own in named.items()}, self.lasting or other.lasting)

    def edges(self, source: Source) -> set[int]:
        return {offset for interval in self.intervals.get(source, ()) for offset in interval}

    def _all_of(self, source: Source) -> tuple[tuple[int, int], ...]:
        return self.intervals.get(source, ((0, FOREVER),) if self.lasting else ())


NEVER = Retirement()


def first_of(frontiers: Mapping[Source, int], unclosed: Iterable[OffsetRange]) -> dict[Source, int]:
    """Per source, the first offset whose batch is not closed, or not planned."""
    out = dict(frontiers)
    for r in unclosed:
        out[r.source] = min(r.start, out.get(r.source, r.start))
    return out


def _disjoint(intervals: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(merged([(a, b) for a, b in intervals if a < b]))


def encode(retirement: Retirement) -> dict[str, Any]:
    """For JSON: {"lasting": bool, "of": {topic id: {"topic": name, "<partition>": [[start, end], …]}}}, without the end if it
    never ends."""
    of: dict[str, dict[str, Any]] = {}
    for source, own in sorted(retirement.intervals.items()):
        pairs = [[a] if b == FOREVER else [a, b] for a, b in own]
        of.setdefault(source.topic_id, {"topic": source.topic})[str(source.partition)] = pairs
    return {"lasting": retirement.lasting, "of": of}


def text_of(retirement: Retirement) -> str:
    return json.dumps(encode(retirement), separators=(",", ":"), ensure_ascii=False)


def of_text(text: str) -> Retirement:
    return decode(json.loads(text))


def decode(found: Mapping[str, Any]) -> Retirement:
    """Inverse of `encode`. Raises KeyError, ValueError or TypeError for anything else."""
    intervals = {
        Source(of["topic"], topic_id, int(partition)): tuple((start, *(end or [FOREVER])) for start, *end in pairs)
        for topic_id, of in found["of"].items()
        for partition, pairs in of.items()
        if partition != "topic"
    }
    return Retirement(intervals, bool(found["lasting"]))
