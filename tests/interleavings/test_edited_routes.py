"""Pipelines with routes whose file is edited, or whose recovery is disturbed: no record is routed by two configurations."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import copied, lose_log
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld
from kits.recoveries import recover
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
    offsets,
    registry_of,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import ConfigFaults, RecoveryRefused, RouteLimit, TableMissing, WalUnusable
from lakelock.model.batches import LIVE
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.ports import WriteOrder

OTHER_LETTERS, OWN = "ns.dead2", "ns.own"
OTHER_RULES: dict[str, Any] = {"rules": [{"table": "ns.u{to}"}]}


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def cycle_with_both(world: MemoryWorld, *left: str) -> None:
    """As `cycle`, with two dead-letter tables, and without the mark."""
    with world.open() as runtime:
        write(runtime)
        staged = runtime.log.staged_tables(runtime.pipeline.name)
        for name in (OTHER_LETTERS, DEAD_LETTERS, *runtime.routed_tables):
            if name in staged and name not in left:
                runtime.commit([name], now=True)


def test_a_log_is_not_rebuilt_by_other_rules_without_a_table(world: MemoryWorld) -> None:
    """What the table has is read again for all tables: by the former rules nothing of it goes to others."""
    send(world, 2)
    with world.open() as before:
        write(before)
        commit(before)
    away = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    lose_log(world)
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime, pytest.raises(RecoveryRefused, match=r"ns\.t2 is gone .* and the rules were edited"):
        runtime.recovery("tester", take_over=True).recover()
    world.settings = {"route": RULES}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
        with pytest.raises(TableMissing):
            write(runtime)
    world.settings = {"route": OTHER_RULES}
    world.catalog.register(away)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    send(world, 2)
    settle(world)
    assert [place[2] for place in world.rows(TWO)] == [1, 3, 4]
    assert [place[2] for place in world.rows("ns.u2")] == [5]


@pytest.mark.parametrize("commits", [False, True])
def test_the_former_rules_are_those_that_were_registered_last(world: MemoryWorld, commits: bool) -> None:
    """Only a table that is gone may have the records that they routed: to undo them would give these to others as well."""
    world.settings = {"route": OTHER_RULES}
    send(world, 2)
    with world.open() as before:
        write(before)
        if commits:
            commit(before)
    away = world.catalog.get("ns.u2")
    world.catalog.drop("ns.u2")
    lose_log(world)
    world.settings = {"route": RULES}
    with world.open() as runtime, pytest.raises(RecoveryRefused, match="the rules were edited"):
        runtime.recovery("tester", take_over=True).recover()
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    world.catalog.register(away)
    recover(world, take_over=True)
    settle(world)
    assert (offsets(world, TWO), offsets(world, "ns.u2")) == ([1, 3], [4])


def test_a_recovery_plans_from_where_the_last_rules_begin(world: MemoryWorld) -> None:
    """Until then all was planned by rules of before, though nothing of it is committed."""
    send(world, 2)
    with world.open() as before:
        write(before)
    world.settings = {"route": OTHER_RULES}
    send(world, 1)
    with world.open() as before:
        write(before)
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert {s.source: s.next_offset for s in runtime.log.streams("p", LIVE)}[X] == 5
    settle(world)
    assert (offsets(world, TWO), offsets(world, "ns.u1")) == ([1, 3, 4], [5])


def test_a_limit_that_was_raised_is_no_edit_of_the_rules(world: MemoryWorld) -> None:
    world.catalog.drop(TWO)
    lose_log(world)
    world.settings = {"route": {**RULES, "max_tables": 5}}
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()


def test_a_batch_that_a_recovery_planned_is_read_whole(world: MemoryWorld) -> None:
    """A table has records up to its end: if it ended earlier, others would get them by rules of today."""
    send(world, 1, 2, 3, 1)
    with world.open() as before:
        write(before)
        commit(before, TWO, THREE)
    lose_log(world)
    recover(world, take_over=True)
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        (tail,) = runtime.log.planned("p")
        writer: Any = runtime.writer
        writer.reads_until = lambda r: 6 if r.start < 6 else r.end
        runtime.write("a", "test/1", tail.batch_id)
        assert {s.source: s.next_offset for s in runtime.log.streams("p", LIVE)}[X] == 8
    settle(world)
    check(world)


def both_planned(world: MemoryWorld, runtime: MemoryRuntime) -> tuple[str, str]:
    """Ids of two batches, planned by two runs side by side, of records for tables 1 and 2; the second one is written."""
    send(world, 1)
    runtime.plan()
    send(world, 2)
    log: Any = runtime.log
    planned, log.planned = log.planned, lambda pipeline: []
    runtime.plan()
    log.planned = planned
    first, second = (b.batch_id for b in planned("p"))
    runtime.write("a2", "test/2", second)
    return first, second


def test_new_rules_do_not_apply_before_a_batch_that_is_closed(world: MemoryWorld) -> None:
    with world.open() as runtime:
        first, _ = both_planned(world, runtime)
    before = world.pipeline.digest
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        runtime.write("a1", "test/1", first)
    assert [p.digest for p in registry_of(world).pieces(OffsetRange(X, 0, 6))] == [before]
    settle(world)
    check(world)


def test_an_edit_that_was_taken_back_applies_to_its_batch_alone(world: MemoryWorld) -> None:
    """That batch is written last: it must not take its rules to the records of a later one."""
    before, planned = world.pipeline.digest, []
    for rules, to in ((OTHER_RULES, 1), (RULES, 2)):
        world.settings = {"route": rules}
        send(world, to)
        with world.open() as runtime:
            log: Any = runtime.log
            # Two runs side by side.
            known, log.planned = log.planned, lambda pipeline: []
            planned.append((runtime.plan().batch_id or "", runtime.pipeline.digest))
            log.planned = known
    (first, edited), (second, _) = planned
    for batch_id in (second, first):
        with world.open() as runtime:
            runtime.write(f"a-{batch_id}", f"test/{batch_id}", batch_id)
        assert [p.digest for p in registry_of(world).pieces(OffsetRange(X, 0, 6))] == [before, edited, before]
    settle(world)
    assert [offset for _, _, offset in world.rows("ns.u1")] == [4]
    assert [offset for _, _, offset in world.rows(TWO)] == [1, 3, 5]


def test_the_limit_may_be_raised_after_an_attempt_was_killed() -> None:
    """The batch keeps its rules, because that attempt may still be at work with them."""
    world = routed_world({**RULES, "max_tables": 1})
    send(world, 1, 2)
    with world.open() as runtime:
        batch_id = runtime.plan().batch_id
        runtime.log.claim(batch_id, "a0", "test/0", 60)
    world.now_s += 1_000
    with world.open() as runtime, pytest.raises(RouteLimit, match="allows, which is 1"):
        runtime.write("a1", "test/1", batch_id or "")
    world.settings = {"route": {**RULES, "max_tables": 2}}
    settle(world)
    check(world)


def test_the_limit_may_be_raised_for_a_batch_with_tables_of_the_file() -> None:
    world = MemoryWorld(settings={"route": {**RULES, "max_tables": 1}}, tables=[{"name": OWN, "topics": ["x"]}])
    send(world, 1, 2)
    with world.open() as runtime, pytest.raises(RouteLimit):
        write(runtime)
    world.settings = {"route": {**RULES, "max_tables": 2}}
    with world.open() as runtime:
        write(runtime)
        assert sorted(runtime.log.staged_tables("p")) == [OWN, ONE, TWO]


def test_what_a_table_of_the_file_reads_again_decides_nothing_about_routes() -> None:
    """Its records were read before there were rules, of which one would make dead letters of some."""
    world = MemoryWorld(tables=[{"name": OWN, "topics": ["x"]}])
    for to in (1, 9):
        send(world, to, to)
        world.run()
    world.settings = {"route": {"rules": [{"when": {"to": "9"}, "table": "dead_letter"}]}}
    send(world, 1)
    world.run()
    with world.open() as runtime:
        roll_back(runtime, OWN, "last:2", Mode.REPLAY)
    for _ in range(3):
        world.run()
    assert world.rows(OWN) == [("x", 0, n) for n in range(5)]
    assert not world.rows(DEAD_LETTERS)


def test_a_table_that_rules_made_is_not_taken_from_them(world: MemoryWorld) -> None:
    world.tables = [{"name": ONE, "topics": ["x"]}]
    with world.open() as runtime, pytest.raises(ConfigFaults, match=r"names ns\.t1, but rules made this table"):
        runtime.plan()
    world.tables, world.dead_letters = [], TWO
    with world.open() as runtime, pytest.raises(ConfigFaults, match=r"names ns\.t2, but rules made this table"):
        runtime.plan()


def test_checks_of_a_table_that_a_batch_makes_stop_it_as_later_ones() -> None:
    checks = {"positive": {"sql": "v0 > 0", "on_fail": "stop"}}
    columns = [{"name": "v0", "type": "bigint"}]
    world = routed_world({"rules": [{"table": "ns.t{to}", "columns": columns, "checks": checks}]})
    orders: list[WriteOrder] = []
    for _ in range(2):
        send(world, 1)
        with world.open() as runtime:
            writer: Any = runtime.writer
            run = writer.run

            def kept(order: WriteOrder, *more: Any, run: Any = run) -> Any:
                orders.append(order)
                return run(order, *more)

            writer.run = kept
            write(runtime)
    found = [[c.on_fail for c in t.expressions.checks] for order in orders for t in order.targets if t.expressions]
    assert found == [["stop"], ["stop"]]


def test_a_restored_log_routes_nothing_by_other_rules(world: MemoryWorld) -> None:
    """What a table has was not marked yet."""
    restored = copied(world)
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
    restored()
    world.settings = {"route": OTHER_RULES}
    with world.open() as runtime:
        with pytest.raises(WalUnusable, match=r"ns\.t1 already holds x-0 \[4, 6\)"):
            write(runtime)
        runtime.recovery("tester", announced=True).recover()
    settle(world)
    check(world)


# Another dead-letter table.


def test_another_dead_letter_table_names_what_the_former_did(world: MemoryWorld) -> None:
    before, uuid = world.pipeline.digest, world.catalog.get(ONE).uuid
    world.dead_letters = OTHER_LETTERS
    send(world, 3)
    cycle_with_both(world)
    registry = ledger_of(world, OTHER_LETTERS).registry
    assert registry is not None
    assert registry.tables[ONE].uuid == uuid
    assert [p.digest for p in registry.pieces(OffsetRange(X, 0, 5))] == [before, world.pipeline.digest]


def test_what_was_routed_before_it_is_read_again_by_the_rules_of_then(world: MemoryWorld) -> None:
    world.dead_letters, world.settings = OTHER_LETTERS, {"route": OTHER_RULES}
    send(world, 1, 2)
    cycle_with_both(world)
    with world.open() as runtime:
        roll_back(runtime, ONE, "last:1", Mode.REPLAY)
    cycle_with_both(world)
    assert world.rows(ONE) == [("x", 0, 0), ("x", 0, 2)]


def test_what_is_on_its_way_when_it_is_replaced_survives_the_loss_of_postgres(world: MemoryWorld) -> None:
    send(world, 3, 1, 0)
    with world.open() as runtime:
        write(runtime)
        commit(runtime, THREE)
    world.dead_letters, world.settings = OTHER_LETTERS, {"route": {**RULES, "max_tables": 99}}
    send(world, 1, 2)
    cycle_with_both(world, THREE)
    lose_log(world)
    recover(world, take_over=True)
    for _ in range(3):
        cycle_with_both(world)
    assert {name: world.rows(name) for name in (ONE, TWO, THREE, DEAD_LETTERS, OTHER_LETTERS)} == {
        ONE: [("x", 0, n) for n in (0, 2, 5, 7)],
        TWO: [("x", 0, n) for n in (1, 3, 8)],
        THREE: [("x", 0, 4)],
        DEAD_LETTERS: [("x", 0, 6)],
        OTHER_LETTERS: [],
    }


def test_a_batch_of_before_registers_its_tables_where_a_recovery_looks(world: MemoryWorld) -> None:
    with world.open() as runtime:
        first, _ = both_planned(world, runtime)
    send(world, 3)
    world.dead_letters = OTHER_LETTERS
    with world.open() as runtime:
        runtime.write("a1", "test/1", first)
    registry = ledger_of(world, OTHER_LETTERS).registry
    assert registry is not None
    assert {ONE, TWO} <= registry.tables.keys()


def test_a_former_dead_letter_table_is_no_table_for_records(world: MemoryWorld) -> None:
    world.dead_letters = OTHER_LETTERS
    world.settings = {"route": {"rules": [{"table": DEAD_LETTERS, "when": {"to": "1"}}, *RULES["rules"]]}}
    send(world, 1, 2)
    cycle_with_both(world)
    with world.open() as runtime:
        assert DEAD_LETTERS in runtime.log.dead_letter_tables("p")
    assert world.rows(OTHER_LETTERS) == [("x", 0, 4)]
    assert not world.rows(DEAD_LETTERS)


def test_a_rule_does_not_make_what_was_an_entry_of_tables() -> None:
    """Nothing registered how its earlier records came into it."""
    entry = [{"name": ONE, "topics": ["x"]}]
    world = MemoryWorld(tables=entry, topics=["x"])
    send(world, 1, 1)
    world.run()
    world.tables, world.settings = [], {"route": RULES}
    send(world, 1, 2)
    with world.open() as runtime, pytest.raises(ConfigFaults, match="was an entry of `tables`"):
        cycle(runtime)
    world.tables = entry
    for _ in range(3):
        world.run()
    with world.open() as runtime:
        commit(runtime)
    assert world.rows(ONE) == [("x", 0, n) for n in range(4)]
    assert world.rows(TWO) == [("x", 0, 3)]
