"""A routed table is retired while a recovery runs, or by a log that was restored: it gets what it had no chance to get."""

from __future__ import annotations

import pytest
from kits.memory_recoveries import copied
from kits.memory_world import MemoryWorld
from kits.routed_worlds import TWO, before_its, check, offsets, registry_of, retire, send, settle, two_tables
from lakelock.errors import DecisionRefused, WalUnusable
from lakelock.model.retirement import Retirement


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def restored(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.recovery("tester", announced=True).recover()


def test_a_retirement_that_a_recovery_overtakes_is_refused(world: MemoryWorld) -> None:
    """The recovery did not read of it, so the log does not have it any more, and runs give the table further records."""
    with world.open() as zombie:
        real = zombie.log.retire_table

        def overtaken(pipeline: str, table: str) -> Retirement:
            retirement: Retirement = real(pipeline, table)
            restored(world)
            send(world, 2)
            settle(world)
            return retirement

        zombie.log.retire_table = overtaken
        with pytest.raises(
            DecisionRefused, match=r"a recovery went through ns\.dead while this retirement was planned"
        ):
            zombie.retiring.retire(TWO, "tester", "test")
    assert not registry_of(world).tables[TWO].is_retired
    assert offsets(world, TWO) == [1, 3, 4]
    check(world)
    retire(world)
    send(world, 2)
    settle(world)
    check(world, dead=1)


def test_a_retirement_does_not_begin_within_a_recovery(world: MemoryWorld) -> None:
    """The dead-letter table is fenced then, and what the log says is of before."""
    with world.open() as zombie, world.open() as other:
        planned = zombie.retiring.preview(TWO)
        assert not planned.nothing
        before_its(zombie.log, "notes", lambda: other.log.give_up("p", "tester", "token", None, lambda notes: None))
        with pytest.raises(DecisionRefused, match="started to rebuild the log"):
            zombie.retiring.retire(TWO, "tester", "test")
        assert not zombie.log.retirements("p")


def test_a_restored_log_with_an_open_batch_that_is_marked_retires_nothing(world: MemoryWorld) -> None:
    """By that log, the table was retired before a record that it has. A table that took its place would not get it."""
    send(world, 2)
    with world.open() as runtime:
        runtime.plan()
    back = copied(world)
    settle(world)
    back()
    with pytest.raises(WalUnusable, match=r"batches that are not closed, but x-0 \[4, 5\) is complete in all tables"):
        retire(world)
    with world.open() as runtime:
        assert not runtime.log.retirements("p")
    restored(world)
    retire(world)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    settle(world)
    assert offsets(world, TWO) == [1, 3, 4]
    check(world)
