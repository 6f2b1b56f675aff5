"""The values that travel from plan to commit: batches, parts, files, books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lakelock.model.offsets import FOREVER, OffsetRange, Source

LIVE = "live"
# Lanes of one batch each: what is read again before anything new, and what only a backfill's own runs write.
REDO = "redo"
BACKFILL = "backfill"


def lane_of(kind: str, batch_id: str) -> str:
    return f"{kind}-{batch_id}"


def kind_of(lane: str) -> str:
    """*lane* may be the kind without a batch."""
    return lane.partition("-")[0]


def is_backfill(lane: str) -> bool:
    """Whether it is for backfill runs alone."""
    return kind_of(lane) == BACKFILL


@dataclass(frozen=True, slots=True)
class PlannedRange:
    """A range with the leader epoch its end was read under (None where the broker gives none)."""

    range: OffsetRange
    leader_epoch: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Offset ranges planned together, and the tables whose part is still to be written."""

    batch_id: str
    pipeline: str
    lane: str
    config: Mapping[str, object]
    config_digest: str
    ranges: tuple[PlannedRange, ...]
    planned_tables: tuple[str, ...]
    attempt: str | None = None


@dataclass(frozen=True, slots=True)
class DataFile:
    """One immutable Parquet file; `detail` is its manifest entry as one line of JSON, which only the table adapter reads.

    Kept as text, a tenth of what it takes as values: a commit may hold tens of thousands.
    """

    path: str
    rows: int
    size_bytes: int
    detail: bytes


@dataclass(frozen=True, slots=True)
class Books:
    """What became of one range in one table: read = written + dead + filtered (records, never offsets)."""

    range: OffsetRange
    read: int
    written: int
    dead: int = 0
    filtered: int = 0
    min_timestamp_ms: int | None = None
    max_timestamp_ms: int | None = None

    @property
    def balanced(self) -> bool:
        return self.read == self.written + self.dead + self.filtered


@dataclass(frozen=True, slots=True)
class TableIdentity:
    """What a part was written for; a commit to anything else is refused or the part is written again."""

    uuid: str
    generation: int
    schema_id: int
    spec_id: int


@dataclass(frozen=True, slots=True)
class PartResult:
    """What `stage` records for one table of a batch.

    A part of the dead-letter table holds the dead letters of one *target* table (its name; empty for data): its books
    are `read = written = dead letters`, only for ranges that have any. Key of a part: (batch, table, target).
    """

    table: str
    identity: TableIdentity
    files: tuple[DataFile, ...]
    books: tuple[Books, ...]
    target: str = ""

    @property
    def rows(self) -> int:
        return sum(f.rows for f in self.files)

    @property
    def size_bytes(self) -> int:
        return sum(f.size_bytes for f in self.files)

    @property
    def dead(self) -> int:
        return sum(b.dead for b in self.books)


@dataclass(frozen=True, slots=True)
class StagedPart:
    """A part as the WAL holds it; ordered by `sequence`, which grows with planning order within a pipeline.

    `restaged`: it was committed once, and a rollback took it out of the table. One attempt may have staged dead letters of a
    batch twice: `part_id` tells them apart.
    """

    batch_id: str
    sequence: int
    lane: str
    attempt: str
    config_digest: str
    staged_at: datetime
    age_s: float
    result: PartResult
    restaged: bool = False
    part_id: int = 0

    @property
    def books(self) -> tuple[Books, ...]:
        """With the ranges as the table's coverage names them."""
        target = self.result.target
        return tuple(replace(b, range=covered_range(b.range, target)) for b in self.result.books)

    @property
    def ranges(self) -> tuple[OffsetRange, ...]:
        """The ranges as the table's coverage names them."""
        return tuple(covered_range(b.range, self.result.target) for b in self.result.books)


def covered_range(r: OffsetRange, target: str) -> OffsetRange:
    """*r* as coverage names it: in the dead-letter table the same offsets are held once for each target table."""
    return OffsetRange(covered_source(r.source, target), r.start, r.end)


def covered_source(source: Source, target: str) -> Source:
    """*source* as coverage names it, as above."""
    return Source(source.topic, f"{source.topic_id}>{target}", source.partition) if target else source


def of_target(source: Source) -> tuple[str, Source]:
    """The target table (none: empty) and the plain source that a source of the dead-letter table's coverage means."""
    topic_id, _, target = source.topic_id.partition(">")
    return target, Source(source.topic, topic_id, source.partition)


def plain_range(r: OffsetRange) -> OffsetRange:
    """What a range of the dead-letter table's coverage means in Kafka; a plain one is itself."""
    return OffsetRange(of_target(r.source)[1], r.start, r.end)


def is_target(source: Source) -> bool:
    """Whether *source* is named as in the dead-letter table's coverage."""
    return ">" in source.topic_id


@dataclass(frozen=True, slots=True)
class StreamState:
    """A source in a lane: where it was declared to start, and its frontier (the next offset to plan)."""

    source: Source
    start_offset: int
    next_offset: int

    @property
    def retired(self) -> bool:
        """Whether nothing of it is ever planned any more."""
        return self.next_offset == FOREVER


@dataclass(frozen=True, slots=True)
class PartSummary:
    """One line of what is open or was committed, for status and logs."""

    batch_id: str
    table: str
    state: str
    ranges: Sequence[OffsetRange] = field(default_factory=tuple)
    rows: int = 0
    files: int = 0
    size_bytes: int = 0
    snapshot_id: int | None = None
    at: datetime | None = None
