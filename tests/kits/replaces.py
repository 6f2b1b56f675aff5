"""Rows that are read again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
import duckdb
from lakelock.app.runtime import Runtime
from lakelock.backfill.span import Span
from lakelock.ingest.outcome import CommitOutcome
from pyiceberg.types import StringType

from kits.backfills import ALWAYS
from kits.topics import new_producer
from kits.upkeep import table_of
from kits.world import World


def read_again(runtime: Runtime, span: Span = ALWAYS, who: str = "tester") -> list[CommitOutcome]:
    """What the command does."""
    return runtime.replace(span, who, "a test")


def new_column(world: World) -> None:
    """The column note is another one from now on: rows of before have none of it."""
    table = table_of(world)
    with table.update_schema() as change:
        change.delete_column("note")
    with table.update_schema() as change:
        change.add_column("note", StringType())


def notes(world: World) -> dict[int, str | None]:
    """The note of each id, read by DuckDB with Iceberg's field ids."""
    table = table_of(world)
    ids = {name: table.schema().find_field(name).field_id for name in ("id", "note")}
    columns = ", ".join(
        f"{ids[n]}: {{name: '{n}', type: '{t}', default_value: NULL}}"
        for n, t in (("id", "BIGINT"), ("note", "VARCHAR"))
    )
    paths = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
    found = duckdb.sql(f"SELECT id, note FROM read_parquet({paths!r}, schema = MAP {{{columns}}})").fetchall()
    assert len(found) == len({i for i, _ in found})
    return dict(found)


def of_two_times(world: World) -> tuple[Span, Span]:
    """Twenty records of ten minutes and twenty of the next ten, of which one run makes one file."""
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    producer = new_producer(servers)
    # Not before those that are there already.
    first = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=10)
    second, end = (first + timedelta(minutes=10 * n) for n in (1, 2))
    for n in range(40):
        value = json.dumps({"id": world.next_id, "note": f"n{world.next_id}"}).encode()
        moment = first if n < 20 else second
        producer.produce(world.topic, value, partition=n % 2, timestamp=int(moment.timestamp() * 1000))
        world.next_id += 1
    assert producer.flush(60) == 0
    world.run()
    return Span(first, second), Span(second, end)
