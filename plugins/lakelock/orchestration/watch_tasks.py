"""The task of the DAG `lakelock_watch`: look at every pipeline and notify its recipients."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from airflow.sdk import Variable, get_current_context
from airflow.sdk.api.datamodels._generated import DagRunState
from airflow.sdk.exceptions import AirflowFailException
from airflow.sdk.execution_time import task_runner
from airflow.sdk.execution_time.comms import DagResult, GetDag, GetPreviousDagRun, PreviousDagRunResult
from airflow.sdk.observability import stats

from lakelock.adapters.airflow.connections import from_airflow
from lakelock.app.runtime import Runtime
from lakelock.config import BrokenPipeline, Pipeline, load_folder, planned_dags
from lakelock.config.alert_sections import Notify
from lakelock.monitor import incidents
from lakelock.monitor.alerts import EndedRun, Runs
from lakelock.monitor.incidents import Incident, IncidentKind, Open
from lakelock.monitor.status import PipelineStatus
from lakelock.monitor.watch import WatchResult
from lakelock.monitor.watch import watch as watch_once
from lakelock.orchestration.notifiers import NOTIFIER_S, Send, notifier, within

logger = logging.getLogger(__name__)

# Open incidents of all pipelines, in Airflow's database: they must be known while Postgres or Kafka does not answer.
STATE = "lakelock_watch"
AT_ONCE = 8
# The recipient that a red run stands for.
RUN = "run"

State = dict[str, dict[IncidentKind, Open]]
Watched = tuple[list[Incident], PipelineStatus | None]


def watch(folder: Path) -> None:
    """Watch all pipelines. Raises AirflowFailException for incidents that began and for notifications that failed."""
    context = get_current_context()
    state, red = _state(), []
    found = load_folder(folder)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        views = pool.map(lambda p: _watched(p, state.get(p.name, {})), found)
        # One pipeline at a time: an error or the end of this run must not hold up notifications about earlier ones.
        for pipeline, (now, status) in zip(found, views, strict=True):
            if status is not None:
                _measure(status)
            standing = incidents.after(
                state.get(pipeline.name, {}), now, datetime.now(UTC).isoformat(timespec="seconds")
            )
            standing, lines = _notified(context, pipeline, standing)
            red += lines
            _keep(state, pipeline.name, standing)
    for name in set(state) - {p.name for p in found}:
        logger.info("%s: its pipeline file is gone; removed its incidents", name)
        _keep(state, name, {})
    if red:
        raise AirflowFailException("\n".join(red))


def _watched(pipeline: Pipeline | BrokenPipeline, before: Mapping[IncidentKind, Open]) -> Watched:
    if isinstance(pipeline, BrokenPipeline):
        return incidents.blind(Incident(IncidentKind.FILE, pipeline.message), before), None
    runs = _runs(planned_dags.ingest(pipeline).dag_id)
    every = planned_dags.watch(os.environ).every
    late, changes = before.get(IncidentKind.LAG), before.get(IncidentKind.SCHEMA)
    recipients = [RUN, *_notifiers(pipeline)]

    def read() -> WatchResult | None:
        # The file as it is now: a batch's stored configuration has no alerts.
        with closing(Runtime(pipeline, from_airflow)) as runtime:
            return runtime.see(
                watch_every_s=every.total_seconds() if every else 0.0,
                is_paused=runs.is_paused if runs else None,
                is_late=late is not None and not late.over,
                reported_changes=changes.line if changes is not None and changes.has_reached(recipients) else "",
            )

    return watch_once(pipeline, read, runs, before)


def _runs(dag_id: str) -> Runs | None:
    """Runs with a logical date, as scheduled ones have. None if Airflow does not know the DAG or does not answer."""
    try:
        dag = task_runner.SUPERVISOR_COMMS.send(GetDag(dag_id=dag_id))
        failed, good = _last(dag_id, DagRunState.FAILED), _last(dag_id, DagRunState.SUCCESS)
    except Exception as fault:
        # It concerns this pipeline alone, and the others are still looked at.
        logger.warning("cannot read the runs of %s: %s", dag_id, fault)
        return None
    is_paused = isinstance(dag, DagResult) and dag.is_paused
    return Runs(is_paused, failed if failed and not (good and good.ended_at > failed.ended_at) else None)


def _last(dag_id: str, state: DagRunState) -> EndedRun | None:
    request = GetPreviousDagRun(dag_id=dag_id, logical_date=datetime.max.replace(tzinfo=UTC), state=state.value)
    found = task_runner.SUPERVISOR_COMMS.send(request)
    run = found.dag_run if isinstance(found, PreviousDagRunResult) else None
    return EndedRun(run.run_id, run.end_date) if run and run.end_date else None


def _notified(
    context: Any, pipeline: Pipeline | BrokenPipeline, standing: Mapping[IncidentKind, Open]
) -> tuple[dict[IncidentKind, Open], list[str]]:
    """*standing* after all notifications that were possible, and the lines that make the run red."""
    name, lines, out = pipeline.name, [], dict(standing)
    recipients: dict[str, Send] = {RUN: lambda given: None}
    notifiers = _notifiers(pipeline)
    for recipient, notify in notifiers.items():
        try:
            recipients[recipient] = notifier(notify.notifier, notify.arguments)
        except Exception as error:
            lines.append(f"{name}: {notify.notifier} cannot be used: {type(error).__name__}: {error}")
            logger.exception("%s", lines[-1])
    for kind, incident in standing.items():
        since = f" (since {incident.since})" if incident.over else ""
        message = f"{name}: {'over: ' if incident.over else ''}{kind}: {incident.line}{since}"
        for recipient in incident.to_notify(list(recipients)):
            given = {"message": message, "pipeline": name, "kind": kind.value, "began": not incident.over}
            try:
                within(NOTIFIER_S, recipients[recipient], {**context, "lakelock": given})
            except Exception as error:
                lines.append(f"{name}: {recipient} failed to notify: {type(error).__name__}: {error}")
                logger.exception("%s", lines[-1])
                continue
            out[kind] = out[kind].notifying(recipient)
            if recipient == RUN:
                logger.log(logging.INFO if incident.over else logging.ERROR, "%s", message)
                lines += [] if incident.over else [message]
    # Recipients that are no longer configured need not know that it is over.
    return {k: o for k, o in out.items() if not o.over or {RUN, *notifiers}.intersection(o.notified)}, lines


def _notifiers(pipeline: Pipeline | BrokenPipeline) -> dict[str, Notify]:
    """By the name of the recipient."""
    found = pipeline.alerts.notify if isinstance(pipeline, Pipeline) else ()
    return {f"{n} {notify.notifier}": notify for n, notify in enumerate(found)}


def _state() -> State:
    kept: Mapping[str, Mapping[str, Mapping[str, Any]]] = Variable.get(STATE, default={}, deserialize_json=True)
    known = {k.value for k in IncidentKind}
    return {name: {IncidentKind(k): Open.of_json(o) for k, o in of.items() if k in known} for name, of in kept.items()}


def _keep(state: State, name: str, now: Mapping[IncidentKind, Open]) -> None:
    """Save at once after a notification, so that a run that dies repeats at most one pipeline's notifications."""
    if state.get(name, {}) == dict(now):
        return
    state.pop(name, None)
    if now:
        state[name] = dict(now)
    Variable.set(STATE, {n: {k.value: o.json() for k, o in of.items()} for n, of in state.items()}, serialize_json=True)


def _measure(status: PipelineStatus) -> None:
    tags = {"pipeline": status.pipeline}
    lags = [s.lag_s for s in status.sources if s.lag_s is not None]
    left = [s.retention_left_s for s in status.sources if s.retention_left_s is not None]
    stats.gauge("lakelock.lag_offsets", status.lag_offsets, tags=tags)
    if lags:
        stats.gauge("lakelock.lag_seconds", max(lags), tags=tags)
    if left:
        stats.gauge("lakelock.retention_left_seconds", min(left), tags=tags)
    logger.info("%s: %s", status.pipeline, _line(status.lag_offsets, lags, left))
    if status.cut:
        stats.gauge("lakelock.tables_behind", len(status.cut.behind), tags=tags)
        logger.info("%s: %s", status.pipeline, status.cut.line)


def _line(lag_offsets: int, lags: Sequence[float], left: Sequence[float]) -> str:
    parts = [f"{lag_offsets} offsets behind"]
    parts += [f"the oldest record {max(lags):.0f} s old"] if lags and max(lags) else []
    parts += [f"Kafka keeps it for {min(left):.0f} s more"] if left else []
    return ", ".join(parts)
