"""Pipelines with routes of which Kafka lost records, and an operator's decision to go on without them."""

from __future__ import annotations

import pytest
from kits.memory_decisions import LOSS
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.recoveries import recover
from kits.routed_worlds import (
    ONE,
    THREE,
    TWO,
    X,
    check,
    commit,
    cycle,
    ledger_of,
    lose_log_after,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.audit.audit_text import audit_text
from lakelock.errors import HistoryMissing
from lakelock.model.batches import NO_TABLE
from lakelock.model.offsets import OffsetRange
from lakelock.testing import BAD


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def accepted(world: MemoryWorld) -> None:
    """What Kafka lost stops the pipeline, until an operator goes on without it."""
    with world.open() as runtime, pytest.raises(HistoryMissing):
        write(runtime)
    with world.open() as runtime:
        assert not runtime.decisions.preview(LOSS).nothing
        runtime.decisions.decide(LOSS, "tester", "a test")
        assert runtime.decisions.preview(LOSS).nothing


def finish(world: MemoryWorld) -> None:
    settle(world)
    with world.open() as runtime:
        assert not runtime.log.planned("p")
        assert not runtime.log.staged_tables("p")
        found = runtime.audit()
        assert found.complete, audit_text(found)


def places(*offsets: int) -> list[tuple[str, int, int]]:
    return [("x", 0, n) for n in offsets]


@pytest.mark.parametrize("letters", [False, True])
def test_a_table_without_records_for_long_has_lost_nothing(world: MemoryWorld, letters: bool) -> None:
    send(world, 1, 1, 0 if letters else 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, *([DEAD_LETTERS, ONE] if letters else []))
        world.kafka.low[X] = 7
        assert runtime.decisions.preview(LOSS).nothing
    finish(world)


def test_a_first_batch_of_which_records_are_lost_is_cut(world: MemoryWorld) -> None:
    """No table is known that could record it."""
    world = routed_world()
    send(world, 1, 3, 3)
    with world.open() as runtime:
        runtime.plan()
    world.kafka.low[X] = 2
    accepted(world)
    finish(world)
    assert (world.rows(ONE), world.rows(THREE)) == ([], places(2))


def test_records_of_a_batch_that_is_not_closed_are_lost_in_all_tables(world: MemoryWorld) -> None:
    send(world, 1, 3, 3)
    with world.open() as runtime:
        runtime.plan()
    world.kafka.low[X] = 5
    accepted(world)
    finish(world)
    lose_log(world)
    recover(world, take_over=True)
    finish(world)
    assert (world.rows(ONE), world.rows(THREE)) == (places(0, 2), places(5, 6))


def test_what_a_recovery_reads_again_may_be_lost(world: MemoryWorld) -> None:
    lose_log_after(world, 1, 3, 2, 0, 1, left=[TWO, THREE])
    world.kafka.low[X] = 6
    accepted(world)
    send(world, 3, 1, 2)
    finish(world)
    assert world.rows(ONE) == places(0, 2, 4, 8, 10)
    assert world.rows(TWO) == places(1, 3, 6, 11)
    assert world.rows(THREE) == places(9)
    assert OffsetRange(X, 4, 6) in ledger_of(world, TWO).coverage.ranges or ledger_of(world, TWO).coverage.gaps


def test_a_part_of_one_table_is_lost_for_it_alone(world: MemoryWorld) -> None:
    send(world, 1, 3)
    with world.open() as runtime:
        write(runtime)
        world.now_s += 4_000
        for part in runtime.log.staged("p", THREE):
            world.catalog.deleted.update(f.path for f in part.result.files)
        commit(runtime)
    world.kafka.low[X] = 6
    accepted(world)
    finish(world)
    assert (world.rows(ONE), world.rows(THREE)) == (places(0, 2, 4), [])
    assert not ledger_of(world, ONE).coverage.gaps


@pytest.mark.parametrize("low", [5, 6])
def test_dead_letters_without_a_table_may_be_lost(world: MemoryWorld, low: int) -> None:
    """Their files are gone, and then Kafka has some of the records no longer: the others are routed once more."""
    send(world, 0, 1, 0)
    with world.open() as runtime:
        write(runtime)
        world.now_s += 4_000
        for part in runtime.log.staged("p", DEAD_LETTERS):
            world.catalog.deleted.update(f.path for f in part.result.files)
        commit(runtime)
    world.kafka.low[X] = low
    send(world, 1, 2)
    accepted(world)
    finish(world)
    assert world.rows(ONE) == places(0, 2, *range(5, 6)[low - 5 :], 7)
    assert (world.rows(TWO), world.rows(DEAD_LETTERS)) == (places(1, 3, 8), places(6))


def test_letters_of_a_table_do_not_land_without_those_of_their_batch_that_have_no_table() -> None:
    """Committed ones of the batch stand for all: without the others, every later attempt would be refused."""
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
    send(world, 0, 1)
    send(world, 1, kind=BAD)
    with world.open() as runtime:
        write(runtime)
        world.now_s += 4000
        (letters,) = (p for p in runtime.log.staged("p", DEAD_LETTERS) if p.result.target == NO_TABLE)
        world.catalog.deleted.update(f.path for f in letters.result.files)
        runtime.commit([DEAD_LETTERS], now=True)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world, dead=2)
