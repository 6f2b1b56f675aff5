"""Mirror committed offsets to a consumer group for ordinary lag tools; never needed for correctness."""

from __future__ import annotations

from collections.abc import Sequence

from lakelock.model.batches import LIVE
from lakelock.model.lag import positions
from lakelock.model.offsets import Source
from lakelock.model.units import counted
from lakelock.ports import Broker, Log

KEEP_BATCHES = 1000


def committed_offsets(log: Log, pipeline: str, tables: Sequence[str]) -> dict[Source, int]:
    """The offset per source that every table has reached, among tables that have the source in their ledger."""
    ledgers = log.ledgers(pipeline)
    return positions({table: ledgers[table].coverage for table in tables if table in ledgers})


def publish(
    log: Log, broker: Broker, pipeline: str, tables: Sequence[str], group: str | None, *, is_routed: bool = False
) -> str:
    """Fold old detail of the write-ahead log, set the group's offsets if there is a group, and return the log line.

    If it *is_routed*, the offsets are those that are complete in all tables.
    """
    # Fold first: a group that cannot be set must not let the log grow.
    folded = counted(log.coalesce(pipeline, KEEP_BATCHES), "batch", "batches")
    if group is None:
        return f"no consumer group (publish.group is false); folded {folded}"
    offsets = log.routed_progress(pipeline).complete if is_routed else committed_offsets(log, pipeline, tables)
    # Two sources have the name of a topic that was created again; the one that is gone was retired.
    known = {s.source for s in log.streams(pipeline, LIVE) if not s.retired}
    current = {source: offset for source, offset in offsets.items() if source in known}
    if current:
        broker.publish(group, current)
    return f"group {group}: {counted(len(current), 'partition')} at {sum(current.values())} offsets in all; folded {folded}"
