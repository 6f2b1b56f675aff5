"""Each change of a column at each depth: rows from before and after it are the same to every engine, and found by filters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from kits.nestings import BEYOND_DECIMAL, Changes
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import CATALOG, World, open_with
from lakelock.adapters.spark.connect_session import open_connect
from pyiceberg.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from stack.spark import SparkConnect


def _number(value: Any) -> float:
    assert isinstance(value, Decimal)
    return float(value)


def send(world: World, records: list[dict[str, Any]]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(r, default=_number).encode() for r in records])


def evolved(world: World, changes: Changes) -> Table:
    """Through Kafka: rows that fit the columns, and then records that change all of them at once."""
    world.catalog.create_namespace_if_not_exists(world.namespace)
    world.catalog.create_table(world.table, changes.schema())
    text = (
        f"source: {{topics: [{world.topic}]}}\nmetadata_columns: false\n"
        f"tables: [{{name: {world.table}, new_fields: evolve, new_types: evolve}}]\n"
    )
    with open_with(world, text) as runtime:
        for records in changes.records():
            send(world, records)
            world.cycle(runtime)
        assert runtime.audit().complete
    assert world.rows(f"{world.table}__dead_letters") == []
    made = table_of(world)
    assert len(made.metadata.schemas) == 2
    return made


def plain(value: Any) -> Any:
    """Maps are dicts."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return dict(map(plain, value)) if value and isinstance(value[0], tuple) else [plain(v) for v in value]
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def by_pyiceberg(table: Table) -> list[dict[str, Any]]:
    rows = table.scan().to_arrow().sort_by("id").to_pylist()
    # No row has an empty list: PyIceberg shows a null one as empty (docs/json.md).
    return [{name: None if value == [] else plain(value) for name, value in row.items()} for row in rows]


def errs_in_pyiceberg(where: str) -> bool:
    """Whether PyIceberg errs, of tables that never changed too.

    It takes a required field of a null struct for one with a value, and cannot compare decimals of a file with a number of
    more digits unless bounds rule the file out, which nested columns do not have.
    """
    beyond = BEYOND_DECIMAL.removeprefix("{}")
    return (where.startswith("required_") and "NULL" in where) or (
        where.startswith("decimal_") and where.endswith(beyond)
    )


def found_by_pyiceberg(table: Table, where: str) -> tuple[int, ...]:
    return tuple(sorted(table.scan(row_filter=where, selected_fields=("id",)).to_arrow()["id"].to_pylist()))


def by_duckdb(files: Sequence[str], what: str, where: str = "true") -> list[dict[str, Any]]:
    """Of the live files, by the names of their columns."""
    query = f"SELECT {what} FROM read_parquet({list(files)!r}, union_by_name = true) WHERE {where} ORDER BY id"
    rows: list[dict[str, Any]] = duckdb.sql(query).to_arrow_table().to_pylist(maps_as_pydicts="strict")
    return rows


def found_by_spark(spark: SparkSession, table: str, wheres: Sequence[str]) -> list[tuple[int, ...]]:
    out: list[tuple[int, ...]] = []
    for some in (wheres[at : at + 20] for at in range(0, len(wheres), 20)):
        parts = (f"SELECT {n} AS n, id FROM {CATALOG}.{table} WHERE {where}" for n, where in enumerate(some))
        rows = spark.sql(f"{' UNION ALL '.join(parts)} ORDER BY n, id").collect()
        out += [tuple(row.id for row in rows if row.n == n) for n in range(len(some))]
    return out


@pytest.mark.parametrize("depth", [2, pytest.param(3, marks=pytest.mark.long)])
def test_rows_from_before_and_after_each_change_are_the_same_in_every_engine(
    fresh: World, spark_connect: SparkConnect, depth: int
) -> None:
    """Bounds of the files from before have the narrower types."""
    changes = Changes(depth)
    made, expected, wheres = evolved(fresh, changes), changes.rows(), dict(changes.wheres())
    files = [task.file.file_path.removeprefix("file://") for task in made.scan().plan_files()]
    assert by_pyiceberg(made) == expected
    assert by_duckdb(files, "*") == expected
    for where, ids in wheres.items():
        assert errs_in_pyiceberg(where) or found_by_pyiceberg(made, where) == ids, where
        assert tuple(row["id"] for row in by_duckdb(files, "id", where)) == ids, where
    with open_connect(spark_connect.remote, "reader", fresh.name) as spark:
        rows = spark.sql(f"SELECT * FROM {CATALOG}.{fresh.table} ORDER BY id").collect()
        assert [row.asDict(recursive=True) for row in rows] == expected
        found = found_by_spark(spark, fresh.table, list(wheres))
        assert dict(zip(wheres, found, strict=True)) == wheres


def test_files_from_before_and_after_a_promotion_are_pruned_by_bounds_of_their_own_types(fresh: World) -> None:
    scan = evolved(fresh, Changes(0)).scan()
    for old, new in (
        ("int < 0", "int > 2147483647"),
        ("float < 0", "float > 16777216"),
        ("decimal < 0", "decimal > 99.99"),
    ):
        before, after = ({task.file.file_path for task in scan.filter(where).plan_files()} for where in (old, new))
        assert before, old
        assert after, new
        assert before.isdisjoint(after), old
