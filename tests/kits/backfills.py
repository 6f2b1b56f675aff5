"""Backfills as commands do them."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from lakelock.app.runtime import Runtime
from lakelock.backfill.backfill import BackfillPlan
from lakelock.backfill.span import Span

from kits.world import World

ALWAYS = Span(datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


def fill(runtime: Runtime, span: Span = ALWAYS) -> BackfillPlan:
    """Asks, writes, commits: what the command does."""
    planned = runtime.backfills.preview(span)
    runtime.backfills.request(planned, "tester", "a test")
    runtime.backfill(str(uuid.uuid4()), "test/backfill", planned.interval)
    runtime.commit(list(planned.shares), now=True)
    runtime.backfills.check(planned)
    return planned


def snapshots(world: World) -> list[int]:
    return [s.snapshot_id for s in world.catalog.load_table(world.table).snapshots()]
