"""Columns for display and lookup: one line for each column and each nested field, and dotted names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lakelock.model.column_changes import ELEMENT, VALUE, ColumnPath
from lakelock.model.column_types import Column, ColumnType, ListOf, MapOf, Struct
from lakelock.model.type_notation import type_text


@dataclass(frozen=True, slots=True)
class SchemaLine:
    """One line; `depth` is 0 for a column, plus 1 for each struct, list or map around a field.

    The `type` of a line with nested fields does not list them: they follow as lines of the next depth. `path` has the
    names of all fields around it, too.
    """

    name: str
    path: ColumnPath
    depth: int
    type: str
    required: bool
    doc: str | None


def schema_lines(columns: Sequence[Column], within: ColumnPath = (), depth: int = 0) -> Iterator[SchemaLine]:
    """Lines in field order."""
    for column in columns:
        inner, kind = _structs_within(column.type)
        path = (*within, column.name)
        yield SchemaLine(column.name, path, depth, kind, column.required, column.doc)
        for way, struct in inner:
            yield from schema_lines(struct.fields, (*path, *way), depth + 1)


def column_names(columns: Sequence[Column], prefix: str = "") -> list[str]:
    """Dotted names of all columns and nested struct fields, in order."""
    out: list[str] = []
    for column in columns:
        name = prefix + column.name
        out.append(name)
        if isinstance(column.type, Struct):
            out += column_names(column.type.fields, name + ".")
    return out


def _structs_within(kind: ColumnType) -> tuple[list[tuple[ColumnPath, Struct]], str]:
    """Structs whose fields get lines of their own, with the ways to them; and the type's text without these fields."""
    match kind:
        case Struct():
            return [((), kind)], "struct"
        case ListOf(element):
            inner, text = _structs_within(element)
            return [((ELEMENT, *way), struct) for way, struct in inner], f"list<{text}>"
        case MapOf():
            keys, key = _structs_within(kind.key)
            values, value = _structs_within(kind.value)
            found = [(("key", *way), struct) for way, struct in keys]
            found += [((VALUE, *way), struct) for way, struct in values]
            return found, f"map<{key}, {value}>"
    return [], type_text(kind)
