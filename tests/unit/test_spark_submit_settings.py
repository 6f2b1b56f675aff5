"""What spark-submit gets, and what a connection may change of it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from lakelock.adapters.airflow.spark_target import SparkTarget
from lakelock.adapters.spark.submit import (
    _private_folder,
    _write_private,
    check_target,
    driver_conf,
    submit_environment,
)
from lakelock.errors import ConnectionFault, Unreachable


def _target(master: str, **conf: str) -> SparkTarget:
    return SparkTarget("submit", "spark_default", master=master, conf=conf)


def test_the_connection_wins_over_every_default() -> None:
    mine = {"spark.ui.enabled": "true", "spark.pyspark.python": "./env/bin/python", "spark.driver.host": "10.0.0.1"}
    conf = driver_conf(_target("local[*]", **mine))
    assert mine.items() <= conf.items()
    assert "TieredStopAtLevel" in conf["spark.driver.extraJavaOptions"]


def test_only_masters_on_this_machine_get_its_python_and_its_address() -> None:
    local, cluster, yarn = (driver_conf(_target(m)) for m in ("local[2]", "spark://lake:7077", "yarn"))
    assert local["spark.driver.host"] == "127.0.0.1"
    assert "spark.driver.host" not in cluster
    assert cluster["spark.pyspark.python"] == sys.executable
    assert "spark.pyspark.python" not in yarn
    assert yarn["spark.pyspark.driver.python"] == sys.executable


def test_spark_submit_comes_from_the_package_only_where_path_has_none(tmp_path: Path) -> None:
    found = submit_environment({"PATH": str(tmp_path)})
    assert shutil.which("spark-submit", path=found["PATH"]) == f"{found['SPARK_HOME']}/bin/spark-submit"
    mine = tmp_path / "spark-submit"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    assert submit_environment({"PATH": str(tmp_path)}).items() >= {"PATH": str(tmp_path)}.items()


def test_only_workers_of_this_machine_are_forked_from_the_daemon_that_they_find_on_its_path() -> None:
    local, *others = (driver_conf(_target(m)) for m in ("local[2]", "spark://127.0.0.1:7077", "yarn"))
    module = local["spark.python.daemon.module"]
    assert all("spark.python.daemon.module" not in other for other in others)
    for known in ({}, {"PYTHONPATH": "/opt/mine"}):
        *mine, folder = submit_environment(known)["PYTHONPATH"].split(os.pathsep)
        assert mine == list(known.values())
        assert (Path(folder) / f"{module}.py").is_file()


def test_a_driver_is_never_made_a_connect_client_by_the_environment() -> None:
    assert (
        not {"SPARK_REMOTE", "SPARK_API_MODE"}
        & submit_environment({**os.environ, "SPARK_REMOTE": "sc://x", "SPARK_API_MODE": "connect"}).keys()
    )


def test_a_driver_that_would_outlive_its_task_is_refused() -> None:
    with pytest.raises(ConnectionFault, match="cluster"):
        check_target(SparkTarget("submit", "spark_default", master="yarn", deploy_mode="cluster"))


def test_missing_java_is_said_before_anything_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ConnectionFault, match="Java"):
        check_target(_target("local[2]"))


def test_a_master_that_does_not_answer_is_unreachable_at_once() -> None:
    with pytest.raises(Unreachable, match=r"spark://127\.0\.0\.1:9"):
        check_target(_target("spark://127.0.0.1:9"))


def test_the_hand_off_is_for_this_user_alone_and_gone_with_its_task(tmp_path: Path) -> None:
    with _private_folder(tmp_path) as folder:
        _write_private(folder / "hand-off", "secret")
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "hand-off").stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_task_left_is_swept_away_and_what_lives_is_not(tmp_path: Path) -> None:
    dead, young, foreign = (tmp_path / n for n in ("lakelock-submit-dead", "lakelock-submit-young", "other"))
    for folder in (dead, young, foreign):
        folder.mkdir()
        (folder / "hand-off").write_text("secret")
    os.utime(dead, (1, 1))
    os.utime(foreign, (1, 1))
    with _private_folder(tmp_path) as living:
        os.utime(living, (1, 1))
        with _private_folder(tmp_path):
            assert living.exists()
        assert not dead.exists()
        assert young.exists()
        assert foreign.exists()
