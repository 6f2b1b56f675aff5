"""What `lakelock status` prints for a person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from lakelock.model.batches import PartSummary
from lakelock.monitor.status import PipelineStatus
from lakelock.monitor.text import status_text


def test_times_are_reported_in_utc_and_say_so() -> None:
    at = datetime(2026, 1, 31, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    part = PartSummary("b1", "shop.orders", "committed", rows=3, files=1, snapshot_id=7, at=at)
    shown = status_text(PipelineStatus("orders", datetime.now(UTC), (), (part,), {}))
    assert shown.splitlines()[-1].endswith("snapshot 7, 2026-01-30 23:30:00 UTC")
