"""Which metadata file of a dropped table a message names, on a SQL catalog and a warehouse of files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lakelock.adapters.iceberg.errors import Border
from lakelock.adapters.iceberg.gone_table import PLACEHOLDER, way_back
from pyiceberg.catalog import Catalog, load_catalog
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.types import LongType, NestedField

SCHEMA = Schema(NestedField(1, "id", LongType(), required=False))
TABLE = "shop.orders"


@pytest.fixture
def properties(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "it's here").mkdir()
    return {"type": "sql", "uri": f"sqlite:///{tmp_path}/it's.db", "warehouse": f"file://{tmp_path}/it's here"}


@pytest.fixture
def catalog(properties: dict[str, str]) -> Catalog:
    catalog = load_catalog("lake", **properties)
    catalog.create_namespace("shop")
    return catalog


def reported(catalog: Catalog, properties: dict[str, str], uuid: str | None, *data_files: str) -> str:
    return way_back(catalog, Border(properties), properties, TABLE, uuid, data_files)


def grown(table: Table, commits: int = 11) -> Table:
    """With more commits than a number of one digit counts."""
    for n in range(commits):
        with table.transaction() as change:
            change.set_properties(n=str(n))
    return table


def test_the_command_registers_the_newest_file_of_this_table(catalog: Catalog, properties: dict[str, str]) -> None:
    table = grown(catalog.create_table(TABLE, SCHEMA))
    catalog.drop_table(TABLE)
    later = catalog.create_table(TABLE, SCHEMA)
    catalog.drop_table(TABLE)
    (command,) = re.findall(r"`(python .*)`", reported(catalog, properties, str(table.metadata.table_uuid)))
    subprocess.run(["bash", "-c", command.replace("python", sys.executable, 1)], check=True)
    assert catalog.load_table(TABLE).metadata_location == table.metadata_location
    catalog.drop_table(TABLE)
    assert later.metadata_location in reported(catalog, properties, None), "the last that had the name"


def test_a_table_elsewhere_is_found_by_its_data_files(
    catalog: Catalog, properties: dict[str, str], tmp_path: Path
) -> None:
    table = grown(catalog.create_table(TABLE, SCHEMA, location=f"file://{tmp_path}/elsewhere"))
    catalog.drop_table(TABLE)
    uuid = str(table.metadata.table_uuid)
    staged = f"file://{tmp_path}/elsewhere/data/{uuid}/batch/attempt/file.parquet"
    assert table.metadata_location in reported(catalog, properties, uuid, staged)
    nowhere = reported(catalog, properties, uuid)
    assert PLACEHOLDER in nowhere
    assert "highest number" in nowhere


def test_files_of_one_number_are_all_named(catalog: Catalog, properties: dict[str, str]) -> None:
    table = grown(catalog.create_table(TABLE, SCHEMA))
    path = Path(table.metadata_location.removeprefix("file://"))
    twin = path.with_name(
        path.name.replace(path.name.partition("-")[2], "11111111-1111-4111-8111-111111111111.metadata.json")
    )
    shutil.copy(path, twin)
    catalog.drop_table(TABLE)
    said = reported(catalog, properties, str(table.metadata.table_uuid))
    assert str(path) in said
    assert str(twin) in said
    assert "one at most" in said


def test_storage_that_fails_takes_nothing_from_the_message(catalog: Catalog, properties: dict[str, str]) -> None:
    table = catalog.create_table(TABLE, SCHEMA)
    catalog.drop_table(TABLE)
    Path(table.metadata_location.removeprefix("file://")).write_text("no metadata")
    assert PLACEHOLDER in reported(catalog, properties, str(table.metadata.table_uuid))


@pytest.mark.parametrize("name", ["shop.former", "attic.orders"])
def test_a_table_that_was_renamed_is_found_by_its_uuid(catalog: Catalog, properties: dict[str, str], name: str) -> None:
    """To register its metadata under the old name would make two tables of the same files."""
    table = grown(catalog.create_table(TABLE, SCHEMA))
    catalog.create_namespace("attic")
    for other in ("shop.a", "shop.z", "attic.a"):
        catalog.create_table(other, SCHEMA)
    catalog.rename_table(TABLE, name)
    said = reported(catalog, properties, str(table.metadata.table_uuid))
    assert said == (
        f"The catalog has this table as {name}: another tool renamed it. Rename it back (in Spark SQL: `ALTER TABLE {name} "
        f"RENAME TO {TABLE}`)"
    )
    loaded = reported(catalog, properties, "another")
    assert "was not found" in loaded
