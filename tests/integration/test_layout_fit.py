"""Files of an earlier layout are committed after the table has changed, and every engine reads them in their columns."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from kits.columns import columns
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.parquet.writer import TableWriter
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import CommitConflict, TableUnfit
from lakelock.ingest.write_order import target_of
from lakelock.model.batches import DataFile
from lakelock.model.column_changes import Added
from lakelock.model.type_notation import parse_type
from lakelock.ports import TableState, edits
from lakelock.ports.edits import LedgerOnly
from pyiceberg.avro.file import AvroFile
from pyiceberg.manifest import ManifestFile
from pyiceberg.table import Table
from pyiceberg.table.update import RemovePartitionSpecsUpdate, SetCurrentSchemaUpdate
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.typedef import Record
from pyiceberg.types import DecimalType, DoubleType, LongType, StringType

if TYPE_CHECKING:
    from stack.spark import SparkConnect

COLUMNS = columns(
    {"id": "long", "n": "int", "f": "float", "d": "decimal(9, 2)", "s": "struct<x: int, y: string>", "gone": "string"}
)
ROWS: list[dict[str, Any]] = [
    {"id": 1, "n": -7, "f": 0.5, "d": Decimal("1.25"), "s": {"x": 1, "y": "a"}, "gone": "g"},
    {"id": 2, "n": 2**31 - 1, "f": None, "d": Decimal("-9999999.99"), "s": None, "gone": None},
]
LATER: dict[str, Any] = {**ROWS[0], "id": 3, "n": 2**40}
Evolve = Callable[[UpdateSchema], object]


def evolved(*steps: Evolve) -> Callable[[Table], None]:
    def evolve(table: Table) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            for step in steps:
                step(update)

    return evolve


def renewed(table: Table) -> None:
    evolved(lambda u: u.delete_column("gone"))(table)
    evolved(lambda u: u.add_column("gone", StringType()))(table)


# Changes after which files still land, with the first row as it is read then.
FITS: dict[str, tuple[Callable[[Table], None], dict[str, Any]]] = {
    "a new column": (evolved(lambda u: u.add_column("more", StringType())), {**ROWS[0], "more": None}),
    "a new column within a struct": (
        evolved(lambda u: u.add_column(("s", "z"), LongType())),
        {**ROWS[0], "s": {"x": 1, "y": "a", "z": None}},
    ),
    "another name": (
        evolved(lambda u: u.rename_column("n", "number")),
        {("number" if k == "n" else k): v for k, v in ROWS[0].items()},
    ),
    "int to long": (evolved(lambda u: u.update_column("n", LongType())), ROWS[0]),
    "int to long within a struct": (evolved(lambda u: u.update_column(("s", "x"), LongType())), ROWS[0]),
    "float to double": (evolved(lambda u: u.update_column("f", DoubleType())), ROWS[0]),
    "more digits": (evolved(lambda u: u.update_column("d", DecimalType(18, 2))), ROWS[0]),
    "another order": (evolved(lambda u: u.move_first("n")), ROWS[0]),
    "a comment": (evolved(lambda u: u.update_column("n", doc="a number")), ROWS[0]),
}
# Changes after which they must not, with the reason.
MISFITS: dict[str, tuple[Callable[[Table], None], str]] = {
    "a column less": (evolved(lambda u: u.delete_column("gone")), "column gone was dropped"),
    "a column less within a struct": (evolved(lambda u: u.delete_column(("s", "y"))), "column s.y was dropped"),
    "a name with another column": (
        renewed,
        "column gone was dropped",
    ),
    "a column that must have values": (
        evolved(lambda u: u.update_column("n", required=True)),
        "column n is required now",
    ),
    "a new column that must have values": (
        evolved(lambda u: u.add_column("more", StringType(), required=True)),
        "the table has a new required column more",
    ),
}


@pytest.fixture
def tables(catalog_properties: dict[str, str]) -> IcebergTables:
    return open_tables(catalog_properties)


@pytest.fixture
def name(namespace: str) -> str:
    return f"{namespace}.evolving"


def written(tables: IcebergTables, state: TableState, *rows: dict[str, Any]) -> tuple[DataFile, ...]:
    writer = TableWriter(
        target_of(state, tables.storage(state)), str(uuid.uuid4()), str(uuid.uuid4()), file_bytes=1 << 29
    )
    writer.write(pa.Table.from_pylist(list(rows), schema=writer.arrow_schema))
    return writer.finish()


def evolve(tables: IcebergTables, state: TableState, how: Callable[[Table], None]) -> TableState:
    how(plain_catalog(tables).load_table(state.name))
    return tables.load(state.name)


def misfit(tables: IcebergTables, now: TableState, before: TableState) -> str:
    return tables.misfits(now, {before.layout.token}).get(before.layout.token, "")


def manifests(state: TableState) -> list[ManifestFile]:
    head = raw(state).current_snapshot()
    assert head is not None
    return head.manifests(raw(state).io)


@pytest.mark.parametrize("what", FITS)
def test_files_of_an_earlier_layout_land_and_are_read_in_their_columns(
    tables: IcebergTables, name: str, what: str
) -> None:
    how, first = FITS[what]
    before = adopted(tables, name, columns=COLUMNS)
    files = written(tables, before, *ROWS)
    now = evolve(tables, before, how)
    assert misfit(tables, now, before) == ""
    tables.commit(now, change(now, 0, 2, files=files))
    found = plain_catalog(tables).load_table(name).scan().to_arrow().sort_by("id").to_pylist()
    assert found[0] == first
    assert len(found) == 2


@pytest.mark.parametrize("what", MISFITS)
def test_files_of_a_layout_that_no_longer_fits_are_named_with_the_reason(
    tables: IcebergTables, name: str, what: str
) -> None:
    how, why = MISFITS[what]
    before = adopted(tables, name, columns=COLUMNS)
    assert misfit(tables, evolve(tables, before, how), before).endswith(f": {why}")


def test_a_table_set_to_an_older_schema_takes_no_files_of_the_newer_one(tables: IcebergTables, name: str) -> None:
    older = adopted(tables, name, columns=COLUMNS)
    newer = evolve(tables, older, FITS["int to long"][0])
    table = plain_catalog(tables).load_table(name)
    with table.transaction() as transaction:
        transaction._apply((_set_current(table, 0),))
    now = tables.load(name)
    assert now.layout == older.layout
    assert misfit(tables, now, older) == ""
    assert misfit(tables, now, newer).endswith("column n was long and is int")


def test_a_column_that_was_dropped_and_is_there_again_keeps_out_copies_without_its_values(
    tables: IcebergTables, name: str
) -> None:
    before = adopted(tables, name, columns=COLUMNS)
    without = evolve(tables, before, MISFITS["a column less"][0])
    assert misfit(tables, without, without) == ""
    with plain_catalog(tables).load_table(name).transaction() as transaction:
        transaction._apply((_set_current(plain_catalog(tables).load_table(name), 0),))
    now = tables.load(name)
    assert misfit(tables, now, before) == ""
    assert misfit(tables, now, without).endswith("column gone was dropped, and is there again")


@pytest.mark.parametrize("number", [1, 3])
def test_an_id_with_other_columns_or_another_spec_is_another_one(tables: IcebergTables, name: str, number: int) -> None:
    state = adopted(tables, name, columns=COLUMNS, partition_by=("n",))
    parts = re.split(r"[()]", state.layout.token)
    other = state.layout.token.replace(f"({parts[number]})", "(0123456789ab)")
    assert other != state.layout.token
    what = "schema" if number == 1 else "partition spec"
    assert tables.misfits(state, {other})[other] == f"{other} no longer fits: the table has no such {what}"
    assert tables.misfits(state, {"version 3"})["version 3"].endswith("it is the layout of another kind of table")


def test_a_layout_that_0_2_0_recorded_fits_as_long_as_nothing_has_changed(tables: IcebergTables, name: str) -> None:
    state = adopted(tables, name, columns=COLUMNS)
    then = f"schema {raw(state).metadata.current_schema_id}, partition spec {raw(state).metadata.default_spec_id}"
    assert tables.misfits(state, {then}) == {}
    now = evolve(tables, state, FITS["a new column"][0])
    assert tables.misfits(now, {then})[then].endswith("the table has another schema or partition spec now")


def _set_current(table: Table, schema_id: int) -> Any:
    return SetCurrentSchemaUpdate.model_validate({"schema-id": schema_id})


def unpartitioned(tables: IcebergTables, name: str) -> TableState:
    with plain_catalog(tables).load_table(name).update_spec() as spec:
        spec.remove_field("n")
    return tables.load(name)


def test_files_of_an_earlier_spec_land_while_the_table_has_files_of_it(tables: IcebergTables, name: str) -> None:
    before = adopted(tables, name, columns=COLUMNS, partition_by=("n",))
    now = unpartitioned(tables, name)
    assert misfit(tables, now, before).endswith("no file of the table has this partition spec")
    files = written(tables, before, ROWS[0])
    tables.commit(now, change(now, 0, 1, files=files))
    now = tables.load(name)
    assert misfit(tables, now, before) == ""
    tables.commit(now, change(now, 1, 2, files=written(tables, before, ROWS[1])))
    found = plain_catalog(tables).load_table(name).scan(row_filter="n = -7").to_arrow()
    assert found["id"].to_pylist() == [1]


def test_a_clean_up_of_metadata_leaves_no_commit_that_names_a_spec_which_is_gone(
    tables: IcebergTables, name: str
) -> None:
    """Otherwise no reader could open the table."""
    before = adopted(tables, name, columns=COLUMNS, partition_by=("n",))
    now = unpartitioned(tables, name)
    tables.commit(now, change(now, 0, 1, files=written(tables, before, ROWS[0])))
    late = tables.load(name)
    assert misfit(tables, late, before) == ""
    # The clean-up needs a head without files of the spec.
    plain_catalog(tables).load_table(name).delete("id = 1")
    tables.commit(tables.load(name), change(tables.load(name), edit=LedgerOnly()))
    table = plain_catalog(tables).load_table(name)
    table.catalog.commit_table(table, (), (RemovePartitionSpecsUpdate.model_validate({"spec-ids": [0]}),))
    with pytest.raises(CommitConflict):
        tables.commit(late, change(late, 1, 2, files=written(tables, before, ROWS[1])))
    assert plain_catalog(tables).load_table(name).scan().count() == 0
    now = tables.load(name)
    assert misfit(tables, now, before).endswith("the table has no such partition spec")


def test_each_manifest_has_files_of_one_schema(tables: IcebergTables, name: str) -> None:
    """Its partition type is that of its schema: an int before, a long now."""
    before = adopted(tables, name, columns=COLUMNS, partition_by=("n",))
    files = written(tables, before, ROWS[0])
    now = evolve(tables, before, FITS["int to long"][0])
    tables.commit(now, change(now, 0, 2, files=(*files, *written(tables, now, LATER))))
    table = plain_catalog(tables).load_table(name)
    found = [json.loads(_meta(table, m)["schema"]) for m in manifests(tables.load(name))]
    kinds = [next(f["type"] for f in schema["fields"] if f["name"] == "n") for schema in found]
    assert sorted(kinds) == ["int", "long"]
    for number in (-7, 2**40):
        assert table.scan(row_filter=f"n = {number}").to_arrow()["n"].to_pylist() == [number]


def _meta(table: Table, manifest: ManifestFile) -> dict[str, str]:
    with AvroFile[Record](table.io.new_input(manifest.manifest_path)) as reader:
        return dict(reader.header.meta)


def test_files_of_a_schema_that_the_table_has_not_are_refused(tables: IcebergTables, name: str) -> None:
    state = adopted(tables, name, columns=COLUMNS)
    (file,) = written(tables, state, *ROWS)
    strange = replace(file, detail=json.dumps({**json.loads(file.detail), "schema_id": 9}).encode())
    with pytest.raises(TableUnfit, match="written with schema 9"):
        tables.commit(state, change(state, 0, 2, files=(strange,)))


def test_files_that_0_2_0_staged_are_committed(tables: IcebergTables, name: str) -> None:
    state = adopted(tables, name, columns=COLUMNS)
    (file,) = written(tables, state, *ROWS)
    detail = {k: v for k, v in json.loads(file.detail).items() if k != "schema_id"}
    tables.commit(state, change(state, 0, 2, files=(replace(file, detail=json.dumps(detail).encode()),)))
    assert plain_catalog(tables).load_table(name).scan().count() == 2


@pytest.mark.parametrize("partition_by", [(), ("n",), ("truncate(10, n)", "bucket(4, n)")])
def test_spark_reads_and_prunes_files_from_before_a_promotion(
    tables: IcebergTables, name: str, spark_connect: SparkConnect, partition_by: tuple[str, ...]
) -> None:
    before = adopted(tables, name, columns=COLUMNS, partition_by=partition_by)
    files = written(tables, before, *ROWS)
    how = evolved(
        lambda u: u.update_column("n", LongType()),
        lambda u: u.update_column("f", DoubleType()),
        lambda u: u.update_column("d", DecimalType(18, 2)),
        lambda u: u.add_column("more", StringType()),
    )
    now = evolve(tables, before, how)
    tables.commit(now, change(now, 0, 3, files=(*files, *written(tables, now, {**LATER, "more": "m"}))))
    with open_connect(spark_connect.remote, "reader", name) as spark:

        def ids(where: str) -> list[int]:
            return [r.id for r in spark.sql(f"SELECT id FROM lake.{name} WHERE {where} ORDER BY id").collect()]

        assert ids("true") == [1, 2, 3]
        assert ids("n = -7") == [1]
        assert ids("n >= 2147483647") == [2, 3]
        assert ids("f = 0.5D") == [1, 3]
        assert ids("d < 0") == [2]
        assert ids("more IS NULL") == [1, 2]
        # A rewrite by Spark reads bounds and partition values of both schemas.
        spark.sql(f"CALL lake.system.rewrite_manifests('{name}')").collect()
        assert ids("n = -7 OR n > 2147483647") == [1, 3]
    for where, expected in (("n = -7", [1]), ("n >= 2147483647", [2, 3]), ("f = 0.5", [1, 3]), ("d < 0", [2])):
        scan = plain_catalog(tables).load_table(name).scan(row_filter=where)
        assert sorted(scan.to_arrow()["id"].to_pylist()) == expected


def test_a_change_of_columns_is_refused_if_another_writer_made_one(tables: IcebergTables, name: str) -> None:
    """Otherwise the other one's columns would be gone, or two would have one id."""
    now = adopted(tables, name, columns=COLUMNS)
    evolve(tables, now, evolved(lambda u: u.add_column("theirs", LongType())))
    ours = edits.Evolve((Added(("ours",), parse_type("string")),))
    with pytest.raises(CommitConflict):
        tables.commit(now, change(now, edit=ours))
    state = tables.load(name)
    tables.commit(state, change(state, edit=ours))
    after = raw(tables.load(name)).schema()
    assert {after.find_field("theirs").field_id, after.find_field("ours").field_id} <= set(after.field_ids)
    assert len(set(after.field_ids)) == len(after.field_ids)
