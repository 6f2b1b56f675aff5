"""Puts adapters behind the ports for one pipeline: used by Airflow's tasks, the CLI and the Spark driver alike."""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lakelock.adapters.airflow import connections
from lakelock.adapters.airflow.connections import Connection, SparkTarget
from lakelock.adapters.iceberg import IcebergLetters, IcebergStorage, IcebergTables
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.parquet.copy import copy_files
from lakelock.adapters.spark.connect import open_connect, pipeline_tag, session_page, tags_of
from lakelock.adapters.spark.jobs import SparkCopier, SparkRedriver, SparkWriter, interrupt
from lakelock.adapters.spark.submit import submit
from lakelock.adapters.wal import PostgresLog
from lakelock.audit import audit as auditing
from lakelock.audit.audit import PipelineAudit
from lakelock.backfill import batches as filling
from lakelock.backfill.backfill import Backfills
from lakelock.backfill.span import Span
from lakelock.config import Pipeline
from lakelock.errors import ConnectionFault, LakelockError, Terminal, WalUnusable, named
from lakelock.gaps.declare import Decisions
from lakelock.gaps.rebind import Rebinding
from lakelock.ingest import bind as binding
from lakelock.ingest import complete_hours as hours_of_tables
from lakelock.ingest import plan as planning
from lakelock.ingest import publish as publishing
from lakelock.ingest import window as windows
from lakelock.ingest import write as writing
from lakelock.ingest.commit import Committer
from lakelock.ingest.complete_hours import CompleteHours
from lakelock.ingest.context import Follower
from lakelock.ingest.define import define
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.batches import BACKFILL, LIVE, Batch, PlannedRange, is_backfill
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import ranges_of, rows_of
from lakelock.monitor.status import PipelineStatus, status
from lakelock.monitor.watch import Seen, see
from lakelock.ports import Clock, Copier, Redriver, TableDefinition, Tables, Writer
from lakelock.recovery.recover import Recovery
from lakelock.redrive.plan import Asked, RedriveOutcome
from lakelock.redrive.plan import Shown as ShownLetters
from lakelock.redrive.redrive import Redrives
from lakelock.replace.plan import Looking
from lakelock.replace.replace import Replacing
from lakelock.rollback.rollback import Rollbacks
from lakelock.upkeep.compact import Compaction, CompactOutcome, Settings, from_fields
from lakelock.upkeep.expire import Expiry
from lakelock.upkeep.expiry_decision import Limits
from lakelock.upkeep.keeper import Keeper
from lakelock.upkeep.orphans import Orphans
from lakelock.upkeep.rewrite_manifests import ManifestRewrite
from lakelock.workers.redrive import redrive_letters, try_letters
from lakelock.workers.write import write_slice

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

T = TypeVar("T")
Connections = Callable[[str], Connection]
WRITER_GRACE = timedelta(minutes=2)
# As long as Airflow lets a process live that it asked to end.
STOPPING_S = 5.0
BACKFILLED, COMPACT, REDRIVE, REPLACE, WINDOW = "backfill", "compact", "redrive", "replace", "window"


def new_id() -> str:
    return str(uuid.uuid4())


def milliseconds(duration: timedelta) -> int:
    return round(duration / timedelta(milliseconds=1))


