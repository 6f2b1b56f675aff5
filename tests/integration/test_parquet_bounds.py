"""What a data file's description says of its values hides none of its rows."""

from __future__ import annotations

import math
import uuid
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kits.columns import layout
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.adapters.parquet.file import Folder, ParquetFile
from lakelock.ports import Target
from pyiceberg.expressions import EqualTo, Reference
from pyiceberg.expressions.visitors import _InclusiveMetricsEvaluator
from pyiceberg.manifest import DataFile
from pyiceberg.schema import Schema
from pyiceberg.typedef import Record
from pyiceberg.types import (
    BinaryType,
    DateType,
    DoubleType,
    IcebergType,
    LongType,
    NestedField,
    StringType,
    TimestampType,
    TimestamptzType,
)


def described(folder: Path, kind: IcebergType, *groups: list[Any]) -> DataFile:
    """The columns n (1) and v (2), a row group of each of *groups*."""
    schema = Schema(NestedField(1, "n", LongType()), NestedField(2, "v", kind))
    target = Target(
        table="shop.t", identity_uuid=str(uuid.uuid4()), generation=0, layout=layout(schema),
        location=f"file://{folder}", columns=(), properties={}, topics=(),
    )  # fmt: skip
    within = Folder(target, str(uuid.uuid4()), "a")
    file = ParquetFile(within, Record())
    for values in groups:
        column = pa.array(values, within.arrow_schema.field("v").type)
        file.append(pa.table([pa.array(range(len(values)), pa.int64()), column], schema=within.arrow_schema))
    return decode_data_file(file.close(None).detail).entry


def is_read_for(file: DataFile, kind: IcebergType, value: Any) -> bool:
    schema = Schema(NestedField(1, "n", LongType()), NestedField(2, "v", kind))
    return _InclusiveMetricsEvaluator(schema, EqualTo(term=Reference("v"), value=value)).eval(file)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("kind", "short", "long"), [(StringType(), "b", "y" * 5_000), (BinaryType(), b"b", b"y" * 5_000)]
)
def test_a_row_group_with_a_value_too_long_for_bounds_is_not_hidden_by_the_others(
    tmp_path: Path, kind: IcebergType, short: Any, long: Any, order: int
) -> None:
    file = described(tmp_path, kind, *[[short], [long, None]][::order])
    assert is_read_for(file, kind, long)
    assert is_read_for(file, kind, short)
    assert (set(file.lower_bounds), set(file.upper_bounds)) == ({1}, {1})
    assert (file.value_counts[2], file.null_value_counts[2]) == (3, 1)


@pytest.mark.parametrize(
    ("kind", "one", "beyond"),
    [(DateType(), 1, 5_000_000), (TimestampType(), 1, 2**62), (TimestamptzType(), 1, -(2**62))],
)
def test_dates_of_years_that_python_does_not_have_are_written_without_bounds(
    tmp_path: Path, kind: IcebergType, one: int, beyond: int
) -> None:
    file = described(tmp_path, kind, [one], [beyond, None])
    assert (set(file.lower_bounds), set(file.upper_bounds)) == ({1}, {1})
    assert (file.value_counts[2], file.null_value_counts[2]) == (3, 1)


def test_row_groups_without_values_or_of_nan_alone_leave_the_bounds_of_the_others(tmp_path: Path) -> None:
    texts = described(tmp_path, StringType(), ["b"], [None, None])
    assert is_read_for(texts, StringType(), "b")
    assert not is_read_for(texts, StringType(), "c")
    numbers = described(tmp_path, DoubleType(), [1.0], [math.nan])
    assert is_read_for(numbers, DoubleType(), 1.0)
    assert not is_read_for(numbers, DoubleType(), 2.0)
    assert numbers.nan_value_counts[2] == 1
