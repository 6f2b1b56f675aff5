"""Files and columns of a snapshot that another engine counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from pyiceberg.io import FileIO

from lakelock.adapters.duckdb import counts as row_count
from lakelock.adapters.iceberg.handle import Handle
from lakelock.errors import State, TableUnfit
from lakelock.model.counts import Counted, DeadLetterCounts
from lakelock.model.coverage import SourceCoverage
from lakelock.model.offsets import Source
from lakelock.records.reasons import CountedCause

T = TypeVar("T")


def rows(
    handle: Handle,
    snapshot_id: int | None,
    columns: tuple[str, str],
    covered: Mapping[int, SourceCoverage],
) -> dict[int | None, Counted] | None:
    ids = (_field_id(handle, columns[0]), _field_id(handle, columns[1]))
    return counted(handle, snapshot_id, lambda io, paths: row_count.count_rows(io, paths, ids, covered))


def dead_letters(
    handle: Handle, snapshot_id: int | None, target: str, covered: Mapping[Source, SourceCoverage]
) -> dict[Source, DeadLetterCounts] | None:
    ids = (
        _field_id(handle, "target_table"),
        _field_id(handle, "topic_id"),
        _field_id(handle, "partition"),
        _field_id(handle, "offset"),
    )
    return counted(handle, snapshot_id, lambda io, paths: row_count.count_dead_letters(io, paths, ids, target, covered))


def dead_letter_causes(
    handle: Handle, snapshot_id: int | None, target: str, topic_ids: Collection[str], most: int
) -> list[CountedCause]:
    ids = {name: _field_id(handle, name) for name in ("target_table", "topic_id", "kind", "field", "reason")}

    def count(io: FileIO, paths: list[str]) -> list[CountedCause]:
        return row_count.dead_letter_causes(io, paths, ids, target, topic_ids, most)

    return counted(handle, snapshot_id, count) or []


def _field_id(handle: Handle, column: str) -> int:
    found: int = handle.metadata.schema().find_field(column).field_id
    return found


def counted(handle: Handle, snapshot_id: int | None, count: Callable[[FileIO, list[str]], T]) -> T | None:
    """Apply *count* to the snapshot's data files; None if delete files hide some of their rows."""
    found = list(handle.table.scan(snapshot_id=snapshot_id).plan_files()) if snapshot_id is not None else []
    if any(task.delete_files for task in found):
        return None
    try:
        return count(handle.table.io, [task.file.file_path for task in found])
    except FileNotFoundError as fault:
        raise TableUnfit(
            f"{handle.name}: a data file of snapshot {snapshot_id} is gone, and its rows with it: {fault}.",
            State.NOTHING_CHANGED,
            "Restore the file, or roll the table back to a snapshot before it.",
        ) from fault
