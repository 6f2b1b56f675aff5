from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kits.columns import columns
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_types import Column, Date, Integer, ListOf, MapOf, Struct, Timestamp
from lakelock.model.type_notation import parse_type
from lakelock.records.decoding import Decoded
from lakelock.records.json import decode as json_decode
from lakelock.records.json.block_parser import BlockParser, Rows
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.diagnosis import Diagnosis
from lakelock.records.reasons import Reason
from lakelock.records.values import Values

COLUMNS = (
    *columns({
        "i": "long", "i32": "int", "s": "string", "d": "double", "f": "float", "b": "boolean", "dec": "decimal(6, 2)",
        "at": "timestamptz", "naive": "timestamp", "day": "date", "t": "time", "u": "uuid", "bin": "binary",
        "l": "list<double>",
    }),
    Column("st", Struct((Column("x", Timestamp(zoned=True), required=True), Column("y", Integer(64))))),
    *columns({"fx": "fixed(3)", "local": "timestamptz"}),
)  # fmt: skip
ZONES = {"local": "Europe/Berlin"}
UTC = pa.timestamp("us", "UTC")
SCHEMA = pa.schema([
    ("i", pa.int64()), ("i32", pa.int32()), ("s", pa.string()), ("d", pa.float64()), ("f", pa.float32()),
    ("b", pa.bool_()), ("dec", pa.decimal128(6, 2)), ("at", UTC), ("naive", pa.timestamp("us")), ("day", pa.date32()),
    ("t", pa.time64("us")), ("u", pa.binary(16)), ("bin", pa.binary()), ("l", pa.list_(pa.float64())),
    ("st", pa.struct([pa.field("x", UTC), pa.field("y", pa.int64())])), ("fx", pa.binary(3)), ("local", UTC),
])  # fmt: skip


MAPS = (
    *columns({"m": "map<string, double>"}),
    Column("nested", ListOf(Struct((Column("x", MapOf(Integer(64), Date(), value_required=True)),)))),
)
MAP_SCHEMA = pa.schema([
    *SCHEMA, ("m", pa.map_(pa.string(), pa.float64())),
    ("nested", pa.list_(pa.struct([("x", pa.map_(pa.int64(), pa.date32()))]))),
])  # fmt: skip


def decoder(unknown_fields: str = "dead_letter", required: tuple[str, ...] = (), maps: bool = False) -> JsonDecoder:
    return JsonDecoder(
        [replace(c, required=c.name in required) for c in (*COLUMNS, *(MAPS if maps else ()))],
        MAP_SCHEMA if maps else SCHEMA,
        zones=ZONES,
        skip=frozenset(),
        unknown_fields=unknown_fields,
    )


def one(value: bytes | None, **options: Any) -> dict[str, Any] | str:
    """The row without nulls, or the reason against it."""
    decoded = decoder(**options).decode(Values.from_list([value]))
    if decoded.bad:
        assert decoded.table.num_rows == 0
        return decoded.bad[0].reason.message
    (row,) = decoded.table.to_pylist()
    return {k: v for k, v in row.items() if v is not None}


