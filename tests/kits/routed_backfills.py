"""Backfills of all routed tables in memory: a pipeline with earlier records, and the steps of a backfill of them."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

from lakelock.backfill.backfill_batches import open_batches
from lakelock.backfill.span import Span
from lakelock.ingest.marking import mark
from lakelock.model.offsets import offsets_in

from kits.memory_world import MemoryRuntime, MemoryWorld
from kits.routed_worlds import check, commit, cycle, ledger_of, routed_world, send

# Kafka in memory has each record a millisecond after the one before.
EARLIER = Span(datetime(1970, 1, 1, tzinfo=UTC), datetime(1970, 1, 2, tzinfo=UTC))


OTHER_RULES: dict[str, Any] = {"rules": [{"table": "ns.other"}]}


def earlier_records() -> MemoryWorld:
    """Six records before the start, of tables 1 and 3 and one without a number, and then two of tables 1 and 2."""
    world = routed_world(source={"topics": ["x"], "start": "latest"}, batch={"max_records": 20})
    send(world, 3, 1, 0, 3, 1, 1)
    with world.open() as runtime:
        runtime.plan()
        send(world, 1, 2)
        cycle(runtime)
    return world


def request_earlier(runtime: MemoryRuntime) -> None:
    runtime.backfills.request(runtime.backfills.preview(EARLIER), "tester", "a test")


def write_backfills(runtime: MemoryRuntime, most: int | None = None) -> None:
    for batch in open_batches(runtime.log, runtime.pipeline.name, None)[:most]:
        runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", batch.batch_id)
    runtime.refresh_tables()


def finish_backfills(world: MemoryWorld) -> None:
    """As a run without a time range does it, as often as others would."""
    for _ in range(3):
        with world.open() as runtime:
            runtime.backfills.go_on()
            write_backfills(runtime)
            commit(runtime)
            cycle(runtime)
    with world.open() as runtime:
        runtime.backfills.check_all()
        assert runtime.backfills.waiting().nothing


def rebind(runtime: MemoryRuntime, table: str) -> None:
    """Another table takes the place of this one."""
    runtime.world.catalog.drop(table)
    planned = runtime.rebinding.preview(table, False)
    runtime.rebinding.rebind(table, False, "tester", "a test", planned.shown)


def mark_later(runtime: MemoryRuntime, after_s: int = 61) -> None:
    """What is complete is recorded once a minute."""
    runtime.world.now_s += after_s
    mark(runtime.context, lambda seconds: None)


def complete(world: MemoryWorld) -> None:
    check(world, dead=1)
    assert offsets_in(ledger_of(world).mark.ranges) == 8  # type: ignore[union-attr]
