"""The decisions of the form of `recover__p`: each is previewed, approved and then carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Protocol

from airflow.sdk.exceptions import AirflowFailException

from lakelock.app.runtime import Runtime
from lakelock.apply.apply_preview import ApplyPlan, ApprovedSteps
from lakelock.catalogue import COMMANDS, FORMS
from lakelock.catalogue.dag_forms import taking
from lakelock.gaps.gap_preview import ApprovedGaps, GapPlan, Which
from lakelock.gaps.rebind_preview import ApprovedRebind, RebindPlan
from lakelock.gaps.retire_preview import ApprovedRetirement, RetirePlan
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import PAUSES, What
from lakelock.pause.pausing import PausePlan


class RecoverDecision(Protocol):
    """A decision of the form; its plan and its result have `lines`, and its plan also `nothing` and `shown`."""

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> RecoverDecision:
        """The decision about *which*, with the other fields of the form."""

    def preview(self, runtime: Runtime) -> Any: ...

    def act(self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]) -> Any: ...


@dataclass(frozen=True)
class Declared:
    """The decision of the form: about *table* if there is one, else about *which*."""

    which: Which
    table: str | None
    accept_loss: bool

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> Declared:
        return cls(which, params["table"], params["accept_loss"])

    def preview(self, runtime: Runtime) -> GapPlan | RebindPlan:
        if self.table is not None:
            return runtime.rebinding.preview(self.table, self.accept_loss)
        return runtime.decisions.preview(self.which)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> GapPlan | RebindPlan:
        if self.table is not None:
            return runtime.rebinding.rebind(self.table, self.accept_loss, who, why, ApprovedRebind.of(shown))
        return runtime.decisions.decide(self.which, who, why, ApprovedGaps.of(shown))


@dataclass(frozen=True)
class Retired:
    """A decision to retire a routed *table*, or to no longer read *which*."""

    which: Which
    table: str | None

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> Retired:
        return cls(which, params["table"])

    def preview(self, runtime: Runtime) -> GapPlan | RetirePlan:
        return runtime.decisions.preview(self.which) if self.table is None else runtime.retiring.preview(self.table)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> GapPlan | RetirePlan:
        if self.table is None:
            return runtime.decisions.decide(self.which, who, why, ApprovedGaps.of(shown))
        return runtime.retiring.retire(self.table, who, why, ApprovedRetirement.of(shown))


@dataclass(frozen=True)
class Paused:
    """A decision to pause or resume a table; nothing about it can change between preview and approval."""

    table: str
    what: What

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> Paused:
        return cls(params["table"], which.what)

    def preview(self, runtime: Runtime) -> PausePlan:
        return runtime.pausing.preview(self.table, self.what)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> PausePlan:
        return runtime.pausing.decide(self.table, self.what, who, why)


@dataclass(frozen=True)
class Applied:
    """A decision to change existing tables as the file says."""

    table: str | None

    @classmethod
    def of(cls, which: Which, params: Mapping[str, Any]) -> Applied:
        return cls(params["table"])

    def preview(self, runtime: Runtime) -> ApplyPlan:
        return runtime.applying.preview(self.table)

    def act(
        self, runtime: Runtime, who: str, why: str, shown: str, report: Callable[[CommitOutcome], None]
    ) -> ApplyPlan:
        return runtime.applying.apply(self.table, who, why, ApprovedSteps.of(shown))


def decision_of(params: Mapping[str, Any]) -> RecoverDecision:
    """The decision of the form. Raises AirflowFailException for fields that do not go with it."""
    which = Which(What(params["decision"]), params["topic"], params["partition"], params["from"], params["to"])
    if fault := _fault(which, params):
        raise AirflowFailException(fault)
    kind: type[RecoverDecision] = resolve_name(f"lakelock.orchestration.{COMMANDS[which.what.value].decides}")
    return kind.of(which, params)


def _fault(which: Which, params: Mapping[str, Any]) -> str | None:
    """Why the fields of the form do not go with its decision, or None."""
    what, table = which.what, params["table"]
    takes = {option.name for option in COMMANDS[what.value].options}
    fault = which.fault
    if which.start is not None and "from" not in takes:
        fault = f"only {' and '.join(taking('from'))} have --from and --to"
    if not params["why"]:
        fault = "a decision needs a reason: fill in Why"
    elif (which.topic is not None) == (table is not None) and what in {What.REBIND, What.RETIRE}:
        fault = f"{what.value} needs a table, or a topic"
    elif what in PAUSES and (table is None or which.topic is not None):
        fault = f"{what.value} needs a table and no topic"
    elif which.topic is not None and "topic" not in takes:
        fault = f"{what.value} is about tables: leave Topic empty"
    elif table is not None and "table" not in takes:
        fault = f"{what.value} is about topics, for all tables: leave Table empty"
    elif params["reason"] is not None and "reason" not in takes:
        fault = f"Reason is only for {' and '.join(taking('reason'))}: clear it"
    elif params["accept_loss"] and (table is None or what is not What.REBIND):
        fault = "Accept loss is only for rebinding a table, or for a run without a decision: clear it"
    elif params["restored"] or params["take_over"] or params["mode"] != Mode.RECOMMIT.value:
        fault = (
            "Postgres was restored, The tables' Postgres is lost and The removed rows are only for a run without a decision: "
            "clear them"
        )
    return fault


# Fields of the form that only decisions have.
FIELDS = [
    field.name
    for field in FORMS["recover"].fields
    if field.name != "why" and taking(field.name) and field.name not in {o.name for o in COMMANDS["recover"].options}
]
