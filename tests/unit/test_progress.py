"""A job that copies files says in the log how far it is, now and then."""

from __future__ import annotations

import pytest
from lakelock.ingest import progress
from lakelock.ingest.progress import EVERY_S, Copying


def test_a_job_is_reported_every_few_seconds(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    caplog.set_level("INFO")
    now_s = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now_s[0])
    job = Copying("t: commit 1 of 2", "12 files of 6 partitions (partition spec 0)", 6, reported_s=now_s[0])
    for tasks in range(1, 6):
        now_s[0] += EVERY_S / 2
        job.ended(tasks)
    assert [r.getMessage() for r in caplog.records] == [
        f"t: commit 1 of 2: 12 files of 6 partitions (partition spec 0): {n} of 6 tasks done" for n in (2, 4)
    ]