@pytest.mark.parametrize(
    ("value", "column", "stored"),
    [
        (b'{"i":9223372036854775807}', "i", 9223372036854775807),
        (b' \n{"i" : -0}\t', "i", 0),
        (b'{"d":9007199254740992}', "d", 9007199254740992.0),
        (b'{"d":1e300}', "d", 1e300),
        (b'{"f":3.4028235e38}', "f", 3.4028234663852886e38),
        (b'{"dec":1.25}', "dec", "1.25"),
        (b'{"dec":1234.5000000}', "dec", "1234.50"),
        (b'{"dec":"1.2"}', "dec", "1.20"),
        (b'{"at":"2026-11-21T04:00:00+01:00"}', "at", "2026-11-21 03:00:00+00:00"),
        (b'{"at":"2026-11-21T04:00:00.123456000Z"}', "at", "2026-11-21 04:00:00.123456+00:00"),
        (b'{"naive":"2026-11-21 04:00"}', "naive", "2026-11-21 04:00:00"),
        (b'{"at":"2026-11-21t04:00:00.1234560z"}', "at", "2026-11-21 04:00:00.123456+00:00"),
        (b'{"local":"2026-11-21t04:00:00z"}', "local", "2026-11-21 04:00:00+00:00"),
        (b'{"at":"0001-01-01T00:00:00Z"}', "at", "0001-01-01 00:00:00+00:00"),
        (b'{"day":"9999-12-31"}', "day", "9999-12-31"),
        (b'{"local":"2026-11-21T04:00:00"}', "local", "2026-11-21 03:00:00+00:00"),
        (b'{"local":"2026-11-21T04:00:00Z"}', "local", "2026-11-21 04:00:00+00:00"),
        (b'{"day":"2026-11-21"}', "day", "2026-11-21"),
        (b'{"t":"04:05:06.5"}', "t", "04:05:06.500000"),
        (b'{"u":"12345678-1234-5678-1234-567812345678"}', "u", "b'\\x124Vx\\x124Vx\\x124Vx\\x124Vx'"),
        (b'{"bin":"AAH/"}', "bin", "b'\\x00\\x01\\xff'"),
        (b'{"fx":"AAH/"}', "fx", "b'\\x00\\x01\\xff'"),
        (b'{"l":[1,null,2.5]}', "l", "[1.0, None, 2.5]"),
        (b'{"s":"\\u0000\\ud83d\\ude00"}', "s", "\0\U0001f600"),
    ],
)
def test_a_value_goes_in_exactly(value: bytes, column: str, stored: object) -> None:
    row = one(value)
    assert isinstance(row, dict), row
    assert row[column] == stored or str(row[column]) == stored


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "tombstone"), (b"", "empty"), (b" \n", "empty"), (b"[1]", "not a JSON object"), (b"null", "not a JSON object"),
        (b"\xef\xbb\xbf{}", "not a JSON object"), (b'{"s":"\xff"}', "not UTF-8: byte 6 is 0xff"), (b'{"i":1', "not a JSON object"),
        (b'{"i":1}{"i":2}', "not JSON: Extra data"), (b'{"i":1,}', "not JSON"), (b'{"i":01}', "not JSON"),
        (b'{"s":"a\x01b"}', "not JSON: Invalid control"), (b'{"s":"\\ud800"}', "surrogate"),
        (b'{"i":1.5}', "1.5 is not written as an integer"), (b'{"i":1.0}', "integer"), (b'{"i":1e3}', "integer"),
        (b'{"i":"1"}', "expected an integer, found text"), (b'{"i":true}', "found a boolean"), (b'{"i":99999999999999999999}', "does not fit a long"),
        (b'{"i32":2147483648}', "does not fit an int"), (b'{"s":1}', "expected text for a string, found a number"), (b'{"b":1}', "expected a boolean"),
        (b'{"d":"1"}', "expected a number"), (b'{"d":NaN}', "number"), (b'{"d":Infinity}', "number"), (b'{"d":1e400}', "too large for a double"),
        (b'{"d":9007199254740993}', "exact"), (b'{"l":[9007199254740993]}', "exact"), (b'{"f":16777217}', "exact"), (b'{"f":1e39}', "too large for a float"),
        (b'{"dec":1.255}', "more than 2 decimal places"), (b'{"dec":12345.5}', "more than 6 digits"), (b'{"dec":"x"}', "decimal"),
        (b'{"at":"2026-11-21T04:00:00"}', "it has no offset"), (b'{"at":"2026-11-21"}', "time of day"), (b'{"at":1795233600}', "found a number"),
        (b'{"at":"2026-11-21T04:00:00.1234567Z"}', "is no timestamptz"), (b'{"naive":"2026-11-21T04:00:00Z"}', "it has an offset"),
        (b'{"local":"2026-03-29T02:30:00"}', "Berlin skips"), (b'{"local":"2026-10-25T02:30:00"}', "has twice"),
        (b'{"day":"2026-02-30"}', "is no date"), (b'{"t":"25:00:00"}', "is no time"), (b'{"t":"04:05:06.1234567"}', "time of day"),
        (b'{"day":"0000-01-01"}', "years 1 to 9999"), (b'{"at":"9999-12-31T23:59:59-01:00"}', "years 1 to 9999"),
        (b'{"naive":"0000-12-31T00:00:00"}', "years 1 to 9999"), (b'{"local":"0001-01-01T00:00:00"}', "years 1 to 9999"),
        (b'{"u":"1234"}', "not a UUID"), (b'{"bin":"***"}', "not base64"), (b'{"bin":"AB=="}', "not base64"), (b'{"bin":"AAE=="}', "not base64"), (b'{"bin":"AAEC="}', "not base64"), (b'{"f":3.4028236e38}', "too large for a float"),
        (b'{"fx":"AAE="}', "exactly 3 bytes"),
        (b'{"i":1,"i":2}', "there twice"), (b'{"st":{"y":1}}', "'st.x' is required"), (b'{"st":{"x":"2026-11-21T04:00:00Z","z":1}}', "'st.z': no column"),
        (b'{"st":[]}', "expected an object, found a list"), (b'{"l":{}}', "expected a list, found an object"), (b'{"zzz":1}', "no column takes it"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", ""),
    ],
)  # fmt: skip
def test_what_does_not_fit_exactly_is_refused_with_a_reason(value: bytes | None, reason: str) -> None:
    outcome = one(value)
    assert isinstance(outcome, str), outcome
    assert reason.lower() in outcome.lower()


