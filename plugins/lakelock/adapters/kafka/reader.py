"""Read exact offset ranges of one topic with one librdkafka consumer, as blocks of columns."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from confluent_kafka import Consumer, KafkaError, Message, TopicPartition

from lakelock.adapters.kafka.block import Block, joined
from lakelock.adapters.kafka.errors import of_group, settings_of, translated
from lakelock.errors import HistoryMissing, Retryable, State, Unreachable
from lakelock.model.offsets import OffsetRange

# Small calls keep messages in the CPU cache, and limit the bytes of a call if messages suddenly grow.
MESSAGES_A_CALL = 4_000
FIRST_CALL = 250
LEAST_MESSAGES = 1_000
POLL_S = 0.2
SILENCE_S = 45.0
_SECOND = operator.itemgetter(1)
_LEN: Callable[[Any], int] = len

# The guarantees depend on these: they override the user's connection.
_FORCED: dict[str, object] = {
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "isolation.level": "read_committed",
    "auto.offset.reset": "error",
    "enable.partition.eof": True,
    "check.crcs": True,
}
# Bound memory for any range: the prefetch queue beside the block being built. One fetch counts most, because it is in
# memory compressed, decompressed and as messages at once.
_DEFAULTS: dict[str, object] = {
    "group.id": "lakelock.reader",
    "queued.min.messages": 100_000,
    "queued.max.messages.kbytes": 8_192,
    "max.partition.fetch.bytes": 1 << 20,
    "fetch.max.bytes": 4 << 20,
    # By default a full queue pauses a partition for a second.
    "fetch.queue.backoff.ms": 2,
    "fetch.wait.max.ms": 10,
    "fetch.error.backoff.ms": 50,
    "socket.keepalive.enable": True,
}

# The last millisecond of the year 9999. Producers that send micro- or nanoseconds get past brokers that do not limit how
# far ahead a timestamp may be, and no table's timestamp type holds such a number.
LAST_TIMESTAMP_MS = 253_402_300_799_999


class RangeReader:
    """One consumer over ranges of one topic, at most one range per partition."""

    def __init__(self, config: Mapping[str, str], ranges: Sequence[OffsetRange], silence_s: float = SILENCE_S) -> None:
        (self._topic,) = {r.source.topic for r in ranges}
        self._ranges = {r.source.partition: r for r in ranges}
        if len(self._ranges) != len(ranges):
            raise ValueError("one range a partition")
        self._open = dict(self._ranges)
        self._positions = {partition: r.start for partition, r in self._ranges.items()}
        self.taken_bytes = 0
        self._silence_s = silence_s
        self._servers = config.get("bootstrap.servers", "")
        self._last_fault: KafkaError | None = None
        settings = {**_DEFAULTS, **config, **_FORCED, "error_cb": self._on_error}
        with settings_of(str(self._servers)):
            self._consumer = Consumer(settings)
        self._consumer.assign([TopicPartition(self._topic, r.source.partition, r.start) for r in ranges])

    def close(self) -> None:
        self._consumer.close()

    def __enter__(self) -> RangeReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unread(self) -> list[OffsetRange]:
        """The parts of the ranges that no block has covered yet."""
        return [OffsetRange(r.source, self._positions[partition], r.end) for partition, r in sorted(self._open.items())]

    def blocks(
        self, max_messages: int, max_bytes: int, enough: Callable[[int], bool] = lambda fetched_bytes: False
    ) -> Iterator[Block]:
        """Every visible record of the ranges, each once. Ends by position, never by count: control records, aborted
        data and compaction leave offsets that are never delivered.

        Stops early once *enough* (called with the bytes of all values so far) returns True, but not before it has read
        enough to be worth its start; the rest is then `unread`.
        """
        pending: list[Block] = []
        buffered = size = taken = 0
        call = FIRST_CALL
        heard = time.monotonic()
        while self._open:
            # Without a timeout a call returns what has arrived: memory is bounded by the prefetch queue.
            messages = self._consumer.consume(min(call, max_messages - buffered), 0) or self._consumer.consume(
                1, POLL_S
            )
            if messages:
                heard = time.monotonic()
                block = self._taken(messages)
                if block is not None:
                    pending.append(block)
                    buffered += len(block.values)
                    size += block.size_bytes
                    self.taken_bytes += block.size_bytes
                    average = block.size_bytes // len(block.values) + 1
                    call = max(1, min(2 * call, MESSAGES_A_CALL, max_bytes // average))
            elif time.monotonic() - heard > self._silence_s:
                raise self._silent()
            taken += len(messages)
            is_over = enough(self.taken_bytes) and (taken >= LEAST_MESSAGES or (not messages and self._has_moved()))
            if buffered >= max_messages or size >= max_bytes or (buffered and (is_over or not self._open)):
                yield joined(pending)
                pending, buffered, size = [], 0, 0
            if is_over:
                return

    def _has_moved(self) -> bool:
        return len(self._open) < len(self._ranges) or any(
            self._positions[partition] > r.start for partition, r in self._open.items()
        )

    def _taken(self, messages: list[Message]) -> Block | None:
        """The messages within open ranges; closes ranges whose end is reached."""
        count = len(messages)
        timestamps = np.fromiter(map(_SECOND, map(Message.timestamp, messages)), np.int64, count)
        # Only events and records of the oldest message format have no timestamp, so other calls need no closer look.
        if timestamps.min() < 0:
            events = [m for m in messages if m.error() is not None]
            for event in events:
                self._fail_on_fault(event)
            if events:
                messages = [m for m in messages if m.error() is None]
                block = self._taken(messages) if messages else None
                # Only now: an event follows the records that were delivered before it.
                for event in events:
                    if event.error().code() == KafkaError._PARTITION_EOF:
                        self._reached(event.partition(), event.offset())
                return block
        timestamps[timestamps > LAST_TIMESTAMP_MS] = -1
        partitions = np.fromiter(map(Message.partition, messages), np.int32, count)
        offsets = np.fromiter(map(Message.offset, messages), np.int64, count)
        # A range ends with the first record after it, so a few records beyond its end are read and dropped.
        found, last = self._in_order(partitions, offsets)
        ends = np.array([self._open[p].end if p in self._open else -1 for p in found.tolist()], np.int64)
        keep = offsets < ends[np.searchsorted(found, partitions)]
        for partition, offset in zip(found.tolist(), last.tolist(), strict=True):
            self._reached(partition, offset + 1)
        if not keep.all():
            messages = [m for m, kept in zip(messages, keep.tolist(), strict=True) if kept]
            partitions, offsets, timestamps = partitions[keep], offsets[keep], timestamps[keep]
            if not messages:
                return None
        values: list[bytes | None] = list(map(Message.value, messages))
        size = sum(len(v) for v in values if v is not None) if None in values else sum(map(_LEN, values))
        return Block(self._topic, messages, values, partitions, offsets, timestamps, size)

    def _in_order(
        self, partitions: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The partitions of a call and the last offset of each.

        Offsets may have gaps but never go back: clients have been known to deliver records again after a leader change,
        and each would become a duplicate row.
        """
        order = np.argsort(partitions, kind="stable")
        partitions, offsets = partitions[order], offsets[order]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(partitions)) + 1])
        found = partitions[starts]
        before = np.empty_like(offsets)
        before[1:] = offsets[:-1]
        before[starts] = [self._positions[p] - 1 for p in found.tolist()]
        if (offsets <= before).any():
            n = int(np.argmax(offsets <= before))
            raise Retryable(
                f"the client delivered offset {offsets[n]} of {self._topic}-{partitions[n]} after offset {before[n]}.",
                State.BATCH_PLANNED,
            )
        return found, offsets[np.append(starts[1:], len(offsets)) - 1]

    def _fail_on_fault(self, event: Message) -> None:
        fault: KafkaError = event.error()
        if fault.code() == KafkaError._PARTITION_EOF or of_group(fault):
            return
        if fault.code() in (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE):
            raise self._missing(event.partition())
        raise translated(fault, self._servers, f"topic {self._topic}")

    def _reached(self, partition: int, position: int) -> None:
        """Advance a partition; also called at its end for read_committed, which may be before the end of the range."""
        r = self._open.get(partition)
        if r is None:
            return
        self._positions[partition] = max(position, self._positions[partition])
        if position >= r.end:
            self._done(partition)

    def _done(self, partition: int) -> None:
        del self._open[partition]
        if self._open:
            self._consumer.pause([TopicPartition(self._topic, partition)])

    def _missing(self, partition: int) -> HistoryMissing:
        r, position = self._ranges[partition], self._positions[partition]
        low, high = self._consumer.get_watermark_offsets(TopicPartition(self._topic, partition), timeout=10)
        return HistoryMissing(
            f"Kafka no longer holds all of {r}: offsets [{position}, {min(low, r.end)}) are gone, and partition "
            f"{partition} of {self._topic!r} now has [{low}, {high}). Nothing of this batch was staged, and it stays "
            "planned.",
            State.NOTHING_SKIPPED,
            "Restore the topic's data, or accept the loss of all offsets that this partition dropped unread: `lakelock "
            f"accept-loss FILE --topic {self._topic} --partition {partition} --why TEXT`.",
        )

    def _silent(self) -> Exception:
        waiting = ", ".join(str(r) for r in list(self._open.values())[:3])
        if self._last_fault is not None:
            return translated(self._last_fault, self._servers, f"topic {self._topic}")
        return Unreachable(
            f"broker {self._servers} delivered nothing of {waiting} for {self._silence_s:.0f} s.",
            State.BATCH_PLANNED,
            "Check that the partitions have a leader.",
        )

    def _on_error(self, fault: KafkaError) -> None:
        if of_group(fault):
            return
        self._last_fault = fault
        if fault.code() in (KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED):
            self._silence_s = 0.0
