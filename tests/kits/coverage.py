"""Books of ranges without Kafka: a row an offset."""

from __future__ import annotations

from lakelock.model.batches import Books
from lakelock.model.offsets import OffsetRange


def booked(*ranges: OffsetRange) -> list[Books]:
    return [Books(r, r.offsets, r.offsets) for r in ranges]
