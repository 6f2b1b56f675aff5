"""Formats of record values beside plain JSON: Kafka Connect's JSON, raw values, nothing, and those of other packages."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.formats import decoder, said
from lakelock.model import column_types as types
from lakelock.model.column_changes import changed
from lakelock.model.column_types import Column
from lakelock.records import formats
from lakelock.records.casts import Reading
from lakelock.records.connect_json import CONNECT_JSON
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.raw import NONE_OF_IT, RAW
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

CONNECT = "org.apache.kafka.connect.data."


def connect(fields: Sequence[Mapping[str, Any]], payload: object) -> bytes:
    return json.dumps({"schema": {"type": "struct", "fields": fields}, "payload": payload}).encode()


def unscaled(number: int) -> str:
    return base64.b64encode(number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)).decode()


FIELDS: list[dict[str, Any]] = [
    {"field": "id", "type": "int64"},
    {"field": "at", "type": "int64", "name": CONNECT + "Timestamp"},
    {"field": "day", "type": "int32", "name": CONNECT + "Date"},
    {"field": "noon", "type": "int32", "name": CONNECT + "Time"},
    {"field": "amount", "type": "bytes", "name": CONNECT + "Decimal", "parameters": {"scale": "2"}},
    {"field": "micros", "type": "int64", "name": "io.debezium.time.MicroTimestamp"},
    {"field": "text", "type": "int64", "name": "io.debezium.time.ZonedTimestamp"},
    {"field": "raw", "type": "bytes"},
    {"field": "tags", "type": "array", "items": {"type": "string"}},
    {"field": "by_name", "type": "map", "keys": {"type": "string"}, "values": {"type": "int32"}},
    {"field": "within", "type": "struct", "fields": [{"field": "x", "type": "double"}]},
]
COLUMNS = (
    Column("id", types.Integer(64)),
    Column("at", types.Timestamp(zoned=True)),
    Column("day", types.Date()),
    Column("noon", types.Time()),
    Column("amount", types.Decimal(38, 2)),
    Column("micros", types.Timestamp(zoned=True)),
    Column("text", types.Timestamp(zoned=True)),
    Column("raw", types.Binary()),
    Column("tags", types.ListOf(types.Text())),
    Column("by_name", types.MapOf(types.Text(), types.Integer(32))),
    Column("within", types.Struct((Column("x", types.Floating(64)),))),
)
PAYLOAD = {
    "id": 7,
    "at": -1,
    "day": -1,
    "noon": 43_200_000,
    "amount": unscaled(-150),
    "micros": 1_767_225_600_000_001,
    "text": "2026-01-01T01:00:00+01:00",
    "raw": "//4=",
    "tags": ["a"],
    "by_name": {"b": 2},
    "within": {"x": 0.5},
}
ROW = {
    "id": 7,
    "at": datetime(1969, 12, 31, 23, 59, 59, 999_000, UTC),
    "day": date(1969, 12, 31),
    "noon": time(12),
    "amount": Decimal("-1.50"),
    "micros": datetime(2026, 1, 1, 0, 0, 0, 1, UTC),
    "text": datetime(2026, 1, 1, tzinfo=UTC),
    "raw": b"\xff\xfe",
    "tags": ["a"],
    "by_name": [("b", 2)],
    "within": {"x": 0.5},
}


def test_connects_schema_gives_columns_and_what_values_stand_for() -> None:
    value = connect(FIELDS, PAYLOAD)
    assert CONNECT_JSON.infer([value], ()).columns == COLUMNS
    found = decoder(CONNECT_JSON, COLUMNS).decode(Values.from_list([value]))
    assert found.table.to_pylist() == [ROW]
    assert (found.good, list(found.bad)) == (None, [])


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """*schema* that asks for a value at every depth."""
    found = {**schema, "optional": False}
    for key in schema.keys() & {"items", "keys", "values"}:
        found[key] = strict(schema[key])
    if "fields" in schema:
        found["fields"] = [strict(f) for f in schema["fields"]]
    return found


DEEP: dict[str, Any] = {"field": "all", "type": "struct", "fields": FIELDS}
DEEPER: list[dict[str, Any]] = [
    *FIELDS,
    DEEP,
    {"field": "list", "type": "array", "items": {**DEEP, "field": None}},
    {"field": "map", "type": "map", "keys": {"type": "string"}, "values": {"type": "array", "items": DEEP}},
]


def required(columns: Sequence[Column], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths at which null is not allowed."""
    for column in columns:
        here = (*path, column.name)
        if column.required:
            yield here
        match column.type:
            case types.Struct(fields):
                yield from required(fields, here)
            case types.ListOf(element, element_required):
                yield from required([Column("element", element, element_required)], here)
            case types.MapOf(_, value, value_required):
                yield from required([Column("value", value, value_required)], here)


