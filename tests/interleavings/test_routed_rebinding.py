"""Another table takes the name of a routed one: registry, table and log name the same one, whatever dies or wakes up."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_worlds import (
    TWO,
    X,
    check,
    ledger_of,
    registry_of,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import DecisionRefused
from lakelock.ports import TableDefinition


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def test_a_rebind_that_wakes_up_does_not_name_the_table_that_it_made(world: MemoryWorld) -> None:
    """The name was rebound to a third table while it was frozen."""
    world.catalog.drop(TWO)
    with world.open() as frozen:
        real, left = frozen.tables.commit, [1]

        def late(state: Any, *arguments: Any) -> Any:
            if state.name == DEAD_LETTERS and left.pop():
                left.append(0)
                world.catalog.drop(TWO)
                with world.open() as runtime:
                    runtime.rebinding.rebind(TWO, False, "tester", "test")
            return real(state, *arguments)

        frozen.tables.commit = late
        with pytest.raises(DecisionRefused, match=r"ns\.t2 was bound to UUID \S+ while this rebind"):
            frozen.rebinding.rebind(TWO, False, "tester", "test")
        third = world.catalog.get(TWO).uuid
    assert registry_of(world).tables[TWO].uuid == third
    assert ledger_of(world, TWO).coverage.owed
    settle(world)
    check(world)


@pytest.mark.parametrize("step", ["plan", "rebind", "nothing"])
def test_a_rebind_that_died_is_done_again(world: MemoryWorld, step: str) -> None:
    send(world, 2, 1)
    settle(world)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        if step == "nothing":
            runtime.rebinding.rebind(TWO, False, "tester", "test")
        else:
            with killed_at(runtime.log, step):
                runtime.rebinding.rebind(TWO, False, "tester", "test")
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    settle(world)
    check(world)


def test_a_log_that_is_lost_after_a_rebind_knows_what_the_new_table_owes(world: MemoryWorld) -> None:
    send(world, 2, 1)
    settle(world)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    assert ledger_of(world, TWO).coverage.owed
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)


def test_what_a_table_owes_above_the_mark_is_settled_by_the_batches_of_all_tables(world: MemoryWorld) -> None:
    send(world, 3)
    with world.open() as runtime:
        write(runtime)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    mark = ledger_of(world).mark
    assert mark is not None
    assert (mark[X].prefix_end, ledger_of(world, TWO).coverage[X].owed) == (4, ((0, 5),))
    lose_log(world)
    recover(world, take_over=True)
    assert ledger_of(world, TWO).coverage[X].owed == ((0, 4),)
    send(world, 2)
    settle(world)
    check(world)


def test_a_table_that_todays_rules_do_not_make_is_defined_by_those_that_made_it() -> None:
    """Its columns are of records that were routed to it, with the settings of the rule of then."""
    then = {"rules": [{"table": "ns.t{to}", "partition_by": ["bucket(8, v0)"]}]}
    world = routed_world(then)
    send(world, 1, 2, 1, 2)
    settle(world)
    world.settings = {"route": {"rules": [{"table": "ns.other"}]}}
    send(world, 1, 2)
    settle(world)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        real, made = runtime.tables.create, []

        def create(name: str, definition: TableDefinition) -> None:
            made.append((name, [c.name for c in definition.columns][:2], definition.partition_by))
            real(name, definition)

        runtime.tables.create = create
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        assert made == [(TWO, ["v0", "to"], ("bucket(8, v0)",))]
    settle(world)
    assert [o for _, _, o in world.rows(TWO)] == [1, 3]
    assert [o for _, _, o in world.rows("ns.other")] == [4, 5]
