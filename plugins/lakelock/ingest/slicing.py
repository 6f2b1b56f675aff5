"""Cut a batch's offsets into slices of Spark jobs, and find where a batch that was not fully read may end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lakelock.model.offsets import OffsetRange, Source, united


def slices(
    ranges: Sequence[OffsetRange], parallelism: int, min_offsets: int = 20_000
) -> tuple[tuple[OffsetRange, ...], ...]:
    """Cut ranges into at most *parallelism* large slices of nearly equal size.

    Few and large, because a consumer and a task cost more than the records they would save; small work is one slice.
    Slices are disjoint, and each has at most one range per source: several ranges of one source make more slices. Each
    range of a slice is whole or cut once.
    """
    total = sum(r.offsets for r in ranges)
    count = max(1, min(parallelism, total // min_offsets))
    out: list[tuple[OffsetRange, ...]] = []
    current: list[OffsetRange] = []
    room = -(-total // count)
    left = room
    for r in sorted(ranges):
        start = r.start
        while start < r.end:
            end = min(r.end, start + left)
            # A sliver would cost a second consumer position for a handful of records.
            if r.end - end < min_offsets // 20:
                end = r.end
            current.append(OffsetRange(r.source, start, end))
            left -= end - start
            start = end
            if left <= 0 and len(out) < count - 1:
                out.append(tuple(current))
                current, left = [], room
            elif left <= 0:
                left = total
    if current:
        out.append(tuple(current))
    return tuple(apart for one in out for apart in _apart(one))


def _apart(ranges: Sequence[OffsetRange]) -> list[tuple[OffsetRange, ...]]:
    """Split a slice so that no piece has two ranges of a source: a consumer has one position in a partition."""
    out: list[dict[Source, OffsetRange]] = []
    for r in ranges:
        free = next((one for one in out if r.source not in one), None)
        if free is None:
            out.append(free := {})
        free[r.source] = r
    return [tuple(one.values()) for one in out]


def holes(planned: Sequence[OffsetRange], unread: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Unread ranges that must be read before a batch may end earlier: all but the ends of ranges that were begun."""
    by_source = {r.source: r for r in planned}
    left = united(unread)
    return [u for u in left if u.end < by_source[u.source].end or u.start == by_source[u.source].start]


def earlier_ends(planned: Sequence[OffsetRange], unread: Sequence[OffsetRange]) -> Mapping[Source, int]:
    """New ends of the ranges that have offsets in *unread*, if these are left to a later batch.

    Empty if the batch cannot end so: it would have a hole, or a range of which nothing was read.
    """
    return {} if holes(planned, unread) else {u.source: u.start for u in united(unread)}
