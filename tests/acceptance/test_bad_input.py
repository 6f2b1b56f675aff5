"""Each fault of the outside world ends in one clear error; after it is fixed, nothing is lost and nothing is twice."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kits.topics import admin, create_topic, delete_before
from kits.world import World, connection
from lakelock.check import preflight
from lakelock.errors import (
    AccessDenied,
    DeadLetterLimit,
    DecisionRefused,
    HistoryMissing,
    TableMissing,
    TableReplaced,
    TopicMissing,
    TopicRecreated,
    Unreachable,
    WalUnusable,
)
from pyiceberg.schema import Schema
from pyiceberg.types import LongType, NestedField, StringType
from stack.ports import free_port
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.15)


def test_no_broker(near: World) -> None:
    near.produce(10)
    good = near.connections["kafka_default"]
    port = free_port()
    near.connections["kafka_default"] = connection(
        "kafka_default", "kafka", extra={"bootstrap.servers": f"127.0.0.1:{port}"}
    )
    with pytest.raises(Unreachable, match=f"127.0.0.1:{port}"):
        near.run()
    near.connections["kafka_default"] = good
    near.run()
    near.audit()


def test_no_such_topic(fresh: World) -> None:
    there = fresh.topic
    fresh.topic = "no-such-topic"
    with pytest.raises(TopicMissing, match="no-such-topic"):
        fresh.run()
    fresh.topic = there
    fresh.produce(5)
    fresh.run()
    fresh.audit()


def test_a_topic_deleted_and_created_again_stops_and_its_staged_records_still_land(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("attempt-1", "test/1", planned.batch_id)
        client = admin(near)
        client.delete_topics([near.topic])[near.topic].result(30)
        wait_until(lambda: near.topic not in client.list_topics(timeout=10).topics, 120, "the topic to be gone")
        with pytest.raises(TopicMissing, match=near.topic):
            runtime.plan()
        create_topic(client, near.topic)
        with pytest.raises(TopicRecreated, match="deleted and created again"):
            runtime.plan()
        found = {r.name: r.fault or "" for r in preflight.run(runtime)}
        assert "deleted and created again" in found.pop("records")
        assert set(found.values()) == {""}
        assert "deleted and created again" in runtime.status().stopped
        assert [o.rows for o in runtime.commit([near.table], now=True)] == [10]
    near.audit(faults=["deleted and created again"])


def test_offsets_that_retention_took_stop_with_the_exact_interval(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)
    with pytest.raises(HistoryMissing, match=rf"{near.topic}-0 \[10, 15\)"):
        near.run()
    with pytest.raises(HistoryMissing, match="Nothing was skipped"):
        near.run()


def test_offsets_that_retention_takes_between_plan_and_write_stop_with_the_exact_interval(near: World) -> None:
    near.produce(40)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        delete_before(near, 0, 15)
        assert planned.batch_id is not None
        with pytest.raises(HistoryMissing, match=rf"{near.topic}-0 \[10, 30\).*now has \[15, 30\)"):
            runtime.write("attempt-1", "test/1", planned.batch_id)
        assert [b.batch_id for b in runtime.log.planned(near.name)] == [planned.batch_id]
        assert not runtime.log.staged(near.name)


def do_what_is_said(fault: Exception) -> None:
    """Types the command that the message of an error has."""
    (command,) = re.findall(r"`(python -c '.*?')`", str(fault))
    subprocess.run(["bash", "-c", command.replace("python", sys.executable, 1)], check=True, timeout=120, cwd="/")


def test_dead_letters_that_are_gone_are_reported_to_be_registered_again(near: World) -> None:
    near.produce(0, [b"no JSON"])
    near.run()
    dead_letters = f"{near.table}__dead_letters"
    location = near.catalog.load_table(dead_letters).metadata_location
    near.catalog.drop_table(dead_letters)
    near.produce(0, [b"no JSON, too"])
    with pytest.raises(TableMissing, match="Register.*No new table can replace it") as stop:
        near.run()
    assert "rebind" not in str(stop.value)
    with (
        closing(near.runtime()) as runtime,
        pytest.raises(DecisionRefused, match="no new table can replace it") as refused,
    ):
        runtime.rebinding.preview(dead_letters, False)
    for fault in (stop, refused):
        assert location in str(fault.value)
    do_what_is_said(refused.value)
    near.run()
    near.audit(dead=2)


def test_a_dropped_table_stops_and_goes_on_when_it_is_registered_again(near: World) -> None:
    catalog = near.catalog
    location = catalog.load_table(near.table).metadata_location
    catalog.drop_table(near.table)
    near.produce(10)
    with pytest.raises(TableMissing, match=f"{near.table}.*is gone"):
        near.run()
    with pytest.raises(TableMissing, match=f"{near.table}.*is gone.*{re.escape(location)}") as stop:
        near.run()
    do_what_is_said(stop.value)
    assert near.catalog.load_table(near.table).metadata_location == location
    near.run()
    near.run()
    near.audit()


def test_a_replaced_table_is_never_written_to(near: World) -> None:
    catalog = near.catalog
    location = catalog.load_table(near.table).metadata_location
    catalog.drop_table(near.table)
    schema = Schema(
        NestedField(1, "id", LongType(), required=False), NestedField(2, "note", StringType(), required=False)
    )
    other = catalog.create_table(near.table, schema)
    near.produce(10)
    with pytest.raises(TableReplaced, match="was replaced") as stop:
        near.run()
    assert catalog.load_table(near.table).metadata_location == other.metadata_location
    catalog.drop_table(near.table)
    do_what_is_said(stop.value)
    assert catalog.load_table(near.table).metadata_location == location
    near.run()
    near.audit()


def test_a_catalog_that_is_gone_keeps_staged_files_for_the_next_run(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("attempt-1", "test/1", planned.batch_id)
    good = near.connections["iceberg_default"]
    gone = good.host.replace(good.host.split(":")[-1].split("/")[0], str(free_port())) if good.host else ""
    near.connections["iceberg_default"] = connection("iceberg_default", "iceberg", host=gone, extra=good.extra)
    with closing(near.runtime()) as runtime, pytest.raises(Unreachable, match="catalog"):
        runtime.commit([near.table], now=True)
    near.connections["iceberg_default"] = good
    near.run()
    near.audit()


@pytest.fixture
def closed_warehouse(near: World) -> Iterator[tuple[World, Callable[[], None]]]:
    """The table's data folder is a file: no user, not even root, can write into it."""
    data = Path(near.catalog.load_table(near.table).location().removeprefix("file://")) / "data"
    kept = data.with_name("data-kept")
    data.rename(kept)
    data.write_text("")

    def fix() -> None:
        data.unlink()
        kept.rename(data)

    yield near, fix
    if kept.exists():
        fix()


