"""Rows of columns that read fields in other ways equal those that a slow reading makes of each record alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.columns import columns
from kits.json_texts import Value, any_list, any_value, broken, is_valid, object_of, parsed, white
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_types import Column, ColumnType, Foreign, ListOf, MapOf, Struct
from lakelock.records import reasons
from lakelock.records.casts import Reading
from lakelock.records.decoding import NONE, Decoded
from lakelock.records.json.cast_columns import cast_column
from lakelock.records.json.decode import JsonDecoder
from lakelock.records.json.diagnosis import is_empty
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

SEEDS = st.integers(0, 2**64)
HALF_A_PAIR_IN_A_NAME = re.compile(rb'"[^"\\]*\\ud[89a-f][^"]*"\s*:')
BERLIN = "Europe/Berlin"
# Column: type, field, casts, zone.
POOL: Mapping[str, tuple[str, str, tuple[str, ...], str | None]] = {
    "id": ("long", "id", (), None),
    "again": ("long", "id", (), None),
    "raw_id": ("string", "id", ("json",), None),
    "at": ("timestamptz", "at", (), None),
    "at_berlin": ("timestamptz", "at", (), BERLIN),
    "at_utc": ("timestamptz", "at", (), "UTC"),
    "at_any": ("timestamptz", "at", ("rfc3339", "epoch_s"), BERLIN),
    "n": ("int", "n", ("text", "integral"), None),
    "n_plain": ("int", "n", (), None),
    "d": ("decimal(9, 2)", "d", ("round", "clamp"), None),
    "d_plain": ("decimal(38, 10)", "d", (), None),
    "day": ("date", "day", ("pattern:dd.MM.yyyy", "epoch_days", "rfc3339"), None),
    "day_null": ("date", "day", ("null",), None),
    "p": ("string", "p", ("json",), None),
    "s": ("struct<x: long, y: string>", "s", (), None),
    "s_x": ("long", "s.x", (), None),
    "s_text": ("string", "s.x", ("stringify",), None),
    "s_at": ("timestamptz", "s.at", ("rfc3339", "epoch_s"), None),
    "s_local": ("timestamp", "s.at", (), BERLIN),
    "z": ("double", "s.deep.z", (), None),
    "deep": ("string", "s.deep", ("json",), None),
    "s_json": ("string", "s", ("json",), None),
    "l": ("list<struct<x: long>>", "l", (), None),
    "m": ("map<string, struct<x: long>>", "m", (), None),
    "m_json": ("string", "m", ("json",), None),
    "whole": ("string", "$", (), None),
}
FOREIGN = Column("v", Foreign("variant"))


class Schema:
    """Columns of the pool, and decoders for them."""

    def __init__(
        self, names: list[str], rest: str | None = None, unknown: str = "dead_letter", required: tuple[str, ...] = ()
    ) -> None:
        self.names, self.rest, self.unknown = names, rest, unknown
        self.columns = columns({n: POOL[n][0] for n in names}, required)
        self.arrow = arrow_schema(schema_from(self.columns))
        for extra, kind in (
            (FOREIGN.name, pa.binary()),
            ("_offset", pa.int64()),
            *([(rest, pa.large_string())] if rest else []),
        ):
            self.arrow = self.arrow.append(pa.field(extra, kind))
        self.all = [*self.columns, FOREIGN, *columns({"_offset": "long", **({rest: "string"} if rest else {})})]
        self.readings = {
            n: Reading(() if POOL[n][1] == "$" else tuple(POOL[n][1].split(".")), POOL[n][2], whole=POOL[n][1] == "$")
            for n in names
            if POOL[n][1] != n or POOL[n][2]
        }
        self.zones = {n: zone for n in names if (zone := POOL[n][3]) is not None}

    def decoder(self, **more: Any) -> ShapedDecoder:
        return ShapedDecoder(
            self.all, self.arrow, zones=self.zones, skip=frozenset(("_offset",)), unknown_fields=self.unknown,
            readings=self.readings, rest=self.rest, scanner=scanner, **more,
        )  # fmt: skip

    def plain(self, column: Column) -> JsonDecoder:
        zones = {column.name: self.zones[column.name]} if column.name in self.zones else {}
        return JsonDecoder(
            [replace(column, required=False)], pa.schema([self.arrow.field(column.name)]), zones=zones, skip=frozenset(),
            unknown_fields="ignore",
        )  # fmt: skip


Known = dict[str, Any]


def tree(schema: Schema) -> Known:
    """The fields that columns take: by name, None for one taken whatever it holds, or a list of its elements' tree."""
    root = read(schema)
    for column in schema.columns:
        _, field, casts, _ = POOL[column.name]
        if casts and field != "$":
            take(root, field.split("."))
    return root


