"""Rows are copied as they are: whichever engine wrote the file, whatever its columns hold, whatever the schema has become since."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.columns import layout
from lakelock.adapters.parquet.copied_columns import Columns
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.row_copy import copy_files, why_unfit
from lakelock.errors import BooksUnbalanced, TableUnfit
from lakelock.ports import CopyOrder, CopySlice, Target
from pyiceberg.conversions import from_bytes
from pyiceberg.io import load_file_io
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER, SortField, SortOrder
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import (
    BinaryType,
    DateType,
    DecimalType,
    DoubleType,
    FixedType,
    FloatType,
    IntegerType,
    ListType,
    LongType,
    MapType,
    NestedField,
    StringType,
    StructType,
    TimestampType,
    TimestamptzType,
    TimeType,
    UUIDType,
)

DEEP = StructType(
    NestedField(31, "f", FloatType()),
    NestedField(32, "m", MapType(33, StringType(), 34, ListType(35, DoubleType(), False), False)),
)
SCHEMA = Schema(
    NestedField(1, "i", IntegerType()),
    NestedField(2, "d", DoubleType()),
    NestedField(3, "s", StringType()),
    NestedField(4, "b", BinaryType()),
    NestedField(5, "u", UUIDType()),
    NestedField(6, "x", FixedType(2)),
    NestedField(7, "n", DecimalType(9, 2)),
    NestedField(8, "day", DateType()),
    NestedField(9, "t", TimeType()),
    NestedField(10, "ts", TimestampType()),
    NestedField(11, "tz", TimestamptzType()),
    NestedField(20, "l", ListType(21, StringType(), False)),
    NestedField(22, "deep", ListType(30, DEEP, False)),
    NestedField(40, "m", MapType(41, StringType(), 42, DoubleType(), False)),
)
floats = st.floats(width=32)
values = st.fixed_dictionaries({}, optional={
    "i": st.integers(-(2**31), 2**31 - 1), "d": floats, "s": st.text(max_size=3), "b": st.binary(max_size=3),
    "u": st.uuids().map(lambda u: u.bytes), "x": st.binary(min_size=2, max_size=2),
    "n": st.decimals(-1000, 1000, places=2), "day": st.dates(), "t": st.times(),
    "ts": st.datetimes(), "tz": st.datetimes(timezones=st.just(UTC)),
    "l": st.lists(st.none() | st.text(max_size=2), max_size=3),
    "deep": st.lists(st.none() | st.fixed_dictionaries({}, optional={
        "f": floats, "m": st.dictionaries(st.text(max_size=1), st.none() | st.lists(st.none() | floats, max_size=2), max_size=2).map(lambda d: list(d.items())),
    }), max_size=2),
    "m": st.dictionaries(st.text(max_size=1), st.none() | floats, max_size=3).map(lambda d: list(d.items())),
})  # fmt: skip


def target(folder: Path, schema: Schema, order: SortOrder = UNSORTED_SORT_ORDER, **properties: str) -> Target:
    return Target(
        table="shop.t", identity_uuid=str(uuid.uuid4()), generation=0, layout=layout(schema, sort_order=order),
        location=f"file://{folder}", columns=(), properties=properties, topics=(),
    )  # fmt: skip


def order_for(target: Target, *files: tuple[Path, int]) -> CopyOrder:
    sources = tuple((f"file://{p}", n) for p, n in files)
    return CopyOrder(str(uuid.uuid4()), target, (CopySlice("[]", sources),))


def written(folder: Path, rows: Sequence[Mapping[str, Any]], schema: pa.Schema, **how: Any) -> tuple[Path, int]:
    file = folder / f"{uuid.uuid4()}.parquet"
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), file, **how)
    return file, len(rows)


def shown(value: Any) -> Any:
    """Comparable: a NaN is itself."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | tuple):
        return [shown(v) for v in value]
    return {k: shown(v) for k, v in value.items()} if isinstance(value, dict) else value


def read(path: str) -> list[Any]:
    return [shown(row) for row in pq.read_table(path.removeprefix("file://")).to_pylist()]


