"""The servers that the page asks: its write-ahead logs, and the catalogs and brokers of their pipelines."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lakelock.adapters.airflow import catalog_settings, kafka_settings
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.airflow.spark_target import spark_remote, spark_ui
from lakelock.adapters.iceberg.snippets import Snippet, reading
from lakelock.adapters.wal import PostgresLog
from lakelock.app.clock import SystemClock
from lakelock.config import Pipeline
from lakelock.errors import LakelockError, Unreachable
from lakelock.model.overview import ALL_TABLES, PipelineView, TableChoice
from lakelock.page.cache import Gate, SharedCache, Silences
from lakelock.page.logs import Logs, Named, Opened

if TYPE_CHECKING:
    from lakelock.adapters.iceberg import IcebergTables
    from lakelock.monitor.status import PipelineStatus

logger = logging.getLogger(__name__)

CONNECTION_TTL_S = 60.0
KAFKA_TIMEOUT_S = 3.0
KAFKA_TTL_S, KAFKA_DARK_S = 5.0, 15.0
MOST_CATALOGS = 8
SLOW_AT_ONCE, SLOW_WAIT_S = 4, 2.0

KAFKA_SILENT = "Kafka did not answer. The api-server's log says why."


def no_teams(pipelines: Sequence[str]) -> Mapping[str, str | None]:
    return {}


class Sources:
    """Connects at first use; safe to use from several threads.

    *resolve* gets a team's connection from Airflow; *teams_of* the teams of pipelines that have one.
    """

    def __init__(
        self,
        conn_ids: Sequence[str],
        resolve: Callable[[str, str | None], Connection],
        teams_of: Callable[[Sequence[str]], Mapping[str, str | None]] = no_teams,
    ) -> None:
        self._connections: SharedCache[Named, Connection] = SharedCache(CONNECTION_TTL_S, most=256)
        self._resolve = resolve
        self._logs = Logs(conn_ids, teams_of, self._connection)
        self._catalogs: OrderedDict[str, IcebergTables] = OrderedDict()
        self._guard = threading.Lock()
        self._kafka: SharedCache[str, PipelineStatus] = SharedCache(KAFKA_TTL_S, most=512)
        self._silent = Silences[Named]()
        self.slow = Gate(SLOW_AT_ONCE, SLOW_WAIT_S)

    def overview(self, names: Sequence[str], choice: TableChoice = ALL_TABLES) -> tuple[list[PipelineView], bool]:
        """As `Logs.overview`."""
        return self._logs.overview(names, choice)

    def open(self, name: str, choice: TableChoice = ALL_TABLES) -> Opened:
        """As `Logs.open`."""
        return self._logs.open(name, choice)

    def log(self, opened: Opened) -> PostgresLog:
        return self._logs.log(opened)

    def planned(self, opened: Opened, tables: Sequence[str]) -> Pipeline:
        """The pipeline as its last batch was planned, with those of *tables* that its rules made."""
        planned = opened.planned()
        if planned.route is None or all(map(planned.has_table, tables)):
            return planned
        routed = self.log(opened).routed(planned.name)
        return planned.with_routed({name: routed[name] for name in tables if name in routed})

    def tables(self, opened: Opened) -> IcebergTables:
        """The tables of a pipeline; one catalog and its connection pool are shared by all pipelines that name it."""
        from lakelock.adapters.iceberg import IcebergTables

        pipeline = opened.planned()
        name, properties = catalog_settings.catalog_properties(self._connection(opened.named(pipeline.catalog.conn_id)))
        installation = self.log(opened).installation_id()
        key = repr((name, sorted(properties.items())))
        with self._guard:
            shared = self._catalogs.get(key) or IcebergTables(name, properties, pipeline.name, installation)
            self._catalogs[key] = shared
            self._catalogs.move_to_end(key)
            # Bounded, because each changed password adds an entry.
            gone = [self._catalogs.popitem(last=False)[1] for _ in range(len(self._catalogs) - MOST_CATALOGS)]
        for old in gone:
            old.close()
        return shared.sharing(pipeline.name, installation, pipeline.catalog.branch)

    def spark_ui(self, opened: Opened) -> str:
        """Address of the Spark UI; empty if it is unknown, which `check` and the runs report."""
        if opened.pipeline is None:
            return ""
        try:
            return spark_ui(self._connection(opened.named(opened.pipeline.spark.conn_id)))
        except LakelockError as fault:
            logger.warning("Spark of pipeline %s: %s", opened.view.pipeline, fault)
            return ""

    def snippets(self, opened: Opened, table: str) -> list[Snippet]:
        """Instructions to read *table* with other engines."""
        pipeline = opened.planned()
        name, properties = catalog_settings.catalog_properties(self._connection(opened.named(pipeline.catalog.conn_id)))
        try:
            spark = spark_remote(self._connection(opened.named(pipeline.spark.conn_id)))
        except LakelockError as fault:
            logger.warning("Spark of pipeline %s: %s", opened.view.pipeline, fault)
            spark = None
        return reading(table, pipeline.catalog.branch, name, properties, spark)

    def status(self, opened: Opened) -> PipelineStatus:
        """The status with Kafka's watermarks, a few seconds old at most.

        Raises at once if the broker was silent just now.
        """
        pipeline = opened.planned()
        self._silent.refuse(opened.named(pipeline.source.conn_id), KAFKA_SILENT)
        return self._kafka.get(pipeline.name, lambda: self._status_of(opened, pipeline))

    def _status_of(self, opened: Opened, pipeline: Pipeline) -> PipelineStatus:
        from lakelock.adapters.kafka.broker import KafkaBroker
        from lakelock.monitor.status import status

        at = opened.named(pipeline.source.conn_id)
        with self.slow.passed():
            # A request before this one may have found it silent.
            self._silent.refuse(at, KAFKA_SILENT)
            broker = KafkaBroker(kafka_settings.kafka_config(self._connection(at)), KAFKA_TIMEOUT_S)
            try:
                # Names no topic, because an error of one topic is no reason to leave the broker alone.
                broker.reach()
            except Unreachable as fault:
                logger.warning("Kafka of connection %s: %s", at.conn_id, fault)
                self._silent.note(at, KAFKA_DARK_S)
                raise Unreachable(KAFKA_SILENT) from None
            return status(pipeline, self.log(opened), broker, SystemClock(), limit=1)

    def _connection(self, at: Named) -> Connection:
        return self._connections.get(at, lambda: self._resolve(*at))
