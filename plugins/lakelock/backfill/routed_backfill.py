"""A backfill of all routed tables: it is requested in the dead-letter table's ledger, with the configuration that routes it.

Its batches fan out and are closed like live ones. The ledger's mark has what is complete.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from lakelock.backfill import decision as decisions
from lakelock.backfill.decision import Share
from lakelock.backfill.span import ledger_of
from lakelock.errors import TableMissing
from lakelock.ingest.bind import Binder
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.marking import mark
from lakelock.ingest.plan import refuse_other_tables
from lakelock.ingest.registration import register
from lakelock.ingest.tables_to_write import dead_letter_tables
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Kind
from lakelock.model.joint_mark import inheriting
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source, overlap, united
from lakelock.model.operator_log import Decided
from lakelock.model.registry import PlannedConfig
from lakelock.ports import TableState

logger = logging.getLogger(__name__)

NAME = "the routed tables"


@dataclass(frozen=True, slots=True)
class RoutedBackfill:
    """Of a pipeline with routes."""

    context: PipelineContext
    pause: Callable[[float], None]

    @property
    def dead_letter_table(self) -> str:
        return self.context.pipeline.dead_letter_table

    def with_gaps(self, interval: Sequence[OffsetRange]) -> dict[str, list[OffsetRange]]:
        """Ranges of *interval* that a rollback left out, by routed table. Each table backfills its own.

        A loss that an operator accepted is not among them: its records may be for tables that do not exist.
        """
        log, name = self.context.log, self.context.pipeline.name
        known = self.context.routed()
        gaps = {
            table: overlap([r for r, kind in ledger.coverage.gaps if kind is Kind.SKIPPED], interval)
            for table, ledger in log.ledgers(name).items()
            if table in known
        }
        return {table: ranges for table, ranges in gaps.items() if ranges}

    def share(self, interval: Sequence[OffsetRange], lows: dict[Source, int]) -> Share:
        """The share of *interval* that lies before the declared starts; empty if nothing was routed yet."""
        letters = self.known()
        return Share() if letters is None else self._share(ledger_of(letters), interval, lows)

    def _share(self, ledger: Ledger, interval: Sequence[OffsetRange], lows: dict[Source, int]) -> Share:
        if ledger.registry is None:
            return Share()
        streams = self.context.log.streams(self.context.pipeline.name, LIVE)
        starts = {s.source: s.start_offset for s in streams if not s.retired}
        return decisions.share_of_all(starts, ledger.registry.backfilled, ledger.backfills_left, interval, lows)

    def request(self, allowed: Sequence[OffsetRange], said: Decided, lows: Callable[[], dict[Source, int]]) -> None:
        """Request those of *allowed* that are still to be requested, with at most one commit, and plan their batches."""
        self._take_over()
        commit_id, pipeline = self.context.new_id(), self.context.pipeline
        planned = PlannedConfig(pipeline.digest, pipeline.resolved(), ())

        def draft() -> Land[TableState] | Done[TableState]:
            state = self._loaded()
            ledger = ledger_of(state)
            requesting = self._share(ledger, allowed, lows()).requesting
            if not requesting or ledger.registry is None:
                return Done(state)
            after = replace(
                ledger,
                commit_id=commit_id,
                decisions=decisions.decided(ledger.decisions, replace(said, ranges=requesting)),
                registry=ledger.registry.backfilling(planned._replace(ranges=requesting)),
            )
            change = self.context.change(after, config=pipeline.resolved())
            return Land(state, change, replace(state, ledger=after))

        done = until_landed(self.context.tables, self.dead_letter_table, draft, self.pause, *UNDONE)
        if done.version_id is not None:
            logger.info("%s: snapshot %s: %s", NAME, done.version_id, ledger_of(done.result).decisions[-1].line)
        self.fill(done.result)

    def fill(self, state: TableState) -> None:
        """Plan requested ranges that are not planned yet."""
        name, redo = self.context.pipeline.name, self.context.redo()
        self.context.log.fill_requested(name, state.name, state.uuid, ledger_of(state), redo)

    def marked(self) -> TableState | None:
        """As `known`, once what is complete is recorded, no matter when that was done last."""
        state = self.known()
        if state is None or not ledger_of(state).waits_for_backfills:
            return state
        self._take_over()
        mark(self.context, self.pause, now_due=True)
        return self.known()

    def known(self) -> TableState | None:
        """The dead-letter table, or a former one if it does not exist yet, with what all of them name and have marked.

        None if nothing was routed yet.
        """
        refuse_other_tables(self.context.pipeline, self.context.log)
        states = [self._loaded()] if self._is_bound else []
        for name in self._former:
            with suppress(TableMissing):
                states.append(self._loaded(name))
        ledgers = list(map(ledger_of, states))
        return replace(states[0], ledger=inheriting(ledgers[0], ledgers[1:])) if states else None

    def _take_over(self) -> None:
        """Give the dead-letter table what former ones name and have marked, as the first batch with it does."""
        if not self._is_bound or self._former:
            context, name = self.context, self.dead_letter_table
            binder = Binder.of_file(context.log, context.tables, context.pipeline, context.new_id, self.pause)
            tables = dead_letter_tables(binder, name)
            register(binder, tables.current, {}, (), tables.former)

    @property
    def _is_bound(self) -> bool:
        return bool(self.context.log.bound(self.context.pipeline.name, [self.dead_letter_table]))

    @property
    def _former(self) -> list[str]:
        return [name for name in self.context.dead_letter_tables if name != self.dead_letter_table]

    def _loaded(self, name: str | None = None) -> TableState:
        state, _ = self.context.followed(name or self.dead_letter_table)
        return state


def left_of_all(letters: TableState | None) -> list[OffsetRange]:
    """Requested ranges that are not complete in all routed tables, by the dead-letter table; those that are behind lack them."""
    if letters is None:
        return []
    ledger = ledger_of(letters)
    backfilled = ledger.registry.backfilled if ledger.registry else []
    return united([*ledger.backfills_left, *(r for of in ledger.behind.values() for r in overlap(of, backfilled))])
