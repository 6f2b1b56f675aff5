"""A decision has the batches that it gives up for itself, and nobody plans more of what is given up for good."""

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
    """One attempt of a decision. *interrupt* stops what a dead attempt left running on Spark."""

    log: Log
    pipeline: str
    attempt: str
    outcome: str
    pause: Callable[[float], None]
    interrupt: Callable[[str], None]

    @contextmanager
    def all_of(self, gaps: Sequence[OffsetRange]) -> Iterator[None]:
        """Planned batches that have some of *gaps* are this one's meanwhile: what somebody reads just now is waited for."""
        mine: set[str] = set()
        with ExitStack() as claims:
            for _ in range(ATTEMPTS):
                orphans = set[str]()
                for batch in self.log.planned(self.pipeline):
                    if batch.batch_id not in mine and overlap([p.range for p in batch.ranges], gaps):
                        if (held := self._claim(batch.batch_id)) is not None:
                            orphans.add(held)
                        claims.callback(self.log.release, batch.batch_id, self.attempt, self.outcome)
                        claims.enter_context(beating(self.log, batch.batch_id, self.attempt))
                        mine.add(batch.batch_id)
                for held in sorted(orphans):
                    # As the next write of the batch would: that one finds nobody to have held it.
                    self.interrupt(held)
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
        """The attempt that had it and died; None where none had."""
        for n in range(ATTEMPTS + 1):
            held = next((b.attempt for b in self.log.planned(self.pipeline) if b.batch_id == batch_id), None)
            try:
                self.log.claim(batch_id, self.attempt, f"decide/{self.pipeline}", STALE_AFTER_S)
            except BatchBusy as fault:
                if n == ATTEMPTS:
                    raise
                logger.info("%s", fault)
                self.pause(BUSY_PAUSE_S)
            else:
                return held
        raise AssertionError(batch_id)
