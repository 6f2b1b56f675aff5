"""What a pipeline with routes cannot do: it is refused by name, and changes nothing."""

from __future__ import annotations

import pytest
from kits.backfills import ALWAYS
from kits.memory_world import DEAD_LETTERS
from kits.routed_worlds import cycle, routed_world, send
from lakelock.errors import ConfigFaults, ReplaceRefused, RollbackRefused
from lakelock.model.ledger import Mode


def test_commands_that_pipelines_with_routes_lack() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
        with pytest.raises(ReplaceRefused, match="routes records to tables, which this release does not replace"):
            runtime.replacing.lookup.preview(ALWAYS)
        with pytest.raises(RollbackRefused, match="holds the dead letters"):
            runtime.rollbacks.preview(DEAD_LETTERS, "last:1", Mode.SKIP)


def test_a_route_is_not_removed_while_rules_have_made_tables() -> None:
    world = routed_world()
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
    send(world, 1)
    del world.settings["route"]
    world.tables = [{"name": "ns.orders"}]
    with (
        world.open() as runtime,
        pytest.raises(ConfigFaults, match=r"rules made 2 tables \(ns.t1, ns.t2\), which would"),
    ):
        runtime.plan()
    with world.open() as runtime:
        assert not runtime.log.planned(runtime.pipeline.name)
