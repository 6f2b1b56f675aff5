"""Build one own snapshot on top of a loaded table: all files are written before any of them is visible."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pyiceberg.manifest import ManifestFile, write_manifest_list
from pyiceberg.table.refs import SnapshotRef, SnapshotRefType
from pyiceberg.table.snapshots import Operation, Snapshot, Summary
from pyiceberg.table.update import (
    AddSnapshotUpdate,
    AssertCurrentSchemaId,
    AssertDefaultSpecId,
    AssertRefSnapshotId,
    AssertTableUUID,
    RemovePartitionStatisticsUpdate,
    RemoveSchemasUpdate,
    RemoveSnapshotsUpdate,
    SetPropertiesUpdate,
    SetSnapshotRefUpdate,
    TableRequirement,
    TableUpdate,
)

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.iceberg.landing import landing_spec, named
from lakelock.adapters.iceberg.manifest_writer import CODEC, ManifestWriting
from lakelock.adapters.iceberg.side_files import SideFiles, digest_of
from lakelock.adapters.iceberg.snapshot_lineage import is_replace, lineage_of
from lakelock.adapters.iceberg.table_changes import table_change
from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.errors import BUG, BooksUnbalanced, ClockBehind, State
from lakelock.model import file_names
from lakelock.model import ledger as codec
from lakelock.ports import Change
from lakelock.ports.edits import (
    Edit,
    Evolve,
    Expire,
    Overwrite,
    Reorganise,
    Restore,
    Rewrite,
    new_files,
    replaced_files,
)
from lakelock.upkeep.expiry_decision import ExpiryLimits, Past, expirable, needed, reach
from lakelock.upkeep.manifests_decision import merges, target_bytes

# Iceberg itself tolerates a minute between machines; half of it leaves room for the catalog's own clock.
CLOCK_TOLERANCE_MS = 30_000
REPLACED_MANIFESTS = "manifests-replaced"


@dataclass(frozen=True, slots=True)
class Draft:
    """A snapshot whose files are written, and the compare-and-swap that would make it visible."""

    snapshot: Snapshot
    expired: tuple[Snapshot, ...]
    requirements: tuple[TableRequirement, ...]
    updates: tuple[TableUpdate, ...]


def draft(handle: Handle, change: Change, now_ms: int, side_files: SideFiles) -> Draft:
    """Write all metadata of the snapshot. Raises ClockBehind, TableUnfit, BooksUnbalanced and storage errors."""
    table, metadata, head = handle.table, handle.metadata, handle.head
    edit = change.edit
    base = handle.snapshots[edit.version] if isinstance(edit, Restore) else head
    name = handle.name
    other = table_change(handle, edit) if isinstance(edit, Evolve) else None
    timestamp_ms = _timestamp(name, now_ms, max(metadata.last_updated_ms, head.timestamp_ms if head else 0))
    snapshot_id = metadata.new_snapshot_id()
    own = _own_summary(handle, change, snapshot_id, side_files)
    uuid, commit_id = str(metadata.table_uuid), change.ledger.commit_id
    place = table.location_provider().new_metadata_location
    landing = landing_spec(metadata)
    writing = ManifestWriting(
        table.io,
        metadata.schema(),
        {s.schema_id: s for s in metadata.schemas},
        {**metadata.specs(), landing.spec_id: landing},
        snapshot_id,
        partial(file_names.numbered, place(file_names.manifest_stem(uuid, commit_id, snapshot_id))),
        target_bytes(metadata.properties),
        merges(metadata.properties),
        edit.as_of if isinstance(edit, Rewrite) else None,
    )
    tally = internals.Tally(metadata.schema())
    # One file's entry at a time: together they would take more memory than the rest of a commit.
    manifests = writing.added((decode_data_file(f.detail) for f in new_files(edit)), name, 0, tally)
    of_specs = named(handle, {m.partition_spec_id for m in manifests})
    others = base.manifests(table.io) if base else []
    if gone := replaced_files(edit):
        rewritten, others = writing.without(others, frozenset(gone), name, len(manifests), tally)
        manifests += rewritten
    if isinstance(edit, Reorganise):
        rewritten, others = writing.sorted_by_partition(others, frozenset(edit.manifests), name, len(manifests))
        manifests += rewritten
        own |= _rewriting(edit.manifests, rewritten, others)
    summary = tally.summary(_operation(edit), base.summary if base else None, own)
    if gone:
        _check_same_rows(handle, summary)
    manifests += writing.carried(others, first=len(manifests))
    sequence_number = metadata.next_sequence_number()
    parent_id = base.snapshot_id if base else None
    list_path = place(file_names.manifest_list(uuid, commit_id, snapshot_id))
    output = table.io.new_output(list_path)
    with write_manifest_list(2, output, snapshot_id, parent_id, sequence_number, CODEC) as writer:
        if manifests:
            writer.add_manifests(manifests)
    snapshot = Snapshot.model_validate(
        {
            "snapshot-id": snapshot_id,
            "parent-snapshot-id": parent_id,
            "sequence-number": sequence_number,
            "timestamp-ms": timestamp_ms,
            "manifest-list": list_path,
            "summary": summary,
            "schema-id": other.schema_id if other else metadata.current_schema_id,
        }
    )
    if isinstance(edit, Expire):
        expired = [handle.snapshots[i] for i in edit.versions]
    else:
        # A rollback does not expire the history that it leaves behind.
        expired = _expired(handle, change, now_ms) if base is head else []
    requirements = (*_requirements(handle), *(_other_refs(handle) if expired or isinstance(edit, Expire) else ()))
    updates = _updates(handle, change, snapshot, expired)
    if other is not None:
        # Before the snapshot, which names the new schema.
        requirements, updates = (*requirements, *other.requirements), (*other.updates, *updates)
    requirements, updates = (*requirements, *of_specs[1]), (*of_specs[0], *updates)
    return Draft(snapshot, tuple(expired), requirements, updates)


def _operation(edit: Edit) -> Operation:
    match edit:
        case Overwrite():
            return Operation.OVERWRITE
        case Rewrite() | Reorganise():
            return Operation.REPLACE
    return Operation.APPEND


def _rewriting(
    replaced: Sequence[str], created: Sequence[ManifestFile], kept: Sequence[ManifestFile]
) -> dict[str, str]:
    """Summary keys of Iceberg's own rewrite action."""
    return {
        "manifests-created": str(len(created)),
        "manifests-kept": str(len(kept)),
        REPLACED_MANIFESTS: str(len(replaced)),
        "entries-processed": str(sum(m.existing_files_count or 0 for m in created)),
    }


