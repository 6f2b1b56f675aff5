"""A change of columns, partitioning, sort order and properties is one commit, in SQL and REST catalogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from kits.columns import columns
from kits.iceberg import adopted, change, open_tables, plain_catalog, raw, write_rows
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.handle import handle_of
from lakelock.adapters.iceberg.table_changes import table_change
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import BadTableDefinition, CommitConflict
from lakelock.model.column_changes import Added, Commented, MadeOptional, Widened
from lakelock.model.column_types import Column, Integer, Text
from lakelock.ports import TableState
from lakelock.ports.edits import Evolve, LedgerOnly
from pyiceberg.table import Table

if TYPE_CHECKING:
    from stack.spark import SparkConnect

COLUMNS = columns({"id": "long", "n": "int", "name": "string", "ts": "timestamptz"})
WIDE = Evolve(
    (
        Added(("more",), Text(), "new"),
        Widened(("n",), Integer(64)),
        Commented(("n",), "a number"),
        Commented(("name",), "a name"),
    ),
    ("day(ts)", "bucket(8, more)"),
    ("more", "id desc nulls first"),
    {"write.parquet.compression-codec": "gzip"},
)


@pytest.fixture(params=["sql", "rest"])
def tables(request: pytest.FixtureRequest) -> IcebergTables:
    name = "catalog_properties" if request.param == "sql" else "rest_properties"
    return open_tables(request.getfixturevalue(name))


@pytest.fixture
def name(namespace: str) -> str:
    return f"{namespace}.applied"


def ready(tables: IcebergTables, name: str, **more: Any) -> TableState:
    return adopted(tables, name, columns=COLUMNS, **more)


def applied(tables: IcebergTables, state: TableState, edit: Evolve) -> TableState:
    tables.commit(state, change(state, edit=edit))
    return tables.load(state.name)


def some_rows(state: TableState, *ids: int) -> pa.Table:
    schema = raw(state).schema().as_arrow()
    values = {
        "id": list(ids),
        "n": [min(i, 5) for i in ids],
        "name": ["a"] * len(ids),
        "ts": [i % 1000 * 3_600_000_000 for i in ids],
    }
    return pa.table({f.name: pa.array(values.get(f.name, [None] * len(ids)), f.type) for f in schema}, schema=schema)


def test_all_of_it_is_one_snapshot_on_the_same_table(tables: IcebergTables, name: str) -> None:
    before = ready(tables, name, partition_by=("bucket(16, id)",), properties={"mine": "1"})
    files = write_rows(before, some_rows(before, 1, 2))
    tables.commit(before, change(before, 0, 2, files=files))
    there = tables.load(name)
    late = write_rows(there, some_rows(there, 3))
    state = applied(tables, there, WIDE)
    assert state.columns == (
        Column("id", Integer(64)),
        Column("n", Integer(64), doc="a number"),
        Column("name", Text(), doc="a name"),
        COLUMNS[3],
        Column("more", Text(), doc="new"),
    )
    assert (state.partition_by, state.sort_by) == (("day(ts)", "bucket(8, more)"), ("more", "id desc nulls first"))
    assert state.properties["write.parquet.compression-codec"] == "gzip"
    assert state.properties["mine"] == "1"
    assert tables.history(state)[0].operation == "append"
    # Files of before are committed beside those of now.
    assert tables.misfits(state, {there.layout.token}) == {}
    tables.commit(state, change(state, 2, 3, files=late))
    state = tables.load(name)
    tables.commit(state, change(state, 3, 4, files=write_rows(state, some_rows(state, 4))))
    table = raw(tables.load(name))
    found = table.scan().to_arrow().sort_by("id")
    assert found["id"].to_pylist() == [1, 2, 3, 4]
    assert found["more"].null_count == 4
    assert table.scan(row_filter="ts >= '1970-01-01T03:00:00+00:00'").to_arrow()["id"].to_pylist() == [4, 3] or sorted(
        table.scan(row_filter="ts >= '1970-01-01T03:00:00+00:00'").to_arrow()["id"].to_pylist()
    ) == [3, 4]


def test_spark_reads_files_of_both_partitionings_and_lists_the_partitions(
    catalog_properties: dict[str, str], name: str, spark_connect: SparkConnect
) -> None:
    tables = open_tables(catalog_properties)
    state = ready(tables, name, partition_by=("bucket(16, id)",))
    tables.commit(state, change(state, 0, 2, files=write_rows(state, some_rows(state, 1, 2))))
    edit = Evolve((*WIDE.changes,), ("bucket(8, id)", "day(ts)"), WIDE.sort_by, WIDE.properties)
    state = applied(tables, tables.load(name), edit)
    tables.commit(state, change(state, 2, 4, files=write_rows(state, some_rows(state, 2**40, 4))))
    with open_connect(spark_connect.remote, "reader", name) as spark:
        rows = spark.sql(f"SELECT id, n, more FROM lake.{name} ORDER BY id").collect()
        assert [(r.id, r.n, r.more) for r in rows] == [(i, min(i, 5), None) for i in (1, 2, 4, 2**40)]
        assert spark.sql(f"SELECT id FROM lake.{name} WHERE id = 1").collect()[0].id == 1
        partitions = spark.sql(f"SELECT * FROM lake.{name}.partitions").collect()
    fields = set(partitions[0].partition.asDict())
    assert fields == {"id_bucket", "id_bucket_8", "ts_day"}
    assert sum(p.record_count for p in partitions) == 4


def test_a_field_of_partitioning_that_was_there_is_used_again(tables: IcebergTables, name: str) -> None:
    state = ready(tables, name, partition_by=("bucket(16, id)", "name"))
    spec = raw(state).spec()
    state = applied(tables, state, Evolve(partition_by=("bucket(8, id)", "name")))
    other = raw(state).spec()
    assert {f.name for f in other.fields} == {"name", "id_bucket_8"}
    assert next(f.field_id for f in other.fields if f.name == "name") == spec.fields[1].field_id
    state = applied(tables, state, Evolve(partition_by=("name", "bucket(16, id)")))
    ids = {f.name: f.field_id for f in raw(state).spec().fields}
    assert ids == {f.name: f.field_id for f in spec.fields}
    assert state.partition_by == ("name", "bucket(16, id)")


def test_a_sort_order_that_was_there_is_used_again(tables: IcebergTables, name: str) -> None:
    state = ready(tables, name, sort_by=("id",))
    first = raw(state).metadata.default_sort_order_id
    state = applied(tables, state, Evolve(sort_by=("name desc",)))
    state = applied(tables, state, Evolve(sort_by=("id",)))
    assert raw(state).metadata.default_sort_order_id == first
    assert len(raw(state).metadata.sort_orders) == 2


def test_a_required_column_becomes_optional(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition := _required())
    assert definition.columns[0].required
    tables.commit(tables.load(name), change(tables.load(name)))
    state = applied(tables, tables.load(name), Evolve((MadeOptional(("id",)),)))
    assert not state.columns[0].required


def _required() -> Any:
    from lakelock.ports import TableDefinition

    return TableDefinition((Column("id", Integer(64), required=True), Column("name", Text())))


def _other_spec(table: Table) -> None:
    with table.update_spec() as spec:
        spec.add_identity("name")


def _other_order(table: Table) -> None:
    from pyiceberg.transforms import IdentityTransform

    with table.update_sort_order() as order:
        order.asc("name", IdentityTransform())


def _other_schema(table: Table) -> None:
    from pyiceberg.types import StringType

    with table.update_schema() as schema:
        schema.add_column("theirs", StringType())


@pytest.mark.parametrize("other", [_other_spec, _other_order, _other_schema])
def test_a_change_of_another_writer_meanwhile_refuses_it(tables: IcebergTables, name: str, other: Any) -> None:
    state = ready(tables, name)
    other(raw(tables.load(name)))
    now = raw(tables.load(name)).metadata
    with pytest.raises(CommitConflict):
        tables.commit(state, change(state, edit=WIDE))
    after = raw(tables.load(name)).metadata
    assert (after.current_schema_id, after.default_spec_id, after.default_sort_order_id) == (
        now.current_schema_id,
        now.default_spec_id,
        now.default_sort_order_id,
    )
    assert len(after.snapshots) == len(now.snapshots)


def test_a_commit_that_was_prepared_before_it_is_refused(tables: IcebergTables, name: str) -> None:
    late = ready(tables, name)
    applied(tables, tables.load(name), WIDE)
    with pytest.raises(CommitConflict):
        tables.commit(late, change(late, edit=LedgerOnly()))


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (Evolve(partition_by=("day(id)",)), "day does not fit column 'id'"),
        (Evolve(partition_by=("day(ts)", "hour(ts)")), "repeat each other"),
        (Evolve(sort_by=("gone",)), "there is no column 'gone'"),
        (Evolve((Added(("id",), Text()),)), "already exists"),
    ],
)
def test_an_edit_that_the_table_cannot_take_is_refused_with_the_reason(
    tables: IcebergTables, name: str, edit: Evolve, why: str
) -> None:
    state = ready(tables, name)
    assert why in tables.refusal(state, edit)
    with pytest.raises(BadTableDefinition, match="Nothing was changed"):
        table_change(handle_of(state), edit)
    assert tables.refusal(state, WIDE) == ""
    assert plain_catalog(tables).load_table(name).metadata.snapshots == raw(state).metadata.snapshots