def test_a_large_integer_is_never_rounded_beside_fields_nested_too_deep_to_look_for_it() -> None:
    deep = b"[" * 2_000 + b"]" * 2_000
    values = [b'{"d":%s,"new":%s}' % (d, deep) for d in (b"9007199254740993", b"1", b"null")]
    decoded = decoder("ignore").decode(Values.from_list(values))
    assert [(b.index, b.reason.kind) for b in decoded.bad] == [(0, "not exact in its column")]


@pytest.mark.parametrize(
    ("kind", "odd"),
    [
        ("map<float, int>", b'{"16777217":1}'),
        ("map<double, int>", b'{"-9007199254740993":1}'),
        ("list<map<float, int>>", b'[null,{"1":1,"16777217":null}]'),
        ("map<string, map<double, int>>", b'{"a":{"9007199254740993":1}}'),
        ("map<double, int>", b'{"0":1,"-0":1}'),
        ("map<float, int>", b'{"0.0":1,"-0e5":1}'),
    ],
)
def test_a_key_that_its_column_would_change_is_refused_wherever_it_is(kind: str, odd: bytes) -> None:
    of = columns({"m": kind})
    shape = arrow_schema(schema_from(of))
    good, bad = b'{"m":null}', b'{"m":%s}' % odd
    for values in ([bad], [good, bad], [good, bad, good] * 5):
        alone = JsonDecoder(of, shape, zones={}, skip=frozenset(), unknown_fields="dead_letter")
        decoded = alone.decode(Values.from_list(values))
        assert [b.index for b in decoded.bad] == [n for n, v in enumerate(values) if v == bad]


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (b'{"m":{}}', {"m": []}),
        (b'{"m":{"a":1,"b":null,"":1e2}}', {"m": [("a", 1.0), ("b", None), ("", 100.0)]}),
        (b'{"m":null,"i":12345678901234567}', {"i": 12345678901234567}),
        (b'{"nested":[{"x":{"-7":"1970-01-01"}},null,{}]}',
         {"nested": [{"x": [(-7, date(1970, 1, 1))]}, None, {"x": None}]}),
        (b'{"m":[]}', "found a list"), (b'{"m":[{"key":"a","value":1}]}', "found a list"), (b'{"m":{"a":"1"}}', "'m.value': expected a number, found text"),
        (b'{"m":{"a":1,"a":2}}', "twice in a map"), (b'{"m":{"a":9007199254740993}}', "exact"), (b'{"m":{"a":NaN}}', "that JSON does not have"),
        (b'{"nested":[{"x":{"seven":"1970-01-01"}}]}', "expected an integer"), (b'{"nested":[{"x":{"1":null}}]}', "is required, but it is null"),
        (b'{"nested":[{"x":{"0":"1970-01-01","-0":"1970-01-02"}}]}', "two names are the same key of a map"),
        (b'{"nested":[{"x":{"0":"1970-01-01"}},{"x":{"-0":"1970-01-02"}}]}', {"nested": [{"x": [(0, date(1970, 1, 1))]}, {"x": [(0, date(1970, 1, 2))]}]}),
        (b'{"nested":[{"x":{"01":"1970-01-01"}}]}', "expected an integer"), (b'{"m":{"a":1},"m":{}}', "twice"), (b'{"m":{"a":1}', "not JSON"),
        (b'{"m":{"\\ud800":1}}', "surrogate"), (b'{"i":1.0,"m":{}}', "integer"), (b'{"m":' + b'{"a":' * 3000 + b"1" + b"}" * 3001, ""),
    ],
)  # fmt: skip
def test_objects_become_maps(value: bytes, stored: dict[str, Any] | str) -> None:
    outcome = one(value, maps=True)
    if isinstance(stored, str):
        assert isinstance(outcome, str)
        assert stored in outcome
    else:
        assert outcome == stored