def test_no_schema_makes_a_column_required() -> None:
    fields = [strict(f) for f in DEEPER]
    record = connect(fields, {**PAYLOAD, "all": PAYLOAD, "list": [PAYLOAD], "map": {"k": [PAYLOAD]}})
    inferred = CONNECT_JSON.infer([record], []).columns
    assert [c.name for c in inferred] == [f["field"] for f in fields]
    assert list(required(inferred)) == []
    before = inferred[:1]
    news = decoder(CONNECT_JSON, before, evolving=Evolving(before, True, True)).decode(Values.from_list([record])).news
    assert news is not None
    after = changed(before, Evolution(Evolving(before, True, True)).changes(news.observed))
    assert {c.name: c.type for c in after} == {c.name: c.type for c in inferred}
    assert list(required(after)) == []
    # Nor is a record refused whose payload breaks the promise of its schema.
    empty = connect(fields, {"all": {"within": {}}, "list": [None, {}], "map": {"k": None, "l": [None]}})
    assert said(decoder(CONNECT_JSON, after).decode(Values.from_list([empty, connect(fields, {})]))) == []


def test_records_of_several_schemas_keep_their_order_and_a_column_of_another_type_takes_values_as_they_are() -> None:
    epoch, text = [FIELDS[0], FIELDS[1]], [FIELDS[0], {"field": "at", "type": "string"}]
    values = [
        connect(epoch, {"id": 0, "at": 0}),
        connect(text, {"id": 1, "at": "1970-01-01T00:00:00Z"}),
        connect(text, {"id": 2, "at": 0}),
        connect(epoch, {"id": 3, "at": 1000}),
        json.dumps({"schema": None, "payload": {"id": 4, "at": "1970-01-01T00:00:04Z"}}).encode(),
    ]
    found = decoder(CONNECT_JSON, COLUMNS[:2]).decode(Values.from_list(values))
    assert found.table["id"].to_pylist() == [0, 1, 3, 4]
    assert [at.second for at in found.table["at"].to_pylist()] == [0, 0, 1, 4]
    assert (found.good, said(found)) == ([0, 1, 3, 4], [(2, "convert", "number for a timestamptz")])
    whole = (COLUMNS[0], Column("at", types.Integer(64)))
    assert decoder(CONNECT_JSON, whole).decode(Values.from_list(values[:1])).table["at"].to_pylist() == [0]


def test_what_is_no_payload_is_a_dead_letter_with_its_reason() -> None:
    values: list[bytes | None] = [
        b'{"schema":null,"payload":null}',
        b'{"schema":null}',
        b"no json",
        None,
        b'{"schema":null,"payload":{"id":1}',
        b'{"schema":null,"payload":{"id":1},"payload":{"id":2}}',
        b'{"schema":null,"payload":[1]}',
        b'{"schema":"\xff","payload":{"id":1}}',
        connect([FIELDS[0]], {"id": 5}),
        connect([FIELDS[0]], {"id": 6, "new": 1}),
    ]
    of_json = decoder(CONNECT_JSON, COLUMNS[:1])
    found = of_json.decode(Values.from_list(values))
    assert (found.table["id"].to_pylist(), found.good) == ([5], [8])
    assert said(found) == [
        (0, "decode", "no value"),
        (1, "decode", "required field is missing"),
        (2, "decode", "not a JSON object"),
        (3, "decode", "no value"),
        (4, "decode", "not JSON"),
        (5, "decode", "field twice"),
        (6, "decode", "not a JSON object"),
        (7, "decode", "not UTF-8"),
        (9, "convert", "unknown field"),
    ]
    assert of_json.unknown_fields == {"new"}
    filtered = of_json.decode(Values.from_list(values), np.array([3]))
    assert [b.index for b in filtered.bad] == [0, 1, 2, 4, 5, 6, 7, 9]


