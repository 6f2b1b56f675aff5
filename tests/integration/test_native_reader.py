"""Records as librdkafka's C functions give them are those that confluent-kafka gives, in each world that a broker makes."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from kits.sasl import with_sasl
from kits.slices import whole
from kits.topics import new_producer, produce
from lakelock.adapters.kafka import tokens
from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.kafka.reader_settings import DEFAULTS, FORCED
from lakelock.errors import AccessDenied, TopicMissing
from lakelock.model.offsets import OffsetRange
from stack.kafka import Kafka

pytestmark = pytest.mark.drawn(0.2, about="adapters/kafka")

Record = tuple[int, int, int, object, object, object]


def read(settings: Mapping[str, str], ranges: list[OffsetRange], most: int = 1000) -> list[Record]:
    with RangeReader(settings, ranges) as reader:
        found = [record for block in reader.blocks(most, 1 << 20) for record in of_block(block)]
        assert reader.unread == []
    return sorted(found, key=lambda r: r[:2])


def of_block(block: Block) -> Iterator[Record]:
    columns = zip(block.partitions.tolist(), block.offsets.tolist(), block.timestamps_ms.tolist(), strict=True)
    keys = block.metadata("key").to_pylist()
    headers, types = block.metadata("headers").to_pylist(), block.metadata("timestamp_type").to_pylist()
    assert block.metadata("topic").to_pylist() == [block.topic] * len(keys)
    for index, (partition, offset, at) in enumerate(columns):
        original = block.original(index)
        assert original.key == keys[index]
        assert original.value == block.values[index]
        assert original.headers == tuple((h["key"], h["value"]) for h in headers[index] or ())
        assert types[index] == "CreateTime"
        yield partition, offset, at, original.key, original.value, list(original.headers or ())


def read_by_objects(kafka: Kafka, ranges: list[OffsetRange]) -> list[Record]:
    consumer = Consumer({**DEFAULTS, "bootstrap.servers": kafka.bootstrap, **FORCED})
    consumer.assign([TopicPartition(r.source.topic, r.source.partition, r.start) for r in ranges])
    ends, found = {r.source.partition: r.end for r in ranges}, []
    while ends:
        for message in consumer.consume(100, 1.0):
            partition, offset = message.partition(), message.offset()
            if message.error() is not None:
                assert message.error().code() == KafkaError._PARTITION_EOF
                if offset >= ends.get(partition, offset + 1):
                    del ends[partition]
                continue
            if offset < ends.get(partition, 0):
                kept = message.key(), message.value(), message.headers() or []
                found.append((partition, offset, message.timestamp()[1], *kept))
            if offset + 1 >= ends.get(partition, offset + 2):
                del ends[partition]
    consumer.close()
    return sorted(found, key=lambda r: r[:2])


def test_records_are_those_that_confluent_kafka_gives(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer
) -> None:
    """Keys, values and headers that are absent, empty, twice or large; what transactions leave; and ranges' middles."""
    topic = new_topic(3, max_message_bytes=str(12 << 20))
    large = new_producer(kafka.bootstrap, **{"message.max.bytes": 12 << 20})
    transactional = new_producer(kafka.bootstrap, **{"transactional.id": topic})
    transactional.init_transactions()
    odd: list[dict[str, Any]] = [
        {"value": None, "key": b"k"}, {"value": b"", "key": b""}, {"value": b"\n\x00\xff"},
        {"value": b"v", "headers": [("a", b"1"), ("a", None), ("", b""), ("ü", b"\xff\x00")]}, {"key": b"\x00" * 70_000},
    ]  # fmt: skip
    for n in range(40):
        for partition in range(3):
            producer.produce(topic, partition=partition, timestamp=1_700_000_000_000 + n, **odd[n % len(odd)])
        producer.flush()
        transactional.begin_transaction()
        transactional.produce(topic, b"%d" % n, partition=n % 3)
        transactional.flush()
        (transactional.commit_transaction if n % 2 else transactional.abort_transaction)()
    large.produce(topic, b"x" * (10 << 20), partition=1, headers={"h": b"y" * 100_000})
    assert large.flush(60) == 0
    ranges = whole(kafka, topic)
    plain = {"bootstrap.servers": kafka.bootstrap}
    assert read(plain, ranges) == read(plain, ranges, most=7) == read_by_objects(kafka, ranges)
    middles = [OffsetRange(r.source, r.start + 5, r.end - 9) for r in ranges]
    assert read(plain, middles) == read_by_objects(kafka, middles)


def test_the_type_of_a_timestamp_is_the_topics(kafka: Kafka, new_topic: Callable[..., str], producer: Producer) -> None:
    for kind in ("CreateTime", "LogAppendTime"):
        topic = new_topic(1, message_timestamp_type=kind)
        producer.produce(topic, b"v", partition=0, timestamp=1_700_000_000_000)
        producer.produce(topic, None, partition=0)
        producer.flush()
        with RangeReader({"bootstrap.servers": kafka.bootstrap}, whole(kafka, topic)) as reader:
            types = [t for b in reader.blocks(10, 1 << 20) for t in b.metadata("timestamp_type").to_pylist()]
        assert types == [kind] * 2


def test_originals_are_there_until_the_next_block_and_values_for_good(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b"v"] * 2, 0)
    with RangeReader({"bootstrap.servers": kafka.bootstrap}, whole(kafka, topic)) as reader:
        blocks = reader.blocks(1, 1 << 20)
        first = next(blocks)
        assert first.original(0).value == b"v"
        second = next(blocks)
        assert second.original(0).value == b"v"
        with pytest.raises(RuntimeError, match="after the next block"):
            first.original(0)
    assert list(first.values) == list(second.values) == [b"v"]


