"""A routed table that cannot be committed for long: the mark passes it, and it gets its records once it can be."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import about, copied, lose_log
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld
from kits.recoveries import meanwhile, recover
from kits.rollbacks import roll_back
from kits.routed_worlds import (
    THREE,
    TWO,
    X,
    check,
    commit,
    cycle,
    ledger_of,
    registry_of,
    routed_world,
    send,
    settle,
    two_tables,
    write,
)
from lakelock.errors import AccessDenied, State, TableMissing
from lakelock.ingest.marking import mark
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.testing import BAD
from lakelock.testing.catalog import MemoryCatalog


@pytest.fixture
def world() -> MemoryWorld:
    return two_tables()


def late(runtime: MemoryRuntime) -> None:
    """Others wait no longer for what is open now."""
    runtime.world.now_s += 1000
    mark(runtime.context, lambda seconds: None)


def marked(world: MemoryWorld) -> int:
    mark = ledger_of(world).mark
    return mark[X].prefix_end if mark is not None else 0


def behind(world: MemoryWorld) -> dict[str, list[tuple[int, int]]]:
    return {table: [(r.start, r.end) for r in ranges] for table, ranges in ledger_of(world).behind.items()}


def left_behind(world: MemoryWorld, *records: int) -> None:
    """Three batches, of which *records* are the first; all of them are committed but for table 2, and marked."""
    for some in (records or (1, 2), (1, 1), (2, 3, 1)):
        send(world, *some)
        with world.open() as runtime:
            cycle(runtime, TWO)
    with world.open() as runtime:
        late(runtime)


def test_the_mark_passes_a_table_that_waits_for_long_until_it_has_caught_up(world: MemoryWorld) -> None:
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime, TWO)
        assert (marked(world), behind(world)) == (4, {})
        late(runtime)
        assert (marked(world), behind(world)) == (6, {TWO: [(4, 6)]})
    settle(world)
    check(world)
    assert (marked(world), behind(world)) == (6, {})


def test_groups_stay_where_a_table_lacks_records(world: MemoryWorld) -> None:
    """What is committed in a group may be deleted."""
    published: list[int] = []
    world.kafka.published = lambda offsets: published.append(offsets[X])
    left_behind(world)
    assert (marked(world), behind(world)) == (11, {TWO: [(4, 6), (8, 11)]})
    with world.open() as runtime:
        runtime.publish()
        assert published[-1] == 4
        commit(runtime)
        runtime.publish()
    assert published[-1] == 11


@pytest.mark.parametrize("letters", [False, True])
def test_a_recovery_reads_what_a_table_behind_lacks_for_it_alone(world: MemoryWorld, letters: bool) -> None:
    if letters:
        send(world, 2, kind=BAD)
    left_behind(world)
    n = int(letters)
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        planned = {r.range for b in runtime.log.planned("p") for r in b.ranges}
        assert {b.planned_tables for b in runtime.log.planned("p")} == {(TWO,)}
        assert sorted(planned) == [OffsetRange(X, 4, 6 + n), OffsetRange(X, 8 + n, 11 + n)]
    settle(world)
    check(world, dead=n)
    assert behind(world) == {}


def test_what_a_table_behind_has_got_since_is_not_read_again(world: MemoryWorld) -> None:
    left_behind(world)
    with world.open() as runtime:
        commit(runtime)
    assert behind(world) == {TWO: [(4, 6), (8, 11)]}
    world.kafka.low[X] = 11
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)


def test_a_recovery_says_exactly_what_kafka_has_no_longer_for_a_table_behind(world: MemoryWorld) -> None:
    left_behind(world)
    lose_log(world)
    world.kafka.low[X] = 9
    with world.open() as runtime:
        found = about(TWO, runtime.recovery("tester", take_over=True).preview())
    assert [f.what for f in found if "read again" in f.what] == [
        "x-0 [4, 6) must be read again, but Kafka holds it from 9 on",
        "x-0 [8, 11) must be read again, but Kafka holds it from 9 on",
    ]


@pytest.mark.parametrize("again", ["put back", "rebind"])
def test_a_table_that_is_gone_gets_what_it_lacks_after_a_lost_log(world: MemoryWorld, again: str) -> None:
    """It was behind when it was dropped, and is not there when the log is rebuilt."""
    left_behind(world)
    gone = world.catalog.get(TWO)
    world.catalog.drop(TWO)
    lose_log(world)
    with world.open() as runtime:
        runtime.recovery("tester", take_over=True).recover()
    send(world, 2, 1)
    with world.open() as runtime:
        with pytest.raises(TableMissing):
            write(runtime)
        late(runtime)
    if again == "put back":
        world.catalog.register(gone)
        recover(world, take_over=True)
    else:
        with world.open() as runtime:
            runtime.rebinding.rebind(TWO, False, "tester", "test")
    settle(world)
    check(world)
    assert behind(world) == {}


def test_a_table_that_was_never_created_gets_what_it_lacks_after_a_lost_log(
    world: MemoryWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = MemoryCatalog.create

    def forbidding(catalog: MemoryCatalog, name: str, *more: Any) -> None:
        if name == THREE:
            raise AccessDenied(f"{name} is forbidden", State.NOTHING_WRITTEN)
        create(catalog, name, *more)

    send(world, 3, 1, 3)
    with monkeypatch.context() as patched:
        patched.setattr(MemoryCatalog, "create", forbidding)
        with world.open() as runtime:
            with pytest.raises(AccessDenied):
                write(runtime)
            commit(runtime)
            late(runtime)
        assert (marked(world), behind(world)) == (7, {THREE: [(4, 7)]})
        assert registry_of(world).tables[THREE].uuid is None
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)


def test_what_a_rollback_took_out_of_a_table_that_is_behind_comes_back(world: MemoryWorld) -> None:
    send(world, 2, 1)
    settle(world)
    left_behind(world)
    with world.open() as runtime:
        roll_back(runtime, TWO, "last:1", Mode.REPLAY)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    check(world)
    assert behind(world) == {}


def test_a_table_behind_is_read_by_the_rules_of_its_offsets(world: MemoryWorld) -> None:
    left_behind(world)
    world.settings = {"route": {"rules": [{"table": "ns.u{to}"}]}}
    send(world, 2)
    settle(world)
    lose_log(world)
    recover(world, take_over=True)
    settle(world)
    assert world.rows(TWO) == [("x", 0, n) for n in (1, 3, 5, 8)]
    assert world.rows("ns.u2") == [("x", 0, 11)]


def test_a_mark_of_before_a_recovery_is_not_written(world: MemoryWorld) -> None:
    """It may have offsets that the recovery reads again for all tables: their batches would never be written."""
    backup = copied(world)
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)

    def restored() -> None:
        backup()
        recover(world, announced=True)
        world.now_s += 61
        # Its connection goes to the restored log from now on.
        frozen.log.state = world.log.state

    with world.open() as frozen:
        world.now_s += 61
        meanwhile(frozen, "now", restored)
        mark(frozen.context, lambda seconds: None)
    assert marked(world) == 4
    settle(world)
    check(world)


def test_a_batch_below_the_mark_keeps_what_is_open_of_a_table_behind(world: MemoryWorld) -> None:
    left_behind(world)
    with world.open() as runtime:
        runtime.log.coalesce("p", 0)
        assert [p.ranges for p in runtime.log.notes("p", TWO) if p.state.value == "staged"] == [
            (OffsetRange(X, 4, 6),),
            (OffsetRange(X, 8, 11),),
        ]
    settle(world)
    check(world)


def test_tables_of_the_file_can_be_behind_too() -> None:
    world = routed_world()
    world.tables = [{"name": "ns.entry", "topics": ["x"]}]
    send(world, 1)
    with world.open() as runtime:
        cycle(runtime)
        runtime.commit(["ns.entry"], now=True)
    send(world, 1, 1)
    with world.open() as runtime:
        write(runtime)
        commit(runtime)
        late(runtime)
    assert (marked(world), behind(world)) == (3, {"ns.entry": [(1, 3)]})
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        write(runtime)
        runtime.commit(["ns.entry", DEAD_LETTERS], now=True)
        late(runtime)
    assert behind(world) == {}
    assert world.rows("ns.entry") == [("x", 0, n) for n in range(3)]
