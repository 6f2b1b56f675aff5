"""What the page shows of one table: its snapshots with what each brought, and its live data files."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyiceberg.conversions import from_bytes
from pyiceberg.manifest import DataFileContent, ManifestContent
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.types import PrimitiveType

from lakelock.adapters import row_look
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.core import ledger as codec
from lakelock.core.audit import countable
from lakelock.core.coverage import Coverage
from lakelock.core.files import FileLook
from lakelock.core.offsets import OffsetRange, Source
from lakelock.core.where import first_holding
from lakelock.errors import TableUnfit
from lakelock.ports import TableState

# A snapshot with more has them in a file of its own, which is not opened for a list.
SHOWN_RANGES = 50
# Their manifests would take seconds and much memory to read; such a table must be compacted first.
MAX_FILES = 50_000
MAX_LETTER_FILES = 200
# Files whose bounds have an offset: more than one where batches of several partitions overlap.
MAX_CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class BroughtRange:
    """`[start, end)` of one source and its books, in records."""

    topic_id: str
    partition: int
    start: int
    end: int
    read: int
    written: int
    dead: int
    filtered: int


@dataclass(frozen=True, slots=True)
class SnapshotLook:
    """One snapshot of the branch's history.

    `kind`: commit, adoption, rollback, replace (records read again), upkeep (nothing new of this pipeline), other (another
    pipeline's) or foreign.
    `ranges` has the first ones; `range_count` is None where they lie in a file of their own.
    """

    snapshot_id: int
    parent_id: int | None
    timestamp_ms: int
    kind: str
    pipeline: str | None
    generation: int | None
    batch_ids: tuple[str, ...]
    operation: str
    added_rows: int
    added_files: int
    added_bytes: int
    total_rows: int | None
    total_files: int | None
    range_count: int | None
    ranges: tuple[BroughtRange, ...]


class TableLooks:
    """Looks at states that *tables* loaded, on behalf of their pipeline."""

    def __init__(self, tables: IcebergTables, pipeline: str) -> None:
        self._tables = tables
        self._pipeline = pipeline

    def snapshots(self, state: TableState, limit: int) -> tuple[list[SnapshotLook], int]:
        """The newest of the branch, and how many it has; opens no file."""
        handle = handle_of(state)
        history = list(handle.ancestry())
        shown = history[:limit]
        # What a snapshot's generation is compared with: the next older own one's.
        older: dict[int, int | None] = {}
        known: int | None = None
        for snapshot in reversed(history):
            older[snapshot.snapshot_id] = known
            if (own := self._generation(handle.summary(snapshot))) is not None:
                known = own
        return [self._look(handle, s, older[s.snapshot_id]) for s in shown], len(history)

    def brought_by(self, state: TableState, source: Source, offset: int) -> tuple[SnapshotLook | None, bool]:
        """The snapshot of the history that the table holds *offset* since; True where older ones have expired."""
        handle = handle_of(state)
        own = [s for s in handle.ancestry() if handle.summary(s).get(codec.PIPELINE) == self._pipeline][::-1]

        now = state.ledger.coverage if state.ledger else Coverage()
        # A backfill brings what was a gap before: that it was held then says nothing of the record.
        is_record = now.data.contains(OffsetRange(source, offset, offset + 1))

        def holds(snapshot: Snapshot) -> bool:
            ledger = self._tables.ledger_at(state, snapshot.snapshot_id)
            there = ledger.coverage if ledger else Coverage()
            return (there.data if is_record else there).contains(OffsetRange(source, offset, offset + 1))

        at = first_holding(own, holds)
        if at is None:
            return None, False
        older = self._generation(handle.summary(own[at - 1])) if at else None
        # Only a number tells that nothing came before.
        return self._look(handle, own[at], older), at == 0 and (own[0].sequence_number or 0) > 1

    def files(self, state: TableState, columns: Mapping[str, str]) -> list[FileLook]:
        """Live data files, newest first. *columns*: `partition` and `offset` to their names, as far as the table has them.

        Raises TableUnfit where there are too many to read for a page.
        """
        handle = handle_of(state)
        head = handle.head
        if head is None:
            return []
        total = int(handle.summary(head).get("total-data-files") or 0)
        if total > MAX_FILES:
            raise TableUnfit(
                f"{state.name}: {total} data files are too many to list here (at most {MAX_FILES}). Nothing was changed. "
                "Compact the table: every reader has to open each of them."
            )
        with self._tables.border.crossing(f"{state.name}: reading its manifests"):
            found = list(_live_files(handle, head, columns))
        return found[::-1]

    def held_in(self, state: TableState, path: str, columns: Mapping[str, str]) -> list[row_look.HeldInFile]:
        """What a data file holds, read from the file itself."""
        handle = handle_of(state)
        ids = _offset_ids(handle, columns)
        if ids is None:
            return []
        with self._tables.border.crossing(f"{state.name}: reading {path}"):
            return row_look.held_in(handle.table.io, path, ids)

    def rows_at(
        self, state: TableState, columns: Mapping[str, str], partition: int, offset: int
    ) -> tuple[list[FileLook], bool]:
        """The live files with a row of *offset*; False where not all that may have one were read.

        None at all where a row found there proves nothing: it may be another topic's or pipeline's, or be deleted.
        """
        handle = handle_of(state)
        ids = _offset_ids(handle, columns)
        if ids is None or not self._rows_are_known(state, handle):
            return [], False
        candidates = [f for f in self.files(state, columns) if f.may_hold(partition, offset)]
        with self._tables.border.crossing(f"{state.name}: looking for offset {offset}"):
            found = [
                f
                for f in candidates[:MAX_CANDIDATES]
                if row_look.rows_at(handle.table.io, f.path, ids, partition, offset)
            ]
        return found, len(candidates) <= MAX_CANDIDATES

    def _rows_are_known(self, state: TableState, handle: Handle) -> bool:
        """Whether each live row of a partition and offset is this pipeline's, of one topic."""
        if state.ledger is None or state.detached or countable(state.ledger.coverage) is None:
            return False
        if any(held.intervals for theirs in self._tables.others(state).values() for held in theirs.values()):
            return False
        with self._tables.border.crossing(f"{state.name}: reading its manifests"):
            manifests = handle.head.manifests(handle.table.io) if handle.head else []
            deletes = [m for m in manifests if m.content == ManifestContent.DELETES]
            return not any(m.has_added_files() or m.has_existing_files() for m in deletes)

    def letters(
        self, state: TableState, target: str, topic_ids: Collection[str], reasons: int, sample: int
    ) -> tuple[list[row_look.Reason], list[row_look.SampledLetter], int, int]:
        """*target*'s dead letters of these topics in the newest files; how many files were read, and how many there are.

        Without a *sample* only the stages are told.
        """
        handle = handle_of(state)
        files = self.files(state, {})
        chosen = [f.path for f in files[:MAX_LETTER_FILES]]
        names = ("target_table", "topic_id", "topic", "partition", "offset", "timestamp", "stage", "reason", "value")
        fields = {name: field for name in names if (field := _field(handle, name)) is not None}
        if len(fields) < len(names):
            raise TableUnfit(f"{state.name}: no dead-letter table of lakelock's: its columns are others.")
        ids = {name: field_id for name, (field_id, _) in fields.items()}
        with self._tables.border.crossing(f"{state.name}: reading dead letters"):
            found, sampled = row_look.letters(handle.table.io, chosen, ids, target, topic_ids, reasons, sample)
        return found, sampled, len(chosen), len(files)

    def _look(self, handle: Handle, snapshot: Snapshot, older_generation: int | None) -> SnapshotLook:
        summary = handle.summary(snapshot)
        generation = self._generation(summary)
        own = summary.get(codec.PIPELINE) == self._pipeline
        batches = tuple(b for b in summary.get(codec.BATCHES, "").split(",") if b) if own else ()
        rows = json.loads(summary[codec.RANGES]) if own and codec.RANGES in summary else []
        operation = snapshot.summary.operation.value if snapshot.summary else ""
        return SnapshotLook(
            snapshot_id=snapshot.snapshot_id,
            parent_id=snapshot.parent_snapshot_id,
            timestamp_ms=snapshot.timestamp_ms,
            kind=_kind(summary, self._pipeline, bool(batches), operation, generation, older_generation),
            pipeline=summary.get(codec.PIPELINE),
            generation=generation,
            batch_ids=batches,
            operation=operation,
            added_rows=int(summary.get("added-records") or 0),
            added_files=int(summary.get("added-data-files") or 0),
            added_bytes=int(summary.get("added-files-size") or 0),
            total_rows=_number(summary.get("total-records")),
            total_files=_number(summary.get("total-data-files")),
            range_count=None if codec.RANGES_FILE in summary else len(rows),
            ranges=tuple(BroughtRange(*row) for row in rows[:SHOWN_RANGES]),
        )

    def _generation(self, summary: Mapping[str, str]) -> int | None:
        if summary.get(codec.PIPELINE) != self._pipeline:
            return None
        return _number(summary.get(codec.GENERATION))


def _kind(
    summary: Mapping[str, str],
    pipeline: str,
    has_batches: bool,
    operation: str,
    generation: int | None,
    older: int | None,
) -> str:
    writer = summary.get(codec.PIPELINE)
    if writer is None:
        return "foreign"
    if writer != pipeline:
        return "other"
    if has_batches:
        return "commit"
    if older is None:
        return "adoption"
    if operation == "overwrite":
        return "replace"
    return "rollback" if generation is not None and generation > older else "upkeep"


def _live_files(handle: Handle, head: Snapshot, columns: Mapping[str, str]) -> Iterator[FileLook]:
    """Oldest first, as far as sequence numbers tell."""
    io = handle.table.io
    partition, offset = (_field(handle, columns[key]) if key in columns else None for key in ("partition", "offset"))
    found = []
    for manifest in head.manifests(io):
        for entry in manifest.fetch_manifest_entry(io, discard_deleted=True):
            file = entry.data_file
            if file.content != DataFileContent.DATA:
                continue
            lower, upper = file.lower_bounds or {}, file.upper_bounds or {}
            live = FileLook(
                file.file_path,
                file.file_size_in_bytes,
                file.record_count,
                entry.snapshot_id,
                _bound(lower, partition),
                _bound(upper, partition),
                _bound(lower, offset),
                _bound(upper, offset),
            )
            found.append((entry.sequence_number or 0, live))
    found.sort(key=lambda pair: pair[0])
    for _, live in found:
        yield live


def _offset_ids(handle: Handle, columns: Mapping[str, str]) -> tuple[int, int] | None:
    """Field ids of partition and offset, where the table has both."""
    found = [_field(handle, columns[key]) if key in columns else None for key in ("partition", "offset")]
    if found[0] is None or found[1] is None:
        return None
    return found[0][0], found[1][0]


def _field(handle: Handle, column: str) -> tuple[int, PrimitiveType] | None:
    try:
        field = handle.metadata.schema().find_field(column)
    except ValueError:
        return None
    return (field.field_id, field.field_type) if isinstance(field.field_type, PrimitiveType) else None


def _bound(bounds: Mapping[int, Any], field: tuple[int, PrimitiveType] | None) -> int | None:
    if field is None or (raw := bounds.get(field[0])) is None:
        return None
    value = from_bytes(field[1], raw)
    return value if isinstance(value, int) else None


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)
