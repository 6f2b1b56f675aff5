"""What a manifest says of the columns of a data file, from the file's footer.

PyIceberg's own function finds the same, in a time in which a small file is written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow.parquet as pq
from pyiceberg.conversions import to_bytes
from pyiceberg.io.pyarrow import MetricModeTypes, StatisticsCollector
from pyiceberg.types import (
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    PrimitiveType,
    StringType,
    TimestampType,
    TimestamptzType,
)
from pyiceberg.utils.decimal import unscaled_to_decimal
from pyiceberg.utils.truncate import truncate_upper_bound_binary_string, truncate_upper_bound_text_string

FLOATING = ("float", "double")
# Of these types, the raw values of a footer are what Iceberg stores. PyIceberg's function starts from the schema for each value.
_RAW: dict[type[PrimitiveType], str] = {
    IntegerType: "<i",
    LongType: "<q",
    FloatType: "<f",
    DoubleType: "<d",
    DateType: "<i",
    TimestampType: "<q",
    TimestamptzType: "<q",
}
_BOUNDED = (MetricModeTypes.TRUNCATE, MetricModeTypes.FULL)
# Python's first and last date, in days and in microseconds: PyIceberg gives others no bounds.
_DAYS = (-719_162, 2_932_896)
_MICROS = (-62_135_596_800_000_000, 253_402_300_799_999_999)
_LIMITS = {DateType: _DAYS, TimestampType: _MICROS, TimestamptzType: _MICROS}


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredColumn:
    """What is wanted of a column. *length* is that of its bounds, which *encode* makes bytes of; others than those within
    *limits* are left out."""

    column_id: int
    kind: PrimitiveType
    is_counted: bool
    is_bounded: bool
    is_floating: bool
    is_raw: bool
    limits: tuple[int, int] | None
    length: int | None
    encode: Callable[[Any], bytes]

    @classmethod
    def of(cls, wanted: StatisticsCollector, column_id: int) -> MeasuredColumn:
        kind, mode = wanted.iceberg_type, wanted.mode
        raw = _RAW.get(type(kind))
        return cls(
            column_id,
            kind,
            mode.type is not MetricModeTypes.NONE,
            mode.type in _BOUNDED,
            str(kind) in FLOATING,
            raw is not None,
            _LIMITS.get(type(kind)),
            mode.length,
            partial(to_bytes.dispatch(type(kind)), kind) if raw is None else struct.Struct(raw).pack,
        )


def file_statistics(metadata: pq.FileMetaData, columns: Mapping[str, MeasuredColumn]) -> dict[str, Any]:
    """Arguments of a manifest's entry, but for the counts of NaN, which no footer has. *columns* are by their place in the
    file."""
    sizes, values, nulls = dict[int, int](), dict[int, int](), dict[int, int | None]()
    bounds = dict[MeasuredColumn, tuple[Any, Any] | None]()
    first_pages: list[int] = []
    places = range(metadata.num_columns)
    # Each attribute of these is a call, which makes an object: a small file is written in the time of a few hundred.
    for group_no in range(metadata.num_row_groups):
        group = metadata.row_group(group_no)
        for n in places:
            chunk = group.column(n)
            if not n:
                first_pages.append(_first_page(chunk))
            column = columns[chunk.path_in_schema]
            column_id = column.column_id
            sizes[column_id] = sizes.get(column_id, 0) + chunk.total_compressed_size
            if not column.is_counted:
                continue
            values[column_id] = values.get(column_id, 0) + chunk.num_values
            found = chunk.statistics
            before = nulls.get(column_id, 0)
            has_count = before is not None and found is not None and found.has_null_count
            nulls[column_id] = before + found.null_count if has_count else None
            if column.is_bounded:
                _widen(bounds, column, found)
    lower, upper = dict[int, bytes](), dict[int, bytes]()
    for column, of_column in bounds.items():
        if of_column is not None:
            least, most = of_column
            lower[column.column_id] = column.encode(least if column.length is None else least[: column.length])
            if (above := _upper(column, most)) is not None:
                upper[column.column_id] = above
    return {
        "record_count": metadata.num_rows,
        "column_sizes": sizes,
        "value_counts": values,
        "null_value_counts": {column_id: count for column_id, count in nulls.items() if count is not None},
        "lower_bounds": lower,
        "upper_bounds": upper,
        "split_offsets": sorted(first_pages),
    }


def _widen(
    bounds: dict[MeasuredColumn, tuple[Any, Any] | None], column: MeasuredColumn, statistics: pq.Statistics | None
) -> None:
    """Take in those of a row group. None once one with values has no bounds: those of the others would hide its rows."""
    known = bounds.get(column, ())
    if known is None:
        return
    if statistics is None:
        bounds[column] = None
    elif not statistics.has_min_max:
        # Arrow omits bounds above 4 KiB. For floats it omits only NaN, which is never part of bounds.
        if statistics.num_values and not column.is_floating:
            bounds[column] = None
    elif (of_group := _least_and_most(statistics, column)) is None or not known:
        bounds[column] = of_group
    else:
        (low, high), (least, most) = of_group, known
        bounds[column] = min(least, low), max(most, high)


def _least_and_most(statistics: pq.Statistics, column: MeasuredColumn) -> tuple[Any, Any] | None:
    """None beyond the column's limits."""
    if column.is_raw:
        low, high = statistics.min_raw, statistics.max_raw
        is_within = column.limits is None or (column.limits[0] <= low and high <= column.limits[1])
        return (low, high) if is_within else None
    kind = column.kind
    if isinstance(kind, DecimalType) and statistics.physical_type != "FIXED_LEN_BYTE_ARRAY":
        return unscaled_to_decimal(statistics.min_raw, kind.scale), unscaled_to_decimal(statistics.max_raw, kind.scale)
    return statistics.min, statistics.max


def _upper(column: MeasuredColumn, value: Any) -> bytes | None:
    """None if no value of the column's length is above all that begin with *value*."""
    length = column.length
    if length is None or len(value) <= length:
        return column.encode(value)
    truncated = (
        truncate_upper_bound_text_string(value, length)
        if isinstance(column.kind, StringType)
        else truncate_upper_bound_binary_string(value, length)
    )
    # The character after U+D7FF is none.
    with suppress(UnicodeEncodeError):
        return None if truncated is None else column.encode(truncated)
    return None


def _first_page(column: pq.ColumnChunkMetaData) -> int:
    data: int = column.data_page_offset
    return min(data, column.dictionary_page_offset) if column.has_dictionary_page else data
