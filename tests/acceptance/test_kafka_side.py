"""What Kafka does to a topic between plan and read, over the whole pipeline: the table has what a consumer could read, once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import NewPartitions
from kits.harm import check, servers, visible
from kits.here_writer import HereWriter
from kits.topics import admin, create_topic, delete_before, new_producer, produce
from kits.world import World, new_world
from lakelock.errors import HistoryMissing, TopicRecreated
from stack.kafka import Kafka
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.15)


def send(producer: Producer, world: World, ids: range, partition: int | None = None) -> None:
    produce(producer, world.topic, [b'{"id":%d}' % n for n in ids], partition)


@pytest.fixture
def transactional(fresh: World) -> Producer:
    out = new_producer(servers(fresh), **{"transactional.id": fresh.topic})
    out.init_transactions(30)
    return out


def ends(world: World) -> dict[int, int]:
    """Last stable offsets."""
    with closing(world.runtime()) as runtime:
        spans = runtime.broker.watermarks(runtime.broker.sources([world.topic]))
    return {s.partition: w.end_offset for s, w in spans.items()}


def test_transactions_committed_aborted_and_hanging(fresh: World, transactional: Producer) -> None:
    """Each run ends where transactions do; one range has nothing but aborted records and markers."""
    plain = new_producer(servers(fresh))
    transactional.begin_transaction()
    send(transactional, fresh, range(10))
    transactional.commit_transaction(30)
    wait_until(lambda: ends(fresh) == {0: 6, 1: 6}, 120, "the markers, which take the last offsets")
    fresh.run()
    check(fresh)
    transactional.begin_transaction()
    send(transactional, fresh, range(100, 110))
    transactional.abort_transaction(30)
    wait_until(lambda: ends(fresh) == {0: 12, 1: 12}, 120, "the markers behind aborted records")
    fresh.run()
    check(fresh)
    assert len(fresh.rows()) == 10
    transactional.begin_transaction()
    send(transactional, fresh, range(200, 204), partition=0)
    send(plain, fresh, range(300, 310))
    fresh.run()
    check(fresh)
    assert {p for p, o, _ in fresh.rows() if o >= 12} == {1}, "nothing behind an open transaction can be read"
    transactional.commit_transaction(30)
    wait_until(lambda: ends(fresh)[0] == 22, 120, "the transaction's end")
    fresh.run()
    check(fresh)
    assert len(fresh.rows()) == 24


def test_new_partitions_begin_at_their_first_record_and_idle_ones_hold_nobody_up(fresh: World) -> None:
    sender = new_producer(servers(fresh))
    send(sender, fresh, range(10), partition=0)
    fresh.run()
    check(fresh)
    client = admin(fresh)
    client.create_partitions([NewPartitions(fresh.topic, 4)])[fresh.topic].result(30)
    wait_until(
        lambda: len(client.list_topics(fresh.topic, timeout=10).topics[fresh.topic].partitions) == 4, 120, "four"
    )
    late = new_producer(servers(fresh))
    send(late, fresh, range(10, 20), partition=3)
    send(late, fresh, range(20, 25), partition=0)
    fresh.run()
    check(fresh)
    assert {p for p, _, _ in fresh.rows()} == {0, 3}
    before = fresh.catalog.load_table(fresh.table).metadata_location
    fresh.run()
    assert fresh.catalog.load_table(fresh.table).metadata_location == before, "an idle topic makes no snapshot"


def test_a_topic_created_again_with_more_records_between_plan_and_read_is_never_read_for_the_old_one(
    moved: World,
) -> None:
    """Its offsets cover the planned range: only the topic id differs."""
    moved.produce(10)
    rows = moved.rows()
    with closing(moved.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        client = admin(moved)
        client.delete_topics([moved.topic])[moved.topic].result(30)
        wait_until(lambda: moved.topic not in client.list_topics(timeout=10).topics, 120, "the topic to be gone")
        create_topic(client, moved.topic)
        send(new_producer(servers(moved)), moved, range(1000, 1100))
        with pytest.raises(TopicRecreated, match=moved.topic):
            runtime.write("attempt-1", "test/1", planned.batch_id)
        assert not runtime.log.staged(moved.name)
    with pytest.raises(TopicRecreated, match=moved.topic):
        moved.run()
    assert moved.rows() == rows


def test_records_deleted_after_they_were_staged_land_all_the_same(moved: World) -> None:
    moved.produce(20)
    with closing(moved.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("attempt-1", "test/1", planned.batch_id)
        delete_before(moved, 0, 20)
        delete_before(moved, 1, 20)
        assert [o.rows for o in moved.commit(runtime)] == [20]
    moved.produce(10)
    moved.run()
    moved.audit()


@pytest.fixture
def own_kafka(
    folder: Path,
    namespace: str,
    log_dsn: str,
    new_kafka: Callable[..., Kafka],
    catalog_properties: dict[str, str],
    new_topic: Callable[..., str],
) -> Callable[..., tuple[World, Kafka]]:
    """A broker that the test may harm, and a pipeline on it."""

    def start(broker: dict[str, str], **topic: str) -> tuple[World, Kafka]:
        kafka = new_kafka(**broker)
        name = new_topic(1, bootstrap_servers=kafka.bootstrap, **topic)
        world = new_world(folder, namespace, log_dsn, kafka.bootstrap, 1, catalog_properties, name)
        world.writer = HereWriter()
        return world, kafka

    return start


def test_compaction_between_plan_and_read_takes_records_and_no_offset_is_missed(
    own_kafka: Callable[..., tuple[World, Kafka]],
) -> None:
    world, kafka = own_kafka(
        {"log.cleaner.backoff.ms": "100"},
        cleanup_policy="compact",
        segment_ms="100",
        min_cleanable_dirty_ratio="0.01",
        max_compaction_lag_ms="100",
    )
    sender = new_producer(kafka.bootstrap)

    def add(number: int) -> None:
        sender.produce(world.topic, b'{"id":%d}' % number, key=b"k%d" % (number % 7), partition=0)
        assert sender.flush(30) == 0

    for n in range(100):
        add(n)
    with closing(world.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        more = iter(range(100, 100_000))

        def compacted() -> bool:
            add(next(more))  # only closed segments are compacted, and a new record closes one
            return len([r for r in visible(world) if r[1] < 100]) < 100

        wait_until(compacted, 120, "the cleaner")
        runtime.write("attempt-1", "test/1", planned.batch_id)
        world.commit(runtime)
        rows = world.rows()
        assert len(rows) < 100
        assert len({o for _, o, _ in rows}) == len(rows)
        found = runtime.audit()
    assert not [f for t in found.tables for f in t.faults], found
    world.run()
    with closing(world.runtime()) as runtime:
        assert runtime.audit().complete


def test_a_log_that_lost_its_end_stops_with_the_exact_interval(own_kafka: Callable[..., tuple[World, Kafka]]) -> None:
    """What an unclean election does, on one broker: the newest records are gone, and others get their offsets."""
    world, kafka = own_kafka({})
    sender = new_producer(kafka.bootstrap, **{"linger.ms": 0})
    for n in range(20):
        send(sender, world, range(n, n + 1), partition=0)  # a batch each
    world.run()
    assert len(world.rows()) == 20
    kafka.kill()
    (segment,) = (kafka.home / "log").glob(f"{world.topic}-0/*.log")
    for index in segment.parent.glob("*.*index"):
        index.unlink()
    data = segment.read_bytes()
    segment.write_bytes(data[: len(data) // 2 + 7])  # the broker finds a batch cut short, and cuts there
    kafka.start()
    wait_until(lambda: ends(world)[0] < 20, 120, "the shorter log")
    (end,) = ends(world).values()
    with pytest.raises(HistoryMissing, match=rf"\[{end}, 20\): read before"):
        world.run()
    assert len(world.rows()) == 20
