"""Pipelines with routes whose file is edited, and whose log is lost or restored: no record is routed by two configurations."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import copied, lose_log
from kits.memory_world import MemoryWorld
from kits.recoveries import recover
from kits.routed_worlds import (
    RULES,
    THREE,
    TWO,
    X,
    check,
    commit,
    lose_log_after,
    offsets,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import ConfigFaults, TableMissing, WalUnusable
from lakelock.model.batches import LIVE

OTHER_RULES: dict[str, Any] = {"rules": [{"table": "ns.u{to}"}]}
EDITED = r"the rules of pipeline 'p' were edited, but the log was rebuilt without table"


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def rebuild(world: MemoryWorld) -> None:
    """Without the tables that are gone, which stay findings."""
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()


def test_a_log_is_rebuilt_under_edited_rules_without_a_table_that_is_gone(world: MemoryWorld) -> None:
    """What the table has is read again by the former rules alone: by others it would go to other tables as well."""
    send(world, 2)
    with world.open() as before:
        write(before)
        commit(before)
    away = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    lose_log(world)
    world.settings = {"route": OTHER_RULES}
    rebuild(world)
    with world.open() as runtime, pytest.raises(ConfigFaults, match=EDITED):
        runtime.plan()
    world.settings = {"route": RULES}
    with world.open() as runtime, pytest.raises(TableMissing):
        write(runtime)
    world.settings = {"route": OTHER_RULES}
    world.catalog.register(away)
    recover(world, take_over=True)
    send(world, 2)
    settle(world)
    assert [place[2] for place in world.rows(TWO)] == [1, 3, 4]
    assert [place[2] for place in world.rows("ns.u2")] == [5]


@pytest.mark.parametrize("commits", [False, True])
def test_the_former_rules_are_those_that_were_registered_last(world: MemoryWorld, commits: bool) -> None:
    """Only a table that is gone may have the records that they routed: to undo them would give these to others as well."""
    world.settings = {"route": OTHER_RULES}
    send(world, 2)
    with world.open() as before:
        write(before)
        if commits:
            commit(before)
    away = world.catalog.get("ns.u2")
    world.catalog.drop("ns.u2")
    lose_log(world)
    world.settings = {"route": RULES}
    rebuild(world)
    with world.open() as runtime, pytest.raises(ConfigFaults, match=EDITED):
        runtime.plan()
    world.settings = {"route": OTHER_RULES}
    rebuild(world)
    world.catalog.register(away)
    recover(world, take_over=True)
    settle(world)
    assert (offsets(world, TWO), offsets(world, "ns.u2")) == ([1, 3], [4])


def test_a_table_that_is_lost_for_good_is_rebound_though_a_partition_has_former_rules() -> None:
    """The file is as it was when Postgres was lost. Its rules are not registered for a partition without later records."""
    world = routed_world()
    send(world, 1, 2)
    send(world, 1, 2, partition=1)
    settle(world)
    world.settings = {"route": OTHER_RULES}
    send(world, 1, 2)
    settle(world)
    world.catalog.drop(TWO)
    lose_log(world)
    rebuild(world)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    send(world, 2, partition=1)
    with world.open() as runtime, pytest.raises(ConfigFaults, match=r"ns\.t2, which is gone"):
        runtime.plan()
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    settle(world)
    assert world.rows(TWO) == [("x", 0, 1), ("x", 1, 1)]
    assert world.rows("ns.u2") == [("x", 0, 3), ("x", 0, 4), ("x", 1, 2)]


def test_a_recovery_plans_from_where_the_last_rules_begin(world: MemoryWorld) -> None:
    """Until then all was planned by rules of before, though nothing of it is committed."""
    send(world, 2)
    with world.open() as before:
        write(before)
    world.settings = {"route": OTHER_RULES}
    send(world, 1)
    with world.open() as before:
        write(before)
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert {s.source: s.next_offset for s in runtime.log.streams("p", LIVE)}[X] == 5
    settle(world)
    assert (offsets(world, TWO), offsets(world, "ns.u1")) == ([1, 3, 4], [5])


def test_a_limit_that_was_raised_is_no_edit_of_the_rules(world: MemoryWorld) -> None:
    world.catalog.drop(TWO)
    lose_log(world)
    world.settings = {"route": {**RULES, "max_tables": 5}}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()


def test_a_batch_that_a_recovery_planned_is_read_whole(world: MemoryWorld) -> None:
    """A table has records up to its end: if it ended earlier, others would get them by rules of today."""
    lose_log_after(world, 1, 2, 3, 1, left=[TWO, THREE])
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        (tail,) = runtime.log.planned("p")
        writer: Any = runtime.writer
        writer.reads_until = lambda r: 6 if r.start < 6 else r.end
        runtime.write("a", "test/1", tail.batch_id)
        assert {s.source: s.next_offset for s in runtime.log.streams("p", LIVE)}[X] == 8
    settle(world)
    check(world)


def test_a_restored_log_routes_nothing_by_other_rules(world: MemoryWorld) -> None:
    """What a table has was not marked yet."""
    restored = copied(world)
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    restored()
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        with pytest.raises(WalUnusable, match=r"ns\.t1 already holds x-0 \[4, 6\)"):
            write(runtime)
        runtime.recovery("tester", announced=True).recover()
    settle(world)
    check(world)
