"""A record whose partition value no manifest can hold is refused, by the exact arithmetic of the specification."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.records.reasons import Unfit
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import TruncateTransform
from pyiceberg.types import DecimalType, IcebergType, IntegerType, LongType, NestedField, StringType, StructType

ARROW: dict[IcebergType, pa.DataType] = {
    IntegerType(): pa.int32(), LongType(): pa.int64(), DecimalType(10, 2): pa.decimal128(10, 2),
    DecimalType(38, 0): pa.decimal128(38, 0),
}  # fmt: skip
LEAST: dict[IcebergType, int] = {
    IntegerType(): -(2**31), LongType(): -(2**63), DecimalType(10, 2): 1 - 10**10, DecimalType(38, 0): 1 - 10**38,
}  # fmt: skip


def fits(kind: IcebergType, width: int, *unscaled: int) -> bool:
    """Whether a table takes these values, in a struct's field."""
    schema = Schema(NestedField(1, "s", StructType(NestedField(2, "c", kind, required=False)), required=False))
    spec = PartitionSpec(PartitionField(2, 1000, TruncateTransform(width), "part"))
    scale = kind.scale if isinstance(kind, DecimalType) else None
    values: list[Any] = [
        u if scale is None else Decimal((u < 0, tuple(map(int, str(abs(u)))), -scale)) for u in unscaled
    ]
    rows = pa.table({"s": pa.array([*({"c": v} for v in values), None], pa.struct([("c", ARROW[kind])]))})
    try:
        PartitionLimits(schema, spec).check(rows)
    except Unfit as fault:
        return not re.fullmatch(
            r"field 's\.c': truncate\(\d+\) of .*, its partition value, does not fit .*", str(fault)
        )
    return True


@given(st.sampled_from(sorted(ARROW, key=str)), st.integers(1, 1000), st.integers(0, 3000))
def test_what_falls_below_the_least_of_its_type_is_refused(kind: IcebergType, width: int, above: int) -> None:
    value = LEAST[kind] + above
    # Towards the lesser multiple of the width, by the specification.
    truncated = value - (((value % width) + width) % width)
    assert fits(kind, width, value, 0, 7) == (truncated >= LEAST[kind])


def test_the_reported_decimal() -> None:
    assert not fits(DecimalType(10, 2), 50, -9_999_999_999)
    assert fits(DecimalType(10, 2), 50, -9_999_999_950, 100)


@pytest.mark.parametrize("values", [(), (None,)])
def test_nothing_is_refused_where_there_is_nothing(values: tuple[None, ...]) -> None:
    schema = Schema(NestedField(1, "c", LongType(), required=False), NestedField(2, "t", StringType(), required=False))
    spec = PartitionSpec(
        PartitionField(1, 1000, TruncateTransform(9), "a"), PartitionField(2, 1001, TruncateTransform(9), "b")
    )
    kinds = pa.schema([("c", pa.int64()), ("t", pa.string())])
    PartitionLimits(schema, spec).check(pa.table({"c": values, "t": values}, schema=kinds))
