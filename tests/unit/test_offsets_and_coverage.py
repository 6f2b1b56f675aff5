from __future__ import annotations

import itertools
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.errors import LedgerUnreadable
from lakelock.model import coverage_text as codec
from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.joint_coverage import joined
from lakelock.model.offsets import OffsetRange, Source, merged, missing

A = Source("flights", "id-a", 0)
B = Source("flights", "id-a", 1)

intervals = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda t: (t[0], t[0] + t[1])), max_size=8)


@given(intervals, st.integers(0, 60), st.integers(1, 40))
def test_missing_is_the_set_difference(covered: list[tuple[int, int]], start: int, length: int) -> None:
    have = {o for a, b in covered for o in range(a, b)}
    lacking = {o for a, b in missing(start, start + length, covered) for o in range(a, b)}
    assert lacking == set(range(start, start + length)) - have


@given(intervals)
def test_merged_keeps_the_offsets_and_leaves_no_neighbours(covered: list[tuple[int, int]]) -> None:
    out = merged(covered)
    assert {o for a, b in out for o in range(a, b)} == {o for a, b in covered for o in range(a, b)}
    assert all(x[1] < y[0] for x, y in itertools.pairwise(out))


def test_a_range_is_never_empty_or_negative() -> None:
    for start, end in [(5, 5), (5, 4), (-1, 3)]:
        with pytest.raises(ValueError, match="not an offset range"):
            OffsetRange(A, start, end)


def test_coverage_says_contained_touched_and_where_its_prefix_ends() -> None:
    covered = Coverage({A: SourceCoverage(10)}).adding(booked(OffsetRange(A, 10, 20), OffsetRange(A, 30, 40)), {}, 0)
    assert covered.contains(OffsetRange(A, 12, 20))
    assert not covered.contains(OffsetRange(A, 12, 21))
    assert covered.touches(OffsetRange(A, 15, 25))
    assert not covered.touches(OffsetRange(A, 20, 30))
    assert not covered.touches(OffsetRange(B, 10, 20))
    assert covered[A].prefix_end == 20


def test_offsets_covered_already_cannot_be_added_again() -> None:
    covered = Coverage().adding(booked(OffsetRange(A, 0, 10)), {A: 0}, 0)
    with pytest.raises(ValueError, match="held already"):
        covered.adding(booked(OffsetRange(A, 9, 12)), {}, 0)


def test_a_source_that_appears_keeps_its_declared_start() -> None:
    covered = Coverage().adding(booked(OffsetRange(B, 7, 9)), {B: 3}, 0)
    assert covered[B].start_offset == 3
    assert covered[B].prefix_end == 3


@given(st.lists(st.tuples(st.sampled_from([A, B]), st.integers(1, 5)), max_size=12))
def test_what_is_added_for_one_source_leaves_all_others_as_they_were(steps: list[tuple[Source, int]]) -> None:
    """A source that a commit does not name is neither forgotten nor moved, and a commit that names none changes nothing."""
    covered, ends = Coverage().starting({A: 0, B: 0}), {A: 0, B: 0}
    for source, length in steps:
        covered = covered.adding((), {}, 0).adding(
            booked(OffsetRange(source, ends[source], ends[source] + length)), {}, 0
        )
        ends[source] += length
        assert {s: c.prefix_end for s, c in covered.items()} == ends


def test_neighbours_of_one_generation_become_one_interval_and_of_two_stay_two() -> None:
    covered = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0).adding(booked(OffsetRange(A, 10, 20)), {}, 0)
    assert covered[A].intervals == (Interval(0, 20, 0),)
    assert covered.adding(booked(OffsetRange(A, 20, 30)), {}, 1)[A].intervals == (
        Interval(0, 20, 0),
        Interval(20, 30, 1),
    )


def test_totals_add_up_what_became_of_the_records() -> None:
    covered = Coverage().adding([Books(OffsetRange(A, 0, 10), 9, 6, 2, 1), Books(OffsetRange(B, 0, 5), 5, 5)], {}, 0)
    covered = covered.adding([Books(OffsetRange(A, 10, 20), 10, 10)], {}, 1)
    assert covered[A].totals == Totals(16, 2, 1)
    assert covered[A].totals.read == 19
    assert covered[B].totals == Totals(5)


@given(
    st.dictionaries(
        st.builds(Source, st.just("t"), st.sampled_from(["x", "y"]), st.integers(0, 3)),
        st.tuples(
            st.integers(0, 9),
            st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2)), max_size=4),
            st.builds(Totals, *[st.sampled_from([0, 1, 10**12])] * 3),
        ),
        max_size=5,
    )
)
def test_encoded_coverage_reads_back_as_it_was(
    raw: dict[Source, tuple[int, list[tuple[int, int, int]], Totals]],
) -> None:
    sources = {}
    for source, (start, steps, totals) in raw.items():
        position, out = start, []
        for gap, length, generation in steps:
            kind = Kind.SKIPPED if generation == 2 else Kind.DATA
            out.append(Interval(position + gap, position + gap + length, generation, kind))
            position += gap + length
        sources[source] = SourceCoverage(start, tuple(out), totals)
    assert codec.decode(codec.encode(Coverage(sources))) == Coverage(sources)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"id":{"0":"0|0-5"}}', '{"id":{"topic":"t","0":"0|5-5"}}', '{"id":{"topic":"t","0":"0|0-5,3-8"}}',
     '{"id":{"topic":"t","0":"0|5-8,0-3"}}', '{"id":{"topic":"t","0":"0-5"}}', '{"id":{"topic":"t","0":"0|0-5|1,2,3,4"}}', '{"id":{"topic":"t","0":"0|0-5|-1"}}',
     '{"id":{"topic":"t","0":"0|0-5|1|2"}}', '{"id":{"topic":"t","x":"0|0-5"}}'],
)  # fmt: skip
def test_coverage_that_somebody_cut_or_garbled_is_refused(text: str) -> None:
    with pytest.raises(LedgerUnreadable, match="Nothing was changed") as refused:
        codec.decode(text)
    assert pickle.loads(pickle.dumps(refused.value)).args == refused.value.args