def test_a_reader_that_is_left_in_the_middle_ends_at_once(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer
) -> None:
    topic = new_topic(2)
    produce(producer, topic, [b"x" * 1000] * 5_000)
    ranges = whole(kafka, topic)
    began = time.monotonic()
    for n in range(10):
        with RangeReader({"bootstrap.servers": kafka.bootstrap}, ranges) as reader:
            blocks = reader.blocks(50 + n, 1 << 20)
            block = next(blocks)
            assert len(block.values) <= 50 + n
            assert block.original(0).value == b"x" * 1000
        with pytest.raises(RuntimeError, match="after the next block"):
            block.original(0)
        blocks.close()  # type: ignore[attr-defined]
        reader.close()
    assert time.monotonic() - began < 60


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "fault", ["block_draft.BlockDraft.arrived", "block_draft.BlockDraft.keep", "read_accounting.ReadProgress.take"]
)
def test_a_reader_that_is_interrupted_anywhere_ends_at_once(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """librdkafka waits for ever for a message that nothing ends."""
    topic = new_topic(1)
    produce(producer, topic, [b"x"] * 100, 0)
    with RangeReader({"bootstrap.servers": kafka.bootstrap}, whole(kafka, topic)) as reader:
        blocks = reader.blocks(10, 1 << 20)
        assert len(next(blocks).values) == 10
        monkeypatch.setattr(f"lakelock.adapters.kafka.{fault}", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(blocks)


def test_a_topic_that_is_deleted_while_it_is_read_is_missing(
    kafka: Kafka, new_topic: Callable[..., str], producer: Producer
) -> None:
    topic = new_topic(1)
    produce(producer, topic, [b"x"] * 10, 0)
    (planned,) = whole(kafka, topic)
    admin = AdminClient({"bootstrap.servers": kafka.bootstrap})
    at_once = {"topic.metadata.refresh.interval.ms": "500", "topic.metadata.propagation.max.ms": "0"}
    settings = {"bootstrap.servers": kafka.bootstrap, **at_once}
    with RangeReader(settings, [OffsetRange(planned.source, 0, 1000)], silence_s=12) as reader:
        blocks = reader.blocks(10, 1 << 20)
        assert len(next(blocks).values) == 10
        admin.delete_topics([topic])[topic].result(30)
        with pytest.raises(TopicMissing, match=topic):
            next(blocks)


@pytest.fixture
def oauth(new_kafka: Callable[..., Kafka]) -> tuple[str, Kafka]:
    """A broker that takes tokens without a signature, beside its plain listener."""
    return with_sasl(new_kafka, "OAUTHBEARER", "oauthbearer.OAuthBearerLoginModule required")


def unsigned(subject: str) -> str:
    def part(content: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()

    now = int(time.time())
    return f"{part({'alg': 'none'})}.{part({'sub': subject, 'iat': now, 'exp': now + 300})}."


@pytest.fixture
def token_server() -> Iterator[tuple[str, list[str]]]:
    """An OpenID provider that gives a token to each login."""
    requests: list[str] = []

    class Provider(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            answer = json.dumps(
                {"access_token": unsigned("reader"), "token_type": "Bearer", "expires_in": 300}
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/token", requests
    server.shutdown()
    server.server_close()


def test_a_login_by_token_is_each_one_that_a_connection_can_name(
    oauth: tuple[str, Kafka],
    token_server: tuple[str, list[str]],
    new_topic: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """librdkafka's own for tests, OpenID Connect, and confluent-kafka's for AWS; a token that is refused is named."""
    servers, kafka = oauth
    endpoint, requests = token_server
    topic = new_topic(1, bootstrap_servers=kafka.bootstrap)
    produce(new_producer(kafka.bootstrap), topic, [b"x"] * 3, 0)
    ranges = whole(kafka, topic)
    login = {
        "bootstrap.servers": servers,
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "OAUTHBEARER",
    }
    unsecure = {"enable.sasl.oauthbearer.unsecure.jwt": "true", "sasl.oauthbearer.config": "principal=reader"}
    assert len(read({**login, **unsecure}, ranges)) == 3

    oidc = {"sasl.oauthbearer.method": "oidc", "sasl.oauthbearer.token.endpoint.url": endpoint}
    client = {"sasl.oauthbearer.client.id": "us", "sasl.oauthbearer.client.secret": "planted-secret"}
    assert len(read({**login, **oidc, **client}, ranges)) == 3
    assert requests

    tokens_given: list[str] = []

    def token(configuration: str) -> tokens.Token:
        tokens_given.append(configuration)
        return unsigned("reader"), time.time() + 300, "reader", {}

    monkeypatch.setattr(tokens, "handler", lambda settings: token)
    aws = {"sasl.oauthbearer.config": "region=eu-central-1"}
    assert len(read({**login, **aws}, ranges)) == 3
    assert tokens_given == ["region=eu-central-1"]

    monkeypatch.setattr(tokens, "handler", lambda settings: lambda text: ("no-token", time.time() + 300, "reader", {}))
    with RangeReader({**login, **aws}, ranges, silence_s=20) as reader, pytest.raises(AccessDenied, match=servers):
        list(reader.blocks(10, 1 << 20))
