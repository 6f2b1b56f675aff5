"""Check whether a commit can describe data files, by writing manifests to memory before the files are staged."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyiceberg.manifest import DataFile as ManifestFile
from pyiceberg.manifest import DataFileContent, FileFormat, ManifestEntry, ManifestEntryStatus, write_manifest
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.snapshots import SnapshotSummaryCollector
from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
from pyiceberg.typedef import Record

from lakelock.adapters.parquet.data_file_json import decode_data_file
from lakelock.adapters.parquet.memory import MemoryIO
from lakelock.adapters.parquet.routes import Partition, PartitionRouter
from lakelock.errors import State, TableUnfit
from lakelock.model.batches import DataFile
from lakelock.model.units import as_reason


def check_nameable(
    table: str, schema: Schema, spec: PartitionSpec, files: Sequence[DataFile], kept: State = State.PART_PLANNED
) -> None:
    """Raise TableUnfit for a partition that a manifest or a snapshot's summary cannot represent.

    *kept* is the state for the error.
    """
    # A manifest takes longer than a small file, of which a task may write one for each of thousands of tables.
    if spec.is_unpartitioned():
        return
    try:
        entries = [decode_data_file(file.detail).entry for file in files]
    except (OSError, MemoryError):
        raise
    except Exception as fault:
        raise _unfit(table, fault, kept) from fault
    _check(table, schema, spec, entries, kept)


class LaterPartitions:
    """Partitions of rows that land without: a compaction must be able to name them."""

    def __init__(self, table: str, schema: Schema, spec: PartitionSpec, kept: State) -> None:
        self._table, self._schema, self._spec, self._kept = table, schema, spec, kept
        self._router = PartitionRouter(schema, spec, UNSORTED_SORT_ORDER)
        self._found: dict[Partition, Record] = {}

    def add(self, rows: pa.Table) -> None:
        self._found.update(self._router.partitions(rows))

    def check(self) -> None:
        """Raise TableUnfit as `check_nameable`."""
        _check(self._table, self._schema, self._spec, [_empty_file(r) for r in self._found.values()], self._kept)


def _empty_file(partition: Record) -> ManifestFile:
    return ManifestFile.from_args(
        content=DataFileContent.DATA,
        file_path="",
        file_format=FileFormat.PARQUET,
        partition=partition,
        record_count=0,
        file_size_in_bytes=0,
    )


def _check(table: str, schema: Schema, spec: PartitionSpec, entries: Sequence[ManifestFile], kept: State) -> None:
    if not entries:
        return
    summary = SnapshotSummaryCollector()
    try:
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
        raise _unfit(table, fault, kept) from fault


def _unfit(table: str, fault: Exception, kept: State) -> TableUnfit:
    return TableUnfit(
        f"{table}: no commit could name these files ({type(fault).__name__}: {as_reason(fault)}).",
        kept,
        "Check its partition spec and columns.",
    )