def read(schema: Schema) -> Known:
    """The fields that columns read, whether or not another column takes an outer one as text."""
    root: Known = {}
    for column in schema.columns:
        _, field, casts, _ = POOL[column.name]
        if field == "$":
            continue
        *outer, last = field.split(".")
        at = root
        for name in outer:
            at[name] = at.get(name) or {}
            at = at[name]
        at[last] = merged(at.get(last), None if casts else of_type(column.type))
    return root


def take(at: Known, path: list[str]) -> None:
    """Nothing in a field that is taken as text is new, whatever other columns take of it."""
    for name in path[:-1]:
        if not isinstance(at.get(name), dict):
            return
        at = at[name]
    at[path[-1]] = None


def of_type(kind: ColumnType) -> Any:
    match kind:
        case Struct(fields):
            return {f.name: of_type(f.type) for f in fields}
        case ListOf(element):
            return [of_type(element)]
        case MapOf():
            return (of_type(kind.value),)
    return None


def merged(one: Any, two: Any) -> Any:
    if isinstance(one, dict) and isinstance(two, dict):
        return {n: merged(one.get(n), two.get(n)) for n in {**two, **one}}
    return two if one is None else one


class Slow:
    """The row of one record: columns by name, or why it has none."""

    def __init__(self, schema: Schema, text: bytes | None) -> None:
        self.schema = schema
        self.row: dict[str, Any] | None = None
        self.text = text or b""
        try:
            self.text.decode()
        except UnicodeDecodeError:
            return
        if text is not None and is_valid(text):
            self.known = tree(schema)
            self.top = parsed(text)
            self.row = self.made()

    def of(self, value: Value) -> str:
        return self.text[value.start : value.end].decode()

    def made(self) -> dict[str, Any] | None:
        if self.is_odd(self.top, read(self.schema)):
            return None
        unknown = list(self.unknown(self.top, self.known))
        is_strict = self.schema.rest is None and self.schema.unknown == "dead_letter"
        if is_strict and any(not is_empty(json.loads(self.of(v), parse_int=str)) for v in unknown):
            return None
        row: dict[str, Any] = {"_offset": None, FOREIGN.name: None}
        for column in self.schema.columns:
            _, field, casts, zone = POOL[column.name]
            if field == "$":
                row[column.name] = self.text.decode()
                continue
            value = self.at(field)
            text = None if value is None else self.of(value)
            target = self.schema.arrow.field(column.name).type
            if casts:
                reading = Reading((field,), casts)
                array, bad = cast_column(pa.array([text], pa.large_string()), reading, column.type, target, zone)
                if bad:
                    return None
                row[column.name] = array[0].as_py()
            else:
                alone = "null" if value is None else self.narrow(value, column.type)
                made = self.schema.plain(column).decode(Values.from_list([f'{{"{column.name}":{alone}}}'.encode()]))
                if made.bad:
                    return None
                row[column.name] = made.table.column(column.name)[0].as_py()
            if column.required and row[column.name] is None:
                return None
        if self.schema.rest is not None:
            row[self.schema.rest] = self.sparse(self.top, self.known)
        return row

    def narrow(self, value: Value, kind: ColumnType) -> str:
        """Its text without fields that the column does not take."""
        match kind:
            case Struct(fields) if value.members is not None:
                types = {f.name: f.type for f in fields}
                kept = [f"{w.decode()}:{self.narrow(v, types[n])}" for w, n, v in value.members if n in types]
                return "{" + ",".join(kept) + "}"
            case ListOf(element) if value.elements is not None:
                return "[" + ",".join(self.narrow(v, element) for v in value.elements) + "]"
            case MapOf() if value.members is not None:
                return "{" + ",".join(f"{w.decode()}:{self.narrow(v, kind.value)}" for w, _, v in value.members) + "}"
        return self.of(value)

    def at(self, field: str) -> Value | None:
        found: Value | None = self.top
        for name in field.split("."):
            found = next((v for _, n, v in (found.members if found else None) or () if n == name), None)
        return found

    def is_odd(self, value: Value, known: Any) -> bool:
        """A known field twice, or an object that is none although columns take its fields."""
        if isinstance(known, list | tuple):
            inner = [v for _, _, v in value.members or ()] if isinstance(known, tuple) else (value.elements or ())
            names = [n for _, n, _ in value.members or ()] if isinstance(known, tuple) else []
            return len(set(names)) < len(names) or any(self.is_odd(v, known[0]) for v in inner)
        if not isinstance(known, dict):
            return False
        if value.members is None:
            return self.of(value) != "null"
        names = [n for _, n, _ in value.members if n in known]
        return len(set(names)) < len(names) or any(self.is_odd(v, known[n]) for _, n, v in value.members if n in known)

    def unknown(self, value: Value, known: Any) -> Iterator[Value]:
        if isinstance(known, list):
            for element in value.elements or ():
                yield from self.unknown(element, known[0])
        if isinstance(known, tuple):
            for _, _, inner in value.members or ():
                yield from self.unknown(inner, known[0])
        if isinstance(known, dict):
            for _, name, inner in value.members or ():
                if name in known:
                    yield from self.unknown(inner, known[name])
                else:
                    yield inner

    def sparse(self, value: Value, known: Known) -> str | None:
        kept = []
        for written, name, inner in value.members or ():
            if name not in known:
                kept.append((written, self.of(inner)))
            elif isinstance(known[name], dict):
                if (some := self.sparse(inner, known[name])) is not None:
                    kept.append((written, some))
            elif any(True for _ in self.unknown(inner, known[name])):
                kept.append((written, self.of(inner)))
        return "{" + ",".join(f"{n.decode()}:{v}" for n, v in kept) + "}" if kept else None


