"""The tasks of the maintenance DAGs: they call the steps, and log the lines for the operator."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import AssetAlias, get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from lakelock.app.runtime import Runtime
from lakelock.apply.apply_preview import ApplyPlan
from lakelock.audit.audit_text import audit_text
from lakelock.errors import LakelockError
from lakelock.ingest.outcome import without_links
from lakelock.model.ledger import Mode
from lakelock.model.units import milliseconds
from lakelock.orchestration.approval import QUESTION
from lakelock.orchestration.events import landing
from lakelock.orchestration.ingest_tasks import asker, step, who
from lakelock.orchestration.recover_decisions import FIELDS, decision_of
from lakelock.recovery.recover import Recovery
from lakelock.rollback.rollback import ApprovedRollback
from lakelock.upkeep.compact import CompactOutcome
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.orphans import OrphansOutcome
from lakelock.upkeep.rewrite_manifests import ManifestsOutcome

logger = logging.getLogger(__name__)

_APPLY_WHY = "maintenance.apply"
NOTHING = "nothing to recover, nothing to decide: nothing was changed"


def plan_rollback(resolved: Mapping[str, Any]) -> dict[str, str]:
    """The snapshot id that the parameters mean now, and the preview of going back to it."""
    context = get_current_context()
    params = context["params"]
    with step(resolved, "rollback.look") as runtime:
        planned = runtime.rollbacks.preview(params["table"], params["to"], Mode(params["mode"]))
    lines = [*planned.lines, _requested(context)]
    logger.info("%s", "\n".join(lines))
    return {
        "snapshot_id": str(planned.to.id),
        "shown": f"{planned.shown.generation} {planned.shown.version_id}",
        "text": _listed(lines),
    }


def roll_back(resolved: Mapping[str, Any]) -> None:
    context = get_current_context()
    params, seen = context["params"], _approved(context)
    generation, version_id = seen["shown"].split()
    with step(resolved, "rollback") as runtime:
        done = runtime.rollbacks.roll_back(
            params["table"],
            seen["snapshot_id"],
            Mode(params["mode"]),
            who(context),
            params["why"],
            ApprovedRollback(int(generation), int(version_id)),
        )
    if done is None:
        logger.info("an earlier attempt of this task already rolled the table back")
    else:
        logger.info("snapshot %s has the state of snapshot %s", done, seen["snapshot_id"])


def preview(resolved: Mapping[str, Any]) -> dict[str, str]:
    """The preview for approval, as text and in a form that limits the acting task to the approved actions."""
    context = get_current_context()
    params = context["params"]
    with step(resolved, "recover.look") as runtime:
        if params["decision"] != "none":
            planned = decision_of(params).preview(runtime)
            lines, nothing, shown = planned.lines, planned.nothing, planned.shown.text
        else:
            found = _recovery(runtime, "", params).preview()
            lines, nothing = [f.line for f in found], not found
            shown = json.dumps([f.approval for f in found if f.approval])
    if nothing:
        logger.info("%s", "\n".join([*lines, NOTHING]))
        raise AirflowSkipException(NOTHING)
    lines = [*lines, _requested(context)]
    logger.info("%s", "\n".join(lines))
    return {"text": _listed(lines), "shown": shown}


def recover(resolved: Mapping[str, Any], alias: AssetAlias) -> None:
    """Perform the recovery or decision. Rows from dead letters are reported even if other tables fail."""
    context = get_current_context()
    params, shown = context["params"], _approved(context)["shown"]
    with step(resolved, "recover") as runtime:
        if params["decision"] != "none":
            with landing(context, resolved, runtime, alias) as landed:
                done = decision_of(params).act(runtime, who(context), params["why"], shown, landed)
                logger.info("%s", "\n".join(done.lines))
            return
        found = _recovery(runtime, who(context), params).recover(json.loads(shown))
    logger.info("%s", "\n".join(f.line for f in found))
    left = [f.line for f in found if f.left]
    if left:
        raise AirflowFailException("these findings need you:\n" + "\n".join(left))


def apply(resolved: Mapping[str, Any]) -> None:
    """Change the tables that the file names, without approval."""
    by = asker(get_current_context())
    with step(resolved, "apply") as runtime:
        applying, named = runtime.applying, {t.name for t in runtime.pipeline.tables}
        tables = [t for t in runtime.all_tables() if t in named]
        _each_table(runtime, applying.preview, lambda table: applying.maintain(table, by, _APPLY_WHY), tables)


def compact(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "compact") as runtime:
        settings = runtime.compact_settings
        _each_table(runtime, lambda table: runtime.compaction.preview(table, settings), runtime.compact)


def expire(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "expire") as runtime:
        limits, expiry = runtime.expiry_limits, runtime.expiry
        _each_table(runtime, lambda table: expiry.preview(table, limits), lambda table: expiry.expire(table, limits))


def rewrite_manifests(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "rewrite_manifests") as runtime:
        rewrite = runtime.manifest_rewrite
        _each_table(runtime, rewrite.preview, rewrite.rewrite)


def orphans(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "orphans") as runtime:
        age_ms, of_this_run = milliseconds(runtime.pipeline.maintenance.orphans_after), runtime.orphans
        _each_table(
            runtime, lambda table: of_this_run.preview(table, age_ms), lambda table: of_this_run.clean_up(table, age_ms)
        )


Tidied = ApplyPlan | CompactOutcome | ExpiryOutcome | ManifestsOutcome | OrphansOutcome


def _each_table(
    runtime: Runtime, plan: Callable[[str], Tidied], act: Callable[[str], Tidied], tables: Sequence[str] | None = None
) -> None:
    """Act on the tables that the form selects. An error of one does not stop the others, and is raised at the end."""
    params = get_current_context()["params"]
    do = plan if params["dry_run"] else act
    faults: list[LakelockError] = []
    for table in runtime.all_tables() if tables is None else tables:
        if params["table"] not in {None, table}:
            continue
        try:
            logger.info("%s", do(table).line)
        except LakelockError as fault:
            logger.error("%s: %s", type(fault).__name__, fault)
            faults.append(fault)
    if faults:
        raise faults[0]


def audit(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "audit") as runtime:
        found = runtime.audit()
    text = audit_text(found)
    if not found.complete:
        raise AirflowFailException(text)
    logger.info("%s", text)


def _recovery(runtime: Runtime, who: str, params: Mapping[str, Any]) -> Recovery:
    if any(params[name] is not None for name in FIELDS):
        names = [name.capitalize() for name in FIELDS]
        raise AirflowFailException(
            f"{', '.join(names[:-1])} and {names[-1]} are only for a decision: choose one, or clear them"
        )
    mode, restored, take_over = Mode(params["mode"]), params["restored"], params["take_over"]
    return runtime.recovery(who, mode, announced=restored, take_over=take_over, accept_loss=params["accept_loss"])


def _approved(context: Any) -> Mapping[str, str]:
    """The preview that was approved, not a later repetition of it.

    Raises AirflowFailException if the approval was bypassed by marking its task as success.
    """
    ti = context["ti"]
    answer = ti.xcom_pull(task_ids="approve") or {}
    seen = ti.xcom_pull(task_ids="approve", key=QUESTION)
    if seen is None or ApprovalOperator.APPROVE not in (answer.get("chosen_options") or []):
        raise AirflowFailException(
            "the preview was not approved: the task approve was marked by hand, or asked before an upgrade. Nothing was changed. "
            "Start a new run, and approve its preview."
        )
    return dict(seen)


def _requested(context: Any) -> str:
    why = context["params"]["why"]
    # Not the person who answered: if the look was cleared, the answer to the previous one is still there.
    return f"requested by {asker(context)}" + (f": {without_links(why)}" if why else "")


def _listed(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
