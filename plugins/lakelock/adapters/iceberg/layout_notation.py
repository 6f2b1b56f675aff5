"""A table's layout in the notation of pipeline files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.sorting import NullOrder, SortDirection, SortOrder
from pyiceberg.transforms import Transform, VoidTransform

from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.ports import TableState

_PLAIN = re.compile(r"[\w.]+")
_PARAMETER = re.compile(r"(\w+)\[(\d+)\]")


def layout_text(schema: Schema, spec: PartitionSpec, order: SortOrder) -> str:
    """Text like `partitioned by day(at), bucket(16, id); sorted by id`."""
    return expressions_text(partition_expressions(schema, spec), sort_expressions(schema, order))


def partition_expressions(schema: Schema, spec: PartitionSpec) -> tuple[str, ...]:
    """Dropped (void) partition fields are omitted."""
    fields = (f for f in spec.fields if not isinstance(f.transform, VoidTransform))
    return tuple(_text(f.transform, schema.find_column_name(f.source_id)) for f in fields)


def sort_expressions(schema: Schema, order: SortOrder) -> tuple[str, ...]:
    keys = []
    for key in order.fields:
        descending = key.direction is SortDirection.DESC
        usual = NullOrder.NULLS_LAST if descending else NullOrder.NULLS_FIRST
        nulls = "" if key.null_order is usual else f" {key.null_order.value.replace('-', ' ')}"
        text = _text(key.transform, schema.find_column_name(key.source_id))
        keys.append(text + (" desc" if descending else "") + nulls)
    return tuple(keys)


def layout_of(state: TableState) -> str:
    """Layout text of a loaded table."""
    of = FileLayout.of(state.layout)
    return layout_text(of.schema, of.spec, of.sort_order)


def expressions_text(partition_by: Sequence[str], sort_by: Sequence[str]) -> str:
    """Layout text from a pipeline file's expressions, if the columns are not known yet."""
    partitioned = f"partitioned by {', '.join(partition_by)}" if partition_by else "not partitioned"
    return f"{partitioned}; sorted by {', '.join(sort_by)}" if sort_by else partitioned


def _text(transform: Transform[object, object], column: str | None) -> str:
    name = "a column that is gone" if column is None else _quoted(column)
    said = str(transform)
    if said == "identity":
        return name
    if match := _PARAMETER.fullmatch(said):
        return f"{match[1]}({match[2]}, {name})"
    return f"{said}({name})"


def _quoted(column: str) -> str:
    return column if _PLAIN.fullmatch(column) else "`" + column.replace("`", "``") + "`"
