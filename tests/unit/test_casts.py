"""Casts: one row for each source text, column type and cast, with the value that a column takes, or none."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file import arrow_schema
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.records.casts import CASTS, Reading, unfit_reading
from lakelock.records.json.cast_columns import cast_column
from lakelock.records.time_patterns import TimePattern

DEAD = "dead letter"
INT, LONG = 2**31 - 1, 2**63 - 1


class Case(NamedTuple):
    """*source* is JSON text. A case of `DEAD` becomes a dead letter."""

    source: str
    type: str
    casts: tuple[str, ...]
    value: object
    zone: str | None = None


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


S, MS, US, NS, DAYS = ("epoch_s",), ("epoch_ms",), ("epoch_us",), ("epoch_ns",), ("epoch_days",)
BERLIN = "Europe/Berlin"
CASES = [
    Case("0", "timestamptz", S, at(1970, 1, 1)),
    Case("-1", "timestamptz", S, at(1969, 12, 31, 23, 59, 59)),
    Case("1767225600", "timestamptz", S, at(2026, 1, 1)),
    Case("1767225600.5", "timestamptz", S, at(2026, 1, 1, 0, 0, 0, 500_000)),
    Case("1.7672256E9", "timestamptz", S, at(2026, 1, 1)),
    Case("0.0000001", "timestamptz", S, DEAD),
    Case("0.0000001", "timestamptz", (*S, "truncate_time"), at(1970, 1, 1)),
    Case("-0.0000001", "timestamptz", (*S, "truncate_time"), at(1969, 12, 31, 23, 59, 59, 999_999)),
    Case("-62135596800", "timestamptz", S, at(1, 1, 1)),
    Case("-62135596801", "timestamptz", S, DEAD),
    Case("253402300799", "timestamptz", S, at(9999, 12, 31, 23, 59, 59)),
    Case("253402300800", "timestamptz", S, DEAD),
    Case("9223372036854775807", "timestamptz", S, DEAD),
    Case("1e300", "timestamptz", S, DEAD),
    Case('"0"', "timestamptz", S, DEAD),
    Case('"0"', "timestamptz", (*S, "text"), at(1970, 1, 1)),
    Case('"1.5"', "timestamptz", (*S, "text"), at(1970, 1, 1, 0, 0, 1, 500_000)),
    Case('"1_0"', "timestamptz", (*S, "text"), DEAD),
    Case("true", "timestamptz", S, DEAD),
    Case("{}", "timestamptz", S, DEAD),
    Case("null", "timestamptz", S, None),
    Case("1767225600123", "timestamptz", MS, at(2026, 1, 1, 0, 0, 0, 123_000)),
    Case("1767225600123.4", "timestamptz", MS, at(2026, 1, 1, 0, 0, 0, 123_400)),
    Case("1767225600123456", "timestamptz", US, at(2026, 1, 1, 0, 0, 0, 123_456)),
    Case("1767225600123456.5", "timestamptz", US, DEAD),
    Case("1767225600123456000", "timestamptz", NS, at(2026, 1, 1, 0, 0, 0, 123_456)),
    Case("1767225600123456001", "timestamptz", NS, DEAD),
    Case("1767225600123456001", "timestamptz", (*NS, "truncate_time"), at(2026, 1, 1, 0, 0, 0, 123_456)),
    Case("-1", "timestamptz", (*NS, "truncate_time"), at(1969, 12, 31, 23, 59, 59, 999_999)),
    Case("0", "timestamp", S, datetime(1970, 1, 1, 1), BERLIN),
    Case("20000", "date", DAYS, date(2024, 10, 4)),
    Case("-1", "date", DAYS, date(1969, 12, 31)),
    Case("2932896", "date", DAYS, date(9999, 12, 31)),
    Case("2932897", "date", DAYS, DEAD),
    Case("0.5", "date", DAYS, DEAD),
    Case("86400", "date", S, date(1970, 1, 2)),
    Case("86401", "date", S, DEAD),
    Case("-1", "date", (*S, "truncate_time"), date(1969, 12, 31)),
    Case('"2026-01-01T00:00:00Z"', "timestamptz", ("rfc3339", *S), at(2026, 1, 1)),
    Case("1767225600", "timestamptz", ("rfc3339", *S), at(2026, 1, 1)),
    Case('"yesterday"', "timestamptz", ("rfc3339", *S), DEAD),
    Case('"2026-02-30T00:00:00Z"', "timestamptz", ("rfc3339", *S), DEAD),
    Case('"2026-01-01"', "timestamptz", ("rfc3339", *S), DEAD),
    Case('"2026-01-01T00:00:00"', "timestamptz", ("rfc3339", *S), DEAD),
    Case('"2026-01-01T01:00:00"', "timestamptz", ("rfc3339", *S), at(2026, 1, 1), BERLIN),
    Case('"2026-10-25T02:30:00"', "timestamptz", ("rfc3339", *S), DEAD, BERLIN),
    Case('"2026-03-29T02:30:00"', "timestamptz", ("rfc3339", *S), DEAD, BERLIN),
    Case('"\\u0032026-01-01T00:00:00Z"', "timestamptz", ("rfc3339", *S), at(2026, 1, 1)),
    Case('"2026-01-01T00:00:00.1234567Z"', "timestamptz", ("rfc3339",), DEAD),
    Case('"2026-01-01T00:00:00.1234567Z"', "timestamptz", ("truncate_time",), at(2026, 1, 1, 0, 0, 0, 123_456)),
    Case('"2026-01-01T23:00:00Z"', "date", ("rfc3339",), DEAD),
    Case('"2026-01-01T23:00:00Z"', "date", ("truncate_time",), date(2026, 1, 1)),
    Case('"31.12.2025"', "date", ("pattern:dd.MM.yyyy",), date(2025, 12, 31)),
    Case('"1.2.2025"', "date", ("pattern:d.M.yyyy",), date(2025, 2, 1)),
    Case('"31.02.2025"', "date", ("pattern:dd.MM.yyyy",), DEAD),
    Case('"31.12.2025 "', "date", ("pattern:dd.MM.yyyy",), DEAD),
    Case('"31.12.2025"', "date", ("pattern:MM/dd/yyyy", "pattern:dd.MM.yyyy"), date(2025, 12, 31)),
    Case('"20260102T030405+0130"', "timestamptz", ("pattern:yyyyMMdd'T'HHmmssXX",), at(2026, 1, 2, 1, 34, 5)),
    Case('"2026-01-02 03:04:05"', "timestamptz", ("pattern:yyyy-MM-dd HH:mm:ss",), DEAD),
    Case('"2026-01-02 03:04:05"', "timestamptz", ("pattern:yyyy-MM-dd HH:mm:ss",), at(2026, 1, 2, 2, 4, 5), BERLIN),
    Case('"2026-01-02 03:04"', "timestamp", ("pattern:yyyy-MM-dd HH:mm",), datetime(2026, 1, 2, 3, 4)),
    Case('"2359"', "time", ("pattern:HHmm",), time(23, 59)),
    Case('"2460"', "time", ("pattern:HHmm",), DEAD),
    Case("43200000", "time", ("time_ms",), time(12)),
    Case("1", "time", ("time_us",), time(0, 0, 0, 1)),
    Case("86400000", "time", ("time_ms",), DEAD),
    Case("-1", "time", ("time_ms",), DEAD),
    Case('"270"', "long", (), DEAD),
    Case('"270"', "long", ("text",), 270),
    Case("270", "long", ("text",), 270),
    Case('"+270"', "long", ("text",), DEAD),
    Case('" 270"', "long", ("text",), DEAD),
    Case('"0270"', "long", ("text",), DEAD),
    Case('""', "long", ("text",), DEAD),
    Case('""', "long", ("text", "null"), None),
    Case("270.0", "long", ("integral",), 270),
    Case("2.7E2", "long", ("integral",), 270),
    Case("-0.0", "long", ("integral",), 0),
    Case("270.5", "long", ("integral",), DEAD),
    Case("270.0", "long", ("text",), DEAD),
    Case('"270.0"', "int", ("text", "integral"), 270),
    Case(str(LONG), "long", ("integral",), LONG),
    Case(str(LONG + 1), "long", ("integral",), DEAD),
    Case(str(LONG + 1), "long", ("clamp",), LONG),
    Case(str(-LONG - 2), "long", ("clamp",), -LONG - 1),
    Case("1e300", "int", ("clamp",), INT),
    Case("-1e300", "int", ("clamp",), -INT - 1),
    Case("1.5", "int", ("clamp",), DEAD),
    Case("1.5", "int", ("round",), 2),
    Case("2.5", "int", ("round",), 2),
    Case("-2.5", "int", ("round",), -2),
    Case("2.5" + "0" * 40 + "1", "int", ("round",), 3),
    Case("2147483647.5", "int", ("round",), DEAD),
    Case("2147483647.5", "int", ("round", "clamp"), INT),
    Case("1.005", "decimal(5,2)", (), DEAD),
    Case("1.005", "decimal(5,2)", ("round",), Decimal("1.00")),
    Case("1.015", "decimal(5,2)", ("round",), Decimal("1.02")),
    Case("999.995", "decimal(5,2)", ("round",), DEAD),
    Case("999.995", "decimal(5,2)", ("round", "clamp"), Decimal("999.99")),
    Case("1e6", "decimal(5,2)", ("clamp",), Decimal("999.99")),
    Case('"12.50"', "decimal(5,2)", ("text",), Decimal("12.50")),
    Case('"1e2"', "decimal(5,2)", ("text",), Decimal(100)),
    Case('"lw=="', "decimal(5,2)", ("unscaled:2",), Decimal("-1.05")),
    Case('"lw"', "decimal(5,2)", ("unscaled:2",), DEAD),
    Case("1", "decimal(5,2)", ("unscaled:2",), DEAD),
    Case('"1.5"', "double", ("text",), 1.5),
    Case('"NaN"', "double", ("text",), DEAD),
    Case('"Infinity"', "double", ("text",), DEAD),
    Case("9007199254740993", "double", ("text",), DEAD),
    Case("9007199254740993", "double", ("round",), 9007199254740992.0),
    Case("1e400", "double", ("text",), DEAD),
    Case("1e400", "double", ("clamp",), 1.7976931348623157e308),
    Case("-1e39", "float", ("clamp",), -3.4028234663852886e38),
    Case("true", "boolean", ("text",), True),
    Case('"false"', "boolean", ("text",), False),
    Case('"False"', "boolean", ("text",), DEAD),
    Case("1", "boolean", ("text",), DEAD),
    Case("1", "boolean", ("null",), None),
    Case("1.10", "string", ("stringify",), "1.10"),
    Case('{"a": [1E5 ]}', "string", ("stringify",), '{"a": [1E5 ]}'),
    Case('"a\\u00e4\\n"', "string", ("stringify",), "aä\n"),
    Case('"\\ud800"', "string", ("stringify",), DEAD),
    Case("true", "string", ("stringify",), "true"),
    Case("null", "string", ("stringify",), None),
    Case("1", "string", ("null",), None),
    Case('"a"', "string", ("null",), "a"),
    Case('"a\\u00e4"', "string", ("json",), '"a\\u00e4"'),
    Case('{"b": 1.10, "a": [1E5]}', "string", ("json",), '{"b": 1.10, "a": [1E5]}'),
    Case("9" * 38, "string", ("json",), "9" * 38),
    Case("null", "string", ("json",), None),
]


def cast(*cases: Case) -> list[Any]:
    """Values of cases that have one type and cast, decoded as one block."""
    of = cases[0]
    column = Column("c", parse_type(of.type))
    target = arrow_schema(schema_from([column])).field("c").type
    texts = pa.array([c.source for c in cases], pa.large_string())
    array, unfit = cast_column(texts, Reading(("c",), of.casts), column.type, target, of.zone)
    assert array.type == target
    found = array.to_pylist()
    for row, why in unfit.items():
        assert found[row] is None
        assert (why.kind, why.field) == ("fits none of its casts", "c")
    return [DEAD if row in unfit else value for row, value in enumerate(found)]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.source[:30]}-{c.type}-{'+'.join(c.casts)}")
def test_a_value_goes_in_as_its_casts_say_or_its_record_is_a_dead_letter(case: Case) -> None:
    assert cast(case) == [case.value]
    column = parse_type(case.type)
    assert unfit_reading(column, Reading(("c",), case.casts), case.zone) is None


@pytest.mark.parametrize("of", sorted({(c.type, c.casts, c.zone or "") for c in CASES}), ids=str)
def test_a_value_does_not_depend_on_its_neighbours(of: tuple[str, tuple[str, ...], str]) -> None:
    cases = [c for c in CASES if (c.type, c.casts, c.zone or "") == of]
    assert cast(*cases) == [c.value for c in cases]
    assert cast(*cases, *reversed(cases)) == [c.value for c in (*cases, *reversed(cases))]


def test_each_cast_is_shown() -> None:
    shown = {name.split(":")[0] for c in CASES for name in c.casts if c.value not in (DEAD, None)}
    assert {*CASTS, "pattern", "unscaled"} <= shown


@pytest.mark.parametrize(
    ("type", "casts", "zone", "why"),
    [
        ("long", ("rfc3339",), None, "cast 'rfc3339' is not for long"),
        ("long", ("pattern:yyyy",), None, "is for date, time, timestamp and timestamptz"),
        ("date", ("pattern:HH:mm",), None, "has no year, month and day"),
        ("timestamp", ("pattern:yyyy-MM-dd",), None, "has no hour"),
        ("timestamp", ("epoch_s",), None, "needs a zone"),
        ("timestamptz", ("epoch_days",), None, "cast 'epoch_days' is not for timestamptz"),
        ("timestamptz", ("text",), None, "there is no epoch among the casts"),
        ("string", ("json", "null"), None, "stand alone"),
        ("decimal(5,2)", ("unscaled:2", "round"), None, "stand alone"),
        ("long", ("unscaled:2",), None, "is for decimal, not for long"),
        ("long", ("json",), None, "is not for long"),
        ("struct<a: long>", ("null",), None, "is not for struct"),
    ],
)
def test_a_cast_that_does_not_suit_its_column_is_refused(
    type: str, casts: tuple[str, ...], zone: str | None, why: str
) -> None:
    found = unfit_reading(parse_type(type), Reading(("c",), casts), zone)
    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    "pattern", ["yy-MM-dd", "MMM", "yyyyyyyy", "yyyy 'T", "HH:mm mm", "HH:ss", "HH:mm.SSS", "z", "w"]
)
def test_a_pattern_that_is_not_certain_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"not known|twice|no end|leaves out|fraction"):
        TimePattern.parse(pattern)


_DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=None)


@given(st.lists(_DECIMALS, min_size=1, max_size=5))
def test_rounding_and_clamping_agree_with_decimal_arithmetic(numbers: list[Decimal]) -> None:
    numbers = [n for n in numbers if n.as_tuple().exponent >= -60]  # type: ignore[operator]
    cases = [Case(str(n).replace("E+", "E"), "decimal(9,3)", ("round", "clamp"), None) for n in numbers]
    most = Decimal("999999.999")
    expected = [min(max(n.quantize(Decimal("0.001"), ROUND_HALF_EVEN), -most), most) for n in numbers]
    if cases:
        assert cast(*cases) == expected
        whole = [c._replace(type="int") for c in cases]
        rounded = [int(n.quantize(Decimal(1), ROUND_HALF_EVEN)) for n in numbers]
        assert cast(*whole) == [min(max(n, -INT - 1), INT) for n in rounded]


@given(st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=5), st.sampled_from(["epoch_ms", "epoch_us"]))
def test_epochs_agree_with_pythons_arithmetic(numbers: list[int], form: str) -> None:
    unit = timedelta(milliseconds=1) if form == "epoch_ms" else timedelta(microseconds=1)

    def moment(number: int) -> object:
        try:
            return datetime(1970, 1, 1, tzinfo=UTC) + number * unit
        except OverflowError:
            return DEAD

    cases = [Case(json.dumps(n), "timestamptz", (form,), None) for n in numbers]
    assert cast(*cases) == [moment(n) for n in numbers]
