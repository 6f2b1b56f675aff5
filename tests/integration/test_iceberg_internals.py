"""Pins what lakelock uses of PyIceberg without a promise: an upgrade that changes it turns these red."""

from __future__ import annotations

import copy
import gzip
import inspect
from pathlib import Path

import pytest
import requests
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw, rows, write_files
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.metadata_parsing import parsed, read_metadata
from lakelock.adapters.parquet.data_file_json import decode_data_file
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFile, write_manifest, write_manifest_list
from pyiceberg.schema import Schema
from pyiceberg.serializers import FromInputFile
from pyiceberg.table.snapshots import MetadataLogEntry, Operation, Snapshot, SnapshotLogEntry
from pyiceberg.table.update import (
    AddPartitionSpecUpdate,
    AddSchemaUpdate,
    AddSortOrderUpdate,
    AssertDefaultSortOrderId,
    AssertDefaultSpecId,
    AssertLastAssignedPartitionId,
    SetCurrentSchemaUpdate,
    SetDefaultSortOrderUpdate,
    SetDefaultSpecUpdate,
)
from pyiceberg.table.update.sorting import UpdateSortOrder
from pyiceberg.table.update.spec import UpdateSpec
from pyiceberg.transforms import BucketTransform, IdentityTransform
from pyiceberg.types import LongType, NestedField, StringType, StructType

