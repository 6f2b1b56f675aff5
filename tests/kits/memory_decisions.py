"""Decisions that a person takes in a pipeline in memory, and the states that call for them; `kits.decisions` on memory."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

from lakelock.audit.audit import PipelineAudit
from lakelock.audit.audit_text import audit_text
from lakelock.gaps.gap_preview import GapPlan, Which
from lakelock.model.offsets import Source
from lakelock.model.operator_log import What
from lakelock.testing.table_reading import PIPELINE

from kits.memory_world import MemoryRuntime, MemoryWorld

LOSS = Which(What.ACCEPT_LOSS)
LATE = "ns.late"


def retire(world: MemoryWorld) -> Which:
    return Which(What.RETIRE, world.topic)


def standing(world: MemoryWorld, *tables: str) -> tuple[Any, ...]:
    """What a plan must not change: the tables' metadata, and all of the log that says where the pipeline stands."""
    log = world.log
    return (
        [world.catalog.get(t) for t in (world.table, *tables)],
        log.streams(PIPELINE, "live"),
        log.planned(PIPELINE),
        [replace(p, age_s=0.0) for p in log.staged(PIPELINE)],
        log.ledgers(PIPELINE),
    )


def decide(world: MemoryWorld, which: Which) -> GapPlan:
    """Plan, act, and once more; neither the plan nor the second time changes anything."""
    before = standing(world)
    with world.open() as runtime:
        planned = runtime.decisions.preview(which)
        print("\n".join(planned.lines))
        assert standing(world) == before
        assert not planned.nothing
        assert runtime.decisions.decide(which, "tester", "a test") == planned
        after = standing(world)
        assert runtime.decisions.preview(which).nothing
        runtime.decisions.decide(which, "another", "by mistake")
        assert standing(world) == after
    return planned


def settled(world: MemoryWorld, runs: int = 3) -> PipelineAudit:
    """The pipeline goes on by itself, and its audit is complete and reports each decision."""
    with world.open() as runtime:
        for _ in range(runs):
            world.cycle(runtime)
        assert not runtime.log.staged(PIPELINE)
        assert not runtime.log.planned(PIPELINE)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    print(audit_text(found))
    return found


def decided(found: PipelineAudit, what: What) -> list[str]:
    return [d.line for t in found.tables for d in t.decisions if d.what is what]


def places(world: MemoryWorld, table: str | None = None) -> list[tuple[int, int]]:
    """(partition, offset) of each row."""
    return [(partition, offset) for _, partition, offset in world.rows(table)]


def expected(world: MemoryWorld, *lost: tuple[int, int, int]) -> list[tuple[int, int]]:
    """(partition, offset) of all good records of the topic, without the *lost* [start, end) of a partition."""
    sent = [(partition, offset) for _, partition, offset in world.sent(topic=world.topic)]
    return sorted(x for x in sent if not any(p == x[0] and a <= x[1] < b for p, a, b in lost))


def delete_before(world: MemoryWorld, partition: int, offset: int, topic: str | None = None) -> None:
    """As retention does."""
    (source,) = [s for s in world.kafka.sources([topic or world.topic]) if s.partition == partition]
    world.kafka.low[source] = offset


def recreate(world: MemoryWorld) -> None:
    """The topic, under another id and without records."""
    world.kafka.drop(world.topic)
    for partition in range(2):
        world.kafka.add(Source(world.topic, f"id-{world.topic}-again", partition))


def replace_table(world: MemoryWorld) -> None:
    world.catalog.drop(world.table)
    world.catalog.create(world.table)


def fed(table: str, *topics: str) -> dict[str, Any]:
    """An entry of the pipeline file."""
    return {"name": table, "topics": list(topics)}


def open_with(world: MemoryWorld, *tables: str | dict[str, Any], second: str = "") -> closing[MemoryRuntime]:
    """A process that has another pipeline file: with these tables, and with a *second* topic."""
    kept = world.tables, world.topics
    world.tables = [{"name": t} if isinstance(t, str) else t for t in tables]
    world.topics = [*world.topics, second] if second else world.topics
    opened = world.open()
    world.tables, world.topics = kept
    return opened


def go_on(world: MemoryWorld, runtime: MemoryRuntime, *tables: str, runs: int = 2) -> None:
    for _ in range(runs):
        world.cycle(runtime, world.table, *tables, world.dead_letters)


def planned_for_two(world: MemoryWorld) -> None:
    """[10, 20) of each partition is planned for the table and for LATE, which was never made."""
    with open_with(world, world.table, LATE) as runtime:
        world.produce(20)
        runtime.plan()
