"""The two stages of a job with a shuffle: tasks that read slices and send records, and tasks that write the tables of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

from lakelock.ports import Pieces, SentPiece, SliceOutput, WriteOrder
from lakelock.workers import slice_reading
from lakelock.workers.alike_targets import AlikeTargets
from lakelock.workers.shuffled_records import Received, tables_sent
from lakelock.workers.slice_events import RangesOpened
from lakelock.workers.slice_reading import events_of_shares, read_slice
from lakelock.workers.slice_shares import LastShares, TableShares
from lakelock.workers.write import write_read, written


def send_slice(order: WriteOrder, slice_no: int) -> Iterator[Pieces | SliceOutput]:
    """As `write_slice`, for an order with a shuffle: its output has nothing of the tables whose records it sends.

    Raises RecordsInDoubt: what it sent until then must not be written.
    """
    stopped: set[str] = set()
    yield from written(order, slice_no, ((e, {}) for e in read_slice(order, slice_no, stopped)), stopped)


def write_sent(order: WriteOrder, task_no: int, pieces: Iterable[SentPiece]) -> SliceOutput:
    """Write the records of *pieces*, which have all that slices of *order* sent to this task.

    The books of each table cover the ranges of all slices whole, whether they were read to the end or not.
    """
    assert order.shuffle is not None
    names = tables_sent(order.shuffle, AlikeTargets(order).routed)
    with closing(Received(pieces, order.shuffle, names)) as received:
        targets = tuple(t for t in order.targets if t.table in received.tables)
        of_task = replace(order, targets=targets, router=None, shuffle=None)
        stopped: set[str] = set()
        events = events_of_shares(of_task, _opened(of_task, received), stopped)
        output = write_read(of_task, task_no, ((event, {}) for event in events), stopped)
        return replace(output, shuffled=received.tallies)


def _opened(order: WriteOrder, received: Received) -> Iterator[RangesOpened | TableShares | LastShares]:
    for topic in received.topics:
        ranges = [r for of_slice in order.slices for r in of_slice if r.source.topic == topic]
        yield RangesOpened(ranges, [t.table for t in order.targets if topic in t.topics])
    yield from received.shares(slice_reading.BLOCK_MESSAGES, order.block_bytes)
