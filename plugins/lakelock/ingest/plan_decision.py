"""What to read next: from frontiers and watermarks to bounded ranges, and from ranges to slices."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from lakelock.errors import HistoryMissing, RunRefused, State, TopicRecreated
from lakelock.model.batches import PlannedRange, StreamState
from lakelock.model.offsets import OffsetRange, Source


class OffsetSpan(Protocol):
    """What Kafka holds of a source: `[low, end)`, `end` being the last stable offset."""

    @property
    def low_offset(self) -> int: ...

    @property
    def end_offset(self) -> int: ...

    @property
    def leader_epoch(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class PlannedOffsets:
    """Ranges to read now, the declared start of sources seen for the first time, and what stays behind them; *held_back* is
    what the run leaves because it is to stop before it, in offsets by topic."""

    ranges: tuple[PlannedRange, ...]
    starts: Mapping[Source, int]
    backlog_offsets: int
    held_back: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopAt:
    """Where a run reads no further: before the first record of *time* or later, and before *offsets* (topic, partition)."""

    time: datetime | None = None
    offsets: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @staticmethod
    def of_json(given: Mapping[str, Any]) -> StopAt:
        """Of `time` and `offsets` as JSON has them: partitions are texts."""
        offsets = {topic: {int(p): int(o) for p, o in of.items()} for topic, of in given["offsets"].items()}
        return StopAt(datetime.fromisoformat(given["time"]) if given["time"] else None, offsets)


def check_identity(streams: Sequence[StreamState], sources: Sequence[Source], pipeline: str) -> None:
    """Raises TopicRecreated when a topic has another id than the one the pipeline's ranges came from."""
    current = {s.topic: s.topic_id for s in sources}
    for stream in streams:
        now = current.get(stream.source.topic, stream.source.topic_id)
        if now != stream.source.topic_id and not stream.retired:
            raise TopicRecreated(
                f"topic {stream.source.topic!r} of pipeline {pipeline!r} was deleted and created again: its id was "
                f"{stream.source.topic_id} and is now {now}. Nothing of the new topic was read, and ranges that were "
                f"staged from the old one still commit. Offsets from {stream.next_offset} on of partition "
                f"{stream.source.partition} can no longer be read.",
                State.READ_KEPT,
                "To go on with the new topic from its start, run `bin/lakelock rebind FILE --topic "
                f"{stream.source.topic} --why TEXT`: rows that are there already stay.",
            )


def check_history(streams: Sequence[StreamState], spans: Mapping[Source, OffsetSpan]) -> None:
    """Raises HistoryMissing when Kafka dropped offsets before they were planned, or holds fewer than were read."""
    lost, truncated = [], []
    for stream in streams:
        span = spans.get(stream.source)
        if span is None or stream.retired:
            continue
        if span.low_offset > stream.next_offset:
            lost.append(OffsetRange(stream.source, stream.next_offset, span.low_offset))
        # Where nothing was read yet, the frontier is a declared start, which may lie in the future.
        elif stream.start_offset < stream.next_offset and span.end_offset < stream.next_offset:
            truncated.append(OffsetRange(stream.source, span.end_offset, stream.next_offset))
    if lost or truncated:
        what = [f"{r}: dropped by retention or DeleteRecords" for r in lost]
        what += [f"{r}: read before, no longer in the topic (truncated, or restored from elsewhere)" for r in truncated]
        then = [f"accept the loss: {accept_loss(lost)}"] if lost else []
        if truncated:
            topic = truncated[0].source.topic
            then.append(
                f"if a topic was cut short, create it again and run `bin/lakelock rebind FILE --topic {topic} --why "
                "TEXT`, because its offsets now mean other records"
            )
        raise HistoryMissing(
            f"Kafka no longer holds what is next to read: {'; '.join(what)}. Ranges that are staged still commit.",
            State.NOTHING_SKIPPED,
            f"Restore the topic's data, or {'; '.join(then)}.",
        )


def accept_loss(lost: Sequence[OffsetRange]) -> str:
    """The command that goes on without *lost*."""
    if len(lost) > 1:
        return "`bin/lakelock accept-loss FILE --why TEXT` shows all of it and what becomes of it"
    r = lost[0]
    where = f"--topic {r.source.topic} --partition {r.source.partition} --from {r.start} --to {r.end}"
    return f"`bin/lakelock accept-loss FILE {where} --why TEXT`"


def still_named(
    topics: Sequence[str], topics_regex: str | None, streams: Sequence[StreamState]
) -> tuple[list[str], str | None]:
    """Which topics to ask Kafka for, by name and by regular expression: one that was retired may be absent."""
    known: dict[str, list[StreamState]] = {}
    for stream in streams:
        known.setdefault(stream.source.topic, []).append(stream)
    retired = [t for t in topics if t in known and all(s.retired for s in known[t])]
    patterns = [*(re.escape(t) for t in retired), *([topics_regex] if topics_regex is not None else [])]
    return [t for t in topics if t not in retired], "|".join(f"(?:{p})" for p in patterns) or None