def drawn_schema(random: Random) -> Schema:
    while True:
        names = random.sample(list(POOL), random.choice((1, 3, 6, 12)))
        schema = Schema(
            names,
            rest=random.choice((None, "rest")),
            unknown=random.choice(("dead_letter", "ignore")),
            required=tuple(n for n in names if random.random() < 0.1),
        )
        try:
            schema.decoder()
        except Unfit:
            continue
        return schema


TIMES = (
    '"2026-01-01T00:00:00Z"',
    '"2026-07-01T00:00:00"',
    "1767225600",
    '"2026-03-29T02:30:00"',
    '"x"',
    "1767225600.5",
)


def drawn_record(random: Random) -> bytes | None:
    def some(*members: tuple[str, str]) -> str:
        chosen = [m for m in members if random.random() < 0.8]
        if random.random() < 0.03 and chosen:
            chosen.append(random.choice(chosen))
        random.shuffle(chosen)
        return object_of(random, chosen)

    def mostly(text: str) -> str:
        return text if random.random() < 0.95 else any_value(random, 2)

    def new() -> list[tuple[str, str]]:
        return [("new", any_value(random, 2))] if random.random() < 0.1 else []

    def inner() -> str:
        return mostly(some(("x", mostly("3")), *new()))

    deep = mostly(some(("z", mostly("1.5")), *new()))
    s = some(("x", mostly("1")), ("y", mostly('"why"')), ("at", random.choice(TIMES[:3])), ("deep", deep), *new())
    text = white(random) + some(
        ("id", mostly("7")),
        ("at", mostly(random.choice(TIMES[:2] if random.random() < 0.8 else TIMES))),
        ("n", random.choice(("7", "7", "7", '"270"', "270.0", "27.5"))),
        ("d", random.choice(("12.5", "12.345", '"1.5"', "1e300", "3e27"))),
        ("day", random.choice(('"2026-01-01"', '"31.12.2025"', "20454", '"31.02.2025"'))),
        ("p", any_value(random, 2)),
        ("s", mostly(s)),
        ("l", mostly(any_list(random, inner))),
        ("m", mostly(object_of(random, [(f"k{i}", inner()) for i in range(random.choice((0, 1, 2)))]))),
        *new(),
        *([("v", random.choice(("null", "5")))] if random.random() < 0.05 else []),
        *([("_offset", random.choice(("null", "5")))] if random.random() < 0.05 else []),
        *([("rest", "5")] if random.random() < 0.05 else []),
    )  # fmt: skip
    kind = random.random()
    value = text.encode()
    return None if kind < 0.03 else broken(random, value) if kind < 0.1 else value


