"""Which DAGs the pipeline files make: the DAG files build just these, and `check` lists them. Nothing of Airflow is imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from lakelock.config.loading import BrokenPipeline
from lakelock.config.model import Pipeline
from lakelock.model.units import format_duration, parse_duration

WATCH_ID = "lakelock_watch"
WATCH_EVERY = "LAKELOCK_WATCH_EVERY"
# How often the DAG of a broken file fails, so that operators who watch runs see it.
BROKEN_PERIOD = timedelta(minutes=15)
MAX_COMMIT_TASKS = 16
# They share routed tables, which are not known when a DAG is made.
ROUTED_COMMIT_TASKS = 4
# A cron expression is followed as long as this, or for so many runs.
CRON_SPAN, CRON_RUNS = timedelta(days=366), 2000
# Commit tasks of a window hold their worker slot until it ends.
MAX_COMMIT_TASKS_IN_WINDOW = 2


@dataclass(frozen=True, slots=True)
class PlannedDag:
    """`every` or `cron` starts its runs; with neither it runs when it is triggered. *interval* is how much time each run of a
    backfill is given; where it is None there are no backfills."""

    dag_id: str
    purpose: str
    every: timedelta | None = None
    cron: str | None = None
    timezone: str = "UTC"
    interval: timedelta | None = None

    @property
    def schedule(self) -> str:
        """As a person reads it."""
        if self.every is not None:
            return f"every {format_duration(self.every)}"
        if self.cron is not None:
            return f"{self.cron} ({self.timezone})"
        return (
            "when triggered"
            if self.interval is None
            else f"when triggered, or backfilled by {format_duration(self.interval)}"
        )


def prefix(kind: str) -> str:
    """What the id of each DAG of this kind begins with; the pipeline's name follows."""
    return f"{kind}__"


def ingest(pipeline: Pipeline) -> PlannedDag:
    schedule = pipeline.schedule
    purpose = "moves new records of the topics into the tables"
    return PlannedDag(f"{prefix('ingest')}{pipeline.name}", purpose, schedule.period, schedule.cron, schedule.timezone)


def backfill(pipeline: Pipeline) -> PlannedDag:
    purpose = "loads records that tables lack: older than their start, skipped, or accepted as lost"
    return PlannedDag(f"{prefix('backfill')}{pipeline.name}", purpose, interval=pipeline.backfill.interval)


def rollback(pipeline: Pipeline) -> PlannedDag:
    return PlannedDag(
        f"{prefix('rollback')}{pipeline.name}", "rolls a table back to an earlier snapshot, after approval"
    )


def recover(pipeline: Pipeline) -> PlannedDag:
    purpose = "reconciles tables and write-ahead log, or records a decision, after approval"
    return PlannedDag(f"{prefix('recover')}{pipeline.name}", purpose)


def maintain(pipeline: Pipeline) -> PlannedDag:
    first = "applies the file, " if pipeline.maintenance.apply else ""
    purpose = f"{first}compacts, expires snapshots, rewrites manifests, deletes orphans, then audits"
    return PlannedDag(f"{prefix('maintain')}{pipeline.name}", purpose, pipeline.maintenance.every)


OF_EACH: Mapping[str, Callable[[Pipeline], PlannedDag]] = {
    "ingest": ingest,
    "backfill": backfill,
    "rollback": rollback,
    "recover": recover,
    "maintain": maintain,
}


def broken(file: BrokenPipeline) -> PlannedDag:
    name = re.sub(r"[^\w.-]", "_", file.name, flags=re.ASCII)
    return PlannedDag(
        f"{prefix('ingest')}{name}", "fails with the errors in its file until you fix them", BROKEN_PERIOD
    )


def watch(environment: Mapping[str, str]) -> PlannedDag:
    """The one DAG that is not a pipeline's own."""
    every = parse_duration(environment.get(WATCH_EVERY, "5m"))
    return PlannedDag(WATCH_ID, "measures all pipelines and reports each incident once", every)


def rhythm(pipeline: Pipeline) -> tuple[timedelta, timedelta]:
    """The time between two batches of a pipeline that keeps up: as it is mostly, and at the longest."""
    schedule = pipeline.schedule
    if schedule.cron is None or schedule.batch_every is not None:
        every = schedule.batch_every or schedule.every or timedelta(minutes=5)
        return every, every
    times = sorted(after - before for before, after in pairwise(cron_runs(schedule.cron)))
    return times[len(times) // 2], times[-1]


def cron_runs(expression: str) -> list[datetime]:
    """The moments of a year, or as many as show how often they come; the first is no run, but where the year begins."""
    from croniter import croniter  # type: ignore[import-untyped]

    out = [datetime(2025, 1, 1, tzinfo=UTC)]
    runs = croniter(expression, out[0])
    while len(out) <= CRON_RUNS and out[-1] - out[0] < CRON_SPAN:
        out.append(runs.get_next(datetime))
    return out


def commit_groups(pipeline: Pipeline) -> list[list[str]]:
    """Tables of the file per commit task: one each as far as tasks go; the dead-letter table goes with the first.

    With `route`, each task also commits a share of the routed tables.
    """
    limit = MAX_COMMIT_TASKS_IN_WINDOW if pipeline.schedule.batch_every else MAX_COMMIT_TASKS
    names = [t.name for t in pipeline.tables]
    wanted = max(len(names), ROUTED_COMMIT_TASKS if pipeline.route else 0)
    groups = [names[i::limit] for i in range(min(limit, wanted))]
    groups[0].append(pipeline.dead_letter_table)
    return groups


def window_slots(pipeline: Pipeline) -> int:
    """Worker slots that a window holds from its first minute to its last: `write` and the commit tasks beside it."""
    return 1 + len(commit_groups(pipeline)) if pipeline.schedule.batch_every else 0


def planned(found: Sequence[Pipeline | BrokenPipeline]) -> list[PlannedDag]:
    """Every DAG of these files, in their order."""
    out: list[PlannedDag] = []
    for one in found:
        out += [broken(one)] if isinstance(one, BrokenPipeline) else [plan(one) for plan in OF_EACH.values()]
    return out
