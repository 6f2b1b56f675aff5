"""How ranges are cut into slices, and where a batch may end that was not read to its end."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from lakelock.ingest.slicing import earlier_ends, slices
from lakelock.model.offsets import OffsetRange, Source, united


def source(n: int) -> Source:
    return Source("t", "id", n)


def r(n: int, start: int, end: int) -> OffsetRange:
    return OffsetRange(source(n), start, end)


@given(st.lists(st.integers(1, 5_000), min_size=1, max_size=20), st.integers(1, 8), st.integers(1, 500))
def test_slices_tile_the_ranges_exactly_and_are_few_and_even(sizes: list[int], parallelism: int, least: int) -> None:
    ranges = [OffsetRange(source(n), 10, 10 + size) for n, size in enumerate(sizes)]
    cut = slices(ranges, parallelism, least)
    assert 1 <= len(cut) <= parallelism
    tiles: dict[Source, list[tuple[int, int]]] = {}
    for piece in cut:
        for r in piece:
            tiles.setdefault(r.source, []).append((r.start, r.end))
    for r in ranges:
        pieces = sorted(tiles[r.source])
        assert pieces[0][0] == r.start
        assert pieces[-1][1] == r.end
        assert all(a[1] == b[0] for a, b in itertools.pairwise(pieces))
    even = -(-sum(sizes) // len(cut))
    assert max(sum(r.offsets for r in piece) for piece in cut) <= even + least // 20 + len(cut)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 900)), min_size=1, max_size=12), st.integers(1, 4))
def test_a_slice_has_one_range_of_a_source(drawn: list[tuple[int, int]], parallelism: int) -> None:
    """As those have that a job left: of one partition several."""
    ranges = [r(n, 1_000 * at, 1_000 * at + size) for at, (n, size) in enumerate(drawn)]
    cut = slices(ranges, parallelism, 100)
    assert all(len({x.source for x in piece}) == len(piece) for piece in cut)
    assert united(x for piece in cut for x in piece) == united(ranges)


def test_a_batch_ends_before_tails_alone() -> None:
    planned = [r(0, 10, 20), r(1, 0, 5)]
    assert earlier_ends(planned, [r(0, 15, 20)]) == {source(0): 15}
    assert earlier_ends(planned, [r(0, 12, 15), r(0, 15, 20), r(1, 4, 5)]) == {source(0): 12, source(1): 4}


def test_a_batch_ends_at_no_hole_and_keeps_something_of_each_range() -> None:
    planned = [r(0, 10, 20), r(1, 0, 5)]
    assert earlier_ends(planned, [r(0, 12, 15), r(1, 4, 5)]) == {}
    assert earlier_ends(planned, [r(0, 10, 12)]) == {}
    assert earlier_ends(planned, [r(0, 15, 20), r(1, 0, 5)]) == {}
    assert earlier_ends(planned, []) == {}


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4))
def test_it_is_a_tail_that_may_be_left_and_nothing_else(drawn: list[tuple[int, int, int]]) -> None:
    """Of each range `[0, size)` a stretch is unread."""
    left = {n: (size, a, min(b, size)) for n, (size, a, b) in enumerate(drawn) if a < min(b, size)}
    tails = {source(n): a for n, (size, a, b) in left.items() if a > 0 and b == size}
    ends = earlier_ends(
        [r(n, 0, size) for n, (size, _, _) in enumerate(drawn)], [r(n, a, b) for n, (_, a, b) in left.items()]
    )
    assert ends == (tails if len(tails) == len(left) else {})
