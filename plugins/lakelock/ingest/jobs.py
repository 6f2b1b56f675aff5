"""Read a batch's ranges in several short Spark jobs, so that each job frees its slots for others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lakelock.errors import BooksUnbalanced, State
from lakelock.ingest.progress import Progress
from lakelock.ingest.shuffling import shuffle_of
from lakelock.ingest.slicing import earlier_ends, holes, slices
from lakelock.model.offsets import Source, offsets_in, united, without
from lakelock.ports import SliceOutput, WriteOrder, Writer

logger = logging.getLogger(__name__)


def run_jobs(
    writer: Writer,
    order: WriteOrder,
    parallelism: int,
    end_earlier: Callable[[Mapping[Source, int]], bool] | None = None,
    progress: Progress | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> list[SliceOutput]:
    """Run the slices of *order*; offsets that a job leaves unread are read by the next one.

    If the batch may end earlier, *end_earlier* decides whether it does, and offsets behind the new ends are not read.
    Holes are read first. Topics that only tables with a fault take are not read on. *go_on* is called between two
    jobs, and raises if another attempt has the batch.
    """
    progress = progress or Progress()
    wanted = unread = united(r for ranges in order.slices for r in ranges)
    outputs: list[SliceOutput] = []
    while True:
        order = replace(order, shuffle=shuffle_of(order))
        if order.shuffle is not None:
            logger.info("batch %s: %d tables by a shuffle", order.batch_id, len(order.shuffle.tables))
        progress.begin(order)
        made = writer.run(order, progress.ended)
        outputs += made
        requested = [r for ranges in order.slices for r in ranges]
        left = [r for output in made for r in output.unread]
        order = _without_faulty(order, made)
        unread = [r for r in (*without(unread, requested), *left) if order.reads(r.source.topic)]
        progress.end(made, offsets_in(unread))
        if not unread:
            return outputs
        if offsets_in(left) >= offsets_in(requested):
            raise BooksUnbalanced(
                f"batch {order.batch_id}: a job read nothing of {offsets_in(requested)} offsets.",
                State.BATCH_PLANNED,
                "This is a defect: please report it with this line.",
            )
        following = unread
        if end_earlier is not None:
            if (ends := earlier_ends(wanted, unread)) and end_earlier(ends):
                return outputs
            following = holes(wanted, unread) or unread
        go_on()
        logger.info("batch %s: %s", order.batch_id, progress.line)
        order = replace(order, slices=slices(following, parallelism))


def _without_faulty(order: WriteOrder, made: Sequence[SliceOutput]) -> WriteOrder:
    """*order* without tables that have a fault in some slice: nothing of them can be staged."""
    faulty = {t.table for o in made for t in o.tables if t.fault is not None}
    return replace(order, targets=tuple(t for t in order.targets if t.table not in faulty)) if faulty else order
