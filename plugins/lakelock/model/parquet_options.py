"""Settings of data files in a table's properties, read in one place, so that the check and the writer agree.

Names and defaults are those of Apache Iceberg's table configuration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Boolean, Column, ColumnType, ListOf, MapOf, Struct

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
_OF_COLUMNS = (_DICTIONARY, _BLOOM, _BLOOM_FPP, _BLOOM_NDV)
_METRICS_OF_COLUMN = "write.metadata.metrics.column."
_HONOURED = frozenset(
    (
        _CODEC,
        _LEVEL,
        _PAGE_VERSION,
        _BLOOM_MAX_BYTES,
        "write.parquet.page-size-bytes",
        "write.parquet.page-row-limit",
        "write.parquet.dict-size-bytes",
        "write.parquet.row-group-size-bytes",
        "write.metadata.metrics.default",
    )
)
# Properties of other files, or of how an engine distributes rows, are not meant.
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
        page_version=_page_version(properties, faults),
        dictionaries=_flags(properties, _DICTIONARY, faults),
        bloom_filters=_bloom_filters(properties, faults),
    )
    if faults:
        raise TableUnfit(
            f"table {table}: no file can be written with its properties: {'; '.join(faults)}.",
            state,
            "Fix the property in the table: the next run reads it again. Other tables continue.",
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


def not_honoured(properties: Mapping[str, str], columns: Sequence[Column]) -> list[str]:
    """Properties about data files that lakelock, or a table with these *columns*, gives no effect; in order."""
    kinds = _named(columns)
    out = [name for name in properties if name.startswith(_OF_DATA_FILES) and not _has_effect(name, kinds)]
    if properties.get("write.format.default", "parquet").lower() != "parquet":
        out.append("write.format.default")
    return sorted(out)


def _has_effect(name: str, kinds: Mapping[str, ColumnType]) -> bool:
    if name in _HONOURED:
        return True
    for prefix in (*_OF_COLUMNS, _METRICS_OF_COLUMN):
        if name.startswith(prefix):
            kind = kinds.get(name.removeprefix(prefix))
            # The Parquet library makes no bloom filter for two values.
            is_useless = isinstance(kind, Boolean) and prefix in (_BLOOM, _BLOOM_FPP, _BLOOM_NDV)
            return not (kind is None or isinstance(kind, Struct | ListOf | MapOf) or is_useless)
    return False


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


def _page_version(properties: Mapping[str, str], faults: list[str]) -> str:
    text = properties.get(_PAGE_VERSION, "v1").strip().lower()
    if text not in _PAGE_VERSIONS:
        faults.append(
            f"{_PAGE_VERSION} is {properties[_PAGE_VERSION]!r}, but must be one of {', '.join(_PAGE_VERSIONS)}"
        )
    return _PAGE_VERSIONS.get(text, "1.0")


def _flags(properties: Mapping[str, str], prefix: str, faults: list[str]) -> dict[str, bool]:
    """By column."""
    out = {}
    for name in (n for n in properties if n.startswith(prefix)):
        text = properties[name].strip().lower()
        if text not in ("true", "false"):
            faults.append(f"{name} is {properties[name]!r}, but must be true or false")
        out[name.removeprefix(prefix)] = text == "true"
    return out


def _bloom_filters(properties: Mapping[str, str], faults: list[str]) -> dict[str, BloomFilter]:
    most_bytes = _whole(properties, _BLOOM_MAX_BYTES, 32, 128 << 20, faults) or 1 << 20
    out = {}
    for column, is_enabled in _flags(properties, _BLOOM, faults).items():
        fpp = _probability(properties, _BLOOM_FPP + column, faults)
        distinct = _whole(properties, _BLOOM_NDV + column, 1, _LARGEST, faults)
        most = most_distinct(most_bytes, fpp)
        if is_enabled:
            out[column] = BloomFilter(most if distinct is None else min(distinct, most), fpp)
    return out


def most_distinct(most_bytes: int, fpp: float) -> int:
    """Values for which a filter of blocks takes at most so many bytes, which are a power of two.

    The size is that of the Parquet specification: `-8 n / ln(1 - fpp^(1/8))` bits.
    """
    bits = 8 << (most_bytes.bit_length() - 1)
    return max(1, math.floor(-bits * math.log(1 - fpp ** (1 / 8)) / 8))


def _probability(properties: Mapping[str, str], name: str, faults: list[str]) -> float:
    if name not in properties:
        return 0.01
    try:
        value = float(properties[name])
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        faults.append(f"{name} is {properties[name]!r}, but must be a number between 0 and 1")
        return 0.01
    return value
