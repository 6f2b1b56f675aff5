"""A routed table is retired: it gets nothing more, no record is lost or doubled, whatever dies or wakes up meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, Killed, MemoryRuntime, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.rollbacks import roll_back
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
from lakelock.errors import AccessDenied, ConfigFaults, DecisionRefused, Fenced, LakelockError
from lakelock.model.ledger import Mode
from lakelock.model.offsets import Source
from lakelock.model.operator_log import What

ONE, TWO = "ns.t1", "ns.t2"
X = Source("x", "id-x", 0)


@pytest.fixture
def world() -> MemoryWorld:
    """Two tables with four records, complete and marked."""
    world = routed_world()
    send(world, 1, 2, 1, 2)
    settle(world)
    return world


def retire(world: MemoryWorld, table: str = TWO) -> None:
    with world.open() as runtime:
        runtime.retiring.retire(table, "tester", "test", runtime.retiring.preview(table).shown)


def rows(world: MemoryWorld, table: str) -> list[int]:
    return [offset for _, _, offset in world.rows(table)]


def test_records_of_a_retired_table_become_dead_letters(world: MemoryWorld) -> None:
    retire(world)
    send(world, 2, 1, 2)
    settle(world)
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3], [4, 6])
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
        "1 batch that it does not have yet are given up: x-0 [4, 6)",
        "records of later batches that the rules route to it become dead letters without a table",
    ]
    retire(world)
    send(world, 2)
    settle(world)
    assert (rows(world, ONE), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [6])
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


@pytest.mark.parametrize("step", ["retire_table", DEAD_LETTERS, "give_up_parts", TWO])
def test_one_that_died_is_done_again(world: MemoryWorld, step: str) -> None:
    with world.open() as runtime:
        dying(runtime, step)
    send(world, 2, 1)
    settle(world)
    with world.open() as runtime:
        assert not runtime.log.planned("p"), "nothing is stuck"
    if step != "retire_table":
        assert rows(world, DEAD_LETTERS) == [4], "the log has it first"
    retire(world)
    assert registry_of(world).retired == {TWO}
    send(world, 2)
    settle(world)
    check(world, dead=1 if step == "retire_table" else 2)


def dying(runtime: MemoryRuntime, step: str) -> None:
    """Retire, and die at the call of the log, or at the commit to this table."""
    with killed_at(runtime.log, step) if "_" in step else dies_at_commit(runtime, step):
        runtime.retiring.retire(TWO, "tester", "test")


@contextmanager
def dies_at_commit(runtime: MemoryRuntime, table: str) -> Iterator[None]:
    real = runtime.tables.commit

    def commit_or_die(state: Any, change: Any) -> Any:
        if state.name == table:
            raise Killed
        return real(state, change)

    runtime.tables.commit = commit_or_die
    with pytest.raises(Killed):
        yield
    runtime.tables.commit = real


@pytest.mark.parametrize("commits", [False, True])
@pytest.mark.parametrize("step", ["retire_table", DEAD_LETTERS, "give_up_parts", TWO, "done"])
def test_a_log_that_is_lost(world: MemoryWorld, step: str, commits: bool) -> None:
    """What the dead-letter table does not have was not decided; what became a dead letter stays one, and nothing is lost."""
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
    if step == "done":
        retire(world)
    else:
        with world.open() as runtime:
            dying(runtime, step)
    send(world, 2)
    with world.open() as runtime:
        if commits:
            cycle(runtime)
        else:
            write(runtime)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    is_retired = TWO in registry_of(world).retired
    assert is_retired is (step not in {"retire_table", DEAD_LETTERS})
    assert set(rows(world, TWO)).isdisjoint(rows(world, DEAD_LETTERS))
    every = sorted([*rows(world, ONE), *rows(world, TWO), *rows(world, DEAD_LETTERS)])
    # Of a table that is retired, offset 5 was given up.
    wanted = [0, 1, 2, 3, 4, 5, 6]
    assert every in ([wanted] if not is_retired else [wanted, [0, 1, 2, 3, 4, 6]])


def test_a_recovery_asks_for_no_retired_table(world: MemoryWorld) -> None:
    world.catalog.drop(TWO)
    retire(world)
    send(world, 2, 1)
    settle(world)
    lose_log(world)
    with world.open() as runtime:
        assert not [f for f in runtime.recovery("x", take_over=True).preview() if TWO in f.about]
    recover(world, take_over=True)
    send(world, 2)
    settle(world)
    assert (rows(world, ONE), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [4, 6])
    with world.open() as runtime:
        assert not runtime.recovery("x").preview()


def test_a_tail_below_the_retirement_is_read_again_without_the_table(world: MemoryWorld) -> None:
    """Its records were rows of it, or given up: they are no dead letters."""
    send(world, 2, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    retire(world)
    send(world, 2)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3, 4, 6], [7])


def test_a_tail_across_a_retirement_is_cut(world: MemoryWorld) -> None:
    """Another table has committed beyond it, and the dead letters have not."""
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    retire(world)
    send(world, 2, 2, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 5, 8, 9], [1, 3, 4], [6, 7, 10])


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
        with pytest.raises(Fenced, match=r"table ns\.t2 was retired|not recorded as a routed table"):
            zombie.write("a1", "test/1", planned.batch_id)
    settle(world)
    assert (rows(world, ONE), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [4])
    check(world, dead=1, but=[TWO])


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
        with pytest.raises(LakelockError, match=r"was retired since"):
            zombie.write("a1", "test/1", batch_id)
    send(world, 3)
    settle(world)
    assert (rows(world, ONE), rows(world, "ns.t3"), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [], [6])


def test_an_attempt_at_a_closed_batch_writes_the_other_tables(world: MemoryWorld) -> None:
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
        for part in runtime.log.staged("p"):
            runtime.log.replan(part, "test")
        (batch,) = runtime.log.planned("p")
    with world.open() as zombie:
        before_its(zombie.log, "stage", lambda: retire(world))
        with pytest.raises(Fenced):
            zombie.write("a1", "test/1", batch.batch_id)
    settle(world)
    # It was closed with the table: its records for it are given up.
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3], [])


def test_a_commit_in_flight_does_not_land(world: MemoryWorld) -> None:
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
        before_its(runtime.tables, "commit", lambda: retire(world))
        runtime.commit([TWO], now=True)
    assert rows(world, TWO) == [1, 3]
    settle(world)
    check(world, but=[TWO])


def test_rules_with_several_tables(world: MemoryWorld) -> None:
    world.settings = {"route": {"rules": [{"table": ["ns.t{to}", "ns.all"]}]}}
    send(world, 2, 1)
    settle(world)
    assert rows(world, "ns.all") == [4, 5]
    retire(world)
    send(world, 2, 1)
    settle(world)
    assert (rows(world, "ns.all"), rows(world, DEAD_LETTERS)) == ([4, 5, 7], [6])
    # What the other table reads again is routed as it was.
    with world.open() as runtime:
        roll_back(runtime, "ns.all", "last:2", Mode.REPLAY)
    settle(world)
    assert (rows(world, "ns.all"), rows(world, DEAD_LETTERS)) == ([4, 5, 7], [6])


def test_a_rebind_makes_it_a_routed_table_again(world: MemoryWorld) -> None:
    """It gets what is in Kafka, but for what became a dead letter."""
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
    retire(world)
    send(world, 2, 1)
    settle(world)
    with world.open() as runtime, pytest.raises(DecisionRefused, match="is retired"):
        runtime.rebinding.preview(TWO, False)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test", runtime.rebinding.preview(TWO, False).shown)
    send(world, 2)
    settle(world)
    assert (rows(world, TWO), rows(world, DEAD_LETTERS)) == ([1, 3, 4, 7], [5])
    check(world, dead=1)
    retire(world)
    send(world, 2)
    settle(world)
    check(world, dead=2)


@pytest.mark.parametrize("step", ["replaced", "adopted", "rebind", "done"])
@pytest.mark.parametrize("loses", [False, True])
def test_a_rebind_that_dies(world: MemoryWorld, step: str, loses: bool) -> None:
    retire(world)
    world.catalog.drop(TWO)
    send(world, 2)
    with world.open() as runtime:
        runtime.plan()
        if step == "rebind":
            with killed_at(runtime.log, "rebind"):
                runtime.rebinding.rebind(TWO, False, "tester", "test")
        elif step == "done":
            runtime.rebinding.rebind(TWO, False, "tester", "test")
        else:
            with dies_at_commit(runtime, DEAD_LETTERS if step == "replaced" else TWO):
                runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 2)
    with world.open() as runtime:
        write(runtime)
    if loses:
        lose_log(world)
        if step == "adopted":
            # It has no ledger yet: recover would ask for it.
            world.catalog.drop(TWO)
        with world.open() as runtime:
            runtime.recovery("tester", take_over=True).recover()
    with world.open() as runtime:
        if not runtime.rebinding.preview(TWO, False).nothing:
            runtime.rebinding.rebind(TWO, False, "tester", "test")
    send(world, 2)
    settle(world)
    assert 6 in rows(world, TWO)
    check(world, dead=len(rows(world, DEAD_LETTERS)))


@pytest.mark.parametrize("rebinds", [False, True])
def test_a_stage_of_before_a_retirement(world: MemoryWorld, rebinds: bool) -> None:
    """The batch is not closed: its records for the table are dead letters, or for the table that has the name since."""
    send(world, 2, 1)
    with world.open() as zombie:
        planned = zombie.plan()
        assert planned.batch_id is not None

        def retired() -> None:
            retire(world)
            if rebinds:
                world.catalog.drop(TWO)
                with world.open() as other:
                    other.rebinding.rebind(TWO, False, "tester", "test")

        before_its(zombie.log, "stage", retired)
        with pytest.raises(Fenced, match=r"table ns\.t2 was (retired|written as UUID)"):
            zombie.write("a1", "test/1", planned.batch_id)
    send(world, 2)
    settle(world)
    found = (rows(world, TWO), rows(world, DEAD_LETTERS))
    assert found == (([1, 3, 4, 6], []) if rebinds else ([1, 3], [4, 6]))
    check(world, dead=0 if rebinds else 2)


def test_dead_letters_that_are_planned_again_are_decided_as_before(world: MemoryWorld) -> None:
    """After a rebind, too: the books of the batch say which there are."""
    retire(world)
    send(world, 2, 1)
    with world.open() as runtime:
        write(runtime)
    world.catalog.drop(TWO)
    with world.open() as runtime:
        runtime.rebinding.rebind(TWO, False, "tester", "test")
        letters = [p for p in runtime.log.staged("p") if p.result.target]
        for part in letters:
            runtime.log.replan(part, "test")
        assert letters
    send(world, 2)
    settle(world)
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [1, 3, 6], [4])
    check(world, dead=1)


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
    assert (rows(world, ONE), rows(world, TWO), rows(world, DEAD_LETTERS)) == ([0, 2, 6], [1, 3], [5])


def test_a_table_that_could_not_be_created_is_retired_and_gets_its_place_again(world: MemoryWorld) -> None:
    send(world, 3, 1)
    with world.open() as runtime:
        real = runtime.tables.create

        def forbidden(name: str, definition: Any) -> None:
            raise AccessDenied("no")

        runtime.tables.create = forbidden
        with pytest.raises(LakelockError):
            write(runtime)
        runtime.tables.create = real
    assert registry_of(world).tables["ns.t3"].uuid is None
    retire(world, "ns.t3")
    send(world, 3)
    settle(world)
    assert (rows(world, ONE), rows(world, DEAD_LETTERS)) == ([0, 2, 5], [6])
    with world.open() as runtime:
        runtime.rebinding.rebind("ns.t3", False, "tester", "test")
    send(world, 3)
    settle(world)
    assert (rows(world, "ns.t3"), rows(world, DEAD_LETTERS)) == ([4, 7], [6])
    check(world, dead=1)


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
