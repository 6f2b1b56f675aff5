"""Postgres is lost while records have no table: a row becomes no dead letter, and a dead letter no row."""

from __future__ import annotations

from contextlib import suppress

import pytest
from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.routed_worlds import ONE, TWO, X, check, lose_log_after, settle, two_tables, write
from lakelock.errors import TableUnfit
from lakelock.testing import BAD, GOOD
from lakelock.testing.routing import routed_record


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def test_a_record_that_a_table_has_becomes_no_dead_letter_without_a_table(world: MemoryWorld) -> None:
    lose_log_after(world, 1, 2, left=[TWO])
    records = world.kafka.records[X]
    records[4] = routed_record(GOOD, 0)
    with world.open() as runtime, pytest.raises(TableUnfit, match=r"ns\.t1 has records of this range"):
        write(runtime)
    records[4] = routed_record(GOOD, 1)
    settle(world)
    check(world)


def test_a_row_that_no_longer_fits_waits_until_it_does(world: MemoryWorld, caplog: pytest.LogCaptureFixture) -> None:
    """The first attempt closes the batch, and the next one reports the same: the log is none that was restored."""
    lose_log_after(world, 1, 2, left=[TWO])
    world.kafka.records[X][4] = routed_record(BAD, 1)
    for _ in range(2):
        caplog.clear()
        world.now_s += 61
        with world.open() as runtime, suppress(TableUnfit):
            write(runtime)
        assert "table ns.t1: 1 records of" in caplog.text
        assert "Undo the change of the table's columns" in caplog.text
    world.kafka.records[X][4] = routed_record(GOOD, 1)
    settle(world)
    check(world)


def test_a_record_that_no_table_has_may_become_one(world: MemoryWorld) -> None:
    lose_log_after(world, 1, 2, left=[ONE, TWO])
    world.kafka.records[X][4] = routed_record(GOOD, 0)
    settle(world)
    check(world, dead=1)


def test_a_letter_that_landed_stays_one(world: MemoryWorld) -> None:
    lose_log_after(world, 0, 1, left=[ONE])
    world.kafka.records[X][4] = routed_record(GOOD, 1)
    settle(world)
    assert world.rows(DEAD_LETTERS) == [("x", 0, 4)]
    assert world.rows(ONE) == [("x", 0, n) for n in (0, 2, 5)]
