"""The sides of bench_peers.py: lakelock, Structured Streaming, and the Iceberg Kafka Connect sink, each on the same servers."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any, TypeVar

import duckdb
from bench_write_path import SMALL
from kits.peers import Commit, Run, Sample, listed_sums, measured, row_faults, steady, sum_faults
from kits.world import World, new_world
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.schema import Schema
from pyiceberg.types import DoubleType, IcebergType, LongType, NestedField, StringType
from stack import jars, machine
from stack.kafka import Kafka
from stack.ports import free_port
from stack.postgres import Postgres
from stack.process import Server, StackError, wait_until
from stack.settings import CATALOG, POSTGRES_USER, spark_catalog
from stack.spark import SparkConnect, catalog_settings, spark_home

T = TypeVar("T")
NAMESPACE = "bench"
CORES = 2
SAMPLE_S = 0.25
PATIENCE_S = 900.0
# As lakelock's default; the Java library's is 3.
PROPERTIES = {"write.parquet.compression-codec": "zstd", "write.parquet.compression-level": "1"}
TYPES: dict[str, IcebergType] = {"long": LongType(), "string": StringType(), "double": DoubleType()}
SPARK_TYPES = {"long": "BIGINT", "string": "STRING", "double": "DOUBLE"}
SUMS = Path(__file__).with_name("peers.sha256")
PEER_JARS = ("connect", "sink", "streaming")
# Iceberg's Hadoop catalog and Parquet need Hadoop's classes, which the sink's own distribution has, too.
HADOOP_JARS = ("hadoop-client-api-*.jar", "hadoop-client-runtime-*.jar", "jcl-over-slf4j-*.jar")
# As kafka-run-class.sh and connect-standalone.sh set them.
CONNECT_JVM = (
    "-server",
    "-Xms256M",
    "-Xmx2G",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-Djava.awt.headless=true",
)
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def fetch_jars() -> None:
    """Fetch what is missing. Raises StackError if a peer's jar is another than the one that was measured before."""
    jars.ensure(machine.java(), lambda what, seconds: None, ("kafka", "spark", *PEER_JARS))
    found = {
        f"{name}/{jar.name}": hashlib.sha256(jar.read_bytes()).hexdigest()
        for name in PEER_JARS
        for jar in jars.folder(name).glob("*.jar")
    }
    if faults := sum_faults(listed_sums(SUMS.read_text(encoding="utf-8")), found):
        raise StackError(f"jars of {jars.folder('')} differ from {SUMS.name}: {'; '.join(faults)}")


class Meter:
    """Samples CPU and memory of all processes of *sessions*, and of this process if *own*."""

    def __init__(self, sessions: Sequence[int], own: bool = False) -> None:
        self.samples: list[Sample] = []
        self._sessions, self._own = set(sessions), own

    def __enter__(self) -> Meter:
        self._over = threading.Event()
        self.take()
        self._thread = threading.Thread(target=self._run, name="meter")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self.take()

    def run(self, rows: int, since_s: float, until_s: float) -> Run:
        return measured(self.samples, rows, since_s, until_s)

    def take(self) -> None:
        ticks = pages = 0
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            with suppress(OSError):
                # The name of a process may have spaces and brackets.
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) in self._sessions or (self._own and int(entry) == os.getpid()):
                    # With those of children that have ended, whose times are nowhere else.
                    ticks += sum(map(int, fields[11:15]))
                    pages += int(fields[21])
        self.samples.append(Sample(time.time(), ticks / TICKS, pages * PAGE))

    def _run(self) -> None:
        while not self._over.wait(SAMPLE_S):
            self.take()


