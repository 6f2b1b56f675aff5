"""Apply what the pipeline file says of existing tables, each table in one commit without files."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lakelock.apply.apply_preview import ApplyPlan, ApprovedSteps, TableSteps
from lakelock.apply.decision import Asked, AskedColumn, Existing, Steps, steps
from lakelock.config import Pipeline, Table
from lakelock.errors import DecisionRefused, State, TableMissing, TableUnfit, Terminal
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.evolving import settings_now
from lakelock.model.column_types import Text
from lakelock.model.operator_log import Decided, What
from lakelock.model.parquet_options import parquet_options
from lakelock.model.type_notation import parse_type
from lakelock.model.units import cut
from lakelock.ports import Clock, Tables, TableState
from lakelock.ports.edits import Evolve
from lakelock.ports.tables import PastColumns

logger = logging.getLogger(__name__)

# Of a snapshot that applied the file: the steps, and who asked for them and why.
APPLIED = "lakelock.applied"
# Every later snapshot repeats the decision, but only this one has all steps.
_ABOUT_CHARACTERS = 300


def asked_of(table: Table) -> Asked:
    """All that the file says. An empty list says nothing: a resolved file has one for each key that the file lacks."""
    columns = [
        AskedColumn(
            c.name,
            None if c.type is None else parse_type(c.type),
            c.required if c.type is not None or c.required else None,
            c.doc,
        )
        for c in table.columns
    ]
    rest = table.rest_column
    if rest is not None and all(c.name != rest for c in columns):
        columns.append(AskedColumn(rest, Text()))
    return Asked(
        tuple(columns),
        table.partition_by or None,
        table.sort_by or None,
        table.id_columns or None,
        table.properties,
        table.location,
    )


def existing_of(state: TableState, past: PastColumns) -> Existing:
    renamed = {before[0]: now[0] for before, now in past.renamed.items() if len(before) == len(now) == 1}
    return Existing(
        state.columns,
        state.partition_by,
        state.sort_by,
        state.identifier_columns,
        state.properties,
        state.location,
        renamed,
    )


def edit_of(found: Steps) -> Evolve:
    return Evolve(found.changes, found.partition_by, found.sort_by, found.properties)


def steps_for(pipeline: Pipeline, state: TableState, tables: Tables) -> TableSteps:
    """Steps for an existing table."""
    if state.ledger is None:
        return TableSteps(state.name, left_out="it is not the pipeline's yet; let the pipeline run once")
    found = differences(pipeline, state, tables)
    if not found.nothing and (paused := state.ledger.paused) is not None:
        return TableSteps(state.name, found, f"it is paused: {paused.line}")
    return TableSteps(state.name, found)


def differences(pipeline: Pipeline, state: TableState, tables: Tables) -> Steps:
    """What differs between the file and an existing table, without steps that the table's format refuses."""
    now = settings_now(pipeline, pipeline.table(state.name), state, tables)
    found = steps(asked_of(now.settings), existing_of(state, now.past), now.followed)
    if found.properties:
        try:
            parquet_options(state.name, {**state.properties, **found.properties}, State.NOTHING_CHANGED)
        except TableUnfit as fault:
            found = replace(found, properties={}, refused=(*found.refused, f"properties: {fault.what}"))
    if not found.nothing and (why := tables.refusal(state, edit_of(found))):
        return Steps(refused=(*found.refused, why), notes=found.notes)
    return found


@dataclass(frozen=True, slots=True)
class Applying:
    context: PipelineContext
    clock: Clock
    pause: Callable[[float], None]

    def preview(self, table: str | None = None) -> ApplyPlan:
        """Preview the steps for *table*, or for all tables of the file. Raises DecisionRefused for another table.

        Of all tables, one that cannot be used is left out with the reason; *table* alone raises its error.
        """
        return ApplyPlan(tuple(self._preview(name, is_alone=table is not None) for name in self._names(table)))

    def apply(self, table: str | None, who: str, why: str, approved: ApprovedSteps) -> ApplyPlan:
        """Make the approved steps. Idempotent. Raises DecisionRefused if a table needs others now.

        Each table is one commit, so if one fails later, the tables before it have changed.
        """
        for planned in self.preview(table).tables:
            _refuse_beyond(approved, planned)
        return ApplyPlan(tuple(self._apply(name, who, why, approved) for name in self._names(table)))

    def maintain(self, table: str, who: str, why: str) -> ApplyPlan:
        """Make all steps for *table* without approval: its file asks for that. Idempotent."""
        return ApplyPlan((self._apply(table, who, why, None),))

    def differences(self, state: TableState) -> Steps:
        """What differs between the file and a table that it names."""
        return differences(self.context.pipeline, state, self.context.tables)

    def _names(self, table: str | None) -> Sequence[str]:
        names = [t.name for t in self.context.pipeline.tables]
        if table is None:
            return names
        if table not in names:
            raise DecisionRefused(
                f"the file of pipeline {self.context.pipeline.name!r} does not name table {table}, so there is nothing to apply.",
                State.NOTHING_CHANGED,
                f"Name one of these: {', '.join(names)}.",
            )
        return [table]

    def _preview(self, name: str, *, is_alone: bool) -> TableSteps:
        try:
            state, _ = self.context.followed(name)
        except Terminal as fault:
            if isinstance(fault, TableMissing) and name not in self.context.log.bound(self.context.pipeline.name):
                return TableSteps(name, left_out="it does not exist yet; it is created as the file says")
            if is_alone:
                raise
            return TableSteps(name, left_out=fault.what)
        return self._of_state(state)

    def _of_state(self, state: TableState) -> TableSteps:
        return steps_for(self.context.pipeline, state, self.context.tables)

    def _apply(self, name: str, who: str, why: str, approved: ApprovedSteps | None) -> TableSteps:
        if approved is not None and not approved.steps.get(name):
            # Nothing is due; the result still says how the table is.
            return self._preview(name, is_alone=False)
        commit_id, at = self.context.new_id(), self.clock.now().replace(microsecond=0)

        def draft() -> Land[TableSteps] | Done[TableSteps]:
            state, _ = self.context.followed(name)
            planned = self._of_state(state)
            if planned.nothing:
                return Done(planned)
            if approved is not None:
                _refuse_beyond(approved, planned)
            assert state.ledger is not None
            lines = planned.steps.lines
            said = Decided(What.APPLY, at, who, why, cut("; ".join(lines), _ABOUT_CHARACTERS))
            ledger = replace(state.ledger, commit_id=commit_id, decisions=(*state.ledger.decisions, said))
            summary = json.dumps({"steps": lines, "who": who, "why": why}, ensure_ascii=False, separators=(",", ":"))
            change = self.context.change(ledger, edit_of(planned.steps), properties={APPLIED: summary})
            return Land(state, change, planned)

        done = until_landed(self.context.tables, name, draft, self.pause, *UNDONE)
        if done.version_id is not None:
            logger.info("%s: snapshot %s: %s", name, done.version_id, "; ".join(done.result.steps.lines))
        self.context.report(name)
        return done.result


def _refuse_beyond(approved: ApprovedSteps, planned: TableSteps) -> None:
    if beyond := approved.beyond(planned):
        raise DecisionRefused(
            f"table {planned.table} now needs more than the preview showed: {'; '.join(beyond)}.",
            State.NOTHING_CHANGED,
            "Preview it again.",
        )