def test_unknown_fields_can_be_ignored_and_required_ones_cannot_be_missing() -> None:
    assert one(b'{"zzz":[{}],"i":1}', unknown_fields="ignore") == {"i": 1}
    assert one(b'{"i":1}', required=("s",)) == "field 's' is required, but it is missing"
    assert one(b'{"i":1,"s":null}', required=("s",)) == "field 's' is required, but it is null"


def test_a_null_struct_does_not_miss_its_required_child() -> None:
    decoded = decoder().decode(Values.from_list([b'{"st":null}', b'{"st":{"x":"2026-11-21T04:00:00Z"}}', b"{}"]))
    assert not decoded.bad
    assert [r["st"] is None for r in decoded.table.to_pylist()] == [True, False, True]


GOOD = [
    b'{"i":1,"s":"a","d":1.5,"at":"2026-11-21T04:00:00Z"}', b'{"i":2,"l":[1,2],"dec":"3.5"}', b"{}", b'{ "s" : "}{" }',
    b'{"s":"x\\ny"}', b'{"st":{"x":"2026-11-21T04:00:00Z","y":3}}', b'{\n "b": true\n}', b'{"d":9007199254740994}', b'{"st":null}',
]  # fmt: skip
HOSTILE = [
    None, b"", b" ", b"{", b"}", b"{}{}", b'{"i":1}{"i":2}', b'{"i":1}\n{"i":2}', b'{"i":1.5}', b'{"i":"1"}', b'{"s":"', b'"}',
    b'{"s":"}', b'{","y":1}', b'{"a":{}', b'{"y":1}}', b'{"l":[{}', b'{"b":1}]}', b'{"d":9007199254740993}', b'{"d":NaN}',
    b'{"s":"\xff"}', b'{"i":1,"i":2}', b'{"zzz":1}', b'{"at":"2026-11-21"}', b'{"dec":1.255}', b"null", b"\x00", b'{"s":"\\ud800"}',
    b'{"st":{"y":1}}', b'{"i":01}', b'{"i":1},', b',{"i":1}', b'{"i":1} x',
]  # fmt: skip
json_leaf = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=6)
records = st.dictionaries(
    st.sampled_from([c.name for c in (*COLUMNS, *MAPS)] + ["zz"]),
    st.recursive(
        json_leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y"]), inner)
    ),
    max_size=4,
).map(lambda r: json.dumps(r).encode())
values = st.lists(st.sampled_from(GOOD) | st.sampled_from(GOOD + HOSTILE) | records, max_size=40)


