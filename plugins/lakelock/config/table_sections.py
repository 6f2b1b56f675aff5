"""Where records go: tables and their columns, the catalog, dead letters, and when staged files are committed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from lakelock.config.section import ConnId, Section
from lakelock.config.values import (
    Duration,
    NameOrFalse,
    NamesByHeader,
    OptionalName,
    PartitionExpression,
    SizeBytes,
    SortExpression,
    TypeText,
    ZoneName,
)
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type

TableName = Annotated[str, Field(pattern=r"^[^.\s/]+(\.[^.\s/]+)+$", examples=["demo.flights"])]
ColumnName = Annotated[str, Field(min_length=1)]


class ColumnSettings(Section):
    """A column of a table, in order."""

    name: ColumnName
    type: TypeText | None = Field(
        default=None, description=("Iceberg type. Omit it for a column of an existing table that only needs a `zone`.")
    )
    required: bool = Field(
        default=False, description=("A record without a value for this column becomes a dead letter.")
    )
    zone: ZoneName | None = Field(
        default=None,
        description=(
            "IANA time zone of timestamps without an offset. Without a zone, records with such timestamps become dead "
            "letters."
        ),
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
    columns: Annotated[tuple[ColumnSettings, ...], BeforeValidator(_columns)] = Field(
        default=(),
        description=(
            "Ordered map of column name to type, or to `{type, required, zone, doc}`, for a table that does not exist "
            "yet. Default: lakelock infers the columns from a sample. An existing table is used as it is."
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
        default="dead_letter", description="Treatment of a record that has a field without a column."
    )


class Table(TableSettings):
    """A table that records go to."""

    name: TableName = Field(description="`namespace.table`. lakelock creates it if it does not exist.")

    @property
    def zones(self) -> dict[str, str]:
        """Column name to IANA zone, for columns that declare one."""
        return {c.name: c.zone for c in self.columns if c.zone}

    @property
    def declared(self) -> tuple[Column, ...]:
        """The columns of a new table, in order; empty where the file does not declare them."""
        if not all(c.type for c in self.columns):
            return ()
        return tuple(Column(c.name, parse_type(c.type or ""), c.required, c.doc or None) for c in self.columns)


class MetadataColumns(Section):
    """Names of the columns that tell where a row came from; `false` leaves one out."""

    partition: NameOrFalse = Field(
        default="_kafka_partition", description="Kafka partition (int; or long, if the file or the table says so)."
    )
    offset: NameOrFalse = Field(default="_kafka_offset", description="Kafka offset (long).")
    timestamp: NameOrFalse = Field(default="_kafka_timestamp", description="Record timestamp (timestamptz).")
    timestamp_type: OptionalName = Field(
        default=None,
        description=(
            "Type of the timestamp (string): `CreateTime` or `LogAppendTime`; null for a record without a timestamp. "
            "Default: no such column."
        ),
    )
    topic: OptionalName = Field(default=None, description="Topic (string). Default: no such column.")
    key: OptionalName = Field(
        default=None,
        description="Record key (binary; or string, if the file or the table says so). Default: no such column.",
    )
    headers: OptionalName = Field(
        default=None,
        description=(
            "All headers of the record (`list<struct<key: string, value: binary>>`; or `map<string, binary>` or "
            "`map<string, string>`, if the file or the table says so). Default: no such column."
        ),
    )
    header: NamesByHeader = Field(
        default=None,
        description=(
            "Map of header name to the column for its value (string; or binary, if the file or the table says so). Default: "
            "no such columns."
        ),
        examples=[{"trace-id": "trace_id"}],
    )

    @model_validator(mode="before")
    @classmethod
    def _all_or_none(cls, value: Any) -> Any:
        return dict.fromkeys(("partition", "offset", "timestamp"), False) if value is False else value


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
        default=None,
        description=("Dead-letter table. Default: `<namespace of the first table>.<pipeline>__dead_letters`."),
    )
    stop_at: StopAt | None = Field(
        default=None, description="Limits per table and batch; either one stops the batch. Default: no limit."
    )


class Commit(Section):
    """When staged files are committed: at either limit, or when a run asks for it."""

    max_latency: Duration = Field(
        default=timedelta(minutes=1),
        description=(
            "The next run commits files that were staged longer ago than this. A window commits them at once."
        ),
    )
    min_bytes: SizeBytes = Field(default=64 << 20, description=("Staged bytes at which a commit is due at once."))
    keep_snapshots: int = Field(
        default=1000,
        ge=10,
        description=("Number of snapshots that a table keeps. Older ones expire with later commits."),
    )

    rollback_window: Duration | None = Field(
        default=None,
        description=(
            "How far back a rollback must stay possible: no snapshot that was the table's state within this time "
            "expires. `keep_snapshots` must have room for one commit per batch in that time. Default: no guarantee "
            "beyond `keep_snapshots`."
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
