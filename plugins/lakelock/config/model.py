"""The pipeline file as a model; field descriptions are what docs/configuration.md and editors show."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from lakelock.config.values import (
    ColumnType,
    Duration,
    NameOrFalse,
    PartitionExpression,
    SizeBytes,
    SortExpression,
    StartAt,
    ZoneName,
)
from lakelock.errors import State, WalUnusable
from lakelock.model.schema_types import parse_type
from lakelock.records.payload import Compression

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
TableName = Annotated[str, Field(pattern=r"^[^.\s/]+(\.[^.\s/]+)+$", examples=["demo.flights"])]
ColumnName = Annotated[str, Field(min_length=1)]
ConnId = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A part of a pipeline file: immutable, and unknown keys are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Schedule(Section):
    """When runs start. A run moves what is there, up to `batch.max_records`, or works a window when `batch_every` is set."""

    every: Duration | None = Field(
        default=None,
        description="Time between runs. Default `5m`, unless `cron` is given. Without Airflow it is not used.",
    )
    cron: str | None = Field(
        default=None, description="Instead of `every`: a cron expression of five fields.", examples=["*/10 * * * *"]
    )
    batch_every: Duration | None = Field(
        default=None,
        description=(
            "Makes each run a window as long as `every`: batches are planned and written this often in one warm Spark "
            "session, and commits run beside it. Shorter than `every`."
        ),
    )
    timezone: ZoneName = Field(default="UTC", description="IANA time zone that `cron` is read in.")

    @property
    def period(self) -> timedelta | None:
        """Time between runs; None when a cron expression decides."""
        return None if self.cron else self.every or timedelta(minutes=5)


class SourceTopics(Section):
    """What to read."""

    conn_id: ConnId = Field(default="kafka_default", description="Airflow connection to Kafka.")
    topics: tuple[Annotated[str, Field(min_length=1)], ...] = Field(default=(), description="Topics by name.")
    topics_regex: str | None = Field(
        default=None,
        description=(
            "Topics by regular expression, matched against the whole name, beside those in `topics`. Topics that appear "
            "later are read from their earliest offset."
        ),
    )
    start: StartAt = Field(
        default="earliest",
        description=(
            "Where the first run starts: `earliest`, `latest`, a time (first record with at least this timestamp), or "
            "`{topic: {partition: offset}}`. Fixed by the first run; partitions and topics found later start at earliest."
        ),
    )


class Value(Section):
    """How record values are read."""

    format: Literal["json"] = Field(default="json", description="One JSON object per record.")
    decompress: Literal["gzip", "zstd"] | None = Field(
        default=None,
        description=(
            "How producers compress each value themselves; Kafka's own compression of batches needs nothing here. A value that "
            "is not compressed so is a dead letter."
        ),
    )
    max_decompressed_bytes: SizeBytes = Field(
        default=64 << 20, ge=1, description="A value that is larger than this once decompressed is a dead letter."
    )

    @property
    def compression(self) -> Compression | None:
        """None where values are as they were produced."""
        return None if self.decompress is None else Compression(self.decompress, self.max_decompressed_bytes)


class Column(Section):
    """A column of a table, in order."""

    name: ColumnName
    type: ColumnType | None = Field(
        default=None, description="Iceberg type. Left out for a column of an existing table that only needs a `zone`."
    )
    required: bool = Field(default=False, description="A record without a value for it becomes a dead letter.")
    zone: ZoneName | None = Field(
        default=None,
        description="IANA time zone of timestamps written without one. Without a zone such values are dead letters.",
    )
    doc: str | None = Field(default=None, description="Comment of the column in the table.")


def _columns(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return [
        {**spec, "name": name} if isinstance(spec, Mapping) else {"name": name, "type": spec}
        for name, spec in value.items()
    ]


class TableSettings(Section):
    """What `table_defaults` may set for every table."""

    topics: tuple[str, ...] = Field(
        default=(), description="Topics whose records go to this table. Default: all topics of the pipeline."
    )
    columns: Annotated[tuple[Column, ...], BeforeValidator(_columns)] = Field(
        default=(),
        description=(
            "Ordered map of column name to type, or to `{type, required, zone, doc}`. Declares a table that does not exist "
            "yet; without it the schema is inferred from a sample. An existing table is used as it is."
        ),
    )
    partition_by: tuple[PartitionExpression, ...] = Field(
        default=(),
        description="Partitioning of a new table: `day(ts)`, `hour(ts)`, `bucket(16, id)`, `truncate(4, s)`, or a column.",
        examples=[["day(time_hour)"]],
    )
    sort_by: tuple[SortExpression, ...] = Field(
        default=(), description="Sort order of a new table: `column [asc|desc] [nulls first|last]`."
    )
    id_columns: tuple[ColumnName, ...] = Field(
        default=(), description="Identifier columns of a new table; they must be required."
    )
    properties: Mapping[str, str] = Field(default={}, description="Table properties of a new table.")
    location: str | None = Field(
        default=None, description="URI of a new table's folder. Default: the catalog's choice."
    )
    unknown_fields: Literal["dead_letter", "ignore"] = Field(
        default="dead_letter", description="What to do with a record that has a field no column takes."
    )


class Table(TableSettings):
    """A table that records go to."""

    name: TableName = Field(description="`namespace.table`; created when it does not exist.")

    @property
    def zones(self) -> dict[str, str]:
        """Column name to IANA zone, for columns that declare one."""
        return {c.name: c.zone for c in self.columns if c.zone}

    @property
    def fields(self) -> list[dict[str, Any]]:
        """Fields of an Iceberg struct without ids, in order; empty where the columns do not declare a table."""
        if not all(c.type for c in self.columns):
            return []
        return [
            {"name": c.name, "required": c.required, "type": parse_type(c.type or "")}
            | ({"doc": c.doc} if c.doc else {})
            for c in self.columns
        ]


class MetadataColumns(Section):
    """Names of the columns that tell where a row came from; `false` leaves one out."""

    partition: NameOrFalse = Field(default="_kafka_partition", description="Kafka partition (int).")
    offset: NameOrFalse = Field(default="_kafka_offset", description="Kafka offset (long).")
    timestamp: NameOrFalse = Field(default="_kafka_timestamp", description="Record timestamp (timestamptz).")

    @model_validator(mode="before")
    @classmethod
    def _all_or_none(cls, value: Any) -> Any:
        return dict.fromkeys(cls.model_fields, False) if value is False else value


class Catalog(Section):
    """Where the tables are."""

    conn_id: ConnId = Field(default="iceberg_default", description="Airflow connection to the Iceberg catalog.")
    branch: Annotated[str, Field(min_length=1)] = Field(default="main", description="Branch that commits go to.")


class StopAt(Section):
    """More dead letters than this in one table of one batch stop the pipeline before anything is committed."""

    ratio: float | None = Field(default=None, gt=0, le=1, description="Share of the records read.")
    count: int | None = Field(default=None, ge=1, description="Number of records.")


class DeadLetters(Section):
    """Where records go that cannot be decoded or converted."""

    table: TableName | None = Field(
        default=None, description="Default `<namespace of the first table>.<pipeline>__dead_letters`."
    )
    stop_at: StopAt | None = Field(
        default=None, description="Limits per table and batch; either one stops the batch. Default: never stop."
    )


class Commit(Section):
    """When staged files are committed: at either limit, or when a run asks for it."""

    max_latency: Duration = Field(
        default=timedelta(minutes=1),
        description="Files staged for longer than this are committed by the next run, or within a window at once.",
    )
    min_bytes: SizeBytes = Field(default=64 << 20, description="Staged bytes at which a commit does not wait.")
    keep_snapshots: int = Field(
        default=1000, ge=10, description="Snapshots a table keeps; older ones expire with later commits."
    )

    rollback_window: Duration | None = Field(
        default=None,
        description=(
            "How far back a rollback must stay possible: no snapshot that a table showed within this time expires, however many "
            "there are. `keep_snapshots` must have room for one commit per batch in that time. Default: no promise beyond "
            "`keep_snapshots`."
        ),
        examples=["1d"],
    )

    @property
    def max_latency_s(self) -> float:
        return self.max_latency.total_seconds()

    @property
    def rollback_window_ms(self) -> int:
        """0 without one."""
        return 0 if self.rollback_window is None else round(self.rollback_window / timedelta(milliseconds=1))


class Maintenance(Section):
    """What `maintain__<pipeline>` tidies, and the commands `compact`, `expire`, `rewrite-manifests` and `orphans`."""

    every: Duration | None = Field(
        default=None,
        description="Time between runs of `maintain__<pipeline>`. Default: it runs when triggered.",
        examples=["1d"],
    )
    compact_min_files: int = Field(
        default=5,
        ge=2,
        description=(
            "Data files of one partition, each smaller than the table's `write.target-file-size-bytes`, from which on they are "
            "rewritten into larger ones."
        ),
    )
    compact_after: Duration = Field(
        default=timedelta(hours=1), description="Files that were added later than this ago are not rewritten yet."
    )
    compact_within: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "Time after which a run of `compact` begins no further commit of a table, each of which takes up to 45 minutes. "
            "The next run goes on with what is left."
        ),
    )
    expire_after: Duration = Field(
        default=timedelta(days=7),
        description="Snapshots older than this expire, with the files that only they name. A reader must be done by then.",
    )
    keep_at_least: int = Field(
        default=100,
        ge=2,
        description=(
            "The newest snapshots that stay, however old, as far as `commit.keep_snapshots` does. Those of compactions do not "
            "count, here or there: their rows are those of the snapshot before."
        ),
    )
    orphans_after: Duration = Field(
        default=timedelta(days=1),
        description=(
            "Files of lost attempts, and metadata files of commits that never landed, are deleted when they are older than "
            "this: at least `1h`, and longer than it takes until somebody tells that Postgres was restored."
        ),
    )


class Backfill(Section):
    """What Airflow's *Backfill* button makes of `backfill__<pipeline>`."""

    interval: Duration = Field(
        default=timedelta(hours=1),
        description=(
            "How much time of records each run of a backfill brings, counted from midnight (UTC): at least `1m`, and a part "
            "of a day without remainder, or whole days."
        ),
        examples=["15m", "1d"],
    )


