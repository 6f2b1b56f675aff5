"""docker-compose.yaml, rendered by a Compose implementation, is the stack of bin/demo."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from stack import settings
from stack.flights import PARTITIONS, TOPIC
from stack.settings import CATALOG, REPOSITORY

AIRFLOW_SERVICES = ("migrate", "api-server", "scheduler", "dag-processor", "triggerer")
Services = Mapping[str, Any]


@pytest.fixture(scope="module")
def rendered() -> Mapping[str, Any]:
    """As podman-compose understands the file; a dry run needs no engine."""
    done = subprocess.run(
        [str(Path(sys.executable).parent / "podman-compose"), "--dry-run", "-f", "docker-compose.yaml", "config"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    document: Mapping[str, Any] = yaml.safe_load(done.stdout)
    return document


@pytest.fixture
def services(rendered: Mapping[str, Any]) -> Services:
    found: Services = rendered["services"]
    return found


def dockerfile(service: Mapping[str, Any]) -> str:
    return str(service["build"]["dockerfile_inline"])


def test_images_are_the_official_ones_of_our_versions(services: Services) -> None:
    assert services["postgres"]["image"] == f"postgres:{settings.POSTGRES_VERSION}"
    assert services["kafka"]["image"] == services["topics"]["image"] == f"apache/kafka:{settings.KAFKA_VERSION}"
    assert dockerfile(services["spark"]).startswith(
        f"FROM apache/spark:{settings.SPARK_VERSION}-scala2.13-java{settings.MIN_JAVA}-python3-ubuntu\n"
    )
    for name in AIRFLOW_SERVICES:
        assert dockerfile(services[name]).startswith(f"FROM apache/airflow:{settings.AIRFLOW_VERSION}-python3.11\n")


def test_our_versions_are_those_of_the_lock() -> None:
    lock = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (REPOSITORY / "requirements.txt").read_text(), re.MULTILINE))
    assert lock["apache-airflow"] == settings.AIRFLOW_VERSION
    assert lock["pyspark"] == lock["pyspark-client"] == settings.SPARK_VERSION


def test_both_ends_of_a_spark_session_have_the_same_python_and_lock(services: Services) -> None:
    assert "uv venv --python 3.11" in dockerfile(services["spark"])
    assert services["spark"]["environment"]["PYSPARK_PYTHON"] == "/opt/venv/bin/python"
    for name in ("spark", "scheduler"):
        assert "COPY requirements.txt" in dockerfile(services[name])
        assert (Path(services[name]["build"]["context"]) / "requirements.txt").is_file()


def test_every_package_that_the_spark_image_installs_is_in_the_lock(services: Services) -> None:
    lock = (REPOSITORY / "requirements.txt").read_text()
    command = dockerfile(services["spark"]).replace("\\\n", " ").partition("-c /tmp/requirements.txt")[2].split("&&")[0]
    packages = [re.sub(r'[\["].*|"', "", word.strip('"')) for word in command.split()]
    assert len(packages) > 5
    for package in packages:
        assert re.search(rf"^{package}==", lock, re.MULTILINE), package


def test_the_broker_has_our_settings(services: Services) -> None:
    environment = services["kafka"]["environment"]
    for key, value in settings.KAFKA_SETTINGS.items():
        assert environment["KAFKA_" + key.upper().replace(".", "_")] == value, key


def test_the_topic_is_the_demos(services: Services) -> None:
    command = services["topics"]["command"]
    assert command[command.index("--topic") + 1] == TOPIC
    assert command[command.index("--partitions") + 1] == str(PARTITIONS)


def test_spark_connect_has_our_settings_and_jars(services: Services) -> None:
    command = services["spark"]["command"]
    conf = dict(command[n + 1].split("=", 1) for n, word in enumerate(command) if word == "--conf")
    uri, warehouse = "jdbc:postgresql://postgres:5432/iceberg", "file:///warehouse"
    wanted = settings.SPARK_SETTINGS | settings.spark_catalog(CATALOG, uri, warehouse)
    assert {k: conf.get(k) for k in wanted} == wanted
    packages = command[command.index("--packages") + 1].split(",")
    assert packages == [":".join(settings.ICEBERG_SPARK_ARTIFACT), ":".join(settings.POSTGRES_JDBC_ARTIFACT)]
    assert command[command.index("--driver-java-options") + 1] == settings.JVM_SETTINGS
    assert command[-1] == "spark-internal"


def test_spark_gets_nothing_of_lakelock_but_the_daemon_and_what_comes_with_a_job(services: Services) -> None:
    spark = services["spark"]
    daemon = f"./spark_jobs/lakelock_daemon.py:{spark['environment']['PYTHONPATH']}/lakelock_daemon.py:ro"
    assert spark["volumes"] == ["warehouse:/warehouse", daemon]
    assert (REPOSITORY / daemon.partition(":")[0]).is_file()
    assert "spark.python.daemon.module=lakelock_daemon" in spark["command"]


@pytest.mark.parametrize("name", AIRFLOW_SERVICES)
def test_airflow_has_our_settings(services: Services, name: str) -> None:
    environment = services[name]["environment"]
    wanted = settings.AIRFLOW_SETTINGS
    assert {k: environment.get(k) for k in wanted} == wanted
    assert environment["AIRFLOW__CORE__EXECUTION_API_SERVER_URL"] == "http://api-server:8080/execution/"


def test_connections_are_the_demos_with_other_addresses(services: Services) -> None:
    from stack.kafka import Kafka
    from stack.postgres import Postgres
    from stack.spark import SparkConnect
    from stack.stack import connections

    nowhere = Path(os.devnull)
    ours = connections(
        Postgres(nowhere, 5432),
        Kafka(nowhere, "", nowhere, 9092),
        SparkConnect(nowhere, "", nowhere, {}, 15002, ui_port=4040),
        "file:///warehouse",
    )
    environment = services["scheduler"]["environment"]
    # Spark's UI is looked at from this machine.
    moved = {"AIRFLOW_CONN_KAFKA_DEFAULT": ("", "kafka"), "AIRFLOW_CONN_SPARK_DEFAULT": ("sc://", "sc://spark")}
    for name, text in ours.items():
        scheme, host = moved.get(name, ("", "postgres"))
        there = text.replace(f"{scheme}127.0.0.1", host)
        assert json.loads(environment[name]) == json.loads(there), name


def test_mounted_paths_exist_and_are_where_airflow_looks(services: Services) -> None:
    for name, service in services.items():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (REPOSITORY / source).exists(), f"{name}: {volume}"
                assert volume.endswith(":ro"), f"{name}: {volume}"
    environment = services["scheduler"]["environment"]
    mounts = dict(volume.split(":")[:2] for volume in services["scheduler"]["volumes"])
    assert environment["AIRFLOW__CORE__DAGS_FOLDER"] == mounts["./dags"]
    assert environment["AIRFLOW__CORE__PLUGINS_FOLDER"] == environment["PYTHONPATH"] == mounts["./plugins"]
    assert environment["LAKELOCK_PIPELINES"] == mounts["./dags"] + "/pipelines"
    assert (REPOSITORY / "dags" / "pipelines").is_dir()


def test_databases_are_all_made(services: Services) -> None:
    script = (REPOSITORY / "bin" / "stack" / "databases.sql").read_text()
    made = {services["postgres"]["environment"]["POSTGRES_DB"], *re.findall(r"CREATE DATABASE (\w+);", script)}
    assert made == set(settings.DATABASES)
    assert services["postgres"]["environment"]["POSTGRES_USER"] == settings.POSTGRES_USER


def test_nothing_is_reachable_from_other_machines(services: Services) -> None:
    ports = [port for service in services.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_named_volumes_are_declared(rendered: Mapping[str, Any]) -> None:
    used = {
        volume.split(":")[0]
        for service in rendered["services"].values()
        for volume in service.get("volumes", [])
        if not volume.startswith(".")
    }
    assert used == set(rendered["volumes"])
