"""The broker adapter on a real broker: what plan, publish, status and check rely on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ConfigResource,
    ResourcePatternType,
    ResourceType,
)
from confluent_kafka.cimpl import Consumer
from kits.sasl import with_sasl
from kits.topics import create_topic, new_producer, produce
from lakelock.adapters.kafka.broker import KafkaBroker, _shares
from lakelock.adapters.kafka.group_offsets import GroupOffsets
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.kafka.sample import read_records
from lakelock.adapters.wal import PostgresLog
from lakelock.app.clock import SystemClock
from lakelock.config import Pipeline
from lakelock.errors import AccessDenied, ConnectionFault, Retryable, TopicMissing, Unreachable
from lakelock.model.offsets import OffsetRange, Source
from lakelock.monitor.status import status
from stack.kafka import Kafka
from stack.ports import free_port

pytestmark = pytest.mark.drawn(0.2, about="adapters/kafka")


@pytest.fixture
def broker(kafka: Kafka) -> KafkaBroker:
    return KafkaBroker({"bootstrap.servers": kafka.bootstrap})


@pytest.fixture
def admin(kafka: Kafka) -> AdminClient:
    return AdminClient({"bootstrap.servers": kafka.bootstrap})


@pytest.fixture
def transactional(kafka: Kafka) -> Iterator[Callable[[str], Producer]]:
    """Transactional producers; what they leave open is aborted after the test."""
    made: list[Producer] = []

    def create(name: str) -> Producer:
        out = new_producer(kafka.bootstrap, **{"transactional.id": name})
        out.init_transactions(30)
        made.append(out)
        return out

    yield create
    for producer in made:
        producer.purge()


def test_sources_are_every_partition_with_the_topic_id_in_order(
    broker: KafkaBroker, new_topic: Callable[..., str]
) -> None:
    topics = [new_topic(3), new_topic(2)]
    sources = broker.sources(topics)
    assert sources == sorted(sources)
    assert sorted((s.topic, s.partition) for s in sources) == sorted(
        [(topics[0], 0), (topics[0], 1), (topics[0], 2), (topics[1], 0), (topics[1], 1)]
    )
    ids = {s.topic: s.topic_id for s in sources}
    assert len(set(ids.values())) == 2
    assert all(ids.values())


def test_a_regular_expression_matches_the_whole_name_and_never_internal_topics(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    mine = new_topic(1)
    # A group's offsets create the internal topic.
    (source,) = broker.sources([mine])
    broker.publish("makes-offsets-topic", {source: 0})
    assert "__consumer_offsets" in AdminClient({"bootstrap.servers": kafka.bootstrap}).list_topics(timeout=10).topics
    found = {s.topic for s in broker.sources([], ".*")}
    assert mine in found
    assert not [t for t in found if t.startswith("__")]
    assert broker.sources([], mine[:-1]) == []
    assert [s.topic for s in broker.sources([mine], mine)] == [mine]


def test_an_unknown_topic_is_missing_by_name(broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]) -> None:
    with pytest.raises(TopicMissing, match="no-such-topic") as caught:
        broker.sources([new_topic(1), "no-such-topic"])
    assert kafka.bootstrap in str(caught.value)


def test_a_deleted_topic_is_missing_and_a_recreated_one_has_another_id(
    broker: KafkaBroker, admin: AdminClient, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(1)
    (before,) = broker.sources([topic])
    admin.delete_topics([topic])[topic].result(30)
    with pytest.raises(TopicMissing, match=topic):
        broker.sources([topic])
    with pytest.raises(TopicMissing, match=topic):
        KafkaBroker({"bootstrap.servers": broker._servers}).watermarks([before])

    create_topic(admin, topic, 1)
    (after,) = broker.sources([topic])
    assert after.topic == before.topic
    assert after.topic_id != before.topic_id


def test_an_open_transaction_ends_the_readable_records_before_the_high_watermark(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str], transactional: Callable[[str], Producer]
) -> None:
    topic = new_topic(1)
    produce(new_producer(kafka.bootstrap), topic, [b"1", b"2", b"3"], partition=0)
    writer = transactional(f"tx-{topic}")
    writer.begin_transaction()
    for value in (b"4", b"5"):
        writer.produce(topic, value, partition=0)
    writer.flush(30)
    (source,) = broker.sources([topic])
    marks = broker.watermarks([source])[source]
    assert (marks.low_offset, marks.end_offset, marks.high_offset) == (0, 3, 5)
    assert broker.offsets_at([source], 0)[source] == 0
    assert broker.offsets_at([source], int(time.time() * 1000) + 3_600_000)[source] == 3
    assert [r.value for r in broker.sample([source], 10)] == [b"1", b"2", b"3"]
    writer.commit_transaction(30)
    # The commit marker takes an offset of its own; the broker writes it after it has answered.
    deadline = time.monotonic() + 30
    while (marks := broker.watermarks([source])[source]).end_offset < 6 and time.monotonic() < deadline:
        pass
    assert (marks.low_offset, marks.end_offset, marks.high_offset) == (0, 6, 6)


def test_aborted_records_are_never_sampled_and_an_aborted_tail_does_not_hang(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str], transactional: Callable[[str], Producer]
) -> None:
    topic = new_topic(1)
    produce(new_producer(kafka.bootstrap), topic, [b"kept"], partition=0)
    writer = transactional(f"tx-{topic}")
    writer.begin_transaction()
    writer.produce(topic, b"aborted", partition=0)
    writer.flush(30)
    writer.abort_transaction(30)
    (source,) = broker.sources([topic])
    began = time.monotonic()
    assert [r.value for r in broker.sample([source], 10, timeout_s=60)] == [b"kept"]
    assert broker.timestamps_at({source: 1}) == {source: None}
    assert time.monotonic() - began < 90


def test_offsets_at_a_time_are_the_first_record_at_or_after_it_and_the_end_where_there_is_none(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(2)
    producer = new_producer(kafka.bootstrap)
    base = int(time.time() * 1000) - 100_000
    for n in range(10):
        producer.produce(topic, b"v", partition=0, timestamp=base + n * 1000)
    assert producer.flush(30) == 0
    first, second = broker.sources([topic])
    assert broker.offsets_at([first, second], base + 3500) == {first: 4, second: 0}
    assert broker.offsets_at([first], base + 3000) == {first: 3}
    assert broker.offsets_at([first], base + 60_000) == {first: 10}
    assert broker.timestamps_at({first: 7, second: 0}) == {first: base + 7000, second: None}


def test_the_low_watermark_follows_deleted_records(
    broker: KafkaBroker, kafka: Kafka, admin: AdminClient, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(1)
    produce(new_producer(kafka.bootstrap), topic, [b"v"] * 10, partition=0)
    place = TopicPartition(topic, 0, 6)
    admin.delete_records([place])[place].result(30)
    (source,) = broker.sources([topic])
    assert broker.watermarks([source])[source].low_offset == 6
    assert broker.timestamps_at({source: 2})[source] is not None


def test_the_leader_epoch_comes_with_the_end(broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]) -> None:
    topic = new_topic(1)
    produce(new_producer(kafka.bootstrap), topic, [b"v"], partition=0)
    (source,) = broker.sources([topic])
    assert broker.watermarks([source])[source].leader_epoch == 0


def committed(kafka: Kafka, group: str, topic: str) -> list[int]:
    """The group's offsets of a topic's two partitions."""
    consumer = Consumer({"bootstrap.servers": kafka.bootstrap, "group.id": group})
    found = consumer.committed([TopicPartition(topic, 0), TopicPartition(topic, 1)], timeout=10)
    consumer.close()
    return [p.offset for p in found]


def test_published_offsets_are_the_group_s(broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]) -> None:
    topic = new_topic(2)
    first, second = broker.sources([topic])
    group = f"lakelock.{topic}"
    broker.publish(group, {first: 5, second: 9})
    broker.publish(group, {first: 6})
    assert committed(kafka, group, topic) == [6, 9]


@pytest.mark.parametrize(
    "code", [KafkaError.NOT_COORDINATOR, KafkaError.COORDINATOR_NOT_AVAILABLE, KafkaError.COORDINATOR_LOAD_IN_PROGRESS]
)
def test_offsets_are_set_although_the_groups_coordinator_moves(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str], monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """As the first group of a cluster meets it: here one of two partitions is refused twice."""
    first, second = broker.sources([new_topic(2)])
    sent, requests = GroupOffsets._refused, list[int]()

    def moves(offsets: GroupOffsets, wanted: Sequence[TopicPartition]) -> dict[tuple[str, int], KafkaError]:
        requests.append(len(wanted))
        if len(requests) > 2:
            return sent(offsets, wanted)
        if mine := [p for p in wanted if p.partition == first.partition]:
            assert sent(offsets, mine) == {}
        return {(second.topic, second.partition): KafkaError(code)}

    group = f"group-of-{first.topic}"
    broker.publish(group, {first: 1, second: 1})  # from here on, the group's true coordinator answers
    monkeypatch.setattr(GroupOffsets, "_refused", moves)
    broker.publish(group, {first: 5, second: 9})
    assert requests == [2, 1, 1]
    assert committed(kafka, group, first.topic) == [5, 9]


def test_a_coordinator_that_keeps_moving_is_waited_for_in_bounded_time(
    kafka: Kafka, new_topic: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = KafkaBroker({"bootstrap.servers": kafka.bootstrap}, timeout_s=0.2)
    (source,) = broker.sources([new_topic(1)])
    refused = {(source.topic, 0): KafkaError(KafkaError.NOT_COORDINATOR)}
    monkeypatch.setattr(GroupOffsets, "_refused", lambda offsets, wanted: refused)
    with pytest.raises(Unreachable, match="1 of 1 partitions"):
        broker.publish("a-group", {source: 1})


def test_a_group_with_members_is_not_published_over(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(1)
    (source,) = broker.sources([topic])
    group = f"busy.{topic}"
    consumer = Consumer({"bootstrap.servers": kafka.bootstrap, "group.id": group})
    try:
        consumer.subscribe([topic])
        deadline = time.monotonic() + 30
        while not consumer.assignment():
            consumer.poll(0.1)
            assert time.monotonic() < deadline
        with pytest.raises(Retryable, match=f"{group}.*members") as caught:
            broker.publish(group, {source: 1})
        assert type(caught.value) is Retryable
    finally:
        consumer.close()


def test_partitions_that_do_not_exist_fail_alone(broker: KafkaBroker, new_topic: Callable[..., str]) -> None:
    topic = new_topic(1)
    (source,) = broker.sources([topic])
    with pytest.raises(TopicMissing, match=r"gone-topic-0 \(1 of 2 partitions"):
        broker.publish(f"lakelock.{topic}", {source: 3, Source("gone-topic", "x", 0): 1})


def test_retention_is_the_topic_s_and_none_where_nothing_is_ever_deleted(
    broker: KafkaBroker, new_topic: Callable[..., str]
) -> None:
    hour = new_topic(1, retention_ms="3600000")
    forever = new_topic(1, retention_ms="-1")
    compacted = new_topic(1, cleanup_policy="compact")
    assert broker.retention_ms([hour, forever, compacted]) == {hour: 3_600_000, forever: None, compacted: None}
    assert broker.retention_ms([]) == {}


def test_a_sample_takes_the_newest_records_and_shares_them_over_partitions(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(3)
    producer = new_producer(kafka.bootstrap)
    produce(producer, topic, [b"%d" % n for n in range(1000)], partition=0)
    produce(producer, topic, [b"%d" % n for n in range(3)], partition=1)
    sources = broker.sources([topic])
    records = broker.sample(sources, 20)
    assert [(r.source.partition, r.offset) for r in records] == [
        *((0, n) for n in range(983, 1000)),
        *((1, n) for n in range(3)),
    ]
    assert all(int(r.value or b"") == r.offset for r in records)


def test_sampled_ranges_begin_at_their_start_and_never_pass_their_end(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    topic = new_topic(2)
    producer = new_producer(kafka.bootstrap)
    for partition in (0, 1):
        produce(producer, topic, [b"a value, %d" % n for n in range(100)], partition=partition)
    first, second = broker.sources([topic])
    records = broker.sample_ranges([OffsetRange(first, 10, 13), OffsetRange(second, 50, 90)], 1000)
    assert [(r.source.partition, r.offset) for r in records] == [
        *((0, n) for n in range(10, 13)),
        *((1, n) for n in range(50, 90)),
    ]
    assert len(broker.sample_ranges([OffsetRange(first, 0, 100), OffsetRange(second, 0, 100)], 10)) == 10
    assert records[-1].value == b"a value, 89"
    assert "a value" not in repr(records[-1])


def test_a_tombstone_is_sampled_with_its_key(broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]) -> None:
    topic = new_topic(1)
    producer = new_producer(kafka.bootstrap)
    producer.produce(topic, None, key=b"k", partition=0)
    assert producer.flush(30) == 0
    (record,) = broker.sample(broker.sources([topic]), 5)
    assert (record.key, record.value) == (b"k", None)


def test_a_sampled_record_has_its_headers_and_the_type_of_its_timestamp(
    broker: KafkaBroker, kafka: Kafka, new_topic: Callable[..., str]
) -> None:
    headers: list[tuple[str, bytes | None]] = [("a", b"\xff"), ("a", None)]
    producer = new_producer(kafka.bootstrap)
    for kind in ("CreateTime", "LogAppendTime"):
        topic = new_topic(1, message_timestamp_type=kind)
        producer.produce(topic, b"1", partition=0, headers=headers)
        producer.produce(topic, b"2", partition=0)
        assert producer.flush(30) == 0
        first, second = broker.sample(broker.sources([topic]), 5)
        assert (first.headers, second.headers) == (headers, ())
        assert (first.timestamp_type, second.timestamp_type) == (kind, kind)


def test_a_port_where_nobody_listens_is_unreachable_in_bounded_time() -> None:
    port = free_port()
    broker = KafkaBroker({"bootstrap.servers": f"127.0.0.1:{port}"}, timeout_s=1)
    for ask in (
        lambda: broker.sources(["t"]),
        lambda: broker.sources([], "t.*"),
        lambda: broker.watermarks([Source("t", "id", 0)]),
        lambda: broker.publish("g", {Source("t", "id", 0): 1}),
        lambda: broker.sample_ranges([OffsetRange(Source("t", "id", 0), 0, 1)], 1, timeout_s=1),
    ):
        began = time.monotonic()
        with pytest.raises(Unreachable, match=f"127.0.0.1:{port}") as caught:
            ask()
        assert "refused" in str(caught.value)
        assert time.monotonic() - began < 90


@pytest.fixture
def guarded(new_kafka: Callable[..., Kafka]) -> tuple[str, Kafka]:
    """A broker with a SASL listener beside the plain one; alice may log in but has no rights."""
    return with_sasl(
        new_kafka,
        "PLAIN",
        'plain.PlainLoginModule required user_alice="right"',
        **{
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",
        },
    )


def login_of_alice(servers: str) -> dict[str, str]:
    return {
        "bootstrap.servers": servers,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "alice",
    }


def test_a_wrong_password_and_a_missing_right_are_denied(
    guarded: tuple[str, Kafka], new_topic: Callable[..., str]
) -> None:
    servers, server = guarded
    topic = new_topic(1, bootstrap_servers=server.bootstrap)
    login = login_of_alice(servers)
    wrong = KafkaBroker({**login, "sasl.password": "planted-secret"}, timeout_s=10)
    (source,) = KafkaBroker({"bootstrap.servers": server.bootstrap}).sources([topic])
    for ask in (
        lambda: wrong.sources([topic]),
        lambda: wrong.sources([], ".*"),
        lambda: wrong.watermarks([source]),
        lambda: wrong.sample_ranges([OffsetRange(source, 0, 1)], 1),
    ):
        with pytest.raises(AccessDenied, match=servers) as caught:
            ask()
        assert "planted-secret" not in str(caught.value)
    began = time.monotonic()
    guess = {**login, "sasl.password": "planted-secret"}
    with RangeReader(guess, [OffsetRange(source, 0, 1)]) as reader, pytest.raises(AccessDenied) as caught:
        list(reader.blocks(10, 1 << 20))
    assert servers in str(caught.value)
    assert "planted-secret" not in str(caught.value)
    assert time.monotonic() - began < 30, "long before a silent broker is given up"
    alice = KafkaBroker({**login, "sasl.password": "right"}, timeout_s=10)
    with pytest.raises(AccessDenied, match=topic):
        alice.sources([topic])
    assert alice.sources([], ".*") == []
    with pytest.raises(AccessDenied, match=r"lakelock\.p"):
        alice.publish("lakelock.p", {source: 1})


def test_the_right_to_read_the_topic_is_enough_to_read_it_and_for_the_status(
    guarded: tuple[str, Kafka], new_topic: Callable[..., str], log_dsn: str
) -> None:
    servers, server = guarded
    login = login_of_alice(servers)
    topic = new_topic(1, bootstrap_servers=server.bootstrap)
    produce(new_producer(server.bootstrap), topic, [b"{}"] * 3, partition=0)
    anyone = ("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW)
    right = AclBinding(ResourceType.TOPIC, topic, ResourcePatternType.LITERAL, *anyone)
    admin = AdminClient({"bootstrap.servers": server.bootstrap})
    granted = admin.create_acls([right])
    granted[right].result(10)
    alice = KafkaBroker({**login, "sasl.password": "right"})
    (source,) = alice.sources([topic])
    whole = OffsetRange(source, 0, 3)
    with RangeReader({**login, "sasl.password": "right"}, [whole]) as reader:
        assert [len(b.values) for b in reader.blocks(10, 1 << 20)] == [3]
    assert len(alice.sample_ranges([whole], 10)) == 3
    assert alice.retention_ms([topic]) == {}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": [topic]}, "tables": [{"name": "ns.t"}]})
    with PostgresLog(log_dsn) as log:
        (row,) = status(pipeline, log, alice, SystemClock()).sources
    assert (row.lag_offsets, row.retention_left_s, row.retention_unknown) == (3, None, True)


def test_a_broker_that_stops_is_unreachable_and_the_same_object_recovers(
    new_kafka: Callable[..., Kafka], new_topic: Callable[..., str]
) -> None:
    server = new_kafka()
    topic = new_topic(1, bootstrap_servers=server.bootstrap)
    broker = KafkaBroker({"bootstrap.servers": server.bootstrap}, timeout_s=5)
    (source,) = broker.sources([topic])
    server.kill()
    with pytest.raises(Unreachable, match=server.bootstrap):
        broker.watermarks([source])
    server.start()
    deadline = time.monotonic() + 30
    while True:
        try:
            assert broker.watermarks([source])[source].end_offset == 0
            break
        except Unreachable:
            assert time.monotonic() < deadline


def test_no_request_outlives_the_wait_for_it() -> None:
    """A client that is dropped with one under way may be destroyed by its own thread, which aborts the process."""
    broker = KafkaBroker({"bootstrap.servers": "127.0.0.1:1"}, timeout_s=0.1)
    sent: list[Future[Any]] = []

    def send(client: AdminClient) -> dict[str, Future[Any]]:
        sent.append(client.describe_cluster(request_timeout=60))
        return {"": sent[0]}

    with pytest.raises(Unreachable):
        broker._requests.results(send, about=str)
    (future,) = sent
    with pytest.raises(KafkaException) as caught:
        future.result(timeout=0)
    assert caught.value.args[0].code() == KafkaError._DESTROY


def test_shares_use_what_small_ones_leave() -> None:
    assert _shares({"a": 1000, "b": 3, "c": 1000}, 21) == {"b": 3, "a": 9, "c": 9}
    assert sum(_shares(dict.fromkeys(range(7), 100), 10).values()) == 10
    assert _shares({"a": 2}, 10) == {"a": 2}


def test_topic_settings_of_the_fixture_reach_the_broker(admin: AdminClient, new_topic: Callable[..., str]) -> None:
    topic = new_topic(1, retention_ms="1234")
    resource = ConfigResource(ResourceType.TOPIC, topic)
    assert admin.describe_configs([resource])[resource].result(10)["retention.ms"].value == "1234"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"securty.protocol": "PLAINTEXT"}, "securty.protocol"),
        ({"security.protocol": "PLAINTXT"}, "security.protocol"),
        ({"message.max.bytes": "many"}, "message.max.bytes"),
        ({"security.protocol": "SSL", "ssl.ca.location": "/nowhere/ca.pem"}, "ssl.ca.location"),
        ({"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "u"}, "sasl.password"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_setting_that_no_client_takes_is_a_fault_of_the_connection_by_its_name(
    kafka: Kafka, wrong: dict[str, str], said: str
) -> None:
    """For each of the three clients: the admin client, the one that samples, and the one that reads a batch."""
    config = {"bootstrap.servers": kafka.bootstrap, **wrong}
    ranges = [OffsetRange(Source("t", "id", 0), 0, 1)]
    for make in (
        KafkaBroker(config).reach,
        lambda: read_records(config, kafka.bootstrap, dict.fromkeys(ranges, 1), 1, 5.0),
        lambda: RangeReader(config, ranges),
    ):
        with pytest.raises(ConnectionFault, match=said):
            make()
