"""Rewrite a table's manifests into fewer ones that name the same data files, sorted by partition."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lakelock.errors import State
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.model.table_files import Manifest
from lakelock.model.units import amount
from lakelock.ports import TableState
from lakelock.ports.edits import Reorganise
from lakelock.ports.table_capabilities import refuse_lacking
from lakelock.upkeep import manifests_decision as decisions
from lakelock.upkeep.keeper import Keeper
from lakelock.upkeep.manifests_decision import ManifestGroup

UNDONE = (State.ORPHANED, "The next run tries again.")
# Per table and run. Each commit leaves fewer that are due, and the next run takes the rest.
COMMITS = 20


@dataclass(frozen=True, slots=True)
class ManifestsOutcome:
    """The preview or result: *manifests* of the *of* that the table had; it has *now* (None for a preview)."""

    table: str
    manifests: int = 0
    size_bytes: int = 0
    of: int = 0
    now: int | None = None
    left: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return not self.manifests

    @property
    def line(self) -> str:
        left = "".join(f"; {text}" for text in self.left)
        if self.nothing:
            return f"{self.table}: no manifests to rewrite{left}"
        made = "" if self.now is None else f", rewritten; it has {self.now} now"
        return f"{self.table}: {self.manifests} of {self.of} manifests, {amount(self.size_bytes)}{made}{left}"


@dataclass(frozen=True, slots=True)
class ManifestRewrite:
    """Rewrites manifests of one pipeline's tables, also while it runs. No data file is opened or changed."""

    keeper: Keeper

    def preview(self, table: str) -> ManifestsOutcome:
        """Preview a rewrite. Raises TableUnfit for a format that has no such lists."""
        refuse_lacking(table, self.keeper.context.tables.table_capabilities(), Reorganise(()))
        found = self.keeper.current(table)
        if found is None:
            return ManifestsOutcome(table)
        there, groups, left = self._due(found[0])
        of_them = [m for g in groups for m in g.manifests]
        return ManifestsOutcome(table, len(of_them), sum(m.size_bytes for m in of_them), len(there), left=left)

    def rewrite(self, table: str) -> ManifestsOutcome:
        """Commit until nothing is due, at most COMMITS times."""
        done = self.preview(table)
        if done.nothing:
            return done
        done = replace(done, manifests=0, size_bytes=0)
        for _ in range(COMMITS):
            part = self._landed(table)
            if not part:
                break
            size_bytes = done.size_bytes + sum(m.size_bytes for m in part)
            done = replace(done, manifests=done.manifests + len(part), size_bytes=size_bytes)
        found = self.keeper.current(table)
        return replace(done, now=len(self._due(found[0])[0]) if found else 0)

    def _landed(self, table: str) -> tuple[Manifest, ...]:
        """The manifests that one commit replaced; empty if none were due. Each try decides again."""
        keeper, tables = self.keeper, self.keeper.context.tables
        sent: dict[str, tuple[Manifest, ...]] = {}

        def draft() -> Land[tuple[Manifest, ...]] | Done[tuple[Manifest, ...]]:
            found = keeper.current(table)
            if found is None:
                return Done(())
            state, ledger = found
            # A try with an unknown outcome may have landed.
            landed = next((part for i, part in sent.items() if tables.find_commit(state, i) is not None), ())
            _, groups, _ = self._due(state)
            if landed or not groups:
                return Done(landed)
            part = groups[0].part
            change = keeper.change(ledger, Reorganise(tuple(m.path for m in part)))
            sent[change.ledger.commit_id] = part
            return Land(state, change, part)

        return until_landed(tables, table, draft, keeper.pause, *UNDONE).result

    def _due(self, state: TableState) -> tuple[list[Manifest], list[ManifestGroup], tuple[str, ...]]:
        """All manifests of the table, the due groups, and a sentence for each group that must stay as it is."""
        there = list(self.keeper.storage.manifests(state))
        found = decisions.due(there, decisions.target_bytes(state.properties))
        stay = [g for g in found if g.manifests[0].unfit]
        left = tuple(f"{len(g.manifests)} manifests stay: {g.manifests[0].unfit}" for g in stay)
        return there, [g for g in found if g not in stay], left
