"""Tables with many files, and files of deletes."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from lakelock.adapters.iceberg import IcebergTables
from lakelock.ports import TableState
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.orphans import Orphans
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestWriterV2,
    data_file_with_partition,
    manifest_entry_schema_with_data_file,
    write_manifest_list,
)
from pyiceberg.schema import Schema
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.snapshots import Operation, Snapshot, Summary
from pyiceberg.table.update import AddSnapshotUpdate, SetSnapshotRefUpdate
from pyiceberg.typedef import TableVersion
from pyiceberg.types import IntegerType, ListType, LongType, NestedField, StringType, StructType

from kits.commits import Bench
from kits.iceberg import change, plain_catalog, raw, rows

NAME = "shop.orders"


def filled(tables: IcebergTables, count: int, name: str = NAME, start: int = 0) -> TableState:
    """A row and a commit for each offset."""
    for i in range(start, start + count):
        state = tables.load(name)
        tables.commit(state, change(state, i, i + 1))
    return tables.load(name)


def position_delete(tables: IcebergTables, data: DataFile, name: str = NAME) -> None:
    """A commit of another engine: the first row of *data* is deleted."""
    schema = pa.schema([
        pa.field("file_path", pa.string(), False, {"PARQUET:field_id": "2147483546"}),
        pa.field("pos", pa.int64(), False, {"PARQUET:field_id": "2147483545"}),
    ])  # fmt: skip
    rows = pa.table({"file_path": [data.file_path], "pos": [0]}, schema=schema)
    _delete(tables, name, data, rows, DataFileContent.POSITION_DELETES, None)


def equality_delete(tables: IcebergTables, data: DataFile, ids: Sequence[int], name: str = NAME) -> None:
    """The same of all rows of that partition that have one of these ids and were there before."""
    field_id = plain_catalog(tables).load_table(name).schema().find_field("id").field_id
    schema = pa.schema([pa.field("id", pa.int64(), True, {"PARQUET:field_id": str(field_id)})])
    rows = pa.table({"id": list(ids)}, schema=schema)
    _delete(tables, name, data, rows, DataFileContent.EQUALITY_DELETES, [field_id])


class _DeletesWriter(ManifestWriterV2):
    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    def _with_partition(self, format_version: TableVersion) -> Schema:
        """With `equality_ids` as the specification has them: integers. PyIceberg writes longs, which Spark cannot read."""
        plain = data_file_with_partition(self._spec.partition_type(self._schema), format_version)
        ids = ListType(element_id=136, element_type=IntegerType(), element_required=True)
        fields = [NestedField(135, f.name, ids, required=False) if f.field_id == 135 else f for f in plain.fields]
        return manifest_entry_schema_with_data_file(format_version, StructType(*fields))


def _delete(
    tables: IcebergTables, name: str, data: DataFile, rows: pa.Table, content: DataFileContent, ids: list[int] | None
) -> None:
    catalog = plain_catalog(tables)
    table = catalog.load_table(name)
    head = table.current_snapshot()
    assert head is not None

    snapshot_id = table.metadata.new_snapshot_id()
    place = f"{table.location()}/metadata/{uuid.uuid4()}"
    path = f"{place}.parquet"
    pq.write_table(rows, path.removeprefix("file://"))
    file = DataFile.from_args(
        content=content, file_path=path, file_format=data.file_format, partition=data.partition,
        record_count=len(rows), file_size_in_bytes=len(table.io.new_input(path)), sort_order_id=None, equality_ids=ids,
        key_metadata=None,
        column_sizes={}, value_counts={}, null_value_counts={}, nan_value_counts={}, lower_bounds={}, upper_bounds={},
        split_offsets=[],
    )  # fmt: skip
    output = table.io.new_output(f"{place}.avro")
    with _DeletesWriter(table.specs()[data.spec_id], table.schema(), output, snapshot_id, "deflate") as writer:
        writer.add_entry(
            ManifestEntry.from_args(
                status=ManifestEntryStatus.ADDED, snapshot_id=snapshot_id, sequence_number=None,
                file_sequence_number=None, data_file=file,
            )
        )  # fmt: skip
    number = table.metadata.next_sequence_number()
    output = table.io.new_output(f"{place}-list.avro")
    with write_manifest_list(2, output, snapshot_id, head.snapshot_id, number, "deflate") as listing:
        listing.add_manifests([writer.to_manifest_file(), *head.manifests(table.io)])
    snapshot = Snapshot.model_validate({
        "snapshot-id": snapshot_id, "parent-snapshot-id": head.snapshot_id, "sequence-number": number,
        "timestamp-ms": head.timestamp_ms + 1, "manifest-list": output.location, "summary": Summary(Operation.DELETE),
        "schema-id": table.metadata.current_schema_id,
    })  # fmt: skip
    moved = SetSnapshotRefUpdate.model_validate(
        {"ref-name": "main", "type": SnapshotRefType.BRANCH, "snapshot-id": snapshot_id}
    )
    catalog.commit_table(table, (), (AddSnapshotUpdate(snapshot=snapshot), moved))


NOTHING_KEPT = ExpiryLimits(1, 2)


def moved(bench: Bench, times: int) -> None:
    """Batches of three offsets, a commit each."""
    for _ in range(times):
        bench.stage()
        bench.commit()


def on_swap(bench: Bench, act: Callable[[Callable[[], Any]], Any]) -> None:
    """The next compare-and-swap is *act*'s, which is given the swap itself."""
    swap = bench.tables.catalog.commit_table

    def once(*arguments: Any) -> Any:
        bench.tables.catalog.commit_table = swap  # type: ignore[method-assign]
        return act(lambda: swap(*arguments))

    bench.tables.catalog.commit_table = once  # type: ignore[method-assign, assignment]


