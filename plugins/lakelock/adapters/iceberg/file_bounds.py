"""Bounds of a data file's partitions and offsets, from its manifest entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pyiceberg.conversions import from_bytes
from pyiceberg.manifest import DataFile
from pyiceberg.types import PrimitiveType

from lakelock.adapters.iceberg.handle import Handle
from lakelock.model.table_files import FileView


class BoundColumn(NamedTuple):
    """A column that has bounds in manifests."""

    field_id: int
    type: PrimitiveType


def column(handle: Handle, name: str) -> BoundColumn | None:
    """None if the table has no such column, or it is a nested one."""
    try:
        field = handle.metadata.schema().find_field(name)
    except ValueError:
        return None
    return BoundColumn(field.field_id, field.field_type) if isinstance(field.field_type, PrimitiveType) else None


def bounds(file: DataFile, of: BoundColumn | None) -> tuple[int | None, int | None]:
    """The smallest and the largest integer of a column; None if unknown."""
    return _bound(file.lower_bounds or {}, of), _bound(file.upper_bounds or {}, of)


def file_view(
    file: DataFile, partition: BoundColumn | None, offset: BoundColumn | None, snapshot_id: int | None = None
) -> FileView:
    return FileView(
        file.file_path,
        file.file_size_in_bytes,
        file.record_count,
        snapshot_id,
        *bounds(file, partition),
        *bounds(file, offset),
    )


def _bound(known: Mapping[int, bytes], of: BoundColumn | None) -> int | None:
    if of is None or (raw := known.get(of.field_id)) is None:
        return None
    value = from_bytes(of.type, raw)
    return value if isinstance(value, int) else None
