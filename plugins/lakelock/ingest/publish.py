"""publish: mirror committed offsets to a consumer group for ordinary lag tools; never needed for correctness."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.model.batches import LIVE
from lakelock.model.lag import positions
from lakelock.model.offsets import Source
from lakelock.model.units import counted
from lakelock.ports import Broker, Log

KEEP_BATCHES = 1000


def committed_offsets(log: Log, pipeline: str, tables: Sequence[str]) -> dict[Source, int]:
    """Per source the offset that every table that takes it has reached; what a table never declared holds nothing back."""
    ledgers = log.ledgers(pipeline)
    return positions({table: ledgers[table].coverage for table in tables if table in ledgers})


def publish(log: Log, broker: Broker, pipeline: str, tables: Sequence[str], group: str | None) -> str:
    """Folds old detail of the WAL and sets the group's offsets, where there is one; returns the log line."""
    # First: a group that cannot be set must not let the log grow.
    folded = counted(log.coalesce(pipeline, KEEP_BATCHES), "batch", "batches")
    if group is None:
        return f"no consumer group (publish.group is false); folded {folded}"
    offsets = committed_offsets(log, pipeline, tables)
    # Of a topic that was created again, both incarnations have the same name; the one that is gone was retired.
    known = {s.source for s in log.streams(pipeline, LIVE) if not s.retired}
    current = {source: offset for source, offset in offsets.items() if source in known}
    if current:
        broker.publish(group, current)
    return f"group {group}: {counted(len(current), 'partition')} at {sum(current.values())} offsets in all; folded {folded}"
