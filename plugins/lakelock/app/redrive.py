"""Redrives on Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lakelock.adapters.spark.redrive import SparkRedriver
from lakelock.adapters.spark.staged_task import Halves
from lakelock.app.evaluation import outcomes_of
from lakelock.app.jobs import Job
from lakelock.app.servers import Servers, SparkServer
from lakelock.config.described_tables import described_tables
from lakelock.model.batches import NO_TABLE
from lakelock.ports.redrive_jobs import LettersToRoute, RedriveOrder, RedriveOutput, Redriver, RoutedLetters
from lakelock.records.routing.predicates import Predicates
from lakelock.redrive.redrive_preview import ApprovedDeadLetters, RedriveOutcome, RedrivePlan, RedriveRequest
from lakelock.workers.redrive import read_dead_letters_with_rows, redrive_dead_letters, write_dead_letters
from lakelock.workers.redrive_routing import route_dead_letters

if TYPE_CHECKING:
    from lakelock.app.runtime import Runtime

_HALVES: Halves[RedriveOrder, RedriveOutput] = Halves(
    read_dead_letters_with_rows, write_dead_letters, lambda order: (order.target,)
)
REDRIVER: SparkServer[Redriver] = SparkServer(
    "redriver", lambda session: SparkRedriver(session, redrive_dead_letters, halves=_HALVES), lane="redrive"
)


def route_letters(servers: Servers, order: LettersToRoute) -> RoutedLetters:
    """Spark evaluates predicates of rules."""
    predicates = Predicates.of(order.router)
    return route_dead_letters(order, outcomes_of(servers, predicates) if predicates is not None else None)


@dataclass(frozen=True, slots=True)
class PreviewRedrive(Job[RedrivePlan]):
    """Preview a redrive: only expressions, and predicates of rules, need Spark."""

    request: RedriveRequest
    outcome = RedrivePlan
    server = REDRIVER

    def run(self, runtime: Runtime, report: Callable[[RedrivePlan], None]) -> None:
        runtime.refresh_tables()
        report(runtime.redrives.preview(self.request))

    def without_spark(self, runtime: Runtime) -> list[RedrivePlan] | None:
        routes_letters = self.request.table in {None, NO_TABLE} and Predicates.of(runtime.pipeline.router) is not None
        if routes_letters or any(t.expressions for _, t in described_tables(runtime.pipeline)):
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
