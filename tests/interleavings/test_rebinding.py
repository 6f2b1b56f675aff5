"""Another table takes the place of one of the pipeline's: it gets the records once, whatever dies or goes on beside that."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from kits.memory_decisions import (
    LATE,
    LOSS,
    decided,
    delete_before,
    expected,
    fed,
    open_with,
    places,
    replace_table,
    settled,
    standing,
)
from kits.memory_world import MemoryWorld, killed_at
from kits.world import write_next
from lakelock.errors import BatchChanged, DecisionRefused, HistoryMissing, TableMissing, TableReplaced
from lakelock.gaps.rebind_preview import RebindPlan
from lakelock.model.operator_log import What
from lakelock.testing import BAD
from lakelock.testing.table_reading import PIPELINE


def rebound(memory: MemoryWorld, *, accept_loss: bool = False) -> RebindPlan:
    """As `decide`."""
    with memory.open() as runtime:
        log = runtime.log
        before = (log.bound(PIPELINE), log.planned(PIPELINE), log.ledgers(PIPELINE))
        planned = runtime.rebinding.preview(memory.table, accept_loss)
        print("\n".join(planned.lines))
        assert (log.bound(PIPELINE), log.planned(PIPELINE), log.ledgers(PIPELINE)) == before
        runtime.rebinding.rebind(memory.table, accept_loss, "tester", "a test")
        after = standing(memory)
        assert runtime.rebinding.preview(memory.table, accept_loss).nothing
        runtime.rebinding.rebind(memory.table, accept_loss, "another", "by mistake")
        assert standing(memory) == after
    return planned


@pytest.mark.parametrize("dropped", [False, True])
def test_a_table_that_was_replaced_is_filled_again(memory: MemoryWorld, dropped: bool) -> None:
    """With a batch staged for the old one, one planned, and dead letters that are committed already."""
    memory.produce(10, [BAD])
    memory.run()
    with memory.open() as runtime:
        memory.produce(10, [BAD])
        write_next(runtime)
        memory.produce(10)
        runtime.plan()
        if dropped:
            memory.catalog.drop(memory.table)
        else:
            replace_table(memory)
        with pytest.raises(TableMissing if dropped else TableReplaced) as stop:
            memory.cycle(runtime)
        assert f"`bin/lakelock rebind FILE --table {memory.table} --why TEXT`" in str(stop.value)
    memory.produce(5)
    planned = rebound(memory)
    assert planned.given_up == 4
    found = settled(memory, 5)
    assert len(decided(found, What.REBIND)) == 1
    memory.produce(5)
    memory.run()
    memory.audit(dead=2)


def test_a_replaced_table_cannot_get_what_kafka_dropped_unless_that_is_accepted(memory: MemoryWorld) -> None:
    memory.produce(20)
    memory.run()
    delete_before(memory, 0, 7)
    replace_table(memory)
    with memory.open() as runtime:
        shown = runtime.rebinding.preview(memory.table, False)
        lost = f"{memory.topic}-0 [0, 7), which must be accepted as lost (--accept-loss)"
        assert f"Kafka no longer holds {lost}" in shown.lines
        with pytest.raises(DecisionRefused, match=r"-0 \[0, 7\), so the new table cannot have it"):
            runtime.rebinding.rebind(memory.table, False, "tester", "a test")
    rebound(memory, accept_loss=True)
    found = settled(memory)
    assert places(memory) == expected(memory, (0, 0, 7))
    assert f"{memory.topic}-0 [0, 7)" in decided(found, What.REBIND)[0]
    memory.produce(5)
    settled(memory, 1)


def test_killed_between_the_new_table_and_the_log_the_rebind_goes_on(memory: MemoryWorld) -> None:
    with memory.open() as runtime:
        memory.produce(10)
        write_next(runtime)
        replace_table(memory)
        with killed_at(runtime.log, "rebind"):
            runtime.rebinding.rebind(memory.table, False, "tester", "a test")
    memory.produce(10)
    with memory.open() as runtime, pytest.raises(TableReplaced):
        memory.cycle(runtime)
    head = memory.catalog.get(memory.table)
    with memory.open() as runtime:
        runtime.rebinding.rebind(memory.table, False, "tester", "a test")
    assert memory.catalog.get(memory.table) == head
    settled(memory)
    memory.audit()


def test_a_copy_of_the_table_is_not_filled_twice(memory: MemoryWorld) -> None:
    rows = tuple(memory.catalog.live(memory.catalog.get(memory.table)))
    replace_table(memory)
    memory.catalog.append(memory.table, "copy", rows)
    with memory.open() as runtime:
        with pytest.raises(DecisionRefused, match="already holds 20 rows with an offset"):
            runtime.rebinding.preview(memory.table, False)
        with pytest.raises(DecisionRefused, match="has never written to it"):
            runtime.rebinding.preview("ns.strange", False)


def test_a_copy_whose_rows_are_hidden_by_delete_files_is_not_filled(memory: MemoryWorld) -> None:
    replace_table(memory)
    with memory.open() as runtime:
        # As the port answers where delete files hide rows.
        runtime.tables.count_rows = lambda *_: None
        with pytest.raises(DecisionRefused, match="delete files hide some of its rows"):
            runtime.rebinding.preview(memory.table, False)


def test_what_is_being_written_for_the_old_table_never_lands(memory: MemoryWorld) -> None:
    memory.produce(10)
    with memory.open() as zombie, memory.open() as runtime:
        planned = zombie.plan()
        assert planned.batch_id is not None
        staging = zombie.log.stage

        def replaced(*arguments: Any) -> None:
            replace_table(memory)
            runtime.rebinding.rebind(memory.table, False, "tester", "a test")
            staging(*arguments)

        zombie.log.stage = replaced
        with pytest.raises(BatchChanged):
            zombie.write(str(uuid.uuid4()), "test/zombie", planned.batch_id)
    settled(memory)
    memory.audit()


def test_what_the_old_table_had_of_a_topic_that_it_no_longer_gets_is_named_and_accepted(memory: MemoryWorld) -> None:
    memory.add_topic("y")
    with open_with(memory, memory.table, second="y") as runtime:
        memory.produce(20, topic="y")
        memory.cycle(runtime)
    with open_with(memory, fed(memory.table, memory.topic), fed(LATE, "y"), second="y") as runtime:
        memory.produce(20, topic="y")
        memory.cycle(runtime, memory.table, LATE)
        memory.catalog.drop(memory.table)
        with pytest.raises(DecisionRefused, match="the old one had it"):
            runtime.rebinding.rebind(memory.table, False, "tester", "a test")
        assert any("y-0 [0, 10)" in line for line in runtime.rebinding.preview(memory.table, False).lines)
        runtime.rebinding.rebind(memory.table, True, "tester", "a test")
        memory.cycle(runtime)
        found = runtime.audit()
        assert found.complete, found
    assert places(memory) == expected(memory)
    assert {topic for topic, _, _ in memory.rows()} == {memory.topic}


def test_a_rebinding_that_was_killed_is_finished_as_it_was_decided(memory: MemoryWorld) -> None:
    delete_before(memory, 0, 3)
    memory.catalog.drop(memory.table)
    with memory.open() as runtime, killed_at(runtime.log, "rebind"):
        runtime.rebinding.rebind(memory.table, True, "tester", "a test")
    delete_before(memory, 0, 6)
    with memory.open() as runtime:
        planned = runtime.rebinding.preview(memory.table, False)
        lost = f"{memory.topic}-0 [0, 3) is lost, and is accepted as lost"
        assert f"the new table records that {lost}" in planned.lines
        assert any("offsets are read again" in line and "-0 [3, " in line for line in planned.lines)
        runtime.rebinding.rebind(memory.table, False, "tester", "a test", planned.shown)
        with pytest.raises(HistoryMissing, match=r"\[3, 6\)"):
            memory.cycle(runtime)
        runtime.decisions.decide(LOSS, "tester", "a test")
        memory.cycle(runtime)
        assert runtime.audit().complete
    assert places(memory) == expected(memory, (0, 0, 6))
