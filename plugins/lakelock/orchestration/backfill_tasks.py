"""The tasks of a backfill DAG: they take an interval or form, call the steps, and report results."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from airflow.sdk import AssetAlias, get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from lakelock.backfill.span import Span
from lakelock.catalogue.dag_forms import BOX
from lakelock.orchestration.events import landing
from lakelock.orchestration.ingest_tasks import routed_share, step, who, written

logger = logging.getLogger(__name__)

SPAN = "span"
FILL, REPLACE = "fill", "replace"
REPORT = "tell"
FOLLOW = ["write", "commit", "check", REPORT]
# Airflow's form of backfills silently omits all its fields unless that box is ticked, whatever values they had.
NO_FIELDS = (
    "this run of a backfill received no fields of the form. Airflow's form sends Why, Mode, Dry run and Table only if "
    f"'{BOX}' is ticked: tick it, and choose 'Missing and Errored Runs' to repeat this run. In a shell, use "
    '--dag-run-conf, in the API dag_run_conf, such as {"why": "TEXT"}'
)
NO_WHY = "a backfill needs a reason: fill in Why"


def request(resolved: Mapping[str, Any]) -> list[str]:
    """The tasks to run next: none if nothing is missing, or in a dry run."""
    context = get_current_context()
    params, run = context["params"], context["dag_run"]
    span = requested_span(run.run_type, (run.data_interval_start, run.data_interval_end), params, sent=bool(run.conf))
    if params["mode"] == REPLACE:
        return _to_replace(resolved, span, params["dry_run"])
    with step(resolved, "backfill.ask") as runtime:
        if span is None:
            lines = runtime.backfills.waiting().lines
            _log(lines or ["no backfill is pending"], dry_run=params["dry_run"])
            if params["dry_run"] or not lines:
                return []
            runtime.backfills.go_on()
        else:
            planned = runtime.backfills.preview(span)
            _log(planned.lines, dry_run=params["dry_run"])
            if params["dry_run"] or (planned.nothing and not planned.left_out):
                return []
            runtime.backfills.request(planned, who(context), params["why"])
    context["ti"].xcom_push(key=SPAN, value=_texts(span))
    return FOLLOW


def _to_replace(resolved: Mapping[str, Any], span: Span | None, dry_run: bool) -> list[str]:
    """As `ask`, for a replace of *span*. A refused table is left to the task `replace`, which fails with the reason."""
    if span is None:
        raise AirflowFailException("a replace needs a time range: fill in From and To. Nothing was changed.")
    with step(resolved, "backfill.ask") as runtime:
        planned = runtime.replacing.preview(span)
        _log(planned.lines, dry_run=dry_run)
    if dry_run or (planned.nothing and not planned.refused):
        return []
    get_current_context()["ti"].xcom_push(key=SPAN, value=_texts(span))
    return [REPLACE, REPORT]


def replace(resolved: Mapping[str, Any], alias: AssetAlias) -> None:
    """Replace with one commit per table. Snapshots that landed are reported even if other tables fail."""
    context = get_current_context()
    span = _span(context["ti"])
    assert span is not None
    with step(resolved, "backfill.replace") as runtime, landing(context, resolved, runtime, alias) as landed:
        runtime.replace(span, who(context), context["params"]["why"], landed)


def write(resolved: Mapping[str, Any]) -> None:
    """Write the batches of the run's interval; skipped if other runs have written all of them."""
    ti = get_current_context()["ti"]
    span = _span(ti)
    with step(resolved, "backfill.write") as runtime:
        interval = None if span is None else runtime.backfills.preview(span).interval
        outcomes = runtime.backfill(str(ti.id), f"{ti.dag_id}/{ti.run_id}", interval, written(resolved))
    if not outcomes:
        raise AirflowSkipException("other runs have already written everything")


def commit(resolved: Mapping[str, Any], tables: Sequence[str], alias: AssetAlias) -> None:
    """Commit what is staged of the run's *tables*, and of a share of the routed ones, due or not; skipped if nothing landed."""
    context = get_current_context()
    span = _span(context["ti"])
    meant = [t for t in tables if span is None or span.table in {None, t}]
    with step(resolved, "backfill.commit") as runtime, landing(context, resolved, runtime, alias) as landed:
        share = routed_share(context, runtime.file)
        if meant or share:
            runtime.commit(meant, True, landed, share)
    if not landed.outcomes:
        raise AirflowSkipException("nothing is staged: another run has committed it, or nothing was written")


def check(resolved: Mapping[str, Any]) -> None:
    """Raise BackfillUnfinished with the ranges that still wait; a retry succeeds once another run has loaded them."""
    span = _span(get_current_context()["ti"])
    with step(resolved, "backfill.check") as runtime:
        if span is not None:
            runtime.backfills.check(runtime.backfills.preview(span))
        else:
            runtime.backfills.check_all()


def requested_span(
    run_type: str, data_interval: tuple[datetime | None, datetime | None], params: Mapping[str, Any], *, sent: bool
) -> Span | None:
    """The span of a run: the data interval if a backfill made the run, else that of its form.

    None continues all pending backfills. *sent*: fields of the form came with the run, so *params* are not only
    defaults. Raises AirflowFailException for fields that do not go together.
    """
    start, end, table = params["from"], params["to"], params["table"]
    fault = None
    if run_type == "backfill":
        first, last = data_interval
        if start or end:
            fault = "each run of a backfill has its own time range: leave From and To empty"
        elif first is None or last is None:
            fault = "this run of a backfill has no data interval"
        elif not sent:
            fault = NO_FIELDS
        elif not params["why"] and not params["dry_run"]:
            fault = NO_WHY
        else:
            return Span(first, last, table)
    elif not start and not end:
        if table is None:
            return None
        fault = "Table needs From and To. Without a time range, a run continues all earlier requests: leave Table empty"
    elif not start or not end:
        fault = "fill in both From and To, or neither to continue earlier requests"
    elif not params["why"] and not params["dry_run"]:
        fault = NO_WHY
    if fault is None:
        try:
            return Span(datetime.fromisoformat(start), datetime.fromisoformat(end), table)
        except ValueError as error:
            fault = f"From and To: {error}"
    raise AirflowFailException(f"{fault}. Nothing was changed.")


def _log(lines: Sequence[str], *, dry_run: bool) -> None:
    text = "\n".join(lines)
    logger.info("%s", f"dry run, nothing is changed: {text}" if dry_run else text)


def _texts(span: Span | None) -> dict[str, str | None]:
    """*span* as an XCom; empty if the run continues pending backfills."""
    if span is None:
        return {}
    return {"from": span.start.isoformat(), "to": span.end.isoformat(), "table": span.table}


def _span(ti: Any) -> Span | None:
    """The span that this run's `ask` requested. Raises AirflowSkipException if it requested nothing."""
    texts = ti.xcom_pull(task_ids="ask", key=SPAN)
    if texts is None:
        raise AirflowSkipException("nothing was requested: see ask")
    if not texts:
        return None
    return Span(datetime.fromisoformat(texts["from"]), datetime.fromisoformat(texts["to"]), texts["table"])