class SystemClock:
    """The machine's clock; decisions about attempts use Postgres' instead."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class Runtime:
    """One pipeline with its servers, each connected to at first use and closed with the runtime."""

    def __init__(
        self,
        pipeline: Pipeline,
        resolve: Connections,
        writer: Writer | None = None,
        copier: Copier | None = None,
        redriver: Redriver | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.clock: Clock = SystemClock()
        self._resolve = resolve
        self._given_writer = writer
        self._given_copier = copier
        self._given_redriver = redriver
        self._lane = LIVE
        self._open = ExitStack()
        self._session = ExitStack()
        self._sessions: list[SparkSession] = []

    def close(self) -> None:
        self._forget_session()
        self._open.close()

    def _forget_session(self) -> None:
        """The next write opens a session anew: one of a server that was restarted is never valid again."""
        self._session.close()
        self._sessions.clear()
        for name in ("writer", "copier", "redriver"):
            self.__dict__.pop(name, None)

    @cached_property
    def kafka_config(self) -> dict[str, str]:
        return connections.kafka_config(self._resolve(self.pipeline.source.conn_id))

    @cached_property
    def broker(self) -> KafkaBroker:
        broker = KafkaBroker(self.kafka_config)
        self._open.callback(broker.close)
        return broker

    @property
    def wal_dsn(self) -> str:
        return connections.postgres_dsn(self._resolve(self.pipeline.wal.conn_id))

    @cached_property
    def log(self) -> PostgresLog:
        log = PostgresLog(self.wal_dsn)
        self._open.callback(log.close)
        return log

    @cached_property
    def catalog(self) -> tuple[str, dict[str, str]]:
        return connections.catalog_properties(self._resolve(self.pipeline.catalog.conn_id))

    @cached_property
    def tables(self) -> IcebergTables:
        return self.tables_of(self.log.installation_id())

    def tables_of(self, installation_id: str) -> IcebergTables:
        """The same tables on behalf of any installation; asks nobody."""
        name, properties = self.catalog
        return IcebergTables(name, properties, self.pipeline.name, installation_id, self.pipeline.catalog.branch)

    @cached_property
    def committer(self) -> Committer:
        return Committer(self.follower, time.sleep)

    @cached_property
    def follower(self) -> Follower:
        return Follower(self.log, self.tables, self.pipeline, new_id)

    def plan(
        self,
        max_records: int | None = None,
        dry_run: bool = False,
        passed_over: Collection[str] = (),
        stop_at: StopAt | None = None,
    ) -> PlanOutcome:
        return planning.plan(
            self.pipeline,
            self.log,
            self.broker,
            new_id=new_id,
            table_fault=self._table_fault,
            max_records=max_records,
            dry_run=dry_run,
            passed_over=passed_over,
            stop_at=stop_at,
            publish_due=self._first_run_of_the_hour(),
        )

    def write(self, attempt: str, run: str, batch_id: str) -> WriteOutcome:
        """In this process over Spark Connect, or in a driver of its own by spark-submit, as the connection says."""
        if self._in_own_driver:
            (outcome,) = self._submitted({"attempt": attempt, "run": run, "batch_id": batch_id})
            return WriteOutcome(**outcome)
        return writing.write(
            self.log,
            self.tables,
            self.writer,
            self.kafka_config,
            pipeline_name=self.pipeline.name,
            batch_id=batch_id,
            attempt=attempt,
            run=run,
            new_id=new_id,
            define=self._define,
            stop_at=self.pipeline.dead_letters.stop_at,
            all_tables=[t.name for t in self.pipeline.tables],
        )

    def write_run(
        self,
        attempt: str,
        run: str,
        batch_id: str,
        max_records: int | None = None,
        told: Callable[[WriteOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
        stop_at: StopAt | None = None,
    ) -> list[WriteOutcome]:
        return windows.write_run(
            self.clock,
            plan=lambda passed_over, most: self.plan(most, passed_over=passed_over, stop_at=stop_at),
            waiting=lambda: self._waiting(stop_at),
            write=lambda batch: self.write(attempt, run, batch),
            batch_id=batch_id,
            max_offsets=max_records or self.pipeline.batch.max_records,
            told=told,
        )

    def _waiting(self, stop_at: StopAt | None) -> int:
        """Offsets that a new batch could have."""
        planned = self.plan(dry_run=True, stop_at=stop_at)
        return planned.offsets + planned.backlog_offsets

    def write_window(
        self,
        attempt: str,
        run: str,
        until: datetime,
        batch_every_s: float,
        max_records: int | None = None,
        batch_id: str | None = None,
        stop_at: StopAt | None = None,
        told: Callable[[WriteOutcome], None] = lambda outcome: None,
    ) -> list[WriteOutcome]:
        if self._in_own_driver:
            window = {
                "until": until.isoformat(),
                "batch_every_s": batch_every_s,
                "max_records": max_records,
                "stop_at": stop_at.json() if stop_at else None,
            }
            work = {"attempt": attempt, "run": run, "batch_id": batch_id, WINDOW: window}
            return self._told(work, lambda fields: WriteOutcome(**fields), told)
        return windows.write_window(
            self.log,
            self.clock,
            self.pipeline.name,
            plan=lambda passed_over: self.plan(max_records, passed_over=passed_over, stop_at=stop_at),
            write=lambda batch: self.write(attempt, run, batch),
            reconnect=self._forget_session,
            first_batch_id=batch_id,
            until=until,
            batch_every_s=batch_every_s,
            pause=time.sleep,
            told=told,
        )

    def backfill(
        self,
        attempt: str,
        run: str,
        interval: Sequence[OffsetRange] | None,
        told: Callable[[WriteOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
    ) -> list[WriteOutcome]:
        """Writes what backfills asked for of *interval* (None: all), in a session beside the one that live batches use."""
        if self._in_own_driver:
            if not filling.open_batches(self.log, self.pipeline.name, interval):
                return []
            rows = None if interval is None else rows_of(interval)
            work = {"attempt": attempt, "run": run, BACKFILLED: rows}
            return self._told(work, lambda fields: WriteOutcome(**fields), told)
        self._lane = BACKFILL
        return filling.write_all(
            self.log, self.pipeline.name, interval, lambda batch_id: self.write(attempt, run, batch_id), told
        )

    @cached_property
    def replacing(self) -> Replacing:
        return Replacing(
            Looking(self.keeper, self.broker),
            self.clock,
            lambda: self.writer,
            lambda: self.copier,
            lambda: self.kafka_config,
        )

    def replace(
        self,
        span: Span,
        who: str,
        why: str,
        told: Callable[[CommitOutcome], None] = lambda outcome: None,
    ) -> list[CommitOutcome]:
        """In this process over Spark Connect, in the sessions of backfills and of compactions, or in a driver of its own."""
        if self._in_own_driver:
            times = {"start": span.start.isoformat(), "end": span.end.isoformat(), "table": span.table}
            return self._told({REPLACE: {**times, "who": who, "why": why}}, CommitOutcome.of, told)
        self._lane = BACKFILL
        return self.replacing.replace(span, who, why, told)

    def commit_window(
        self,
        tables: Sequence[str],
        until: datetime,
        now: Collection[str] | bool = False,
        told: Callable[[CommitOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
    ) -> list[CommitOutcome]:
        """As `commit`, again and again until *until*; only what landed is told."""
        return windows.commit_window(
            self.committer,
            self.clock,
            self._and_left_over(tables),
            until=until,
            writing=lambda: self._still_writing(until),
            now=lambda table: _holds(now, table),
            told=told,
        )

    def commit(
        self,
        tables: Sequence[str],
        now: Collection[str] | bool = False,
        told: Callable[[CommitOutcome], None] = lambda outcome: None,
    ) -> list[CommitOutcome]:
        """Commits each table; one table's error never stops its siblings and is raised after them.

        *now* are tables that do not wait until they are due, or whether none does. *told* hears of each outcome as it comes.
        """
        outcomes: list[CommitOutcome] = []
        faults: list[Exception] = []
        for table in self._and_left_over(tables):
            try:
                outcomes += self.committer.commit(table, now=_holds(now, table), told=told)
            except Exception as fault:
                faults.append(fault)
        if faults:
            raise faults[0]
        return outcomes

    def publish(self) -> str:
        return publishing.publish(
            self.log, self.broker, self.pipeline.name, [t.name for t in self.pipeline.tables], self.pipeline.group
        )

    def waiting_for_hours(self, told: Mapping[str, datetime | None]) -> list[str]:
        """Tables that may have an hour to tell after the last one that was *told* of each; asks neither Kafka nor catalog."""
        lateness = self.pipeline.publish.max_lateness
        if lateness is None:
            return []
        return [t.name for t in hours_of_tables.waiting(self.pipeline, self.log, lateness, told)]

    def complete_hours(self, told: Mapping[str, datetime | None]) -> list[CompleteHours]:
        lateness = self.pipeline.publish.max_lateness
        if lateness is None:
            return []
        return hours_of_tables.complete_hours(self.pipeline, self.log, self.broker, self.tables, lateness, told)

    @cached_property
    def rollbacks(self) -> Rollbacks:
        return Rollbacks(self.follower, self.broker, time.sleep)

    def recovery(
        self,
        who: str,
        mode: Mode = Mode.RECOMMIT,
        *,
        announced: bool = False,
        take_over: bool = False,
        accept_loss: bool = False,
    ) -> Recovery:
        def tables_of(installation_id: str) -> Tables:
            return self.tables.for_pipeline(self.pipeline.name, installation_id)

        return Recovery(self.follower, self.broker, tables_of, time.sleep, announced, take_over, mode, who, accept_loss)

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self.follower, IcebergStorage(self.tables.border), time.sleep)

    @cached_property
    def compaction(self) -> Compaction:
        return Compaction(self.keeper, lambda: self.copier)

    @property
    def compact_settings(self) -> Settings:
        """What the pipeline file says of files to be rewritten."""
        settings = self.pipeline.maintenance
        after_ms, within_ms = milliseconds(settings.compact_after), milliseconds(settings.compact_within)
        return Settings(settings.compact_min_files, after_ms, within_ms)

    def compact(self, table: str) -> CompactOutcome:
        """In this process over Spark Connect, or in a driver of its own by spark-submit; without Spark where nothing is due."""
        if self._given_copier is None and self.spark_target.kind == "submit":
            planned = self.compaction.plan(table, self.compact_settings)
            return planned if planned.nothing else from_fields(*self._submitted({"compact": table}))
        return self.compaction.compact(table, self.compact_settings)

    @cached_property
    def copier(self) -> Copier:
        return self._given_copier or SparkCopier(self._connected(COMPACT), copy_files)

    @cached_property
    def redrives(self) -> Redrives:
        box = IcebergLetters(self.tables.border)
        return Redrives(self.follower, box, lambda: self.redriver, try_letters, time.sleep)

    def redrive(
        self,
        asked: Asked,
        who: str,
        why: str,
        shown: ShownLetters,
        told: Callable[[RedriveOutcome], None] = lambda outcome: None,
    ) -> list[RedriveOutcome]:
        """In this process over Spark Connect, or in a driver of its own by spark-submit."""
        if self._given_redriver is None and self.spark_target.kind == "submit":
            work = {"asked": asdict(asked), "who": who, "why": why, "shown": shown.text}
            return self._told({REDRIVE: work}, RedriveOutcome.of, told)
        return self.redrives.redrive(asked, who, why, shown, told)

    @cached_property
    def redriver(self) -> Redriver:
        return self._given_redriver or SparkRedriver(self._connected(REDRIVE), redrive_letters)

    @cached_property
    def manifest_rewrite(self) -> ManifestRewrite:
        return ManifestRewrite(self.keeper)

    @cached_property
    def expiry(self) -> Expiry:
        return Expiry(self.keeper)

    @property
    def orphans(self) -> Orphans:
        """A new one, which looks anew at tables and log."""
        return Orphans(self.keeper, self.recovery("").look)

    @property
    def expiry_limits(self) -> Limits:
        """What the pipeline file says of the snapshots that stay."""
        settings = self.pipeline.maintenance
        return Limits(milliseconds(settings.expire_after), settings.keep_at_least)

    def all_tables(self) -> list[str]:
        """Those of the file, the dead-letter table, and those that were in the file once, as far as they were made."""
        bound = self.log.bound(self.pipeline.name)
        named = [*(t.name for t in self.pipeline.tables), self.pipeline.dead_letter_table]
        return [t for t in dict.fromkeys([*named, *bound]) if t in bound]

    @cached_property
    def decisions(self) -> Decisions:
        return Decisions(self.follower, self.broker, self.clock, time.sleep, self._interrupt_orphans)

    @cached_property
    def backfills(self) -> Backfills:
        return Backfills(self.follower, self.broker, self.clock, time.sleep)

    @cached_property
    def rebinding(self) -> Rebinding:
        return Rebinding(self.follower, self.broker, self.clock, self._create, time.sleep)

    def status(self) -> PipelineStatus:
        return status(self.pipeline, self.log, self.broker, self.clock)

    def see(self, *, look_every_s: float, is_paused: bool | None = False, is_late: bool = False) -> Seen | None:
        """One look of the watch."""
        return see(
            self.pipeline,
            self.log,
            self.status,
            lambda: self.tables,
            look_every_s=look_every_s,
            is_paused=is_paused,
            is_late=is_late,
        )

    def audit(self, count_rows: bool = True) -> PipelineAudit:
        return auditing.audit(self.pipeline, self.log, self.tables, self.broker, self.clock, count_rows)

    @cached_property
    def writer(self) -> Writer:
        if self._given_writer is not None:
            return self._given_writer
        return SparkWriter(self._connected(self._lane), write_slice)

    def _connected(self, lane: str) -> SparkSession:
        """The session of a lane: those of two lanes may work at once, and one never stops what the other does."""
        target, installation = self.spark_target, self.log.installation_id()
        session = self._session.enter_context(
            open_connect(target.remote, self.pipeline.name, lane, installation=installation, conf=target.conf)
        )
        self._sessions.append(session)
        if target.ui_url:
            logger.info("Spark jobs: %s", session_page(target.ui_url, session))
        return session

    def stop_jobs(self) -> None:
        """Stops what this process has running on Spark Connect, whose callers then raise; from a thread of its own."""

        def stop() -> int:
            stopped = 0
            for session in list(self._sessions):
                if (tags := tags_of(session)) is not None:
                    with suppress(LakelockError):
                        stopped += interrupt(session, tags.client)
            return stopped

        self._for_a_while(stop)

    def _for_a_while(self, stop: Callable[[], int]) -> int:
        """How many jobs *stop* has stopped, again and again: a batch may be between two jobs, or just begin one."""
        stopped, until = 0, self.clock.monotonic() + STOPPING_S
        while self.clock.monotonic() < until:
            stopped += stop()
            time.sleep(0.5)
        return stopped

    def cancel(self) -> int:
        """Stops all jobs of the pipeline on Spark Connect, whichever process waits for them; returns how many."""
        if self._in_own_driver:
            raise ConnectionFault(
                f"connection {self.pipeline.spark.conn_id!r} starts a driver for each task, which ends with its task. Nothing "
                "was stopped. End the task in Airflow."
            )
        session = self._connected(LIVE)
        return self._for_a_while(lambda: interrupt(session, pipeline_tag(self.pipeline.name)))

    def check_spark_ui(self) -> None:
        """Raises ConnectionFault where the Spark connection names a UI that is no address."""
        connections.spark_ui(self._resolve(self.pipeline.spark.conn_id))

    @cached_property
    def spark_target(self) -> SparkTarget:
        return connections.spark_target(self._resolve(self.pipeline.spark.conn_id))

    @property
    def _in_own_driver(self) -> bool:
        return self._given_writer is None and self.spark_target.kind == "submit"

    def _told(
        self, work: Mapping[str, object], of: Callable[[dict[str, Any]], T], told: Callable[[T], None]
    ) -> list[T]:
        """Outcomes of work that is done table by table, in a driver of its own: what landed is told before a fault is raised."""
        done = self._submitted(work)
        outcomes = [of(fields) for fields in done["outcomes"]]
        for outcome in outcomes:
            told(outcome)
        if done["fault"] is not None:
            raise named(*done["fault"])
        return outcomes

    def _submitted(self, work: Mapping[str, object]) -> Any:
        """What `run_submitted` made of the work in a driver of its own."""
        used = (
            self.pipeline.source.conn_id,
            self.pipeline.catalog.conn_id,
            self.pipeline.wal.conn_id,
        )
        hand_off = {
            "pipeline": self.pipeline.resolved(),
            "connections": {conn_id: asdict(self._resolve(conn_id)) for conn_id in used},
            **work,
        }
        return json.loads(submit(self.spark_target, hand_off, f"lakelock {self.pipeline.name}"))

    def _and_left_over(self, tables: Sequence[str]) -> list[str]:
        """With the dead-letter table go tables that are no longer in the file, as long as they have staged parts."""
        names = {t.name for t in self.pipeline.tables} | {self.pipeline.dead_letter_table}
        others = self.committer.left_over(names) if self.pipeline.dead_letter_table in tables else []
        return [*tables, *others]

    def _still_writing(self, until: datetime) -> bool:
        """A batch begun before the window's end is waited for, but not for ever: its writer may be gone."""
        if self.clock.now() > until + WRITER_GRACE:
            return False
        return any(b.attempt is not None and not is_backfill(b.lane) for b in self.log.planned(self.pipeline.name))

    def _first_run_of_the_hour(self) -> bool:
        """Group offsets of an idle topic expire after days: they are set again now and then."""
        now = self.clock.now()
        period = self.pipeline.schedule.period or timedelta(minutes=5)
        return (now - period).replace(minute=0, second=0, microsecond=0) != now.replace(
            minute=0, second=0, microsecond=0
        )

    def _table_fault(self, name: str) -> Terminal | None:
        try:
            binding.load(self.log, self.tables, self.pipeline.name, name)
        except Terminal as fault:
            # A table that was never bound is not missing: write will create it.
            known = isinstance(fault, WalUnusable) or name in self.log.bound(self.pipeline.name)
            return fault if known else None
        return None

    def _interrupt_orphans(self, attempt: str) -> None:
        """Of an attempt that died; where Spark does not answer, nothing of it can go on for long."""
        try:
            if not self._in_own_driver:
                self.writer.interrupt_orphans(attempt)
        except LakelockError as fault:
            logger.warning("what an earlier attempt left on Spark was not stopped: %s", fault)

    def _create(self, name: str) -> None:
        self.tables.create(name, self._define_now(name))

    def _define_now(self, name: str) -> TableDefinition:
        """Columns that are not declared are inferred from what Kafka holds."""
        pipeline = self.pipeline
        spans = self.broker.watermarks(self._sources(pipeline, name))
        held = [OffsetRange(s, w.low_offset, w.end_offset) for s, w in spans.items() if w.low_offset < w.end_offset]
        ranges = tuple(map(PlannedRange, held))
        batch = Batch("", pipeline.name, LIVE, pipeline.resolved(), pipeline.digest, ranges, (name,))
        return self._define(pipeline, name, batch)

    def _sources(self, pipeline: Pipeline, name: str) -> list[Source]:
        table, streams = pipeline.table(name), self.log.streams(pipeline.name, LIVE)
        return [s for s in planning.current_sources(pipeline, streams, self.broker) if pipeline.takes(table, s.topic)]

    def _define(self, pipeline: Pipeline, name: str, batch: Batch) -> TableDefinition:
        """As the pipeline file has the table today: a definition that cannot be created is mended there."""
        today = any(t.name == name for t in self.pipeline.tables)
        meant = self.pipeline if today else pipeline
        return define(meant, name, batch, self._sample, lambda limit: self._newest(meant, name, limit))

    def _sample(self, ranges: Sequence[OffsetRange], limit: int) -> list[bytes | None]:
        return [r.value for r in self.broker.sample_ranges(ranges, limit)]

    def _newest(self, pipeline: Pipeline, name: str, limit: int) -> list[bytes | None]:
        """What came last of all that the table takes."""
        return [r.value for r in self.broker.sample(self._sources(pipeline, name), limit)]


