"""What a manifest says of the columns of a data file, from the file's footer.

PyIceberg's own function finds the same, in a time in which a small file is written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
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
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    sizes, values, nulls = dict[int, int](), dict[int, int](), dict[int, int]()
    lower, upper = dict[int, bytes](), dict[int, bytes]()
    for n in range(metadata.num_columns if groups else 0):
        chunks = [group.column(n) for group in groups]
        column = columns[chunks[0].path_in_schema]
        column_id = column.column_id
        sizes[column_id] = sum(chunk.total_compressed_size for chunk in chunks)
        if not column.is_counted:
            continue
        values[column_id] = sum(chunk.num_values for chunk in chunks)
        found = [chunk.statistics for chunk in chunks]
        if all(one is not None and one.has_null_count for one in found):
            nulls[column_id] = sum(one.null_count for one in found)
        if column.is_bounded and (bounds := _bounds(found, column)) is not None:
            least, most = bounds
            lower[column_id] = column.encode(least if column.length is None else least[: column.length])
            if (above := _upper(column, most)) is not None:
                upper[column_id] = above
    return {
        "record_count": metadata.num_rows,
        "column_sizes": sizes,
        "value_counts": values,
        "null_value_counts": nulls,
        "lower_bounds": lower,
        "upper_bounds": upper,
        "split_offsets": sorted(_first_page(group.column(0)) for group in groups),
    }


def _bounds(found: Sequence[pq.Statistics | None], column: MeasuredColumn) -> tuple[Any, Any] | None:
    """Of all row groups. None if one with values has no bounds: those of the others would hide its rows."""
    least: Any = None
    most: Any = None
    for statistics in found:
        if statistics is None:
            return None
        if not statistics.has_min_max:
            # Arrow omits bounds above 4 KiB. For floats it omits only NaN, which is never part of bounds.
            if statistics.num_values and not column.is_floating:
                return None
            continue
        if (of_group := _least_and_most(statistics, column)) is None:
            return None
        low, high = of_group
        least = low if least is None else min(least, low)
        most = high if most is None else max(most, high)
    return None if least is None else (least, most)


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
