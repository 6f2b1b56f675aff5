"""What tests of other connectors show, with records of our own; docs/proofs/counterparts.md lists which is which."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conversions.counterparts import PAGE, page
from conversions.peer_entries import Counterpart
from conversions.peers import GROUPS, PEERS
from kits.collected import names_in
from kits.conversions import Table

EVERY_TYPE = {
    "a_boolean": ("boolean", "true", "true"),
    "an_int": ("int", "7", "7"),
    "a_long": ("long", "9007199254740993", "9007199254740993"),
    "a_float": ("float", "0.5", "0.5"),
    "a_double": ("double", "1e300", "1e+300"),
    "a_decimal": ("decimal(10, 2)", "12.5", "12.50"),
    "a_date": ("date", '"2031-05-06"', "2031-05-06"),
    "a_time": ("time", '"07:08:09.25"', "07:08:09.250000"),
    "a_timestamp": ("timestamp", '"2031-05-06T07:08:09"', "2031-05-06T07:08:09"),
    "an_instant": ("timestamptz", '"2031-05-06T07:08:09-03:00"', "2031-05-06T10:08:09Z"),
    "a_text": ("string", '"x"', '"x"'),
    "a_uuid": ("uuid", '"0f1e2d3c-0000-4000-8000-000000000001"', "0f1e2d3c-0000-4000-8000-000000000001"),
    "a_fixed": ("fixed[3]", '"AAEC"', "0x000102"),
    "bytes": ("binary", '"AAE="', "0x0001"),
    "a_list": ("list<int>", "[1, 2]", "[1, 2]"),
    "a_map": ("map<string, int>", '{"k": 1}', '{"k": 1}'),
}
STRUCT = f"struct<{', '.join(f'{name}: {kind}' for name, (kind, _, _) in EVERY_TYPE.items())}>"
OBJECT = "{" + ", ".join(f'"{name}": {text}' for name, (_, text, _) in EVERY_TYPE.items()) + "}"
ROW = "{" + ", ".join(f'"{name}": {shown}' for name, (_, _, shown) in EVERY_TYPE.items()) + "}"


def becomes(folder: Path, settings: Any, text: str) -> str:
    """The value of a column, or the kind of the dead letter."""
    row, kind = Table(folder, {"c": settings}).outcome(f'{{"c": {text}}}'.encode())
    return f"dead letter: {kind}" if row is None else row["c"]


def test_a_record_may_have_every_type_at_once(tmp_path: Path) -> None:
    table = Table(tmp_path, {name: kind for name, (kind, _, _) in EVERY_TYPE.items()})
    assert table.outcome(OBJECT.encode()) == ({name: shown for name, (_, _, shown) in EVERY_TYPE.items()}, "")


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        ("{}", "{}", "{}"),
        ("struct<inner: {}>", '{{"inner": {}}}', '{{"inner": {}}}'),
        ("list<{}>", "[{}, null]", "[{}, null]"),
        ("map<string, {}>", '{{"k": {}}}', '{{"k": {}}}'),
        ("list<map<string, list<{}>>>", '[{{"k": [{}]}}]', '[{{"k": [{}]}}]'),
    ],
)
def test_every_type_is_the_same_within_structs_lists_and_maps(tmp_path: Path, kind: str, text: str, shown: str) -> None:
    found = becomes(tmp_path, kind.format(STRUCT), text.format(OBJECT))
    assert found == shown.format(ROW)


def test_empty_lists_and_maps_remain_empty(tmp_path: Path) -> None:
    table = Table(
        tmp_path, {"l": "list<int>", "m": "map<string, int>", "s": "struct<l: list<int>, m: map<string, int>>"}
    )
    row, _ = table.outcome(b'{"l": [], "m": {}, "s": {"l": [], "m": {}}}')
    assert row == {"l": "[]", "m": "{}", "s": '{"l": [], "m": {}}'}


@pytest.mark.parametrize("cast", ["json", "stringify"])
def test_an_object_is_text_only_if_the_file_says_so_and_then_all_of_it(tmp_path: Path, cast: str) -> None:
    assert becomes(tmp_path, "string", OBJECT) == "dead letter: object for a string"
    found = becomes(tmp_path, {"type": "string", "cast": cast}, OBJECT)
    assert json.loads(found) == OBJECT


@pytest.mark.parametrize("kind", ["int", "long", "float", "double"])
def test_a_number_is_read_in_the_forms_that_the_file_names(tmp_path: Path, kind: str) -> None:
    is_whole = kind in {"int", "long"}
    shown = "42" if is_whole else "42.0"
    casts = ["text", "integral"] if is_whole else ["text"]
    for text in ("42", "42.0", "4.2e1", '"42"'):
        assert becomes(tmp_path, {"type": kind, "cast": casts}, text) == shown
    assert becomes(tmp_path, kind, "42") == shown
    assert becomes(tmp_path, kind, '"42"').startswith("dead letter: text for a")
    assert becomes(tmp_path, kind, "42.0") == ("dead letter: not an integer" if is_whole else shown)


def test_a_number_that_would_be_narrowed_is_a_dead_letter(tmp_path: Path) -> None:
    assert becomes(tmp_path, "int", "4294967338") == "dead letter: out of range"
    assert becomes(tmp_path, "int", "42.9") == "dead letter: not an integer"
    assert becomes(tmp_path, "float", "16777217") == "dead letter: not exact in its column"
    assert becomes(tmp_path, "decimal(10, 2)", "0.125") == "dead letter: out of range"
    assert becomes(tmp_path, {"type": "decimal(10, 2)", "cast": "round"}, "0.125") == "0.12"


@pytest.mark.parametrize(("text", "scale", "shown"), [("67.25", 2, "67.25"), ("67", 0, "67"), ("67.0", 0, "67")])
def test_a_decimal_is_a_number_or_text_at_the_scale_of_its_column(
    tmp_path: Path, text: str, scale: int, shown: str
) -> None:
    for form in (text, f'"{text}"'):
        assert becomes(tmp_path, f"decimal(10, {scale})", form) == shown


def test_a_date_is_text_or_days_and_a_time_text_or_milliseconds(tmp_path: Path) -> None:
    date = {"type": "date", "cast": ["rfc3339", "epoch_days"]}
    assert [becomes(tmp_path, date, text) for text in ('"2031-05-06"', "22405")] == ["2031-05-06"] * 2
    time = {"type": "time", "cast": ["rfc3339", "time_ms"]}
    assert [becomes(tmp_path, time, text) for text in ('"07:08:09.250"', "25689250")] == ["07:08:09.250000"] * 2
    assert becomes(tmp_path, "date", "22405") == "dead letter: number for a date"


OFFSETS = {"Z": 7, "+00": 7, "+0000": 7, "+00:00": 7, "-03": 10, "-0300": 10, "-03:00": 10, "+05:30": 1}


@pytest.mark.parametrize("separator", ["T", " "])
@pytest.mark.parametrize("fraction", ["", ".250519"])
def test_an_instant_has_any_form_of_offset_and_keeps_its_fraction(
    tmp_path: Path, separator: str, fraction: str
) -> None:
    local = f"2031-05-06{separator}07:08:09{fraction}"
    for offset, hour in OFFSETS.items():
        minute = "38" if offset == "+05:30" else "08"
        assert becomes(tmp_path, "timestamptz", f'"{local}{offset}"') == f"2031-05-06T{hour:02}:{minute}:09{fraction}Z"
    assert becomes(tmp_path, "timestamptz", f'"{local}"') == "dead letter: text that is no timestamptz"
    in_utc = {"type": "timestamptz", "zone": "UTC"}
    assert becomes(tmp_path, in_utc, f'"{local}"') == f"2031-05-06T07:08:09{fraction}Z"


@pytest.mark.parametrize("separator", ["T", " "])
@pytest.mark.parametrize("fraction", ["", ".250519"])
def test_a_local_time_never_drops_an_offset(tmp_path: Path, separator: str, fraction: str) -> None:
    local = f"2031-05-06{separator}07:08:09{fraction}"
    assert becomes(tmp_path, "timestamp", f'"{local}"') == f"2031-05-06T07:08:09{fraction}"
    for offset, hour in OFFSETS.items():
        assert becomes(tmp_path, "timestamp", f'"{local}{offset}"') == "dead letter: text that is no timestamp"
        minute = "38" if offset == "+05:30" else "08"
        in_utc = {"type": "timestamp", "zone": "UTC"}
        assert becomes(tmp_path, in_utc, f'"{local}{offset}"') == f"2031-05-06T{hour:02}:{minute}:09{fraction}"


def test_an_instant_is_a_number_only_in_the_unit_that_the_file_names(tmp_path: Path) -> None:
    for unit, text in (("s", "1935817689"), ("ms", "1935817689000"), ("us", "1935817689000000")):
        settings = {"type": "timestamptz", "cast": ["rfc3339", f"epoch_{unit}"]}
        assert becomes(tmp_path, settings, text) == "2031-05-06T07:08:09Z"
        assert becomes(tmp_path, "timestamptz", text) == "dead letter: number for a timestamptz"
    settings = {"type": "timestamptz", "cast": ["epoch_s", "text"]}
    for text in ("1935817689.25", '"1935817689.25"'):
        assert becomes(tmp_path, settings, text) == "2031-05-06T07:08:09.250000Z"


def test_an_instant_beyond_64_bits_of_nanoseconds_is_a_row(tmp_path: Path) -> None:
    assert becomes(tmp_path, "timestamptz", '"2400-05-06T07:08:09Z"') == "2400-05-06T07:08:09Z"


@pytest.mark.parametrize("text", ['"20310506T070809Z"', '"2031-05-06 07:08:09"', '"soon"', '"1935817689000000"'])
def test_text_that_is_no_instant_is_a_dead_letter_and_not_left_as_it_is(tmp_path: Path, text: str) -> None:
    assert becomes(tmp_path, "timestamptz", text) == "dead letter: text that is no timestamptz"
    assert becomes(tmp_path, "list<timestamptz>", f"[{text}]") == "dead letter: text that is no timestamptz"


def test_null_in_a_text_column_is_null_with_each_cast_to_text(tmp_path: Path) -> None:
    for cast in ("json", "stringify"):
        assert becomes(tmp_path, {"type": "string", "cast": cast}, "null") == "null"
        assert becomes(tmp_path, {"type": "string", "cast": cast}, "7") == '"7"'


def test_a_field_of_another_name_or_case_fills_a_column_that_names_it(tmp_path: Path) -> None:
    assert Table(tmp_path, {"n": "int"}).outcome(b'{"N": 7}') == (None, "unknown field")
    assert Table(tmp_path, {"n": "int"}, "ignore").outcome(b'{"N": 7}') == ({"n": "null"}, "")
    assert Table(tmp_path, {"n": {"type": "int", "field": "N"}}).outcome(b'{"N": 7}') == ({"n": "7"}, "")
    assert Table(tmp_path, {"n": {"type": "int", "field": "old_n"}}).outcome(b'{"old_n": 7}') == ({"n": "7"}, "")


def test_fields_may_come_in_any_order(tmp_path: Path) -> None:
    table = Table(tmp_path, {"a": "int", "b": "int", "s": "struct<x: int, y: int>"})
    row, _ = table.outcome(b'{"s": {"y": 4, "x": 3}, "b": 2, "a": 1}')
    assert row == {"a": "1", "b": "2", "s": '{"x": 3, "y": 4}'}


NESTED = {
    "": ("long", '{{"c": 1, "new": {}}}', "new"),
    "struct": ("struct<a: int>", '{{"c": {{"a": 1, "new": {}}}}}', "c.new"),
    "struct in a struct": ("struct<s: struct<a: int>>", '{{"c": {{"s": {{"new": {}}}}}}}', "c.s.new"),
    "list": ("list<struct<a: int>>", '{{"c": [{{"a": 1}}, {{"new": {}}}]}}', "c.element.new"),
    "map": ("map<string, struct<a: int>>", '{{"c": {{"k": {{"new": {}}}}}}}', "c.value.new"),
}


@pytest.mark.parametrize("place", NESTED)
def test_a_new_field_is_named_or_kept_at_every_level(tmp_path: Path, place: str) -> None:
    kind, text, path = NESTED[place]
    record = text.format("7").encode()
    reason = Table(tmp_path, {"c": kind}).reason(record)
    assert (reason.kind, reason.field) == ("unknown field", path)
    row, _ = Table(tmp_path, {"c": kind}, {"json_column": "rest"}).outcome(record)
    assert row is not None
    assert '"new": 7' in json.loads(row["rest"]).replace('"new":7', '"new": 7')


@pytest.mark.parametrize("place", NESTED)
def test_a_new_field_without_a_value_changes_nothing(tmp_path: Path, place: str) -> None:
    kind, text, _ = NESTED[place]
    row, _ = Table(tmp_path, {"c": kind}).outcome(text.format("null").encode())
    assert row is not None


def test_a_number_that_needs_a_wider_column_is_a_dead_letter_at_every_level(tmp_path: Path) -> None:
    table = Table(tmp_path, {"c": "int", "f": "float", "s": "struct<a: int, f: float>"})
    for record, field in (
        ('{"c": 4294967338}', "c"),
        ('{"f": 1e39}', "f"),
        ('{"s": {"a": 4294967338}}', "s.a"),
        ('{"s": {"f": 1e39}}', "s.f"),
    ):
        reason = table.reason(record.encode())
        assert (reason.kind, reason.field) == ("out of range", field)
    assert table.outcome(b'{"s": null}') == ({"c": "null", "f": "null", "s": "null"}, "")


def test_a_required_column_refuses_null_and_a_null_struct_does_not_miss_its_fields(tmp_path: Path) -> None:
    table = Table(tmp_path, {"c": {"type": "struct<a: int>", "required": True}, "d": "struct<a: int>"})
    assert table.outcome(b'{"c": null}') == (None, "required field is null")
    assert table.outcome(b"{}") == (None, "required field is missing")
    assert table.outcome(b'{"c": {}, "d": null}') == ({"c": '{"a": null}', "d": "null"}, "")


def test_a_day_comes_from_the_text_of_a_time_beside_it(tmp_path: Path) -> None:
    day = {"type": "date", "field": "at", "cast": "truncate_time"}
    row, _ = Table(tmp_path, {"at": "timestamptz", "day": day}).outcome(b'{"at": "2031-05-06T07:08:09Z"}')
    assert row == {"at": "2031-05-06T07:08:09Z", "day": "2031-05-06"}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run PYTHONPATH=tests python -m conversions"


def test_each_test_of_the_peers_has_one_counterpart() -> None:
    assert [len(group.counterparts) for group in GROUPS] == [27, 18, 14, 14, 34, 23, 9, 9, 17, 66, 24, 25, 24, 3, 9, 7]
    assert len({c.name for c in PEERS}) == len(PEERS) == 59 + 14 + 66 + 9 + 17 + 66 + 73 + 12 + 7


@pytest.mark.parametrize("counterpart", PEERS, ids=lambda c: c.name)
def test_a_counterpart_names_tests_that_are_there_and_says_why(counterpart: Counterpart) -> None:
    for test in counterpart.tests:
        file, _, name = test.partition("::")
        assert name in names_in(file), test
    assert counterpart.tests or counterpart.verdict == "not applicable"
    assert counterpart.why or counterpart.verdict == "same"
    assert "|" not in counterpart.why
