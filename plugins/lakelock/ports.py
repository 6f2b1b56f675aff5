"""What the steps need from the world, by use. Adapters satisfy these; steps know nothing else of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from lakelock.errors import LakelockError
from lakelock.model.batches import (
    Batch,
    Books,
    DataFile,
    PartResult,
    PartSummary,
    PlannedRange,
    StagedPart,
    StreamState,
)
from lakelock.model.counts import Accounts, Counted, Letters
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.log_state import Following, Notes, Pace, PartNote, Rebuilt, Redo, Stand, Told
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.overview import PipelineLook
from lakelock.model.sightings import Sights
from lakelock.model.table_files import (
    Compared,
    FileLook,
    Known,
    Lineage,
    LiveFile,
    Manifest,
    OfTime,
    OwnFile,
    PastSnapshot,
    RowsOf,
)
from lakelock.model.valid_through import Survey
from lakelock.records.payload import Compression
from lakelock.records.reasons import CountedCause


@dataclass(frozen=True, slots=True)
class Watermarks:
    """`low` is the first offset Kafka still holds, `end` the last stable offset (what read_committed may read up to)."""

    low_offset: int
    end_offset: int
    high_offset: int
    leader_epoch: int | None = None


class Broker(Protocol):
    """Kafka, as plan, publish and check see it. Raises Unreachable, AccessDenied, TopicMissing."""

    def sources(self, topics: Sequence[str], topics_regex: str | None = None) -> list[Source]:
        """Every partition of the topics, with topic ids, in order. A named topic that is absent is TopicMissing."""
        ...

    def watermarks(self, sources: Sequence[Source]) -> dict[Source, Watermarks]: ...

    def offsets_at(self, sources: Sequence[Source], timestamp_ms: int) -> dict[Source, int]:
        """First offset with a timestamp ≥ *timestamp_ms*; the end where there is none (never the start)."""
        ...

    def publish(self, group: str, offsets: Mapping[Source, int]) -> None:
        """Sets the group's offsets. The group must have no members; may fail for some partitions only."""
        ...

    def retention_ms(self, topics: Iterable[str]) -> dict[str, int | None]:
        """The topics' retention.ms; None is unlimited. Without topics whose settings the login may not read."""
        ...

    def record_bytes(self, ranges: Sequence[OffsetRange]) -> float:
        """Bytes of key and value on average, by a few records at the start of each range; 0 where there is none."""
        ...

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        """Timestamp in ms of the first record at or after each offset; None where there is none within a short wait."""
        ...


