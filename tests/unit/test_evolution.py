"""Changes of columns that records ask for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from lakelock.model.column_changes import Added, ColumnChange, MadeOptional, Widened, changed, described
from lakelock.model.column_types import Column, Struct
from lakelock.model.type_notation import parse_type
from lakelock.records.casts import Reading
from lakelock.records.evolution import Evolution, Evolving, ignorable
from lakelock.records.observed_fields import MOST_FIELDS, ObservedField, observed

ALL = Evolving((), True, True)


def changes(of: Sequence[Column], seen: ObservedField, evolving: Evolving) -> list[ColumnChange]:
    return Evolution(replace(evolving, columns=tuple(of))).changes(seen)


def columns(**types: str) -> list[Column]:
    """Columns by type; one whose type ends with `!` is required."""
    return [Column(n, parse_type(t.removesuffix("!")), t.endswith("!")) for n, t in types.items()]


def found(records: list[dict[str, Any]], evolving: Evolving = ALL, /, **types: str) -> list[str]:
    return [
        described(c) for c in changes(columns(**types), observed(json.dumps(r).encode() for r in records), evolving)
    ]


@pytest.mark.parametrize(
    ("types", "records", "expected"),
    [
        ({"id": "long"}, [{"id": 1}], []),
        ({"id": "long"}, [{"id": 1, "x": 2}], ["x: new, long"]),
        ({"id": "long"}, [{"id": 1, "x": 2}, {"x": 2.5}], ["x: new, double"]),
        ({"id": "long"}, [{"x": None}, {"x": "a"}], ["x: new, string"]),
        ({"id": "long"}, [{"x": None, "y": [], "z": {}, "w": {"a": [None, {}]}}], []),
        ({"id": "long"}, [{"x": {"a": 1, "b": None}}], ["x: new, struct<`a`: long>"]),
        ({"id": "long"}, [{"x": [[1]]}], ["x: new, list<list<long>>"]),
        ({"id": "long"}, [{"x": "2026-11-28T05:00:00Z"}], ["x: new, timestamptz"]),
        ({"a": "struct<b: long>"}, [{"a": {"b": 1, "c": True}}], ["a.c: new, boolean"]),
        ({"a": "list<struct<b: long>>"}, [{"a": [{"c": True}]}], ["a.element.c: new, boolean"]),
        ({"a": "map<string, struct<b: int>>"}, [{"a": {"k": {"b": 2**40, "c": 1}}}],
         ["a.value.b: long now", "a.value.c: new, long"]),
        ({"a": "int"}, [{"a": 2**31 - 1}, {"a": -(2**31)}], []),
        ({"a": "int"}, [{"a": 2**31}], ["a: long now"]),
        ({"a": "int"}, [{"a": 1.5}], []),
        ({"a": "int"}, [{"a": 2**70}], []),
        ({"a": "long"}, [{"a": 2**70}], []),
        ({"a": "float"}, [{"a": 0.1}, {"a": 2**24}, {"a": 2**40}], []),
        ({"a": "float"}, [{"a": 2**24 + 1}], ["a: double now"]),
        ({"a": "float"}, [{"a": 1e300}], ["a: double now"]),
        ({"a": "decimal(5, 2)"}, [{"a": 999.99}], []),
        ({"a": "decimal(5, 2)"}, [{"a": 1000}, {"a": -123456.5}], ["a: decimal(8, 2) now"]),
        ({"a": "decimal(5, 2)"}, [{"a": 10**40}], []),
        ({"a": "list<int>"}, [{"a": [2**31]}], ["a.element: long now"]),
        ({"a": "long!", "b": "long!"}, [{"a": 1, "b": None}, {"b": 1}], ["a: optional now", "b: optional now"]),
        ({"a": "string"}, [{"a": 1}], []),
        ({"a": "boolean"}, [{"a": {"b": 1}}], []),
        ({"Id": "long"}, [{"id": 1}], []),
        ({"a": "struct<B: long>"}, [{"a": {"b": 1}}], []),
        ({"a": "struct<b: long>"}, [{"a.b": 1}], []),
        ({"a": "long"}, [{"x": 1, "X": 2}, {"X": 1}], ["X: new, long"]),
        ({"a": "long"}, [{"": 1, "\ud800": 1}], []),
    ],
)  # fmt: skip
def test_changes_that_records_ask_for(
    types: dict[str, str], records: list[dict[str, Any]], expected: list[str]
) -> None:
    assert found(records, ALL, **types) == expected


def test_each_policy_is_for_its_own_changes() -> None:
    records = [{"a": 2**40, "x": 1}]
    assert found(records, Evolving((), True, False), a="int") == ["x: new, long"]
    assert found(records, Evolving((), False, True), a="int") == ["a: long now"]
    assert found(records, Evolving((), False, False), a="int") == []


def test_the_file_decides_on_types_and_on_required_columns() -> None:
    evolving = Evolving((), True, True, declared={"x": parse_type("decimal(9, 2)")}, kept_required=frozenset({"a"}))
    assert found([{"x": 1}], evolving, a="long!") == ["x: new, decimal(9, 2)"]


def test_a_required_column_stays_so_if_records_may_have_its_old_name() -> None:
    evolving = Evolving((), True, True, renamed={"old": "a"})
    assert found([{"old": 1, "b": 1}], evolving, a="long!", b="int", c="long!") == ["c: optional now"]


def test_fields_that_columns_take_in_another_way_are_not_new() -> None:
    readings = {"a": Reading(("event", "at"), ("epoch_s",)), "b": Reading(("c",)), "w": Reading((), whole=True)}
    evolving = Evolving((), True, True, readings=readings, unread=frozenset({"k"}), taken=frozenset({("i",)}))
    records = [{"event": {"at": 1, "new": 2}, "c": 2**40, "k": 1, "i": 1, "b": 1}]
    assert found(records, evolving, a="timestamptz", b="int", w="string", k="long") == ["b: long now"]


def test_a_column_that_was_dropped_is_not_added_again() -> None:
    evolving = Evolving((), True, True, declared={"y": parse_type("int")}, dropped=(("x",), ("a", "b"), ("y",)))
    assert found([{"x": 1, "y": 1, "a": {"b": 1, "d": 1}}], evolving, a="struct<c: int>") == ["a.d: new, long"]


def test_a_new_object_does_not_get_its_dropped_fields() -> None:
    evolving = Evolving((), True, True, dropped=(("a", "b"), ("a", "c", "d"), ("e", "f")))
    records = [{"a": {"b": 1, "c": {"d": 1, "e": 2}, "g": 3}, "e": {"f": 1}}]
    assert found(records, evolving) == ["a: new, struct<`c`: struct<`e`: long>, `g`: long>"]


def test_a_decoder_can_leave_out_what_is_not_within_a_list_or_map() -> None:
    of = columns(a="struct<b: struct<c: int>>", l="list<struct<c: int>>")
    paths = [("x",), ("a", "x"), ("a", "b", "x"), ("l", "element", "x"), ("gone", "x")]
    assert ignorable(of, paths) == [("a", "b", "x"), ("a", "x"), ("x",)]


def test_ids_as_names_become_no_columns() -> None:
    """Beside them, other fields do."""
    ids = {f"k{n}": 1 for n in range(MOST_FIELDS + 1)}
    assert found([{"new": ids, "x": 1}], ALL, id="long") == ["x: new, long"]
    assert found([{"known": ids, "x": 1}], ALL, known="struct<a: long>") == ["x: new, long"]
    assert found([{**ids, "x": 1}], ALL, id="long") == []
    assert found([{"known": {"a": ids}}], ALL, known="map<string, map<string, long>>") == []


def test_an_empty_object_lacks_the_required_fields_of_its_struct() -> None:
    of = [Column("s", Struct((Column("a", parse_type("long"), True),)))]
    assert list(map(described, changes(of, observed([b'{"s": {}}']), ALL))) == ["s.a: optional now"]
    assert changes(of, observed([b'{"s": null}', b"{}"]), ALL) == []


def test_a_change_is_needed_only_once() -> None:
    """What the changes make of the columns takes the records."""
    before = columns(a="int", b="list<struct<c: float>>", d="map<string, decimal(3, 1)>", e="long!")
    seen = observed([b'{"a": 3000000000, "b": [{"c": 1e200, "n": {"m": [1]}}], "d": {"k": 12345}, "f": "x"}'])
    made = changes(before, seen, ALL)
    assert changes(changed(before, made), seen, ALL) == []
    assert len(made) == 6


@pytest.mark.parametrize(
    "change", [Added(("a",), parse_type("int")), Widened(("x",), parse_type("long")), MadeOptional(("a", "b"))]
)
def test_a_change_of_something_else_is_refused(change: ColumnChange) -> None:
    with pytest.raises(KeyError):
        changed(columns(a="int", l="list<int>"), [change])
