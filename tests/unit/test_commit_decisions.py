from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.ingest.commit_decision import TableStanding, decide, due_in_s
from lakelock.model.batches import Books, DataFile, PartResult, StagedPart, TableIdentity, covered_range
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source

A, B = Source("t", "id", 0), Source("t", "id", 1)
HERE = TableIdentity("uuid-1", 0, "layout 3")


def part(
    n: int,
    *ranges: OffsetRange,
    identity: TableIdentity = HERE,
    dead: int = 0,
    table: str = "db.t",
    target: str = "",
) -> StagedPart:
    books = tuple(Books(r, r.offsets, r.offsets - dead, dead) for r in ranges)
    result = PartResult(table, identity, (DataFile(f"f{n}", 1, 1, b"{}"),), books, target)
    return StagedPart(f"batch-{n}", n, "live", f"attempt-{n}", "cfg", datetime.now(UTC), 0.0, result)


def standing(coverage: Coverage | None = None, generation: int = 0) -> TableStanding:
    ledger = Ledger("inst", "p", "c", generation, "cfg", coverage or Coverage().starting({A: 0, B: 0}))
    return TableStanding("uuid-1", ledger, {"layout 2": "a column was dropped"})


def no_dead_letters(_: StagedPart) -> Coverage:
    return Coverage()


def test_parts_that_follow_each_other_land_in_one_commit() -> None:
    parts = [part(2, OffsetRange(A, 10, 20)), part(1, OffsetRange(A, 0, 10), OffsetRange(B, 0, 5))]
    decision = decide(parts, standing(), {}, no_dead_letters)
    assert [p.sequence for p in decision.append] == [1, 2]
    assert decision.coverage.contains(OffsetRange(A, 0, 20))
    assert [f.path for f in decision.files] == ["f1", "f2"]


