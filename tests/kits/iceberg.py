"""What tests of the Iceberg adapter share: a small table, real data files for it, changes that name offsets."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.handle import Handle
from lakelock.adapters.parquet.data_file_json import encode_data_file
from lakelock.model.batches import Books, DataFile
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import Change, TableDefinition, TableState
from lakelock.ports.edits import Append, Edit
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.io.pyarrow import _dataframe_to_data_files

from kits.columns import columns

if TYPE_CHECKING:
    from pyiceberg.table import Table

INSTALLATION = "5f1f0a52-5a4e-4c9e-8f0e-6a54a1f2c001"
SOURCE = Source("flights", "topic-id-1", 0)
COLUMNS = columns({"id": "long", "name": "string", "ts": "timestamptz"})
HOUR_US = 3_600_000_000


def open_tables(properties: Mapping[str, str], pipeline: str = "p", **more: Any) -> IcebergTables:
    return IcebergTables("lake", properties, pipeline, more.pop("installation_id", INSTALLATION), **more)


def definition(**more: Any) -> TableDefinition:
    return TableDefinition(more.pop("columns", COLUMNS), **more)


def raw(state: TableState) -> Table:
    """PyIceberg's own table behind a state: what a foreign tool would use."""
    assert isinstance(state.handle, Handle)
    return state.handle.table


def rows(ids: Sequence[int]) -> pa.Table:
    """One row an hour from the epoch on."""
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": pa.array([f"n{i}" for i in ids], pa.string()),
            "ts": pa.array([i * HOUR_US for i in ids], pa.timestamp("us", tz="UTC")),
        }
    )


def write_files(state: TableState, ids: Sequence[int]) -> tuple[DataFile, ...]:
    """Parquet files with one row per id."""
    return write_rows(state, rows(ids))


def write_rows(state: TableState, found: pa.Table) -> tuple[DataFile, ...]:
    """Parquet files of the table's current schema and spec, one per partition, written by PyIceberg."""
    table = raw(state)
    out = []
    for file in _dataframe_to_data_files(table_metadata=table.metadata, df=found, io=table.io, write_uuid=uuid.uuid4()):
        file.spec_id = table.metadata.default_spec_id
        out.append(
            DataFile(
                file.file_path,
                file.record_count,
                file.file_size_in_bytes,
                encode_data_file(file, table.schema().schema_id),
            )
        )
    return tuple(out)


def change(
    state: TableState,
    start: int = 0,
    end: int = 0,
    *,
    ids: Sequence[int] | None = None,
    files: tuple[DataFile, ...] | None = None,
    edit: Edit | None = None,
    pipeline: str = "p",
    **more: Any,
) -> Change:
    """Lands offsets [start, end) of SOURCE with one row per offset, id = offset; without offsets only a ledger."""
    coverage = state.ledger.coverage if state.ledger else Coverage()
    books: tuple[Books, ...] = ()
    if end > start:
        r = OffsetRange(SOURCE, start, end)
        books = (Books(r, end - start, end - start),)
        coverage = coverage.adding(books, {SOURCE: 0}, 0)
        if files is None:
            files = write_files(state, ids if ids is not None else range(start, end))
    ledger = Ledger(
        more.pop("installation_id", INSTALLATION),
        pipeline,
        str(uuid.uuid4()),
        more.pop("generation", 0),
        "config",
        coverage,
    )
    more = {"keep_snapshots": 1000, "keep_younger_ms": 0} | more
    return Change(
        ledger, more.pop("config", {"name": pipeline}), edit or Append(files or ()), (str(uuid.uuid4()),), books, **more
    )


def adopted(tables: IcebergTables, name: str, **more: Any) -> TableState:
    """A new table with the pipeline's first snapshot."""
    tables.create(name, definition(**more))
    tables.commit(tables.load(name), change(tables.load(name)))
    return tables.load(name)


def plain_catalog(tables: IcebergTables) -> Catalog:
    """PyIceberg's own SQL catalog on the same tables, with nothing of ours in between."""
    return load_catalog(tables._catalog_name, **tables._properties)


def ids_in(tables: IcebergTables, name: str) -> list[int]:
    """Every id in the table as PyIceberg's own catalog reads it, in order, doubles included."""
    scanned = plain_catalog(tables).load_table(name).scan(selected_fields=("id",)).to_arrow()
    return sorted(scanned["id"].to_pylist())
