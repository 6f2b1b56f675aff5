"""The write-ahead log."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from lakelock.model.batches import PartSummary
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Notes, Rebuilt, Recorded, Redo, Stand
from lakelock.model.offsets import OffsetRange
from lakelock.model.overview import PipelineView
from lakelock.model.retirement import Retirement
from lakelock.model.sightings import Sights
from lakelock.model.table_files import KnownFiles
from lakelock.ports.log_batches import BatchLog


class Log(BatchLog, Protocol):
    """The write-ahead log. Every state change is one guarded statement; a guard that does not hold raises Fenced.

    Raises Unreachable, AccessDenied, WalUnusable (a replica, an unknown schema version).
    """

    # A log that is behind its tables, or lost.

    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        """Move the log to the table's generation as `ingest.reconcile_decision` decides, and plan the re-reads.

        None if the log is there already. Nothing is planned for a retired table.
        """
        ...

    def recovering(self, pipeline: str) -> str | None:
        """The operator whose recovery has not reached `rebuild` yet, if any."""
        ...

    def last_recovery(self, pipeline: str) -> str | None:
        """The token of the recovery that gave the log up last, whether it has ended or not."""
        ...

    def left_out(self, pipeline: str) -> list[str]:
        """Routed tables that the last rebuild was without, and that are neither rebound nor retired since.

        Only they say which offsets they have.
        """
        ...

    def give_up(self, pipeline: str, who: str, token: str, after: str | None, approve: Callable[[Notes], None]) -> None:
        """Begin the recovery *token*: abort all parts and end all attempts.

        Until `rebuild`, `plan` and `claim` raise WalUnusable. The recovery *after* is superseded. Raises Fenced if
        another one began since: the log is no longer the one that this recovery has examined. *approve*
        gets the parts as they are in the same transaction; if it raises, nothing is changed. It may be called more than
        once, and must not call the log.
        """
        ...

    def rebuild(self, pipeline: str, stands: Sequence[Stand], redo: Redo, token: str) -> Rebuilt:
        """End the recovery *token*: restore frontiers, tables and starts from the tables.

        Plans the ranges that tables lack. One transaction; idempotent. Raises Fenced if another recovery superseded
        this one, or if anything was staged since.
        """
        ...

    def lacking(
        self, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
    ) -> list[OffsetRange]:
        """Ranges up to the live frontier that neither the table's ledger has nor any open or committed part.

        Only of topics that the table still *takes* (table, topic).
        """
        ...

    def fill(self, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        """Plan the ranges of `lacking` and return them."""
        ...

    def fill_requested(
        self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo
    ) -> list[OffsetRange]:
        """Cache *ledger* unless a newer one is known, then plan those requested ranges of the newest that no part has.

        Returns them; none if the log is bound to another table, or is at another generation than *ledger*.
        """
        ...

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        """Record that a rollback to *generation* is about to be attempted; see `unsettled`.

        *table_uuid* also binds an unbound table: after a rollback its ledger counts as used, and a used table is
        recognized as the pipeline's only by a log in which it is bound.
        """
        ...

    # Decisions of operators about offsets and tables.

    def hold(self, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
        """Before tables record a decision: whether *attempt* holds all planned batches that overlap *gaps*.

        If so, sources with a gap that never ends are no longer planned; otherwise nothing is changed.
        """
        ...

    def declare(
        self,
        pipeline: str,
        tables: Mapping[str, Recorded],
        gaps: Sequence[OffsetRange],
        redo: Redo,
        attempt: str,
        reason: str,
    ) -> None:
        """After tables recorded *gaps*: move frontiers past them, and plan overlapping planned parts again around them.

        Idempotent. Raises Fenced, with nothing changed, if a table has another UUID or generation, or such a part is in
        a batch that *attempt* does not hold.
        """
        ...

    def rebind(
        self,
        pipeline: str,
        table: str,
        table_uuid: str,
        ledger: Ledger,
        redo: Redo,
        reason: str,
    ) -> list[OffsetRange]:
        """Bind another table to this name: abort the old one's parts, then plan and return what the new one lacks.

        Idempotent. The retirement of a retired table ends.
        """
        ...

    def retire_table(self, pipeline: str, table: str) -> Retirement:
        """Retire a routed table: a stage that closes a batch with it is refused from now on. Its open parts stay.

        Returns the offsets whose records it does not get: those of batches that are not closed, and all that are planned later.
        Idempotent. Raises WalUnusable during a recovery, and for a table that the log does not know; and DecisionRefused while a
        batch that is not closed has no survey: it may read records that tables have.
        """
        ...

    def give_up_parts(self, pipeline: str, table: str, reason: str) -> None:
        """Abort the open parts of a retired table; nothing if it is no longer retired. Idempotent."""
        ...

    # Reading for audit, status, watch and maintenance.

    def recent(self, pipeline: str, limit: int) -> list[PartSummary]:
        """Open parts and the last commits, newest first."""
        ...

    def accounts(self, pipeline: str) -> Accounts:
        """Frontiers, open ranges and cached ledgers, all from one moment."""
        ...

    def view(self, pipeline: str) -> PipelineView | None:
        """Overview of the pipeline; None if nothing was ever planned."""
        ...

    def sights(self, pipeline: str) -> Sights | None:
        """The last state that the watch stored; None before its first look."""
        ...

    def saw(self, pipeline: str, sights: Sights) -> None:
        """Replace the stored state of the watch by *sights*. Only one watch may do so at a time."""
        ...

    def staged_files(self, table: str) -> list[str]:
        """Paths of files in staged parts of any pipeline for *table*."""
        ...

    def part_layouts(self, table: str) -> list[tuple[str, int | None]]:
        """Layouts (tokens) of parts of any pipeline for *table*, each with the version that committed the part.

        That is None for staged parts, and if it is not known.
        """
        ...

    def known(self, batch_ids: Collection[str]) -> KnownFiles:
        """Everything known of these batches, of any pipeline, all from one moment."""
        ...

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        """Drop the detail of all but the newest *keep_batches* finished batches; returns how many were dropped."""
        ...

    # Waiting for work.

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        """Wait for a `stage` or `notify` call of the pipeline; False on time-out."""
        ...

    def notify(self, pipeline: str) -> None:
        """Wake processes in `wait`."""
        ...
