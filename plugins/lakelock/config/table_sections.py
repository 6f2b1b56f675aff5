"""Tables that records go to, and how their columns are filled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from lakelock.config.column_sections import ColumnName, ColumnSettings, FieldSettings, InputSettings
from lakelock.config.section import Section
from lakelock.config.values import TABLE_NAME, FieldPaths, PartitionExpression, SortExpression, SqlText
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import parse_type
from lakelock.records.casts import Reading
from lakelock.records.json.reshape import Flatten, Reshape
from lakelock.records.masks import Mask
from lakelock.records.sql.expressions import Expressions, OnFail, RowCheck

TableName = Annotated[str, Field(pattern=TABLE_NAME, examples=["demo.flights"])]


def _named(key: str) -> BeforeValidator:
    """A map by name as a list; an entry that is no map is its *key*."""

    def listed(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return [
            {**spec, "name": name} if isinstance(spec, Mapping) else {"name": name, key: spec}
            for name, spec in value.items()
        ]

    return BeforeValidator(listed)


class JsonColumn(Section):
    """Keep fields without a column as one JSON object."""

    json_column: ColumnName = Field(description="Name of the column, of type string.")


NewFields = Annotated[
    Annotated[Literal["evolve", "dead_letter", "ignore"], Tag("text")] | Annotated[JsonColumn, Tag("column")],
    Discriminator(lambda value: "column" if isinstance(value, Mapping | JsonColumn) else "text"),
]


class CheckSettings(Section):
    """A condition that each row must meet."""

    name: Annotated[str, Field(min_length=1)]
    sql: SqlText = Field(description="Spark SQL expression that is true for a good row.", examples=["total > 0"])
    on_fail: OnFail = Field(
        default="dead_letter",
        description=(
            "Treatment of a record whose row fails: a dead letter, `filter` (left out and counted), or `stop` (the batch stops "
            "before anything of it is staged)."
        ),
    )


class FlattenSettings(Section):
    """Objects' fields stand in the place of objects."""

    separator: str = Field(default="_", min_length=1, description="Text between two names.")
    depth: int | None = Field(default=None, ge=1, description="Number of levels. Default: all.")


