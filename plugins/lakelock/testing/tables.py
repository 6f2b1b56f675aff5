"""`lakelock.ports.Tables` over the catalog in memory, with the decisions and refusals of adapters/iceberg."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lakelock.errors import CommitConflict, LedgerDetached, TableUnfit
from lakelock.model import ledger as codec
from lakelock.model.batches import DataFile
from lakelock.model.column_changes import Added
from lakelock.model.counts import Counted, DeadLetterCounts
from lakelock.model.coverage import Coverage, SourceCoverage
from lakelock.model.evolutions import EVOLUTION, ColumnsChanged, decode
from lakelock.model.layouts import tokens_in
from lakelock.model.ledger import Ledger
from lakelock.model.ledger_facts import LedgerFacts, resolve
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.versions import OwnVersion, PastVersion
from lakelock.ports import Change, TableCapabilities, TableDefinition, TableState
from lakelock.ports.edits import Evolve, Expire, Restore, Rewrite, new_files, replaced_files
from lakelock.ports.tables import PastColumns
from lakelock.records.reasons import CountedCause
from lakelock.testing.catalog import MAIN, MemoryCatalog, Meta, Snap, added, removed
from lakelock.testing.table_reading import (
    MARKS,
    OWNER,
    PIPELINE,
    TAG,
    columns_of,
    counted,
    expired,
    fits_layout,
    is_dead_letter,
    layout_of,
    meta_of,
    own_since,
    summary_of,
    tag_in_ancestry,
    version_of,
)

CAPABILITIES = TableCapabilities(
    format="memory",
    file_lists=False,
    rewrites=True,
    restores=True,
    expires=False,
    rearranges=True,
    column_changes=frozenset((Added,)),
)


class MemoryTables:
    def __init__(self, catalog: MemoryCatalog, installation_id: str) -> None:
        self.catalog, self.installation_id = catalog, installation_id

    def for_pipeline(self, pipeline: str, installation_id: str) -> MemoryTables:
        return type(self)(self.catalog, installation_id)

    def load(self, name: str, *, detached: bool = False) -> TableState:
        meta = self.catalog.get(name)
        # Metadata is immutable, so its state can be cached.
        key = (id(meta), self.installation_id, detached)
        if key not in self.catalog.loaded:
            self.catalog.loaded[key] = self._state(meta, detached)
        state: TableState = self.catalog.loaded[key]
        return state

    def _state(self, meta: Meta, detached: bool) -> TableState:
        head, tagged = meta.head, meta.snapshots.get(meta.refs.get(TAG, -1))
        attached = tag_in_ancestry(meta) if tagged else False
        return TableState(
            meta.name,
            meta.uuid,
            f"mem://{meta.name}",
            layout_of(meta),
            columns_of(meta.variant, tuple(name for name, _ in meta.extras)),
            meta.properties,
            version_of(head),
            self._ledger(meta, tagged, True if detached and attached is False else attached),
            meta,
            MARKS,
            codec.owners_in(meta.properties),
            tagged is not None and attached is not True,
            version_of(tagged),
            partition_by=meta.partition_by,
            sort_by=meta.sort_by,
        )

    def _ledger(self, meta: Meta, tagged: Snap | None, attached: bool | None) -> Ledger | None:
        owner = meta.properties.get(OWNER)
        if tagged is not None and tagged.ledger is not None and attached is True:
            mine = self.installation_id
            if owner == mine == tagged.ledger.installation_id:
                return tagged.ledger
        # Any inconsistency is judged by the product's own code.
        text = summary_of(tagged) if tagged else None
        return resolve(LedgerFacts(meta.name, owner, text, attached, MARKS), PIPELINE, self.installation_id)

    def table_capabilities(self) -> TableCapabilities:
        return CAPABILITIES

    def owner(self, name: str) -> str | None:
        return self.catalog.get(name).properties.get(OWNER)

    def way_back(self, name: str, uuid: str | None, data_files: Sequence[str], known: Collection[str]) -> str:
        return f"Register {name} again"

    def history(self, state: TableState) -> list[PastVersion]:
        meta = meta_of(state)
        return [
            PastVersion(
                s.snapshot_id,
                s.timestamp_ms,
                s.ledger.pipeline if s.ledger else None,
                bool(s.batches),
                sequence=s.sequence,
            )
            for s in meta.ancestry(meta.head)
        ]

    def ledger_at(self, state: TableState, snapshot_id: int) -> Ledger | None:
        meta = meta_of(state)
        last = meta.snapshots.get(snapshot_id)
        for snap in meta.ancestry(last):
            last = snap
            if snap.ledger is not None:
                return snap.ledger
        if last is None or last.sequence > 1:
            raise LedgerDetached(f"{meta.name}: what the table held at snapshot {snapshot_id} is not known")
        return None

    def own_since(self, state: TableState, snapshot_id: int) -> list[OwnVersion] | None:
        return own_since(meta_of(state), snapshot_id)

    def create(self, name: str, definition: TableDefinition) -> None:
        self.catalog.create(name, {} if definition.created_by is None else {codec.CREATED_BY: definition.created_by})

    def commit(self, state: TableState, change: Change) -> int:
        before = meta_of(state)
        now = self.catalog.tables.get(before.name)
        if now is None or self._moved(before, now):
            raise CommitConflict(f"{before.name}: commit {change.ledger.commit_id} was refused: the table moved")
        snap, after = self.draft(before, change)
        # Keep changes that others made outside the requirements.
        after = self._onto(now, snap, after) if now is not before else after
        self.catalog.swap(now, after)
        return snap.snapshot_id

    def draft(self, meta: Meta, change: Change) -> tuple[Snap, Meta]:
        head, gone = meta.head, replaced_files(change.edit)
        base = meta.snapshots[change.edit.version] if isinstance(change.edit, Restore) else head
        files = tuple(f for f in (base.files if base else ()) if f not in gone)
        if gone and (base is None or len(base.files) - len(files) != len(gone)):
            raise TableUnfit(f"{meta.name}: files to replace are not in it once")
        timestamp = max(self.catalog.now_ms(), meta.last_ms + 1, head.timestamp_ms + 1 if head else 0)
        snap = Snap(
            self.catalog.new_number(),
            base.snapshot_id if base else None,
            meta.last_sequence + 1,
            timestamp,
            (*files, *(f.path for f in new_files(change.edit))),
            not gone,
            isinstance(change.edit, Rewrite),
            change.ledger,
            change.batch_ids,
            change.properties,
            tuple(b.range for b in change.books),
        )
        after = added(meta, snap, self._refs(snap))
        if isinstance(change.edit, Evolve):
            after = self._evolved(after, change.edit)
        after = after._replace(properties={**after.properties, OWNER: change.ledger.installation_id})
        if base is head:
            old = set(expired(meta, change.keep_snapshots, snap))
            after = removed(after, old, self.catalog.clears_parents) if old else after
        return snap, after

    def _evolved(self, meta: Meta, edit: Evolve) -> Meta:
        """Added columns, and the arrangement; the tables' columns have one type and no comment."""
        if added_columns := {c.path[0] for c in edit.changes if isinstance(c, Added)}:
            meta = self.catalog.with_extras(meta, {*dict(meta.extras), *added_columns})
        return meta._replace(
            partition_by=meta.partition_by if edit.partition_by is None else edit.partition_by,
            sort_by=meta.sort_by if edit.sort_by is None else edit.sort_by,
            properties={**meta.properties, **edit.properties},
        )

    def refusal(self, state: TableState, edit: Evolve | Expire) -> str:
        return ""

    def landing_layout(self, state: TableState) -> None:
        """Tables in memory have no partitions to do without."""

    def misfits(self, state: TableState, layouts: Collection[str]) -> dict[str, str]:
        """A variant that was left and came back has other columns than before."""
        meta = meta_of(state)
        found = {layout: [one for one in tokens_in(layout) if not fits_layout(meta, one)] for layout in layouts}
        return {layout: f"its files were written for {unfit[0]}" for layout, unfit in found.items() if unfit}

    def past_columns(self, state: TableState) -> PastColumns:
        return PastColumns(frozenset((name,) for name in meta_of(state).dropped))

    def columns_changed(self, state: TableState, *, since_commit: bool = False) -> list[ColumnsChanged]:
        meta = meta_of(state)
        own = sorted((s for s in meta.snapshots.values() if s.ledger is not None), key=lambda s: s.sequence)
        last = max((n for n, s in enumerate(own) if _has_batches(s)), default=-1) if since_commit else -1
        found = (
            decode(s.properties[EVOLUTION], meta.name, s.snapshot_id, s.timestamp_ms)
            for s in own[last + 1 :]
            if EVOLUTION in s.properties
        )
        return [changed for changed in found if changed is not None]

    def _moved(self, before: Meta, now: Meta) -> bool:
        """Whether any requirement no longer holds."""
        return (
            now.uuid != before.uuid
            or now.refs.get(MAIN) != before.refs.get(MAIN)
            or now.refs.get(TAG) != before.refs.get(TAG)
            or now.schema_id != before.schema_id
        )

    def _refs(self, snap: Snap) -> dict[str, int]:
        return {MAIN: snap.snapshot_id, TAG: snap.snapshot_id}

    def _onto(self, now: Meta, snap: Snap, after: Meta) -> Meta:
        """The same updates, applied to metadata that others changed (expired snapshots) outside the requirements."""
        merged = added(now, snap._replace(sequence=now.last_sequence + 1), self._refs(snap))
        gone = set(now.snapshots) - set(after.snapshots) - {snap.snapshot_id}
        merged = merged._replace(
            properties=after.properties,
            schema_id=after.schema_id,
            extras=after.extras,
            dropped=after.dropped,
            partition_by=after.partition_by,
            sort_by=after.sort_by,
        )
        return removed(merged, gone, self.catalog.clears_parents)

    def find_commit(self, state: TableState, commit_id: str) -> int | None:
        meta = meta_of(state)
        found = (s for s in meta.ancestry(meta.head) if s.ledger is not None and s.ledger.commit_id == commit_id)
        return next((s.snapshot_id for s in found), None)

    def others(self, state: TableState) -> Mapping[str, Coverage]:
        return {}

    def dead_letters(
        self, state: TableState, target: str, ranges: Sequence[OffsetRange]
    ) -> frozenset[tuple[str, int, int]]:
        out: set[tuple[str, int, int]] = set()
        for path in _files(state):
            wanted = [row for row in self.catalog.rows[path] if row is not None and is_dead_letter(row, target, ranges)]
            # Files of other writers are not opened.
            if wanted:
                self.catalog.read([path])
            out |= {(row[1], row[3], row[4]) for row in wanted}
        return frozenset(out)

    def count_rows(
        self, state: TableState, columns: tuple[str, str], covered: Mapping[int, SourceCoverage]
    ) -> dict[int | None, Counted]:
        found: dict[int | None, list[int]] = {}
        for row in self.catalog.read(_files(state)):
            found.setdefault(None if row is None else row[3], []).append(-1 if row is None else row[4])
        return {number: counted(offsets, covered.get(number)) for number, offsets in found.items()}  # type: ignore[arg-type]

    def count_dead_letters(
        self, state: TableState, target: str, covered: Mapping[Source, SourceCoverage]
    ) -> dict[Source, DeadLetterCounts]:
        found: dict[Source, list[int]] = {}
        for row in self.catalog.read(_files(state)):
            if row is not None and row[0] == target:
                source = Source(row[1], row[2], row[3])
                there = covered.get(source)
                if there and any(i.start <= row[4] < i.end for i in there.data):
                    found.setdefault(source, []).append(row[4])
        return {source: DeadLetterCounts(len(offsets), len(set(offsets))) for source, offsets in found.items()}

    def dead_letter_causes(
        self, state: TableState, target: str, topic_ids: Collection[str], most: int
    ) -> list[CountedCause]:
        return []

    def storage(self, state: TableState) -> Mapping[str, str]:
        return {}

    def missing_files(self, state: TableState, files: Sequence[DataFile]) -> list[str]:
        return [f.path for f in files if f.path in self.catalog.deleted]


def _has_batches(snap: Snap) -> bool:
    """Dead letters that became rows are no batch: their snapshot has its commit id in its place."""
    return bool(snap.batches) and snap.ledger is not None and snap.batches != (snap.ledger.commit_id,)


def _files(state: TableState) -> tuple[str, ...]:
    """Files of the state's snapshot, which need not be the newest."""
    return meta_of(state).snapshots[state.head.id].files if state.head else ()
