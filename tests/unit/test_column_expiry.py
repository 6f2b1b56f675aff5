"""Which earlier columns a table's metadata may forget: never what a reader, a staged file or `evolve` needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.versions import ColumnSet, KeptVersion, Lineage
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.expiry_decision import ExpiryLimits, unneeded_columns

NOW = 1_000
LIMITS = ExpiryLimits(100)
# Of the snapshots, 1 is older than the age; 2 is not.
LINEAGE = Lineage((KeptVersion(2, 950), KeptVersion(1, 800)))


def with_columns(number: int, columns: str, *versions: int, **more: bool) -> ColumnSet:
    """*columns* like `a1 b2`: a name and its identity."""
    found = frozenset(((name[0],), int(name[1:])) for name in columns.split())
    return ColumnSet(number, found, frozenset(versions), **more)


def gone(*sets: ColumnSet, lineage: Lineage = LINEAGE, expired: Sequence[int] = ()) -> list[int]:
    return unneeded_columns(sets, lineage, expired, LIMITS, NOW)


GROWING = tuple(with_columns(n, " ".join(f"{c}{i}" for i, c in enumerate("abcdefgh"[: n + 1]))) for n in range(6))
CURRENT = replace(GROWING[5], is_current=True, versions=frozenset({1, 2}))


def test_earlier_columns_go_that_are_all_among_the_current_ones() -> None:
    assert gone(*GROWING[:5], CURRENT) == [0, 1, 2, 3, 4]


def test_the_current_ones_stay_even_if_later_ones_were_made() -> None:
    """Another engine can set earlier columns again. The highest number stays too, or the next ones would get it again."""
    current = replace(GROWING[1], is_current=True)
    later = replace(GROWING[5], columns=current.columns, versions=frozenset({1}))
    assert gone(GROWING[0], current, with_columns(3, "a0"), later, expired=[1]) == [0, 3]


def test_columns_that_a_snapshot_is_read_with_stay_until_it_expires() -> None:
    sets = (GROWING[0], replace(GROWING[1], versions=frozenset({3})), *GROWING[2:5], CURRENT)
    lineage = replace(LINEAGE, aside=(KeptVersion(3, 700),))
    assert gone(*sets, lineage=lineage) == [0, 2, 3, 4]
    assert gone(*sets, lineage=lineage, expired=[3]) == [0, 1, 2, 3, 4]


def test_columns_that_staged_files_were_written_for_stay() -> None:
    assert gone(GROWING[0], replace(GROWING[1], is_staged=True), *GROWING[2:5], CURRENT) == [0, 2, 3, 4]


def test_columns_stay_that_the_table_had_within_the_age() -> None:
    """The log of another installation may have staged files for them."""
    since = replace(GROWING[2], versions=frozenset({1}))
    current = replace(CURRENT, versions=frozenset({2}))
    assert gone(*GROWING[:2], since, *GROWING[3:5], current) == [0, 1]
    assert gone(*GROWING[:5], current) == [], "no snapshot is that old"
    slower = replace(LINEAGE, min_age_ms=500)
    assert gone(*GROWING[:5], CURRENT, lineage=slower) == [], "the branch's own retention holds"


def test_the_newest_columns_with_a_name_that_was_dropped_stay() -> None:
    current = with_columns(4, "a1 d4", 1, is_current=True)
    sets = (with_columns(0, "a1 b2"), with_columns(1, "a1 b2 c3"), with_columns(2, "a1 c3"), with_columns(3, "a1"))
    assert gone(*sets, current) == [0, 3], "1 is the last with b, 2 the last with c"


def test_the_newest_columns_with_the_old_name_of_a_column_stay() -> None:
    current = with_columns(3, "z1 b2", 1, is_current=True)
    assert gone(with_columns(0, "a1"), with_columns(1, "a1 b2"), with_columns(2, "z1 b2"), current) == [0, 2]


def test_a_name_that_another_column_had_later_is_known_for_both() -> None:
    current = with_columns(4, "b1", 1, is_current=True)
    sets = (with_columns(0, "a1"), with_columns(1, "b1"), with_columns(2, "b1 a2"), with_columns(3, "b1"))
    assert gone(*sets, current) == [1, 3]


def test_it_is_known_that_a_column_was_there_before_it_was_dropped_and_came_back() -> None:
    """A file for 1 has no b: its rows would lack values that the table had all along."""
    staged = with_columns(1, "a1", is_staged=True)
    current = with_columns(2, "a1 b2 c3", 1, is_current=True)
    assert gone(with_columns(0, "a1 b2"), staged, current) == []
    assert gone(with_columns(0, "a1"), staged, current) == [0], "b is new"


SETS = st.lists(
    st.tuples(
        st.sets(st.sampled_from(["a1", "a2", "b1", "b3", "c3", "d4"])), st.booleans(), st.sets(st.integers(1, 4))
    ),
    min_size=1,
    max_size=8,
)


@given(SETS, st.data(), st.sets(st.integers(1, 4)))
def test_nothing_that_was_known_is_forgotten(
    drawn: list[tuple[set[str], bool, set[int]]], data: st.DataObject, expired: set[int]
) -> None:
    current = data.draw(st.integers(0, len(drawn) - 1))
    sets = [
        with_columns(n, " ".join(c), *versions, is_current=n == current, is_staged=staged)
        for n, (c, staged, versions) in enumerate(drawn)
    ]
    lineage = Lineage(tuple(KeptVersion(i, 500 + 150 * i) for i in (4, 3, 2, 1)))
    out = gone(*sets, lineage=lineage, expired=sorted(expired))
    left = [s for s in sets if s.number not in out]
    assert frozenset().union(*(s.columns for s in left)) == frozenset().union(*(s.columns for s in sets))
    assert max(s.number for s in left) == max(s.number for s in sets)
    assert all(not s.is_current and not s.is_staged and s.versions <= expired for s in sets if s.number in out)

    def had(among: Sequence[ColumnSet], number: int) -> set[int]:
        return {i for s in among if s.number < number for _, i in s.columns}

    now = {i for _, i in sets[current].columns}
    for one in left:
        lacking = now - {i for _, i in one.columns}
        assert had(left, one.number) & lacking == had(sets, one.number) & lacking


def test_the_line_says_how_many_go() -> None:
    line = ExpiryOutcome("n.t", column_sets=(1, 2), kept_column_sets=3).line
    assert line == "n.t: no snapshot to expire; 2 of 5 schemas"
    line = ExpiryOutcome("n.t", (KeptVersion(7, 1000),), column_sets=(1,), kept_column_sets=3).line
    assert line.endswith("0 files; 1 of 4 schemas"), line
    assert ExpiryOutcome("n.t", kept_column_sets=3).nothing
