"""What `check` says of an edited file comes true at the next run, and saying it changes nothing."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from contextlib import closing
from typing import Any

import psycopg
import pytest
from confluent_kafka.admin import AdminClient
from kits import counting_io
from kits.forks import lakelock
from kits.topics import create_topic, new_producer, produce
from kits.world import World, file_of, with_extra
from lakelock.app.runtime import Runtime
from lakelock.check.config_diff import Effect
from lakelock.check.day_cost import PER_COMMIT, PER_FILE, PER_TABLE_OF_A_BATCH
from lakelock.check.forecast import Foresight, foresee
from lakelock.check.forecast_text import foresight_text
from lakelock.config import load_pipeline

pytestmark = pytest.mark.drawn(0.15)

ALL = ("Postgres", "Kafka", "catalog and warehouse")


def foreseen(world: World, text: str) -> Foresight:
    file = world.folder / f"{world.name}.yaml"
    file.write_text(text)
    with closing(Runtime(load_pipeline(file), world.connections.__getitem__)) as runtime:
        return foresee(runtime, ALL)


def effects(world: World, text: str) -> dict[str, Effect]:
    found = foreseen(world, text).effects
    assert found is not None
    return {e.about: e for e in found}


def cycle(world: World, text: str, *tables: str) -> None:
    file = world.folder / f"{world.name}.yaml"
    file.write_text(text)
    with closing(Runtime(load_pipeline(file), world.connections.__getitem__, {"writer": world.writer})) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write_run("attempt", f"test/{planned.batch_id}", planned.batch_id)
        runtime.commit(tables, now=True)


def logged(world: World) -> dict[str, int]:
    """Rows of each table of the log, with what changed them last."""
    known = world.connections["lakelock_postgres"]
    with psycopg.connect(host=known.host, port=known.port, user=known.login, dbname=known.schema) as connection:
        names = [r[0] for r in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'lakelock'")]
        return {
            n: connection.execute(
                psycopg.sql.SQL("SELECT count(*) + sum(xmin::text::bigint) FROM lakelock.{}").format(
                    psycopg.sql.Identifier(n)
                )
            ).fetchone()[0]  # type: ignore[index]
            for n in names
        }


def test_nothing_is_foreseen_of_a_file_that_was_not_edited(near: World) -> None:
    found = foreseen(near, file_of(near, near.table))
    assert (found.effects, found.is_first) == ((), False)
    assert found.cost.seen.batches == 1
    assert found.cost.seen.files == 1.0


def test_a_new_pipeline_is_reported_where_it_begins(near: World) -> None:
    near.name = "another"
    found = foreseen(near, file_of(near, near.table))
    assert found.is_first
    assert found.effects is not None
    assert found.effects[0].then == f"read from {near.topic}-0 0, {near.topic}-1 0 on"
    assert "the first run:" in foresight_text(found)


def test_a_table_that_is_added_begins_where_it_was_said_and_nothing_was_written_by_saying_it(near: World) -> None:
    other = f"{near.namespace}.other"
    before, head = logged(near), near.catalog.load_table(near.table).metadata_location
    edited = file_of(near, near.table, other, rest="commit: {keep_snapshots: 50}\n").replace(
        "]}", "], start: latest}", 1
    )
    said = effects(near, edited)
    assert set(said) == {"commit.keep_snapshots", "source.start", f"table {other}"}
    assert f"begins at {near.topic}-0 10, {near.topic}-1 10; it does not get" in said[f"table {other}"].then
    assert logged(near) == before
    assert near.catalog.load_table(near.table).metadata_location == head

    near.produce(6)
    cycle(near, edited, near.table, other)
    ids = near.catalog.load_table(other).scan(selected_fields=("id",)).to_arrow().column("id").to_pylist()
    assert sorted(ids) == list(range(20, 26))
    assert len(near.rows()) == 26
    assert effects(near, edited) == {}


def test_a_table_that_was_away_is_reported_to_the_offset_what_it_lacks(near: World) -> None:
    other = f"{near.namespace}.other"
    both, one = file_of(near, near.table, other), file_of(near, near.table)
    near.produce(6)
    cycle(near, both, near.table, other)
    assert effects(near, one)[f"table {other}"].change == "removed"
    near.produce(6)
    cycle(near, one, near.table)
    said = effects(near, both)[f"table {other}"]
    assert said.change == "added again"
    assert f"it lacks {near.topic}-0 [13, 16), {near.topic}-1 [13, 16)," in said.then


def test_what_began_while_a_table_was_away_begins_for_it_where_it_is_said_to(near: World) -> None:
    other, second = f"{near.namespace}.other", f"{near.topic}-second"
    near.produce(6)
    cycle(near, file_of(near, near.table, other), near.table, other)
    servers = near.connections["kafka_default"].extra["bootstrap.servers"]
    create_topic(AdminClient({"bootstrap.servers": servers}), second, 1)

    def produce_second(*ids: int) -> None:
        produce(new_producer(servers), second, [json.dumps({"id": n}).encode() for n in ids], partition=0)

    def with_second(*tables: str) -> str:
        return file_of(near, *tables).replace(f"[{near.topic}]", f"[{near.topic}, {second}]", 1)

    produce_second(100, 101)
    cycle(near, with_second(near.table), near.table)
    said = effects(near, with_second(near.table, other))[f"table {other}"]
    nothing_before = "it does not get earlier records"
    assert (
        said.then == f"continues where it was; in partitions added since, it begins at {second}-0 2; {nothing_before}"
    )
    produce_second(102)
    cycle(near, with_second(near.table, other), near.table, other)
    ids = near.catalog.load_table(other).scan(selected_fields=("id",)).to_arrow().column("id").to_pylist()
    assert [n for n in ids if n >= 100] == [102]


def test_another_dead_letter_table_is_said_to_take_what_comes_and_does(near: World) -> None:
    old, new = f"{near.table}__dead_letters", f"{near.namespace}.letters"
    near.produce(0, bad=[b"no json"])
    near.run()
    edited = file_of(near, near.table, rest=f"dead_letters: {{table: {new}}}\n")
    (said,) = effects(near, edited).values()
    assert said.change == f"{old} -> {new}"
    assert (
        said.then
        == f"{new} is created with the first dead letter of a batch that is planned from now on; {old} keeps its rows"
    )
    near.produce(0, bad=[b"no json", b"none either"])
    cycle(near, edited, near.table)
    assert (len(near.rows(old)), len(near.rows(new))) == (1, 2)


def test_a_cycle_asks_the_store_for_no_more_than_is_said(near: World) -> None:
    """Every step in a runtime of its own, as tasks are processes of their own."""
    near.connections["iceberg_default"] = with_extra(
        near.connections["iceberg_default"], **{"py-io-impl": counting_io.IMPLEMENTATION}
    )
    near.produce(10)
    counting_io.counted.clear()
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
    assert counting_io.requests() == {}, "a plan reads no table"
    assert planned.batch_id is not None
    with closing(near.runtime()) as runtime:
        written = runtime.write("attempt", "test/run", planned.batch_id)
    of_batch = counting_io.requests()
    assert of_batch.get("get", 0) <= 2 * PER_TABLE_OF_A_BATCH.get
    assert of_batch.get("put", 0) == written.files * PER_FILE.put
    assert set(of_batch) <= {"get", "put"}
    counting_io.counted.clear()
    with closing(near.runtime()) as runtime:
        near.commit(runtime)
    of_commit = Counter(counting_io.requests())
    # Nothing expires, is merged or is deleted so early: a list and a manifest less to read, three files less to delete.
    assert of_commit["get"] <= PER_COMMIT.get - 2
    assert (of_commit["put"], of_commit["head"]) == (PER_COMMIT.put, PER_COMMIT.head)


def test_check_prints_it_and_says_it_as_json(near: World) -> None:
    def checked(*more: str) -> subprocess.CompletedProcess[str]:
        return lakelock("check", near.file, *more, environment=near.environment())

    near.settings = "schedule: {every: 5m, batch_every: 1m}\ncommit: {keep_snapshots: 50}\n"
    printed, document = checked(), checked("--json")
    # No Spark answers here.
    assert (printed.returncode, document.returncode) == (3, 3), printed.stderr + document.stderr
    for text in (
        "DAGs:",
        "ingest__orders",
        "every 5m",
        "commit.keep_snapshots: 1000 -> 50",
        "a day costs:",
        "object-store requests",
    ):
        assert text in printed.stdout
    said: dict[str, Any] = json.loads(document.stdout)["pipelines"][0]
    assert [d["dag_id"] for d in said["dags"]] == [
        f"{kind}__orders" for kind in ("ingest", "backfill", "rollback", "recover", "maintain")
    ]
    assert [e["about"] for e in said["effects"]] == ["commit.keep_snapshots", "schedule.every", "schedule.batch_every"]
    assert {c["name"]: c["state"] for c in said["checks"]}["Spark"] == "failed"
    assert said["a_day"]["spark_jobs"] == 1440
    assert said["a_day"]["requests"]["put"] > 0
    assert "windows of these pipelines hold 2 worker slots all the time: give Airflow at least 4 " in printed.stdout
    assert json.loads(document.stdout)["window_slots"] == 2
