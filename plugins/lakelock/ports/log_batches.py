"""The write-ahead log from plan to commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from lakelock.model.batches import Batch, DataFile, PartResult, PlannedRange, StagedPart, StreamState
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Pace, PartNote, Redo
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.valid_through import Survey


class BatchLog(Protocol):
    """Batches, and the tables that they are for."""

    # What every step reads of a pipeline, and which tables it is bound to.

    def installation_id(self) -> str: ...

    def config(self, digest: str) -> Mapping[str, object]:
        """A resolved configuration that batches were planned under."""
        ...

    def now(self) -> datetime:
        """By Postgres' clock."""
        ...

    def generations(self, pipeline: str) -> dict[str, int]:
        """The generation that the log has followed each table to; 0 for one that was never rolled back. Of all that anything
        was ever planned for, bound or not."""
        ...

    def letter_tables(self, pipeline: str) -> list[str]:
        """Bound dead-letter tables: today's, and those that the pipeline file named before."""
        ...

    def bind(self, pipeline: str, table: str, table_uuid: str) -> str:
        """Records which table the pipeline writes to; returns the UUID bound first, which may be another one."""
        ...

    def bound(self, pipeline: str) -> dict[str, str]:
        """Table name to the bound table UUID."""
        ...

    def declared_starts(self, pipeline: str, table: str) -> dict[Source, int]:
        """Where *table* begins for each source its topics have: its first open or committed part, else the frontier."""
        ...

    def ledgers(self, pipeline: str) -> dict[str, Ledger]:
        """The newest ledger `committed` saw per table; a cache."""
        ...

    def has_ledger(self, pipeline: str, table: str) -> bool:
        """Whether `committed` ever saw one of the table."""
        ...

    def first_ledger(self, pipeline: str, table: str) -> Ledger | None:
        """What was decided about a table before anybody wrote to it; None once a commit of it was marked."""
        ...

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        """Open and committed parts of the table whose detail is still kept, in planning order."""
        ...

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        """The files of parts whose detail is still kept, without what manifests say of them."""
        ...

    # Planning of batches.

    def streams(self, pipeline: str, lane: str) -> list[StreamState]: ...

    def begun(self, pipeline: str) -> bool:
        """Whether anything was ever planned, be it that there was nothing to read."""
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
    ) -> Batch:
        """Records a planned batch and moves the frontier, in one transaction.

        *starts* declares streams seen for the first time. *tables* maps each table to the topics it takes. *survey* is for
        the commits of the batch. Each range must begin at its stream's frontier, else PlanConflict (also for the overlap
        constraint and deadlocks).
        """
        ...

    def survey(self, batch_id: str) -> Survey | None:
        """The one that the batch was planned with; None for one without."""
        ...

    def paces(self, pipeline: str) -> list[Pace]:
        """How long the newest live batches took, from the claim of the attempt that staged them; newest first, at most ten."""
        ...

    def planned(self, pipeline: str) -> list[Batch]:
        """Batches with a part still to be written, oldest first."""
        ...

    def unsettled(self, pipeline: str) -> list[str]:
        """Tables with an awaited generation that the log has not followed to: whether it landed, only the table knows."""
        ...

    # An attempt that writes a batch.

    def claim(self, batch_id: str, attempt: str, run: str, stale_after_s: float) -> Batch:
        """Makes *attempt* the batch's current one; whatever an older one does later is Fenced.

        Taken at once when nobody holds it or the holder belongs to the same *run*; from another run only when the
        holder's heartbeat (Postgres' clock) is older than *stale_after_s*, else BatchBusy.
        """
        ...

    def heartbeat(self, batch_id: str, attempt: str, progress: str = "") -> bool:
        """False: a newer attempt holds the batch. *progress* is for people."""
        ...

    def release(self, batch_id: str, attempt: str, outcome: str) -> None:
        """Ends an attempt that will not go on, so that another run need not wait for its heartbeat to grow stale."""
        ...

    def end_earlier(self, batch_id: str, attempt: str, ends: Mapping[Source, int]) -> bool:
        """Ranges of a live batch end at *ends* from now on, and the next batch begins there; raises Fenced.

        False, with nothing changed, where something was planned behind them, or a part of the batch was written.
        """
        ...

    def stage(self, batch_id: str, attempt: str, parts: Sequence[PartResult]) -> None:
        """Parts, files and books in one transaction, guarded by the attempt and by the very ranges of the plan.

        Parts already staged under this attempt: no effect. Parts with a `target` (dead letters) are not in the plan:
        they are added under the key (batch, table, target), over ranges of the plan. Sends a NOTIFY that `wait` hears.
        """
        ...

    # Staged parts on their way into a table.

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        """Staged parts with files and books, in planning order, of one table or of all."""
        ...

    def staged_tables(self, pipeline: str) -> dict[str, float]:
        """Tables that have staged parts, with the age in seconds of the oldest (Postgres' clock)."""
        ...

    def committed(
        self, parts: Sequence[StagedPart], snapshot_id: int | None, commit_id: str | None, ledger: Ledger
    ) -> None:
        """Marks parts of one table committed, guarded by state, attempt and generation; keeps the ledger as a cache."""
        ...

    def replan(self, part: StagedPart, reason: str) -> None:
        """A staged part whose files cannot be used goes back to planned; its files become orphans.

        Dead letters are given up, and the staged part of their table in the same batch goes back to planned: its rows are those
        of the other records. Raises TableUnfit where that part is committed.
        """
        ...

    def replace(self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo) -> None:
        """A staged part of data that must never land is aborted, and *ranges* are planned in its place; its files become
        orphans."""
        ...

    def split(self, batch_id: str, attempt: str, table: str, redo: Redo) -> None:
        """The planned part of *table* is planned anew, cut as `ingest.replan_decision.cut` says; or Fenced."""
        ...
