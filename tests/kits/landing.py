"""Files that land without partitions, and the compaction that moves their rows into partitions."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pyarrow as pa
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.config import Table
from lakelock.ingest.landing import as_written
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.ports import TableState
from lakelock.ports.edits import Rewrite
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import order_of
from lakelock.upkeep.compact_decision import When

from kits.here_writer import HereCopier
from kits.iceberg import HOUR_US, change, plain_catalog, raw


def rows(ids: range) -> pa.Table:
    """Ten a hour."""
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": pa.array([f"n{i}" for i in ids], pa.string()),
            "ts": pa.array([i % 10 * HOUR_US for i in ids], pa.timestamp("us", tz="UTC")),
        }
    )


def landing(tables: IcebergTables, name: str) -> TableState:
    """As a batch writes it."""
    return as_written(Table(name=name, landing="unpartitioned"), tables.load(name), tables)


def written(tables: IcebergTables, state: TableState, found: pa.Table) -> tuple[DataFile, ...]:
    writer = TableWriter(target_of(state, tables.storage(state)), str(uuid.uuid4()), str(uuid.uuid4()), 1 << 29)
    writer.write(found.cast(writer.arrow_schema))
    return writer.finish()


def landed(tables: IcebergTables, name: str, times: int = 1, count: int = 100, start: int = 0) -> TableState:
    """A batch of *count* offsets, *times* times."""
    for n in range(start, start + times * count, count):
        files = written(tables, landing(tables, name), rows(range(n, n + count)))
        state = tables.load(name)
        tables.commit(state, change(state, n, n + count, files=files))
    return tables.load(name)


def specs(state: TableState) -> dict[int, int]:
    """Number of fields by id."""
    return {spec.spec_id: len(spec.fields) for spec in raw(state).metadata.partition_specs}


def planned(tables: IcebergTables, name: str, row_filter: str = "true") -> list[tuple[int, str]]:
    """Partition spec and path of the files that a reader opens."""
    scan = plain_catalog(tables).load_table(name).scan(row_filter=row_filter)
    return sorted((t.file.spec_id, t.file.file_path) for t in scan.plan_files())


def partitioned(
    tables: IcebergTables, name: str, meanwhile: Callable[[], object] = lambda: None, *, keeps_newest: bool = False
) -> compact.CompactPlan:
    """What the step does, without a log."""
    storage, state = IcebergStorage(tables.border), tables.load(name)
    when = When(1, 2, 1 << 62, storage.landed(state), keeps_newest)
    found = compact.plan(storage.live_files(state), when, lambda files: storage.unfit(state, files))
    for due in found.groups:
        state = tables.load(name)
        group, order = order_of(due, str(uuid.uuid4()), target_of(state, tables.storage(state)))
        outputs = HereCopier().run(order)
        assert not [o.unfit for o in outputs if o.unfit]
        meanwhile()
        state = tables.load(name)
        files = tuple(f for o in outputs for f in o.files)
        tables.commit(state, change(state, edit=Rewrite(tuple(f.path for f in group.files), files)))
    return found
