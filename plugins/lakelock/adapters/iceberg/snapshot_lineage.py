"""A table's snapshots, as values for decisions about expiry."""

from __future__ import annotations

from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.snapshots import Operation, Snapshot

from lakelock.adapters.iceberg.handle import TAG_PREFIX, Handle
from lakelock.model import ledger as codec
from lakelock.model.versions import KeptVersion, Lineage


def is_replace(snapshot: Snapshot) -> bool:
    """Whether the snapshot, of any writer, has the same rows as its parent, by the specification of its operation."""
    return snapshot.summary is not None and snapshot.summary.operation is Operation.REPLACE


def lineage_of(handle: Handle) -> Lineage:
    """The table's snapshots, as values for decisions about expiry."""
    history = [_kept(handle, s) for s in handle.ancestry()]
    ids = {s.id for s in history}
    named: set[int] = set()
    elsewhere: set[int] = set()
    for name, ref in handle.metadata.refs.items():
        if name in {handle.branch, handle.tag}:
            continue
        named.add(ref.snapshot_id)
        # The history of another branch belongs to that branch.
        if ref.snapshot_ref_type is SnapshotRefType.BRANCH and (head := handle.snapshots.get(ref.snapshot_id)):
            elsewhere.update(s.snapshot_id for s in handle.ancestry(head))
    tags = {r.snapshot_id for n, r in handle.metadata.refs.items() if n.startswith(TAG_PREFIX)}
    # A pipeline that writes to another branch needs nothing of this history. One whose tag is on no branch was rolled
    # back by hand, and needs what it had here.
    tags -= elsewhere - ids
    owners = {
        p for i in tags if i in handle.snapshots and (p := handle.summary(handle.snapshots[i]).get(codec.PIPELINE))
    }
    branch = handle.branch_ref
    return Lineage(
        tuple(history),
        tuple(_kept(handle, s) for s in handle.snapshots.values() if s.snapshot_id not in ids),
        frozenset(named | elsewhere),
        frozenset(owners),
        frozenset(r.snapshot_id for r in handle.other_tags),
        (branch.min_snapshots_to_keep if branch else None) or 0,
        (branch.max_snapshot_age_ms if branch else None) or 0,
    )


def _kept(handle: Handle, snapshot: Snapshot) -> KeptVersion:
    summary = handle.summary(snapshot)
    pipeline, promised = summary.get(codec.PIPELINE), "wap.id" in summary
    return KeptVersion(snapshot.snapshot_id, snapshot.timestamp_ms, pipeline, promised, is_replace(snapshot))
