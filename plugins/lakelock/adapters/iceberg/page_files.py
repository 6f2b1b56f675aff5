"""A table's live data files for the page, and reads from them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pyiceberg.manifest import DataFileContent, ManifestContent
from pyiceberg.table.snapshots import Snapshot

from lakelock.adapters.duckdb import page
from lakelock.adapters.iceberg.file_bounds import column, file_view
from lakelock.adapters.iceberg.handle import Handle, handle_of
from lakelock.adapters.iceberg.tables import IcebergTables
from lakelock.errors import State, TableUnfit
from lakelock.model import ledger as codec
from lakelock.model.counts import countable
from lakelock.model.table_files import FileView
from lakelock.ports import TableState

# Reading the manifests of more files takes seconds and much memory; such a table must be compacted first.
MAX_FILES = 50_000
MAX_DEAD_LETTER_FILES = 200
# Files whose bounds include an offset: more than one if batches of several partitions overlap.
MAX_CANDIDATES = 20


class FileViews:
    """Looks at the files of states loaded by *tables*."""

    def __init__(self, tables: IcebergTables) -> None:
        self._tables = tables

    def files(self, state: TableState, columns: Mapping[str, str]) -> list[FileView]:
        """Live data files, newest first. *columns* has the names of `partition` and `offset`, if the table has them.

        Raises TableUnfit if there are too many to read for a page.
        """
        handle = handle_of(state)
        head = handle.head
        if head is None:
            return []
        total = int(handle.summary(head).get("total-data-files") or 0)
        if total > MAX_FILES:
            raise TableUnfit(
                f"{state.name}: {total} data files are too many to list here (at most {MAX_FILES}).",
                State.NOTHING_CHANGED,
                "Compact the table: every reader must open each file.",
            )
        with self._tables.border.crossing(f"{state.name}: reading its manifests"):
            found = list(_live_files(handle, head, columns))
        return found[::-1]

    def offsets_of_file(self, state: TableState, path: str, columns: Mapping[str, str]) -> list[page.FileOffsets]:
        """The offsets in a data file, read from the file itself."""
        handle = handle_of(state)
        ids = _offset_ids(handle, columns)
        if ids is None:
            return []
        with self._tables.border.crossing(f"{state.name}: reading {path}"):
            return page.offsets_of_file(handle.table.io, path, ids)

    def rows_at(
        self, state: TableState, columns: Mapping[str, str], partition: int, offset: int, likely: Collection[int] = ()
    ) -> tuple[list[FileView], bool]:
        """Live files with a row of *offset*; False if some that may have one were not read.

        Files of *likely* snapshots are read first. Empty if a row would prove nothing, because it may belong to another
        topic or pipeline, or be deleted.
        """
        handle = handle_of(state)
        ids = _offset_ids(handle, columns)
        if ids is None or not self._rows_are_known(state, handle):
            return [], False
        candidates = [f for f in self.files(state, columns) if f.may_hold([(partition, offset, offset + 1)])]
        # Files of several partitions may all have it by their bounds. Another commit of batches hardly does, a compaction may.
        commits = {s.snapshot_id for s in handle.ancestry() if handle.summary(s).get(codec.BATCHES)}
        candidates.sort(key=lambda f: 0 if f.version_id in likely else 2 if f.version_id in commits else 1)
        with self._tables.border.crossing(f"{state.name}: looking for offset {offset}"):
            found = [
                f for f in candidates[:MAX_CANDIDATES] if page.rows_at(handle.table.io, f.path, ids, partition, offset)
            ]
        return found, len(candidates) <= MAX_CANDIDATES

    def _rows_are_known(self, state: TableState, handle: Handle) -> bool:
        """Whether each live row of a partition and offset is this pipeline's, of a single topic."""
        if state.ledger is None or state.detached or countable(state.ledger.coverage) is None:
            return False
        if any(covered.intervals for theirs in self._tables.others(state).values() for covered in theirs.values()):
            return False
        with self._tables.border.crossing(f"{state.name}: reading its manifests"):
            manifests = handle.head.manifests(handle.table.io) if handle.head else []
            deletes = [m for m in manifests if m.content == ManifestContent.DELETES]
            return not any(m.has_added_files() or m.has_existing_files() for m in deletes)

    def dead_letters(
        self, state: TableState, wanted: page.Wanted
    ) -> tuple[list[page.Cause], list[page.SampledDeadLetter], int, int]:
        """The wanted dead letters of the newest files. Also returns how many files were read, and how many there are."""
        handle = handle_of(state)
        files = self.files(state, {})
        chosen = [f.path for f in files[:MAX_DEAD_LETTER_FILES]]
        where = ("target_table", "topic_id", "topic", "partition", "offset", "timestamp")
        names = (*where, "stage", "kind", "field", "reason", "value")
        fields = {name: field for name in names if (field := column(handle, name)) is not None}
        if len(fields) < len(names):
            raise TableUnfit(
                f"{state.name} does not have the columns of a dead-letter table of lakelock.", State.NOTHING_CHANGED
            )
        ids = {name: field_id for name, (field_id, _) in fields.items()}
        with self._tables.border.crossing(f"{state.name}: reading dead letters"):
            found, sampled = page.dead_letters(handle.table.io, chosen, ids, wanted)
        return found, sampled, len(chosen), len(files)


def _live_files(handle: Handle, head: Snapshot, columns: Mapping[str, str]) -> Iterator[FileView]:
    """Live files, oldest first by sequence number."""
    io = handle.table.io
    partition, offset = (column(handle, columns[key]) if key in columns else None for key in ("partition", "offset"))
    found = []
    for manifest in head.manifests(io):
        for entry in manifest.fetch_manifest_entry(io, discard_deleted=True):
            file = entry.data_file
            if file.content != DataFileContent.DATA:
                continue
            live = file_view(file, partition, offset, entry.snapshot_id)
            found.append((entry.sequence_number or 0, live))
    found.sort(key=lambda pair: pair[0])
    for _, live in found:
        yield live


def _offset_ids(handle: Handle, columns: Mapping[str, str]) -> tuple[int, int] | None:
    """Field ids of partition and offset, if the table has both."""
    found = [column(handle, columns[key]) if key in columns else None for key in ("partition", "offset")]
    if found[0] is None or found[1] is None:
        return None
    return found[0].field_id, found[1].field_id
