"""Dead letters without a table are redriven: once, into all tables that today's rules name, whatever dies meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, Killed, MemoryRuntime, MemoryWorld
from kits.recoveries import recover
from kits.rollbacks import roll_back
from kits.routed_worlds import cycle, ledger_of, registry_of, routed_world, send, settle
from lakelock.audit.audit_text import audit_text
from lakelock.errors import AccessDenied, LakelockError, RedriveRefused
from lakelock.model.ledger import Mode
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedriveRequest

ONE, TWO, ALL = "ns.t1", "ns.t2", "ns.all"
TO_ALL = {"rules": [{"table": ["ns.t{to}", ALL]}], "otherwise": {"table": "ns.rest"}}
REST = "ns.rest"


@pytest.fixture
def world() -> MemoryWorld:
    """Table one, and dead letters without a table: of records without a field `to`, and of those with 2."""
    world = routed_world({"rules": [{"when": {"to": "2"}, "table": "dead_letter"}, {"table": "ns.t{to}"}]})
    send(world, 1, 0, 2, 1, 2)
    settle(world)
    assert rows(world, DEAD_LETTERS) == [1, 2, 4]
    return world


def rows(world: MemoryWorld, table: str) -> list[int]:
    return [offset for _, _, offset in world.rows(table)]


def edit(world: MemoryWorld, rules: dict[str, Any]) -> None:
    world.settings = {"route": rules}


def redrive(
    runtime: MemoryRuntime, request: RedriveRequest | None = None, shown: ApprovedDeadLetters | None = None
) -> list[RedriveOutcome]:
    request = request or RedriveRequest()
    shown = shown or runtime.redrives.preview(request).shown
    return runtime.redrives.redrive(request, "tester", "test", shown, lambda done: None)


def redriven(world: MemoryWorld, request: RedriveRequest | None = None) -> list[RedriveOutcome]:
    with world.open() as runtime:
        return redrive(runtime, request)


def audited(world: MemoryWorld) -> None:
    with world.open() as runtime:
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert not any(t.faults for t in found.tables), audit_text(found)
    for name in world.catalog.tables:
        assert len(rows(world, name)) == len(set(rows(world, name))), name


def test_letters_go_to_the_tables_that_todays_rules_name(world: MemoryWorld) -> None:
    edit(world, {"rules": [{"table": "ns.t{to}"}]})
    with world.open() as runtime:
        planned = runtime.redrives.preview(RedriveRequest())
        assert planned.lines[1:5] == [
            "*: 3 dead letters without a table: x-0 [1, 3), x-0 [4, 5)",
            "*: 2 of the 3 that were tried now go to ns.t2, a new table",
            "*: still without a table: no rule fits: 1",
            "ns.t1: 0 open dead letters",
        ]
        done = redrive(runtime)
    assert [line for o in done for line in o.lines] == [
        "*: 2 of 3 dead letters are assigned to 1 table",
        "*: still without a table: no rule fits: 1",
        "ns.t2: 2 of 2 dead letters became rows, snapshot " + str(world.head(TWO)),
    ]
    assert (rows(world, TWO), rows(world, DEAD_LETTERS)) == ([2, 4], [1, 2, 4])
    assert registry_of(world).tables[TWO].uuid == world.catalog.get(TWO).uuid
    audited(world)
    send(world, 2, 0, 1)
    settle(world)
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 3, 7], [2, 4, 5], [1, 2, 4, 6])
    audited(world)


def test_it_is_idempotent(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world)
    before = {name: world.head(name) for name in world.catalog.tables}
    with world.open() as runtime:
        assert runtime.redrives.preview(RedriveRequest()).nothing
    redriven(world)
    assert {name: world.head(name) for name in world.catalog.tables} == before
    assert (rows(world, TWO), rows(world, ALL), rows(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)


@contextmanager
def dying(runtime: MemoryRuntime, table: str, *, after: bool) -> Iterator[None]:
    """Dies before or after its first commit to the table that has rows, or an assignment."""
    real = runtime.tables.commit

    def commit_or_die(state: Any, change: Any) -> Any:
        matters = change.batch_ids or (change.ledger.registry is not None and change.ledger.registry.assigned)
        if state.name != table or not matters:
            return real(state, change)
        if after:
            real(state, change)
        raise Killed

    runtime.tables.commit = commit_or_die
    with pytest.raises(Killed):
        yield
    runtime.tables.commit = real


@pytest.mark.parametrize("loses", [False, True])
@pytest.mark.parametrize("edits", [False, True])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("table", [DEAD_LETTERS, TWO, ALL])
def test_one_that_dies_is_finished_by_another(
    world: MemoryWorld, table: str, after: bool, edits: bool, loses: bool
) -> None:
    """Also if the rules were edited meanwhile: what was assigned stays so."""
    edit(world, TO_ALL)
    with world.open() as runtime, dying(runtime, table, after=after):
        redrive(runtime)
    if loses:
        lose_log(world)
        recover(world, take_over=True)
    was_assigned = table != DEAD_LETTERS or after
    if edits:
        edit(world, {"rules": [{"table": "ns.other"}], "otherwise": {"table": "ns.other"}})
    redriven(world)
    if edits and not was_assigned:
        assert rows(world, "ns.other") == [1, 2, 4]
    else:
        assert (rows(world, TWO), rows(world, ALL), rows(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)
    send(world, 1, 2)
    settle(world)
    audited(world)


def before_its(owner: Any, method: str, happens: Callable[[], None]) -> None:
    real = getattr(owner, method)

    def late(*of: Any, **named: Any) -> Any:
        setattr(owner, method, real)
        happens()
        return real(*of, **named)

    setattr(owner, method, late)


@pytest.mark.parametrize("method", ["commit", "load"])
def test_two_at_once_with_other_rules(world: MemoryWorld, method: str) -> None:
    """The first one that is recorded decides."""
    edit(world, TO_ALL)
    with world.open() as frozen:
        shown = frozen.redrives.preview(RedriveRequest()).shown

        def other() -> None:
            edit(world, {"rules": [{"table": "ns.other"}], "otherwise": {"table": "ns.other"}})
            redriven(world)

        before_its(frozen.tables, method, other)
        redrive(frozen, shown=shown)
    assert rows(world, "ns.other") == [1, 2, 4]
    assert not any(rows(world, name) for name in (TWO, ALL, REST))
    audited(world)


def test_a_letter_of_which_a_table_cannot_be_made_stays(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    with world.open() as runtime:
        real = runtime.tables.create

        def forbidden(name: str, definition: Any) -> Any:
            if name == TWO:
                raise AccessDenied("no")
            return real(name, definition)

        runtime.tables.create = forbidden
        redrive(runtime)
    assert (rows(world, ALL), rows(world, REST)) == ([], [1])
    redriven(world)
    assert (rows(world, TWO), rows(world, ALL), rows(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)


def test_a_table_that_has_open_batches_gets_them_later(world: MemoryWorld) -> None:
    send(world, 1)
    with world.open() as runtime:
        from kits.routed_worlds import write

        write(runtime)
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        runtime.commit([DEAD_LETTERS], now=True)
    edit(world, {"rules": [{"table": ONE}]})
    with world.open() as runtime:
        runtime.redrives.preview(RedriveRequest())
        redrive(runtime)
    assert rows(world, ONE) == [0, 1, 2, 3, 4], "those behind its open batch wait"
    settle(world)
    redriven(world)
    assert rows(world, ONE) == [0, 1, 2, 3, 4, 5, 6]
    audited(world)


@pytest.mark.parametrize("way", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_rollback_opens_them_again(world: MemoryWorld, way: Mode) -> None:
    edit(world, {"rules": [{"table": ONE}]})
    redriven(world)
    assert rows(world, ONE) == [0, 1, 2, 3, 4]
    with world.open() as runtime:
        shown = runtime.rollbacks.preview(ONE, "last:1", way)
        assert any("3 redriven dead letters are open again" in line for line in shown.lines)
        roll_back(runtime, ONE, "last:1", way)
    settle(world)
    assert rows(world, ONE) == [0, 3]
    redriven(world)
    assert rows(world, ONE) == [0, 1, 2, 3, 4]
    audited(world)


def test_a_table_that_is_replaced_gets_them_again(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world)
    world.catalog.drop(ALL)
    with world.open() as runtime:
        runtime.rebinding.rebind(ALL, False, "tester", "test")
    settle(world)
    assert rows(world, ALL) == []
    redriven(world)
    assert (rows(world, TWO), rows(world, ALL)) == ([2, 4], [2, 4])
    audited(world)


def test_letters_of_a_retired_table(world: MemoryWorld) -> None:
    edit(world, {"rules": [{"table": "ns.t{to}"}]})
    with world.open() as runtime:
        runtime.retiring.retire(ONE, "tester", "test")
    send(world, 1, 1)
    settle(world)
    assert rows(world, DEAD_LETTERS) == [1, 2, 4, 5, 6]
    edit(world, {"rules": [{"when": {"to": "1"}, "table": "ns.new"}]})
    redriven(world)
    assert (rows(world, "ns.new"), rows(world, ONE)) == ([5, 6], [0, 3])
    audited(world)


def test_only_what_the_request_names(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world, RedriveRequest("*", "x", 0, 0, 3))
    assert (rows(world, TWO), rows(world, REST)) == ([2], [1])
    redriven(world, RedriveRequest(TWO))
    assert rows(world, TWO) == [2]
    redriven(world, RedriveRequest("*"))
    assert (rows(world, TWO), rows(world, ALL)) == ([2, 4], [2, 4])
    audited(world)


def test_an_approval_is_for_the_letters_and_the_file_of_the_preview(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    with world.open() as runtime:
        shown = ApprovedDeadLetters.of(runtime.redrives.preview(RedriveRequest()).shown.text)
    edit(world, {"rules": [{"when": {"to": "2"}, "table": "dead_letter"}, {"table": "ns.t{to}"}]})
    with world.open() as runtime, pytest.raises(RedriveRefused, match="was edited after the preview"):
        redrive(runtime, shown=shown)
    send(world, 2)
    settle(world)
    edit(world, TO_ALL)
    with world.open() as runtime:
        redrive(runtime, shown=shown)
    assert (rows(world, TWO), rows(world, DEAD_LETTERS)) == ([2, 4], [1, 2, 4, 5])


def test_more_tables_than_the_limit_are_refused(world: MemoryWorld) -> None:
    edit(world, {**TO_ALL, "max_tables": 2})
    with pytest.raises(LakelockError, match=r"more than route\.max_tables"):
        redriven(world)
    assert set(world.catalog.tables) == {ONE, DEAD_LETTERS}
    assert not ledger_of(world).registry.assigned  # type: ignore[union-attr]


def test_names_that_collide_go_to_none(world: MemoryWorld) -> None:
    send(world, 10, 11)
    edit(world, {"rules": [{"when": {"to": ["a", "A"]}, "table": "dead_letter"}, {"table": "ns.t{to}"}]})
    with world.open() as runtime:
        cycle(runtime)
    settle(world)
    edit(world, {"rules": [{"table": ["ns.t{to}", ALL]}]})
    redriven(world)
    assert (rows(world, "ns.ta"), rows(world, ALL)) == ([5], [2, 4, 5])
    audited(world)
