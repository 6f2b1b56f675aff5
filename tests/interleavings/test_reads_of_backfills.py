"""How often a run reads the dead-letter table for the backfills of all routed tables."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from kits.memory_world import DEAD_LETTERS
from kits.routed_worlds import cycle, routed_world, send
from lakelock.backfill.span import Span
from lakelock.ports import TableState

EARLIER = Span(datetime(1970, 1, 1, tzinfo=UTC), datetime(1970, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize("step", ["waiting", "go_on"])
def test_a_step_loads_the_dead_letter_table_once_and_again_after_a_mark(step: str) -> None:
    world = routed_world(source={"topics": ["x"], "start": "latest"})
    send(world, 1, 1)
    with world.open() as runtime:
        runtime.plan()
        send(world, 1)
        cycle(runtime)
    with world.open() as runtime:
        backfills = runtime.backfills
        backfills.request(backfills.preview(EARLIER), "tester", "a test")
        tables: Any = runtime.tables
        load, loaded = tables.load, list[str]()

        def counted(name: str, **more: Any) -> TableState:
            loaded.append(name)
            state: TableState = load(name, **more)
            return state

        tables.load = counted
        getattr(backfills, step)()
    # A mark loads it, and is followed by a further look. What is planned again needs the registry.
    assert loaded.count(DEAD_LETTERS) == {"waiting": 1, "go_on": 4}[step]
