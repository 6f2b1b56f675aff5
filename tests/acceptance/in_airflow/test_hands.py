"""What people and lost machines do to running tasks: marked, cleared, run again beside their zombies. Records stay whole.

Each run is triggered by its test: a schedule would run ten times as many tasks while the test waits.
"""

from __future__ import annotations

import itertools
import time
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import psutil
import psycopg
import pytest
from kits.airflow_faults import CLAIMED
from kits.live import OVER, FrozenTask, Live, freeze_task, kill_task
from kits.shared_airflow import SecretStack
from stack.process import wait_until

RECORDS = 50
# Of which a file takes long enough to be caught while it is written.
LONG_JOB = 300_000
STAGED = "SELECT 1 FROM lakelock.parts WHERE pipeline = %s AND state = 'staged' FOR UPDATE"
WAITS_FOR = "SELECT 1 FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid))"


def hands_of(stack: SecretStack) -> Live:
    settings = "schedule: {every: 30d}\nbatch: {max_records: 2000}\ncommit: {min_bytes: 0}\n"
    live = Live(stack, "hands", settings)
    live.world.produce(20)
    return live


PIPELINES = (hands_of,)


@pytest.fixture(scope="module")
def hands(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("hands") as live:
        live.wait_for_rows(20)
        yield live


def more(live: Live) -> str:
    """A run that has records to move."""
    live.world.produce(RECORDS)
    return live.trigger()


def settled(live: Live) -> None:
    """Runs follow one another until the table has all records: a run may only find that another task held its batch."""
    runs: list[str] = []

    def caught_up() -> bool:
        if runs and live.state(runs[-1]) not in OVER:
            return False
        if runs and live.status().lag_offsets == 0:
            return True
        runs.append(live.trigger())
        return False

    wait_until(caught_up, 300, f"no lag of {live.name}", 0.5)
    live.world.audit()


def caught(live: Live, task: str, *, machine: bool = False) -> tuple[dict[str, Any], FrozenTask]:
    """A task instance that is stopped in the middle: a write that holds a batch, or a commit that is in the table and not in
    the log yet."""
    found: list[tuple[dict[str, Any], FrozenTask]] = []
    runs: list[str] = []
    stop = {"write": _stopped_write, "commit": _stopped_commit}[task]

    def is_caught() -> bool:
        if not runs or live.state(runs[-1]) in OVER:
            # The one before it was too fast.
            runs.append(more(live))
        if (one := stop(live, machine)) is not None:
            found.append(one)
        return bool(found)

    wait_until(is_caught, 240, f"a {task} that runs", 0.05)
    return found[0]


def _stopped_write(live: Live, machine: bool) -> tuple[dict[str, Any], FrozenTask] | None:
    holding = {row["attempt"] for row in live.wal(CLAIMED, live.name)}
    for running in live.running("write"):
        if running["id"] in holding and (frozen := freeze_task(running["id"], machine=machine)) is not None:
            if running["id"] in {row["attempt"] for row in live.wal(CLAIMED, live.name)}:
                return running, frozen
            frozen.thaw()
    return None


def _stopped_commit(live: Live, machine: bool) -> tuple[dict[str, Any], FrozenTask] | None:
    """It waits for rows of the log that are locked here, and is stopped there."""
    with psycopg.connect(live.stack.postgres.dsn("lakelock")) as lock:
        if not lock.execute(STAGED, [live.name]).fetchall():
            return None
        own = lock.info.backend_pid
        wait_until(lambda: bool(live.wal(WAITS_FOR, own)), 120, "a commit that waits for the log", 0.05)
        for running in live.running("commit"):
            if (frozen := freeze_task(running["id"], machine=machine)) is not None:
                return running, frozen
        return None


def changed(live: Live, task: str, act: Callable[[Live, dict[str, Any]], None], *, machine: bool) -> FrozenTask:
    """*act* was done to a task instance that is stopped in the middle."""
    while True:
        running, frozen = caught(live, task, machine=machine)
        try:
            act(live, running)
        except urllib.error.HTTPError as fault:
            # It had just reported to Airflow that it was done.
            if fault.code != HTTPStatus.CONFLICT:
                raise
            frozen.thaw()
        else:
            return frozen


def mark(live: Live, task: dict[str, Any], state: str) -> None:
    run, index = task["dag_run_id"], task["map_index"]
    place = task["task_id"] if index < 0 else f"{task['task_id']}/{index}"
    live.api("PATCH", f"/dags/{live.dag}/dagRuns/{run}/taskInstances/{place}", {"new_state": state})


def clear(live: Live, task: dict[str, Any]) -> None:
    body = {
        "dry_run": False,
        "dag_run_id": task["dag_run_id"],
        "task_ids": [task["task_id"]],
        "only_failed": False,
        "include_downstream": True,
        "reset_dag_runs": True,
    }
    live.api("POST", f"/dags/{live.dag}/clearTaskInstances", body)


ACTIONS: dict[str, Callable[[Live, dict[str, Any]], None]] = {
    "marked as failed": lambda live, task: mark(live, task, "failed"),
    "marked as success": lambda live, task: mark(live, task, "success"),
    "cleared": clear,
}


# Airflow takes a minute to notice that a supervisor is silent before it starts what was cleared beside it.
SLOW = [("write", "cleared", True), ("commit", "cleared", True)]
CASES = [
    pytest.param(
        *case, marks=pytest.mark.long if case in SLOW else (), id=f"{case[0]} {case[1]}{' on a lost machine' * case[2]}"
    )
    for case in itertools.product(("write", "commit"), ACTIONS, (False, True))
]


@pytest.mark.drawn(0.2)
@pytest.mark.parametrize(("task", "action", "machine"), CASES)
def test_a_task_that_a_person_changes_while_it_runs_loses_and_doubles_nothing(
    hands: Live, task: str, action: str, machine: bool
) -> None:
    """With *machine* the supervisor hangs, too: what Airflow starts instead runs beside a zombie, which wakes later."""
    frozen = changed(hands, task, ACTIONS[action], machine=machine)
    if not machine:
        frozen.thaw()
    more(hands)
    settled(hands)
    if machine:
        # Only now: a zombie holds a slot of the executor, and what goes on does so beside it.
        assert frozen.thaw(), "a zombie must have lived until here"
        more(hands)
        settled(hands)


@pytest.mark.parametrize("task", ["write", "commit"])
def test_a_task_that_is_killed_loses_and_doubles_nothing(hands: Live, task: str) -> None:
    _, frozen = caught(hands, task)
    frozen.kill()
    more(hands)
    settled(hands)


def frozen_worker(live: Live) -> int | None:
    """The process of Spark that has a file of the pipeline's table open, stopped there; None where none has."""
    folder = live.world.catalog.load_table(live.world.table).location().removeprefix("file://")
    for process in psutil.process_iter(["cmdline"]):
        with suppress(psutil.Error):
            if not {"pyspark.daemon", "lakelock_daemon"} & {*(process.info["cmdline"] or ())}:
                continue
            if any(file.path.startswith(folder) for file in process.open_files()):
                process.suspend()
                if any(file.path.startswith(folder) for file in process.open_files()):
                    return int(process.pid)
                process.resume()
    return None


def job_that_hangs(live: Live) -> tuple[dict[str, Any], int]:
    """A write that runs, and the process of Spark that will never end for it."""
    runs: list[str] = []
    found: list[tuple[dict[str, Any], int]] = []

    def hangs() -> bool:
        if not runs or live.state(runs[-1]) in OVER:
            # The one before it was too fast.
            live.world.produce(LONG_JOB)
            runs.append(live.trigger(max_records=10 * LONG_JOB))
        if (pid := frozen_worker(live)) is not None:
            found.append((live.running("write")[0], pid))
        return bool(found)

    wait_until(hangs, 240, "a job in the middle of a file", 0.01)
    return found[0]


@pytest.mark.long
@pytest.mark.parametrize(("end", "within_s"), [("marked as failed", 15), ("killed", 30)])
def test_a_task_that_ends_ends_its_job_on_spark(hands: Live, end: str, within_s: float) -> None:
    task, pid = job_that_hangs(hands)
    began = time.monotonic()
    if end == "killed":
        assert kill_task(task["id"])
    else:
        mark(hands, task, "failed")
    wait_until(lambda: not psutil.pid_exists(pid), within_s, f"the end of process {pid}", 0.1)
    print(f"{end}: the job's process ended after {time.monotonic() - began:.1f} s")
    settled(hands)


def test_old_runs_that_are_cleared_whole_and_new_ones_all_at_once_move_nothing_twice(hands: Live) -> None:
    for _ in range(2):
        assert hands.finished(more(hands))["commit"]["state"] == "success"
    old = [run["dag_run_id"] for run in hands.runs(state="success")[:2]]
    before = {run: hands.tasks(run)["plan"]["try_number"] for run in old}
    for run in old:
        body = {"dry_run": False, "dag_run_id": run, "only_failed": False, "reset_dag_runs": True}
        hands.api("POST", f"/dags/{hands.dag}/clearTaskInstances", body)
    triggered = [more(hands) for _ in range(2)]
    for run in [*old, *triggered]:
        hands.finished(run, 300)
    assert all(hands.tasks(run)["plan"]["try_number"] > before[run] for run in old)
    settled(hands)
