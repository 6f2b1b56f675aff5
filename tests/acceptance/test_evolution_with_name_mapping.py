"""Columns that follow the records in a table with a name mapping: files of other engines, without field ids, stay readable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from kits.evolution import BOTH
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import CATALOG, World, open_with
from lakelock.adapters.spark.connect_session import open_connect
from pyiceberg.schema import Schema
from pyiceberg.table.name_mapping import MappedField, NameMapping
from pyiceberg.types import IntegerType, ListType, LongType, MapType, NestedField, StringType, StructType

if TYPE_CHECKING:
    from stack.spark import SparkConnect

NUMBER = pa.struct({"a": pa.int32()})
FOREIGN = pa.schema(
    {
        "id": pa.int64(), "n": pa.int32(), "s": NUMBER, "l": pa.list_(NUMBER), "m": pa.map_(pa.string(), NUMBER),
    }
)  # fmt: skip
WIDER = pa.struct({"a": pa.int64(), "x": pa.string()})
LATER = pa.schema(
    {
        "id": pa.int64(), "number": pa.int64(), "s": WIDER, "l": pa.list_(WIDER), "m": pa.map_(pa.string(), WIDER),
        "new": pa.struct({"y": pa.list_(pa.int64())}),
    }
)  # fmt: skip


def schema() -> Schema:
    def struct(number: int) -> StructType:
        return StructType(NestedField(number, "a", IntegerType(), required=False))

    return Schema(
        NestedField(1, "id", LongType(), required=False),
        NestedField(2, "n", IntegerType(), required=False),
        NestedField(3, "s", struct(10), required=False),
        NestedField(4, "l", ListType(11, struct(12), element_required=False), required=False),
        NestedField(5, "m", MapType(13, StringType(), 14, struct(15), value_required=False), required=False),
    )


def foreign(world: World, name: str, of: pa.Schema, *rows: dict[str, Any]) -> str:
    """A Parquet file as tools without Iceberg write them."""
    path = Path(table_of(world).location().removeprefix("file://")) / "data" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema=of), path)
    return f"file://{path}"


def names(of: NameMapping) -> dict[int, tuple[str, ...]]:
    out: dict[int, tuple[str, ...]] = {}

    def add(field: MappedField) -> None:
        if field.field_id is not None:
            out[field.field_id] = tuple(field.names)
        for inner in field.fields:
            add(inner)

    for field in of.root:
        add(field)
    return out


def one(number: int, inner: dict[str, Any]) -> dict[str, Any]:
    return {"number": number, "s": inner, "l": [inner], "m": {"k": inner}}


def test_the_mapping_gets_the_new_columns_and_files_without_ids_stay_readable(
    fresh: World, spark_connect: SparkConnect
) -> None:
    fresh.catalog.create_namespace_if_not_exists(fresh.namespace)
    table = fresh.catalog.create_table(fresh.table, schema())
    row = {"id": 1, "n": 7, "s": {"a": 1}, "l": [{"a": 1}], "m": [("k", {"a": 1})]}
    table.add_files([foreign(fresh, "first.parquet", FOREIGN, row)])
    with table.refresh().update_schema() as update:
        update.rename_column("n", "number")

    text = f"source: {{topics: [{fresh.topic}]}}\nmetadata_columns: false\ntables: [{{name: {fresh.table}, {BOTH}}}]\n"
    record = {"id": 2, **one(2**40, {"a": 2**40, "x": "b"}), "new": {"y": [2]}}
    with open_with(fresh, text) as runtime:
        producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
        produce(producer, fresh.topic, [json.dumps(record).encode()])
        fresh.cycle(runtime)
        assert runtime.audit().complete

    made = table_of(fresh)
    mapping = made.metadata.name_mapping()
    assert mapping is not None
    found = names(mapping)
    expected = {i: (made.schema().find_field(i).name,) for i in made.schema().field_ids}
    assert found == {**expected, 2: ("n", "number")}
    assert {"x", "new", "y"} <= {name for each in found.values() for name in each}
    later = {"id": 3, **one(3, {"a": 3, "x": "c"}), "m": [("k", {"a": 3, "x": "c"})], "new": {"y": [3]}}
    made.add_files([foreign(fresh, "later.parquet", LATER, later)])

    rows = [
        {"id": 1, **one(7, {"a": 1, "x": None}), "new": None},
        record,
        {"id": 3, **one(3, {"a": 3, "x": "c"}), "new": {"y": [3]}},
    ]
    read = table_of(fresh).scan().to_arrow().sort_by("id").to_pylist(maps_as_pydicts="strict")
    assert read == rows
    with open_connect(spark_connect.remote, "reader", fresh.name) as spark:
        by_spark = spark.sql(f"SELECT * FROM {CATALOG}.{fresh.table} ORDER BY id").collect()
        assert [r.asDict(recursive=True) for r in by_spark] == rows
