"""Faults that one server or one task of a real Airflow meets under load, and what goes on afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from stack.process import wait_until

from kits.live import Live, kill_task

CLAIMED = "SELECT attempt FROM lakelock.batches WHERE pipeline = %s AND attempt IS NOT NULL"


def kill_a_write(live: Live) -> None:
    """While it holds a batch. The next try of the same run takes the batch over at once."""

    def killed() -> bool:
        return any(kill_task(row["attempt"]) for row in live.wal(CLAIMED, live.name))

    wait_until(killed, 240, "a write that holds a batch", 0.05)


def kill_a_commit(live: Live) -> None:
    def killed() -> bool:
        return any(kill_task(task["id"]) for task in live.running("commit"))

    wait_until(killed, 240, "a commit that runs", 0.05)


def clear_a_finished_run(live: Live) -> None:
    """All its tasks run again: what they moved is in the table already."""
    run = next(r["dag_run_id"] for r in live.runs(state="success"))
    before = live.tasks(run)["plan"]["try_number"]
    live.api("POST", f"/dags/{live.dag}/clearTaskInstances",
             {"dry_run": False, "dag_run_id": run, "only_failed": False, "reset_dag_runs": True})  # fmt: skip
    wait_until(lambda: live.tasks(run)["plan"]["try_number"] > before, 120, "the cleared run to begin again", 0.2)
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
    wait_until(lambda: bool(live.wal(CLAIMED, live.name)), 120, "a batch that is held", 0.05)
    live.stack.airflow.scheduler.kill()
    live.stack.airflow.start_scheduler()


def restart_api_server(live: Live) -> None:
    live.stack.airflow.api_server.kill()
    live.stack.airflow.start_api_server()
    live.stack.airflow.wait_until_healthy()


def survived(fault: Callable[[Live], None], lives: Sequence[Live]) -> None:
    """The fault meets the first of *lives*; rows of all of them go on."""
    fault(lives[0])
    began, before = time.monotonic(), [live.rows() for live in lives]
    took = [0.0] * len(lives)

    def moved() -> bool:
        for n, live in enumerate(lives):
            if not took[n] and before[n] >= 0 and live.rows() > before[n]:
                took[n] = time.monotonic() - began
            elif before[n] < 0:
                before[n] = live.rows()
        return lives[0].supervise() and all(took)

    wait_until(moved, 300, f"further rows after {fault.__name__}", 0.5)
    said = ", ".join(f"{live.name} after {seconds:.1f} s" for live, seconds in zip(lives, took, strict=True))
    print(f"{fault.__name__}: rows again in {said}")


# What an Airflow that others use meets, too: it keeps its database, and the servers that pipelines move records between.
OF_AIRFLOW = (kill_a_write, kill_a_commit, clear_a_finished_run, restart_api_server, restart_scheduler)
OF_SERVERS = (restart_spark, restart_kafka, restart_postgres)
