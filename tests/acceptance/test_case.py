"""Fields whose names differ from those of columns in case alone, with files, tables and a log of real servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from kits.changed_tables import evolved
from kits.evolution import BOTH, types
from kits.lanes import SQL_BESIDE
from kits.redrives import made, redrive
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import CATALOG, World, file_of, open_with
from lakelock.adapters.iceberg.columns import columns_of
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.app.runtime import Runtime
from lakelock.check.sample import sample
from lakelock.check.table_schema import table_schemas
from pyiceberg.schema import Schema
from pyiceberg.types import ListType, LongType, MapType, NestedField, StringType, StructType

if TYPE_CHECKING:
    from stack.spark import SparkConnect

ANY = "case_sensitive: false"


def send(world: World, *records: dict[str, Any] | str) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    values = [(r if isinstance(r, str) else json.dumps(r)).encode() for r in records]
    produce(new_producer(servers), world.topic, values)


@contextmanager
def opened(world: World, settings: str, rest: str = "") -> Iterator[Runtime]:
    with open_with(world, file_of(world, f"{{name: {world.table}, {settings}}}", rest=rest)) as runtime:
        yield runtime


def columns(world: World) -> dict[str, str]:
    return types(columns_of(table_of(world).schema()))


def by_duckdb(world: World) -> list[dict[str, Any]]:
    """Rows as the live files have them."""
    files = [task.file.file_path.removeprefix("file://") for task in table_of(world).scan().plan_files()]
    rows = duckdb.sql(f"SELECT * FROM read_parquet({files!r}, union_by_name = true)").to_arrow_table()
    found = rows.to_pylist(maps_as_pydicts="strict")
    key = next(name for name in rows.column_names if name.lower() == "id")
    return sorted(
        ({n: v for n, v in row.items() if not n.startswith("_kafka")} for row in found), key=lambda row: row[key]
    )


def dead_letters(world: World) -> list[tuple[str, str, str]]:
    """Of each its value, field and reason."""
    found = world.catalog.load_table(f"{world.table}__dead_letters")
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    query = f"SELECT decode(value), field, reason FROM read_parquet({files!r}) ORDER BY 1"
    found_rows: list[tuple[str, str, str]] = duckdb.sql(query).fetchall()
    return found_rows


def test_a_new_table_has_one_column_for_all_spellings_of_a_field(fresh: World) -> None:
    with opened(fresh, ANY) as runtime:
        send(
            fresh,
            {"ID": 1, "userName": "a", "o": {"X": 1, "l": [{"K": 1}]}},
            {"id": 2, "USERNAME": "b", "O": {"x": 2, "L": [{"k": 2}]}},
            {"id": 3, "userName": "c", "o": {"x": 3}},
            {"id": 4, "ID": 4},
        )
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert columns(fresh) == {
        "id": "long",
        "userName": "string",
        "o": "struct<`x`: long, `L`: list<struct<`K`: long>>>",
    }
    assert by_duckdb(fresh) == [
        {"id": 1, "userName": "a", "o": {"x": 1, "L": [{"K": 1}]}},
        {"id": 2, "userName": "b", "o": {"x": 2, "L": [{"K": 2}]}},
        {"id": 3, "userName": "c", "o": {"x": 3, "L": None}},
    ]
    ((value, field, reason),) = dead_letters(fresh)
    assert (value, field) == ('{"id": 4, "ID": 4}', "id")
    assert "fields 'id' and 'ID'" in reason


def existing(world: World) -> None:
    def struct(number: int) -> StructType:
        return StructType(NestedField(number, "Name", StringType(), required=False))

    schema = Schema(
        NestedField(1, "Id", LongType(), required=False),
        NestedField(2, "User", struct(10), required=False),
        NestedField(3, "Tags", ListType(11, struct(12), element_required=False), required=False),
        NestedField(4, "ByKey", MapType(13, StringType(), 14, struct(15), value_required=False), required=False),
        NestedField(5, "_kafka_partition", LongType(), required=False),
        NestedField(6, "_kafka_offset", LongType(), required=False),
    )
    world.catalog.create_namespace_if_not_exists(world.namespace)
    world.catalog.create_table(world.table, schema)


RECORDS: tuple[dict[str, Any], ...] = (
    {"Id": 1, "User": {"Name": "a"}, "Tags": [{"Name": "b"}], "ByKey": {"K": {"Name": "c"}}},
    {"ID": 2, "USER": {"NAME": "a"}, "tags": [{"name": "b"}, None], "bykey": {"K": {"nAME": "c"}, "k": {"name": "d"}}},
    {"id": 3, "user": {"name": "a", "NAME": "b"}},
)
ROWS = [
    {"Id": 1, "User": {"Name": "a"}, "Tags": [{"Name": "b"}], "ByKey": {"K": {"Name": "c"}}},
    {"Id": 2, "User": {"Name": "a"}, "Tags": [{"Name": "b"}, None], "ByKey": {"K": {"Name": "c"}, "k": {"Name": "d"}}},
]


def test_fields_fill_the_columns_of_a_table_that_is_there_at_any_depth(
    world: World, spark_connect: SparkConnect
) -> None:
    existing(world)
    with opened(world, ANY) as runtime:
        send(world, *RECORDS)
        world.cycle(runtime)
        assert runtime.audit().complete
    assert by_duckdb(world) == ROWS
    with open_connect(spark_connect.remote, "reader", world.name) as spark:
        rows = spark.sql(f"SELECT Id, User, Tags, ByKey FROM {CATALOG}.{world.table} ORDER BY Id").collect()
    assert [row.asDict(recursive=True) for row in rows] == ROWS
    ((_, field, reason),) = dead_letters(world)
    assert field == "User.Name"
    assert "fields 'User.name' and 'User.NAME'" in reason


def test_dead_letters_of_another_case_become_rows_once_case_does_not_matter(fresh: World) -> None:
    existing(fresh)
    with opened(fresh, "new_fields: dead_letter") as runtime:
        send(fresh, *RECORDS)
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert by_duckdb(fresh) == ROWS[:1]
    assert len(dead_letters(fresh)) == 2
    with opened(fresh, ANY) as runtime:
        assert made(redrive(runtime)) == 1
        assert runtime.audit().complete
    assert by_duckdb(fresh) == ROWS


def test_columns_follow_records_in_any_case(fresh: World) -> None:
    with opened(fresh, f"columns: {{id: int, Note: string}}, {BOTH}, {ANY}") as runtime:
        send(
            fresh,
            {"ID": 1, "note": "a", "FOO": 1, "o": {"X": 1}},
            {"Id": 2, "foo": 2, "O": {"x": 1, "Y": 2}},
            {"id": 3, "foo": 2**40},
        )
        fresh.cycle(runtime)
        assert columns(fresh) == {"id": "int", "Note": "string", "foo": "long", "O": "struct<`X`: long, `Y`: long>"}
        evolved(lambda u: u.rename_column("Note", "remark"))(table_of(fresh))
        evolved(lambda u: u.delete_column("foo"))(table_of(fresh))
        send(
            fresh,
            {"ID": 2**40, "NOTE": "b", "Foo": 3, "o": {"x": 2, "z": True}},
            {"id": 5, "Remark": "c"},
            {"id": 6, "REMARK": "d", "nOTE": "e"},
        )
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert columns(fresh) == {"id": "long", "remark": "string", "O": "struct<`X`: long, `Y`: long, `z`: boolean>"}
    found = table_of(fresh).scan(selected_fields=("id", "remark", "O")).to_arrow().sort_by("id").to_pylist()
    assert found == [
        {"id": 1, "remark": "a", "O": {"X": 1, "Y": None, "z": None}},
        {"id": 2, "remark": None, "O": {"X": 1, "Y": 2, "z": None}},
        {"id": 3, "remark": None, "O": None},
        {"id": 5, "remark": "c", "O": None},
        {"id": 2**40, "remark": "b", "O": {"X": 2, "Y": None, "z": True}},
    ]
    assert len(dead_letters(fresh)) == 1


@pytest.mark.drawn(0.5, group=SQL_BESIDE, about=("records/sql", "adapters/spark"))
def test_the_file_names_fields_in_any_case(world: World) -> None:
    """With SQL, another process reads."""
    table = (
        "columns: {id: long, name: {type: string, field: user.name}, mail: {type: string, mask: {redact: '*'}}, "
        "double: {type: long, sql: 'id * 2'}}, drop_fields: [debug], parse_json: [user], inputs: {kind: string}, "
        f"where: \"kind = 'a'\", {ANY}"
    )
    with opened(world, table) as runtime:
        send(
            world,
            {"ID": 1, "USER": '{"NAME": "ann"}', "Mail": "a@b", "Debug": {"x": 1}, "KIND": "a"},
            {"ID": 2, "kind": "b"},
            {"ID": 3, "User": '{"Name": "bob", "NAME": "c"}', "Kind": "a"},
        )
        world.cycle(runtime)
        assert runtime.audit().complete
    assert by_duckdb(world) == [{"id": 1, "name": "ann", "mail": "*", "double": 2}]
    assert [field for _, field, _ in dead_letters(world)] == ["user.name"]


def test_kafka_connects_records_fill_columns_in_any_case(fresh: World) -> None:
    schema = {
        "type": "struct",
        "fields": [
            {"field": "ID", "type": "int64"},
            {"field": "AT", "type": "int64", "name": "org.apache.kafka.connect.data.Timestamp"},
            {"field": "Extra", "type": "int32"},
        ],
    }
    with opened(
        fresh, f"columns: {{id: long, at: timestamptz}}, {BOTH}, {ANY}", "value: {format: connect_json}\n"
    ) as runtime:
        send(fresh, {"schema": schema, "payload": {"ID": 1, "AT": 1000, "Extra": 7}})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert columns(fresh) == {"id": "long", "at": "timestamptz", "Extra": "int"}
    (row,) = by_duckdb(fresh)
    assert (row["id"], row["at"].timestamp(), row["Extra"]) == (1, 1.0, 7)


def test_a_sample_shows_what_becomes_of_other_cases(fresh: World) -> None:
    with opened(fresh, f"columns: {{id: int, o: 'struct<a: long>'}}, new_fields: dead_letter, {ANY}") as runtime:
        send(fresh, {"id": 1, "o": {"a": 1}})
        fresh.cycle(runtime)
        send(fresh, {"ID": 2, "O": {"A": 1}}, {"Id": 3, "iD": 4}, {"ID": 5, "New": 1})
        said = sample(runtime, 10).text
        assert "# would become 2 rows in 1 table partition, 2 dead letters" in said
        assert "New: no column; it looks like long" in said
        assert "ID" not in said.split("would become")[0]
        (found,) = table_schemas(runtime, None, 10)
    assert {c.name: c.seen for c in found.columns if not c.name.startswith("_kafka")} == {
        "id": "long",
        "o": "struct",
        "o.a": "long",
    }
    assert (found.fields_without_column, found.columns_without_field) == ({"New": "long"}, [])
    assert list(found.possible) == ["New: new, long"]
