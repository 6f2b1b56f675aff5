"""Decisions where one of the pipeline's tables is not there yet, cannot be read, gets other topics, or owes dead letters."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_decisions import (
    LATE,
    LOSS,
    delete_before,
    expected,
    fed,
    go_on,
    open_with,
    places,
    planned_for_two,
)
from kits.memory_world import Killed, MemoryWorld
from kits.recoveries import meanwhile
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import Fenced, LakelockError
from lakelock.gaps.gap_preview import Which
from lakelock.model.operator_log import What
from lakelock.testing.table_reading import PIPELINE


def test_what_only_a_table_that_was_never_made_would_get_is_accounted_for(memory: MemoryWorld) -> None:
    memory.add_topic("y")
    memory.produce(20, topic="y")
    with open_with(memory, fed(memory.table, memory.topic), fed(LATE, "y"), second="y") as runtime:
        runtime.plan()
        for partition in (0, 1):
            delete_before(memory, partition, 10, "y")
        runtime.decisions.decide(LOSS, "tester", "a test")
        found = runtime.audit()
    assert found.complete, audit_text(found)
    (not_made,) = [t for t in found.tables if t.table == LATE]
    assert [d.what for d in not_made.decisions] == [What.ACCEPT_LOSS]


def test_a_table_that_is_made_just_then_gets_the_decision_by_the_same_command(memory: MemoryWorld) -> None:
    with open_with(memory, memory.table, LATE) as runtime, memory.open() as other:
        memory.produce(20)
        runtime.plan()
        delete_before(memory, 0, 15)
        memory.produce(20)

        def made() -> None:
            memory.catalog.create(LATE)
            assert other.log.bind(PIPELINE, LATE, memory.catalog.get(LATE).uuid)

        meanwhile(runtime, "declare", made)
        with pytest.raises(Fenced, match="the pipeline wrote to it"):
            runtime.decisions.decide(LOSS, "tester", "a test")


def test_killed_before_a_new_table_has_the_decision_the_next_write_gives_it(memory: MemoryWorld) -> None:
    planned_for_two(memory)
    delete_before(memory, 0, 15)
    with open_with(memory, memory.table, LATE) as runtime:
        runtime.decisions.decide(LOSS, "tester", "a test")
        commit = runtime.tables.commit

        def dies(state: Any, change: Any) -> int:
            if state.name == LATE and change.ledger.decisions:
                raise Killed
            return int(commit(state, change))

        runtime.tables.commit = dies
        batch_id = runtime.plan().batch_id or runtime.log.planned(PIPELINE)[0].batch_id
        with pytest.raises(Killed):
            runtime.write(str(uuid.uuid4()), "test/dies", batch_id)
        assert LATE in runtime.log.bound(PIPELINE)
        runtime.tables.commit = commit
        for batch in runtime.log.planned(PIPELINE):
            runtime.log.release(batch.batch_id, batch.attempt or "", "died")
        memory.produce(20)
        go_on(memory, runtime, LATE, runs=5)
        found = runtime.audit()
        assert not runtime.log.planned(PIPELINE)
    assert found.complete, audit_text(found)
    assert places(memory, LATE) == expected(memory, (0, 0, 15), (1, 0, 10))
    assert len(memory.rows(LATE)) == 35


def test_a_table_loses_nothing_of_a_topic_that_it_no_longer_gets(memory: MemoryWorld) -> None:
    memory.add_topic("y")
    with open_with(memory, memory.table, second="y") as runtime:
        memory.produce(20, topic="y")
        memory.cycle(runtime)
    with open_with(memory, fed(memory.table, memory.topic), fed(LATE, "y"), second="y") as runtime:
        memory.produce(20, topic="y")
        memory.cycle(runtime, memory.table, LATE)
        delete_before(memory, 0, 15, "y")
        assert runtime.decisions.preview(LOSS).nothing
        runtime.decisions.decide(Which(What.RETIRE, "y"), "tester", "a test")
        assert [d for t in runtime.audit().tables for d in t.decisions if t.table == memory.table] == []


def test_a_table_that_was_left_out_is_shown_as_long_as_it_is(memory: MemoryWorld) -> None:
    with open_with(memory, memory.table, LATE) as runtime:
        memory.produce(20)
        memory.cycle(runtime, memory.table, LATE)
        memory.produce(20)
        delete_before(memory, 0, 25)
        memory.catalog.drop(LATE)
        runtime.decisions.decide(LOSS, "tester", "a test")
        planned = runtime.decisions.preview(LOSS)
        assert planned.idle
        assert not planned.nothing
        assert any(line.startswith(f"{LATE}: left out: ") for line in planned.lines)
        head = memory.head()
        assert runtime.decisions.decide(LOSS, "tester", "a test") == planned
        assert memory.head() == head


def test_a_decision_that_one_table_refused_is_finished_by_the_same_command(memory: MemoryWorld) -> None:
    memory.produce(20)
    with open_with(memory, memory.table, LATE) as runtime:
        write_next(runtime)
        runtime.commit([memory.table, LATE], now=True)
        memory.produce(20)
        delete_before(memory, 0, 25)
        commit = runtime.tables.commit

        def refused(state: Any, change: Any) -> int:
            if state.name == LATE:
                raise LakelockError("not this one")
            return int(commit(state, change))

        runtime.tables.commit = refused
        with pytest.raises(LakelockError, match="not this one"):
            runtime.decisions.decide(LOSS, "tester", "a test")
    with open_with(memory, memory.table, LATE) as runtime:
        assert runtime.recovery("tester").preview() == []
        assert [t.table for t in runtime.decisions.decide(LOSS, "tester", "a test").tables if t.gaps] == [LATE]
        write_next(runtime)
        runtime.commit([memory.table, LATE], now=True)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert places(memory) == expected(memory, (0, 20, 25))
