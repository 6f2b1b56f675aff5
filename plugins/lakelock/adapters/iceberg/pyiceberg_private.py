"""Every use of PyIceberg's private API; `tests/integration/test_iceberg_internals.py` pins each."""

from __future__ import annotations

import functools
import threading
from typing import Any, TypeVar, cast

from cachetools import LRUCache
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.catalog.sql import IcebergTables as PointerRow
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException
from pyiceberg.io import FileIO, load_file_io
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.manifest import DataFile
from pyiceberg.partitioning import PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import CommitTableResponse, Table, Transaction
from pyiceberg.table.metadata import TableMetadata
from pyiceberg.table.refs import SnapshotRef
from pyiceberg.table.snapshots import (
    MetadataLogEntry,
    Operation,
    Snapshot,
    SnapshotLogEntry,
    SnapshotSummaryCollector,
    Summary,
    update_snapshot_summaries,
)
from pyiceberg.table.update import TableRequirement, TableUpdate, ValidatableTableRequirement
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.table.update.sorting import UpdateSortOrder
from pyiceberg.table.update.spec import UpdateSpec
from requests import Session
from sqlalchemy import event
from sqlalchemy.pool import SingletonThreadPool

from lakelock.adapters.iceberg.metadata_parsing import read_metadata

CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 60.0
# A silent commit holds the lock on the table's row this long at most; others wait longer for it.
IDLE_TRANSACTION_MS = 30_000
LOCK_TIMEOUT_MS = 45_000


class TimedRestCatalog(RestCatalog):
    """A REST catalog whose requests time out: PyIceberg sets no time-out, so a hanging catalog would hang the task."""

    def _config_headers(self, session: Session) -> None:
        # PyIceberg calls this first on each new session, before it fetches configuration or a token.
        super()._config_headers(session)
        timed = functools.partial(session.request, timeout=(CONNECT_TIMEOUT_S, READ_TIMEOUT_S))
        session.request = timed  # type: ignore[method-assign]


class CachingSqlCatalog(SqlCatalog):
    """A SQL catalog that caches metadata files: they never change, only the pointer in the database does.

    PyIceberg reads and parses them again in each commit; at 1,000 snapshots that is a third of the commit's CPU time.
    """

    ENTRIES = 8

    def __init__(self, name: str, **properties: str) -> None:
        self._known: LRUCache[str, TableMetadata] = LRUCache(self.ENTRIES)
        self._known_lock = threading.Lock()
        super().__init__(name, **properties)
        if self.engine.dialect.name == "postgresql":
            # PyIceberg may already have connected to create its tables.
            self.engine.dispose()
            event.listen(self.engine, "connect", _bound)

    def commit_table(
        self, table: Table, requirements: tuple[TableRequirement, ...], updates: tuple[TableUpdate, ...]
    ) -> CommitTableResponse:
        response = super().commit_table(table, requirements, updates)
        self._keep(response.metadata_location, response.metadata)
        return response

    def _convert_orm_to_iceberg(self, orm_table: PointerRow) -> Table:
        location = orm_table.metadata_location
        with self._known_lock:
            metadata = self._known.get(location) if location else None
        if location is None:
            # Has the error.
            return super()._convert_orm_to_iceberg(orm_table)
        if metadata is None:
            metadata = read_metadata(load_file_io(properties=self.properties, location=location).new_input(location))
            self._keep(location, metadata)
        identifier = (*Catalog.identifier_to_tuple(orm_table.table_namespace), orm_table.table_name)
        io = self._load_file_io(metadata.properties, location)
        return Table(identifier=identifier, metadata=metadata, metadata_location=location, io=io, catalog=self)

    def _keep(self, location: str, metadata: TableMetadata) -> None:
        with self._known_lock:
            self._known[location] = metadata


def _bound(connection: Any, _record: object) -> None:
    """Set time limits: a process or machine that freezes during a commit must not block others to that table."""
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TRANSACTION_MS:d}")
        cursor.execute(f"SET lock_timeout = {LOCK_TIMEOUT_MS:d}")
    connection.autocommit = False


T = TypeVar("T")


def _itself(value: T, _memo: dict[int, Any] | None = None) -> T:
    return value


# These are immutable, but PyIceberg deep-copies all retained ones on each commit: half its CPU time at 1,000 snapshots, and
# two thirds at 100 schemas.
for _frozen in (Snapshot, SnapshotLogEntry, MetadataLogEntry, Schema):
    _frozen.__deepcopy__ = _itself  # type: ignore[assignment, method-assign]


