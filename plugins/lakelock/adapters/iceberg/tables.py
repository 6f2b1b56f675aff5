"""Iceberg tables of one catalog, for one pipeline and branch: load, create, and the strict commit."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any

from pyiceberg import expressions
from pyiceberg.catalog import Catalog
from pyiceberg.exceptions import NamespaceAlreadyExistsError, TableAlreadyExistsError
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from sqlalchemy.exc import IntegrityError

from lakelock.adapters.iceberg import counting, definitions, snapshots
from lakelock.adapters.iceberg.catalogs import open_catalog
from lakelock.adapters.iceberg.errors import NEXT, Border, refused
from lakelock.adapters.iceberg.handle import Handle, handle_of, plain
from lakelock.adapters.iceberg.metadata_cleanup import clean_up
from lakelock.adapters.iceberg.outcome import Outcome, judge
from lakelock.adapters.iceberg.registration import way_back
from lakelock.adapters.iceberg.side_files import SideFiles
from lakelock.errors import (
    AccessDenied,
    BadTableDefinition,
    CommitConflict,
    LedgerDetached,
    OutcomeUnknown,
    State,
    TableMissing,
    TableUnfit,
)
from lakelock.model import ledger as codec
from lakelock.model.batches import DataFile
from lakelock.model.counts import Counted, Letters
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.ledger import Ledger, LedgerFacts
from lakelock.model.offset_arrays import inside
from lakelock.model.offsets import OffsetRange, Source, united
from lakelock.model.table_files import PastSnapshot
from lakelock.ports import Change, TableDefinition, TableState
from lakelock.records.reasons import CountedCause

logger = logging.getLogger(__name__)

STAT_THREADS = 16


def _system_clock_ms() -> int:
    return time.time_ns() // 1_000_000


class IcebergTables:
    """Satisfies `lakelock.ports.Tables`. Connects when first used; safe to use from several threads."""

    def __init__(
        self,
        catalog_name: str,
        catalog_properties: Mapping[str, str],
        pipeline: str,
        installation_id: str,
        branch: str = "main",
        now_ms: Callable[[], int] = _system_clock_ms,
    ) -> None:
        self._catalog_name = catalog_name
        self._properties = dict(catalog_properties)
        self._pipeline = pipeline
        self.installation_id = installation_id
        self._branch = branch
        self._now_ms = now_ms
        self.border = Border(self._properties)
        self._side_files = SideFiles()
        self._catalog: Catalog | None = None
        self._opening = threading.Lock()
        self._opener: IcebergTables | None = None

    def for_pipeline(self, pipeline: str, installation_id: str) -> IcebergTables:
        """The same catalog and branch on behalf of another pipeline."""
        return IcebergTables(
            self._catalog_name, self._properties, pipeline, installation_id, self._branch, self._now_ms
        )

    def sharing(self, pipeline: str, installation_id: str, branch: str) -> IcebergTables:
        """On behalf of another pipeline and branch, with this one's connections to the catalog."""
        made = IcebergTables(self._catalog_name, self._properties, pipeline, installation_id, branch, self._now_ms)
        made._opener, made._side_files = self, self._side_files
        return made

    def close(self) -> None:
        """Gives the catalog's idle connections back; whoever still uses them gets others."""
        with self._opening:
            if self._catalog is not None:
                self._catalog.close()

    @property
    def catalog(self) -> Catalog:
        """The PyIceberg catalog behind. Raises Unreachable, AccessDenied, ConnectionFault."""
        if self._opener is not None:
            return self._opener.catalog
        with self._opening:
            if self._catalog is None:
                with self.border.crossing("opening the catalog"):
                    self._catalog = open_catalog(self._catalog_name, self._properties)
            return self._catalog

    def storage(self, state: TableState) -> dict[str, str]:
        """FileIO properties that reach the table's files, with what the catalog vends; they hold secrets."""
        return {str(k): str(v) for k, v in handle_of(state).table.io.properties.items()}

    def load(self, name: str, *, detached: bool = False) -> TableState:
        """One read of the table's metadata. Raises TableMissing, TableUnfit, Unreachable, AccessDenied, Ledger…"""
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
                "Create the branch, or leave out 'branch' in the pipeline file.",
            )
        return TableState(
            name=name,
            uuid=str(metadata.table_uuid),
            location=metadata.location,
            schema_id=metadata.current_schema_id,
            spec_id=metadata.default_spec_id,
            schema=plain(metadata.schema()),
            spec=plain(metadata.spec()),
            sort_order=plain(metadata.sort_order()),
            properties=dict(metadata.properties),
            head_snapshot_id=head.snapshot_id if head else None,
            head_timestamp_ms=head.timestamp_ms if head else None,
            ledger=self._ledger(handle, detached),
            handle=handle,
            detached=handle.tagged is not None and handle.tag_in_ancestry is not True,
            tag_snapshot_id=handle.tagged.snapshot_id if handle.tagged else None,
            head_sequence_number=(head.sequence_number or 0) if head else 0,
        )

    def owner(self, name: str) -> str | None:
        """As in the port."""
        return self._load(name).metadata.properties.get(codec.owner_property(self._pipeline))

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str]) -> str:
        """As in the port."""
        return way_back(self.catalog, self.border, self._properties, name, uuid, data_files)

    def history(self, state: TableState) -> list[PastSnapshot]:
        """As in the port."""
        handle = handle_of(state)
        return [_past(s, handle.summary(s)) for s in handle.ancestry()]

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        """As in the port."""
        handle = handle_of(state)
        last = handle.snapshots.get(snapshot_id)
        for snapshot in handle.ancestry(last) if last else ():
            summary, last = handle.summary(snapshot), snapshot
            if summary.get(codec.PIPELINE) == self._pipeline:
                return codec.parse(self._with_coverage(handle, summary), handle.name)
        # Expiry may clear the parent of a snapshot that it leaves: only a number tells that nothing came before.
        if last is None or (last.sequence_number or 0) > 1:
            raise LedgerDetached(
                f"{handle.name}: what the table held at snapshot {snapshot_id} is not known: the snapshots that would tell "
                "have expired.",
                State.NOTHING_CHANGED,
                "Name a later snapshot.",
            )
        return None

    def create(self, name: str, definition: TableDefinition) -> None:
        """Creates table and missing namespaces; a race lost to another creator is fine. Raises BadTableDefinition."""
        schema = definitions.schema_of(definition)
        spec = definitions.partition_spec_of(definition.partition_by, schema)
        order = definitions.sort_order_of(definition.sort_by, schema)
        properties = definitions.properties_of(definition)
        identifier = tuple(name.split("."))
        if len(identifier) < 2 or not all(identifier):
            raise BadTableDefinition(f"table name {name!r} needs a namespace: write <namespace>.<table>.")
        with self.border.crossing(f"creating table {name}"):
            for depth in range(1, len(identifier)):
                self._ensure_namespace(identifier[:depth])
            try:
                self.catalog.create_table(identifier, schema, definition.location, spec, order, properties)
            except TableAlreadyExistsError:
                logger.info("table %s was created by another at the same time", name)

    def commit(self, state: TableState, change: Change) -> int:
        """One strict compare-and-swap of branch, tag, UUID, schema id and spec id; returns the snapshot id.

        Nothing is rebased, sent twice or deleted on failure. Raises CommitConflict when it is proven that nothing
        landed, OutcomeUnknown when nothing is proven; Unreachable, AccessDenied, TableUnfit and ClockBehind before
        anything was sent.
        """
        handle, ledger = handle_of(state), change.ledger
        if (ledger.pipeline, ledger.installation_id) != (self._pipeline, self.installation_id):
            raise ValueError(f"a ledger of {ledger.pipeline!r} cannot be committed by {self._pipeline!r}")
        with self.border.crossing(f"{state.name}: preparing commit {ledger.commit_id}"):
            draft = snapshots.draft(handle, change, self._now_ms(), self._side_files)
        snapshot_id = draft.snapshot.snapshot_id
        try:
            after = self.catalog.commit_table(handle.table, draft.requirements, draft.updates).metadata
        except Exception as fault:
            return self._settle(state, change, draft, fault)
        if after.table_uuid != handle.metadata.table_uuid or after.snapshot_by_id(snapshot_id) is None:
            raise OutcomeUnknown(
                f"{state.name}: {self.border.catalog} answered commit {ledger.commit_id} with metadata that lacks it. Staged "
                "files are kept; the table is read before anything else is done."
            )
        # Who asks for an expiry deletes what it strands, too.
        clean_up(self.catalog, handle, after, () if change.expire else draft.expired)
        return snapshot_id

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        """Snapshot id of an own commit in the branch's history, as far as it is retained."""
        handle = handle_of(state)
        for snapshot in handle.ancestry():
            summary = handle.summary(snapshot)
            if summary.get(codec.COMMIT_ID) == commit_id and summary.get(codec.PIPELINE) == self._pipeline:
                return snapshot.snapshot_id
        return None

    def others(self, state: TableState) -> dict[str, Coverage]:
        """What other pipelines put into this table, by their names."""
        handle = handle_of(state)
        out: dict[str, Coverage] = {}
        for ref in handle.other_tags:
            snapshot = handle.snapshots.get(ref.snapshot_id)
            if snapshot is not None:
                ledger = codec.parse(self._with_coverage(handle, handle.summary(snapshot)), handle.name)
                out[ledger.pipeline] = ledger.coverage
        return out

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        """(topic, partition, offset) of *target*'s dead letters in *ranges*; *state* is the dead-letter table's."""
        handle = handle_of(state)
        # Its predicates are pydantic models whose types hide the constructors that take a column's name.
        e: Any = expressions
        found: set[tuple[str, int, int]] = set()
        with self.border.crossing(f"{state.name}: reading dead letters"):
            # A scan each, and a filter of this length, would take as many times as long as there are pieces.
            for source, pieces in groupby(united(ranges), key=lambda r: r.source):
                held = list(pieces)
                wanted = e.And(
                    e.EqualTo("target_table", target),
                    # A topic of this name may have been another one.
                    e.EqualTo("topic_id", source.topic_id),
                    e.EqualTo("topic", source.topic),
                    e.EqualTo("partition", source.partition),
                    e.GreaterThanOrEqual("offset", held[0].start),
                    e.LessThan("offset", held[-1].end),
                )
                try:
                    rows = handle.table.scan(wanted, ("offset",), snapshot_id=state.head_snapshot_id).to_arrow()
                except FileNotFoundError as fault:
                    raise TableUnfit(
                        f"{state.name}: a data file of snapshot {state.head_snapshot_id} is gone, and dead letters with it: "
                        f"{self.border.reason(fault)}.",
                        State.NOTHING_CHANGED,
                        "Restore the file, or roll the table back to a snapshot before it.",
                    ) from None
                offsets = rows.column("offset").to_numpy()
                found |= {(source.topic, source.partition, o) for o in offsets[inside(offsets, held)].tolist()}
        return frozenset(found)

    def count_rows(
        self,
        state: TableState,
        columns: tuple[str, str],
        held: Mapping[int, SourceCoverage],
    ) -> dict[int | None, Counted] | None:
        """As in the port."""
        with self.border.crossing(f"{state.name}: counting its rows"):
            return counting.rows(handle_of(state), state.head_snapshot_id, columns, held)

    def count_dead_letters(
        self, state: TableState, target: str, held: Mapping[Source, SourceCoverage]
    ) -> dict[Source, Letters] | None:
        """As in the port."""
        with self.border.crossing(f"{state.name}: counting its rows"):
            return counting.dead_letters(handle_of(state), state.head_snapshot_id, target, held)

    def letter_causes(self, state: TableState, target: str, most: int) -> list[CountedCause]:
        """As in the port."""
        with self.border.crossing(f"{state.name}: reading why its records did not fit"):
            return counting.letter_causes(handle_of(state), state.head_snapshot_id, target, most)

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        """Paths that do not exist with their size in storage, in the order given."""
        io = handle_of(state).table.io

        def sound(file: DataFile) -> bool:
            try:
                return len(io.new_input(file.path)) == file.size_bytes
            except FileNotFoundError:
                return False

        with self.border.crossing(f"{state.name}: checking staged files"), ThreadPoolExecutor(STAT_THREADS) as pool:
            return [f.path for f, ok in zip(files, pool.map(sound, files), strict=True) if not ok]

    def _settle(self, state: TableState, change: Change, draft: snapshots.Draft, fault: Exception) -> int:
        """What the table itself says about a commit that ended in *fault*."""
        before = handle_of(state)
        what = f"{state.name}: commit {change.ledger.commit_id}"
        reason = self.border.reason(fault)
        try:
            now = self._load(state.name)
        except TableMissing:
            raise
        except Exception as second:
            raise OutcomeUnknown(
                f"{what} got no clear answer ({reason}), and the table cannot be read now ({second}). Staged files are kept; "
                "the table is read before anything else is done."
            ) from fault
        moved = now.table.metadata_location != before.table.metadata_location
        outcome = judge(draft, before, now, moved, refused(fault))
        if outcome is Outcome.LANDED:
            logger.warning("%s landed, though its answer was %s", what, reason)
            return draft.snapshot.snapshot_id
        if outcome is Outcome.REFUSED:
            raise CommitConflict(f"{what} was refused: the table moved ({reason}). {NEXT}") from fault
        told = self.border.told(fault, what)
        if isinstance(told, AccessDenied):
            raise told from fault
        raise OutcomeUnknown(
            f"{what} got no clear answer ({reason}); the table does not show it so far. Staged files are kept; the table is "
            "read before anything else is done."
        ) from fault

    def _load(self, name: str) -> Handle:
        catalog = self.catalog
        with self.border.crossing(f"loading table {name}"):
            table: Table = catalog.load_table(tuple(name.split(".")))
        return Handle.of(table, self._branch, codec.tag_name(self._pipeline))

    def _ledger(self, handle: Handle, detached: bool) -> Ledger | None:
        tagged = handle.tagged
        summary = self._with_coverage(handle, handle.summary(tagged)) if tagged else None
        owner = handle.metadata.properties.get(codec.owner_property(self._pipeline))
        in_ancestry = handle.tag_in_ancestry if tagged else False
        # Where the walk proves nothing, nobody can tell what was taken out.
        facts = LedgerFacts(handle.name, owner, summary, True if detached and in_ancestry is False else in_ancestry)
        return codec.resolve(facts, self._pipeline, self.installation_id)

    def _with_coverage(self, handle: Handle, summary: dict[str, str]) -> dict[str, str]:
        """With what lies in files beside the metadata."""
        for key, file_key in ((codec.COVERAGE, codec.COVERAGE_FILE), (codec.DECISIONS, codec.DECISIONS_FILE)):
            if key not in summary and file_key in summary:
                with self.border.crossing(f"{handle.name}: reading its ledger"):
                    path = summary[file_key]
                    summary = summary | {key: self._side_files.read(handle.table.io, path, handle.name)}
        return summary

    def _ensure_namespace(self, namespace: tuple[str, ...]) -> None:
        if self.catalog.namespace_exists(namespace):
            return
        try:
            self.catalog.create_namespace(namespace)
        except (NamespaceAlreadyExistsError, IntegrityError):
            logger.info("namespace %s was created by another at the same time", ".".join(namespace))


def _past(snapshot: Snapshot, summary: Mapping[str, str]) -> PastSnapshot:
    rows, files = summary.get("total-records"), summary.get("total-data-files")
    return PastSnapshot(
        snapshot.snapshot_id,
        snapshot.timestamp_ms,
        summary.get(codec.PIPELINE),
        bool(summary.get(codec.BATCHES)),
        None if rows is None else int(rows),
        None if files is None else int(files),
        snapshot.summary.operation.value if snapshot.summary else "",
    )
