"""One pipeline with everything that tasks, the command line and drivers do with it."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from lakelock.adapters.iceberg import IcebergLetters, IcebergStorage
from lakelock.adapters.parquet.copy import copy_files
from lakelock.adapters.spark.jobs import SparkCopier, SparkRedriver, SparkWriter
from lakelock.adapters.spark.submit import submit
from lakelock.app import jobs
from lakelock.app.definitions import Definitions
from lakelock.app.jobs import Job
from lakelock.app.servers import Connections, Servers, new_id
from lakelock.audit import audit as auditing
from lakelock.audit.audit import PipelineAudit
from lakelock.backfill.backfill import Backfills
from lakelock.backfill.span import Span
from lakelock.config import Pipeline
from lakelock.errors import Terminal, WalUnusable
from lakelock.gaps.declare import Declarations
from lakelock.gaps.rebind import Rebinding
from lakelock.ingest import bind as binding
from lakelock.ingest import complete_hours as hours_of_tables
from lakelock.ingest import plan as planning
from lakelock.ingest import publish as publishing
from lakelock.ingest import window as windows
from lakelock.ingest.commit import Committer
from lakelock.ingest.complete_hours import CompleteHours
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.batches import is_backfill
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange
from lakelock.model.units import milliseconds
from lakelock.monitor.status import PipelineStatus, status
from lakelock.monitor.watch import WatchLook, see
from lakelock.ports import Tables
from lakelock.recovery.recover import Recovery
from lakelock.redrive.plan import ApprovedDeadLetters, Asked, RedriveOutcome
from lakelock.redrive.redrive import Redrives
from lakelock.replace.plan import ReplaceLookup
from lakelock.replace.replace import Replacing
from lakelock.rollback.rollback import Rollbacks
from lakelock.upkeep.compact import Compaction, CompactOutcome, Settings
from lakelock.upkeep.expire import Expiry
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.keeper import Keeper
from lakelock.upkeep.orphans import Orphans
from lakelock.upkeep.rewrite_manifests import ManifestRewrite
from lakelock.workers.redrive import redrive_letters, try_letters
from lakelock.workers.write import write_slice

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)

T = TypeVar("T")
WRITER_GRACE = timedelta(minutes=2)


class Runtime(Servers):
    """The capabilities of one pipeline, each with the ports it needs."""

    @classmethod
    def in_driver(cls, pipeline: Pipeline, resolve: Connections, session: SparkSession) -> Runtime:
        """Whose jobs run in *session*, that of the driver that spark-submit started."""
        return cls(
            pipeline,
            resolve,
            SparkWriter(session, write_slice),
            SparkCopier(session, copy_files),
            SparkRedriver(session, redrive_letters),
        )

    def run(self, job: Job[T], report: Callable[[T], None] = lambda outcome: None) -> list[T]:
        """Outcomes of *job*, each reported as it comes; in a driver of its own they come together, when it has ended."""
        outcomes: list[T] = []

        def keep(outcome: T) -> None:
            outcomes.append(outcome)
            report(outcome)

        if not self.needs_driver(job.server):
            job.run(self, keep)
        elif (known := job.without_spark(self)) is None:
            return self._submitted(job, report)
        else:
            for outcome in known:
                keep(outcome)
        return outcomes

    def _submitted(self, job: Job[T], report: Callable[[T], None]) -> list[T]:
        used = (self.pipeline.source.conn_id, self.pipeline.catalog.conn_id, self.pipeline.wal.conn_id)
        hand_off = {
            "pipeline": self.pipeline.resolved(),
            "connections": {conn_id: asdict(self._resolve(conn_id)) for conn_id in used},
            "job": jobs.hand_off(job),
        }
        done = json.loads(submit(self.spark_target, hand_off, f"lakelock {self.pipeline.name}"))
        return jobs.unpacked(job, done, report)

    @cached_property
    def committer(self) -> Committer:
        return Committer(self.context, time.sleep)

    @cached_property
    def context(self) -> PipelineContext:
        return PipelineContext(self.log, self.tables, self.pipeline, new_id)

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

    @cached_property
    def definitions(self) -> Definitions:
        return Definitions(self.pipeline, self.log, self.broker)

    def write(self, attempt: str, run: str, batch_id: str) -> WriteOutcome:
        (outcome,) = self.run(jobs.Write(attempt, run, batch_id))
        return outcome

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
        return self.run(jobs.WriteWindow(attempt, run, until, batch_every_s, max_records, batch_id, stop_at), told)

    def backfill(
        self,
        attempt: str,
        run: str,
        interval: Sequence[OffsetRange] | None,
        told: Callable[[WriteOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
    ) -> list[WriteOutcome]:
        return self.run(jobs.Backfill(attempt, run, None if interval is None else tuple(interval)), told)

    @cached_property
    def replacing(self) -> Replacing:
        return Replacing(
            ReplaceLookup(self.keeper, self.broker),
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
        return self.run(jobs.Replace(span, who, why), told)

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
        return Rollbacks(self.context, self.broker, time.sleep)

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

        return Recovery(self.context, self.broker, tables_of, time.sleep, announced, take_over, mode, who, accept_loss)

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self.context, IcebergStorage(self.tables.border), time.sleep)

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
        (outcome,) = self.run(jobs.Compact(table))
        return outcome

    @cached_property
    def redrives(self) -> Redrives:
        box = IcebergLetters(self.tables.border)
        return Redrives(self.context, box, lambda: self.redriver, try_letters, time.sleep)

    def redrive(
        self,
        asked: Asked,
        who: str,
        why: str,
        shown: ApprovedDeadLetters,
        told: Callable[[RedriveOutcome], None] = lambda outcome: None,
    ) -> list[RedriveOutcome]:
        return self.run(jobs.Redrive(asked, who, why, shown), told)

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
    def expiry_limits(self) -> ExpiryLimits:
        """What the pipeline file says of the snapshots that stay."""
        settings = self.pipeline.maintenance
        return ExpiryLimits(milliseconds(settings.expire_after), settings.keep_at_least)

    def all_tables(self) -> list[str]:
        """Those of the file, the dead-letter table, and those that were in the file once, as far as they were made."""
        bound = self.log.bound(self.pipeline.name)
        named = [*(t.name for t in self.pipeline.tables), self.pipeline.dead_letter_table]
        return [t for t in dict.fromkeys([*named, *bound]) if t in bound]

    @cached_property
    def decisions(self) -> Declarations:
        return Declarations(self.context, self.broker, self.clock, time.sleep, self.interrupt_orphans)

    @cached_property
    def backfills(self) -> Backfills:
        return Backfills(self.context, self.broker, self.clock, time.sleep)

    @cached_property
    def rebinding(self) -> Rebinding:
        return Rebinding(self.context, self.broker, self.clock, self._create, time.sleep)

    def status(self) -> PipelineStatus:
        return status(self.pipeline, self.log, self.broker, self.clock)

    def see(self, *, look_every_s: float, is_paused: bool | None = False, is_late: bool = False) -> WatchLook | None:
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

    def _create(self, name: str) -> None:
        self.tables.create(name, self.definitions.of_all_records(name))


def _holds(now: Collection[str] | bool, table: str) -> bool:
    return now if isinstance(now, bool) else table in now


@contextmanager
def open_pipeline(resolved: Mapping[str, object], resolve: Connections) -> Iterator[Runtime]:
    with closing(Runtime(Pipeline.from_resolved(resolved), resolve)) as runtime:
        yield runtime
