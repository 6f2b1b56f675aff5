"""Parquet settings in a table's properties, read in one place, so that the check and the writer agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lakelock.errors import State, TableUnfit

_CODEC = "write.parquet.compression-codec"
_LEVEL = "write.parquet.compression-level"
_CODECS = ("zstd", "gzip", "snappy", "lz4", "lz4_raw", "brotli", "uncompressed", "none")
# Codecs that take a level; for others engines ignore the property, and so does lakelock.
_LEVELS = {"zstd": (-(2**31), 2**31 - 1), "gzip": (-1, 9), "brotli": (-(2**31), 2**31 - 1)}
_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ParquetOptions:
    """Sizes are in bytes except `page_rows`; None leaves the choice to the writer."""

    codec: str
    level: int | None
    page_bytes: int
    page_rows: int
    dictionary_bytes: int
    row_group_bytes: int | None
    file_bytes: int | None


def parquet_options(table: str, properties: Mapping[str, str]) -> ParquetOptions:
    """Parse *properties*; raises TableUnfit, which names every property under which no file can be written.

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
    )
    if faults:
        raise TableUnfit(
            f"table {table}: no file can be written with its properties: {'; '.join(faults)}.",
            State.PART_PLANNED,
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
