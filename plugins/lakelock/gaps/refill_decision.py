"""Decide which records a table that replaces another one gets, and which it can no longer get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap, united, without


@dataclass(frozen=True, slots=True)
class Refill:
    """*again* is read for the table alone; *gaps* are declared in it, each with its kind.

    *gone*, among the gaps, are ranges of topics that the old table got and the new one does not. *requested* are ranges of
    backfills, done or pending, from before the start: they are requested for the new table.
    """

    again: tuple[OffsetRange, ...]
    gaps: tuple[tuple[OffsetRange, Kind], ...]
    gone: tuple[OffsetRange, ...] = ()
    requested: tuple[OffsetRange, ...] = ()

    @property
    def lost(self) -> tuple[OffsetRange, ...]:
        return tuple(r for r, kind in self.gaps if kind is Kind.ACCEPTED_LOSS)

    def coverage(self, starts: Mapping[Source, int], generation: int) -> Coverage:
        """The table's coverage when it is adopted."""
        return declaring(Coverage().starting(starts), self.gaps, starts, generation).requesting(self.requested, starts)


def refill(
    starts: Mapping[Source, int],
    streams: Sequence[StreamState],
    lows: Mapping[Source, int],
    seen: Sequence[Ledger],
    old: Ledger | None = None,
    backfilled: Sequence[OffsetRange] = (),
) -> Refill:
    """The refill from the declared *starts* to the frontiers; *lows* are the first offsets that Kafka has.

    *seen* are the log's ledgers of all tables: they have the ends of sources that were retired since. *old* is that of
    the table itself: its sources that are not in *starts* are no longer read. *backfilled* are ranges that backfills of all
    routed tables have requested, if it is one of them.
    """
    again: list[OffsetRange] = []
    covered = sorted(old.coverage.items()) if old else []
    ends = {s: (h.start_offset, h.end_offset) for s, h in covered if s not in starts}
    gone = [OffsetRange(s, start, end) for s, (start, end) in ends.items() if start < end]
    gaps = [(r, Kind.ACCEPTED_LOSS) for r in gone]
    before = [OffsetRange(s, 0, start) for s, start in starts.items() if start > 0]
    had = [*old.coverage.data.ranges, *old.coverage.requested] if old else []
    requested = overlap(united([*had, *backfilled]), before)
    dropped = overlap(requested, [OffsetRange(s, 0, lows.get(s, FOREVER)) for s in starts if lows.get(s) != 0])
    gaps += [(r, Kind.ACCEPTED_LOSS) for r in dropped]
    frontiers = {s.source: s.next_offset for s in streams}
    for source, start in sorted(starts.items()):
        frontier = frontiers.get(source, start)
        retired = frontier == FOREVER
        if retired:
            frontier = max((led.coverage[source].end_offset for led in seen if source in led.coverage), default=start)
        low = min(max(start, lows.get(source, frontier)), frontier)
        if start < low:
            gaps.append((OffsetRange(source, start, low), Kind.ACCEPTED_LOSS))
        if low < frontier:
            again.append(OffsetRange(source, low, frontier))
        if retired:
            gaps.append((OffsetRange(source, frontier, FOREVER), Kind.RETIRED))
    return Refill(tuple(again), tuple(gaps), tuple(gone), tuple(without(requested, dropped)))


def refilling(starts: Mapping[Source, int], streams: Sequence[StreamState], recorded: Ledger) -> Refill:
    """The refill at the time when the new table got its ledger, *recorded*."""
    ends = {s.source: s.next_offset for s in streams if s.source in starts}
    upto = [OffsetRange(s, starts[s], end) for s, end in sorted(ends.items()) if starts[s] < end]
    again = without(upto, [*recorded.coverage.ranges, *recorded.coverage.requested])
    return Refill(tuple(again), tuple(recorded.coverage.gaps), (), tuple(recorded.coverage.requested))
