"""Redrives on Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lakelock.adapters.spark.redrive import SparkRedriver
from lakelock.adapters.spark.staged_task import Halves
from lakelock.app.jobs import Job
from lakelock.app.servers import SparkServer
from lakelock.config.described_tables import described_tables
from lakelock.ports.redrive_jobs import RedriveOrder, RedriveOutput, Redriver
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedrivePlan, RedriveRequest
from lakelock.workers.redrive import read_dead_letters_with_rows, redrive_dead_letters, write_dead_letters

if TYPE_CHECKING:
    from lakelock.app.runtime import Runtime

_HALVES: Halves[RedriveOrder, RedriveOutput] = Halves(
    read_dead_letters_with_rows, write_dead_letters, lambda order: (order.target,)
)
REDRIVER: SparkServer[Redriver] = SparkServer(
    "redriver", lambda session: SparkRedriver(session, redrive_dead_letters, halves=_HALVES), lane="redrive"
)


@dataclass(frozen=True, slots=True)
class PreviewRedrive(Job[RedrivePlan]):
    """Preview a redrive: only expressions need Spark."""

    request: RedriveRequest
    outcome = RedrivePlan
    server = REDRIVER

    def run(self, runtime: Runtime, report: Callable[[RedrivePlan], None]) -> None:
        runtime.refresh_tables()
        report(runtime.redrives.preview(self.request))

    def without_spark(self, runtime: Runtime) -> list[RedrivePlan] | None:
        if any(t.expressions for _, t in described_tables(runtime.pipeline)):
            return None
        runtime.refresh_tables()
        return [runtime.redrives.preview(self.request)]


@dataclass(frozen=True, slots=True)
class Redrive(Job[RedriveOutcome]):
    """Turn dead letters that fit their table into rows, only those that the operator approved (*shown*)."""

    request: RedriveRequest
    who: str
    why: str
    shown: ApprovedDeadLetters
    outcome = RedriveOutcome
    server = REDRIVER

    def run(self, runtime: Runtime, report: Callable[[RedriveOutcome], None]) -> None:
        runtime.refresh_tables()
        runtime.redrives.redrive(self.request, self.who, self.why, self.shown, report)
