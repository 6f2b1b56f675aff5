"""What becomes of a whole record: its form, names of fields, and fields without a column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kits.conversion_cases import (
    BIG,
    LISTS_CALLED,
    OBJECTS_CALLED,
    TWICE,
    UNKNOWN,
    UNREADABLE,
    as_string,
)

# Settings of a column, or its type.
Columns = Mapping[str, object]
ONE: Columns = {"c": "long"}
MANY: Columns = {f"f{n}": "long" for n in range(2_000)}
NOT_JSON, NOT_AN_OBJECT, NOT_UTF8 = "not JSON", "not a JSON object", "not UTF-8"


class RecordCase(NamedTuple):
    """A record's *value* in a table of *columns*: the row by column, or else the *kind* of the dead letter.

    The page describes the columns as `columns_called`, the value as *called* and the row as *becomes* where they are long.
    """

    value: bytes | None
    row: Mapping[str, str] | None
    kind: str = ""
    columns: Columns = ONE
    new_fields: str | Mapping[str, str] = "dead_letter"
    called: str = ""
    becomes: str = ""


class Group(NamedTuple):
    title: str
    cases: tuple[RecordCase, ...]


def ok(value: str, row: Mapping[str, str], columns: Columns = ONE, **more: object) -> RecordCase:
    return RecordCase(value.encode(), row, "", columns, **more)  # type: ignore[arg-type]


def bad(value: str | bytes | None, kind: str, columns: Columns = ONE, **more: object) -> RecordCase:
    return RecordCase(value.encode() if isinstance(value, str) else value, None, kind, columns, **more)  # type: ignore[arg-type]


def _named(name: str) -> Columns:
    return {name: "int"}


def _from(field: object, kind: str = "int") -> Columns:
    return {"c": {"type": kind, "field": field}}


_DEEP_OBJECT = '{"a":' * 1_000 + "1" + "}" * 1_000
_DEEP_LIST = "[" * 1_000 + "1" + "]" * 1_000
_REST = {"json_column": "rest"}
_WIDE = ",".join(f'"f{n}":{n}' for n in range(2_000))

FORM = Group(
    "Values that are no JSON object",
    (
        bad(None, "no value", called="no value (a tombstone)"),
        bad("", "empty value", called="a value of zero bytes"),
        bad(" ", "empty value", called="white space alone"),
        *(bad(text, NOT_AN_OBJECT) for text in ("null", "[1]", '"a"', "1", '{"c": 1', '{"c": 1} x')),
        bad('\ufeff{"c": 1}', NOT_AN_OBJECT, called='`{"c": 1}` after a byte order mark'),
        bad('{"c": 1}\0', NOT_AN_OBJECT, called='`{"c": 1}` before a NUL byte'),
        *(
            bad(text, NOT_JSON)
            for text in (
                '{"c": 1}{"c": 2}', '{"c": 1,}', "{'c': 1}", "{c: 1}", '{"c"}', '{"c": 1 "d": 2}', '{"c": 1 /* a */}',
                '{"c": 01}', '{"c": +1}', '{"c": .5}', '{"c": 1.}', '{"c": 0x10}', '{"c": TRUE}', '{"c": undefined}',
            )
        ),
        ok(' {"c": 1}\n', {"c": "1"}, called='`{"c": 1}` within white space'),
        bad(b'{"c": "\xff"}', NOT_UTF8, {"c": "string"}, called="text with the byte 0xFF"),
        bad(b'{"c": "\xed\xa0\x80"}', NOT_UTF8, {"c": "string"}, called="text with an unpaired surrogate as bytes"),
        bad(b'{"c": "\xc0\xaf"}', NOT_UTF8, {"c": "string"}, called="text with an overlong byte sequence"),
        bad('{"c": "a\0b"}', NOT_JSON, {"c": "string"}, called="text with a NUL byte"),
        bad('{"c": "a\nb"}', NOT_JSON, {"c": "string"}, called="text with a line break as it is"),
        bad('{"c": "a\0b"}', NOT_JSON, {"c": "json"}, called="text with a NUL byte"),
    ),
)  # fmt: skip
NAMES = Group(
    "Names",
    (
        bad('{"c": 1, "c": 1}', TWICE),
        bad('{"c": 1, "\\u0063": 1}', TWICE),
        bad('{"c": {"a": 1}, "c": {}}', TWICE, {"c": "struct<a: int>"}),
        bad('{"c": 1, "c": 1}', TWICE, {"c": "json"}),
        ok('{"c": {"a": 1, "a": 2}}', {"c": as_string('{"a": 1, "a": 2}')}, {"c": "json"}),
        bad('{"C": 1}', UNKNOWN),
        bad('{"c": 1, "C": 1}', UNKNOWN),
        ok('{"c": 1, "C": 2}', {"c": "1", "C": "2"}, {"c": "int", "C": "int"}),
        ok('{"C": 2}', {"c": "2"}, _from("C")),
        ok('{"a.b": 1}', {"a.b": "1"}, _named("a.b")),
        bad('{"a": {"b": 1}}', UNKNOWN, _named("a.b")),
        ok('{"a": {"b": 1}}', {"c": "1"}, _from("a.b")),
        bad('{"a.b": 1}', UNKNOWN, _from("a.b")),
        ok('{"a.b": 1}', {"c": "1"}, _from(["a.b"])),
        ok('{"a": null}', {"c": "null"}, _from("a.b")),
        bad('{"a": [{"b": 1}]}', "list for a struct", _from("a.b")),
        ok('{"$": 1}', {"$": "1"}, _named("$")),
        ok('{"$": 1}', {"c": "1"}, _from(["$"])),
        ok('{"$": "1"}', {"$": "1"}, {"$": {"type": "int", "cast": "text"}}),
        bad('{"$": 1, "c": 2}', UNKNOWN, _from(["$"])),
        ok('{"$id": 1}', {"$id": "1"}, _named("$id")),
        ok('{"$id": 1}', {"c": "1"}, _from("$id")),
        *(
            ok(f'{{"{name}": 1}}', {name: "1"}, _named(name))
            for name in ("1", "-", " ", ".", "ß", "😀", "a/b", "a|b", "a`b")
        ),
        ok('{"\\ud83d\\ude00": 1}', {"😀": "1"}, _named("😀")),
        ok('{"\\u0000": 1}', {"\0": "1"}, _named("\0")),
        ok('{"a\\"b": 1}', {'a"b': "1"}, _named('a"b')),
        ok('{"a\\\\b": 1}', {"a\\b": "1"}, _named("a\\b")),
        bad('{"": 1}', UNKNOWN),
        ok('{"c": 1, "": null}', {"c": "1"}),
        ok('{"c": 1, "": 2}', {"c": "1", "rest": as_string('{"":2}')}, new_fields=_REST),
        bad('{"c": 1, "\\ud800": 1}', UNKNOWN),
        bad('{"c": 1, "\\ud800": 1}', UNREADABLE, new_fields="ignore"),
        bad('{"c": 1, "\\ud800": 1}', UNREADABLE, new_fields=_REST),
        bad(f'{{"{BIG}": 1}}', UNKNOWN, called="a name of 10 MB"),
    ),
)
NEW_FIELDS = Group(
    "Fields without a column",
    (
        bad('{"c": 1, "x": 2}', UNKNOWN),
        bad('{"c": 1, "x": []}', UNKNOWN),
        ok('{"c": 1, "x": null}', {"c": "1"}),
        ok('{"c": 1, "x": {"y": null}}', {"c": "1"}),
        ok("{}", {"c": "null"}),
        *(ok(f'{{"c": 1, "x": {text}}}', {"c": "1"}, new_fields="ignore") for text in ("2", '"a\\u0000"', "[{}]")),
        ok('{"c": 1, "x": 2, "x": 3}', {"c": "1"}, new_fields="ignore"),
        ok(
            f'{{"c": 1, "x": {"9" * 5_000}}}', {"c": "1"}, new_fields="ignore", called="a number of 5,000 digits in `x`"
        ),
        bad('{"c": 1, "x": 1e999}', UNREADABLE, new_fields="ignore"),
        bad('{"c": 1, "x": "\\ud800"}', UNREADABLE, new_fields="ignore"),
        *(bad(f'{{"c": 1, "x": {text}}}', NOT_JSON, new_fields="ignore") for text in ("NaN", "-Infinity")),
        *(
            ok(f'{{"c": 1, "x": {text}}}', {"c": "1", "rest": as_string(f'{{"x":{text}}}')}, new_fields=_REST)
            for text in ("1.50", '"\\ud800"', "1e999", "null", '{"y": 1, "y": 2}')
        ),
        *(bad(f'{{"c": 1, "x": {text}}}', NOT_JSON, new_fields=_REST) for text in ("NaN", "-Infinity")),
    ),
)


def _large(text: str, called: str) -> tuple[RecordCase, ...]:
    """*text* as a field without a column, by `new_fields`."""
    value = f'{{"c": 1, "x": {text}}}'
    return (
        bad(value, UNKNOWN, called=f"{called} in `x`"),
        ok(value, {"c": "1"}, new_fields="ignore", called=f"{called} in `x`"),
        ok(value, {"c": "1", "rest": as_string(f'{{"x":{text}}}')}, new_fields=_REST, called=f"{called} in `x`",
           becomes="`c`: `1`, `rest`: all of `x`"),
    )  # fmt: skip


LARGE = Group(
    "Large records",
    (
        *_large(_DEEP_OBJECT, OBJECTS_CALLED),
        *_large(_DEEP_LIST, LISTS_CALLED),
        *_large(f'"{BIG}"', "a string of 10 MB"),
        ok(f"{{{_WIDE}}}", {f"f{n}": str(n) for n in range(2_000)}, MANY, called="2,000 fields", becomes="a row of 2,000 values"),
        bad(f'{{{_WIDE[: _WIDE.rindex(":")]}:"x"}}', "text for a long", MANY, called="2,000 fields, the last one a text"),
        bad(f'{{"c": 1, {_WIDE}}}', UNKNOWN, called="`c` and 2,000 fields"),
        ok(f'{{"c": 1, {_WIDE}}}', {"c": "1"}, new_fields="ignore", called="`c` and 2,000 fields"),
        ok(f'{{"c": 1, {_WIDE}}}', {"c": "1", "rest": as_string(f"{{{_WIDE}}}")}, new_fields=_REST,
           called="`c` and 2,000 fields", becomes="`c`: `1`, `rest`: the 2,000 fields"),
    ),
)  # fmt: skip
GROUPS = (FORM, NAMES, NEW_FIELDS, LARGE)
RECORDS: tuple[RecordCase, ...] = tuple(case for group in GROUPS for case in group.cases)
# Types of format version 3, which no pipeline file may name.
LATER = ("variant", "geometry", "geography", "timestamp_ns", "timestamptz_ns", "unknown")
