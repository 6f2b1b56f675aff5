"""The log is lost while a batch makes tables: the installation that follows must be able to write to all of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import Killed, MemoryRuntime, MemoryWorld
from kits.routed_worlds import check, commit, ledger_of, registry_of, routed_world, send, settle, write
from lakelock.errors import LakelockError, TableMissing, TableReplaced
from lakelock.ports import TableDefinition

ONE, TWO = "ns.t1", "ns.t2"
# The steps between a table's creation and the batch's staging, on the log or on the tables, each the first or the second time.
STEPS = [("tables", "create", n) for n in (1, 2, 3)]
STEPS += (
    [("tables", "commit", n) for n in (1, 2, 3, 4)] + [("log", "bind", n) for n in (1, 2, 3)] + [("log", "stage", 1)]
)

# The dead-letter table is in the file: if it was not there to be taken over, the error says how to.
FROZEN = [(s, first) for s in STEPS for first in (True, False) if not (first and s[0] == "tables" and s[2] == 1)]


def before_the(runtime: MemoryRuntime, of: str, method: str, time: int, happens: Callable[[], object]) -> None:
    """*happens* before the call of *method* that has this number."""
    owner = getattr(runtime, of)
    real, calls = getattr(owner, method), [0]

    def late(*arguments: Any, **named: Any) -> Any:
        calls[0] += 1
        if calls[0] == time:
            happens()
        return real(*arguments, **named)

    setattr(owner, method, late)


def dies() -> None:
    raise Killed


def taken_over(world: MemoryWorld) -> None:
    lose_log(world)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()


@pytest.mark.parametrize(("step", "first"), FROZEN, ids=str)
def test_a_frozen_process_of_the_lost_installation_makes_no_table_that_is_stuck(
    step: tuple[str, str, int], first: bool
) -> None:
    world = routed_world()
    if not first:
        send(world, 3, 3)
        settle(world)
    send(world, 1, 2, 1, 2)
    with world.open() as runtime:
        before_the(runtime, *step, lambda: taken_over(world))
        with suppress(LakelockError):
            write(runtime)
    settle(world)
    check(world)


@pytest.mark.parametrize("first", [True, False], ids=["first batch", "later batch"])
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_a_killed_process_leaves_no_table_that_is_stuck(step: tuple[str, str, int], first: bool) -> None:
    world = routed_world()
    if not first:
        send(world, 3, 3)
        settle(world)
    send(world, 1, 2, 1, 2)

    with world.open() as runtime:
        before_the(runtime, *step, dies)
        with suppress(Killed, LakelockError):
            write(runtime)
    taken_over(world)
    settle(world)
    check(world)


def test_a_registered_table_without_a_commit_is_fenced_by_a_recovery() -> None:
    """A process that registered it before the recovery cannot adopt it after that."""
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        # The dead-letter table is bound before.
        before_the(runtime, "log", "bind", 2, dies)
        with suppress(Killed):
            write(runtime)
    assert registry_of(world).tables.keys() == {ONE, TWO}
    assert world.catalog.tables[ONE].uuid == registry_of(world).tables[ONE].uuid
    taken_over(world)
    assert {ledger_of(world, name).generation for name in (ONE, TWO)} == {1}
    settle(world)
    check(world)


def registered_only(world: MemoryWorld) -> None:
    """The first batch registers its tables, and dies before it adopts one."""
    with world.open() as runtime:
        before_the(runtime, "log", "bind", 2, dies)
        with suppress(Killed):
            write(runtime)
    # Its attempt counts as dead then.
    world.now_s += 61


def go_on_without(world: MemoryWorld, error: type[LakelockError]) -> None:
    """A run that reports the first table, and commits the others."""
    with world.open() as runtime:
        with pytest.raises(error, match=ONE):
            write(runtime)
        runtime.refresh_tables()
        commit(runtime, ONE)
    check(world, but=(ONE,), audited=False)


def test_a_registered_table_that_is_dropped_before_it_is_adopted_is_missing() -> None:
    world = routed_world()
    send(world, 1, 2)
    registered_only(world)
    world.catalog.drop(ONE)
    go_on_without(world, TableMissing)
    assert ONE not in world.catalog.tables


def test_a_table_that_is_dropped_while_it_is_registered_is_not_created_again() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        before_the(runtime, "tables", "commit", 2, lambda: world.catalog.drop(ONE))
        with suppress(TableMissing):
            write(runtime)
    go_on_without(world, TableMissing)
    assert ONE not in world.catalog.tables


@pytest.mark.parametrize(("of", "method", "time"), [("log", "bind", 2), ("tables", "commit", 3)])
def test_no_other_table_takes_the_place_of_a_registered_one(of: str, method: str, time: int) -> None:
    """It is dropped, and created again with the same name, while the batch that registered it goes on."""
    world = routed_world()
    send(world, 1, 2)

    def replaced() -> None:
        world.catalog.drop(ONE)
        with world.open() as runtime:
            runtime.tables.create(ONE, TableDefinition(()))

    with world.open() as runtime:
        before_the(runtime, of, method, time, replaced)
        with suppress(TableReplaced):
            write(runtime)
    go_on_without(world, TableReplaced)
    assert registry_of(world).tables[ONE].uuid != world.catalog.tables[ONE].uuid
    assert world.rows(ONE) == []


def test_a_table_without_a_commit_is_no_fault_of_an_audit() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        # After the second table is bound.
        before_the(runtime, "tables", "commit", 3, dies)
        with suppress(Killed):
            write(runtime)
    with world.open() as runtime:
        found = runtime.audit()
    assert [(t.table, t.fault) for t in found.tables if t.fault] == []
    world.now_s += 61
    settle(world)
    check(world)


def test_a_table_that_is_gone_is_not_created_by_an_attempt_that_the_loss_of_the_log_overtakes() -> None:
    """The registry names it, and the empty log does not: an attempt that runs on would create another one, unregistered."""
    columns = [{"name": "v0", "type": "bigint"}]
    world = routed_world({"rules": [{"table": "ns.t{to}", "columns": columns}]})
    empty = world.log.backup()
    send(world, 1, 2)
    settle(world)
    # As many tables are prepared before the batch is read as it has records.
    send(world, 2, 2)
    uuid = world.catalog.get(TWO).uuid
    world.catalog.drop(TWO)
    with world.open() as runtime:
        log: Any = runtime.log
        lately = log.lately_routed

        def lost(*of: object) -> object:
            found = lately(*of)
            world.log.restore(empty)
            return found

        log.lately_routed = lost
        with suppress(LakelockError):
            write(runtime)
    assert TWO not in world.catalog.tables
    assert registry_of(world).tables[TWO].uuid == uuid
