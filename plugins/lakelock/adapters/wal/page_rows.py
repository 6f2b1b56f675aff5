"""Rows of the page's queries as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lakelock.adapters.wal.row_reading import range_of
from lakelock.model.overview import BatchView


@dataclass(frozen=True, slots=True)
class CommittedBatch:
    """One batch in one table, written by `run`."""

    batch_id: str
    run: str | None
    planned_at: datetime
    committed_at: datetime
    rows: int
    files: int
    size_bytes: int
    dead_letters: int
    version_id: int | None


def batch_view(r: dict[str, Any]) -> BatchView:
    names = ("batch_id", "lane", "holder_run", "age_s", "silent_s", "planned", "staged", "reason", "progress")
    more = {name: r[name] for name in ("is_closed", "offsets", "last_outcome")}
    return BatchView(*(r[name] for name in names), **more | {"ranges": tuple(map(range_of, r["ranges"]))})


def committed_batch(r: dict[str, Any]) -> CommittedBatch:
    return CommittedBatch(
        batch_id=r["batch_id"],
        run=r["run"],
        planned_at=r["planned_at"],
        committed_at=r["finished_at"],
        rows=r["row_count"],
        files=r["file_count"],
        size_bytes=r["size_bytes"],
        dead_letters=r["dead_count"],
        version_id=r["version_id"],
    )
