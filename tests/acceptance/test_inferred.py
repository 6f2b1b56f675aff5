"""Tables whose columns are inferred, from topics whose first records tell none."""

from __future__ import annotations

import logging
from contextlib import closing

import pytest
from confluent_kafka import Producer
from kits.topics import new_producer, produce
from kits.world import World
from pyiceberg.exceptions import NoSuchTableError


def _producer(world: World, **more: object) -> Producer:
    return new_producer(world.connections["kafka_default"].extra["bootstrap.servers"], **more)


def _waits(world: World, caplog: pytest.LogCaptureFixture) -> str:
    """A run that makes no table and fails with nothing; the line of its write."""
    with closing(world.runtime()) as runtime, caplog.at_level(logging.ERROR):
        planned = runtime.plan()
        assert planned.batch_id is not None
        (outcome,) = runtime.write_run("attempt", "test/run", planned.batch_id)
        assert not any(o.snapshot_id for o in world.commit(runtime))
    assert caplog.records == []
    with pytest.raises(NoSuchTableError):
        world.catalog.load_table(world.table)
    return outcome.line


def test_a_first_batch_of_tombstones_waits_for_an_object_and_then_lands(
    fresh: World, caplog: pytest.LogCaptureFixture
) -> None:
    fresh.produce(0, bad=[None, None])
    for _ in range(2):
        line = _waits(fresh, caplog)
        assert "the 2 sampled records of" in line
        assert "(2 tombstones)" in line
        assert "declare the table's columns" in line
    # Behind the batch, in one of its partitions: the batch, which is older, is written first.
    fresh.produce(10)
    fresh.run()
    fresh.run()
    fresh.audit(dead=2)


def test_an_object_in_another_partition_than_the_first_batch_tells_the_columns(fresh: World) -> None:
    produce(_producer(fresh), fresh.topic, [None, b"[]"], partition=0)
    with closing(fresh.runtime()) as runtime:
        assert runtime.plan().batch_id is not None
    produce(_producer(fresh), fresh.topic, [b'{"id": 0, "note": "n0"}'], partition=1)
    fresh.next_id = 1
    fresh.run()
    fresh.run()
    fresh.audit(dead=2)


def test_a_topic_that_begins_with_an_aborted_transaction_waits(fresh: World, caplog: pytest.LogCaptureFixture) -> None:
    writer = _producer(fresh, **{"transactional.id": fresh.topic})
    writer.init_transactions(60)
    writer.begin_transaction()
    writer.produce(fresh.topic, b'{"aborted": true}', partition=0)
    writer.flush(60)
    writer.abort_transaction(60)
    assert "the 0 sampled records of" in _waits(fresh, caplog)
    fresh.produce(10)
    fresh.run()
    fresh.run()
    assert len(fresh.rows()) == 10
    assert "aborted" not in fresh.catalog.load_table(fresh.table).schema().column_names
