"""The digest that a staged part has of its table's columns."""

from __future__ import annotations

import pytest
from kits.columns import columns, layout
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_layout import FileLayout, Written, digest_of
from pyiceberg.schema import Schema
from pyiceberg.types import DecimalType, IcebergType, ListType, LongType, MapType, NestedField, StringType, StructType

KINDS = columns(
    {
        "id": "long",
        "n": "decimal(9, 2)",
        "s": "struct<x: int, y: list<string>>",
        "m": "map<string, double>",
        "t": "timestamptz",
    },
    required=("id",),
)
# A part that is staged when lakelock is upgraded must fit its table afterwards.
DIGEST = "2d47378f7377"


def test_a_digest_never_changes() -> None:
    assert digest_of(schema_from(KINDS)) == DIGEST
    assert layout(KINDS).token == f"schema 0 ({DIGEST}), partition spec 0"


def test_a_layout_comes_back() -> None:
    given = layout(KINDS)
    assert FileLayout.of(given).layout == given
    assert Written.of(given.token) == Written(0, DIGEST, 0)
    assert Written.of("version 3") is None


def of(*fields: NestedField, schema_id: int = 1) -> str:
    return digest_of(Schema(*fields, schema_id=schema_id))


def field(
    number: int, kind: IcebergType, name: str = "a", required: bool = False, doc: str | None = None
) -> NestedField:
    return NestedField(number, name, kind, required=required, doc=doc)


@pytest.mark.parametrize(
    "other",
    [
        (field(2, LongType()),),
        (field(1, StringType()),),
        (field(1, DecimalType(9, 2)),),
        (field(1, LongType(), "b"),),
        (field(1, LongType(), required=True),),
        (field(1, LongType()), field(2, LongType(), "b")),
        (field(1, StructType(field(2, LongType(), "b"))),),
        (field(1, ListType(2, LongType(), element_required=False)),),
        (field(1, ListType(2, LongType(), element_required=True)),),
        (field(1, MapType(2, StringType(), 3, LongType(), value_required=False)),),
    ],
)
def test_other_columns_have_another_digest(other: tuple[NestedField, ...]) -> None:
    assert of(*other) != of(field(1, LongType()))


def test_a_field_within_a_struct_is_not_one_beside_it() -> None:
    within = field(1, StructType(field(2, LongType(), "b"), field(3, LongType(), "c")))
    beside = (field(1, StructType(field(2, LongType(), "b"))), field(3, LongType(), "c"))
    assert of(within) != of(*beside)


def test_comments_and_the_schemas_number_do_not_count() -> None:
    assert of(field(1, LongType(), doc="a number")) == of(field(1, LongType()), schema_id=7)
