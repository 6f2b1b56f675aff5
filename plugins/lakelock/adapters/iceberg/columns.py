"""Columns as PyIceberg has them, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from pyiceberg import types as iceberg
from pyiceberg.schema import Schema, assign_fresh_schema_ids

from lakelock.errors import BadTableDefinition, State
from lakelock.model.column_types import (
    Binary,
    Boolean,
    Column,
    ColumnType,
    Date,
    Decimal,
    Floating,
    Foreign,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
    Timestamp,
    Uuid,
)

_PLAIN: dict[ColumnType, iceberg.IcebergType] = {
    Boolean(): iceberg.BooleanType(),
    Integer(32): iceberg.IntegerType(),
    Integer(64): iceberg.LongType(),
    Floating(32): iceberg.FloatType(),
    Floating(64): iceberg.DoubleType(),
    Date(): iceberg.DateType(),
    Time(): iceberg.TimeType(),
    Timestamp(zoned=False): iceberg.TimestampType(),
    Timestamp(zoned=True): iceberg.TimestamptzType(),
    Text(): iceberg.StringType(),
    Uuid(): iceberg.UUIDType(),
    Binary(): iceberg.BinaryType(),
}
_OF_ICEBERG = {of: kind for kind, of in _PLAIN.items()}


def columns_of(schema: Schema) -> tuple[Column, ...]:
    """The schema's columns; a type that lakelock does not write is Foreign."""
    return tuple(_column(field) for field in schema.fields)


def schema_from(columns: Sequence[Column]) -> Schema:
    """A new table's schema: outer fields have lower ids than inner ones.

    Raises BadTableDefinition if there are no columns, or two of one name, also as dotted names.
    """
    if not columns:
        raise BadTableDefinition(
            "the table has no columns.", State.NOTHING_CREATED, "Declare at least one under 'columns'."
        )
    fields = _fields(columns, count(1), "")
    try:
        return assign_fresh_schema_ids(Schema(*fields))
    except ValueError as fault:
        raise BadTableDefinition(
            f"the table's columns cannot be read: {str(fault).splitlines()[0]}.", State.NOTHING_CREATED
        ) from fault


def type_from(kind: ColumnType, path: str) -> iceberg.IcebergType:
    """*kind* with ids that count from 1. Raises BadTableDefinition for a type that lakelock does not write."""
    return _iceberg(kind, count(1), path)


def _column(field: iceberg.NestedField) -> Column:
    return Column(field.name, type_of(field.field_type), field.required, field.doc)


def type_of(of: iceberg.IcebergType) -> ColumnType:
    """A type that lakelock does not write is Foreign."""
    match of:
        case iceberg.StructType():
            return Struct(tuple(map(_column, of.fields)))
        case iceberg.ListType():
            return ListOf(type_of(of.element_type), of.element_required)
        case iceberg.MapType():
            return MapOf(type_of(of.key_type), type_of(of.value_type), of.value_required)
        case iceberg.DecimalType():
            return Decimal(of.precision, of.scale)
        case iceberg.FixedType():
            return Binary(len(of))
    return _OF_ICEBERG.get(of) or Foreign(str(of))


def _fields(columns: Sequence[Column], ids: Iterator[int], prefix: str) -> list[iceberg.NestedField]:
    names: set[str] = set()
    for column in columns:
        if column.name in names:
            raise BadTableDefinition(
                f"column {prefix + column.name!r} is declared twice.", State.NOTHING_CREATED, "Keep one."
            )
        names.add(column.name)
    return [
        iceberg.NestedField(next(ids), c.name, _iceberg(c.type, ids, prefix + c.name), required=c.required, doc=c.doc)
        for c in columns
    ]


def _iceberg(kind: ColumnType, ids: Iterator[int], path: str) -> iceberg.IcebergType:
    match kind:
        case Struct(fields):
            return iceberg.StructType(*_fields(fields, ids, path + "."))
        case ListOf(element, element_required):
            inner = _iceberg(element, ids, path + ".element")
            return iceberg.ListType(next(ids), inner, element_required=element_required)
        case MapOf(key, value, value_required):
            return iceberg.MapType(
                next(ids),
                _iceberg(key, ids, path + ".key"),
                next(ids),
                _iceberg(value, ids, path + ".value"),
                value_required=value_required,
            )
        case Decimal(precision, scale):
            return iceberg.DecimalType(precision, scale)
        case Binary(int(length)):
            return iceberg.FixedType(length)
        case Foreign(name):
            raise BadTableDefinition(
                f"column {path!r} is {name}, which lakelock does not write.", State.NOTHING_CREATED
            )
    return _PLAIN[kind]
