"""The watch and the page know the same of a pipeline's runs, each by the way that Airflow leaves it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from kits.airflow import DATABASE, SCRIPTS, _migrated, airflow_environment, result_of

pytestmark = pytest.mark.long

RUNS = {
    "good": {"paused": False, "runs": ["failed", "success"]},
    "bad": {"paused": False, "runs": ["success", "failed"]},
    "again": {"paused": False, "runs": ["failed", "failed", "running"]},
    "paused": {"paused": True, "runs": ["failed"]},
    "new": {"paused": False, "runs": []},
    "hidden": {"paused": False, "runs": ["failed"]},
}
KNOWN = {
    "good": [False, None],
    "bad": [False, "run-1"],
    "again": [False, "run-1"],
    "paused": [True, "run-0"],
    "new": [False, None],
}


def test_the_last_run_that_ended_counts_and_who_may_not_read_runs_learns_of_none(tmp_path: Path) -> None:
    shutil.copy(_migrated() / DATABASE, tmp_path / DATABASE)
    readable = [f"ingest__{name}" for name in RUNS if name != "hidden"]
    dags = tmp_path / "dags"
    dags.mkdir()
    script = [str(SCRIPTS / "runs_known.py"), str(dags), json.dumps(RUNS), *readable]
    found = result_of(script, airflow_environment(tmp_path, dags))
    assert found["state"] == "success"
    assert found["watch"] == {**KNOWN, "hidden": [False, "run-0"], "unknown": None}
    assert found["page"] == {**KNOWN, "hidden": [False, None]}
