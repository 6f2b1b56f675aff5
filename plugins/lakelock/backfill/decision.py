"""Decide which ranges of an interval a table lacks and no other work supplies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap, united, without
from lakelock.model.operator_log import _ABOUT, Decided, What, about, times


@dataclass(frozen=True, slots=True)
class Share:
    """One table's share of an interval, each field in order.

    *requesting* is requested now; *waiting* was requested before and has not landed; *dropped* would be requested, but
    Kafka no longer has it; *others* would be too, but another pipeline put it into the table.
    """

    requesting: tuple[OffsetRange, ...] = ()
    waiting: tuple[OffsetRange, ...] = ()
    dropped: tuple[OffsetRange, ...] = ()
    others: tuple[OffsetRange, ...] = ()

    @property
    def nothing(self) -> bool:
        return not self.requesting and not self.waiting

    @property
    def offsets(self) -> int:
        return offsets_in([*self.requesting, *self.waiting])


def belonging(theirs: Coverage) -> list[OffsetRange]:
    """Ranges that belong to another pipeline in the table: landed, requested, or on their way; its gaps do not."""
    whole = [OffsetRange(s, h.start_offset, h.end_offset) for s, h in theirs.items() if h.start_offset < h.end_offset]
    gaps = [r for r, _ in theirs.gaps]
    return united([*without(whole, gaps), *theirs.data.ranges, *theirs.requested])


def share(
    coverage: Coverage,
    starts: Mapping[Source, int],
    interval: Sequence[OffsetRange],
    lows: Mapping[Source, int],
    others: Sequence[OffsetRange],
) -> Share:
    """The share of *interval* that is before the table's declared start or a gap, and not in the table.

    From the start on, all offsets but gaps land without a request. A retired source gets nothing. *starts* are the
    declared starts of sources that *coverage* does not know; other sources never belonged to the table. *lows* are
    Kafka's first offsets, *others* the ranges of other pipelines in the table.
    """
    starts = {**starts, **{s: covered.start_offset for s, covered in coverage.items()}}
    retired = {s for s, covered in coverage.items() if covered.retired}
    before = [OffsetRange(s, 0, start) for s, start in starts.items() if start > 0]
    gaps = [r for r, _ in coverage.gaps]
    wanted = [r for r in interval if r.source not in retired]
    fillable = without(overlap(wanted, united([*before, *gaps])), [*coverage.data.ranges, *coverage.requested])
    gone = [OffsetRange(s, 0, low) for s, low in lows.items() if low > 0]
    ours = without(fillable, others)
    return Share(
        tuple(without(ours, gone)),
        tuple(overlap(interval, coverage.requested)),
        tuple(overlap(ours, gone)),
        tuple(overlap(fillable, others)),
    )


def share_of_all(
    starts: Mapping[Source, int],
    requested: Sequence[OffsetRange],
    left: Sequence[OffsetRange],
    interval: Sequence[OffsetRange],
    lows: Mapping[Source, int],
) -> Share:
    """The share of *interval* that all routed tables lack: what lies before *starts*, the declared starts of live sources.

    *requested* was requested before, and of it *left* is not complete.
    """
    before = overlap(interval, [OffsetRange(s, 0, start) for s, start in starts.items() if start > 0])
    gone = [OffsetRange(s, 0, low) for s, low in lows.items() if low > 0]
    lacking = without(before, requested)
    return Share(tuple(without(lacking, gone)), tuple(overlap(interval, left)), tuple(overlap(lacking, gone)))


def decided(before: Sequence[Decided], said: Decided) -> tuple[Decided, ...]:
    """*before* with the decision *said*, merged with an adjacent one of the same person and reason.

    Each run of a backfill is a decision, and every snapshot repeats them all. Overlapping ranges stay separate: of two
    ledgers the one with more requests is the newer.
    """
    for at, other in enumerate(before):
        whole = _joined(other, said)
        if whole is not None:
            return (*before[:at], *before[at + 1 :], whole)
    return (*before, said)


def _joined(other: Decided, said: Decided) -> Decided | None:
    same = (other.what, other.who, other.why) == (What.BACKFILL, said.who, said.why)
    if not same or not other.about.startswith(_ABOUT) or overlap(other.ranges, said.ranges):
        return None
    (first, last), (start, end) = times(other), times(said)
    if start > last or first > end:
        return None
    return replace(
        said, about=about(min(first, start), max(last, end)), ranges=tuple(united([*other.ranges, *said.ranges]))
    )
