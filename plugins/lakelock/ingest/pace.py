"""How much a batch may read, so that none of its Spark jobs takes longer than it may."""

from __future__ import annotations

from collections.abc import Iterable

from lakelock.model.log_state import Pace

# What an attempt takes beside its reading, at most.
STARTING_S = 5.0
GROWTH = 4
# Below this a batch is not weighed: a slice whose records turn out to be large ends early by itself.
WEIGHED_FROM = 100_000


def offsets_in_time(paces: Iterable[Pace], seconds: float) -> int | None:
    """How many offsets to plan where a job reads for *seconds* at most; None where no batch took long.

    A batch takes long only where its jobs left holes, as those of one partition do: else it ends earlier by itself. The next
    one is as much smaller as that took longer, and four times as large as one that did not.
    """
    last = list(paces)
    long = 2 * seconds + STARTING_S
    if not any(p.seconds > long for p in last):
        return None
    return max(1, *(int(p.offsets * seconds / p.seconds) if p.seconds > long else GROWTH * p.offsets for p in last))


def offsets_in_size(record_bytes: float, max_bytes: int) -> int | None:
    """None where nothing is known of the records."""
    return max(1, int(max_bytes / record_bytes)) if record_bytes > 0 else None
