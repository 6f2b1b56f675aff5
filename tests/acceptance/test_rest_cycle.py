"""The whole product on a REST catalog: runs, dead letters, a rollback and its way back, a lost log, the audit."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kits.faulty_catalog import Body, FaultyCatalog, branch_only, last_writer_wins
from kits.here_writer import HereWriter
from kits.rollbacks import landed, roll_back, settle
from kits.world import World, new_world, write_next
from lakelock.check import preflight
from lakelock.model.ledger import Mode


@pytest.fixture
def world(
    folder: Path,
    namespace: str,
    log_dsn: str,
    kafka: Any,
    rest_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> World:
    world = new_world(folder, namespace, log_dsn, kafka.bootstrap, 1, rest_properties, new_topic(2))
    world.writer = HereWriter()
    return world


@pytest.fixture
def on_spark(world: World, spark_connect: Any) -> World:
    known = world.connections["spark_default"]
    world.connections["spark_default"] = replace(known, port=spark_connect.port)
    world.writer = None
    return world


def test_check_finds_nothing_to_say(on_spark: World) -> None:
    on_spark.produce(2)
    with closing(on_spark.runtime()) as runtime:
        found = preflight.run(runtime)
    assert [r.fault for r in found if r.fault] == []


@pytest.mark.parametrize(
    ("lies", "reported"),
    [(last_writer_wins, "accepted a second commit"), (branch_only, "the tag that it required had moved")],
)
def test_check_refuses_a_catalog_whose_compare_and_swap_does_not_hold(
    on_spark: World, rest_properties: dict[str, str], lies: Callable[..., Body], reported: str
) -> None:
    on_spark.produce(2)
    catalog = FaultyCatalog(rest_properties["uri"], lies)
    known = on_spark.connections["iceberg_default"]
    on_spark.connections["iceberg_default"] = type(known)(
        known.conn_id, known.conn_type, host=catalog.uri, extra=known.extra
    )
    try:
        with closing(on_spark.runtime()) as runtime:
            found = {r.name: r.fault or "" for r in preflight.run(runtime)}
    finally:
        catalog.close()
    fault = found.pop("catalog and warehouse")
    assert fault.startswith("CatalogUnfit")
    assert reported in fault
    assert set(found.values()) == {""}


@pytest.mark.parametrize("mode", list(Mode))
def test_a_pipeline_runs_rolls_back_and_ends_with_each_record_once(world: World, mode: Mode) -> None:
    landed(world, times=4, bad=1)
    world.audit(dead=4)
    with closing(world.runtime()) as runtime:
        world.produce(10, bad=[b"["])
        write_next(runtime)
        world.produce(10)
        roll_back(runtime, world.table, "last:2", mode)
        settle(world, runtime, 4)
        found = runtime.audit()
        assert found.complete, found
    if mode is Mode.SKIP:
        assert len(world.rows()) == world.next_id - 20
    else:
        world.audit(dead=5)


def test_a_log_that_was_lost_is_built_again_from_the_tables(world: World, new_log: Callable[[], str]) -> None:
    landed(world, bad=1)
    dsn = new_log()
    known = world.connections["lakelock_postgres"]
    world.connections["lakelock_postgres"] = type(known)(
        known.conn_id,
        known.conn_type,
        host=known.host,
        port=known.port,
        login=known.login,
        schema=dsn.rpartition("/")[2],
    )
    with closing(world.runtime()) as runtime:
        found = runtime.recovery("tester", take_over=True).recover()
        assert not any(f.left for f in found), found
        world.produce(10, bad=[b"["])
        settle(world, runtime)
    world.audit(dead=4)
