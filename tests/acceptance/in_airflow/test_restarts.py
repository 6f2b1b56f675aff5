"""Every server, and a task of each kind, killed once under load: time is lost, records are not."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from kits.live import Live, kill_task
from stack.process import wait_until
from stack.stack import Stack

RATE = 200
HELD = "SELECT attempt FROM lakelock.batches WHERE attempt IS NOT NULL"
BATCHES = "schedule: {every: 3s}\nbatch: {max_records: 3000}\ncommit: {min_bytes: 0}\n"
WINDOWS = "schedule: {every: 1m, batch_every: 2s}\nbatch: {max_records: 3000}\ncommit: {min_bytes: 0}\n"


@pytest.fixture
def stack(new_stack: Callable[[], Stack]) -> Stack:
    return new_stack()


def kill_a_write(live: Live) -> None:
    """While it holds a batch. The next try of the same run takes the batch over at once."""

    def killed() -> bool:
        return any(kill_task(row["attempt"]) for row in live.wal(HELD))

    wait_until(killed, 60, "a write that holds a batch", 0.01)


def kill_a_commit(live: Live) -> None:
    def killed() -> bool:
        path = f"/dags/{live.dag}/dagRuns/~/taskInstances?task_id=commit&state=running"
        running = [t for t in live.api("GET", path)["task_instances"] if t["task_id"] == "commit"]
        return any(kill_task(task["id"]) for task in running)

    wait_until(killed, 60, "a commit that runs", 0.02)


def clear_a_finished_run(live: Live) -> None:
    """All its tasks run again: what they moved is in the table already."""
    run = next(r["dag_run_id"] for r in live.runs(state="success"))
    before = live.tasks(run)["plan"]["try_number"]
    live.api("POST", f"/dags/{live.dag}/clearTaskInstances",
             {"dry_run": False, "dag_run_id": run, "only_failed": False, "reset_dag_runs": True})  # fmt: skip
    wait_until(lambda: live.tasks(run)["plan"]["try_number"] > before, 60, "the cleared run to begin again", 0.2)
    live.finished(run)


def restart_spark(live: Live) -> None:
    live.stack.spark.kill()
    live.stack.spark.start()


def restart_kafka(live: Live) -> None:
    live.stack.kafka.kill()
    live.stack.kafka.start()


def restart_postgres(live: Live) -> None:
    """It holds the write-ahead log, the catalog and Airflow's own database here."""
    live.stack.postgres.kill()
    live.stack.postgres.start()


def restart_scheduler(live: Live) -> None:
    """With the processes of its tasks, one of which holds a batch: what a lost machine leaves."""
    wait_until(lambda: bool(live.wal(HELD)), 60, "a batch that is held", 0.01)
    live.stack.airflow.scheduler.kill()
    live.stack.airflow.start_scheduler()


def restart_api_server(live: Live) -> None:
    live.stack.airflow.api_server.kill()
    live.stack.airflow.start_api_server()
    live.stack.airflow.wait_until_healthy()


def test_killed_servers_and_tasks_cost_time_and_nothing_else(stack: Stack) -> None:
    faults = (
        kill_a_write, kill_a_commit, clear_a_finished_run, restart_spark, restart_kafka, restart_api_server,
        restart_scheduler, restart_postgres,
    )  # fmt: skip
    both = (Live(stack, "batches", BATCHES), Live(stack, "windows", WINDOWS))
    for live in both:
        live.deploy()
    with both[0].load(RATE), both[1].load(RATE):
        for live in both:
            live.wait_for_rows(1)
        for fault in faults:
            fault(both[0])
            mended, before = time.monotonic(), [live.rows() for live in both]
            took = [0.0, 0.0]

            def moved(mended: float = mended, before: list[int] = before, took: list[float] = took) -> bool:
                for n, live in enumerate(both):
                    if not took[n] and before[n] >= 0 and live.rows() > before[n]:
                        took[n] = time.monotonic() - mended
                    elif before[n] < 0:
                        before[n] = live.rows()
                return both[0].supervise() and all(took)

            wait_until(moved, 150, f"further rows after {fault.__name__}", 0.2)
            print(f"{fault.__name__}: rows again after {took[0]:.1f} s in batches, {took[1]:.1f} s in windows")
    for live in both:
        began = time.monotonic()
        live.wait_until_caught_up()
        print(f"{live.name} caught up in {time.monotonic() - began:.1f} s")
        live.world.audit()
    wait_until(
        lambda: both[0].supervise() and not both[0].wal("SELECT * FROM lakelock.open_work"), 60, "no open work", 0.2
    )
