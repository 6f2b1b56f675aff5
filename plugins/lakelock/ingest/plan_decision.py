"""Decide what to read next: bounded ranges from frontiers and watermarks."""

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
    """The offsets that Kafka holds of a source: `[low, end)`, where `end` is the last stable offset."""

    @property
    def low_offset(self) -> int: ...

    @property
    def end_offset(self) -> int: ...

    @property
    def leader_epoch(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class PlannedOffsets:
    """Ranges to read now, declared starts of sources seen for the first time, and the backlog behind the ranges.

    *withheld* counts the offsets that the run leaves behind its stop, by topic.
    """

    ranges: tuple[PlannedRange, ...]
    starts: Mapping[Source, int]
    backlog_offsets: int
    withheld: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StopAt:
    """Where a run stops: before the first record of *time* or later, and before *offsets* (topic, partition)."""

    time: datetime | None = None
    offsets: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @staticmethod
    def of_json(given: Mapping[str, Any]) -> StopAt:
        """From `time` and `offsets` as JSON has them: partitions are strings."""
        offsets = {topic: {int(p): int(o) for p, o in of.items()} for topic, of in given["offsets"].items()}
        return StopAt(datetime.fromisoformat(given["time"]) if given["time"] else None, offsets)


def check_identity(streams: Sequence[StreamState], sources: Sequence[Source], pipeline: str) -> None:
    """Raise TopicRecreated if a topic has another id than the one that the pipeline's ranges came from."""
    current = {s.topic: s.topic_id for s in sources}
    for stream in streams:
        now = current.get(stream.source.topic, stream.source.topic_id)
        if now != stream.source.topic_id and not stream.retired:
            raise TopicRecreated(
                f"topic {stream.source.topic!r} of pipeline {pipeline!r} was deleted and created again: its id was "
                f"{stream.source.topic_id} and is now {now}. Nothing of the new topic was read, and ranges that were "
                f"staged from the old one will still be committed. Offsets from {stream.next_offset} on of partition "
                f"{stream.source.partition} can no longer be read.",
                State.READ_KEPT,
                "To continue with the new topic from its start, run `bin/lakelock rebind FILE --topic "
                f"{stream.source.topic} --why TEXT`: existing rows stay.",
            )


def check_history(streams: Sequence[StreamState], spans: Mapping[Source, OffsetSpan]) -> None:
    """Raise HistoryMissing if Kafka dropped offsets before they were planned, or holds fewer than were read."""
    lost, truncated = [], []
    for stream in streams:
        span = spans.get(stream.source)
        if span is None or stream.retired:
            continue
        if span.low_offset > stream.next_offset:
            lost.append(OffsetRange(stream.source, stream.next_offset, span.low_offset))
        # If nothing was read yet, the frontier is a declared start, which may lie in the future.
        elif stream.start_offset < stream.next_offset and span.end_offset < stream.next_offset:
            truncated.append(OffsetRange(stream.source, span.end_offset, stream.next_offset))
    if lost or truncated:
        what = [f"{r}: deleted by retention or DeleteRecords" for r in lost]
        what += [f"{r}: read before, no longer in the topic (truncated, or restored from elsewhere)" for r in truncated]
        then = [f"accept the loss: {accept_loss(lost)}"] if lost else []
        if truncated:
            topic = truncated[0].source.topic
            then.append(
                f"if a topic was truncated, create it again and run `bin/lakelock rebind FILE --topic {topic} --why "
                "TEXT`, because its offsets now mean other records"
            )
        raise HistoryMissing(
            f"Kafka no longer holds the next offsets to read: {'; '.join(what)}. Staged ranges will still be committed.",
            State.NOTHING_SKIPPED,
            f"Restore the topic's data, or {'; '.join(then)}.",
        )


def accept_loss(lost: Sequence[OffsetRange]) -> str:
    """The command that declares *lost*."""
    if len(lost) > 1:
        return "`bin/lakelock accept-loss FILE --why TEXT` previews all of it"
    r = lost[0]
    where = f"--topic {r.source.topic} --partition {r.source.partition} --from {r.start} --to {r.end}"
    return f"`bin/lakelock accept-loss FILE {where} --why TEXT`"


def still_named(
    topics: Sequence[str], topics_regex: str | None, streams: Sequence[StreamState]
) -> tuple[list[str], str | None]:
    """Topics to ask Kafka for, by name and by regular expression.

    A retired topic may be absent, so it is in the regular expression, where absence is no error.
    """
    known: dict[str, list[StreamState]] = {}
    for stream in streams:
        known.setdefault(stream.source.topic, []).append(stream)
    retired = [t for t in topics if t in known and all(s.retired for s in known[t])]
    patterns = [*(re.escape(t) for t in retired), *([topics_regex] if topics_regex is not None else [])]
    return [t for t in topics if t not in retired], "|".join(f"(?:{p})" for p in patterns) or None


def not_shown(
    topics: Sequence[str], topics_regex: str | None, streams: Sequence[StreamState], sources: Sequence[Source]
) -> list[Source]:
    """Sources that were read and are still named in the pipeline file, but that Kafka does not show among *sources*.

    A topic that a regular expression found is not asked for by name, so its absence is no error. A topic that exists
    under another id is left out, because it was created again.
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
    """The first offset of a source seen for the first time. The caller turned a time into offsets (*at_time*).

    Raises HistoryMissing for an offset that Kafka no longer holds. An offset beyond Kafka's end is valid.
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
            f"Set it to {span.low_offset} or later.",
        )
    return offset


def stops(requested: StopAt, sources: Sequence[Source], at_time: Mapping[Source, int]) -> dict[Source, int]:
    """The offset that each source stops before, if it stops. The caller turned the time into offsets (*at_time*).

    Raises RunRefused for partitions that the pipeline does not read: after a typing error the run would not stop.
    """
    out = dict(at_time)
    known = {(s.topic, s.partition): s for s in sources}
    for topic, partition, offset in ((t, p, o) for t, of in requested.offsets.items() for p, o in of.items()):
        source = known.get((topic, partition))
        if source is None:
            names = ", ".join(f"{t}-{p}" for t, p in sorted(known)[:10])
            more = f" and {len(known) - 10} more" if len(known) > 10 else ""
            raise RunRefused(
                f"the run should stop at offset {offset} of {topic}-{partition}, but this pipeline does not read it: it "
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

    Proportional shares let all sources finish a backlog together, so the last batches still have full parallelism.
    Offsets from *before* on are not backlog.
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
        # With more sources than offsets to give, the source furthest behind comes first and the rest waits for the
        # next batch.
        room = max_offsets
        for source in sorted(taken, key=lambda s: (-backlog[s], s)):
            taken[source] = min(taken[source], room)
            room -= taken[source]
    ranges = tuple(
        PlannedRange(OffsetRange(source, frontiers[source], frontiers[source] + count), spans[source].leader_epoch)
        for source, count in sorted(taken.items())
        if count > 0
    )
    withheld: dict[str, int] = {}
    for source, offset in sorted(frontiers.items()):
        if source in ends and (left := spans[source].end_offset - max(ends[source], offset)) > 0:
            withheld[source.topic] = withheld.get(source.topic, 0) + left
    return PlannedOffsets(ranges, dict(new), total - sum(r.range.offsets for r in ranges), withheld)
