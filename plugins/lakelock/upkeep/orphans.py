"""Delete lakelock's own files that nothing can ever name again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lakelock.errors import CleanUpRefused, State, TableMissing
from lakelock.model.table_files import OwnFile
from lakelock.model.units import amount, shown
from lakelock.ports import TableState
from lakelock.recovery.findings import Finding
from lakelock.upkeep import orphans_decision as decisions
from lakelock.upkeep.keeper import Keeper

logger = logging.getLogger(__name__)

THE_LOG = "the log"
REVIEWS = 4


@dataclass(frozen=True, slots=True)
class OrphansOutcome:
    """The preview or result. `deleted` is None for a preview; `left` describes files that were looked at and kept."""

    table: str
    files: tuple[OwnFile, ...] = ()
    deleted: int | None = None
    left: str = ""

    @property
    def nothing(self) -> bool:
        return not self.files

    @property
    def line(self) -> str:
        left = f"; {self.left}" if self.left else ""
        if self.nothing:
            return f"{self.table}: no orphan files{left}"
        data = sum(f.batch_id is not None for f in self.files)
        size = amount(sum(f.size_bytes for f in self.files))
        oldest = shown(min(f.modified_ms for f in self.files))
        done = "" if self.deleted is None else f", {self.deleted} deleted"
        return (
            f"{self.table}: {len(self.files)} orphan files of {size}, the oldest of {oldest}: {data} data files, "
            f"{len(self.files) - data} beside the metadata{done}{left}"
        )


@dataclass(slots=True)
class Orphans:
    """Finds and deletes orphan files of one pipeline's tables, also while it runs. Made for one round over the tables.

    *findings* returns those of `recover` for all tables. It is called once, and again only if it finds a fault.
    """

    keeper: Keeper
    findings: Callable[[], list[Finding]]
    _found: list[Finding] | None = None
    _lasting: set[Finding] = field(default_factory=set)

    def preview(self, table: str, age_ms: int) -> OrphansOutcome:
        """Preview the files to delete. Raises CleanUpRefused if the log cannot be relied on."""
        state = self._trusted(table)
        if state is None:
            return OrphansOutcome(table)
        self._refuse_twin(state)
        now_ms = int(self.keeper.context.log.now().timestamp() * 1000)
        named = self.keeper.storage.named(state)
        old = decisions.unnamed(self.keeper.storage.own_files(state), now_ms - age_ms, named)
        return self._judged(state, old)

    def clean_up(self, table: str, age_ms: int) -> OrphansOutcome:
        """Judge the listed files again behind a fence, so that no commit in flight can land with a deleted file.

        The log is read first and then the table, so that a file that lands or is staged in between is in one of the
        two.
        """
        planned = self.preview(table, age_ms)
        if not planned.files:
            return planned
        keeper = self.keeper
        keeper.fence(table)
        found = list(planned.files)
        known = keeper.context.log.known({f.batch_id for f in found if f.batch_id})
        now = keeper.context.tables.load(table)
        named = keeper.storage.named(now)
        still = [f for f in found if f.name not in named]
        files = decisions.orphans(still, known, alone=not keeper.other_owners(now))
        deleted = keeper.storage.delete(now, [f.path for f in files])
        done = OrphansOutcome(table, tuple(files), deleted, planned.left)
        logger.info("%s", done.line)
        return done

    def _judged(self, state: TableState, found: Sequence[OwnFile]) -> OrphansOutcome:
        keeper = self.keeper
        lineage = keeper.storage.lineage(state)
        if not lineage.others_ledgers <= {s.id for s in lineage.history}:
            left = f"{len(found)} stay: another pipeline writes to another branch, and commits to this branch do not fence those"
            return OrphansOutcome(state.name, left=left)
        others = keeper.other_owners(state)
        known = keeper.context.log.known({f.batch_id for f in found if f.batch_id})
        files = decisions.orphans(found, known, alone=not others)
        left = ""
        if others and (unknown := decisions.orphans(found, known, alone=True)) != files:
            whose = ", ".join(f"{name!r} of installation {owner}" for name, owner in sorted(others.items()))
            count = len(unknown) - len(files)
            left = (
                f"{count} files of batches that this log does not know stay: pipeline {whose} also writes to this table"
            )
        return OrphansOutcome(state.name, tuple(files), left=left)

    def _trusted(self, table: str) -> TableState | None:
        """The table, if the log fits it: the files of a part that the log has forgotten would be deleted.

        Looks several times, because a rollback or commit in progress looks like one that was never finished.
        """
        suspect: list[Finding] = []
        for attempt in range(REVIEWS):
            if attempt:
                self.keeper.pause(0.1 * 2**attempt)
            if attempt or self._found is None:
                self._found = self.findings()
            suspect = [f for f in self._found if f.about in {table, THE_LOG}]
            if not self._lasting.isdisjoint(suspect) or not suspect:
                break
        if suspect:
            self._lasting.update(suspect)
            raise CleanUpRefused(
                f"table {table}: {suspect[0].about}: {suspect[0].what}. The write-ahead log is not reliable.",
                State.NOTHING_DELETED,
                "Run `bin/lakelock recover FILE` first.",
            )
        found = self.keeper.loaded(table)
        return None if found is None else found[0]

    def _refuse_twin(self, state: TableState) -> None:
        """Raise CleanUpRefused if another table has the same UUID, which distinguishes the files of tables."""
        log, tables = self.keeper.context.log, self.keeper.context.tables
        for other, uuid in log.bound(self.keeper.context.pipeline.name).items():
            if other == state.name or uuid != state.uuid:
                continue
            try:
                theirs = tables.load(other, detached=True)
            except TableMissing:
                # The table was renamed.
                continue
            if theirs.uuid == state.uuid:
                raise CleanUpRefused(
                    f"table {state.name}: table {other} has the same UUID {uuid}. One is a copy of the other's "
                    "metadata, so both may name the same files.",
                    State.NOTHING_DELETED,
                    "Remove one of them from the catalog, without its files.",
                )