class Log(Protocol):
    """The write-ahead log. Every state change is one guarded statement; a guard that does not hold raises Fenced.

    Raises Unreachable, AccessDenied, WalUnusable (a replica, an unknown schema version).
    """

    def installation_id(self) -> str: ...

    def config(self, digest: str) -> Mapping[str, object]:
        """A resolved configuration that batches were planned under."""
        ...

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

    def staged(self, pipeline: str, table: str | None = None) -> list[StagedPart]:
        """Staged parts with files and books, in planning order, of one table or of all."""
        ...

    def are_staged(self, parts: Sequence[StagedPart]) -> bool:
        """Whether all of them are staged still, as they were read."""
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
        """A staged part of data whose files cannot be used goes back to planned; its files become orphans."""
        ...

    def replace(self, pipeline: str, part: StagedPart, reason: str, ranges: Sequence[OffsetRange], redo: Redo) -> None:
        """A staged part that must never land is aborted, and *ranges* are planned in its place; its files become orphans.

        With dead letters goes whatever is open for their table and has some of *ranges*, and the whole of that is planned.
        """
        ...

    def split(self, batch_id: str, attempt: str, table: str, redo: Redo) -> None:
        """The planned part of *table* is planned anew, cut as `ingest.replan_decision.cut` says; or Fenced."""
        ...

    def follow(self, pipeline: str, table: str, table_uuid: str, ledger: Ledger, redo: Redo) -> Following | None:
        """Brings the log up to the table's generation: `ingest.reconcile_decision` decides, and its redo is planned.

        What is open for a table whose dead letters are read again goes with that, as in all that plans such. None where the
        log is there already.
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

        Also what a dead-letter table owes of a target that nothing planned for the target brings. Only of topics that the
        table, or the target, still *takes* (table, topic).
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

    def await_generation(self, pipeline: str, table: str, generation: int, table_uuid: str | None = None) -> None:
        """Says that a rollback to *generation* is about to be tried; see `unsettled`.

        With *table_uuid* also binds a table that nobody has bound: after a rollback its ledger counts as used, and such a table
        is only taken for the pipeline's by a log that knows it.
        """
        ...

    def letter_tables(self, pipeline: str) -> list[str]:
        """Bound dead-letter tables: today's, and those that the pipeline file named before."""
        ...

    def unsettled(self, pipeline: str) -> list[str]:
        """Tables with an awaited generation that the log has not followed to: whether it landed, only the table knows."""
        ...

    def notes(self, pipeline: str, table: str) -> list[PartNote]:
        """Open and committed parts of the table whose detail is still kept, in planning order."""
        ...

    def files_of(self, part_ids: Sequence[int]) -> dict[int, list[DataFile]]:
        """The files of parts whose detail is still kept, without what manifests say of them."""
        ...

    def generations(self, pipeline: str) -> dict[str, int]:
        """The generation that the log has followed each table to; 0 for one that was never rolled back. Of all that anything
        was ever planned for, bound or not."""
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

    def now(self) -> datetime:
        """By Postgres' clock."""
        ...

    def staged_files(self, table: str) -> list[str]:
        """Paths that a staged part of any pipeline will put into *table*."""
        ...

    def known(self, batch_ids: Collection[str]) -> Known:
        """What is known of these batches, of whatever pipeline; all of one moment."""
        ...

    def coalesce(self, pipeline: str, keep_batches: int) -> int:
        """Drops the detail of all but the newest *keep_batches* finished batches; returns how many were dropped."""
        ...

    def wait(self, pipeline: str, timeout_s: float) -> bool:
        """Waits for a `stage` or `finish` notice of the pipeline; False on time-out."""
        ...

    def notify(self, pipeline: str) -> None:
        """Wakes those that `wait`."""
        ...


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """A table to create: Iceberg schema JSON without ids, partition and sort expressions, identifier columns."""

    schema: Mapping[str, object]
    partition_by: tuple[str, ...] = ()
    sort_by: tuple[str, ...] = ()
    identifier_columns: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    location: str | None = None


@dataclass(frozen=True, slots=True)
class TableState:
    """One load of a table: every decision of a commit is made on this, and the commit holds only if it still stands.

    `schema` and `spec` are the Iceberg JSON forms of the current schema and default partition spec.
    """

    name: str
    uuid: str
    location: str
    schema_id: int
    spec_id: int
    schema: Mapping[str, object]
    spec: Mapping[str, object]
    sort_order: Mapping[str, object]
    properties: Mapping[str, str]
    head_snapshot_id: int | None
    head_timestamp_ms: int | None
    ledger: Ledger | None
    handle: object = field(repr=False)
    detached: bool = False
    tag_snapshot_id: int | None = None
    head_sequence_number: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """One own snapshot: the files of *parts*, the ledger after it. `keep_snapshots` bounds the branch's history.

    It stands on the branch's head, or on `onto_snapshot_id`: then it shows what that one showed (a rollback). *config* is
    None where the table has it already. Nothing younger than `keep_younger_ms` goes, however many there are. `expire` names
    snapshots that go with it, whose files stay; without, the oldest may. With *replaces*, paths of live data files, *files* have
    as many rows in place of these: the same ones, or, where it *overwrites*, other ones of the same records. With *manifests*,
    paths of live data manifests, these are written anew, sorted by partition; no file changes. With *sequence_number* the new
    files have this data sequence number instead of the snapshot's, so that deletes of a higher one apply to them. *properties*
    are in the snapshot's summary beside the ledger's.
    """

    ledger: Ledger
    config: Mapping[str, object] | None
    batch_ids: tuple[str, ...] = ()
    files: tuple[DataFile, ...] = ()
    books: tuple[Books, ...] = ()
    keep_snapshots: int = field(kw_only=True)
    keep_younger_ms: int = field(kw_only=True)
    onto_snapshot_id: int | None = None
    expire: tuple[int, ...] = ()
    replaces: tuple[str, ...] = ()
    overwrites: bool = False
    manifests: tuple[str, ...] = ()
    sequence_number: int | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stranded:
    """Files that nothing names any more, with the bytes they take as far as somebody wrote that down."""

    paths: tuple[str, ...] = ()
    size_bytes: int = 0


