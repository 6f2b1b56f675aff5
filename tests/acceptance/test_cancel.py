"""`bin/lakelock cancel` as a person types it while jobs run."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from kits.world import World
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.errors import JobCancelled
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import SliceOutput, Target, WriteOrder
from pyspark import cloudpickle
from stack.process import wait_until

cloudpickle.register_pickle_by_value(sys.modules[__name__])

DEAD_LETTERS = Target("lake.dead", "u", 0, Layout("l"), "file:///nowhere", (), {}, ())


def _waits(order: WriteOrder, slice_no: int) -> SliceOutput:
    """A slice that never ends by itself."""
    (Path(order.kafka["folder"]) / str(slice_no)).write_text("here")
    time.sleep(600)
    return SliceOutput(slice_no, (), ())


def _cancel(world: World) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "lakelock.cli", "cancel", str(world.file)],
        env=world.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
def test_cancel_stops_the_jobs_of_its_pipeline_and_of_no_other(world: World, folder: Path) -> None:
    begun = folder / "begun"
    begun.mkdir()
    other = replace(world, name="other")
    ended: list[Exception] = []
    spark = world.connections["spark_default"]
    with closing(world.runtime()) as runtime:
        installation = runtime.log.installation_id()
    remote = f"{spark.host}:{spark.port}"
    with open_connect(remote, "orders", "live", installation=installation) as session:

        def job() -> None:
            ranges = ((OffsetRange(Source("t", "id", 0), 0, 1),),)
            try:
                SparkWriter(session, _waits).run(
                    WriteOrder("orders", "batch", "attempt", ranges, (), DEAD_LETTERS, kafka={"folder": str(begun)})
                )
            except Exception as error:
                ended.append(error)

        running = threading.Thread(target=job)
        running.start()
        wait_until(lambda: any(begun.iterdir()), 120, "the slice to begin", 0.02)
        code, said = _cancel(other)
        assert (code, "no job of other was running" in said) == (0, True), said
        assert not ended

        code, said = _cancel(world)
        assert (code, "stopped 1 job of orders;" in said) == (0, True), said
        running.join(30)
        assert [type(error) for error in ended] == [JobCancelled]
    code, said = _cancel(world)
    assert (code, "no job of orders was running" in said) == (0, True), said


def test_cancel_of_a_pipeline_whose_tasks_start_drivers_says_what_ends_them(fresh: World) -> None:
    driver = replace(fresh.connections["spark_default"], conn_type="spark", host="local[1]", port=None)
    fresh.connections["spark_default"] = driver
    code, said = _cancel(fresh)
    assert code == 1, said
    assert "Nothing was stopped. End the task in Airflow." in said