AMOUNT: dict[str, Any] = {
    "field": "amount", "type": "bytes", "name": CONNECT + "Decimal", "parameters": {"scale": "2"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "kind", "text", "path"),
    [
        ({"type": "struct", "fields": [AMOUNT]}, types.Struct((Column("amount", types.Decimal(38, 2)),)),
         '{"amount": %s}', "c.amount"),
        ({"type": "array", "items": AMOUNT}, types.ListOf(types.Decimal(38, 2)), "[null, %s]", "c.element"),
        ({"type": "map", "keys": {"type": "string"}, "values": AMOUNT}, types.MapOf(types.Text(), types.Decimal(38, 2)),
         '{"k": %s}', "c.value"),
    ],
)  # fmt: skip
def test_bytes_of_a_decimal_within_another_field_are_never_the_number_that_they_spell(
    field: dict[str, Any], kind: types.ColumnType, text: str, path: str
) -> None:
    spelled = ('"1234"', '"+1e2"', '"lw=="')
    payloads = [json.loads(text % value) for value in ("1.05", "null", *spelled)]
    fields = [{"field": "id", "type": "string"}, {**field, "field": "c"}]
    values = [connect(fields, {"id": "12", "c": payload}) for payload in payloads]
    values.append(values[2].replace(b'"1234"', b'"12\\u00334"'))
    columns = (Column("id", types.Text()), Column("c", kind))
    assert CONNECT_JSON.infer([values[0]], ()).columns == columns
    found = decoder(CONNECT_JSON, columns).decode(Values.from_list(list(values)))
    assert found.good == [0, 1]
    assert [(b.index, b.reason.field) for b in found.bad] == [(n, path) for n in (2, 3, 4, 5)]
    assert found.bad[0].reason.kind == "text for a decimal(38, 2)"


LONG = "1" * 5_000
AMOUNTS = '{"field":"l","type":"array","items":{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal"}}'


@pytest.mark.parametrize(
    ("schema", "payload", "is_row"),
    [
        (f'{{"fields":[{AMOUNTS}]}}', f'{{"l":[],"id":"12","x":{LONG}}}', True),
        (f'{{"x":{LONG}}}', '{"l":[]}', True),
        ('{"fields":[1,null,[]]}', '{"l":[]}', True),
        ('{"fields":5}', '{"l":[]}', True),
        ('{"fields":{"l":1}}', '{"l":[]}', True),
        ('{"fields":[{"field":"l","items":"x"}]}', '{"l":[]}', True),
        (f'{{"fields":[{AMOUNTS}]}}', '{"l":["12"]}', False),
        *(
            (
                f'{{"fields":[{{"field":"c","name":"{CONNECT}Decimal","parameters":{{"scale":{scale}}}}}]}}',
                '{"c":"AQ=="}',
                False,
            )
            for scale in ("1e999", "-1e999", "1e300", LONG, f"-{LONG}", "999999999999999")
        ),
    ],
)
def test_no_schema_stops_a_batch(schema: str, payload: str, is_row: bool) -> None:
    columns = (
        Column("c", types.Decimal(9, 2)),
        Column("l", types.ListOf(types.Decimal(9, 2))),
        Column("id", types.Text()),
    )
    value = f'{{"schema":{schema},"payload":{payload}}}'.encode()
    found = decoder(CONNECT_JSON, columns, unknown_fields="ignore").decode(Values.from_list([value]))
    assert found.table.num_rows == is_row, found.bad


