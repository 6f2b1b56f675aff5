"""Topics of the broker that tests make, fill and cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from stack.process import wait_until

if TYPE_CHECKING:
    from confluent_kafka import Producer
    from confluent_kafka.admin import AdminClient

    from kits.world import World


def admin(world: World) -> AdminClient:
    from confluent_kafka.admin import AdminClient

    return AdminClient({"bootstrap.servers": world.connections["kafka_default"].extra["bootstrap.servers"]})


def ends(world: World) -> list[int]:
    """The offset after the last record of each partition."""
    from confluent_kafka import TopicPartition
    from confluent_kafka.admin import OffsetSpec

    client = admin(world)
    partitions = client.list_topics(world.topic, timeout=30).topics[world.topic].partitions
    found = client.list_offsets({TopicPartition(world.topic, p): OffsetSpec.latest() for p in sorted(partitions)})
    return [future.result(30).offset for future in found.values()]


def delete_before(world: World, partition: int, offset: int) -> None:
    """What retention does, now. The client must live until its futures are done."""
    from confluent_kafka import TopicPartition

    client = admin(world)
    for done in client.delete_records([TopicPartition(world.topic, partition, offset)]).values():
        done.result(30)


def create_topic(admin: AdminClient, name: str, partitions: int = 2, config: Mapping[str, str] | None = None) -> None:
    """Creates a topic and waits until the leaders of its partitions answer: the controller does so before."""
    from confluent_kafka import KafkaException, TopicCollection, TopicPartition
    from confluent_kafka.admin import NewTopic, OffsetSpec

    admin.create_topics([NewTopic(name, partitions, 1, config=dict(config or {}))])[name].result(30)
    places = {TopicPartition(name, partition): OffsetSpec.latest() for partition in range(partitions)}

    def answers() -> bool:
        try:
            admin.describe_topics(TopicCollection([name]))[name].result(30)
            return all(found.result(30) is not None for found in admin.list_offsets(places).values())
        except KafkaException:
            return False

    wait_until(answers, 120, f"the leaders of topic {name}")


def new_producer(bootstrap_servers: str, **settings: object) -> Producer:
    from confluent_kafka import Producer

    return Producer({"bootstrap.servers": bootstrap_servers, "linger.ms": 5, "compression.type": "lz4", **settings})


def produce(producer: Producer, topic: str, values: Sequence[bytes | None], partition: int | None = None) -> None:
    """Sends *values* in order, round robin over two partitions unless one is named, and waits until all are there."""
    for n, value in enumerate(values):
        while True:
            try:
                producer.produce(topic, value, partition=n % 2 if partition is None else partition)
                break
            except BufferError:
                producer.poll(0.1)
    assert producer.flush(60) == 0