class Notify(Section):
    """An Airflow notifier."""

    notifier: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")] = Field(
        description="Its class, by import path.",
        examples=["airflow.providers.slack.notifications.slack.SlackNotifier"],
    )
    arguments: Mapping[str, Any] = Field(
        default={},
        description=(
            "Its arguments. Those that it takes as templates may have `{{ lakelock.message }}`, `{{ lakelock.pipeline }}`, "
            "`{{ lakelock.kind }}`, and `{{ lakelock.began }}`, which is false for an incident that is over."
        ),
        examples=[{"slack_conn_id": "slack", "text": "{{ lakelock.message }}"}],
    )


class Alerts(Section):
    """What the DAG `lakelock_watch` reports, once when it begins and once when it is over."""

    lag: Duration | None = Field(
        default=None,
        description=(
            "The oldest record that is not committed is older than this, while the DAG is paused, too. Default: the pipeline's "
            "own promise, while it is not paused: lakelock saw a record longer ago than `commit.max_latency` and the larger of "
            "one minute and five times `schedule.batch_every` (or `schedule.every`), and it is not committed."
        ),
        examples=["15m"],
    )
    retention_left: Duration | None = Field(
        default=None,
        description="Kafka deletes a record that is not committed within this time. Default: never told.",
        examples=["12h"],
    )
    deadline: Duration | None = Field(
        default=None,
        description=(
            "A run of `ingest__<pipeline>` has not ended this long after it was queued: Airflow's scheduler tells it, at once. "
            "Longer than a window. Default: never told."
        ),
        examples=["30m"],
    )
    notify: tuple[Notify, ...] = Field(
        default=(), description="Who is told. Default: nobody; the run in which an incident begins is red."
    )


