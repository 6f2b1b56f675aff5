"""Files of the head that have rows of an interval, told by manifests and by the files themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pyiceberg.conversions import from_bytes
from pyiceberg.manifest import DataFile
from pyiceberg.types import NestedField, PrimitiveType, TimestamptzType

from lakelock.adapters import row_swap
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.live import live_where
from lakelock.core.compact import LiveFile
from lakelock.core.replace import Bounds, Compared, RowsOf
from lakelock.core.replace_dropped import OfTime
from lakelock.errors import TableUnfit

T = TypeVar("T")


def candidates(handle: Handle, rows: RowsOf) -> Iterator[LiveFile]:
    """All but those whose manifests say that they have none of *rows*."""
    partition, offset = _fields(handle, rows)

    def may_hold(file: DataFile) -> bool:
        return Bounds(_bounds(file, partition), _bounds(file, offset)).may_hold(rows)

    return live_where(handle, may_hold)


def inside(handle: Handle, rows: RowsOf, paths: Sequence[str]) -> dict[str, int]:
    return _read(handle, lambda ids: row_swap.inside(handle.table.io, paths, ids, rows), rows)


def of_time(handle: Handle, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]) -> dict[int, OfTime]:
    """Of a long history, most files say in their manifests that they have none of a short time, and are not opened."""
    partition, offset = _fields(handle, rows)
    field = handle.metadata.schema().find_field(moment) if moment is not None else None

    def may_hold(file: DataFile) -> bool:
        if not Bounds(_bounds(file, partition), _bounds(file, offset)).may_hold(rows):
            return False
        if field is None or not isinstance(field.field_type, TimestamptzType):
            return True
        if (file.null_value_counts or {}).get(field.field_id) != 0:
            return True
        first_us, last_us = _bounds(file, field)
        return (first_us is None or first_us < between_ms[1] * 1000) and (
            last_us is None or last_us >= between_ms[0] * 1000
        )

    paths = sorted({f.path for f in live_where(handle, may_hold)})
    moment_id, io = field.field_id if field is not None else None, handle.table.io
    return _read(handle, lambda ids: row_swap.of_time(io, paths, (*ids, moment_id), rows, between_ms), rows)


def compared(handle: Handle, rows: RowsOf, old: Sequence[str], new: Collection[str]) -> dict[int, Compared]:
    return _read(handle, lambda ids: row_swap.compared(handle.table.io, old, new, ids, rows), rows)


def _read(handle: Handle, query: Callable[[tuple[int, int]], T], rows: RowsOf) -> T:
    partition, offset = _fields(handle, rows)
    try:
        return query((partition.field_id, offset.field_id))
    except FileNotFoundError as fault:
        raise TableUnfit(
            f"{handle.name}: a data file that it names is gone, and its rows with it: {fault}. Nothing was changed. Restore the "
            "file, or roll the table back to a snapshot before it."
        ) from fault


def _fields(handle: Handle, rows: RowsOf) -> tuple[NestedField, NestedField]:
    schema = handle.metadata.schema()
    return schema.find_field(rows.columns[0]), schema.find_field(rows.columns[1])


def _bounds(file: DataFile, field: NestedField) -> tuple[int | None, int | None]:
    return _bound(file.lower_bounds or {}, field), _bound(file.upper_bounds or {}, field)


def _bound(bounds: Mapping[int, Any], field: NestedField) -> int | None:
    raw = bounds.get(field.field_id)
    if raw is None or not isinstance(field.field_type, PrimitiveType):
        return None
    value = from_bytes(field.field_type, raw)
    return value if isinstance(value, int) else None
