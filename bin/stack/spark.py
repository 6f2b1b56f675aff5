"""Spark from the pyspark package: a warm Connect server, and a standalone cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from stack.ports import free_port
from stack.process import STOP_TIMEOUT_S, Server
from stack.settings import CATALOG, JVM_SETTINGS, SPARK_SETTINGS, spark_catalog

# The only folder of this repository on the path of executors, which get lakelock with the job.
_DAEMON_FOLDER = Path(__file__).parents[2] / "spark_jobs"
_DAEMON = {"spark.python.daemon.module": "lakelock_daemon"}


def spark_home() -> Path:
    import importlib.util

    spec = importlib.util.find_spec("pyspark")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def catalog_settings(
    postgres_port: int, database: str, warehouse: str, names: Sequence[str] = (CATALOG,)
) -> dict[str, str]:
    """Settings with which Spark SQL sees PyIceberg's SQL catalogs *names* of one Postgres database."""
    uri = f"jdbc:postgresql://127.0.0.1:{postgres_port}/{database}"
    return SPARK_SETTINGS | {k: v for name in names for k, v in spark_catalog(name, uri, warehouse).items()}


def _environment(java_home: str) -> dict[str, str]:
    out = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "SPARK_HOME")}
    return out | {
        "JAVA_HOME": java_home,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(_DAEMON_FOLDER),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


class SparkConnect:
    """A Connect server on `local[cores]` with scratch state only; it has a UI if it is given a port for one."""

    def __init__(
        self,
        home: Path,
        java_home: str,
        jars: Path,
        catalog: dict[str, str],
        port: int | None = None,
        cores: int = 2,
        ui_port: int | None = None,
        java_options: str = JVM_SETTINGS,
        task_tries: int = 1,
    ) -> None:
        self.home = home
        self.port = port or free_port()
        self.ui_port = ui_port
        self._java_options = java_options
        self._java_home, self._jars, self._catalog = java_home, jars, catalog
        self._master = f"local[{cores},{task_tries}]"
        self._server = Server("Spark", home / "spark.log")

    @property
    def alive(self) -> bool:
        return self._server.alive

    @property
    def pid(self) -> int:
        return self._server.pid

    @property
    def servers(self) -> dict[Server, Callable[[], None]]:
        """Each server with the call that starts it again."""
        return {self._server: self.start}

    @property
    def remote(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        settings = {
            **_DAEMON,
            **self._catalog,
            "spark.ui.enabled": "false" if self.ui_port is None else "true",
            **({} if self.ui_port is None else {"spark.ui.port": str(self.ui_port)}),
            "spark.connect.grpc.binding.port": str(self.port),
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.port.maxRetries": "0",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(self.home / "scratch"),
            "spark.sql.warehouse.dir": str(self.home / "warehouse"),
        }
        self._server.launch(
            [str(spark_home() / "bin" / "spark-submit"), "--master", self._master, "--driver-memory", "768m",
             "--driver-java-options", self._java_options, "--jars", ",".join(str(j) for j in sorted(self._jars.glob("*.jar"))),
             "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
             *(x for k, v in settings.items() for x in ("--conf", f"{k}={v}")), "spark-internal"],
            env=_environment(self._java_home), ready=self._ready, timeout_s=120, cwd=self.home,
        )  # fmt: skip

    def _ready(self) -> bool:
        # Not an open port: if another process listens there, Spark would take the next one.
        return f"Spark Connect server started at: 127.0.0.1:{self.port}\n" in self._server.output()

    def require_alive(self) -> None:
        """Raise StackError with the server's last words if it has ended."""
        self._server.require_alive()

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> None:
        self._server.stop(timeout_s=timeout_s)

    def kill(self) -> None:
        self._server.kill()


class SparkCluster:
    """A standalone master and one worker, for jobs by spark-submit."""

    def __init__(self, home: Path, java_home: str, cores: int = 2) -> None:
        self.home = home
        self.port = free_port()
        self._java_home, self._cores = java_home, cores
        self._master = Server("Spark master", home / "master.log")
        self._worker = Server("Spark worker", home / "worker.log")

    @property
    def master_url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        launcher = [str(spark_home() / "bin" / "spark-class")]
        env = _environment(self._java_home) | {"SPARK_WORKER_DIR": str(self.home / "work")}
        self._master.launch(
            [*launcher, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(self.port),
             "--webui-port", str(free_port())],
            env=env, ready=lambda: f"at {self.master_url}\n" in self._master.output(), timeout_s=180, cwd=self.home,
        )  # fmt: skip
        self._worker.launch(
            [*launcher, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", str(self._cores),
             "--memory", "2g", "--webui-port", str(free_port()), self.master_url],
            env=env, ready=lambda: bool("Successfully registered" in self._worker.output()), timeout_s=180,
            cwd=self.home,
        )  # fmt: skip

    def stop(self) -> None:
        self._worker.stop()
        self._master.stop()
