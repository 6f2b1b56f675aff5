"""What a pipeline with routes cannot do: it is refused by name, and changes nothing."""

from __future__ import annotations

import pytest
from kits.backfills import ALWAYS
from kits.memory_world import DEAD_LETTERS
from kits.routed_worlds import cycle, routed_world, send, write
from lakelock.errors import ConfigFaults, ReplaceRefused, RollbackRefused
from lakelock.ingest.commit_share import CommitShare
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


def test_no_offset_of_the_group_moves_after_a_route_is_removed() -> None:
    """The entry stopped earlier than the tables of rules: its offsets alone would be a step back."""
    world = routed_world()
    world.tables = [{"name": "ns.orders", "topics": ["x"]}]
    send(world, 1, 2)
    with world.open() as runtime:
        write(runtime)
        runtime.commit(["ns.orders", DEAD_LETTERS], now=True, share=CommitShare())
        runtime.publish()
    world.tables = []
    send(world, 1, 2)
    with world.open() as runtime:
        cycle(runtime)
    before = dict(world.kafka.group)
    assert sum(before.values()) == 4
    del world.settings["route"]
    world.tables = [{"name": "ns.orders"}]
    with world.open() as runtime, pytest.raises(ConfigFaults, match="has no `route`, but rules made 2 tables"):
        runtime.publish()
    assert world.kafka.group == before
