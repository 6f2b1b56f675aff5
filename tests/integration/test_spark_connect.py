"""Slices on a real Spark Connect server: sessions, results, errors, orphans, secrets."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import lakelock.adapters.spark.connect_session as connecting
import psutil
import pytest
from lakelock.adapters.spark.connect_session import open_connect, session_id, session_page, tags_of
from lakelock.adapters.spark.jobs import SparkCopier, SparkWriter, interrupt
from lakelock.adapters.spark.package_zip import package_zip
from lakelock.errors import ConnectionFault, JobCancelled, Retryable, TopicRecreated, Unreachable
from lakelock.model.batches import DataFile
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import CopyOrder, CopyOutput, CopySlice, SliceOutput, Target, WriteOrder
from pyspark import cloudpickle
from pyspark.sql.connect.client.reattach import ExecutePlanResponseReattachableIterator
from stack import machine
from stack.ports import free_port
from stack.process import wait_until
from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.2, about="adapters/spark")

# The workers have lakelock, sent by the code under test, but not this module: its functions travel whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

SECRET = "planted-s3cr3t-value"
STORAGE = {"s3.secret-access-key": SECRET}
DEAD_LETTERS = Target("lake.dead", "u", 0, Layout("l"), "file:///nowhere", (), {}, (), storage=STORAGE)


def order(slices: int, **kafka: str) -> WriteOrder:
    ranges = tuple((OffsetRange(Source("t", "id", n), 0, 1),) for n in range(slices))
    return WriteOrder("p", "batch", "attempt", ranges, (), DEAD_LETTERS, kafka=kafka)


@pytest.fixture
def pipeline() -> str:
    return f"p{uuid.uuid4().hex[:8]}"


@pytest.fixture
def session(spark_connect: SparkConnect, pipeline: str) -> Iterator[Any]:
    with open_connect(spark_connect.remote, pipeline, "live") as session:
        yield session


@pytest.fixture(scope="module")
def lasting_server(session_folder: Path, java: str) -> Iterator[SparkConnect]:
    """Everything that Spark can log is switched on."""
    home = session_folder / "own-spark"
    events = home / "events"
    events.mkdir(parents=True)
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{events}",
        "spark.eventLog.compress": "false",
        "spark.log.level": "INFO",
    }
    server = SparkConnect(home, machine.java_home(java), home / "no-jars", settings, ui_port=free_port())
    yield server
    server.stop()


@pytest.fixture
def own_server(lasting_server: SparkConnect) -> SparkConnect:
    """A server that a test may kill."""
    if not lasting_server.alive:
        lasting_server.start()
    return lasting_server


def python_processes(server: SparkConnect) -> list[int]:
    return sorted(p.pid for p in psutil.Process(server.pid).children(recursive=True) if "python" in p.name())


def nothing(order: WriteOrder, slice_no: int) -> SliceOutput:
    return SliceOutput(slice_no, (), ())


def meeting(order: WriteOrder, slice_no: int) -> SliceOutput:
    """Returns only when every slice has begun, in a task of its own."""
    import lakelock as shipped
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    mine = Path(order.kafka["folder"]) / str(slice_no)
    mine.write_text("here")
    deadline = time.monotonic() + 100
    while len(list(mine.parent.iterdir())) < len(order.slices):
        if time.monotonic() > deadline:
            raise TimeoutError("the other slices did not begin")
        time.sleep(0.01)
    facts = {"partition": float(context.partitionId()), "zip": float(".zip/" in (shipped.__file__ or ""))}
    return SliceOutput(slice_no, (), (), os.getpid(), facts)


def test_every_slice_has_a_task_of_its_own_and_all_run_at_once(session: Any, folder: Path) -> None:
    writer = SparkWriter(session, meeting)
    assert writer.parallelism == 2
    outputs = writer.run(order(2, folder=str(folder)))
    assert [o.slice_no for o in outputs] == [0, 1]
    assert [o.seconds["partition"] for o in outputs] == [0.0, 1.0]
    assert len({o.peak_memory_bytes for o in outputs}) == 2


def test_a_result_of_another_kind_is_not_left_out(session: Any) -> None:
    copying = CopyOrder(
        "group", DEAD_LETTERS, (CopySlice("[]", (("file:///f", 1),)), CopySlice("[]", (("file:///g", 1),)))
    )
    copier = SparkCopier(session, nothing)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="2 of 2 slices returned no CopyOutput"):
        copier.run(copying)


def placed(order: CopyOrder, slice_no: int) -> CopyOutput:
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return CopyOutput(slice_no, (DataFile(str(context.partitionId()), 1, 1, b""),))


def test_slices_of_a_copy_share_so_many_tasks_and_come_back_in_order(session: Any) -> None:
    copying = CopyOrder("group", DEAD_LETTERS, (CopySlice("[]", ()),) * 5, tasks=2)
    outputs = SparkCopier(session, placed).run(copying)
    assert [o.slice_no for o in outputs] == list(range(5))
    assert [f.path for o in outputs for f in o.files] == ["0", "0", "1", "1", "1"]


def test_the_workers_import_what_was_sent(session: Any, folder: Path) -> None:
    (output,) = SparkWriter(session, meeting).run(order(1, folder=str(folder)))
    assert output.seconds["zip"] == 1.0


def importing(order: WriteOrder, slice_no: int) -> SliceOutput:
    import gc

    from lakelock import ports
    from lakelock.upkeep import expiry_decision as expiry

    is_frozen = all(found is not vars(ports) for found in gc.get_objects())
    return SliceOutput(slice_no, (), (), is_frozen, {"zip": float(".zip/" in (expiry.__file__ or ""))})


def test_a_worker_that_served_before_still_imports_from_the_package(session: Any) -> None:
    SparkWriter(session, nothing).run(order(2))
    for output in SparkWriter(session, importing).run(order(2)):
        assert output.seconds["zip"] == 1.0
        assert output.peak_memory_bytes


def looking(order: WriteOrder, slice_no: int) -> SliceOutput:
    import gc

    import pyarrow as pa
    from lakelock.workers.write import write_slice

    assert callable(write_slice)
    parent = Path(f"/proc/{os.getppid()}/cmdline").read_text().split("\0")
    found = {
        "pandas": "pandas" in sys.modules,
        "system's pool": pa.default_memory_pool().backend_name == "system",
        "forked": "lakelock_daemon" in parent,
        "shared": all(module is not vars(pa) for module in gc.get_objects()),
    }
    return SliceOutput(slice_no, (), (), 0, {name: float(is_so) for name, is_so in found.items()})


def test_a_worker_shares_the_packages_of_its_daemon_and_does_without_pandas(session: Any) -> None:
    (output,) = SparkWriter(session, looking).run(order(1))
    assert output.seconds == {"pandas": 0.0, "system's pool": 1.0, "forked": 1.0, "shared": 1.0}


def test_more_slices_than_cores_come_back_in_order(session: Any) -> None:
    assert [o.slice_no for o in SparkWriter(session, nothing).run(order(7))] == list(range(7))
    assert SparkWriter(session, nothing).run(order(0)) == []


def heavy(order: WriteOrder, slice_no: int) -> SliceOutput:
    from lakelock.ports import TableOutput

    fields = tuple(os.urandom(1 << 19).hex() for _ in range(12))
    return SliceOutput(slice_no, (TableOutput(f"t{slice_no}", (), (), fields),), ())


def test_results_of_many_megabytes_arrive_whole(session: Any) -> None:
    outputs = SparkWriter(session, heavy).run(order(3))
    assert [o.tables[0].table for o in outputs] == ["t0", "t1", "t2"]
    assert all(len(f) == 1 << 20 for o in outputs for f in o.tables[0].unknown_fields)


def failing(order: WriteOrder, slice_no: int) -> SliceOutput:
    from lakelock.errors import TopicRecreated, Unreachable

    if slice_no == 0:
        raise Unreachable("the broker is away, über")
    raise TopicRecreated("topic t: another id.\nTwo lines, 'quoted'.")


def test_an_error_of_a_slice_is_raised_as_it_was_and_a_terminal_one_first(session: Any) -> None:
    with pytest.raises(TopicRecreated) as caught:
        SparkWriter(session, failing).run(order(3))
    assert str(caught.value) == "topic t: another id.\nTwo lines, 'quoted'."
    with pytest.raises(Unreachable, match=r"^the broker is away, über$"):
        SparkWriter(session, failing).run(order(1))


def broken(order: WriteOrder, slice_no: int) -> SliceOutput:
    raise KeyError("a bug in slice")


def dying(order: WriteOrder, slice_no: int) -> SliceOutput:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_bug_and_a_killed_worker_are_retryable_and_the_session_goes_on(session: Any) -> None:
    with pytest.raises(Retryable, match="KeyError: 'a bug in slice'"):
        SparkWriter(session, broken).run(order(2))
    with pytest.raises(Retryable, match="crashed"):
        SparkWriter(session, dying).run(order(1))
    assert len(SparkWriter(session, nothing).run(order(2))) == 2


def test_an_installation_has_one_session_for_each_release_and_settings() -> None:
    one = session_id("i", "a.zip", {"x": "1", "y": "2"})
    assert one == session_id("i", "a.zip", {"y": "2", "x": "1"})
    others = [("j", "a.zip", {"x": "1", "y": "2"}), ("i", "b.zip", {"x": "1", "y": "2"}), ("i", "a.zip", {"x": "1"})]
    assert len({one, *(session_id(*o) for o in others), session_id("i", "a.zip", {"x": "1", "y": "2"}, 1)}) == 5


def test_twenty_openings_leave_no_process_behind_and_send_the_package_once(
    spark_connect: SparkConnect, pipeline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    from pyspark.sql.connect.session import SparkSession

    real = SparkSession.addArtifacts

    def counted(self: Any, *paths: str, **how: bool) -> None:
        sent.extend(paths)
        real(self, *paths, **how)

    monkeypatch.setattr(SparkSession, "addArtifacts", counted)
    for n in range(20):
        with open_connect(spark_connect.remote, pipeline, "live", installation=pipeline) as session:
            SparkWriter(session, nothing).run(order(2))
        if n == 0:
            before = python_processes(spark_connect)
    # Idle ones of sessions before it may end meanwhile, and others take their place.
    assert len(python_processes(spark_connect)) <= len(before)
    (own,) = sent
    assert Path(own).name.startswith(package_zip().stem)
    assert own not in sys.path


def test_a_closed_session_gets_a_successor_that_everybody_finds(spark_connect: SparkConnect, pipeline: str) -> None:
    for successor in range(3):
        with open_connect(spark_connect.remote, pipeline, "live", installation=pipeline) as session:
            expected = session_id(pipeline, package_zip().name, {}, successor)
            assert session.client._session_id == expected
            assert len(SparkWriter(session, nothing).run(order(2))) == 2
        with open_connect(spark_connect.remote, pipeline, "live", installation=pipeline) as session:
            assert session.client._session_id == expected
            session.stop()


def test_a_forgotten_session_that_is_collected_during_anothers_request_leaves_it_alone(
    spark_connect: SparkConnect, pipeline: str
) -> None:
    with open_connect(spark_connect.remote, pipeline, "live") as forgotten:
        collected = weakref.ref(forgotten)
    with open_connect(spark_connect.remote, pipeline, "live") as session:
        SparkWriter(session, nothing).run(order(1))
        pool = ExecutePlanResponseReattachableIterator._get_or_create_release_thread_pool()
        del forgotten
        gc.collect()
        assert collected() is None
        # PySpark's finalizer shuts down the pool of all sessions, for which it takes a lock that a request may hold.
        assert ExecutePlanResponseReattachableIterator._get_or_create_release_thread_pool() is pool


def test_a_session_closed_under_a_writer_is_unreachable(spark_connect: SparkConnect, pipeline: str) -> None:
    with (
        open_connect(spark_connect.remote, pipeline, "live") as one,
        open_connect(spark_connect.remote, pipeline, "live") as two,
    ):
        two.stop()
        with pytest.raises(Unreachable, match="SESSION_CLOSED"):
            SparkWriter(one, nothing).run(order(2))


def test_settings_of_the_connection_reach_the_session_and_static_ones_are_refused(
    spark_connect: SparkConnect, pipeline: str
) -> None:
    conf = {"spark.sql.shuffle.partitions": "7"}
    with open_connect(spark_connect.remote, pipeline, "live", conf=conf) as session:
        assert session.conf.get("spark.sql.shuffle.partitions") == "7"
    with (
        pytest.raises(ConnectionFault, match=r"spark\.executor\.memory"),
        open_connect(spark_connect.remote, pipeline, "live", conf={"spark.executor.memory": "1g"}),
    ):
        pass


def test_a_server_that_is_not_there_is_unreachable_in_bounded_time() -> None:
    port = free_port()
    began = time.monotonic()
    with pytest.raises(Unreachable, match=f"127.0.0.1:{port}"), open_connect(f"sc://127.0.0.1:{port}", "p", "live"):
        pass
    assert time.monotonic() - began < 90


def test_an_address_that_is_none_is_a_fault_of_the_connection() -> None:
    with pytest.raises(ConnectionFault, match="sc://"), open_connect("http://127.0.0.1:1", "p", "live"):
        pass


ORPHAN = """
import os, sys, time
from pathlib import Path
from lakelock.adapters.spark.jobs import SparkCopier, SparkWriter
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.model.layouts import Layout
from lakelock.ports import Target, WriteOrder
from lakelock.model.offsets import OffsetRange, Source