def not_shown(
    topics: Sequence[str], topics_regex: str | None, streams: Sequence[StreamState], sources: Sequence[Source]
) -> list[Source]:
    """Sources that were read and that the pipeline file still names, but Kafka does not show among *sources*: a topic that a
    regular expression found is not asked for by name, so its absence is no error.

    None of a topic that is there under another id: that is one that was created again.
    """
    shown = {s.topic for s in sources}
    pattern = re.compile(topics_regex) if topics_regex is not None else None
    named = set(topics)
    return sorted(
        s.source
        for s in streams
        if not s.retired
        and s.source.topic not in shown
        and (s.source.topic in named or (pattern is not None and pattern.fullmatch(s.source.topic)))
    )


def start_offset(
    declared: str | Mapping[str, Mapping[int, int]], source: Source, span: OffsetSpan, at_time: Mapping[Source, int]
) -> int:
    """Where a source seen for the first time begins. A time was turned into offsets by the caller (*at_time*).

    Offsets Kafka no longer holds are HistoryMissing, offsets beyond its end a plain statement about the future.
    """
    if declared == "earliest":
        return span.low_offset
    if declared == "latest":
        return span.end_offset
    if isinstance(declared, str):
        return at_time[source]
    offset = declared.get(source.topic, {}).get(source.partition)
    if offset is None:
        return span.low_offset
    if offset < span.low_offset:
        raise HistoryMissing(
            f"source.start names {source} offset {offset}, but Kafka holds only from {span.low_offset} on.",
            State.NOTHING_READ,
            f"Name {span.low_offset} or later.",
        )
    return offset


def stops(asked: StopAt, sources: Sequence[Source], at_time: Mapping[Source, int]) -> dict[Source, int]:
    """The offset each source stops before, where it stops. The time was turned into offsets by the caller (*at_time*).

    Raises RunRefused for offsets of partitions that are not read here: a typing error would read on for ever.
    """
    out = dict(at_time)
    known = {(s.topic, s.partition): s for s in sources}
    for topic, partition, offset in ((t, p, o) for t, of in asked.offsets.items() for p, o in of.items()):
        source = known.get((topic, partition))
        if source is None:
            names = ", ".join(f"{t}-{p}" for t, p in sorted(known)[:10])
            more = f" and {len(known) - 10} more" if len(known) > 10 else ""
            raise RunRefused(
                f"the run is to stop at offset {offset} of {topic}-{partition}, which this pipeline does not read: it "
                f"reads {names or 'nothing yet'}{more}.",
                State.NOTHING_PLANNED,
                "Name a partition that it reads.",
            )
        out[source] = min(offset, out.get(source, offset))
    return out


def plan(
    streams: Sequence[StreamState],
    new: Mapping[Source, int],
    spans: Mapping[Source, OffsetSpan],
    max_offsets: int,
    before: Mapping[Source, int],
) -> PlannedOffsets:
    """Bounded ranges from each frontier on, sharing *max_offsets* in proportion to each source's backlog.

    In proportion, so that all sources of a backlog finish together: the last batches still read with full parallelism.
    What lies at or behind the offset of *before* is no backlog.
    """
    frontiers = {s.source: s.next_offset for s in streams} | dict(new)
    ends = {source: min(span.end_offset, before.get(source, span.end_offset)) for source, span in spans.items()}
    backlog = {
        source: ends[source] - offset
        for source, offset in frontiers.items()
        if source in ends and ends[source] > offset
    }
    total = sum(backlog.values())
    taken: dict[Source, int]
    if total <= max_offsets:
        taken = backlog
    else:
        taken = {source: max(1, behind * max_offsets // total) for source, behind in backlog.items()}
        # More sources than offsets to give: the rest waits for the next batch, which starts with the furthest behind.
        room = max_offsets
        for source in sorted(taken, key=lambda s: (-backlog[s], s)):
            taken[source] = min(taken[source], room)
            room -= taken[source]
    ranges = tuple(
        PlannedRange(OffsetRange(source, frontiers[source], frontiers[source] + count), spans[source].leader_epoch)
        for source, count in sorted(taken.items())
        if count > 0
    )
    held_back: dict[str, int] = {}
    for source, offset in sorted(frontiers.items()):
        if source in ends and (left := spans[source].end_offset - max(ends[source], offset)) > 0:
            held_back[source.topic] = held_back.get(source.topic, 0) + left
    return PlannedOffsets(ranges, dict(new), total - sum(r.range.offsets for r in ranges), held_back)