class Storage(Protocol):
    """What a table's snapshots name and what lies in its folders. Raises Unreachable, AccessDenied, TableUnfit."""

    def lineage(self, state: TableState) -> Lineage: ...

    def stranded(
        self,
        before: TableState,
        snapshot_ids: Sequence[int],
        now: TableState | None = None,
        besides: Collection[str] = (),
    ) -> Stranded:
        """What only the snapshots *snapshot_ids* of *before* name, and nothing that the table has *now*, or without them.

        Files whose names are in *besides* are none of them.
        """
        ...

    def live_files(self, state: TableState) -> Iterable[LiveFile]:
        """The data files that the branch shows."""
        ...

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> Iterable[LiveFile]:
        """Those of *paths*. *read*, empty at first, keeps what was read of them for the next call.

        A path that comes to *paths* later must be one that no commit has named before.
        """
        ...

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> Mapping[str, str]:
        """Why some of *files*, by path, cannot be rewritten, as their own footers tell."""
        ...

    def candidates(self, state: TableState, rows: RowsOf) -> Iterable[LiveFile]:
        """The data files that the branch shows, without those that have none of *rows* by what manifests say."""
        ...

    def inside(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> Mapping[str, int]:
        """How many of *rows* each of the table's files has, where it has any. A file that is gone is TableUnfit."""
        ...

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> Mapping[int, OfTime]:
        """Which of *rows* the table's files have that are of a time, or may be, by partition: their column *moment* lies in
        `[from, to)` of *between_ms*, or has nothing, or there is none. Rows that delete files hide are counted. A file that
        is gone is TableUnfit, where its manifest does not say that it has none.
        """
        ...

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> Mapping[int, Compared]:
        """Offsets of *rows* in the *old* files and in the *new* ones, by partition; read by another engine than the writer. A
        file that is gone is TableUnfit."""
        ...

    def spec(self, state: TableState, spec_id: int) -> Mapping[str, object]:
        """A partition spec of the table in its JSON form."""
        ...

    def manifests(self, state: TableState) -> Iterable[Manifest]:
        """Those of data files that the branch shows, as its list of manifests tells."""
        ...

    def own_files(self, state: TableState) -> Iterable[OwnFile]:
        """All that lies in the table's folders and was written by lakelock for this very table, whatever names it."""
        ...

    def named(self, state: TableState) -> set[str]:
        """Names (not paths) of all files that any snapshot of the table needs, on whatever branch."""
        ...

    def delete(self, state: TableState, paths: Sequence[str]) -> int:
        """How many were deleted; what cannot be deleted now is told of and stays."""
        ...


class Tables(Protocol):
    """A catalog's tables, for one pipeline and branch. Raises Unreachable, AccessDenied, TableMissing, Ledger…"""

    def load(self, name: str, *, detached: bool = False) -> TableState:
        """With *detached* also a table whose branch no longer has its tag behind it; `TableState.detached` then says so."""
        ...

    def owner(self, name: str) -> str | None:
        """The installation that the table belongs to, whichever that is; None for a table never adopted."""
        ...

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str]) -> str:
        """Two sentences for a message: a dropped table's newest metadata file, and the command that registers it under *name*.

        *uuid* None: of whatever table had the name last. *data_files* that are known of it tell where it was.
        """
        ...

    def history(self, state: TableState) -> list[PastSnapshot]:
        """The branch's history, newest first, as far as it is retained."""
        ...

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        """What the table held at a snapshot of its history; None before the pipeline's first.

        Raises LedgerDetached where snapshots that would tell have expired.
        """
        ...

    def create(self, name: str, definition: TableDefinition) -> None:
        """Creates table and missing namespaces; a race lost to another creator is fine. Raises BadTableDefinition."""
        ...

    def commit(self, state: TableState, change: Change) -> int:
        """One strict compare-and-swap of branch, tag, UUID, schema id and spec id; returns the snapshot id.

        The first change of a pipeline on a table (no ledger yet) also sets the owner property. Raises CommitConflict
        only when nothing can have landed; anything else that goes wrong on the way is OutcomeUnknown.
        """
        ...

    def check_files(self, state: TableState, files: Sequence[DataFile]) -> None:
        """Raises TableUnfit where no commit could name *files*: so they are not staged."""
        ...

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        """Snapshot id of an own commit in the branch's history, as far as it is retained."""
        ...

    def others(self, state: TableState) -> Mapping[str, Coverage]:
        """What other pipelines put into this table, by their names."""
        ...

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *target*'s dead letters in *ranges*; *state* is the dead-letter table's. A file that
        is gone is TableUnfit."""
        ...

    def count_rows(
        self,
        state: TableState,
        columns: tuple[str, str],
        held: Mapping[int, SourceCoverage],
    ) -> dict[int | None, Counted] | None:
        """Live rows by the number in the first of *columns* (partition, offset), read by another engine than the writer.

        None is the key of rows without partition or offset, and the answer where delete files hide rows. A data file that
        is gone is TableUnfit.
        """
        ...

    def same_rows(
        self,
        state: TableState,
        columns: tuple[str, str],
        wanted: OffsetRange,
        written: Sequence[DataFile],
        besides: Sequence[tuple[int, int]] = (),
    ) -> bool | None:
        """Whether the table's rows of *wanted*, but for those *besides*, and those of the files *written* for it are of the
        same offsets.

        By the numbers in *columns* (partition, offset); None where delete files hide rows. A data file that is gone is
        TableUnfit.
        """
        ...

    def count_dead_letters(
        self, state: TableState, target: str, held: Mapping[Source, SourceCoverage]
    ) -> dict[Source, Letters] | None:
        """*target*'s live dead letters by source, within what *held* has as data; otherwise as above."""
        ...

    def letter_causes(self, state: TableState, target: str, most: int) -> list[CountedCause]:
        """The commonest causes of *target*'s dead letters; *state* is the dead-letter table's. Nothing where delete files hide
        rows. A file that is gone is TableUnfit."""
        ...

    def storage(self, state: TableState) -> Mapping[str, str]:
        """FileIO properties that reach the table's files, with credentials the catalog hands out for it."""
        ...

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        """Paths that do not exist with their size in storage."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """A table as the writing tasks see it: where its files go and what its rows must look like.

    *storage* is PyIceberg FileIO properties; it may hold secrets and travels only inside tasks.
    """

    table: str
    identity_uuid: str
    generation: int
    schema_id: int
    spec_id: int
    location: str
    schema: Mapping[str, object]
    spec: Mapping[str, object]
    sort_order: Mapping[str, object]
    properties: Mapping[str, str]
    topics: tuple[str, ...]
    zones: Mapping[str, str] = field(default_factory=dict)
    unknown_fields: str = "dead_letter"
    metadata_columns: Mapping[str, str] = field(default_factory=dict)
    storage: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """All that the writing tasks of one attempt need.

    *kafka* is librdkafka configuration; it may hold secrets and travels only inside tasks. `metadata_columns` of a target
    maps partition, offset, timestamp to column names. The dead-letter target takes every topic. *decided* names, per
    table, the (topic, partition, offset) of records that are in the dead-letter table already: whatever the table's
    columns are now, they are dead letters and not written again. *left_out* names those whose dead letter a rollback took
    out for good: it is not written again either, but they become rows where they fit by now. *redriven* are offsets of dead
    letters that are rows of the table by now: they are told as dead letters again, whether they fit or not. A slice that has
    read for *slice_s* seconds, or *slice_bytes* of values, reads no further.
    """

    pipeline: str
    batch_id: str
    attempt: str
    slices: tuple[tuple[OffsetRange, ...], ...]
    targets: tuple[Target, ...]
    dead_letters: Target
    kafka: Mapping[str, str] = field(repr=False)
    decided: Mapping[str, frozenset[tuple[str, int, int]]] = field(default_factory=dict)
    left_out: Mapping[str, frozenset[tuple[str, int, int]]] = field(default_factory=dict)
    redriven: Mapping[str, tuple[OffsetRange, ...]] = field(default_factory=dict)
    pipeline_version: str = ""
    block_bytes: int = 8 << 20
    target_file_bytes: int = 512 << 20
    slice_s: float | None = None
    slice_bytes: int | None = None
    compression: Compression | None = None

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        """Settings of which some must not be shown."""
        return (self.kafka, self.dead_letters.storage, *(t.storage for t in self.targets))


@dataclass(frozen=True, slots=True)
class TableOutput:
    """Files and books of one table, of one slice; `unknown_fields` names JSON fields that no column takes.

    With a `fault` the table's files could not be written: it has neither files nor books, and its siblings went on.
    """

    table: str
    files: tuple[DataFile, ...]
    books: tuple[Books, ...]
    unknown_fields: tuple[str, ...] = ()
    fault: LakelockError | None = None


@dataclass(frozen=True, slots=True)
class SliceOutput:
    """What one slice produced.

    `dead_letters` has one entry per target table with dead letters: `table` names that target, `files` are files of the
    dead-letter table with only this target's dead letters, `books` the ranges that have any (read = written = dead).
    `unread` is what its ranges have behind where it ended early; books are of what lies before that. `fetched_bytes` are
    those of all values.
    """

    slice_no: int
    tables: tuple[TableOutput, ...]
    dead_letters: tuple[TableOutput, ...]
    peak_memory_bytes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    unread: tuple[OffsetRange, ...] = ()
    fetched_bytes: int = 0


class Writer(Protocol):
    """Runs a write order's slices on Spark. Only the winning task's result of each slice is returned.

    Raises Unreachable (Spark, broker), HistoryMissing, TopicRecreated, AccessDenied, and any fault of the dead-letter
    table's files. A fault of one table's files is in its `TableOutput`.
    """

    @property
    def parallelism(self) -> int:
        """How many slices run at once."""
        ...

    def interrupt_orphans(self, attempt: str) -> None:
        """Stops what *attempt* left running, whose batch was claimed since."""
        ...

    def run(self, order: WriteOrder, ended: Callable[[int], None] = ...) -> list[SliceOutput]:
        """Calls *ended* with the number of slices that have ended, now and then, if Spark reports it."""
        ...


@dataclass(frozen=True, slots=True)
class CopySlice:
    """Files to make one of, (path, rows) of each, all of the partition *partition*."""

    partition: str
    files: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CopyOrder:
    """Files under the target's spec, to be copied in *tasks* tasks of about as many slices each; None is one of each.

    What they have of the rows *without* is left out.
    """

    group_id: str
    target: Target
    slices: tuple[CopySlice, ...]
    without: RowsOf | None = None
    tasks: int | None = None

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        return (self.target.storage,)


@dataclass(frozen=True, slots=True)
class CopyOutput:
    """What one slice produced; `file` is None where there was no row, or where a file of the slice, `unfit`, cannot be copied:
    its path and why."""

    slice_no: int
    file: DataFile | None
    unfit: tuple[str, str] | None = None


class Copier(Protocol):
    """Copies rows into new files on Spark; they are exactly those of the old ones that are asked for. Only the winning task's
    file is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    def run(self, order: CopyOrder, ended: Callable[[int], None] = ...) -> list[CopyOutput]:
        """Calls *ended* with the number of tasks that have ended, now and then, if Spark reports it."""
        ...


