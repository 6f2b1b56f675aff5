"""What a field's JSON becomes in a column of each type without a cast: one case a text. `cast_cases` has those with casts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kits.cast_cases import CASES as WITH_CASTS
from kits.cast_cases import DEAD

NO_CAST = "fits none of its casts"
NOT_AN_INTEGER, OUT_OF_RANGE, NOT_EXACT = "not an integer", "out of range", "not exact in its column"
UNREADABLE, UNKNOWN, TWICE = "cannot be read", "unknown field", "field twice"
BEYOND_JSON = "number that JSON does not have for"


class Conversion(NamedTuple):
    """A field's *text* in a record, and the *value* of its column as shown, or else the *kind* of the dead letter.

    *called* is how the page describes a long text, and *becomes* a long value.
    """

    text: str
    type: str
    value: str | None
    kind: str = ""
    casts: tuple[str, ...] = ()
    zone: str | None = None
    called: str = ""
    becomes: str = ""


# One of each kind of JSON, and texts in forms of other types.
BASIC = ("true", "1", "1.5", "1e2", '""', '"x"', '"1"', '"1.5"', '"true"', '"2026-11-21T04:05:06Z"', '"AAEC"', "{}",
         '{"a": 1}', "[]", "[1]")  # fmt: skip
_KINDS = {'"': "text", "{": "object", "[": "list", "t": "boolean", "f": "boolean"}


def json_kind(text: str) -> str:
    return _KINDS.get(text[0], "number")


def of(
    kind: str,
    wanted: str,
    takes: Sequence[str],
    accepted: Mapping[str, str],
    refused: Mapping[str, Sequence[str]],
    zone: str | None = None,
) -> list[Conversion]:
    """Null, *accepted* (text: value), *refused* (kind: texts), and all of `BASIC` of kinds of JSON that no such column takes.

    *wanted* is the type with its article.
    """
    found = [Conversion(text, kind, value, zone=zone) for text, value in accepted.items()]
    found += [Conversion(text, kind, None, why, zone=zone) for why, texts in refused.items() for text in texts]
    if zone is not None:
        return found
    others = [text for text in BASIC if json_kind(text) not in takes]
    found += [Conversion(text, kind, None, f"{json_kind(text)} for {wanted}") for text in others]
    return [Conversion("null", kind, "null"), *found]


_BEYOND = ("NaN", "Infinity", "-Infinity")
_CONSTANTS = ('"NaN"', '"Infinity"', '"-Infinity"')
_NINES = "9" * 38
_TINY = f"0.{'0' * 37}1"
BIG = "x" * 10_000_000
BERLIN = "Europe/Berlin"

NUMBERS = [
    *of("boolean", "a boolean", ("boolean",), {"true": "true", "false": "false"},
        {"text for a boolean": ('"TRUE"', '"yes"'), "number for a boolean": ("0",)}),
    *of("int", "an int", ("number",),
        {"1": "1", "0": "0", "-0": "0", "2147483647": "2147483647", "-2147483648": "-2147483648"},
        {NOT_AN_INTEGER: ("1.0", "1.5", "1e2", "-0.0"),
         OUT_OF_RANGE: ("2147483648", "-2147483649", "9223372036854775808", _NINES),
         f"{BEYOND_JSON} an int": _BEYOND}),
    *of("long", "a long", ("number",),
        {"1": "1", "-0": "0", "9007199254740993": "9007199254740993", "9223372036854775807": "9223372036854775807",
         "-9223372036854775808": "-9223372036854775808"},
        {NOT_AN_INTEGER: ("1.0", "1.5", "1e2", "-0.0"),
         OUT_OF_RANGE: ("9223372036854775808", "-9223372036854775809", "18446744073709551615", _NINES, "9" * 5000),
         f"{BEYOND_JSON} a long": _BEYOND}),
    *of("float", "a float", ("number",),
        {"1": "1.0", "1.5": "1.5", "1e2": "100.0", "-0.0": "-0.0", "-0": "-0.0", "0.1": "0.10000000149011612",
         "16777216": "16777216.0", "16777217.0": "16777216.0", "3.4028235e38": "3.4028234663852886e+38",
         "1e-45": "1.401298464324817e-45", "1e-46": "0.0", "0." + "1" * 40: "0.1111111119389534"},
        {NOT_EXACT: ("16777217", "-16777217", "9223372036854775807", _NINES),
         OUT_OF_RANGE: ("3.4028236e38", "1e39", "-1e39", "1e400"),
         f"{BEYOND_JSON} a float": _BEYOND, "text for a float": _CONSTANTS}),
    *of("double", "a double", ("number",),
        {"1": "1.0", "1.5": "1.5", "1e2": "100.0", "-0.0": "-0.0", "-0": "-0.0", "0.1": "0.1",
         "9007199254740992": "9007199254740992.0", "9007199254740993.0": "9007199254740992.0",
         "18446744073709551616": "1.8446744073709552e+19", "1.7976931348623157e308": "1.7976931348623157e+308",
         "5e-324": "5e-324", "1e-400": "0.0", "0." + "1" * 40: "0.1111111111111111"},
        {NOT_EXACT: ("9007199254740993", "9223372036854775807", _NINES),
         OUT_OF_RANGE: ("1e309", "-1e309", "1e400"),
         f"{BEYOND_JSON} a double": _BEYOND, "text for a double": _CONSTANTS}),
    *of("decimal(9, 2)", "a decimal(9, 2)", ("number", "text"),
        {"1": "1.00", "1.5": "1.50", "1e2": "100.00", "-0.0": "0.00", "15e-1": "1.50", "1.50000": "1.50",
         "9999999.99": "9999999.99", "-9999999.99": "-9999999.99", "1234567.8900": "1234567.89", '"1"': "1.00",
         '"1.50"': "1.50", '"1e2"': "100.00", '"+1"': "1.00", '".5"': "0.50", '"5."': "5.00", '"007"': "7.00"},
        {OUT_OF_RANGE: ("1.555", "1e-3", "10000000", "1e7", "9223372036854775808", "1e400", _NINES),
         f"{BEYOND_JSON} a decimal(9, 2)": _BEYOND,
         "text that is no decimal(9, 2)": ('"1.555"', '"10000000"', '""', '"x"', '" 1"', '"1,5"', '"0x1"', '"1_0"', '"٣"',
                                           *_CONSTANTS, '"true"', '"2026-11-21"')}),
    *(c for c in of("decimal(38, 0)", "a decimal(38, 0)", ("number", "text", "boolean", "object", "list"),
        {_NINES: _NINES, f"-{_NINES}": f"-{_NINES}", f'"{_NINES}"': _NINES, "1e37": "1" + "0" * 37, "1.0": "1"},
        {OUT_OF_RANGE: ("1" + "0" * 38, "1e38", "9" * 400, "0.1"), UNREADABLE: (f"{_NINES}.0",)}) if c.text != "null"),
    *(c for c in of("decimal(38, 38)", "a decimal(38, 38)", ("number", "text", "boolean", "object", "list"),
        {f"0.{_NINES}": f"0.{_NINES}", "1e-38": _TINY}, {OUT_OF_RANGE: ("1", f"0.{_NINES}9", "1e-39")})
      if c.text != "null"),
]  # fmt: skip

TIMES = [
    *of("date", "a date", ("text",),
        {'"2026-11-21"': "2026-11-21", '"2024-02-29"': "2024-02-29", '"0001-01-01"': "0001-01-01",
         '"9999-12-31"': "9999-12-31", '"1969-12-31"': "1969-12-31", '"1582-10-10"': "1582-10-10",
         '"2040-07-01"': "2040-07-01"},
        {"text that is no date": (
            '"0000-12-31"', '"10000-01-01"', '"-0001-01-01"', '"2026-02-29"', '"2026-02-30"', '"2026-1-1"', '"20261121"',
            '"2026-11"', '"2026-325"', '" 2026-11-21"', '"21.11.2026"', '"11/21/2026"', '"2026-11-21T00:00:00Z"',
            '"04:05:06"', '"infinity"', '"٢٠٢٦-11-21"', '""', '"x"', '"1"', '"true"')}),
    *of("time", "a time", ("text",),
        {'"04:05"': "04:05:00", '"04:05:06"': "04:05:06", '"00:00:00"': "00:00:00",
         '"23:59:59.999999"': "23:59:59.999999", '"04:05:06.123456000"': "04:05:06.123456"},
        {"text that is no time": (
            '"04:05:06.1234567"', '"23:59:60"', '"24:00:00"', '"04:60"', '"4:05"', '"040506"', '"04:05:06Z"',
            '"04:05:06+01:00"', '"04:05:06,5"', '"T04:05:06"', '"-01:00"', '"2026-11-21T04:05:06"', '"2026-11-21"', '""',
            '"x"', '"1"', '"true"')}),
    *of("timestamp", "a timestamp", ("text",),
        {'"2026-11-21T04:05:06"': "2026-11-21T04:05:06", '"2026-11-21t04:05:06"': "2026-11-21T04:05:06",
         '"2026-11-21 04:05:06"': "2026-11-21T04:05:06", '"2026-11-21T04:05"': "2026-11-21T04:05:00",
         '"2026-11-21T04:05:06.5"': "2026-11-21T04:05:06.500000",
         '"2026-11-21T04:05:06.123456000"': "2026-11-21T04:05:06.123456", '"0001-01-01T00:00:00"': "0001-01-01T00:00:00",
         '"9999-12-31T23:59:59.999999"': "9999-12-31T23:59:59.999999",
         '"1969-12-31T23:59:59.999999"': "1969-12-31T23:59:59.999999", '"2040-07-01T12:00:00"': "2040-07-01T12:00:00"},
        {"text that is no timestamp": (
            '"2026-11-21T04:05:06Z"', '"2026-11-21T04:05:06+01:00"', '"2026-11-21T04:05:06.1234567"',
            '"2016-12-31T23:59:60"', '"2026-11-21T24:00:00"', '"2026-02-30T00:00:00"', '"0000-12-31T23:59:59"',
            '"10000-01-01T00:00:00"', '"20261121T040506"', '"2026-11-21T04"', '"2026-11-21"', '"04:05:06"', '""', '"x"',
            '"1"', '"true"')}),
    *of("timestamp", "a timestamp", ("text",),
        {'"2026-07-01T12:00:00Z"': "2026-07-01T14:00:00", '"2026-07-01T12:00:00"': "2026-07-01T12:00:00",
         '"2040-07-01T12:00:00Z"': "2040-07-01T14:00:00", '"1969-12-31T23:00:00Z"': "1970-01-01T00:00:00"},
        {"text that is no timestamp": ('"9999-12-31T23:59:59Z"',)}, BERLIN),
    *of("timestamptz", "a timestamptz", ("text",),
        {'"2026-11-21T04:05:06Z"': "2026-11-21T04:05:06Z", '"2026-11-21t04:05:06z"': "2026-11-21T04:05:06Z",
         '"2026-11-21 04:05:06+01:00"': "2026-11-21T03:05:06Z", '"2026-11-21T04:05:06+0100"': "2026-11-21T03:05:06Z",
         '"2026-11-21T04:05:06+01"': "2026-11-21T03:05:06Z", '"2026-11-21T04:05:06-00:00"': "2026-11-21T04:05:06Z",
         '"2026-11-21T04:05:06+14:00"': "2026-11-20T14:05:06Z", '"2026-11-21T04:05Z"': "2026-11-21T04:05:00Z",
         '"2026-11-21T04:05:06.5+05:30"': "2026-11-20T22:35:06.500000Z",
         '"2026-11-21T04:05:06.123456000Z"': "2026-11-21T04:05:06.123456Z", '"0001-01-01T00:00:00Z"': "0001-01-01T00:00:00Z",
         '"9999-12-31T23:59:59.999999Z"': "9999-12-31T23:59:59.999999Z",
         '"1969-12-31T23:59:59.999999Z"': "1969-12-31T23:59:59.999999Z", '"1901-12-13T20:45:51Z"': "1901-12-13T20:45:51Z",
         '"2040-07-01T12:00:00+02:00"': "2040-07-01T10:00:00Z"},
        {"text that is no timestamptz": (
            '"2026-11-21T04:05:06"', '"2026-11-21T04:05:06.1234567Z"', '"2016-12-31T23:59:60Z"', '"2026-11-21T24:00:00Z"',
            '"2026-02-30T00:00:00Z"', '"2026-11-21T04:05:06+24:00"', '"0001-01-01T00:00:00+01:00"', '"0000-12-31T23:59:59Z"',
            '"9999-12-31T23:59:59-01:00"', '"10000-01-01T00:00:00Z"', '"2026-11-21T04:05:06 UTC"',
            '"2026-11-21T04:05:06[UTC]"', '"Sat, 21 Nov 2026 04:05:06 GMT"', '"2026-11-21"', '"04:05:06"', '""', '"x"',
            '"1795233906"', '"true"'),
         "number for a timestamptz": ("1795233906", "1795233906000")}),
    *of("timestamptz", "a timestamptz", ("text",),
        {'"2026-07-01T12:00:00"': "2026-07-01T10:00:00Z", '"2026-07-01T12:00:00Z"': "2026-07-01T12:00:00Z",
         '"2040-07-01T12:00:00"': "2040-07-01T10:00:00Z", '"1890-01-01T00:00:00"': "1889-12-31T23:06:32Z",
         '"9999-12-31T23:59:59"': "9999-12-31T22:59:59Z"},
        {"text that is no timestamptz": (
            '"2026-03-29T02:30:00"', '"2026-10-25T02:30:00"', '"2040-03-25T02:30:00"', '"2040-10-28T02:30:00"',
            '"0001-01-01T00:00:00"')}, BERLIN),
]  # fmt: skip

_UUID = '"123e4567-e89b-12d3-a456-426614174000"'
TEXTS = [
    *of("string", "a string", ("text",),
        {'"x"': '"x"', '""': '""', '"1"': '"1"', '"true"': '"true"', '"null"': '"null"', '" x "': '" x "',
         '"2026-11-21"': '"2026-11-21"', '"a\\u0000b"': '"a\\u0000b"', '"\\n\\t"': '"\\n\\t"', '"\\/"': '"/"',
         '"\\ud83d\\ude00"': '"😀"', '"é"': '"é"'},
        {UNREADABLE: ('"\\ud800"', '"\\udc00\\ud800"')}),
    Conversion(f'"{BIG}"', "string", f'"{BIG}"', called="a string of 10 MB", becomes="the same string"),
    *of("uuid", "a uuid", ("text",),
        {_UUID: _UUID.strip('"'), _UUID.upper(): _UUID.strip('"'),
         '"00000000-0000-0000-0000-000000000000"': "00000000-0000-0000-0000-000000000000"},
        {"text that is no uuid": (
            _UUID.replace("-", ""), f'"{{{_UUID[1:-1]}}}"', f'"urn:uuid:{_UUID[1:-1]}"', f'{_UUID[:-2]}"', f'{_UUID[:-2]}g"',
            '""', '"x"', '"1"', '"true"')}),
    *of("fixed[3]", "a fixed[3]", ("text",),
        {'"AAEC"': "0x000102", '"true"': "0xb6bb9e"},
        {"text that is no fixed[3]": ('"AAE="', '"AAECAw=="', '"AA_-"', '""', '"x"', '"1"', '"2026-11-21"')}),
    *of("binary", "a binary", ("text",),
        {'"AAEC"': "0x000102", '"AAE="': "0x0001", '"AA=="': "0x00", '"+/+/"': "0xfbffbf", '""': "0x", '"true"': "0xb6bb9e"},
        {"text that is no binary": (
            '"AAE"', '"AB=="', '"AAEC="', '"A"', '"AA_-"', '"AAEC\\n"', '" AAEC"', '"AA==AA=="', '"x"', '"é"',
            '"2026-11-21"')}),
    *(Conversion(f'"{BIG}"', kind, None, why, called="a string of 10 MB") for kind, why in (
        ("boolean", "text for a boolean"), ("long", "text for a long"), ("decimal(9, 2)", "text that is no decimal(9, 2)"),
        ("date", "text that is no date"), ("timestamptz", "text that is no timestamptz"), ("uuid", "text that is no uuid"),
        ("map<string, int>", "text for a map"))),
]  # fmt: skip

_LEVELS = 1_000
_DEEP_OBJECT = '{"a":' * _LEVELS + "1" + "}" * _LEVELS
_DEEP_LIST = "[" * _LEVELS + "1" + "]" * _LEVELS
OBJECTS_CALLED, LISTS_CALLED = "objects nested 1,000 levels deep", "lists nested 1,000 levels deep"
_ODD = "struct<`a.b`: int, `$id`: int, `1`: int, `😀`: int, A: int, a: int>"
_MANY = "{" + ",".join(f'"k{n}":{n}' for n in range(2_000)) + "}"
NESTED = [
    *of("struct<a: int>", "a struct", ("object",),
        {'{"a": 1}': '{"a": 1}', "{}": '{"a": null}', '{"a": 1, "z": null}': '{"a": 1}', '{"\\u0061": 1}': '{"a": 1}'},
        {"text for an int": ('{"a": "1"}',), NOT_AN_INTEGER: ('{"a": 1.0}',), OUT_OF_RANGE: ('{"a": 2147483648}',),
         UNKNOWN: ('{"a": 1, "z": 2}', '{"A": 1}'), TWICE: ('{"a": 1, "a": 1}', '{"a": 1, "\\u0061": 2}')}),
    Conversion(_DEEP_OBJECT, "struct<a: int>", None, UNREADABLE, called=OBJECTS_CALLED),
    Conversion('{"a.b": 1, "$id": 2, "1": 3, "😀": 4, "A": 5, "a": 6}', _ODD,
               '{"a.b": 1, "$id": 2, "1": 3, "😀": 4, "A": 5, "a": 6}'),
    Conversion('{"a": {"b": 1}}', _ODD, None, "object for an int"),
    *of("list<int>", "a list", ("list",),
        {"[1]": "[1]", "[]": "[]", "[1, null, 2]": "[1, null, 2]"},
        {"text for an int": ('[1, "2"]',), NOT_AN_INTEGER: ("[1.0]",), OUT_OF_RANGE: ("[2147483648]",),
         "list for an int": ("[[1]]",)}),
    Conversion(_DEEP_LIST, "list<int>", None, UNREADABLE, called=LISTS_CALLED),
    Conversion("[[], null, [1, null]]", "list<list<int>>", "[[], null, [1, null]]"),
    Conversion('[{"a": 1}, null, {}]', "list<struct<a: int>>", '[{"a": 1}, null, {"a": null}]'),
    Conversion(f"[{_UUID}, null]", "list<uuid>", f"[{_UUID[1:-1]}, null]"),
    Conversion('["x"]', "list<uuid>", None, "text that is no uuid"),
    *of("map<string, int>", "a map", ("object",),
        {'{"a": 1}': '{"a": 1}', "{}": "{}", '{"a": null}': '{"a": null}', '{"a": 1, "A": 2}': '{"a": 1, "A": 2}',
         '{"a.b": 1, "$": 2, "": 3, "1": 4, "😀": 5, "\\u0000": 6}':
             '{"a.b": 1, "$": 2, "": 3, "1": 4, "😀": 5, "\\u0000": 6}'},
        {"text for an int": ('{"a": "1"}',), TWICE: ('{"a": 1, "a": 1}', '{"a": 1, "\\u0061": 2}'),
         UNREADABLE: ('{"\\ud800": 1}',)}),
    Conversion(_MANY, "map<string, int>", _MANY.replace(",", ", ").replace(":", ": "), called="an object of 2,000 fields",
               becomes="2,000 entries"),
    Conversion(_DEEP_OBJECT, "map<string, int>", None, UNREADABLE, called=OBJECTS_CALLED),
    Conversion('{"1": 2.5}', "map<int, double>", "{1: 2.5}"),
    Conversion('{"01": 1}', "map<int, double>", None, "text for an int"),
    Conversion('{"1.0": 1}', "map<int, double>", None, NOT_AN_INTEGER),
    Conversion('{"0": 1, "-0": 2}', "map<int, double>", None, TWICE),
    Conversion('{"1": 9007199254740993}', "map<int, double>", None, NOT_EXACT),
    Conversion('{"true": 1}', "map<boolean, int>", "{true: 1}"),
    Conversion('{"1": 1}', "map<boolean, int>", None, "number for a boolean"),
    Conversion('{"1.5": 1, "2": 2}', "map<double, int>", "{1.5: 1, 2.0: 2}"),
    Conversion('{"1.5": 1, "1.50": 2}', "map<double, int>", None, TWICE),
    Conversion('{"1.5": 1}', "map<decimal(9, 2), int>", "{1.50: 1}"),
    Conversion('{"1.5": 1, "15e-1": 2}', "map<decimal(9, 2), int>", None, TWICE),
    Conversion('{"2026-11-21": 1}', "map<date, int>", "{2026-11-21: 1}"),
    Conversion('{"21.11.2026": 1}', "map<date, int>", None, "text that is no date"),
    Conversion('{"04:05": 1, "04:05:00": 2}', "map<time, int>", None, TWICE),
    Conversion('{"2026-11-21T04:05:06+01:00": 1}', "map<timestamptz, int>", "{2026-11-21T03:05:06Z: 1}"),
    Conversion('{"2026-11-21T04:05Z": 1, "2026-11-21T04:05:00Z": 2}', "map<timestamptz, int>", None, TWICE),
    Conversion(f"{{{_UUID}: 1}}", "map<uuid, int>", f"{{{_UUID[1:-1]}: 1}}"),
    Conversion(f"{{{_UUID}: 1, {_UUID.upper()}: 2}}", "map<uuid, int>", None, TWICE),
    Conversion('{"AAEC": 1}', "map<fixed[3], int>", "{0x000102: 1}"),
    Conversion('{"AAE=": 1, "AAE": 2}', "map<binary, int>", None, "text that is no binary"),
    *(Conversion(text, kind, None, why.format(json_kind(text)), called=called)
      for text, called in ((_DEEP_OBJECT, OBJECTS_CALLED), (_DEEP_LIST, LISTS_CALLED))
      for kind, why in (("long", UNREADABLE), ("string", UNREADABLE))),
]  # fmt: skip


def _long(cast: str, becomes: str) -> list[Conversion]:
    """Long values, which a column of text keeps."""
    return [
        Conversion(text, "string", as_string(text), casts=(cast,), called=called, becomes=becomes)
        for text, called in (
            (_DEEP_OBJECT, OBJECTS_CALLED),
            (_DEEP_LIST, LISTS_CALLED),
            (_MANY, "an object of 2,000 fields"),
        )
    ]


def as_string(text: str) -> str:
    """JSON *text*, as a column that keeps it shows it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


LONG = [*_long("json", "its exact text"), *_long("stringify", "its exact text")]
CAST = [
    Conversion(
        c.text, c.type, None if c.value == DEAD else c.value, NO_CAST if c.value == DEAD else "", c.casts, c.zone
    )
    for c in WITH_CASTS
]
NOT_JSON = [
    Conversion(text, kind, None, "not JSON", (cast,))
    for kind, cast in (
        ("double", "clamp"),
        ("double", "null"),
        ("long", "round"),
        ("decimal(9, 2)", "clamp"),
        ("string", "json"),
    )
    for text in _BEYOND
]
CONVERSIONS: tuple[Conversion, ...] = (*NUMBERS, *TIMES, *TEXTS, *NESTED, *LONG, *NOT_JSON, *CAST)