def test_an_unwritable_warehouse_names_the_path(closed_warehouse: tuple[World, Callable[[], None]]) -> None:
    world, fix = closed_warehouse
    world.produce(10)
    with pytest.raises((Unreachable, AccessDenied), match="warehouse .*cannot be written|refuses to be written"):
        world.run()
    fix()
    world.run()
    world.audit()


def test_no_postgres_and_a_replica(near: World, new_postgres: Callable[[], Any]) -> None:
    near.produce(10)
    good = near.connections["lakelock_postgres"]
    near.connections["lakelock_postgres"] = connection(
        "lakelock_postgres", "postgres", host="127.0.0.1", port=free_port(), login="lakelock", schema="lakelock"
    )
    with pytest.raises(Unreachable, match="127.0.0.1"):
        near.run()
    empty = new_postgres()
    near.connections["lakelock_postgres"] = connection(
        "lakelock_postgres", "postgres", host="127.0.0.1", port=empty.port, login="lakelock", schema="lakelock"
    )
    with pytest.raises(WalUnusable, match="lakelock migrate"):
        near.run()
    near.connections["lakelock_postgres"] = good
    near.run()
    near.audit()


def test_no_spark(near: World) -> None:
    near.produce(10)
    here, port = near.writer, free_port()
    near.writer = None
    near.connections["spark_default"] = connection("spark_default", "spark_connect", host="sc://127.0.0.1", port=port)
    with pytest.raises(Unreachable, match=str(port)):
        near.run()
    near.writer = here
    near.run()
    near.audit()


def test_a_run_that_dies_after_the_claim_is_taken_over(near: World) -> None:
    """What a killed process leaves behind is a claimed batch; the same run goes on at once, another after a while."""
    near.produce(10)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.log.claim(planned.batch_id, "dead-attempt", "test/1", 30)
        runtime.write("next-attempt", "test/1", planned.batch_id)
        near.commit(runtime)
    near.audit()


def test_too_many_dead_letters_stop_before_anything_is_staged(near: World) -> None:
    near.settings = "dead_letters: {stop_at: {count: 3}}\n"
    near.produce(5, bad=[b"{", b"x", None, b'{"id":"x"}'])
    with pytest.raises(DeadLetterLimit, match="4 of 9"):
        near.run()
    with closing(near.runtime()) as runtime:
        assert not runtime.log.staged(near.name)
    near.settings = "dead_letters: {stop_at: {count: 4}}\n"
    near.run()
    near.audit(dead=4)


def test_dead_letters_land_before_the_rows_that_wait_for_them(near: World) -> None:
    near.produce(5, bad=[b"{", b"x", None, b'{"id":"x"}'])
    near.run()
    near.audit(dead=4)
    dead = near.catalog.load_table(f"{near.table}__dead_letters")
    data = near.catalog.load_table(near.table)
    assert dead.metadata.snapshots[-1].timestamp_ms <= data.metadata.snapshots[-1].timestamp_ms


def test_a_table_altered_between_stage_and_commit_is_written_again_and_landed_dead_letters_stay_decided(
    near: World,
) -> None:
    """After the alteration the former dead letter would fit: it must not become a row beside its dead letter."""
    near.settings = ""
    near.produce(5, bad=[b'{"id":500,"late":1}'])
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("attempt-1", "test/1", planned.batch_id)
        runtime.commit([f"{near.table}__dead_letters"], now=True)
        with near.catalog.load_table(near.table).update_schema() as change:
            change.add_column("late", LongType())
            change.delete_column("note")
        with near.catalog.load_table(near.table).update_schema() as change:
            change.add_column("note", StringType())
        assert runtime.commit([near.table], now=True)[0].version_id is None
    near.run()
    near.audit(dead=1)
