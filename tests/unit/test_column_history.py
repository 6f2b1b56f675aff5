"""Changes of columns as snapshots record them: what they say, of which column they are, and which of them are reported when."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.model.evolutions import ChangesSeen, ColumnsChanged, decode, encode, last_changes, printable, seen
from lakelock.monitor.incidents import Incident, IncidentKind, Open, after

TABLE, OTHER = "lake.orders", "lake.items"


def changed(snapshot_id: int, *changes: str, table: str = TABLE) -> ColumnsChanged:
    said = changes or (f"x{snapshot_id}: new, long",)
    return ColumnsChanged(
        table, said, f"topic t, partition 0, offset {snapshot_id}", "b", "d/r", snapshot_id, snapshot_id
    )


@given(st.lists(st.text().map(printable)), st.text().map(printable))
def test_what_a_summary_says_is_read_as_it_was_written(changes: list[str], record: str) -> None:
    given = ColumnsChanged(TABLE, tuple(changes), record, "b", "d/r", 7, 8)
    assert decode(encode(given), TABLE, 7, 8) == given
    assert ColumnsChanged.of(json.loads(json.dumps(asdict(given)))) == given


def test_a_name_that_databases_refuse_is_found_all_the_same() -> None:
    name = "a\x00\n\ud800"
    (found,) = [
        decode(json.dumps({"changes": [f"{name}: new, long"], "record": "", "batch": "", "run": ""}), TABLE, 1, 1)
    ]
    assert found is not None
    assert found.changes == ("a\ufffd\ufffd\ufffd: new, long",)
    assert last_changes([name], [found]) == {name: ("new, long", found)}


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", "null", '{"changes": 7}', '{"changes": ["x"], "record": "r"}'])
def test_a_summary_that_another_tool_edited_says_nothing(text: str) -> None:
    assert decode(text, TABLE, 7, 8) is None


def test_a_line_is_one_line_and_names_the_first_of_very_many_changes() -> None:
    line = changed(7, "a\nb: new, long", *(f"x{n}: new, long" for n in range(30))).line
    assert line.startswith("table lake.orders: its columns changed: a b: new, long; x0: new, long; ")
    assert line.endswith("x18: new, long; and 11 more (for the record of topic t, partition 0, offset 7)")


def test_the_newest_change_of_each_column_is_found_whatever_its_name_is() -> None:
    history = [
        changed(1, "a: new, struct<`b: c`: long>", "b: new, int"),
        changed(2, "a.b: c: new, long", "b: long now"),
        changed(3, "gone: new, long"),
    ]
    names = ["id", "a", "a.b: c", "b"]
    found = {name: (what, by.version_id) for name, (what, by) in last_changes(names, history).items()}
    assert found == {"a": ("new, struct<`b: c`: long>", 1), "a.b: c": ("new, long", 2), "b": ("long now", 2)}


def test_changes_before_the_first_look_are_not_reported_and_those_of_a_table_that_comes_later_are() -> None:
    first = seen(None, {TABLE: [changed(1), changed(2)]}, "")
    assert first.unreported == ()
    second = seen(first, {TABLE: [changed(1), changed(2), changed(4)], OTHER: [changed(3, table=OTHER)]}, "")
    assert [c.version_id for c in second.unreported] == [3, 4]


def test_a_change_stays_until_all_know_it_and_is_reported_once_then() -> None:
    one = seen(seen(None, {TABLE: []}, ""), {TABLE: [changed(1)]}, "")
    assert seen(one, {TABLE: [changed(1)]}, "").unreported == one.unreported, "a run died before it could report it"
    assert seen(one, {}, "").unreported == one.unreported, "the table could not be read"
    two = seen(one, {TABLE: [changed(1), changed(2)]}, one.line)
    assert two.unreported == (changed(2),)
    assert seen(two, {TABLE: [changed(1), changed(2)]}, one.line).unreported == two.unreported, "it died again"
    # Snapshots expire.
    assert seen(two, {TABLE: []}, two.line).unreported == ()
    assert seen(seen(two, {TABLE: []}, two.line), {TABLE: [changed(2)]}, "").unreported == ()


def test_a_line_of_very_many_changes_is_short() -> None:
    line = ChangesSeen({}, tuple(changed(n) for n in range(1, 9))).line
    assert line.count("its columns changed") == 5
    assert line.endswith("; and 3 more")


def test_an_incident_of_changed_columns_has_no_end_and_each_change_begins_it_again() -> None:
    kind = IncidentKind.SCHEMA
    begun = after({}, [Incident(kind, "one")], "1")
    assert begun[kind].to_notify(["a", "b"]) == ["a", "b"]
    known = begun[kind].notifying("a")
    assert not known.has_reached(["a", "b"])
    assert after({kind: known}, [Incident(kind, "one")], "2")[kind].to_notify(["a", "b"]) == ["b"]
    known = known.notifying("b")
    assert known.has_reached(["a", "b"])
    assert after({kind: known}, [Incident(kind, "two")], "2")[kind].to_notify(["a", "b"]) == ["a", "b"]
    assert after({kind: known}, [], "2") == {}
    assert not Open("one", "1", due=True, over=True, notified=("a",)).has_reached(["a"])
