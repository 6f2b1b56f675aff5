"""Changes of a table's columns that keep every file readable: new optional columns, wider types, comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


def by_path(columns: Sequence[Column], within: ColumnPath = ()) -> Iterator[tuple[ColumnPath, Column]]:
    """*columns* and the fields of structs at any depth, but not the elements and values themselves."""
    for column in columns:
        path = (*within, column.name)
        yield path, column
        yield from _fields_within(column.type, path)


def _fields_within(kind: ColumnType, path: ColumnPath) -> Iterator[tuple[ColumnPath, Column]]:
    match kind:
        case Struct(fields):
            yield from by_path(fields, path)
        case ListOf(element):
            yield from _fields_within(element, (*path, ELEMENT))
        case MapOf():
            yield from _fields_within(kind.value, (*path, VALUE))


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
    """*columns* after *changes*. Raises KeyError for a change of something that is not there, or is there already."""
    return _fields(columns, [(change.path, change) for change in changes])


# What is left of each change's path at some place.
_Rest = Sequence[tuple[ColumnPath, ColumnChange]]


def _fields(fields: Sequence[Column], changes: _Rest) -> tuple[Column, ...]:
    known = {f.name for f in fields}
    within: dict[str, list[tuple[ColumnPath, ColumnChange]]] = {}
    added: dict[str, Column] = {}
    for path, change in changes:
        name, rest = path[0], path[1:]
        is_new = not rest and isinstance(change, Added)
        if is_new is (name in known or name in added):
            raise KeyError(name)
        if is_new and isinstance(change, Added):
            added[name] = Column(name, change.type, doc=change.doc)
        else:
            within.setdefault(name, []).append((rest, change))
    return (*(_field(f, within[f.name]) if f.name in within else f for f in fields), *added.values())


def _field(column: Column, changes: _Rest) -> Column:
    for rest, change in changes:
        if not rest and isinstance(change, MadeOptional):
            column = replace(column, required=False)
        elif not rest and isinstance(change, Commented):
            column = replace(column, doc=change.doc)
        elif not rest:
            column = replace(column, type=change.type)  # type: ignore[union-attr]
    deeper = [(rest, change) for rest, change in changes if rest]
    return replace(column, type=_type(column.type, deeper)) if deeper else column


def _type(kind: ColumnType, changes: _Rest) -> ColumnType:
    match kind:
        case Struct(fields):
            return Struct(_fields(fields, changes))
        case ListOf():
            inner = _inner(ELEMENT, kind.element, kind.element_required, changes)
            return ListOf(inner.type, inner.required)
        case MapOf():
            inner = _inner(VALUE, kind.value, kind.value_required, changes)
            return MapOf(kind.key, inner.type, inner.required)
    raise KeyError(changes[0][0][0])


def _inner(name: str, kind: ColumnType, is_required: bool, changes: _Rest) -> Column:
    if any(path[0] != name for path, _ in changes):
        raise KeyError(next(path[0] for path, _ in changes if path[0] != name))
    return _field(Column(name, kind, is_required), [(path[1:], change) for path, change in changes])


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
