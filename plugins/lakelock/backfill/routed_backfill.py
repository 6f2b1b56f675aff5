"""A backfill of all routed tables: it is requested in the dead-letter table's ledger, with the configuration that routes it.

Its batches fan out and are closed like live ones. The ledger's mark has what is complete.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lakelock.backfill import decision as decisions
from lakelock.backfill.decision import Share
from lakelock.backfill.span import ledger_of
from lakelock.ingest.commit_loop import UNDONE, Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.marking import mark
from lakelock.model.batches import LIVE
from lakelock.model.coverage import Kind
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
        letters = self.begun()
        return Share() if letters is None else self._share(ledger_of(letters), interval, lows)

    def _share(self, ledger: Ledger, interval: Sequence[OffsetRange], lows: dict[Source, int]) -> Share:
        if ledger.registry is None:
            return Share()
        streams = self.context.log.streams(self.context.pipeline.name, LIVE)
        starts = {s.source: s.start_offset for s in streams if not s.retired}
        return decisions.share_of_all(starts, ledger.registry.backfilled, ledger.backfills_left, interval, lows)

    def request(self, allowed: Sequence[OffsetRange], said: Decided, lows: Callable[[], dict[Source, int]]) -> None:
        """Request those of *allowed* that are still to be requested, with at most one commit, and plan their batches."""
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
        """As `begun`, once what is complete is recorded, no matter when that was done last."""
        state = self.begun()
        if state is None or not ledger_of(state).waits_for_backfills:
            return state
        mark(self.context, self.pause, now_due=True)
        return self._loaded()

    def begun(self) -> TableState | None:
        """The dead-letter table; None if it does not exist yet: then nothing was routed."""
        is_begun = self.context.log.bound(self.context.pipeline.name, [self.dead_letter_table])
        return self._loaded() if is_begun else None

    def _loaded(self) -> TableState:
        state, _ = self.context.followed(self.dead_letter_table)
        return state


def left_of_all(letters: TableState | None) -> list[OffsetRange]:
    """Requested ranges that are not complete in all routed tables, by the dead-letter table; those that are behind lack them."""
    if letters is None:
        return []
    ledger = ledger_of(letters)
    backfilled = ledger.registry.backfilled if ledger.registry else []
    return united([*ledger.backfills_left, *(r for of in ledger.behind.values() for r in overlap(of, backfilled))])
