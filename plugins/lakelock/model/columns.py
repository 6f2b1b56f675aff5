"""A table's schema for display: one line for each column and each nested field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lakelock.model.schema_types import type_text


@dataclass(frozen=True, slots=True)
class SchemaLine:
    """One line; `depth` is 0 for a column, plus 1 for each struct, list or map around a field.

    The `type` of a line with nested fields does not list them: they follow as lines of the next depth.
    """

    name: str
    depth: int
    type: str
    required: bool
    doc: str | None


def columns(schema: Mapping[str, Any]) -> list[SchemaLine]:
    """Lines of a schema in the Iceberg specification's JSON form, in field order."""
    return list(_columns(schema, 0))


def _columns(struct: Mapping[str, Any], depth: int) -> Iterator[SchemaLine]:
    for field in struct["fields"]:
        inner, kind = _fields_within(field["type"])
        yield SchemaLine(field["name"], depth, kind, bool(field["required"]), field.get("doc"))
        for struct_within in inner:
            yield from _columns(struct_within, depth + 1)


def _fields_within(kind: Any) -> tuple[list[Mapping[str, Any]], str]:
    """Structs whose fields get lines of their own, and the type's text without these fields."""
    if isinstance(kind, str):
        return [], type_text(kind)
    match kind["type"]:
        case "struct":
            return [kind], "struct"
        case "list":
            inner, text = _fields_within(kind["element"])
            return inner, f"list<{text}>"
        case _:
            keys, key = _fields_within(kind["key"])
            values, value = _fields_within(kind["value"])
            return [*keys, *values], f"map<{key}, {value}>"
