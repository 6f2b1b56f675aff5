"""A routed table is retired: it gets nothing more, no record is lost or doubled, whatever dies or wakes up meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld
from kits.rollbacks import roll_back
from kits.routed_worlds import (
    ONE,
    TWO,
    X,
    before_its,
    check,
    commit,
    ledger_of,
    offsets,
    retire,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import AccessDenied, BatchChanged, ConfigFaults, DecisionRefused, LakelockError
from lakelock.ingest.outcome import WriteOutcome
from lakelock.ingest.window import write_window
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def test_records_of_a_retired_table_become_dead_letters(world: MemoryWorld) -> None:
    retire(world)
    send(world, 2, 1, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3], [4, 6])
    check(world, dead=2)
    with world.open() as runtime:
        assert TWO not in {t.name for t in runtime.pipeline.tables}
    assert [d.about for d in ledger_of(world).decisions if d.what is What.RETIRE] == [f"table {TWO}"]


def test_a_table_that_was_dropped_is_retired_and_what_it_waits_for_is_given_up(world: MemoryWorld) -> None:
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        with pytest.raises(LakelockError):
            commit(runtime)
        planned = runtime.retiring.preview(TWO)
    assert planned.lines == [
        f"retire {TWO}: the table is gone, or was never created, and gets nothing more from this pipeline",
        "gives up 1 batch that it does not have yet: x-0 [4, 6)",
        "records of later batches that the rules route to it become dead letters without a table",
    ]
    retire(world)
    send(world, 2)
    settle(world)
    assert (offsets(world, ONE), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [6])
    mark = ledger_of(world).mark
    assert mark is not None
    assert mark[X].prefix_end == 7


def test_it_is_idempotent(world: MemoryWorld) -> None:
    retire(world)
    before = {name: world.head(name) for name in (TWO, DEAD_LETTERS)}
    with world.open() as runtime:
        assert runtime.retiring.preview(TWO).lines == [f"retire {TWO}: it is retired; nothing is left to decide"]
    retire(world)
    assert {name: world.head(name) for name in (TWO, DEAD_LETTERS)} == before


@pytest.mark.parametrize("drops", [False, True])
def test_an_attempt_that_began_before_stages_nothing_for_it(world: MemoryWorld, drops: bool) -> None:
    """It is refused, and the next one finds dead letters."""
    send(world, 2, 1)
    with world.open() as zombie:
        planned = zombie.plan()
        assert planned.batch_id is not None

        def retired() -> None:
            if drops:
                world.catalog.drop(TWO)
            retire(world)

        before_its(zombie.log, "stage", retired)
        with pytest.raises(BatchChanged, match=r"table ns\.t2 was retired"):
            zombie.write("a1", "test/1", planned.batch_id)
    settle(world)
    assert (offsets(world, ONE), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [4])
    check(world, dead=1, but=[TWO])


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_window_that_is_overtaken_writes_the_batch_again(world: MemoryWorld, is_closed: bool) -> None:
    """In the same task, whose attempts have one id: the old one staged nothing, and nothing is written twice."""
    send(world, 2, 1)
    with world.open() as runtime:
        if is_closed:
            write(runtime)
            for part in runtime.log.staged("p"):
                runtime.log.replan(part, "test")
        before_its(runtime.log, "stage", lambda: retire(world))
        outcomes = write_a_window(runtime)
        assert [o.offsets for o in outcomes] == [2]
        assert runtime.log.planned("p") == []
    settle(world)
    # A batch that was closed with the table gave up its records for it.
    assert (offsets(world, ONE), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [] if is_closed else [4])
    check(world, dead=0 if is_closed else 1, but=[TWO])


def write_a_window(runtime: MemoryRuntime) -> list[WriteOutcome]:
    """A window of twelve seconds, with a batch every five. Pauses pass its time."""
    passed_s, began = [0.0], datetime(2026, 1, 31, tzinfo=UTC)
    clock: Any = SimpleNamespace(now=lambda: began + timedelta(seconds=passed_s[0]), monotonic=lambda: passed_s[0])

    def pause(seconds: float) -> None:
        passed_s[0] += seconds

    return write_window(
        runtime.log,
        clock,
        "p",
        plan=lambda passed_over: runtime.plan(passed_over=passed_over),
        write=lambda batch_id: runtime.write("a1", "test/1", batch_id),
        reconnect=lambda: None,
        first_batch_id=None,
        until=began + timedelta(seconds=12),
        batch_every_s=5.0,
        pause=pause,
        report=lambda outcome: None,
    )


def test_an_attempt_that_began_before_does_not_make_it(world: MemoryWorld) -> None:
    """Another attempt made the table, which then was retired."""
    send(world, 3, 1)
    with world.open() as zombie:
        batch_id = zombie.plan().batch_id
        assert batch_id is not None

        def made_and_retired() -> None:
            with world.open() as other:
                other.write("a2", "test/1", batch_id)
            retire(world, "ns.t3")

        before_its(zombie.log, "keep_routed", made_and_retired)
        with pytest.raises(BatchChanged, match=r"was retired since"):
            zombie.write("a1", "test/1", batch_id)
    send(world, 3)
    settle(world)
    assert (offsets(world, ONE), offsets(world, "ns.t3"), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [], [6])


def test_an_attempt_at_a_closed_batch_writes_the_other_tables(world: MemoryWorld) -> None:
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
        for part in runtime.log.staged("p"):
            runtime.log.replan(part, "test")
        (batch,) = runtime.log.planned("p")
    with world.open() as zombie:
        before_its(zombie.log, "stage", lambda: retire(world))
        with pytest.raises(BatchChanged, match="the part of table ns.t2 is no longer planned"):
            zombie.write("a1", "test/1", batch.batch_id)
    settle(world)
    # It was closed with the table: its records for it are given up.
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3], [])


def test_a_commit_in_flight_does_not_land(world: MemoryWorld) -> None:
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        before_its(runtime.tables, "commit", lambda: retire(world))
        runtime.commit([TWO], now=True)
    assert offsets(world, TWO) == [1, 3]
    settle(world)
    check(world, but=[TWO])


def test_rules_with_several_tables(world: MemoryWorld) -> None:
    world.settings = {"route": {"rules": [{"table": ["ns.t{to}", "ns.all"]}]}}
    send(world, 2, 1)
    settle(world)
    assert offsets(world, "ns.all") == [4, 5]
    retire(world)
    send(world, 2, 1)
    settle(world)
    assert (offsets(world, "ns.all"), offsets(world, DEAD_LETTERS)) == ([4, 5, 7], [6])
    # What the other table reads again is routed as it was.
    with world.open() as runtime:
        roll_back(runtime, "ns.all", "last:2", Mode.REPLAY)
    settle(world)
    assert (offsets(world, "ns.all"), offsets(world, DEAD_LETTERS)) == ([4, 5, 7], [6])


def test_dead_letters_of_a_batch_of_before_that_are_planned_again(world: MemoryWorld) -> None:
    send(world, 2, 0, 1)
    with world.open() as runtime:
        write(runtime)
    retire(world)
    with world.open() as runtime:
        letters = [p for p in runtime.log.staged("p") if p.result.target]
        for part in letters:
            runtime.log.replan(part, "test")
        assert letters
    settle(world)
    assert (offsets(world, ONE), offsets(world, TWO), offsets(world, DEAD_LETTERS)) == ([0, 2, 6], [1, 3], [5])


def test_what_cannot_be_retired_is_refused(world: MemoryWorld) -> None:
    with world.open() as runtime, pytest.raises(DecisionRefused, match="no rule of pipeline 'p' has made it"):
        runtime.retiring.preview("ns.t9")
    retire(world)
    for tables, dead_letters in (([{"name": TWO}], DEAD_LETTERS), ([], TWO)):
        world.tables, world.dead_letters = tables, dead_letters
        with world.open() as runtime, pytest.raises(ConfigFaults, match=r"names ns\.t2, but rules made this table"):
            runtime.plan()


def test_an_approval_is_of_one_table(world: MemoryWorld) -> None:
    with world.open() as runtime:
        shown = runtime.retiring.preview(TWO).shown
        world.catalog.drop(TWO)
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        with pytest.raises(DecisionRefused, match="the plan changed after you approved it"):
            runtime.retiring.retire(TWO, "tester", "test", shown)


@pytest.mark.parametrize("name", ["load", "commit"])
def test_a_table_that_cannot_be_read_is_not_gone(world: MemoryWorld, name: str) -> None:
    """A commit in flight might land in it later."""
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        real = getattr(runtime.tables, name)

        def denied(of: Any, *more: Any, **named: Any) -> Any:
            if (of if isinstance(of, str) else of.name) == TWO:
                raise AccessDenied("no")
            return real(of, *more, **named)

        setattr(runtime.tables, name, denied)
        with pytest.raises(AccessDenied):
            runtime.retiring.retire(TWO, "tester", "test")
        setattr(runtime.tables, name, real)
        runtime.retiring.retire(TWO, "tester", "test")
        assert runtime.retiring.preview(TWO).nothing
    assert ledger_of(world, TWO).generation == 1
