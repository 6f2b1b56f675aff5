"""Claim the batches that a decision gives up, and stop further planning of offsets that are given up for good."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from lakelock.errors import BatchBusy, State
from lakelock.ingest.heartbeat import STALE_AFTER_S, beating
from lakelock.model.offsets import OffsetRange, overlap
from lakelock.ports import Log

logger = logging.getLogger(__name__)

ATTEMPTS = 12
BUSY_PAUSE_S = 5.0


@dataclass(frozen=True, slots=True)
class Holding:
    """One attempt of a decision. *interrupt* stops jobs that a dead attempt left running on Spark."""

    log: Log
    pipeline: str
    attempt: str
    outcome: str
    pause: Callable[[float], None]
    interrupt: Callable[[str], None]

    @contextmanager
    def all_of(self, gaps: Sequence[OffsetRange]) -> Iterator[None]:
        """Hold all planned batches that overlap *gaps*; waits for batches that are being read."""
        mine: set[str] = set()
        with ExitStack() as claims:
            for _ in range(ATTEMPTS):
                orphans = set[str]()
                for batch in self.log.planned(self.pipeline):
                    if batch.batch_id not in mine and overlap([p.range for p in batch.ranges], gaps):
                        if (attempt := self._claim(batch.batch_id)) is not None:
                            orphans.add(attempt)
                        claims.callback(self.log.release, batch.batch_id, self.attempt, self.outcome)
                        claims.enter_context(beating(self.log, batch.batch_id, self.attempt))
                        mine.add(batch.batch_id)
                for attempt in sorted(orphans):
                    # The next write of the batch would do this, but will no longer see the dead attempt.
                    self.interrupt(attempt)
                if self.log.hold(self.pipeline, gaps, self.attempt):
                    break
            else:
                raise BatchBusy(
                    f"pipeline {self.pipeline!r}: {ATTEMPTS} times in a row, new batches were planned while this "
                    "decision claimed those before them.",
                    State.NOTHING_CHANGED,
                    "Run it again.",
                )
            yield

    def _claim(self, batch_id: str) -> str | None:
        """Claim a batch; returns the dead attempt that held it, or None."""
        for n in range(ATTEMPTS + 1):
            attempt = next((b.attempt for b in self.log.planned(self.pipeline) if b.batch_id == batch_id), None)
            try:
                self.log.claim(batch_id, self.attempt, f"decide/{self.pipeline}", STALE_AFTER_S)
            except BatchBusy as fault:
                if n == ATTEMPTS:
                    raise
                logger.info("%s", fault)
                self.pause(BUSY_PAUSE_S)
            else:
                return attempt
        raise AssertionError(batch_id)
