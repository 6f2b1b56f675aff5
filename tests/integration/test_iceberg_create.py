"""Creating tables: exactly as declared or not at all, also if another process creates them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kits.columns import columns
from kits.iceberg import definition, open_tables, raw
from lakelock.adapters.iceberg import IcebergTables
from lakelock.errors import BadTableDefinition, ConnectionFault, TableMissing, TableUnfit
from lakelock.model.column_types import Column, Floating, Foreign, Integer, ListOf, Text
from lakelock.ports import TableDefinition
from pyiceberg.catalog.sql import SqlCatalogBaseTable
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform
from pyiceberg.types import DecimalType, ListType, LongType, MapType, StructType
from sqlalchemy import event

COLUMNS = (
    Column("id", Integer(64), required=True, doc="the key"),
    *columns({"s": "string", "ts": "timestamptz", "d": "date", "price": "decimal(10,2)"}),
    Column("x", Floating(64), required=True),
    Column("tags", ListOf(Text(), element_required=True)),
    *columns({"labels": "map<string, long>", "who": "struct<name: string, born: date>", "ts_day": "int"}),
)


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def test_columns_keys_partitions_sort_order_and_properties_are_as_declared(tables: IcebergTables) -> None:
    tables.create(
        "shop.eu.orders",
        TableDefinition(
            COLUMNS,
            partition_by=("days(ts)", "bucket(16, id)", "truncate(s, 3)", "who.born"),
            sort_by=("s desc nulls first", "bucket(4, id)"),
            identifier_columns=("id",),
            properties={"comment": "ours", "write.metadata.previous-versions-max": "7"},
        ),
    )
    table = raw(tables.load("shop.eu.orders"))
    schema = table.schema()
    assert tables.load("shop.eu.orders").columns == COLUMNS
    assert [f.field_id for f in schema.fields] == list(range(1, 11))
    assert schema.find_field("id").required
    assert schema.find_field("id").doc == "the key"
    assert schema.find_type("price") == DecimalType(10, 2)
    assert isinstance(schema.find_type("tags"), ListType)
    assert isinstance(schema.find_type("labels"), MapType)
    assert isinstance(schema.find_type("who"), StructType)
    assert schema.find_type("labels.value") == LongType()
    assert schema.identifier_field_names() == {"id"}
    assert len(schema.field_ids) == len(set(schema.field_ids)) == 15
    assert [(f.name, type(f.transform), schema.find_column_name(f.source_id)) for f in table.spec().fields] == [
        # `ts_day` is a column's name already
        ("ts_day_partition", DayTransform, "ts"),
        ("id_bucket", BucketTransform, "id"),
        ("s_trunc", TruncateTransform, "s"),
        ("who.born", IdentityTransform, "who.born"),
    ]
    assert [str(f) for f in table.sort_order().fields] == ["2 DESC NULLS FIRST", "bucket[4](1) ASC NULLS FIRST"]
    assert table.format_version == 2
    assert table.properties["comment"] == "ours"
    assert table.properties["write.metadata.previous-versions-max"] == "7"
    assert table.properties["write.metadata.delete-after-commit.enabled"] == "true"


@pytest.mark.parametrize(
    ("more", "reported"),
    [
        (
            {"partition_by": ("days(when)",)},
            r"no column 'when'. Nothing was created. Name one of these: id, s, ts, d, price",
        ),
        ({"partition_by": ("days(s)",)}, r"day does not fit column 's' \(string\)"),
        ({"partition_by": ("hour(d)",)}, r"hour does not fit column 'd' \(date\)"),
        ({"partition_by": ("bucket(4, x)",)}, r"bucket does not fit column 'x'"),
        ({"partition_by": ("truncate(4, ts)",)}, "truncate does not fit"),
        ({"partition_by": ("who",)}, "identity does not fit column 'who'"),
        ({"partition_by": ("tags.element",)}, "no column 'tags.element'"),
        ({"partition_by": ("week(ts)",)}, "week"),
        ({"partition_by": ("day(ts)", "hour(ts)")}, "repeat each other"),
        ({"partition_by": ("bucket(4, id)", "bucket(8, id)")}, "repeat each other"),
        ({"sort_by": ("when",)}, "sort expression 'when': there is no column"),
        ({"sort_by": ("tags",)}, "sort expression 'tags'"),
        ({"sort_by": ("id down",)}, "sort expression 'id down'"),
        ({"identifier_columns": ("nope",)}, "identifier column 'nope'"),
        ({"identifier_columns": ("s",)}, "'s' is optional"),
        ({"identifier_columns": ("x",)}, "'x': double cannot identify rows"),
        ({"properties": {"format-version": "3"}}, "format-version is '3'"),
        ({"properties": {"lakelock.p": "stolen"}}, r"lakelock\.p"),
        ({"columns": ()}, "the table has no columns"),
        ({"columns": columns({"a": "struct<b: int, b: long>"})}, "column 'a.b' is declared twice"),
        ({"columns": (Column("a", Foreign("variant")),)}, "column 'a' is variant, which lakelock does not write"),
    ],
)
def test_a_fault_is_named_and_nothing_is_created(tables: IcebergTables, more: dict[str, object], reported: str) -> None:
    with pytest.raises(BadTableDefinition, match=reported):
        tables.create("shop.orders", TableDefinition(**{"columns": COLUMNS, **more}))  # type: ignore[arg-type]
    with pytest.raises(TableMissing):
        tables.load("shop.orders")


def test_a_table_that_a_pipeline_asked_for_says_so(tables: IcebergTables) -> None:
    tables.create("shop.orders", definition(created_by="p", properties={"comment": "ours"}))
    tables.create("shop.letters", definition())
    properties = tables.load("shop.orders").properties
    assert (properties["lakelock.created-by"], properties["comment"]) == ("p", "ours")
    assert "lakelock.created-by" not in tables.load("shop.letters").properties


def test_a_name_without_namespace_is_refused(tables: IcebergTables) -> None:
    with pytest.raises(BadTableDefinition, match="namespace"):
        tables.create("orders", definition())


def test_creating_what_exists_changes_nothing(tables: IcebergTables) -> None:
    tables.create("shop.orders", definition())
    before = tables.load("shop.orders")
    tables.create("shop.orders", definition(partition_by=("day(ts)",)))
    after = tables.load("shop.orders")
    assert (after.uuid, after.layout) == (before.uuid, before.layout)


def test_eight_creators_at_once_make_one_table(catalog_properties: dict[str, str], namespace: str) -> None:
    start = threading.Barrier(8)

    def create(_: int) -> str:
        mine = open_tables(catalog_properties)
        start.wait()
        mine.create(f"{namespace}.deep.orders", definition(partition_by=("day(ts)",)))
        return mine.load(f"{namespace}.deep.orders").uuid

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(create, range(8)))) == 1


def test_two_openers_of_an_empty_database_make_one_catalog(new_database: Callable[[], str], warehouse: str) -> None:
    """Both have seen that the catalog's own tables are not there before either makes them."""
    dsn = new_database().replace("postgresql://", "postgresql+psycopg://")
    both_opened = threading.Barrier(2)

    def wait(*_: object, **__: object) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            both_opened.wait(10)

    def open_it(_: int) -> bool:
        return open_tables({"type": "sql", "uri": dsn, "warehouse": warehouse}).catalog.namespace_exists("nothing")

    event.listen(SqlCatalogBaseTable.metadata, "before_create", wait)
    try:
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(open_it, range(2))) == [False, False]
    finally:
        event.remove(SqlCatalogBaseTable.metadata, "before_create", wait)


def test_a_catalog_without_warehouse_says_what_is_missing(folder: Path) -> None:
    tables = open_tables({"type": "sql", "uri": f"sqlite:///{folder}/catalog.db"})
    with pytest.raises(ConnectionFault, match="'warehouse'"):
        tables.create("shop.orders", definition())


def test_a_location_of_its_own_is_used(tables: IcebergTables, folder: Path) -> None:
    tables.create("shop.orders", definition(location=f"file://{folder}/elsewhere/"))
    assert tables.load("shop.orders").location == f"file://{folder}/elsewhere"


def test_a_table_of_format_version_one_is_refused_with_the_way_out(tables: IcebergTables) -> None:
    tables.create("shop.new", definition())
    schema = raw(tables.load("shop.new")).schema()
    tables.catalog.create_table("shop.old", schema, properties={"format-version": "1"})
    with pytest.raises(TableUnfit, match="format version 1"):
        tables.load("shop.old")
