"""Types of columns in Spark SQL, and the results of expressions that a column takes."""

from __future__ import annotations

import pyarrow as pa

from lakelock.model.column_types import (
    Binary,
    Boolean,
    Column,
    ColumnType,
    Date,
    Decimal,
    Floating,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Timestamp,
)
from lakelock.records.sql.expressions import quoted

_LEAVES: dict[ColumnType, tuple[str, pa.DataType]] = {
    Boolean(): ("boolean", pa.bool_()),
    Integer(32): ("int", pa.int32()),
    Integer(64): ("bigint", pa.int64()),
    Floating(32): ("float", pa.float32()),
    Floating(64): ("double", pa.float64()),
    Text(): ("string", pa.string()),
    Binary(): ("binary", pa.binary()),
    Date(): ("date", pa.date32()),
    Timestamp(zoned=True): ("timestamp", pa.timestamp("us", "UTC")),
    Timestamp(zoned=False): ("timestamp_ntz", pa.timestamp("us")),
}


def spark_type(kind: ColumnType) -> str | None:
    """The type as Spark's DDL has it; None for one that Spark SQL has no type for, or lakelock gives it none."""
    match kind:
        case Decimal(precision, scale):
            return f"decimal({precision},{scale})"
        case Struct(fields):
            types = [spark_type(f.type) for f in fields]
            if None in types:
                return None
            return f"struct<{', '.join(f'{quoted(f.name)}: {t}' for f, t in zip(fields, types, strict=True))}>"
        case ListOf(element):
            inner = spark_type(element)
            return None if inner is None else f"array<{inner}>"
        case MapOf(key, value):
            of_key, of_value = spark_type(key), spark_type(value)
            return None if of_key is None or of_value is None else f"map<{of_key}, {of_value}>"
    return _LEAVES[kind][0] if kind in _LEAVES else None


def arrow_type(kind: ColumnType) -> pa.DataType:
    """The type of a column for expressions alone; *kind* has a type in Spark."""
    match kind:
        case Decimal(precision, scale):
            return pa.decimal128(precision, scale)
        case Struct(fields):
            return pa.struct([pa.field(f.name, arrow_type(f.type)) for f in fields])
        case ListOf(element):
            return pa.list_(arrow_type(element))
        case MapOf(key, value):
            return pa.map_(arrow_type(key), arrow_type(value))
    return _LEAVES[kind][1]


def takes(column: ColumnType, result: ColumnType | None) -> bool:
    """Whether a column takes every value of type *result* exactly; None is the type of `null`.

    A result may have a null anywhere, so nothing within the column is required.
    """
    match column, result:
        case _, None:
            return True
        case Integer(wide), Integer(narrow):
            return narrow <= wide
        case Floating(wide), Floating(narrow):
            return narrow <= wide
        case Decimal(precision, scale), Decimal(p, s):
            return s <= scale and p - s <= precision - scale
        case Struct(fields), Struct(found):
            return [f.name for f in fields] == [f.name for f in found] and all(map(_takes_field, fields, found))
        case ListOf(element, required), ListOf(found_element):
            return not required and takes(element, found_element)
        case MapOf(key, value, required), MapOf(found_key, found_value):
            return not required and takes(key, found_key) and takes(value, found_value)
    return column == result


def _takes_field(field: Column, found: Column) -> bool:
    return not field.required and takes(field.type, found.type)
