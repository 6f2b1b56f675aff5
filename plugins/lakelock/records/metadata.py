"""Metadata columns: the record's place in Kafka, beside the columns that its value fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lakelock.errors import BadTableDefinition, State, TableUnfit
from lakelock.model.column_types import Column, ColumnType, Integer, Timestamp
from lakelock.model.type_notation import type_text

METADATA_TYPES: dict[str, ColumnType] = {
    "partition": Integer(32),
    "offset": Integer(64),
    "timestamp": Timestamp(zoned=True),
}
_WIDER: dict[str, ColumnType] = {"partition": Integer(64)}


def check_metadata(table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str]) -> None:
    """Raise TableUnfit if a metadata column in the table has a type that cannot take its values."""
    types = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if types.get(name, METADATA_TYPES[key]) not in (METADATA_TYPES[key], _WIDER.get(key)):
            raise TableUnfit(
                f"table {table}: column {name!r} is {type_text(types[name])}, but it takes the Kafka {key}, which needs "
                f"{type_text(METADATA_TYPES[key])}.",
                State.PART_PLANNED,
                "Rename that column in the table: batches keep the metadata_columns that they were planned with.",
            )


def with_metadata_columns(
    table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str]
) -> tuple[Column, ...]:
    """*columns*, plus the metadata columns that they do not declare."""
    declared = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if name in declared and declared[name] != METADATA_TYPES[key]:
            raise BadTableDefinition(
                f"table {table}: column {name!r} is declared as {type_text(declared[name])}, but it takes the Kafka {key}, "
                f"which is {type_text(METADATA_TYPES[key])}.",
                State.NOTHING_CREATED,
                "Rename one of them (metadata_columns) or fix its type.",
            )
    added = [Column(name, METADATA_TYPES[key]) for key, name in metadata_columns.items() if name not in declared]
    return (*columns, *added)
