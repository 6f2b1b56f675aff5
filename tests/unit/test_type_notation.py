from __future__ import annotations

import pytest
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.errors import BadTableDefinition
from lakelock.model.column_types import (
    Binary,
    Column,
    ColumnType,
    Date,
    Decimal,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Timestamp,
)
from lakelock.model.type_notation import MOST_LEVELS, parse_type, type_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("long", Integer(64)),
        ("BIGINT", Integer(64)),
        ("timestamptz", Timestamp(zoned=True)),
        ("decimal(10,2)", Decimal(10, 2)),
        ("decimal( 38 , 0 )", Decimal(38, 0)),
        ("fixed(16)", Binary(16)),
        ("fixed[16]", Binary(16)),
        ("list<long>", ListOf(Integer(64))),
        ("map<string, list<int>>", MapOf(Text(), ListOf(Integer(32)))),
        (
            "struct<a: long, `b c`: struct<d: date>>",
            Struct((Column("a", Integer(64)), Column("b c", Struct((Column("d", Date()),))))),
        ),
    ],
)
def test_text_becomes_a_type_and_the_types_text_the_same_type(text: str, expected: ColumnType) -> None:
    assert parse_type(text) == expected
    assert parse_type(type_text(expected)) == expected


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
        (
            "list<variant>",
            "field 'element': variant is a type of Iceberg's format version 3. lakelock writes version 2.",
        ),
        ("struct<a: list<fixed(0)>>", "field 'a.element': fixed(0) is out of range. Write a length of at least 1"),
    ],
)
def test_a_fault_within_a_type_has_its_path(text: str, said: str) -> None:
    with pytest.raises(BadTableDefinition) as refused:
        parse_type(text)
    assert str(refused.value).startswith(said)


def test_a_type_has_so_many_levels_and_not_one_more() -> None:
    def nested(levels: int) -> str:
        return "struct<a: " * levels + "long" + ">" * levels

    assert schema_from((Column("c", parse_type(nested(MOST_LEVELS))),)).fields
    with pytest.raises(BadTableDefinition, match=f"the type has more than {MOST_LEVELS} levels of nesting"):
        parse_type(nested(1000))


def test_of_a_long_type_only_what_is_around_the_fault_is_shown() -> None:
    names = [f"a_name_of_some_length_{n}" for n in range(1000)]
    fields = ", ".join(f"{name}: {'lng' if n == 500 else 'long'}" for n, name in enumerate(names))
    with pytest.raises(BadTableDefinition) as refused:
        parse_type(f"struct<{fields}>")
    said = str(refused.value)
    assert said.startswith(f"field {names[500]!r}: type ")
    assert f"{names[500]}: lng" in said
    assert len(said) < 500
