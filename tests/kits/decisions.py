"""Decisions that a person takes, and the states that call for them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

from lakelock.audit.audit import PipelineAudit
from lakelock.audit.audit_text import audit_text
from lakelock.gaps.gap_preview import GapPlan, Which
from lakelock.model.operator_log import What
from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType, LongType, NestedField, StringType, TimestamptzType
from stack.process import wait_until

from kits.topics import admin, create_topic
from kits.world import World


def standing(world: World, *tables: str) -> tuple[Any, ...]:
    """What a plan must not change: the tables' metadata, and all of the log that says where the pipeline stands."""
    with closing(world.runtime()) as runtime:
        log = runtime.log
        return (
            [world.catalog.load_table(t).metadata_location for t in (world.table, *tables)],
            log.streams(world.name, "live"),
            log.planned(world.name),
            [replace(p, age_s=0.0) for p in log.staged(world.name)],
            log.ledgers(world.name),
        )


def decide(world: World, which: Which) -> GapPlan:
    """Plan, act, and once more; neither the plan nor the second time changes anything."""
    before = standing(world)
    with closing(world.runtime()) as runtime:
        planned = runtime.decisions.preview(which)
        print("\n".join(planned.lines))
        assert standing(world) == before
        assert not planned.nothing
        assert runtime.decisions.decide(which, "tester", "a test") == planned
        after = standing(world)
        assert runtime.decisions.preview(which).nothing
        runtime.decisions.decide(which, "somebody else", "by mistake")
        assert standing(world) == after
    return planned


def settled(world: World, runs: int = 3) -> PipelineAudit:
    """The pipeline goes on by itself, and its audit is complete and reports each decision."""
    with closing(world.runtime()) as runtime:
        for _ in range(runs):
            world.cycle(runtime)
        assert not runtime.log.staged(world.name)
        assert not runtime.log.planned(world.name)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    print(audit_text(found))
    return found


def expected(world: World, *lost: tuple[int, int, int]) -> list[tuple[int, int]]:
    """(partition, offset) of all that was sent, without the *lost* [start, end) of a partition."""
    sent = [(n % 2, n // 2) for n in range(world.next_id)]
    return sorted(x for x in sent if not any(p == x[0] and a <= x[1] < b for p, a, b in lost))


LOSS = Which(What.ACCEPT_LOSS)


class Killed(Exception):
    pass


def killed(*_: object) -> None:
    raise Killed


def recreate(world: World, partitions: int = 2) -> None:
    client = admin(world)
    drop_topic(world)
    create_topic(client, world.topic, partitions)


def drop_topic(world: World) -> None:
    client = admin(world)
    client.delete_topics([world.topic])[world.topic].result(30)
    wait_until(lambda: world.topic not in client.list_topics(timeout=10).topics, 120, "the topic to be gone")


def replace_table(world: World) -> None:
    world.catalog.drop_table(world.table)
    fields = [
        ("id", LongType()),
        ("note", StringType()),
        ("_kafka_partition", IntegerType()),
        ("_kafka_offset", LongType()),
    ]
    fields += [("_kafka_timestamp", TimestamptzType())]
    schema = Schema(*(NestedField(n, name, kind) for n, (name, kind) in enumerate(fields, 1)))
    world.catalog.create_table(world.table, schema)


def set_back(world: World, table: str | None = None, snapshots: int = 1) -> int:
    """By hand; where it goes back to."""
    found = world.catalog.load_table(table or world.table)
    back = found.current_snapshot()
    for _ in range(snapshots):
        assert back is not None
        back = found.metadata.snapshot_by_id(back.parent_snapshot_id or 0)
    assert back is not None
    found.manage_snapshots().set_current_snapshot(back.snapshot_id).commit()
    return back.snapshot_id
