"""The servers of one pipeline: connected on first use, closed with the object."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lakelock.adapters.airflow import catalog_settings, kafka_settings, postgres_settings
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.airflow.masking_keys import masking_key
from lakelock.adapters.airflow.spark_target import SparkTarget, spark_target, spark_ui
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.request_pace import RequestPace
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.parquet.row_copy import copy_files
from lakelock.adapters.spark.connect_session import open_connect, pipeline_tag, session_page, tags_of
from lakelock.adapters.spark.jobs import SparkCopier, SparkWriter, interrupt
from lakelock.adapters.spark.staged_task import Halves, RuleHalves
from lakelock.adapters.wal import PostgresLog
from lakelock.app.clock import SystemClock
from lakelock.config import Pipeline, Table
from lakelock.errors import ConnectionFault, LakelockError, State
from lakelock.model.batches import LIVE
from lakelock.ports import Clock, Copier, SliceOutput, WriteOrder, Writer
from lakelock.records.routing.predicates import Predicates
from lakelock.workers.detached_events import read_detached
from lakelock.workers.predicate_parts import read_for_predicates, route_judged, write_judged
from lakelock.workers.write import write_read, write_slice

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

Connections = Callable[[str], Connection]
T = TypeVar("T")
# Airflow kills a process this long after asking it to stop.
STOPPING_S = 5.0


@dataclass(frozen=True, slots=True)
class SparkServer(Generic[T]):
    """What runs one kind of jobs over a Spark session: that of *lane*, or without one that in which batches are written."""

    name: str
    over: Callable[[SparkSession], T]
    lane: str = ""


_WRITE_HALVES: Halves[WriteOrder, SliceOutput] = Halves(
    read_detached,
    write_read,
    lambda order: order.targets,
    RuleHalves(read_for_predicates, write_judged, route_judged, lambda order: Predicates.of(order.router)),
)
WRITER: SparkServer[Writer] = SparkServer(
    "writer", lambda session: SparkWriter(session, write_slice, halves=_WRITE_HALVES)
)
COPIER: SparkServer[Copier] = SparkServer("copier", lambda session: SparkCopier(session, copy_files), lane="compact")


def new_id() -> str:
    return str(uuid.uuid4())


class Servers:
    """Kafka, Postgres, the catalog and Spark, with connections from *resolve*.

    `file` is the pipeline as its file says; `pipeline` also has the routed tables of the log, if the file routes records.
    *given* servers, by name, are used in place of Spark. In the driver that spark-submit started, jobs run in its
    *session*.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        resolve: Connections,
        given: Mapping[str, Any] | None = None,
        session: SparkSession | None = None,
    ) -> None:
        self.file = pipeline
        self._pipeline = pipeline
        self._routed: Mapping[str, str] | None = None
        self.clock: Clock = SystemClock()
        self._resolve = resolve
        self._given = {name: server for name, server in (given or {}).items() if server is not None}
        self._drivers_session = session
        self._on_spark: dict[str, Any] = {}
        self._lane = LIVE
        self.catalog_pace = RequestPace(pipeline.catalog.requests_per_second)
        self._open = ExitStack()
        self._session = ExitStack()
        self._sessions: list[SparkSession] = []

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline with its routed tables as of the last `refresh_tables`, which the first use calls."""
        if self._routed is None:
            self.refresh_tables()
        return self._pipeline

    @property
    def routed_tables(self) -> Mapping[str, str]:
        """The routed tables that the log knows, with their names before corrections."""
        if self._routed is None:
            self.refresh_tables()
        return self._routed or {}

    def refresh_tables(self) -> None:
        """Read the routed tables from the log: a task that runs for minutes meets tables that are newer than its start.

        A pipeline without `route` has only the tables of its file, and does not open the log.
        """
        routed = {} if self.file.route is None else self.log.routed(self.file.name)
        if routed != self._routed:
            self._routed = routed
            # A model of thousands of tables is made only if there are others than before.
            self._pipeline = self.file.with_routed(routed) if routed else self.file

    def close(self) -> None:
        self.forget_session()
        self._open.close()

    def forget_session(self) -> None:
        """Close the session; the next job opens a new one. A session is invalid once its server restarted."""
        self._session.close()
        self._sessions.clear()
        self._on_spark.clear()

    def use_lane(self, lane: str) -> None:
        """Write batches in the session of *lane* from now on."""
        self._lane = lane

    @cached_property
    def kafka_config(self) -> dict[str, str]:
        return kafka_settings.kafka_config(self._resolve(self.file.source.conn_id))

    def mask_keys(self, table: Table) -> dict[str, str]:
        """The keys of the table's masks, by id of their connection: each is its password. Raises ConnectionFault."""
        return {key_id: masking_key(self._resolve(key_id)) for key_id in table.mask_key_ids}

    @cached_property
    def broker(self) -> KafkaBroker:
        broker = KafkaBroker(self.kafka_config)
        self._open.callback(broker.close)
        return broker

    @property
    def wal_dsn(self) -> str:
        return postgres_settings.postgres_dsn(self._resolve(self.file.wal.conn_id))

    @cached_property
    def log(self) -> PostgresLog:
        log = PostgresLog(self.wal_dsn)
        self._open.callback(log.close)
        return log

    @cached_property
    def catalog(self) -> tuple[str, dict[str, str]]:
        return catalog_settings.catalog_properties(self._resolve(self.file.catalog.conn_id))

    @cached_property
    def tables(self) -> IcebergTables:
        tables = self.tables_of(self.log.installation_id())
        self._open.callback(tables.close)
        return tables

    def tables_of(self, installation_id: str) -> IcebergTables:
        """The same tables on behalf of any installation; opens no connection."""
        name, properties = self.catalog
        branch, pace = self.file.catalog.branch, self.catalog_pace
        return IcebergTables(name, properties, self.file.name, installation_id, branch, pace=pace)

    def on_spark(self, server: SparkServer[T]) -> T:
        """The server of this kind, started on first use."""
        if server.name not in self._on_spark:
            known = self._given.get(server.name)
            self._on_spark[server.name] = known or server.over(self._connected(server.lane or self._lane))
        found: T = self._on_spark[server.name]
        return found

    @property
    def writer(self) -> Writer:
        return self.on_spark(WRITER)

    @property
    def copier(self) -> Copier:
        return self.on_spark(COPIER)

    def _connected(self, lane: str) -> SparkSession:
        """Open the session of a lane. Sessions of two lanes may work at once and never stop each other's jobs."""
        if self._drivers_session is not None:
            return self._drivers_session
        target, installation = self.spark_target, self.log.installation_id()
        session = self._session.enter_context(
            open_connect(target.remote, self.file.name, lane, installation=installation, conf=target.conf)
        )
        self._sessions.append(session)
        if target.ui_url:
            logger.info("Spark jobs: %s", session_page(target.ui_url, session))
        return session

    def stop_jobs(self) -> None:
        """Stop this process's jobs on Spark Connect, so that their callers raise; call it from another thread."""

        def stop() -> int:
            stopped = 0
            for session in list(self._sessions):
                if (tags := tags_of(session)) is not None:
                    with suppress(LakelockError):
                        stopped += interrupt(session, tags.client)
            return stopped

        self._for_a_while(stop)

    def _for_a_while(self, stop: Callable[[], int]) -> int:
        """Call *stop* repeatedly and count the stopped jobs: a batch may be between jobs, or about to start one."""
        stopped, until = 0, self.clock.monotonic() + STOPPING_S
        while self.clock.monotonic() < until:
            stopped += stop()
            time.sleep(0.5)
        return stopped

    def cancel(self) -> int:
        """Stop all jobs of the pipeline on Spark Connect, from any process; returns how many."""
        if self.needs_driver():
            raise ConnectionFault(
                f"connection {self.file.spark.conn_id!r} starts a Spark driver for each task, which ends with the task.",
                State.NOTHING_STOPPED,
                "End the task in Airflow.",
            )
        session = self._connected(LIVE)
        return self._for_a_while(lambda: interrupt(session, pipeline_tag(self.file.name)))

    def check_spark_ui(self) -> None:
        """Raise ConnectionFault if the Spark connection has a UI address that is not a URL."""
        spark_ui(self._resolve(self.file.spark.conn_id))

    @cached_property
    def spark_target(self) -> SparkTarget:
        return spark_target(self._resolve(self.file.spark.conn_id))

    def needs_driver(self, server: SparkServer[Any] = WRITER) -> bool:
        """Whether jobs on *server* run in drivers started by spark-submit.

        The Spark connection decides, unless a server or a driver's session was passed in.
        """
        is_here = self._drivers_session is not None or server.name in self._given
        return not is_here and self.spark_target.kind == "submit"

    def interrupt_orphans(self, attempt: str) -> None:
        """Stop the jobs of an attempt that died. If Spark does not answer, they cannot run for long either."""
        try:
            if not self.needs_driver():
                self.writer.interrupt_orphans(attempt)
        except LakelockError as fault:
            logger.warning("jobs of an earlier attempt on Spark were not stopped: %s", fault)
