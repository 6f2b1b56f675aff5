"""Find the offsets that a decision is about: dropped by Kafka, or no longer to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.errors import DecisionRefused, State
from lakelock.gaps.gap_preview import Which
from lakelock.ingest.kafka_losses import in_kafka
from lakelock.model.batches import StreamState
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.operator_log import What
from lakelock.ports import Broker, Watermarks


@dataclass(frozen=True, slots=True)
class NeverRead:
    """*ranges* are declared in each table that lacks them; *notes* inform the operator; *onto* is as in `GapPlan`."""

    ranges: tuple[OffsetRange, ...]
    notes: tuple[str, ...] = ()
    onto: str = ""


def never_read(broker: Broker, pipeline: str, which: Which, streams: Sequence[StreamState]) -> NeverRead:
    """The ranges of the decision. Raises DecisionRefused if Kafka holds them or the selection does not fit."""
    chosen = [s for s in streams if which.takes(s.source)]
    if not chosen:
        raise DecisionRefused(
            f"pipeline {pipeline!r} has read nothing of {which.about}.",
            State.NOTHING_CHANGED,
            "Name a topic and partition that `bin/lakelock status FILE` shows.",
        )
    if which.what is What.ACCEPT_LOSS:
        return NeverRead(tuple(_dropped(broker, which, chosen)))
    if which.what is What.RETIRE:
        whole = tuple(OffsetRange(s.source, 0, FOREVER) for s in chosen)
        return NeverRead(whole, tuple(_unread(broker, chosen)))
    ids = {s.topic_id for s in in_kafka(broker, (s.source for s in chosen))}
    if not ids:
        raise DecisionRefused(
            f"topic {which.topic!r} does not exist, so there is no new topic to continue with.",
            State.NOTHING_CHANGED,
            f"Create it, or run `bin/lakelock retire FILE --topic {which.topic} --why TEXT`.",
        )
    (topic_id,) = ids
    old = [s for s in chosen if s.source.topic_id != topic_id]
    if not old:
        raise DecisionRefused(
            f"topic {which.topic!r} still has the same id ({topic_id}), so there is nothing to rebind.",
            State.NOTHING_CHANGED,
        )
    note = f"continues with topic id {topic_id} from its start; rows of topic id {old[0].source.topic_id} stay"
    return NeverRead(tuple(OffsetRange(s.source, 0, FOREVER) for s in old), (note,), topic_id)


def _spans(broker: Broker, chosen: Sequence[StreamState]) -> Mapping[Source, Watermarks]:
    return broker.watermarks(
        sorted(in_kafka(broker, (s.source for s in chosen)).intersection(s.source for s in chosen))
    )


def _dropped(broker: Broker, which: Which, chosen: Sequence[StreamState]) -> list[OffsetRange]:
    """Offsets that Kafka no longer has, from each source's start on or within the bounds of *which*."""
    spans = _spans(broker, chosen)
    lows = {s.source: spans[s.source].low_offset for s in chosen if s.source in spans and not s.retired}
    if which.start is None or which.end is None:
        return [OffsetRange(source, 0, low) for source, low in lows.items() if low > 0]
    (stream,) = [s for s in chosen if s.source in lows] or [chosen[0]]
    source = stream.source
    requested = OffsetRange(source, which.start, which.end)
    if source not in lows:
        raise DecisionRefused(
            f"{requested}: Kafka no longer has this partition of the topic.",
            State.NOTHING_CHANGED,
            f"If the topic was created again, run `bin/lakelock rebind FILE --topic {source.topic} --why TEXT`, "
            f"otherwise `bin/lakelock retire FILE --topic {source.topic} --why TEXT`.",
        )
    if which.end > lows[source]:
        remaining = OffsetRange(source, max(which.start, lows[source]), which.end)
        raise DecisionRefused(
            f"{requested}: {remaining} is not lost: Kafka holds this partition from {lows[source]} on.",
            State.NOTHING_CHANGED,
            f"Set --to to {lows[source]} or lower.",
        )
    if which.start > stream.next_offset:
        first = OffsetRange(source, stream.next_offset, which.start)
        raise DecisionRefused(
            f"{requested}: {first} comes first and is lost, too.",
            State.NOTHING_CHANGED,
            f"Set --from to {stream.next_offset}.",
        )
    return [requested]


def _unread(broker: Broker, chosen: Sequence[StreamState]) -> list[str]:
    """Notes about records in Kafka that will not be read."""
    notes = []
    for source, span in _spans(broker, [s for s in chosen if not s.retired]).items():
        (stream,) = [s for s in chosen if s.source == source]
        start = max(stream.next_offset, span.low_offset)
        if start < span.end_offset:
            notes.append(f"Kafka still holds {OffsetRange(source, start, span.end_offset)}, which will not be read")
    return notes
