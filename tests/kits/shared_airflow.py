"""One Airflow that test modules share, with the pipelines of all of them in place at its start."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from lakelock.adapters.wal import migrate
from stack import jars, machine
from stack.airflow import Airflow
from stack.kafka import Kafka
from stack.postgres import Postgres
from stack.process import wait_until
from stack.spark import SparkConnect, catalog_settings
from stack.stack import connections

from kits.live import Live
from kits.world import World

KINDS = ("ingest", "backfill", "maintain", "recover", "rollback")
# A database as Airflow's migrations make it, to be copied.
MIGRATED = "airflow_migrated"


@dataclass(frozen=True)
class Servers:
    """Where they are; `home` is the folder of all of them."""

    home: Path
    postgres_port: int
    kafka_port: int
    spark_port: int

    @property
    def warehouse(self) -> str:
        return f"file://{self.home / 'warehouse'}"

    @property
    def postgres(self) -> Postgres:
        return Postgres(self.home / "postgres", self.postgres_port, fsync="off", full_page_writes="off")

    @property
    def kafka(self) -> Kafka:
        return Kafka(self.home / "kafka", machine.java(), jars.folder("kafka"), self.kafka_port)

    @property
    def spark(self) -> SparkConnect:
        settings = catalog_settings(self.postgres_port, "iceberg", self.warehouse)
        java_home = machine.java_home(machine.java())
        return SparkConnect(self.home / "spark", java_home, jars.folder("spark"), settings, self.spark_port)


@dataclass(frozen=True)
class Left:
    """What a process that attaches has to know."""

    servers: Servers
    airflow_port: int
    worlds: tuple[World, ...]


class SecretStack:
    """An Airflow whose connections carry secrets that its servers do not ask for; they take the way that real ones take.

    `lives` are the pipelines whose files are there when it starts: Airflow reads them all at once, and runs none before its
    test does.
    """

    KAFKA_SECRET = "kafka-9f1c77c2b5"
    CATALOG_SECRET = "catalog-3d80a6e1f4"
    WAL_SECRET = "wal-5b2ee97c08"

    def __init__(
        self,
        home: Path,
        postgres: Postgres,
        kafka: Kafka,
        spark: SparkConnect,
        warehouse: str,
        airflow_port: int | None = None,
    ) -> None:
        self.home, self.postgres, self.kafka, self.spark, self.warehouse = home, postgres, kafka, spark, warehouse
        self.lives: dict[str, Live] = {}
        pipelines = home / "pipelines"
        pipelines.mkdir(parents=True, exist_ok=True)
        # Airflow's own place for modules of a site: Python looks into none that is not there when it starts.
        (home / "airflow" / "config").mkdir(parents=True, exist_ok=True)
        # DAGs of others than lakelock, which consume what it reports.
        self.site_dags = home / "site_dags"
        self.site_dags.mkdir(exist_ok=True)
        local = "airflow.dag_processing.bundles.local.LocalDagBundle"
        bundles = [
            {"name": "dags-folder", "classpath": local, "kwargs": {}},
            {"name": "site", "classpath": local, "kwargs": {"path": str(self.site_dags)}},
        ]
        self.airflow = Airflow(
            home / "airflow",
            postgres.dsn("airflow"),
            self.connections(),
            pipelines=pipelines,
            port=airflow_port,
            # Three modules at once, of which each may have a run that moves records and one that a person asked for.
            AIRFLOW__CORE__PARALLELISM="12",
            # A loop of the scheduler costs a twentieth of a second of a core, which others need.
            AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME="0.8",
            # There are sixty DAGs to parse, over and over. A test that changes a file asks for it (`Airflow.reparse`).
            AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL="300",
            AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST=json.dumps(bundles),
        )

    @classmethod
    def of_all(cls, servers: Servers, airflow_port: int | None = None) -> SecretStack:
        home = servers.home / "secret-stack"
        return cls(home, servers.postgres, servers.kafka, servers.spark, servers.warehouse, airflow_port)

    @classmethod
    def attached(cls, file: Path) -> SecretStack:
        """One that another process has started, and `leave` has described."""
        left: Left = pickle.loads(file.read_bytes())
        stack = cls.of_all(left.servers, left.airflow_port)
        stack.lives = {world.name: Live.of(stack, world) for world in left.worlds}
        return stack

    def leave(self, file: Path, servers: Servers) -> None:
        worlds = tuple(live.world for live in self.lives.values())
        file.write_bytes(pickle.dumps(Left(servers, self.airflow.port, worlds)))

    def add(self, live: Live) -> None:
        """Before the start."""
        live.deploy()
        self.lives[live.name] = live

    def start(self) -> None:
        migrate(self.postgres.dsn("lakelock"))
        self.airflow.migrate()
        with psycopg.connect(self.postgres.dsn("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{MIGRATED}" TEMPLATE airflow STRATEGY FILE_COPY'.encode())
        self.airflow.start_dag_processor()
        self.airflow.start_api_server()
        wait_until(self._are_known, 180, "the DAGs of all pipelines", 0.5)
        wait_until(self.airflow.answers, 180, "the api-server", 0.5)
        for live in self.lives.values():
            live.pause()
        # Only now are runs made.
        self.airflow.start_scheduler()
        self.airflow.wait_until_healthy()

    def _are_known(self) -> bool:
        return all(live.knows(f"{kind}__{live.name}") for live in self.lives.values() for kind in KINDS)

    @contextmanager
    def running(self, name: str) -> Iterator[Live]:
        """One of `lives`, while its ingest DAG runs on its schedule."""
        live = self.lives[name]
        live.resume()
        try:
            yield live
        finally:
            live.pause()

    def connections(self) -> dict[str, str]:
        known = connections(self.postgres, self.kafka, self.spark, self.warehouse)
        fields = {name: json.loads(text) for name, text in known.items()}
        fields["AIRFLOW_CONN_KAFKA_DEFAULT"]["extra"]["sasl.password"] = self.KAFKA_SECRET
        catalog = fields["AIRFLOW_CONN_ICEBERG_DEFAULT"]
        catalog["host"] = catalog["host"].replace("@", f":{self.CATALOG_SECRET}@")
        fields["AIRFLOW_CONN_LAKELOCK_POSTGRES"]["password"] = self.WAL_SECRET
        return {name: json.dumps(text) for name, text in fields.items()}
