"""Where records go: tables and their columns, the catalog, dead letters, and when staged files are committed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from lakelock.config.column_sections import ColumnName, ColumnSettings
from lakelock.config.section import ConnId, Section
from lakelock.config.values import (
    Duration,
    FieldPaths,
    PartitionExpression,
    SizeBytes,
    SortExpression,
)
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import parse_type
from lakelock.records.casts import Reading
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.masks import Mask

TableName = Annotated[str, Field(pattern=r"^[^.\s/]+(\.[^.\s/]+)+$", examples=["demo.flights"])]


def _columns(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return [
        {**spec, "name": name} if isinstance(spec, Mapping) else {"name": name, "type": spec}
        for name, spec in value.items()
    ]


class JsonColumn(Section):
    """Keep fields without a column as one JSON object."""

    json_column: ColumnName = Field(description="Name of the column, of type string.")


NewFields = Annotated[
    Annotated[Literal["dead_letter", "ignore"], Tag("text")] | Annotated[JsonColumn, Tag("column")],
    Discriminator(lambda value: "column" if isinstance(value, Mapping | JsonColumn) else "text"),
]


class FlattenSettings(Section):
    """Objects' fields stand in the place of objects."""

    separator: str = Field(default="_", min_length=1, description="Text between two names.")
    depth: int | None = Field(default=None, ge=1, description="Number of levels. Default: all.")


class TableSettings(Section):
    """What `table_defaults` may set for every table."""

    topics: tuple[str, ...] = Field(
        default=(), description="Topics whose records go to this table. Default: all topics of the pipeline."
    )
    columns: Annotated[tuple[ColumnSettings, ...], BeforeValidator(_columns)] = Field(
        default=(),
        description=(
            "Ordered map of column name to type, or to `{type, required, zone, doc, field, cast, constant, mask}`, for a table "
            "that does not exist yet. Default: lakelock infers the columns from a sample. Of an existing table, `zone`, "
            "`field`, `cast`, `constant` and `mask` apply."
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
    new_fields: NewFields | None = Field(
        default=None,
        description=(
            "Treatment of a field without a column: `dead_letter` (the default) for its record, `ignore`, or `{json_column: "
            "NAME}`, which keeps all such fields of a record as one JSON object in a column of type string."
        ),
        examples=[{"json_column": "rest"}],
    )
    drop_fields: FieldPaths = Field(
        default=None,
        description="Fields that no column takes and that are not new, by name as in `field`: their values are dropped.",
        examples=[["debug", "event.trace"]],
    )
    parse_json: FieldPaths = Field(
        default=None,
        description=(
            "Fields whose text is JSON, by name as in `field`: that JSON takes the text's place. See "
            "[shaping](shaping.md#json-within-texts)."
        ),
        examples=[["payload"]],
    )
    flatten: FlattenSettings | None = Field(
        default=None,
        description="Put the fields of objects in the place of the objects. See [shaping](shaping.md#flatten).",
    )
    unknown_fields: Literal["dead_letter", "ignore"] = Field(
        default="dead_letter", description="The name of `new_fields` in files for 0.2.0."
    )


class Table(TableSettings):
    """A table that records go to."""

    name: TableName = Field(description="`namespace.table`. lakelock creates it if it does not exist.")

    @property
    def rest_column(self) -> str | None:
        """The column for fields without a column of their own."""
        return self.new_fields.json_column if isinstance(self.new_fields, JsonColumn) else None

    @property
    def refuses_new_fields(self) -> bool:
        return (self.new_fields or self.unknown_fields) == "dead_letter"

    @property
    def readings(self) -> dict[str, Reading]:
        """By column name, for columns that declare one."""
        return {c.name: reading for c in self.columns if (reading := c.reading) is not None}

    @property
    def constants(self) -> dict[str, str]:
        """JSON texts by column name, for columns that have the same value in every row."""
        return {c.name: c.constant_text for c in self.columns if c.constant is not None}

    @property
    def reshape(self) -> Reshape | None:
        """What is done with the JSON of records before columns take fields."""
        if self.flatten is None and not self.parse_json:
            return None
        flatten = None if self.flatten is None else Flatten(self.flatten.separator, self.flatten.depth)
        return Reshape(self.parse_json or (), flatten)

    @property
    def masks(self) -> dict[str, Mask]:
        """By column name, for columns that declare one."""
        return {c.name: c.mask for c in self.columns if c.mask is not None}

    @property
    def mask_key_ids(self) -> list[str]:
        """Ids of the connections that have the keys of masks."""
        return list(dict.fromkeys(key_id for mask in self.masks.values() if (key_id := mask.key_id) is not None))

    @property
    def reading_settings(self) -> dict[str, Any]:
        """Fields of `lakelock.ports.Target`: how records become rows of this table."""
        return {
            "zones": self.zones,
            "readings": self.readings,
            "rest_column": self.rest_column,
            "dropped": self.drop_fields or (),
            "reshape": self.reshape,
            "constants": self.constants,
            "masks": self.masks,
            "unknown_fields": "dead_letter" if self.refuses_new_fields else "ignore",
        }

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

    def with_rest_column(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        """*columns*, plus the one for fields without a column, unless it is among them."""
        rest = self.rest_column
        return columns if rest is None or rest in {c.name for c in columns} else (*columns, Column(rest, Text()))


class Catalog(Section):
    """Where the tables are."""

    conn_id: ConnId = Field(default="iceberg_default", description="Airflow connection to the Iceberg catalog.")
    branch: Annotated[str, Field(min_length=1)] = Field(default="main", description="Branch that commits go to.")


class DeadLetterLimits(Section):
    """More dead letters than this in one table of one batch stop the pipeline before anything is committed."""

    ratio: float | None = Field(default=None, gt=0, le=1, description="Share of the records read.")
    count: int | None = Field(default=None, ge=1, description="Number of records.")


class DeadLetters(Section):
    """Where records go that cannot be decoded or converted."""

    table: TableName | None = Field(
        default=None,
        description=("Dead-letter table. Default: `<namespace of the first table>.<pipeline>__dead_letters`."),
    )
    stop_at: DeadLetterLimits | None = Field(
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
