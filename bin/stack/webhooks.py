"""GitHub's webhooks as records of a topic, with the event's name in a header: a table for each event follows from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, Producer, TopicPartition
from lakelock.records.routing.templates import corrected

from stack.github_examples import Webhook
from stack.process import StackError
from stack.settings import REPOSITORY

TOPIC = "github"
PARTITIONS = 2
HEADER = "X-GitHub-Event"
PIPELINE = REPOSITORY / "dags" / "pipelines" / "webhooks.yaml"
SHIPPED = Path(__file__).with_name("webhooks.yaml")
NAMESPACE = "lake"
LETTERS = f"{NAMESPACE}.webhooks__dead_letters"
# The target of dead letters that no table is known for.
NO_TABLE = "*"
# (partition, offset)
Place = tuple[int, int]
ANSWER_S = 60.0


def deploy() -> bool:
    """Put the pipeline's file into the folder that Airflow reads, whole; False if one is there, which stays as it is."""
    if PIPELINE.exists():
        return False
    PIPELINE.parent.mkdir(exist_ok=True)
    new = PIPELINE.with_suffix(".new")
    new.write_bytes(SHIPPED.read_bytes())
    new.replace(PIPELINE)
    return True


def table_of(event: str) -> str:
    return f"{NAMESPACE}.github_{corrected(event)}"


class Webhooks:
    """The topic's records on one broker."""

    def __init__(self, bootstrap_servers: str, topic: str = TOPIC) -> None:
        self._servers = bootstrap_servers
        self._topic = topic
        settings = {"enable.idempotence": True, "linger.ms": 5, "compression.type": "lz4", "log_level": 3}
        self._producer = Producer({"bootstrap.servers": bootstrap_servers, **settings})
        self._sent = 0

    def send(self, webhook: Webhook) -> None:
        event, body = webhook
        self._producer.produce(
            self._topic, json.dumps(body).encode(), headers={HEADER: event.encode()}, partition=self._sent % PARTITIONS
        )
        self._producer.poll(0)
        self._sent += 1

    def flush(self) -> None:
        """Raises StackError if Kafka does not take all that was sent."""
        if left := self._producer.flush(ANSWER_S):
            raise StackError(f"Kafka did not take {left} of {self._sent} webhooks within {ANSWER_S:.0f} s.")

    def tables(self) -> dict[Place, str]:
        """The table of each record of the topic, as its header says."""
        settings = {"group.id": "unused", "enable.auto.commit": False, "log_level": 3, "enable.partition.eof": False}
        consumer = Consumer({"bootstrap.servers": self._servers, **settings})
        try:
            partitions = [TopicPartition(self._topic, p, OFFSET_BEGINNING) for p in range(PARTITIONS)]
            spans = [consumer.get_watermark_offsets(p, timeout=ANSWER_S, cached=False) for p in partitions]
            consumer.assign(partitions)
            wanted = sum(end - start for start, end in spans)
            return dict(_table_of(message) for message in _messages(consumer, wanted))
        finally:
            consumer.close()


def _messages(consumer: Consumer, wanted: int) -> Iterator[Message]:
    until = time.monotonic() + ANSWER_S
    while wanted > 0:
        for message in consumer.consume(wanted, timeout=1):
            if message.error() is None:
                wanted -= 1
                yield message
        if time.monotonic() > until:
            raise StackError(f"Kafka did not answer with the last {wanted} records within {ANSWER_S:.0f} s.")


def _table_of(message: Message) -> tuple[Place, str]:
    partition, offset = message.partition(), message.offset()
    assert partition is not None
    assert offset is not None
    events = [value for name, value in message.headers() or [] if name == HEADER]
    table = table_of(events[0].decode()) if len(events) == 1 and isinstance(events[0], bytes) else NO_TABLE
    return (partition, offset), table
