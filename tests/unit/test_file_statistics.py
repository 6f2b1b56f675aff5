"""Statistics of a data file are those that PyIceberg finds in its footer."""

from __future__ import annotations

import datetime as dt
import io
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_statistics import file_statistics
from pyiceberg.io.pyarrow import (
    compute_statistics_plan,
    data_file_statistics_from_parquet_metadata,
    parquet_path_to_id_mapping,
)
from pyiceberg.schema import Schema
from pyiceberg.types import (
    BinaryType,
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    NestedField,
    PrimitiveType,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)

VALUES: dict[PrimitiveType, list[Any]] = {
    BooleanType(): [True, False, None],
    IntegerType(): [-(2**31), 0, 2**31 - 1, None],
    LongType(): [-(2**63), 0, 2**63 - 1, None],
    FloatType(): [-0.0, 1.5, -math.inf, math.nan, None],
    DoubleType(): [0.0, 1e300, math.inf, math.nan, None],
    DecimalType(9, 2): [Decimal("-9999999.99"), Decimal("0.01"), None],
    DecimalType(18, 3): [Decimal("123456789012345.678"), Decimal("-0.001"), None],
    DecimalType(38, 9): [Decimal("-1234567890123456789.123456789"), Decimal(0), None],
    DateType(): [dt.date.min, dt.date(1969, 12, 31), dt.date.max, None],
    TimeType(): [dt.time(0), dt.time(23, 59, 59, 999999), None],
    TimestampType(): [dt.datetime(1960, 1, 1, 0, 0, 0, 1), dt.datetime(9999, 12, 31), None],
    TimestamptzType(): [dt.datetime(2026, 11, 28, tzinfo=dt.UTC), dt.datetime(1, 1, 1, tzinfo=dt.UTC), None],
    StringType(): ["", "short", "a text of more than sixteen characters", "\U0010ffff" * 40, "ünïcode " * 9, None],
    BinaryType(): [b"", b"\0\xff", b"\xff" * 40, b"more than sixteen bytes are cut", None],
    FixedType(4): [b"\0\1\2\3", b"\xff" * 4, None],
    UUIDType(): [b"\0" * 16, b"\xff" * 16, None],
}
KINDS = [*VALUES]
SCHEMA = Schema(
    *(NestedField(n, f"c{n}", kind) for n, kind in enumerate(KINDS, 1)),
    NestedField(
        40,
        "nested",
        StructType(
            NestedField(41, "d", DoubleType()),
            NestedField(42, "many", ListType(43, StringType(), element_required=False)),
        ),
    ),
)


def groups(turns: int) -> list[pa.Table]:
    """Row groups that have other values each; the last one has none."""
    arrow = arrow_schema(SCHEMA)
    found = []
    for turn in range(turns):
        columns = []
        for n, kind in enumerate(KINDS):
            values = VALUES[kind][turn % len(VALUES[kind]) :] or [None]
            several = (values * 8)[:8] if turn < turns - 1 else [None] * 8
            columns.append(pa.array(several, arrow.field(n).type))
        nested = [{"d": float(turn), "many": ["x", None]}, None] * 4
        columns.append(pa.array(nested, arrow.field("nested").type))
        found.append(pa.Table.from_arrays(columns, schema=arrow))
    return found


@pytest.mark.parametrize("mode", ["truncate(16)", "truncate(1)", "full", "counts", "none"])
@pytest.mark.parametrize("turns", [1, 2, 5])
@pytest.mark.parametrize("dictionary", [True, False])
def test_statistics_are_those_of_pyiceberg(mode: str, turns: int, dictionary: bool) -> None:
    properties = {"write.metadata.metrics.default": mode, "write.metadata.metrics.column.c2": "full"}
    stream = io.BytesIO()
    with pq.ParquetWriter(
        stream, arrow_schema(SCHEMA), use_dictionary=dictionary, store_decimal_as_integer=True
    ) as writer:
        for rows in groups(turns):
            writer.write_table(rows, row_group_size=rows.num_rows)
    metadata = pq.read_metadata(io.BytesIO(stream.getvalue()))
    plan, ids = compute_statistics_plan(SCHEMA, properties), parquet_path_to_id_mapping(SCHEMA)
    expected = data_file_statistics_from_parquet_metadata(metadata, plan, ids).to_serialized_dict()
    del expected["nan_value_counts"]
    assert file_statistics(metadata, plan, ids) == expected


def test_a_text_that_no_text_of_its_length_follows_has_no_upper_bound() -> None:
    """Behind U+D7FF are surrogates, which are no characters."""
    schema = Schema(NestedField(1, "a", StringType()))
    stream = io.BytesIO()
    rows = pa.table([pa.array(["a" * 15 + "\ud7ff" + "b"])], schema=arrow_schema(schema))
    with pq.ParquetWriter(stream, rows.schema) as writer:
        writer.write_table(rows)
    metadata = pq.read_metadata(io.BytesIO(stream.getvalue()))
    found = file_statistics(metadata, compute_statistics_plan(schema, {}), parquet_path_to_id_mapping(schema))
    assert (found["lower_bounds"], found["upper_bounds"]) == ({1: ("a" * 15 + "\ud7ff").encode()}, {})
