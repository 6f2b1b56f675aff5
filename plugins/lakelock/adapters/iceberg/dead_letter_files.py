"""Which dead letters lie in a dead-letter table, and in which of its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyiceberg import expressions
from pyiceberg.io import FileIO

from lakelock.adapters.duckdb import dead_letters
from lakelock.adapters.iceberg.bounds import BoundColumn, column, file_look
from lakelock.adapters.iceberg.counting import counted
from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.errors import State, TableUnfit
from lakelock.model.offsets import OffsetRange
from lakelock.ports import LetterFiles, OpenLetters, TableState
from lakelock.records.dead_letters import REDRIVEN_COLUMNS


class IcebergLetters:
    """Satisfies `lakelock.ports.LetterBox` for states that `IcebergTables` loaded; *border* is theirs."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def open(
        self, state: TableState, target: str, within: Sequence[OffsetRange], reason: str | None, most: int
    ) -> OpenLetters | None:
        """As in the port."""
        handle = handle_of(state)
        if handle.head is None or not within:
            return OpenLetters()
        ids = {name: _column(handle, name).field_id for name in (*REDRIVEN_COLUMNS, *dead_letters.TEXTS)}

        def look(io: FileIO, paths: list[str]) -> OpenLetters:
            return dead_letters.open_letters(io, paths, ids, target, within, reason, most)

        with self._border.crossing(f"{state.name}: looking for dead letters"):
            return counted(handle, state.head_snapshot_id, look)

    def files(self, state: TableState, target: str) -> LetterFiles:
        """As in the port."""
        handle = handle_of(state)
        ids = {name: _column(handle, name) for name in REDRIVEN_COLUMNS}
        # Its predicates are pydantic models whose types hide the constructors that take a column's name.
        e: Any = expressions
        with self._border.crossing(f"{state.name}: reading its manifests"):
            planned = handle.table.scan(e.EqualTo("target_table", target), snapshot_id=state.head_snapshot_id)
            found = tuple(file_look(task.file, ids["partition"], ids["offset"]) for task in planned.plan_files())
        storage = {str(k): str(v) for k, v in handle.table.io.properties.items()}
        return LetterFiles(state.name, found, {name: c.field_id for name, c in ids.items()}, storage)


def _column(handle: Handle, name: str) -> BoundColumn:
    found = column(handle, name)
    if found is None:
        raise TableUnfit(
            f"{handle.name}: it no longer has the column {name!r}, which dead letters have.",
            State.NOTHING_CHANGED,
            "Give the column its name back.",
        )
    return found
