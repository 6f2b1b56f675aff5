"""The base of maintenance steps: the table to maintain, and a snapshot that fences every commit in flight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lakelock.errors import CommitConflict, State, TableUnfit
from lakelock.ingest.commit_loop import Done, Land, until_landed
from lakelock.ingest.context import PipelineContext
from lakelock.model import ledger as codec
from lakelock.model.ledger import Ledger
from lakelock.ports import Change, Storage, TableState
from lakelock.ports.edits import Edit

UNDONE = (State.NOTHING_DELETED, "The next run tries again.")


@dataclass(frozen=True, slots=True)
class Keeper:
    """A pipeline's log, tables and their storage; *pause* waits between attempts."""

    context: PipelineContext
    storage: Storage
    pause: Callable[[float], None]

    def loaded(self, table: str) -> tuple[TableState, Ledger] | None:
        """As `current`; raises TableUnfit if other tables may share its files, so that none must be deleted."""
        found = self.current(table)
        if found is not None and found[0].properties.get("gc.enabled", "true").lower() == "false":
            raise TableUnfit(
                f"table {table}: its property gc.enabled is false, so other tables may use its files.",
                State.NOTHING_CHANGED,
                "Remove the property if no other table does.",
            )
        return found

    def current(self, table: str) -> tuple[TableState, Ledger] | None:
        """The table, after the log followed it; None without a ledger, because then nothing in it is the pipeline's.

        Raises the errors of `bind.load`.
        """
        state, _ = self.context.followed(table)
        return None if state.ledger is None else (state, state.ledger)

    def change(self, ledger: Ledger, edit: Edit | None = None) -> Change:
        """A snapshot that repeats the newest one's ledger.

        Branch and tag move, so that earlier drafts can no longer land and are made again. The generation stays: it
        fences parts, and these are still valid.
        """
        return self.context.change(replace(ledger, commit_id=self.context.new_id()), edit)

    def fence(self, table: str) -> None:
        """Commit a snapshot of this call's own to the table."""

        def draft() -> Land[None] | Done[None]:
            found = self.loaded(table)
            return Land(found[0], self.change(found[1]), None) if found else Done(None)

        if until_landed(self.context.tables, table, draft, self.pause, *UNDONE).snapshot_id is None:
            raise CommitConflict(
                f"table {table}: it no longer carries a ledger.", State.NOTHING_DELETED, "The next run tries again."
            )

    def other_owners(self, state: TableState) -> dict[str, str]:
        """Pipelines of other installations that write to this table, with their installation."""
        mine = self.context.log.installation_id()
        return {
            key.removeprefix(codec.PREFIX): value
            for key, value in state.properties.items()
            if key.startswith(codec.PREFIX) and value != mine
        }
