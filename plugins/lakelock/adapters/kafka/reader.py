"""Read exact offset ranges of one topic with one librdkafka consumer, as blocks of columns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np
from confluent_kafka import KafkaError

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.block_draft import Arrived, BlockDraft
from lakelock.adapters.kafka.client import NativeConsumer
from lakelock.adapters.kafka.errors import of_group, settings_of, translated, translating
from lakelock.adapters.kafka.read_accounting import END, ReadProgress, is_full
from lakelock.adapters.kafka.reader_settings import DEFAULTS, FORCED
from lakelock.errors import LakelockError, State, Unreachable
from lakelock.model.offsets import OffsetRange

# Small calls keep messages in the CPU cache, and limit the bytes of a call if messages suddenly grow.
MESSAGES_A_CALL = 4_000
FIRST_CALL = 250
LEAST_MESSAGES = 1_000
POLL_S = 0.2
SILENCE_S = 45.0
WATERMARKS_S = 10.0
_HISTORY = (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE)
_LOGIN = (KafkaError._AUTHENTICATION, KafkaError.SASL_AUTHENTICATION_FAILED)


class RangeReader:
    """One consumer over ranges of one topic, at most one range per partition; *notes_originals* as for `BlockDraft`."""

    def __init__(
        self,
        config: Mapping[str, str],
        ranges: Sequence[OffsetRange],
        silence_s: float = SILENCE_S,
        *,
        notes_originals: bool = False,
    ) -> None:
        self._notes_originals = notes_originals
        self._progress = ReadProgress(ranges, self._pause)
        self.taken_bytes = 0
        self._silence_s = silence_s
        self._servers = config.get("bootstrap.servers", "")
        self._last_fault: KafkaError | None = None
        self._draft: BlockDraft | None = None
        with settings_of(str(self._servers)):
            self._client = NativeConsumer({**DEFAULTS, **config, **FORCED}, self._progress.topic, self._on_error)
        try:
            with self._faults():
                self._client.assign({r.source.partition: r.start for r in ranges})
        except BaseException:
            self._client.close()
            raise

    def close(self) -> None:
        try:
            self._release()
        finally:
            # Once more, if a signal handler raised before: a client waits for ever for a message that is not ended.
            self._release()
            self._client.close()

    def __enter__(self) -> RangeReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unread(self) -> list[OffsetRange]:
        """The parts of the ranges that no block has covered yet."""
        return self._progress.unread

    def blocks(
        self, max_messages: int, max_bytes: int, enough: Callable[[int], bool] = lambda fetched_bytes: False
    ) -> Iterator[Block]:
        """Every visible record of the ranges, each once. Ends by position, never by count: control records, aborted
        data and compaction leave offsets that are never delivered.

        Stops early once *enough* (called with the bytes of all values so far) returns True, but not before it has read
        enough to be worth its start; the rest is then `unread`. A block has its originals until the next one is
        requested.
        """
        progress, taken, passed, call = self._progress, 0, 0, FIRST_CALL
        heard = time.monotonic()
        draft = self._new_draft(max_messages, max_bytes)
        while progress.open:
            count = self._consume(draft, min(call, max_messages - draft.records))
            had, had_bytes = draft.records, draft.size_bytes
            if not had:
                passed = progress.passed
            arrived = draft.arrived(count)
            self._fail_on_faults(draft, arrived)
            if count:
                heard = time.monotonic()
                draft.keep(progress.take(arrived.codes, arrived.partitions, arrived.offsets))
                if records := draft.records - had:
                    new_bytes = draft.size_bytes - had_bytes
                    self.taken_bytes += new_bytes
                    call = max(1, min(2 * call, MESSAGES_A_CALL, max_bytes // (new_bytes // records + 1)))
            elif time.monotonic() - heard > self._silence_s:
                raise self._silent()
            taken += count
            is_over = enough(self.taken_bytes) and (taken >= LEAST_MESSAGES or (not count and progress.has_moved))
            must_end = is_full(draft.records, draft.size_bytes, progress.passed - passed, max_messages, max_bytes)
            if must_end or (draft.records and (is_over or not progress.open)):
                yield draft.block(progress.topic)
                draft = self._new_draft(max_messages, max_bytes)
            if is_over:
                return

    def _new_draft(self, max_messages: int, max_bytes: int) -> BlockDraft:
        self._release()
        self._draft = BlockDraft(max_messages, max_bytes, self._client.original, notes_originals=self._notes_originals)
        return self._draft

    def _release(self) -> None:
        if self._draft is not None:
            self._draft.release()
            self._draft = None

    def _consume(self, draft: BlockDraft, most: int) -> int:
        """Without a timeout a call returns what has arrived: memory is bounded by the prefetch queue."""
        with self._faults():
            return self._client.consume(draft.place, most, 0) or self._client.consume(draft.place, 1, POLL_S)

    def _fail_on_faults(self, draft: BlockDraft, arrived: Arrived) -> None:
        if not arrived.codes.any():
            return
        for at in np.flatnonzero((arrived.codes != 0) & (arrived.codes != END)).tolist():
            fault = self._client.error_of(draft.message(at))
            if of_group(fault):
                continue
            if fault.code() in _HISTORY:
                partition = int(arrived.partitions[at])
                with self._faults():
                    low, high = self._client.watermarks(partition, WATERMARKS_S)
                raise self._progress.missing(partition, low, high)
            raise self._translated(fault)

    def _pause(self, partition: int) -> None:
        with self._faults():
            self._client.pause(partition)

    def _faults(self) -> AbstractContextManager[None]:
        return translating(self._servers, f"topic {self._progress.topic}")

    def _translated(self, fault: KafkaError) -> LakelockError:
        return translated(fault, self._servers, f"topic {self._progress.topic}")

    def _silent(self) -> LakelockError:
        waiting = ", ".join(str(r) for r in list(self._progress.open.values())[:3])
        if self._last_fault is not None:
            return self._translated(self._last_fault)
        return Unreachable(
            f"broker {self._servers} delivered nothing of {waiting} for {self._silence_s:.0f} s.",
            State.BATCH_PLANNED,
            "Check that the partitions have a leader.",
        )

    def _on_error(self, fault: KafkaError) -> None:
        # A broker that refuses the login closes the connection, which the client then calls a broker that is down.
        if of_group(fault) or (self._last_fault is not None and self._last_fault.code() in _LOGIN):
            return
        self._last_fault = fault
        if fault.code() in _LOGIN:
            self._silence_s = 0.0
