"""The partition spec under which files land, before a compaction partitions them: one without partitions.

Engines may remove a spec that no file has when they clean up metadata. A snapshot with files of such a spec could not be read,
so the commit that adds the files also makes sure of the spec.
"""

from __future__ import annotations

from collections.abc import Collection

from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.update import (
    AddPartitionSpecUpdate,
    AssertLastAssignedPartitionId,
    TableRequirement,
    TableUpdate,
)
from pyiceberg.transforms import VoidTransform

from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.model.layouts import Layout


def has_partitions(spec: PartitionSpec) -> bool:
    """Dropped (void) fields make none."""
    return any(not isinstance(f.transform, VoidTransform) for f in spec.fields)


def landing_spec(metadata: TableMetadata) -> PartitionSpec:
    """The table's own, or the one that the first commit of such files adds."""
    if not has_partitions(metadata.spec()):
        return metadata.spec()
    there = [spec for spec in metadata.partition_specs if not spec.fields]
    if there:
        return max(there, key=lambda spec: spec.spec_id)
    return PartitionSpec(spec_id=1 + _highest(metadata))


def landing_layout(handle: Handle) -> Layout | None:
    """None if no commit could make sure of the spec."""
    metadata = handle.metadata
    spec = landing_spec(metadata)
    if not can_name(handle, spec.spec_id):
        return None
    return FileLayout(metadata.schema(), spec, metadata.sort_order()).layout


def landed_specs(metadata: TableMetadata) -> frozenset[int]:
    """Specs without partitions of a table that has some."""
    if not has_partitions(metadata.spec()):
        return frozenset()
    return frozenset(spec.spec_id for spec in metadata.partition_specs if not has_partitions(spec))


def can_name(handle: Handle, spec_id: int) -> bool:
    """Whether a commit may add files of this spec: `named` then makes sure that the table has it."""
    metadata = handle.metadata
    if spec_id == metadata.default_spec_id or _is_used(handle, spec_id):
        return True
    if spec_id != landing_spec(metadata).spec_id:
        return False
    # A server gives a spec that was removed the next free number: only the last one is sure to be the same.
    return not isinstance(handle.table.catalog, RestCatalog) or spec_id >= _highest(metadata)


def named(handle: Handle, spec_ids: Collection[int]) -> tuple[tuple[TableUpdate, ...], tuple[TableRequirement, ...]]:
    """What a commit with files of these specs adds and requires, so that the table has each of them afterwards."""
    metadata, catalog = handle.metadata, handle.table.catalog
    spec = landing_spec(metadata)
    if spec.spec_id not in spec_ids or spec.spec_id == metadata.default_spec_id or _is_used(handle, spec.spec_id):
        return (), ()
    is_server = isinstance(catalog, RestCatalog)
    # A server leaves a spec that is there as it is.
    is_added = is_server or spec.spec_id not in metadata.specs()
    updates = (AddPartitionSpecUpdate(spec=spec),) if is_added else ()
    if not is_server:
        return updates, internals.same_specs(metadata)
    last = {"last-assigned-partition-id": metadata.last_partition_id}
    return updates, (AssertLastAssignedPartitionId.model_validate(last),)


def _highest(metadata: TableMetadata) -> int:
    return max(spec.spec_id for spec in metadata.partition_specs)


def _is_used(handle: Handle, spec_id: int) -> bool:
    """Whether the branch's head has files of the spec. Then no clean-up can remove it before a commit that requires this head."""
    head = handle.head
    return head is not None and any(m.partition_spec_id == spec_id for m in head.manifests(handle.table.io))
