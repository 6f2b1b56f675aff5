"""Dead letters without a table are redriven: once, into all tables that today's rules name, whatever dies meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from kits.letters import ALL, EACH, REST, TO_ALL, audited, dying, edit, redrive, redriven, world_of_letters
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld
from kits.recoveries import recover
from kits.routed_backfills import earlier_records, finish_backfills, request_earlier
from kits.routed_worlds import (
    ONE,
    RULES,
    TWO,
    X,
    before_its,
    cycle,
    ledger_of,
    offsets,
    registry_of,
    routed_world,
    send,
    settle,
)
from lakelock.errors import AccessDenied, ConfigFaults, LakelockError, RedriveRefused, RouteLimit, State
from lakelock.model.offsets import OffsetRange
from lakelock.redrive import decision as decisions
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedriveRequest
from lakelock.testing import BAD, GOOD
from lakelock.testing.routing import routed_record


@pytest.fixture
def world() -> MemoryWorld:
    return world_of_letters()


def test_letters_go_to_the_tables_that_todays_rules_name(world: MemoryWorld) -> None:
    edit(world, EACH)
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
    assert (offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([2, 4], [1, 2, 4])
    assert registry_of(world).tables[TWO].uuid == world.catalog.get(TWO).uuid
    audited(world)
    send(world, 2, 0, 1)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == (
        [0, 3, 7],
        [2, 4, 5],
        [1, 2, 4, 6],
    )
    audited(world)


def test_it_is_idempotent(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world)
    before = {name: world.head(name) for name in world.catalog.tables}
    with world.open() as runtime:
        assert runtime.redrives.preview(RedriveRequest()).nothing
    redriven(world)
    assert {name: world.head(name) for name in world.catalog.tables} == before
    assert (offsets(world, TWO), offsets(world, ALL), offsets(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)


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
        assert offsets(world, "ns.other") == [1, 2, 4]
    else:
        assert (offsets(world, TWO), offsets(world, ALL), offsets(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)
    send(world, 1, 2)
    settle(world)
    audited(world)


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
    assert offsets(world, "ns.other") == [1, 2, 4]
    assert not any(offsets(world, name) for name in (TWO, ALL, REST))
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
    assert (offsets(world, ALL), offsets(world, REST)) == ([], [1])
    redriven(world)
    assert (offsets(world, TWO), offsets(world, ALL), offsets(world, REST)) == ([2, 4], [2, 4], [1])
    audited(world)


def test_only_what_the_request_names(world: MemoryWorld) -> None:
    edit(world, TO_ALL)
    redriven(world, RedriveRequest("*", "x", 0, 0, 3))
    assert (offsets(world, TWO), offsets(world, REST)) == ([2], [1])
    redriven(world, RedriveRequest(TWO))
    assert offsets(world, TWO) == [2]
    redriven(world, RedriveRequest("*"))
    assert (offsets(world, TWO), offsets(world, ALL)) == ([2, 4], [2, 4])
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
    assert (offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([2, 4], [1, 2, 4, 5])


@pytest.mark.parametrize("expires", [DEAD_LETTERS, ONE])
def test_a_preview_whose_snapshots_have_expired_is_refused(world: MemoryWorld, expires: str) -> None:
    send(world, 1, kind=BAD)
    settle(world)
    edit(world, EACH)
    with world.open() as runtime:
        shown = runtime.redrives.preview(RedriveRequest()).shown
    send(world, 0, 1)
    settle(world)
    world.catalog.expire(expires, 1, files_too=False)
    with world.open() as runtime, pytest.raises(RedriveRefused, match=f"{expires}: the snapshots of the preview") as no:
        redrive(runtime, shown=shown)
    assert no.value.do == "Preview the redrive again."


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
    assert (offsets(world, "ns.ta"), offsets(world, ALL)) == ([5], [2, 4, 5])
    audited(world)


def test_a_limit_stops_letters_without_a_table_only(world: MemoryWorld) -> None:
    send(world, 1, kind=BAD)
    settle(world)
    world.kafka.records[X][5] = routed_record(GOOD, 1)
    edit(world, {**TO_ALL, "max_tables": 2})
    with world.open() as runtime:
        shown = runtime.redrives.preview(RedriveRequest()).shown
        reported: list[RedriveOutcome] = []
        with pytest.raises(RouteLimit, match="Nothing was changed"):
            runtime.redrives.redrive(RedriveRequest(), "tester", "test", shown, reported.append)
    assert [o.table for o in reported] == [ONE]
    assert offsets(world, ONE) == [0, 3, 5]
    audited(world)


def each(found: Iterable[OffsetRange], *most: int, **pieces: int) -> list[list[OffsetRange]]:
    """A chunk for each offset."""
    return [[OffsetRange(r.source, o, o + 1)] for r in found for o in range(r.start, r.end)]


def test_a_limit_in_a_later_chunk_keeps_what_is_done(world: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "chunks", each)
    edit(world, {"rules": [{"when": {"to": "2"}, "table": TWO}], "otherwise": {"table": REST}, "max_tables": 2})
    with world.open() as runtime:
        shown = runtime.redrives.preview(RedriveRequest("*")).shown
        reported: list[RedriveOutcome] = []
        with pytest.raises(RouteLimit) as fault:
            runtime.redrives.redrive(RedriveRequest("*"), "tester", "test", shown, reported.append)
    assert fault.value.state == State.DONE_KEPT
    assert [(o.table, o.given, o.rows) for o in reported] == [("*", 1, 0), (REST, 0, 1)]
    audited(world)


def test_a_table_that_rules_made_takes_no_assignment(world: MemoryWorld) -> None:
    """With the file as it was, nothing would look for it there: the letters would be assigned twice."""
    edit(world, TO_ALL)
    world.dead_letters = ONE
    with world.open() as runtime, pytest.raises(ConfigFaults, match=r"names ns\.t1, but rules made this table"):
        redrive(runtime)
    assert ledger_of(world, ONE).registry is None


def test_letters_of_many_tables_are_assigned_up_to_what_the_ledger_carries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the five tables has a piece of each letter."""
    world = routed_world(EACH)
    monkeypatch.setattr(decisions, "CHUNK_PIECES", 5)
    monkeypatch.setattr(decisions, "MOST_PIECES", 20)
    send(world, *[0, 1] * 6)
    settle(world)
    edit(world, {"rules": [*EACH["rules"], {"table": [f"ns.all{n}" for n in range(5)]}]})
    with world.open() as runtime, pytest.raises(RedriveRefused, match=r"ns\.dead: .* separate ranges .* assigned"):
        redrive(runtime, RedriveRequest("*"))
    assert [len(offsets(world, f"ns.all{n}")) for n in range(5)] == [4] * 5
    audited(world)


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_letter_of_a_backfill_becomes_a_row(is_lost: bool) -> None:
    """It lies before the start of the table, which has no part of the backfill."""
    world = earlier_records()
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    (letter,) = offsets(world, DEAD_LETTERS)
    world.settings = {**world.settings, "route": {"rules": [*RULES["rules"], {"table": REST}]}}
    with world.open() as runtime:
        assert sum(o.rows for o in redrive(runtime)) == 1
    assert offsets(world, REST) == [letter]
    if is_lost:
        lose_log(world)
        recover(world, take_over=True)
    send(world, 0, 1)
    settle(world)
    assert offsets(world, REST) == [letter, 8]
    with world.open() as runtime:
        assert [o for o in redrive(runtime) if o.rows] == []
        assert runtime.audit().complete
