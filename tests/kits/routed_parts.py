"""Staged parts of a routed table, without a log."""

from __future__ import annotations

from datetime import UTC, datetime

from lakelock.model.batches import LIVE, DataFile, PartResult, StagedPart, TableIdentity
from lakelock.model.offsets import OffsetRange

from kits.coverage import booked


def routed_part(n: int, *ranges: OffsetRange, generation: int = 0, target: str = "") -> StagedPart:
    identity = TableIdentity("uuid-1", generation, "layout 3")
    result = PartResult("db.t", identity, (DataFile(f"f{n}", 1, 1, b"{}"),), tuple(booked(*ranges)), target)
    return StagedPart(f"batch-{n}", n, LIVE, f"attempt-{n}", "cfg", datetime.now(UTC), 0.0, result)
