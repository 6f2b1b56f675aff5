"""Notation of column types in pipeline files and texts: `long`, `decimal(10, 2)`, `list<struct<a: int>>`."""

from __future__ import annotations

import re

from lakelock.errors import BadTableDefinition
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
from lakelock.model.units import cut

PLAIN: dict[str, ColumnType] = {
    "boolean": Boolean(),
    "int": Integer(32),
    "long": Integer(64),
    "float": Floating(32),
    "double": Floating(64),
    "date": Date(),
    "time": Time(),
    "timestamp": Timestamp(zoned=False),
    "timestamptz": Timestamp(zoned=True),
    "string": Text(),
    "uuid": Uuid(),
    "binary": Binary(),
}
_NAMES = {kind: name for name, kind in PLAIN.items()}
ALIASES = {"bigint": "long", "integer": "int", "bool": "boolean", "varchar": "string", "text": "string"}
# Types of Iceberg's format version 3.
_LATER = frozenset({"timestamp_ns", "timestamptz_ns", "variant", "unknown", "geometry", "geography"})
NOTATION = (
    ", ".join(sorted(PLAIN)) + ", decimal(precision, scale), fixed(length), list<…>, map<…, …>, struct<name: …, …>"
)

# Levels of nesting; PyIceberg's calls for each of some sixty exceed Python's limit. Inference stops earlier.
MOST_LEVELS = 40
# Characters shown before and after a fault in a long type.
_AROUND = 40
_TOKEN = re.compile(r"\s*(`(?:[^`]|``)+`|\w+|[<>(),:\[\]])")


def parse_type(text: str) -> ColumnType:
    """Struct fields, elements and values are optional. Raises BadTableDefinition."""
    tokens = _Tokens(text)
    parsed = _type(tokens)
    tokens.ended()
    return parsed


def type_text(kind: ColumnType) -> str:
    """Text of a type; inverse of `parse_type`."""
    match kind:
        case Struct(fields):
            children = (f"`{f.name.replace('`', '``')}`: {type_text(f.type)}" for f in fields)
            return f"struct<{', '.join(children)}>"
        case ListOf(element):
            return f"list<{type_text(element)}>"
        case MapOf(key, value):
            return f"map<{type_text(key)}, {type_text(value)}>"
        case Decimal(precision, scale):
            return f"decimal({precision}, {scale})"
        case Binary(int(length)):
            return f"fixed[{length}]"
        case Foreign(name):
            return name
    return _NAMES[kind]


def type_name(kind: ColumnType) -> str:
    """`type_text`, but for nested types only struct, list or map."""
    match kind:
        case Struct():
            return "struct"
        case ListOf():
            return "list"
        case MapOf():
            return "map"
    return type_text(kind)


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

    def inner(self, name: str) -> ColumnType:
        """Parse the next type, which belongs to *name*."""
        if len(self.path) == MOST_LEVELS:
            raise self.wrong(
                f"the type has more than {MOST_LEVELS} levels of nesting.", "Make the field around them a json column."
            )
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


def _type(tokens: _Tokens) -> ColumnType:
    word = tokens.next()
    name = ALIASES.get(word.lower(), word.lower())
    if name in PLAIN:
        return PLAIN[name]
    if name in _LATER:
        raise tokens.wrong(f"{name} is a type of Iceberg's format version 3.", "lakelock writes version 2.")
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
        return Decimal(precision, scale)
    if name == "fixed":
        opening = tokens.expect("(", "[")
        length = tokens.number()
        tokens.expect(")" if opening == "(" else "]")
        if length < 1:
            raise tokens.wrong(f"fixed({length}) is out of range.", "Write a length of at least 1.")
        return Binary(length)
    if name == "list":
        tokens.expect("<")
        element = tokens.inner("element")
        tokens.expect(">")
        return ListOf(element)
    if name == "map":
        tokens.expect("<")
        key = tokens.inner("key")
        tokens.expect(",")
        value = tokens.inner("value")
        tokens.expect(">")
        return MapOf(key, value)
    if name == "struct":
        tokens.expect("<")
        fields: list[Column] = []
        while True:
            name = _unquoted(tokens.next())
            tokens.expect(":")
            fields.append(Column(name, tokens.inner(name)))
            if tokens.peek() != ",":
                break
            tokens.next()
        tokens.expect(">")
        return Struct(tuple(fields))
    raise tokens.fault()


def _unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name
