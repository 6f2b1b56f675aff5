"""Pipelines with routes whose file is edited, and whose log is lost or restored: no record is routed by two configurations."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import copied, lose_log
from kits.memory_world import MemoryWorld
from kits.routed_worlds import (
    RULES,
    THREE,
    TWO,
    X,
    check,
    commit,
    lose_log_after,
    registry_of,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import RecoveryRefused, TableMissing, WalUnusable
from lakelock.model.batches import LIVE

OTHER_RULES: dict[str, Any] = {"rules": [{"table": "ns.u{to}"}]}


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def test_a_log_is_not_rebuilt_by_other_rules_without_a_table(world: MemoryWorld) -> None:
    """What the table has is read again for all tables: by the former rules nothing of it goes to others."""
    send(world, 2)
    with world.open() as before:
        write(before)
        commit(before)
    away = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    lose_log(world)
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime, pytest.raises(RecoveryRefused, match=r"ns\.t2 is gone .* and the rules were edited"):
        runtime.recovery("tester", take_over=True).recover()
    world.settings = {"route": RULES}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
        with pytest.raises(TableMissing):
            write(runtime)
    world.settings = {"route": OTHER_RULES}
    world.catalog.register(away)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    send(world, 2)
    settle(world)
    assert [place[2] for place in world.rows(TWO)] == [1, 3, 4]
    assert [place[2] for place in world.rows("ns.u2")] == [5]


def test_rules_that_nothing_was_routed_by_are_no_former_ones(world: MemoryWorld) -> None:
    """They are registered, and nothing of their batch is committed: without the table, planning goes on before it."""
    send(world, 2)
    with world.open() as before:
        write(before)
        commit(before)
    world.settings = {"route": OTHER_RULES}
    send(world, 1)
    with world.open() as before:
        write(before)
    assert len(registry_of(world).configs) == 2
    world.catalog.drop(TWO)
    lose_log(world)
    with world.open() as runtime, pytest.raises(RecoveryRefused, match="the rules were edited"):
        runtime.recovery("tester", take_over=True).recover()
    world.settings = {"route": RULES}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()


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
