"""Warn about table partitions that cut one batch into many small files."""

from __future__ import annotations

from collections.abc import Iterable

from lakelock.model.units import format_size

SMALL_BYTES = 1 << 20
MOST_SMALL = 32


def warning(table: str, sizes_bytes: Iterable[int]) -> str:
    """A warning with advice, empty if few files are small. *sizes_bytes* are those of one batch's files."""
    small = sum(size < SMALL_BYTES for size in sizes_bytes)
    if small <= MOST_SMALL:
        return ""
    return (
        f"{table}: one batch makes {small} files smaller than {format_size(SMALL_BYTES)}, and readers open each one. Use fewer "
        "partitions (a coarser transform: day instead of hour, fewer buckets), longer batches (schedule.every, or "
        "schedule.batch_every in a window), run `compact` more often (maintenance.every), or set landing: unpartitioned"
    )
