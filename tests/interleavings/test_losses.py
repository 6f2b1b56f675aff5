"""What Kafka dropped, and what must no longer be read: only that is declared, and the command ends each stop, however often it
dies and whatever runs beside it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_decisions import LATE, LOSS, decide, decided, delete_before, expected, open_with, places, settled
from kits.memory_world import MemoryWorld, killed_at
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import DecisionRefused, HistoryMissing, TableMissing
from lakelock.gaps.gap_preview import Which
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What


def test_what_was_dropped_before_it_was_planned_is_accepted(memory: MemoryWorld) -> None:
    memory.produce(40)
    delete_before(memory, 0, 15)
    with pytest.raises(HistoryMissing) as stop:
        memory.run()
    command = f"lakelock accept-loss FILE --topic {memory.topic} --partition 0 --from 10 --to 15 --why TEXT"
    assert command in str(stop.value)
    planned = decide(memory, Which(What.ACCEPT_LOSS, memory.topic, 0, 10, 15))
    assert [str(r) for t in planned.tables for r, _ in t.gaps] == [f"{memory.topic}-0 [10, 15)"]
    found = settled(memory, 2)
    assert places(memory) == expected(memory, (0, 10, 15))
    assert sum(s.gaps.get("accepted_loss", 0) for t in found.tables for s in t.sources) == 5
    (line,) = decided(found, What.ACCEPT_LOSS)
    assert f"by tester: a test ({memory.topic}-0 [10, 15))" in line


def test_nothing_that_can_still_come_is_given_up(memory: MemoryWorld) -> None:
    memory.produce(20)
    with memory.open() as runtime:
        write_next(runtime)
        memory.produce(20)
        delete_before(memory, 0, 25)
        refused = [
            (0, 5, 15, "[5, 15) is in the tables, or staged"),
            (0, 20, 28, "[25, 28) is not lost"),
            (0, 22, 25, "[20, 22) comes first"),
            (1, 20, 21, "[20, 21) is not lost"),
        ]
        for partition, start, end, said in refused:
            with pytest.raises(DecisionRefused) as fault:
                runtime.decisions.preview(Which(What.ACCEPT_LOSS, memory.topic, partition, start, end))
            assert said in str(fault.value)
        with pytest.raises(DecisionRefused, match="has read nothing of"):
            runtime.decisions.preview(Which(What.ACCEPT_LOSS, "another"))
    decide(memory, LOSS)
    settled(memory)
    assert places(memory) == expected(memory, (0, 20, 25))


@pytest.mark.parametrize("planned", [False, True])
def test_killed_between_table_and_log_the_command_goes_on(memory: MemoryWorld, planned: bool) -> None:
    memory.produce(20)
    with memory.open() as runtime:
        if planned:
            runtime.plan()
        memory.produce(20)
        delete_before(memory, 0, 15)
        with killed_at(runtime.log, "declare"):
            runtime.decisions.decide(LOSS, "tester", "a test")
    with memory.open() as runtime:
        # Ordinary steps stop as they did before, and nothing else.
        with pytest.raises(HistoryMissing):
            memory.cycle(runtime)
        assert runtime.commit([memory.table], now=True)[-1].version_id is None
    head = memory.catalog.get(memory.table)
    decide(memory, LOSS)
    assert memory.catalog.get(memory.table) == head, "the table had the decision before"
    found = settled(memory)
    assert len(decided(found, What.ACCEPT_LOSS)) == 1
    assert places(memory) == expected(memory, (0, 10, 15))


def test_a_batch_that_is_being_read_is_waited_for(memory: MemoryWorld) -> None:
    """It may have read before Kafka dropped it: then nothing is lost."""
    memory.produce(20)
    with memory.open() as reader, memory.open() as runtime:
        planned = reader.plan()
        assert planned.batch_id is not None
        staging = reader.log.stage
        waited = []

        def dropped_and_decided(*arguments: Any) -> None:
            delete_before(memory, 0, 15)

            def goes_on(_: float) -> None:
                waited.append(1)
                staging(*arguments)
                reader.log.release(arguments[0], arguments[1], "staged")

            decisions = runtime.decisions
            object.__setattr__(decisions, "pause", goes_on)
            decisions.decide(LOSS, "tester", "a test")

        reader.log.stage = dropped_and_decided
        reader.write(str(uuid.uuid4()), "test/reads", planned.batch_id)
        assert waited
    settled(memory)
    memory.audit()


def test_a_decision_stays_through_a_rollback_to_before_it_and_through_a_lost_log(memory: MemoryWorld) -> None:
    memory.produce(40)
    delete_before(memory, 0, 15)
    decide(memory, LOSS)
    settled(memory, 1)
    with memory.open() as runtime:
        target = runtime.rollbacks.preview(memory.table, "last:1", Mode.RECOMMIT).to.id
        before = runtime.tables.history(runtime.tables.load(memory.table))
        # The decision's own snapshot is the one before the last commit.
        further = before[[s.id for s in before].index(target) + 1].id
        planned = runtime.rollbacks.preview(memory.table, str(further), Mode.RECOMMIT)
        runtime.rollbacks.roll_back(memory.table, str(further), Mode.RECOMMIT, "tester", "a test", planned.shown)
    found = settled(memory)
    assert len(decided(found, What.ACCEPT_LOSS)) == 1
    with memory.open() as runtime:
        runtime.recovery("tester", announced=True).recover()
    memory.produce(4)
    found = settled(memory)
    assert len(decided(found, What.ACCEPT_LOSS)) == 1
    assert places(memory) == expected(memory, (0, 10, 15))


def test_a_topic_that_is_the_same_is_not_rebound(memory: MemoryWorld) -> None:
    with memory.open() as runtime:
        with pytest.raises(DecisionRefused, match="still has the same id"):
            runtime.decisions.preview(Which(What.REBIND, memory.topic))
        memory.kafka.drop(memory.topic)
        with pytest.raises(DecisionRefused, match=f"lakelock retire FILE --topic {memory.topic}"):
            runtime.decisions.preview(Which(What.REBIND, memory.topic))


def test_a_partition_that_is_to_be_read_no_longer_is_left_behind(memory: MemoryWorld) -> None:
    """While the pipeline runs on: its other partition comes whole."""
    with memory.open() as runtime:
        memory.produce(10)
        write_next(runtime)
        memory.produce(10)
        runtime.plan()
    memory.produce(10)
    planned = decide(memory, Which(What.RETIRE, memory.topic, 0))
    assert f"Kafka still holds {memory.topic}-0 [20, 25), which will not be read" in planned.lines
    assert f"{memory.table}: {memory.topic}-0 from 15 on is no longer read" in planned.lines
    found = settled(memory)
    memory.produce(10)
    settled(memory, 1)
    assert places(memory) == expected(memory, (0, 15, 30))
    assert len(decided(found, What.RETIRE)) == 1
    with memory.open() as runtime:
        # The log in memory has no list of what was finished last.
        runtime.log.recent = lambda *_: []
        assert [(s.source.partition, s.lag_offsets) for s in runtime.status().sources] == [(1, 0)]
        runtime.recovery("tester", announced=True).recover()
    memory.produce(10)
    settled(memory, 1)
    assert places(memory) == expected(memory, (0, 15, 35))


def test_a_table_that_is_away_is_left_out_and_gets_the_decision_when_it_is_back(memory: MemoryWorld) -> None:
    """Its sibling goes on meanwhile."""
    away = "ns.away"
    with open_with(memory, memory.table, LATE) as runtime:
        memory.produce(10)
        write_next(runtime)
        runtime.commit([memory.table, LATE], now=True)
        memory.produce(20)
        memory.catalog.rename(LATE, away)
        delete_before(memory, 0, 20)
        planned = runtime.decisions.preview(LOSS)
        assert [(t.table, bool(t.left_out)) for t in planned.tables] == [(memory.table, False), (LATE, True)]
        runtime.decisions.decide(LOSS, "tester", "a test")
        with pytest.raises(TableMissing):
            write_next(runtime)
        runtime.commit([memory.table, memory.dead_letters], now=True)
        assert places(memory) == expected(memory, (0, 15, 20))
        memory.catalog.rename(away, LATE)
        assert any("[15, 20) is neither" in f for t in runtime.audit().tables for f in t.faults)
        assert [t.table for t in runtime.decisions.decide(LOSS, "tester", "a test").tables if t.gaps] == [LATE]
        for _ in range(2):
            memory.cycle(runtime, memory.table, LATE)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert "complete: each offset is accounted for, but some are left out, or wait for a backfill" in audit_text(found)
    assert len(decided(found, What.ACCEPT_LOSS)) == 2
    assert places(memory, LATE) == expected(memory, (0, 0, 10), (1, 0, 10), (0, 15, 20))
    assert len(memory.rows(LATE)) == 25
