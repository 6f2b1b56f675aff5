"""Each stop that only a person can end: really produced, its message names the command, and the command ends it."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from contextlib import closing
from typing import Any

import pytest
from kits.decisions import (
    LOSS,
    Killed,
    decide,
    drop_topic,
    expected,
    killed,
    recreate,
    replace_table,
    settled,
    standing,
)
from kits.topics import admin, create_topic, delete_before
from kits.world import World, file_of, open_with, write_next
from lakelock.compose import Runtime
from lakelock.core.coverage import Kind
from lakelock.core.decisions import What
from lakelock.core.ledger import Mode
from lakelock.errors import (
    DecisionRefused,
    Fenced,
    HistoryMissing,
    TableMissing,
    TableReplaced,
    TopicMissing,
    TopicRecreated,
)
from lakelock.steps.audit import PipelineAudit
from lakelock.steps.gap_plan import Which
from lakelock.steps.rebind import RebindPlan
from lakelock.texts import audit_text


def ids(world: World) -> list[int]:
    return [i for _, _, i in world.rows()]


def told(found: PipelineAudit, what: What) -> list[str]:
    return [d.line for t in found.tables for d in t.decisions if d.what is what]


def test_what_was_dropped_before_it_was_planned_is_accepted(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)
    with pytest.raises(HistoryMissing) as stop:
        near.run()
    command = f"lakelock accept-loss FILE --topic {near.topic} --partition 0 --from 10 --to 15 --why TEXT"
    assert command in str(stop.value)
    planned = decide(near, Which(What.ACCEPT_LOSS, near.topic, 0, 10, 15))
    assert [str(r) for t in planned.tables for r, _ in t.gaps] == [f"{near.topic}-0 [10, 15)"]
    found = settled(near, 2)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 15))
    assert sum(s.gaps.get("accepted_loss", 0) for t in found.tables for s in t.sources) == 5
    (line,) = told(found, What.ACCEPT_LOSS)
    assert f"by tester: a test ({near.topic}-0 [10, 15))" in line


@pytest.mark.parametrize("staged", [False, True])
def test_a_planned_batch_that_kafka_dropped_in_part_is_cut(near: World, staged: bool) -> None:
    """What of the batch is still there lands; what is staged before and behind it does, too."""
    with closing(near.runtime()) as runtime:
        near.produce(20)
        if staged:
            write_next(runtime)  # [10, 20) of each
        near.produce(20)
        planned = runtime.plan()
        assert planned.batch_id is not None
        low = 25 if staged else 15
        delete_before(near, 1, low)
        if staged:
            near.produce(10)
        with pytest.raises(HistoryMissing) as stop:
            write(runtime, planned.batch_id)
        assert f"lakelock accept-loss FILE --topic {near.topic} --partition 1 --why TEXT" in str(stop.value)
    shown = decide(near, LOSS)
    assert [t.cut for t in shown.tables] == [1]
    assert not shown.moving
    settled(near, 4)
    assert [r[:2] for r in near.rows()] == expected(near, (1, 20 if staged else 10, low))


def write(runtime: Runtime, batch_id: str) -> None:
    runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", batch_id)


def test_nothing_that_can_still_come_is_given_up(near: World) -> None:
    near.produce(20)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        near.produce(20)
        delete_before(near, 0, 25)
        refused = [
            (0, 5, 15, "[5, 15) is in the tables, or staged"),
            (0, 20, 28, "[25, 28) is not dropped"),
            (0, 22, 25, "[20, 22) comes first"),
            (1, 20, 21, "[20, 21) is not dropped"),
        ]
        for partition, start, end, said in refused:
            with pytest.raises(DecisionRefused) as fault:
                runtime.decisions.plan(Which(What.ACCEPT_LOSS, near.topic, partition, start, end))
            assert said in str(fault.value)
        with pytest.raises(DecisionRefused, match="has read nothing of"):
            runtime.decisions.plan(Which(What.ACCEPT_LOSS, "another"))
    decide(near, LOSS)
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 20, 25))


def test_a_table_that_was_never_written_to_is_made_and_told(world: World) -> None:
    world.produce(20)
    with closing(world.runtime()) as runtime:
        assert runtime.plan().batch_id is not None
    delete_before(world, 0, 4)
    with closing(world.runtime()) as runtime:
        planned = runtime.decisions.plan(LOSS)
        assert [str(r) for t in planned.tables for r, _ in t.gaps] == [f"{world.topic}-0 [0, 4)"]
        assert not world.catalog.table_exists(world.table)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(world, 2)
    assert [r[:2] for r in world.rows()] == expected(world, (0, 0, 4))


@pytest.mark.parametrize("planned", [False, True])
def test_killed_between_table_and_log_the_command_goes_on(near: World, planned: bool) -> None:
    near.produce(20)
    with closing(near.runtime()) as runtime:
        if planned:
            runtime.plan()
        near.produce(20)
        delete_before(near, 0, 15)
        runtime.log.declare = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.decisions.decide(LOSS, "tester", "a test")
    with closing(near.runtime()) as runtime:
        # Ordinary steps stop as they did before, and nothing else.
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
        assert runtime.commit([near.table], now=True)[-1].snapshot_id is None
    head = near.catalog.load_table(near.table).metadata_location
    decide(near, LOSS)
    assert near.catalog.load_table(near.table).metadata_location == head, "the table was told before"
    found = settled(near)
    assert len(told(found, What.ACCEPT_LOSS)) == 1
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 15))


def test_a_batch_that_is_being_read_is_waited_for(near: World) -> None:
    """It may have read before Kafka dropped it: then nothing is lost."""
    near.produce(20)
    with closing(near.runtime()) as reader, closing(near.runtime()) as runtime:
        planned = reader.plan()
        assert planned.batch_id is not None
        staging = reader.log.stage
        waited = []

        def dropped_and_decided(*arguments: Any) -> None:
            delete_before(near, 0, 15)

            def goes_on(_: float) -> None:
                waited.append(1)
                staging(*arguments)
                reader.log.release(arguments[0], arguments[1], "staged")

            object.__setattr__(runtime.decisions, "pause", goes_on)
            runtime.decisions.decide(LOSS, "tester", "a test")

        reader.log.stage = dropped_and_decided  # type: ignore[method-assign, assignment]
        write(reader, planned.batch_id)
        assert waited
    settled(near)
    near.audit()


def test_a_decision_stays_through_a_rollback_to_before_it_and_through_a_lost_log(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)
    decide(near, LOSS)
    settled(near, 1)
    with closing(near.runtime()) as runtime:
        target = runtime.rollbacks.plan(near.table, "last:1", Mode.RECOMMIT).to.snapshot_id
        before = runtime.tables.history(runtime.tables.load(near.table))
        # The decision's own snapshot is the one before the last commit.
        further = before[[s.snapshot_id for s in before].index(target) + 1].snapshot_id
        planned = runtime.rollbacks.plan(near.table, str(further), Mode.RECOMMIT)
        runtime.rollbacks.roll_back(near.table, str(further), Mode.RECOMMIT, "tester", "a test", planned.shown)
    found = settled(near)
    assert len(told(found, What.ACCEPT_LOSS)) == 1
    with closing(near.runtime()) as runtime:
        runtime.recovery("tester", announced=True).recover()
    near.produce(4)
    found = settled(near)
    assert len(told(found, What.ACCEPT_LOSS)) == 1
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 15))


def test_the_command_shows_first_and_acts_only_when_told(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lakelock.cli", *more]
        return subprocess.run(command, env=near.environment(), capture_output=True, text=True, check=False)

    loss = ("accept-loss", str(near.file), "--why", "retention was a day")
    shown = run(*loss)
    assert shown.returncode == 0, shown.stderr
    assert f"{near.table}: {near.topic}-0 [10, 15) is lost" in shown.stdout
    assert f"{near.topic}-0: was read up to 10, goes on at 15" in shown.stdout
    assert "Nothing was changed" in shown.stdout
    done = run(*loss, "--who", "the night shift", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "accept-loss by the night shift: retention was a day" in done.stdout
    assert "nothing is left to decide" in run(*loss, "--yes").stdout
    assert "accept-loss by the night shift" in run("status", str(near.file)).stdout
    (found,) = json.loads(run("audit", str(near.file), "--json").stdout)["pipelines"]
    (decided,) = found["tables"][0]["decisions"]
    assert (decided["what"], decided["who"], decided["why"]) == (
        "accept-loss",
        "the night shift",
        "retention was a day",
    )
    assert run(*loss, "--from", "3").returncode == 2


@pytest.mark.parametrize("unread", ["nothing", "planned", "staged"])
def test_a_topic_that_was_created_again_is_gone_on_with(near: World, unread: str) -> None:
    """What was staged of the old one lands; what was planned and not read is a declared loss."""
    with closing(near.runtime()) as runtime:
        if unread != "nothing":
            near.produce(10, bad=[b"{"])
            if unread == "staged":
                write_next(runtime)
            else:
                runtime.plan()
    recreate(near)
    with pytest.raises(TopicRecreated) as stop:
        near.run()
    assert f"`bin/lakelock rebind FILE --topic {near.topic} --why TEXT`" in str(stop.value)
    lost = set(range(20, 30)) if unread == "planned" else set()
    near.produce(20, bad=[b"["])
    planned = decide(near, Which(What.REBIND, near.topic))
    gaps = [str(r) for t in planned.tables for r, kind in t.gaps if kind is Kind.ACCEPTED_LOSS]
    assert len(gaps) == (2 if unread == "planned" else 0)
    settled(near)
    assert sorted(ids(near)) == sorted(set(range(near.next_id)) - lost)
    near.produce(6)
    found = settled(near, 1)
    assert sorted(ids(near)) == sorted(set(range(near.next_id)) - lost)
    assert len(told(found, What.REBIND)) == 1
    assert [s.retired_from is not None for t in found.tables for s in t.sources].count(True) == 2
    with closing(near.runtime()) as runtime:
        assert len(runtime.status().sources) == 2


def test_a_topic_that_is_the_same_is_not_rebound(near: World) -> None:
    with closing(near.runtime()) as runtime:
        with pytest.raises(DecisionRefused, match="is the one that was read before"):
            runtime.decisions.plan(Which(What.REBIND, near.topic))
        drop_topic(near)
        with pytest.raises(DecisionRefused, match=f"lakelock retire FILE --topic {near.topic}"):
            runtime.decisions.plan(Which(What.REBIND, near.topic))


def test_a_topic_that_is_gone_holds_up_nothing_any_more(near: World) -> None:
    other = near.topic
    with closing(near.runtime()) as runtime:
        near.produce(10)
        write_next(runtime)
        near.produce(10)
        runtime.plan()
    drop_topic(near)
    with pytest.raises(TopicMissing) as stop:
        near.run()
    assert f"`bin/lakelock retire FILE --topic {other} --why TEXT`" in str(stop.value)
    decide(near, Which(What.RETIRE, other))
    found = settled(near)
    assert len(told(found, What.RETIRE)) == 1
    assert sorted(ids(near)) == list(range(30))
    with closing(near.runtime()) as runtime:
        assert runtime.status().sources == ()
        assert "0 partitions" in runtime.publish()
    # A topic of that name that comes later is a new one.
    create_topic(admin(near), near.topic)
    near.produce(10)
    settled(near, 1)
    assert sorted(ids(near)) == [*range(30), *range(40, 50)]


def test_a_partition_that_is_to_be_read_no_more_is_left_behind(near: World) -> None:
    """While the pipeline runs on: its other partition comes whole."""
    with closing(near.runtime()) as runtime:
        near.produce(10)
        write_next(runtime)
        near.produce(10)
        runtime.plan()
    near.produce(10)
    planned = decide(near, Which(What.RETIRE, near.topic, 0))
    assert f"Kafka still holds {near.topic}-0 [20, 25), which nobody will read" in planned.lines
    assert f"{near.table}: {near.topic}-0 from 15 on is not read any more" in planned.lines
    found = settled(near)
    near.produce(10)
    settled(near, 1)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 15, 30))
    assert len(told(found, What.RETIRE)) == 1
    with closing(near.runtime()) as runtime:
        assert [(s.source.partition, s.lag_offsets) for s in runtime.status().sources] == [(1, 0)]
        runtime.recovery("tester", announced=True).recover()
    near.produce(10)
    settled(near, 1)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 15, 35))


def rebound(world: World, *, accept_loss: bool = False) -> RebindPlan:
    """As `decide`."""
    with closing(world.runtime()) as runtime:
        log = runtime.log
        before = (log.bound(world.name), log.planned(world.name), log.ledgers(world.name))
        planned = runtime.rebinding.plan(world.table, accept_loss)
        print("\n".join(planned.lines))
        assert (log.bound(world.name), log.planned(world.name), log.ledgers(world.name)) == before
        runtime.rebinding.rebind(world.table, accept_loss, "tester", "a test")
        after = standing(world)
        assert runtime.rebinding.plan(world.table, accept_loss).nothing
        runtime.rebinding.rebind(world.table, accept_loss, "somebody else", "by mistake")
        assert standing(world) == after
    return planned


@pytest.mark.parametrize("dropped", [False, True])
def test_a_table_that_was_replaced_is_filled_again(near: World, dropped: bool) -> None:
    """With a batch staged for the old one, one planned, and dead letters that are told already."""
    near.produce(10, bad=[b"{"])
    near.run()
    with closing(near.runtime()) as runtime:
        near.produce(10, bad=[b"["])
        write_next(runtime)
        near.produce(10)
        runtime.plan()
        if dropped:
            near.catalog.drop_table(near.table)
        else:
            replace_table(near)
        with pytest.raises(TableMissing if dropped else TableReplaced) as stop:
            near.cycle(runtime)
        assert f"`bin/lakelock rebind FILE --table {near.table} --why TEXT`" in str(stop.value)
    near.produce(5)
    planned = rebound(near)
    assert planned.given_up == 4
    found = settled(near, 5)
    assert len(told(found, What.REBIND)) == 1
    near.produce(5)
    near.run()
    near.audit(dead=2)


def test_a_replaced_table_cannot_get_what_kafka_dropped_unless_that_is_accepted(near: World) -> None:
    near.produce(20)
    near.run()
    delete_before(near, 0, 7)
    replace_table(near)
    with closing(near.runtime()) as runtime:
        shown = runtime.rebinding.plan(near.table, False)
        assert (
            f"Kafka no longer holds {near.topic}-0 [0, 7), which must be accepted as lost (--accept-loss)"
            in shown.lines
        )
        with pytest.raises(DecisionRefused, match=r"-0 \[0, 7\), so the new table cannot get it"):
            runtime.rebinding.rebind(near.table, False, "tester", "a test")
    rebound(near, accept_loss=True)
    found = settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 0, 7))
    assert f"{near.topic}-0 [0, 7)" in told(found, What.REBIND)[0]
    near.produce(5)
    settled(near, 1)


def test_killed_between_the_new_table_and_the_log_the_rebind_goes_on(near: World) -> None:
    with closing(near.runtime()) as runtime:
        near.produce(10)
        write_next(runtime)
        replace_table(near)
        runtime.log.rebind = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.rebinding.rebind(near.table, False, "tester", "a test")
    near.produce(10)
    with closing(near.runtime()) as runtime, pytest.raises(TableReplaced):
        near.cycle(runtime)
    head = near.catalog.load_table(near.table).metadata_location
    with closing(near.runtime()) as runtime:
        runtime.rebinding.rebind(near.table, False, "tester", "a test")
    assert near.catalog.load_table(near.table).metadata_location == head
    settled(near)
    near.audit()


def test_a_copy_of_the_table_is_not_filled_twice(near: World) -> None:
    rows = near.catalog.load_table(near.table).scan().to_arrow()
    replace_table(near)
    near.catalog.load_table(near.table).append(rows)
    with closing(near.runtime()) as runtime:
        with pytest.raises(DecisionRefused, match="holds 20 rows with an offset already"):
            runtime.rebinding.plan(near.table, False)
        with pytest.raises(DecisionRefused, match="has never written to it"):
            runtime.rebinding.plan(f"{near.namespace}.strange", False)


def test_what_is_being_written_for_the_old_table_never_lands(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        planned = zombie.plan()
        assert planned.batch_id is not None
        staging = zombie.log.stage

        def meanwhile(*arguments: Any) -> None:
            replace_table(near)
            runtime.rebinding.rebind(near.table, False, "tester", "a test")
            staging(*arguments)

        zombie.log.stage = meanwhile  # type: ignore[method-assign, assignment]
        with pytest.raises(Fenced):
            write(zombie, planned.batch_id)
    settled(near)
    near.audit()


def test_a_table_that_is_away_is_left_out_and_told_when_it_is_back(near: World) -> None:
    """Its sibling goes on meanwhile."""
    other, away = f"{near.namespace}.other", f"{near.namespace}.away"
    with open_with(near, file_of(near, near.table, other)) as runtime:
        near.produce(10)
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
        near.produce(20)
        near.catalog.rename_table(other, away)
        delete_before(near, 0, 20)
        planned = runtime.decisions.plan(LOSS)
        assert [(t.table, bool(t.left_out)) for t in planned.tables] == [(near.table, False), (other, True)]
        runtime.decisions.decide(LOSS, "tester", "a test")
        with pytest.raises(TableMissing):
            write_next(runtime)
        runtime.commit([near.table, runtime.pipeline.dead_letter_table], now=True)
        assert [r[:2] for r in near.rows()] == expected(near, (0, 15, 20))
        near.catalog.rename_table(away, other)
        assert any("[15, 20) is neither" in f for t in runtime.audit().tables for f in t.faults)
        assert [t.table for t in runtime.decisions.decide(LOSS, "tester", "a test").tables if t.gaps] == [other]
        for _ in range(2):
            if (batch := runtime.plan().batch_id) is not None:
                write(runtime, batch)
            runtime.commit([near.table, other], now=True)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert len(told(found, What.ACCEPT_LOSS)) == 2
    assert near.catalog.load_table(other).scan().count() == 25
