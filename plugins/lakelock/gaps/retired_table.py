"""Retire a routed table: the pipeline no longer asks for it, and records that rules still route to it are dead letters."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from lakelock.errors import DecisionRefused, State, TableMissing
from lakelock.gaps.registered_table import Registered, refuse_older_log, refuse_while_recovering
from lakelock.gaps.retire_preview import ApprovedRetirement, RetirePlan
from lakelock.ingest.assigned_letters import assigned_letters
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import listed
from lakelock.model.ledger import Mode, Rollback
from lakelock.model.log_state import PartState
from lakelock.model.offsets import OffsetRange, united
from lakelock.model.operator_log import Decided, What
from lakelock.ports import Clock, TableState

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetiringTables:
    """Retires routed tables of one pipeline.

    The log first: from then on no batch is closed with the table, so it is known of each offset whether its records may have been
    given to the table. Then the dead-letter table, which outlives the log. Only then are the table's open parts given up: until
    they are, the mark does not pass them. Last the table, so that no commit in flight lands.
    """

    context: PipelineContext
    clock: Clock
    pause: Callable[[float], None]

    def preview(self, table: str) -> RetirePlan:
        """Preview the decision. Raises DecisionRefused for a table that rules have not made."""
        registered, log, pipeline = self._registered(table), self.context.log, self.context.pipeline.name
        refuse_while_recovering(self.context, table, ". Then retire it.")
        state = self._loaded(table)
        exists = state is not None and state.uuid == registered.table.uuid
        logged = log.retirements(pipeline).get(table)
        given_up = [n for n in log.notes(pipeline, table) if n.state is not PartState.COMMITTED]
        ranges = united(r for n in given_up for r in n.ranges)
        is_done = registered.table.is_retired and logged is not None and logged.is_retired and not given_up
        if state is not None and exists and not _has(state, registered):
            is_done = False
        letters = assigned_letters(log, self.context.tables, pipeline, registered.registry, [table]).waiting.get(table)
        return RetirePlan(
            table,
            registered.table.uuid,
            exists,
            len(given_up),
            tuple(ranges),
            is_done,
            letters.ranges if letters is not None else (),
        )

    def retire(self, table: str, who: str, why: str, shown: ApprovedRetirement | None = None) -> RetirePlan:
        """Record the decision in the log, the dead-letter table and the table. Idempotent.

        Raises DecisionRefused, with nothing changed, if the name has another table than the approved one.
        """
        planned = self.preview(table)
        if planned.nothing:
            return planned
        if shown is not None and shown != planned.shown:
            raise DecisionRefused(
                f"table {table}: the plan changed after you approved it: its UUID is now {planned.uuid}.",
                State.NOTHING_CHANGED,
                "Review the new plan and approve it.",
            )
        registered = self._registered(table)
        # One that begins from now on changes the dead-letter table after it was found.
        refuse_while_recovering(self.context, table, ". Then retire it.")
        given_up = f", which gives up {listed(planned.ranges)} of it" if planned.ranges else ""
        about = f"table {table}{given_up}"
        said = Decided(What.RETIRE, self.clock.now().replace(microsecond=0), who, why, about)
        log, pipeline = self.context.log, self.context.pipeline.name
        registered.refuse_older_log(self.context)
        state = self._loaded(table)
        if state is not None and state.ledger is not None and state.uuid == registered.table.uuid:
            refuse_older_log(self.context, state.ledger, table)
        registered.retired(self.context, log.retire_table(pipeline, table), said, self.pause)
        log.give_up_parts(pipeline, table, f"retired by {who}: {why}")
        if planned.exists:
            self._fence(registered, said, planned.ranges)
        logger.info("%s", said.line)
        return planned

    def _fence(self, registered: Registered, said: Decided, ranges: tuple[OffsetRange, ...]) -> None:
        """One generation later, nothing that was staged or is being committed lands any more."""
        commit_id, table = self.context.new_id(), registered.name
        said = replace(said, about=_about(registered), ranges=ranges)

        def draft() -> Land[None] | Done[None]:
            state = self._loaded(table)
            if state is None or state.ledger is None or state.uuid != registered.table.uuid or _has(state, registered):
                return Done(None)
            ledger, at = state.ledger, state.head_id
            assert at is not None
            record = Rollback(at, at, Mode.RECOMMIT, said.who, "retire")
            after = replace(ledger, generation=ledger.generation + 1, rollback=record)
            after = after.decided(commit_id, ledger.coverage, (*ledger.decisions, said))
            return Land(state, self.context.change(after), None)

        until_landed(self.context.tables, table, draft, self.pause, *UNDONE)

    def _registered(self, table: str) -> Registered:
        found = Registered.find(self.context, table)
        if found is None:
            raise DecisionRefused(
                f"table {table}: no rule of pipeline {self.context.pipeline.name!r} has made it, so it cannot be retired.",
                State.NOTHING_CHANGED,
                "If the pipeline file lists it, remove its entry.",
            )
        return found

    def _loaded(self, table: str) -> TableState | None:
        """None if it is gone. Of one that cannot be read it is unknown whether a commit in flight may land."""
        try:
            return self.context.tables.load(table)
        except TableMissing:
            return None


def _about(registered: Registered) -> str:
    """The same for one retirement of the table, and another for a later one of a new table under its name."""
    return f"table {registered.name} (UUID {registered.table.uuid})"


def _has(state: TableState, registered: Registered) -> bool:
    """Whether the table cannot take a commit of the pipeline any more, or never could."""
    ledger = state.ledger
    return ledger is None or any(d.what is What.RETIRE and d.about == _about(registered) for d in ledger.decisions)
