"""Files of the head that have rows of an interval, judged by manifests and by the files themselves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from pyiceberg.manifest import DataFile
from pyiceberg.types import TimestamptzType

from lakelock.adapters.duckdb import interval_rows
from lakelock.adapters.iceberg.file_bounds import BoundColumn, bounds, column, file_view
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.live_files import live_where
from lakelock.errors import State, TableUnfit
from lakelock.model.table_files import Compared, LiveFile, OfTime, RowsOf

T = TypeVar("T")


def candidates(handle: Handle, rows: RowsOf) -> Iterator[LiveFile]:
    """Live files, except those whose manifest entries rule out all of *rows*."""
    partition, offset = _fields(handle, rows)

    def may_hold(file: DataFile) -> bool:
        return file_view(file, partition, offset).may_hold(rows.numbers)

    return live_where(handle, may_hold)


def rows_within(handle: Handle, rows: RowsOf, paths: Sequence[str]) -> dict[str, int]:
    return _read(handle, lambda ids: interval_rows.rows_within(handle.table.io, paths, ids, rows), rows)


def of_time(handle: Handle, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]) -> dict[int, OfTime]:
    """See the port. With a long history, manifest entries rule out most files for a short interval."""
    partition, offset = _fields(handle, rows)
    time = column(handle, moment) if moment is not None else None

    def may_hold(file: DataFile) -> bool:
        if not file_view(file, partition, offset).may_hold(rows.numbers):
            return False
        if time is None or not isinstance(time.type, TimestamptzType):
            return True
        if (file.null_value_counts or {}).get(time.field_id) != 0:
            return True
        first_us, last_us = bounds(file, time)
        return (first_us is None or first_us < between_ms[1] * 1000) and (
            last_us is None or last_us >= between_ms[0] * 1000
        )

    paths = sorted({f.path for f in live_where(handle, may_hold)})
    moment_id, io = time.field_id if time is not None else None, handle.table.io
    return _read(handle, lambda ids: interval_rows.of_time(io, paths, (*ids, moment_id), rows, between_ms), rows)


def compared(handle: Handle, rows: RowsOf, old: Sequence[str], new: Collection[str]) -> dict[int, Compared]:
    return _read(handle, lambda ids: interval_rows.compared(handle.table.io, old, new, ids, rows), rows)


def _read(handle: Handle, query: Callable[[tuple[int, int]], T], rows: RowsOf) -> T:
    partition, offset = _fields(handle, rows)
    try:
        return query((partition.field_id, offset.field_id))
    except FileNotFoundError as fault:
        raise TableUnfit(
            f"{handle.name}: a data file that it names is gone, and its rows with it: {fault}.",
            State.NOTHING_CHANGED,
            "Restore the file, or roll the table back to a snapshot before it.",
        ) from fault


def _fields(handle: Handle, rows: RowsOf) -> tuple[BoundColumn, BoundColumn]:
    partition, offset = (column(handle, name) for name in rows.columns)
    if partition is None or offset is None:
        raise TableUnfit(
            f"{handle.name}: it no longer has the columns {' and '.join(map(repr, rows.columns))}, which say where a row came "
            "from.",
            State.NOTHING_CHANGED,
            "Rename them back.",
        )
    return partition, offset
