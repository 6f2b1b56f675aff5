"""Dead letters that a rollback left out or still owes, as a ledger notes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lakelock.model.batches import of_target
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.ledger import Ledger, Rollback
from lakelock.model.offsets import OffsetRange, Source, without
from lakelock.model.operator_log import Decided, What

# Some 25 bytes each in the ledger.
MAX_NOTED = 10_000


def still_owed(owed: Coverage, held: Coverage) -> Coverage:
    """What of *owed* the table does not hold (again)."""
    out = {}
    for source, r in owed.items():
        there = held.get(source) or SourceCoverage(r.start_offset)
        gaps = [Interval(a, b, i.generation, i.kind) for i in r.intervals for a, b in there.missing(i.start, i.end)]
        if gaps:
            out[source] = SourceCoverage(r.start_offset, tuple(gaps))
    return Coverage(out)


def settled(record: Rollback | None, held: Coverage) -> Rollback | None:
    """The record without what the table has got back."""
    return record if record is None or not record.owed else replace(record, owed=still_owed(record.owed, held))


def left_out(ledger: Ledger) -> list[OffsetRange]:
    """The very dead letters that rollbacks left out for good, as the coverage names them."""
    return [r for d in ledger.decisions if d.what is What.ROLLBACK for r in d.ranges]


def newly_skipped(head: Coverage, after: Coverage) -> list[OffsetRange]:
    """What a rollback leaves out that was not left out before."""
    return without([r for r, kind in after.gaps if kind is Kind.SKIPPED], [r for r, _ in head.gaps])


def noted(after: Ledger, said: Decided, offsets: Iterable[tuple[Source, int]]) -> Ledger:
    """*after* with the very dead letters, as the coverage names their sources, that the rollback leaves out.

    The coverage has ranges only, and others of their records may become dead letters later: those are not left out. Of too
    many none is noted, for each commit carries them on.
    """
    ranges: list[OffsetRange] = []
    for source, offset in sorted(offsets):
        if ranges and ranges[-1].source == source and ranges[-1].end == offset:
            ranges[-1] = OffsetRange(source, ranges[-1].start, offset + 1)
        else:
            ranges.append(OffsetRange(source, offset, offset + 1))
    if not 0 < len(ranges) <= MAX_NOTED:
        return after
    targets = ", ".join(sorted({of_target(r.source)[0] for r in ranges}))
    said = replace(said, about=f"dead letters of {targets}", ranges=tuple(ranges))
    return replace(after, decisions=(*after.decisions, said))