def test_records_whose_schema_is_nested_too_deep_are_dead_letters() -> None:
    deep = b"[" * 2_000 + b"]" * 2_000
    amount = json.dumps(AMOUNT).encode()
    odd = b'{"schema":{"fields":[%s],"x":%s},"payload":{"amount":"1234"}}' % (amount, deep)
    values = Values.from_list([odd, connect([AMOUNT], {"amount": unscaled(100)}), odd])
    found = decoder(CONNECT_JSON, (Column("amount", types.Decimal(9, 2)),)).decode(values)
    assert found.table.to_pylist() == [{"amount": Decimal("1.00")}]
    assert [(b.index, b.reason.field) for b in found.bad] == [(0, "schema"), (2, "schema")]


OF_DECIMAL = f'{{"field":"a","name":"{CONNECT}Decimal","parameters":'


@pytest.mark.parametrize(
    "fields",
    [
        "5",
        '[1,{"field":"a","type":"array","items":"x"}]',
        '[{"field":"a","type":"map","keys":"string","values":{"type":"int32"}}]',
        '[{"field":"a","type":"map","keys":{"type":"string"},"values":7}]',
        *(
            f"[{OF_DECIMAL}{parameters}}}]"
            for parameters in (
                '{"connect.decimal.precision":"x"}',
                '{"connect.decimal.precision":1e999}',
                '{"connect.decimal.precision":"0"}',
                '{"connect.decimal.precision":"3","scale":"5"}',
                '{"scale":"-5"}',
                '{"scale":50}',
                '{"scale":1e999}',
            )
        ),
        '[{"field":"a","type":"array","items":'
        + '{"type":"array","items":' * 300
        + '{"type":"int32"}'
        + "}" * 301
        + "]",
    ],
)
def test_no_schema_stops_inference(fields: str) -> None:
    odd = f'{{"schema":{{"fields":{fields}}},"payload":{{"id":1}}}}'.encode()
    found = CONNECT_JSON.infer([odd, connect([FIELDS[0]], {"id": 1})], [])
    assert [c.name for c in found.columns] == ["id"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1.5", "1.50"),
        ("-150e-2", "-1.50"),
        ("7", "7.00"),
        ("-0.0", "0.00"),
        # No double has these.
        ("9007199254740993.01", "9007199254740993.01"),
        (f"{'9' * 36}.99", f"{'9' * 36}.99"),
        (f'"{unscaled(-150)}"', "-1.50"),
        ("null", None),
        ("1.005", "fits none of its casts"),
        ("1e999999999999", "fits none of its casts"),
        ("1e-999999999999", "fits none of its casts"),
        (LONG, "fits none of its casts"),
        (f"1{'0' * 36}", "fits none of its casts"),
        ('"1.5"', "fits none of its casts"),
        ("true", "fits none of its casts"),
        ("[1]", "fits none of its casts"),
    ],
)
def test_a_decimal_may_be_a_number(text: str, wanted: str | None) -> None:
    values = [
        json.dumps({"schema": {"type": "struct", "fields": [AMOUNT]}, "payload": {"amount": "?"}}).replace('"?"', other)
        for other in (f'"{unscaled(1)}"', text, "2")
    ]
    columns = CONNECT_JSON.infer([values[0].encode()], ()).columns
    found = decoder(CONNECT_JSON, columns).decode(Values.from_list([v.encode() for v in values]))
    amounts: list[Decimal | None] = [Decimal("0.01"), Decimal("2.00")]
    if wanted == "fits none of its casts":
        assert said(found) == [(1, "convert", wanted)]
    else:
        amounts.insert(1, None if wanted is None else Decimal(wanted))
    assert found.table["amount"].to_pylist() == amounts


def test_bytes_of_a_decimal_are_not_read_by_another_cast() -> None:
    column = Column("amount", types.Decimal(38, 2))
    values = Values.from_list([connect([AMOUNT], {"amount": amount}) for amount in ("1234", 1.005, "lw==")])
    own = decoder(CONNECT_JSON, (column,), {"amount": Reading(("amount",), ("round",))}).decode(values)
    assert own.table["amount"].to_pylist() == [Decimal("1.00")]
    assert said(own) == [(0, "convert", "text for a decimal(38, 2)"), (2, "convert", "fits none of its casts")]
    implied = decoder(CONNECT_JSON, (column,)).decode(values)
    assert implied.table["amount"].to_pylist() == [Decimal("-26588.24"), Decimal("-1.05")]


