"""The write-ahead log."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from lakelock.model.batches import PartSummary
from lakelock.model.counts import Accounts
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Notes, Rebuilt, Redo, Stand, Told
from lakelock.model.offsets import OffsetRange
from lakelock.model.overview import PipelineLook
from lakelock.model.sightings import Sights
from lakelock.model.table_files import KnownFiles
from lakelock.ports.log_batches import BatchLog


class Log(BatchLog, Protocol):
    """The write-ahead log. Every state change is one guarded statement; a guard that does not hold raises Fenced.

    Raises Unreachable, AccessDenied, WalUnusable (a replica, an unknown schema version).
    """

    # A log that is behind its tables, or lost.

    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        """Brings the log up to the table's generation: `ingest.reconcile_decision` decides, and its redo is planned.

        None where the log is there already.
        """
        ...

    def recovering(self, pipeline: str) -> str | None:
        """Who began a recovery that has not come to `rebuild` yet."""
        ...

    def give_up(self, pipeline: str, who: str, token: str, approve: Callable[[Notes], None]) -> None:
        """Begins the recovery *token*: all parts are aborted, all attempts over; `plan` and `claim` raise WalUnusable until
        `rebuild`. Whatever recovery was begun before is overtaken.

        *approve* is given what was written, as it is in the very transaction that gives it up; where it raises, nothing was
        changed. It may be called more than once, and must not call the log.
        """
        ...

    def rebuild(self, pipeline: str, stands: Sequence[Stand], redo: Redo, token: str) -> Rebuilt:
        """Ends the recovery *token*: sets frontiers, tables and starts from what the tables say.

        What tables lack is planned. In one transaction; again it changes nothing. Raises Fenced where the recovery was
        overtaken by another one, or something was staged since.
        """
        ...

    def lacking(
        self, pipeline: str, table: str, ledger: Ledger, takes: Callable[[str, str], bool]
    ) -> list[OffsetRange]:
        """What of the table, up to the live frontier, neither its ledger has nor any part that is open or was marked.

        Only of topics that the table still *takes* (table, topic).
        """
        ...

    def fill(self, pipeline: str, table: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        """Plans what `lacking` tells, and returns it."""
        ...

    def fill_asked(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> list[OffsetRange]:
        """Keeps *ledger* if none newer is known, then plans what the newest was asked for and nothing brings, and returns it.

        Nothing where the log is bound to another table, or at another generation than *ledger*.
        """
        ...

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        """Says that a rollback to *generation* is about to be tried; see `unsettled`.

        With *table_uuid* also binds a table that nobody has bound: after a rollback its ledger counts as used, and such a table
        is only taken for the pipeline's by a log that knows it.
        """
        ...

    # Decisions of operators about offsets and tables.

    def hold(self, pipeline: str, gaps: Sequence[OffsetRange], attempt: str) -> bool:
        """Before the tables are told: whether *attempt* holds each planned batch that has some of *gaps*. Then nobody plans
        any more of a source whose gap never ends; else nothing was changed."""
        ...

    def declare(
        self,
        pipeline: str,
        tables: Mapping[str, Told],
        gaps: Sequence[OffsetRange],
        redo: Redo,
        attempt: str,
        reason: str,
    ) -> None:
        """After the tables were told that *gaps* are never read: frontiers move over them, and planned parts that have some
        of what the table then has are planned again around it. Again it changes nothing.

        Raises Fenced, with nothing changed, where a table is of another UUID or generation by now, or such a part is of a
        batch that *attempt* does not hold.
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
        """Another table of this name is the pipeline's from now on: parts of the old one are aborted, and what the new one
        lacks is planned, and returned. Again it changes nothing."""
        ...

    # Reading for audit, status, watch and maintenance.

    def recent(self, pipeline: str, limit: int) -> list[PartSummary]:
        """Open parts and the last commits, newest first."""
        ...

    def accounts(self, pipeline: str) -> Accounts:
        """Frontiers, open ranges and the ledgers seen last, all of one moment."""
        ...

    def look(self, pipeline: str) -> PipelineLook | None:
        """The pipeline at a glance; None where nothing was ever planned."""
        ...

    def sights(self, pipeline: str) -> Sights | None:
        """What the watch saw last; None before its first look."""
        ...

    def saw(self, pipeline: str, sights: Sights) -> None:
        """Keeps *sights* in place of the last ones. One watch does so at a time."""
        ...

    def staged_files(self, table: str) -> list[str]:
        """Paths that a staged part of any pipeline will put into *table*."""
        ...

    def known(self, batch_ids: Collection[str]) -> KnownFiles:
        """What is known of these batches, of whatever pipeline; all of one moment."""
        ...

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        """Drops the detail of all but the newest *keep_batches* finished batches; returns how many were dropped."""
        ...

    # Waiting for work.

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        """Waits for a `stage` or `finish` notice of the pipeline; False on time-out."""
        ...

    def notify(self, pipeline: str) -> None:
        """Wakes those that `wait`."""
        ...
