from __future__ import annotations

import pytest
from lakelock.errors import BadTableDefinition
from lakelock.model.schema_types import column_names, parse_type, with_field_ids


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lng", "type 'lng' cannot be read at 'lng'."),
        ("", "type '' cannot be read at its end."),
        ("list<long", "type 'list<long' cannot be read at its end."),
        (
            "list<struct<a: long, b: map<string, lng>>>",
            "field 'element.b.value': type 'list<struct<a: long, b: map<string",
        ),
        (
            "struct<`a.b`: decimal(39, 0)>",
            "field 'a.b': decimal(39, 0) is out of range. Write a precision from 1 to 38",
        ),
        ("struct<a: list<fixed(0)>>", "field 'a.element': fixed(0) is out of range. Write a length of at least 1"),
    ],
)
def test_a_fault_within_a_type_has_its_path(text: str, said: str) -> None:
    with pytest.raises(BadTableDefinition) as refused:
        parse_type(text)
    assert str(refused.value).startswith(said)


def test_of_a_long_type_only_what_is_around_the_fault_is_shown() -> None:
    names = [f"a_name_of_some_length_{n}" for n in range(1000)]
    fields = ", ".join(f"{name}: {'lng' if n == 500 else 'long'}" for n, name in enumerate(names))
    with pytest.raises(BadTableDefinition) as refused:
        parse_type(f"struct<{fields}>")
    said = str(refused.value)
    assert said.startswith(f"field {names[500]!r}: type ")
    assert f"{names[500]}: lng" in said
    assert len(said) < 500


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
    ("schema", "reported"),
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
def test_faults_name_the_column(schema: dict[str, object], reported: str) -> None:
    with pytest.raises(BadTableDefinition, match=reported):
        with_field_ids(schema)
