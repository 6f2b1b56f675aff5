"""A schema's fields as a page lists them."""

from __future__ import annotations

from kits.columns import columns
from lakelock.model.column_types import Column, Integer
from lakelock.model.schema_lines import column_names, schema_lines


def test_fields_within_follow_their_column_and_its_type_names_none_of_them() -> None:
    listed = (
        Column("id", Integer(64), required=True, doc="its number"),
        *columns({"a.b": "map<string, list<struct<`x y`: struct<z: decimal(9, 2)>>>>", "tags": "list<string>"}),
    )
    reported = [(c.name, c.depth, c.type, c.required, c.doc) for c in schema_lines(listed)]
    assert reported == [
        ("id", 0, "long", True, "its number"),
        ("a.b", 0, "map<string, list<struct>>", False, None),
        ("x y", 1, "struct", False, None),
        ("z", 2, "decimal(9, 2)", False, None),
        ("tags", 0, "list<string>", False, None),
    ]


def test_names_are_dotted_within_structs_alone() -> None:
    listed = columns({"a": "struct<x: long, y: list<struct<z: int>>>", "b": "map<string, long>"})
    assert column_names(listed) == ["a", "a.x", "a.y", "b"]