def delete_old_metadata(catalog: Catalog, io: FileIO, before: TableMetadata, after: TableMetadata) -> None:
    """Delete metadata files that were dropped from the log, if the table's settings ask for it.

    PyIceberg does this only in `Table._do_commit`, which a commit sent directly to the catalog bypasses.
    """
    catalog._delete_old_metadata(io, before, after)


class _SameRefs(ValidatableTableRequirement):
    type: str = "lakelock-same-refs"
    refs: dict[str, SnapshotRef]

    def validate(self, base_metadata: TableMetadata | None) -> None:  # type: ignore[override]
        if base_metadata is None or base_metadata.refs != self.refs:
            raise CommitFailedException("Requirement failed: a branch or tag was made or moved concurrently")


def same_refs(catalog: Catalog, refs: dict[str, SnapshotRef]) -> list[TableRequirement]:
    """Requirement that no ref was added. The format has none, so it is omitted for servers that check requirements."""
    if isinstance(catalog, RestCatalog):
        return []
    return [cast("TableRequirement", _SameRefs(refs=refs))]


class _SameSpecs(ValidatableTableRequirement):
    type: str = "lakelock-same-specs"
    specs: list[PartitionSpec]

    def validate(self, base_metadata: TableMetadata | None) -> None:  # type: ignore[override]
        if base_metadata is None or base_metadata.partition_specs != self.specs:
            raise CommitFailedException("Requirement failed: a partition spec was added or removed concurrently")


def same_specs(metadata: TableMetadata) -> tuple[TableRequirement, ...]:
    """Requirement that no spec was added or removed. The format has none: only for catalogs that check it in this process."""
    return (cast("TableRequirement", _SameSpecs(specs=list(metadata.partition_specs))),)


def shared_by_threads(catalog: Catalog) -> bool:
    """False for an in-memory SQLite catalog: SQLAlchemy gives each thread an empty database of its own."""
    engine = getattr(catalog, "engine", None)
    return engine is None or not isinstance(engine.pool, SingletonThreadPool)


def delete_folder(io: FileIO, location: str) -> None:
    """Delete *location* with its contents if PyIceberg uses PyArrow for storage; otherwise do nothing."""
    if isinstance(io, PyArrowFileIO):
        scheme, netloc, path = PyArrowFileIO.parse_location(location, io.properties)
        io.fs_by_scheme(scheme, netloc).delete_dir(path)


class _WithoutUpdates(Transaction):
    """PyIceberg's own copies the metadata at each look: seconds for thousands of columns in dozens of schemas."""

    @property
    def table_metadata(self) -> TableMetadata:
        return self._table.metadata


def schema_update(table: Table) -> UpdateSchema:
    """A change of the table's schema that nothing commits: `schema_updates` has what it amounts to."""
    return UpdateSchema(_WithoutUpdates(table), name_mapping=table.metadata.name_mapping())


def schema_updates(update: UpdateSchema) -> tuple[TableUpdate, ...]:
    """Raises ValueError."""
    updates, _ = update._commit()
    return tuple(updates)


def staged(table: Table, updates: tuple[TableUpdate, ...]) -> Transaction:
    """A transaction that nothing commits, whose metadata is the table's after *updates*."""
    transaction = table.transaction()
    transaction._stage(updates)
    return transaction


def spec_updates(update: UpdateSpec) -> tuple[tuple[TableUpdate, ...], tuple[TableRequirement, ...]]:
    """Updates, none if the spec stays the same, and requirements. Raises ValueError."""
    updates, requirements = update._commit()
    return tuple(updates), tuple(requirements)


def sort_order_updates(update: UpdateSortOrder) -> tuple[tuple[TableUpdate, ...], tuple[TableRequirement, ...]]:
    updates, requirements = update._commit()
    return tuple(updates), tuple(requirements)


def spec_id_of(file: DataFile) -> int | None:
    """None if the file's spec is not set: PyIceberg leaves the attribute undefined."""
    return cast("int | None", getattr(file, "_spec_id", None))


class Tally:
    """A snapshot's summary as by PyIceberg's own producer: counts, sizes, and totals carried over from its parent."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._collector = SnapshotSummaryCollector()

    def add(self, file: DataFile, spec: PartitionSpec) -> None:
        self._collector.add_file(file, schema=self._schema, partition_spec=spec)

    def remove(self, file: DataFile, spec: PartitionSpec) -> None:
        self._collector.remove_file(file, schema=self._schema, partition_spec=spec)

    def summary(self, operation: Operation, previous: Summary | None, extra: dict[str, str]) -> Summary:
        # PyIceberg refuses to carry totals for a REPLACE; they are computed as for any other operation.
        counted = update_snapshot_summaries(Summary(Operation.OVERWRITE, **self._collector.build(), **extra), previous)
        return Summary(operation, **counted.additional_properties)
