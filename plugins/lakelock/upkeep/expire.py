"""Expire snapshots and earlier columns that are no longer needed, then delete the files that only the snapshots named."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.model.table_files import name_of
from lakelock.model.units import amount, counted, shown
from lakelock.model.versions import KeptVersion
from lakelock.ports import Stranded, TableState
from lakelock.ports.edits import Expire
from lakelock.upkeep import expiry_decision as decisions
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.keeper import UNDONE, Keeper

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExpiryOutcome:
    """The preview or result; `aside` counts snapshots that rollbacks left, `back_to` is the oldest that stays.

    *column_sets* are numbers of earlier ones that go, *kept_column_sets* counts those that stay.
    """

    table: str
    snapshots: tuple[KeptVersion, ...] = ()
    aside: int = 0
    files: Stranded = field(default_factory=Stranded)
    back_to: KeptVersion | None = None
    deleted: int | None = None
    column_sets: tuple[int, ...] = ()
    kept_column_sets: int = 0

    @property
    def nothing(self) -> bool:
        return not (self.snapshots or self.column_sets)

    @property
    def line(self) -> str:
        gone = len(self.column_sets)
        schemas = f"; {gone} of {gone + self.kept_column_sets} schemas" if gone else ""
        if not self.snapshots:
            return f"{self.table}: no snapshot to expire{schemas}"
        left = f", {self.aside} of them left behind by a rollback" if self.aside else ""
        stays = f"; its history will then begin at {shown(self.back_to.at_ms)}" if self.back_to else ""
        count = counted(len(self.files.paths), "file")
        files = count if self.deleted is None else f"{self.deleted} of {count} deleted"
        if self.files.size_bytes:  # of metadata files no size is recorded
            files += f", at least {amount(self.files.size_bytes)}"
        snapshots, oldest = counted(len(self.snapshots), "snapshot"), shown(self.snapshots[0].at_ms)
        return f"{self.table}: {snapshots}{left}, the oldest of {oldest}: {files}{schemas}{stays}"


class _Sent(NamedTuple):
    """A draft; *before* is the table that it expires something from, if anything is to expire."""

    outcome: ExpiryOutcome
    before: TableState | None = None


@dataclass(frozen=True, slots=True)
class Expiry:
    """Expires snapshots and earlier columns of one pipeline's tables, also while it runs."""

    keeper: Keeper

    def preview(self, table: str, limits: ExpiryLimits) -> ExpiryOutcome:
        """Preview an expiry."""
        found = self.keeper.loaded(table)
        if found is None:
            return ExpiryOutcome(table)
        state, _ = found
        outcome = self._due(state, limits)
        staged = self.keeper.context.log.staged_files(table)
        return self._with_files(outcome, state, None, staged)

    def expire(self, table: str, limits: ExpiryLimits) -> ExpiryOutcome:
        """Commit the expiry, then delete files. A run that dies between the two leaves the files to `orphans`."""
        keeper = self.keeper
        sent: list[_Sent] = []

        def draft() -> Land[_Sent] | Done[_Sent]:
            found = keeper.loaded(table)
            if found is None:
                return Done(_Sent(ExpiryOutcome(table)))
            state, ledger = found
            if sent and self._landed(state, sent[-1].outcome):
                return Done(sent[-1])
            outcome = self._due(state, limits)
            if outcome.nothing:
                return Done(_Sent(outcome))
            sent.append(_Sent(outcome, state))
            return Land(state, keeper.change(ledger, _edit(outcome)), sent[-1])

        outcome, before = until_landed(keeper.context.tables, table, draft, keeper.pause, *UNDONE).result
        return self._swept(outcome, before) if before else outcome

    def _due(self, state: TableState, limits: ExpiryLimits) -> ExpiryOutcome:
        keeper = self.keeper
        lineage = keeper.storage.lineage(state)
        now_ms = int(keeper.context.log.now().timestamp() * 1000)
        ids = decisions.expired(lineage, limits, keeper.context.pipeline.name, now_ms)
        known = {s.id: s for s in (*lineage.history, *lineage.aside)}
        aside = {s.id for s in lineage.aside}
        stays = [s for s in lineage.history if s.id not in ids]
        back_to = stays[-1] if stays else None
        # What a rollback takes out may be committed again. It goes back no further than to what stays.
        left = known.keys() - set(ids)
        layouts = {layout for layout, by in keeper.context.log.part_layouts(state.name) if by is None or by in left}
        sets = keeper.storage.column_sets(state, layouts)
        outcome = ExpiryOutcome(
            state.name,
            tuple(known[i] for i in ids),
            sum(i in aside for i in ids),
            back_to=back_to,
            column_sets=tuple(decisions.unneeded_columns(sets, lineage, ids, limits, now_ms)),
        )
        if keeper.context.tables.refusal(state, _edit(outcome)):
            outcome = replace(outcome, column_sets=())
        return replace(outcome, kept_column_sets=len(sets) - len(outcome.column_sets))

    def _landed(self, state: TableState, outcome: ExpiryOutcome) -> bool:
        """Whether a commit with an unknown outcome landed: nothing that it removes is left."""
        lineage = self.keeper.storage.lineage(state)
        there = {s.id for s in (*lineage.history, *lineage.aside)}
        sets = {one.number for one in self.keeper.storage.column_sets(state, ())}
        return not there & {s.id for s in outcome.snapshots} and not sets & set(outcome.column_sets)

    def _swept(self, outcome: ExpiryOutcome, before: TableState) -> ExpiryOutcome:
        """Delete files that neither the log, read first, nor the table, loaded then, names.

        In this order a file that lands in between is in one of the two.
        """
        keeper, table = self.keeper, outcome.table
        staged = keeper.context.log.staged_files(table)
        now = keeper.context.tables.load(table)
        outcome = self._with_files(outcome, before, now, staged)
        deleted = keeper.storage.delete(now, outcome.files.paths)
        done = replace(outcome, deleted=deleted)
        logger.info("%s", done.line)
        return done

    def _with_files(
        self, outcome: ExpiryOutcome, before: TableState, now: TableState | None, staged: list[str]
    ) -> ExpiryOutcome:
        ids = [s.id for s in outcome.snapshots]
        names = frozenset(map(name_of, staged))
        files = self.keeper.storage.stranded(before, ids, now, names)
        return replace(outcome, files=files)


def _edit(outcome: ExpiryOutcome) -> Expire:
    return Expire(tuple(s.id for s in outcome.snapshots), outcome.column_sets)
