"""Decisions beside what else happens: rollbacks, batches that others plan or read, processes that die on the way."""

from __future__ import annotations

import pytest
from kits.memory_decisions import (
    LOSS,
    decide,
    delete_before,
    expected,
    places,
    recreate,
    replace_table,
    retire,
    settled,
)
from kits.memory_world import MemoryWorld, killed_at
from kits.recoveries import meanwhile
from kits.rollbacks import roll_back
from kits.world import write_next
from lakelock.errors import DecisionRefused, Fenced, HistoryMissing, LakelockError
from lakelock.gaps.gap_preview import Which
from lakelock.model.coverage import Kind
from lakelock.model.ledger import Mode
from lakelock.model.offsets import Source
from lakelock.model.operator_log import What
from lakelock.testing import BAD, GOOD
from lakelock.testing.table_reading import PIPELINE


@pytest.mark.parametrize("again", [False, True])
def test_a_decision_that_wakes_up_late_leaves_alone_what_a_rollback_planned(memory: MemoryWorld, again: bool) -> None:
    memory.produce(20)
    memory.run()
    with memory.open() as runtime, memory.open() as other:
        meanwhile(runtime, "declare", lambda: roll_back(other, memory.table, "last:1", Mode.REPLAY))
        with pytest.raises(Fenced, match="generation 0 was recorded, but the log is at 1"):
            runtime.decisions.decide(retire(memory), "tester", "a test")
        assert other.log.planned(PIPELINE)
    if again:
        planned = decide(memory, retire(memory))
        assert f"{memory.table}: {memory.topic}-0 [10, 20) is no longer read" in planned.lines
    settled(memory)
    assert len(memory.rows()) == (20 if again else 40)
    with memory.open() as runtime:
        assert runtime.decisions.preview(retire(memory)).nothing
    memory.audit(missing=20 if again else 0)


def test_a_decision_that_wakes_up_late_leaves_another_table_alone(memory: MemoryWorld) -> None:
    memory.produce(20)
    delete_before(memory, 0, 15)
    with memory.open() as runtime, memory.open() as other:

        def replaced() -> None:
            replace_table(memory)
            other.rebinding.rebind(memory.table, True, "tester", "a test")

        meanwhile(runtime, "declare", replaced)
        with pytest.raises(Fenced, match="was recorded, but the log has"):
            runtime.decisions.decide(LOSS, "tester", "a test")
    decide(memory, LOSS)
    settled(memory)
    assert places(memory) == expected(memory, (0, 0, 15))


def test_what_is_produced_while_a_topic_is_retired_is_not_read_and_dropped(memory: MemoryWorld) -> None:
    """The tables know of the end, the log does not: no process plans what could only be dropped."""
    with memory.open() as runtime, memory.open() as other:

        def goes_on() -> None:
            memory.produce(10, [BAD])
            memory.cycle(other)

        meanwhile(runtime, "declare", goes_on)
        runtime.decisions.decide(retire(memory), "tester", "a test")
    settled(memory)
    assert len(memory.rows()) == 20
    assert memory.rows(memory.dead_letters) == []


@pytest.mark.parametrize("staged", [False, True])
def test_a_batch_planned_while_others_were_claimed_is_claimed_or_lands(memory: MemoryWorld, staged: bool) -> None:
    with memory.open() as runtime, memory.open() as other:

        def goes_on() -> None:
            memory.produce(10, [BAD])
            if staged:
                write_next(other)
            else:
                assert other.plan().batch_id is not None

        meanwhile(runtime, "hold", goes_on)
        runtime.decisions.decide(retire(memory), "tester", "a test")
    settled(memory)
    assert len(memory.rows()) == (30 if staged else 20)
    assert len(memory.rows(memory.dead_letters)) == (1 if staged else 0)


