"""Dead letters that a redrive may turn into rows, and the files that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyiceberg import expressions
from pyiceberg.io import FileIO

from lakelock.adapters.duckdb import redrive as dead_letters
from lakelock.adapters.iceberg.counting import counted
from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.file_bounds import BoundColumn, column, file_view
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.errors import State, TableUnfit
from lakelock.model.offsets import OffsetRange
from lakelock.ports import TableState
from lakelock.ports.redrive_jobs import METADATA_COLUMNS, REDRIVEN_COLUMNS, DeadLetterFiles, OpenDeadLetters


class IcebergDeadLetters:
    """Implements `lakelock.ports.redrive_jobs.DeadLetterStore` for states loaded by `IcebergTables`; *border* is theirs."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenDeadLetters | None:
        handle = handle_of(state)
        if handle.head is None or not within:
            return OpenDeadLetters()
        ids = {name: _column(handle, name).field_id for name in (*REDRIVEN_COLUMNS, *dead_letters.TEXTS)}

        def read(io: FileIO, paths: list[str]) -> OpenDeadLetters:
            return dead_letters.open_dead_letters(io, paths, ids, target, within, reason, most)

        with self._border.crossing(f"{state.name}: looking for dead letters"):
            return counted(handle, state.head_id, read)

    def files(self, state: TableState, target: str) -> DeadLetterFiles:
        handle = handle_of(state)
        ids = {name: _column(handle, name) for name in REDRIVEN_COLUMNS}
        metadata = {f.name: f.field_id for f in handle.metadata.schema().fields if f.name in METADATA_COLUMNS}
        # PyIceberg's predicates are pydantic models whose types hide the constructors that take a column's name.
        e: Any = expressions
        with self._border.crossing(f"{state.name}: reading its manifests"):
            planned = handle.table.scan(e.EqualTo("target_table", target), snapshot_id=state.head_id)
            found = tuple(file_view(task.file, ids["partition"], ids["offset"]) for task in planned.plan_files())
        storage = {str(k): str(v) for k, v in handle.table.io.properties.items()}
        return DeadLetterFiles(state.name, found, {name: c.field_id for name, c in ids.items()} | metadata, storage)


def _column(handle: Handle, name: str) -> BoundColumn:
    found = column(handle, name)
    if found is None:
        raise TableUnfit(
            f"{handle.name}: it no longer has the column {name!r}, which dead letters have.",
            State.NOTHING_CHANGED,
            "Rename the column back.",
        )
    return found