def rows_of(decoded: Decoded, count: int) -> list[Any]:
    """Per record its row or None; checks that each record is in exactly one place."""
    bad = [b.index for b in decoded.bad]
    good = list(decoded.good) if decoded.good is not None else [i for i in range(count) if i not in set(bad)]
    assert sorted([*good, *bad]) == list(range(count))
    out: list[Any] = [None] * count
    for index, row in zip(good, decoded.table.to_pylist(), strict=True):
        out[index] = row
    return out


@settings(max_examples=settings().max_examples * 3 // 2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values, st.sampled_from(["dead_letter", "ignore"]), st.booleans())
def test_a_block_decodes_as_its_records_do_one_by_one(
    block: list[bytes | None], unknown_fields: str, maps: bool
) -> None:
    decode = decoder(unknown_fields, maps=maps).decode
    together = rows_of(decode(Values.from_list(block)), len(block))
    assert repr(rows_of(decode(Values.from_list(block)), len(block))) == repr(together), "also after bad records"
    alone = [rows_of(decoder(unknown_fields, maps=maps).decode(Values.from_list([v])), 1)[0] for v in block]
    assert repr(together) == repr(alone)


@settings(max_examples=settings().max_examples * 3 // 2, deadline=None)
@given(records | st.sampled_from([h for h in HOSTILE if h is not None]), st.sampled_from(["dead_letter", "ignore"]))
def test_a_diagnosis_is_never_wrong(value: bytes, unknown_fields: str) -> None:
    why = Diagnosis((*COLUMNS, *MAPS), (), unknown_fields == "dead_letter", ZONES).of(value)
    if why:
        assert isinstance(one(value, unknown_fields=unknown_fields, maps=True), str), why


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(values, st.sets(st.integers(0, 39)))
def test_filtered_values_are_neither_rows_nor_bad_and_the_others_as_without_them(
    block: list[bytes | None], places: set[int]
) -> None:
    filtered = sorted(p for p in places if p < len(block))
    rest = [i for i in range(len(block)) if i not in filtered]
    found = decoder().decode(Values.from_list(block), np.array(filtered, np.int64))
    alone = decoder().decode(Values.from_list([block[i] for i in rest]))
    assert found.table.equals(alone.table)
    assert [(b.index, b.reason) for b in found.bad] == [(rest[b.index], b.reason) for b in alone.bad]
    good = range(len(block)) if found.good is None else found.good
    assert list(good) == [rest[i] for i in (range(len(rest)) if alone.good is None else alone.good)]


EMPTY = [
    b'{"i":1,"zzz":null}', b'{"i":1,"zzz":{}}', b'{"i":1,"zzz":{"a":null,"b":{"c":{}}}}', b'{"i":1,"st":{"x":"2026-11-21T04:00:00Z","w":{}}}',
    b'{"i":1,"nested":[{"w":null},{"w":{}}]}', b'{"i":1,"m":{"a":1},"zzz":{}}',
]  # fmt: skip


@pytest.mark.parametrize("value", EMPTY)
def test_an_unknown_field_that_holds_nothing_is_no_fault(value: bytes) -> None:
    row = one(value, maps=True)
    assert isinstance(row, dict)
    assert row["i"] == 1


@pytest.mark.parametrize(
    "value", [b'{"i":1,"zzz":[]}', b'{"i":1,"zzz":[{}]}', b'{"i":1,"zzz":{"a":{"b":0}}}', b'{"i":1,"zzz":""}']
)
def test_an_unknown_field_that_holds_anything_is_one(value: bytes) -> None:
    assert "no column takes it" in str(one(value))


@pytest.mark.parametrize("blocks", [1, 3])
def test_fields_that_hold_nothing_are_none_also_where_each_record_has_others(blocks: int) -> None:
    """More than one piece, with bad records between them, and more names than are remembered."""
    found = decoder()
    for block in range(blocks):
        count = 3 * json_decode.PIECE
        values = [
            b'{"i":%d,"only-%d-%d":{}}' % (n, block, n) if n % 7 else b'{"i":%d,"yyy":1}' % n for n in range(count)
        ]
        decoded = found.decode(Values.from_list(values))
        assert [b.index for b in decoded.bad] == list(range(0, count, 7))
        assert decoded.table.column("i").to_pylist() == [n for n in range(count) if n % 7]


def test_a_wide_table_looks_at_all_records_once_some_were_bad() -> None:
    """The same rows and dead letters as without."""
    many = columns({f"c{n}": "long" for n in range(1, json_decode.WIDE + 2)})
    wide = JsonDecoder(
        many, pa.schema([(c.name, pa.int64()) for c in many]), zones={}, skip=frozenset(), unknown_fields="dead_letter"
    )
    kinds = [b'{"c1":%d}', b'{"c1":"%d"}', b'{"c1":%d,"new":{}}', b'{"c1":%d,"new":1}', b'{"c1":%d.5}']
    for _ in range(3):
        values = [kinds[n % len(kinds)] % n for n in range(700)]
        decoded = wide.decode(Values.from_list(values))
        assert [b.index for b in decoded.bad] == [n for n in range(700) if n % 5 in (1, 3, 4)]
        assert {b.reason.kind for b in decoded.bad} == {"text for a long", "unknown field", "not an integer"}
        assert decoded.table.column("c1").to_pylist() == [n for n in range(700) if n % 5 in (0, 2)]


@pytest.mark.parametrize(("bad_in", "at_once"), [(json_decode.ONE_BAD_IN, True), (json_decode.ONE_BAD_IN + 20, False)])
def test_a_table_looks_at_all_records_once_many_were_bad(
    monkeypatch: pytest.MonkeyPatch, bad_in: int, at_once: bool
) -> None:
    """Otherwise the parser reads them again after each bad one."""
    read, reads = BlockParser.read, list[int]()

    def counted(self: BlockParser, values: Values, indexes: Sequence[int]) -> Rows:
        reads.append(len(indexes))
        return read(self, values, indexes)

    monkeypatch.setattr(BlockParser, "read", counted)
    kinds = [b'{"i":"%d"}', b'{"i":%d.5}', b'{"new":%d}']
    values = [kinds[n % 3] % n if n % bad_in == 5 else b'{"i":%d}' % n for n in range(bad_in * 30)]
    decode = decoder().decode
    for _ in range(2):
        reads.clear()
        decoded = decode(Values.from_list(values))
        assert [b.index for b in decoded.bad] == list(range(5, len(values), bad_in))
        assert decoded.table.column("i").to_pylist() == [n for n in range(len(values)) if n % bad_in != 5]
    assert (len(reads) == 1) is at_once


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b'{"st":{"x":"2026-11-21T04:00:00Z","z":1}}', "field 'st.z': no column takes it"),
        (b'{"st":{"x":7}}', "field 'st.x': expected text for a timestamptz, found a number"),
        (b'{"st":{"y":1}}', "field 'st.x' is required, but it is missing"),
        (b'{"st":{"x":"2026-11-21T04:00:00Z","y":1.5}}', "field 'st.y': 1.5 is not written as an integer"),
        (b'{"st":{"x":"2026-11-21T04:00:00Z","y":1,"y":2}}', "field 'st.y' is there twice"),
        (b'{"l":[1,"a"]}', "field 'l.element': expected a number, found text"),
        (b'{"m":{"a":1,"b":[]}}', "field 'm.value': expected a number, found a list"),
        (b'{"nested":[{},{"x":{"1":null}}]}', "field 'nested.element.x.value' is required, but it is null"),
        (b'{"nested":[{"x":{"1":5}}]}', "field 'nested.element.x.value': expected text for a date, found a number"),
        (b'{"nested":[{"w":5}]}', "field 'nested.element.w': no column takes it"),
        (b'{"st":{"x":"2026-11-21"}}', "field 'st.x': a timestamp needs a date and a time of day"),
        (b'{"l":[9007199254740993]}', "field 'l.element': 9007199254740993 is an integer that a double does not hold"),
        (b'{"m":{"a":1,"a":2}}', "field 'm.key': 'a' is twice in a map"),
        (b'{"nested":[{"x":{"seven":"1970-01-01"}}]}', "field 'nested.element.x.key': expected an integer, found text"),
        (b'{"nested":[{"x":{"7":"1970-02-30"}}]}', "field 'nested.element.x.value': '1970-02-30' is no date"),
    ],
)
def test_a_reason_has_the_path_of_the_field(value: bytes, reason: str) -> None:
    outcome = one(value, maps=True)
    assert isinstance(outcome, str)
    assert outcome.startswith(reason)


