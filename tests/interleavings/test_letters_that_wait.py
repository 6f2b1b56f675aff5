"""Dead letters that are assigned to a table and are no rows of it yet, or no longer."""

from __future__ import annotations

from typing import Any

import pytest
from kits.letters import ALL, EACH, TO_ALL, audited, dying, edit, redrive, redriven, world_of_letters
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.rollbacks import roll_back
from kits.routed_worlds import ONE, TWO, ledger_of, offsets, registry_of, send, settle, write
from lakelock.audit.audit_text import audit_text
from lakelock.model.ledger import Mode
from lakelock.records.reasons import CountedCause
from lakelock.redrive.redrive_preview import RedriveRequest
from lakelock.testing import BAD


@pytest.fixture
def world() -> MemoryWorld:
    return world_of_letters()


def test_a_table_that_has_open_batches_gets_them_later(world: MemoryWorld) -> None:
    send(world, 1)
    with world.open() as runtime:
        write(runtime)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        runtime.commit([DEAD_LETTERS], now=True)
    edit(world, {"rules": [{"table": ONE}]})
    with world.open() as runtime:
        runtime.redrives.preview(RedriveRequest())
        redrive(runtime)
    assert offsets(world, ONE) == [0, 1, 2, 3, 4], "those behind its open batch wait"
    settle(world)
    redriven(world)
    assert offsets(world, ONE) == [0, 1, 2, 3, 4, 5, 6]
    audited(world)


@pytest.mark.parametrize("way", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_rollback_opens_them_again(world: MemoryWorld, way: Mode) -> None:
    edit(world, {"rules": [{"table": ONE}]})
    redriven(world)
    assert offsets(world, ONE) == [0, 1, 2, 3, 4]
    with world.open() as runtime:
        shown = runtime.rollbacks.preview(ONE, "last:1", way)
        assert any("3 redriven dead letters are open again" in line for line in shown.lines)
        roll_back(runtime, ONE, "last:1", way)
    settle(world)
    assert offsets(world, ONE) == [0, 3]
    redriven(world)
    assert offsets(world, ONE) == [0, 1, 2, 3, 4]
    audited(world)


def test_a_table_that_is_replaced_gets_them_again(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world)
    world.catalog.drop(ALL)
    with world.open() as runtime:
        runtime.rebinding.rebind(ALL, False, "tester", "test")
    settle(world)
    assert offsets(world, ALL) == []
    redriven(world)
    assert (offsets(world, TWO), offsets(world, ALL)) == ([2, 4], [2, 4])
    audited(world)


def test_letters_of_a_retired_table(world: MemoryWorld) -> None:
    edit(world, EACH)
    with world.open() as runtime:
        runtime.retiring.retire(ONE, "tester", "test")
    send(world, 1, 1)
    settle(world)
    assert offsets(world, DEAD_LETTERS) == [1, 2, 4, 5, 6]
    edit(world, {"rules": [{"when": {"to": "1"}, "table": "ns.new"}]})
    redriven(world)
    assert (offsets(world, "ns.new"), offsets(world, ONE)) == ([5, 6], [0, 3])
    audited(world)


def test_letters_that_are_assigned_to_a_table_that_is_retired_are_shown_and_have_a_way_out(world: MemoryWorld) -> None:
    edit(world, EACH)
    with world.open() as runtime, dying(runtime, TWO, after=False):
        redrive(runtime)
    with world.open() as runtime:
        assert runtime.retiring.preview(TWO).lines[1] == (
            "dead letters that are assigned to it and are no rows yet wait until a rebind makes it a routed table again: "
            "x-0 [2, 3), x-0 [4, 5)"
        )
        runtime.retiring.retire(TWO, "tester", "test")
    with world.open() as runtime:
        assert "  assigned to ns.t2 and no rows yet: 2. It is retired: they wait for a rebind" in said(runtime)
        planned = runtime.redrives.preview(RedriveRequest("*"))
        assert planned.lines[0].endswith("none of them fits its table now")
        assert planned.lines[-1] == (
            "ns.t2: dead letters that are assigned to it wait, because it is retired: x-0 [2, 3), x-0 [4, 5). A rebind makes "
            "it a routed table again"
        )
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        assert "  assigned to ns.t2 and no rows yet: 2" in said(runtime)
    settle(world)
    redriven(world)
    assert offsets(world, TWO) == [2, 4]
    with world.open() as runtime:
        assert "  3 dead letters without a table so far, 2 of which are rows now" in said(runtime)
    audited(world)


def said(runtime: MemoryRuntime) -> list[str]:
    return audit_text(runtime.audit()).splitlines()


@pytest.mark.parametrize("loses", [False, True])
def test_letters_are_found_before_the_first_batch_with_another_dead_letter_table(
    world: MemoryWorld, loses: bool
) -> None:
    edit(world, EACH)
    world.dead_letters = "ns.d2"
    with world.open() as runtime:
        planned = runtime.redrives.preview(RedriveRequest("*"))
        assert planned.lines[1] == "*: 3 dead letters without a table: x-0 [1, 3), x-0 [4, 5)"
        assert "ns.d2" not in world.catalog.tables, "a preview changes nothing"
        redrive(runtime, RedriveRequest("*"), planned.shown)
    assert offsets(world, TWO) == [2, 4]
    registry = ledger_of(world, "ns.d2").registry
    assert registry is not None
    assert [(r.start, r.end) for r in registry.assigned[TWO]] == [(2, 3), (4, 5)], "a recovery knows this table alone"
    if loses:
        lose_log(world)
        recover(world, take_over=True)
    redriven(world)
    send(world, 1, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO)) == ([0, 3, 5], [2, 4, 6])
    audited(world)


def test_an_audit_has_the_causes_of_all_dead_letter_tables(world: MemoryWorld) -> None:
    send(world, 0, 3, kind=BAD)
    world.settings = {"route": {"rules": [{"when": {"to": "2"}, "table": "dead_letter"}, *EACH["rules"]]}}
    settle(world)
    world.dead_letters = "ns.d2"
    send(world, 0, 2)
    send(world, 3, kind=BAD)
    settle(world)
    found = {DEAD_LETTERS: (3, 1), "ns.d2": (2, 1)}
    with world.open() as runtime:

        def causes(state: Any, target: str, topic_ids: Any, most: int) -> list[CountedCause]:
            n = found[state.name][target != "*"]
            return [CountedCause("common", "f", n, state.name), CountedCause(state.name, None, 1, "")]

        runtime.tables.dead_letter_causes = causes
        audit = runtime.audit()
    assert audit.routes is not None
    assert [(c.kind, c.count) for c in audit.routes.causes] == [("common", 5), ("ns.d2", 1), ("ns.dead", 1)]
    (three,) = [t for t in audit.tables if t.table == "ns.t3"]
    assert [(c.kind, c.count) for c in three.causes] == [("common", 2), ("ns.d2", 1), ("ns.dead", 1)]


def test_a_redrive_that_dies_before_it_adopts_its_table_is_made_up_by_the_next() -> None:
    """The table is registered with its UUID, and has no ledger."""
    world = world_of_letters()
    edit(world, EACH)
    with world.open() as runtime, killed_at(runtime.log, "bind"):
        redrive(runtime)
    assert registry_of(world).tables[TWO].uuid == world.catalog.get(TWO).uuid
    redriven(world)
    assert offsets(world, TWO) == [2, 4]
    settle(world)
    audited(world)
