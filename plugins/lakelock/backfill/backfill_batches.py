"""Find and write the batches that only backfill runs write."""

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
    """Collects errors of independent steps that an operator must fix, so that all steps run before the first is raised.

    Fenced and JobCancelled end the run at once.
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
    """Planned backfill batches that overlap *interval* (None: all), oldest first."""
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
    report: Callable[[WriteOutcome], None],
) -> list[WriteOutcome]:
    """Write each batch of *interval* that no other run writes, including those that are planned again in between.

    If an operator must act on a batch, the others are written before its error is raised.
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
                    report(outcomes[-1])
            except BatchBusy as busy:
                logger.info("%s", busy)
    stops.raise_first()
    return outcomes