def rows_of(decoded: Decoded, size: int) -> dict[int, dict[str, Any]]:
    good = range(size) if decoded.good is None else decoded.good
    return dict(zip(good, decoded.table.to_pylist(), strict=True))


def settled_once(decoded: Decoded, size: int) -> None:
    """Each record is a row, or one dead letter; all in order."""
    good = list(range(size) if decoded.good is None else decoded.good)
    bad = [b.index for b in decoded.bad]
    assert good == sorted(good)
    assert bad == sorted(bad)
    assert sorted(good + bad) == list(range(size))
    assert decoded.table.num_rows == len(good)
    decoded.table.validate(full=True)


@given(SEEDS)
@settings(max_examples=120)
def test_rows_equal_those_of_a_slow_reading(seed: int) -> None:
    random = Random(seed)
    schema = drawn_schema(random)
    records = [drawn_record(random) for _ in range(random.choice((1, 8, 25)))]
    decoded = schema.decoder().decode(Values.from_list(records))
    settled_once(decoded, len(records))
    rows = rows_of(decoded, len(records))
    for i, record in enumerate(records):
        if (
            schema.rest is None
            and schema.unknown == "ignore"
            and any(t in (record or b"") for t in (b"1e400", b"\\ud"))
        ):
            # Arrow refuses such a number, and half a surrogate pair, even in a field that it ignores.
            continue
        if i not in rows and HALF_A_PAIR_IN_A_NAME.search(record or b""):
            # Arrow refuses it in the name of a field: the record is a dead letter.
            continue
        assert rows.get(i) == Slow(schema, record).row, (record, schema.names, schema.rest, schema.unknown)


@given(SEEDS)
@settings(max_examples=60)
def test_a_record_is_the_same_alone_in_a_slice_and_beside_others(seed: int) -> None:
    random = Random(seed)
    schema = drawn_schema(random)
    records = [drawn_record(random) for _ in range(20)]
    values = Values.from_list(records)
    together = schema.decoder().decode(values)
    settled_once(together, len(records))
    rows, kinds = (
        rows_of(together, len(records)),
        {b.index: (b.stage, b.reason.kind, b.reason.field) for b in together.bad},
    )
    cut = random.randrange(1, 20)
    for a, b in ((0, cut), (cut, 20), *((i, i + 1) for i in range(20))):
        part = schema.decoder().decode(values[a:b])
        settled_once(part, b - a)
        assert {i + a: row for i, row in rows_of(part, b - a).items()} == {
            i: row for i, row in rows.items() if a <= i < b
        }
        assert {p.index + a for p in part.bad} == {i for i in kinds if a <= i < b}
    filtered = np.array(sorted(random.sample(range(20), 5)))
    some = schema.decoder().decode(values, filtered)
    assert rows_of(some, 20) == {i: row for i, row in rows.items() if i not in filtered}
    assert {b.index for b in some.bad} == {i for i in kinds if i not in filtered}


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {n: inner for n, v in value.items() if (inner := without_empty(v)) is not None}
        return kept or None
    return value


