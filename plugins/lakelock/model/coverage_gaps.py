"""Gaps in a table's coverage: offsets that an operator declared as lost or not to be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.offsets import OffsetRange, Source

DECIDED = frozenset({Kind.ACCEPTED_LOSS, Kind.RETIRED})


def declaring(
    coverage: Coverage, gaps: Iterable[tuple[OffsetRange, Kind]], starts: Mapping[Source, int], generation: int
) -> Coverage:
    """*coverage* with *gaps* added; raises ValueError if it covers any of them."""
    out = dict(coverage)
    for r, kind in gaps:
        covered = out.get(r.source) or SourceCoverage(starts.get(r.source, r.start))
        out[r.source] = covered.with_interval(Interval(r.start, r.end, generation, kind))
    return Coverage(out)


def lacking(decided_before: Coverage, coverage: Coverage) -> list[tuple[OffsetRange, Kind]]:
    """Gaps of *decided_before* that *coverage* lacks."""
    return [(lacked, kind) for r, kind in decided_before.gaps if kind in DECIDED for lacked in coverage.lacking(r)]


def decided(coverage: Coverage) -> list[OffsetRange]:
    """Ranges that an operator gave up."""
    return [r for r, kind in coverage.gaps if kind in DECIDED]


def reached(covered: SourceCoverage) -> int:
    """How far the source was read or skipped by a rollback: a log that is behind this offset is not the newest. Gaps
    that an operator decided do not count, because the tables record them before the log.
    """
    ends = [*(i.end for i in covered.intervals if i.kind not in DECIDED), *(end for _, end in covered.requested)]
    return max([covered.start_offset, *ends])
