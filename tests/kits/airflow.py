"""Airflow in processes of its own: what a DAG file imports is part of what is tested, and pytest imports too much."""

from __future__ import annotations

import atexit
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kits.forks import Forks

REPOSITORY = Path(__file__).parents[2]
SCRIPTS = REPOSITORY / "tests" / "dags"
DAGS = REPOSITORY / "dags"
DATABASE = "airflow.db"
# Keys of scenarios whose runs report what is new since the run before.
REPORTED = {"cut", "hours"}
# Tests of what a DAG's run does with each outcome of its steps.
DRAWN = pytest.mark.drawn(
    0.25,
    in_turn="what runs of DAGs do",
    about=("dags/", "lakelock/orchestration/"),
)


def airflow_environment(home: Path, dags: Path = DAGS, **more: str) -> dict[str, str]:
    inherited = {
        key: value for key, value in os.environ.items() if not key.startswith(("AIRFLOW", "LAKELOCK", "_AIRFLOW"))
    }
    return {
        **inherited,
        "PYTHONPATH": str(REPOSITORY / "plugins"),
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(REPOSITORY / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home / DATABASE}",
        **more,
    }


def result_of(arguments: list[str], environment: Mapping[str, str], timeout_s: float = 300) -> Any:
    """The JSON that a script of tests/dags prints behind the word RESULT."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=environment["AIRFLOW_HOME"],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    return _result(done)


def _result(done: subprocess.CompletedProcess[str]) -> Any:
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert lines, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return json.loads(lines[-1].removeprefix("RESULT "))


@cache
def _of_airflow() -> Forks:
    """What the DAG processor has imported before it parses."""
    home = Path(tempfile.mkdtemp(prefix="lakelock-airflow-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return Forks(["airflow.sdk", "airflow.dag_processing.dagbag"], airflow_environment(home))


@cache
def _migrated() -> Path:
    """The home of an Airflow with a database that others copy: a migration takes seconds."""
    home = Path(tempfile.mkdtemp(prefix="lakelock-airflow-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    migrate = [sys.executable, "-m", "airflow", "db", "migrate"]
    subprocess.run(migrate, env=airflow_environment(home), capture_output=True, check=True, timeout=300)
    return home


def describe_folder(
    home: Path, files: Mapping[str, str] | None = None, *, names_only: bool = False, **environment: str
) -> dict[str, Any]:
    """Parses the DAG folder with the given pipeline files (name to text), else with the project's own."""
    if files is not None:
        folder = home / "pipelines"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        environment["LAKELOCK_PIPELINES"] = str(folder)
    done = _of_airflow().run(
        [str(SCRIPTS / "describe.py"), str(DAGS), *(["--names"] if names_only else [])],
        airflow_environment(home, DAGS, **environment),
        home,
    )
    found: dict[str, Any] = _result(done)
    return found


def named_by_tests(request: pytest.FixtureRequest, scenarios: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the chosen tests of the module speak of, each of which takes seconds, and those that these need."""
    texts = []
    for item in request.session.items:
        if isinstance(item, pytest.Function) and item.module is request.module:
            cases = getattr(item, "callspec", None)
            texts += [inspect.getsource(item.function), *(f'"{v}"' for v in (cases.params.values() if cases else ()))]
    return with_needed({name for name in scenarios if any(f'"{name}"' in text for text in texts)}, scenarios)


def with_needed(named: Collection[str], scenarios: Mapping[str, Any]) -> dict[str, Any]:
    """The *named* ones in their order; before one whose run reports, those of its DAG whose reports it reads."""
    chosen, reading = [], set()
    for name, about in reversed([*scenarios.items()]):
        reports = bool(REPORTED & about.keys())
        if name in named or (reports and about["dag"] in reading):
            chosen.append((name, about))
            reading |= {about["dag"]} if reports else set()
    return dict(reversed(chosen))


def run_scenarios(
    home: Path, pipelines: Mapping[str, str], scenarios: Mapping[str, Any], consumers: str, **environment: str
) -> dict[str, Any]:
    """What `tests/dags/scenarios.py` prints of the project's DAGs for *pipelines* (name to text) and of *consumers*' beside them."""
    dags, folder, file = home / "dags", home / "pipelines", home / "scenarios.json"
    shutil.copytree(DAGS, dags, ignore=shutil.ignore_patterns("__pycache__", "pipeline_faults.py"))
    (dags / "consumer.py").write_text(consumers, encoding="utf-8")
    folder.mkdir()
    for name, text in pipelines.items():
        (folder / name).write_text(text, encoding="utf-8")
    file.write_text(json.dumps(scenarios), encoding="utf-8")
    complete = airflow_environment(home, dags, LAKELOCK_PIPELINES=str(folder), **environment)
    shutil.copy(_migrated() / DATABASE, home / DATABASE)
    found: dict[str, Any] = result_of([str(SCRIPTS / "scenarios.py"), str(dags), str(file)], complete, 900)
    return found
