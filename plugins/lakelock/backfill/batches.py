"""Batches that only runs of a backfill write: which are open, and all of them written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from lakelock.errors import BatchBusy, Fenced, JobCancelled, Terminal
from lakelock.ingest.outcome import WriteOutcome
from lakelock.model.batches import Batch, is_backfill
from lakelock.model.offsets import OffsetRange, overlap
from lakelock.ports import Log

logger = logging.getLogger(__name__)


class Stops:
    """Faults that a person must act on, of steps that do not need each other: the others are done before the first is raised.

    Fenced and JobCancelled end all of them at once.
    """

    def __init__(self) -> None:
        self._first: Terminal | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        try:
            yield
        except (Fenced, JobCancelled):
            raise
        except Terminal as stop:
            logger.error("%s", stop)
            self._first = self._first or stop

    def raise_first(self) -> None:
        if self._first is not None:
            raise self._first


def open_batches(log: Log, pipeline: str, interval: Sequence[OffsetRange] | None) -> list[Batch]:
    """Backfill batches that are planned and have something of *interval* (None: all), oldest first."""
    return [
        b
        for b in log.planned(pipeline)
        if is_backfill(b.lane) and (interval is None or overlap([p.range for p in b.ranges], interval))
    ]


def write_all(
    log: Log,
    pipeline: str,
    interval: Sequence[OffsetRange] | None,
    write: Callable[[str], WriteOutcome],
    told: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Writes each batch of *interval* that nobody else writes; one that is planned anew meanwhile is written, too.

    Where a person must act on a batch first, the others are written before its error is raised.
    """
    outcomes: list[WriteOutcome] = []
    tried: set[str] = set()
    stops = Stops()
    while found := [b.batch_id for b in open_batches(log, pipeline, interval) if b.batch_id not in tried]:
        for batch_id in found:
            tried.add(batch_id)
            try:
                with stops.kept():
                    outcomes.append(write(batch_id))
                    told(outcomes[-1])
            except BatchBusy as busy:
                logger.info("%s", busy)
    stops.raise_first()
    return outcomes