def test_a_part_the_table_holds_is_only_marked() -> None:
    covered = Coverage().starting({A: 0, B: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    decision = decide(
        [part(1, OffsetRange(A, 0, 10)), part(2, OffsetRange(A, 10, 20))], standing(covered), {}, no_dead_letters
    )
    assert [p.sequence for p in decision.mark] == [1]
    assert [p.sequence for p in decision.append] == [2]


def test_the_same_ranges_staged_twice_land_once() -> None:
    decision = decide([part(1, OffsetRange(A, 0, 10)), part(2, OffsetRange(A, 0, 10))], standing(), {}, no_dead_letters)
    assert [p.sequence for p in decision.append] == [1]
    assert (decision.mark, [p.sequence for p, _ in decision.waiting]) == ((), [2]), "the first may be refused"
    again = decide([part(2, OffsetRange(A, 0, 10))], standing(decision.coverage), {}, no_dead_letters)
    assert [p.sequence for p in again.mark] == [2]


def test_a_part_behind_a_gap_waits_and_so_does_everything_after_it() -> None:
    parts = [part(2, OffsetRange(A, 10, 20)), part(3, OffsetRange(A, 20, 30)), part(4, OffsetRange(B, 0, 5))]
    decision = decide(parts, standing(), {}, no_dead_letters)
    assert [p.sequence for p, _ in decision.waiting] == [2, 3]
    assert "[0, 10) comes first" in decision.waiting[0][1]
    assert [p.sequence for p in decision.append] == [4]


def test_what_a_backfill_brings_lands_wherever_it_lies_and_nothing_waits_for_it() -> None:
    covered = Coverage().starting({A: 10}).adding(booked(OffsetRange(A, 10, 20)), {}, 0)
    requested = standing(covered.requesting([OffsetRange(A, 0, 5)], {}))
    tail, backfill = part(1, OffsetRange(A, 20, 30)), part(2, OffsetRange(A, 0, 5))
    assert [p.sequence for p in decide([tail], requested, {}, no_dead_letters).append] == [1]
    both = decide([tail, backfill], requested, {}, no_dead_letters)
    assert [p.sequence for p in both.append] == [1, 2]
    assert (both.coverage[A].requested, both.coverage[A].prefix_end) == ((), 30)


def test_what_the_table_has_as_a_gap_is_not_in_it() -> None:
    left_out = SourceCoverage(0, (Interval(0, 10), Interval(10, 20, 1, Kind.SKIPPED)))
    decision = decide([part(1, OffsetRange(A, 5, 15))], standing(Coverage({A: left_out})), {}, no_dead_letters)
    assert (decision.append, decision.mark) == ((), ())
    assert [(p.sequence, again) for p, _, again in decision.again] == [(1, ())]


def test_a_partial_overlap_is_never_committed_and_what_is_missing_is_reported() -> None:
    covered = Coverage().starting({A: 0}).adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    decision = decide([part(1, OffsetRange(A, 5, 15))], standing(covered), {}, no_dead_letters)
    assert not decision.append
    assert [(p.sequence, gaps) for p, _, gaps in decision.again] == [(1, (OffsetRange(A, 10, 15),))]


def test_dead_letters_that_are_in_only_in_part_are_written_again_with_their_rows() -> None:
    covered = Coverage().adding(booked(covered_range(OffsetRange(A, 0, 10), "n.t")), {}, 0)
    dead_letters = part(1, OffsetRange(A, 5, 15), target="n.t")
    decision = decide([dead_letters], standing(covered), {}, no_dead_letters)
    assert not decision.append
    assert [p.sequence for p, _ in decision.rewrite] == [1]


def test_dead_letters_of_a_layout_that_no_longer_fits_are_written_again_with_their_rows() -> None:
    older = part(1, OffsetRange(A, 5, 15), target="n.t", identity=replace(HERE, layout="layout 2"))
    decision = decide([older], standing(), {}, no_dead_letters)
    assert not decision.append
    assert [p.sequence for p, _ in decision.rewrite] == [1]


def test_files_of_another_table_generation_or_layout_that_does_not_fit_do_not_land() -> None:
    other = [
        part(1, OffsetRange(A, 0, 10), identity=replace(HERE, uuid="uuid-2")),
        part(2, OffsetRange(A, 0, 10)),
        part(3, OffsetRange(A, 0, 10), identity=replace(HERE, generation=1, layout="layout 2")),
        part(4, OffsetRange(A, 0, 10), identity=replace(HERE, generation=2)),
    ]
    decision = decide(other, standing(generation=1), {}, no_dead_letters)
    assert not decision.append
    assert [p.sequence for p in decision.replaced] == [1]
    assert [p.sequence for p, _ in decision.refused] == [4], "the table went back to an older metadata file"
    assert [p.sequence for p, _ in decision.rewrite] == [2, 3]
    assert decision.rewrite[1][1] == "a column was dropped"


def test_files_of_an_earlier_layout_that_fits_still_land() -> None:
    earlier = part(1, OffsetRange(A, 0, 10), identity=replace(HERE, layout="layout 1"))
    assert decide([earlier], standing(), {}, no_dead_letters).append == (earlier,)


def test_a_part_waits_until_its_own_tables_dead_letters_landed() -> None:
    waiting = [part(1, OffsetRange(A, 0, 10), dead=2)]
    assert decide(waiting, standing(), {}, no_dead_letters).waiting
    of_another_table = Coverage().adding(booked(covered_range(OffsetRange(A, 0, 10), "db.other")), {}, 0)
    assert decide(waiting, standing(), {}, lambda _: of_another_table).waiting
    landed = Coverage().adding(booked(covered_range(OffsetRange(A, 0, 10), "db.t")), {}, 0)
    assert [p.sequence for p in decide(waiting, standing(), {}, lambda _: landed).append] == [1]


def test_dead_letters_keep_no_order_and_count_once_per_target_table() -> None:
    dead_letters = [
        replace(p, result=replace(p.result, target=target))
        for p, target in [(part(1, OffsetRange(A, 40, 50)), "db.t"), (part(2, OffsetRange(A, 40, 50)), "db.u"),
                          (part(3, OffsetRange(A, 0, 10)), "db.t"), (part(4, OffsetRange(A, 40, 50)), "db.t")]
    ]  # fmt: skip
    decision = decide(dead_letters, standing(Coverage()), {}, no_dead_letters)
    assert [p.sequence for p in decision.append] == [1, 2, 3]
    assert [p.sequence for p, _ in decision.waiting] == [4]


def test_a_new_partition_begins_at_its_declared_start_not_at_the_first_part_that_shows_up() -> None:
    late = [part(5, OffsetRange(B, 10, 20))]
    assert decide(late, standing(Coverage()), {B: 0}, no_dead_letters).waiting
    assert decide([part(4, OffsetRange(B, 0, 10)), *late], standing(Coverage()), {B: 0}, no_dead_letters).append


@settings(max_examples=300)
@given(
    cuts=st.lists(st.integers(1, 99), unique=True, max_size=9).map(sorted),
    rounds=st.lists(st.tuples(st.lists(st.integers(0, 9), max_size=6), st.booleans()), min_size=1, max_size=8),
)
def test_whatever_is_offered_in_whatever_order_each_offset_lands_once_and_as_a_prefix(
    cuts: list[int], rounds: list[tuple[list[int], bool]]
) -> None:
    """Rounds of commits see any subset of parts; a round may lose its answer, so its parts are offered again."""
    edges = [0, *cuts, 100]
    parts = [part(n, OffsetRange(A, a, b)) for n, (a, b) in enumerate(itertools.pairwise(edges))]
    coverage, rows, marked = Coverage().starting({A: 0}), [], set()
    for offered, lost_answer in [*rounds, (list(range(len(parts))), False)]:
        seen = [parts[i] for i in offered if i < len(parts) and i not in marked]
        decision = decide(seen, standing(coverage), {}, no_dead_letters)
        assert not decision.refused
        coverage = decision.coverage
        rows += [o for p in decision.append for r in p.ranges for o in range(r.start, r.end)]
        assert rows == list(range(len(rows)))
        if not lost_answer:
            marked |= {p.sequence for p in (*decision.append, *decision.mark)}
    assert rows == list(range(100))
    assert marked == set(range(len(parts)))


def test_offsets_without_rows_wait_longer_than_rows() -> None:
    assert due_in_s(0, 20, True, 1 << 20, 60, False) == 40
    assert due_in_s(0, 61, True, 1 << 20, 60, False) == 0
    assert due_in_s(0, 61, False, 1 << 20, 60, False) == 239
    assert due_in_s(0, 301, False, 1 << 20, 60, False) == 0
    assert due_in_s(1 << 20, 0, True, 1 << 20, 60, False) == 0
    assert due_in_s(0, 0, False, 1 << 20, 60, True) == 0


def test_parts_that_wait_for_nothing_but_each_other_land_together() -> None:
    """What is read again holds the beginning of one source and the end of another; so does what was staged before."""
    crossing = [
        part(1, OffsetRange(A, 10, 20), OffsetRange(B, 0, 5)),
        part(2, OffsetRange(A, 0, 10), OffsetRange(B, 5, 9)),
        part(3, OffsetRange(B, 20, 30)),
    ]
    decision = decide(crossing, standing(), {}, no_dead_letters)
    assert sorted(p.sequence for p in decision.append) == [1, 2]
    assert [p.sequence for p, _ in decision.waiting] == [3]
    assert decision.hole is not None
    assert decision.coverage.contains(OffsetRange(A, 0, 20))


def test_parts_that_wait_for_each_other_do_not_close_over_a_hole() -> None:
    crossing = [
        part(1, OffsetRange(A, 10, 20), OffsetRange(B, 0, 5)),
        part(2, OffsetRange(A, 1, 10), OffsetRange(B, 5, 9)),
    ]
    assert not decide(crossing, standing(), {}, no_dead_letters).append
