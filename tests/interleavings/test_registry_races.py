"""Two operators, or an operator and a run, change the tables that rules have made at the same time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_worlds import (
    ONE,
    TWO,
    X,
    before_its,
    check,
    commit,
    cycle,
    ledger_of,
    lose_log_after,
    offsets,
    registry_of,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import ConfigFaults, DecisionRefused, RouteLimit, TableMissing
from lakelock.ingest.marking import mark
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.testing import BAD

LETTERS_OF_TWO = {"rules": [{"when": {"to": "2"}, "table": "dead_letter"}, {"table": "ns.t{to}"}]}
EACH = {"rules": [{"table": "ns.t{to}"}]}


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def rebind(world: MemoryWorld) -> None:
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")


def retire(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.retiring.retire(TWO, "tester", "test", runtime.retiring.preview(TWO).shown)


def redrive(world: MemoryWorld) -> None:
    with world.open() as runtime:
        shown = runtime.redrives.preview(RedriveRequest()).shown
        runtime.redrives.redrive(RedriveRequest(), "tester", "test", shown, lambda _: None)


def behind(world: MemoryWorld) -> None:
    """A part of the second table that is not committed, and passed by the mark."""
    with world.open() as runtime:
        cycle(runtime, TWO)
        world.now_s += 1000
        mark(runtime.context, lambda _: None)
    assert TWO in ledger_of(world).behind


def test_a_commit_that_saw_less_keeps_what_another_one_named_as_behind(world: MemoryWorld) -> None:
    send(world, 2)
    behind(world)
    send(world, 2, partition=1, kind=BAD)
    with world.open() as late:
        write(late)
        real = late.log.routed_progress

        def seen(pipeline: str) -> Any:
            found = real(pipeline)
            late.log.routed_progress = real
            send(world, 2, 1)
            with world.open() as other:
                write(other)
                commit(other, TWO, DEAD_LETTERS)
                world.now_s += 61
                mark(other.context, lambda _: None)
            return found

        late.log.routed_progress = seen
        late.commit([DEAD_LETTERS], now=True)
    assert [(r.start, r.end) for r in ledger_of(world).behind[TWO] if r.source == X] == [(4, 7)]
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world, dead=1)


def test_letters_go_to_no_table_that_was_an_entry() -> None:
    """It may have had them as an entry."""
    world = routed_world(LETTERS_OF_TWO)
    world.tables = [{"name": "ns.s"}]
    send(world, 1, 2)
    for _ in range(4):
        world.run()
    settle(world)
    assert offsets(world, "ns.s") == [0, 1]
    world.tables = []
    world.settings = {"route": {"rules": [{"when": {"to": "2"}, "table": "ns.s"}, *EACH["rules"]]}}
    with pytest.raises(ConfigFaults, match=r"ns\.s, which was an entry of"):
        redrive(world)
    assert offsets(world, "ns.s") == [0, 1]


def test_a_batch_that_ends_early_after_a_rebind_is_for_the_table_or_not_as_a_whole(world: MemoryWorld) -> None:
    retire(world)
    world.catalog.drop(TWO)
    send(world, 1, 1, 2, 1, 2, 1)
    with world.open() as runtime:
        batch = runtime.plan().batch_id
        assert batch is not None
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        runtime.log.claim(batch, "early", "run", 60.0)
        runtime.log.end_earlier(batch, "early", {X: 7})
        runtime.log.release(batch, "early", "failed")
    world.now_s += 10_000
    with world.open() as runtime:
        for planned in runtime.log.planned("p"):
            runtime.write(f"a{planned.batch_id}", "test/1", planned.batch_id)
        commit(runtime)
    lose_log_after(world, 2, 1, left=[ONE])
    settle(world)
    letters = set(offsets(world, DEAD_LETTERS))
    assert letters.isdisjoint(offsets(world, TWO))
    assert letters | set(offsets(world, TWO)) == {1, 3, 6, 8, 10}


def test_a_rebind_that_died_is_retired_and_bound_again(world: MemoryWorld) -> None:
    retire(world)
    world.catalog.drop(TWO)
    with world.open() as runtime, killed_at(runtime.log, "rebind"):
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    retire(world)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 2, 1)
    settle(world)
    assert 4 in offsets(world, TWO)


def test_a_retirement_does_not_retire_the_table_that_took_the_name_since(world: MemoryWorld) -> None:
    with world.open() as runtime:
        shown = runtime.retiring.preview(TWO).shown
        before_its(runtime.retiring.context.tables, "commit", lambda: rebind(world))
        with pytest.raises(DecisionRefused, match=r"bound to UUID \S+ while this retirement"):
            runtime.retiring.retire(TWO, "tester", "test", shown)
    assert not registry_of(world).tables[TWO].is_retired


def test_a_recovery_reads_nothing_for_a_retired_table_that_was_behind(world: MemoryWorld) -> None:
    send(world, 2, 1)
    behind(world)
    retire(world)
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert TWO not in {t for b in runtime.log.planned("p") for t in b.planned_tables}
    settle(world)


@pytest.mark.parametrize("decide", [rebind, retire])
def test_nothing_is_decided_while_the_dead_letter_table_is_away(
    world: MemoryWorld, decide: Callable[[MemoryWorld], None]
) -> None:
    away = world.catalog.get(DEAD_LETTERS)
    world.catalog.drop(DEAD_LETTERS)
    with pytest.raises(TableMissing):
        decide(world)
    world.catalog.register(away)
    if decide is rebind:
        with world.open() as runtime:
            runtime.rebinding.rebind(TWO, False, "tester", "test")
        assert registry_of(world).tables[TWO].uuid == world.catalog.get(TWO).uuid
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)


@pytest.mark.parametrize("decide", [rebind, retire])
def test_a_decision_outlives_a_dead_letter_table_that_is_named_back(decide: Callable[[MemoryWorld], None]) -> None:
    world = routed_world()
    send(world, 1, 2, 0)
    settle(world)
    first, world.dead_letters = world.dead_letters, "ns.d2"
    send(world, 1, 2, 0)
    settle(world)
    decide(world)
    send(world, 1, 2, 0)
    settle(world)
    world.dead_letters = first
    send(world, 1, 0)
    settle(world)
    known = registry_of(world).tables[TWO]
    assert known.is_retired == (decide is retire)
    assert known.uuid == world.catalog.get(TWO).uuid


@pytest.mark.parametrize("decide", [rebind, retire])
@pytest.mark.parametrize("registers", [True, False])
def test_the_former_dead_letter_table_that_is_named_back_has_the_decision_of_then(
    decide: Callable[[MemoryWorld], None], registers: bool
) -> None:
    """It has another entry than the one that names the table now, and is all that a recovery finds."""
    world = routed_world()
    send(world, 1, 2, 0)
    settle(world)
    first, world.dead_letters = world.dead_letters, "ns.d2"
    send(world, 1, 2, 0)
    settle(world)
    rebind(world)
    settle(world)
    world.dead_letters = first
    if registers:
        send(world, 1, 2)
        settle(world)
    rebind(world)
    settle(world)
    decide(world)
    lose_log(world)
    recover(world, take_over=True)
    send(world, 1)
    settle(world)
    known = registry_of(world).tables[TWO]
    assert known.is_retired == (decide is retire)
    assert known.uuid == world.catalog.get(TWO).uuid


def test_letters_are_for_no_table_that_was_made_for_another_name() -> None:
    """10 names the table a, and 11 names A."""
    world = routed_world({"rules": [{"table": "dead_letter"}]})
    send(world, 10)
    settle(world)
    world.settings = {"route": EACH}
    with world.open() as runtime:
        shown, made = runtime.redrives.preview(RedriveRequest()).shown, runtime.redrives.make

        def late(*of: Any) -> Any:
            send(world, 11)
            settle(world)
            return made(*of)

        replace(runtime.redrives, make=late).redrive(RedriveRequest(), "tester", "test", shown, lambda _: None)
    assert offsets(world, "ns.ta") == [1]


def test_retired_tables_do_not_count_for_the_limit_of_a_redrive() -> None:
    three = {"rules": [{"when": {"to": "3"}, "table": "dead_letter"}, *EACH["rules"]], "max_tables": 2}
    world = routed_world(three)
    send(world, 1, 2, 3)
    settle(world)
    world.settings = {"route": {**EACH, "max_tables": 2}}
    with pytest.raises(RouteLimit):
        redrive(world)
    retire(world)
    redrive(world)
    assert offsets(world, "ns.t3") == [2]