@settings(max_examples=60)
@given(
    parts=st.lists(st.lists(values, max_size=4), min_size=1, max_size=3),
    theirs=st.booleans(),
    keeps_arrow=st.booleans(),
    row_group=st.integers(1, 5),
)
def test_every_value_and_every_null_is_what_it_was(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[list[dict[str, Any]]],
    theirs: bool,
    keeps_arrow: bool,
    row_group: int,
) -> None:
    folder = tmp_path_factory.mktemp("copy")
    # PyIceberg writes large strings and lists, and may say so in the file.
    schema = schema_to_pyarrow(SCHEMA) if theirs else arrow_schema(SCHEMA)
    files = [written(folder, rows, schema, store_schema=keeps_arrow, row_group_size=row_group) for rows in parts]
    columns = Columns(SCHEMA, UNPARTITIONED_PARTITION_SPEC)
    io = load_file_io({}, f"file://{folder}")
    assert [why_unfit(io, f"file://{p}", n, columns) for p, n in files] == [""] * len(files)
    made = copy_files(order_for(target(folder, SCHEMA), *files), 0).files
    before = [row for path, _ in files for row in read(str(path))]
    if not made:
        assert before == []
        return
    (out,) = made
    assert read(out.path) == before
    entry = decode_data_file(out.detail).entry
    assert entry.record_count == len(before)
    nans = {2: _nans(r.get("d") for rows in parts for r in rows)}
    nans[42] = _nans(v for rows in parts for r in rows for _, v in r.get("m") or ())
    deep = [s for rows in parts for r in rows for s in r.get("deep") or () if s]
    nans[31] = _nans(s.get("f") for s in deep)
    nans[35] = _nans(v for s in deep for _, vs in s.get("m") or () for v in vs or ())
    assert {i: entry.nan_value_counts[i] for i in nans if i in entry.nan_value_counts} == {
        i: n for i, n in nans.items() if i in entry.nan_value_counts
    }
    assert 2 in entry.nan_value_counts
    numbers = [r["i"] for rows in parts for r in rows if "i" in r]
    assert entry.null_value_counts[1] == len(before) - len(numbers)
    if numbers:
        assert from_bytes(IntegerType(), entry.lower_bounds[1]) == min(numbers)
        assert from_bytes(IntegerType(), entry.upper_bounds[1]) == max(numbers)
    whole = [r["d"] for rows in parts for r in rows if "d" in r and not math.isnan(r["d"])]
    if whole:
        assert from_bytes(DoubleType(), entry.lower_bounds[2]) == min(whole)
        assert from_bytes(DoubleType(), entry.upper_bounds[2]) == max(whole)


def _nans(found: Any) -> int:
    return sum(v is not None and math.isnan(v) for v in found)


ID = b"PARQUET:field_id"


def field(name: str, kind: pa.DataType, number: int, nullable: bool = True) -> pa.Field:
    return pa.field(name, kind, nullable, {ID: str(number)})


