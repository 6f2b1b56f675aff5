"""Batches whose time or size is used up: what they leave is read by others, each record once."""

from __future__ import annotations

import logging
import uuid
from contextlib import closing

import psycopg
import pytest
from kits.topics import new_producer
from kits.world import World

COUNT = 45_000


def produce(world: World, partitions: int) -> None:
    """Enough of them for two slices of one partition."""
    producer = new_producer(world.connections["kafka_default"].extra["bootstrap.servers"])
    for number in range(world.next_id, world.next_id + COUNT):
        producer.produce(world.topic, b'{"id": %d}' % number, partition=number % partitions)
        if number % 10_000 == 0:
            producer.flush(60)
    assert producer.flush(60) == 0
    world.next_id += COUNT


def runs(world: World) -> int:
    """Until nothing is left; how many batches were written in the first."""
    batches = 0
    for run in range(100):
        with closing(world.runtime()) as runtime:
            planned = runtime.plan()
            if planned.batch_id is None:
                break
            outcomes = runtime.write_run(str(uuid.uuid4()), f"run{run}", planned.batch_id)
            batches = batches or len(outcomes)
            world.commit(runtime)
    world.audit()
    return batches


def ended_earlier(world: World) -> int:
    known = world.connections["lakelock_postgres"]
    dsn = f"postgresql://{known.login}@{known.host}:{known.port}/{known.schema}"
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT count(*) FROM lakelock.events WHERE edge = 'ended earlier'").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("partitions", [1, 2])
def test_batches_whose_time_is_used_up_have_each_record_once(fresh: World, partitions: int) -> None:
    """Of one partition two slices read: between them is a hole, which is read before the batch ends earlier."""
    fresh.settings = "batch: {max_seconds: 1ms}\n"
    produce(fresh, partitions)
    with closing(fresh.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        outcome = runtime.write("attempt", "run", planned.batch_id)
        assert outcome.offsets < COUNT
    fresh.settings = "batch: {max_seconds: 100ms}\n"
    runs(fresh)
    assert ended_earlier(fresh) >= 1


def test_a_batch_takes_about_as_many_bytes_as_it_may_and_a_run_goes_on(
    fresh: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lakelock.ingest.pace.WEIGHED_FROM", 1_000)
    fresh.settings = "batch: {max_bytes: 200KiB}\n"
    produce(fresh, 2)
    with caplog.at_level(logging.INFO):
        assert runs(fresh) >= 2
    assert ended_earlier(fresh) == 0, "their size was known before"


def test_a_run_reads_no_more_than_it_may(fresh: World) -> None:
    fresh.settings = "batch: {max_seconds: 60ms}\n"
    produce(fresh, 2)
    with closing(fresh.runtime()) as runtime:
        planned = runtime.plan(20_000)
        assert planned.batch_id is not None
        outcomes = runtime.write_run(str(uuid.uuid4()), "run", planned.batch_id, 20_000)
        assert sum(o.offsets for o in outcomes) <= 20_000
    runs(fresh)