@dataclass(frozen=True, slots=True)
class OpenLetters:
    """Dead letters of one target: their offsets, each once, as the fewest ranges; the commonest *causes* with their counts."""

    ranges: tuple[OffsetRange, ...] = ()
    causes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LetterFiles:
    """Files of a dead-letter table that may have some of a target's; *columns* are field ids by the table's own names.

    *storage* is as in `Target`.
    """

    table: str
    files: tuple[FileLook, ...]
    columns: Mapping[str, int]
    storage: Mapping[str, str] = field(repr=False)


class LetterBox(Protocol):
    """What lies in dead-letter tables. Raises Unreachable, AccessDenied; a file that is gone, or a table of other columns, is
    TableUnfit."""

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenLetters | None:
        """*target*'s that are *within*, and whose reason has the text *reason*; *most* ranges and one more at most, the first.

        None where delete files hide rows.
        """
        ...

    def files(self, state: TableState, target: str) -> LetterFiles: ...


@dataclass(frozen=True, slots=True)
class RedriveOrder:
    """Dead letters to make rows of: *slices* name their offsets, no offset is in two of them; *letters* have them, each at
    least once."""

    redrive_id: str
    target: Target
    slices: tuple[tuple[OffsetRange, ...], ...]
    letters: tuple[LetterFiles, ...]
    block_bytes: int = 8 << 20
    target_file_bytes: int = 512 << 20
    compression: Compression | None = None

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        return (self.target.storage, *(x.storage for x in self.letters))


@dataclass(frozen=True, slots=True)
class RedriveOutput:
    """What one slice produced: files with a row of each of *rows*; *unfit* counts those that still do not fit, by reason."""

    slice_no: int
    files: tuple[DataFile, ...]
    rows: tuple[OffsetRange, ...]
    unfit: Mapping[str, int] = field(default_factory=dict)


class Redriver(Protocol):
    """Decodes dead letters anew on Spark, and writes those that fit. Only the winning task's result of a slice is returned.

    Raises Unreachable, AccessDenied, TableUnfit, BooksUnbalanced.
    """

    @property
    def parallelism(self) -> int:
        """How many slices run at once."""
        ...

    def run(self, order: RedriveOrder) -> list[RedriveOutput]: ...


class Clock(Protocol):
    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...
