from __future__ import annotations

import pytest
from lakelock.core.schema_types import column_names, parse_type, with_field_ids
from lakelock.errors import BadTableDefinition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("long", "long"),
        ("BIGINT", "long"),
        ("timestamptz", "timestamptz"),
        ("decimal(10,2)", "decimal(10, 2)"),
        ("decimal( 38 , 0 )", "decimal(38, 0)"),
        ("fixed(16)", "fixed[16]"),
        ("fixed[16]", "fixed[16]"),
        ("list<long>", {"type": "list", "element": "long", "element-required": False}),
        (
            "map<string, list<int>>",
            {
                "type": "map",
                "key": "string",
                "value": {"type": "list", "element": "int", "element-required": False},
                "value-required": False,
            },
        ),
        (
            "struct<a: long, `b c`: struct<d: date>>",
            {
                "type": "struct",
                "fields": [
                    {"name": "a", "type": "long", "required": False},
                    {
                        "name": "b c",
                        "type": {"type": "struct", "fields": [{"name": "d", "type": "date", "required": False}]},
                        "required": False,
                    },
                ],
            },
        ),
    ],
)
def test_type_text_becomes_type_json(text: str, expected: object) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lng",
        "list<>",
        "list<long",
        "list<long>>",
        "map<string>",
        "struct<>",
        "struct<a>",
        "decimal(39,0)",
        "decimal(5,6)",
        "decimal(5)",
        "fixed(0)",
        "fixed(8]x",
        "long long",
        "timestamp_ns",
        "list<;>",
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(BadTableDefinition):
        parse_type(text)


def test_every_field_gets_an_id_of_its_own_outer_fields_first() -> None:
    schema = with_field_ids(
        {
            "fields": [
                {"name": "a", "type": "struct<x: long, y: list<int>>", "doc": "both"},
                {"name": "b", "type": "map<string, long>", "required": True},
            ]
        }
    )
    fields = schema["fields"]
    assert fields == [
        {
            "id": 1,
            "name": "a",
            "type": {
                "type": "struct",
                "fields": [
                    {"id": 3, "name": "x", "type": "long", "required": False},
                    {
                        "id": 4,
                        "name": "y",
                        "type": {"type": "list", "element-id": 5, "element": "int", "element-required": False},
                        "required": False,
                    },
                ],
            },
            "required": False,
            "doc": "both",
        },
        {
            "id": 2,
            "name": "b",
            "type": {
                "type": "map",
                "key-id": 6,
                "key": "string",
                "value-id": 7,
                "value": "long",
                "value-required": False,
            },
            "required": True,
        },
    ]
    assert column_names(schema) == ["a", "a.x", "a.y", "b"]


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"fields": []}, "no columns"),
        ({}, "no columns"),
        ({"fields": [{"name": "a", "type": "long"}, {"name": "a", "type": "int"}]}, "'a' is declared twice"),
        ({"fields": [{"name": "a", "type": "lng"}]}, "column 'a'"),
        ({"fields": [{"name": "a"}]}, "column 'a' has no type"),
        ({"fields": [{"type": "long"}]}, "no name"),
        ({"fields": [{"name": "a", "type": {"type": "struct", "fields": []}}]}, "column 'a'"),
        ({"fields": [{"name": "a", "type": {"type": "list", "element": "lng"}}]}, "column 'a.element'"),
    ],
)
def test_faults_name_the_column(schema: dict[str, object], told: str) -> None:
    with pytest.raises(BadTableDefinition, match=told):
        with_field_ids(schema)
