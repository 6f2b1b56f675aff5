"""A schema's fields as a page lists them."""

from __future__ import annotations

from lakelock.model.columns import columns
from lakelock.model.schema_types import with_field_ids


def test_fields_within_follow_their_column_and_its_type_names_none_of_them() -> None:
    schema = with_field_ids(
        {
            "fields": [
                {"name": "id", "type": "long", "required": True, "doc": "its number"},
                {"name": "a.b", "type": "map<string, list<struct<`x y`: struct<z: decimal(9, 2)>>>>"},
                {"name": "tags", "type": "list<string>"},
            ]
        }
    )
    reported = [(c.name, c.depth, c.type, c.required, c.doc) for c in columns(schema)]
    assert reported == [
        ("id", 0, "long", True, "its number"),
        ("a.b", 0, "map<string, list<struct>>", False, None),
        ("x y", 1, "struct", False, None),
        ("z", 2, "decimal(9, 2)", False, None),
        ("tags", 0, "list<string>", False, None),
    ]
