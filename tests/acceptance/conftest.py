"""A pipeline on real servers for every acceptance test that asks for one, and a reader's clone for those of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kits.forks import as_program
from kits.here_writer import HereCopier, HereRedriver, HereWriter
from kits.world import World, new_world, open_with


@pytest.fixture
def world(
    folder: Path,
    namespace: str,
    log_dsn: str,
    kafka: Any,
    spark_connect: Any,
    catalog_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> World:
    return new_world(folder, namespace, log_dsn, kafka.bootstrap, spark_connect.port, catalog_properties, new_topic(2))


@pytest.fixture
def fresh(
    folder: Path,
    namespace: str,
    log_dsn: str,
    kafka: Any,
    catalog_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> World:
    """As `world`, with the writing tasks in this process: everything else is real."""
    world = new_world(folder, namespace, log_dsn, kafka.bootstrap, 1, catalog_properties, new_topic(2))
    world.writer, world.copier, world.redriver = HereWriter(), HereCopier(), HereRedriver()
    return world


@pytest.fixture
def near(fresh: World) -> World:
    """As `fresh`, and has moved its first records already."""
    fresh.produce(20)
    fresh.run()
    return fresh


@pytest.fixture
def typed(near: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """As `near`, with its connections in the environment of this process, where the CLI looks for them."""
    for name, value in near.environment().items():
        if name.startswith("AIRFLOW_CONN_"):
            monkeypatch.setenv(name, value)
    return near


@pytest.fixture
def moved(near: World) -> World:
    """Proven to have moved its first records."""
    near.audit()
    return near


@pytest.fixture
def late(near: World) -> World:
    """A second pipeline on the topic: twenty records lie before its table's start, ten after it."""
    late = replace(near, name="late")
    text = f"source: {{topics: [{late.topic}], start: latest}}\ntables: [{{name: {late.table}}}]\n"
    with open_with(late, text) as runtime:
        late.cycle(runtime)
        late.produce(10)
        late.cycle(runtime)
    assert sorted(r[2] for r in late.rows()) == list(range(20, 30))
    return late


@pytest.fixture
def addresses(kafka: Any, postgres: Any, spark_connect: Any, warehouse: str, wal_dsn: str) -> Mapping[str, str]:
    database = wal_dsn.rpartition("/")[2]
    return {
        r"kafka\.example\.com:9092": kafka.bootstrap,
        r"postgres\.example\.com": "127.0.0.1",
        r"\b5432\b": str(postgres.port),
        r"spark\.example\.com": "127.0.0.1",
        r"\b15002\b": str(spark_connect.port),
        r"s3://lake/warehouse": warehouse,
        r'"schema": "lakelock"': f'"schema": "{database}"',
    }


@pytest.fixture
def clone(folder: Path) -> Iterator[Path]:
    """A folder like a clone, whose bin/lakelock does what this repository's does, and whose pipelines are the reader's own."""
    program = folder / "bin" / "lakelock"
    program.parent.mkdir()
    with as_program(program):
        yield folder
