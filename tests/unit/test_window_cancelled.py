"""A window whose Spark job was cancelled: the slots are free for others, and nothing of it begins again by itself."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from lakelock.errors import JobCancelled, Retryable
from lakelock.ingest.outcome import PlanOutcome, WriteOutcome
from lakelock.ingest.window import write_window
from lakelock.ports import Clock, Log

BEGAN = datetime(2026, 1, 31, tzinfo=UTC)


class Quiet:
    """A log and a clock: no process waits, and a pause passes time."""

    def __init__(self) -> None:
        self.passed_s = 0.0

    def notify(self, pipeline: str) -> None: ...

    def now(self) -> datetime:
        return BEGAN + timedelta(seconds=self.passed_s)

    def monotonic(self) -> float:
        return self.passed_s

    def pause(self, seconds: float) -> None:
        self.passed_s += seconds


def writes(fault: Exception) -> int:
    """How many writes a window of a minute begins, of which each ends with *fault*."""
    quiet, begun = Quiet(), 0

    def plan(passed_over: Collection[str]) -> PlanOutcome:
        return PlanOutcome(f"batch {begun}", False, False, "")

    def write(batch_id: str) -> WriteOutcome:
        nonlocal begun
        begun += 1
        raise fault

    with pytest.raises(type(fault)):
        write_window(
            cast("Log", quiet), cast("Clock", quiet), "p", plan=plan, write=write, reconnect=lambda: None, first_batch_id="b",
            until=BEGAN + timedelta(minutes=1), batch_every_s=5.0, pause=quiet.pause, report=lambda outcome: None,
        )  # fmt: skip
    return begun


def test_a_window_ends_with_the_job_that_was_cancelled() -> None:
    assert writes(JobCancelled("stopped")) == 1


def test_what_a_later_try_may_do_is_tried_until_the_window_ends() -> None:
    assert writes(Retryable("later")) > 5
