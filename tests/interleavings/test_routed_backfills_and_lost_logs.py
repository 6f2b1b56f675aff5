"""Backfills of all routed tables, after a lost log, a rollback, or a rebind: what is missing is read again, once."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.recoveries import recover
from kits.rollbacks import roll_back
from kits.routed_backfills import (
    OTHER_RULES,
    complete,
    earlier_records,
    finish_backfills,
    mark_later,
    rebind,
    request_earlier,
    write_backfills,
)
from kits.routed_worlds import ONE, THREE, X, commit, ledger_of, offsets, tables_of
from lakelock.backfill.backfill_batches import open_batches
from lakelock.errors import RollbackRefused
from lakelock.ingest import marking
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange


@pytest.fixture
def world() -> MemoryWorld:
    return earlier_records()


def test_a_lost_log_plans_what_was_requested(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime, 1)
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert sum(r.range.offsets for b in open_batches(runtime.log, "p", None) for r in b.ranges) == 6
    finish_backfills(world)
    complete(world)


def test_another_table_that_requests_a_backfill_gets_it_after_a_lost_log(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    with world.open() as runtime:
        rebind(runtime, THREE)
    lose_log(world)
    recover(world, take_over=True)
    finish_backfills(world)
    complete(world)


@pytest.mark.parametrize("committed", [(), (ONE,), (DEAD_LETTERS,), (DEAD_LETTERS, ONE, THREE)])
@pytest.mark.parametrize("written", [0, 1, 3])
def test_a_lost_log_reads_what_is_not_marked_by_the_rules_of_the_request(
    world: MemoryWorld, written: int, committed: tuple[str, ...]
) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime, written)
        staged = runtime.log.staged_tables("p")
        for name in committed:
            if name in staged:
                runtime.commit([name], now=True)
        mark_later(runtime)
    world.settings["route"] = OTHER_RULES
    lose_log(world)
    recover(world, take_over=True)
    finish_backfills(world)
    complete(world)
    assert "ns.other" not in tables_of(world)


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
@pytest.mark.parametrize("lost", [False, True])
def test_a_rollback_over_it_asks_for_it_again(world: MemoryWorld, mode: Mode, lost: bool) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    with world.open() as runtime:
        commits = sum(v.has_data for v in runtime.tables.history(runtime.tables.load(ONE)))
        roll_back(runtime, ONE, f"last:{commits}", mode)
    assert offsets(world, ONE) == []
    assert ledger_of(world, ONE).coverage.requested
    if lost:
        lose_log(world)
        recover(world, take_over=True)
    finish_backfills(world)
    complete(world)


def test_a_staged_part_that_a_rollback_gives_up_is_read_again(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime)
        runtime.commit([DEAD_LETTERS], now=True)
        roll_back(runtime, ONE, "last:1", Mode.REPLAY)
        assert not runtime.log.staged("p", ONE)
    finish_backfills(world)
    complete(world)


def test_a_mark_from_before_does_not_take_back_that_a_table_is_behind(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        stale = runtime.log.routed_progress("p")
        write_backfills(runtime)
        commit(runtime, ONE)
        mark_later(runtime, 100_000)
        ledger = ledger_of(world)
        assert ONE in ledger.behind
        again = marking.marking(runtime.context, ledger, stale)
        assert again.behind == ledger.behind
    lose_log(world)
    recover(world, take_over=True)
    finish_backfills(world)
    complete(world)
    assert not ledger_of(world).behind


@pytest.mark.parametrize("lost", [False, True])
def test_another_table_in_its_place_gets_it_too(world: MemoryWorld, lost: bool) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime, 1)
        commit(runtime)
        mark_later(runtime)
        rebind(runtime, THREE)
    if lost:
        lose_log(world)
        recover(world, take_over=True)
    finish_backfills(world)
    complete(world)


def test_another_table_in_its_place_gets_what_was_given_up(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime)
        commit(runtime, THREE)
        rebind(runtime, THREE)
    assert ledger_of(world, THREE).coverage.requested == [OffsetRange(X, 0, 6)]
    finish_backfills(world)
    complete(world)


def test_a_rollback_while_the_log_is_lost_changes_nothing(world: MemoryWorld) -> None:
    with world.open() as runtime:
        planned = runtime.rollbacks.preview(ONE, "last:1", Mode.REPLAY)
        loads = runtime.tables.history

        def lost(state: Any) -> Any:
            runtime.log.routed = lambda *_: {}
            runtime.log.bound_uuid = lambda *_: None
            return loads(state)

        runtime.tables.history = lost
        with pytest.raises(RollbackRefused, match="does not know the table any more"):
            runtime.rollbacks.roll_back(ONE, str(planned.to.id), Mode.REPLAY, "tester", "a test", planned.shown)
    assert offsets(world, ONE) == [6]


def test_another_table_owes_what_is_live_while_a_backfill_is_open(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        rebind(runtime, ONE)
    assert ledger_of(world, ONE).coverage.owed == [OffsetRange(X, 6, 8)]
    finish_backfills(world)
    complete(world)


def test_a_log_from_before_a_recovery_shows_no_backfill_as_complete(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime)
        backup = world.log.backup()
        commit(runtime)
    world.log.restore(backup)
    with world.open() as runtime:
        runtime.recovery("tester", announced=True).recover()
        assert not runtime.log.routed_progress("p").backfilled
    finish_backfills(world)
    complete(world)
