"""Values that pass from plan to commit: batches, parts, files, books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lakelock.model.offsets import FOREVER, OffsetRange, Source

LIVE = "live"
# Kinds of lanes with one batch each: re-reads, which precede anything new, and backfills, which only their own runs
# write.
REDO = "redo"
BACKFILL = "backfill"
# The target of dead letters that no table is known for. No table has this name.
NO_TABLE = "*"


def lane_of(kind: str, batch_id: str) -> str:
    return f"{kind}-{batch_id}"


def kind_of(lane: str) -> str:
    """Kind of a lane; accepts a kind without a batch, too."""
    return lane.partition("-")[0]


def is_backfill(lane: str) -> bool:
    """Whether only backfill runs write this lane."""
    return kind_of(lane) == BACKFILL


@dataclass(frozen=True, slots=True)
class PlannedRange:
    """A range with the leader epoch under which its end was read (None if the broker gives none)."""

    range: OffsetRange
    leader_epoch: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Offset ranges planned together, and the tables whose part is still planned.

    Until a batch of a pipeline with routes is *closed*, it may have records for any table. One without a survey may have
    records that tables have: a recovery, a backfill or an operator's decision planned it.
    """

    batch_id: str
    pipeline: str
    lane: str
    config: Mapping[str, object]
    config_digest: str
    ranges: tuple[PlannedRange, ...]
    planned_tables: tuple[str, ...]
    attempt: str | None = None
    closed: bool = True
    has_survey: bool = True


@dataclass(frozen=True, slots=True)
class DataFile:
    """One immutable Parquet file; `detail` is its manifest entry as one line of JSON, which only the table adapter reads.

    As text it takes a tenth of the memory of parsed values: one commit may have tens of thousands.
    """

    path: str
    rows: int
    size_bytes: int
    detail: bytes


@dataclass(frozen=True, slots=True)
class Books:
    """Counts of one range in one table, in records, not offsets: read = written + dead + filtered."""

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
    """The table state that a part was written for; *layout* is the token of a `Layout`."""

    uuid: str
    generation: int
    layout: str


@dataclass(frozen=True, slots=True)
class PartResult:
    """Record of `stage` for one table of a batch. Key of a part: (batch, table, target).

    A part of the dead-letter table holds the dead letters of one *target* table (its name; empty for data). Its books
    cover only ranges with dead letters: `read = written = dead letters`.
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
    """A part in the write-ahead log; `sequence` grows with planning order within a pipeline.

    `restaged`: a rollback removed it from the table after it was committed. `part_id` distinguishes dead letters of one
    batch that one attempt staged twice.
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
        """Books with ranges named as in the table's coverage."""
        target = self.result.target
        return tuple(replace(b, range=covered_range(b.range, target)) for b in self.result.books)

    @property
    def ranges(self) -> tuple[OffsetRange, ...]:
        """Ranges named as in the table's coverage."""
        return tuple(covered_range(b.range, self.result.target) for b in self.result.books)


@dataclass(frozen=True, slots=True)
class Closing:
    """What the first stage decides of a batch: its routed *tables*, each with those of the batch's topics that may feed it.

    *books* are the batch's own, one for each of its ranges: records that are routed to a table (`written`), that no table is
    known for (`dead`), and that a rule leaves out (`filtered`).
    """

    tables: Mapping[str, tuple[str, ...]]
    books: tuple[Books, ...]


def covered_range(r: OffsetRange, target: str) -> OffsetRange:
    """*r* as coverage names it: the dead-letter table covers the same offsets once for each target table."""
    return OffsetRange(covered_source(r.source, target), r.start, r.end)


def covered_source(source: Source, target: str) -> Source:
    """*source* as coverage names it; see `covered_range`."""
    return Source(source.topic, f"{source.topic_id}>{target}", source.partition) if target else source


def of_target(source: Source) -> tuple[str, Source]:
    """Target table (empty if there is none) and plain source of a source in the dead-letter table's coverage."""
    topic_id, _, target = source.topic_id.partition(">")
    return target, Source(source.topic, topic_id, source.partition)


def plain_range(r: OffsetRange) -> OffsetRange:
    """A range of the dead-letter table's coverage as a range in Kafka; plain ranges are returned unchanged."""
    return OffsetRange(of_target(r.source)[1], r.start, r.end)


def is_target(source: Source) -> bool:
    """Whether *source* is named as in the dead-letter table's coverage."""
    return ">" in source.topic_id


@dataclass(frozen=True, slots=True)
class StreamState:
    """A source in a lane: its declared start and its frontier (the next offset to plan)."""

    source: Source
    start_offset: int
    next_offset: int

    @property
    def retired(self) -> bool:
        """Whether nothing of the source is ever planned again."""
        return self.next_offset == FOREVER


@dataclass(frozen=True, slots=True)
class PartSummary:
    """One line about an open or committed part, for status and logs."""

    batch_id: str
    table: str
    state: str
    ranges: Sequence[OffsetRange] = field(default_factory=tuple)
    rows: int = 0
    files: int = 0
    size_bytes: int = 0
    version_id: int | None = None
    at: datetime | None = None
