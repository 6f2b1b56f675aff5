"""On real servers: an hour is complete in a table when all of its records are there, and not a moment before."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from confluent_kafka import Producer
from kits.rollbacks import roll_back
from kits.topics import new_producer
from kits.world import World, write_next
from lakelock.ingest.hours_decision import HOUR
from lakelock.model.ledger import Mode
from stack.process import wait_until

BASE = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - 6 * HOUR


def sender(world: World, **settings: object) -> Producer:
    return new_producer(world.connections["kafka_default"].extra["bootstrap.servers"], **settings)


def send(producer: Producer, world: World, *minutes: int) -> None:
    """One record each, stamped so many minutes after BASE, into partition 0."""
    for minute in minutes:
        stamp = round((BASE + timedelta(minutes=minute)).timestamp() * 1000)
        producer.produce(world.topic, json.dumps({"id": world.next_id}).encode(), partition=0, timestamp=stamp)
        world.next_id += 1
    assert producer.flush(30) == 0


def complete(world: World, reported: datetime | None) -> list[datetime]:
    with closing(world.runtime()) as runtime:
        found = runtime.complete_hours({world.table: reported})
    assert all(c.valid_through >= c.hours[-1] + HOUR for c in found)
    return [hour for c in found for hour in c.hours]


@pytest.fixture
def hourly(near: World) -> World:
    near.settings = "publish: {max_lateness: 1m}\n"
    return near


def test_an_hour_is_complete_when_its_last_record_is_committed(hourly: World) -> None:
    send(sender(hourly), hourly, 10, 70, 130)
    assert complete(hourly, BASE - 2 * HOUR) == [BASE - HOUR]
    with closing(hourly.runtime()) as runtime:
        write_next(runtime)
        assert complete(hourly, BASE - HOUR) == [], "staged files are not in the table"
        hourly.commit(runtime)
    reported = complete(hourly, BASE - HOUR)
    assert reported == [BASE + n * HOUR for n in range(len(reported))]
    # As many as are over: the clock may pass an hour in between.
    assert len(reported) in {5, 6, 7}
    assert complete(hourly, reported[-1]) == []
    assert complete(hourly, None) == reported[-1:]


def test_an_hour_is_not_complete_while_a_part_of_it_waits_for_a_later_batch(hourly: World) -> None:
    send(sender(hourly), hourly, 10, 70, 80, 130)
    hourly.run(max_records=2)
    assert complete(hourly, BASE - HOUR) == [BASE]
    hourly.run(max_records=1)
    assert complete(hourly, BASE) == [BASE + HOUR]
    # Two hours and ten minutes, of which a minute may still come.
    assert complete(hourly, BASE + HOUR) == []


def test_records_of_an_open_transaction_hold_their_hour_back(hourly: World) -> None:
    open_one = sender(hourly, **{"transactional.id": hourly.topic})
    open_one.init_transactions(30)
    open_one.begin_transaction()
    send(open_one, hourly, 10)
    hourly.run()
    assert complete(hourly, BASE - HOUR) == []
    open_one.commit_transaction(30)

    def report() -> bool:
        hourly.run()
        return bool(complete(hourly, BASE - HOUR))

    wait_until(report, 120, "the transaction's end")
    assert complete(hourly, BASE - HOUR)[0] == BASE


def test_a_table_that_went_back_reports_no_hour_until_it_has_everything_again(hourly: World) -> None:
    send(sender(hourly), hourly, 10, 70)
    hourly.run()
    with closing(hourly.runtime()) as runtime:
        roll_back(runtime, hourly.table, "last:1", Mode.REPLAY)
    assert complete(hourly, BASE - HOUR) == []
    hourly.run()
    assert complete(hourly, BASE - HOUR)[:2] == [BASE, BASE + HOUR]
    hourly.audit()
