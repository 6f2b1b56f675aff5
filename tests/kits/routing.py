"""Pipelines with routes on real servers, and what their tables hold, read by another engine."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
from lakelock.app.runtime import Runtime
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.ledger import Ledger
from pyiceberg.exceptions import NoSuchTableError

from kits.live import Live
from kits.shared_airflow import SecretStack
from kits.topics import new_producer, produce
from kits.world import World

BY_TYPE = "- {table: '{ns}.{event.type}'}"


def routed_file(world: World, *rules: str, rest: str = "", tables: str = "") -> str:
    """A file whose *rules* have `{ns}` for the namespace of the world."""
    listed = "".join(f"    {rule.replace('{ns}', world.namespace)}\n" for rule in rules)
    return (
        f"source: {{topics: [{world.topic}]}}\n"
        f"route:\n  rules:\n{listed}{rest}\n"
        f"dead_letters: {{table: {letters(world)}}}\n{tables}"
    )


def routed_live(stack: SecretStack, name: str, rest: str = "") -> Live:
    """A pipeline in Airflow that has a table for each type of event, in a namespace of its own."""
    live = Live(stack, name, "")
    live.world.namespace = name
    settings = "schedule: {every: 5s}\ncommit: {max_latency: 1s}\n"
    live.world.text = routed_file(live.world, "- {table: '{ns}.{event.type}'}", rest=rest, tables=settings)
    return live


def letters(world: World) -> str:
    return f"{world.namespace}.letters"


def send(world: World, *types: Any, **more: Any) -> None:
    """A record of each of *types*, bytes as they are, over two partitions; each has an id of its own."""
    values = []
    for kind in types:
        if isinstance(kind, bytes):
            values.append(kind)
            continue
        values.append(json.dumps({"id": world.next_id, "event": {"type": kind}, **more}).encode())
        world.next_id += 1
    produce(new_producer(world.connections["kafka_default"].extra["bootstrap.servers"]), world.topic, values)


def cycle(world: World, runtime: Runtime) -> list[CommitOutcome]:
    """Plan, write, and commit every table."""
    planned = runtime.plan()
    if planned.batch_id is not None:
        runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)
    return commit(world, runtime)


def commit(world: World, runtime: Runtime) -> list[CommitOutcome]:
    runtime.refresh_tables()
    landed = runtime.commit([*(t.name for t in runtime.pipeline.tables), letters(world)], now=True)
    runtime.publish()
    return [o for o in landed if o.version_id is not None]


def read(world: World, name: str, columns: str) -> list[tuple[Any, ...]]:
    """*columns* of the live rows of a table of the world's namespace, in order, as DuckDB reads them."""
    found = world.catalog.load_table(f"{world.namespace}.{name}")
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    return duckdb.sql(f"SELECT {columns} FROM read_parquet({files!r}) ORDER BY ALL").fetchall() if files else []


def ids(world: World, name: str) -> list[int]:
    return [i for (i,) in read(world, name, "id")]


def ids_if_there(world: World, name: str) -> list[int]:
    """As `ids`; none while there is no such table."""
    try:
        return ids(world, name)
    except NoSuchTableError:
        return []


def names(world: World) -> list[str]:
    return sorted(name for _, name in world.catalog.list_tables(world.namespace))


def dead(world: World) -> list[dict[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = world.catalog.load_table(letters(world)).scan().to_arrow().to_pylist()
    return sorted(map(dict, rows), key=lambda r: (r["partition"], r["offset"]))


def ledger(runtime: Runtime, table: str) -> Ledger:
    found = runtime.tables.load(table).ledger
    assert found is not None
    return found
