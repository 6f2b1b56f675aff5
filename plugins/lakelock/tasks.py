"""The tasks of an ingest DAG: Airflow's context in, steps called, outcomes out as log lines, asset events and metrics."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from airflow.sdk import Asset, AssetAlias, get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException
from airflow.sdk.observability import stats

from lakelock import dag_parts, hour_events, lineage
from lakelock.adapters.connections import from_airflow
from lakelock.compose import Runtime, open_pipeline
from lakelock.config import Pipeline
from lakelock.core.offsets import merged
from lakelock.core.plan import StopAt
from lakelock.errors import Terminal
from lakelock.steps.outcome import CommitOutcome, WriteOutcome

logger = logging.getLogger(__name__)

# Extras of asset events are rows in Airflow's database: a table with thousands of partitions names the first ones only.
MAX_RANGES_IN_EVENT = 100
# Long enough for write to begin before the commit tasks beside it look whether anybody still writes.
SHORT_WINDOW = timedelta(seconds=30)


def plan(resolved: Mapping[str, Any]) -> list[str]:
    """The tasks that follow: none when there is nothing to do, and in a dry run."""
    context = get_current_context()
    params = context["params"]
    with step(resolved, "plan") as runtime:
        outcome = runtime.plan(params["max_records"], params["dry_run"], stop_at=_stop_at(params))
        logger.info("%s", outcome.line)
        _gauge(resolved, "backlog_offsets", outcome.backlog_offsets)
        if params["dry_run"]:
            return []
        hours = ["hours"] if hour_events.may_be_due(runtime) else []
    if outcome.batch_id is not None:
        context["ti"].xcom_push(key="batch_id", value=outcome.batch_id)
    if runtime.pipeline.schedule.batch_every or outcome.batch_id is not None:
        return ["write", "commit", "publish", *hours]
    if outcome.something_staged:
        return ["commit", "publish", *hours]
    return [*(["publish"] if outcome.publish_due else []), *hours]


def write(resolved: Mapping[str, Any]) -> None:
    """Writes the planned batch, or batch after batch until the window ends."""
    context = get_current_context()
    ti, params = context["ti"], context["params"]
    attempt, run = str(ti.id), f"{ti.dag_id}/{ti.run_id}"
    batch_id = ti.xcom_pull(task_ids="plan", key="batch_id")
    with step(resolved, "write") as runtime:
        batch_every = runtime.pipeline.schedule.batch_every
        if batch_every is None:
            if batch_id is None:
                raise AirflowSkipException("plan of this run planned no batch")
            outcomes = runtime.write_run(attempt, run, batch_id, params["max_records"], stop_at=_stop_at(params))
        else:
            outcomes = runtime.write_window(
                attempt,
                run,
                until=_window_end(context, runtime.pipeline),
                batch_every_s=batch_every.total_seconds(),
                max_records=params["max_records"],
                batch_id=batch_id,
                stop_at=_stop_at(params),
            )
        count_written(resolved, outcomes)


def commit(resolved: Mapping[str, Any], tables: Sequence[str], alias: AssetAlias) -> None:
    """Commits what is due of *tables*; skipped when nothing landed. One asset event per table that got a snapshot."""
    context = get_current_context()
    params = context["params"]
    now = params["commit_now"] or params["commit_tables"] or False
    with step(resolved, "commit") as runtime:
        if runtime.pipeline.schedule.batch_every is None:
            outcomes = runtime.commit(tables, now=now)
            for outcome in outcomes:
                logger.info("%s", outcome.line)
        else:
            outcomes = runtime.commit_window(tables, _window_end(context, runtime.pipeline), now)
        landed = tell_commits(resolved, runtime, outcomes, alias)
    if not landed:
        raise AirflowSkipException("no commit was due")


def tell_commits(
    resolved: Mapping[str, Any], runtime: Runtime, outcomes: Sequence[CommitOutcome], alias: AssetAlias
) -> list[CommitOutcome]:
    """As asset events, metrics and lineage of this task; returns those that landed."""
    context = get_current_context()
    run = f"{context['ti'].dag_id}/{context['ti'].run_id}"
    landed = [o for o in outcomes if o.snapshot_id is not None]
    for table in dict.fromkeys(o.table for o in landed):
        extra = event_extra([o for o in landed if o.table == table], run)
        context["outlet_events"][alias].add(dag_parts.table_asset(runtime.pipeline, table), extra=extra)
        _count(resolved, "rows_committed", extra["rows"], table=table)
        _count(resolved, "commits", sum(o.table == table for o in landed), table=table)
    lineage.report(context, runtime, landed)
    return landed


def publish(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "publish") as runtime:
        logger.info("%s", runtime.publish())


def hours(resolved: Mapping[str, Any], assets: Mapping[str, Asset]) -> None:
    """Tells each hour that is complete in a table and was not told yet; skipped when there is none."""
    context = get_current_context()
    with step(resolved, "hours") as runtime:
        found = {c.table: c for c in runtime.complete_hours(hour_events.told(context, runtime, assets))}
        for complete in found.values():
            logger.info("%s", complete.line)
            _count(resolved, "hours_told", len(complete.hours), table=complete.table)
    if not found:
        raise AirflowSkipException("no hour is complete that was not told")
    hour_events.tell(context, found, assets)


def event_extra(outcomes: Sequence[CommitOutcome], run: str) -> dict[str, Any]:
    """All commits of one table in one run as one event: the last snapshot, the rows and offset ranges of all."""
    by_source: dict[Any, list[tuple[int, int]]] = {}
    for r in (r for outcome in outcomes for r in outcome.ranges):
        by_source.setdefault(r.source, []).append((r.start, r.end))
    ranges = [
        {"topic": source.topic, "partition": source.partition, "start": start, "end": end}
        for source, intervals in sorted(by_source.items())
        for start, end in merged(intervals)
    ]
    return {
        "table": outcomes[-1].table,
        "snapshot_id": outcomes[-1].snapshot_id,
        "rows": sum(o.rows for o in outcomes),
        "ranges": ranges[:MAX_RANGES_IN_EVENT],
        "ranges_omitted": max(0, len(ranges) - MAX_RANGES_IN_EVENT),
        "run": run,
    }


def _window_end(context: Any, pipeline: Pipeline) -> datetime:
    """When the next run is due; a run that was not scheduled has a short window. The same in every task of a run."""
    dag_run, period = context["dag_run"], pipeline.schedule.period
    if dag_run.run_type == "scheduled" and period is not None:
        end: datetime = dag_run.run_after + period
    else:
        end = (dag_run.start_date or dag_run.run_after) + max(
            SHORT_WINDOW, pipeline.schedule.batch_every or SHORT_WINDOW
        )
    return end


def _stop_at(params: Mapping[str, Any]) -> StopAt | None:
    time, offsets = params["stop_at_time"], params["stop_at_offsets"]
    return StopAt.of_json({"time": time, "offsets": offsets or {}}) if time or offsets else None


@contextmanager
def step(resolved: Mapping[str, Any], name: str) -> Iterator[Runtime]:
    """A step's runtime, its duration as a metric, and errors that no retry can help as failures at once."""
    started = time.monotonic()
    try:
        with open_pipeline(resolved, from_airflow) as runtime:
            yield runtime
    except Terminal as fault:
        raise AirflowFailException(f"{type(fault).__name__}: {fault}") from fault
    finally:
        milliseconds = (time.monotonic() - started) * 1000
        stats.timing(f"lakelock.{name}.duration", milliseconds, tags={"pipeline": str(resolved["name"])})


