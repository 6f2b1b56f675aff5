"""Files that a table's snapshots reference, and files in its folders: for expiry and orphan clean-up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lakelock.adapters.iceberg import interval_files as swapping
from lakelock.adapters.iceberg import unreferenced as files
from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.handle import handle_of
from lakelock.adapters.iceberg.landing import landed_specs
from lakelock.adapters.iceberg.listing import entries
from lakelock.adapters.iceberg.live_files import live_among, live_files, live_manifests
from lakelock.adapters.iceberg.schema_changes import column_sets
from lakelock.adapters.iceberg.snapshot_lineage import lineage_of
from lakelock.adapters.parquet.copied_columns import Columns
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.adapters.parquet.row_copy import why_unfit
from lakelock.model.file_names import is_batch_folder
from lakelock.model.layouts import Layout
from lakelock.model.table_files import Compared, LiveFile, Manifest, OfTime, OwnFile, RowsOf, name_of
from lakelock.model.versions import ColumnSet, Lineage
from lakelock.ports import Stranded, TableState
from lakelock.upkeep.orphans_decision import data_file, metadata_file

THREADS = 16


class IcebergStorage:
    """Implements `lakelock.ports.Storage` for states loaded by `IcebergTables`; *border* is theirs."""

    def __init__(self, border: Border) -> None:
        self._border = border

    def lineage(self, state: TableState) -> Lineage:
        return lineage_of(handle_of(state))

    def column_sets(self, state: TableState, staged: Collection[str]) -> list[ColumnSet]:
        return column_sets(handle_of(state), staged)

    def stranded(
        self,
        before: TableState,
        snapshot_ids: Sequence[int],
        now: TableState | None = None,
        besides: Collection[str] = (),
    ) -> Stranded:
        handle, after = handle_of(before), handle_of(now or before)
        gone = [handle.snapshots[i] for i in snapshot_ids]
        # A snapshot that still exists, for any reason, keeps its files.
        kept = [s for i, s in after.snapshots.items() if now is not None or i not in set(snapshot_ids)]
        with self._border.crossing(f"{before.name}: reading what its snapshots name"):
            found = files.stranded(handle.table.io, handle.metadata, gone, kept)
        found = [f for f in found if name_of(f.path) not in besides]
        return Stranded(tuple(f.path for f in found), sum(f.size_bytes for f in found))

    def live_files(self, state: TableState) -> Iterator[LiveFile]:
        with self._border.crossing(f"{state.name}: reading its manifests"):
            yield from live_files(handle_of(state))

    def live_among(self, state: TableState, paths: Collection[str], read: dict[str, Any]) -> Iterator[LiveFile]:
        with self._border.crossing(f"{state.name}: reading its manifests"):
            yield from live_among(handle_of(state), paths, read)

    def unfit(self, state: TableState, files: Sequence[LiveFile]) -> dict[str, str]:
        handle = handle_of(state)
        schema, specs = handle.metadata.schema(), handle.metadata.specs()
        columns = {i: Columns(schema, specs[i]) for i in {f.partitioning for f in files}}

        def check(file: LiveFile) -> str:
            return why_unfit(handle.table.io, file.path, file.rows, columns[file.partitioning])

        with (
            self._border.crossing(f"{state.name}: looking at files to be rewritten"),
            ThreadPoolExecutor(THREADS) as pool,
        ):
            return {f.path: why for f, why in zip(files, pool.map(check, files), strict=True) if why}

    def candidates(self, state: TableState, rows: RowsOf) -> Iterator[LiveFile]:
        with self._border.crossing(f"{state.name}: reading its manifests"):
            yield from swapping.candidates(handle_of(state), rows)

    def rows_within(self, state: TableState, rows: RowsOf, paths: Sequence[str]) -> dict[str, int]:
        with self._border.crossing(f"{state.name}: looking for rows of an interval"):
            return swapping.rows_within(handle_of(state), rows, paths)

    def of_time(
        self, state: TableState, rows: RowsOf, moment: str | None, between_ms: tuple[int, int]
    ) -> dict[int, OfTime]:
        with self._border.crossing(f"{state.name}: looking for rows of a time"):
            return swapping.of_time(handle_of(state), rows, moment, between_ms)

    def compared(
        self, state: TableState, rows: RowsOf, old: Sequence[str], new: Collection[str]
    ) -> dict[int, Compared]:
        with self._border.crossing(f"{state.name}: comparing rows of an interval"):
            return swapping.compared(handle_of(state), rows, old, new)

    def layout(self, state: TableState, partitioning: int) -> Layout:
        metadata = handle_of(state).metadata
        return FileLayout(metadata.schema(), metadata.specs()[partitioning], metadata.sort_order()).layout

    def landed(self, state: TableState) -> frozenset[int]:
        return landed_specs(handle_of(state).metadata)

    def manifests(self, state: TableState) -> list[Manifest]:
        with self._border.crossing(f"{state.name}: reading its list of manifests"):
            return live_manifests(handle_of(state))

    def own_files(self, state: TableState) -> Iterator[OwnFile]:
        """See the port. Folders of other writers and other tables are not listed."""
        io, uuid = handle_of(state).table.io, state.uuid
        # Where the writer of each kind puts its files.
        data = (state.properties.get("write.data.path") or f"{state.location.rstrip('/')}/data").rstrip("/")
        metadata = handle_of(state).table.location_provider().new_metadata_location("some").rpartition("/")[0]

        def of_batch(batch: str) -> list[OwnFile]:
            listed = entries(io, f"{data}/{uuid}/{batch}", recursive=True)
            found = [
                data_file(uuid, data, f"{uuid}/{batch}/{e.relative}", e.size_bytes, e.modified_ms)
                for e in listed
                if not e.is_folder
            ]
            return [f for f in found if f is not None]

        with self._border.crossing(f"{state.name}: listing its folders"):
            for entry in entries(io, metadata):
                if not entry.is_folder:
                    own = metadata_file(uuid, metadata, entry.relative, entry.size_bytes, entry.modified_ms)
                    if own is not None:
                        yield own
            batches = [e.relative for e in entries(io, f"{data}/{uuid}") if e.is_folder and is_batch_folder(e.relative)]
            with ThreadPoolExecutor(THREADS) as pool:
                for found in pool.map(of_batch, batches):
                    yield from found

    def named(self, state: TableState) -> set[str]:
        handle = handle_of(state)
        with self._border.crossing(f"{state.name}: reading what its snapshots name"):
            return files.named(handle.table.io, handle.snapshots.values(), name_of)

    def delete(self, state: TableState, paths: Sequence[str]) -> int:
        with self._border.crossing(f"{state.name}: deleting files"):
            return files.delete(handle_of(state).table.io, paths)
