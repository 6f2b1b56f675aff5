"""Read a slice's ranges from Kafka, topic by topic, in parts of blocks whose values are decompressed."""

from __future__ import annotations

import os
import re
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lakelock.adapters.kafka.block import Block
from lakelock.adapters.kafka.broker import KafkaBroker
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.ingest.plan_decision import check_identity
from lakelock.model.batches import StreamState
from lakelock.model.offsets import OffsetRange
from lakelock.ports import WriteOrder
from lakelock.records.decompression import parts
from lakelock.records.reasons import Reason
from lakelock.workers.slice_budget import SliceBudget

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TopicBegun:
    """The ranges of one topic, whose parts follow."""

    ranges: Sequence[OffsetRange]


@dataclass(frozen=True, slots=True)
class PartRead:
    """A block, whose originals are there until the next part, and the decompression faults of values that are None."""

    block: Block
    unfit: Mapping[int, Reason]


@dataclass(frozen=True, slots=True)
class TopicEnded:
    """*is_last*: it is the last one of the slice."""

    is_last: bool


@dataclass(frozen=True, slots=True)
class PartsEnded:
    """The last one. *unread* begins where the time or bytes of the slice were used up; *memory_bytes* is the most that process
    *pid* had."""

    unread: Sequence[OffsetRange]
    taken_bytes: int
    seconds: Mapping[str, float]
    memory_bytes: int = field(default_factory=lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    pid: int = field(default_factory=os.getpid)


Part = TopicBegun | PartRead | TopicEnded | PartsEnded


def read_parts(
    order: WriteOrder, slice_no: int, block_messages: int, takes: Callable[[str], bool], *, notes_originals: bool
) -> Iterator[Part]:
    """Parts of the topics that the slice *takes*, which is asked again before each block.

    Raises HistoryMissing, TopicRecreated, TopicMissing, AccessDenied, Unreachable.
    """
    seconds: dict[str, float] = defaultdict(float)
    ranges = order.slices[slice_no]
    broker = KafkaBroker(order.kafka)
    _same_topics(broker, ranges, order.pipeline)
    unread: list[OffsetRange] = []
    budget, was_read = SliceBudget(order), False
    topics = sorted({r.source.topic for r in ranges})
    for topic in topics:
        of_topic = [r for r in ranges if r.source.topic == topic]
        if not takes(topic):
            continue
        # Always read something, or no job would make progress.
        if was_read and budget.is_used_up():
            unread += of_topic
            continue
        yield TopicBegun(of_topic)
        with RangeReader(order.kafka, of_topic, notes_originals=notes_originals) as reader:
            blocks = reader.blocks(block_messages, order.block_bytes, budget.is_used_up)
            while takes(topic) and (block := timed(seconds, "consume", blocks)) is not None:
                found = parts(block.values, order.compression, order.block_bytes)
                while (part := timed(seconds, "decompress", found)) is not None:
                    yield PartRead(block.part(part.start, part.values), part.unfit)
            was_read = True
            budget.add(reader.taken_bytes)
            # If no table could be written, the rest need not be read.
            unread += reader.unread if takes(topic) else []
        yield TopicEnded(topic == topics[-1])
    _same_topics(broker, ranges, order.pipeline)
    yield PartsEnded(unread, budget.taken_bytes, dict(seconds))


def peak_memory_bytes(memory_bytes: int, pid: int) -> int:
    """Of this process, and of process *pid*, which had *memory_bytes*, if it is another: both map the same libraries."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    if pid == os.getpid():
        return own
    with open("/proc/self/status", encoding="ascii") as status:
        mapped = re.search(r"RssFile:\s+(\d+) kB", status.read())
    return own + memory_bytes - (int(mapped[1]) * 1024 if mapped else 0)


def timed(seconds: dict[str, float], what: str, found: Iterator[T]) -> T | None:
    """The next of *found*, None at its end."""
    began = time.perf_counter()
    one = next(found, None)
    seconds[what] += time.perf_counter() - began
    return one


def _same_topics(broker: KafkaBroker, ranges: Sequence[OffsetRange], pipeline: str) -> None:
    """Raise TopicRecreated for a new topic of the same name: its offsets would be other records."""
    topics = sorted({r.source.topic for r in ranges})
    check_identity([StreamState(r.source, r.start, r.start) for r in ranges], broker.sources(topics), pipeline)
