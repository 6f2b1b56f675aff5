"""Tables that Spark made, and values that Spark reads: its transforms and functions are the reference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from kits.rollbacks import dead_letters_of
from kits.topics import new_producer, produce
from kits.world import World, file_of, open_with
from lakelock.adapters.spark.connect_session import open_connect

if TYPE_CHECKING:
    from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.4, about=("lakelock/records/", "adapters/parquet/"))


@pytest.fixture
def spark(spark_connect: SparkConnect, namespace: str) -> Iterator[Any]:
    with open_connect(spark_connect.remote, "reader", namespace) as session:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        session.sql(f"CREATE NAMESPACE IF NOT EXISTS iceberg_default.{namespace}")
        yield session


def land(world: World, definition: str, *records: dict[str, Any]) -> None:
    """One run of a pipeline whose table is *definition*, over *records*."""
    producer = new_producer(world.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, world.topic, [json.dumps(r).encode() for r in records])
    with open_with(world, file_of(world, definition)) as runtime:
        world.cycle(runtime)
        runtime.commit([world.table, dead_letters_of(world)], now=True)
        assert runtime.audit().complete


def read(spark: Any, world: World, columns: str, where: str = "true") -> list[tuple[Any, ...]]:
    table = f"iceberg_default.{world.table}"
    spark.sql(f"REFRESH TABLE {table}")
    return [tuple(r) for r in spark.sql(f"SELECT {columns} FROM {table} WHERE {where} ORDER BY 1").collect()]


@pytest.mark.parametrize(
    ("column", "records", "seen"),
    [
        ("s struct<a: bigint not null>", [{}, {"s": None}, {"s": {"a": 7}}], "s.a"),
        ("s struct<t: struct<a: string not null>>", [{"s": {}}, {"s": {"t": None}}, {"s": {"t": {"a": "7"}}}], "s.t.a"),
        ("s map<string, struct<y: int not null>>", [{"s": {"k": None}}, {}, {"s": {"k": {"y": 7}}}], "s['k'].y"),
        ("s array<struct<x: bigint not null>>", [{"s": [None]}, {}, {"s": [{"x": 7}]}], "s[0].x"),
    ],
)
def test_an_optional_struct_with_a_required_field_may_be_null(
    fresh: World, spark: Any, column: str, records: list[dict[str, Any]], seen: str
) -> None:
    spark.sql(f"CREATE TABLE iceberg_default.{fresh.table} (id bigint, {column}) USING iceberg")
    land(fresh, fresh.table, *({"id": n, **r} for n, r in enumerate(records)))
    assert fresh.rows(dead_letters_of(fresh)) == []
    assert [str(value) for _, value in read(spark, fresh, f"id, {seen}")] == ["None", "None", "7"]


def test_a_required_field_of_a_struct_that_is_there_must_be_there(fresh: World, spark: Any) -> None:
    spark.sql(f"CREATE TABLE iceberg_default.{fresh.table} (id bigint, s struct<a: bigint not null>) USING iceberg")
    land(fresh, fresh.table, {"id": 1, "s": {}}, {"id": 2, "s": {"a": 1}})
    assert read(spark, fresh, "id") == [(2,)]
    assert len(fresh.rows(dead_letters_of(fresh))) == 1


def test_partitions_by_names_with_dots_are_those_of_the_named_field(fresh: World, spark: Any) -> None:
    """A sibling's path has the same text, and a top-level name has a dot, too."""
    definition = (
        f"{{name: {fresh.table}, columns: {{id: long, 'a.b': string, "
        "resource: 'struct<`service.name`: string, process: struct<name: string>>'}, "
        "partition_by: ['`resource.service.name`', '`a.b`']}"
    )
    others = {"process": {"name": "java"}}
    land(
        fresh,
        definition,
        {"id": 1, "a.b": "x", "resource": {"service.name": "cart", **others}},
        {"id": 2, "a.b": "y", "resource": {"service.name": "pay", **others}},
    )
    wanted = [(1, "x", "cart"), (2, "y", "pay")]
    assert read(spark, fresh, "id, `a.b`, resource.`service.name`") == wanted
    assert read(spark, fresh, "id", "resource.`service.name` = 'pay'") == [(2,)]


def test_a_table_that_spark_partitioned_by_a_name_with_a_dot_is_written(fresh: World, spark: Any) -> None:
    spark.sql(
        f"CREATE TABLE iceberg_default.{fresh.table} (id bigint, `service.name` string) USING iceberg "
        "PARTITIONED BY (`service.name`)"
    )
    land(fresh, fresh.table, {"id": 1, "service.name": "x"}, {"id": 2, "service.name": "y"})
    assert read(spark, fresh, "id, `service.name`") == [(1, "x"), (2, "y")]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_times_of_a_zone_are_sparks_also_after_2037(fresh: World, spark: Any, zone: str) -> None:
    local = [f"{year}-{month:02}-15T12:30:00" for year in (2037, 2040, 2300) for month in (1, 7)]
    definition = f"{{name: {fresh.table}, columns: {{id: long, due: {{type: timestamptz, zone: {zone}}}}}}}"
    land(fresh, definition, *({"id": n, "due": text} for n, text in enumerate(local)))
    texts = ", ".join(f"({n}, timestamp'{text.replace('T', ' ')}')" for n, text in enumerate(local))
    wanted = spark.sql(f"SELECT id, to_utc_timestamp(t, '{zone}') FROM VALUES {texts} AS v(id, t) ORDER BY 1").collect()
    assert read(spark, fresh, "id, due") == [tuple(r) for r in wanted]


def test_what_is_inferred_of_odd_names_is_a_table_that_spark_reads(fresh: World, spark: Any) -> None:
    usual = [{"id": n, "user": {"name": "u"}, "extra": {"deep": [{"x": 1}]}} for n in range(30)]
    odd = [
        {"Id": 30, "user": {"name": "u"}},
        {"id": 31, "user.name": "flat"},
        {"id": 32, "": "x"},
        {"id": 33, "none": {}},
    ]
    land(fresh, fresh.table, *usual, *odd)
    # The last of the odd ones loses nothing: its unknown field holds nothing.
    assert read(spark, fresh, "count(*), count(id), min(user.name), min(extra.deep[0].x)") == [(31, 31, "u", 1)]
    assert len(fresh.rows(dead_letters_of(fresh))) == len(odd) - 1