@given(SEEDS)
@settings(max_examples=60)
def test_the_row_and_the_rest_hold_every_field(seed: int) -> None:
    """Columns that take JSON and the rest together are the record again."""
    random = Random(seed)
    fields = random.sample(["id", "at", "p", "s.x", "s.deep", "s.at", "l", "m", "missing"], 4)
    names = [f"c{i}" for i in range(4)]
    schema = pa.schema([*((n, pa.string()) for n in names), ("rest", pa.string())])
    decoder = ShapedDecoder(
        columns({**dict.fromkeys(names, "string"), "rest": "string"}), schema, zones={}, skip=frozenset(), unknown_fields="ignore",
        readings={n: Reading(tuple(f.split(".")), ("json",)) for n, f in zip(names, fields, strict=True)}, rest="rest", scanner=scanner,
    )  # fmt: skip
    records = [drawn_record(random) for _ in range(12)]
    decoded = decoder.decode(Values.from_list(records))
    settled_once(decoded, len(records))
    for i, row in rows_of(decoded, len(records)).items():
        again: dict[str, Any] = json.loads(row["rest"] or "{}", parse_float=str, parse_int=str)
        for name, field in zip(names, fields, strict=True):
            if row[name] is not None:
                *outer, last = field.split(".")
                at = again
                for step in outer:
                    at = at.setdefault(step, {})
                assert last not in at
                at[last] = json.loads(row[name], parse_float=str, parse_int=str)
        original = json.loads(records[i] or b"", parse_float=str, parse_int=str)
        assert without_empty(again) == without_empty(original)


def decoded_of(names: list[str], *records: bytes | None, **options: Any) -> Decoded:
    check = options.pop("check", None)
    decoder = Schema(names, **options).decoder(**({} if check is None else {"check": check}))
    found = decoder.decode(Values.from_list(list(records)))
    settled_once(found, len(records))
    return found


def reason(names: list[str], record: bytes | None, **options: Any) -> tuple[str, str | None, str]:
    """Kind, field and message for one that is bad between good ones."""
    found = decoded_of(names, b'{"id":1}', record, b'{"id":2}', **options)
    assert [b.index for b in found.bad] == [1]
    why = found.bad[0].reason
    return why.kind, why.field, why.message


@pytest.mark.parametrize(
    ("record", "kind", "field", "message"),
    [
        (None, reasons.NO_VALUE, None, "tombstone"),
        (b"", reasons.EMPTY_VALUE, None, "empty"),
        (b"[1]", reasons.NOT_AN_OBJECT, None, "begins with '[1]'"),
        (b'{"id":1', reasons.NOT_AN_OBJECT, None, "cut off"),
        (b'{"p":"\xff"}', reasons.NOT_UTF8, None, "byte 6 is 0xff"),
        (b'{"p":[}', reasons.NOT_JSON, None, "char 6"),
        (b'{"p":NaN}', reasons.NOT_JSON, None, "NaN is no JSON value"),
        (b'{"id":1}{"id":2}', reasons.NOT_JSON, None, "Extra data"),
        (b'{"p":1,"p":2}', reasons.FIELD_TWICE, "p", "there twice"),
        (b'{"p":null,"\\u0070":2}', reasons.FIELD_TWICE, "p", "there twice"),
        (b'{"id":1,"id":2}', reasons.FIELD_TWICE, "id", "there twice"),
        (b'{"s":{"at":1},"s":{}}', reasons.FIELD_TWICE, "s", "there twice"),
        (b'{"s":{"at":1,"at":1}}', reasons.FIELD_TWICE, "s.at", "there twice"),
        (b'{"s":{"at":"soon"}}', reasons.NO_CAST, "s.at", '"soon" fits none of its casts (rfc3339, epoch_s)'),
        (b'{"s":5}', "number for a struct", "s", "expected an object"),
        (b'{"id":"1"}', "text for a long", "id", "expected an integer"),
        (b'{"z":%s,"p":"text"}' % (b"[" * 10_001 + b"]" * 10_001), reasons.UNREADABLE, None, "nested too deep"),
        (b'{"new":5}', reasons.UNKNOWN_FIELD, "new", "no column takes it"),
        (b'{"v":5}', reasons.UNKNOWN_FIELD, "v", "no column takes it"),
        (b'{"s":{"new":5}}', reasons.UNKNOWN_FIELD, "s.new", "no column takes it"),
    ],
    ids=lambda v: v[:30] if isinstance(v, bytes | str) else None,
)
def test_a_reason(record: bytes | None, kind: str, field: str | None, message: str) -> None:
    found = reason(["id", "p", "s_at"], record)
    assert found[:2] == (kind, field)
    assert message in found[2]


