"""Dead letters that an operator declared lost, as recorded in the ledger of their table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lakelock.model.batches import of_target
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, without
from lakelock.model.operator_log import Decided, What

# About 25 bytes each in the ledger.
MAX_NOTED = 10_000


def lost_dead_letters(ledger: Ledger) -> list[OffsetRange]:
    """Exactly the dead letters that were declared lost, with sources named as in the coverage."""
    return [r for d in ledger.decisions if d.what is What.ACCEPT_LOSS for r in d.ranges]


def missing_from(at: Ledger | None, newest: Ledger) -> list[OffsetRange]:
    """Ranges whose dead letters the table has by its *newest* ledger, but did not have *at* the other one."""
    return without(newest.coverage.data.ranges, at.coverage.ranges if at else ())


def declared_lost(at: Ledger | None, newest: Ledger, said: Decided, offsets: Iterable[tuple[Source, int]]) -> Ledger:
    """The ledger of a table that was set back to *at*, after which no run waits for the dead letters it lost.

    *offsets* are exactly the lost dead letters, with sources named as in the coverage. The coverage alone has only
    ranges, other records of which may become dead letters later. Beyond `MAX_NOTED` ranges none is recorded, because
    every commit repeats them. Lost dead letters count as filtered.
    """
    out: dict[Source, SourceCoverage] = {}
    for source, covered in newest.coverage.items():
        grown = at.coverage.get(source) if at else None
        grown = grown or SourceCoverage(covered.start_offset)
        written = grown.totals.written
        for i in covered.intervals:
            kind = Kind.ACCEPTED_LOSS if i.kind is Kind.DATA else i.kind
            for start, end in grown.missing(i.start, i.end):
                grown = grown.with_interval(Interval(start, end, i.generation, kind))
        filtered = covered.totals.filtered + covered.totals.written - written
        out[source] = replace(grown, totals=replace(grown.totals, filtered=filtered))
    ranges = _pieces(offsets)
    if 0 < len(ranges) <= MAX_NOTED:
        targets = ", ".join(sorted({of_target(r.source)[0] for r in ranges}))
        said = replace(said, about=f"dead letters of {targets}", ranges=tuple(ranges))
    return newest.decided(newest.commit_id, Coverage(out), (*newest.decisions, said))


def _pieces(offsets: Iterable[tuple[Source, int]]) -> list[OffsetRange]:
    ranges: list[OffsetRange] = []
    for source, offset in sorted(offsets):
        if ranges and ranges[-1].source == source and ranges[-1].end == offset:
            ranges[-1] = OffsetRange(source, ranges[-1].start, offset + 1)
        else:
            ranges.append(OffsetRange(source, offset, offset + 1))
    return ranges
