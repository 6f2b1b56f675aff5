"""Check whether a commit can describe data files, by writing manifests to memory before the files are staged."""

from __future__ import annotations

from collections.abc import Sequence

from pyiceberg.manifest import ManifestEntry, ManifestEntryStatus, write_manifest
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.snapshots import SnapshotSummaryCollector

from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.adapters.parquet.memory import MemoryIO
from lakelock.errors import State, TableUnfit
from lakelock.model.batches import DataFile
from lakelock.model.units import as_reason


def check_nameable(
    table: str, schema: Schema, spec: PartitionSpec, files: Sequence[DataFile], kept: State = State.PART_PLANNED
) -> None:
    """Raise TableUnfit for a partition that a manifest or a snapshot's summary cannot represent.

    *kept* is the state for the error.
    """
    if not files:
        return
    summary = SnapshotSummaryCollector()
    try:
        entries = [decode_data_file(file.detail).entry for file in files]
        for entry in entries:
            summary.add_file(entry, schema=schema, partition_spec=spec)
        with write_manifest(2, spec, schema, MemoryIO().new_output("manifest"), 0, "null") as manifest:
            for entry in entries:
                manifest.add_entry(ManifestEntry.from_args(status=ManifestEntryStatus.ADDED, data_file=entry))
        # The manifest list has bounds of the partitions.
        manifest.to_manifest_file()
    except (OSError, MemoryError):
        raise
    except Exception as fault:
        raise TableUnfit(
            f"{table}: no commit could name these files ({type(fault).__name__}: {as_reason(fault)}).",
            kept,
            "Check its partition spec and columns.",
        ) from fault
