"""Where the page reads: the logs of the connections it is told, and the catalogs and brokers of the pipelines in them."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import psycopg
from psycopg import errors as pg

from lakelock.adapters.airflow import client_settings
from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.airflow.spark_target import spark_remote, spark_ui
from lakelock.adapters.iceberg.snippets import Snippet, reading
from lakelock.adapters.wal import PostgresLog
from lakelock.adapters.wal.page_queries import PATIENCE_S, TIMEOUT_MS, LogReader
from lakelock.config import Pipeline
from lakelock.errors import ConnectionFault, LakelockError, Unreachable, WalUnusable
from lakelock.model.overview import PipelineLook
from lakelock.monitor.alerts import Runs
from lakelock.page.cache import Gate, SharedCache

if TYPE_CHECKING:
    from lakelock.adapters.iceberg import IcebergTables
    from lakelock.monitor.status import PipelineStatus

logger = logging.getLogger(__name__)

CONNECTION_TTL_S = 60.0
KAFKA_TIMEOUT_S = 3.0
KAFKA_TTL_S, KAFKA_DARK_S = 5.0, 15.0
LOG_DARK_S = 5.0
MOST_CATALOGS = 8
# Airflow's api-server answers everybody with some forty threads.
SLOW_AT_ONCE, LOGS_AT_ONCE = 4, 12
SLOW_WAIT_S, TURN_WAIT_S = 2.0, 3.0

# Of a log that others' pipelines are in, too: its address and its words are for the api-server's log.
LOG_SILENT = "A write-ahead log did not answer. The api-server's log says why."
KAFKA_SILENT = "Kafka did not answer. The api-server's log says why."

_EPOCH = datetime.fromtimestamp(0, UTC)


class Clock:
    """As the status step wants it."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class _Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


class Named(NamedTuple):
    """A connection as one team has it: another team's of the same id may be another server."""

    conn_id: str
    team: str | None


def no_teams(pipelines: Sequence[str]) -> Mapping[str, str | None]:
    return {}


@dataclass(frozen=True, slots=True)
class Opened:
    """A pipeline as the log that planned for it last knows it; `pipeline` is None before its first batch.

    `runs` is what Airflow knows of it, as far as whoever asks may read that.
    """

    conn_id: str
    look: PipelineLook
    reader: LogReader
    pipeline: Pipeline | None
    team: str | None = None
    runs: Runs = field(default_factory=Runs)

    def named(self, conn_id: str) -> Named:
        return Named(conn_id, self.team)

    def planned(self) -> Pipeline:
        if self.pipeline is None:
            raise WalUnusable(
                f"pipeline {self.look.pipeline!r} has not planned a batch yet, so its tables and topics are not known here."
            )
        return self.pipeline


