"""The log is lost or restored while an operator binds a routed table to another one: that one lacks all that is marked."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from kits.memory_recoveries import copied, lose_log
from kits.memory_world import Killed, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_backfills import earlier_records, finish_backfills, request_earlier
from kits.routed_worlds import (
    before_its,
    check,
    commit,
    cycle,
    ledger_of,
    registry_of,
    routed_world,
    send,
    settle,
    write,
)
from lakelock.errors import DecisionRefused, TableMissing, WalUnusable

ONE, TWO = "ns.t1", "ns.t2"


@pytest.fixture
def world() -> MemoryWorld:
    """Two tables with four records, complete and marked."""
    world = routed_world()
    send(world, 1, 2, 1, 2)
    settle(world)
    return world


def rebind(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")


def retire(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.retiring.retire(TWO, "tester", "test", runtime.retiring.preview(TWO).shown)


def recovered(world: MemoryWorld) -> None:
    """Of a restored log; a table that was dropped or replaced is left to an operator."""
    with world.open() as runtime:
        runtime.recovery("tester", announced=True).recover()


@pytest.mark.parametrize("decide", [rebind, retire])
def test_a_decision_in_a_log_that_is_older_than_the_mark_is_refused(
    world: MemoryWorld, decide: Callable[[MemoryWorld], None]
) -> None:
    restored = copied(world)
    send(world, 2, 2, 1)
    with world.open() as runtime:
        cycle(runtime)
    restored()
    world.catalog.drop(TWO)
    before = registry_of(world)
    with pytest.raises(WalUnusable, match="Postgres was restored"):
        decide(world)
    assert registry_of(world) == before
    recovered(world)
    decide(world)
    settle(world)
    check(world, but=(TWO,) if decide is retire else (), audited=decide is rebind)


def test_a_log_that_is_restored_while_a_rebind_runs_leaves_no_offset_out(world: MemoryWorld) -> None:
    before = world.log.backup()
    send(world, 2, 2, 1)
    with world.open() as runtime:
        cycle(runtime)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        commit, calls = runtime.tables.commit, [0]

        def late(*of: object, **named: object) -> object:
            calls[0] += 1
            out = commit(*of, **named)
            # After the registry names the new table.
            world.log.restore(before)
            return out

        runtime.tables.commit = late
        with pytest.raises(WalUnusable):
            runtime.rebinding.rebind(TWO, False, "tester", "test")
    assert calls == [1]
    recovered(world)
    rebind(world)
    settle(world)
    check(world)


@pytest.mark.parametrize("loss", ["lost", "restored"])
def test_a_rebind_that_died_once_it_was_registered_is_made_up_by_a_recovery(world: MemoryWorld, loss: str) -> None:
    """The new table is empty, though the mark covers its name."""
    world.catalog.drop(TWO)
    with world.open() as runtime, killed_at(runtime.log, "generations"):
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    assert registry_of(world).tables[TWO].uuid == world.catalog.tables[TWO].uuid
    if loss == "lost":
        lose_log(world)
        recover(world, take_over=True)
        assert ledger_of(world, TWO).generation == 1
    else:
        # It knows the table of before.
        recovered(world)
        rebind(world)
    settle(world)
    check(world)


def test_a_rebind_that_died_of_a_table_that_no_longer_gets_records_is_reported(world: MemoryWorld) -> None:
    """No batch asks for the table, and the log is bound to the one that is gone."""
    world.catalog.drop(TWO)
    with world.open() as runtime, killed_at(runtime.log, "generations"):
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 1)
    settle(world)
    with world.open() as runtime:
        (found,) = runtime.recovery("tester").preview()
    assert found.left
    assert f"lakelock rebind FILE --table {TWO} " in found.line
    rebind(world)
    with world.open() as runtime:
        assert runtime.recovery("tester").preview() == []
    settle(world)
    check(world)


def registered_only() -> MemoryWorld:
    """The attempt that made TWO died before the log knew the table."""
    world = routed_world()
    send(world, 1, 1)
    settle(world)
    send(world, 2)
    with world.open() as runtime:
        bind = runtime.log.bind

        def dies(*of: object) -> object:
            if of[1] == TWO:
                raise Killed
            return bind(*of)

        runtime.log.bind = dies
        with pytest.raises(Killed):
            cycle(runtime)
    return world


def test_a_rebind_that_died_of_a_table_that_the_log_never_knew_is_done_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = registered_only()
    world.catalog.drop(TWO)
    with world.open() as runtime, killed_at(runtime.log, "generations"):
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    uuid = world.catalog.tables[TWO].uuid
    assert registry_of(world).tables[TWO].uuid == uuid
    # The attempt that died no longer counts as one that works on the batch.
    world.now_s += 61
    with world.open() as runtime:
        with pytest.raises(TableMissing):
            cycle(runtime)
        assert f"lakelock rebind FILE --table {TWO} " in caplog.text
        planned = runtime.rebinding.preview(TWO, False)
        assert planned.now == uuid
        assert not planned.nothing
    rebind(world)
    settle(world)
    check(world)


def test_a_table_that_a_restored_log_does_not_know_is_not_retired() -> None:
    """The batch that made it was planned before, and nothing of it is committed."""
    world = routed_world()
    send(world, 1)
    settle(world)
    send(world, 2)
    with world.open() as runtime:
        runtime.plan()
        restored = copied(world)
        write(runtime)
    restored()
    with pytest.raises(WalUnusable, match=rf"does not know table {re.escape(TWO)}, which is registered"):
        retire(world)
    recovered(world)
    retire(world)
    settle(world)
    check(world, dead=1)


def test_a_new_table_owes_nothing_of_before() -> None:
    """Kafka may no longer have it."""
    world = registered_only()
    (source,) = (s for s in world.kafka.records if world.kafka.records[s])
    world.kafka.low[source] = 2
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)


def test_a_table_with_records_that_a_restored_log_does_not_know_is_not_retired(world: MemoryWorld) -> None:
    """Its retirement would begin before them. The mark does not have them yet."""
    restored = copied(world)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    restored()
    with pytest.raises(WalUnusable, match="Postgres was restored"):
        retire(world)
    with world.open() as runtime:
        assert runtime.log.retirements("p") == {}
    recovered(world)
    with pytest.raises(DecisionRefused, match="is read for all tables after a recovery"):
        retire(world)
    settle(world)
    retire(world)
    settle(world)
    assert len(world.rows(TWO)) == 3
    check(world, but=(TWO,), audited=False)


def test_a_table_is_not_retired_while_a_recovery_reads_for_all_tables(world: MemoryWorld) -> None:
    """Its records would be dead letters, and rows of another table to which they go, so that no attempt could write the batch."""
    world = routed_world({"rules": [{"table": ["ns.t{to}", "ns.all"]}]})
    send(world, 2, 2)
    settle(world)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, TWO)
    world.catalog.drop(TWO)
    lose_log(world)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    with pytest.raises(DecisionRefused, match="is read for all tables after a recovery"):
        retire(world)
    for _ in range(3):
        with world.open() as runtime, suppress(TableMissing):
            cycle(runtime)
    retire(world)
    settle(world)
    with world.open() as runtime:
        assert not runtime.log.planned("p")
    assert world.rows("ns.all") == [("x", 0, n) for n in range(3)]


def test_a_recovery_that_comes_before_the_log_retires_a_table_refuses_it(world: MemoryWorld) -> None:
    """It plans to read again what the table has. The preview did not know."""
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    with world.open() as runtime:
        before_its(runtime.log, "retire_table", lambda: recovered(world))
        with pytest.raises(DecisionRefused, match="is read for all tables after a recovery"):
            runtime.retiring.retire(TWO, "tester", "test")
        assert runtime.log.retirements("p") == {}
    settle(world)
    retire(world)
    settle(world)
    assert len(world.rows(TWO)) == 3
    check(world, but=(TWO,), audited=False)


def test_a_backfill_that_comes_before_the_log_retires_a_table_refuses_it() -> None:
    world = earlier_records()

    def backfilled() -> None:
        with world.open() as other:
            request_earlier(other)

    with world.open() as runtime:
        before_its(runtime.log, "retire_table", backfilled)
        with pytest.raises(DecisionRefused, match=r"is read for all tables .* or by a backfill"):
            runtime.retiring.retire(ONE, "tester", "test")
    finish_backfills(world)
    with world.open() as runtime:
        runtime.retiring.retire(ONE, "tester", "test")
    check(world, dead=1)
