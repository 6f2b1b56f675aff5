"""What a table will never get, how the log's parts and frontiers go around it, and how it is kept in the ledger."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.errors import HistoryMissing, LedgerUnreadable, TopicRecreated
from lakelock.gaps.decision import given_up, kinds, moved, unread
from lakelock.gaps.refill_decision import refill, refilling
from lakelock.ingest.plan_decision import check_history, check_identity, plan, still_named
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model import coverage_text as coverage_codec
from lakelock.model import operator_log as decisions_codec
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.coverage_gaps import declaring, reached
from lakelock.model.ledger import DECISIONS, Ledger, Mode, Rollback, parse, summary
from lakelock.model.log_state import PartNote, PartState, Stand
from lakelock.model.offsets import FOREVER, OffsetRange, Source, overlap, without
from lakelock.model.operator_log import Decided, What
from lakelock.recovery.rebuild_decision import rebuilt
from lakelock.rollback.decision import rolled_back, taken_out

A, B = Source("t", "id", 0), Source("t", "id", 1)
AT = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def r(start: int, end: int, source: Source = A) -> OffsetRange:
    return OffsetRange(source, start, end)


def covered(*intervals: Interval, start: int = 0) -> Coverage:
    return Coverage({A: SourceCoverage(start, intervals)})


def data(start: int, end: int) -> Interval:
    return Interval(start, end)


def loss(start: int, end: int) -> Interval:
    return Interval(start, end, 0, Kind.ACCEPTED_LOSS)


def note(state: PartState, *ranges: OffsetRange, part_id: int = 1) -> PartNote:
    return PartNote(part_id, state, ranges)


@pytest.mark.parametrize(
    ("coverage", "staged", "within", "found"),
    [
        (covered(data(0, 10)), [], r(0, 15), [r(10, 15)]),
        (covered(data(0, 10)), [r(10, 12)], r(0, 15), [r(12, 15)]),
        (covered(data(0, 10), loss(10, 15)), [], r(0, 15), []),
        (covered(start=5), [], r(0, 8), [r(5, 8)]),
        (Coverage(), [], r(0, 8), [r(2, 8)]),
        (Coverage(), [], r(0, 8, B), []),
        (covered(data(0, 10)), [r(20, 30)], r(0, FOREVER), [r(10, 20), r(30, FOREVER)]),
    ],
)
def test_only_what_nobody_holds_or_brings_is_a_gap(
    coverage: Coverage, staged: list[OffsetRange], within: OffsetRange, found: list[OffsetRange]
) -> None:
    assert unread(coverage, {A: 2}, staged, within) == found


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=8),
    st.lists(st.sampled_from(["held", "staged", "planned"]), min_size=8, max_size=8),
    st.integers(0, 80),
)
def test_afterwards_each_offset_is_covered_or_on_its_way_exactly_once(
    sizes: list[int], fates: list[str], low: int
) -> None:
    """Whatever Kafka dropped: parts that were cut, what is planned in their place, and the gaps tile what was planned."""
    coverage, position, notes = covered(), 0, []
    for n, (size, fate) in enumerate(zip(sizes, fates, strict=False)):
        part = r(position, position + size)
        position += size
        if fate == "held":
            coverage = coverage.adding(booked(part), {}, 0)
        else:
            notes.append(note(PartState(fate), part, part_id=n))
    staged = [x for n in notes if n.state is PartState.STAGED for x in n.ranges]
    gaps = unread(coverage, {A: 0}, staged, r(0, low)) if low else []
    after = declaring(coverage, [(g, Kind.ACCEPTED_LOSS) for g in gaps], {A: 0}, 0)
    left = given_up(notes, after, [r(0, low)] if low else [])
    again = [x for ranges in left.values() for x in ranges]
    way = [x for n in notes if n.part_id not in left for x in n.ranges] + again
    frontier = moved(position, [(0, low)] if low else [])
    offsets = [o for i in after[A].intervals for o in range(i.start, i.end)] + [
        o for x in way for o in range(x.start, x.end)
    ]
    assert sorted(offsets) == list(range(frontier))
    assert frontier == max(position, low)
    planned = [x for n in notes if n.state is PartState.PLANNED and n.part_id not in left for x in n.ranges]
    assert all(x.start >= low for x in [*planned, *again])


def test_a_part_is_cut_around_what_was_given_up_and_nothing_else() -> None:
    coverage = covered(data(0, 10), loss(10, 15), data(15, 20))
    parts = [
        note(PartState.PLANNED, r(0, 10), part_id=1),  # read again for its dead letters
        note(PartState.PLANNED, r(8, 20), r(3, 4, B), part_id=2),
        note(PartState.STAGED, r(12, 20), part_id=3),  # decided where it lands
        note(PartState.COMMITTED, r(0, 20), part_id=4),
        note(PartState.PLANNED, r(10, 15), part_id=5),
    ]
    assert given_up(parts, coverage, [r(10, 15)]) == {2: [r(8, 10), r(15, 20), r(3, 4, B)], 5: []}
    assert given_up(parts, coverage, [r(3, 4, B)]) == {}, "another decision's is for its own command to give up"
    # What the table has and Kafka no longer has is not read again for its dead letters, either.
    assert given_up(parts, coverage, [r(0, 4)])[1] == [r(4, 10)]
    assert given_up(parts, covered(data(0, 10)), [r(12, 30)]) == {}, "what it lacks is declared first"


def test_a_log_is_behind_what_was_read_not_what_was_given_up() -> None:
    assert reached(covered(data(0, 10), loss(20, 25))[A]) == 10
    assert reached(covered(data(0, 10), loss(10, 15), data(15, 20))[A]) == 20
    assert reached(covered(loss(0, 5))[A]) == 0


def test_a_part_behind_a_gap_may_land_once_what_lies_before_it_has() -> None:
    coverage = covered(data(0, 10), loss(20, 30))
    assert coverage[A].prefix_end == 10
    assert coverage.adding(booked(r(10, 20)), {}, 0)[A].prefix_end == 30


@pytest.mark.parametrize(
    ("frontier", "gaps", "after"),
    [
        (10, [(10, 15)], 15),
        (10, [(0, 15)], 15),
        (10, [(11, 15)], 10),
        (10, [(0, 10)], 10),
        (10, [(12, 20), (9, 12)], 20),
    ],
)
def test_a_frontier_moves_only_over_what_it_stands_at(frontier: int, gaps: list[tuple[int, int]], after: int) -> None:
    assert moved(frontier, gaps) == after


def test_what_nobody_knows_to_have_existed_is_retired_and_not_lost() -> None:
    gaps = [r(10, 12), r(15, FOREVER)]
    assert kinds(gaps, Kind.ACCEPTED_LOSS, {A: 20}) == [
        (r(10, 12), Kind.ACCEPTED_LOSS),
        (r(15, 20), Kind.ACCEPTED_LOSS),
        (r(20, FOREVER), Kind.RETIRED),
    ]
    assert kinds(gaps, Kind.RETIRED, {A: 20}) == [(r(10, 12), Kind.RETIRED), (r(15, FOREVER), Kind.RETIRED)]
    assert kinds(gaps, Kind.ACCEPTED_LOSS, {A: FOREVER})[1] == (r(15, FOREVER), Kind.RETIRED)


def test_ranges_meet_and_miss() -> None:
    assert overlap([r(0, 10), r(0, 5, B)], [r(8, 20), r(2, 3)]) == [r(2, 3), r(8, 10)]
    assert overlap([r(0, 10)], [r(2, 8), r(2, 8), r(6, 9)]) == [r(2, 9)], "what two have is there once"
    assert without([r(0, 10), r(0, 5, B)], [r(8, 20), r(2, 3)]) == [r(0, 2), r(3, 8), r(0, 5, B)]


def test_decisions_survive_the_ledger_and_garbled_ones_stop() -> None:
    decided = (
        Decided(What.ACCEPT_LOSS, AT, "ann@host", 'a "quoted" reason', "", (r(1, 2), r(3, 4, B))),
        Decided(What.RETIRE, AT, "bob", "gone", "", (r(7, FOREVER),)),
        Decided(What.REBIND, AT, "bob", "replaced", "table UUID x for y"),
        Decided(What.ACCEPT_LOSS, AT, "bob", "recover", "dead letters of n.t", (r(3, 5), r(8, 9))),
        Decided(What.PAUSE, AT, "bob", "noise"),
    )
    assert decisions_codec.decode(decisions_codec.encode(decided)) == decided
    ledger = Ledger("inst", "p", "c", 3, "cfg", covered(data(0, 1), loss(1, 2)), decisions=decided)
    kept = summary(ledger, [], [])
    assert parse(kept, "n.t") == ledger
    for broken in ("[", "{}x", '[["eat","2026-01-01T00:00:00","a","b","",{}]]', "[1]"):
        with pytest.raises(LedgerUnreadable):
            parse(kept | {DECISIONS: broken}, "n.t")
    assert DECISIONS not in summary(replace(ledger, decisions=()), [], [])
    assert "t-0 from 7 on" in decided[1].line


def test_an_interval_that_never_ends_is_kept_and_ends_the_source() -> None:
    coverage = covered(data(0, 7), Interval(7, FOREVER, 2, Kind.RETIRED))
    assert coverage_codec.decode(coverage_codec.encode(coverage)) == coverage
    assert coverage[A].retired
    assert coverage[A].end_offset == 7
    assert coverage.contains(r(100, 200))


def test_a_rollback_takes_no_decision_away() -> None:
    decided = (Decided(What.ACCEPT_LOSS, AT, "ann", "because", "", (r(5, 8),)),)
    head = Ledger("inst", "p", "c", 0, "cfg", covered(data(0, 5), loss(5, 8), data(8, 9)), decisions=decided)
    at = Ledger("inst", "p", "b", 0, "cfg", covered(data(0, 3)))
    after = rolled_back(head, at, Rollback(2, 1, Mode.REPLAY, "w", "y"), "d")
    assert after.decisions == decided
    assert after.coverage == covered(data(0, 3), Interval(5, 8, 1, Kind.ACCEPTED_LOSS))
    assert taken_out(head.coverage, at.coverage) == (r(3, 5), r(8, 9))


def test_a_log_that_is_rebuilt_knows_what_was_retired_and_plans_nothing_endless() -> None:
    recorded = Stand(
        "n.a", "ua", Ledger("i", "p", "c", 1, "d", covered(data(0, 7), Interval(7, FOREVER, 0, Kind.RETIRED)))
    )
    not_recorded = Stand("n.b", "ub", Ledger("i", "p", "c", 1, "d", covered(data(0, 4))))
    found = rebuilt([recorded, not_recorded], lambda table, topic: True)
    assert [s.retired for s in found.streams] == [True]
    assert found.redo == {"n.b": (r(4, 7),)}
    assert lacking(not_recorded.ledger.coverage, [r(5, 6)], {A: 0}, {A: FOREVER}, lambda source: True) == [r(4, 5)]
    assert lacking(recorded.ledger.coverage, (), {A: 0}, {A: FOREVER}, lambda source: True) == []


class Span:
    def __init__(self, low: int, end: int) -> None:
        self.low_offset, self.end_offset, self.leader_epoch = low, end, None


def test_a_retired_source_stops_no_plan_and_gets_none() -> None:
    retired = StreamState(A, 0, FOREVER)
    check_identity([retired], [Source("t", "new", 0)], "p")
    check_history([retired], {A: Span(50, 90)})
    assert plan([retired], {}, {A: Span(50, 90)}, 100, {}).ranges == ()
    assert still_named(["t", "u"], "v.*", [retired]) == (["u"], "(?:t)|(?:v.*)")
    assert still_named(["t"], None, [retired, StreamState(B, 0, 5)]) == (["t"], None)


def test_stops_name_the_command() -> None:
    with pytest.raises(TopicRecreated, match="lakelock rebind FILE --topic t --why"):
        check_identity([StreamState(A, 0, 5)], [Source("t", "new", 0)], "p")
    with pytest.raises(HistoryMissing, match=r"accept-loss FILE --topic t --partition 0 --from 5 --to 7 --why"):
        check_history([StreamState(A, 0, 5)], {A: Span(7, 9)})
    with pytest.raises(HistoryMissing, match=r"accept-loss FILE --why TEXT` previews all"):
        check_history([StreamState(A, 0, 5), StreamState(B, 0, 5)], {A: Span(7, 9), B: Span(8, 9)})
    with pytest.raises(HistoryMissing, match=r"rebind FILE --topic t") as cut_short:
        check_history([StreamState(A, 0, 5)], {A: Span(0, 3)})
    assert "accept-loss" not in str(cut_short.value)


def test_another_table_gets_all_that_kafka_has_up_to_the_frontier() -> None:
    seen = [
        Ledger(
            "i", "p", "c", 0, "d", Coverage({B: SourceCoverage(0, (data(0, 6), Interval(6, FOREVER, 0, Kind.RETIRED)))})
        )
    ]
    streams = [StreamState(A, 0, 30), StreamState(B, 0, FOREVER)]
    found = refill({A: 2, B: 0}, streams, {A: 10}, seen)
    assert found.again == (r(10, 30),)
    assert found.lost == (r(2, 10), r(0, 6, B))
    assert found.gaps[-1] == (r(6, FOREVER, B), Kind.RETIRED)
    coverage = found.coverage({A: 2, B: 0}, 4)
    assert lacking(coverage, (), {A: 2, B: 0}, {A: 30, B: FOREVER}, lambda source: True) == [r(10, 30)]
    assert refill({A: 2}, streams, {A: 40}, []).lost == (r(2, 30),)
    assert refill({A: 2}, streams, {A: 0}, []).again == (r(2, 30),)


def test_what_a_backfill_brought_from_before_the_start_is_asked_of_the_new_table_too() -> None:
    coverage = Coverage({A: SourceCoverage(20, (data(2, 9), data(20, 30)), Totals(), ((12, 14),))})
    had = Ledger("i", "p", "c", 0, "d", coverage)
    found = refill({A: 20}, [StreamState(A, 20, 30)], {A: 5}, [], had)
    assert found.again == (r(20, 30),)
    assert found.requested == (r(5, 9), r(12, 14))
    assert found.lost == (r(2, 5),)
    coverage = found.coverage({A: 20}, 1)
    assert coverage.requested == [r(5, 9), r(12, 14)]
    again = refilling({A: 20}, [StreamState(A, 20, 30)], replace(had, coverage=coverage))
    assert (again.again, again.requested) == (found.again, found.requested)
    assert refill({A: 20}, [StreamState(A, 20, 30)], {}, [], had).requested == ()


def test_what_another_table_is_not_given_any_more_is_lost_with_the_old_one() -> None:
    old = Ledger(
        "i", "p", "c", 0, "d", Coverage({A: SourceCoverage(2, (data(2, 20),)), B: SourceCoverage(1, (data(1, 6),))})
    )
    found = refill({A: 2}, [StreamState(A, 0, 30), StreamState(B, 0, 9)], {A: 5}, [old], old)
    assert found.gone == (r(1, 6, B),)
    assert found.lost == (r(1, 6, B), r(2, 5))
    coverage = found.coverage({A: 2}, 4)
    assert coverage[B] == SourceCoverage(1, (Interval(1, 6, 4, Kind.ACCEPTED_LOSS),))
    reported = refilling({A: 2}, [StreamState(A, 0, 30)], replace(old, coverage=coverage))
    assert reported.again == (r(5, 30),)
    assert set(reported.lost) == set(found.lost)
