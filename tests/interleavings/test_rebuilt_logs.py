"""Logs that were lost or restored: nothing begins again unasked, and no rebuild forgets what a table has."""

from __future__ import annotations

import pytest
from kits.memory_world import TABLE, MemoryWorld, killed_at
from kits.rollbacks import settle
from kits.world import write_next
from lakelock.errors import RecoveryRefused, WalUnusable

OTHER = "ns.other"
LATEST = {"source": {"topics": ("x",), "start": "latest"}}


def test_a_take_over_that_died_before_the_log_was_rebuilt_stops_all_runs(memory: MemoryWorld) -> None:
    memory.settings = LATEST
    memory.log = memory.new_log("inst-2")
    with memory.open() as runtime, killed_at(runtime.log, "rebuild"):
        runtime.recovery("tester", take_over=True).recover()
    memory.produce(5)
    with memory.open() as runtime:
        with pytest.raises(WalUnusable, match="lakelock recover"):
            runtime.plan()
        (zombie,) = [f for f in runtime.recovery("tester").preview() if f.about == "the log"]
        assert zombie.what == "tester started to rebuild it, and the rebuild did not finish"
        runtime.recovery("tester").recover()
        memory.cycle(runtime)
    memory.audit()


def test_a_log_restored_to_its_first_moment_does_not_begin_again(memory: MemoryWorld) -> None:
    memory.settings = LATEST
    memory.log = memory.new_log(memory.log.installation_id())
    memory.produce(5)
    with memory.open() as runtime:
        with pytest.raises(WalUnusable, match="Postgres was lost or restored"):
            runtime.plan()
        assert any("restored or lost" in f.what for f in runtime.recovery("tester").recover())
        memory.cycle(runtime)
    memory.audit()


def test_no_log_is_rebuilt_without_a_table_of_the_file(memory: MemoryWorld) -> None:
    memory.produce(5)
    memory.tables = [{"name": TABLE}, {"name": OTHER}]
    with memory.open() as runtime:
        write_next(runtime)
        runtime.commit([TABLE, OTHER], now=True)
    memory.catalog.drop(OTHER)
    with memory.open() as runtime:
        before = memory.catalog.get(TABLE)
        with pytest.raises(RecoveryRefused, match=OTHER):
            runtime.recovery("tester", announced=True).recover()
        assert memory.catalog.get(TABLE) is before
    memory.tables = [{"name": TABLE}]
    with memory.open() as runtime:
        runtime.recovery("tester", announced=True).recover()
        memory.produce(5)
        memory.cycle(runtime)
    memory.audit()


def test_offsets_that_no_table_has_after_a_rebuild_are_reported(memory: MemoryWorld) -> None:
    """They were on their way to a table that the file does not give their topic any more, and the log that knew is lost."""
    memory.add_topic("y")
    memory.topics = ["x", "y"]
    before = memory.tables
    after = [{"name": TABLE, "topics": ["x"]}, {"name": OTHER, "topics": ["y"]}]
    with memory.open() as runtime:
        memory.produce(4, topic="y")
        memory.cycle(runtime)
        memory.produce(6, topic="y")
        write_next(runtime)
    memory.produce(8, topic="y")
    memory.tables = after
    with memory.open() as runtime:
        write_next(runtime)
        runtime.commit([OTHER], now=True)
    memory.log = memory.new_log("inst-2")
    with memory.open() as runtime:
        recovery = runtime.recovery("tester", take_over=True)
        (nowhere,) = [f for f in recovery.preview() if f.left]
        assert "is in no table" in nowhere.what
        recovery.recover()
        assert [fault for fault in runtime.audit().faults if "is in no table" in fault]
    memory.tables = before
    with memory.open() as runtime:
        runtime.recovery("tester").recover()
        settle(memory, runtime)
    memory.tables = after
    with memory.open() as runtime:
        assert runtime.audit().complete
    memory.tables = before
    memory.audit(counted=False)