def endless(order, slice_no):
    with open(order.kafka["file"] + str(slice_no), "a") as file:
        while True:
            file.write(f"{os.getpid()}\\n")
            file.flush()
            time.sleep(0.02)

remote, pipeline, file = sys.argv[1:]
letters = Target("d", "u", 0, Layout("l"), "file:///x", (), {}, ())
ranges = tuple((OffsetRange(Source("t", "id", n), 0, 1),) for n in range(2))
with open_connect(remote, pipeline, "live") as session:
    SparkWriter(session, endless).run(WriteOrder("p", "b", "a", ranges, (), letters, kafka={"file": file}))
"""


def test_what_a_killed_client_left_running_is_stopped_by_the_next_attempt(
    spark_connect: SparkConnect, pipeline: str, folder: Path, session: Any
) -> None:
    program = folder / "orphan.py"
    program.write_text(ORPHAN)
    plugins = Path(connecting.__file__).parents[3]
    client = subprocess.Popen(
        [sys.executable, str(program), spark_connect.remote, pipeline, str(folder / "out")],
        env={**os.environ, "PYTHONPATH": str(plugins)},
    )
    files = [folder / "out0", folder / "out1"]
    wait_until(lambda: all(f.exists() and f.stat().st_size for f in files), 120, "both slices to write", 0.02)
    workers = {int(f.read_text().split()[0]) for f in files}
    client.kill()
    client.wait()
    size = files[0].stat().st_size
    wait_until(lambda: files[0].stat().st_size > size, 120, "a slice to go on writing", 0.02)
    writer = SparkWriter(session, nothing)
    began = time.monotonic()
    writer.interrupt_orphans("a")
    assert len(writer.run(order(2))) == 2
    print(f"interrupted and ran again in {time.monotonic() - began:.2f} s")
    assert time.monotonic() - began < 90
    # Spark gives a Python worker spark.python.task.killTimeout (2 s) to end before it kills it.
    wait_until(lambda: not any(psutil.pid_exists(pid) for pid in workers), 120, "the workers to end", 0.02)
    sizes = [f.stat().st_size for f in files]
    writer.interrupt_orphans("a")
    assert [f.stat().st_size for f in files] == sizes


def test_the_end_of_one_pipelines_job_leaves_the_others_alone(
    spark_connect: SparkConnect, pipeline: str, folder: Path
) -> None:
    """All of them have one session, and one set of Python processes on the server."""
    ended: list[Exception] = []
    with (
        open_connect(spark_connect.remote, pipeline, "live") as mine,
        open_connect(spark_connect.remote, pipeline, "backfill") as beside,
        open_connect(spark_connect.remote, f"{pipeline}-other", "live") as other,
    ):
        assert len({s.session_id for s in (mine, beside, other)}) == 1

        def hang() -> None:
            try:
                SparkWriter(mine, meeting).run(order(3, folder=str(folder)))
            except Exception as error:
                ended.append(error)

        job = threading.Thread(target=hang)
        job.start()
        # A third slice never begins on two cores, so the job waits for it.
        wait_until(lambda: any(folder.iterdir()), 120, "a slice to begin", 0.02)
        for of_others in (tags_of(beside), tags_of(other)):
            assert of_others is not None
            assert interrupt(mine, of_others.client) == 0
        SparkWriter(mine, nothing).interrupt_orphans("another attempt")
        tags = tags_of(mine)
        assert tags is not None
        began = time.monotonic()
        assert interrupt(beside, tags.pipeline) == 1
        job.join(15)
        print(f"its caller was notified after {time.monotonic() - began:.2f} s")
        assert [type(error) for error in ended] == [JobCancelled]
        assert len(SparkWriter(other, nothing).run(order(2))) == 2


def test_pipelines_that_open_the_session_at_once_all_have_the_package(
    spark_connect: SparkConnect, pipeline: str, folder: Path
) -> None:
    """As after a restart of the server."""

    def run(n: int) -> float:
        mine = folder / str(n)
        mine.mkdir()
        with open_connect(spark_connect.remote, f"{pipeline}{n}", "live", installation=pipeline) as session:
            (output,) = SparkWriter(session, meeting).run(order(1, folder=str(mine)))
        return output.seconds["zip"]

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(run, range(6))) == [1.0] * 6


@pytest.mark.parametrize("pipelines", [20, pytest.param(300, marks=pytest.mark.long)])
def test_idle_pipelines_cost_a_server_next_to_nothing(own_server: SparkConnect, pipelines: int) -> None:
    def memory_bytes() -> int:
        processes = [psutil.Process(own_server.pid), *psutil.Process(own_server.pid).children(recursive=True)]
        return sum(p.memory_info().rss for p in processes)

    def run(count: int) -> None:
        for n in range(count):
            with open_connect(own_server.remote, f"idle{n}", "live") as session:
                SparkWriter(session, nothing).run(order(2))

    run(3)
    before, processes = memory_bytes(), len(python_processes(own_server))
    run(pipelines)
    added_mib = (memory_bytes() - before) / 2**20
    print(
        f"{pipelines} pipelines added {added_mib:.0f} MiB and {len(python_processes(own_server)) - processes} processes"
    )
    # Also what the server's own heap grew by.
    assert added_mib <= 500
    assert len(python_processes(own_server)) <= processes + 1


def test_a_server_killed_under_a_job_is_unreachable_and_its_successor_serves_the_same_lane(
    own_server: SparkConnect, pipeline: str, folder: Path
) -> None:
    with open_connect(own_server.remote, pipeline, "live") as session:
        writer = SparkWriter(session, meeting)
        lonely = folder / "meeting"
        lonely.mkdir()

        def kill() -> None:
            wait_until(lambda: any(lonely.iterdir()), 120, "a slice to begin", 0.02)
            own_server.kill()
            killed.append(time.monotonic())

        killed: list[float] = []
        killer = threading.Thread(target=kill)
        killer.start()
        # A third slice never begins on two cores, so the job waits for it.
        with pytest.raises(Unreachable):
            writer.run(order(3, folder=str(lonely)))
        killer.join()
        took_s = time.monotonic() - killed[0]
        print(f"noticed the dead server after {took_s:.1f} s")
        assert took_s < 90
    own_server.start()
    with open_connect(own_server.remote, pipeline, "live") as session:
        assert len(SparkWriter(session, nothing).run(order(2))) == 2


@pytest.mark.long
def test_a_server_restarted_between_two_jobs_of_a_window_is_unreachable_once(
    own_server: SparkConnect, pipeline: str
) -> None:
    with open_connect(own_server.remote, pipeline, "live") as session:
        SparkWriter(session, nothing).run(order(2))
        own_server.kill()
        own_server.start()
        with pytest.raises(Unreachable):
            SparkWriter(session, nothing).run(order(2))
    with open_connect(own_server.remote, pipeline, "live") as session:
        assert len(SparkWriter(session, nothing).run(order(2))) == 2


def test_a_frozen_server_is_unreachable_in_bounded_time(own_server: SparkConnect, pipeline: str) -> None:
    threads = Path("/proc") / str(own_server.pid) / "task"

    def frozen() -> bool:
        """A thread on another core goes on for a moment, and may still shake hands."""
        return all((thread / "stat").read_text().rpartition(")")[2].split()[0] == "T" for thread in threads.iterdir())

    os.kill(own_server.pid, signal.SIGSTOP)
    try:
        wait_until(frozen, 120, "the server to be frozen", 0.01)
        began = time.monotonic()
        with pytest.raises(Unreachable), open_connect(own_server.remote, pipeline, "live"):
            pass
        assert time.monotonic() - began < 90
    finally:
        os.kill(own_server.pid, signal.SIGCONT)


def reveals(order: WriteOrder, slice_no: int) -> SliceOutput:
    from lakelock.errors import Unreachable

    secret = order.kafka["sasl.password"]
    if len(secret) != 20 or order.dead_letters.storage["s3.secret-access-key"] != secret:
        raise Unreachable("the secret did not arrive")
    if slice_no == 1:
        raise KeyError(f"a bug that shows {order} and {secret}")
    return SliceOutput(slice_no, (), ())


def test_a_planted_secret_is_in_no_plan_and_no_log(
    own_server: SparkConnect, pipeline: str, caplog: pytest.LogCaptureFixture
) -> None:
    secret_order = replace(order(2), kafka={"sasl.password": SECRET})
    with open_connect(own_server.remote, pipeline, "live") as session:
        writer = SparkWriter(session, reveals)
        assert len(writer.run(replace(secret_order, slices=secret_order.slices[:1]))) == 1
        with pytest.raises(Retryable, match="a bug that shows") as caught:
            writer.run(secret_order)
        assert SECRET not in str(caught.value)
        plan = writer.frame(secret_order)._explain_string(extended=True)
        assert "MapInArrow" in plan
        page = session_page(f"http://127.0.0.1:{own_server.ui_port}", session)
        with urllib.request.urlopen(page) as answer:
            shown = answer.read().decode()
        assert session.session_id in shown
        assert "map_partitions" in shown, "the page that the log names shows the jobs"
        settings = str(session.sql("SET -v").toArrow().to_pylist()) + str(session.sql("SET").toArrow().to_pylist())
    own_server.stop()
    kept = [p for p in own_server.home.rglob("*") if p.is_file()]
    texts = {p: p.read_bytes() for p in kept if p.suffix != ".zip"}
    assert [p for p in texts if "events" in p.parts], "there is no event log to look at"
    assert b"MapInArrow" in b"".join(t for p, t in texts.items() if "events" in p.parts)
    assert [p for p, text in texts.items() if SECRET.encode() in text] == []
    assert SECRET not in plan + settings + shown + caplog.text
