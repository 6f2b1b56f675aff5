"""Old runs leave a real Airflow by its own API, and only those that nobody needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from kits.live import Live
from kits.shared_airflow import SecretStack
from stack.airflow import PASSWORD, USER
from stack.settings import REPOSITORY


def prune(stack: SecretStack, *arguments: str, password: str = PASSWORD) -> subprocess.CompletedProcess[str]:
    connection = {"conn_type": "http", "host": stack.airflow.url, "login": USER, "password": password}
    env = {
        **os.environ,
        "PYTHONPATH": str(REPOSITORY / "plugins"),
        "AIRFLOW_CONN_LAKELOCK_AIRFLOW": json.dumps(connection),
    }
    command = [sys.executable, "-m", "lakelock.cli", "prune-airflow", *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)


def old_of(stack: SecretStack) -> Live:
    live = Live(stack, "old", "schedule: {every: 1d}\n")
    live.world.produce(10)
    return live


PIPELINES = (old_of,)
# It prunes the runs of all DAGs, so nothing else may be tested beside it.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def old(secret_stack: SecretStack) -> Iterator[Live]:
    """A pipeline with a run of the scheduler and three by hand, one of which failed."""
    with secret_stack.running("old") as live:
        live.first_run_done()
        live.finished(live.trigger(stop_at_offsets={"nobody's": {"0": 1}}))
        for _ in range(2):
            live.finished(live.trigger(commit_now=True))
        yield live


def test_old_successful_runs_go_and_the_newest_and_the_failed_stay(secret_stack: SecretStack, old: Live) -> None:
    before = [(run["dag_run_id"], run["state"]) for run in old.runs()]
    assert [state for _, state in before] == ["success", "success", "failed", "success"]
    some = ("--older-than", "1ms", "--keep", "1")
    said = prune(secret_stack, *some)
    assert said.returncode == 0, said.stderr
    assert "ingest__old: 1 run would go" in said.stdout
    assert "Repeat with --yes" in said.stdout
    assert [(run["dag_run_id"], run["state"]) for run in old.runs()] == before

    young = prune(secret_stack, "--older-than", "1d", "--keep", "1", "--yes")
    assert young.stdout == "no successful run is older than 1d, beside the newest 1 of each DAG\n"
    assert len(old.runs()) == 4

    said = prune(secret_stack, *some, "--yes")
    assert "ingest__old: 1 run deleted" in said.stdout
    # The newest, the one that failed, and the last of the schedule, which Airflow would run again.
    assert [(run["dag_run_id"], run["state"]) for run in old.runs()] == [before[0], before[2], before[3]]
    assert "ingest__old" not in prune(secret_stack, *some, "--yes").stdout
    # The pipeline goes on as if nothing had happened.
    old.world.produce(4)
    old.finished(old.trigger(commit_now=True))
    old.world.audit()


def test_a_user_who_may_not_and_a_server_that_is_not_there(secret_stack: SecretStack) -> None:
    refused = prune(secret_stack, password="wrong")
    assert refused.returncode == 1
    assert "its user may not do that" in refused.stderr
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY / "plugins")}
    command = [sys.executable, "-m", "lakelock.cli", "prune-airflow"]
    nobody = {
        "AIRFLOW_CONN_LAKELOCK_AIRFLOW": json.dumps(
            {"conn_type": "http", "host": "127.0.0.1", "port": 9, "password": "x"}
        )
    }
    gone = subprocess.run(command, env=env | nobody, capture_output=True, text=True, timeout=60, check=False)
    assert gone.returncode == 3
    assert "did not answer" in gone.stderr
