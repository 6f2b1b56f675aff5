"""Pause and resume the commits of one table while the pipeline's other tables continue."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from lakelock.errors import DecisionRefused, State
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model.ledger import Ledger
from lakelock.model.operator_log import Decided, What
from lakelock.ports import Clock, TableState

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ApprovedPause:
    """The approved action; nothing about it can change between preview and approval."""

    table: str
    what: What

    @property
    def text(self) -> str:
        return f"{self.what.value} {self.table}"


@dataclass(frozen=True, slots=True)
class PausePlan:
    """The preview; *before* is the decision under which the table is paused now."""

    table: str
    what: What
    before: Decided | None

    @property
    def shown(self) -> ApprovedPause:
        return ApprovedPause(self.table, self.what)

    @property
    def nothing(self) -> bool:
        return (self.what is What.PAUSE) == (self.before is not None)

    @property
    def lines(self) -> list[str]:
        """The preview."""
        if self.nothing:
            return [f"{self.table}: it is {f'already paused: {self.before.line}' if self.before else 'not paused'}"]
        if self.before is None:
            return [f"{self.table}: batches are written and staged, but none is committed until you resume it"]
        return [
            f"{self.table}: its staged batches will be committed when they are due; it was paused: {self.before.line}"
        ]


@dataclass(frozen=True, slots=True)
class Pausing:
    context: PipelineContext
    clock: Clock
    pause: Callable[[float], None]

    def preview(self, table: str, what: What) -> PausePlan:
        """Preview the decision. Raises DecisionRefused for a table that cannot be paused."""
        return PausePlan(table, what, self._loaded(table)[1].paused)

    def decide(self, table: str, what: What, who: str, why: str) -> PausePlan:
        """Record the decision in one commit without files. Idempotent."""
        commit_id = self.context.new_id()
        said = Decided(what, self.clock.now().replace(microsecond=0), who, why)

        def draft() -> Land[PausePlan] | Done[PausePlan]:
            state, ledger = self._loaded(table)
            planned = PausePlan(table, what, ledger.paused)
            if planned.nothing:
                return Done(planned)
            after = replace(ledger.paused_or_resumed(said), commit_id=commit_id)
            return Land(state, self.context.change(after), planned)

        done = until_landed(self.context.tables, table, draft, self.pause, *UNDONE)
        if done.version_id is not None:
            logger.info("%s: snapshot %s: %s", table, done.version_id, said.line)
        self.context.report(table)
        return done.result

    def _loaded(self, table: str) -> tuple[TableState, Ledger]:
        if self.context.is_dead_letter_table(table):
            raise DecisionRefused(
                f"table {table} holds the dead letters of pipeline {self.context.pipeline.name!r}, so it cannot be paused: "
                "the other tables wait for them.",
                State.NOTHING_CHANGED,
                "Pause the tables that the records are for.",
            )
        state, _ = self.context.followed(table)
        if state.ledger is None:
            raise DecisionRefused(
                f"table {table} carries no ledger of pipeline {self.context.pipeline.name!r}.",
                State.NOTHING_CHANGED,
                "Let the pipeline run once.",
            )
        return state, state.ledger
