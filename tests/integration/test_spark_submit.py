"""Drivers that spark-submit starts: on this machine and on a standalone cluster, with the real driver program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from lakelock.adapters.airflow.spark_target import SparkTarget
from lakelock.adapters.spark.submit import submit
from lakelock.errors import Fenced, Retryable
from stack.process import wait_until
from stack.settings import REPOSITORY

pytestmark = [
    pytest.mark.on_spark,
    pytest.mark.drawn(0.5, group="drivers", about=("adapters/spark/submit", "spark_jobs/")),
]
SECRET = "planted-s3cr3t-value"
APPLICATION = REPOSITORY / "spark_jobs" / "write_batch.py"

# The driver program with the step it runs exchanged: what the step does is tested elsewhere.
STEP = """
import os, runpy, sys, time, types
from pathlib import Path
import psutil
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.model.offsets import OffsetRange, Source
from lakelock.errors import Fenced, Unreachable
from lakelock.model.layouts import Layout
from lakelock.ports import SliceOutput, Target, WriteOrder
from pyspark import cloudpickle

def meeting(order, slice_no):
    here = Path(order.kafka["folder"])
    (here / f"slice{slice_no}").write_text(str(os.getpid()))
    deadline = time.monotonic() + float(order.kafka["wait_s"])
    while len(list(here.glob("slice*"))) < len(order.slices):
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)
    import lakelock
    return SliceOutput(slice_no, (), (), 0, {"zip": float(".zip/" in lakelock.__file__)})

def run_submitted(hand_off, session):
    left = os.listdir(sys.argv[1])
    assert left == [], left
    work = hand_off["work"]
    if work == "raise":
        raise Fenced("a newer attempt, \\u00fcber.\\nTwo lines")
    if work == "exit":
        print("the driver's last words", flush=True)
        os._exit(3)
    mine = psutil.Process()
    for process in (mine, mine.parent()):
        assert hand_off["secret"] not in str(process.cmdline()) + str(process.environ())
    assert hand_off["secret"] not in str(session.sparkContext.getConf().getAll())
    letters = Target("d", "u", 0, Layout("l"), "file:///x", (), {}, ())
    slices = 3 if work == "hang" else 2
    ranges = tuple((OffsetRange(Source("t", "id", n), 0, 1),) for n in range(slices))
    Path(hand_off["folder"], "driver").write_text(f"{mine.pid} {mine.ppid()}")
    kafka = {"folder": hand_off["folder"], "wait_s": "600" if work == "hang" else "60", "password": hand_off["secret"]}
    writer = SparkWriter(session, meeting)
    Path(hand_off["folder"], "handed").write_text(sys.argv[1])
    Path(hand_off["folder"], "target").write_text(f"{session.sparkContext.master}, {writer.parallelism} at once")
    outputs = writer.run(WriteOrder("p", "b", "a", ranges, (), letters, kafka=kafka))
    assert all(o.seconds["zip"] for o in outputs)
    writer.interrupt_orphans("before")
    return f"{len(outputs)} slices on {session.sparkContext.master}, {writer.parallelism} at once"

fake = types.ModuleType("lakelock.app.driver")
fake.run_submitted = run_submitted
sys.modules["lakelock.app.driver"] = fake
runpy.run_path(%r, run_name="__main__")
"""


@pytest.fixture
def application(folder: Path) -> Path:
    out = folder / "step.py"
    out.write_text(STEP % str(APPLICATION))
    return out


def target(master: str, **conf: str) -> SparkTarget:
    return SparkTarget("submit", "spark_default", master=master, conf=conf)


def hand_off(work: str, folder: Path) -> dict[str, object]:
    return {"work": work, "folder": str(folder), "secret": SECRET}


@pytest.mark.long
def test_a_step_runs_in_a_driver_on_this_machine_and_leaves_no_secret_behind(
    application: Path, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    line = submit(target("local[2]"), hand_off("write", folder), "lakelock p", application)
    took_s = time.monotonic() - began
    assert line == "2 slices on local[2], 2 at once"
    shown = "".join(capfd.readouterr())
    assert "--master local[2]" in shown
    assert SECRET not in shown
    assert [p for p in folder.rglob("*") if p.is_file() and SECRET in p.read_text(errors="replace")] == []
    assert not Path((folder / "handed").read_text()).exists()
    print(f"spark-submit to local[2]: {took_s:.1f} s")


def test_an_error_of_the_driver_is_raised_as_it_was(application: Path, folder: Path) -> None:
    with pytest.raises(Fenced) as caught:
        submit(target("local[1]"), hand_off("raise", folder), "lakelock p", application)
    assert str(caught.value) == "a newer attempt, über.\nTwo lines"


def test_a_driver_that_ends_without_an_outcome_is_retryable_with_its_last_words(
    application: Path, folder: Path
) -> None:
    with pytest.raises(Retryable, match="last words"):
        submit(target("local[1]"), hand_off("exit", folder), "lakelock p", application)


@pytest.mark.long
@pytest.mark.parametrize("where", ["local", "cluster"])
def test_a_killed_task_leaves_no_driver_and_no_worker(
    where: str, application: Path, folder: Path, request: pytest.FixtureRequest
) -> None:
    master = "local[2]" if where == "local" else request.getfixturevalue("spark_cluster").master_url
    program = (
        "import sys; from pathlib import Path; from lakelock.adapters.airflow.spark_target import SparkTarget; "
        "from lakelock.adapters.spark.submit import submit; "
        "conf = {'spark.executor.memory': '512m'}; "
        f"submit(SparkTarget('submit', 'spark_default', master={master!r}, conf=conf), "
        f"{hand_off('hang', folder)!r}, 'lakelock p', Path({str(application)!r}))"
    )
    task = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(REPOSITORY / "plugins")}
    )
    # Two of three slices begin on two cores, and none ends.
    wait_until(lambda: len([p for p in folder.glob("slice*") if p.read_text()]) == 2, 120, "both slices to begin")
    assert (folder / "target").read_text() == f"{master}, 2 at once"
    pids = {int(p) for p in (folder / "driver").read_text().split()}
    pids |= {int(p.read_text()) for p in folder.glob("slice*")}
    assert all(psutil.pid_exists(p) for p in pids)
    task.send_signal(signal.SIGKILL)
    began = time.monotonic()
    wait_until(lambda: not any(psutil.pid_exists(p) for p in pids), 120, "their processes to end")
    print(f"{where}: driver and workers gone after {time.monotonic() - began:.1f} s")
    task.wait()