def who(context: Any) -> str:
    """Whoever answered the approval, else whoever triggered the run."""
    answer = context["ti"].xcom_pull(task_ids="approve") or {}
    responder = answer.get("responded_by_user") or {}
    return str(responder.get("name") or asker(context))


def asker(context: Any) -> str:
    """Whoever triggered the run, or the run itself."""
    run = context["dag_run"]
    return str(getattr(run, "triggering_user_name", None) or run.run_id)


def count_written(resolved: Mapping[str, Any], outcomes: Sequence[WriteOutcome]) -> None:
    _count(resolved, "batches_written", len(outcomes))
    _count(resolved, "records_read", sum(o.read for o in outcomes))
    _count(resolved, "rows_written", sum(o.rows for o in outcomes))
    _count(resolved, "dead_letters", sum(o.dead for o in outcomes))
    _count(resolved, "files_written", sum(o.files for o in outcomes))
    _count(resolved, "bytes_written", sum(o.size_bytes for o in outcomes))


def _count(resolved: Mapping[str, Any], name: str, count: int, **tags: str) -> None:
    stats.incr(f"lakelock.{name}", count, tags={"pipeline": str(resolved["name"]), **tags})


def _gauge(resolved: Mapping[str, Any], name: str, value: float) -> None:
    stats.gauge(f"lakelock.{name}", value, tags={"pipeline": str(resolved["name"])})
