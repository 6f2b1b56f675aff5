"""What is the same for all data files of a layout: their Arrow schema, and the statistics that are kept of their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import orjson
import pyarrow as pa
from pyiceberg.io.pyarrow import compute_statistics_plan, parquet_path_to_id_mapping, schema_to_pyarrow
from pyiceberg.schema import Schema
from pyiceberg.types import BooleanType

from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.file_statistics import FLOATING, MeasuredColumn
from lakelock.model.layouts import Layout
from lakelock.records.hidden_nulls import may_hide

# Thousands of tables that a task writes are mostly alike.
_KEPT = 64


def arrow_schema(schema: Schema) -> pa.Schema:
    """Arrow's form of an Iceberg schema, with field ids and non-large string and binary types."""
    plain = schema_to_pyarrow(schema, include_field_ids=True)
    return pa.schema([_small(f) for f in plain])


@dataclass(frozen=True, slots=True, eq=False)
class FileForm:
    """What is the same for all files of a layout and properties, mostly one object."""

    layout: FileLayout
    arrow_schema: pa.Schema
    # By their place in a file.
    measured: dict[str, MeasuredColumn]
    column_ids: dict[str, int]
    # Ids of columns with numbers that may be NaN.
    floating: tuple[int, ...]
    # Columns at the top with such numbers, and indexes of those that may have hidden nulls.
    with_floating: tuple[tuple[int, pa.Field], ...]
    hiding: tuple[int, ...]
    booleans: frozenset[str]

    @classmethod
    def of(cls, layout: Layout, properties: Mapping[str, str]) -> FileForm:
        """Raises what PyIceberg does for properties that it does not take."""
        return _form(orjson.dumps(layout.details).decode(), tuple(sorted(properties.items())))


@lru_cache(maxsize=_KEPT)
def _form(details: str, properties: tuple[tuple[str, str], ...]) -> FileForm:
    layout = FileLayout.read(details)
    schema, arrow = layout.schema, _arrow_schema(details)
    plan = compute_statistics_plan(schema, dict(properties))
    column_ids = parquet_path_to_id_mapping(schema)
    return FileForm(
        layout,
        arrow,
        {path: MeasuredColumn.of(plan[column_id], column_id) for path, column_id in column_ids.items()},
        column_ids,
        tuple(n for n, of in plan.items() if str(of.iceberg_type) in FLOATING),
        tuple((n, field) for n, field in enumerate(arrow) if _may_have_nan(field.type)),
        tuple(n for n, kind in enumerate(arrow.types) if may_hide(kind)),
        frozenset(n for n in schema.column_names if isinstance(schema.find_type(n), BooleanType)),
    )


def _may_have_nan(kind: pa.DataType) -> bool:
    if kind.num_fields:
        return any(_may_have_nan(kind.field(n).type) for n in range(kind.num_fields))
    return bool(pa.types.is_floating(kind))


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
