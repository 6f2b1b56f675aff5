"""Each kind of tables behind the port, as the contract of the port sees it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from itertools import count
from typing import Protocol

from lakelock.adapters.iceberg import IcebergStorage
from lakelock.model.batches import Books, DataFile
from lakelock.model.column_types import Integer
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange
from lakelock.ports import Change, TableDefinition, Tables, TableState
from lakelock.ports.edits import Append, Edit
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.table_files import MemoryStorage
from lakelock.testing.tables import MemoryTables
from pyiceberg.table import Table
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.update import SetSnapshotRefUpdate
from pyiceberg.types import LongType

from kits.columns import columns
from kits.iceberg import INSTALLATION, SOURCE, open_tables, rows, write_rows

OTHER_INSTALLATION = "0d0d0d0d-5a4e-4c9e-8f0e-6a54a1f2c001"


class TableKind(Protocol):
    """Tables, and things that are done to them beside the port: by a task that writes files, and by other tools."""

    @property
    def tables(self) -> Tables: ...

    def of(self, installation_id: str) -> Tables:
        """The same tables for the same pipeline of another installation."""
        ...

    def create(self, name: str, created_by: str | None = None) -> None: ...

    def files(self, state: TableState, offsets: Sequence[int]) -> tuple[DataFile, ...]:
        """New files of the table's layout, with a row for each offset."""
        ...

    def paths(self, state: TableState) -> list[str]:
        """Of the live files."""
        ...

    def offsets(self, name: str) -> list[int]:
        """All rows, in order."""
        ...

    def append(self, name: str) -> None:
        """Another tool adds a row."""
        ...

    def add_column(self, name: str) -> None:
        """Another tool adds an optional column."""
        ...

    def set_back(self, name: str, version_id: int) -> None:
        """Another tool sets the branch back."""
        ...


class IcebergKind:
    def __init__(self, properties: dict[str, str]) -> None:
        self.properties = properties
        self.tables = open_tables(properties)

    def of(self, installation_id: str) -> Tables:
        return self.tables.for_pipeline("p", installation_id)

    def create(self, name: str, created_by: str | None = None) -> None:
        found = columns({"id": "long", "name": "string", "ts": "timestamptz", "narrow": "int"})
        self.tables.create(name, TableDefinition(found, created_by=created_by))

    def files(self, state: TableState, offsets: Sequence[int]) -> tuple[DataFile, ...]:
        return write_rows(state, rows(offsets))

    def paths(self, state: TableState) -> list[str]:
        return [f.path for f in IcebergStorage(self.tables.border).live_files(state)]

    def offsets(self, name: str) -> list[int]:
        found = self._foreign(name).scan(selected_fields=("id",)).to_arrow()["id"].to_pylist()
        return sorted(i for i in found if i >= 0)

    def append(self, name: str) -> None:
        table = self._foreign(name)
        table.append(rows([-1]).cast(table.schema().select("id", "name", "ts").as_arrow()))

    def add_column(self, name: str) -> None:
        with self._foreign(name).update_schema() as update:
            update.add_column("theirs", LongType())

    def set_back(self, name: str, version_id: int) -> None:
        move = {"ref-name": "main", "type": SnapshotRefType.BRANCH, "snapshot-id": version_id}
        table = self._foreign(name)
        table.catalog.commit_table(table, (), (SetSnapshotRefUpdate.model_validate(move),))

    def _foreign(self, name: str) -> Table:
        return self.tables.catalog.load_table(tuple(name.split(".")))


class MemoryKind:
    def __init__(self) -> None:
        numbers, ticks = count(1), count(1)
        self.catalog = MemoryCatalog(lambda: next(numbers), lambda: next(ticks))
        self.tables = MemoryTables(self.catalog, INSTALLATION)

    def of(self, installation_id: str) -> Tables:
        return self.tables.for_pipeline("p", installation_id)

    def create(self, name: str, created_by: str | None = None) -> None:
        self.tables.create(name, TableDefinition((), created_by=created_by))

    def files(self, state: TableState, offsets: Sequence[int]) -> tuple[DataFile, ...]:
        path = self.catalog.new_file("f", tuple(("", "", "", 0, o) for o in offsets))
        return (DataFile(path, len(offsets), len(offsets), b"{}"),)

    def paths(self, state: TableState) -> list[str]:
        return [f.path for f in MemoryStorage(self.catalog).live_files(state)]

    def offsets(self, name: str) -> list[int]:
        return sorted(row[4] for row in self.catalog.live(self.catalog.get(name)) if row is not None)

    def append(self, name: str) -> None:
        self.catalog.append(name)

    def add_column(self, name: str) -> None:
        self.catalog.change_extras(name, {*dict(self.catalog.get(name).extras), "theirs"})

    def set_back(self, name: str, version_id: int) -> None:
        self.catalog.set_back(name, version_id)


def change_of(kind: TableKind, state: TableState, offsets: Sequence[int] = (), edit: Edit | None = None) -> Change:
    """Lands *offsets*, which must be consecutive, with a row each; with *edit* only that and a ledger."""
    ledger = state.ledger or Ledger(INSTALLATION, "p", "", 0, "config", Coverage())
    books: tuple[Books, ...] = ()
    coverage = ledger.coverage
    if offsets:
        books = (Books(OffsetRange(SOURCE, offsets[0], offsets[-1] + 1), len(offsets), len(offsets)),)
        coverage = coverage.adding(books, {SOURCE: 0}, ledger.generation)
    after = Ledger(INSTALLATION, "p", str(uuid.uuid4()), ledger.generation, "config", coverage)
    return Change(
        after,
        {"name": "p"},
        edit or Append(kind.files(state, offsets) if offsets else ()),
        (str(uuid.uuid4()),) if offsets else (),
        books,
        keep_snapshots=1000,
        keep_younger_ms=0,
    )


def landed(kind: TableKind, name: str, offsets: Sequence[int] = (), edit: Edit | None = None) -> TableState:
    """The table after one commit from a fresh load."""
    state = kind.tables.load(name)
    kind.tables.commit(state, change_of(kind, state, offsets, edit))
    return kind.tables.load(name)


LONG = Integer(64)
