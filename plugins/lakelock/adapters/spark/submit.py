"""Run one job of `lakelock.app.jobs` in a separate driver, started by spark-submit for an Airflow `spark` connection.

The driver lives and dies with the task that started it: it runs on the same machine (client mode), and the kernel ends
it when the task is killed. Its input, which contains all credentials of the step, is a file in memory that only this
user may read, and the driver deletes it first of all; arguments, environment and Spark's configuration contain none of
it.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import importlib.util
import json
import logging
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any

import lakelock
from lakelock import errors
from lakelock.adapters.airflow.spark_target import SparkTarget
from lakelock.adapters.spark.errors import translated
from lakelock.adapters.spark.package_zip import package_zip
from lakelock.errors import ConnectionFault, LakelockError, Retryable, State, Unreachable

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

HAND_OFF = "hand-off.json"
OUTCOME = "outcome.json"
_FOLDER_PREFIX = "lakelock-submit-"
_SWEEP_AFTER_S = 60
_PR_SET_PDEATHSIG = 1
_CHATTER = re.compile(r"^\d\d/\d\d/\d\d \d\d:\d\d:\d\d (INFO|WARN) ")
_REST = "The next attempt does the rest, and no work is left incomplete."
_LOCAL = ("local", "spark://127.0.0.1", "spark://localhost")
# A driver runs for seconds: quick compilation and a single collector thread are faster.
_DEFAULT_CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def submit(target: SparkTarget, hand_off: Mapping[str, object], name: str, application: Path | None = None) -> str:
    """Run `lakelock.app.driver.run_submitted(hand_off, session)` in a new driver and return its result.

    *hand_off* must be JSON. The driver's lakelock errors are raised here with the same class and message; a driver that
    ends without an outcome raises Unreachable (it could not reach its master) or Retryable.
    """
    check_target(target)
    application = application or _jobs_folder() / "write_batch.py"
    with _private_folder() as folder:
        _write_private(folder / HAND_OFF, json.dumps(hand_off))
        hook = _hook(target, name, str(folder))
        problem = ""
        try:
            hook.run(str(application))
        except LakelockError:
            raise
        except Exception as error:
            # Airflow's text repeats the command line, which contains no secrets, and the driver's last lines.
            problem = str(error)
        return _outcome(folder / OUTCOME, target, problem)


def check_target(target: SparkTarget) -> str:
    """Check everything that needs no driver: mode, spark-submit, Java, and whether a standalone master answers."""
    if target.deploy_mode != "client":
        raise ConnectionFault(
            f"connection {target.conn_id!r}: with deploy-mode {target.deploy_mode!r} the driver would outlive its "
            "task.",
            State.NOTHING_WRITTEN,
            "Write client; executors run on the cluster either way.",
        )
    environment = submit_environment(os.environ)
    program = shutil.which("spark-submit", path=environment.get("PATH", ""))
    java_home = environment.get("JAVA_HOME")
    if shutil.which("java", path=f"{java_home}/bin" if java_home else environment.get("PATH", "")) is None:
        raise ConnectionFault(
            f"spark-submit ({program}) needs Java, which is neither in JAVA_HOME nor on PATH.",
            State.NOTHING_WRITTEN,
            "Install a Java runtime of version 17 or later, or use a spark_connect connection.",
        )
    masters = target.master.removeprefix("spark://").split(",") if target.master.startswith("spark://") else []
    if masters and not any(_answers(address) for address in masters):
        raise Unreachable(
            f"No Spark master answers at {target.master}.",
            State.NOTHING_WRITTEN,
            f"Check that it runs and that host and port of connection {target.conn_id!r} are right.",
        )
    return f"{target.master} by {program}"


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=5):
            return True
    except (OSError, ValueError):
        return False


def _outcome(path: Path, target: SparkTarget, problem: str) -> str:
    if path.exists():
        outcome = json.loads(path.read_text())
        if "line" in outcome:
            return str(outcome["line"])
        raise errors.from_fields(outcome["fault"])
    lost = ("All masters are unresponsive", "Failed to connect to", "Connection refused", "UnknownHostException")
    if any(text in problem for text in lost):
        raise Unreachable(
            f"spark-submit did not reach Spark at {target.master}: {_tail(problem)}.", State.DONE_KEPT, _REST
        )
    raise Retryable(
        f"The Spark driver on {target.master} ended without an outcome: {_tail(problem) or 'no output'}.",
        State.DONE_KEPT,
        _REST,
    )


def _tail(text: str) -> str:
    """The last lines without Spark's own log messages at shutdown."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _CHATTER.search(line)]
    return " / ".join(lines[-5:])[-800:].rstrip(". ")