@pytest.mark.parametrize(
    ("value", "kind", "field", "found"),
    [
        (None, "no value", None, None),
        (b" ", "empty value", None, None),
        (b'{"s":"\xff"}', "not UTF-8", None, None),
        (b"[1]", "not a JSON object", None, None),
        (b'{"i":1,}', "not JSON", None, None),
        (b'{"i":{"a":1}}', "object for a long", "i", None),
        (b'{"i":true}', "boolean for a long", "i", "true"),
        (b'{"i32":"1"}', "text for an int", "i32", "1"),
        (b'{"i":1.50}', "not an integer", "i", "1.50"),
        (b'{"i32":2147483648}', "out of range", "i32", "2147483648"),
        (b'{"dec":1.255}', "out of range", "dec", "1.255"),
        (b'{"dec":"x"}', "text that is no decimal(6, 2)", "dec", "x"),
        (b'{"at":1795233600}', "number for a timestamptz", "at", "1795233600"),
        (b'{"local":"2026-03-29T02:30:00"}', "text that is no timestamptz", "local", "2026-03-29T02:30:00"),
        (b'{"d":9007199254740993}', "not exact in its column", "d", "9007199254740993"),
        (b'{"u":"%s"}' % (b"x" * 101), "text that is no uuid", "u", "x" * 99 + "…"),
        (b'{"l":{}}', "object for a list", "l", None),
        (b'{"st":[]}', "list for a struct", "st", None),
        (b'{"st":{"y":1}}', "required field is missing", "st.x", None),
        (b'{"st":{"x":null}}', "required field is null", "st.x", None),
        (b'{"i":1,"i":2}', "field twice", "i", None),
        (b'{"m":{"b":null,"a":"x"}}', "text for a double", "m.value", "x"),
        (b'{"nested":[{"z.z":[5]}]}', "unknown field", "nested.element.z.z", None),
        (b'{"s":"\\ud800"}', "cannot be read", None, None),
    ],
)
def test_a_reason_has_a_kind_a_field_and_the_value(
    value: bytes | None, kind: str, field: str | None, found: str | None
) -> None:
    (bad,) = decoder(maps=True).decode(Values.from_list([value])).bad
    assert bad.reason == Reason(kind, bad.reason.message, field, found)