LONG, TEXT = NestedField(1, "a", LongType()), NestedField(2, "s", StringType())
LIST = NestedField(3, "l", ListType(4, LongType(), False))
STRUCT = NestedField(5, "o", StructType(NestedField(6, "p", LongType())))
UNFIT: dict[str, tuple[list[pa.Field], list[NestedField], str]] = {
    "no field id": ([pa.field("a", pa.int64())], [LONG], "its column a has no field id"),
    "an id twice": ([field("a", pa.int64(), 1), field("b", pa.int64(), 1)], [LONG], "has the field id of another column"),
    "text for a number": ([field("a", pa.string(), 1)], [LONG], "its column a is string, the table's is int64"),
    "narrower": ([field("a", pa.int64(), 1)], [NestedField(1, "a", IntegerType())], "is int64, the table's is int32"),
    "scale": ([field("a", pa.decimal128(5, 1), 1)], [NestedField(1, "a", DecimalType(9, 2))], "is decimal128"),
    "nanoseconds": ([field("a", pa.timestamp("ns"), 1)], [NestedField(1, "a", TimestampType())], "is timestamp[ns]"),
    "no zone": ([field("a", pa.timestamp("us"), 1)], [NestedField(1, "a", TimestamptzType())], "is timestamp[us]"),
    "lacks a required one": ([field("s", pa.string(), 2)], [NestedField(1, "a", LongType(), required=True), TEXT], "it lacks the column a"),
    "inside a list": ([field("l", pa.list_(field("element", pa.int32(), 4)), 3)], [LIST], "its column l is"),
    "another id inside a list": ([field("l", pa.list_(field("element", pa.int64(), 9)), 3)], [LIST], "its column l is"),
    "another name inside a struct": ([field("o", pa.struct([field("q", pa.int64(), 6)]), 5)], [STRUCT], "its column o is"),
    "a field more inside a struct": ([field("o", pa.struct([field("p", pa.int64(), 6), field("q", pa.int64(), 7)]), 5)], [STRUCT], "its column o is"),
    "null inside, required now": ([field("l", pa.list_(field("element", pa.int64(), 4)), 3)], [NestedField(3, "l", ListType(4, LongType(), True))], "its column l is"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNFIT)
def test_a_file_whose_columns_do_not_fit_is_not_copied(tmp_path: Path, case: str) -> None:
    fields, wanted, said = UNFIT[case]
    file, rows = written(tmp_path, [{f.name: None for f in fields}], pa.schema(fields))
    schema = Schema(*wanted)
    io = load_file_io({}, f"file://{tmp_path}")
    assert said in why_unfit(io, f"file://{file}", rows, Columns(schema, UNPARTITIONED_PARTITION_SPEC))
    out = copy_files(order_for(target(tmp_path, schema), (file, rows)), 0)
    assert out.files == ()
    assert out.unfit is not None
    assert out.unfit[0] == f"file://{file}"
    assert said in out.unfit[1]


def test_int96_is_not_copied(tmp_path: Path) -> None:
    schema = Schema(NestedField(1, "a", TimestampType()))
    rows = [{"a": datetime(3000, 1, 1)}]
    file, count = written(tmp_path, rows, arrow_schema(schema), use_deprecated_int96_timestamps=True)
    io = load_file_io({}, f"file://{tmp_path}")
    columns = Columns(schema, UNPARTITIONED_PARTITION_SPEC)
    assert why_unfit(io, f"file://{file}", count, columns) == "it has INT96 timestamps"


def test_a_value_that_only_the_partition_has_is_not_taken_for_null(tmp_path: Path) -> None:
    spec = PartitionSpec(PartitionField(1, 1000, IdentityTransform(), "a"))
    file, count = written(tmp_path, [{"s": "x"}], pa.schema([field("s", pa.string(), 2)]))
    io = load_file_io({}, f"file://{tmp_path}")
    assert "lacks the column a" in why_unfit(io, f"file://{file}", count, Columns(Schema(LONG, TEXT), spec))
    assert why_unfit(io, f"file://{file}", count, Columns(Schema(LONG, TEXT), UNPARTITIONED_PARTITION_SPEC)) == ""


def test_files_that_are_gone_or_no_parquet_or_have_other_rows_are_reported(tmp_path: Path) -> None:
    io, columns = load_file_io({}, f"file://{tmp_path}"), Columns(Schema(LONG), UNPARTITIONED_PARTITION_SPEC)
    assert why_unfit(io, f"file://{tmp_path}/none.parquet", 1, columns) == "its file is gone"
    (tmp_path / "x").write_text("x" * 100)
    assert why_unfit(io, f"file://{tmp_path}/x", 1, columns) == "it cannot be read as Parquet"
    file, count = written(tmp_path, [{"a": 1}], arrow_schema(Schema(LONG)))
    whole = file.read_bytes()
    (tmp_path / "y").write_bytes(whole[:-40] + b"\xff" * 32 + whole[-8:])
    assert why_unfit(io, f"file://{tmp_path}/y", 1, columns) == "it cannot be read as Parquet"
    assert why_unfit(io, f"file://{file}", count + 1, columns) == "it does not have the rows that its manifest says"
    for wrong in (0, 2):
        with pytest.raises(BooksUnbalanced, match=rf"have {wrong} rows\. 1 were read"):
            copy_files(order_for(target(tmp_path, Schema(LONG)), (file, wrong)), 0)
    with pytest.raises(TableUnfit, match="is gone"):
        copy_files(order_for(target(tmp_path, Schema(LONG)), (tmp_path / "none.parquet", 1)), 0)


def test_a_null_in_a_column_that_is_required_now_is_refused(tmp_path: Path) -> None:
    schema = Schema(NestedField(1, "a", LongType(), required=True))
    file, count = written(tmp_path, [{"a": None}], pa.schema([field("a", pa.int64(), 1)]))
    out = copy_files(order_for(target(tmp_path, schema), (file, count)), 0)
    assert out.files == ()
    assert out.unfit == (f"file://{file}", "its column a has nulls, which the table's must not have")


@pytest.mark.parametrize(("rows", "order_id"), [(100, 1), (60_000, None)])
def test_sorted_files_stay_sorted_as_the_write_path_sorts(tmp_path: Path, rows: int, order_id: int | None) -> None:
    """One row group is sorted as a whole; of several each by itself, and the file claims no more than that."""
    schema = Schema(LONG, TEXT)
    order = SortOrder(SortField(1, IdentityTransform()), order_id=1)
    half = [[{"a": n, "s": "x" * 20} for n in range(k, rows, 2)] for k in (0, 1)]
    files = [written(tmp_path, of_it, arrow_schema(schema)) for of_it in half]
    within = target(tmp_path, schema, order, **{"write.parquet.row-group-size-bytes": str(1 << 20)})
    (out,) = copy_files(order_for(within, *files), 0).files
    assert decode_data_file(out.detail).entry.sort_order_id == order_id
    with pq.ParquetFile(out.path.removeprefix("file://")) as found:
        groups = [found.read_row_group(n)["a"].to_pylist() for n in range(found.num_row_groups)]
    assert all(group == sorted(group) for group in groups)
    assert (len(groups) == 1) == (order_id is not None)
    assert sorted(n for group in groups for n in group) == list(range(rows))


def test_coarser_times_and_dropped_columns_are_taken_for_what_they_are(tmp_path: Path) -> None:
    schema = Schema(NestedField(1, "a", TimestamptzType()), NestedField(9, "new", LongType()))
    theirs = pa.schema([field("was", pa.timestamp("ms", "Europe/Berlin"), 1), field("gone.x", pa.int64(), 5)])
    moment = datetime(2026, 7, 1, 12, tzinfo=UTC)
    file, count = written(tmp_path, [{"was": moment, "gone.x": 1}], theirs)
    (out,) = copy_files(order_for(target(tmp_path, schema), (file, count)), 0).files
    assert read(out.path) == [{"a": moment, "new": None}]


def test_no_file_is_made_of_no_rows(tmp_path: Path) -> None:
    files = [written(tmp_path, [], arrow_schema(Schema(LONG))) for _ in range(2)]
    assert copy_files(order_for(target(tmp_path, Schema(LONG)), *files), 0).files == ()


def test_plain_values_of_each_type(tmp_path: Path) -> None:
    """What hypothesis seldom draws together."""
    row = {
        "i": 1, "d": math.inf, "s": "ä", "b": b"\0", "u": uuid.uuid4().bytes, "x": b"ab", "n": Decimal("-0.01"),
        "day": date(1, 1, 1), "t": time(23, 59, 59, 999_999), "ts": datetime(9999, 12, 31, 23, 59, 59, 999_999),
        "tz": datetime(1, 1, 1, tzinfo=UTC), "l": [None, ""], "deep": [{"f": math.nan, "m": [("k", [None, math.nan])]}, None],
        "m": [("a", math.nan), ("b", None)],
    }  # fmt: skip
    files = [written(tmp_path, [row, {}, row], arrow_schema(SCHEMA)) for _ in range(2)]
    (out,) = copy_files(order_for(target(tmp_path, SCHEMA), *files), 0).files
    assert read(out.path) == 2 * read(str(files[0][0]))
    assert decode_data_file(out.detail).entry.nan_value_counts[42] == 4
