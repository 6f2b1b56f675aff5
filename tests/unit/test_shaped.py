"""Records of which columns take fields by other names, by casts, as JSON, or all the rest: one row or one dead letter each."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file import arrow_schema
from lakelock.model.column_types import Column, Integer, ListOf, Struct, Text, Timestamp
from lakelock.records.casts import Reading
from lakelock.records.decoding import Decoded
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

COLUMNS = (
    Column("id", Integer(64), required=True),
    Column("at", Timestamp(zoned=True)),
    Column("who", Text()),
    Column("event", Struct((Column("kind", Text()), Column("n", Integer(32))))),
    Column("n", Integer(64)),
    Column("items", ListOf(Struct((Column("p", Integer(64)),)))),
    Column("payload", Text()),
    Column("whole", Text()),
    Column("local", Timestamp(zoned=True)),
    Column("rest", Text()),
)
READINGS = {
    "at": Reading(("event", "at"), ("rfc3339", "epoch_s")),
    "who": Reading(("event", "user", "name")),
    "n": Reading(("number",), ("text", "integral")),
    "payload": Reading(("payload",), ("json",)),
    "whole": Reading(("$",), (), whole=True),
    "local": Reading(("times", "local")),
}
ZONES = {"local": "Europe/Berlin"}


def decoder(columns: tuple[Column, ...] = COLUMNS, rest: str | None = "rest", **more: Any) -> ShapedDecoder:
    columns = columns if rest is not None else tuple(c for c in columns if c.name != "rest")
    schema: pa.Schema = arrow_schema(schema_from(columns))
    settings = {"readings": READINGS, "zones": ZONES, "unknown_fields": "dead_letter", **more}
    return ShapedDecoder(columns, schema, skip=frozenset(), rest=rest, scanner=scanner, **settings)


def rows(decoded: Decoded, count: int) -> list[object]:
    """By record: its row, or the kind, field and stage of its dead letter; never both, never none."""
    good = list(range(count)) if decoded.good is None else list(decoded.good)
    assert decoded.table.num_rows == len(good)
    found: dict[int, object] = dict(zip(good, decoded.table.to_pylist(), strict=True))
    assert not found.keys() & {b.index for b in decoded.bad}
    assert list(found) == sorted(found)
    indexes = [b.index for b in decoded.bad]
    assert indexes == sorted(set(indexes))
    found |= {b.index: (b.reason.kind, b.reason.field, b.stage) for b in decoded.bad}
    return [found[i] for i in range(count)]


_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.sampled_from(["", "a", "5", 'q"'])),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("abpkn"), inner, max_size=2)),
    max_leaves=4,
)
_TIMES = st.sampled_from(["2026-01-01T00:00:00Z", 1767225600, 1.5, "soon", None, "2026-10-25T02:30:00"])


def _maybe(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


_EVENT = _maybe(
    {
        "at": _TIMES,
        "kind": st.sampled_from(["x", None]),
        "n": st.sampled_from([1, None, 2**31]),
        "user": st.one_of(st.none(), _maybe({"name": st.sampled_from(["ann", None]), "age": st.just(3)})),
        "more": _ANY,
    }
)
_RECORD = _maybe(
    {
        "id": st.one_of(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.none(), st.just("x")),
        "event": st.one_of(_EVENT, _EVENT, st.none()),
        "number": st.sampled_from([1, "2", 3.0, 3.5, None]),
        "items": st.lists(_maybe({"p": st.integers(0, 9), "q": _ANY}), max_size=2),
        "payload": _ANY,
        "times": _maybe({"local": _TIMES}),
        "new": _ANY,
        "new 2": _ANY,
    }
)
_VALUES = st.lists(
    st.one_of(
        _RECORD.map(lambda r: json.dumps(r).encode()),
        _RECORD.map(lambda r: json.dumps(r).encode()),
        st.sampled_from(
            [None, b"", b"no", b'{"id":1', b'{"id":1,"payload":1,"payload":2}', b'{"id":1,"payload":"\xff"}']
        ),
    ),
    min_size=1,
    max_size=8,
)


@given(_VALUES, st.booleans(), st.integers(1, 7))
def test_a_record_decodes_in_a_block_as_it_does_alone(values: list[bytes | None], keeps: bool, cut: int) -> None:
    rest = "rest" if keeps else None
    block = rows(decoder(rest=rest).decode(Values.from_list(values)), len(values))
    assert block == [rows(decoder(rest=rest).decode(Values.from_list([v])), 1)[0] for v in values]
    of_all, sliced = decoder(rest=rest), Values.from_list(values)
    pieces = [rows(of_all.decode(sliced[i : i + cut]), len(values[i : i + cut])) for i in range(0, len(values), cut)]
    assert block == [row for piece in pieces for row in piece]


@given(_VALUES)
def test_row_and_rest_have_all_that_the_record_has(values: list[bytes | None]) -> None:
    found = rows(decoder().decode(Values.from_list(values)), len(values))
    for value, row in zip(values, found, strict=True):
        if not isinstance(row, dict):
            continue
        assert value is not None
        assert row["whole"] == value.decode()
        record = json.loads(value)
        event = record.get("event") or {}
        kept = {
            "id": row["id"],
            "payload": row["payload"] and json.loads(row["payload"]),
            "items": row["items"],
            "event": row["event"],
        }
        assert kept["id"] == record["id"]
        assert kept["payload"] == record.get("payload")
        assert [i["p"] for i in row["items"] or ()] == [i.get("p") for i in record.get("items") or ()]
        assert (row["event"] or {}).get("kind") == event.get("kind")
        assert row["who"] == (event.get("user") or {}).get("name")
        expected = {n: v for n, v in record.items() if n.startswith("new")}
        if any("q" in item for item in record.get("items") or ()):
            expected["items"] = record["items"]
        unknown = {"more": event["more"]} if "more" in event else {}
        if "age" in (event.get("user") or {}):
            unknown["user"] = {"age": event["user"]["age"]}
        if unknown:
            expected["event"] = unknown
        assert (json.loads(row["rest"]) if row["rest"] is not None else {}) == expected


def test_filtered_records_are_neither_rows_nor_dead_letters() -> None:
    values = Values.from_list([b'{"id":1}', None, b'{"id":2}', b"no"])
    found = decoder().decode(values, np.array([1]))
    assert (found.table["id"].to_pylist(), found.good) == ([1, 2], [0, 2])
    assert [b.index for b in found.bad] == [3]


@pytest.mark.parametrize(
    ("value", "kind", "field"),
    [
        (b'{"id":1,"new":1}', "unknown field", "new"),
        (b'{"id":1,"event":{"user":{"age":1}}}', "unknown field", "event.user.age"),
        (b'{"id":null}', "required field is null", "id"),
        (b'{"id":1,"event":7}', "number for a struct", "event"),
        (b'{"id":1,"event":{"user":{"name":1}}}', "number for a string", "event.user.name"),
        (b'{"id":1,"event":{"at":{}}}', "fits none of its casts", "event.at"),
        (b'{"id":1,"times":{"local":"2026-03-29T02:30:00"}}', "fits none of its casts", "times.local"),
        (b'{"id":1,"payload":{"a":1,}}', "not JSON", None),
    ],
)
def test_a_dead_letter_names_the_field_of_the_record(value: bytes, kind: str, field: str | None) -> None:
    (found,) = decoder(rest=None).decode(Values.from_list([value])).bad
    assert (found.reason.kind, found.reason.field) == (kind, field)


def test_a_required_column_of_a_nested_field_or_a_cast_refuses_records_without_it() -> None:
    columns = (Column("a", Integer(64), required=True), Column("b", Text(), required=True))
    readings = {"a": Reading(("x", "a")), "b": Reading(("b",), ("json",))}
    decoded = decoder(columns, None, readings=readings, zones={}).decode(
        Values.from_list(
            [b'{"x":{"a":1},"b":0}', b'{"x":{},"b":0}', b'{"x":null,"b":0}', b'{"x":{"a":1},"b":null}', b"{}"]
        )
    )
    assert decoded.table.to_pylist() == [{"a": 1, "b": "0"}]
    assert [(b.index, b.reason.field) for b in decoded.bad] == [(1, "x.a"), (2, "x.a"), (3, "b"), (4, "x.a")]


@pytest.mark.parametrize(
    ("columns", "readings"),
    [
        ({"a": Integer(64), "b": Text()}, {"b": Reading(("a",))}),
        ({"a": Integer(64), "b": Text()}, {"b": Reading(("a", "x"))}),
        ({"a": Struct((Column("x", Integer(64)),)), "b": Text()}, {"b": Reading(("a", "x"))}),
    ],
)
def test_two_columns_that_read_one_field_differently_are_refused(
    columns: dict[str, Any], readings: dict[str, Reading]
) -> None:
    listed = tuple(Column(name, kind) for name, kind in columns.items())
    with pytest.raises(Unfit, match="column"):
        decoder(listed, None, readings=readings, zones={})


def test_rows_that_the_table_cannot_hold_are_dead_letters_too() -> None:
    def check(table: pa.Table) -> None:
        if 3 in table["id"].to_pylist():
            raise Unfit("three", "partition value does not fit", "id")

    decoded = decoder(check=check).decode(Values.from_list([b'{"id":%d}' % n for n in range(6)]))
    assert decoded.table["id"].to_pylist() == [0, 1, 2, 4, 5]
    assert [(b.index, b.reason.message) for b in decoded.bad] == [(3, "three")]


def test_fields_within_one_that_is_taken_as_json_are_not_new() -> None:
    columns = (Column("repo", Text()), Column("name", Text()), Column("rest", Text()))
    readings = {"repo": Reading(("repository",), ("json",)), "name": Reading(("repository", "name"))}
    values = [
        b'{"repository":{"a":1,"name":"x","b":{"name":2},"c":[{"d":3}]}}',
        b'{"repository":{"name":"y" , "last" : null }}',
        b'{"repository":{"first":[1],"name":"z"}}',
        b'{"repository":{"only":1}}',
        b'{"repository":{"a":1,"b":2},"new":5}',
        b'{"repository":{}}',
    ]
    kept = decoder(columns, readings=readings, zones={}).decode(Values.from_list(values))
    assert kept.table["repo"].to_pylist()[:3] == [json_text(value) for value in values[:3]]
    assert kept.table["name"].to_pylist() == ["x", "y", "z", None, None, None]
    assert kept.table["rest"].to_pylist() == [None, None, None, None, '{"new":5}', None]
    strict = decoder(columns, None, readings=readings, zones={}).decode(Values.from_list(values))
    assert strict.good == [0, 1, 2, 3, 5]
    assert [(b.index, b.reason.field) for b in strict.bad] == [(4, "new")]


def json_text(value: bytes) -> str:
    """The text of the only object within."""
    text = value.decode()
    return text[text.index(":") + 1 : text.rindex("}", 0, len(text) - 1) + 1]
