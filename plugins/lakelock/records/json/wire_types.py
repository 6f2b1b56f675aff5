"""Arrow types with which the JSON parser reads Iceberg columns, plus fields without any value."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import pyarrow as pa

_PLAIN = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "double": pa.float64(),
    "float": pa.float64(),
    "string": pa.string(),
}
_TEXT = ("date", "time", "timestamp", "timestamptz", "uuid", "binary")
_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_FIXED = re.compile(r"fixed\[(\d+)\]")


def decimal_digits(kind: str) -> tuple[int, int] | None:
    """Precision and scale; None for other types."""
    match = _DECIMAL.fullmatch(kind)
    return (int(match[1]), int(match[2])) if match else None


def fixed_bytes(kind: str) -> int | None:
    """Length of a fixed type; None for other types."""
    match = _FIXED.fullmatch(kind)
    return int(match[1]) if match else None


def wire_type(kind: Any) -> pa.DataType | None:
    """Arrow type with which the JSON parser reads this Iceberg type, maps as lists of entries; None if it cannot."""
    if isinstance(kind, str):
        if kind in _PLAIN:
            return _PLAIN[kind]
        if digits := decimal_digits(kind):
            return pa.decimal128(*digits)
        if kind in _TEXT or fixed_bytes(kind) is not None:
            return pa.string()
        return None
    if kind["type"] == "struct":
        children = [(f["name"], wire_type(f["type"])) for f in kind["fields"]]
        return pa.struct([pa.field(n, t) for n, t in children]) if all(t is not None for _, t in children) else None
    if kind["type"] == "list":
        element = wire_type(kind["element"])
        return None if element is None else pa.list_(element)
    key, value = wire_type(kind["key"]), wire_type(kind["value"])
    if key is None or value is None:
        return None
    return pa.list_(pa.struct([("key", key), ("value", value)]))


def leaves(kind: Any) -> int:
    """Number of Parquet columns of this type."""
    if isinstance(kind, str):
        return 1
    match kind["type"]:
        case "struct":
            return sum(leaves(f["type"]) for f in kind["fields"])
        case "list":
            return leaves(kind["element"])
        case _:
            return leaves(kind["key"]) + leaves(kind["value"])


def with_empty(kind: Any, read: pa.DataType, paths: Collection[tuple[str, ...]]) -> pa.DataType:
    """*read*, the wire type of *kind*, extended by empty fields at *paths*; steps are names, `element` and `value`."""
    if kind["type"] == "struct":
        types = {f["name"]: f["type"] for f in kind["fields"]}
        fields = []
        for field in read:
            below = [path[1:] for path in paths if path[0] == field.name and len(path) > 1 and field.name in types]
            fields.append(field.with_type(with_empty(types[field.name], field.type, below)) if below else field)
        return pa.struct([*fields, *_empty_fields([path for path in paths if path[0] not in types])])
    (of,) = {path[0] for path in paths}
    below = [path[1:] for path in paths]
    if kind["type"] == "list":
        return pa.list_(with_empty(kind[of], read.value_type, below))
    key, value = read.value_type
    return pa.list_(pa.struct([key, value.with_type(with_empty(kind[of], value.type, below))]))


def _empty_fields(paths: Collection[tuple[str, ...]]) -> list[pa.Field]:
    """Empty fields, which may contain empty fields themselves."""
    nested: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in paths:
        nested.setdefault(first, []).extend([tuple(rest)] if rest else [])
    return [pa.field(name, pa.struct(_empty_fields(rest))) for name, rest in sorted(nested.items())]
