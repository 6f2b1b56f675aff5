"""Spark jobs that read Kafka and write data files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from lakelock.errors import LakelockError, Retryable, State, TableUnfit
from lakelock.model.batches import Books, DataFile
from lakelock.model.column_types import Column
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange
from lakelock.records.casts import Reading
from lakelock.records.csv.options import CsvOptions
from lakelock.records.decompression import Compression
from lakelock.records.evolution import Evolving
from lakelock.records.json.reshape import Reshape
from lakelock.records.masks import Mask
from lakelock.records.observed_fields import ObservedField
from lakelock.records.routing.router import Router
from lakelock.records.sql.expressions import Evaluable, Expressions


@dataclass(frozen=True, slots=True)
class Target:
    """A table for writing tasks: where its files go and which rows it takes.

    *options* are those of the format, if it has any. With *evolving*, slices report records that other columns could take.
    If a compaction partitions the rows later, *partitioned* is its layout: records that do not fit it are dead letters now.
    *renamed* columns, by names that they had, also take fields of these names. If it *ignores_case*, names of fields that
    differ in case alone are one. Of the fields *dropped*, values of those *left_out* are counted: their columns were dropped.
    *constants* are JSON texts by column. *mask_keys* are the keys of masks by id of their connection; these and *storage*,
    which is PyIceberg FileIO properties, may hold secrets and travel only inside tasks. If it *is_routed*, it takes what the
    order's router gives it; else all records of its topics.
    """

    table: str
    identity_uuid: str
    generation: int
    layout: Layout
    location: str
    columns: tuple[Column, ...]
    properties: Mapping[str, str]
    topics: tuple[str, ...]
    zones: Mapping[str, str] = field(default_factory=dict)
    format: str = "json"
    options: CsvOptions | None = None
    unknown_fields: str = "dead_letter"
    evolving: Evolving | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, Reading] = field(default_factory=dict)
    rest_column: str | None = None
    dropped: tuple[tuple[str, ...], ...] = ()
    left_out: tuple[tuple[str, ...], ...] = ()
    reshape: Reshape | None = None
    ignores_case: bool = False
    constants: Mapping[str, str] = field(default_factory=dict)
    masks: Mapping[str, Mask] = field(default_factory=dict)
    mask_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    expressions: Expressions | None = None
    metadata_columns: Mapping[str, str] = field(default_factory=dict)
    storage: Mapping[str, str] = field(default_factory=dict, repr=False)
    partitioned: Layout | None = None
    is_routed: bool = False

    @property
    def final_layout(self) -> Layout:
        """The layout that records must fit."""
        return self.partitioned or self.layout

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        """Settings that contain values which must not be shown."""
        return (self.storage, *({"password": key} for key in self.mask_keys.values()))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """How records of routed *tables* get to the tasks that write them: in *buckets* of neighbouring tables, to *tasks* tasks.

    Once a slice has sent *bucket_bytes* of one bucket, it begins another one for the same tables.
    """

    tables: frozenset[str]
    buckets: int
    tasks: int
    bucket_bytes: int


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """Everything that the writing tasks of one attempt need.

    *kafka* is librdkafka configuration; it may hold secrets and travels only inside tasks. `metadata_columns` of a
    target maps keys of `METADATA_TYPES` to column names. The dead-letter target takes every topic. *decided* has,
    by table, the (topic, partition, offset) of records that are in the dead-letter table already: whatever the table's
    columns are now, they stay dead letters and are not written again. *lost* has those whose dead letter was declared
    lost: it is not written again either, but they become rows if they fit now. A slice stops reading after *slice_s*
    seconds or *slice_bytes* of values. With *skips_tombstones*, records without a value are filtered. For tables *in_doubt*,
    each record is tried on its own. A *router* decides which records go to targets that are routed. With a *shuffle*, slices
    send the records of its tables to other tasks of the job, which write them.
    """

    pipeline: str
    batch_id: str
    attempt: str
    slices: tuple[tuple[OffsetRange, ...], ...]
    targets: tuple[Target, ...]
    dead_letters: Target
    kafka: Mapping[str, str] = field(repr=False)
    decided: Mapping[str, frozenset[tuple[str, int, int]]] = field(default_factory=dict)
    lost: Mapping[str, frozenset[tuple[str, int, int]]] = field(default_factory=dict)
    pipeline_version: str = ""
    block_bytes: int = 8 << 20
    target_file_bytes: int = 512 << 20
    slice_s: float | None = None
    slice_bytes: int | None = None
    compression: Compression | None = None
    skips_tombstones: bool = False
    in_doubt: frozenset[str] = frozenset()
    router: Router | None = None
    shuffle: Shuffle | None = None

    def reads(self, topic: str) -> bool:
        """Whether records of *topic* may be for one of its tables."""
        return self.router is not None or any(topic in t.topics for t in self.targets)

    @property
    def secrets(self) -> tuple[Mapping[str, str], ...]:
        """Settings that contain values which must not be shown."""
        of_targets = (settings for t in self.targets for settings in t.secrets)
        return (self.kafka, self.dead_letters.storage, *of_targets)


@dataclass(frozen=True, slots=True)
class SliceNews:
    """Fields *observed* in records for which a table's columns may change. The slice has to be read again in *ranges*.

    The record at *offset* of *topic* and *partition* is one of them.
    """

    observed: ObservedField
    ranges: tuple[OffsetRange, ...]
    topic: str
    partition: int
    offset: int

    @property
    def place(self) -> str:
        return f"topic {self.topic}, partition {self.partition}, offset {self.offset}"


@dataclass(frozen=True, slots=True)
class TableOutput:
    """Files and books of one table from one slice; `unknown_fields` names JSON fields that no column takes.

    `left_out` counts the values of rows in fields whose columns were dropped, by dotted path.
    `fault` means that the table's files could not be written, `news` that its columns may change first: it has neither
    files nor books then; other tables are not affected.
    """

    table: str
    files: tuple[DataFile, ...]
    books: tuple[Books, ...]
    unknown_fields: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    fault: LakelockError | None = None
    news: SliceNews | None = None


@dataclass(frozen=True, slots=True)
class UnknownTable:
    """A table that records are routed to and that is not among the targets: the slice has to be read again for it.

    *raw_name* is its name before corrections (`records.routing.templates`). *sample* has some of its values, as they were
    decompressed. *ranges* are those of its topics that the slice has read; the record at *offset* is the first.
    """

    table: str
    raw_name: str
    topics: tuple[str, ...]
    ranges: tuple[OffsetRange, ...]
    sample: tuple[bytes, ...]
    partition: int
    offset: int


@dataclass(frozen=True, slots=True)
class RouteOutput:
    """What a slice's router did with the records of each range: see `model.batches.Closing`.

    Records that go to several tables count once.
    """

    books: tuple[Books, ...]
    unknown: tuple[UnknownTable, ...] = ()


@dataclass(frozen=True, slots=True)
class Pieces:
    """Records that a slice sends to other tasks, each piece with the number of its bucket."""

    numbered: Sequence[tuple[int, bytes]]


@dataclass(frozen=True, slots=True)
class SentPiece:
    """A piece as another task gets it, with the slice that sent it."""

    bucket: int
    slice_no: int
    body: memoryview


# A table, a slice, a topic and a partition.
Sender = tuple[str, int, str, int]


@dataclass(frozen=True, slots=True)
class SentCount:
    """How many records were sent or received, and a sum over a hash of their offsets."""

    count: int
    offsets_sum: int


@dataclass(frozen=True, slots=True)
class SliceOutput:
    """Result of one slice.

    `dead_letters` has one entry per target table with dead letters: `table` names that target, `files` are files of the
    dead-letter table with only this target's dead letters, `books` the ranges that have any (read = written = dead).
    `unread` has the remaining ranges if the slice stopped early; books cover only what lies before them.
    `fetched_bytes` is the size of all values. Dead letters that no table is known for have the target NO_TABLE. `shuffled` are
    the records that were sent to other tasks, or received by one.
    """

    slice_no: int
    tables: tuple[TableOutput, ...]
    dead_letters: tuple[TableOutput, ...]
    peak_memory_bytes: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    unread: tuple[OffsetRange, ...] = ()
    fetched_bytes: int = 0
    routed: RouteOutput | None = None
    shuffled: Mapping[Sender, SentCount] = field(default_factory=dict)


class RecordsInDoubt(Retryable):
    """A file of *table* could not be written or described in a manifest: write again, and try each record."""

    def __init__(self, table: str, cause: str) -> None:
        super().__init__(f"table {table}: a file could not be written: {cause}.", State.JOB_REPEATED)
        self.table, self.cause = table, cause

    def __reduce__(self) -> tuple[type[RecordsInDoubt], tuple[str, str]]:
        return type(self), (self.table, self.cause)


class Writer(Protocol):
    """Runs a write order's slices on Spark. Only the winning task's result of each slice is returned.

    Raises Unreachable (Spark, broker), HistoryMissing, TopicRecreated, AccessDenied, and any fault of the dead-letter
    table's files. A fault of one table's files is in its `TableOutput`.
    """

    @property
    def parallelism(self) -> int:
        """Number of slices that run at once."""
        ...

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        """By table, why Spark cannot evaluate its expressions, or their results do not fit; an error leaves *state*."""
        ...

    def interrupt_orphans(self, attempt: str) -> None:
        """Stop jobs that *attempt* left running after another one claimed its batch."""
        ...

    def run(self, order: WriteOrder, ended: Callable[[int], None] = ...) -> list[SliceOutput]:
        """Run *order*; *ended* gets the number of finished slices from time to time, if Spark reports it."""
        ...
