"""Forecast a pipeline file: its DAGs, the effects of an edit, and the cost of a day. Writes nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass

from lakelock.adapters.wal.check_queries import read_past
from lakelock.app.runtime import Runtime
from lakelock.check.config_diff import Effect, Now, effects
from lakelock.check.day_cost import DAY_S, DayCost, Rhythm, day_cost
from lakelock.config import Pipeline
from lakelock.config import planned_dags as dags
from lakelock.config.planned_dags import PlannedDag
from lakelock.errors import LakelockError
from lakelock.model.offsets import Source
from lakelock.model.past import PastLoad, PastPipeline


@dataclass(frozen=True, slots=True)
class Foresight:
    """One file's forecast. `effects` is None if the log cannot be read; `is_first` if it lacks the pipeline."""

    pipeline: str
    dags: tuple[PlannedDag, ...]
    effects: tuple[Effect, ...] | None
    is_first: bool
    cost: DayCost


def foresee(runtime: Runtime, usable: Collection[str]) -> Foresight:
    """Make the forecast; only the *usable* servers, those that answered their checks, are used."""
    pipeline = runtime.file
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
    """The cost of a day without the dead-letter table, whose records cannot be predicted."""
    batch_every, commit = pipeline.schedule.batch_every, pipeline.commit
    return day_cost(
        Rhythm(period_s(dags.ingest(pipeline)), batch_every.total_seconds() if batch_every else None),
        [t.name for t in pipeline.tables],
        marked=pipeline.dead_letter_table if pipeline.route else None,
        mark_every_s=pipeline.route.mark_every_s if pipeline.route else DAY_S,
        max_latency_s=commit.max_latency_s,
        min_bytes=commit.min_bytes,
        keep_snapshots=commit.keep_snapshots,
        commit_tasks=len(dags.commit_groups(pipeline)),
        catalog_is_http=catalog_is_http,
        seen=seen,
    )


def period_s(dag: PlannedDag) -> float:
    """Mean time between the runs of a scheduled DAG."""
    if dag.every is not None:
        return dag.every.total_seconds()
    began, *runs = dags.cron_runs(dag.cron or "")
    return (runs[-1] - began).total_seconds() / len(runs)


def _as_today(known: PastPipeline) -> PastPipeline:
    """*known* with all defaults of this release written out, as in the file's own configuration."""
    if known.before is None:
        return known
    return dataclasses.replace(known, before=Pipeline.from_resolved(known.before).resolved())


def _is_http(runtime: Runtime) -> bool:
    """Whether the catalog is behind HTTP; False, the higher cost, if its connection is wrong.

    The catalog's own check reports that.
    """
    try:
        return runtime.catalog[1].get("type") == "rest"
    except LakelockError:
        return False


def _found(runtime: Runtime) -> dict[Source, int | None] | None:
    """Sources with their starts; None if the next plan stops, for a reason that the check of the records reports."""
    from lakelock.ingest.plan import survey

    try:
        _, starts, spans = survey(runtime.file, runtime.log, runtime.broker)
    except LakelockError:
        return None
    return {source: starts.get(source) for source in spans}
