"""What a pipeline file will make: its DAGs, what an edit of it does, what a day of it costs. Writes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass

from lakelock.adapters.wal.check_queries import read_past
from lakelock.app.runtime import Runtime
from lakelock.check.config_diff import Effect, Now, effects
from lakelock.check.day_cost import DayCost, Rhythm, day_cost
from lakelock.config import Pipeline
from lakelock.config import planned_dags as dags
from lakelock.config.planned_dags import PlannedDag
from lakelock.errors import LakelockError
from lakelock.model.offsets import Source
from lakelock.model.past import PastLoad, PastPipeline


@dataclass(frozen=True, slots=True)
class Foresight:
    """One file's. `effects` is None where the log could not be read; `is_first` where the log knows nothing of the pipeline."""

    pipeline: str
    dags: tuple[PlannedDag, ...]
    effects: tuple[Effect, ...] | None
    is_first: bool
    cost: DayCost


def foresee(runtime: Runtime, usable: Collection[str]) -> Foresight:
    """*usable* are the servers that were found in order: those that were not are not asked again."""
    pipeline = runtime.pipeline
    known, seen = None, PastLoad()
    if "Postgres" in usable:
        known, seen = read_past(runtime.wal_dsn, pipeline.name)
    found = _found(runtime) if {"Postgres", "Kafka"} <= set(usable) else None
    return Foresight(
        pipeline.name,
        tuple(dags.planned([pipeline])),
        None if known is None else tuple(effects(_as_today(known), Now(pipeline.resolved(), found))),
        known is not None and known.before is None and not known.streams,
        cost_of(pipeline, _is_http(runtime), seen),
    )


def cost_of(pipeline: Pipeline, catalog_is_http: bool, seen: PastLoad) -> DayCost:
    """The dead-letter table costs what it gets, which nobody can foresee: it is left out."""
    batch_every, commit = pipeline.schedule.batch_every, pipeline.commit
    return day_cost(
        Rhythm(period_s(dags.ingest(pipeline)), batch_every.total_seconds() if batch_every else None),
        [t.name for t in pipeline.tables],
        max_latency_s=commit.max_latency_s,
        min_bytes=commit.min_bytes,
        keep_snapshots=commit.keep_snapshots,
        commit_tasks=len(dags.commit_groups(pipeline)),
        catalog_is_http=catalog_is_http,
        seen=seen,
    )


def period_s(dag: PlannedDag) -> float:
    """The mean time between the runs of a DAG that has a schedule."""
    if dag.every is not None:
        return dag.every.total_seconds()
    began, *runs = dags.cron_runs(dag.cron or "")
    return (runs[-1] - began).total_seconds() / len(runs)


def _as_today(known: PastPipeline) -> PastPipeline:
    """With every default that this release has written out, as the file's own configuration has them."""
    if known.before is None:
        return known
    return dataclasses.replace(known, before=Pipeline.from_resolved(known.before).resolved())


def _is_http(runtime: Runtime) -> bool:
    """A connection that is wrong was told of by its own check; without it the greater cost is shown."""
    try:
        return runtime.catalog[1].get("type") == "rest"
    except LakelockError:
        return False


def _found(runtime: Runtime) -> dict[Source, int | None] | None:
    """None where the next plan stops: the check of the records says why."""
    from lakelock.ingest.plan import survey

    try:
        _, starts, spans = survey(runtime.pipeline, runtime.log, runtime.broker)
    except LakelockError:
        return None
    return {source: starts.get(source) for source in spans}