class Sources:
    """Connects at first use; safe to use from several threads.

    *resolve* asks Airflow for a connection as a team has it; *teams_of* for the teams of pipelines, of those that have one.
    """

    def __init__(
        self,
        conn_ids: Sequence[str],
        resolve: Callable[[str, str | None], Connection],
        teams_of: Callable[[Sequence[str]], Mapping[str, str | None]] = no_teams,
    ) -> None:
        self._conn_ids, self._teams_of = tuple(conn_ids), teams_of
        self._connections: SharedCache[Named, Connection] = SharedCache(CONNECTION_TTL_S, most=256)
        self._resolve = resolve
        # With the address that each was opened by.
        self._readers: dict[Named, tuple[str, LogReader]] = {}
        self._logs: dict[Named, tuple[str, PostgresLog]] = {}
        self._catalogs: OrderedDict[str, IcebergTables] = OrderedDict()
        self._turns: dict[Named, threading.Lock] = {}
        self._guard = threading.Lock()
        self._kafka: SharedCache[str, PipelineStatus] = SharedCache(KAFKA_TTL_S, most=512)
        # Connections of servers that did not answer just now, and until when nobody waits for them again.
        self._dark: dict[Named, float] = {}
        self._logs_at_once = Gate(LOGS_AT_ONCE, 0.0)
        self.slow = Gate(SLOW_AT_ONCE, SLOW_WAIT_S)

    def overview(self, names: Sequence[str]) -> tuple[list[PipelineLook], bool]:
        """What the logs know of *names*, by name; False where a log did not answer."""
        # Who may see nothing learns nothing of the logs, either.
        if not names:
            return [], True
        found, complete = self._found(names)
        return [look for _, look in sorted(found.values(), key=lambda f: f[1].pipeline)], complete

    def open(self, name: str) -> Opened:
        """Raises WalUnusable for a pipeline that no log knows, Unreachable where one did not answer and no other knows it."""
        found, complete = self._found([name])
        if name not in found:
            if not complete:
                raise Unreachable(LOG_SILENT)
            raise WalUnusable(
                f"no batch of pipeline {name!r} was ever planned in the write-ahead logs that are read here. Does its DAG run? "
                "A log of another connection must be named in Airflow's configuration, [lakelock] wal_conn_ids."
            )
        at, look = found[name]
        reader = self._reader(at)
        config = reader.config(name)
        planned = None if config is None else Pipeline.from_resolved(config)
        return Opened(at.conn_id, look, reader, planned, at.team)

    def log(self, opened: Opened) -> PostgresLog:
        def unopened(dsn: str) -> PostgresLog:
            return PostgresLog(
                dsn,
                application_name="lakelock page",
                patience_s=PATIENCE_S,
                statement_timeout_ms=TIMEOUT_MS,
                turn_s=TURN_WAIT_S,
            )

        return self._opened(self._logs, opened.named(opened.conn_id), unopened)

    def tables(self, opened: Opened) -> IcebergTables:
        """One catalog, with its pool of connections, is shared by all pipelines that name it."""
        from lakelock.adapters.iceberg import IcebergTables

        pipeline = opened.planned()
        name, properties = client_settings.catalog_properties(self._connection(opened.named(pipeline.catalog.conn_id)))
        installation = self.log(opened).installation_id()
        key = repr((name, sorted(properties.items())))
        with self._guard:
            shared = self._catalogs.get(key) or IcebergTables(name, properties, pipeline.name, installation)
            self._catalogs[key] = shared
            self._catalogs.move_to_end(key)
            # What is kept must not grow with each password that is changed.
            gone = [self._catalogs.popitem(last=False)[1] for _ in range(len(self._catalogs) - MOST_CATALOGS)]
        for old in gone:
            old.close()
        return shared.sharing(pipeline.name, installation, pipeline.catalog.branch)

    def spark_ui(self, opened: Opened) -> str:
        """Where a person looks at its Spark jobs; empty where that is not known, which `check` and the runs tell of."""
        if opened.pipeline is None:
            return ""
        try:
            return spark_ui(self._connection(opened.named(opened.pipeline.spark.conn_id)))
        except LakelockError as fault:
            logger.warning("Spark of pipeline %s: %s", opened.look.pipeline, fault)
            return ""

    def snippets(self, opened: Opened, table: str) -> list[Snippet]:
        """How other engines read *table*."""
        pipeline = opened.planned()
        name, properties = client_settings.catalog_properties(self._connection(opened.named(pipeline.catalog.conn_id)))
        try:
            spark = spark_remote(self._connection(opened.named(pipeline.spark.conn_id)))
        except LakelockError as fault:
            logger.warning("Spark of pipeline %s: %s", opened.look.pipeline, fault)
            spark = None
        return reading(table, pipeline.catalog.branch, name, properties, spark)

    def status(self, opened: Opened) -> PipelineStatus:
        """With Kafka's own watermarks, at most some seconds old. Raises at once where its broker was silent just now."""
        pipeline = opened.planned()
        self._refuse_dark(opened.named(pipeline.source.conn_id), KAFKA_SILENT)
        return self._kafka.get(pipeline.name, lambda: self._asked(opened, pipeline))

    def _asked(self, opened: Opened, pipeline: Pipeline) -> PipelineStatus:
        from lakelock.adapters.kafka.broker import KafkaBroker
        from lakelock.monitor.status import status

        at = opened.named(pipeline.source.conn_id)
        with self.slow.passed():
            # Others waited meanwhile, for whom it was silent.
            self._refuse_dark(at, KAFKA_SILENT)
            broker = KafkaBroker(client_settings.kafka_config(self._connection(at)), KAFKA_TIMEOUT_S)
            try:
                # Names no topic: what one topic lacks is no reason to leave the broker alone.
                broker.reach()
            except Unreachable as fault:
                logger.warning("Kafka of connection %s: %s", at.conn_id, fault)
                self._dark[at] = time.monotonic() + KAFKA_DARK_S
                raise Unreachable(KAFKA_SILENT) from None
            return status(pipeline, self.log(opened), broker, Clock(), limit=1)

    def _refuse_dark(self, at: Named, told: str) -> None:
        if time.monotonic() < self._dark.get(at, 0.0):
            raise Unreachable(told)

    def _found(self, names: Sequence[str]) -> tuple[dict[str, tuple[Named, PipelineLook]], bool]:
        """False where a log did not answer; the others did."""
        teams = self._teams_of(names)
        by_team: dict[str | None, list[str]] = {}
        for name in names:
            by_team.setdefault(teams.get(name), []).append(name)
        found: dict[str, tuple[Named, PipelineLook]] = {}
        complete = True
        for at, asked in (
            (Named(conn_id, team), asked) for conn_id in self._conn_ids for team, asked in by_team.items()
        ):
            try:
                looks = self._looks(at, asked)
            except LakelockError as fault:
                logger.warning("log %s: %s", at.conn_id, fault)
                # Not every team has a log under each of these ids.
                complete = complete and at.team is not None and isinstance(fault, ConnectionFault)
                continue
            for look in looks:
                known = found.get(look.pipeline)
                if known is None or (known[1].planned_at or _EPOCH) < (look.planned_at or _EPOCH):
                    found[look.pipeline] = (at, look)
        return found, complete

    def _looks(self, at: Named, names: Sequence[str]) -> list[PipelineLook]:
        self._refuse_dark(at, LOG_SILENT)
        with self._logs_at_once.passed(), self._turn(at):
            # Others waited meanwhile, for whom it was silent.
            self._refuse_dark(at, LOG_SILENT)
            try:
                return self._reader(at).overview(names)[1]
            except Unreachable as fault:
                if not _is_busy(fault):
                    self._dark[at] = time.monotonic() + LOG_DARK_S
                raise

    @contextmanager
    def _turn(self, at: Named) -> Iterator[None]:
        """Asked one after the other, so that those who wait learn from the first that a log is silent."""
        with self._guard:
            lock = self._turns.setdefault(at, threading.Lock())
        if not lock.acquire(timeout=TURN_WAIT_S):
            raise Unreachable(LOG_SILENT)
        try:
            yield
        finally:
            lock.release()

    def _reader(self, at: Named) -> LogReader:
        return self._opened(self._readers, at, lambda dsn: LogReader(dsn, TURN_WAIT_S))

    def _opened(self, known: dict[Named, tuple[str, C]], at: Named, unopened: Callable[[str], C]) -> C:
        """The one of *at*; where its address or password changed, another, and the old one is closed."""
        dsn = client_settings.postgres_dsn(self._connection(at))
        with self._guard:
            before = known.get(at)
            if before is not None and before[0] == dsn:
                return before[1]
            made = unopened(dsn)
            known[at] = (dsn, made)
        if before is not None:
            before[1].close()
        return made

    def _connection(self, at: Named) -> Connection:
        return self._connections.get(at, lambda: self._resolve(*at))


def is_of_a_log(fault: LakelockError) -> bool:
    """Whether its text is Postgres' own, of a log."""
    return isinstance(fault.__cause__, psycopg.Error)


def _is_busy(fault: LakelockError) -> bool:
    """Whether Postgres answers and one statement took too long."""
    return isinstance(fault.__cause__, pg.QueryCanceled | pg.LockNotAvailable)
