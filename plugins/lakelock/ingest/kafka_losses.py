"""What Kafka can no longer give of what would have to be read again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lakelock.model.batches import plain_range
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Broker


class Lost(NamedTuple):
    """A range that Kafka cannot give as a whole: what of it is gone, and what Kafka has instead."""

    wanted: OffsetRange
    gone: OffsetRange
    now: str


def lost(broker: Broker, ranges: Iterable[OffsetRange]) -> list[Lost]:
    """Ranges that begin before what Kafka holds, plainly named."""
    wanted = sorted(set(map(plain_range, ranges)))
    if not wanted:
        return []
    sources = {r.source for r in wanted}
    spans = broker.watermarks(sorted(sources & in_kafka(broker, sources)))
    out = []
    for r in wanted:
        span = spans.get(r.source)
        if span is None:
            out.append(Lost(r, r, "no longer has this topic"))
        elif r.start < span.low_offset:
            gone = OffsetRange(r.source, r.start, min(r.end, span.low_offset))
            out.append(Lost(r, gone, f"holds it from {span.low_offset} on"))
    return out


def in_kafka(broker: Broker, sources: Iterable[Source]) -> set[Source]:
    """What Kafka has of the topics of *sources* now; by a regular expression, because they may be absent."""
    topics = sorted({s.topic for s in sources})
    return set(broker.sources([], "|".join(map(re.escape, topics)))) if topics else set()
