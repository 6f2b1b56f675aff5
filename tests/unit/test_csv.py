"""Delimited text: rows and dead letters as by a slow reading, each type as in JSON, and inferred columns."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.cast_cases import CASES, Case
from kits.columns import columns
from kits.csv_records import OPTIONS, drawn, slow, written
from kits.formats import decoder, said
from lakelock.model.type_notation import type_text
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.csv.format import header_lines
from lakelock.records.csv.options import CsvOptions
from lakelock.records.decoding import Decoded, Format
from lakelock.records.formats import named
from lakelock.records.json.format import JSON
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

SEEDS = st.integers(0, 2**64)
TEXTS = columns({"a": "string", "b": "string", "c": "string"})


def csv(**options: Any) -> Format:
    return named("csv", CsvOptions(**options))


def found_rows(found: Decoded, count: int) -> dict[int, dict[str, Any]]:
    return dict(zip(range(count) if found.good is None else found.good, found.table.to_pylist(), strict=True))


def slow_rows(values: Sequence[bytes | None], options: CsvOptions) -> dict[int, dict[str, Any]]:
    rows = {}
    for i, value in enumerate(values):
        try:
            row = None if value is None else slow(value.decode(), options)
        except UnicodeDecodeError:
            row = None
        if row is not None and len(row) == 3:
            rows[i] = dict(zip("abc", row, strict=True))
    return rows


def drawn_value(random: Random, options: CsvOptions) -> bytes | None:
    value = options.delimiter.join(drawn(random, options) for _ in range(3)).encode()
    return random.choice((value, value, value, drawn(random, options).encode(), value + b"\xff", None, b""))


@given(SEEDS)
@settings(max_examples=200)
def test_rows_equal_a_slow_reading_and_the_books_balance(seed: int) -> None:
    random = Random(seed)
    options = random.choice(OPTIONS)
    values = [drawn_value(random, options) for _ in range(random.choice((1, 5, 30)))]
    filtered = [i for i in range(len(values)) if random.random() < 0.2]
    of = decoder(named("csv", options), TEXTS)
    found = of.decode(Values.from_list(values), np.array(filtered, np.int64))
    wanted = {i: row for i, row in slow_rows(values, options).items() if i not in filtered}
    rows, bad = found_rows(found, len(values)), [b.index for b in found.bad]
    assert rows == wanted
    assert sorted([*rows, *bad, *filtered]) == list(range(len(values)))
    assert bad == sorted(bad)
    assert all(b.reason.message != reasons.NOT_DELIMITED for b in found.bad)


@given(
    st.lists(
        st.one_of(st.none(), st.binary(max_size=30), st.text(',"\r\n\\aé', max_size=10).map(str.encode)), max_size=20
    )
)
def test_each_record_of_any_bytes_is_a_row_or_a_dead_letter(values: list[bytes | None]) -> None:
    of = columns({"n": "long", "s": "string", "t": "timestamp"})
    for options in OPTIONS:
        found = decoder(named("csv", options), of).decode(Values.from_list(values))
        assert sorted([*found_rows(found, len(values)), *(b.index for b in found.bad)]) == list(range(len(values)))


def test_a_bad_record_of_megabytes_takes_no_longer_than_a_good_one() -> None:
    quoted, many = b'"' + b'""' * 4_000_000, b"," * 8_000_000
    found = decoder(csv(), TEXTS).decode(Values.from_list([quoted, many, b"1,2,3"]))
    assert [b.reason.message for b in found.bad] == [
        "field 1: its quotes are not closed",
        "1003 or more fields, expected 3: a, b, c",
    ]
    assert found.good == [2]


@given(SEEDS)
@settings(max_examples=60)
def test_rows_do_not_depend_on_how_records_are_sliced(seed: int) -> None:
    random = Random(seed)
    kinds = columns({"a": "long", "b": "double", "c": "timestamptz"}, required=("b",))
    pieces = ("1", "007", "", "x", "2.5", "1e3", "2026-01-01T00:00:00Z", '"1"', '""', "9" * 19, "\n", "é")
    values: list[bytes | None] = [
        ",".join(random.choices(pieces, k=3)).encode() for _ in range(random.randrange(1, 30))
    ]
    values += [b"1,2.5,2026-01-01T00:00:00Z"] * 5
    random.shuffle(values)
    block = Values.from_list(values)
    whole = decoder(csv(), kinds).decode(block)
    rows, bad = found_rows(whole, len(values)), {b.index: b for b in whole.bad}
    assert sorted([*rows, *bad]) == list(range(len(values)))
    of = decoder(csv(), kinds)
    start = 0
    while start < len(values):
        end = min(len(values), start + random.randrange(1, 8))
        part = of.decode(block[start:end])
        assert {i + start: row for i, row in found_rows(part, end - start).items()} == {
            i: row for i, row in rows.items() if start <= i < end
        }
        assert [(b.index + start, b.stage, b.reason) for b in part.bad] == [
            (b.index, b.stage, b.reason) for i, b in sorted(bad.items()) if start <= i < end
        ]
        start = end


DRAWN: dict[str, Callable[[Random], Any]] = {
    "boolean": lambda r: r.random() < 0.5,
    "int": lambda r: r.randrange(-(2**31), 2**31),
    "long": lambda r: r.choice((r.randrange(-(2**63), 2**63), -(2**63), 2**63 - 1, 0)),
    "double": lambda r: r.choice((r.uniform(-1e300, 1e300), r.random(), -0.0, 5e-324, 1.7976931348623157e308, 0.1)),
    "float": lambda r: float(np.float32(r.uniform(-1e38, 1e38))),
    "decimal(38, 10)": lambda r: Decimal(r.randrange(-(10**38) + 1, 10**38)).scaleb(-10),
    "decimal(9, 2)": lambda r: Decimal(r.randrange(-(10**9) + 1, 10**9)).scaleb(-2),
    "string": lambda r: "".join(r.choice('a,"\n\r|\té😀') for _ in range(r.randrange(5))),
    "date": lambda r: date(1, 1, 1) + timedelta(days=r.randrange(3652059)),
    "time": lambda r: time(r.randrange(24), r.randrange(60), r.randrange(60), r.randrange(10**6)),
    "timestamp": lambda r: datetime(1, 1, 1) + timedelta(microseconds=r.randrange(3652059 * 86_400_000_000)),
    "timestamptz": lambda r: datetime(1, 1, 1, tzinfo=UTC) + timedelta(microseconds=r.randrange(3652059 * 86_400_000_000)),
    "uuid": lambda r: UUID(int=r.getrandbits(128)),
    "binary": lambda r: r.randbytes(r.randrange(9)),
    "fixed[4]": lambda r: r.randbytes(4),
}  # fmt: skip


def text_of(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return repr(value)
        case bytes():
            return base64.b64encode(value).decode()
        case date() | time():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
    return str(value)


@given(SEEDS)
@settings(max_examples=100)
def test_each_type_is_read_as_it_was_written(seed: int) -> None:
    random = Random(seed)
    options = random.choice(OPTIONS[:1] + OPTIONS[3:5])
    of = columns({f"f{n}": kind for n, kind in enumerate(DRAWN)})
    rows = [
        {f"f{n}": draw(random) if random.random() < 0.9 else None for n, draw in enumerate(DRAWN.values())}
        for _ in range(5)
    ]
    values = [
        written([None if v is None else text_of(v) for v in row.values()], options, random).encode() for row in rows
    ]
    found = decoder(named("csv", options), of).decode(Values.from_list(list(values)))
    assert found.bad == []
    assert [
        {n: v.as_py() if isinstance(v, pa.Scalar) else v for n, v in row.items()} for row in found.table.to_pylist()
    ] == rows


ODD = [
    "", " ", "1", " 1", "1 ", "+1", "-1", "-0", "007", "1.", ".5", "1.0", "1.5", "1e3", "1E+3", "1e400", "1e-400", "NaN", "Infinity",
    "0x10", "1_000", "1,000", "9007199254740993", "16777217", "3000000000", "9223372036854775808", "99999999.99", "1.555", "true",
    "True", "TRUE", "false", "t", "null", "NULL", "2026-11-21", "2026-02-30", "21.11.2026", "0000-01-01", "04:05", "4:05",
    "04:05:06.1234567", "2026-11-21T04:05:06Z", "2026-11-21 04:05:06+01:00", "2026-11-21T04:05:06", "2026-10-25T02:30:00", "lw==", "lw",
    "123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000", "é", "\\u0031", "a\nb", '"', "{}", "[1]", "1\0", "٣",
]  # fmt: skip
FORMS = ("boolean", "int", "long", "double", "float", "decimal(9, 2)", "decimal(38, 38)")


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_a_type_takes_the_texts_that_json_has_in_quotes(kind: str, zone: str | None) -> None:
    """Numbers and booleans as by the cast `text`."""
    if zone is not None and not kind.startswith("timestamp"):
        return
    zones, of = {} if zone is None else {"f": zone}, columns({"f": kind})
    readings = {"f": Reading(("f",), ("text",))} if kind in (*FORMS, "decimal(38, 10)") else {}
    in_json = decoder(JSON, of, readings, zones=zones).decode(
        Values.from_list([json.dumps({"f": text}).encode() for text in ODD])
    )
    quoted = Values.from_list([f'"{text.replace(chr(34), chr(34) * 2)}"\r\n'.encode() for text in ODD])
    in_csv = decoder(csv(), of, zones=zones).decode(quoted)
    assert found_rows(in_csv, len(ODD)) == found_rows(in_json, len(ODD))
    assert {b.reason.kind for b in in_csv.bad} <= {reasons.no_such_text(type_text(of[0].type))}
    assert {b.reason.field for b in in_csv.bad} <= {"f"}
    assert [b.reason.found for b in in_csv.bad] == [ODD[b.index] for b in in_csv.bad]


@pytest.mark.parametrize("case", [c for c in CASES if c.text[0] in '"-0123456789' and "json" not in c.casts], ids=str)
def test_casts_take_texts_as_they_do_in_json(case: Case) -> None:
    """Numbers are texts here, so the cast `text` is implied; a number of `time_ms`, which has no such cast, is one in JSON."""
    text = json.loads(case.text) if case.text[0] == '"' else case.text
    if not text.isprintable() and any("\ud800" <= sign <= "\udfff" for sign in text):
        return
    of, zones = columns({"f": case.type}), {} if case.zone is None else {"f": case.zone}
    casts = case.casts if case.type in ("string", "time") else (*(c for c in case.casts if c != "text"), "text")
    in_json = case.text if case.type == "time" else json.dumps(text)
    wanted = decoder(JSON, of, {"f": Reading(("f",), casts)}, zones=zones).decode(
        Values.from_list([f'{{"f":{in_json}}}'.encode()])
    )
    found = decoder(csv(), of, {"f": Reading(("f",), case.casts)}, zones=zones).decode(
        Values.from_list([f'"{text.replace(chr(34), chr(34) * 2)}"'.encode()])
    )
    assert found.table.to_pylist() == wanted.table.to_pylist()
    assert {b.reason.kind for b in found.bad} <= {reasons.NO_CAST}


@pytest.mark.parametrize(
    ("value", "stage", "kind", "field", "message"),
    [
        (None, "decode", "no value", None, "the record has no value (a tombstone)"),
        (b"", "decode", "empty value", None, "the value is empty"),
        (b"\r\n", "decode", "empty value", None, "the value is empty"),
        (b"\xff,b,1", "decode", "not UTF-8", None, "not UTF-8: byte 0 is 0xff"),
        (b"a,b", "decode", "wrong number of fields", None, "2 fields, expected 3: a, b, n"),
        (b"a,b,1,", "decode", "wrong number of fields", None, "4 fields, expected 3: a, b, n"),
        (b"a", "decode", "wrong number of fields", None, "1 field, expected 3: a, b, n"),
        (b"a,b,1\na,b,2", "decode", "several lines", None, "there is more than one line"),
        (b"a,b,1\n\n", "decode", "several lines", None, "there is more than one line"),
        (b'a,b"b,1', "decode", "not delimited text", None, "field 2: a quote within text that is not in quotes"),
        (b'a, "b",1', "decode", "not delimited text", None, "field 2: a quote within text that is not in quotes"),
        (b'a,"b"b,1', "decode", "not delimited text", None, "field 2: text behind its closing quote"),
        (b'"a,b,1', "decode", "not delimited text", None, "field 1: its quotes are not closed"),
        (b'a,"b""', "decode", "not delimited text", None, "field 2: its quotes are not closed"),
        (b"a,b,x", "convert", "text that is no long", "n", "field 'n': 'x' is not a long"),
        (b'a,b,""', "convert", "text that is no long", "n", "field 'n': '' is not a long"),
        (b"a,b,9223372036854775808", "convert", "text that is no long", "n", "field 'n': '9223372036854775808' is not a long"),
        (b",b,1", "convert", "required field is null", "a", "field 'a' is required, but it is null"),
    ],
)  # fmt: skip
def test_a_record_that_is_no_row_has_its_reason(
    value: bytes | None, stage: str, kind: str, field: str | None, message: str
) -> None:
    of = columns({"a": "string", "b": "string", "n": "long"}, required=("a",))
    found = decoder(csv(), of).decode(Values.from_list([b"x,,1\n", value, b'"y","",\r\n']))
    assert found.table.to_pylist() == [{"a": "x", "b": None, "n": 1}, {"a": "y", "b": "", "n": None}]
    (bad,) = found.bad
    assert (bad.index, bad.stage, bad.reason.kind, bad.reason.field) == (1, stage, kind, field)
    assert bad.reason.message.startswith(message)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (rb"a\nb", r"field 1: the escape stands before 'n', which needs none"),
        (b"a,b\\", "field 2: the escape stands before the end, which needs none"),
        (rb'a,"b\x"', r"field 2: the escape stands before 'x', which needs none"),
    ],
)
def test_an_escape_that_means_something_else_elsewhere_is_a_dead_letter(value: bytes, message: str) -> None:
    found = decoder(csv(escape="\\"), TEXTS[:2]).decode(Values.from_list([value]))
    assert [b.reason.kind for b in found.bad] == ["not delimited text"]
    assert found.bad[0].reason.message.startswith(message)


def test_fields_are_found_by_name() -> None:
    of = columns(
        {"when": "timestamptz", "id": "long", "day": "date", "all": "string", "other": "list<long>", "_o": "long"}
    )
    readings = {
        "when": Reading(("at", "ms"), ("epoch_ms",)),
        "day": Reading(("at.ms",), ("epoch_ms", "truncate_time")),
        "all": Reading((), whole=True),
    }
    options = CsvOptions(columns=("id", "at.ms", "spare"))
    made = decoder(named("csv", options), of, readings, skip=["_o"], dropped=[("spare",)])
    found = made.decode(Values.from_list([b"1,2,3", b"1,2", b'"7",86400000,"x\n"\n']))
    assert found.table.to_pylist() == [
        {"when": datetime(1970, 1, 1, 0, 0, 0, 2000, UTC), "id": 1, "day": date(1970, 1, 1), "all": "1,2,3", "other": None, "_o": None},
        {"when": datetime(1970, 1, 2, tzinfo=UTC), "id": 7, "day": date(1970, 1, 2), "all": '"7",86400000,"x\n"\n', "other": None, "_o": None},
    ]  # fmt: skip
    assert said(found) == [(1, "decode", "wrong number of fields")]
    decoder(named("csv", options), of[1:2], unknown_fields="ignore")


@pytest.mark.parametrize(
    ("kinds", "readings", "options", "why"),
    [
        ({"a": "struct<x: long>"}, {}, {}, "column 'a': format csv does not fill a struct<`x`: long>"),
        ({"a": "list<long>"}, {}, {}, "column 'a': format csv does not fill a list<long>"),
        ({"a": "map<string, long>"}, {}, {}, "column 'a': format csv does not fill a map<string, long>"),
        ({"a": "string"}, {"a": Reading(("a",), ("json",))}, {}, "column 'a': format csv has text and no JSON"),
        ({"a": "long"}, {"a": Reading(("b",))}, {}, "column 'a': field needs the names of all fields"),
        ({"a": "long"}, {"a": Reading(("b",))}, {"columns": ("a",)}, "column 'a': there is no field 'b' in value.csv.columns"),
        ({"a": "long"}, {}, {"columns": ("a", "b")}, "no column takes field 'b' of value.csv.columns"),
        ({"r": "long"}, {}, {"columns": ("a",)}, "column 'r': it is required, and value.csv.columns has no such field"),
        ({}, {}, {}, "format csv needs a column for a field"),
        ({"a": "string"}, {"a": Reading((), whole=True)}, {}, "format csv needs a column for a field"),
    ],
)  # fmt: skip
def test_columns_that_delimited_text_does_not_fill_are_refused(
    kinds: dict[str, str], readings: dict[str, Reading], options: dict[str, Any], why: str
) -> None:
    with pytest.raises(Unfit, match=why):
        decoder(csv(**options), columns(kinds, required=("r",) if "r" in kinds else ()), readings)
    with pytest.raises(Unfit, match="no new fields to keep as JSON"):
        decoder(csv(), TEXTS, rest="c")


def test_rows_that_the_table_cannot_hold_are_dead_letters() -> None:
    def check(rows: pa.Table) -> None:
        if "7" in rows["a"].to_pylist():
            raise Unfit("no 7", reasons.PARTITION_VALUE, "a")

    found = decoder(csv(), TEXTS[:1], check=check).decode(Values.from_list([b"1", b"7", b"2"]))
    assert (found.table["a"].to_pylist(), found.good) == (["1", "2"], [0, 2])
    assert said(found) == [(1, "convert", reasons.PARTITION_VALUE)]


@pytest.mark.parametrize("header", [None, "dead_letter", "skip"])
def test_a_record_with_the_names_of_all_fields_is_a_header_line(header: str | None) -> None:
    values = Values.from_list([b'a,b,"c"\r\n', b"a,b,C", b"1,2,3", b"a,b,c"])
    found = decoder(csv(header=header), TEXTS).decode(values)
    if header is None:
        assert (found.good, list(found.bad)) == (None, [])
        assert header_lines(found, ()).tolist() == []
        return
    assert found.good == [1, 2]
    assert said(found) == [(0, "decode", "header line"), (3, "decode", "header line")]
    assert header_lines(found, {0}).tolist() == [3]
    typed = decoder(csv(header=header), columns({"a": "long", "b": "date", "c": "uuid"})).decode(values)
    assert said(typed)[0] == (0, "decode", "header line")


def inferred(values: list[bytes], reserved: Sequence[str] = (), **options: Any) -> tuple[dict[str, str], list[str]]:
    found = csv(**options).infer(values, reserved)
    return {c.name: type_text(c.type) for c in found.columns}, list(found.notes)


def test_columns_are_inferred_from_texts_that_all_fit() -> None:
    names = ("i", "big", "d", "b", "at", "day", "zip", "n", "_o", "I")
    values = [
        b"1,1,1,true,2026-01-01T00:00:00Z,2026-01-01,01234,,1,1\n",
        b"-5,9223372036854775808,2.5,false,2026-01-01 00:00:00.5+01:00,2026-01-02,1,,1,1\n",
        b",9007199254740993,,,,,,,,",
        b"too,few",
        b"\xff,,,,,,,,,",
        ",".join(names).encode(),
    ]
    types, notes = inferred(values, ["_O"], columns=names, header="skip")
    assert types == {
        "i": "long", "big": "string", "d": "double", "b": "boolean", "at": "timestamptz", "day": "string", "zip": "string", "n": "string",
    }  # fmt: skip
    assert notes == [
        "2 records are not one line of 10 fields and would be dead letters",
        "column 'n': only nulls seen, taken as string; declare its type if it is another",
        "column '_o': left out, as another column has its name, but for case",
        "column 'I': left out, as another column has its name, but for case",
    ]
    assert set(inferred(values, columns=names)[0].values()) == {"string"}


def test_without_names_or_rows_no_columns_are_inferred() -> None:
    assert inferred([b"1,2"]) == ({}, ["fields of csv have no names: give value.csv.columns, or the table's columns"])
    assert inferred([b"1,2"], columns=("a",))[0] == {}
    assert inferred([], columns=("a",))[0] == {}
