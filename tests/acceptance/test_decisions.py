"""Stops that only a person can end, as Kafka, Spark and the command line show them: the message names the command, and the
command ends it. What else decisions meet: tests/interleavings."""

from __future__ import annotations

import json
import subprocess
import uuid
from contextlib import closing

import pytest
from kits.decisions import LOSS, decide, drop_topic, expected, recreate, settled
from kits.forks import lakelock
from kits.topics import admin, create_topic, delete_before
from kits.world import World, write_next
from lakelock.app.runtime import Runtime
from lakelock.audit.audit import PipelineAudit
from lakelock.errors import HistoryMissing, TopicMissing, TopicRecreated
from lakelock.gaps.gap_preview import Which
from lakelock.model.coverage import Kind
from lakelock.model.operator_log import What

pytestmark = pytest.mark.drawn(0.15)


def ids(world: World) -> list[int]:
    return [i for _, _, i in world.rows()]


def reported(found: PipelineAudit, what: What) -> list[str]:
    return [d.line for t in found.tables for d in t.decisions if d.what is what]


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


def test_a_table_that_was_never_written_to_is_made_and_reported(fresh: World) -> None:
    fresh.produce(20)
    with closing(fresh.runtime()) as runtime:
        assert runtime.plan().batch_id is not None
    delete_before(fresh, 0, 4)
    with closing(fresh.runtime()) as runtime:
        planned = runtime.decisions.preview(LOSS)
        assert [str(r) for t in planned.tables for r, _ in t.gaps] == [f"{fresh.topic}-0 [0, 4)"]
        assert not fresh.catalog.table_exists(fresh.table)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(fresh, 2)
    assert [r[:2] for r in fresh.rows()] == expected(fresh, (0, 0, 4))


def test_the_command_shows_first_and_acts_only_with_yes(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return lakelock(*more, environment=near.environment())

    loss = ("accept-loss", str(near.file), "--why", "retention was a day")
    shown = run(*loss)
    assert shown.returncode == 0, shown.stderr
    assert f"{near.table}: {near.topic}-0 [10, 15) is lost" in shown.stdout
    assert f"{near.topic}-0: was read up to 10, continues at 15" in shown.stdout
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
    assert len(reported(found, What.REBIND)) == 1
    assert [s.retired_from is not None for t in found.tables for s in t.sources].count(True) == 2
    with closing(near.runtime()) as runtime:
        assert len(runtime.status().sources) == 2


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
    assert len(reported(found, What.RETIRE)) == 1
    assert sorted(ids(near)) == list(range(30))
    with closing(near.runtime()) as runtime:
        assert runtime.status().sources == ()
        assert "0 partitions" in runtime.publish()
    # A topic of that name that comes later is a new one.
    create_topic(admin(near), near.topic)
    near.produce(10)
    settled(near, 1)
    assert sorted(ids(near)) == [*range(30), *range(40, 50)]