def test_uuids_within_others_may_all_be_dead_letters() -> None:
    column = Column("c", types.ListOf(types.Uuid()))
    found = decoder(CONNECT_JSON, (column,)).decode(Values.from_list([connect([], {"c": 1}), b"no json"]))
    assert (found.table.num_rows, said(found)) == (
        0,
        [(0, "convert", "number for a list"), (1, "decode", "not a JSON object")],
    )


def test_readings_of_the_file_are_of_the_payload_and_come_before_the_schema() -> None:
    values = Values.from_list([connect(FIELDS[:2], {"id": 1, "at": 1, "after": {"id": 9}, "more": True})])
    columns = (
        Column("at", types.Timestamp(zoned=True)),
        Column("new_id", types.Integer(64)),
        Column("rest", types.Text()),
    )
    readings = {"at": Reading(("at",), ("epoch_s",)), "new_id": Reading(("after", "id"))}
    (row,) = decoder(CONNECT_JSON, columns, readings, "rest").decode(values).table.to_pylist()
    assert row == {"at": datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), "new_id": 9, "rest": '{"id":1,"more":true}'}


@given(st.lists(st.one_of(st.none(), st.binary(max_size=20), st.text(max_size=20).map(str.encode)), max_size=20))
def test_raw_takes_every_value_as_it_is(values: list[bytes | None]) -> None:
    as_bytes = decoder(RAW, (Column("v", types.Binary()),)).decode(Values.from_list(values))
    assert as_bytes.table["v"].to_pylist() == [v for v in values if v is not None]
    assert said(as_bytes) == [(i, "decode", "no value") for i, v in enumerate(values) if v is None]

    as_text = decoder(RAW, (Column("v", types.Text()),)).decode(Values.from_list(values))
    texts = {i: text for i, v in enumerate(values) if v is not None and (text := _text(v)) is not None}
    assert as_text.table["v"].to_pylist() == list(texts.values())
    assert [b.index for b in as_text.bad] == [i for i in range(len(values)) if i not in texts]


def test_raw_fills_one_column_of_text_or_bytes() -> None:
    for columns in ((), (Column("a", types.Text()), Column("b", types.Text())), (Column("a", types.Integer(64)),)):
        with pytest.raises(Unfit, match="format raw fills"):
            decoder(RAW, columns)
    assert RAW.infer([b"a"], ()).columns == (Column("value", types.Text()),)
    assert RAW.infer([b"a", b"\xff"], ()).columns == (Column("value", types.Binary()),)


def test_none_makes_a_row_of_every_record() -> None:
    found = decoder(NONE_OF_IT, (Column("a", types.Text()),)).decode(Values.from_list([b"\xff", None]))
    assert (found.table.to_pylist(), found.good, list(found.bad)) == ([{"a": None}, {"a": None}], None, [])
    with pytest.raises(Unfit, match="column 'a' is required"):
        decoder(NONE_OF_IT, (Column("a", types.Text(), required=True),))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a format of its own, and one with something else."""
    known = EntryPoints(
        [
            EntryPoint("words", "lakelock.records.raw:RAW", formats.GROUP),
            EntryPoint("odd", "lakelock.records.raw:COLUMN", formats.GROUP),
        ]
    )
    monkeypatch.setattr(formats, "entry_points", known.select)
    formats.named.cache_clear()
    yield
    formats.named.cache_clear()


@pytest.mark.usefixtures("installed")
def test_a_format_of_an_installed_package_is_one_like_any_other() -> None:
    assert formats.names() == ["json", "connect_json", "csv", "raw", "none", "odd", "words"]
    assert formats.named("words") is RAW
    with pytest.raises(TypeError, match=r"lakelock.records.raw:COLUMN: not a lakelock.records.decoding.Format"):
        formats.named("odd")
    with pytest.raises(KeyError):
        formats.named("xml")


def _text(value: bytes) -> str | None:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None
