"""Overview of pipelines and tables for the page, and notes about conditions that need attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from lakelock.errors import meaning_of
from lakelock.model.batches import BACKFILL, LIVE, REDO, kind_of
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.operator_log import Decided, What
from lakelock.model.sightings import Sights
from lakelock.model.units import counted

# If no task has claimed a batch for this long, none is going to: runs start every few minutes.
IDLE_S = 900.0
SILENT_S = 30.0


class TableOrder(Enum):
    """The order of tables; the value is its name in an address.

    BEHIND: those that are later than promised come first, the latest of them first, then all others by name. LATEST: the
    one whose oldest open part is oldest comes first.
    """

    BEHIND = "behind"
    LATEST = "latest"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class TableChoice:
    """The tables of each pipeline that a look shows: from *skip* on, at most *most*, all if that is None.

    *find* is a part of the name in any case; *in_pipelines*: or of the pipeline's name. *only* is one table's name; the
    dead-letter tables are there beside it.
    """

    find: str = ""
    in_pipelines: bool = False
    only: str | None = None
    order: TableOrder = TableOrder.BEHIND
    skip: int = 0
    most: int | None = None


ALL_TABLES = TableChoice()


class Level(Enum):
    """Severity of a note; the value is its name on the page."""

    STOPPED = "stopped"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Note:
    """A condition that needs attention, in one sentence."""

    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class LandedInTime:
    """Totals committed in one span of time."""

    rows: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class OpenParts:
    """Planned or staged parts of one table.

    `since_s` is the Unix time of the oldest part that delays readers: planned in the live lane, or staged with rows,
    except parts that a rollback removed. `age_s` is the age of the oldest part; `has_records` says whether any part has
    rows or dead letters.
    """

    parts: int = 0
    rows: int = 0
    size_bytes: int = 0
    offsets: int = 0
    since_s: float | None = None
    age_s: float = 0.0
    has_records: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """One table according to the log alone; committed values are those of the last commit that the log knows.

    `newest_record_ms` is of the last live batch, because records of re-reads are old anyway. `landed` has the last
    hour, oldest span first; `dead_letters` counts the table's in the same hour that are not rows yet. `due_in_s`:
    staged parts are not committed before that; None if nothing is staged or the time is unknown. `last_pause` is the
    newest decision to pause or to resume it.
    """

    table: str
    is_dead_letter_table: bool
    bound: bool
    generation: int
    is_unsettled: bool
    committed_at: datetime | None
    newest_record_ms: int | None
    version_id: int | None
    planned: OpenParts
    staged: OpenParts
    landed: tuple[LandedInTime, ...]
    dead_letters: int
    rollback: str | None
    due_in_s: float | None = None
    last_pause: Decided | None = None

    @property
    def paused(self) -> Decided | None:
        """The decision that pauses commits to it, if one is in force."""
        return self.last_pause if self.last_pause is not None and self.last_pause.what is What.PAUSE else None

    @property
    def open_offsets(self) -> int:
        """Offsets that are planned or staged, but not in the table yet."""
        return self.planned.offsets + self.staged.offsets

    @property
    def notes(self) -> tuple[Note, ...]:
        out = []
        if self.paused:
            out.append(Note(Level.WARNING, f"no batch is committed: {self.paused.line}"))
        if self.is_unsettled:
            out.append(
                Note(Level.WARNING, "a rollback was started; the next commit finds out whether it was committed")
            )
        if self.dead_letters:
            out.append(Note(Level.NOTE, f"{counted(self.dead_letters, 'dead letter')} in the last hour"))
        return tuple(out)


@dataclass(frozen=True, slots=True)
class BatchView:
    """An open batch. `run` holds it (`<dag id>/<run id>`); its last heartbeat was `silent_s` ago.

    Until it is closed, its tables are not known (`is_closed`). `ranges` are some of its *offsets*. If no run holds it,
    `last_outcome` is how its last attempt ended: the class of an error, or other text.
    """

    batch_id: str
    lane: str
    run: str | None
    age_s: float
    silent_s: float | None
    planned_parts: int
    staged_parts: int
    reason: str | None
    progress: str | None = None
    is_closed: bool = True
    offsets: int = 0
    ranges: tuple[OffsetRange, ...] = ()
    last_outcome: str | None = None

    @property
    def state(self) -> str:
        if not self.planned_parts:
            return "staged"
        return "planned" if self.run is None else "writing"

    @property
    def notes(self) -> tuple[Note, ...]:
        if not self.planned_parts:
            return ()
        if self.silent_s is not None and self.silent_s > SILENT_S:
            return (
                Note(
                    Level.WARNING,
                    f"batch {self.batch_id}: its run has sent no heartbeat for {self.silent_s:.0f} s; the next run takes it over",
                ),
            )
        if self.lane == LIVE and self.run is None and (meaning := meaning_of(self.last_outcome or "")):
            text = (
                f"batch {self.batch_id} is not written: its last attempt ended with {self.last_outcome} ({meaning}). Its records "
                f"wait, and each run tries again. See the log of the last write task, and {self.last_outcome} in docs/errors.md"
            )
            return (Note(Level.STOPPED, text),)
        # Re-reads wait their turn, however long; `idle` adds one note if no task writes any of them.
        if self.lane == LIVE and self.run is None and self.age_s > IDLE_S:
            return (
                Note(
                    Level.WARNING,
                    f"batch {self.batch_id} is planned, but no task writes it: see the log of the last write task",
                ),
            )
        return ()


@dataclass(frozen=True, slots=True)
class Fence:
    """An attempt that lost its batch to a newer one; runs are `<dag id>/<run id>`."""

    batch_id: str
    run: str
    ended_at: datetime
    next_run: str | None


@dataclass(frozen=True, slots=True)
class PipelineView:
    """One pipeline according to the log alone.

    `planned_at` is when a batch was last planned; `recovered_by` who is recovering the pipeline. `idle` has one note
    per kind of re-read batches that no task writes. `at` is the time of this look by the log's clock, `begun_at` when
    the first table was bound. `sights` is the last look of the watch; if that may need attention, `reached` has the
    offset of each source that all tables have passed, except for paused ones. `tables` are those of a `TableChoice`,
    which found `found` of all; `table_count` leaves out dead-letter tables, and `behind` counts late ones. `without_table`
    counts dead letters of the last hour that no table is known for.
    """

    pipeline: str
    topics: int
    partitions: int
    planned_at: datetime | None
    recovered_by: str | None
    tables: tuple[TableView, ...]
    batches: tuple[BatchView, ...]
    idle: tuple[Note, ...] = ()
    at: datetime | None = None
    begun_at: datetime | None = None
    sights: Sights | None = None
    reached: Mapping[Source, int] = field(default_factory=dict)
    table_count: int = 0
    behind: int = 0
    found: int = 0
    without_table: int = 0

    @staticmethod
    def unplanned(pipeline: str) -> PipelineView:
        """Look of a pipeline that the log does not know."""
        return PipelineView(pipeline, 0, 0, None, None, (), ())

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes about the pipeline itself; its tables have their own."""
        out = []
        if self.recovered_by is not None:
            text = (
                f"{self.recovered_by} started to recover this pipeline; nothing is planned until the recovery finishes"
            )
            out.append(Note(Level.STOPPED, text))
        if self.without_table:
            text = f"{counted(self.without_table, 'dead letter')} without a table in the last hour"
            out.append(Note(Level.NOTE, text))
        return (*out, *(note for batch in self.batches for note in batch.notes), *self.idle)


def idle(batches: Sequence[BatchView], staged_s: Mapping[str, float]) -> tuple[Note, ...]:
    """At most one note for all backfill batches, and one for all other re-read batches.

    *staged_s* is how long ago the last one was staged, by kind of lane, if known: between two runs no run holds any of
    them.
    """
    out = []
    for kind, what in ((BACKFILL, "of backfills"), (REDO, "to be read again")):
        waiting = [b for b in batches if kind_of(b.lane) == kind and b.planned_parts]
        # Runs of the live lane write re-reads, too, one batch after the other.
        claimed = any(
            b.run is not None and b.planned_parts
            for b in batches
            if (kind_of(b.lane) == BACKFILL) == (kind == BACKFILL)
        )
        idle_s = min(max((b.age_s for b in waiting), default=0.0), staged_s.get(kind, float("inf")))
        if waiting and not claimed and idle_s > IDLE_S:
            batches_are, them = ("1 batch", "it") if len(waiting) == 1 else (f"{len(waiting)} batches", "them")
            text = f"{batches_are} {what}: planned, but no task writes {them}: see the log of the last write task"
            out.append(Note(Level.WARNING, text))
    return tuple(out)