redriven_pairs = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), max_size=6)


@given(redriven_pairs, st.booleans(), st.integers(0, 2))
def test_what_was_redriven_reads_back_as_it_was(steps: list[tuple[int, int]], asks: bool, dead: int) -> None:
    pairs, position = [], 0
    for gap, length in steps:
        pairs.append((position + gap, position + gap + length))
        position += gap + length
    covered = SourceCoverage(
        0, (Interval(0, position + 1),), Totals(position, dead), ((90, 95),) if asks else (), tuple(pairs)
    )
    text = codec.encode(Coverage({A: covered}))
    codec._recent.clear()
    assert codec.decode(text) == Coverage({A: covered})
    assert codec.decode(text).redriven == [OffsetRange(A, a, b) for a, b in pairs]


@pytest.mark.parametrize(
    ("text", "requested", "redriven", "owed"),
    [
        ("0|0-5", (), (), ()),
        ("0|0-5|3,1", (), (), ()),
        ("0|0-5||8-9", ((8, 9),), (), ()),
        ("0|0-5|3||1-2,4-5", (), ((1, 2), (4, 5)), ()),
        ("0|0-5||||5-7,9-10", (), (), ((5, 7), (9, 10))),
    ],
)
def test_a_text_leaves_out_at_its_end_what_a_source_has_none_of(
    text: str, requested: object, redriven: object, owed: object
) -> None:
    whole = json.dumps({"id-a": {"topic": "flights", "0": text}}, separators=(",", ":"))
    codec._recent.clear()
    covered = codec.decode(whole)
    assert (covered[A].requested, covered[A].redriven, covered[A].owed) == (requested, redriven, owed)
    assert codec.encode(covered) == whole


@pytest.mark.parametrize(
    "text", ["0|0-5|1||7-8", "0|0-5|1||2-4,3-5", "0|0-5|1||3-4,1-2", "0|0-5@1s|1||2-3", "0|0-5|1|||"]
)
def test_offsets_that_cannot_have_been_redriven_are_refused(text: str) -> None:
    with pytest.raises(LedgerUnreadable):
        codec.decode(json.dumps({"id-a": {"topic": "flights", "0": text}}))


def test_what_is_added_or_joined_keeps_what_was_redriven() -> None:
    covered = Coverage({A: SourceCoverage(0, (Interval(0, 10),), Totals(9, 1), (), ((3, 5),))})
    assert covered.adding(booked(OffsetRange(A, 10, 20)), {}, 1)[A].redriven == ((3, 5),)
    assert covered.requesting([OffsetRange(A, 30, 40)], {})[A].redriven == ((3, 5),)
    assert covered.starting({B: 1})[A].redriven == ((3, 5),)
    assert covered.data[A].redriven == ((3, 5),)
    further = Coverage({A: SourceCoverage(0, (Interval(5, 20),), Totals(), (), ((6, 7), (12, 14)))})
    # Where both hold an offset, as the first has it.
    assert joined([covered, further])[A].redriven == ((3, 5), (12, 14))


def test_what_a_table_owes_goes_as_it_lands() -> None:
    covered = Coverage({A: SourceCoverage(0, (Interval(0, 10),))}).owing(
        [OffsetRange(A, 10, 20), OffsetRange(A, 20, 30)]
    )
    assert covered.owed == [OffsetRange(A, 10, 30)]
    assert covered[A].prefix_end == covered[A].end_offset == 10
    assert covered.adding(booked(OffsetRange(A, 12, 15)), {}, 1).owed == [
        OffsetRange(A, 10, 12),
        OffsetRange(A, 15, 30),
    ]
    assert covered.starting({B: 1}).owed == covered.data.owed == covered.owed
    elsewhere = Coverage({A: SourceCoverage(0, (Interval(25, 40),), owed=((5, 8), (40, 42)))})
    assert joined([covered, elsewhere]).owed == [OffsetRange(A, 10, 25), OffsetRange(A, 40, 42)]
    with pytest.raises(ValueError, match="is held"):
        covered.owing([OffsetRange(A, 9, 12)])


@pytest.mark.parametrize("text", ["0|0-5||||4-6", "0|0-5@1s||||2-3", "0|0-5||||7-9,8-10", "0|0-5||||"])
def test_offsets_that_cannot_be_owed_are_refused(text: str) -> None:
    with pytest.raises(LedgerUnreadable):
        codec.decode(json.dumps({"id-a": {"topic": "flights", "0": text}}))