def test_a_number_that_json_does_not_have_is_refused_also_in_a_field_that_no_column_takes() -> None:
    for value, constant in ((b'{"i":1,"x":NaN}', "NaN"), (b'{"x":[{"y":-Infinity}]}', "-Infinity")):
        decoded = decoder("ignore").decode(
            Values.from_list([b'{"i":2,"x":"NaN"}', value, b'{"x":{"Infinity":1},"i":3}'])
        )
        assert [(b.index, b.reason.message) for b in decoded.bad] == [(1, f"not JSON: {constant} is no JSON value")]
        assert decoded.table.column("i").to_pylist() == [2, 3]


def test_a_name_that_no_column_has_is_cut() -> None:
    (bad,) = decoder().decode(Values.from_list([json.dumps({"x" * 9999: 1}).encode()])).bad
    assert len(bad.reason.field or "") == 500
    assert len(bad.reason.message) < 600


def test_a_decoder_goes_on_after_bad_blocks_and_keeps_order() -> None:
    decode = decoder().decode
    block = [b'{"i":%d}' % n if n % 37 else b'{"i":"x%d"}' % n for n in range(5_000)]
    for _ in range(2):
        decoded = decode(Values.from_list(block))
        assert [b.index for b in decoded.bad] == list(range(0, 5_000, 37))
        assert decoded.table.column("i").to_pylist() == [n for n in range(5_000) if n % 37]
    clean = decode(Values.from_list([b'{"i":1}'] * 3))
    assert clean.table.num_rows == 3
    assert clean.good is None


