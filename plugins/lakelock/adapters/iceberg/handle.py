"""One loaded table: the base of a commit, and walks over its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyiceberg.table import Table
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.refs import SnapshotRef
from pyiceberg.table.snapshots import Snapshot

from lakelock.model.versions import Version
from lakelock.ports import TableState

# A tag for each pipeline keeps the snapshot with its ledger.
TAG_PREFIX = "lakelock-"


@dataclass(frozen=True, slots=True)
class Handle:
    """A loaded table; `snapshots` is by id, `branch` and `tag` are the names of refs."""

    table: Table
    metadata: TableMetadata
    branch: str
    tag: str
    snapshots: Mapping[int, Snapshot]

    @classmethod
    def of(cls, table: Table, branch: str, tag: str) -> Handle:
        return cls(table, table.metadata, branch, tag, {s.snapshot_id: s for s in table.metadata.snapshots})

    def after(self, metadata: TableMetadata) -> Handle:
        """The same table with newer metadata."""
        return Handle(self.table, metadata, self.branch, self.tag, {s.snapshot_id: s for s in metadata.snapshots})

    @property
    def name(self) -> str:
        return ".".join(self.table.name())

    @property
    def branch_ref(self) -> SnapshotRef | None:
        return self.metadata.refs.get(self.branch)

    @property
    def tag_ref(self) -> SnapshotRef | None:
        return self.metadata.refs.get(self.tag)

    @property
    def head(self) -> Snapshot | None:
        ref = self.branch_ref
        return self.snapshots.get(ref.snapshot_id) if ref else None

    @property
    def tagged(self) -> Snapshot | None:
        ref = self.tag_ref
        return self.snapshots.get(ref.snapshot_id) if ref else None

    def ancestry(self, start: Snapshot | None = None) -> Iterator[Snapshot]:
        """Snapshots from *start* (default: the branch's head) back to the root, or to where snapshots have expired."""
        current = start or self.head
        while current is not None:
            yield current
            parent = current.parent_snapshot_id
            current = self.snapshots.get(parent) if parent is not None else None

    @property
    def tag_in_ancestry(self) -> bool | None:
        """Whether the tagged snapshot is in the branch's history; None if expired snapshots leave it open.

        Sequence numbers decrease along the ancestry, so one below the tag's proves that the tag is not in it. A walk
        that ends above it met expired snapshots: some catalogs clear the parent of a snapshot whose parent expires.
        """
        tagged = self.tagged
        if tagged is None or self.head is None:
            return False
        for snapshot in self.ancestry():
            if snapshot.snapshot_id == tagged.snapshot_id:
                return True
            if (snapshot.sequence_number or 0) <= (tagged.sequence_number or 0):
                return False
        return None

    @property
    def other_tags(self) -> list[SnapshotRef]:
        """Tags of other pipelines on this table."""
        return [r for n, r in self.metadata.refs.items() if n.startswith(TAG_PREFIX) and n != self.tag]

    @property
    def shares_files(self) -> str:
        """See `TableState`."""
        is_off = self.metadata.properties.get("gc.enabled", "true").lower() == "false"
        return "its property gc.enabled is false, so other tables may use its files" if is_off else ""

    def summary(self, snapshot: Snapshot) -> dict[str, str]:
        return dict(snapshot.summary.additional_properties) if snapshot.summary else {}


def version_of(snapshot: Snapshot | None) -> Version | None:
    if snapshot is None:
        return None
    return Version(snapshot.snapshot_id, snapshot.sequence_number or 0, snapshot.timestamp_ms)


def handle_of(state: TableState) -> Handle:
    """The handle that an adapter of this package put into *state* when loading it."""
    if not isinstance(state.handle, Handle):
        raise TypeError("not a state that the Iceberg adapter loaded")
    return state.handle