def _holds(now: Collection[str] | bool, table: str) -> bool:
    return now if isinstance(now, bool) else table in now


@contextmanager
def open_pipeline(resolved: Mapping[str, object], resolve: Connections) -> Iterator[Runtime]:
    runtime = Runtime(Pipeline.from_resolved(resolved), resolve)
    try:
        yield runtime
    finally:
        runtime.close()


def run_submitted(hand_off: Mapping[str, Any], session: SparkSession) -> str:
    """What is done in a driver that spark-submit started; returns the outcomes as JSON."""
    known = {conn_id: Connection(**fields) for conn_id, fields in hand_off["connections"].items()}
    runtime = Runtime(
        Pipeline.from_resolved(hand_off["pipeline"]),
        known.__getitem__,
        SparkWriter(session, write_slice),
        SparkCopier(session, copy_files),
        SparkRedriver(session, redrive_letters),
    )
    try:
        if COMPACT in hand_off:
            return json.dumps([asdict(runtime.compact(hand_off[COMPACT]))])
        if REPLACE in hand_off:
            asked = hand_off[REPLACE]
            start, end = (datetime.fromisoformat(asked[name]) for name in ("start", "end"))
            span = Span(start, end, asked["table"])
            return _each(lambda told: runtime.replace(span, asked["who"], asked["why"], lambda o: told(o.fields)))
        if REDRIVE in hand_off:
            work = hand_off[REDRIVE]
            letters, shown = Asked(**work["asked"]), ShownLetters.of(work["shown"])
            return _each(
                lambda told: runtime.redrive(letters, work["who"], work["why"], shown, lambda o: told(o.fields))
            )
        if BACKFILLED in hand_off:
            rows, attempt, run = hand_off[BACKFILLED], hand_off["attempt"], hand_off["run"]
            interval = None if rows is None else ranges_of(rows)
            return _each(lambda told: runtime.backfill(attempt, run, interval, lambda o: told(asdict(o))))
        attempt, run, batch_id = hand_off["attempt"], hand_off["run"], hand_off["batch_id"]
        if WINDOW in hand_off:
            window = hand_off[WINDOW]
            until, every_s, most = (
                datetime.fromisoformat(window["until"]),
                window["batch_every_s"],
                window["max_records"],
            )
            stop_at = StopAt.of_json(window["stop_at"]) if window["stop_at"] else None
            return _each(
                lambda told: runtime.write_window(
                    attempt, run, until, every_s, most, batch_id, stop_at, lambda o: told(asdict(o))
                )
            )
        return json.dumps([asdict(runtime.write(attempt, run, batch_id))])
    finally:
        runtime.close()


def _each(work: Callable[[Callable[[dict[str, Any]], None]], object]) -> str:
    """What `Runtime._told` reads: outcomes that *work* told of, and the fault it then ended with."""
    outcomes: list[dict[str, Any]] = []
    fault: tuple[str, str] | None = None
    try:
        work(outcomes.append)
    except LakelockError as error:
        fault = (type(error).__name__, str(error))
    return json.dumps({"outcomes": outcomes, "fault": fault})
