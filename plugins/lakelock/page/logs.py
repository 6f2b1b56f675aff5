"""The write-ahead logs that the page reads, and the one that knows each pipeline."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple, Protocol, TypeVar

import psycopg
from psycopg import errors as pg

from lakelock.adapters.airflow.connections import Connection
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.adapters.wal import PostgresLog
from lakelock.adapters.wal.page_queries import PATIENCE_S, TIMEOUT_MS, LogReader
from lakelock.config import Pipeline
from lakelock.errors import ConnectionFault, LakelockError, Unreachable, WalUnusable
from lakelock.model.overview import PipelineView, TableChoice
from lakelock.monitor.alerts import Runs
from lakelock.page.cache import Gate, Silences

logger = logging.getLogger(__name__)

LOG_DARK_S = 5.0
# Airflow's api-server has some forty threads for all requests.
LOGS_AT_ONCE, TURN_WAIT_S = 12, 3.0

# A log is shared with other pipelines, so its address and its errors go to the api-server's log only.
LOG_SILENT = "A write-ahead log did not answer. The api-server's log says why."

_EPOCH = datetime.fromtimestamp(0, UTC)


class _Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


class Named(NamedTuple):
    """A connection of one team: the same id may be another server for another team."""

    conn_id: str
    team: str | None


@dataclass(frozen=True, slots=True)
class Opened:
    """A pipeline as known to the log that last planned for it; `pipeline` is None before its first batch.

    `runs` are those that the user may read.
    """

    conn_id: str
    view: PipelineView
    reader: LogReader
    pipeline: Pipeline | None
    team: str | None = None
    runs: Runs = field(default_factory=Runs)

    def named(self, conn_id: str) -> Named:
        return Named(conn_id, self.team)

    def planned(self) -> Pipeline:
        if self.pipeline is None:
            raise WalUnusable(
                f"pipeline {self.view.pipeline!r} has not planned a batch yet, so its tables and topics are not known here."
            )
        return self.pipeline


class Logs:
    """Connects at first use; safe to use from several threads.

    *connection* returns a connection as a team has it; *teams_of* the teams of pipelines that have one.
    """

    def __init__(
        self,
        conn_ids: Sequence[str],
        teams_of: Callable[[Sequence[str]], Mapping[str, str | None]],
        connection: Callable[[Named], Connection],
    ) -> None:
        self._conn_ids, self._teams_of, self._connection = tuple(conn_ids), teams_of, connection
        # With the address that each was opened with.
        self._readers: dict[Named, tuple[str, LogReader]] = {}
        self._logs: dict[Named, tuple[str, PostgresLog]] = {}
        self._turns: dict[Named, threading.Lock] = {}
        self._guard = threading.Lock()
        self._silent = Silences[Named]()
        self._at_once = Gate(LOGS_AT_ONCE, 0.0)

    def overview(self, names: Sequence[str], choice: TableChoice) -> tuple[list[PipelineView], bool]:
        """The logs' views of *names*, by name, with the tables of *choice*; False if a log did not answer."""
        # Without visible pipelines the user learns nothing about the logs, either.
        if not names:
            return [], True
        found, complete = self._found(names, choice)
        return [view for _, view in sorted(found.values(), key=lambda f: f[1].pipeline)], complete

    def open(self, name: str, choice: TableChoice) -> Opened:
        """The pipeline from the log that knows it, with the tables of *choice*.

        Raises WalUnusable if no log knows it, Unreachable if that is uncertain because a log did not answer.
        """
        found, complete = self._found([name], choice)
        if name not in found:
            if not complete:
                raise Unreachable(LOG_SILENT)
            raise WalUnusable(
                f"no batch of pipeline {name!r} was ever planned in the write-ahead logs that are read here.",
                do="See whether its DAG runs. A log of another connection must be named in Airflow's configuration, [lakelock] "
                "wal_conn_ids.",
            )
        at, view = found[name]
        reader = self._reader(at)
        config = reader.config(name)
        planned = None if config is None else Pipeline.from_resolved(config)
        return Opened(at.conn_id, view, reader, planned, at.team)

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

    def _found(self, names: Sequence[str], choice: TableChoice) -> tuple[dict[str, tuple[Named, PipelineView]], bool]:
        """Looks by pipeline; False if a log did not answer."""
        teams = self._teams_of(names)
        by_team: dict[str | None, list[str]] = {}
        for name in names:
            by_team.setdefault(teams.get(name), []).append(name)
        found: dict[str, tuple[Named, PipelineView]] = {}
        complete = True
        for at, pipelines in (
            (Named(conn_id, team), pipelines) for conn_id in self._conn_ids for team, pipelines in by_team.items()
        ):
            try:
                views = self._views(at, pipelines, choice)
            except LakelockError as fault:
                logger.warning("log %s: %s", at.conn_id, fault)
                # Not every team has a log for each of these ids.
                complete = complete and at.team is not None and isinstance(fault, ConnectionFault)
                continue
            for view in views:
                known = found.get(view.pipeline)
                if known is None or (known[1].planned_at or _EPOCH) < (view.planned_at or _EPOCH):
                    found[view.pipeline] = (at, view)
        return found, complete

    def _views(self, at: Named, names: Sequence[str], choice: TableChoice) -> list[PipelineView]:
        self._silent.refuse(at, LOG_SILENT)
        with self._at_once.passed(), self._turn(at):
            # A request before this one may have found it silent.
            self._silent.refuse(at, LOG_SILENT)
            try:
                return self._reader(at).overview(names, choice)[1]
            except Unreachable as fault:
                if not _is_busy(fault):
                    self._silent.note(at, LOG_DARK_S)
                raise

    @contextmanager
    def _turn(self, at: Named) -> Iterator[None]:
        """One request at a time per log, so that those who wait learn from the first that it is silent."""
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
        """The client of *at*; if its address or password changed, a new one, and the old one is closed."""
        dsn = postgres_dsn(self._connection(at))
        with self._guard:
            before = known.get(at)
            if before is not None and before[0] == dsn:
                return before[1]
            made = unopened(dsn)
            known[at] = (dsn, made)
        if before is not None:
            before[1].close()
        return made


def is_of_a_log(fault: LakelockError) -> bool:
    """Whether the error has Postgres' own text, about a log."""
    return isinstance(fault.__cause__, psycopg.Error)


def _is_busy(fault: LakelockError) -> bool:
    """Whether Postgres answers and only one statement took too long."""
    return isinstance(fault.__cause__, pg.QueryCanceled | pg.LockNotAvailable)
