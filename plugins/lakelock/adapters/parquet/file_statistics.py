"""What a manifest says of the columns of a data file, from the file's footer.

PyIceberg's own function finds the same, in a time in which a small file is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq
from pyiceberg.conversions import to_bytes
from pyiceberg.io.pyarrow import MetricModeTypes, StatisticsCollector
from pyiceberg.types import BinaryType, DecimalType, PrimitiveType, StringType
from pyiceberg.utils.decimal import unscaled_to_decimal
from pyiceberg.utils.truncate import truncate_upper_bound_binary_string, truncate_upper_bound_text_string

FLOATING = ("float", "double")
_BOUNDED = (MetricModeTypes.TRUNCATE, MetricModeTypes.FULL)


@dataclass(slots=True)
class _Measured:
    """A column so far. *nulls* is None as soon as a row group does not count them, and bounds are left out for good as soon as
    one has none: those of the others would hide its rows."""

    wanted: StatisticsCollector
    kind: str
    is_bounded: bool
    size_bytes: int = 0
    values: int = 0
    nulls: int | None = 0
    least: Any = None
    most: Any = None

    def add(self, column: pq.ColumnChunkMetaData) -> None:
        self.size_bytes += column.total_compressed_size
        if self.wanted.mode.type is MetricModeTypes.NONE:
            return
        self.values += column.num_values
        statistics = column.statistics
        if statistics is None:
            self.nulls, self.is_bounded = None, False
            return
        if self.nulls is not None:
            self.nulls = self.nulls + statistics.null_count if statistics.has_null_count else None
        if not self.is_bounded:
            return
        if not statistics.has_min_max:
            # Arrow omits bounds above 4 KiB. For floats it omits only NaN, which is never part of bounds.
            self.is_bounded = statistics.num_values == 0 or self.kind in FLOATING
            return
        try:
            least, most = _bounds(statistics, self.wanted.iceberg_type)
        except OverflowError:
            # Years beyond the range of Python's dates.
            self.is_bounded = False
            return
        self.least = least if self.least is None else min(self.least, least)
        self.most = most if self.most is None else max(self.most, most)


def file_statistics(
    metadata: pq.FileMetaData, plan: Mapping[int, StatisticsCollector], column_ids: Mapping[str, int]
) -> dict[str, Any]:
    """Arguments of a manifest's entry, but for the counts of NaN, which no footer has. *column_ids* are those of the columns by
    their place in the file, and *plan* says what is wanted of each."""
    columns: dict[int, _Measured] = {}
    split_offsets = []
    for group in (metadata.row_group(n) for n in range(metadata.num_row_groups)):
        for n in range(metadata.num_columns):
            column = group.column(n)
            if n == 0:
                split_offsets.append(_first_page(column))
            column_id = column_ids[column.path_in_schema]
            if (measured := columns.get(column_id)) is None:
                wanted = plan[column_id]
                is_bounded = wanted.mode.type in _BOUNDED
                measured = columns[column_id] = _Measured(wanted, str(wanted.iceberg_type), is_bounded)
            measured.add(column)
    counted = {i: c for i, c in columns.items() if c.wanted.mode.type is not MetricModeTypes.NONE}
    lower, upper = dict[int, bytes](), dict[int, bytes]()
    for column_id, measured in counted.items():
        if measured.is_bounded and measured.least is not None:
            kind, length = measured.wanted.iceberg_type, measured.wanted.mode.length
            lower[column_id] = to_bytes(kind, measured.least if length is None else measured.least[:length])
            if (most := _upper(kind, measured.most, length)) is not None:
                # The character after U+D7FF is none.
                with suppress(UnicodeEncodeError):
                    upper[column_id] = to_bytes(kind, most)
    return {
        "record_count": metadata.num_rows,
        "column_sizes": {i: c.size_bytes for i, c in columns.items()},
        "value_counts": {i: c.values for i, c in counted.items()},
        "null_value_counts": {i: c.nulls for i, c in counted.items() if c.nulls is not None},
        "lower_bounds": lower,
        "upper_bounds": upper,
        "split_offsets": sorted(split_offsets),
    }


def _bounds(statistics: pq.Statistics, kind: PrimitiveType) -> tuple[Any, Any]:
    if isinstance(kind, DecimalType) and statistics.physical_type != "FIXED_LEN_BYTE_ARRAY":
        return unscaled_to_decimal(statistics.min_raw, kind.scale), unscaled_to_decimal(statistics.max_raw, kind.scale)
    return statistics.min, statistics.max


def _upper(kind: PrimitiveType, value: Any, length: int | None) -> Any:
    """None if no shorter value is above all that begin with *value*."""
    match kind:
        case StringType():
            return truncate_upper_bound_text_string(value, length)
        case BinaryType():
            return truncate_upper_bound_binary_string(value, length)
    return value


def _first_page(column: pq.ColumnChunkMetaData) -> int:
    data: int = column.data_page_offset
    return min(data, column.dictionary_page_offset) if column.has_dictionary_page else data
