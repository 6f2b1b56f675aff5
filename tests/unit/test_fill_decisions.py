"""Offsets between the parts of a routed table are covered only if no record of them can still come."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.coverage import booked
from kits.routed_parts import routed_part
from lakelock.ingest.commit_decision import Decision, TableStanding, decide
from lakelock.ingest.reconcile_decision import lacking
from lakelock.model.batches import StagedPart
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.offsets import OffsetRange, Source, offsets_in
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.versions import OwnVersion
from lakelock.rollback.decision import filled_since, rolled_back

A, B = Source("t", "id", 0), Source("t", "id", 1)
RECOMMIT = Rollback(2, 1, Mode.RECOMMIT, "ann", "a wrong file")


def known(closed_to: int, letters_to: int | None = None, *parts: OffsetRange) -> RouteEvidence:
    letters = closed_to if letters_to is None else letters_to
    return RouteEvidence({A: 0}, {A: closed_to}, {A: letters}, parts)


def commit(evidence: RouteEvidence, *parts: StagedPart, own: Coverage | None = None) -> Decision:
    ledger = Ledger("inst", "p", "c", 0, "cfg", own or Coverage().starting({A: 0}))
    return decide(parts, TableStanding("uuid-1", ledger), {A: 0}, lambda _: Coverage(), evidence)


def landed(decision: Decision) -> list[int]:
    return [p.sequence for p in decision.append]


def test_what_no_part_has_in_closed_batches_is_filled() -> None:
    first, second = OffsetRange(A, 10, 20), OffsetRange(A, 40, 50)
    decision = commit(known(60, None, first, second), routed_part(2, first), routed_part(5, second))
    assert landed(decision) == [2, 5]
    assert decision.coverage.ranges == [OffsetRange(A, 0, 60)]
    assert decision.coverage[A].totals.written == 20
    assert [b.range for b in decision.books] == [first, second], (
        "no row of the snapshot's ranges says anything of the rest"
    )


def test_without_a_part_that_lands_nothing_is_committed() -> None:
    assert not commit(known(60)).append
    assert not commit(known(60, 60, OffsetRange(A, 10, 20))).append


def test_a_batch_that_is_not_closed_is_not_filled() -> None:
    later = routed_part(2, OffsetRange(A, 10, 20))
    decision = commit(known(0, 20, *later.ranges), later)
    assert not decision.append
    assert decision.hole == "t-0 [0, 10) comes first and is not committed yet"


def test_an_open_part_is_not_filled_and_those_behind_it_wait() -> None:
    planned, later = OffsetRange(A, 10, 20), routed_part(3, OffsetRange(A, 30, 40))
    decision = commit(known(50, None, planned, *later.ranges), later)
    assert not decision.append
    assert decision.hole == "t-0 [10, 30) comes first and is not committed yet"


def test_coverage_stays_a_prefix() -> None:
    """What follows an open part is filled only once that part is there."""
    first, planned = routed_part(1, OffsetRange(A, 0, 10)), OffsetRange(A, 20, 30)
    evidence = known(90, None, *first.ranges, planned)
    decision = commit(evidence, first)
    assert decision.coverage.ranges == [OffsetRange(A, 0, 20)]
    after = commit(known(90, None, planned), routed_part(3, planned), own=decision.coverage)
    assert after.coverage.ranges == [OffsetRange(A, 0, 90)]


def test_nothing_that_a_table_owes_is_filled() -> None:
    own = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0).owing([OffsetRange(A, 10, 20)])
    later = routed_part(3, OffsetRange(A, 20, 30))
    assert not commit(known(30, None, *later.ranges), later, own=own).append
    back = routed_part(2, OffsetRange(A, 10, 20))
    decision = commit(known(30, None, *later.ranges, *back.ranges), later, back, own=own)
    assert sorted(landed(decision)) == [2, 3]
    assert decision.coverage.owed == []


def test_a_part_waits_for_the_dead_letters_without_a_table_of_its_own_batch() -> None:
    part = routed_part(1, OffsetRange(A, 0, 10))
    decision = commit(known(10, 0, *part.ranges), part)
    assert not decision.append
    assert "for which no table is known" in decision.waiting[0][1]
    assert decision.hole is None, "nothing is missing before it"
    assert landed(commit(known(10, 10, *part.ranges), part)) == [1]


def test_a_fill_waits_for_the_dead_letters_without_a_table_of_each_batch_it_covers() -> None:
    part = routed_part(1, OffsetRange(A, 0, 10))
    assert commit(known(50, 30, *part.ranges), part).coverage.ranges == [OffsetRange(A, 0, 30)]


def test_a_part_that_is_newer_than_the_evidence_is_never_taken_for_filled() -> None:
    part = routed_part(1, OffsetRange(A, 10, 20))
    decision = commit(known(60), part)
    assert (landed(decision), decision.mark) == ([1], ())


def test_parts_that_wait_for_each_other_land_together_over_what_is_filled_between_them() -> None:
    crossing = [
        routed_part(1, OffsetRange(A, 20, 30), OffsetRange(B, 0, 5)),
        routed_part(2, OffsetRange(A, 0, 10), OffsetRange(B, 8, 9)),
    ]
    ranges = tuple(r for p in crossing for r in p.ranges)
    evidence = RouteEvidence({A: 0, B: 0}, {A: 30, B: 9}, {A: 30, B: 9}, ranges)
    decision = commit(evidence, *crossing, own=Coverage().starting({A: 0, B: 0}))
    assert sorted(landed(decision)) == [1, 2]
    assert decision.coverage.ranges == [OffsetRange(A, 0, 30), OffsetRange(B, 0, 9)]


def test_the_dead_letter_table_waits_for_no_letters_and_is_not_filled() -> None:
    letters = replace(
        routed_part(1, OffsetRange(A, 10, 20)), result=routed_part(1, OffsetRange(A, 10, 20), target="*").result
    )
    standing = TableStanding("uuid-1", Ledger("inst", "p", "c", 0, "cfg", Coverage()))
    decision = decide([letters], standing, {}, lambda _: Coverage())
    assert decision.coverage.ranges == list(letters.ranges)


def test_a_routed_table_lacks_what_it_owes_and_nothing_else() -> None:
    own = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0).owing([OffsetRange(A, 20, 40)])
    evidence = replace(known(60, 50, OffsetRange(A, 70, 80)), frontiers={A: 90})
    coverage = evidence.as_planned(own, 0)
    way = [OffsetRange(A, 30, 40), OffsetRange(A, 70, 80)]
    assert lacking(coverage, way, {A: 0}, {A: 90}, lambda _: True) == [OffsetRange(A, 20, 30)]


def test_assigned_dead_letters_before_the_start_are_the_table_s_once_they_have_landed() -> None:
    """Batches of backfills left them without a table: whose dead letters are on their way, nothing is decided of it."""
    evidence = replace(known(20), starts={A: 10}, letters=(OffsetRange(A, 2, 4),))
    own = Coverage().starting({A: 10}).requesting([OffsetRange(A, 6, 7)], {A: 10})
    letters = [OffsetRange(A, 1, 3), OffsetRange(A, 6, 8), OffsetRange(A, 12, 13)]
    covered = evidence.assigned(own, 0, letters)
    assert covered.data.ranges == [OffsetRange(A, 1, 2), OffsetRange(A, 7, 8), OffsetRange(A, 10, 20)]


# What a rollback leaves.


def test_a_rollback_keeps_what_was_only_filled_and_owes_what_it_removed() -> None:
    at = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    one = commit(known(50, None, OffsetRange(A, 20, 30)), routed_part(3, OffsetRange(A, 20, 30)), own=at)
    two = commit(known(90, None, OffsetRange(A, 60, 70)), routed_part(7, OffsetRange(A, 60, 70)), own=one.coverage)
    versions = [OwnVersion(d.coverage, tuple(b.range for b in d.books)) for d in (one, two)]
    filled = filled_since(at, versions)
    assert filled == [OffsetRange(A, 10, 20), OffsetRange(A, 30, 60), OffsetRange(A, 70, 90)]
    head = Ledger("inst", "p", "c", 0, "cfg", two.coverage)
    after = rolled_back(head, replace(head, coverage=at), RECOMMIT, "c2", filled=filled).coverage
    assert after.owed == [OffsetRange(A, 20, 30), OffsetRange(A, 60, 70)]
    assert [(r.start, r.end) for r in after.ranges] == [(0, 10), (10, 20), (30, 60), (70, 90)]
    assert after[A].prefix_end == 20


def test_if_a_summary_is_gone_all_that_a_rollback_removes_is_owed() -> None:
    at = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    now = commit(known(50, None, OffsetRange(A, 20, 30)), routed_part(3, OffsetRange(A, 20, 30)), own=at)
    head = Ledger("inst", "p", "c", 0, "cfg", now.coverage)
    after = rolled_back(head, replace(head, coverage=at), RECOMMIT, "c2", filled=()).coverage
    assert after.owed == [OffsetRange(A, 10, 50)]


def test_what_was_owed_before_a_rollback_still_is() -> None:
    at = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    head = at.adding(booked(OffsetRange(A, 20, 30)), {}, 0).owing([OffsetRange(A, 10, 20)])
    ledger = Ledger("inst", "p", "c", 1, "cfg", head)
    after = rolled_back(ledger, replace(ledger, coverage=at), RECOMMIT, "c2", filled=()).coverage
    assert after.owed == [OffsetRange(A, 10, 30)]


def test_mode_skip_leaves_out_what_was_shown_and_owes_what_came_since() -> None:
    at = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    shown = at.adding(booked(OffsetRange(A, 20, 30)), {}, 0).adding(booked(OffsetRange(A, 10, 20)), {}, 0)
    head = Ledger("inst", "p", "c", 0, "cfg", shown.adding(booked(OffsetRange(A, 30, 40)), {}, 0))
    record = replace(RECOMMIT, mode=Mode.SKIP)
    after = rolled_back(head, replace(head, coverage=at), record, "c2", shown, [OffsetRange(A, 10, 20)]).coverage
    assert [r for r, _ in after.gaps] == [OffsetRange(A, 20, 30)]
    assert after.has_records(OffsetRange(A, 10, 20))
    assert after.owed == [OffsetRange(A, 30, 40)]


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY, Mode.SKIP])
def test_a_table_that_is_not_routed_owes_nothing(mode: Mode) -> None:
    at = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    head = Ledger("inst", "p", "c", 0, "cfg", at.adding(booked(OffsetRange(A, 10, 20)), {}, 0))
    assert rolled_back(head, replace(head, coverage=at), replace(RECOMMIT, mode=mode), "c2").coverage.owed == []


# Any order of events.


@dataclass
class Lane:
    """A live lane of one source, as the log has it. A batch has offsets of the table if *rows* says so."""

    edges: list[int]
    rows: list[bool]
    letters: list[bool]
    closed: list[bool] = field(init=False)
    landed: list[bool] = field(init=False)
    staged: set[int] = field(default_factory=set)
    committed: set[int] = field(default_factory=set)
    generation: int = 0

    def __post_init__(self) -> None:
        self.closed = [False] * len(self.rows)
        self.landed = [not letters for letters in self.letters]

    def range(self, n: int) -> OffsetRange:
        return OffsetRange(A, self.edges[n], self.edges[n + 1])

    @property
    def evidence(self) -> RouteEvidence:
        numbers = range(len(self.rows))
        frontier = self.edges[-1]
        closed_to = min((self.edges[n] for n in numbers if not self.closed[n]), default=frontier)
        letters_to = min((self.edges[n] for n in numbers if self.closed[n] and not self.landed[n]), default=frontier)
        opened = tuple(self.range(n) for n in numbers if self.closed[n] and self.rows[n] and n not in self.committed)
        return RouteEvidence({A: 0}, {A: closed_to}, {A: letters_to}, opened)

    @property
    def parts(self) -> list[StagedPart]:
        return [routed_part(n, self.range(n), generation=self.generation) for n in sorted(self.staged)]


@settings(max_examples=150)
@given(
    cuts=st.lists(st.integers(1, 99), unique=True, min_size=2, max_size=9).map(sorted),
    of_batch=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=10, max_size=10),
    steps=st.lists(
        st.tuples(
            st.sampled_from(["close", "stage", "letters", "commit", "lost answer", "rollback"]), st.integers(0, 9)
        ),
        max_size=40,
    ),
)
def test_whatever_happens_in_whatever_order_no_record_is_taken_for_one_that_does_not_exist(
    cuts: list[int], of_batch: list[tuple[bool, bool]], steps: list[tuple[str, int]]
) -> None:
    edges = [0, *cuts, 100]
    count = len(edges) - 1
    lane = Lane(edges, [has for has, _ in of_batch[:count]], [has for _, has in of_batch[:count]])
    ledger = Ledger("inst", "p", "c", 0, "cfg", Coverage().starting({A: 0}))
    past: list[tuple[Ledger, OwnVersion | None, set[int]]] = [(ledger, None, set())]
    rows: set[int] = set()
    for step, n in [
        *steps,
        *((kind, n) for kind in ("close", "stage", "letters") for n in range(count)),
        ("commit", 0),
    ]:
        if step == "close" and n < count:
            lane.closed[n] = True
        elif step == "stage" and n < count and lane.closed[n] and lane.rows[n] and n not in lane.committed:
            lane.staged.add(n)
        elif step == "letters" and n < count and lane.closed[n]:
            lane.landed[n] = True
        elif step in {"commit", "lost answer"}:
            decision = decide(lane.parts, TableStanding("uuid-1", ledger), {A: 0}, lambda _: Coverage(), lane.evidence)
            assert not (decision.refused)
            assert not (decision.again)
            assert not (decision.rewrite)
            mine = {p.sequence for p in decision.append}
            assert not mine & rows, "a part lands twice"
            if mine:
                rows |= mine
                ledger = replace(ledger, coverage=decision.coverage)
                past.append((ledger, OwnVersion(ledger.coverage, tuple(b.range for b in decision.books)), set(rows)))
            if step == "commit":
                done = mine | {p.sequence for p in decision.mark}
                lane.staged -= done
                lane.committed |= done
        elif step == "rollback" and len(past) > 1 and lane.generation < 3:
            to = n % (len(past) - 1)
            at = past[to][0]
            filled = filled_since(at.coverage, [v for _, v, _ in past[to + 1 :] if v])
            ledger = rolled_back(ledger, at, RECOMMIT, "c", filled=filled)
            rows = set(past[to][2])
            past = [*past[: to + 1], (ledger, OwnVersion(ledger.coverage, ()), set(rows))]
            # The log follows: what it took for committed, and is not in the table, is staged again.
            lane.generation += 1
            gone = {m for m in lane.committed | lane.staged if m not in rows}
            lane.committed = {m for m in lane.committed | lane.staged if m in rows}
            lane.staged = gone
        covered = ledger.coverage
        for m in range(count):
            r = lane.range(m)
            if covered.touches(r):
                assert covered.contains(r)
                assert lane.closed[m]
                assert lane.landed[m]
                assert not lane.rows[m] or m in rows, "a record of the table is taken for one that does not exist"
        assert not any(covered.touches(r) for r in covered.owed)
        if not lane.generation:
            assert covered[A].prefix_end == offsets_in(covered.ranges), "coverage is a prefix"
    assert rows == {n for n in range(count) if lane.rows[n]}
    if any(lane.rows):
        assert ledger.coverage[A].prefix_end == 100
        assert not ledger.coverage.owed
