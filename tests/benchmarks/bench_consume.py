"""CPU of reading a message from Kafka: the reader of ranges beside confluent-kafka's consume() on the same topics, in turn.

    export PYTHONPATH=plugins:bin
    python tests/benchmarks/bench_consume.py                     about a minute, starts a broker of its own
    python tests/benchmarks/bench_consume.py --bootstrap HOST:PORT --records 2000000

Both have the reader's settings and end with values, offsets, partitions and timestamps as the writer takes them. CPU is that
of all threads of the process, librdkafka's included, and of the main thread alone; the best round of each counts, as other
load on the machine only adds. The ratio is what to compare between machines.
"""

from __future__ import annotations

import argparse
import gc
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench_write_path import broker, small_values
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.adapters.kafka.reader_settings import DEFAULTS, FORCED
from lakelock.model.offsets import OffsetRange

PARTITIONS = 8
BLOCK_MESSAGES, BLOCK_BYTES = 20_000, 8 << 20
# A trace, as instrumented producers send it.
TRACE = ("traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
KINDS: dict[str, dict[str, Any]] = {
    "values": {},
    "keys and 3 headers": {"key": b"k" * 16, "headers": [TRACE, ("source", b"shop"), ("v", b"1")]},
}


@dataclass(frozen=True)
class Cost:
    """In µs a message."""

    cpu: float
    main_thread: float


def produce(bootstrap: str, count: int, more: dict[str, Any]) -> list[OffsetRange]:
    topic = f"bench-{uuid.uuid4().hex[:8]}"
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(30)
    settings = {"linger.ms": 50, "queue.buffering.max.messages": 500_000, "compression.type": "lz4"}
    producer = Producer({"bootstrap.servers": bootstrap, **settings})
    for n, value in enumerate(small_values(count)):
        while True:
            try:
                producer.produce(topic, value, partition=n // 500 % PARTITIONS, **more)
                break
            except BufferError:
                producer.poll(0.1)
    assert producer.flush(60) == 0
    kafka = KafkaBroker({"bootstrap.servers": bootstrap})
    marks = kafka.watermarks(kafka.sources([topic]))
    return [OffsetRange(source, 0, mark.end_offset) for source, mark in marks.items()]


def by_reader(bootstrap: str, ranges: Sequence[OffsetRange]) -> int:
    with RangeReader({"bootstrap.servers": bootstrap}, ranges) as reader:
        return sum(len(block.values) for block in reader.blocks(BLOCK_MESSAGES, BLOCK_BYTES))


def by_consume(bootstrap: str, ranges: Sequence[OffsetRange]) -> int:
    """Without the accounting of ranges, events and order."""
    consumer = Consumer({**DEFAULTS, "bootstrap.servers": bootstrap, **FORCED, "enable.partition.eof": False})
    consumer.assign([TopicPartition(r.source.topic, r.source.partition, r.start) for r in ranges])
    wanted, taken = sum(r.offsets for r in ranges), 0
    gc.disable()
    while taken < wanted:
        messages = consumer.consume(4_000, 0) or consumer.consume(1, 0.2)
        b"\n".join(map(Message.value, messages))
        for column in (Message.offset, Message.partition):
            np.fromiter(map(column, messages), np.int64, len(messages))
        np.fromiter([m.timestamp()[1] for m in messages], np.int64, len(messages))
        taken += len(messages)
    gc.enable()
    consumer.close()
    return taken


def measured(read: Callable[[str, Sequence[OffsetRange]], int], bootstrap: str, ranges: Sequence[OffsetRange]) -> Cost:
    cpu, main_thread = time.process_time(), time.thread_time()
    count = read(bootstrap, ranges)
    assert count == sum(r.offsets for r in ranges)
    return Cost((time.process_time() - cpu) / count * 1e6, (time.thread_time() - main_thread) / count * 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", help="a running broker, host:port")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with broker(options.bootstrap) as bootstrap:
        for kind, more in KINDS.items():
            ranges = produce(bootstrap, options.records, more)
            rounds = [
                (measured(by_reader, bootstrap, ranges), measured(by_consume, bootstrap, ranges))
                for _ in range(options.rounds)
            ]
            best = [Cost(min(c.cpu for c in s), min(c.main_thread for c in s)) for s in zip(*rounds, strict=True)]
            for name, cost in zip(("reader", "consume()"), best, strict=True):
                print(f"{kind}: {name:9} {cost.cpu:.2f} µs CPU a message, of it main thread {cost.main_thread:.2f}")
            ours, theirs = best
            print(
                f"{kind}: reader / consume(): CPU {ours.cpu / theirs.cpu:.2f} ×, main thread "
                f"{ours.main_thread / theirs.main_thread:.2f} ×",
                flush=True,
            )


if __name__ == "__main__":
    main()
