"""Valid-through timestamp of a snapshot: every record with an earlier timestamp is in the table.

It is the minimum, over the table's partitions, of the newest committed record's timestamp; unknown if a partition with
unread records was not part of the commit. A partition without unread records does not hold it back. Assumption, apart
from the lateness that a pipeline declares: a record's timestamp is no earlier than those of preceding records in its
partition, and no earlier than its arrival in Kafka. Declared gaps hold nothing back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from lakelock.model.batches import LIVE, PlannedRange, StagedPart, StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import Source


@dataclass(frozen=True, slots=True)
class Reach:
    """`end` is the first unplanned offset of a source; *has_more*: Kafka may have records from there on."""

    end: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """How far every source of a pipeline was planned with a batch; `at_ms` is a time before Kafka was read."""

    at_ms: int
    reached: Mapping[Source, Reach]

    def json(self) -> dict[str, Any]:
        """{"at_ms": n, "topics": {topic: {"id": topic id, "<partition>": [end, has more]}}}"""
        topics: dict[str, dict[str, Any]] = {}
        for source, reach in self.reached.items():
            of_topic = topics.setdefault(source.topic, {"id": source.topic_id})
            of_topic[str(source.partition)] = [reach.end, int(reach.has_more)]
        return {"at_ms": self.at_ms, "topics": topics}

    @staticmethod
    def of_json(kept: Mapping[str, Any]) -> Survey:
        reached = {
            Source(topic, of_topic["id"], int(partition)): Reach(found[0], bool(found[1]))
            for topic, of_topic in kept["topics"].items()
            for partition, found in of_topic.items()
            if partition != "id"
        }
        return Survey(kept["at_ms"], reached)


def surveyed(
    at_ms: int,
    streams: Sequence[StreamState],
    starts: Mapping[Source, int],
    high_offsets: Mapping[Source, int],
    ranges: Sequence[PlannedRange],
) -> Survey:
    """*starts* are of sources that *streams* does not have; *ranges* are planned now. *high_offsets* include open
    transactions. Retired sources are omitted; a source that Kafka does not show may have more.
    """
    ends = {s.source: s.next_offset for s in streams if not s.retired} | dict(starts)
    ends |= {p.range.source: p.range.end for p in ranges}
    return Survey(at_ms, {s: Reach(end, high_offsets.get(s, end + 1) > end) for s, end in sorted(ends.items())})


def newest_live(parts: Sequence[StagedPart]) -> StagedPart | None:
    """The most recently planned part of the live lane."""
    return max((p for p in parts if p.lane == LIVE and not p.result.target), key=lambda p: p.sequence, default=None)


def valid_through_ms(
    survey: Survey,
    taken: Collection[str],
    landing: Sequence[StagedPart],
    after: Coverage,
    starts: Mapping[Source, int],
    max_lateness_ms: int,
) -> int | None:
    """The timestamp after *landing* is committed and the table covers *after*; None if unknown.

    *survey* is of the newest live batch in *landing*, *taken* are the topics that the table takes, *starts* the
    declared start of sources from which the table has nothing.
    """
    newest: dict[Source, int] = {}
    for books in (b for part in landing if part.lane == LIVE for b in part.result.books):
        if books.max_timestamp_ms is not None:
            source = books.range.source
            newest[source] = max(books.max_timestamp_ms, newest.get(source, books.max_timestamp_ms))
    if not newest or any(s.topic in taken and covered.complete_to < covered.end_offset for s, covered in after.items()):
        return None
    through_ms = survey.at_ms
    for source, reach in survey.reached.items():
        covered = after.get(source)
        if source.topic not in taken or (covered is not None and covered.retired):
            continue
        position = covered.complete_to if covered is not None else starts.get(source, -1)
        # A timestamp ahead of the clock says nothing about the records after it.
        if source in newest and newest[source] <= survey.at_ms:
            through_ms = min(through_ms, newest[source])
        elif reach.has_more or position < reach.end:
            return None
    return through_ms - max_lateness_ms


def marked_through_ms(survey: Survey, newest: Mapping[Source, int], ends: Mapping[Source, int]) -> int | None:
    """The time through which all records lie before *ends*, None if unknown. Without a declared lateness.

    *survey* is of a batch, and *newest* has the newest timestamps among its records, all of which lie before *ends*.
    """
    through_ms = survey.at_ms
    for source, reach in survey.reached.items():
        if not reach.has_more and ends.get(source, -1) >= reach.end:
            continue
        # A timestamp ahead of the clock says nothing about the records after it.
        if newest.get(source, survey.at_ms + 1) > survey.at_ms:
            return None
        through_ms = min(through_ms, newest[source])
    return through_ms


def text(at_ms: int) -> str:
    """RFC 3339 in UTC, with milliseconds."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def of_text(written: str) -> int:
    """Inverse of `text`; raises ValueError."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)
