"""The ledger that a recovery gives a table, and the effect on a table that another tool set back."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from lakelock.errors import LedgerDetached, TableUnfit
from lakelock.ingest.changed_records import changes_undone
from lakelock.ingest.context import PipelineContext
from lakelock.ingest.outcome import listed
from lakelock.model.batches import of_target, plain_range
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.lost_dead_letters import declared_lost, missing_from
from lakelock.model.offsets import OffsetRange, Source, offsets_in
from lakelock.model.operator_log import Decided, What
from lakelock.model.units import counted
from lakelock.model.versions import PastVersion
from lakelock.ports import TableState
from lakelock.recovery.findings import Finding
from lakelock.rollback import decision as rollbacks

logger = logging.getLogger(__name__)

_BECOMES = {
    Mode.RECOMMIT: "are added again from the same files by the next commit (mode recommit; skip would leave them out, replay "
    "would read them from Kafka again)",
    Mode.REPLAY: "are read from Kafka again (mode replay)",
    Mode.SKIP: "stay out of the table and are recorded as skipped (mode skip)",
}


@dataclass(frozen=True, slots=True)
class Adoption:
    """Adopts tables for *who*; *mode* decides about rows that another tool removed from a table.

    Of the *routed* ones, offsets that were removed are owed, also those without records: which these were is not looked for.
    Those that backfills of all of them requested, *backfilled*, are requested again. For a rebuild, *mark* is that of the
    dead-letter table once it is fenced.
    """

    context: PipelineContext
    mode: Mode
    who: str
    routed: Collection[str] = ()
    mark: Coverage | None = None
    backfilled: Sequence[OffsetRange] = ()

    def puts_back(self, state: TableState) -> bool:
        """Whether recovery puts the table back to its ledger: a dead-letter table that lacks rows, unless mode is skip."""
        ledger = state.ledger
        if not state.detached or ledger is None or not ledger.holds_dead_letters or self.mode is Mode.SKIP:
            return False
        return bool(missing_from(self._at_head(state), ledger))

    def kept(self, state: TableState) -> Finding | None:
        """Why a table is left to an operator: putting it back would remove commits of other pipelines."""
        others = sorted({s.pipeline for s in self._since(state) if s.pipeline}) if self.puts_back(state) else []
        if not others:
            return None
        what = f"another tool rolled it back, and pipeline {', '.join(others)} has committed to it since"
        then = "is not changed: recovering with mode skip would keep these commits, and declare your removed dead letters lost"
        return Finding(state.name, what, then, left=True)

    def _since(self, state: TableState) -> list[PastVersion]:
        """Versions of the branch after that of the ledger."""
        history = self.context.tables.history(state)
        since = state.ledger_version.sequence if state.ledger_version else 0
        return [s for s in history if s.sequence > since]

    def _at_head(self, state: TableState) -> Ledger | None:
        """The ledger at the branch's head; None also if the history with it has expired."""
        if state.head is None:
            return None
        try:
            return self.context.tables.ledger_at(state, state.head.id)
        except LedgerDetached:
            return None

    def after(self, state: TableState, commit_id: str) -> Ledger:
        """The table's ledger once it is adopted, one generation later."""
        head, ledger = state.head_id, state.ledger
        assert head is not None
        assert ledger is not None
        put_back, before = self.puts_back(state), state.ledger_version.id if state.ledger_version else head
        by_hand = state.detached and not put_back
        at = self.context.tables.ledger_at(state, head) if by_hand else ledger
        mode = self.mode if by_hand else Mode.RECOMMIT
        record = Rollback(*((head, before) if put_back else (before, head)), mode, self.who, "recover")
        if by_hand and ledger.holds_dead_letters:
            said = Decided(What.ACCEPT_LOSS, self.context.log.now().replace(microsecond=0), self.who, "recover")
            declared = declared_lost(at, ledger, said, self._lost_dead_letters(state, missing_from(at, ledger)))
            after = replace(declared, generation=ledger.generation + 1, rollback=record)
        else:
            filled = () if by_hand and state.name in self.routed else None
            again = self.backfilled if filled is not None else ()
            after = rollbacks.rolled_back(ledger, at, record, commit_id, filled=filled, backfilled=again)
        if self.mark is not None and state.name in self.routed:
            # From the mark on, batches are read again for all tables, perhaps in other pieces: those without records of this
            # table have no part of it, and nothing would fill what it owes there.
            after = replace(after, coverage=after.coverage.owing_within(self.mark.ranges))
        return replace(after, commit_id=commit_id, installation_id=self.context.log.installation_id())

    def finding(self, state: TableState, ledger: Ledger) -> Finding:
        """Describe a detached table and its recovery."""
        head = state.head_id
        approval = f"{state.name} {state.uuid} at {head}: {self.mode.value}"
        if ledger.holds_dead_letters:
            gone = missing_from(self._at_head(state), ledger)
            what = f"another tool rolled it back to snapshot {head}"
            what += f", which removed the dead letters of {listed(gone)}" if gone else ", which removed no dead letters"
            return Finding(state.name, what, self._becomes_of_dead_letters(state, gone), approval=approval)
        at = None if head is None else self.context.tables.ledger_at(state, head)
        after = self.after(state, "")
        gone_rows = rollbacks.taken_out(ledger.coverage, after.coverage.data)
        what = f"another tool rolled it back to snapshot {head}"
        what += f", which removed {counted(offsets_in(gone_rows), 'offset')}: {listed(gone_rows)}" if gone_rows else ""
        what += "".join(f"; {line}" for line in changes_undone(state.name, ledger, at, after).lines)
        then = (
            f"; the next run of a backfill loads {listed(after.coverage.requested)}" if after.coverage.requested else ""
        )
        return Finding(
            state.name, what, f"adopts the rollback; the removed rows {_BECOMES[self.mode]}{then}", approval=approval
        )

    def _becomes_of_dead_letters(self, state: TableState, gone: Sequence[OffsetRange]) -> str:
        if not gone:
            return "adopts the rollback"
        if self.mode is Mode.SKIP:
            return "declares exactly these dead letters lost (mode skip)"
        others = len(self._since(state))
        with_it = f", which removes {counted(others, 'snapshot')} of other writers" if others else ""
        before = state.ledger_version.id if state.ledger_version else None
        return f"puts it back to snapshot {before}{with_it} (mode skip would declare these dead letters lost)"

    def _lost_dead_letters(self, state: TableState, ranges: Sequence[OffsetRange]) -> set[tuple[Source, int]]:
        """Offsets of dead letters in *ranges*, by source as coverage names it; empty if a file of them is gone."""
        # The branch no longer shows them.
        before = replace(state, head=state.ledger_version)
        found: set[tuple[Source, int]] = set()
        try:
            for source in sorted({r.source for r in ranges}):
                target, _ = of_target(source)
                of_source = [plain_range(r) for r in ranges if r.source == source]
                offsets = self.context.tables.dead_letters(before, target, of_source)
                found |= {(source, offset) for _, _, offset in offsets}
        except TableUnfit as fault:
            logger.warning("%s: cannot determine which dead letters are lost: %s", state.name, fault)
            return set()
        return found
