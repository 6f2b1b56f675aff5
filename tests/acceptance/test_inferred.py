"""Tables whose columns are inferred, from topics whose first records have none."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from confluent_kafka import Producer
from kits.topics import new_producer, produce
from kits.world import World, open_with
from pyiceberg.exceptions import NoSuchTableError
from stack.process import wait_until


def _producer(world: World, **more: object) -> Producer:
    return new_producer(world.connections["kafka_default"].extra["bootstrap.servers"], **more)


def _waits(world: World, caplog: pytest.LogCaptureFixture) -> str:
    """A run that makes no table and fails with nothing; the line of its write."""
    with closing(world.runtime()) as runtime, caplog.at_level(logging.ERROR):
        planned = runtime.plan()
        assert planned.batch_id is not None
        (outcome,) = runtime.write_run("attempt", "test/run", planned.batch_id)
        assert not any(o.version_id for o in world.commit(runtime))
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
        assert "nor among the 2 newest records" in line
        assert "(2 tombstones)" in line
        assert "declare the table's columns" in line
    # Behind the batch, in one of its partitions: the batch, which is older, is written first.
    fresh.produce(10)
    fresh.run()
    fresh.run()
    fresh.audit(dead=2)


def test_an_object_in_another_partition_than_the_first_batch_reports_the_columns(fresh: World) -> None:
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
    with closing(fresh.runtime()) as runtime:

        def report() -> bool:
            spans = runtime.broker.watermarks(runtime.broker.sources([fresh.topic]))
            return sum(span.end_offset for span in spans.values()) == 2

        wait_until(report, 120, "the marker, which the broker writes after it has answered")
    assert "nor among the 0 newest records" in _waits(fresh, caplog)
    fresh.produce(10)
    fresh.run()
    fresh.run()
    assert len(fresh.rows()) == 10
    assert "aborted" not in fresh.catalog.load_table(fresh.table).schema().column_names


@pytest.mark.parametrize("windowed", [False, True])
def test_a_table_that_waits_holds_up_no_other(fresh: World, new_topic: Callable[..., str], windowed: bool) -> None:
    """Its topic has tombstones alone; the other one's records land run after run, and its own once an object came."""
    silent, late = new_topic(1), f"{fresh.namespace}.late"
    file = (
        f"source: {{topics: [{fresh.topic}, {silent}]}}\ntables:\n"
        f"  - {{name: {fresh.table}, topics: [{fresh.topic}]}}\n  - {{name: {late}, topics: [{silent}]}}\n"
    )
    with open_with(fresh, file) as runtime:

        def moved() -> None:
            if windowed:
                until = datetime.now(UTC) + timedelta(seconds=3)
                runtime.write_window("attempt", "test/run", until, batch_every_s=1.0)
            else:
                planned = runtime.plan()
                assert planned.batch_id is not None
                runtime.write_run("attempt", "test/run", planned.batch_id)
            runtime.commit([fresh.table, late, f"{fresh.table}__dead_letters"], now=True)

        produce(_producer(fresh), silent, [None], partition=0)
        for count in (10, 20, 30):
            fresh.produce(10)
            moved()
            assert len(fresh.rows()) == count
        assert not fresh.catalog.table_exists(late)
        produce(_producer(fresh), silent, [b'{"id": 1}'], partition=0)
        moved()
        moved()
        assert fresh.catalog.load_table(late).scan().count() == 1
        assert len(fresh.rows()) == 30
        assert runtime.audit().complete
