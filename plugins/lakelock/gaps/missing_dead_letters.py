"""Dead letters that a rollback took out of their table, and that nothing can bring back any more."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lakelock.errors import LakelockError, Retryable
from lakelock.ingest.context import PipelineContext
from lakelock.model.batches import covered_range, covered_source, of_target
from lakelock.model.counts import ever_dead
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import PartState
from lakelock.model.offsets import OffsetRange, Source, overlap, without
from lakelock.model.operator_log import Decided
from lakelock.model.rollback_notes import settled
from lakelock.ports import TableState

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OwedLetters:
    """The dead-letter tables of one pipeline. All ranges are named as their coverage does."""

    context: PipelineContext

    @property
    def tables(self) -> list[str]:
        """Those that were ever written to."""
        bound = self.context.log.bound(self.context.pipeline.name)
        return [t for t in self.context.letter_tables if t in bound]

    def lost(self, name: str, never_read: Sequence[OffsetRange]) -> tuple[list[OffsetRange], TableState]:
        """What *name* owes of offsets that are never read again, and no staged part brings; and the table."""
        log, pipeline = self.context.log, self.context.pipeline.name
        # Before the table: what is staged or marked meanwhile, it then shows.
        notes = log.notes(pipeline, name)
        state, _ = self.context.followed(name)
        record = state.ledger.rollback if state.ledger else None
        if record is None or not record.owed:
            return [], state
        on_its_way = [r for n in notes if n.state is not PartState.PLANNED for r in n.ranges]
        targets = sorted({of_target(source)[0] for source in record.owed})
        owed = overlap(record.owed.ranges, [covered_range(r, target) for target in targets for r in never_read])
        return without(owed, [*on_its_way, *self.context.letters().ranges]), state

    def told(self, state: TableState, lost: Sequence[OffsetRange], said: Decided, commit_id: str) -> Ledger:
        """The table's ledger once nobody waits for *lost* any more; as many dead letters count as filtered."""
        ledger = state.ledger
        assert ledger is not None
        gaps = [(r, Kind.ACCEPTED_LOSS) for r in lost]
        coverage = declaring(ledger.coverage, gaps, {}, ledger.generation)
        counted = {
            source: replace(
                coverage[source],
                totals=replace(coverage[source].totals, filtered=coverage[source].totals.filtered + count),
            )
            for source, count in self._counts(lost).items()
        }
        coverage = Coverage({**coverage, **counted})
        targets = ", ".join(sorted({of_target(r.source)[0] for r in lost}))
        return replace(
            ledger,
            commit_id=commit_id,
            coverage=coverage,
            rollback=settled(ledger.rollback, coverage),
            decisions=(*ledger.decisions, replace(said, about=f"dead letters of {targets}", ranges=tuple(lost))),
        )

    def _counts(self, lost: Sequence[OffsetRange]) -> dict[Source, int]:
        """How many dead letters are lost, by source: what its table counts more than are there or on their way.

        At most: nobody knows how many of them are in ranges that can be read again.
        """
        by_target: defaultdict[str, set[Source]] = defaultdict(set)
        for r in lost:
            target, plain = of_target(r.source)
            by_target[target].add(plain)
        out: dict[Source, int] = {}
        for target, sources in by_target.items():
            held = {s: h for s, h in self._known(target).items() if s in sources}
            left = {s: ever_dead(h) for s, h in held.items()}
            for name in self.tables:
                there = self._there(name)
                if there is None:
                    continue
                for s, letters in (self.context.tables.count_dead_letters(there, target, held) or {}).items():
                    left[s] -= letters.rows
                for s in held:
                    told = there.ledger.coverage.get(covered_source(s, target)) if there.ledger else None
                    left[s] -= told.totals.filtered if told else 0
                for part in self.context.log.staged(self.context.pipeline.name, name):
                    for b in part.result.books if part.result.target == target else ():
                        if b.range.source in held and held[b.range.source].missing(b.range.start, b.range.end) == []:
                            left[b.range.source] -= b.read
            out |= {covered_source(s, target): max(0, n) for s, n in left.items()}
        return out

    def _known(self, target: str) -> Coverage:
        """What *target* has; where it cannot be read, what the log has seen of it. The decision is not about it."""
        state = self._there(target)
        ledger = state.ledger if state else self.context.log.ledgers(self.context.pipeline.name).get(target)
        if ledger is None:
            logger.warning("%s: how many dead letters of it are lost is not known, and counted as none", target)
        return ledger.coverage if ledger else Coverage()

    def _there(self, table: str) -> TableState | None:
        try:
            return self.context.followed(table)[0]
        except Retryable:
            raise
        except LakelockError as fault:
            logger.warning("dead letters that are lost are counted without this table: %s", fault)
            return None
