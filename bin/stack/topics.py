"""Topics of the demo's broker."""

from __future__ import annotations

from confluent_kafka.admin import AdminClient, NewTopic


def create_topic(bootstrap_servers: str, topic: str, partitions: int) -> None:
    """Create the topic unless it exists."""
    with AdminClient({"bootstrap.servers": bootstrap_servers, "log_level": 3}) as admin:
        if topic not in admin.list_topics(timeout=15).topics:
            admin.create_topics([NewTopic(topic, partitions, 1)])[topic].result(30)
