"""The file is applied to existing tables while batches are on their way: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from kits.approvals import Run, tasks_of
from kits.memory_world import TABLE, MemoryWorld
from kits.world import write_next
from lakelock.app.runtime import Runtime
from lakelock.apply.apply_preview import ApplyPlan
from lakelock.errors import CommitConflict, DecisionRefused, TableMissing
from lakelock.model.operator_log import What
from lakelock.testing.tables import MemoryTables

WISHES = {"name": TABLE, "partition_by": ["extra"], "sort_by": ["extra desc"], "properties": {"a": "b"}}
COLUMNS = {"columns": {"extra": {"type": "long"}}}


def apply(runtime: Runtime, planned: ApplyPlan | None = None) -> ApplyPlan:
    shown = (planned or runtime.applying.preview()).shown
    return runtime.applying.apply(None, "tester", "a test", shown)


def snapshots(memory: MemoryWorld) -> int:
    return len(memory.catalog.tables[TABLE].snapshots)


def begun(memory: MemoryWorld) -> None:
    memory.tables = [{"name": TABLE}]
    memory.produce(5)
    with memory.open() as runtime:
        memory.cycle(runtime, TABLE)
    memory.tables = [{**WISHES, **COLUMNS}]


def test_it_is_one_commit_and_the_second_time_none(memory: MemoryWorld) -> None:
    begun(memory)
    with memory.open() as runtime:
        before = snapshots(memory)
        planned = runtime.applying.preview()
        assert planned.lines == [
            f"{TABLE}: extra: new, long",
            f"{TABLE}: partitioned by extra",
            f"{TABLE}: sorted by extra desc",
            f"{TABLE}: property a: b",
        ]
        assert snapshots(memory) == before
        apply(runtime, planned)
        assert snapshots(memory) == before + 1
        assert runtime.applying.preview().lines == [f"{TABLE}: it is as the file says"]
        apply(runtime)
        # An attempt whose answer was lost is repeated with the same approval.
        apply(runtime, planned)
        assert snapshots(memory) == before + 1
        state = runtime.tables.load(TABLE)
        assert (state.partition_by, state.sort_by, state.properties["a"]) == (("extra",), ("extra desc",), "b")
        assert state.ledger is not None
        (said,) = state.ledger.decisions
        assert (said.what, said.who, said.why) == (What.APPLY, "tester", "a test")
        assert said.about == "extra: new, long; partitioned by extra; sorted by extra desc; property a: b"
        memory.produce(5)
        memory.cycle(runtime, TABLE)
        after = runtime.tables.load(TABLE).ledger
        assert after is not None
        assert after.decisions == (said,)
    assert memory.rows() == memory.sent()


def test_a_part_that_was_staged_before_lands_after_it(memory: MemoryWorld) -> None:
    begun(memory)
    memory.produce(5)
    with memory.open() as runtime:
        write_next(runtime)
        apply(runtime)
        memory.cycle(runtime, TABLE)
    assert memory.rows() == memory.sent()


def test_another_writer_is_first_and_it_is_decided_again(memory: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(memory)
    with memory.open() as runtime:
        planned = runtime.applying.preview()
        commit, left = MemoryTables.commit, [1]

        def refused_once(self: MemoryTables, state: object, change: object) -> int:
            if left:
                left.pop()
                memory.catalog.change_extras(TABLE, {"extra"})
                raise CommitConflict("another writer was first")
            return commit(self, state, change)  # type: ignore[arg-type]

        monkeypatch.setattr(MemoryTables, "commit", refused_once)
        done = apply(runtime, planned)
        # The other writer has added the column.
        assert [line for line in done.lines if "extra: new" in line] == []
        assert runtime.applying.preview().nothing
        assert [name for name, _ in memory.catalog.tables[TABLE].extras] == ["extra"]


def test_more_than_the_preview_showed_is_refused(memory: MemoryWorld) -> None:
    begun(memory)
    with memory.open() as runtime:
        planned = runtime.applying.preview()
        memory.tables = [{**WISHES, **COLUMNS, "properties": {"a": "another"}}]
    with memory.open() as runtime:
        before = snapshots(memory)
        with pytest.raises(DecisionRefused, match="now needs more than the preview showed: property a: another"):
            apply(runtime, planned)
        assert snapshots(memory) == before


def test_a_table_with_more_than_was_approved_keeps_all_from_changing(memory: MemoryWorld) -> None:
    begun(memory)
    other = "ns.other"
    memory.tables.append({"name": other})
    memory.produce(5)
    memory.run()
    with memory.open() as runtime:
        planned = runtime.applying.preview()
        assert planned.lines[-1] == f"{other}: it is as the file says"
    memory.tables[-1] = {"name": other, "properties": {"a": "b"}}
    with memory.open() as runtime:
        before = dict(memory.catalog.tables)
        with pytest.raises(DecisionRefused, match="table ns\\.other now needs more"):
            apply(runtime, planned)
        assert memory.catalog.tables == before


def test_a_table_that_is_gone_is_left_out_and_the_others_are_not(memory: MemoryWorld) -> None:
    memory.tables = [{"name": TABLE}, {"name": "ns.gone"}]
    memory.produce(5)
    memory.run()
    memory.catalog.drop("ns.gone")
    memory.tables = [{"name": TABLE, "properties": {"a": "b"}}, {"name": "ns.gone"}]
    with memory.open() as runtime:
        planned = runtime.applying.preview()
        assert [line.partition(" (")[0] for line in planned.lines] == [
            f"{TABLE}: property a: b",
            "ns.gone: left out: table ns.gone",
        ]
        with pytest.raises(TableMissing):
            runtime.applying.preview("ns.gone")
        apply(runtime, planned)
        assert memory.catalog.tables[TABLE].properties["a"] == "b"


def test_a_paused_table_a_missing_one_and_another_one_are_left_alone(memory: MemoryWorld) -> None:
    begun(memory)
    memory.tables.append({"name": "ns.missing"})
    with memory.open() as runtime:
        runtime.pausing.decide(TABLE, What.PAUSE, "tester", "a reader migrates")
        planned = runtime.applying.preview()
        assert planned.nothing
        assert json.loads(planned.shown.text) == {}
        first, second = planned.lines
        assert first.startswith(f"{TABLE}: left out: it is paused: ")
        assert second == "ns.missing: left out: it does not exist yet; it is created as the file says"
        with pytest.raises(DecisionRefused, match="does not name table ns\\.strange"):
            runtime.applying.preview("ns.strange")


def test_a_property_with_which_no_file_can_be_written_is_not_applied(memory: MemoryWorld) -> None:
    begun(memory)
    memory.tables = [{"name": TABLE, "properties": {"write.parquet.compression-codec": "nope"}, "sort_by": ["v0"]}]
    with memory.open() as runtime:
        step, refused = runtime.applying.preview().lines
        assert step == f"{TABLE}: sorted by v0"
        assert refused.startswith(f"{TABLE}: not applied: properties: ")
        assert "write.parquet.compression-codec" in refused
        apply(runtime)
        assert "write.parquet.compression-codec" not in memory.catalog.tables[TABLE].properties


@pytest.fixture
def tasks(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    return tasks_of(tmp_path_factory.mktemp("airflow"), monkeypatch)


def test_a_step_of_the_maintenance_makes_all_steps_of_the_tables_of_the_file(
    memory: MemoryWorld, tasks: Any, caplog: pytest.LogCaptureFixture
) -> None:
    memory.tables = [{"name": TABLE}, {"name": "ns.gone"}, {"name": "ns.past"}]
    memory.produce(5)
    memory.run()
    memory.catalog.drop("ns.gone")
    memory.tables = [{"name": "ns.gone"}, {**WISHES, **COLUMNS}, {"name": "ns.later"}]
    before = snapshots(memory)
    run = Run(memory, tasks)
    with caplog.at_level(logging.INFO):
        run.maintain(table=TABLE, dry_run=True)
        assert f"{TABLE}: extra: new, long" in caplog.text
        run.maintain(table="ns.past")
        assert snapshots(memory) == before
        # A table with a fault keeps no other from its steps.
        for _ in range(2):
            with pytest.raises(TableMissing):
                run.maintain()
            assert snapshots(memory) == before + 1
    assert f"{TABLE}: it is as the file says" in caplog.text
    with memory.open() as runtime:
        state = runtime.tables.load(TABLE)
        assert (state.partition_by, state.sort_by, state.properties["a"]) == (("extra",), ("extra desc",), "b")
        assert state.ledger is not None
        assert [(d.what, d.who, d.why) for d in state.ledger.decisions] == [(What.APPLY, "run", "maintenance.apply")]


def test_a_step_of_the_maintenance_leaves_a_paused_table_alone(
    memory: MemoryWorld, tasks: Any, caplog: pytest.LogCaptureFixture
) -> None:
    begun(memory)
    with memory.open() as runtime:
        runtime.pausing.decide(TABLE, What.PAUSE, "tester", "a reader migrates")
    before = snapshots(memory)
    with caplog.at_level(logging.INFO):
        Run(memory, tasks).maintain()
    assert f"{TABLE}: left out: it is paused: " in caplog.text
    assert snapshots(memory) == before