NAME = "shop.orders"


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def test_every_rest_session_gets_its_time_out_before_its_first_request(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def request(self: requests.Session, *_: object, **more: object) -> None:
        seen.append(more.get("timeout"))
        raise requests.exceptions.ConnectionError("stop here")

    monkeypatch.setattr(requests.Session, "request", request)
    for settings in ({}, {"credential": "id:secret", "oauth2-server-uri": "http://127.0.0.1:1/token"}):
        with pytest.raises(requests.exceptions.ConnectionError):
            internals.TimedRestCatalog("lake", uri="http://127.0.0.1:1", **settings)
    assert seen
    assert set(seen) == {(internals.CONNECT_TIMEOUT_S, internals.READ_TIMEOUT_S)}
    assert "timeout" not in inspect.getsource(RestCatalog)


def test_snapshots_and_schemas_are_frozen_so_that_copies_may_share_them() -> None:
    for model in (Snapshot, SnapshotLogEntry, MetadataLogEntry, Schema):
        assert model.model_config["frozen"]
        value = model.model_construct()
        assert copy.deepcopy(value) is value


def test_metadata_is_parsed_as_pyiceberg_does(tables: IcebergTables, folder: Path) -> None:
    adopted(tables, NAME)
    for i in range(3):
        state = tables.load(NAME)
        tables.commit(state, change(state, i, i + 1))
        with tables.catalog.load_table(NAME).update_schema() as update:
            update.add_column(f"more_{i}", StructType(NestedField(1, "x", StringType(), required=False)))
    location = tables.catalog.load_table(NAME).metadata_location
    io = tables.catalog.load_table(NAME).io
    theirs = FromInputFile.table_metadata(io.new_input(location))
    for _ in range(2):
        ours = read_metadata(io.new_input(location))
        assert ours == theirs
        assert ours.model_dump_json() == theirs.model_dump_json()
    zipped = folder / "1.gz.metadata.json"
    zipped.write_bytes(gzip.compress(theirs.model_dump_json().encode()))
    assert read_metadata(io.new_input(str(zipped))) == theirs
    with pytest.raises(ValueError, match="Expecting property name"):
        parsed(b"{")


def test_metadata_kept_in_memory_is_what_the_file_says(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    for i in range(3):
        state = tables.load(NAME)
        tables.commit(state, change(state, i, i + 1))
    kept, read = tables.load(NAME), plain_catalog(tables).load_table(NAME)
    assert raw(kept).metadata_location == read.metadata_location
    assert raw(kept).metadata.model_dump_json() == read.metadata.model_dump_json()
    assert raw(kept).name() == read.name()


def test_a_pointer_that_others_moved_is_followed(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    plain_catalog(tables).load_table(NAME).append(rows([1]))
    assert raw(tables.load(NAME)).scan().to_arrow().num_rows == 1


def test_a_summary_is_what_pyicebergs_own_append_writes(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    for ids in ([0, 1, 30], [60]):
        state = tables.load(NAME)
        table = raw(state)
        head = table.current_snapshot()
        assert head is not None
        tally = internals.Tally(table.schema())
        for file in write_files(state, ids):
            tally.add(decode_data_file(file.detail).entry, table.spec())
        ours = tally.summary(Operation.APPEND, head.summary, {"lakelock.x": "1"})
        table.append(rows(ids))
        theirs = plain_catalog(tables).load_table(NAME).current_snapshot()
        assert theirs is not None
        assert theirs.summary is not None
        expected = theirs.summary.additional_properties | {"lakelock.x": "1"}
        assert ours.additional_properties | {"added-files-size": "", "total-files-size": ""} == expected | {
            "added-files-size": "",
            "total-files-size": "",
        }


def test_old_metadata_files_are_deleted_only_where_the_table_wants_it(tables: IcebergTables, folder: Path) -> None:
    for name, wanted in (("shop.keep", "false"), ("shop.drop", "true")):
        adopted(tables, name, properties={
            "write.metadata.delete-after-commit.enabled": wanted, "write.metadata.previous-versions-max": "3",
        })  # fmt: skip
        for i in range(8):
            state = tables.load(name)
            tables.commit(state, change(state, i, i + 1))
    assert len(list(folder.glob("warehouse/shop/keep/metadata/*.metadata.json"))) == 10
    assert len(list(folder.glob("warehouse/shop/drop/metadata/*.metadata.json"))) == 4


def test_a_change_of_the_schema_is_what_pyiceberg_makes_and_copies_no_metadata(tables: IcebergTables) -> None:
    """A copy of thousands of columns in dozens of schemas takes seconds, and PyIceberg makes six of them."""
    table = raw(adopted(tables, NAME))
    ours, theirs = internals.schema_update(table), table.update_schema()
    for update in (ours, theirs):
        update.add_column("more", StructType(NestedField(1, "a", StringType(), required=False)))
        update.update_column("name", doc="a name")
    assert ours._transaction.table_metadata is table.metadata
    assert internals.schema_updates(ours) == tuple(theirs._commit()[0])


def test_a_data_file_knows_its_spec_only_when_given() -> None:
    assert internals.spec_id_of(DataFile.from_args(file_path="x")) is None
    given = DataFile.from_args(file_path="x")
    given.spec_id = 3
    assert internals.spec_id_of(given) == 3


def test_the_private_names_are_still_there() -> None:
    assert list(inspect.signature(SqlCatalog._delete_old_metadata).parameters) == ["io", "base", "metadata"]
    assert list(inspect.signature(SqlCatalog._convert_orm_to_iceberg).parameters) == ["self", "orm_table"]
    assert list(inspect.signature(RestCatalog._config_headers).parameters) == ["self", "session"]


def test_changes_of_schema_spec_and_sort_order_are_made_without_a_commit(tables: IcebergTables) -> None:
    """Each sees the metadata that the ones before it make, and says on what it relies."""
    state = adopted(tables, NAME)
    table, before = raw(state), raw(state).metadata
    schema = internals.schema_update(table).add_column("more", LongType())
    updates = internals.schema_updates(schema)
    assert [type(u) for u in updates] == [AddSchemaUpdate, SetCurrentSchemaUpdate]
    spec = UpdateSpec(internals.staged(table, updates)).add_field("more", BucketTransform(4), "more_bucket")
    of_spec, on_spec = internals.spec_updates(spec)
    assert [type(u) for u in of_spec] == [AddPartitionSpecUpdate, SetDefaultSpecUpdate]
    assert [type(r) for r in on_spec] == [AssertLastAssignedPartitionId, AssertDefaultSpecId]
    order = UpdateSortOrder(internals.staged(table, (*updates, *of_spec))).desc("more", IdentityTransform())
    of_order, on_order = internals.sort_order_updates(order)
    assert [type(u) for u in of_order] == [AddSortOrderUpdate, SetDefaultSortOrderUpdate]
    assert [type(r) for r in on_order] == [AssertDefaultSortOrderId]
    assert internals.spec_updates(UpdateSpec(internals.staged(table, ()))) == ((), ())
    assert raw(tables.load(NAME)).metadata == table.metadata == before


def test_manifests_are_written_with_these_arguments_in_this_order() -> None:
    of_manifest = ["format_version", "spec", "schema", "output_file", "snapshot_id", "avro_compression"]
    assert list(inspect.signature(write_manifest).parameters) == of_manifest
    of_list = ["format_version", "output_file", "snapshot_id", "parent_snapshot_id", "sequence_number"]
    assert list(inspect.signature(write_manifest_list).parameters) == [*of_list, "avro_compression"]
