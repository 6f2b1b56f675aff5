"""Metadata columns: the record's place in Kafka, beside the columns that its value fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.errors import BadTableDefinition, State, TableUnfit
from lakelock.model.column_types import Binary, Column, ColumnType, Integer, Text, Timestamp
from lakelock.model.type_notation import type_text

# By key: the type of a new table's column, and others that take the same values.
METADATA_TYPES: dict[str, tuple[ColumnType, ...]] = {
    "partition": (Integer(32), Integer(64)),
    "offset": (Integer(64),),
    "timestamp": (Timestamp(zoned=True),),
    "topic": (Text(),),
    "key": (Binary(), Text()),
}


def types_text(key: str) -> str:
    return " or ".join(map(type_text, METADATA_TYPES[key]))


def check_metadata(table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str]) -> None:
    """Raise TableUnfit if a metadata column in the table has a type that cannot take its values."""
    types = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if name in types and types[name] not in METADATA_TYPES[key]:
            raise TableUnfit(
                f"table {table}: column {name!r} is {type_text(types[name])}, but it takes the Kafka {key}, which needs "
                f"{types_text(key)}.",
                State.PART_PLANNED,
                "Rename that column in the table: batches keep the metadata_columns that they were planned with.",
            )


def with_metadata_columns(
    table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str]
) -> tuple[Column, ...]:
    """*columns*, plus the metadata columns that they do not declare."""
    declared = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if name in declared and declared[name] not in METADATA_TYPES[key]:
            raise BadTableDefinition(
                f"table {table}: column {name!r} is declared as {type_text(declared[name])}, but it takes the Kafka {key}, "
                f"which is {types_text(key)}.",
                State.NOTHING_CREATED,
                "Rename one of them (metadata_columns) or fix its type.",
            )
    added = [Column(name, METADATA_TYPES[key][0]) for key, name in metadata_columns.items() if name not in declared]
    return (*columns, *added)
