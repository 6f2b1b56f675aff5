"""`check_compare_and_swap`: catalogs that hold pass and keep nothing of it, others are refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from kits.iceberg import open_tables
from lakelock.adapters.iceberg import IcebergTables, check_compare_and_swap
from lakelock.errors import CatalogUnfit
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import CommitTableResponse, Table
from pyiceberg.table.update import AssertRefSnapshotId, TableRequirement, TableUpdate


def properties(folder: Path) -> dict[str, str]:
    return {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}


def implementing(folder: Path, catalog: type[SqlCatalog]) -> IcebergTables:
    tables = open_tables(properties(folder))
    # What `py-catalog-impl` would do, for a class that only this test knows.
    settings = {k: v for k, v in properties(folder).items() if k != "type"}
    tables._connection._catalog = catalog("lake", **settings)
    return tables


def test_other_installations_of_a_catalog_share_one_connection(folder: Path) -> None:
    """A recovery looks at each of thousands of tables as the installation that it belongs to."""
    tables = open_tables(properties(folder))
    assert tables.for_pipeline("p", "another").catalog is tables.catalog


def files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("warehouse/**/*") if p.is_file()]


def test_a_catalog_with_compare_and_swap_passes_and_nothing_stays(folder: Path) -> None:
    tables = open_tables(properties(folder))
    check_compare_and_swap(tables, "shop.eu")
    assert files(folder) == []
    assert tables.catalog.list_namespaces() == []


def test_a_namespace_in_use_stays(folder: Path) -> None:
    tables = open_tables(properties(folder))
    tables.catalog.create_namespace("shop")
    check_compare_and_swap(tables, "shop")
    assert tables.catalog.list_namespaces() == [("shop",)]
    assert tables.catalog.list_tables("shop") == []


def test_the_stacks_own_catalog_passes(catalog_properties: dict[str, str], namespace: str) -> None:
    check_compare_and_swap(open_tables(catalog_properties), namespace)


def test_an_in_memory_catalog_passes(folder: Path) -> None:
    tables = open_tables({"type": "in-memory", "warehouse": f"file://{folder}/warehouse"})
    check_compare_and_swap(tables, "shop")


class LastWriterWins(SqlCatalog):
    """Ignores what a commit requires, and repairs parent and sequence number as a careless server may."""

    def commit_table(
        self, table: Table, requirements: tuple[TableRequirement, ...], updates: tuple[TableUpdate, ...]
    ) -> CommitTableResponse:
        last = self.load_table(table.name()).metadata.next_sequence_number()
        for update in updates:
            if update.action == "add-snapshot":
                object.__setattr__(update.snapshot, "sequence_number", last)
        return super().commit_table(table, (), updates)


class BranchOnly(SqlCatalog):
    """Checks the branch, and no tag."""

    def commit_table(
        self, table: Table, requirements: tuple[TableRequirement, ...], updates: tuple[TableUpdate, ...]
    ) -> CommitTableResponse:
        kept = tuple(r for r in requirements if not (isinstance(r, AssertRefSnapshotId) and r.ref != "main"))
        return super().commit_table(table, kept, updates)


class CheckThenSet(SqlCatalog):
    """Checks, then sets, with a gap between in which others may do the same."""

    gap = threading.Barrier(4)

    def commit_table(
        self, table: Table, requirements: tuple[TableRequirement, ...], updates: tuple[TableUpdate, ...]
    ) -> CommitTableResponse:
        current = self.load_table(table.name())
        staged = self._update_and_stage_table(current, table.name(), requirements, updates)
        try:
            self.gap.wait(1)
        except threading.BrokenBarrierError:
            self.gap.reset()
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        namespace, name = table.name()[0], table.name()[-1]
        with self.engine.begin() as connection:
            connection.exec_driver_sql(
                "UPDATE iceberg_tables SET metadata_location = ? WHERE table_namespace = ? AND table_name = ?",
                (staged.metadata_location, namespace, name),
            )
        return CommitTableResponse.model_validate(
            {"metadata": staged.metadata, "metadata-location": staged.metadata_location}
        )


@pytest.mark.parametrize(
    ("catalog", "reported"),
    [
        (LastWriterWins, "accepted a second commit from one load"),
        (BranchOnly, "although the tag that it required had moved"),
        (CheckThenSet, "simultaneous commits"),
    ],
)
def test_a_catalog_that_lets_stale_commits_in_is_unfit(folder: Path, catalog: type[SqlCatalog], reported: str) -> None:
    with pytest.raises(CatalogUnfit, match=reported):
        check_compare_and_swap(implementing(folder, catalog), "shop")
    assert files(folder) == []


def test_a_check_that_fails_early_drops_its_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = open_tables(properties(folder))
    fail: Callable[..., None] = lambda *_: (_ for _ in ()).throw(CatalogUnfit("broken"))  # noqa: E731
    monkeypatch.setattr("lakelock.adapters.iceberg.cas_check._race", fail)
    with pytest.raises(CatalogUnfit, match="broken"):
        check_compare_and_swap(tables, "shop")
    assert files(folder) == []
