"""Settings of data files in a table's properties, read in one place, so that the check and the writer agree.

Names and defaults are those of Apache Iceberg's table configuration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Boolean, Column, ColumnType, ListOf, MapOf, Struct
from lakelock.model.distribution import DISTRIBUTION_MODE, has_no_effect

_CODEC = "write.parquet.compression-codec"
_LEVEL = "write.parquet.compression-level"
_CODECS = ("zstd", "gzip", "snappy", "lz4", "lz4_raw", "brotli", "uncompressed", "none")
# Codecs that take a level; for others engines ignore the property, and so does lakelock.
_LEVELS = {"zstd": (-(2**31), 2**31 - 1), "gzip": (-1, 9), "brotli": (-(2**31), 2**31 - 1)}
_LARGEST = 2**63 - 1
_PAGE_VERSION = "write.parquet.page-version"
_PAGE_VERSIONS = {"v1": "1.0", "v2": "2.0"}
# Each is followed by the name of a column.
_DICTIONARY = "write.parquet.dict-encoding-enabled.column."
_BLOOM = "write.parquet.bloom-filter-enabled.column."
_BLOOM_FPP = "write.parquet.bloom-filter-fpp.column."
_BLOOM_NDV = "write.parquet.bloom-filter-ndv.column."
_BLOOM_MAX_BYTES = "write.parquet.bloom-filter-max-bytes"
# Bounds of a filter, and of its share of false positives: others are of no use.
_FILTER_BYTES = (32, 128 << 20)
_FPP = (1e-6, 0.5)
_OF_COLUMNS = (_DICTIONARY, _BLOOM, _BLOOM_FPP, _BLOOM_NDV)
_METRICS_OF_COLUMN = "write.metadata.metrics.column."
_HONOURED = frozenset(
    (
        _CODEC,
        "write.parquet.page-size-bytes",
        "write.parquet.page-row-limit",
        "write.parquet.dict-size-bytes",
        "write.parquet.row-group-size-bytes",
        "write.metadata.metrics.default",
    )
)
# Properties of other files are not meant.
_OF_DATA_FILES = ("write.parquet.", "write.metadata.metrics.", "write.object-storage.", "write.location-provider.")


@dataclass(frozen=True, slots=True)
class BloomFilter:
    """For *distinct* values of a row group, and this probability of a false positive."""

    distinct: int
    fpp: float


@dataclass(frozen=True, slots=True)
class ParquetOptions:
    """Sizes are in bytes except `page_rows`; None leaves the choice to the writer.

    *dictionaries* says for some columns whether they get a dictionary; these and *bloom_filters* are by name.
    """

    codec: str
    level: int | None
    page_bytes: int
    page_rows: int
    dictionary_bytes: int
    row_group_bytes: int | None
    file_bytes: int | None
    page_version: str
    dictionaries: Mapping[str, bool]
    bloom_filters: Mapping[str, BloomFilter]


def parquet_options(table: str, properties: Mapping[str, str], state: State = State.PART_PLANNED) -> ParquetOptions:
    """Parse *properties*; raises TableUnfit, which names every property under which no file can be written, with *state*.

    Checked before the Parquet library sees them: it loops forever with 0 rows per page, and a negative value crashes
    the process.
    """
    faults: list[str] = []
    codec = properties.get(_CODEC, "zstd").strip().lower()
    if codec not in _CODECS:
        faults.append(f"{_CODEC} is {properties[_CODEC]!r}, but must be one of {', '.join(_CODECS)}")
    level = None
    if codec in _LEVELS:
        low, high = _LEVELS[codec]
        level = _whole(properties, _LEVEL, low, high, faults)

    def size(name: str) -> int | None:
        return _whole(properties, name, 1, _LARGEST, faults)

    options = ParquetOptions(
        codec="none" if codec == "uncompressed" else codec,
        level=level,
        page_bytes=size("write.parquet.page-size-bytes") or 1 << 20,
        page_rows=size("write.parquet.page-row-limit") or 20_000,
        dictionary_bytes=size("write.parquet.dict-size-bytes") or 2 << 20,
        row_group_bytes=size("write.parquet.row-group-size-bytes"),
        file_bytes=size("write.target-file-size-bytes"),
        page_version=_PAGE_VERSIONS.get(properties.get(_PAGE_VERSION, "").strip().lower(), "1.0"),
        dictionaries=_flags(properties, _DICTIONARY),
        bloom_filters=_bloom_filters(properties),
    )
    if faults:
        raise TableUnfit(
            f"table {table}: no file can be written with its properties: {'; '.join(faults)}.",
            state,
            "Fix the property in the table: the next run reads it again. Other tables continue."
            if state is State.PART_PLANNED
            else "Fix the property.",
        )
    return options


def _whole(properties: Mapping[str, str], name: str, low: int, high: int, faults: list[str]) -> int | None:
    if name not in properties:
        return None
    try:
        value = int(properties[name])
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        faults.append(f"{name} is {properties[name]!r}, but must be a whole number from {low} to {high}")
        return None
    return value


def of_column(name: str) -> tuple[str, str] | None:
    """A property's name as two parts, of which the second names the column that it is about; None for any other."""
    prefix = next((p for p in (*_OF_COLUMNS, _METRICS_OF_COLUMN) if name.startswith(p)), None)
    return None if prefix is None else (prefix, name.removeprefix(prefix))


