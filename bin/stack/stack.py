"""All servers of one machine: started side by side, connected, and stopped in order."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path

from stack import jars, machine
from stack.airflow import Airflow
from stack.folder_watch import FolderWatch
from stack.kafka import Kafka
from stack.ports import Ports, free_port
from stack.postgres import Postgres
from stack.process import Server, StackError
from stack.settings import CATALOG, POSTGRES_USER, REPOSITORY
from stack.spark import SparkConnect, catalog_settings

logger = logging.getLogger(__name__)

Say = Callable[[str, float], None]
# Seconds per server until it is ended by force; the next start repairs interrupted work.
STOP_S = 7.0
LANES_S = 8.0
ANY_PORTS = Ports()


def connections(postgres: Postgres, kafka: Kafka, spark: SparkConnect, warehouse: str) -> dict[str, str]:
    """Airflow's connections as environment variables, for Airflow and `bin/lakelock`."""
    texts: dict[str, dict[str, object]] = {
        "KAFKA_DEFAULT": {"conn_type": "kafka", "extra": {"bootstrap.servers": kafka.bootstrap}},
        CATALOG.upper(): {
            "conn_type": "iceberg",
            "host": postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://"),
            "extra": {"type": "sql", "warehouse": warehouse},
        },
        "LAKELOCK_POSTGRES": {
            "conn_type": "postgres",
            "host": "127.0.0.1",
            "port": postgres.port,
            "schema": "lakelock",
            "login": POSTGRES_USER,
        },
        "SPARK_DEFAULT": {
            "conn_type": "spark_connect",
            "host": "sc://127.0.0.1",
            "port": spark.port,
            **({} if spark.ui_port is None else {"extra": {"ui_url": f"http://127.0.0.1:{spark.ui_port}"}}),
        },
    }
    return {f"AIRFLOW_CONN_{name}": json.dumps(text) for name, text in texts.items()}


class Stack:
    """Postgres, Kafka, Spark Connect and Airflow with all state in *home*; a second start finds it."""

    def __init__(self, home: Path, *, pipelines: Path | None = None, ports: Ports = ANY_PORTS) -> None:
        ports.require_free()
        ports = ports.or_again(Ports.of_before(home))
        self.home = home
        self.warehouse = f"file://{home / 'warehouse'}"
        java = machine.java()
        self.postgres = Postgres(home / "postgres", ports.postgres)
        self.kafka = Kafka(home / "kafka", java, jars.folder("kafka"), ports.kafka)
        catalog = catalog_settings(self.postgres.port, "iceberg", self.warehouse)
        self.spark = SparkConnect(
            home / "spark",
            machine.java_home(java),
            jars.folder("spark"),
            catalog,
            ports.spark,
            ui_port=ports.spark_ui or free_port(),
        )
        self.airflow = Airflow(
            home / "airflow",
            self.postgres.dsn("airflow"),
            self.connections(),
            pipelines=pipelines,
            port=ports.airflow,
            # Reading the DAG files every few seconds takes a third of a core. Changes of files are noticed by the
            # watch below.
            AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL="60",
        )
        dags = REPOSITORY / "dags"
        self._watch = FolderWatch((dags, pipelines or dags / "pipelines"), self._reparse)
        Ports(self.postgres.port, self.kafka.port, self.spark.port, self.airflow.port, self.spark.ui_port).keep(home)
        self._stopping = threading.Event()

    @property
    def servers(self) -> dict[Server, Callable[[], None]]:
        """Each server with the call that starts it again."""
        again = dict.fromkeys(self.postgres.servers, lambda: start_again(self.postgres, self.airflow))
        return again | self.kafka.servers | self.spark.servers | self.airflow.servers

    def connections(self) -> dict[str, str]:
        """The `AIRFLOW_CONN_…` variables of this stack."""
        return connections(self.postgres, self.kafka, self.spark, self.warehouse)

    def start(self, say: Say = lambda what, seconds: None, once_kafka_is_up: Callable[[], None] | None = None) -> None:
        """Start everything and wait for it; the scheduler is last, so that its first run finds what it needs.

        *once_kafka_is_up* runs beside the other servers' start, in another thread. Stops everything if one fails.
        """
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "warehouse").mkdir(exist_ok=True)
        pool = ThreadPoolExecutor(3)
        lanes = [
            pool.submit(self._kafka_lane, say, once_kafka_is_up),
            pool.submit(self._postgres_lane, say),
            pool.submit(self._timed, say, "Spark", self.spark.start),
        ]
        try:
            _wait(lanes)
        except BaseException:
            self._stopping.set()
            self._stop_until_ended(lanes)
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        try:
            self._timed(say, "Airflow", self._finish_airflow)
        except BaseException:
            self.stop()
            raise

    def _reparse(self) -> None:
        # Without Postgres the request fails; Airflow's own turn comes within a minute.
        with contextlib.suppress(StackError):
            self.airflow.reparse()

    def stop(self) -> None:
        """Stop all running servers, readers before their sources; also after a half-way start, and if one hangs."""
        self._watch.stop()
        with ThreadPoolExecutor(2) as pool:
            for pair in ((self.airflow, self.spark), (self.kafka, self.postgres)):
                for done in [pool.submit(server.stop, STOP_S) for server in pair]:
                    done.result()

    def _stop_until_ended(self, lanes: list[Future[None]]) -> None:
        """Stop repeatedly, because a lane may be about to start a server."""
        until = time.monotonic() + LANES_S
        while True:
            self.stop()
            if not wait(lanes, timeout=1).not_done or time.monotonic() > until:
                return

    def _kafka_lane(self, say: Say, then: Callable[[], None] | None) -> None:
        self._timed(say, "Kafka", self.kafka.start)
        if then and not self._stopping.is_set():
            then()

    def _postgres_lane(self, say: Say) -> None:
        self._timed(say, "Postgres", self.postgres.start)
        self._timed(say, "write-ahead log's schema", self._migrate)
        self._timed(say, "Airflow's database", self.airflow.migrate)
        if not self._stopping.is_set():
            self.airflow.start_api_server()
            self.airflow.start_dag_processor()

    def _migrate(self) -> None:
        from lakelock.adapters.wal import migrate

        migrate(self.postgres.dsn("lakelock"))

    def _finish_airflow(self) -> None:
        self.airflow.wait_for_execution_api()
        self.airflow.start_scheduler()
        self.airflow.start_triggerer()
        # No run needs the triggerer, but the home page shows it in red until its first heartbeat.
        self.airflow.wait_until_healthy("triggerer")
        self._watch.start()

    def _timed(self, say: Say, what: str, step: Callable[[], None]) -> None:
        if self._stopping.is_set():
            raise StackError(f"{what}: not started, because the others stop")
        began = time.monotonic()
        step()
        say(what, time.monotonic() - began)


def start_again(postgres: Postgres, airflow: Airflow) -> None:
    """Start a Postgres that has ended. If its data is lost, Airflow gets a new database, as in the first start.

    The write-ahead log's schema stays an operator's decision: with it, runs would begin to fill new tables.
    """
    postgres.start()
    if postgres.is_new:
        logger.warning("Postgres' data is gone. Postgres is empty now, and Airflow starts with a new database.")
        airflow.start_over()


def _wait(lanes: list[Future[None]]) -> None:
    """Raise the error of the first lane that fails, without waiting for the others."""
    done, _ = wait(lanes, return_when=FIRST_EXCEPTION)
    for lane in done:
        lane.result()