def files(bench: Bench) -> set[str]:
    return {f.path for f in bench.keeper.storage.live_files(bench.honest.load(bench.table))}


def operations(bench: Bench) -> list[Operation]:
    table = plain_catalog(bench.honest).load_table(bench.table)
    return [s.summary.operation for s in table.snapshots() if s.summary]


def append_of_others(bench: Bench) -> None:
    plain_catalog(bench.honest).load_table(bench.table).append(rows([]))


def compaction_of_others(bench: Bench) -> None:
    table = plain_catalog(bench.honest).load_table(bench.table)
    table.overwrite(table.scan().to_arrow())


def compaction_of_ours(bench: Bench) -> None:
    assert bench.compact().groups == 1


def new_column(bench: Bench) -> None:
    with plain_catalog(bench.honest).load_table(bench.table).update_schema() as update:
        update.add_column("more", LongType())


def replaced_column(bench: Bench) -> None:
    """Another column of the same name."""
    with plain_catalog(bench.honest).load_table(bench.table).update_schema() as update:
        update.delete_column("name")
    with plain_catalog(bench.honest).load_table(bench.table).update_schema() as update:
        update.add_column("name", StringType())


def recommitted_rollback(bench: Bench) -> None:
    bench.roll_back(_third(bench))
    bench.commit()


def rollback(bench: Bench) -> None:
    bench.roll_back(_third(bench))


def _third(bench: Bench) -> int:
    history = bench.honest.history(bench.honest.load(bench.table))
    return history[2].id


def exists(path: str) -> bool:
    return Path(path.removeprefix("file://")).exists()


def aged(bench: Bench, hours: float) -> None:
    folder = Path(raw(bench.honest.load(bench.table)).location().removeprefix("file://"))
    for file in folder.rglob("*"):
        if file.is_file():
            then = file.stat().st_mtime - hours * 3600
            os.utime(file, (then, then))


def orphans(bench: Bench) -> set[str]:
    done = Orphans(bench.keeper, list).clean_up(bench.table, 3_600_000)
    return {f.path for f in done.files}
