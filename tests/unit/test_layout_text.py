"""Partitioning and order as `check` shows them: what a pipeline file would say."""

from __future__ import annotations

import pytest
from lakelock.adapters.iceberg.definitions import partition_spec_of, sort_order_of
from lakelock.adapters.iceberg.layout_notation import layout_text
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.transforms import VoidTransform
from pyiceberg.types import LongType, NestedField, StringType, StructType, TimestamptzType

SCHEMA = Schema(
    NestedField(1, "id", LongType()),
    NestedField(2, "at", TimestamptzType()),
    NestedField(3, "who", StructType(NestedField(4, "name", StringType()))),
    NestedField(5, "odd `name`", StringType()),
)


@pytest.mark.parametrize(
    ("partition_by", "sort_by", "shown"),
    [
        ([], [], "not partitioned"),
        (["days(at)"], [], "partitioned by day(at)"),
        (
            ["bucket(16, id)", "truncate(who.name, 10)"],
            ["id"],
            "partitioned by bucket(16, id), truncate(10, who.name); sorted by id",
        ),
        (["`odd ``name```"], [], "partitioned by `odd ``name```"),
        ([], ["id desc", "hour(at)"], "not partitioned; sorted by id desc, hour(at)"),
        ([], ["id desc nulls first", "at nulls last"], "not partitioned; sorted by id desc nulls first, at nulls last"),
    ],
)
def test_what_is_shown_is_what_a_file_would_say(partition_by: list[str], sort_by: list[str], shown: str) -> None:
    assert layout_text(SCHEMA, partition_spec_of(partition_by, SCHEMA), sort_order_of(sort_by, SCHEMA)) == shown


def test_a_dropped_partition_field_is_none() -> None:
    spec = PartitionSpec(PartitionField(1, 1000, VoidTransform(), "id"))
    assert layout_text(SCHEMA, spec, UNSORTED_SORT_ORDER) == "not partitioned"
