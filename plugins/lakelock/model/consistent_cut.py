"""The consistent cut of a pipeline with routes: the offsets that all of its tables have, but for tables that are behind."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lakelock.model.offsets import OffsetRange, Source, merged, overlap, united, without

# Of one table. Beyond that, each source of it has one range, from the first to the last offset that it lacks.
MOST_RANGES = 1000


class OpenTable(NamedTuple):
    """Ranges of a table's parts that are not committed, in any lane; *waits_s* is how long the oldest has been known."""

    ranges: tuple[OffsetRange, ...]
    waits_s: float

    def joined(self, other: OpenTable) -> OpenTable:
        return OpenTable(tuple(united([*self.ranges, *other.ranges])), max(self.waits_s, other.waits_s))


@dataclass(frozen=True, slots=True)
class RoutedProgress:
    """How far a pipeline is, by its log. *starts* are the declared starts of live sources.

    Before the offsets *decided*, all batches are closed, and their dead letters are in the dead-letter table. Of other tables,
    parts that are *open* may lie anywhere.

    Of ranges before the starts, *known* are those of closed batches whose dead letters are in the dead-letter table. Batches of
    the *backfilled* ones among them were for all tables.
    """

    starts: Mapping[Source, int]
    decided: Mapping[Source, int]
    open: Mapping[str, OpenTable] = field(default_factory=dict)
    known: tuple[OffsetRange, ...] = ()
    backfilled: tuple[OffsetRange, ...] = ()

    @property
    def complete(self) -> dict[Source, int]:
        """Per source, the first offset that some table may lack."""
        return self.complete_but_for(())

    def complete_but_for(self, tables: Collection[str]) -> dict[Source, int]:
        """As `complete`, of all tables but these."""
        out = dict(self.decided)
        # Thousands of tables may have the same ranges.
        distinct = {id(of.ranges): of.ranges for name, of in self.open.items() if name not in tables}
        for r in (r for ranges in distinct.values() for r in ranges):
            if r.source in out and r.end > self.starts[r.source]:
                out[r.source] = max(self.starts[r.source], min(out[r.source], r.start))
        return out

    def filled_but_for(self, tables: Collection[str]) -> list[OffsetRange]:
        """The *backfilled* ranges that all tables but these have."""
        return without(self.backfilled, [r for name, of in self.open.items() if name not in tables for r in of.ranges])


def lacked(found: Iterable[OffsetRange], among: Sequence[OffsetRange]) -> tuple[OffsetRange, ...]:
    """What a table lacks of *among* if it lacks *found*. It may be more than that, if there are too many ranges."""
    by_source: dict[Source, list[tuple[int, int]]] = {}
    for r in overlap(found, among):
        by_source.setdefault(r.source, []).append((r.start, r.end))
    pairs = {source: merged(some) for source, some in sorted(by_source.items())}
    if sum(map(len, pairs.values())) > MOST_RANGES:
        pairs = {source: [(some[0][0], some[-1][1])] for source, some in pairs.items()}
    return tuple(OffsetRange(source, a, b) for source, some in pairs.items() for a, b in some)


def encode(behind: Mapping[str, Sequence[OffsetRange]]) -> str:
    """As JSON: {table: {topic id: {"topic": name, "<partition>": "<from>-<to>,…"}}}; `-<to>` is exclusive."""
    out: dict[str, dict[str, dict[str, str]]] = {}
    for table, ranges in sorted(behind.items()):
        topics = out.setdefault(table, {})
        for r in sorted(ranges):
            of_topic = topics.setdefault(r.source.topic_id, {"topic": r.source.topic})
            key = str(r.source.partition)
            of_topic[key] = ",".join(filter(None, (of_topic.get(key), f"{r.start}-{r.end}")))
    return json.dumps(out, separators=(",", ":"), ensure_ascii=False)


def decode(text: str) -> dict[str, tuple[OffsetRange, ...]]:
    """Raises ValueError, KeyError, TypeError or AttributeError for anything that `encode` does not write."""
    found: Mapping[str, Any] = json.loads(text)
    return {table: tuple(_ranges(topics)) for table, topics in found.items()}


def _ranges(topics: Mapping[str, Mapping[str, str]]) -> list[OffsetRange]:
    out = []
    for topic_id, of_topic in topics.items():
        for partition, text in of_topic.items():
            if partition == "topic":
                continue
            source = Source(of_topic["topic"], topic_id, int(partition))
            pairs = [(int(a), int(b)) for a, b in (one.split("-") for one in text.split(","))]
            if pairs != merged(pairs) or any(a >= b for a, b in pairs):
                raise ValueError(f"offsets overlap or are out of order: {text!r}")
            out += [OffsetRange(source, a, b) for a, b in pairs]
    return sorted(out)
