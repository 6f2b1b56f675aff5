"""Read a few records of a topic: no group, nothing committed, nothing stored."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from confluent_kafka import Consumer, KafkaError, Message, TopicPartition

from lakelock.adapters.kafka.block import LAST_TIMESTAMP_MS
from lakelock.adapters.kafka.errors import is_denied, of_group, settings_of, translated
from lakelock.adapters.kafka.reader_settings import DEFAULTS
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.headers import headers_array
from lakelock.records.metadata import TIMESTAMP_TYPES

logger = logging.getLogger(__name__)

_BATCH = 500
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class SampledRecord:
    """One committed record; its content may be personal, so the repr omits it. *headers* are None if they cannot be read."""

    source: Source
    offset: int
    timestamp_ms: int | None
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    headers: Sequence[tuple[str, bytes | None]] | None = field(default=(), repr=False)
    timestamp_type: str | None = None


_METADATA: Mapping[str, Callable[[Sequence[SampledRecord]], pa.Array]] = {
    "partition": lambda records: pa.array([r.source.partition for r in records], pa.int32()),
    "offset": lambda records: pa.array([r.offset for r in records], pa.int64()),
    "timestamp": lambda records: pa.array(
        [at * 1000 if (at := r.timestamp_ms) is not None and 0 <= at <= LAST_TIMESTAMP_MS else None for r in records],
        pa.timestamp("us", "UTC"),
    ),
    "timestamp_type": lambda records: pa.array([r.timestamp_type for r in records], pa.string()),
    "topic": lambda records: pa.array([r.source.topic for r in records], pa.string()),
    "key": lambda records: pa.array([r.key for r in records], pa.binary()),
    "headers": lambda records: headers_array(r.headers for r in records),
}


def sampled_metadata(records: Sequence[SampledRecord], key: str) -> pa.Array:
    """A column of *records* by key, as `Block.metadata` has it."""
    return _METADATA[key](records)


def read_records(
    config: Mapping[str, str], servers: str, shares: Mapping[OffsetRange, int], limit: int, timeout_s: float
) -> list[SampledRecord]:
    """The first records of each range, at most the given number of each and *limit* in total, in offset order."""
    trouble: list[KafkaError] = []
    settings = {
        "log_level": 2,
        **config,
        # librdkafka requires a name; without subscribe and commit no group is created.
        "group.id": "lakelock.sample",
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "enable.partition.eof": True,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
        # A few records of each partition: a fetch returns few more.
        "queued.max.messages.kbytes": 4096,
        "max.partition.fetch.bytes": 1 << 16,
        **{name: DEFAULTS[name] for name in ("fetch.queue.backoff.ms", "fetch.wait.max.ms")},
        "error_cb": trouble.append,
    }
    about = "topic " + ", ".join(sorted({r.source.topic for r in shares}))
    open_ranges = {(r.source.topic, r.source.partition): r for r in shares}
    taken: dict[OffsetRange, int] = dict.fromkeys(shares, 0)
    out: list[SampledRecord] = []
    with settings_of(servers):
        consumer = Consumer(settings, logger=logger)
    try:
        consumer.assign([TopicPartition(r.source.topic, r.source.partition, r.start) for r in shares])
        deadline = time.monotonic() + timeout_s
        heard = False
        while open_ranges and len(out) < limit and time.monotonic() < deadline:
            closed: list[tuple[str, int]] = []
            for message in consumer.consume(_BATCH, timeout=_POLL_S):
                place = message.topic(), message.partition()
                fault = message.error()
                if fault is not None and of_group(fault):
                    continue
                if fault is not None and fault.code() != KafkaError._PARTITION_EOF:
                    raise translated(fault, servers, about)
                heard = True
                open_range = open_ranges.get(place)
                if open_range is None:
                    continue
                if fault is None and message.offset() < open_range.end and len(out) < limit:
                    kind, timestamp_ms = message.timestamp()
                    stamp = timestamp_ms if kind else None
                    content = message.key(), message.value(), _headers(message)
                    named = TIMESTAMP_TYPES[kind - 1] if kind and timestamp_ms >= 0 else None
                    out.append(SampledRecord(open_range.source, message.offset(), stamp, *content, named))
                    taken[open_range] += 1
                if (
                    fault is not None
                    or message.offset() >= open_range.end - 1
                    or taken[open_range] >= shares[open_range]
                ):
                    del open_ranges[place]
                    closed.append(place)
            if closed and open_ranges:
                consumer.incremental_unassign([TopicPartition(*place) for place in closed])
            denied = next((e for e in trouble if is_denied(e) and not of_group(e)), None)
            if denied is not None:
                raise translated(denied, servers, about)
        if open_ranges and not heard:
            raise translated(trouble[-1] if trouble else KafkaError(KafkaError._TIMED_OUT), servers, about)
    finally:
        consumer.close()
    return sorted(out, key=lambda r: (r.source, r.offset))


def _headers(message: Message) -> Sequence[tuple[str, bytes | None]] | None:
    try:
        return message.headers() or ()
    except (SystemError, UnicodeDecodeError):
        # A name is not UTF-8, and confluent-kafka has names as text alone.
        return None
