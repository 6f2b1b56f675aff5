"""A retirement dies, or the log is lost after it: no record is lost or doubled, and the table is not asked for."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_worlds import (
    ONE,
    TWO,
    check,
    commit,
    cycle,
    dies_at_commit,
    lose_log_after,
    offsets,
    registry_of,
    retire,
    send,
    settle,
    two_tables,
    write,
)


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


@pytest.mark.parametrize("step", ["retire_table", DEAD_LETTERS, "give_up_parts", TWO])
def test_one_that_died_is_done_again(world: MemoryWorld, step: str) -> None:
    with world.open() as runtime:
        dying(runtime, step)
    send(world, 2, 1)
    settle(world)
    with world.open() as runtime:
        assert not runtime.log.planned("p"), "nothing is stuck"
    if step != "retire_table":
        assert offsets(world, DEAD_LETTERS) == [4], "the log has it first"
    retire(world)
    assert registry_of(world).retired == {TWO}
    send(world, 2)
    settle(world)
    check(world, dead=1 if step == "retire_table" else 2)


def dying(runtime: MemoryRuntime, step: str) -> None:
    """Retire, and die at the call of the log, or at the commit to this table."""
    with killed_at(runtime.log, step) if "_" in step else dies_at_commit(runtime, step):
        runtime.retiring.retire(TWO, "tester", "test")


@pytest.mark.parametrize("commits", [False, True])
@pytest.mark.parametrize("step", ["retire_table", DEAD_LETTERS, "give_up_parts", TWO, "done"])
def test_a_log_that_is_lost(world: MemoryWorld, step: str, commits: bool) -> None:
    """What the dead-letter table does not have was not decided; what became a dead letter stays one, and nothing is lost."""
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
    if step == "done":
        retire(world)
    else:
        with world.open() as runtime:
            dying(runtime, step)
    send(world, 2)
    with world.open() as runtime:
        if commits:
            cycle(runtime)
        else:
            write(runtime)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    is_retired = TWO in registry_of(world).retired
    assert is_retired is (step not in {"retire_table", DEAD_LETTERS})
    assert set(offsets(world, TWO)).isdisjoint(offsets(world, DEAD_LETTERS))
    every = sorted([*offsets(world, ONE), *offsets(world, TWO), *offsets(world, DEAD_LETTERS)])
    # Of a table that is retired, offset 5 was given up.
    wanted = [0, 1, 2, 3, 4, 5, 6]
    assert every in ([wanted] if not is_retired else [wanted, [0, 1, 2, 3, 4, 6]])


def test_a_recovery_asks_for_no_retired_table(world: MemoryWorld) -> None:
    world.catalog.drop(TWO)
    retire(world)
    send(world, 2, 1)
    settle(world)
    lose_log(world)
    with world.open() as runtime:
        assert not [f for f in runtime.recovery("x", take_over=True).preview() if TWO in f.about]
    recover(world, take_over=True)
    send(world, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [4, 6])
    with world.open() as runtime:
        assert not runtime.recovery("x").preview()


def test_a_tail_below_the_retirement_is_read_again_without_the_table(world: MemoryWorld) -> None:
    """Its records were rows of it, or given up: they are no dead letters."""
    send(world, 2, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    retire(world)
    send(world, 2)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3, 4, 6], [7])


def test_a_tail_across_a_retirement_is_cut(world: MemoryWorld) -> None:
    """Another table has committed beyond it, and the dead letters have not."""
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    retire(world)
    send(world, 2, 2, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    lose_log_after(world, 1, 2, left=[ONE, TWO])
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == (
        [0, 2, 5, 8, 9],
        [1, 3, 4],
        [6, 7, 10],
    )
