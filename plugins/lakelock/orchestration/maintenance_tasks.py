"""The tasks of the maintenance DAGs: they call the steps, and log the lines for the operator."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import AssetAlias, get_current_context
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from lakelock.app.redrive import Redrive
from lakelock.app.runtime import Runtime
from lakelock.audit.text import audit_text
from lakelock.errors import LakelockError
from lakelock.gaps.plan import ApprovedGaps, GapPlan, Which
from lakelock.gaps.rebind import ApprovedRebind, RebindPlan
from lakelock.ingest.outcome import CommitOutcome, without_links
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import PAUSES, What
from lakelock.model.units import milliseconds
from lakelock.orchestration.approval import QUESTION
from lakelock.orchestration.events import landing
from lakelock.orchestration.ingest_tasks import asker, step, who
from lakelock.pause.pausing import PausePlan
from lakelock.recovery.recover import Recovery
from lakelock.redrive.plan import ApprovedDeadLetters, RedriveOutcome, RedrivePlan, RedriveRequest
from lakelock.rollback.rollback import ApprovedRollback
from lakelock.upkeep.compact import CompactOutcome
from lakelock.upkeep.expire import ExpiryOutcome
from lakelock.upkeep.orphans import OrphansOutcome
from lakelock.upkeep.rewrite_manifests import ManifestsOutcome

logger = logging.getLogger(__name__)

NOTHING = "nothing to recover, nothing to decide: nothing was changed"


def plan_rollback(resolved: Mapping[str, Any]) -> dict[str, str]:
    """The snapshot id that the parameters mean now, and the preview of going back to it."""
    context = get_current_context()
    params = context["params"]
    with step(resolved, "rollback.look") as runtime:
        planned = runtime.rollbacks.plan(params["table"], params["to"], Mode(params["mode"]))
    lines = [*planned.lines, _requested(context)]
    logger.info("%s", "\n".join(lines))
    return {
        "snapshot_id": str(planned.to.snapshot_id),
        "shown": f"{planned.shown.generation} {planned.shown.snapshot_id}",
        "text": _listed(lines),
    }


def roll_back(resolved: Mapping[str, Any]) -> None:
    context = get_current_context()
    params, seen = context["params"], _approved(context)
    generation, snapshot_id = seen["shown"].split()
    with step(resolved, "rollback") as runtime:
        done = runtime.rollbacks.roll_back(
            params["table"],
            seen["snapshot_id"],
            Mode(params["mode"]),
            who(context),
            params["why"],
            ApprovedRollback(int(generation), int(snapshot_id)),
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
            planned = _decision(params).plan(runtime)
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
                done = _decision(params).act(runtime, who(context), params["why"], shown, landed)
                logger.info("%s", "\n".join(done.lines))
            return
        found = _recovery(runtime, who(context), params).recover(json.loads(shown))
    logger.info("%s", "\n".join(f.line for f in found))
    left = [f.line for f in found if f.left]
    if left:
        raise AirflowFailException("these findings need you:\n" + "\n".join(left))


def compact(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "compact") as runtime:
        settings = runtime.compact_settings
        _each_table(runtime, lambda table: runtime.compaction.plan(table, settings), runtime.compact)


def expire(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "expire") as runtime:
        limits, expiry = runtime.expiry_limits, runtime.expiry
        _each_table(runtime, lambda table: expiry.plan(table, limits), lambda table: expiry.expire(table, limits))


def rewrite_manifests(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "rewrite_manifests") as runtime:
        rewrite = runtime.manifest_rewrite
        _each_table(runtime, rewrite.plan, rewrite.rewrite)


def orphans(resolved: Mapping[str, Any]) -> None:
    with step(resolved, "orphans") as runtime:
        age_ms, of_this_run = milliseconds(runtime.pipeline.maintenance.orphans_after), runtime.orphans
        _each_table(
            runtime, lambda table: of_this_run.plan(table, age_ms), lambda table: of_this_run.clean_up(table, age_ms)
        )


Tidied = CompactOutcome | ExpiryOutcome | ManifestsOutcome | OrphansOutcome


def _each_table(runtime: Runtime, plan: Callable[[str], Tidied], act: Callable[[str], Tidied]) -> None:
    """Act on the tables that the form selects. An error of one does not stop the others, and is raised at the end."""
    params = get_current_context()["params"]
    do = plan if params["dry_run"] else act
    faults: list[LakelockError] = []
    for table in runtime.all_tables():
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


@dataclass(frozen=True)
class _Decision:
    """The decision of the form: about *table* if there is one, else about *which*."""

    which: Which
    table: str | None
    accept_loss: bool

    def plan(self, runtime: Runtime) -> GapPlan | RebindPlan:
        if self.table is not None:
            return runtime.rebinding.plan(self.table, self.accept_loss)
        return runtime.decisions.plan(self.which)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> GapPlan | RebindPlan:
        if self.table is not None:
            return runtime.rebinding.rebind(self.table, self.accept_loss, who, why, ApprovedRebind.of(shown))
        return runtime.decisions.decide(self.which, who, why, ApprovedGaps.of(shown))


@dataclass(frozen=True)
class _Pause:
    """A decision to pause or resume a table; nothing about it can change between preview and approval."""

    table: str
    what: What

    def plan(self, runtime: Runtime) -> PausePlan:
        return runtime.pausing.plan(self.table, self.what)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> PausePlan:
        return runtime.pausing.decide(self.table, self.what, who, why)


@dataclass(frozen=True)
class _Redrive:
    """A decision to redrive dead letters."""

    request: RedriveRequest

    def plan(self, runtime: Runtime) -> RedrivePlan:
        return runtime.redrives.plan(self.request)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> Redriven:
        seen = ApprovedDeadLetters.of(shown)
        return Redriven(runtime.run(Redrive(self.request, who, why, seen), lambda outcome: report(outcome.landed)))


@dataclass(frozen=True)
class Redriven:
    """The results of a redrive, by table."""

    outcomes: Sequence[RedriveOutcome]

    @property
    def lines(self) -> list[str]:
        return [line for outcome in self.outcomes for line in outcome.lines]


def _decision(params: Mapping[str, Any]) -> _Decision | _Pause | _Redrive:
    """The decision of the form. Raises AirflowFailException for fields that do not go with it."""
    what, table = What(params["decision"]), params["table"]
    which = Which(what, params["topic"], params["partition"], params["from"], params["to"])
    fault = which.fault
    if not params["why"]:
        fault = "a decision needs a reason: fill in Why"
    elif (which.topic is not None) == (table is not None) and what is What.REBIND:
        fault = "rebind needs a table, or a topic"
    elif which.topic is None and what is What.RETIRE:
        fault = "retire needs a topic"
    elif what in PAUSES and (table is None or which.topic is not None):
        fault = f"{what.value} needs a table and no topic"
    elif table is not None and what not in {What.REBIND, What.REDRIVE, *PAUSES}:
        fault = f"{what.value} is about topics, for all tables: leave Table empty"
    elif params["reason"] is not None and what is not What.REDRIVE:
        fault = "Reason is only for redrive: clear it"
    elif params["accept_loss"] and (table is None or what is not What.REBIND):
        fault = "Accept loss is only for rebinding a table, or for a run without a decision: clear it"
    elif params["restored"] or params["take_over"] or params["mode"] != Mode.RECOMMIT.value:
        fault = (
            "Postgres was restored, The tables' Postgres is lost and The removed rows are only for a run without a decision: "
            "clear them"
        )
    if fault:
        raise AirflowFailException(fault)
    if table is not None and what in PAUSES:
        return _Pause(table, what)
    if what is What.REDRIVE:
        return _Redrive(RedriveRequest(table, which.topic, which.partition, which.start, which.end, params["reason"]))
    return _Decision(which, table, params["accept_loss"])


def _recovery(runtime: Runtime, who: str, params: Mapping[str, Any]) -> Recovery:
    if any(params[name] is not None for name in ("topic", "partition", "from", "to", "table", "reason")):
        raise AirflowFailException(
            "Topic, Partition, From, To, Table and Reason are only for a decision: choose one, or clear them"
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
