"""Redrives on Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lakelock.adapters.spark.redrive import SparkRedriver
from lakelock.app.jobs import Job
from lakelock.app.servers import SparkServer
from lakelock.ports.redrive_jobs import Redriver
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedriveRequest
from lakelock.workers.redrive import redrive_dead_letters

if TYPE_CHECKING:
    from lakelock.app.runtime import Runtime

REDRIVER: SparkServer[Redriver] = SparkServer(
    "redriver", lambda session: SparkRedriver(session, redrive_dead_letters), lane="redrive"
)


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
        runtime.redrives.redrive(self.request, self.who, self.why, self.shown, report)