@pytest.mark.parametrize("name", ["id", "again", "raw_id", "n", "day_null", "z"])
def test_a_required_column_takes_no_record_without_its_field(name: str) -> None:
    field = POOL[name][1]
    full = b'{"id":1,"n":1,"day":"2026-01-01","s":{"deep":{"z":1}}}'
    for record in (b'{"p":1}', b'{"id":null,"n":null,"day":null,"s":{"deep":{"z":null}}}', b'{"s":null}'):
        found = decoded_of([name, "p"], full, record, full, required=(name,), unknown="ignore")
        assert [(b.index, b.reason.field) for b in found.bad] == [(1, field)]
        assert "required" in found.bad[0].reason.message


def test_a_field_of_a_type_that_lakelock_does_not_write_is_kept_in_the_rest() -> None:
    found = decoded_of(["id"], b'{"id":1,"v":{"a":1}}', rest="rest")
    assert found.table.to_pylist() == [{"id": 1, "v": None, "_offset": None, "rest": '{"v":{"a":1}}'}]


def test_columns_of_one_field_have_zones_of_their_own() -> None:
    found = decoded_of(["at_berlin", "at_utc"], b'{"at":"2026-07-01T00:00:00"}')
    (row,) = found.table.to_pylist()
    assert [row[n].isoformat() for n in ("at_berlin", "at_utc")] == [
        "2026-06-30T22:00:00+00:00",
        "2026-07-01T00:00:00+00:00",
    ]
    assert len(decoded_of(["at", "at_berlin"], b'{"at":"2026-07-01T00:00:00"}').bad) == 1


def test_the_whole_value_is_as_it_was_written() -> None:
    record = b' { "\\u0069d" : 1.0e0 ,\n"new":"\\u0041"} '
    assert decoded_of(["whole"], record, unknown="ignore").table.column("whole").to_pylist() == [record.decode()]


def test_rows_that_the_table_cannot_hold_are_dead_letters() -> None:
    def check(rows: pa.Table) -> None:
        if 13 in rows.column("id").to_pylist():
            raise Unfit("bad luck", reasons.PARTITION_VALUE, "id")

    records = [b'{"id":%d,"n":%s}' % (i, b'"x"' if i % 5 == 0 else b'"1"') for i in range(20)]
    found = decoded_of(["id", "n"], *records, check=check)
    assert {b.index: b.reason.kind for b in found.bad} == {
        **dict.fromkeys((0, 5, 10, 15), reasons.NO_CAST), 13: reasons.PARTITION_VALUE
    }  # fmt: skip
    assert found.table.column("id").to_pylist() == [i for i in range(20) if i % 5 and i != 13]


def test_texts_stay_with_their_record_beside_bad_ones() -> None:
    records = [b'{"id":%s,"p":[%d],"n":"%d","new":%d}' % (b'"x"' if i % 3 == 0 else b"1", i, i, i) for i in range(9)]
    found = decoded_of(["id", "p", "n"], *records, rest="rest")
    assert found.good == [1, 2, 4, 5, 7, 8]
    assert [(r["p"], r["n"], r["rest"]) for r in found.table.to_pylist()] == [
        (f"[{i}]", i, f'{{"new":{i}}}') for i in found.good
    ]


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["s", "s_x"], "two columns read field 's.x'"),
        (["n_plain", "id_of_n"], "as different types"),
        (["s", "x_of_id"], "reads field 'id' whole, and another column one of its fields"),
    ],
)
def test_columns_that_cannot_read_one_field_are_refused(
    names: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = {**POOL, "id_of_n": ("long", "n", (), None), "x_of_id": ("long", "id.x", (), None)}
    monkeypatch.setitem(globals(), "POOL", pool)
    with pytest.raises(Unfit, match=why):
        Schema(["id", *names]).decoder()


def test_no_record_and_only_filtered_ones() -> None:
    decoder = Schema(["id", "p", "n"], rest="rest").decoder()
    assert decoder.decode(Values.from_list([])).table.num_rows == 0
    found = decoder.decode(Values.from_list([None, b"{"]), np.arange(2))
    assert (found.table.num_rows, list(found.good or ()), list(found.bad)) == (0, [], [])
    assert decoder.decode(Values.from_list([b'{"id":1}']), NONE).good is None


def test_names_of_fields_that_were_refused_are_known() -> None:
    decoder = Schema(["id", "p"]).decoder()
    decoder.decode(Values.from_list([b'{"new":{"a":1}}']))
    assert decoder.unknown_fields == {"new"}
