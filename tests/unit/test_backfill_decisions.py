"""What a backfill may ask for, what a ledger that was asked means, and what a rollback makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.audit.decision import judge
from lakelock.backfill.decision import belonging, decided, share
from lakelock.errors import LedgerUnreadable
from lakelock.gaps.decision import unread as undecided
from lakelock.ingest.reconcile_decision import follow, lacking
from lakelock.model import coverage_text as codec
from lakelock.model.batches import StreamState
from lakelock.model.counts import Accounts
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.coverage_gaps import declaring, reached
from lakelock.model.ledger import Ledger, Mode, Rollback, parse, summary
from lakelock.model.log_state import PartNote, PartState, Stand
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.operator_log import Decided, What, about
from lakelock.monitor.offset_lookup import OffsetStanding as Where
from lakelock.monitor.offset_lookup import standing
from lakelock.recovery.rebuild_decision import rebuilt
from lakelock.rollback.decision import rolled_back, taken_out

A, B = Source("t", "id", 0), Source("t", "id", 1)


def r(start: int, end: int, source: Source = A) -> OffsetRange:
    return OffsetRange(source, start, end)


def gap(start: int, end: int, kind: Kind = Kind.SKIPPED, generation: int = 1) -> Interval:
    return Interval(start, end, generation, kind)


def of(*intervals: Interval, start: int = 0, requested: Sequence[tuple[int, int]] = ()) -> Coverage:
    return Coverage({A: SourceCoverage(start, intervals, Totals(), tuple(requested))})


def ledger(coverage: Coverage, generation: int = 0, rollback: Rollback | None = None) -> Ledger:
    return Ledger("inst", "p", "c", generation, "cfg", coverage, rollback)


def record(mode: Mode) -> Rollback:
    return Rollback(50, 30, mode, "somebody", "because")


def anything(_: Source) -> bool:
    return True


def test_what_is_requested_is_not_covered_and_nothing_waits_for_it() -> None:
    coverage = of(Interval(10, 20), gap(20, 30), Interval(30, 40), start=10).requesting([r(22, 25), r(0, 4)], {})
    covered = coverage[A]
    assert covered.requested == ((0, 4), (22, 25))
    assert covered.intervals == (Interval(10, 20), gap(20, 22), gap(25, 30), Interval(30, 40))
    assert (covered.prefix_end, covered.end_offset) == (40, 40)
    assert coverage.lacking(r(20, 30)) == [r(22, 25)]
    assert coverage.requested == [r(0, 4), r(22, 25)]
    assert not coverage.touches(r(22, 25))
    assert r(22, 25) not in coverage.ranges


def test_a_record_cannot_be_requested() -> None:
    with pytest.raises(ValueError, match="has records"):
        of(Interval(0, 10)).requesting([r(5, 12)], {})


def test_what_lands_and_what_is_given_up_is_requested_no_more() -> None:
    coverage = of(Interval(0, 10), gap(10, 30)).requesting([r(10, 30)], {})
    landed = coverage.adding(booked(r(10, 15)), {}, 1)
    assert landed[A].requested == ((15, 30),)
    assert landed[A].totals == Totals(written=5)
    lost = declaring(landed, [(r(20, 30), Kind.ACCEPTED_LOSS)], {}, 1)
    assert lost[A].requested == ((15, 20),)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8), st.sampled_from(Kind)), max_size=6),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), max_size=4),
    st.integers(0, 10),
)
def test_it_reads_back_as_it_was_written(
    steps: list[tuple[int, int, Kind]], asks: list[tuple[int, int]], start: int
) -> None:
    covered = SourceCoverage(start, (), Totals(0, 2))
    for at, length, kind in steps:
        for a, b in covered.missing(at, at + length):
            covered = covered.with_interval(Interval(a, b, 3, kind))
    for at, length in asks:
        for a, b in SourceCoverage(0, tuple(covered.data)).missing(at, at + length):
            covered = covered.requesting(a, b)
    coverage = Coverage({A: covered})
    text = codec.encode(coverage)
    codec._recent.clear()
    assert codec.decode(text) == coverage


@pytest.mark.parametrize("requested", ["5-4", "3-9", "12-14,11-12", "12-14,14-16", "x", "", "12-14|1"])
def test_what_somebody_garbled_is_refused(requested: str) -> None:
    with pytest.raises(LedgerUnreadable):
        codec.decode('{"id":{"topic":"t","0":"0|0-5||' + requested + '"}}')


def test_it_asks_for_what_lies_before_the_start_or_was_left_out_and_for_nothing_else() -> None:
    coverage = of(
        Interval(8, 9), Interval(10, 20), gap(20, 30), Interval(30, 40), gap(40, 45, Kind.ACCEPTED_LOSS),
        start=10, requested=[(2, 4)],
    )  # fmt: skip
    found = share(coverage, {A: 7, B: 3}, [r(0, 70), r(0, 9, B)], {A: 1}, [r(5, 6)])
    assert found.requesting == (r(1, 2), r(4, 5), r(6, 8), r(9, 10), r(20, 30), r(40, 45), r(0, 3, B))
    assert found.waiting == (r(2, 4),)
    assert found.dropped == (r(0, 1),)
    assert found.others == (r(5, 6),)


def test_of_what_was_retired_nothing_is_requested() -> None:
    coverage = of(Interval(10, 20), gap(20, 30), gap(30, FOREVER, Kind.RETIRED), start=10)
    assert share(coverage, {}, [r(0, 70)], {A: 0}, []).nothing


def test_what_another_pipeline_has_or_is_to_have_is_its_own() -> None:
    theirs = of(Interval(10, 20), gap(20, 30), Interval(30, 40), start=10, requested=[(2, 4)])
    assert belonging(theirs) == [r(2, 4), r(10, 20), r(30, 40)]
    assert belonging(of(start=5)) == []


def test_a_source_that_nobody_gave_to_the_table_is_not_requested() -> None:
    assert share(Coverage(), {}, [r(0, 9)], {}, []).nothing


def test_what_is_requested_is_planned_wherever_it_lies_unless_it_is_on_its_way() -> None:
    coverage = of(Interval(10, 20), Interval(25, 30), start=10, requested=[(0, 5), (20, 25)])
    assert lacking(coverage, [r(0, 2)], {A: 10}, {A: 30}, anything) == [r(20, 25), r(2, 5)]
    stand = Stand("n.t", "uuid", ledger(coverage))
    found = rebuilt([stand], lambda table, topic: True)
    assert found.redo == {"n.t": (r(20, 25), r(0, 5))}
    assert found.streams == (StreamState(A, 10, 30),)
    assert undecided(coverage, {}, [], r(0, 30)) == [r(0, 5), r(20, 25)]


@pytest.mark.parametrize("state", [PartState.STAGED, PartState.COMMITTED])
def test_what_was_left_out_of_the_table_never_lands_with_a_later_backfill(state: PartState) -> None:
    part = PartNote(1, state, (r(10, 20),))
    skipped = ledger(of(Interval(0, 10), gap(10, 20)), 1, record(Mode.SKIP))
    assert follow([part], skipped, 0, {A: 0}, {A: 20}, anything).abort == (1,)
    partly = ledger(of(Interval(0, 15), gap(15, 20)), 1, record(Mode.SKIP))
    assert follow([part], partly, 0, {A: 0}, {A: 20}, anything).abort == (1,)


def backfilled(coverage: Coverage) -> Ledger:
    said = Decided(What.BACKFILL, datetime(2026, 1, 1, tzinfo=UTC), "somebody", "because", "", (r(20, 25), r(0, 6)))
    return replace(ledger(coverage, 1), decisions=(said,))


@pytest.mark.parametrize("mode", list(Mode))
def test_what_it_is_to_bring_is_requested_again_also_before_the_gap_was_one(mode: Mode) -> None:
    at = of(Interval(10, 20), start=10)
    head = of(Interval(10, 20), Interval(25, 30), start=10, requested=[(20, 25)])
    after = rolled_back(backfilled(head), ledger(at), record(mode), "new")
    assert after.coverage[A].requested == ((20, 25),)
    assert after.coverage[A].prefix_end == (30 if mode is Mode.SKIP else 25)


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_what_it_had_brought_is_requested_again_when_the_table_goes_back_before_it(mode: Mode) -> None:
    at = of(Interval(10, 20), gap(20, 30), Interval(30, 40), start=10)
    head = at.requesting([r(20, 25), r(0, 6)], {}).adding(booked(r(20, 25), r(0, 4)), {}, 1)
    after = rolled_back(backfilled(head), ledger(at, 1), record(mode), "new")
    assert after.coverage[A].requested == ((0, 6), (20, 25))
    assert after.coverage[A].intervals == (Interval(10, 20), gap(25, 30), Interval(30, 40))
    assert taken_out(head, at) == (r(0, 4), r(20, 25))
    part = PartNote(7, PartState.COMMITTED, (r(20, 25),))
    then = follow([part], after, 1, {A: 10}, {A: 40}, anything)
    assert then.restage == ((7,) if mode is Mode.RECOMMIT else ())
    assert list(then.redo) == ([r(0, 6)] if mode is Mode.RECOMMIT else [r(20, 25), r(0, 6)])


def test_what_is_to_stay_out_stays_out_and_only_what_it_was_still_to_bring_is_requested_again() -> None:
    at = of(Interval(10, 20), gap(20, 30), start=10)
    head = at.requesting([r(20, 25), r(0, 6)], {}).adding(booked(r(20, 25), r(0, 4)), {}, 1)
    after = rolled_back(backfilled(head), ledger(at, 1), record(Mode.SKIP), "new")
    assert after.coverage[A].requested == ((4, 6),)
    assert after.coverage.contains(r(20, 30))
    assert after.coverage.contains(r(0, 4))


def test_records_that_were_there_are_missed_though_a_backfill_was_requested_them() -> None:
    requested = of(Interval(0, 10), gap(10, 20)).requesting([r(10, 20)], {})
    brought = requested.adding(booked(r(10, 20)), {}, 1)
    accounts = Accounts({A: StreamState(A, 0, 20)}, {}, (), {"n.t": ledger(brought)})
    found = judge("n.t", A, ledger(requested), requested[A], accounts, taken=True, frontier_after=20, end_offset=20)
    assert found.faults == ("the write-ahead log has seen [10, 20) in the table, and it is no longer there",)


def test_a_ledger_is_read_as_it_was_written() -> None:
    plain = ledger(of(Interval(0, 10)))
    requested = replace(plain, coverage=of(Interval(0, 10), requested=[(10, 20)]))
    assert [parse(summary(led, (), ()), "n.t") for led in (plain, requested)] == [plain, requested]
    decided = parse(summary(backfilled(of(Interval(0, 9))), (), ()), "n.t")
    assert [d.what for d in decided.decisions] == [What.BACKFILL]


def test_a_ledger_grows_with_an_ask_and_with_all_that_comes_of_it() -> None:
    coverage = of(Interval(0, 10), gap(10, 20))
    sizes = [ledger(coverage).size]
    for step in (
        coverage.requesting([r(12, 15)], {}),
        coverage.requesting([r(12, 15)], {}).adding(booked(r(12, 13)), {}, 1),
        declaring(of(Interval(0, 10), gap(10, 12), Interval(12, 13, 1), gap(15, 20), requested=[(13, 15)]),
                  [(r(13, 15), Kind.ACCEPTED_LOSS)], {}, 1),
    ):  # fmt: skip
        sizes.append(replace(ledger(step), decisions=(said(1, 2, r(12, 15)),)).size)
    assert sizes == sorted(set(sizes))


def test_a_source_ends_no_sooner_than_it_starts() -> None:
    covered = of(Interval(0, 5), start=10, requested=[(6, 8)])[A]
    assert (covered.end_offset, covered.prefix_end, reached(covered)) == (10, 10, 10)


def test_a_part_that_was_left_out_and_is_requested_does_not_land_from_an_older_copy_of_the_log() -> None:
    requested = ledger(of(Interval(0, 10)).requesting([r(10, 20)], {}), 1, record(Mode.SKIP))
    for state in (PartState.STAGED, PartState.COMMITTED):
        then = follow([PartNote(1, state, (r(10, 20),))], requested, 0, {A: 0}, {A: 20}, anything)
        assert (then.abort, then.restage, list(then.redo)) == ((1,), (), [r(10, 20)])


def test_audit_counts_it_and_takes_it_for_no_hole() -> None:
    before = of(Interval(0, 10), gap(10, 20))
    now = before.requesting([r(10, 20)], {})
    accounts = Accounts({A: StreamState(A, 0, 20)}, {("n.t", A): [r(10, 15)]}, (), {"n.t": ledger(before)})
    reported = judge("n.t", A, ledger(now), now[A], accounts, taken=True, frontier_after=20, end_offset=20)
    assert reported.faults == ()
    assert (reported.asked, reported.open, reported.held, reported.gaps) == (10, 5, 10, {})


def test_what_kafka_dropped_before_a_backfill_brought_it_is_a_fault() -> None:
    now = of(Interval(0, 10), gap(10, 20)).requesting([r(10, 20)], {})
    gone = ("[10, 14) was requested, and Kafka holds only from 14 on",)
    for low, way, taken, reported in (
        (10, [], True, ()),
        (14, [], True, gone),
        (14, [r(10, 20)], True, ()),
        (14, [], False, ()),
    ):
        accounts = Accounts({A: StreamState(A, 0, 20)}, {("n.t", A): way}, (), {})
        found = judge(
            "n.t", A, ledger(now), now[A], accounts, taken=taken, frontier_after=20, end_offset=20, low_offset=low
        )
        assert found.faults == reported, (low, way, taken)


def said(start: int, end: int, *ranges: OffsetRange, who: str = "somebody") -> Decided:
    """An ask at *start* for the records of two hours of a day."""
    times = about(*(datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (start, end)))
    return Decided(What.BACKFILL, datetime(2026, 2, 1, start, tzinfo=UTC), who, "because", times, ranges)


def size(kept: tuple[Decided, ...]) -> int:
    return replace(ledger(of(Interval(0, 9))), decisions=kept).size


def test_a_backfill_of_many_runs_is_one_decision() -> None:
    kept: tuple[Decided, ...] = (said(20, 21, r(90, 99), who="other"),)
    for hour in (1, 2, 4, 3):
        before, kept = kept, decided(kept, said(hour, hour + 1, r(hour, hour + 1)))
        assert size(kept) > size(before)
    assert [(d.who, d.about, d.ranges) for d in kept] == [
        ("other", about(datetime(2026, 1, 1, 20, tzinfo=UTC), datetime(2026, 1, 1, 21, tzinfo=UTC)), (r(90, 99),)),
        ("somebody", about(datetime(2026, 1, 1, 4, tzinfo=UTC), datetime(2026, 1, 1, 5, tzinfo=UTC)), (r(4, 5),)),
        ("somebody", about(datetime(2026, 1, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 4, tzinfo=UTC)), (r(1, 4),)),
    ]
    assert size(decided(kept, said(1, 4, r(2, 3)))) > size(kept), "asked once more is newer, too"


def test_an_offset_that_is_requested_is_reported_as_such() -> None:
    coverage = of(Interval(10, 20), start=10, requested=[(2, 4)])
    assert [standing(coverage, A, offset) for offset in (1, 2, 4, 10, 20)] == [
        Where.BEFORE_START, Where.REQUESTED, Where.BEFORE_START, Where.COVERED, Where.NOT_YET,
    ]  # fmt: skip
    assert reached(SourceCoverage(0, (Interval(0, 5),), Totals(), ((5, 9),))) == 9