class TableSettings(Section):
    """What `table_defaults` may set for every table."""

    topics: tuple[str, ...] = Field(
        default=(), description="Topics whose records go to this table. Default: all topics of the pipeline."
    )
    columns: Annotated[tuple[ColumnSettings, ...], _named("type")] = Field(
        default=(),
        description=(
            "Ordered map of column name to type, or to `{type, required, zone, doc, field, cast, constant, mask, sql}`, for a "
            "table that does not exist yet. Default: lakelock infers the columns from a sample. Of an existing table, `zone`, "
            "`field`, `cast`, `constant`, `mask` and `sql` apply, and the others with "
            "[`apply`](evolution.md#what-the-file-says-of-an-existing-table)."
        ),
    )
    partition_by: tuple[PartitionExpression, ...] = Field(
        default=(),
        description=(
            "Partitioning of a new table, or with `apply` of an existing one: `day(ts)`, `hour(ts)`, `bucket(16, id)`, "
            "`truncate(4, s)`, or a column."
        ),
        examples=[["day(time_hour)"]],
    )
    sort_by: tuple[SortExpression, ...] = Field(
        default=(),
        description="Sort order of a new table, or with `apply` of an existing one: `column [asc|desc] [nulls first|last]`.",
    )
    landing: Literal["unpartitioned", "partitioned"] | None = Field(
        default=None,
        description="Whether batches write files without partitions, which `compact` moves into the table's partitions. See "
        "[landing](maintenance.md#land-files-without-partitions).",
    )
    id_columns: tuple[ColumnName, ...] = Field(
        default=(), description="Identifier columns of a new table; they must be required."
    )
    properties: Mapping[str, str] = Field(
        default={}, description="Table properties of a new table, or with `apply` of an existing one."
    )
    location: str | None = Field(
        default=None,
        description="URI of a new table's folder; in a rule of `route`, with `{namespace}` and `{table}` for its name. "
        "Default: the catalog's choice.",
    )
    new_fields: NewFields | None = Field(
        default=None,
        description=(
            "Treatment of a field without a column: `evolve`, which adds a column, `dead_letter` for its record, `ignore`, or "
            "`{json_column: NAME}`, which keeps all such fields of a record as one JSON object in a column of type string. "
            "Default: `evolve` for a table that this pipeline created from JSON, else `dead_letter`. See [when a schema "
            "changes](evolution.md)."
        ),
        examples=[{"json_column": "rest"}],
    )
    new_types: Literal["evolve", "dead_letter"] | None = Field(
        default=None,
        description=(
            "Treatment of a number that is too large for its column, and of a record without a value for a required one: "
            "`evolve`, which widens the column (int to long, float to double, decimal to more digits), or makes it optional "
            "unless the file says `required`; or `dead_letter`. Default: `evolve` for a table that this pipeline created from "
            "JSON, else `dead_letter`."
        ),
    )
    case_sensitive: bool | None = Field(
        default=None,
        description=(
            "With `false`, a field fills the column whose name differs from its own in the case of ASCII letters alone, at any "
            "depth. See [upper and lower case](json.md#upper-and-lower-case). Default: `true`."
        ),
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
    inputs: Annotated[tuple[InputSettings, ...] | None, _named("type")] = Field(
        default=None,
        description=(
            "Map of name to type, or to `{type, zone, field, cast}`: columns for expressions alone, which the table does not "
            "have. See [SQL expressions](sql.md)."
        ),
        examples=[{"kind": {"type": "string", "field": "event.kind"}}],
    )
    where: SqlText | None = Field(
        default=None,
        description=(
            "Spark SQL expression that is true for the records that this table takes. Others are left out and counted. "
            "Default: all records."
        ),
        examples=["kind = 'order'"],
    )
    checks: Annotated[tuple[CheckSettings, ...] | None, _named("sql")] = Field(
        default=None,
        description="Map of name to a Spark SQL expression that is true for a good row, or to `{sql, on_fail}`.",
        examples=[{"positive": {"sql": "total > 0", "on_fail": "dead_letter"}}],
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
    def dropped(self) -> tuple[tuple[str, ...], ...]:
        """Paths of fields that no column takes."""
        return self.drop_fields or ()

    @property
    def refuses_new_fields(self) -> bool:
        """Whether a record with such a field is a dead letter, unless it gets a column."""
        return (self.new_fields or self.unknown_fields) in ("dead_letter", "evolve")

    @property
    def adds_columns(self) -> bool:
        """Whether new fields get columns, if these settings are in effect (`lakelock.ingest.evolving`)."""
        return self.new_fields == "evolve"

    @property
    def ignores_case(self) -> bool:
        """Whether names of fields that differ in case alone are one."""
        return self.case_sensitive is False

    @property
    def evolves(self) -> bool:
        return self.adds_columns or self.new_types == "evolve"

    @property
    def _filled(self) -> tuple[FieldSettings, ...]:
        return (*self.columns, *(self.inputs or ()))

    @property
    def readings(self) -> dict[str, Reading]:
        """By name, for columns and inputs that declare one."""
        return {c.name: reading for c in self._filled if (reading := c.reading) is not None}

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
        return Reshape(self.parse_json or (), flatten, self.ignores_case)

    @property
    def derived(self) -> dict[str, str]:
        """SQL by column name, for columns that an expression derives."""
        return {c.name: c.sql for c in self.columns if c.sql is not None}

    @property
    def unread(self) -> frozenset[str]:
        """Columns that take no field of the value."""
        return frozenset((*self.constants, *self.derived))

    @property
    def expressions(self) -> Expressions | None:
        """None for a table without."""
        checks = tuple(RowCheck(c.name, c.sql, c.on_fail) for c in self.checks or ())
        inputs = tuple(Column(c.name, parse_type(c.type)) for c in self.inputs or ())
        found = Expressions(self.derived, self.where, checks, inputs)
        return found if found.all or inputs else None

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
            "dropped": self.dropped,
            "reshape": self.reshape,
            "ignores_case": self.ignores_case,
            "constants": self.constants,
            "masks": self.masks,
            "expressions": self.expressions,
            "unknown_fields": "evolve" if self.adds_columns else "dead_letter" if self.refuses_new_fields else "ignore",
        }

    @property
    def zones(self) -> dict[str, str]:
        """IANA zone by name, for columns and inputs that declare one."""
        return {c.name: c.zone for c in self._filled if c.zone}

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
