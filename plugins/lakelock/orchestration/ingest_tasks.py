"""The tasks of an ingest DAG: they call the steps and turn outcomes into log lines, asset events and metrics."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Thread
from typing import Any

from airflow.sdk import Asset, AssetAlias, get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from lakelock.adapters.airflow.connections import from_airflow
from lakelock.app.runtime import Runtime, open_pipeline
from lakelock.config import Pipeline
from lakelock.config.planned_dags import commit_groups
from lakelock.errors import JobCancelled, LakelockError, RunRefused, Terminal
from lakelock.ingest.commit_share import CommitShare
from lakelock.ingest.outcome import WriteOutcome
from lakelock.ingest.plan_decision import StopAt
from lakelock.model.run_names import check_names
from lakelock.orchestration import cut_events, hour_events, metrics
from lakelock.orchestration.events import landing, report_left

logger = logging.getLogger(__name__)

# Long enough for write to begin before the commit tasks beside it check whether a task still writes.
SHORT_WINDOW = timedelta(seconds=30)
REFUSED = "refused"


def plan(resolved: Mapping[str, Any]) -> list[str]:
    """The tasks to run next: none if there is nothing to do, or in a dry run."""
    context = get_current_context()
    params = context["params"]
    try:
        with step(resolved, "plan") as runtime:
            outcome = runtime.plan(params["max_records"], params["dry_run"], stop_at=_stop_at(params))
            logger.info("%s", outcome.line)
            metrics.gauge(resolved, "backlog_offsets", outcome.backlog_offsets)
            if params["dry_run"]:
                return []
            hours = ["hours"] if hour_events.may_be_due(runtime) else []
    except AirflowFailException as failure:
        if isinstance(failure.__cause__, RunRefused):
            context["ti"].xcom_push(key=REFUSED, value=True)
        raise
    if outcome.batch_id is not None:
        context["ti"].xcom_push(key="batch_id", value=outcome.batch_id)
    if runtime.file.schedule.batch_every or outcome.batch_id is not None:
        return ["write", "commit", "publish", *hours]
    if outcome.something_staged:
        return ["commit", "publish", *hours]
    return [*(["publish"] if outcome.publish_due else []), *hours]


def write(resolved: Mapping[str, Any]) -> None:
    """Write the planned batch, or batch after batch until the window ends."""
    context = _acting()
    ti, params = context["ti"], context["params"]
    attempt, run = str(ti.id), f"{ti.dag_id}/{ti.run_id}"
    batch_id = ti.xcom_pull(task_ids="plan", key="batch_id")
    with step(resolved, "write") as runtime:
        batch_every = runtime.file.schedule.batch_every
        if batch_every is not None:
            runtime.catalog_pace.tasks = _tasks_at_once(runtime.file)
        if batch_every is None:
            if batch_id is None:
                raise AirflowSkipException("this run planned no batch")
            runtime.write_run(
                attempt, run, batch_id, params["max_records"], stop_at=_stop_at(params), report=written(resolved)
            )
        else:
            runtime.write_window(
                attempt,
                run,
                until=_window_end(context, runtime.file),
                batch_every_s=batch_every.total_seconds(),
                max_records=params["max_records"],
                batch_id=batch_id,
                stop_at=_stop_at(params),
                report=lambda outcome: metrics.count_written(resolved, outcome),
            )


def _tasks_at_once(file: Pipeline) -> int:
    """Tasks of a run that ask the catalog at once: in a window, write and commit tasks run beside each other."""
    return len(commit_groups(file)) + (file.schedule.batch_every is not None)


def commit(resolved: Mapping[str, Any], tables: Sequence[str], alias: AssetAlias) -> None:
    """Commit the due parts of *tables*, and of a share of the routed tables; skipped if nothing landed.

    One asset event per table with a snapshot.
    """
    context = _acting()
    params = context["params"]
    now = params["commit_now"] or params["commit_tables"] or False
    with step(resolved, "commit") as runtime, landing(context, resolved, runtime, alias) as landed:
        share = routed_share(context, runtime.file)
        runtime.catalog_pace.tasks = _tasks_at_once(runtime.file)
        if runtime.file.schedule.batch_every is None:
            runtime.commit(tables, now, landed, share)
        else:
            runtime.commit_window(tables, _window_end(context, runtime.file), now, landed, share)
    if not landed.outcomes:
        raise AirflowSkipException("no commit was due")


def publish(resolved: Mapping[str, Any], alias: AssetAlias, cut: Asset | None = None) -> None:
    """Mirror the progress, report the consistent *cut*, and snapshots that landed in commit tasks before these failed."""
    context = _acting()
    with step(resolved, "publish") as runtime:
        left = report_left(context, runtime, alias, "commit")
        try:
            logger.info("%s", runtime.publish())
        except LakelockError:
            if not left:
                raise
            # A failed task would send no event, and the failed commit makes the run red anyway.
            logger.exception("the consumer group is not up to date; the next run sets it")
        if cut is not None:
            cut_events.record(context, runtime.cut(), cut, alias)


def report(resolved: Mapping[str, Any], alias: AssetAlias, *task_ids: str) -> None:
    """Report snapshots that landed in tasks before these failed; skipped if there are none."""
    with step(resolved, "tell") as runtime:
        left = report_left(get_current_context(), runtime, alias, *task_ids)
    if not left:
        raise AirflowSkipException("all commits are already reported")


def hours(resolved: Mapping[str, Any], assets: Mapping[str, Asset]) -> None:
    """Report each complete hour that was not reported yet; skipped if there is none."""
    context = _acting()
    with step(resolved, "hours") as runtime:
        found = {c.table: c for c in runtime.complete_hours(hour_events.recorded(context, runtime, assets))}
        for complete in found.values():
            logger.info("%s", complete.line)
            metrics.count(resolved, "hours_told", len(complete.hours), table=complete.table)
    if not found:
        raise AirflowSkipException("no new hour is complete")
    hour_events.record(context, found, assets)


def _acting() -> Any:
    """The context of a task that changes something. Raises AirflowSkipException in a run that must not."""
    context = get_current_context()
    if context["params"]["dry_run"]:
        raise AirflowSkipException("a dry run changes nothing")
    if context["ti"].xcom_pull(task_ids="plan", key=REFUSED):
        raise AirflowSkipException("the task plan refused the configuration of this run")
    return context


def routed_share(context: Any, file: Pipeline) -> CommitShare | None:
    """The share of the routed tables that a mapped commit task has; None without `route`."""
    return CommitShare(context["ti"].map_index, len(commit_groups(file))) if file.route else None


def _window_end(context: Any, pipeline: Pipeline) -> datetime:
    """The end of a window, the same in every task of a run: the next run's time, or soon after an unscheduled start."""
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
    """Open a step's runtime, measure its duration, and fail at once on errors that a retry cannot fix.

    Refuses a run whose configuration has a field that the form lacks: Airflow ignores such a field. With `route`, the
    form takes any name of a table, so a table that does not exist is refused as well.
    """
    started, ending = time.monotonic(), Event()
    context = get_current_context()
    try:
        check_names(context["dag_run"].conf or {}, context["dag"].params)
        with open_pipeline(resolved, from_airflow) as runtime:
            # Airflow's signal handler interrupts this thread anywhere. A request from inside it might wait for a lock
            # that the interrupted code holds, so another thread makes it.
            context["task"].on_kill = partial(_end, runtime, ending)
            for table in _named(context["params"]) if runtime.file.route else ():
                runtime.require_table(table, context["params"].get("decision", ""))
            yield runtime
    except Terminal as fault:
        if ending.is_set() and isinstance(fault, JobCancelled):
            # A worker is shutting down. A task that was ended by hand has its state already, and this error does not
            # change it.
            raise
        raise AirflowFailException(f"{type(fault).__name__}: {fault}") from fault
    finally:
        metrics.timing(resolved, name, (time.monotonic() - started) * 1000)


def _named(params: Mapping[str, Any]) -> list[str]:
    """The tables that the fields of the form name."""
    return [*filter(None, [params.get("table")]), *(params.get("commit_tables") or [])]


def _end(runtime: Runtime, ending: Event) -> None:
    ending.set()
    Thread(target=runtime.stop_jobs, daemon=True).start()


def who(context: Any) -> str:
    """The user who answered the approval, else the one who triggered the run."""
    answer = context["ti"].xcom_pull(task_ids="approve") or {}
    responder = answer.get("responded_by_user") or {}
    return str(responder.get("name") or asker(context))


def asker(context: Any) -> str:
    """The user who triggered the run, or the run itself."""
    run = context["dag_run"]
    return str(getattr(run, "triggering_user_name", None) or run.run_id)


def written(resolved: Mapping[str, Any]) -> Callable[[WriteOutcome], None]:
    """A callback that logs and counts each batch as it is written."""

    def report(outcome: WriteOutcome) -> None:
        logger.info("%s", outcome.line)
        metrics.count_written(resolved, outcome)

    return report
