"""Rules are edited after a log was rebuilt without a routed table: only the table says which records it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kits.memory_recoveries import copied, lose_log
from kits.memory_world import MemoryWorld
from kits.routed_worlds import ONE, RULES, TWO, commit, offsets, retire, send, settle, two_tables, write
from lakelock.errors import ConfigFaults, LedgerForeign, WalUnusable

OTHER_RULES: dict[str, Any] = {"rules": [{"table": "ns.u{to}"}]}
REFUSED = r"the rules .* were edited.* without table ns\.t2, which is gone .*rebind FILE --table ns\.t2 .*retire FILE --table ns\.t2 "


def rebuilt_without(world: MemoryWorld, lost: bool = True) -> Any:
    """TWO, which is gone when the log is rebuilt, and has a record from where planning goes on."""
    restored = copied(world)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    away = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    if lost:
        lose_log(world)
    else:
        restored()
    with world.open() as runtime:
        runtime.recovery("tester", take_over=lost, announced=not lost).recover()
    return away


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def rebind(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")


@pytest.mark.parametrize("lost", [False, True])
def test_nothing_is_planned_by_other_rules_until_the_table_is_back(world: MemoryWorld, lost: bool) -> None:
    away = rebuilt_without(world, lost)
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        with pytest.raises(ConfigFaults, match=REFUSED):
            runtime.plan()
        with pytest.raises(ConfigFaults, match=REFUSED):
            runtime.plan(dry_run=True)
        assert not runtime.log.planned("p")
    world.catalog.register(away)
    with world.open() as runtime, pytest.raises(LedgerForeign if lost else WalUnusable):
        runtime.plan()
    with world.open() as runtime:
        runtime.recovery("tester", take_over=lost).recover()
        assert runtime.log.left_out("p") == []
    send(world, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, "ns.u2")) == ([0, 2], [1, 3, 4], [5])


def test_the_former_rules_and_other_settings_go_on_without_it(world: MemoryWorld) -> None:
    away = rebuilt_without(world)
    world.settings = {"route": {**RULES, "max_tables": 7}}
    send(world, 1)
    with world.open() as runtime:
        assert runtime.plan().batch_id is not None
    world.catalog.register(away)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO)) == ([0, 2, 5], [1, 3, 4])


@pytest.mark.parametrize(("decide", "of_two"), [(rebind, [1, 3]), (retire, None)])
def test_a_decision_about_the_table_lets_other_rules_apply(
    world: MemoryWorld, decide: Callable[[MemoryWorld], None], of_two: list[int] | None
) -> None:
    rebuilt_without(world)
    decide(world)
    world.settings = {"route": OTHER_RULES}
    settle(world)
    assert offsets(world, "ns.u2") == [4]
    assert (offsets(world, TWO) if TWO in world.catalog.tables else None) == of_two


def test_a_batch_that_was_planned_before_the_edit_is_not_written_by_other_rules(world: MemoryWorld) -> None:
    rebuilt_without(world)
    with world.open() as runtime:
        batch_id = runtime.plan().batch_id or ""
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime, pytest.raises(ConfigFaults, match=REFUSED):
        runtime.write("a1", "test/1", batch_id)
    assert "ns.u2" not in world.catalog.tables
    rebind(world)
    settle(world)
    assert (offsets(world, TWO), offsets(world, "ns.u2")) == ([1, 3], [4])
