"""What a pipeline file asks of an existing table: steps, or the reasons why there is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.apply.apply_preview import ApplyPlan, ApprovedSteps, TableSteps
from lakelock.apply.applying import asked_of
from lakelock.apply.decision import Asked, AskedColumn, Existing, Steps, steps
from lakelock.config import Pipeline
from lakelock.model.column_changes import Added, Commented, MadeOptional, Widened, changed
from lakelock.model.column_types import Column, Decimal, Floating, Integer, Text
from lakelock.model.type_notation import parse_type

TABLE = Existing(
    columns=(
        Column("id", Integer(64), required=True),
        Column("n", Integer(32), required=True, doc="old"),
        Column("s", parse_type("struct<x: int, y: string>")),
        Column("items", parse_type("list<struct<price: float>>")),
        Column("by_name", parse_type("map<string, decimal(9, 2)>")),
    ),
    partition_by=("day(at)", "bucket(16, id)"),
    sort_by=("id",),
    identifier_columns=("id",),
    properties={"a": "1", "lakelock.p": "installation"},
    location="file:///t/",
    renamed={"number": "n"},
)


def asked(name: str, kind: str | None = None, required: bool | None = None, doc: str | None = None) -> Asked:
    return Asked((AskedColumn(name, None if kind is None else parse_type(kind), required, doc),))


@pytest.mark.parametrize(
    ("wish", "change"),
    [
        (asked("more", "string", doc="new"), Added(("more",), Text(), "new")),
        (asked("n", "long"), Widened(("n",), Integer(64))),
        (asked("n", "int", required=False), MadeOptional(("n",))),
        (asked("n", doc="another"), Commented(("n",), "another")),
        (asked("s", "struct<x: long, y: string>"), Widened(("s", "x"), Integer(64))),
        (asked("s", "struct<x: int, z: double>"), Added(("s", "z"), Floating(64))),
        (asked("items", "list<struct<price: double>>"), Widened(("items", "element", "price"), Floating(64))),
        (asked("items", "list<struct<name: string>>"), Added(("items", "element", "name"), Text())),
        (asked("by_name", "map<string, decimal(18, 2)>"), Widened(("by_name", "value"), Decimal(18, 2))),
    ],
)
def test_what_keeps_every_file_readable_is_a_step(wish: Asked, change: object) -> None:
    found = steps(wish, TABLE)
    assert (found.changes, found.refused) == ((change,), ())


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (asked("id", "int"), "id: int in the file and long in the table: a type cannot become narrower"),
        (asked("id", "string"), "id: string in the file and long in the table: the table format has no such promotion"),
        (asked("by_name", "map<string, decimal(9, 3)>"), "by_name.value: decimal(9, 3) in the file and decimal(9, 2)"),
        (asked("by_name", "map<int, decimal(9, 2)>"), "by_name.key: int in the file and string in the table"),
        (asked("s", "string"), "s: string in the file and struct in the table: the table format has no such promotion"),
        (asked("s", "struct<X: int>"), "s.X: differs from column x in case alone"),
        (asked("s", required=True), "s: required in the file and optional in the table, whose rows may have nulls"),
        (asked("id", required=False), "id: optional in the file, but it identifies rows, so it stays required"),
        (asked("number", "int"), "number: it is named n in the table; name it so in the file"),
        (asked("N", "int"), "N: differs from column n in case alone"),
        (asked("more"), "more: the table does not have it, and the file gives it no type"),
        (Asked(identifier_columns=("n",)), "identifier columns are n in the file and id in the table"),
        (Asked(location="file:///u"), "the location is file:///u in the file and file:///t/ in the table"),
        (Asked(properties={"lakelock.p": "x"}), "property lakelock.p: lakelock or the table format maintains it"),
        (Asked(properties={"schema.name-mapping.default": "[]"}), "property schema.name-mapping.default"),
        (Asked(properties={"format-version": "3"}), "property format-version: 3 in the file"),
        (Asked(partition_by=("day(gone)",)), "partition_by names gone, which the table does not have"),
        (Asked(sort_by=("gone desc",)), "sort_by names gone, which the table does not have"),
    ],
)
def test_what_a_table_cannot_take_is_named_with_the_reason(wish: Asked, why: str) -> None:
    found = steps(wish, TABLE)
    assert found.nothing
    (said,) = found.refused
    assert said.startswith(why)


def test_a_new_column_is_optional_even_if_the_file_requires_it() -> None:
    found = steps(asked("more", "int", required=True), TABLE)
    assert found.changes == (Added(("more",), Integer(32)),)
    assert found.refused == (
        "more: required in the file, but a new column is optional, because rows that are there lack it",
    )


def test_two_new_columns_that_differ_in_case_alone_are_one() -> None:
    found = steps(Asked((AskedColumn("a", Text()), AskedColumn("A", Text()))), TABLE)
    assert found.changes == (Added(("a",), Text()),)
    assert len(found.refused) == 1


def test_partitioning_is_compared_without_its_order_and_a_sort_order_with_it() -> None:
    assert steps(Asked(partition_by=("bucket( 16, id )", "days(at)")), TABLE).nothing
    found = steps(Asked(partition_by=("bucket(8, id)",)), TABLE)
    assert (found.partition_by, found.lines) == (("bucket(8, id)",), ["partitioned by bucket(8, id)"])
    assert steps(Asked(sort_by=("id asc nulls first",)), TABLE).nothing
    assert steps(Asked(sort_by=("n", "id")), TABLE).sort_by == ("n", "id")
    # The table's field is of a column that is gone, so no expression names it.
    strange = Existing(TABLE.columns, partition_by=("day(a column that is gone)",))
    assert steps(Asked(partition_by=("n",)), strange).partition_by == ("n",)


def test_a_partitioning_may_name_a_column_that_is_added_with_it() -> None:
    wish = Asked((AskedColumn("at", parse_type("timestamptz")),), ("hour(at)",), ("s.x",))
    found = steps(wish, TABLE)
    assert (found.partition_by, found.sort_by, found.refused) == (("hour(at)",), ("s.x",), ())


def test_properties_are_set_and_never_removed() -> None:
    found = steps(Asked(properties={"a": "1", "b": "2", "format-version": "2"}), TABLE)
    assert (found.properties, found.refused) == ({"b": "2"}, ())


KINDS = st.sampled_from(["int", "long", "float", "double", "string", "decimal(5, 2)", "decimal(9, 2)", "list<int>"])
FILES = st.dictionaries(st.sampled_from("abcAn"), st.tuples(KINDS, st.sampled_from([None, True, False])))


@given(FILES, FILES)
def test_once_applied_there_is_nothing_left_but_what_is_refused(table: Any, file: Any) -> None:
    columns = tuple(Column(n, parse_type(k), bool(r)) for n, (k, r) in table.items())
    existing = Existing(columns)
    wish = Asked(tuple(AskedColumn(n, parse_type(k), r) for n, (k, r) in file.items()))
    first = steps(wish, existing)
    after = changed(columns, first.changes)
    assert {c.name for c in columns} <= {c.name for c in after}
    assert not [c for c in after if c.required and c.name not in {b.name for b in columns}]
    again = steps(wish, Existing(after))
    assert again.nothing
    assert len(again.refused) >= len([r for r in first.refused if "new column" not in r])


def of_file(**table: Any) -> Asked:
    pipeline = Pipeline.model_validate(
        {"name": "p", "source": {"topics": ("t",)}, "tables": ({"name": "n.t", **table},)}
    )
    found = asked_of(pipeline.tables[0])
    # A task in Airflow gets the resolved file, with every default written out.
    assert asked_of(Pipeline.from_resolved(pipeline.resolved()).tables[0]) == found
    return found


def test_a_file_that_says_nothing_asks_for_nothing() -> None:
    assert of_file() == Asked()
    assert of_file(columns={"id": {"field": "event.id"}}) == Asked((AskedColumn("id"),))
    assert steps(of_file(), TABLE).nothing


def test_a_file_asks_for_what_it_says() -> None:
    found = of_file(
        columns={"id": {"type": "long", "required": True, "doc": "its key"}, "n": "int"},
        new_fields={"json_column": "rest"},
        partition_by=("day(at)",),
        id_columns=("id",),
        properties={"a": "b"},
    )
    assert found == Asked(
        (
            AskedColumn("id", Integer(64), True, "its key"),
            AskedColumn("n", Integer(32), False),
            AskedColumn("rest", Text()),
        ),
        ("day(at)",),
        None,
        ("id",),
        {"a": "b"},
    )


def test_an_approval_is_of_its_steps_alone() -> None:
    widened = TableSteps("n.t", Steps((Widened(("n",), Integer(64)),)))
    approved = ApprovedSteps.of(ApplyPlan((widened,)).shown.text)
    assert approved.beyond(widened) == []
    assert approved.beyond(TableSteps("n.t")) == []
    assert approved.beyond(TableSteps("n.t", Steps(partition_by=("n",)))) == ["partitioned by n"]
    assert approved.beyond(TableSteps("n.u", widened.steps)) == ["n: long now"]
    assert ApplyPlan((TableSteps("n.t", widened.steps, "it is paused"),)).nothing
