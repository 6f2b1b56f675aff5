"""The base of maintenance steps: the table to maintain, and a version that fences every commit in flight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lakelock.errors import CommitConflict, State, TableUnfit
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model.ledger import Ledger
from lakelock.ports import Change, Storage, TableState
from lakelock.ports.edits import Edit

UNDONE = (State.NOTHING_DELETED, "The next run tries again.")
SHARING_ENDED = "Remove that setting if no other table uses them."


@dataclass(frozen=True, slots=True)
class Keeper:
    """A pipeline's log, tables and their storage; *pause* waits between attempts."""

    context: PipelineContext
    storage: Storage
    pause: Callable[[float], None]

    def loaded(self, table: str) -> tuple[TableState, Ledger] | None:
        """As `current`; raises TableUnfit if other tables may share its files, so that none must be deleted."""
        found = self.current(table)
        if found is not None and found[0].shares_files:
            raise TableUnfit(f"table {table}: {found[0].shares_files}.", State.NOTHING_CHANGED, SHARING_ENDED)
        return found

    def current(self, table: str) -> tuple[TableState, Ledger] | None:
        """The table, after the log followed it; None without a ledger, because then nothing in it is the pipeline's.

        Raises the errors of `bind.load`.
        """
        state, _ = self.context.followed(table)
        return None if state.ledger is None else (state, state.ledger)

    def change(self, ledger: Ledger, edit: Edit | None = None) -> Change:
        """A version that repeats the newest one's ledger.

        The branch moves, so that earlier drafts can no longer land and are made again. The generation stays: it
        fences parts, and these are still valid.
        """
        return self.context.change(replace(ledger, commit_id=self.context.new_id()), edit)

    def fence(self, table: str) -> None:
        """Commit a version of this call's own to the table."""

        def draft() -> Land[None] | Done[None]:
            found = self.loaded(table)
            return Land(found[0], self.change(found[1]), None) if found else Done(None)

        if until_landed(self.context.tables, table, draft, self.pause, *UNDONE).version_id is None:
            raise CommitConflict(
                f"table {table}: it no longer carries a ledger.", State.NOTHING_DELETED, "The next run tries again."
            )

    def other_owners(self, state: TableState) -> dict[str, str]:
        """Pipelines of other installations that write to this table, with their installation."""
        mine = self.context.log.installation_id()
        return {pipeline: owner for pipeline, owner in state.owners.items() if owner != mine}
