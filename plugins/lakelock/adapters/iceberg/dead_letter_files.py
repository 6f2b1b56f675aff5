"""Dead letters in a dead-letter table, and the files that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pyiceberg import expressions
from pyiceberg.io import FileIO

from lakelock.adapters.duckdb import dead_letters
from lakelock.adapters.iceberg.bounds import BoundColumn, column, file_view
from lakelock.adapters.iceberg.counting import counted
from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.errors import State, TableUnfit
from lakelock.model.offset_arrays import within
from lakelock.model.offsets import OffsetRange, united
from lakelock.ports import DeadLetterFiles, OpenDeadLetters, TableState
from lakelock.records.dead_letters import REDRIVEN_COLUMNS


class IcebergDeadLetters:
    """Implements `lakelock.ports.DeadLetterStore` for states loaded by `IcebergTables`; *border* is theirs."""

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
            return counted(handle, state.head_snapshot_id, read)

    def files(self, state: TableState, target: str) -> DeadLetterFiles:
        handle = handle_of(state)
        ids = {name: _column(handle, name) for name in REDRIVEN_COLUMNS}
        # PyIceberg's predicates are pydantic models whose types hide the constructors that take a column's name.
        e: Any = expressions
        with self._border.crossing(f"{state.name}: reading its manifests"):
            planned = handle.table.scan(e.EqualTo("target_table", target), snapshot_id=state.head_snapshot_id)
            found = tuple(file_view(task.file, ids["partition"], ids["offset"]) for task in planned.plan_files())
        storage = {str(k): str(v) for k, v in handle.table.io.properties.items()}
        return DeadLetterFiles(state.name, found, {name: c.field_id for name, c in ids.items()}, storage)


def _column(handle: Handle, name: str) -> BoundColumn:
    found = column(handle, name)
    if found is None:
        raise TableUnfit(
            f"{handle.name}: it no longer has the column {name!r}, which dead letters have.",
            State.NOTHING_CHANGED,
            "Rename the column back.",
        )
    return found


def dead_letter_offsets(
    handle: Handle, border: Border, snapshot_id: int | None, target: str, ranges: Sequence[OffsetRange]
) -> frozenset[tuple[str, int, int]]:
    """(topic, partition, offset) of *target*'s dead letters in *ranges*."""
    # PyIceberg's predicates are pydantic models whose types hide the constructors that take a column's name.
    e: Any = expressions
    found: set[tuple[str, int, int]] = set()
    with border.crossing(f"{handle.name}: reading dead letters"):
        # One scan per source: a scan or a filter term per range would multiply the time by the number of ranges.
        for source, pieces in groupby(united(ranges), key=lambda r: r.source):
            of_source = list(pieces)
            wanted = e.And(
                e.EqualTo("target_table", target),
                # An earlier topic of this name had another id.
                e.EqualTo("topic_id", source.topic_id),
                e.EqualTo("topic", source.topic),
                e.EqualTo("partition", source.partition),
                e.GreaterThanOrEqual("offset", of_source[0].start),
                e.LessThan("offset", of_source[-1].end),
            )
            try:
                rows = handle.table.scan(wanted, ("offset",), snapshot_id=snapshot_id).to_arrow()
            except FileNotFoundError as fault:
                raise TableUnfit(
                    f"{handle.name}: a data file of snapshot {snapshot_id} is gone, and dead letters with it: "
                    f"{border.reason(fault)}.",
                    State.NOTHING_CHANGED,
                    "Restore the file. If it cannot be restored, set the table's branch back to a snapshot before it, then run "
                    "`bin/lakelock recover FILE --mode skip`.",
                ) from None
            offsets = rows.column("offset").to_numpy()
            found |= {(source.topic, source.partition, o) for o in offsets[within(offsets, of_source)].tolist()}
    return frozenset(found)