def _holds_all(handle: Handle, snapshot: Snapshot) -> bool:
    """Whether the snapshot has every file of its parent: an append, or manifests that lakelock rewrote."""
    if snapshot.summary is None or snapshot.summary.operation is Operation.APPEND:
        return snapshot.summary is not None
    summary = handle.summary(snapshot)
    return codec.PIPELINE in summary and REPLACED_MANIFESTS in summary


def _check_same_rows(handle: Handle, summary: Summary) -> None:
    added, deleted = (int(summary.additional_properties.get(f"{what}-records", 0)) for what in ("added", "deleted"))
    if added != deleted:
        raise BooksUnbalanced(
            f"{handle.name}: files with {deleted} rows would be replaced by files with {added} rows.",
            State.NOTHING_CHANGED,
            BUG,
        )


def _timestamp(table: str, now_ms: int, newest_ms: int) -> int:
    """Later than everything in the table: this machine's clock, or just after a slightly faster clock's time."""
    if now_ms + CLOCK_TOLERANCE_MS < newest_ms:
        raise ClockBehind(
            f"{table}: this machine's clock is {(newest_ms - now_ms) / 1000:.0f} s behind the table's newest change.",
            State.STAGED,
            "Set the clock (NTP), or that of the machine that wrote the table ahead of time, then run again.",
        )
    return max(now_ms, newest_ms + 1)


