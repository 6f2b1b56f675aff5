"""A column of a table: its type, and how its values are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from lakelock.config.column_values import Constant, MaskNotation
from lakelock.config.section import Section
from lakelock.config.values import Casts, FieldPath, SqlText, TypeText, ZoneName
from lakelock.records.casts import WHOLE, Reading

ColumnName = Annotated[str, Field(min_length=1)]


class FieldSettings(Section):
    """A column that a field of records fills."""

    name: ColumnName
    type: TypeText | None = Field(
        default=None,
        description=(
            "Iceberg type. Omit it for a column of an existing table that only needs a `zone`, `field`, `cast`, `constant`, "
            "`mask` or `sql`."
        ),
    )
    zone: ZoneName | None = Field(
        default=None,
        description=(
            "IANA time zone of timestamps without an offset. Without a zone, records with such timestamps become dead "
            "letters."
        ),
    )
    field: FieldPath = Field(
        default=None,
        description=(
            "Field of the record that fills the column: `created`, `event.created` for one within another, a list of names if "
            "they have dots, `[$]` for a field of that name, or `$` for the whole value. Default: the field with the "
            "column's name."
        ),
        examples=["event.created"],
    )
    cast: Casts = Field(
        default=None,
        description=(
            "Forms in which values come, and what may be lost; one or a list. See [casts](json.md#casts). Default: values go "
            "in exactly as their type says."
        ),
        examples=[["rfc3339", "epoch_s"]],
    )

    @model_validator(mode="before")
    @classmethod
    def _json_is_text(cls, value: Any) -> Any:
        """Type `json` is a column of type string that takes any value as its text."""
        if not isinstance(value, Mapping) or value.get("type") != "json":
            return value
        if value.get("cast") not in (None, "json", ["json"]):
            raise ValueError("type json takes any value as it is, so it has no cast; give it type string")
        return {**value, "type": "string", "cast": "json"}

    @property
    def reading(self) -> Reading | None:
        """None for a column that takes the field of its name, exactly."""
        if self.field is None and self.cast is None:
            return None
        path = (self.name,) if self.field is None else self.field
        return Reading(path, self.cast or (), whole=path == WHOLE)


class InputSettings(FieldSettings):
    """A column for expressions alone."""

    type: TypeText = Field(description="Iceberg type.", examples=["string"])


class ColumnSettings(FieldSettings):
    """A column of a table, in order."""

    required: bool = Field(
        default=False, description=("A record without a value for this column becomes a dead letter.")
    )
    doc: str | None = Field(default=None, description="Comment of the column in the table.")
    constant: Constant = Field(
        default=None,
        description=(
            "The column's value in every row, by the rules of [JSON to columns](json.md#types), instead of a field's. See "
            "[shaping](shaping.md#constants)."
        ),
        examples=["eu-1"],
    )
    mask: MaskNotation = Field(
        default=None,
        description=(
            "The text is replaced before it is written: `sha256`, `{hmac_sha256: CONN_ID}`, `{redact: TEXT}`, `{keep_first: "
            "N}`, `{keep_last: N}`, or `{truncate: N}`. See [shaping](shaping.md#masks)."
        ),
        examples=["sha256", {"keep_last": 4}],
    )

    sql: SqlText | None = Field(
        default=None,
        description=(
            "Spark SQL expression of the record's other columns that derives this one. See [SQL expressions](sql.md)."
        ),
        examples=["upper(country)"],
    )

    @property
    def constant_text(self) -> str:
        """As JSON."""
        return json.dumps(self.constant, ensure_ascii=False)