class BatchLimits(Section):
    """The size of one batch."""

    max_records: int = Field(
        default=5_000_000,
        ge=1,
        description="Most offsets that one batch takes, and all batches of a run without a window. A backlog is read in batches.",
    )
    max_bytes: SizeBytes = Field(
        default=1 << 30,
        ge=1,
        description="About how many bytes of keys and values one batch takes, estimated from a few records at its start.",
    )
    max_seconds: Duration | None = Field(
        default=None,
        description=(
            "How long a Spark job reads. The rest is left to the next batch or to another job, so other pipelines on the same "
            "Spark wait this long for a slot at most. Default: `schedule.batch_every`, or 30s."
        ),
        examples=["10s"],
    )
    parallelism: int | None = Field(
        default=None, ge=1, description="Spark tasks at once. Default: Spark's parallelism."
    )


class Spark(Section):
    """Where batches are written."""

    conn_id: ConnId = Field(
        default="spark_default",
        description="Airflow connection: type `spark_connect` (warm server) or `spark` (spark-submit).",
    )


class Wal(Section):
    """The write-ahead log."""

    conn_id: ConnId = Field(default="lakelock_postgres", description="Airflow connection to Postgres.")


class Publish(Section):
    """What other tools can see of the progress."""

    group: bool = Field(
        default=True,
        description=(
            "Mirror committed offsets to a consumer group, for lag tools. `false`: no group is written, and the lag is on the "
            "page, in `status` and in the metrics alone."
        ),
    )
    group_prefix: str = Field(
        default="lakelock.", description="Committed offsets are mirrored to the consumer group `<prefix><pipeline>`."
    )
    max_lateness: Duration | None = Field(
        default=None,
        description=(
            "Each hour (UTC) that is complete in a table is told as an asset event, where this is given: by how much at most a "
            "record's timestamp is earlier than the one of a record before it in its partition, and than the moment at which it "
            "comes into Kafka. At least `1m`. Default: no hour is told."
        ),
        examples=["15m"],
    )

    connect_valid_through: bool = Field(
        default=False,
        description=(
            "Also gives the valid-through timestamp of each commit under the name of Iceberg's Kafka Connect sink, "
            "`kafka.connect.valid-through-ts`."
        ),
    )

    @property
    def max_lateness_ms(self) -> int:
        """0 where none is declared."""
        return 0 if self.max_lateness is None else round(self.max_lateness / timedelta(milliseconds=1))


