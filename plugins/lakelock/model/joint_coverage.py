"""The union of several coverages."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace

from lakelock.model.coverage import Coverage, Interval, SourceCoverage, uncovered
from lakelock.model.offsets import merged


def joined(parts: Iterable[Coverage]) -> Coverage:
    """Union of *parts*; where they overlap, the first one's intervals are kept.

    Each source has the totals of the first part that knows it. Edges between parts are not merged: a range cut at all
    edges is then either wholly or not at all in each of them.
    """
    return functools.reduce(_joined, parts, Coverage())


def _joined(one: Coverage, other: Coverage) -> Coverage:
    joint = {s: _of_source(one.get(s) or SourceCoverage(theirs.start_offset), theirs) for s, theirs in other.items()}
    return Coverage({**one, **joint})


def _of_source(covered: SourceCoverage, theirs: SourceCoverage) -> SourceCoverage:
    added = [
        Interval(start, end, i.generation, i.kind)
        for i in theirs.intervals
        for start, end in covered.missing(i.start, i.end)
    ]
    intervals = tuple(sorted((*covered.intervals, *added), key=lambda i: i.start))
    there = [(i.start, i.end) for i in intervals]
    rows = [
        *covered.redriven,
        *((max(a, i.start), min(b, i.end)) for i in added for a, b in theirs.redriven if a < i.end and i.start < b),
    ]
    return replace(
        covered,
        intervals=intervals,
        requested=uncovered(merged([*covered.requested, *theirs.requested]), there),
        redriven=tuple(merged(rows)),
        owed=uncovered(merged([*covered.owed, *theirs.owed]), there),
    )
