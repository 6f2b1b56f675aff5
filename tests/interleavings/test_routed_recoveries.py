"""Postgres is lost while records name their tables: each is once in its table, and only what must be is read again."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import about, copied, lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import meanwhile, recover
from kits.rollbacks import roll_back
from kits.routed_worlds import (
    ONE,
    RULES,
    THREE,
    TWO,
    X,
    check,
    commit,
    cycle,
    ledger_of,
    lose_log_after,
    registry_of,
    send,
    settle,
    tables_of,
    two_tables,
    write,
)
from lakelock.errors import LakelockError, LedgerForeign, RecoveryRefused, State, TableUnfit, WalUnusable
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.ports import TableState
from lakelock.recovery.findings import Finding
from lakelock.testing import BAD, GOOD
from lakelock.testing.routing import routed_record


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def marked(world: MemoryWorld) -> int:
    mark = ledger_of(world).mark
    return mark[X].prefix_end if mark is not None else 0


def test_what_was_on_its_way_is_read_again_for_all_tables(world: MemoryWorld) -> None:
    assert marked(world) == 4
    send(world, 1, 3, 2, 0)
    send(world, 1, kind=BAD)
    with world.open() as before:
        write(before)
        commit(before, TWO, THREE)
        lose_log(world)
        with world.open() as runtime:
            found = runtime.recovery("tester", take_over=True).preview()
            (again,) = about("the routed tables", found)
            assert again.what == "x-0 [4, 9) may be missing from some of them"
        recover(world, take_over=True)
        with pytest.raises(LedgerForeign):
            before.commit([TWO], now=True)
    settle(world)
    check(world, dead=2)


def test_a_table_without_rows_for_long_needs_nothing_that_kafka_has_deleted(world: MemoryWorld) -> None:
    for _ in range(3):
        send(world, 1, 1, 1)
        with world.open() as runtime:
            cycle(runtime)
    assert (marked(world), ledger_of(world, TWO).coverage[X].end_offset) == (13, 4)
    world.kafka.low[X] = 13
    lose_log(world)
    assert not about("the routed tables", _previewed(world))
    recover(world, take_over=True)
    send(world, 2)
    settle(world)
    check(world)


def _previewed(world: MemoryWorld) -> list[Finding]:
    with world.open() as runtime:
        return runtime.recovery("tester", take_over=True).preview()


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_what_a_rollback_took_out_is_read_for_that_table_alone(world: MemoryWorld, mode: Mode) -> None:
    send(world, 1, 2, 2)
    with world.open() as runtime:
        cycle(runtime)
        roll_back(runtime, TWO, "last:1", mode)
    assert ledger_of(world, TWO).coverage.owed
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert {b.planned_tables for b in runtime.log.planned(runtime.pipeline.name)} == {(TWO,)}
    settle(world)
    check(world)
    assert not ledger_of(world, TWO).coverage.owed


def test_offsets_are_routed_by_the_rules_that_they_were_routed_by(world: MemoryWorld) -> None:
    send(world, 1, 2, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, TWO)
    world.settings = {"route": {"rules": [{"table": "ns.u{to}"}]}}
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert tables_of(world) == [ONE, TWO]
    check(world)
    send(world, 1)
    settle(world)
    assert world.rows("ns.u1") == [("x", 0, 7)]


def test_a_configuration_under_which_nothing_was_committed_gives_way_to_that_of_today(world: MemoryWorld) -> None:
    digest = world.pipeline.digest
    world.settings = {"route": {"rules": [{"table": "ns.u{to}"}]}}
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
    assert len(registry_of(world).configs) == 2
    world.settings = {"route": RULES}
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert {p.digest for p in registry_of(world).pieces(OffsetRange(X, 0, 6))} == {digest}
    assert world.rows(ONE) == [("x", 0, n) for n in (0, 2, 4)]


def test_a_table_that_is_gone_is_named_and_not_created(world: MemoryWorld) -> None:
    send(world, 1, 2, 3)
    with world.open() as runtime:
        write(runtime)
    world.catalog.drop(TWO)
    lose_log(world)
    (gone,) = about(TWO, _previewed(world))
    assert gone.left
    assert "rebind FILE --table ns.t2" in gone.then
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    settle_but_for_errors(world)
    assert TWO not in world.catalog.tables
    check(world, but=[TWO], audited=False)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
    assert registry_of(world).tables[TWO].uuid == world.catalog.get(TWO).uuid
    settle(world)
    check(world)


def settle_but_for_errors(world: MemoryWorld) -> None:
    for _ in range(4):
        with world.open() as runtime:
            for step in (write, lambda runtime: commit(runtime, TWO)):
                try:
                    step(runtime)
                except LakelockError:
                    runtime.refresh_tables()


def test_another_table_of_the_name_is_not_taken(world: MemoryWorld) -> None:
    before = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    world.catalog.create(TWO)
    lose_log(world)
    (replaced,) = about(TWO, _previewed(world))
    assert replaced.left
    assert "replaced by another table" in replaced.what
    world.catalog.drop(TWO)
    world.catalog.register(before)
    recover(world, take_over=True)
    settle(world)
    check(world)


def test_what_is_read_again_for_one_table_waits_for_the_batches_of_all_tables(world: MemoryWorld) -> None:
    """These may find that the record is a dead letter, which the other batch would take for a row."""
    lose_log_after(world, 1)
    with world.open() as runtime:
        roll_back(runtime, ONE, "last:1", Mode.REPLAY)
        (alone,) = [b for b in runtime.log.planned(runtime.pipeline.name) if b.closed]
        assert "is written for all routed tables" in runtime.write("a1", "test/1", alone.batch_id).line
        world.kafka.records[X][4] = routed_record(GOOD, 0)
    settle(world)
    check(world, dead=1)


def test_a_table_that_is_registered_until_the_fence_is_fenced_as_well(world: MemoryWorld) -> None:
    """The log that is lost in the end still works for a run when a person looks."""
    send(world, 3, 1)
    with world.open() as before:
        lost = world.log
        lose_log(world)
        mine = world.log
        with world.open() as runtime:
            recovery = runtime.recovery("tester", take_over=True)

            def register() -> None:
                world.log = lost
                write(before)
                world.log = mine

            meanwhile(runtime, "give_up", register)
            recovery.recover()
        with pytest.raises(LedgerForeign):
            before.commit([THREE], now=True)
    settle(world)
    check(world)


def test_a_recovery_that_died_before_the_log_was_rebuilt_is_done_again(world: MemoryWorld) -> None:
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, TWO)
    lose_log(world)
    with world.open() as runtime, killed_at(runtime.log, "rebuild"):
        runtime.recovery("tester", take_over=True).recover()
    with world.open() as runtime:
        runtime.recovery("tester").recover()
    settle(world)
    check(world)


def test_a_restored_log_is_behind_the_mark(world: MemoryWorld) -> None:
    restored = copied(world)
    send(world, 1, 2)
    settle(world)
    assert marked(world) == 6
    restored()
    with world.open() as runtime:
        with pytest.raises(WalUnusable, match=r"x-0 \[4, 6\) is complete"):
            write(runtime)
        runtime.recovery("tester", announced=True).recover()
    settle(world)
    check(world)


def test_no_log_is_rebuilt_without_a_routed_table_that_cannot_be_read(world: MemoryWorld) -> None:
    world.log = world.new_log()
    with world.open() as runtime:
        real = runtime.tables.load

        def load(name: str, **how: Any) -> TableState:
            if name == ONE:
                raise TableUnfit(f"{name}: its metadata cannot be read")
            state: TableState = real(name, **how)
            return state

        runtime.tables.load = load
        with pytest.raises(RecoveryRefused, match=r"(?s)every routed table that exists.*ns\.t1"):
            runtime.recovery("tester").recover()


def test_a_routed_pipeline_is_not_rebuilt_without_its_dead_letter_table() -> None:
    world = MemoryWorld(settings={"route": RULES}, tables=[{"name": "ns.own", "topics": ["x"]}])
    send(world, 1)
    settle(world)
    lose_log(world)
    world.catalog.drop(DEAD_LETTERS)
    (missing,) = about(DEAD_LETTERS, _previewed(world))
    assert missing.left
    assert missing.approval == f"{DEAD_LETTERS} does not exist"


def test_a_table_that_cannot_be_fenced_stops_no_other_table_and_the_log_waits(world: MemoryWorld) -> None:
    lose_log(world)
    with world.open() as runtime:
        swap, fenced = runtime.tables.commit, list[str]()

        def swapped(state: TableState, change: Any) -> int:
            if state.name == ONE:
                raise TableUnfit(f"table {ONE} is unfit.", State.NOTHING_CHANGED, "Replace it.")
            fenced.append(state.name)
            return int(swap(state, change))

        runtime.tables.commit = swapped
        with pytest.raises(TableUnfit, match=ONE):
            runtime.recovery("tester", take_over=True).recover()
    assert fenced == [DEAD_LETTERS, TWO]
    assert not world.log.streams("p", LIVE)
    recover(world, take_over=True)
    settle(world)
    check(world)
