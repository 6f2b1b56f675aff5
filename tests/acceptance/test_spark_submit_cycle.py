"""The whole cycle with the write step in a driver that spark-submit starts."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

# Airflow binds its log to what stdout is at its import, which must outlive any one test.
import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
import psutil
import pytest
from kits.world import World, connection, with_extra
from lakelock.errors import Unreachable
from stack.ports import free_port
from stack.spark import SparkCluster

SECRET = "planted-s3cr3t-value"


def _submitted_to(world: World, master: str) -> None:
    known = world.connections
    extra = {"spark.executor.memory": "1g"}
    known["spark_default"] = connection("spark_default", "spark", host=master, extra=extra)
    # Without SASL and without S3 no server looks at these: they are there to be found where they must not be.
    known["kafka_default"] = with_extra(known["kafka_default"], **{"sasl.password": SECRET})
    known["iceberg_default"] = with_extra(known["iceberg_default"], **{"s3.secret-access-key": SECRET})


def _holding_the_secret(folder: Path) -> list[str]:
    return [str(p) for p in folder.rglob("*") if p.is_file() and SECRET.encode() in p.read_bytes()]


def children() -> Iterator[str]:
    """Command lines of what this process has started."""
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            yield " ".join(process.cmdline())


@pytest.mark.long
def test_an_error_of_the_step_comes_out_of_the_driver_as_itself(world: World) -> None:
    world.produce(20)
    world.run()
    _submitted_to(world, "local[2]")
    world.produce(10)
    postgres = world.connections["lakelock_postgres"]
    fields: dict[str, Any] = {**asdict(postgres), "port": free_port()}
    with closing(world.runtime()) as runtime:
        batch_id = runtime.plan().batch_id
        assert batch_id is not None
        world.connections["lakelock_postgres"] = type(postgres)(**fields)
        with pytest.raises(Unreachable, match=f"127.0.0.1:{fields['port']}"):
            runtime.write("attempt", "test/run", batch_id)
    assert not [line for line in children() if "write_batch.py" in line]
    world.connections["lakelock_postgres"] = postgres
    world.run()
    world.audit()


def test_a_driver_on_this_machine_writes_what_connect_writes_and_reports_no_secret(
    world: World, warehouse: str, capfd: pytest.CaptureFixture[str]
) -> None:
    world.produce(30)
    world.run()
    _submitted_to(world, "local[2]")
    world.produce(50, bad=[b"no json", None])
    seen: list[str] = []
    world.run()
    world.audit(dead=2)
    seen += capfd.readouterr()
    assert "Spark-Submit cmd" in "".join(seen)
    assert SECRET not in "".join(seen)
    assert SECRET in json.dumps({k: asdict(v) for k, v in world.connections.items()})
    table = Path(world.catalog.load_table(world.table).location().removeprefix("file://"))
    assert table.is_dir()
    assert _holding_the_secret(table) + _holding_the_secret(world.folder) == []


@pytest.mark.long
def test_a_standalone_cluster_writes_through_its_executors(
    world: World, spark_cluster: SparkCluster, capfd: pytest.CaptureFixture[str]
) -> None:
    _submitted_to(world, spark_cluster.master_url)
    world.produce(40)
    world.run()
    world.audit()
    assert SECRET not in "".join(capfd.readouterr())
    assert _holding_the_secret(spark_cluster.home) == []