NO_VALUES = (
    b"[]",
    b"[null]",
    b"[{}]",
    b"[[], [null, {}]]",
    b'{"y": []}',
    b'[{"y": [{}]}, {"z": null}]',
    b"{}",
    b"null",
)


@pytest.mark.parametrize("value", NO_VALUES)
@pytest.mark.parametrize("name", [b"x", b"address.x", b"items.x"])
def test_lists_without_a_value_are_empty_where_columns_evolve(value: bytes, name: bytes) -> None:
    columns = [
        Column("id", parse_type("long")),
        Column("address", parse_type("struct<a: long>")),
        Column("items", parse_type("list<struct<a: long>>")),
    ]
    schema = pa.schema(
        [
            ("id", pa.int64()),
            ("address", pa.struct([("a", pa.int64())])),
            ("items", pa.list_(pa.struct([("a", pa.int64())]))),
        ]
    )
    record = {
        b"x": b'{"id": 1, "x": %s}',
        b"address.x": b'{"id": 1, "address": {"a": 1, "x": %s}}',
        b"items.x": b'{"id": 1, "items": [{"a": 1, "x": %s}]}',
    }[name]
    decoder = JsonDecoder(columns, schema, zones={}, skip=frozenset(), unknown_fields="evolve")
    decoded = decoder.decode(Values.from_list([record % value, b'{"id": 2}']))
    assert decoded.good is None
    assert decoded.table.column("id").to_pylist() == [1, 2]
    decoded = decoder.decode(Values.from_list([record % value, record % b"[1]", b'{"id": 2}']))
    assert [b.index for b in decoded.bad] == [1]
    strict = JsonDecoder(columns, schema, zones={}, skip=frozenset(), unknown_fields="dead_letter")
    refused = [b.index for b in strict.decode(Values.from_list([record % value, b'{"id": 2}'])).bad]
    assert refused == ([0] if b"[" in value else [])


@pytest.mark.parametrize(
    "shapes", [(b"null", b"[]", b"{}"), (b"{}", b"[]", b"[[]]", b"null"), (b"[{}]", b"[[]]", b"[null]")]
)
@pytest.mark.parametrize("name", [b"x", b"address.x"])
def test_an_empty_field_may_be_an_object_here_and_a_list_there(shapes: tuple[bytes, ...], name: bytes) -> None:
    """Whatever its neighbours are, in the same block or in others."""
    columns = [Column("id", parse_type("long")), Column("address", parse_type("struct<a: long>"))]
    schema = pa.schema([("id", pa.int64()), ("address", pa.struct([("a", pa.int64())]))])
    record = {b"x": b'{"id": 1, "x": %s}', b"address.x": b'{"id": 1, "address": {"a": 1, "x": %s}}'}[name]
    together = JsonDecoder(columns, schema, zones={}, skip=frozenset(), unknown_fields="evolve")
    found = together.decode(Values.from_list([record % shape for shape in shapes]))
    assert (found.good, found.bad) == (None, [])
    for blocks in (shapes, shapes[::-1]):
        one_by_one = JsonDecoder(columns, schema, zones={}, skip=frozenset(), unknown_fields="evolve")
        for shape in blocks:
            assert one_by_one.decode(Values.from_list([record % shape, b'{"id": 2}'])).good is None