@pytest.mark.parametrize("what", [What.RETIRE, What.REBIND])
def test_killed_before_the_tables_know_the_command_goes_on(memory: MemoryWorld, what: What) -> None:
    """What was planned and not read is reported as a loss, though the log no longer reads the topic."""
    memory.produce(10)
    which = Which(what, memory.topic)
    with memory.open() as runtime:
        first = runtime.plan().batch_id
        if what is What.REBIND:
            recreate(memory)
        with killed_at(runtime.tables, "commit"):
            runtime.decisions.decide(which, "tester", "a test")
        memory.produce(10)
        assert runtime.plan().batch_id == first, "nothing but what was planned before"
    planned = decide(memory, which)
    lost = [str(r) for t in planned.tables for r, kind in t.gaps if kind is Kind.ACCEPTED_LOSS]
    assert lost == ([f"{memory.topic}-{n} [10, 15)" for n in (0, 1)] if what is What.REBIND else [])
    settled(memory)
    before = [(n, offset) for n in (0, 1) for offset in range(10)]
    assert places(memory) == sorted([*before, *(expected(memory) if what is What.REBIND else [])])
    assert len(memory.rows()) == (30 if what is What.REBIND else 20)


def test_what_another_may_be_reading_is_not_given_up(memory: MemoryWorld) -> None:
    """A batch that came after all others were claimed."""
    memory.produce(20)
    with memory.open() as runtime, memory.open() as other:
        before = runtime.tables.load(memory.table).ledger
        assert before is not None
        memory.cycle(runtime)
        runtime.log.coalesce(PIPELINE, 0)
        memory.produce(20)
        delete_before(memory, 0, 25)
        meanwhile(runtime, "declare", lambda: other.log.fill(PIPELINE, memory.table, before, other.context.redo()))
        with pytest.raises(Fenced, match="another task may be reading it"):
            runtime.decisions.decide(LOSS, "tester", "a test")
        assert [len(b.ranges) for b in other.log.planned(PIPELINE)] == [2]
    assert [t.cut for t in decide(memory, LOSS).tables if t.table == memory.table] == [1]
    settled(memory)
    assert places(memory) == expected(memory, (0, 20, 25))


def test_a_partition_that_nothing_ever_came_to_is_retired_with_its_topic(memory: MemoryWorld) -> None:
    first, second = memory.kafka.sources([memory.topic])
    memory.kafka.add(Source(memory.topic, first.topic_id, 2))
    for source in (first, second):
        memory.kafka.records[source] += [GOOD] * 2
    with memory.open() as runtime:
        memory.cycle(runtime)
        assert len(runtime.log.streams(PIPELINE, "live")) == 3
    decide(memory, retire(memory))
    with memory.open() as runtime:
        ledger = runtime.tables.load(memory.table).ledger
    assert ledger is not None
    assert [covered.retired for covered in ledger.coverage.values()] == [True] * 3
    settled(memory)
    memory.audit()


def test_what_a_restored_log_planned_twice_and_kafka_dropped_stops_nothing(memory: MemoryWorld) -> None:
    """The table has it, so nothing is lost; the batch that would read it again cannot."""
    memory.produce(20)
    with memory.open() as runtime:
        before = runtime.tables.load(memory.table).ledger
        assert before is not None
        memory.cycle(runtime)
        runtime.log.coalesce(PIPELINE, 0)
        # As a log that was restored to before the batch was planned: it is planned again.
        assert runtime.log.fill(PIPELINE, memory.table, before, runtime.context.redo())
        delete_before(memory, 0, 15)
        with pytest.raises(HistoryMissing):
            memory.cycle(runtime)
    decide(memory, LOSS)
    settled(memory)
    memory.audit()


def test_the_command_that_a_stop_names_says_that_no_table_can_be_written(memory: MemoryWorld) -> None:
    memory.produce(20)
    delete_before(memory, 0, 15)
    memory.catalog.drop(memory.table)
    with memory.open() as runtime:
        with pytest.raises(LakelockError):
            memory.cycle(runtime)
        with pytest.raises(DecisionRefused, match="no table can record it now"):
            runtime.decisions.preview(Which(What.ACCEPT_LOSS, memory.topic, 0, 10, 15))
