"""Columns from their notation in pipeline files."""

from __future__ import annotations

from collections.abc import Mapping

from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.model.column_types import Column
from lakelock.model.layouts import Layout
from lakelock.model.type_notation import parse_type
from pyiceberg.partitioning import UNPARTITIONED_PARTITION_SPEC, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER, SortOrder


def columns(types: Mapping[str, str], required: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """By name, in order."""
    return tuple(Column(name, parse_type(text), name in required) for name, text in types.items())


def layout(
    of: Schema | tuple[Column, ...],
    spec: PartitionSpec = UNPARTITIONED_PARTITION_SPEC,
    sort_order: SortOrder = UNSORTED_SORT_ORDER,
) -> Layout:
    """That of a table with these columns."""
    return FileLayout(of if isinstance(of, Schema) else schema_from(of), spec, sort_order).layout
