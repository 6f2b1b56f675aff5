"""Columns as PyIceberg has them: the same after both ways, with ids as Iceberg's own engines give them."""

from __future__ import annotations

import pytest
from kits.columns import columns
from lakelock.adapters.iceberg.columns import columns_of, schema_from
from lakelock.adapters.parquet.file_layout import plain
from lakelock.errors import BadTableDefinition
from lakelock.model.column_types import Column, Foreign, Integer, ListOf, MapOf, Struct, Text
from lakelock.model.type_notation import PLAIN
from lakelock.records.json.wire_types import wire_type
from pyiceberg.schema import Schema
from pyiceberg.types import NestedField, TimestampNanoType

ALL = (
    *(Column(f"c_{name}", kind) for name, kind in PLAIN.items()),
    *columns({"dec": "decimal(38, 9)", "fx": "fixed(7)"}),
    Column("s", Struct((Column("x", Integer(32), required=True, doc="inner"), Column("y", ListOf(Text(), True))))),
    Column("m", MapOf(Text(), MapOf(Integer(64), Text(), True)), required=True, doc="outer"),
)


def test_columns_are_the_same_after_both_ways() -> None:
    assert columns_of(schema_from(ALL)) == ALL


def test_outer_fields_have_lower_ids_than_inner_ones() -> None:
    first, second = plain(schema_from(columns({"a": "struct<x: long, y: list<int>>", "b": "map<string, long>"})))[
        "fields"
    ]
    assert (first["id"], second["id"]) == (1, 2)
    x, y = first["type"]["fields"]
    assert (x["id"], y["id"], y["type"]["element-id"]) == (3, 4, 5)
    assert (second["type"]["key-id"], second["type"]["value-id"]) == (6, 7)


def test_a_type_that_lakelock_does_not_write_is_foreign() -> None:
    (found,) = columns_of(Schema(NestedField(1, "at", TimestampNanoType())))
    assert found.type == Foreign("timestamp_ns")
    assert wire_type(found.type) is None
    with pytest.raises(BadTableDefinition, match="column 'at' is timestamp_ns, which lakelock does not write"):
        schema_from((found,))


@pytest.mark.parametrize(
    ("of", "reported"),
    [
        ((), "the table has no columns"),
        ((Column("a", Integer(64)), Column("a", Text())), "column 'a' is declared twice"),
        (columns({"a": "struct<b: int, b: long>"}), "column 'a.b' is declared twice"),
        (columns({"a": "list<struct<b: int, b: long>>"}), "column 'a.element.b' is declared twice"),
        (columns({"a": "struct<b: long>", "a.b": "long"}), "the table's columns cannot be read: .*a.b"),
    ],
)
def test_columns_that_no_table_can_have_are_refused(of: tuple[Column, ...], reported: str) -> None:
    with pytest.raises(BadTableDefinition, match=reported):
        schema_from(of)