@dataclass
class Servers:
    """One broker, one Postgres with the catalog's tables, and the folder of all tables' files."""

    home: Path
    kafka: Kafka
    postgres: Postgres

    @classmethod
    @contextmanager
    def running(cls, home: Path) -> Iterator[Servers]:
        from lakelock.adapters.wal import migrate

        servers = cls(home, Kafka(home / "kafka", machine.java(), jars.folder("kafka")), Postgres(home / "postgres"))
        try:
            servers.kafka.start()
            servers.postgres.start()
            migrate(servers.postgres.dsn("lakelock"))
            servers.catalog.create_namespace(NAMESPACE)
            yield servers
        finally:
            servers.kafka.stop()
            servers.postgres.stop()

    @property
    def warehouse(self) -> str:
        return f"file://{self.home / 'warehouse'}"

    @property
    def catalog_properties(self) -> dict[str, str]:
        uri = self.postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        return {"type": "sql", "uri": uri, "warehouse": self.warehouse}

    @property
    def jdbc_uri(self) -> str:
        return f"jdbc:postgresql://127.0.0.1:{self.postgres.port}/iceberg"

    @cached_property
    def catalog(self) -> Catalog:
        return load_catalog(CATALOG, **self.catalog_properties)

    def new_table(self) -> str:
        """A table for a peer, with the columns that lakelock's has beside its own."""
        name = f"{NAMESPACE}.t_{uuid.uuid4().hex[:8]}"
        fields = [NestedField(n, column, TYPES[t], required=False) for n, (column, t) in enumerate(SMALL, 1)]
        self.catalog.create_table(name, Schema(*fields), properties={"format-version": "2", **PROPERTIES})
        return name

    def commits(self, table: str) -> list[Commit]:
        found = [(s.timestamp_ms / 1000, s.summary) for s in self.catalog.load_table(table).snapshots()]
        return [Commit(at_s, int(summary["total-records"] or 0)) for at_s, summary in found if summary]

    def faults(self, table: str, records: int) -> list[str]:
        """What DuckDB finds wrong with the rows of *table*, whose files are deleted then."""
        found = self.catalog.load_table(table)
        files = [task.file.file_path.removeprefix("file:") for task in found.scan().plan_files()]
        if not files:
            return ["no rows"]
        # In a process of its own: the memory that it takes is not lakelock's.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            counted = pool.submit(counts, files).result()
        shutil.rmtree(found.location().removeprefix("file:"))
        return row_faults(records, counted)


def counts(files: Sequence[str]) -> dict[str, int]:
    """As `row_faults` takes them."""
    wanted = {"rows": "count(*)", "ids": "count(DISTINCT id)", "lowest": "min(id)", "highest": "max(id)"}
    wanted |= {name: f"count({name})" for name, _ in SMALL}
    duckdb.execute("SET enable_progress_bar = false")
    (row,) = duckdb.sql(f"SELECT {', '.join(wanted.values())} FROM read_parquet({files!r})").fetchall()
    return dict(zip(wanted, row, strict=True))


class Lakelock:
    """Plan, write and commit on a warm Connect server, as the tasks of a DAG do."""

    def __init__(self, servers: Servers, topic: str, batch_records: int | None) -> None:
        self._servers, self._topic, self._batch_records = servers, topic, batch_records
        self.seconds: dict[str, float] = {}
        java_home = machine.java_home(machine.java())
        settings = catalog_settings(servers.postgres.port, "iceberg", servers.warehouse)
        self._spark = SparkConnect(servers.home / "spark", java_home, jars.folder("spark"), settings)

    @contextmanager
    def running(self) -> Iterator[Lakelock]:
        self._spark.start()
        try:
            yield self
        finally:
            self._spark.stop()

    def run(self, records: int) -> tuple[Run, list[str]]:
        """A new pipeline over the whole topic, run after run until nothing is left; `seconds` has those of its steps."""
        world = self._world()
        self.seconds = dict.fromkeys(("plan", "write", "commit", "publish"), 0.0)
        with Meter([self._spark.pid, self._servers.postgres.pid], own=True) as meter:
            began = time.time()
            with closing(world.runtime()) as runtime:
                tables = [world.table, runtime.pipeline.dead_letter_table]
                while (batch := self._timed("plan", runtime.plan).batch_id) is not None:
                    attempt, run = str(uuid.uuid4()), f"bench/{uuid.uuid4()}"
                    self._timed("write", partial(runtime.write_run, attempt, run, batch))
                    self._timed("commit", partial(runtime.commit, tables, now=True))
                    self._timed("publish", runtime.publish)
            ended = time.time()
        return meter.run(records, began, ended), self._servers.faults(world.table, records)

    def _timed(self, step: str, work: Callable[[], T]) -> T:
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds[step] += time.perf_counter() - began

    def _world(self) -> World:
        servers = self._servers
        folder = servers.home / f"world-{uuid.uuid4().hex[:8]}"
        folder.mkdir()
        world = new_world(
            folder,
            NAMESPACE,
            servers.postgres.dsn("lakelock"),
            servers.kafka.bootstrap,
            self._spark.port,
            servers.catalog_properties,
            self._topic,
        )
        world.name = f"p_{uuid.uuid4().hex[:8]}"
        # As in the peers' tables: without them, a time in text would become a timestamp.
        world.settings = f"table_defaults: {{columns: {{{', '.join(f'{name}: {kind}' for name, kind in SMALL)}}}}}\n"
        if self._batch_records is not None:
            world.settings += f"batch: {{max_records: {self._batch_records}}}\n"
        return world


