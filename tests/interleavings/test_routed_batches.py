"""Batches whose tables become known while they are written: no record is lost between two passes, or between two attempts."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS, MemoryRuntime, MemoryWorld
from kits.recoveries import recover
from kits.routed_worlds import X, before_its, check, commit, cycle, ledger_of, registry_of, routed_world, send, settle
from lakelock.errors import LakelockError, State, TableUnfit
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.model.registry import PlannedConfig, Registry
from lakelock.testing.kafka import EXTRA

# Two texts of one name.
LOWER, UPPER = 10, 11


def fails(tables: Any, method: str, table: str) -> None:
    """The first call for *table* fails, in this process."""
    keep, left = getattr(tables, method), [table]

    def once(state: Any, *more: Any) -> Any:
        if getattr(state, "name", state) in left:
            left.clear()
            raise TableUnfit(f"{table} is forbidden.", State.PART_PLANNED)
        return keep(state, *more)

    setattr(tables, method, once)


def attempt(runtime: MemoryRuntime) -> None:
    """One attempt at the oldest batch, whatever it ends with."""
    planned = runtime.plan()
    assert planned.batch_id is not None
    try:
        runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
    except LakelockError as fault:
        print(fault)
    runtime.refresh_tables()


def test_records_of_two_names_in_one_batch_are_rows_of_the_first_and_dead_letters() -> None:
    rules = {"rules": [{"when": {"to": ["a", "A"]}, "table": ["ns.t{to}", "ns.all"]}, {"table": "ns.t{to}"}]}
    world = routed_world(rules)
    send(world, 1)
    settle(world)
    send(world, LOWER, UPPER)
    settle(world)
    assert world.rows("ns.ta") == world.rows("ns.all") == [("x", 0, 1)]
    assert world.rows(DEAD_LETTERS) == [("x", 0, 2)]


def test_a_batch_does_not_wait_for_a_table_whose_name_another_one_got() -> None:
    """Its only record for the table is a dead letter then: no attempt would ever make the table for it."""
    world = routed_world()
    send(world, UPPER)
    with world.open() as runtime:
        before_its(runtime.log, "keep_routed", lambda: world.log.keep_routed("p", {"ns.ta": "ns.ta"}))
        fails(runtime.tables, "create", "ns.ta")
        attempt(runtime)
        assert not runtime.log.planned("p")
    settle(world)
    assert world.rows(DEAD_LETTERS) == [("x", 0, 0)]
    check(world, dead=1)


def test_a_new_table_has_no_records_in_partitions_of_a_topic_that_is_not_read_again() -> None:
    world = MemoryWorld(settings={"route": {"rules": [{"table": "ns.t{to}"}]}}, tables=[], topics=["x", "y"])
    world.add_topic("y")
    send(world, 1, 2)
    world.kafka.records[world.kafka.sources(["y"])[0]] += list(world.kafka.records[X])[:1]
    settle(world)
    check(world)


def test_a_table_that_could_not_be_created_gets_its_records_from_the_next_attempt() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        fails(runtime.tables, "create", "ns.t2")
        attempt(runtime)
        assert registry_of(world).tables["ns.t2"].uuid is None
    settle(world)
    check(world)
    assert registry_of(world).tables["ns.t2"].uuid == world.catalog.get("ns.t2").uuid


def test_a_table_that_was_bound_after_its_registration_is_registered_with_its_uuid() -> None:
    world = routed_world()
    send(world, 1, 2)
    for method, table in (("create", "ns.t2"), ("commit", DEAD_LETTERS)):
        with world.open() as runtime:
            fails(runtime.tables, method, table)
            attempt(runtime)
            assert registry_of(world).tables["ns.t2"].uuid is None
    settle(world)
    check(world)
    assert registry_of(world).tables["ns.t2"].uuid == world.catalog.get("ns.t2").uuid


def test_a_table_whose_columns_cannot_follow_gets_its_records_from_the_next_attempt() -> None:
    world = routed_world()
    send(world, 1, 2)
    settle(world)
    send(world, 1, 2, kind=EXTRA)
    with world.open() as runtime:
        fails(runtime.tables, "commit", "ns.t2")
        attempt(runtime)
        commit(runtime)
    settle(world)
    check(world)


def test_dead_letters_without_a_table_are_not_written_again_after_the_log_is_lost() -> None:
    world = routed_world()
    send(world, 1, 0, 2)
    with world.open() as runtime:
        cycle(runtime, "ns.t1", "ns.t2")
    world.log = world.new_log("inst-2")
    recover(world, take_over=True)
    settle(world)
    check(world, dead=1)


def test_a_table_that_was_set_back_by_hand_owes_what_was_removed() -> None:
    world = routed_world()
    send(world, 1, 1)
    settle(world)
    world.set_back("ns.t1", 1)
    recover(world, mode=Mode.REPLAY)
    assert ledger_of(world, "ns.t1").coverage.owed == [OffsetRange(X, 0, 2)]
    settle(world)
    check(world)


@pytest.mark.parametrize("end", [2, 3])
def test_an_older_attempt_does_not_register_offsets_that_its_batch_gave_back(end: int) -> None:
    def planned(digest: str, first: int, last: int) -> list[PlannedConfig]:
        return [PlannedConfig(digest, {"n": digest}, [OffsetRange(X, first, last)])]

    after = Registry().with_configs(planned("c0", 0, 1)).with_configs(planned("c1", 1, 3))
    assert after.with_configs(planned("c0", 0, end)) == after


def test_the_cut_of_the_last_records_waits_for_no_further_ones() -> None:
    """A run without a batch moves it, once it may."""
    world = routed_world(schedule={"every": "1s"})
    send(world, 1)
    settle(world)
    send(world, 1, 2)
    with world.open() as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
        runtime.refresh_tables()
        commit(runtime)
        assert "complete in all tables" not in runtime.publish(), "it moved less than a minute ago"
        assert not runtime.plan().publish_due
        world.now_s += 61
        assert not runtime.plan(dry_run=True).publish_due
        found = runtime.plan()
        assert (found.batch_id, found.something_staged, found.publish_due) == (None, False, True)
        assert "complete in all tables" in runtime.publish()
        mark = ledger_of(world).mark
        assert mark is not None
        assert mark[X].prefix_end == 3
        world.now_s += 61
        assert not runtime.plan().publish_due, "there is nothing more to say"