@contextmanager
def _private_folder(base: Path | None = None) -> Iterator[Path]:
    """A folder in memory if possible, locked while its task lives; removes folders that killed tasks left."""
    memory = Path("/dev/shm")
    base = base or (memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir()))
    _sweep(base)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir=base))
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _sweep(base: Path) -> None:
    for folder in base.glob(f"{_FOLDER_PREFIX}*"):
        # Ignore other users' folders and folders that vanish.
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime < _SWEEP_AFTER_S:
                continue
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)


def _jobs_folder() -> Path:
    return Path(lakelock.__file__).parents[2] / "spark_jobs"


def driver_conf(target: SparkTarget) -> dict[str, str]:
    """Spark's configuration for *target*: lakelock's defaults, overridden by the connection."""
    conf = dict(_DEFAULT_CONF)
    if target.master.startswith(_LOCAL):
        # Spark would look up this machine's name, which a container or a laptop may not resolve.
        conf |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    if target.master.startswith("local"):
        # Executors elsewhere may not have it, and would start no worker.
        conf["spark.python.daemon.module"] = "lakelock_daemon"
    if target.master.startswith(("local", "spark://")):
        conf["spark.pyspark.python"] = sys.executable
    conf["spark.pyspark.driver.python"] = sys.executable
    return conf | dict(target.conf)


def submit_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of spark-submit; if PATH has none, the pyspark package's spark-submit is added.

    Workers on this machine find `lakelock_daemon` on its path.
    """
    out = dict(environment)
    out["PYTHONPATH"] = os.pathsep.join(filter(None, (out.get("PYTHONPATH"), str(_jobs_folder()))))
    # The driver must be classic; these would make it a Connect client.
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_API_MODE", "MASTER"):
        out.pop(name, None)
    if shutil.which("spark-submit", path=out.get("PATH", "")) is None:
        found = importlib.util.find_spec("pyspark")
        if found is None or found.origin is None:
            raise ConnectionFault(
                "spark-submit is neither on PATH nor in the pyspark package.", State.NOTHING_WRITTEN, "Install pyspark."
            )
        home = Path(found.origin).parent
        out["SPARK_HOME"] = str(home)
        out["PATH"] = os.pathsep.join(p for p in (str(home / "bin"), out.get("PATH", "")) if p)
    return out


def die_with_parent(signal_no: int = signal.SIGTERM) -> None:
    """Have the kernel signal this process when the thread that started it ends (Linux; no effect elsewhere)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal_no, 0, 0, 0)


def _hook(target: SparkTarget, name: str, argument: str) -> Any:
    from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
    from airflow.sdk import Connection

    class Submission(SparkSubmitHook):  # type: ignore[misc]
        """Airflow's hook with a driver that ends with this process, and only the resolved connection."""

        def get_connection(self, conn_id: str) -> Any:
            extra = {k: v for k, v in target.extra.items() if not k.startswith("spark.")}
            return Connection(conn_id=conn_id, conn_type="spark", host=target.master, extra=json.dumps(extra))

        def run(self, application: str) -> None:
            try:
                self.submit(application, env=submit_environment(os.environ), preexec_fn=die_with_parent)
            except BaseException:
                self._end()
                raise

        def _end(self) -> None:
            driver = self._submit_sp
            if driver is None or driver.poll() is not None:
                return
            driver.terminate()
            try:
                driver.wait(5)
            except TimeoutExpired:
                driver.kill()

    extra = target.extra
    return Submission(
        conn_id=target.conn_id,
        conf=driver_conf(target),
        py_files=",".join(filter(None, [str(package_zip()), extra.get("py-files")])),
        archives=extra.get("archives"),
        files=extra.get("files"),
        jars=extra.get("jars"),
        packages=extra.get("packages"),
        num_executors=extra.get("num-executors"),
        executor_cores=extra.get("executor-cores"),
        total_executor_cores=extra.get("total-executor-cores"),
        executor_memory=extra.get("executor-memory"),
        driver_memory=extra.get("driver-memory"),
        name=name,
        application_args=[argument],
    )


@contextmanager
def classic_session() -> Iterator[SparkSession]:
    """The session of the driver. Master and settings are those of spark-submit's command line; Spark stops with the block."""
    from pyspark.sql import SparkSession

    try:
        session = SparkSession.builder.getOrCreate()
    except Exception as error:
        raise translated(error) from error
    try:
        yield session
    finally:
        session.stop()
