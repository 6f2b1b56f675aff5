"""What docs/routing.md says of tables that cannot be created, and of rules that change."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS, TABLE, MemoryWorld
from kits.routed_worlds import ONE, TWO, check, registry_of, routed_world, send, settle, tables_of, write
from lakelock.errors import AccessDenied, State, Unreachable
from lakelock.testing.catalog import MemoryCatalog

ONE_ALONE: dict[str, Any] = {"rules": [{"when": {"to": 1}, "table": "ns.t{to}"}]}


@pytest.fixture
def world() -> MemoryWorld:
    world = routed_world()
    send(world, 1, 2)
    settle(world)
    return world


def test_a_table_that_cannot_be_created_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    world, create = routed_world(), MemoryCatalog.create

    def forbidding(catalog: MemoryCatalog, name: str, *more: Any) -> None:
        if name == TWO:
            raise AccessDenied(f"{name} is forbidden", State.NOTHING_WRITTEN)
        create(catalog, name, *more)

    monkeypatch.setattr(MemoryCatalog, "create", forbidding)
    for _ in range(3):
        send(world, 1, 2)
        with world.open() as runtime:
            planned = runtime.plan()
            assert planned.batch_id is not None
            with pytest.raises(AccessDenied):
                runtime.write_run(str(uuid.uuid4()), "test/1", planned.batch_id)
            runtime.commit([ONE, DEAD_LETTERS], now=True)
    assert (tables_of(world), world.rows(ONE)) == ([ONE], [("x", 0, n) for n in (0, 2, 4)])
    assert registry_of(world).tables[TWO].uuid is None
    monkeypatch.setattr(MemoryCatalog, "create", create)
    settle(world)
    check(world)


def test_a_table_whose_rule_was_removed_keeps_its_rows(world: MemoryWorld) -> None:
    world.settings["route"] = ONE_ALONE
    send(world, 1, 2)
    settle(world)
    assert (world.rows(ONE), world.rows(TWO)) == ([("x", 0, 0), ("x", 0, 2)], [("x", 0, 1)])
    check(world, dead=1)


def test_otherwise_is_for_later_records(world: MemoryWorld) -> None:
    send(world, 0)
    settle(world)
    world.settings["route"] = {**ONE_ALONE, "otherwise": "ns.rest"}
    send(world, 0, 1)
    settle(world)
    assert (world.rows(DEAD_LETTERS), world.rows("ns.rest")) == ([("x", 0, 2)], [("x", 0, 3)])
    check(world, dead=1, but=["ns.rest"])


def test_a_pipeline_gets_a_route() -> None:
    world = MemoryWorld()
    send(world, 1, 2)
    world.run()
    world.settings["route"] = {"rules": [{"table": "ns.t{to}"}]}
    send(world, 1, 2)
    with world.open() as runtime:
        world.cycle(runtime, TABLE, DEAD_LETTERS)
    settle(world)
    assert world.rows() == [("x", 0, n) for n in range(4)]
    assert (world.rows(ONE), world.rows(TWO)) == ([("x", 0, 2)], [("x", 0, 3)])
    with world.open() as runtime:
        assert runtime.audit().complete


def test_nothing_is_written_to_a_new_table_that_cannot_be_recorded(world: MemoryWorld) -> None:
    send(world, 1, 3)
    with world.open() as runtime:
        commit = runtime.tables.commit

        def refusing(state: Any, change: Any) -> int:
            if state.name == DEAD_LETTERS:
                raise Unreachable("the catalog does not answer", State.NOTHING_WRITTEN)
            return int(commit(state, change))

        runtime.tables.commit = refusing
        with pytest.raises(Unreachable):
            write(runtime)
        assert "ns.t3" not in registry_of(world).tables
        assert not runtime.log.staged_tables(runtime.pipeline.name)
    assert world.rows("ns.t3") == []
    settle(world)
    check(world)
