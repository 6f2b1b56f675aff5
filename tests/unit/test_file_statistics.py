"""Statistics of a data file are those that PyIceberg finds in its footer."""

from __future__ import annotations

import datetime as dt
import io
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_statistics import MeasuredColumn, file_statistics
from lakelock.adapters.parquet.writer import TableWriter
from pyiceberg.io.pyarrow import (
    StatisticsCollector,
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


def measured(plan: dict[int, StatisticsCollector], ids: dict[str, int]) -> dict[str, MeasuredColumn]:
    return {path: MeasuredColumn.of(plan[column_id], column_id) for path, column_id in ids.items()}


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
    assert file_statistics(metadata, measured(plan, ids)) == expected


@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize("side", [-1, 1])
def test_dates_beyond_those_of_python_have_no_bounds(beyond: int, side: int) -> None:
    schema = Schema(
        NestedField(1, "d", DateType()), NestedField(2, "t", TimestampType()), NestedField(3, "z", TimestamptzType())
    )
    arrow = arrow_schema(schema)
    days = (dt.date.min if side < 0 else dt.date.max).toordinal() - dt.date(1970, 1, 1).toordinal() + side * beyond
    micros = days * 86_400_000_000 + (86_400_000_000 - 1 if side > 0 else 0)
    found = [pa.array([days, 0], pa.int32()), pa.array([micros, 0], pa.int64()), pa.array([micros, 0], pa.int64())]
    rows = pa.Table.from_arrays(
        [column.cast(field.type) for column, field in zip(found, arrow, strict=True)], schema=arrow
    )
    stream = io.BytesIO()
    with pq.ParquetWriter(stream, arrow) as writer:
        writer.write_table(rows)
    metadata = pq.read_metadata(io.BytesIO(stream.getvalue()))
    plan, ids = compute_statistics_plan(schema, {}), parquet_path_to_id_mapping(schema)
    statistics = file_statistics(metadata, measured(plan, ids))
    assert set(statistics["lower_bounds"]) == (set() if beyond else {1, 2, 3})
    if not beyond:
        expected = data_file_statistics_from_parquet_metadata(metadata, plan, ids).to_serialized_dict()
        assert statistics["lower_bounds"] == expected["lower_bounds"]
        assert statistics["upper_bounds"] == expected["upper_bounds"]


def test_a_text_that_no_text_of_its_length_follows_has_no_upper_bound() -> None:
    """Behind U+D7FF are surrogates, which are no characters."""
    schema = Schema(NestedField(1, "a", StringType()))
    stream = io.BytesIO()
    rows = pa.table([pa.array(["a" * 15 + "\ud7ff" + "b"])], schema=arrow_schema(schema))
    with pq.ParquetWriter(stream, rows.schema) as writer:
        writer.write_table(rows)
    metadata = pq.read_metadata(io.BytesIO(stream.getvalue()))
    columns = measured(compute_statistics_plan(schema, {}), parquet_path_to_id_mapping(schema))
    found = file_statistics(metadata, columns)
    assert (found["lower_bounds"], found["upper_bounds"]) == ({1: ("a" * 15 + "\ud7ff").encode()}, {})


def test_a_number_that_a_null_hides_is_no_nan(tmp_path: Path) -> None:
    writer = TableWriter(target(tmp_path, "t", columns({"a": "double", "b": "double"}), ["t"]), "b", "a", 1 << 30)
    hidden = pa.Array.from_buffers(
        pa.float64(), 3, [pa.py_buffer(bytes([0b101])), pa.array([math.nan, math.nan, 1.0]).buffers()[1]]
    )
    shown = pa.array([math.nan, math.inf, math.nan, 0.0]).slice(1)
    writer.write(pa.Table.from_arrays([hidden, shown], schema=writer.arrow_schema))
    (file,) = writer.finish()
    assert decode_data_file(file.detail).entry.nan_value_counts == {1: 1, 2: 1}
