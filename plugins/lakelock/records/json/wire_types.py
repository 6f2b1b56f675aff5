"""Arrow types with which the JSON parser reads columns, plus fields without any value."""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa

from lakelock.model.column_types import (
    Binary,
    Boolean,
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

# In the path of an empty field, a step into a list, or a mark that it is an object. No field has such a name: it is no text.
IN_LIST, IN_OBJECT = "\udc00", "\udc01"


def wire_type(kind: ColumnType) -> pa.DataType | None:
    """Arrow type with which the JSON parser reads *kind*, maps as lists of entries; None if it cannot."""
    match kind:
        case Boolean():
            return pa.bool_()
        case Integer(bits):
            return pa.int32() if bits == 32 else pa.int64()
        case Floating():
            return pa.float64()
        case Decimal(precision, scale):
            # Arrow reads the digits as written and shifts them by up to *scale*: 128 bits hold 38, and overflow unseen.
            # Zeros at the end count as digits, so there is room for all that fit.
            if precision + scale <= 38:
                return pa.decimal128(38 - scale, scale)
            return pa.decimal256(76 - scale, scale)
        case Text() | Uuid() | Binary() | Date() | Time() | Timestamp():
            return pa.string()
        case Foreign():
            return None
        case Struct(fields):
            children = [(f.name, wire_type(f.type)) for f in fields]
            if any(t is None for _, t in children):
                return None
            return pa.struct([pa.field(n, t) for n, t in children])
        case ListOf():
            element = wire_type(kind.element)
            return None if element is None else pa.list_(element)
        case MapOf():
            key, value = wire_type(kind.key), wire_type(kind.value)
            if key is None or value is None:
                return None
            return pa.list_(pa.struct([("key", key), ("value", value)]))


def with_empty(kind: ColumnType, read: pa.DataType, paths: Collection[tuple[str, ...]]) -> pa.DataType:
    """*read*, the wire type of *kind*, extended by empty fields at *paths*; steps are names, `element` and `value`."""
    if isinstance(kind, Struct):
        types = {f.name: f.type for f in kind.fields}
        fields = []
        for field in read:
            below = [path[1:] for path in paths if path[0] == field.name and len(path) > 1 and field.name in types]
            fields.append(field.with_type(with_empty(types[field.name], field.type, below)) if below else field)
        return pa.struct([*fields, *_empty_fields([path for path in paths if path[0] not in types])])
    below = [path[1:] for path in paths]
    if isinstance(kind, ListOf):
        return pa.list_(with_empty(kind.element, read.value_type, below))
    assert isinstance(kind, MapOf)
    key, value = read.value_type
    return pa.list_(pa.struct([key, value.with_type(with_empty(kind.value, value.type, below))]))


def _empty_fields(paths: Collection[tuple[str, ...]]) -> list[pa.Field]:
    """Empty fields, which may contain empty fields themselves."""
    nested: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in paths:
        if first == IN_OBJECT:
            continue
        nested.setdefault(first, []).extend([tuple(rest)] if rest else [])
    return [pa.field(name, _empty_type(rest)) for name, rest in sorted(nested.items())]


def _empty_type(paths: Collection[tuple[str, ...]]) -> pa.DataType:
    """A list where any of *paths* leads into one."""
    below = [path[1:] for path in paths if path[0] == IN_LIST]
    return pa.list_(_empty_type([path for path in below if path])) if below else pa.struct(_empty_fields(paths))
