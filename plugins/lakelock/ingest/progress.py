"""Progress of a batch's jobs, for logs and pages."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

from lakelock.model.offsets import offsets_in
from lakelock.ports import SliceOutput, WriteOrder

logger = logging.getLogger(__name__)


# Between two log lines about one job.
EVERY_S = 10.0


@dataclass
class Progress:
    """Written by the thread that runs the jobs, read by the thread that keeps the heartbeat."""

    offsets: int = 0
    read: int = 0
    fetched_bytes: int = 0
    job: int = 0
    slices: int = 0
    slices_ended: int = 0
    began_s: float = 0.0

    def begin(self, order: WriteOrder) -> None:
        """Note that a job begins."""
        if not self.job:
            self.began_s = monotonic()
            self.offsets = sum(offsets_in(ranges) for ranges in order.slices)
        self.job += 1
        self.slices, self.slices_ended = len(order.slices), 0

    def ended(self, slices: int) -> None:
        """Note how many slices of the job have ended; tasks that write what slices sent count behind them."""
        self.slices_ended = min(slices, self.slices)

    def end(self, made: Sequence[SliceOutput], unread: int) -> None:
        """Note the end of the job; *unread* offsets are left."""
        self.read = self.offsets - unread
        self.fetched_bytes += sum(o.fetched_bytes for o in made)
        self.slices_ended = self.slices

    @property
    def line(self) -> str:
        """One line of progress, empty before the first job. While a job runs only its slices are known."""
        if not self.job:
            return ""
        said = f"job {self.job}: {self.slices_ended} of {self.slices} slices"
        if not self.read:
            return f"{said}, {self.offsets:,} offsets in all"
        a_second = self.read / max(0.001, monotonic() - self.began_s)
        return (
            f"{said}; {self.read:,} of {self.offsets:,} offsets read, {a_second:,.0f} a second, "
            f"{self.fetched_bytes / 2**20:,.0f} MiB, {(self.offsets - self.read) / a_second:.0f} s left at most"
        )


@dataclass
class Copying:
    """Progress of a job that copies files; *label* and *subject* name it."""

    label: str
    subject: str
    tasks: int
    reported_s: float = field(default_factory=monotonic)

    def ended(self, tasks: int) -> None:
        """Log how many tasks of the job have ended, at most every EVERY_S seconds."""
        if (now_s := monotonic()) - self.reported_s >= EVERY_S:
            self.reported_s = now_s
            logger.info("%s: %s: %d of %d tasks done", self.label, self.subject, tasks, self.tasks)
