"""Rollback and recovery as an operator does them: a form, a plan, an approval, an audit, while records keep coming."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from kits.airflow_runs import Maintenance
from kits.lanes import RUNS
from kits.live import Live
from kits.shared_airflow import SecretStack
from kits.topics import delete_before
from stack.process import wait_until

DRAWN = pytest.mark.drawn(0.35, group=RUNS, about="maintenance_tasks")


def tide_of(stack: SecretStack) -> Live:
    live = Live(stack, "tide", "schedule: {every: 10s}\ncommit: {max_latency: 1s}\n")
    live.world.produce(50)
    return live


PIPELINES = (tide_of,)


@pytest.fixture(scope="module")
def tide(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("tide") as live:
        live.wait_for_rows(50)
        yield live


@pytest.mark.drawn(0.5)
@pytest.mark.parametrize("mode", ["recommit", "replay"])
def test_a_table_goes_back_while_its_pipeline_runs_on(tide: Live, mode: str) -> None:
    with tide.load(rate=200):
        tide.wait_for_rows(tide.world.next_id + 200)
        table = tide.world.table
        run = Maintenance(tide, "rollback", table=table, to="last:2", mode=mode, why="a test")
        plan = run.plan()
        assert f"Roll back {table} to last:2 (mode {mode})?" in plan
        assert "requested by admin: a test" in plan
        assert "removes 2 commits of this pipeline" in plan
        states = run.answer("Approve")
        assert set(states.values()) == {"success"}, run.story()
        assert "tide: complete" in run.log("audit")
    tide.wait_until_caught_up()
    tide.world.audit()
    generation = tide.wal("SELECT generation FROM lakelock.tables WHERE table_name = %s", table)[0]["generation"]
    assert generation >= 1


@DRAWN
def test_a_rollback_that_nobody_wants_changes_nothing(tide: Live) -> None:
    before = tide.wal("SELECT generation FROM lakelock.tables WHERE table_name = %s", tide.world.table)
    run = Maintenance(tide, "rollback", table=tide.world.table, to="last:1", mode="skip", why="a mistake")
    run.plan()
    states = run.answer("Reject")
    # An approved one looks otherwise: its approve is green.
    assert states == {"look": "success", "approve": "skipped", "roll_back": "skipped", "audit": "skipped"}
    assert "rejected by admin: nothing was changed" in run.log("approve")
    assert tide.wal("SELECT generation FROM lakelock.tables WHERE table_name = %s", tide.world.table) == before
    tide.world.audit()


def test_a_place_that_is_not_there_is_said_at_once(tide: Live) -> None:
    run = Maintenance(tide, "rollback", table=tide.world.table, to="last:9999", mode="skip", why="a mistake")
    states = run.ended()
    assert states["look"] == "failed"
    assert states["roll_back"] == "upstream_failed"
    assert "is not in the branch's history" in run.log("look")


@DRAWN
def test_recovery_has_nothing_to_do_where_all_is_well_and_adopts_a_rollback_by_hand(tide: Live) -> None:
    tide.wait_until_caught_up()
    run = Maintenance(tide, "recover")
    assert set(run.ended().values()) == {"skipped"}
    assert "nothing to recover, nothing to decide" in run.log("look")
    table = tide.world.catalog.load_table(tide.world.table)
    head = table.current_snapshot()
    assert head is not None
    assert head.parent_snapshot_id is not None
    table.manage_snapshots().set_current_snapshot(head.parent_snapshot_id).commit()
    tide.world.produce(20)
    run = Maintenance(tide, "recover")
    assert "another tool rolled it back" in run.plan()
    states = run.answer("Approve")
    assert {task for task, state in states.items() if state != "success"} == {"tell"}, run.story()
    tide.wait_until_caught_up()
    tide.world.audit()


@DRAWN
def test_tables_are_tidied_and_audited_in_a_run_of_their_own(tide: Live) -> None:
    run = Maintenance(tide, "maintain")
    assert run.ended() == dict.fromkeys(
        ("compact", "expire", "rewrite_manifests", "orphans", "audit", "done"), "success"
    )
    assert f"{tide.world.table}: no files to compact" in run.log("compact")
    assert f"{tide.world.table}: no snapshot to expire" in run.log("expire")
    # As many as the tests before have made.
    assert re.search(rf"{tide.world.table}: (no|\d+ of \d+) manifests", run.log("rewrite_manifests"))
    assert f"{tide.world.table}: no orphan files" in run.log("orphans")
    assert "tide: complete" in run.log("audit")


@DRAWN
def test_a_loss_is_accepted_in_a_form_and_the_pipeline_goes_on(tide: Live) -> None:
    tide.wait_until_caught_up()
    tide.pause()
    wait_until(lambda: not under_way(tide), 120, "the tasks to end", 0.5)
    there = tide.world.next_id
    tide.world.produce(20)
    delete_before(tide.world, 0, (there + 10) // 2)
    run = Maintenance(tide, "recover", decision="accept-loss")
    assert run.ended()["look"] == "failed"
    assert "a decision needs a reason" in run.log("look")
    run = Maintenance(tide, "recover", decision="accept-loss", why="retention was a day")
    plan = run.plan()
    assert "Accept-loss tide?" in plan
    assert f"{tide.world.topic}-0 [" in plan
    assert "is lost" in plan
    states = run.answer("Approve")
    assert {task for task, state in states.items() if state != "success"} == {"tell"}, run.story()
    assert re.search(r"decided  .* accept-loss by \w+: retention was a day", run.log("audit"))
    assert set(Maintenance(tide, "recover", decision="accept-loss", why="again").ended().values()) == {"skipped"}


def under_way(live: Live) -> list[str]:
    """Tasks of a paused pipeline that were started before; its runs stay open."""
    open_runs = [r["dag_run_id"] for r in live.runs() if r["state"] not in {"success", "failed"}]
    tasks = [t for run in open_runs for t in live.tasks(run).values()]
    return [t["task_id"] for t in tasks if t["state"] in {"queued", "running"}]
