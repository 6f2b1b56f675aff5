"""Gaps of a table's coverage: offsets that an operator declared as not to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.offsets import OffsetRange, Source

DECIDED = frozenset({Kind.ACCEPTED_LOSS, Kind.RETIRED})


def declaring(
    coverage: Coverage, gaps: Iterable[tuple[OffsetRange, Kind]], starts: Mapping[Source, int], generation: int
) -> Coverage:
    """*coverage* that also has *gaps*, none of which it holds; raises ValueError otherwise."""
    out = dict(coverage)
    for r, kind in gaps:
        held = out.get(r.source) or SourceCoverage(starts.get(r.source, r.start))
        out[r.source] = held.with_interval(Interval(r.start, r.end, generation, kind))
    return Coverage(out)


def lacking(decided_before: Coverage, coverage: Coverage) -> list[tuple[OffsetRange, Kind]]:
    """What of the gaps of *decided_before* a table with *coverage* lacks."""
    return [(lacked, kind) for r, kind in decided_before.gaps if kind in DECIDED for lacked in coverage.lacking(r)]


def decided(coverage: Coverage) -> list[OffsetRange]:
    """What of the sources a person gave up."""
    return [r for r, kind in coverage.gaps if kind in DECIDED]


def reached(held: SourceCoverage) -> int:
    """How far the source was read or left out by a rollback: a log that has not come so far is not the newest. What a
    person gave up is told to the tables first."""
    ends = [*(i.end for i in held.intervals if i.kind not in DECIDED), *(end for _, end in held.asked)]
    return max([held.start_offset, *ends])
