from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.versions import KeptVersion
from lakelock.ports import Stranded
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.expiry_decision import Past, expirable, reach


def appends(n: int) -> list[Past]:
    """n appends, newest first, ids falling to 1."""
    return [Past(i, True) for i in range(n, 0, -1)]


def test_nothing_expires_until_the_history_is_a_tenth_longer() -> None:
    assert expirable(appends(110), 100, ()) == []
    assert expirable(appends(111), 100, ()) == list(range(1, 12))


def test_what_others_name_stays() -> None:
    assert expirable(appends(111), 100, {3, 4}) == [1, 2, *range(5, 12)]


def test_a_snapshot_that_removed_files_and_its_parent_stay_with_all_that_is_newer() -> None:
    history = [Past(p.id, p.id != 6) for p in appends(111)]
    assert expirable(history, 100, ()) == [1, 2, 3, 4]


def test_keeping_none_keeps_the_newest() -> None:
    assert expirable(appends(5), 0, ()) == [1, 2, 3, 4]


@given(
    st.lists(st.booleans(), max_size=60),
    st.integers(1, 40),
    st.sets(st.integers(1, 60)),
)
def test_expired_are_old_appends_nobody_names(kinds: list[bool], keep: int, protected: set[int]) -> None:
    history = [Past(len(kinds) - i, kind) for i, kind in enumerate(kinds)]
    gone = expirable(history, keep, protected)
    retained = [p for p in history if p.id not in gone]
    assert gone == sorted(gone)
    assert retained[: min(keep, len(history))] == history[:keep]
    assert not protected & set(gone)
    assert all(p.is_append for p in history if p.id in gone)
    # The child of whatever expires is an append as well: no reader loses the only name of a removed file.
    children = {b.id: a for a, b in pairwise(history)}
    assert all(children[i].is_append for i in gone)


def test_what_shows_the_rows_of_the_one_before_takes_no_place() -> None:
    assert reach([False] * 5, 3) == 3
    assert reach([True, False, True, True, False, False], 2) == 5
    assert reach([True, True], 2) == reach([False, True], 2) == 2, "all, where there are fewer"
    assert reach([True, False], 0) == 0


@given(st.lists(st.booleans(), max_size=60), st.integers(0, 70))
def test_so_many_others_are_kept_as_would_be_without_them(replaces: list[bool], keep: int) -> None:
    kept = reach(replaces, keep)
    others = replaces.count(False)
    assert replaces[:kept].count(False) == min(keep, others)
    assert kept >= min(keep, len(replaces)), "none goes that would stay if they counted"


@pytest.mark.parametrize(
    ("files", "deleted", "text"),
    [
        (Stranded(("a",)), None, ": 1 file"),
        (Stranded(("a", "b"), 2048), None, ": 2 files, at least 2.0 KiB"),
        (Stranded(("a", "b"), 2048), 1, ": 1 of 2 files deleted, at least 2.0 KiB"),
    ],
)
def test_sizes_are_shown_as_far_as_they_are_recorded(files: Stranded, deleted: int | None, text: str) -> None:
    line = ExpiryOutcome("n.t", (KeptVersion(7, 1000),), files=files, deleted=deleted).line
    assert line.startswith("n.t: 1 snapshot, the oldest of 1970-"), line
    assert line.endswith(text), line
