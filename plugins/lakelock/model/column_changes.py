"""Changes of a table's columns that keep every file readable: new optional columns, wider types, comments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lakelock.model.column_types import Column, ColumnType, Decimal, Floating, Integer, ListOf, MapOf, Struct
from lakelock.model.type_notation import type_text

# Names of fields, with `element` for those of a list and `value` for those of a map.
ColumnPath = tuple[str, ...]
ELEMENT, VALUE = "element", "value"


@dataclass(frozen=True, slots=True)
class Added:
    """A new optional column, or field of a struct."""

    path: ColumnPath
    type: ColumnType
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Widened:
    """A promotion that the table's format permits."""

    path: ColumnPath
    type: ColumnType


@dataclass(frozen=True, slots=True)
class MadeOptional:
    """A required column may be null from now on."""

    path: ColumnPath


@dataclass(frozen=True, slots=True)
class Commented:
    """A column gets another comment."""

    path: ColumnPath
    doc: str


ColumnChange = Added | Widened | MadeOptional | Commented


def widens(before: ColumnType, after: ColumnType) -> bool:
    """Whether *after* is a promotion of *before* (Iceberg specification, Schema Evolution, format version 2)."""
    match before, after:
        case Integer(32), Integer(64):
            return True
        case Floating(32), Floating(64):
            return True
        case Decimal(), Decimal():
            return before.scale == after.scale and before.precision < after.precision
    return False


def changed(columns: Sequence[Column], changes: Iterable[ColumnChange]) -> tuple[Column, ...]:
    """*columns* after *changes*. Raises KeyError for a change of something that is not there."""
    row = Struct(tuple(columns))
    for change in changes:
        row = _within(row, change.path, change)
    return row.fields


def _within(row: Struct, path: ColumnPath, change: ColumnChange) -> Struct:
    name, rest = path[0], path[1:]
    if not rest and isinstance(change, Added):
        if any(f.name == name for f in row.fields):
            raise KeyError(name)
        return Struct((*row.fields, Column(name, change.type, doc=change.doc)))
    if all(f.name != name for f in row.fields):
        raise KeyError(name)
    return Struct(tuple(_field(f, rest, change) if f.name == name else f for f in row.fields))


def _field(column: Column, rest: ColumnPath, change: ColumnChange) -> Column:
    if rest:
        return replace(column, type=_type(column.type, rest, change))
    if isinstance(change, MadeOptional):
        return replace(column, required=False)
    if isinstance(change, Commented):
        return replace(column, doc=change.doc)
    return replace(column, type=change.type)


def _type(kind: ColumnType, path: ColumnPath, change: ColumnChange) -> ColumnType:
    match kind:
        case Struct():
            return _within(kind, path, change)
        case ListOf() if path[0] == ELEMENT:
            inner = _field(Column(ELEMENT, kind.element, kind.element_required), path[1:], change)
            return ListOf(inner.type, inner.required)
        case MapOf() if path[0] == VALUE:
            inner = _field(Column(VALUE, kind.value, kind.value_required), path[1:], change)
            return MapOf(kind.key, inner.type, inner.required)
    raise KeyError(path[0])


def described(change: ColumnChange) -> str:
    """For people, as `items.element.price: new, double`."""
    name = ".".join(change.path)
    match change:
        case Added():
            return f"{name}: new, {type_text(change.type)}"
        case Widened():
            return f"{name}: {type_text(change.type)} now"
        case Commented(doc=doc):
            return f"{name}: comment {doc!r}"
    return f"{name}: optional now"
