"""Iceberg schemas as JSON: parse type text, and assign field ids to declared schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lakelock.errors import BadTableDefinition
from lakelock.model.units import cut

PRIMITIVES = frozenset(
    {
        "boolean",
        "int",
        "long",
        "float",
        "double",
        "date",
        "time",
        "timestamp",
        "timestamptz",
        "string",
        "uuid",
        "binary",
    }
)
ALIASES = {"bigint": "long", "integer": "int", "bool": "boolean", "varchar": "string", "text": "string"}
NOTATION = (
    ", ".join(sorted(PRIMITIVES)) + ", decimal(precision, scale), fixed(length), list<…>, map<…, …>, struct<name: …, …>"
)

# Characters shown before and after a fault in a long type.
_AROUND = 40
_TOKEN = re.compile(r"\s*(`(?:[^`]|``)+`|\w+|[<>(),:\[\]])")


def parse_type(text: str) -> object:
    """Type JSON of the Iceberg specification, without ids; struct fields and elements are optional.

    Raises BadTableDefinition.
    """
    tokens = _Tokens(text)
    parsed = _type(tokens)
    tokens.ended()
    return parsed


def with_field_ids(schema: Mapping[str, object]) -> dict[str, object]:
    """The same schema with an id for each field, element, key and value: outer fields before inner ones.

    Types may be text or JSON; existing ids are replaced. Raises BadTableDefinition for unknown types, duplicate columns
    and a schema without columns.
    """
    fields = schema.get("fields")
    if not isinstance(fields, Sequence) or not fields:
        raise BadTableDefinition("the table has no columns.", do="Declare at least one under 'columns'.")
    ids = iter(range(1, 2**31))
    return {"type": "struct", "schema-id": 0, "fields": _fields(fields, ids, "")}


def column_names(schema: Mapping[str, object], prefix: str = "") -> list[str]:
    """Dotted names of all columns and nested struct fields, in order."""
    out: list[str] = []
    for field in _listed(schema.get("fields")):
        name = prefix + str(field["name"])
        out.append(name)
        inner = field["type"]
        if isinstance(inner, Mapping) and inner.get("type") == "struct":
            out += column_names(inner, name + ".")
    return out


def type_text(kind: Any) -> str:
    """Text of a type's JSON; inverse of `parse_type`."""
    if isinstance(kind, str):
        return kind
    match kind["type"]:
        case "struct":
            children = (f"`{f['name'].replace('`', '``')}`: {type_text(f['type'])}" for f in kind["fields"])
            return f"struct<{', '.join(children)}>"
        case "list":
            return f"list<{type_text(kind['element'])}>"
        case _:
            return f"map<{type_text(kind['key'])}, {type_text(kind['value'])}>"


def _listed(fields: object) -> list[Mapping[str, object]]:
    return [f for f in fields if isinstance(f, Mapping)] if isinstance(fields, Sequence) else []


def _fields(fields: Sequence[object], ids: Iterator[int], prefix: str) -> list[dict[str, object]]:
    out: list[dict[str, object]] = []
    for field in fields:
        if not isinstance(field, Mapping) or not isinstance(field.get("name"), str) or not field["name"]:
            where = f"a field of column {prefix.removesuffix('.')!r}" if prefix else "a column of the table"
            raise BadTableDefinition(f"{where} has no name: {cut(repr(field), 2 * _AROUND)}.", do="Give it a name.")
        name = str(field["name"])
        if any(name == f["name"] for f in out):
            raise BadTableDefinition(f"column {prefix + name!r} is declared twice.", do="Keep one.")
        kept: dict[str, object] = {"id": next(ids), "name": name, "type": field.get("type")}
        kept["required"] = bool(field.get("required", False))
        if field.get("doc"):
            kept["doc"] = str(field["doc"])
        out.append(kept)
    for kept in out:
        kept["type"] = _with_ids(kept["type"], ids, prefix + str(kept["name"]))
    return out


