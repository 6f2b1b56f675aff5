"""Metadata columns: what Kafka has of a record, beside the columns that its value fills."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from lakelock.errors import BadTableDefinition, State, TableUnfit
from lakelock.model.column_types import Binary, Column, ColumnType, Integer, ListOf, MapOf, Struct, Text, Timestamp
from lakelock.model.type_notation import type_text

HEADERS = ListOf(Struct((Column("key", Text()), Column("value", Binary()))))
# `header.trace-id` is the key of a column for the header `trace-id`.
OF_HEADER = "header."
# In the order of their numbers in Kafka, from 0 on.
TIMESTAMP_TYPES = ("CreateTime", "LogAppendTime")

# By key: the type of a new table's column, and others that take the same values.
METADATA_TYPES: dict[str, tuple[ColumnType, ...]] = {
    "partition": (Integer(32), Integer(64)),
    "offset": (Integer(64),),
    "timestamp": (Timestamp(zoned=True),),
    "timestamp_type": (Text(),),
    "topic": (Text(),),
    "key": (Binary(), Text()),
    "headers": (HEADERS, MapOf(Text(), Binary()), MapOf(Text(), Text())),
    OF_HEADER: (Text(), Binary()),
}


def header_of(key: str) -> str | None:
    """The header whose column *key* stands for."""
    return key.removeprefix(OF_HEADER) if key.startswith(OF_HEADER) else None


def needs_headers(keys: Collection[str]) -> bool:
    return any(key == "headers" or header_of(key) is not None for key in keys)


def takes(key: str, kind: ColumnType) -> bool:
    """Whether a column of type *kind* takes the values of *key*."""
    return _plain(kind) in _types(key)


def types_text(key: str) -> str:
    return " or ".join(map(type_text, _types(key)))


def named(key: str) -> str:
    """*key* as a message names it."""
    header = header_of(key)
    return key.replace("_", " ") if header is None else f"header {header!r}"


def check_metadata(table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str], state: State) -> None:
    """Raise TableUnfit if a metadata column in the table has a type that cannot take its values."""
    types = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if name in types and not takes(key, types[name]):
            raise TableUnfit(
                f"table {table}: column {name!r} is {type_text(types[name])}, but it takes the Kafka {named(key)}, which "
                f"needs {types_text(key)}.",
                state,
                "Rename that column in the table: batches keep the metadata_columns that they were planned with.",
            )


def with_metadata_columns(
    table: str, columns: Sequence[Column], metadata_columns: Mapping[str, str]
) -> tuple[Column, ...]:
    """*columns*, plus the metadata columns that they do not declare."""
    declared = {c.name: c.type for c in columns}
    for key, name in metadata_columns.items():
        if name in declared and not takes(key, declared[name]):
            raise BadTableDefinition(
                f"table {table}: column {name!r} is declared as {type_text(declared[name])}, but it takes the Kafka "
                f"{named(key)}, which is {types_text(key)}.",
                State.NOTHING_CREATED,
                "Rename one of them (metadata_columns) or fix its type.",
            )
    added = [Column(name, _types(key)[0]) for key, name in metadata_columns.items() if name not in declared]
    return (*columns, *added)


def _types(key: str) -> tuple[ColumnType, ...]:
    return METADATA_TYPES[key if header_of(key) is None else OF_HEADER]


def _plain(kind: ColumnType) -> ColumnType:
    """*kind* without comments, and with everything optional: a record that lacks a required value is refused by itself."""
    match kind:
        case Struct(fields):
            return Struct(tuple(replace(f, type=_plain(f.type), required=False, doc=None) for f in fields))
        case ListOf(element):
            return ListOf(_plain(element))
        case MapOf(key, value):
            return MapOf(_plain(key), _plain(value))
    return kind
