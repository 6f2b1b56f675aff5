"""Commit tasks that share routed tables: each table is committed once, whichever task meets it, and none waits for ever."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.routed_worlds import check, ledger_of, routed_world, send, write
from lakelock.errors import RunRefused, TableMissing
from lakelock.ingest.commit_share import HELP_AFTER_S, CommitShare
from lakelock.ingest.outcome import CommitOutcome

NUMBERS = range(1, 10)
TABLES = [f"ns.t{n}" for n in NUMBERS]
FIRST, SECOND = CommitShare(0, 2), CommitShare(1, 2)


@pytest.fixture
def world() -> MemoryWorld:
    made = routed_world()
    send(made, *NUMBERS)
    with made.open() as runtime:
        write(runtime)
    return made


def _landed(outcomes: list[CommitOutcome]) -> list[str]:
    """The routed tables; the dead-letter table names them, and is committed before them."""
    return [o.table for o in outcomes if o.version_id is not None and o.table != DEAD_LETTERS]


def test_two_tasks_commit_all_tables_each_its_own(world: MemoryWorld) -> None:
    with world.open() as first, world.open() as second:
        mine = _landed(first.commit([DEAD_LETTERS], now=True, share=FIRST))
        theirs = _landed(second.commit([], now=True, share=SECOND))
    assert sorted([*mine, *theirs]) == sorted(TABLES)
    assert {t for t in TABLES if FIRST.distance(t) == 0} == set(mine)
    check(world)


def test_a_task_commits_what_another_leaves(world: MemoryWorld) -> None:
    world.now_s += HELP_AFTER_S
    with world.open() as runtime:
        assert sorted(_landed(runtime.commit([], now=True, share=FIRST))) == sorted(TABLES)
    check(world)


def test_two_tasks_that_meet_at_a_table_commit_it_once(world: MemoryWorld) -> None:
    world.now_s += HELP_AFTER_S
    with world.open() as first, world.open() as second:
        meant = first.tables.commit
        landed: list[CommitOutcome] = []

        def beaten(*arguments: Any) -> int:
            first.tables.commit = meant
            landed.extend(second.commit([], now=True, share=SECOND))
            version_id: int = meant(*arguments)
            return version_id

        first.tables.commit = beaten
        mine = _landed(first.commit([], now=True, share=FIRST))
    assert mine == [], "the other one was faster with all of them"
    assert sorted(_landed(landed)) == sorted(TABLES)
    check(world)


def test_a_window_commits_tables_that_appeared_after_it_began() -> None:
    world = routed_world()
    with world.open() as runtime, world.open() as writer:
        assert list(runtime.routed_tables) == []
        send(world, *range(1, 6))
        write(writer)
        landed = runtime.commit_window([DEAD_LETTERS], datetime.now(UTC), now=True, share=CommitShare())
    assert sorted(_landed(landed)) == sorted(f"ns.t{n}" for n in range(1, 6))
    check(world)


def test_a_table_that_is_rebound_after_it_was_read_stops_nothing(world: MemoryWorld) -> None:
    with world.open() as runtime, world.open() as other:
        runtime.commit([DEAD_LETTERS], now=True)
        views = runtime.log.commit_views

        def meanwhile(*arguments: Any) -> Any:
            runtime.log.commit_views = views
            found = views(*arguments)
            assert len(found) == len(TABLES)
            del world.catalog.tables[TABLES[-1]]
            other.rebinding.rebind(TABLES[-1], True, "tester", "a test")
            return found

        runtime.log.commit_views = meanwhile
        landed = _landed(runtime.commit(TABLES, now=True))
        assert landed == TABLES[:-1]
        write(other)
        other.commit(TABLES, now=True)
    check(world)


def test_a_table_that_was_dropped_stops_no_other_table(world: MemoryWorld) -> None:
    del world.catalog.tables[TABLES[0]]
    with world.open() as runtime, pytest.raises(TableMissing, match=TABLES[0]):
        runtime.commit([DEAD_LETTERS], now=True, share=CommitShare())
    assert all(world.rows(table) for table in TABLES[1:])


def test_without_a_share_only_the_named_tables_are_committed(world: MemoryWorld) -> None:
    with world.open() as runtime:
        assert _landed(runtime.commit([TABLES[3]], now=True)) == [TABLES[3]]
        assert runtime.log.staged_tables(runtime.pipeline.name).keys() == set(TABLES) - {TABLES[3]}
    assert ledger_of(world, TABLES[3]).coverage


def test_what_is_not_due_waits() -> None:
    world = routed_world(commit={"min_bytes": "1GiB", "max_latency": "5m"})
    with world.open() as runtime:
        for n in range(2):
            send(world, 1, 2)
            write(runtime)
            landed = _landed(runtime.commit([DEAD_LETTERS], share=CommitShare()))
            # Only the first commit of a table does not wait.
            assert sorted(landed) == (["ns.t1", "ns.t2"] if n == 0 else [])
        world.now_s += 300
        assert sorted(_landed(runtime.commit([DEAD_LETTERS], share=CommitShare()))) == ["ns.t1", "ns.t2"]
    check(world)


def test_a_name_that_no_table_has_is_refused_with_the_nearest_ones(world: MemoryWorld) -> None:
    with world.open() as runtime:
        with pytest.raises(RunRefused, match=r"'ns\.tt1' is not a table of pipeline .* Did you mean ns\.t1\?"):
            runtime.require_table("ns.tt1")
        for known in ("ns.t7", DEAD_LETTERS):
            runtime.require_table(known)
