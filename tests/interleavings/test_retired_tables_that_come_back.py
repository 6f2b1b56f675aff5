"""A rebind makes a retired table a routed one again: each batch is for it or not as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.routed_worlds import (
    ONE,
    TWO,
    before_its,
    check,
    dies_at_commit,
    offsets,
    registry_of,
    retire,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import AccessDenied, BatchChanged, DecisionRefused, Fenced, LakelockError


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def test_a_rebind_makes_it_a_routed_table_again(world: MemoryWorld) -> None:
    """It gets what is in Kafka, but for what became a dead letter."""
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
    retire(world)
    send(world, 2, 1)
    settle(world)
    with world.open() as runtime, pytest.raises(DecisionRefused, match="is retired"):
        runtime.rebinding.preview(TWO, False)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test", runtime.rebinding.preview(TWO, False).shown)
    send(world, 2)
    settle(world)
    assert (offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([1, 3, 4, 7], [5])
    check(world, dead=1)
    retire(world)
    send(world, 2)
    settle(world)
    check(world, dead=2)


@pytest.mark.parametrize("step", ["replaced", "adopted", "rebind", "done"])
@pytest.mark.parametrize("loses", [False, True])
def test_a_rebind_that_dies(world: MemoryWorld, step: str, loses: bool) -> None:
    retire(world)
    world.catalog.drop(TWO)
    send(world, 2)
    with world.open() as runtime:
        runtime.plan()
        if step == "rebind":
            with killed_at(runtime.log, "rebind"):
                runtime.rebinding.rebind(TWO, False, "tester", "test")
        elif step == "done":
            runtime.rebinding.rebind(TWO, False, "tester", "test")
        else:
            with dies_at_commit(runtime, DEAD_LETTERS if step == "replaced" else TWO):
                runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
    if loses:
        lose_log(world)
        if step == "adopted":
            # It has no ledger yet: recover would ask for it.
            world.catalog.drop(TWO)
        with world.open() as runtime:
            runtime.recovery("tester", take_over=True).recover()
    with world.open() as runtime:
        if not runtime.rebinding.preview(TWO, False).nothing:
            runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 2)
    settle(world)
    assert 6 in offsets(world, TWO)
    check(world, dead=len(offsets(world, DEAD_LETTERS)))


@pytest.mark.parametrize("rebinds", [False, True])
def test_a_stage_of_before_a_retirement(world: MemoryWorld, rebinds: bool) -> None:
    """The batch is not closed: its records for the table are dead letters, or for the table that has the name since."""
    send(world, 2, 1)
    with world.open() as zombie:
        planned = zombie.plan()
        assert planned.batch_id is not None

        def retired() -> None:
            retire(world)
            if rebinds:
                world.catalog.drop(TWO)
                with world.open() as other:
                    other.rebinding.rebind(TWO, False, "tester", "test")

        before_its(zombie.log, "stage", retired)
        with pytest.raises((BatchChanged, Fenced), match=r"table ns\.t2 was (retired|written as UUID)"):
            zombie.write("a1", "test/1", planned.batch_id)
    send(world, 2)
    settle(world)
    found = (offsets(world, TWO), offsets(world, DEAD_LETTERS))
    assert found == (([1, 3, 4, 6], []) if rebinds else ([1, 3], [4, 6]))
    check(world, dead=0 if rebinds else 2)


def test_dead_letters_that_are_planned_again_are_decided_as_before(world: MemoryWorld) -> None:
    """After a rebind, too: the books of the batch say which there are."""
    retire(world)
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        letters = [p for p in runtime.log.staged("p") if p.result.target]
        for part in letters:
            runtime.log.replan(part, "test")
        assert letters
    send(world, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3, 6], [4])
    check(world, dead=1)


def test_a_table_that_could_not_be_created_is_retired_and_gets_its_place_again(world: MemoryWorld) -> None:
    send(world, 3, 1)
    with world.open() as runtime:
        real = runtime.tables.create

        def forbidden(name: str, definition: Any) -> None:
            raise AccessDenied("no")

        runtime.tables.create = forbidden
        with pytest.raises(LakelockError):
            write(runtime)
        runtime.tables.create = real
    assert registry_of(world).tables["ns.t3"].uuid is None
    retire(world, "ns.t3")
    send(world, 3)
    settle(world)
    assert (offsets(world, ONE), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [6])
    with world.open() as runtime:
        runtime.rebinding.rebind("ns.t3", False, "tester", "test")
    send(world, 3)
    settle(world)
    assert (offsets(world, "ns.t3"), offsets(world, DEAD_LETTERS)) == ([4, 7], [6])
    check(world, dead=1)
