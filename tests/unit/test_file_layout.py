"""The digest that a staged part has of its table's columns."""

from __future__ import annotations

import pytest
from kits.columns import columns, layout
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_layout import FileLayout, Written, digest_of, digest_of_spec
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform
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

UNPARTITIONED = "e3b0c44298fc"
SPEC_DIGEST = "b6b4809a4eeb"


def test_a_digest_never_changes() -> None:
    assert digest_of(schema_from(KINDS)) == DIGEST
    assert layout(KINDS).token == f"schema 0 ({DIGEST}), partition spec 0 ({UNPARTITIONED})"
    spec = PartitionSpec(
        PartitionField(1, 1000, BucketTransform(16), "b"), PartitionField(10, 1001, DayTransform(), "d")
    )
    assert digest_of_spec(spec) == SPEC_DIGEST


def test_a_layout_comes_back() -> None:
    given = layout(KINDS)
    assert FileLayout.of(given).layout == given
    assert Written.of(given.token) == Written(0, 0, (DIGEST, UNPARTITIONED))
    assert Written.of("schema 3, partition spec 1") == Written(3, 1), "as version 0.2.0 recorded it"
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


def test_another_spec_has_another_digest() -> None:
    given = PartitionField(1, 1000, BucketTransform(16), "b")
    others = [
        UNPARTITIONED_PARTITION_SPEC,
        PartitionSpec(PartitionField(2, 1000, BucketTransform(16), "b")),
        PartitionSpec(PartitionField(1, 1001, BucketTransform(16), "b")),
        PartitionSpec(PartitionField(1, 1000, BucketTransform(8), "b")),
        PartitionSpec(PartitionField(1, 1000, IdentityTransform(), "b")),
        PartitionSpec(PartitionField(1, 1000, BucketTransform(16), "c")),
        PartitionSpec(given, PartitionField(2, 1001, IdentityTransform(), "c")),
    ]
    found = {digest_of_spec(spec) for spec in (PartitionSpec(given), *others)}
    assert len(found) == 1 + len(others)
    assert digest_of_spec(PartitionSpec(given, spec_id=4)) == digest_of_spec(PartitionSpec(given))
