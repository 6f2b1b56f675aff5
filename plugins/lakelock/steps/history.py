"""What Kafka can no longer give of what would have to be read again."""

from __future__ import annotations

from collections.abc import Iterable

from lakelock.config import Pipeline
from lakelock.core.batch import of_target
from lakelock.core.offsets import OffsetRange
from lakelock.ports import Broker


def lost(broker: Broker, pipeline: Pipeline, ranges: Iterable[OffsetRange]) -> list[tuple[OffsetRange, str]]:
    """Ranges that begin before what Kafka holds, plainly named, each with what Kafka has instead."""
    wanted = sorted({OffsetRange(of_target(r.source)[1], r.start, r.end) for r in ranges})
    if not wanted:
        return []
    sources = set(broker.sources(pipeline.source.topics, pipeline.source.topics_regex))
    spans = broker.watermarks(sorted({r.source for r in wanted} & sources))
    out = []
    for r in wanted:
        span = spans.get(r.source)
        if span is None:
            out.append((r, "no longer has this topic"))
        elif r.start < span.low_offset:
            out.append((r, f"holds it from {span.low_offset} on"))
    return out