class PipelineSettings(Section):
    """What a pipeline file and the resolved pipeline have in common."""

    owner: Annotated[str, Field(min_length=1)] = Field(default="lakelock", description="Owner of the DAG.")
    tags: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        default=(), description="Tags of the DAG."
    )
    schedule: Schedule = Field(default=Schedule(), description="When runs start.")
    source: SourceTopics = Field(description="What to read.")
    value: Value = Field(default=Value(), description="How record values are read.")
    tables: tuple[Table, ...] = Field(
        min_length=1, description="Where records go; every topic goes to at least one table."
    )
    metadata_columns: MetadataColumns = Field(
        default=MetadataColumns(), description="Columns that tell where a row came from; `false` for none."
    )
    catalog: Catalog = Field(default=Catalog(), description="Where the tables are.")
    dead_letters: DeadLetters = Field(default=DeadLetters(), description="Records that cannot be decoded or converted.")
    commit: Commit = Field(default=Commit(), description="When staged files are committed.")
    maintenance: Maintenance = Field(default=Maintenance(), description="What is tidied, and when.")
    backfill: Backfill = Field(default=Backfill(), description="What a backfill is made of.")
    alerts: Alerts = Field(default=Alerts(), description="What `lakelock_watch` reports, and to whom.")
    batch: BatchLimits = Field(default=BatchLimits(), description="The size of one batch.")
    spark: Spark = Field(default=Spark(), description="Where batches are written.")
    wal: Wal = Field(default=Wal(), description="The write-ahead log.")
    publish: Publish = Field(default=Publish(), description="What other tools can see.")


class PipelineFile(PipelineSettings):
    """A lakelock pipeline: bounded ranges of Kafka topics into Iceberg tables, each record exactly once."""

    table_defaults: TableSettings = Field(
        default=TableSettings(), description="Merged under every entry of `tables`: maps merge, lists replace."
    )


class Pipeline(PipelineSettings):
    """A resolved pipeline: defaults merged, environment filled in, names final."""

    name: Annotated[str, Field(pattern=NAME_PATTERN)]

    @property
    def dead_letter_table(self) -> str:
        if self.dead_letters.table:
            return self.dead_letters.table
        return f"{self.tables[0].name.rpartition('.')[0]}.{self.name}__dead_letters"

    @property
    def group(self) -> str | None:
        """The consumer group that mirrors committed offsets; None where none does."""
        return f"{self.publish.group_prefix}{self.name}" if self.publish.group else None

    @property
    def metadata_columns_by_key(self) -> dict[str, str]:
        """`partition`, `offset`, `timestamp` to the names of the columns that are wanted."""
        return {key: name for key, name in self.metadata_columns if name is not False}

    @property
    def job_s(self) -> float:
        """The seconds that a Spark job of a batch may read for."""
        return (self.batch.max_seconds or self.schedule.batch_every or timedelta(seconds=30)).total_seconds()

    def table(self, name: str) -> Table:
        return next(t for t in self.tables if t.name == name)

    def feeds(self, table: str, topic: str) -> bool:
        """Whether a table of this name takes the topic."""
        return any(t.name == table and self.takes(t, topic) for t in self.tables)

    def takes(self, table: Table, topic: str) -> bool:
        """Records of *topic* go to *table*."""
        return not table.topics or topic in table.topics

    def resolved(self) -> dict[str, Any]:
        """Plain JSON without secrets and with every default written out; `from_resolved` reads it, also in a year.

        Alerts and the length of a backfill's runs are of the file alone: no batch follows from them, and a notifier's arguments
        may hold anything.
        """
        plain: dict[str, Any] = self.model_dump(mode="json", exclude_none=True, exclude={"alerts", "backfill"})
        plain["dead_letters"]["table"] = self.dead_letter_table
        return plain

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the resolved form, independent of key order."""
        text = json.dumps(self.resolved(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def from_resolved(cls, resolved: Mapping[str, Any]) -> Pipeline:
        """The pipeline a batch was planned with, of the same digest. Raises WalUnusable where this release cannot read it."""
        try:
            return cls.model_validate(dict(resolved))
        except ValidationError as fault:
            lines = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors())
            raise WalUnusable(
                f"a configuration that was kept of pipeline {resolved.get('name')!r} cannot be read by this release ({lines}).",
                State.NOTHING_CHANGED,
                "Run the release that planned with it, or a later one.",
            ) from None
