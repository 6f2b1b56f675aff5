"""Load: records in transactions at a given rate, some bad, some aborted, whatever the broker does meanwhile."""

from __future__ import annotations

import random
import threading
import time
import uuid

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from campaigns.place import EVENTS, ORDERS, PARTITIONS, value_of

TICK_S = 0.1
ABORTED, BAD, BAD_FOR_ONE, TOMBSTONES = 0.05, 0.02, 0.02, 0.02


class Load:
    """A topic and a thread that fills it. A consumer reads what is in it in the end: a producer cannot always know."""

    def __init__(self, bootstrap: str, rate: int, seed: int) -> None:
        self.topic = f"soak-{uuid.uuid4().hex[:12]}"
        self.sent = 0
        self._bootstrap, self._rate, self._random = bootstrap, rate, random.Random(seed)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="load")
        admin = AdminClient({"bootstrap.servers": bootstrap})
        admin.create_topics([NewTopic(self.topic, PARTITIONS, 1)])[self.topic].result(30)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Leaves no transaction open."""
        self._over.set()
        self._thread.join(120)
        assert not self._thread.is_alive(), "the load did not end"

    def _run(self) -> None:
        producer, began = self._producer(), time.monotonic()
        while not self._over.wait(TICK_S):
            due = int((time.monotonic() - began) * self._rate) - self.sent
            try:
                self._transaction(producer, min(due, self._rate))
            except KafkaException:
                # Taking the same transactional id again ends what the old producer left open.
                producer = self._producer()

    def _producer(self) -> Producer:
        settings = {
            "bootstrap.servers": self._bootstrap,
            "transactional.id": self.topic,
            "linger.ms": 5,
            "log_level": 2,
        }
        while True:
            producer = Producer(settings)
            try:
                producer.init_transactions(10)
                return producer
            except KafkaException:
                if self._over.wait(TICK_S):
                    return producer

    def _transaction(self, producer: Producer, count: int) -> None:
        producer.begin_transaction()
        for _ in range(count):
            chance = self._random.random()
            dead_in = frozenset[str]()
            if chance < BAD:
                dead_in = frozenset({ORDERS, EVENTS})
            elif chance < BAD + BAD_FOR_ONE:
                dead_in = frozenset({ORDERS})
            key = ",".join(sorted(dead_in))
            value = None if chance > 1 - TOMBSTONES else value_of(self.sent, dead_in)
            producer.produce(self.topic, value, key, partition=self.sent % PARTITIONS)
            self.sent += 1
        if self._random.random() < ABORTED:
            # Or the records were thrown away before they were sent.
            producer.flush(10)
            producer.abort_transaction(10)
        else:
            producer.commit_transaction(10)
