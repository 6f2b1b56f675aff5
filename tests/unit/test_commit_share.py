"""Commit tasks share routed tables: each table is some task's own, and none waits for a task that does not run."""

from __future__ import annotations

from functools import partial

from lakelock.ingest import commit_share
from lakelock.ingest.commit_share import HELP_AFTER_S, HELP_AT_ONCE, CommitShare
from lakelock.model.log_state import StagedTable

TABLES = [f"lake.t{n}" for n in range(1000)]
MAX_LATENCY_S = 60.0
to_commit = partial(commit_share.to_commit, min_bytes=100, max_latency_s=MAX_LATENCY_S)


def _staged(size_bytes: int = 100, age_s: float = 1.0, *, is_first: bool = False) -> StagedTable:
    return StagedTable(age_s, size_bytes, True, is_first, True)


def test_each_table_is_in_one_share_and_shares_are_about_equal() -> None:
    staged = dict.fromkeys(TABLES, _staged())
    shares = [to_commit(staged, CommitShare(n, 4)) for n in range(4)]
    assert sorted(t for share in shares for t in share) == sorted(TABLES)
    assert all(200 < len(share) < 300 for share in shares)


def test_the_share_of_a_table_does_not_depend_on_the_others() -> None:
    whole = to_commit(dict.fromkeys(TABLES, _staged()), CommitShare(1, 4))
    half = to_commit(dict.fromkeys(TABLES[::2], _staged()), CommitShare(1, 4))
    assert set(half) == set(whole) & set(TABLES[::2])


def test_the_largest_come_first() -> None:
    staged = {"lake.a": _staged(100), "lake.b": _staged(300), "lake.c": _staged(200)}
    assert to_commit(staged, CommitShare()) == ["lake.b", "lake.c", "lake.a"]


def test_tables_that_are_not_due_are_left_out() -> None:
    staged = {
        "lake.small": _staged(99),
        "lake.late": _staged(99, age_s=60.0),
        "lake.first": _staged(1, is_first=True),
        "lake.asked": _staged(1),
    }
    chosen = to_commit(staged, CommitShare(), now=lambda table: table == "lake.asked")
    assert set(chosen) == {"lake.late", "lake.first", "lake.asked"}


def test_tables_of_others_are_committed_once_they_wait_for_longer() -> None:
    mine, other = CommitShare(0, 2), CommitShare(1, 2)
    fresh = dict.fromkeys(TABLES, _staged(age_s=HELP_AFTER_S - 0.1))
    own = to_commit(fresh, mine)
    waiting = {t: _staged(100 + n, age_s=HELP_AFTER_S) for n, t in enumerate(TABLES)}
    chosen = to_commit(waiting, mine)
    assert set(chosen[: len(own)]) == set(own)
    # Its own task comes from the other end.
    theirs = [t for t in to_commit(waiting, other) if other.distance(t) == 0]
    assert chosen[len(own) :] == theirs[::-1][:HELP_AT_ONCE], "the rest may be committed by then"
    further = to_commit(waiting, mine, passed_over=chosen)
    assert further == theirs[::-1][HELP_AT_ONCE : 2 * HELP_AT_ONCE]


def test_a_table_that_was_due_for_long_by_age_alone_is_helped_with() -> None:
    age_s = MAX_LATENCY_S
    just_due, overdue = _staged(1, age_s=age_s), _staged(1, age_s=age_s + HELP_AFTER_S)
    (table,) = [t for t in TABLES[:2] if CommitShare(0, 2).distance(t) == 1][:1]
    assert to_commit({table: just_due}, CommitShare(0, 2)) == []
    assert to_commit({table: overdue}, CommitShare(0, 2)) == [table]


def test_helpers_begin_with_different_shares() -> None:
    staged = dict.fromkeys(TABLES, _staged(age_s=HELP_AFTER_S))
    firsts = []
    for n in range(4):
        chosen = to_commit(staged, CommitShare(n, 4))
        firsts.append(next(t for t in chosen if CommitShare(n, 4).distance(t)))
    assert [CommitShare(n, 4).distance(t) for n, t in enumerate(firsts)] == [1, 1, 1, 1]


def test_a_table_whose_rollback_is_not_settled_is_looked_at() -> None:
    assert to_commit({}, CommitShare(), unsettled=["lake.a"]) == ["lake.a"]
    staged = {"lake.a": _staged(), "lake.b": _staged(200)}
    assert to_commit(staged, CommitShare(), unsettled=["lake.a"]) == ["lake.b", "lake.a"]
