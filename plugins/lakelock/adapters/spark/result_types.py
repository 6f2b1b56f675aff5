"""Types of Spark's columns as lakelock's."""

from __future__ import annotations

from typing import Any

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
    Timestamp,
)

_PLAIN: dict[str, ColumnType] = {
    "boolean": Boolean(),
    "tinyint": Integer(8),
    "smallint": Integer(16),
    "int": Integer(32),
    "bigint": Integer(64),
    "float": Floating(32),
    "double": Floating(64),
    "string": Text(),
    "binary": Binary(),
    "date": Date(),
    "timestamp": Timestamp(zoned=True),
    "timestamp_ntz": Timestamp(zoned=False),
}


def column_type(found: Any) -> ColumnType | None:
    """The type of a result; None for that of `null`, and Foreign for one that no column has."""
    from pyspark.sql import types

    match found:
        case types.NullType():
            return None
        case types.DecimalType():
            return Decimal(found.precision, found.scale)
        case types.StructType():
            return Struct(tuple(Column(f.name, _known(f.dataType)) for f in found.fields))
        case types.ArrayType():
            return ListOf(_known(found.elementType))
        case types.MapType():
            return MapOf(_known(found.keyType), _known(found.valueType))
    return _PLAIN.get(found.simpleString(), Foreign(found.simpleString()))


def _known(found: Any) -> ColumnType:
    return column_type(found) or Foreign("void")
