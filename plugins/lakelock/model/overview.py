"""What the page shows of pipelines and tables at a glance, and what of it somebody should look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from lakelock.model.batches import BACKFILL, LIVE, REDO, kind_of
from lakelock.model.offsets import OffsetRange, Source, offsets_in, overlap
from lakelock.model.sightings import Sights
from lakelock.model.units import counted

# Nobody works on a batch that was planned that long ago, or has said so; a run every few minutes would have taken it.
IDLE_S = 900.0
SILENT_S = 30.0


class Level(Enum):
    """How much a note matters; the value is its name on the page."""

    STOPPED = "stopped"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody should look at, in one sentence."""

    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class LandedInTime:
    """What landed in one span of time."""

    rows: int = 0
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class OpenParts:
    """What of one table is planned or staged.

    `since_s` is when (Unix time) the oldest of those came that a reader waits for: planned for the tail, or staged with rows;
    not those that a rollback took out. `age_s` is the age of the oldest of all, and `has_records` whether any has rows or dead
    letters.
    """

    parts: int = 0
    rows: int = 0
    size_bytes: int = 0
    offsets: int = 0
    since_s: float | None = None
    age_s: float = 0.0
    has_records: bool = False


@dataclass(frozen=True, slots=True)
class TableLook:
    """One table by the log alone: what was committed is as its last commit told.

    `newest_record_ms` is of the last batch that was read in turn: what is read again is old by itself. `landed` has the last
    hour, oldest span first; `dead_letters` counts the table's of the same time that are no rows by now. `due_in_s`: what is
    staged is not to be committed before that; None where nothing is staged, or nobody can say.
    """

    table: str
    is_letters: bool
    bound: bool
    generation: int
    is_unsettled: bool
    committed_at: datetime | None
    newest_record_ms: int | None
    snapshot_id: int | None
    planned: OpenParts
    staged: OpenParts
    landed: tuple[LandedInTime, ...]
    dead_letters: int
    rollback: str | None
    due_in_s: float | None = None
    paused: str | None = None

    @property
    def open_offsets(self) -> int:
        """Planned and not in the table yet."""
        return self.planned.offsets + self.staged.offsets

    @property
    def notes(self) -> tuple[Note, ...]:
        out = []
        if self.paused:
            out.append(Note(Level.WARNING, f"no batch is committed: {self.paused}"))
        if self.is_unsettled:
            out.append(Note(Level.WARNING, "a rollback was begun; whether it landed the next commit finds out"))
        if self.dead_letters:
            out.append(Note(Level.NOTE, f"{counted(self.dead_letters, 'dead letter')} in the last hour"))
        return tuple(out)


@dataclass(frozen=True, slots=True)
class BatchLook:
    """An open batch. `run` holds it (`<dag id>/<run id>`); `silent_s` is how long ago it last said so."""

    batch_id: str
    lane: str
    run: str | None
    age_s: float
    silent_s: float | None
    planned_parts: int
    staged_parts: int
    reason: str | None
    progress: str | None = None

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
                    f"batch {self.batch_id}: its run has been silent for {self.silent_s:.0f} s; the next run takes it over",
                ),
            )
        # What is read again waits its turn, however long: the pipeline tells where nobody goes on with any of it.
        if self.lane == LIVE and self.run is None and self.age_s > IDLE_S:
            return (
                Note(
                    Level.WARNING,
                    f"batch {self.batch_id} is planned and no task writes it: see the log of the last write task",
                ),
            )
        return ()


@dataclass(frozen=True, slots=True)
class PipelineLook:
    """One pipeline by the log alone. `planned_at` is when a batch was last planned; `recovered_by` who recovers it now.

    `idle` are the lanes of batches that are read again which nobody goes on with, in one note each. `at` is when that was, by
    the log's clock, and `begun_at` when its first table was bound. `sights` is what the watch saw last; where that may need a
    person, `reached` has the offset of each source that all tables have passed.
    """

    pipeline: str
    topics: int
    partitions: int
    planned_at: datetime | None
    recovered_by: str | None
    tables: tuple[TableLook, ...]
    batches: tuple[BatchLook, ...]
    idle: tuple[Note, ...] = ()
    at: datetime | None = None
    begun_at: datetime | None = None
    sights: Sights | None = None
    reached: Mapping[Source, int] = field(default_factory=dict)

    @staticmethod
    def unplanned(pipeline: str) -> PipelineLook:
        """Of one that the log does not know."""
        return PipelineLook(pipeline, 0, 0, None, None, (), ())

    @property
    def notes(self) -> tuple[Note, ...]:
        """Of the pipeline itself; its tables have their own."""
        out = []
        if self.recovered_by is not None:
            text = f"{self.recovered_by} began to recover this pipeline; nothing is planned until that has ended"
            out.append(Note(Level.STOPPED, text))
        return (*out, *(note for batch in self.batches for note in batch.notes), *self.idle)


def idle(batches: Sequence[BatchLook], staged_s: Mapping[str, float]) -> tuple[Note, ...]:
    """At most one note for all batches of backfills, and one for all that are read again before anything new.

    *staged_s* is how long ago one of them was staged last, by kind of lane, where that is known: between two runs nobody holds
    any of them.
    """
    out = []
    for kind, what in ((BACKFILL, "of backfills"), (REDO, "to be read again")):
        waiting = [b for b in batches if kind_of(b.lane) == kind and b.planned_parts]
        # Runs of the tail write what is read again, too, one batch after the other.
        held = any(
            b.run is not None and b.planned_parts
            for b in batches
            if (kind_of(b.lane) == BACKFILL) == (kind == BACKFILL)
        )
        idle_s = min(max((b.age_s for b in waiting), default=0.0), staged_s.get(kind, float("inf")))
        if waiting and not held and idle_s > IDLE_S:
            batches_are, them = ("1 batch", "it") if len(waiting) == 1 else (f"{len(waiting)} batches", "them")
            text = f"{batches_are} {what}: planned, and no task writes {them}: see the log of the last write task"
            out.append(Note(Level.WARNING, text))
    return tuple(out)


def letters_left(count: int, where: Iterable[OffsetRange], redriven: Iterable[OffsetRange]) -> int:
    """Of *count* dead letters in *where*, those that no redrive made rows."""
    return max(0, count - offsets_in(overlap(where, redriven)))
