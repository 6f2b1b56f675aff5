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
    commit,
    ledger_of,
    registry_of,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import DecisionRefused
from lakelock.ingest.marking import mark
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


def _marked(world: MemoryWorld) -> tuple[int, list[tuple[int, int]]]:
    """Where the mark ends, and what table 2 lacks of it."""
    ledger = ledger_of(world)
    assert ledger.mark is not None
    return ledger.mark[X].prefix_end, [(r.start, r.end) for r in ledger.behind.get(TWO, ())]


def test_a_new_table_is_behind_until_it_has_what_the_former_one_had(world: MemoryWorld) -> None:
    """A mark that is drawn up while the log does not have the new table yet names it, too."""
    send(world, 2, 1)
    settle(world)
    before, lacks = _marked(world)
    assert (before, lacks) == (6, [])
    world.catalog.drop(TWO)
    with world.open() as runtime, killed_at(runtime.log, "rebind"):
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    assert _marked(world) == (6, [(0, 6)])
    send(world, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
        mark(runtime.steps, lambda s: None, now_due=True)
    assert _marked(world) == (7, [(0, 7)])
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        mark(runtime.steps, lambda s: None, now_due=True)
    assert _marked(world) == (7, [(0, 7)])
    settle(world)
    assert _marked(world) == (7, [])
    check(world)


def test_a_mark_of_before_a_rebind_does_not_claim_the_new_table(world: MemoryWorld) -> None:
    """What was read of the log does not have what is read again for the table."""
    send(world, 2, 1)
    settle(world)
    world.catalog.drop(TWO)
    send(world, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
        real, left = runtime.log.routed_progress, [1]

        def late(pipeline: str) -> Any:
            found = real(pipeline)
            if left:
                left.pop()
                with world.open() as other:
                    other.rebinding.rebind(TWO, False, "tester", "test")
            return found

        runtime.log.routed_progress = late
        mark(runtime.steps, lambda s: None, now_due=True)
    assert _marked(world) == (7, [(0, 7)])
    settle(world)
    check(world)
