"""What Kafka can no longer give of what would have to be read again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lakelock.core.batch import plain_range
from lakelock.core.offsets import OffsetRange, Source
from lakelock.ports import Broker


def lost(broker: Broker, ranges: Iterable[OffsetRange]) -> list[tuple[OffsetRange, str]]:
    """Ranges that begin before what Kafka holds, plainly named, each with what Kafka has instead."""
    wanted = sorted(set(map(plain_range, ranges)))
    if not wanted:
        return []
    sources = {r.source for r in wanted}
    spans = broker.watermarks(sorted(sources & in_kafka(broker, sources)))
    out = []
    for r in wanted:
        span = spans.get(r.source)
        if span is None:
            out.append((r, "no longer has this topic"))
        elif r.start < span.low_offset:
            out.append((r, f"holds it from {span.low_offset} on"))
    return out


def in_kafka(broker: Broker, sources: Iterable[Source]) -> set[Source]:
    """What Kafka has of the topics of *sources* now; by a regular expression, because they may be absent."""
    topics = sorted({s.topic for s in sources})
    return set(broker.sources([], "|".join(map(re.escape, topics)))) if topics else set()
