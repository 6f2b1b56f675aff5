"""Limit the size of a batch so that its Spark jobs keep within their time."""

from __future__ import annotations

from collections.abc import Iterable

from lakelock.model.log_state import Pace

# Most seconds that an attempt needs besides reading.
STARTING_S = 5.0
GROWTH = 4
# Smaller batches are not limited by bytes: a slice whose records turn out to be large ends early by itself.
WEIGHED_FROM = 100_000


def offsets_in_time(paces: Iterable[Pace], seconds: float) -> int | None:
    """How many offsets to plan if a job reads for *seconds* at most; None if no batch took long.

    A batch takes long only if its jobs leave holes, like those of a single partition; otherwise it ends earlier by
    itself. Each long batch suggests its offsets scaled down to *seconds*, each other batch four times its offsets; the
    largest suggestion counts.
    """
    last = list(paces)
    long = 2 * seconds + STARTING_S
    if not any(p.seconds > long for p in last):
        return None
    return max(1, *(int(p.offsets * seconds / p.seconds) if p.seconds > long else GROWTH * p.offsets for p in last))


def offsets_in_size(record_bytes: float, max_bytes: int) -> int | None:
    """How many offsets fit in *max_bytes*; None if the size of a record is unknown."""
    return max(1, int(max_bytes / record_bytes)) if record_bytes > 0 else None
