"""Find the open dead letters for a redrive, with the table and the dead-letter tables as they are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lakelock.errors import LedgerDetached, RedriveRefused, State, TableMissing
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.dead_letter_state import coverage_of
from lakelock.ingest.present_names import PresentNames
from lakelock.ingest.table_fit import fitting
from lakelock.model.batches import LIVE, NO_TABLE
from lakelock.model.coverage import Coverage
from lakelock.model.joint_coverage import joined
from lakelock.model.ledger import Ledger, registry_of
from lakelock.model.offsets import OffsetRange, overlap, united
from lakelock.model.parquet_options import parquet_options
from lakelock.model.route_evidence import RouteEvidence
from lakelock.ports import TableState
from lakelock.ports.redrive_jobs import DeadLetterStore, OpenDeadLetters
from lakelock.redrive import decision as decisions
from lakelock.redrive.redrive_preview import ApprovedTable, RedriveRequest


@dataclass(frozen=True, slots=True)
class Selection:
    """A table, its dead-letter tables, and the open dead letters to redrive. *letters_of* is the target that they have."""

    state: TableState
    names: PresentNames
    ledger: Ledger
    dead_letters: tuple[TableState, ...]
    found: OpenDeadLetters
    letters_of: str

    @property
    def is_assigned(self) -> bool:
        """Whether they had no table before."""
        return self.letters_of == NO_TABLE

    @property
    def seen(self) -> ApprovedTable:
        assert self.state.head_id is not None
        known = {s.name: s.head_id for s in self.dead_letters if s.head_id is not None}
        return ApprovedTable(self.ledger.generation, self.state.head_id, known)

    @property
    def recorded(self) -> Coverage:
        """Joint coverage of the dead-letter tables."""
        return joined(map(coverage_of, self.dead_letters))


@dataclass(frozen=True, slots=True)
class DeadLetterLookup:
    """Finds open dead letters of one pipeline and changes nothing."""

    context: PipelineContext
    box: DeadLetterStore

    def select(self, table: str, request: RedriveRequest, seen: ApprovedTable | None = None) -> Selection:
        state, ledger = self.loaded(table)
        names = fitting(self.context.pipeline, self.context.pipeline.table(table), state, self.context.tables)
        parquet_options(table, state.properties)
        dead_letters = self.dead_letter_tables()
        places = decisions.places(table, ledger.coverage, joined(map(coverage_of, dead_letters)))
        whole = request.whole.of(places)
        found = self._open(table, dead_letters, whole, None, decisions.MOST_COUNTED_PIECES)
        decisions.refuse_beyond_books(table, found.ranges, ledger.coverage)
        within = request.of(places)
        if seen is not None:
            within = self._as_seen(table, state, ledger, dead_letters, seen, within)
        if request.reason is not None or within != whole:
            found = self._open(table, dead_letters, within, request.reason, decisions.MOST_OPEN_PIECES)
        decisions.refuse_open_pieces(table, len(found.ranges))
        return Selection(state, names, ledger, dead_letters, found, table)

    def select_assigned(self, table: str, request: RedriveRequest) -> Selection:
        """Dead letters without a table that are assigned to *table*, and no rows of it yet."""
        dead_letters = self.dead_letter_tables()
        assigned = self._assigned(dead_letters, table)
        self._keep_topics(table, assigned)
        evidence = self.context.evidence(table)
        state, ledger = self.loaded(table)
        names = fitting(self.context.pipeline, self.context.pipeline.table(table), state, self.context.tables)
        parquet_options(table, state.properties)
        within = request.of(decisions.waiting(assigned, filled(ledger, evidence, assigned)))
        found = self._open(NO_TABLE, dead_letters, within, request.reason, decisions.MOST_OPEN_PIECES)
        decisions.refuse_open_pieces(table, len(found.ranges))
        return Selection(state, names, ledger, dead_letters, found, NO_TABLE)

    def _keep_topics(self, table: str, assigned: Sequence[OffsetRange]) -> None:
        """The log may have none of these topics for the table, which has no other records of them: nothing would be filled."""
        evidence, log, pipeline = self.context.evidence(table), self.context.log, self.context.pipeline
        topics = {r.source.topic for r in assigned}
        if evidence is not None and topics - {s.topic for s in evidence.starts}:
            log.plan(pipeline.name, LIVE, self.context.new_id(), {}, pipeline.digest, [], {}, {table: sorted(topics)})

    def _assigned(self, dead_letters: Sequence[TableState], table: str) -> tuple[OffsetRange, ...]:
        registry = registry_of(s.ledger for s in dead_letters if s.ledger is not None)
        return registry.assigned.get(table, ()) if registry is not None else ()

    def _as_seen(
        self,
        table: str,
        state: TableState,
        ledger: Ledger,
        dead_letters: Sequence[TableState],
        seen: ApprovedTable,
        within: Sequence[OffsetRange],
    ) -> list[OffsetRange]:
        """The ranges of *within* that were there at the preview."""
        if ledger.generation != seen.generation:
            raise RedriveRefused(
                f"table {table} was rolled back or recovered after the preview.", State.NOTHING_CHANGED, decisions.AGAIN
            )
        then, there = self._at(state, seen.version_id), self.letters_at(dead_letters, seen)
        return overlap(within, decisions.places(table, then, there))

    def letters_at(self, dead_letters: Sequence[TableState], seen: ApprovedTable) -> Coverage:
        """Joint coverage of the dead-letter tables at the preview. Raises RedriveRefused if their snapshots are gone."""
        return joined(self._at(s, seen.dead_letters[s.name]) for s in dead_letters if s.name in seen.dead_letters)

    def _at(self, state: TableState, version_id: int) -> Coverage:
        try:
            ledger = self.context.tables.ledger_at(state, version_id)
        except LedgerDetached as fault:
            raise RedriveRefused(
                f"table {state.name}: the snapshots of the preview have expired.",
                State.NOTHING_CHANGED,
                decisions.AGAIN,
            ) from fault
        return ledger.coverage if ledger is not None else Coverage()

    def _open(
        self,
        table: str,
        dead_letters: Sequence[TableState],
        within: Sequence[OffsetRange],
        reason: str | None,
        most: int,
    ) -> OpenDeadLetters:
        """Open dead letters of all tables, each counted once; more than *most* pieces if there are more."""
        ranges: list[OffsetRange] = []
        causes: Counter[str] = Counter()
        for state in dead_letters:
            there = self.box.open(state, table, within, reason, most)
            if there is None:
                raise decisions.hidden(state.name)
            ranges += there.ranges
            causes.update(there.causes)
        return OpenDeadLetters(tuple(united(ranges)), dict(causes))

    def loaded(self, table: str) -> tuple[TableState, Ledger]:
        state, _ = self.context.followed(table)
        if state.ledger is None:
            raise RedriveRefused(
                f"table {table} carries no ledger of pipeline {self.context.pipeline.name!r}, so lakelock does not "
                "know which dead letters are its own.",
                State.NOTHING_CHANGED,
            )
        return state, state.ledger

    def dead_letter_tables(self) -> tuple[TableState, ...]:
        """All existing dead-letter tables that the pipeline has had."""
        found = []
        for name in self.context.dead_letter_tables:
            try:
                found.append(self.context.followed(name)[0])
            except TableMissing:
                continue
        return tuple(found)


def filled(ledger: Ledger, evidence: RouteEvidence | None, assigned: Sequence[OffsetRange]) -> Coverage:
    """The table's coverage with what follows it, and *assigned* dead letters, as far as they have no records for it.

    *evidence* is from before *ledger*.
    """
    return ledger.coverage if evidence is None else evidence.assigned(ledger.coverage, ledger.generation, assigned)
