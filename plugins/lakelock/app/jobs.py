"""Jobs: Spark work that runs in this process over Spark Connect, or in a driver of spark-submit.

A job is a frozen dataclass. The driver gets its fields and returns its outcomes, both as JSON according to their types.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic import TypeAdapter

from lakelock.app.servers import COPIER, WRITER, SparkServer, new_id
from lakelock.backfill import backfill_batches as backfills
from lakelock.backfill.span import Span
from lakelock.errors import LakelockError, from_fields
from lakelock.ingest import window as windows
from lakelock.ingest import write as writing
from lakelock.ingest.outcome import CommitOutcome, WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.batches import BACKFILL
from lakelock.model.offsets import OffsetRange
from lakelock.upkeep.compact import CompactOutcome

if TYPE_CHECKING:
    from lakelock.app.runtime import Runtime

T = TypeVar("T")


class Job(ABC, Generic[T]):
    """One kind of Spark work for a pipeline.

    `outcome` is the type of its reports; `server` is the server that it first needs of Spark.
    """

    outcome: ClassVar[type[Any]]
    server: ClassVar[SparkServer[Any]] = WRITER

    @abstractmethod
    def run(self, runtime: Runtime, report: Callable[[T], None]) -> None:
        """Run in this process, and report each outcome as soon as it is certain, before any error is raised."""

    def without_spark(self, runtime: Runtime) -> list[T] | None:
        """The outcomes if nothing is due; None if only a driver can find out."""
        return None


@dataclass(frozen=True, slots=True)
class Write(Job[WriteOutcome]):
    """Write one planned batch."""

    attempt: str
    run_id: str
    batch_id: str
    outcome = WriteOutcome

    def run(self, runtime: Runtime, report: Callable[[WriteOutcome], None]) -> None:
        # Only a new table asks for them, perhaps one that is newer than this process.
        definitions = cache(runtime.definitions_now)
        report(
            writing.write(
                runtime.log,
                runtime.tables,
                runtime.writer,
                runtime.kafka_config,
                pipeline_name=runtime.file.name,
                batch_id=self.batch_id,
                attempt=self.attempt,
                run=self.run_id,
                new_id=new_id,
                pause=time.sleep,
                define=lambda *of: definitions().of_batch(*of),
                today=runtime.file,
                keys=runtime.mask_keys,
            )
        )


@dataclass(frozen=True, slots=True)
class WriteWindow(Job[WriteOutcome]):
    """Plan and write batches until *until*, one every *batch_every_s*; the first is *batch_id*, if given."""

    attempt: str
    run_id: str
    until: datetime
    batch_every_s: float
    max_records: int | None = None
    batch_id: str | None = None
    stop_at: StopAt | None = None
    outcome = WriteOutcome

    def run(self, runtime: Runtime, report: Callable[[WriteOutcome], None]) -> None:
        windows.write_window(
            runtime.log,
            runtime.clock,
            runtime.pipeline.name,
            plan=lambda passed_over: runtime.plan(self.max_records, passed_over=passed_over, stop_at=self.stop_at),
            write=lambda batch_id: runtime.write(self.attempt, self.run_id, batch_id),
            reconnect=runtime.forget_session,
            first_batch_id=self.batch_id,
            until=self.until,
            batch_every_s=self.batch_every_s,
            pause=time.sleep,
            report=report,
        )


@dataclass(frozen=True, slots=True)
class Backfill(Job[WriteOutcome]):
    """Write the requested backfills of *interval* (None: all), in a separate session from live batches."""

    attempt: str
    run_id: str
    interval: tuple[OffsetRange, ...] | None = None
    outcome = WriteOutcome

    def run(self, runtime: Runtime, report: Callable[[WriteOutcome], None]) -> None:
        runtime.use_lane(BACKFILL)
        backfills.write_all(
            runtime.log,
            runtime.pipeline.name,
            self.interval,
            lambda batch_id: runtime.write(self.attempt, self.run_id, batch_id),
            report,
        )

    def without_spark(self, runtime: Runtime) -> list[WriteOutcome] | None:
        is_due = backfills.open_batches(runtime.log, runtime.pipeline.name, self.interval)
        return None if is_due else []


@dataclass(frozen=True, slots=True)
class Replace(Job[CommitOutcome]):
    """Read the records of a span again, and replace the rows of each table in one commit."""

    span: Span
    who: str
    why: str
    outcome = CommitOutcome

    def run(self, runtime: Runtime, report: Callable[[CommitOutcome], None]) -> None:
        runtime.use_lane(BACKFILL)
        runtime.replacing.replace(self.span, self.who, self.why, report)


@dataclass(frozen=True, slots=True)
class Compact(Job[CompactOutcome]):
    """Rewrite small data files of one table."""

    table: str
    outcome = CompactOutcome
    server = COPIER

    def run(self, runtime: Runtime, report: Callable[[CompactOutcome], None]) -> None:
        report(runtime.compaction.compact(self.table, runtime.compact_settings))

    def without_spark(self, runtime: Runtime) -> list[CompactOutcome] | None:
        planned = runtime.compaction.preview(self.table, runtime.compact_settings)
        return [planned] if planned.nothing else None


def hand_off(job: Job[Any]) -> dict[str, Any]:
    """*job* as JSON values."""
    kind = type(job)
    name = f"{kind.__module__}:{kind.__name__}"
    return {"class": name, "fields": TypeAdapter(kind).dump_python(job, mode="json")}


def from_hand_off(given: dict[str, Any]) -> Job[Any]:
    """Inverse of `hand_off`."""
    job: Job[Any] = TypeAdapter(resolve_name(given["class"])).validate_python(given["fields"])
    return job


def run_and_pack(job: Job[Any], runtime: Runtime) -> dict[str, Any]:
    """Run *job*; its outcomes as JSON values, and the lakelock error that ended it, if any."""
    outcomes: list[Any] = []
    fault: dict[str, str] | None = None
    try:
        job.run(runtime, outcomes.append)
    except LakelockError as error:
        fault = error.fields
    packed = TypeAdapter(list[job.outcome]).dump_python(outcomes, mode="json")  # type: ignore[name-defined]
    return {"outcomes": packed, "fault": fault}


def unpacked(job: Job[T], given: dict[str, Any], report: Callable[[T], None]) -> list[T]:
    """Unpack the result of `run_and_pack`: report each outcome, then raise the error if there is one."""
    outcomes: list[T] = TypeAdapter(list[job.outcome]).validate_python(given["outcomes"])  # type: ignore[name-defined]
    for outcome in outcomes:
        report(outcome)
    if given["fault"] is not None:
        raise from_fields(given["fault"])
    return outcomes
