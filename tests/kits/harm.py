"""Harm to tables, files and configurations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing

import psycopg
from confluent_kafka import Consumer, TopicPartition
from lakelock.adapters.airflow.postgres_settings import postgres_dsn

from kits.world import World


def harm(world: World, statement: str) -> None:
    with psycopg.connect(postgres_dsn(world.connections["lakelock_postgres"])) as connection:
        assert connection.execute(statement).rowcount > 0


def change(world: World, table: str, properties: Mapping[str, str], *removed: str) -> None:
    with world.catalog.load_table(table).transaction() as changed:
        changed.set_properties(dict(properties))
        changed.remove_properties(*removed)


def ids(world: World, table: str) -> list[int]:
    found = world.catalog.load_table(table).scan(selected_fields=("id",)).to_arrow()
    return sorted(found.column("id").to_pylist())


Row = tuple[int, int, int]


def servers(world: World) -> str:
    return str(world.connections["kafka_default"].extra["bootstrap.servers"])


def visible(world: World) -> list[Row]:
    """(partition, offset, id) of all that a `read_committed` consumer can see now, up to the last stable offset."""
    settings = {"bootstrap.servers": servers(world), "group.id": "oracle", "enable.partition.eof": True}
    reader = Consumer({**settings, "isolation.level": "read_committed", "auto.offset.reset": "error"})
    partitions = sorted(reader.list_topics(world.topic, timeout=30).topics[world.topic].partitions)
    lows = {p: reader.get_watermark_offsets(TopicPartition(world.topic, p), 30)[0] for p in partitions}
    reader.assign([TopicPartition(world.topic, p, low) for p, low in lows.items()])
    found, open_ = [], set(partitions)
    while open_:
        record = reader.poll(30)
        assert record is not None
        if record.error():
            assert record.error().name() == "_PARTITION_EOF", record.error()
            open_.discard(record.partition())
        else:
            found.append((record.partition(), record.offset(), json.loads(record.value())["id"]))
    reader.close()
    return sorted(found)


def check(world: World) -> None:
    """The table holds just that, and the audit finds no offset without an account."""
    assert world.rows() == visible(world)
    with closing(world.runtime()) as runtime:
        found = runtime.audit()
    assert found.complete, found
    assert not any(t.faults for t in found.tables), found
