"""One pipeline with all operations that tasks, the command line and drivers use."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import TypeVar

from lakelock.adapters.spark.submit import submit
from lakelock.app import jobs
from lakelock.app.capabilities import Capabilities
from lakelock.app.jobs import Job
from lakelock.app.servers import Connections, new_id
from lakelock.backfill.span import Span
from lakelock.config import Pipeline
from lakelock.config.described_tables import described_tables
from lakelock.ingest import complete_hours as hours_of_tables
from lakelock.ingest import marking
from lakelock.ingest import plan as planning
from lakelock.ingest import publish as publishing
from lakelock.ingest import window as windows
from lakelock.ingest.commit_share import CommitShare, to_commit
from lakelock.ingest.complete_hours import CompleteHours
from lakelock.ingest.left_over import existing
from lakelock.ingest.outcome import CommitOutcome, PlanOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.offsets import OffsetRange
from lakelock.monitor.cut_status import CutStatus, cut_status
from lakelock.upkeep.compact import CompactOutcome

logger = logging.getLogger(__name__)

T = TypeVar("T")

# A commit task that took less does not ask whether tables of other tasks became overdue.
LOOK_AGAIN_AFTER_S = 1.0


class Runtime(Capabilities):
    """Operations of one pipeline, run here or in a driver."""

    def run(self, job: Job[T], report: Callable[[T], None] = lambda outcome: None) -> list[T]:
        """Run *job* and report its outcomes; those from a separate driver arrive together when it ends."""
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
        used = dict.fromkeys(
            (
                self.file.source.conn_id,
                self.file.catalog.conn_id,
                self.file.wal.conn_id,
                *(key_id for _, table in described_tables(self.file) for key_id in table.mask_key_ids),
            )
        )
        hand_off = {
            "pipeline": self.file.resolved(),
            "connections": {conn_id: asdict(self._resolve(conn_id)) for conn_id in used},
            "job": jobs.hand_off(job),
        }
        done = json.loads(submit(self.spark_target, hand_off, f"lakelock {self.file.name}"))
        return jobs.unpacked(job, done, report)

    def plan(
        self,
        max_records: int | None = None,
        dry_run: bool = False,
        passed_over: Collection[str] = (),
        stop_at: StopAt | None = None,
    ) -> PlanOutcome:
        planned = planning.plan(
            self.file,
            self.log,
            self.broker,
            new_id=new_id,
            table_fault=self._table_fault,
            refuse_edited=self._refuse_edited,
            max_records=max_records,
            dry_run=dry_run,
            passed_over=passed_over,
            stop_at=stop_at,
            publish_due=self._first_run_of_the_hour(),
        )
        if planned.batch_id is None and not (dry_run or planned.something_staged or planned.publish_due):
            # Else the last batch of a topic that falls silent would not be in the cut.
            return replace(planned, publish_due=self.file.route is not None and marking.is_due(self.steps))
        return planned

    def write(self, attempt: str, run: str, batch_id: str) -> WriteOutcome:
        (outcome,) = self.run(jobs.Write(attempt, run, batch_id))
        return outcome

    def write_run(
        self,
        attempt: str,
        run: str,
        batch_id: str,
        max_records: int | None = None,
        report: Callable[[WriteOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
        stop_at: StopAt | None = None,
    ) -> list[WriteOutcome]:
        return windows.write_run(
            self.clock,
            plan=lambda passed_over, most: self.plan(most, passed_over=passed_over, stop_at=stop_at),
            waiting=lambda: self._waiting(stop_at),
            write=lambda batch: self.write(attempt, run, batch),
            batch_id=batch_id,
            max_offsets=max_records or self.file.batch.max_records,
            report=report,
        )

    def _waiting(self, stop_at: StopAt | None) -> int:
        """Offsets that a new batch could read."""
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
        report: Callable[[WriteOutcome], None] = lambda outcome: None,
    ) -> list[WriteOutcome]:
        return self.run(jobs.WriteWindow(attempt, run, until, batch_every_s, max_records, batch_id, stop_at), report)

    def backfill(
        self,
        attempt: str,
        run: str,
        interval: Sequence[OffsetRange] | None,
        report: Callable[[WriteOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
    ) -> list[WriteOutcome]:
        return self.run(jobs.Backfill(attempt, run, None if interval is None else tuple(interval)), report)

    def replace(
        self,
        span: Span,
        who: str,
        why: str,
        report: Callable[[CommitOutcome], None] = lambda outcome: None,
    ) -> list[CommitOutcome]:
        return self.run(jobs.Replace(span, who, why), report)

    def commit_window(
        self,
        tables: Sequence[str],
        until: datetime,
        now: Collection[str] | bool = False,
        report: Callable[[CommitOutcome], None] = lambda outcome: logger.info("%s", outcome.line),
        share: CommitShare | None = None,
    ) -> list[CommitOutcome]:
        """`commit` repeatedly until *until*; only commits that succeeded are reported."""
        return windows.commit_window(
            lambda: self.committer,
            self.clock,
            lambda: self._and_shared(tables, now, share),
            until=until,
            writing=lambda: self._still_writing(until),
            now=lambda table: _holds(now, table),
            report=report,
        )

    def commit(
        self,
        tables: Sequence[str],
        now: Collection[str] | bool = False,
        report: Callable[[CommitOutcome], None] = lambda outcome: None,
        share: CommitShare | None = None,
    ) -> list[CommitOutcome]:
        """Commit each of *tables* and a *share* of the routed ones; an error in one does not stop the others.

        The first error is raised after them. *now* names tables to commit before they are due (True: all). *report* is
        called with each outcome immediately.
        """
        outcomes: list[CommitOutcome] = []
        faults: list[Exception] = []
        seen: set[str] = set()
        began_s = self.clock.monotonic()
        # Others become overdue while this task commits.
        while left := [t for t in self._and_shared(tables, now, share, seen) if t not in seen]:
            committer = self.committer.expecting(left)
            for table in left:
                try:
                    outcomes += committer.commit(table, now=_holds(now, table), report=report)
                except Exception as fault:
                    if faults:
                        logger.error("%s", fault)
                    faults.append(fault)
            seen |= set(left)
            if share is None or self.clock.monotonic() - began_s < LOOK_AGAIN_AFTER_S:
                break
        if faults:
            raise faults[0]
        return outcomes

    def cut(self) -> CutStatus | None:
        """The consistent cut, as the log last had it; None without routes, and before the first one."""
        name = self.file.dead_letter_table
        return cut_status(self.log.ledgers(self.file.name, [name]).get(name)) if self.file.route else None

    def publish(self) -> str:
        if self.file.route is None:
            # Without its route, the offsets would be those of its entries alone, and could go back.
            planning.refuse_other_tables(self.file, self.log)
            names = [t.name for t in self.file.tables]
            return publishing.publish(self.log, self.broker, self.file.name, names, self.file.group)
        marked = marking.mark(self.steps, time.sleep)
        line = publishing.publish(self.log, self.broker, self.file.name, (), self.file.group, is_routed=True)
        return f"{line}; {marked}" if marked else line

    def waiting_for_hours(self, reported: Mapping[str, datetime | None]) -> list[str]:
        """Tables that may have complete hours after the last one reported (*reported*); uses only the write-ahead log."""
        lateness = self.file.publish.max_lateness
        if lateness is None:
            return []
        return [t.name for t in hours_of_tables.waiting(self.pipeline, self.log, lateness, reported)]

    def complete_hours(self, reported: Mapping[str, datetime | None]) -> list[CompleteHours]:
        lateness = self.file.publish.max_lateness
        if lateness is None:
            return []
        return hours_of_tables.complete_hours(self.pipeline, self.log, self.broker, self.tables, lateness, reported)

    def compact(self, table: str) -> CompactOutcome:
        (outcome,) = self.run(jobs.Compact(table))
        return outcome

    def _and_shared(
        self,
        tables: Sequence[str],
        now: Collection[str] | bool,
        share: CommitShare | None,
        passed_over: Collection[str] = (),
    ) -> list[str]:
        """*tables*, and tables with staged parts that no file names: routed ones of *share*.

        Together with the dead-letter table, also those that are no longer in the file.
        """
        and_removed = self.file.dead_letter_table in tables
        if share is None and not and_removed:
            return list(tables)
        in_file = {*(t.name for t in self.file.tables), self.file.dead_letter_table}
        staged = {t: s for t, s in self.log.staged_tables(self.file.name).items() if t not in in_file}
        unsettled = [t for t in self.log.unsettled(self.file.name) if t not in in_file] if share else []
        routed = {t for t, s in staged.items() if s.is_routed and self.file.route is not None}
        if unsettled:
            routed |= self.steps.routed(unsettled).keys()
        shared: list[str] = []
        if share is not None:
            shared = to_commit(
                {t: s for t, s in staged.items() if t in routed},
                share,
                min_bytes=self.file.commit.min_bytes,
                max_latency_s=self.file.commit.max_latency_s,
                unsettled=[t for t in unsettled if t in routed],
                now=lambda table: _holds(now, table),
                passed_over=passed_over,
            )
        removed = existing(self.steps, [t for t in staged if t not in routed]) if and_removed else []
        return [*tables, *(t for t in shared if t not in tables), *removed]

    def _first_run_of_the_hour(self) -> bool:
        """Whether to publish group offsets even if nothing changed: those of idle topics expire after days."""
        now = self.clock.now()
        period = self.file.schedule.period or timedelta(minutes=5)
        return (now - period).replace(minute=0, second=0, microsecond=0) != now.replace(
            minute=0, second=0, microsecond=0
        )


def _holds(now: Collection[str] | bool, table: str) -> bool:
    return now if isinstance(now, bool) else table in now


@contextmanager
def open_pipeline(resolved: Mapping[str, object], resolve: Connections) -> Iterator[Runtime]:
    with closing(Runtime(Pipeline.from_resolved(resolved), resolve)) as runtime:
        yield runtime
