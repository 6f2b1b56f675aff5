"""Find ranges that must be read again but that Kafka no longer holds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lakelock.model.batches import plain_range
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Broker


class Lost(NamedTuple):
    """A range that Kafka does not hold as a whole: the missing piece, and a phrase for what Kafka has now."""

    wanted: OffsetRange
    gone: OffsetRange
    now: str


def lost(broker: Broker, ranges: Iterable[OffsetRange]) -> list[Lost]:
    """Ranges that begin before Kafka's first offset or whose topic is gone, under their Kafka names."""
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
    """All partitions that Kafka has now of the topics of *sources*.

    Asks by regular expression, because a topic may be absent.
    """
    topics = sorted({s.topic for s in sources})
    return set(broker.sources([], "|".join(map(re.escape, topics)))) if topics else set()
