"""Iceberg tables of one catalog, for one pipeline and branch: load, create, and the strict commit."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from pyiceberg.catalog import Catalog
from pyiceberg.table import Table

from lakelock.adapters.iceberg import counting, snapshot_builder
from lakelock.adapters.iceberg.catalogs import CatalogConnection
from lakelock.adapters.iceberg.columns import columns_of
from lakelock.adapters.iceberg.creation import create
from lakelock.adapters.iceberg.dead_letter_files import dead_letter_offsets
from lakelock.adapters.iceberg.errors import Border, refused
from lakelock.adapters.iceberg.gone_table import way_back
from lakelock.adapters.iceberg.handle import Handle, handle_of, version_of
from lakelock.adapters.iceberg.landing import landing_layout
from lakelock.adapters.iceberg.layout_fit import misfit
from lakelock.adapters.iceberg.layout_notation import partition_expressions, sort_expressions
from lakelock.adapters.iceberg.ledger_reading import LedgerReader, marks_of, past_snapshots, tag_name
from lakelock.adapters.iceberg.metadata_cleanup import clean_up
from lakelock.adapters.iceberg.outcome import Outcome, judge
from lakelock.adapters.iceberg.request_pace import RequestPace
from lakelock.adapters.iceberg.schema_changes import columns_changed, past_columns
from lakelock.adapters.iceberg.side_files import SideFiles
from lakelock.adapters.iceberg.table_changes import CAPABILITIES, table_change
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.errors import (
    AccessDenied,
    BadTableDefinition,
    CommitConflict,
    OutcomeUnknown,
    State,
    TableMissing,
    TableUnfit,
)
from lakelock.model import ledger as codec
from lakelock.model.batches import DataFile
from lakelock.model.counts import Counted, DeadLetterCounts
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.layouts import Layout
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.versions import OwnVersion, PastVersion
from lakelock.ports import Change, TableCapabilities, TableDefinition, TableState
from lakelock.ports.edits import Evolve, Expire
from lakelock.ports.tables import PastColumns
from lakelock.records.reasons import CountedCause

logger = logging.getLogger(__name__)

STAT_THREADS = 16
READ_FIRST = "The table is read before anything else is done."


class IcebergTables:
    """Implements `lakelock.ports.Tables`. Connects at first use; thread-safe."""

    def __init__(
        self,
        catalog_name: str,
        catalog_properties: Mapping[str, str],
        pipeline: str,
        installation_id: str,
        branch: str = "main",
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        shares: IcebergTables | None = None,
        pace: RequestPace | None = None,
    ) -> None:
        """*shares* is of the same catalog: its connection and side files are reused."""
        self._catalog_name = catalog_name
        self._properties = dict(catalog_properties)
        self._pipeline = pipeline
        self.installation_id = installation_id
        self._branch = branch
        self._now_ms = now_ms
        self.border = Border(self._properties)
        opened = CatalogConnection(catalog_name, self._properties, self.border, pace)
        self._connection: CatalogConnection = opened if shares is None else shares._connection
        self._side_files: SideFiles = SideFiles() if shares is None else shares._side_files
        self._ledgers = LedgerReader(pipeline, installation_id, self._side_files, self.border)

    def for_pipeline(self, pipeline: str, installation_id: str) -> IcebergTables:
        """The same catalog and branch on behalf of another pipeline, reusing this one's connections."""
        return self.sharing(pipeline, installation_id, self._branch)

    def sharing(self, pipeline: str, installation_id: str, branch: str) -> IcebergTables:
        """The same catalog on behalf of another pipeline and branch, reusing this one's connections."""
        return IcebergTables(
            self._catalog_name, self._properties, pipeline, installation_id, branch, self._now_ms, shares=self
        )

    def close(self) -> None:
        """Close the catalog's idle connections; later calls open new ones."""
        self._connection.close()

    @property
    def catalog(self) -> Catalog:
        return self._connection.catalog()

    def table_capabilities(self) -> TableCapabilities:
        return CAPABILITIES

    def storage(self, state: TableState) -> dict[str, str]:
        """FileIO properties for the table's files, including credentials from the catalog; they contain secrets."""
        return {str(k): str(v) for k, v in handle_of(state).table.io.properties.items()}

    def load(self, name: str, *, detached: bool = False) -> TableState:
        handle = self._load(name)
        metadata, head = handle.metadata, handle.head
        if metadata.format_version != 2:
            raise TableUnfit(
                f"{name}: the table has format version {metadata.format_version}, lakelock writes 2.",
                State.NOTHING_CHANGED,
                "Version 1 becomes 2 by setting the table property format-version; a later one needs another table.",
            )
        if head is None and self._branch != "main":
            raise TableUnfit(
                f"{name}: the table has no branch {self._branch!r}.",
                State.NOTHING_CHANGED,
                "Create the branch, or omit 'branch' in the pipeline file.",
            )
        return TableState(
            name=name,
            uuid=str(metadata.table_uuid),
            location=metadata.location,
            layout=FileLayout(metadata.schema(), metadata.spec(), metadata.sort_order()).layout,
            columns=columns_of(metadata.schema()),
            properties=dict(metadata.properties),
            head=version_of(head),
            ledger=self._ledgers.current(handle, detached),
            handle=handle,
            marks=marks_of(self._pipeline),
            owners=codec.owners_in(metadata.properties),
            detached=handle.tagged is not None and handle.tag_in_ancestry is not True,
            ledger_version=version_of(handle.tagged),
            partition_by=partition_expressions(metadata.schema(), metadata.spec()),
            sort_by=sort_expressions(metadata.schema(), metadata.sort_order()),
            identifier_columns=tuple(sorted(metadata.schema().identifier_field_names())),
            shares_files=handle.shares_files,
        )

    def owner(self, name: str) -> str | None:
        return self._load(name).metadata.properties.get(codec.owner_property(self._pipeline))

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str], known: Collection[str]) -> str:
        return way_back(self.catalog, self.border, self._properties, name, uuid, data_files, known)

    def history(self, state: TableState) -> list[PastVersion]:
        return past_snapshots(handle_of(state))

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        return self._ledgers.at(handle_of(state), snapshot_id)

    def own_since(self, state: TableState, snapshot_id: int) -> list[OwnVersion] | None:
        return self._ledgers.since(handle_of(state), snapshot_id)

    def create(self, name: str, definition: TableDefinition) -> None:
        create(self._connection, self.border, name, definition)

    def commit(self, state: TableState, change: Change) -> int:
        """One strict compare-and-swap of branch, tag, UUID, schema id and spec id; returns the snapshot id.

        Nothing is rebased, sent twice or deleted on failure. Raises CommitConflict if it is proven that nothing landed,
        OutcomeUnknown if nothing is proven; Unreachable, AccessDenied, TableUnfit and ClockBehind before anything was
        sent.
        """
        handle, ledger = handle_of(state), change.ledger
        if (ledger.pipeline, ledger.installation_id) != (self._pipeline, self.installation_id):
            raise ValueError(f"a ledger of {ledger.pipeline!r} cannot be committed by {self._pipeline!r}")
        # Before the draft, which has the time of the snapshot.
        catalog = self._connection.request()
        with self.border.crossing(f"{state.name}: preparing commit {ledger.commit_id}"):
            draft = snapshot_builder.draft(handle, change, self._now_ms(), self._side_files)
        snapshot_id = draft.snapshot.snapshot_id
        try:
            after = catalog.commit_table(handle.table, draft.requirements, draft.updates).metadata
        except Exception as fault:
            self._connection.learn(change.edit, fault)
            return self._settle(state, change, draft, fault)
        if after.table_uuid != handle.metadata.table_uuid or after.snapshot_by_id(snapshot_id) is None:
            raise OutcomeUnknown(
                f"{state.name}: {self.border.catalog} answered commit {ledger.commit_id} with metadata that lacks it.",
                State.STAGED_KEPT,
                READ_FIRST,
            )
        # A caller that requests an expiry also deletes the files it strands.
        clean_up(catalog, handle, after, () if isinstance(change.edit, Expire) else draft.expired)
        return snapshot_id

    def refusal(self, state: TableState, edit: Evolve | Expire) -> str:
        if isinstance(edit, Expire):
            return self._connection.keeps_schemas if edit.column_sets else ""
        try:
            table_change(handle_of(state), edit)
        except BadTableDefinition as fault:
            return fault.what
        return ""

    def landing_layout(self, state: TableState) -> Layout | None:
        with self.border.crossing(f"{state.name}: reading its list of manifests"):
            return landing_layout(handle_of(state))

    def misfits(self, state: TableState, layouts: Collection[str]) -> dict[str, str]:
        with self.border.crossing(f"{state.name}: reading its list of manifests"):
            return {layout: why for layout in layouts if (why := misfit(handle_of(state), layout))}

    def past_columns(self, state: TableState) -> PastColumns:
        return past_columns(handle_of(state))

    def columns_changed(self, state: TableState, *, since_commit: bool = False) -> list[ColumnsChanged]:
        return columns_changed(handle_of(state), self._pipeline, since_commit=since_commit)

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        handle = handle_of(state)
        for snapshot in handle.ancestry():
            summary = handle.summary(snapshot)
            if summary.get(codec.COMMIT_ID) == commit_id and summary.get(codec.PIPELINE) == self._pipeline:
                return snapshot.snapshot_id
        return None

    def others(self, state: TableState) -> dict[str, Coverage]:
        return self._ledgers.others(handle_of(state))

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        return dead_letter_offsets(handle_of(state), self.border, state.head_id, target, ranges)

    def count_rows(
        self, state: TableState, columns: tuple[str, str], covered: Mapping[int, SourceCoverage]
    ) -> dict[int | None, Counted] | None:
        with self.border.crossing(f"{state.name}: counting its rows"):
            return counting.rows(handle_of(state), state.head_id, columns, covered)

    def count_dead_letters(
        self, state: TableState, target: str, covered: Mapping[Source, SourceCoverage]
    ) -> dict[Source, DeadLetterCounts] | None:
        with self.border.crossing(f"{state.name}: counting its rows"):
            return counting.dead_letters(handle_of(state), state.head_id, target, covered)

    def dead_letter_causes(
        self, state: TableState, target: str, topic_ids: Collection[str], most: int
    ) -> list[CountedCause]:
        with self.border.crossing(f"{state.name}: reading why its records did not fit"):
            return counting.dead_letter_causes(handle_of(state), state.head_id, target, topic_ids, most)

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        io = handle_of(state).table.io

        def sound(file: DataFile) -> bool:
            try:
                return len(io.new_input(file.path)) == file.size_bytes
            except FileNotFoundError:
                return False

        with self.border.crossing(f"{state.name}: checking staged files"), ThreadPoolExecutor(STAT_THREADS) as pool:
            return [f.path for f, ok in zip(files, pool.map(sound, files), strict=True) if not ok]

    def _settle(self, state: TableState, change: Change, draft: snapshot_builder.Draft, fault: Exception) -> int:
        """Determine from the table itself the outcome of a commit that ended in *fault*."""
        before = handle_of(state)
        what = f"{state.name}: commit {change.ledger.commit_id}"
        reason = self.border.reason(fault)
        try:
            now = self._load(state.name)
        except TableMissing:
            raise
        except Exception as second:
            raise OutcomeUnknown(
                f"{what} got no clear answer ({reason}), and the table cannot be read now ({second}).",
                State.STAGED_KEPT,
                READ_FIRST,
            ) from fault
        moved = now.table.metadata_location != before.table.metadata_location
        outcome = judge(draft, before, now, moved, refused(fault))
        if outcome is Outcome.LANDED:
            logger.warning("%s was committed, although its answer was %s", what, reason)
            return draft.snapshot.snapshot_id
        if outcome is Outcome.REFUSED:
            raise CommitConflict(f"{what} was refused: the table changed ({reason}).", State.STAGED) from fault
        translated = self.border.translated(fault, what)
        if isinstance(translated, AccessDenied):
            raise translated from fault
        raise OutcomeUnknown(
            f"{what} got no clear answer ({reason}); the table does not show it so far.",
            State.STAGED_KEPT,
            READ_FIRST,
        ) from fault

    def _load(self, name: str) -> Handle:
        catalog = self._connection.request()
        with self.border.crossing(f"loading table {name}"):
            table: Table = catalog.load_table(tuple(name.split(".")))
        return Handle.of(table, self._branch, tag_name(self._pipeline))