def not_honoured(
    properties: Mapping[str, str], columns: Sequence[Column], *, may_be_shuffled: bool = False
) -> list[str]:
    """Properties about data files that lakelock, or a table with these *columns*, gives no effect; in order."""
    kinds = _named(columns)
    out = [name for name in properties if name.startswith(_OF_DATA_FILES) and not _has_effect(name, properties, kinds)]
    if properties.get("write.format.default", "parquet").lower() != "parquet":
        out.append("write.format.default")
    if has_no_effect(properties, may_be_shuffled=may_be_shuffled):
        out.append(DISTRIBUTION_MODE)
    return sorted(out)


def _has_effect(name: str, properties: Mapping[str, str], kinds: Mapping[str, ColumnType]) -> bool:
    value, filters = properties[name].strip().lower(), _flags(properties, _BLOOM)
    if name == _LEVEL:
        return properties.get(_CODEC, "zstd").strip().lower() in _LEVELS
    if name == _PAGE_VERSION:
        return value in _PAGE_VERSIONS
    if name == _BLOOM_MAX_BYTES:
        return _number(properties, name) is not None and any(filters.values())
    if name in _HONOURED:
        return True
    prefix = next((p for p in (*_OF_COLUMNS, _METRICS_OF_COLUMN) if name.startswith(p)), None)
    if prefix is None:
        return False
    column = name.removeprefix(prefix)
    kind = kinds.get(column)
    if kind is None or isinstance(kind, Struct | ListOf | MapOf):
        return False
    if prefix in (_BLOOM, _BLOOM_FPP, _BLOOM_NDV):
        # The Parquet library makes no filter for two values.
        if isinstance(kind, Boolean) or not (prefix == _BLOOM or filters.get(column)):
            return False
        if prefix == _BLOOM_FPP:
            return _probability(properties, name) is not None
        if prefix == _BLOOM_NDV:
            return _number(properties, name) is not None
    return True


def _named(columns: Sequence[Column]) -> dict[str, ColumnType]:
    """Columns of all levels by the name that Iceberg gives them."""
    out: dict[str, ColumnType] = {}
    for column in columns:
        out |= _within(column.name, column.type)
    return out


def _within(name: str, kind: ColumnType) -> dict[str, ColumnType]:
    out = {name: kind}
    match kind:
        case Struct():
            for field in kind.fields:
                out |= _within(f"{name}.{field.name}", field.type)
        case ListOf():
            out |= _within(f"{name}.element", kind.element)
        case MapOf():
            out |= _within(f"{name}.key", kind.key) | _within(f"{name}.value", kind.value)
    return out


def _flags(properties: Mapping[str, str], prefix: str) -> dict[str, bool]:
    """By column; as Iceberg reads it, anything but true is false."""
    return {
        name.removeprefix(prefix): text.strip().lower() == "true"
        for name, text in properties.items()
        if name.startswith(prefix)
    }


def _bloom_filters(properties: Mapping[str, str]) -> dict[str, BloomFilter]:
    """A setting that is no number within its bounds counts as not there."""
    least, most = _FILTER_BYTES
    most_bytes = min(max(_number(properties, _BLOOM_MAX_BYTES) or 1 << 20, least), most)
    out = {}
    for column in (column for column, is_enabled in _flags(properties, _BLOOM).items() if is_enabled):
        fpp = _probability(properties, _BLOOM_FPP + column) or 0.01
        distinct = most_distinct(most_bytes, fpp)
        out[column] = BloomFilter(min(_number(properties, _BLOOM_NDV + column) or distinct, distinct), fpp)
    return out


def most_distinct(most_bytes: int, fpp: float) -> int:
    """Values for which a filter of blocks takes at most so many bytes, rounded down to a power of two.

    The size is that of the Parquet specification: `-8 n / ln(1 - fpp^(1/8))` bits. The Parquet library takes 31 bits.
    """
    bits = 8 << (most_bytes.bit_length() - 1)
    return min(max(1, math.floor(-bits * math.log(1 - fpp ** (1 / 8)) / 8)), 2**31 - 1)


def _number(properties: Mapping[str, str], name: str) -> int | None:
    """A whole number above 0."""
    text = properties.get(name, "").strip()
    return int(text) if text.isdecimal() and int(text) else None


def _probability(properties: Mapping[str, str], name: str) -> float | None:
    try:
        value = float(properties.get(name, ""))
    except ValueError:
        return None
    least, most = _FPP
    return value if least <= value <= most else None
