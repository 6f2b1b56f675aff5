"""The tasks of the maintenance DAGs: Airflow's context in, steps called, what a person must read out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from airflow.sdk import get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from lakelock.commands import audit_text
from lakelock.compose import Runtime, milliseconds
from lakelock.core.decisions import What
from lakelock.core.ledger import Mode
from lakelock.errors import LakelockError
from lakelock.steps.gap_plan import GapPlan, Which
from lakelock.steps.rebind import RebindPlan
from lakelock.steps.recover import Recovery
from lakelock.steps.rollback import Shown
from lakelock.tasks import step

logger = logging.getLogger(__name__)


def plan_rollback(resolved: Mapping[str, Any]) -> dict[str, str]:
    """The snapshot id that the parameters mean now, and what going back to it would do."""
    params = get_current_context()["params"]
    with step(resolved, "rollback.look") as runtime:
        planned = runtime.rollbacks.plan(params["table"], params["to"], Mode(params["mode"]))
    logger.info("%s", "\n".join(planned.lines))
    return {
        "snapshot_id": str(planned.to.snapshot_id),
        "shown": f"{planned.shown.generation} {planned.shown.snapshot_id}",
        "text": _listed(planned.lines),
    }


def roll_back(resolved: Mapping[str, Any]) -> None:
    context = get_current_context()
    params, ti = context["params"], context["ti"]
    seen = ti.xcom_pull(task_ids="look")
    generation, snapshot_id = seen["shown"].split()
    with step(resolved, "rollback") as runtime:
        done = runtime.rollbacks.roll_back(
            params["table"],
            seen["snapshot_id"],
            Mode(params["mode"]),
            _who(context),
            params["why"],
            Shown(int(generation), int(snapshot_id)),
        )
    if done is None:
        logger.info("an earlier attempt of this task did it")
    else:
        logger.info("snapshot %s shows what %s showed", done, seen["snapshot_id"])


def look(resolved: Mapping[str, Any]) -> dict[str, str]:
    params = get_current_context()["params"]
    with step(resolved, "recover.look") as runtime:
        if params["decision"] != "none":
            planned = _decision(runtime, params)[0]()
            lines, nothing = planned.lines, planned.nothing
        else:
            lines = [f.line for f in _recovery(runtime, "", params).look()]
            nothing = not lines
    logger.info("%s", "\n".join(lines))
    if nothing:
        raise AirflowSkipException("nothing to recover, nothing to decide")
    return {"text": _listed(lines)}


def recover(resolved: Mapping[str, Any]) -> None:
    context = get_current_context()
    params = context["params"]
    with step(resolved, "recover") as runtime:
        if params["decision"] != "none":
            done = _decision(runtime, params)[1](_who(context), params["why"])
            logger.info("%s", "\n".join(done.lines))
            return
        found = _recovery(runtime, _who(context), params).recover()
    logger.info("%s", "\n".join(f.line for f in found))
    left = [f.line for f in found if f.left]
    if left:
        raise AirflowFailException("left for a person:\n" + "\n".join(left))


def expire(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "expire") as runtime:
        limits = runtime.expiry_limits
        _each_table(runtime, lambda table: runtime.expiry.expire(table, limits).line)


def orphans(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "orphans") as runtime:
        age_ms = milliseconds(runtime.pipeline.maintenance.orphans_after)
        _each_table(runtime, lambda table: runtime.orphans.clean_up(table, age_ms).line)


def _each_table(runtime: Runtime, act: Callable[[str], str]) -> None:
    """One table's error never stops its siblings, and is raised after them."""
    faults: list[LakelockError] = []
    for table in runtime.all_tables():
        try:
            logger.info("%s", act(table))
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


def _decision(
    runtime: Runtime, params: Mapping[str, Any]
) -> tuple[Callable[[], GapPlan | RebindPlan], Callable[[str, str], GapPlan | RebindPlan]]:
    """How to look at what was decided, and how to do it."""
    what, table, accept_loss = What(params["decision"]), params["table"], params["accept_loss"]
    which = Which(what, params["topic"], params["partition"], params["from"], params["to"])
    fault = which.fault
    if not params["why"]:
        fault = "a decision needs a reason: fill in Why"
    elif (which.topic is not None) == (table is not None) and what is What.REBIND:
        fault = "rebind needs a table, or a topic"
    elif which.topic is None and what is What.RETIRE:
        fault = "retire needs a topic"
    if fault:
        raise AirflowFailException(fault)
    if what is What.REBIND and table is not None:
        rebinding = runtime.rebinding
        return (
            lambda: rebinding.plan(table, accept_loss),
            lambda who, why: rebinding.rebind(table, accept_loss, who, why),
        )
    return lambda: runtime.decisions.plan(which), lambda who, why: runtime.decisions.decide(which, who, why)


def _recovery(runtime: Runtime, who: str, params: Mapping[str, Any]) -> Recovery:
    return runtime.recovery(who, Mode(params["mode"]), announced=params["restored"], take_over=params["take_over"])


def _who(context: Any) -> str:
    """Whoever answered the approval, else whoever triggered the run."""
    answer = context["ti"].xcom_pull(task_ids="approve") or {}
    responder = answer.get("responded_by_user") or {}
    run = context["dag_run"]
    return str(responder.get("name") or getattr(run, "triggering_user_name", None) or run.run_id)


def _listed(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
