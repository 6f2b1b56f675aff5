"""A pipeline on real servers for every acceptance test that asks for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from here_writer import HereCopier, HereRedriver, HereWriter
from lakelock.adapters.wal import migrate

from acceptance.world import World, connection


@pytest.fixture
def world(
    folder: Path,
    namespace: str,
    wal_dsn: str,
    kafka: Any,
    spark_connect: Any,
    catalog_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> World:
    migrate(wal_dsn)
    return new_world(folder, namespace, wal_dsn, kafka.bootstrap, spark_connect.port, catalog_properties, new_topic(2))


@pytest.fixture
def near(
    folder: Path,
    namespace: str,
    wal_dsn: str,
    kafka: Any,
    catalog_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> World:
    """As `moved`, with the writing tasks in this process: everything else is real."""
    migrate(wal_dsn)
    world = new_world(folder, namespace, wal_dsn, kafka.bootstrap, 1, catalog_properties, new_topic(2))
    world.writer, world.copier, world.redriver = HereWriter(), HereCopier(), HereRedriver()
    world.produce(20)
    world.run()
    return world


def new_world(
    folder: Path,
    namespace: str,
    wal_dsn: str,
    bootstrap: str,
    spark_port: int,
    catalog_properties: dict[str, str],
    topic: str,
) -> World:
    address = wal_dsn.removeprefix("postgresql://lakelock@")
    place, _, database = address.partition("/")
    extra = {k: v for k, v in catalog_properties.items() if k != "uri"}
    known = [
        connection("kafka_default", "kafka", extra={"bootstrap.servers": bootstrap}),
        connection("iceberg_default", "iceberg", host=catalog_properties["uri"], extra=extra),
        connection(
            "lakelock_postgres",
            "postgres",
            host="127.0.0.1",
            port=int(place.split(":")[1]),
            login="lakelock",
            schema=database,
        ),
        connection("spark_default", "spark_connect", host="sc://127.0.0.1", port=spark_port),
    ]
    return World(folder, namespace, topic, {c.conn_id: c for c in known})


@pytest.fixture
def moved(world: World) -> World:
    """A pipeline that has moved its first records already."""
    world.produce(20)
    world.run()
    world.audit()
    return world