class Streaming:
    """An application of Structured Streaming on as many cores, started with it and stopped at the end of its context."""

    def __init__(self, servers: Servers, topic: str, kafka: Mapping[str, str]) -> None:
        self._servers = servers
        home = servers.home / f"streaming-{uuid.uuid4().hex[:8]}"
        home.mkdir()
        self._home, self._log = home, home / "streaming.log"
        files = [*jars.folder("spark").glob("*.jar"), *jars.folder("streaming").glob("*.jar")]
        spark = {
            "spark.master": f"local[{CORES}]",
            "spark.driver.memory": "4g",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.jars": ",".join(sorted(map(str, files))),
            "spark.local.dir": str(home / "scratch"),
            "spark.sql.warehouse.dir": str(home / "warehouse"),
            **spark_catalog(CATALOG, servers.jdbc_uri, servers.warehouse),
        }
        self._settings = {
            "spark": spark,
            "bootstrap": servers.kafka.bootstrap,
            "topic": topic,
            "schema": ", ".join(f"{name} {SPARK_TYPES[kind]}" for name, kind in SMALL),
            "kafka": dict(kafka),
        }

    @contextmanager
    def running(self) -> Iterator[Streaming]:
        began = time.time()
        skipped = ("PYTHONPATH", "SPARK_HOME", "SPARK_REMOTE")
        env = {k: v for k, v in os.environ.items() if k not in skipped}
        env |= {
            "JAVA_HOME": machine.java_home(machine.java()),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        script = Path(__file__).with_name("streaming_query.py")
        with self._log.open("ab") as log:
            self._child = subprocess.Popen(
                [sys.executable, str(script), json.dumps(self._settings)],
                env=env, cwd=self._home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        try:
            self.start_s = self._answer()["ready"] - began
            yield self
        finally:
            self._input.close()
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(30)
            # With its JVM.
            with suppress(ProcessLookupError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()

    def run(self, records: int) -> tuple[Run, list[str]]:
        """A whole query over the whole topic, into a new table and with a new checkpoint."""
        table = self._servers.new_table()
        wanted = {"table": f"{CATALOG}.{table}", "checkpoint": str(self._home / f"checkpoint-{table}")}
        with Meter([self._child.pid, self._servers.postgres.pid]) as meter:
            self._input.write(json.dumps(wanted).encode() + b"\n")
            self._input.flush()
            done = self._answer()
        return meter.run(records, done["began"], done["ended"]), self._servers.faults(table, records)

    @property
    def _input(self) -> IO[bytes]:
        assert self._child.stdin is not None
        return self._child.stdin

    def _answer(self) -> dict[str, Any]:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            # Spark's launcher may say something, too.
            if line.startswith(b"{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise StackError(f"the streaming application has ended; its log: {self._log.read_text()[-3000:]}")


class Sink:
    """The Apache Iceberg sink with two tasks in a standalone worker, which stays while connectors come and go."""

    def __init__(self, servers: Servers, topic: str, interval_s: float, consumer: Mapping[str, str]) -> None:
        self._servers, self._topic, self._interval_s = servers, topic, interval_s
        self._home = servers.home / "connect"
        self._port = free_port()
        self._server = Server("Kafka Connect", self._home / "connect.log")
        self._consumer = consumer

    @contextmanager
    def running(self) -> Iterator[Sink]:
        plugin = self._home / "plugins" / "iceberg"
        plugin.mkdir(parents=True)
        hadoop = [jar for pattern in HADOOP_JARS for jar in (spark_home() / "jars").glob(pattern)]
        for jar in [*jars.folder("sink").glob("*.jar"), *hadoop]:
            (plugin / jar.name).symlink_to(jar)
        settings = {
            "bootstrap.servers": self._servers.kafka.bootstrap,
            "key.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            # A task without new records answers its coordinator only that often. Iceberg's own tests have half a second.
            "offset.flush.interval.ms": "1000",
            "offset.storage.file.filename": str(self._home / "offsets"),
            "plugin.path": str(self._home / "plugins"),
            "listeners": f"http://127.0.0.1:{self._port}",
            **{f"consumer.{name}": value for name, value in self._consumer.items()},
        }
        worker = self._home / "worker.properties"
        worker.write_text("".join(f"{k}={v}\n" for k, v in settings.items()))
        self._server.launch(
            [machine.java(), *CONNECT_JVM, "-cp", f"{jars.folder('connect')}/*",
             "org.apache.kafka.connect.cli.ConnectStandalone", str(worker)],
            env={"PATH": os.environ["PATH"]}, ready=self._answers, timeout_s=180, cwd=self._home,
        )  # fmt: skip
        try:
            yield self
        finally:
            self._server.stop()

    def run(self, records: int, warm_up: int) -> tuple[Run, list[str]]:
        """A new connector over the whole topic; measured between commits, from behind *warm_up* rows on."""
        servers, table = self._servers, self._servers.new_table()
        name = table.replace(".", "_")
        with Meter([self._server.pid, servers.postgres.pid]) as meter:
            began = time.time()
            self._start(name, table)
            commits = self._until_committed(table, records)
        self._call("DELETE", f"connectors/{name}")
        faults = servers.faults(table, records)
        span = steady(commits, warm_up)
        if span is None:
            faults.append(f"{len(commits)} commits are too few for a steady rate: this one has start and end in it")
            span = (Commit(began, 0), commits[-1])
        first, last = span
        return meter.run(last.rows - first.rows, first.at_s, last.at_s), faults

    def _until_committed(self, table: str, records: int) -> list[Commit]:
        """The commits once all *records* are in the table, or nothing has come for a while."""
        commits: list[Commit] = []
        while not commits or commits[-1].rows < records:
            patience_s = 120 + 4 * self._interval_s
            seen = len(commits)

            def more(seen: int = seen) -> bool:
                self._server.require_alive()
                commits[:] = self._servers.commits(table)
                return len(commits) > seen

            try:
                wait_until(more, patience_s, f"a commit of the sink (its log: {self._server.log})", 0.5)
            except StackError:
                if not commits:
                    raise
                break
        return commits

    def _start(self, name: str, table: str) -> None:
        from confluent_kafka.admin import AdminClient, NewTopic

        control = f"control-{name}"
        admin = AdminClient({"bootstrap.servers": self._servers.kafka.bootstrap})
        admin.create_topics([NewTopic(control, 1, 1)])[control].result(30)
        config = {
            "connector.class": "org.apache.iceberg.connect.IcebergSinkConnector",
            "tasks.max": "2",
            "topics": self._topic,
            "iceberg.tables": table,
            "iceberg.control.topic": control,
            "iceberg.control.commit.interval-ms": str(round(self._interval_s * 1000)),
            "iceberg.catalog": CATALOG,
            "iceberg.catalog.type": "jdbc",
            "iceberg.catalog.uri": self._servers.jdbc_uri,
            "iceberg.catalog.jdbc.user": POSTGRES_USER,
            "iceberg.catalog.jdbc.schema-version": "V1",
            "iceberg.catalog.warehouse": self._servers.warehouse,
        }
        self._call("POST", "connectors", {"name": name, "config": config})

    def _answers(self) -> bool:
        with suppress(OSError):
            self._call("GET", "connectors")
            return True
        return False

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()
