"""The part of the write-ahead log that takes batches from plan to commit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from lakelock.model.batches import Batch, Closing, DataFile, PartResult, PlannedRange, StagedPart, StreamState
from lakelock.model.commit_view import CommitView
from lakelock.model.consistent_cut import RoutedProgress
from lakelock.model.counts import RoutedRange
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Pace, PartNote, Redo, StagedTable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import RegisteredTable
from lakelock.model.route_evidence import RouteEvidence
from lakelock.model.valid_through import Survey


class BatchLog(Protocol):
    """Batches, and the tables that they are for."""

    # Reads that every step needs, and the tables that a pipeline is bound to.

    def installation_id(self) -> str: ...

    def config(self, digest: str) -> Mapping[str, object]:
        """A resolved configuration under which batches were planned."""
        ...

    def now(self) -> datetime:
        """Current time by Postgres' clock."""
        ...

    def generations(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, int]:
        """Per table the generation that the log has caught up with; 0 if it was never rolled back.

        Includes every table that anything was ever planned for, bound or not; of *tables* alone, if it is given.
        """
        ...

    def dead_letter_tables(self, pipeline: str) -> list[str]:
        """Bound dead-letter tables: the current one and former ones of the pipeline file."""
        ...

    def bind(self, pipeline: str, table: str, table_uuid: str) -> str:
        """Record the table that the pipeline writes to; returns the UUID that was bound first, which may differ."""
        ...

    def bound(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        """Bound table UUIDs by table name; of *tables* alone, if it is given."""
        ...

    def bound_uuid(self, pipeline: str, table: str) -> str | None:
        """As `bound` of one table, also of a retired one: there may be thousands. None if it is not bound."""
        ...

    def declared_starts(self, pipeline: str, table: str) -> dict[Source, int]:
        """Where *table* begins in each source of its topics: its first open or committed part, else the frontier."""
        ...

    def ledgers(self, pipeline: str, tables: Sequence[str] | None = None) -> dict[str, Ledger]:
        """The newest ledger of each table that `committed` recorded, of *tables* if given; a cache."""
        ...

    def has_ledger(self, pipeline: str, table: str) -> bool:
        """Whether `committed` ever recorded a ledger of the table."""
        ...

    def first_ledger(self, pipeline: str, table: str) -> Ledger | None:
        """The ledger of decisions made before the table was first written to; None once a commit is recorded."""
        ...

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        """Open and committed parts of the table whose detail is still kept, in planning order."""
        ...

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        """Files of parts whose detail is still kept, without their manifest entries."""
        ...

    # Planning of batches.

    def streams(self, pipeline: str, lane: str) -> list[StreamState]: ...

    def begun(self, pipeline: str) -> bool:
        """Whether planning ever happened, even if there was nothing to read."""
        ...

    def plan(
        self,
        pipeline: str,
        lane: str,
        batch_id: str,
        config: Mapping[str, object],
        config_digest: str,
        ranges: Sequence[PlannedRange],
        starts: Mapping[Source, int],
        tables: Mapping[str, Sequence[str]],
        survey: Survey | None = None,
        *,
        closed: bool = True,
    ) -> Batch:
        """Record a planned batch and move the frontier, in one transaction.

        *starts* declares streams seen for the first time. *tables* maps each table to the topics it takes; a batch that is
        not *closed* may have others. *survey* is for the commits of the batch. Each range must begin at its stream's
        frontier, else PlanConflict (also for the overlap constraint and deadlocks).
        """
        ...

    def survey(self, batch_id: str) -> Survey | None:
        """The survey the batch was planned with, if any."""
        ...

    def paces(self, pipeline: str) -> list[Pace]:
        """Pace of the newest live batches, from the claim that staged them; newest first, at most ten."""
        ...

    def planned(self, pipeline: str) -> list[Batch]:
        """Batches with a planned part, and those that are not closed, oldest first."""
        ...

    def unsettled(self, pipeline: str) -> list[str]:
        """Tables with an awaited generation that the log is behind: only the table shows if the rollback landed."""
        ...

    # An attempt that writes a batch.

    def claim(self, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
        """Make *attempt* the batch's current one; later calls of an older one raise Fenced.

        It succeeds at once if there is no holder or the holder belongs to the same *run*. If the holder belongs to
        another run, its heartbeat must be older than *stale_after_s* (by Postgres' clock), else BatchBusy.
        """
        ...

    def heartbeat(self, batch_id: str, attempt: str, progress: str = "") -> bool:
        """False if a newer attempt holds the batch. *progress* is text for people."""
        ...

    def release(self, batch_id: str, attempt: str, outcome: str) -> None:
        """End an attempt that will not continue, so that other runs need not wait for its heartbeat to go stale."""
        ...

    def end_earlier(self, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
        """Shorten the ranges of a live batch to *ends*, where the next batch will then begin; raises Fenced.

        False, with nothing changed, if later offsets are already planned, a part of the batch is already written, or a recovery
        planned it for all routed tables.
        """
        ...

    def stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult], closing: Closing | None = None) -> None:
        """Record parts, files and books in one transaction, guarded by the attempt and the exact planned ranges.

        *closing* closes the batch in the same transaction: its tables get parts, which stay planned if they are not among
        *parts*. Only then may there be dead letters of the target NO_TABLE. A batch that is closed is not closed again.

        No effect if the parts are already staged under this attempt. Parts with a `target` (dead letters) are not in
        the plan: they are added under the key (batch, table, target), over planned ranges. Sends a NOTIFY that ends
        `wait`.

        Raises BatchChanged, with nothing recorded, if a table was retired, or its part given up, while the attempt wrote.
        """
        ...

    # Routed tables, whose parts join a batch when it is closed.

    def routed(self, pipeline: str, tables: Collection[str] | None = None) -> dict[str, str]:
        """The name that each routed table has without its corrections, by table; `records.routing.templates`.

        Of those of *tables* that are routed, if it is given. Without those that are retired, as in `bound`, `ledgers`,
        `unsettled` and `lately_routed`.
        """
        ...

    def has_routed(self, pipeline: str) -> bool:
        """Whether rules ever made a table."""
        ...

    def has_other_unclosed(self, pipeline: str, batch_id: str) -> bool:
        """Whether batches other than *batch_id* are not closed, not counting those of backfills."""
        ...

    def routed_without_parts(self, pipeline: str) -> tuple[int, dict[str, str]]:
        """How many tables `routed` has, and those of them that no batch was closed with: only they may not be registered yet."""
        ...

    def retirements(self, pipeline: str) -> dict[str, RegisteredTable]:
        """Routed tables that are retired, or that were once."""
        ...

    def keep_routed(self, pipeline: str, tables: Mapping[str, str]) -> dict[str, str]:
        """Record routed tables as in `routed`; returns all of them. Those that are known stay as they are."""
        ...

    def listed(self, pipeline: str) -> list[str]:
        """Tables that the pipeline file lists, or listed once: bound ones that took topics and are not routed."""
        ...

    def lately_routed(self, pipeline: str, most: int) -> list[str]:
        """Bound routed tables with a part in one of the last 20 closed batches, or an open part: at most *most*, latest first."""
        ...

    def evidence(self, pipeline: str, table: str) -> RouteEvidence | None:
        """What is known about offsets for which *table* has no part; None if the table is not routed."""
        ...

    def routed_progress(self, pipeline: str) -> RoutedProgress:
        """Per live source, how far batches are closed and their dead letters committed; and open parts, by table.

        What is open is from the same moment as what is decided, or from a later one.
        """
        ...

    def marked_s_ago(self, pipeline: str, table: str) -> float | None:
        """How long ago the log recorded the newest ledger of a dead-letter table; None if it knows none with a mark."""
        ...

    def routed_ranges(self, pipeline: str) -> list[RoutedRange]:
        """Ranges of closed live batches whose detail is kept, up to `RoutedProgress.complete`, in order."""
        ...

    def surveyed(self, pipeline: str, ends: Mapping[Source, int]) -> tuple[Survey, dict[Source, int]] | None:
        """Of the newest live batch with a survey that lies before *ends*: that, and the newest timestamps of its records."""
        ...

    def reconfigure(
        self,
        batch_id: str,
        attempt: str,
        config: Mapping[str, object],
        config_digest: str,
        tables: Mapping[str, Sequence[str]],
    ) -> Batch | None:
        """Give a batch that is not closed another configuration, and parts of its *tables*, as `plan` does.

        None, with nothing changed, if that may not be.

        *attempt* must hold it, it must have no part, and all earlier attempts must have released it: one that was replaced
        may still be at work with the former configuration. A batch that a recovery planned keeps its own, and so does one that
        was planned before a batch that is closed.
        """
        ...

    # Staged parts on their way into a table.

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        """Staged parts of one table or of all, with files and books, in planning order."""
        ...

    def commit_views(self, pipeline: str, tables: Sequence[str]) -> dict[str, CommitView]:
        """What is known about the first of *tables*, and about those after it as long as they have few files, at one moment.

        Starts and evidence are left out for a table without staged parts.
        """
        ...

    def staged_tables(self, pipeline: str) -> dict[str, StagedTable]:
        """Tables with staged parts; ages are by Postgres' clock."""
        ...

    def committed(
        self, parts: Sequence[StagedPart], version_id: int | None, commit_id: str | None, ledger: Ledger
    ) -> None:
        """Mark parts of one table committed, guarded by state, attempt and generation; caches *ledger*."""
        ...

    def replan(self, part: StagedPart, reason: str) -> None:
        """Set a staged part whose files cannot be used back to planned; its files become orphans.

        Dead letters are aborted, and the staged part of their target in the same batch is set back to planned, because
        it has only the rows of the other records. Raises TableUnfit if that part is committed.

        Dead letters of NO_TABLE are set back to planned, which `Batch.planned_tables` shows by this name, and so are the
        staged parts of all routed tables of the batch: one reading then decides again on each of its records. The batch
        stays closed. Until exactly those dead letters are staged that its books count, no part of a routed table is.
        Raises TableUnfit if such a part is committed: the reading whose dead letters are lost decided on its rows.
        """
        ...

    def plan_instead(
        self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo
    ) -> None:
        """Abort a staged data part that must not be committed, and plan *ranges* instead; its files become orphans."""
        ...

    def replan_unwritten(self, batch_id: str, attempt: str, table: str, reason: str, redo: Redo) -> None:
        """Plan the planned part of *table* again, cut as by `ingest.replan_decision.cut`; raises Fenced."""
        ...