def _with_ids(declared: object, ids: Iterator[int], column: str) -> object:
    if isinstance(declared, str):
        try:
            declared = parse_type(declared)
        except BadTableDefinition as fault:
            raise BadTableDefinition(f"column {column!r}: {fault.what}", fault.state, fault.do) from fault
    if isinstance(declared, str):
        return declared
    if not isinstance(declared, Mapping):
        raise BadTableDefinition(f"column {column!r} has no type.", do=f"Write one of these: {NOTATION}.")
    kind = declared.get("type")
    if kind == "struct":
        fields = declared.get("fields")
        if not isinstance(fields, Sequence) or not fields:
            raise BadTableDefinition(f"column {column!r} is a struct without fields.", do="Declare at least one.")
        return {"type": "struct", "fields": _fields(fields, ids, column + ".")}
    if kind == "list":
        element_id = next(ids)
        return {
            "type": "list",
            "element-id": element_id,
            "element": _with_ids(declared.get("element"), ids, column + ".element"),
            "element-required": bool(declared.get("element-required", False)),
        }
    if kind == "map":
        key_id, value_id = next(ids), next(ids)
        return {
            "type": "map",
            "key-id": key_id,
            "key": _with_ids(declared.get("key"), ids, column + ".key"),
            "value-id": value_id,
            "value": _with_ids(declared.get("value"), ids, column + ".value"),
            "value-required": bool(declared.get("value-required", False)),
        }
    raise BadTableDefinition(f"column {column!r}: there is no type {kind!r}.", do=f"Write one of these: {NOTATION}.")


class _Tokens:
    """Tokens of a type text; *path* names the type being read, in Iceberg's terms."""

    def __init__(self, text: str) -> None:
        self.path: list[str] = []
        self._text = text
        self._position = self._last = 0

    def peek(self) -> str:
        match = _TOKEN.match(self._text, self._position)
        return match[1] if match else self._text[self._position :].strip()

    def next(self) -> str:
        match = _TOKEN.match(self._text, self._position)
        if match is None:
            self._last = self._position
            raise self.fault()
        self._last = match.start(1)
        self._position = match.end()
        return match[1]

    def expect(self, *wanted: str) -> str:
        found = self.next()
        if found not in wanted:
            raise self.fault()
        return found

    def number(self) -> int:
        found = self.next()
        if not found.isdigit():
            raise self.fault()
        return int(found)

    def ended(self) -> None:
        if self.peek():
            self.next()
            raise self.fault()

    def inner(self, name: str) -> object:
        """Parse the next type, which belongs to *name*."""
        self.path.append(name)
        parsed = _type(self)
        self.path.pop()
        return parsed

    def fault(self) -> BadTableDefinition:
        """Error at the last token."""
        text, at = self._text, self._last
        found = repr(cut(text[at:].strip(), 20)) if text[at:].strip() else "its end"
        shown = (
            repr(text) if len(text) <= 2 * _AROUND else f"{text[max(0, at - _AROUND) : at + _AROUND]!r} (a part of it)"
        )
        return self.wrong(f"type {shown} cannot be read at {found}.", f"Write one of these: {NOTATION}.")

    def wrong(self, what: str, do: str) -> BadTableDefinition:
        return BadTableDefinition(f"field {'.'.join(self.path)!r}: {what}" if self.path else what, do=do)


def _type(tokens: _Tokens) -> object:
    word = tokens.next()
    name = ALIASES.get(word.lower(), word.lower())
    if name in PRIMITIVES:
        return name
    if name == "decimal":
        tokens.expect("(")
        precision = tokens.number()
        tokens.expect(",")
        scale = tokens.number()
        tokens.expect(")")
        if not 1 <= precision <= 38 or scale > precision:
            raise tokens.wrong(
                f"decimal({precision}, {scale}) is out of range.",
                "Write a precision from 1 to 38, and a scale of at most the precision.",
            )
        return f"decimal({precision}, {scale})"
    if name == "fixed":
        opening = tokens.expect("(", "[")
        length = tokens.number()
        tokens.expect(")" if opening == "(" else "]")
        if length < 1:
            raise tokens.wrong(f"fixed({length}) is out of range.", "Write a length of at least 1.")
        return f"fixed[{length}]"
    if name == "list":
        tokens.expect("<")
        element = tokens.inner("element")
        tokens.expect(">")
        return {"type": "list", "element": element, "element-required": False}
    if name == "map":
        tokens.expect("<")
        key = tokens.inner("key")
        tokens.expect(",")
        value = tokens.inner("value")
        tokens.expect(">")
        return {"type": "map", "key": key, "value": value, "value-required": False}
    if name == "struct":
        tokens.expect("<")
        fields: list[dict[str, object]] = []
        while True:
            name = _unquoted(tokens.next())
            tokens.expect(":")
            fields.append({"name": name, "type": tokens.inner(name), "required": False})
            if tokens.peek() != ",":
                break
            tokens.next()
        tokens.expect(">")
        return {"type": "struct", "fields": fields}
    raise tokens.fault()


def _unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name