def _own_summary(handle: Handle, change: Change, snapshot_id: int, side_files: SideFiles) -> dict[str, str]:
    """The ledger's summary keys; large values go into side files, and only their paths into the summary.

    The registry seldom changes. Its file of the ledger before is used again: as long as the tag stays there, nothing deletes it.
    """
    io, place = handle.table.io, handle.table.location_provider().new_metadata_location
    summary = {**change.properties, **codec.summary(change.ledger, change.batch_ids, change.books)}
    uuid, before = str(handle.metadata.table_uuid), handle.summary(handle.tagged) if handle.tagged else {}
    for side in codec.SIDE_FILES:
        text = summary.get(side.key, "")
        if len(text) > side.above_bytes:
            digest, path = digest_of(text), before.get(side.file_key, "")
            if side.key != codec.REGISTRY or not path.endswith(f"-{digest}.json"):
                path = place(file_names.ledger_file(side.what, uuid, change.ledger.commit_id, snapshot_id, digest))
                side_files.write(io, path, text)
            del summary[side.key]
            summary[side.file_key] = path
    if change.config is not None:
        config = place(file_names.config_file(change.ledger.config_digest))
        side_files.write(
            io, config, json.dumps(change.config, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        )
    return summary


def _requirements(handle: Handle) -> tuple[TableRequirement, ...]:
    metadata = handle.metadata
    requirements: list[TableRequirement] = [
        AssertTableUUID(uuid=metadata.table_uuid),
        ref_requirement(handle.branch, handle.branch_ref),
        AssertCurrentSchemaId.model_validate({"current-schema-id": metadata.current_schema_id}),
        # Files of an earlier spec may be written again meanwhile: a slow commit must not add them beside these.
        AssertDefaultSpecId.model_validate({"default-spec-id": metadata.default_spec_id}),
    ]
    # PyIceberg refuses a requirement on any ref but main while a table has no snapshot; then main must be absent.
    if metadata.snapshots:
        requirements.append(ref_requirement(handle.tag, handle.tag_ref))
    return tuple(requirements)


def _other_refs(handle: Handle) -> list[TableRequirement]:
    """Require that other tags and branches are unchanged: they may need a snapshot or a schema that expires."""
    refs = handle.metadata.refs
    others = [ref_requirement(n, r) for n, r in refs.items() if n not in {handle.branch, handle.tag}]
    return [*others, *internals.same_refs(handle.table.catalog, refs)]


def ref_requirement(name: str, ref: SnapshotRef | None) -> AssertRefSnapshotId:
    """Require that branch or tag *name* is unchanged; None requires its absence."""
    return AssertRefSnapshotId.model_validate({"ref": name, "snapshot-id": ref.snapshot_id if ref else None})


def _updates(
    handle: Handle, change: Change, snapshot: Snapshot, expired: Sequence[Snapshot]
) -> tuple[TableUpdate, ...]:
    updates: list[TableUpdate] = []
    owner = {codec.owner_property(change.ledger.pipeline): change.ledger.installation_id}
    if not owner.items() <= handle.metadata.properties.items():
        updates.append(SetPropertiesUpdate(updates=owner))
    updates.append(AddSnapshotUpdate(snapshot=snapshot))
    updates.append(_moved(handle.branch, SnapshotRefType.BRANCH, handle.branch_ref, snapshot.snapshot_id))
    updates.append(_moved(handle.tag, SnapshotRefType.TAG, handle.tag_ref, snapshot.snapshot_id))
    if expired:
        gone = {s.snapshot_id for s in expired}
        statistics = {f.snapshot_id for f in handle.metadata.partition_statistics}
        updates += [
            RemovePartitionStatisticsUpdate.model_validate({"snapshot-id": i}) for i in sorted(gone & statistics)
        ]
        updates.append(RemoveSnapshotsUpdate.model_validate({"snapshot-ids": [s.snapshot_id for s in expired]}))
    if isinstance(change.edit, Expire) and change.edit.column_sets:
        updates.append(RemoveSchemasUpdate.model_validate({"schema-ids": list(change.edit.column_sets)}))
    return tuple(updates)


def _moved(name: str, kind: SnapshotRefType, ref: SnapshotRef | None, snapshot_id: int) -> SetSnapshotRefUpdate:
    """Move the ref to another snapshot, keeping its retention settings."""
    kept = ref.model_dump(include={"max_ref_age_ms", "max_snapshot_age_ms", "min_snapshots_to_keep"}) if ref else {}
    return SetSnapshotRefUpdate.model_validate({**kept, "ref-name": name, "type": kind, "snapshot-id": snapshot_id})


def _expired(handle: Handle, change: Change, now_ms: int) -> list[Snapshot]:
    if len(handle.snapshots) <= change.keep_snapshots:
        return []
    lineage = lineage_of(handle)
    history = [Past(s.snapshot_id, _holds_all(handle, s), is_replace(s)) for s in handle.ancestry()]
    # The first entry is the snapshot to be committed, the child of the head.
    history.insert(0, Past(0, not replaced_files(change.edit), _operation(change.edit) is Operation.REPLACE))
    keep = max(reach((s.is_replace for s in history), change.keep_snapshots), lineage.min_keep)
    if change.keep_younger_ms:
        keep = max(keep, 1 + needed(lineage, ExpiryLimits(change.keep_younger_ms), now_ms))
    protected = lineage.named | {r.snapshot_id for r in handle.metadata.refs.values()}
    # Another pipeline finds its tag by walking back from the head: nothing on that path may expire.
    keep = max([keep, *(n + 1 for n, past in enumerate(history) if past.id in lineage.others_ledgers)])
    return [handle.snapshots[i] for i in expirable(history, keep, protected)]
