"""Backfills as commands do them."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lakelock.compose import Runtime
from lakelock.steps.backfill import BackfillPlan
from lakelock.steps.span import Span

from kits.world import World, open_with

ALWAYS = Span(datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


def fill(runtime: Runtime, span: Span = ALWAYS) -> BackfillPlan:
    """Asks, writes, commits: what the command does."""
    asked = runtime.backfills.plan(span)
    runtime.backfills.ask(asked, "tester", "a test")
    runtime.backfill(str(uuid.uuid4()), "test/backfill", asked.interval)
    runtime.commit(list(asked.shares), now=True)
    runtime.backfills.check(asked)
    return asked


@pytest.fixture
def late(near: World) -> World:
    """A second pipeline on the topic: twenty records lie before its table's start, ten after it."""
    late = replace(near, name="late")
    text = f"source: {{topics: [{late.topic}], start: latest}}\ntables: [{{name: {late.table}}}]\n"
    with open_with(late, text) as runtime:
        late.cycle(runtime)
        late.produce(10)
        late.cycle(runtime)
    assert sorted(r[2] for r in late.rows()) == list(range(20, 30))
    return late


def snapshots(world: World) -> list[int]:
    return [s.snapshot_id for s in world.catalog.load_table(world.table).snapshots()]
