"""What is the same for all data files of a layout: their Arrow schema, and the statistics that are kept of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import orjson
import pyarrow as pa
from pyiceberg.io.pyarrow import (
    StatisticsCollector,
    compute_statistics_plan,
    parquet_path_to_id_mapping,
    schema_to_pyarrow,
)
from pyiceberg.schema import Schema

from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.model.layouts import Layout

# Thousands of tables that a task writes are mostly alike.
_KEPT = 64


def arrow_schema(schema: Schema) -> pa.Schema:
    """Arrow's form of an Iceberg schema, with field ids and non-large string and binary types."""
    plain = schema_to_pyarrow(schema, include_field_ids=True)
    return pa.schema([_small(f) for f in plain])


@dataclass(frozen=True, slots=True)
class FileForm:
    """What is the same for all files of a layout and properties."""

    statistics_plan: dict[int, StatisticsCollector]
    column_ids: dict[str, int]

    @classmethod
    def of(cls, layout: Layout, properties: Mapping[str, str]) -> FileForm:
        """Raises what PyIceberg does for properties that it does not take."""
        return _form(orjson.dumps(layout.details).decode(), tuple(sorted(properties.items())))


@lru_cache(maxsize=_KEPT)
def _form(details: str, properties: tuple[tuple[str, str], ...]) -> FileForm:
    schema = FileLayout.read(details).schema
    plan = compute_statistics_plan(schema, dict(properties))
    return FileForm(plan, parquet_path_to_id_mapping(schema))


@lru_cache(maxsize=_KEPT)
def _arrow_schema(details: str) -> pa.Schema:
    return arrow_schema(FileLayout.read(details).schema)


def arrow_schema_of(layout: Layout) -> pa.Schema:
    """As `arrow_schema`."""
    return _arrow_schema(orjson.dumps(layout.details).decode())


def _small(field: pa.Field) -> pa.Field:
    return field.with_type(small_type(field.type))


def small_type(kind: pa.DataType) -> pa.DataType:
    """The type with 32-bit offsets, which take half the memory; blocks are far below 2 GiB."""
    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_large_binary(kind):
        return pa.binary()
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(_small(kind.value_field))
    if pa.types.is_struct(kind):
        return pa.struct([_small(f) for f in kind])
    if pa.types.is_map(kind):
        return pa.map_(_small(kind.key_field), _small(kind.item_field))
    return kind
