"""Rollbacks that meet commits, other rollbacks and edited files: each record still lands once, or the stop says why."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_rollbacks import landed
from kits.memory_world import TABLE, Killed, MemoryWorld, killed_at
from kits.rollbacks import approved, roll_back, settle
from kits.world import write_next
from lakelock.errors import RollbackRefused
from lakelock.model.ledger import Mode

OTHER = "ns.other"


def test_a_table_gets_nothing_of_a_topic_that_went_to_another(memory: MemoryWorld) -> None:
    memory.add_topic("y")
    memory.topics = ["x", "y"]
    with memory.open() as runtime:
        memory.produce(4, topic="y")
        memory.cycle(runtime)
    memory.tables = [{"name": TABLE, "topics": ["x"]}, {"name": OTHER, "topics": ["y"]}]
    with memory.open() as runtime:
        for topic in memory.topics:
            memory.produce(6, topic=topic)
        write_next(runtime)
        runtime.commit([TABLE, OTHER], now=True)
        assert runtime.recovery("tester").preview() == []
        with pytest.raises(RollbackRefused, match="no longer assigns it to"):
            runtime.rollbacks.preview(TABLE, "last:2", Mode.REPLAY)
        roll_back(runtime, TABLE, "last:2", Mode.RECOMMIT)
        runtime.commit([TABLE, OTHER], now=True)
    assert (len(memory.rows()), len(memory.rows(OTHER))) == (30, 6)
    memory.audit(counted=False)


def test_a_table_that_was_only_adopted_is_the_pipelines_after_a_rollback() -> None:
    """An attempt is killed before the log knows the table, which is rolled back then; the log learns it by that."""
    memory = MemoryWorld()
    memory.produce(25)
    with memory.open() as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        bind = runtime.log.bind

        def killed(*of: str) -> str:
            if TABLE in of:
                raise Killed
            uuid: str = bind(*of)
            return uuid

        runtime.log.bind = killed
        with pytest.raises(Killed):
            runtime.write("killed", "test/1", planned.batch_id)
    memory.catalog.append(TABLE)
    with memory.open() as runtime:
        history = runtime.tables.history(runtime.tables.load(TABLE))
        back = runtime.rollbacks.preview(TABLE, str(history[1].id), Mode.RECOMMIT)
        assert approved(runtime, back) is not None
    with memory.open() as runtime:
        runtime.write("again", "test/1", planned.batch_id)
        for _ in range(2):
            memory.cycle(runtime)
    assert len(memory.rows()) == 25
    memory.audit()


def test_an_approved_rollback_is_done_once(memory: MemoryWorld) -> None:
    landed(memory)
    with memory.open() as runtime:
        planned = runtime.rollbacks.preview(TABLE, "last:1", Mode.SKIP)
        assert approved(runtime, planned) is not None
        memory.produce(7)
        memory.cycle(runtime)
        rows = memory.rows()
        assert approved(runtime, planned) is None, "the second attempt of the task"
        assert memory.rows() == rows
        again = runtime.rollbacks.preview(TABLE, "last:1", Mode.RECOMMIT)
        with pytest.raises(RollbackRefused, match="rolled back after the preview by tester"):
            runtime.rollbacks.roll_back(TABLE, str(again.to.id), Mode.REPLAY, "x", "y", planned.shown)
    memory.audit(missing=10)


def test_what_lands_after_a_person_looked_is_not_skipped(memory: MemoryWorld) -> None:
    landed(memory)
    with memory.open() as runtime:
        planned = runtime.rollbacks.preview(TABLE, "last:1", Mode.SKIP)
        memory.produce(7)
        memory.cycle(runtime)
        assert approved(runtime, planned) is not None
        settle(memory, runtime)
    memory.audit(missing=10)


def test_what_was_given_up_since_it_was_read_is_not_committed(memory: MemoryWorld) -> None:
    """It was written between a rollback's swap and the log's following, so that it has the table's own generation."""
    landed(memory)
    with memory.open() as slow, memory.open() as runtime, memory.open() as dies:
        roll_back(runtime, TABLE, "last:1", Mode.REPLAY)
        # Nothing is taken out, so nothing lacks before what is written then.
        head = memory.catalog.get(TABLE).head
        assert head is not None
        with killed_at(dies.log, "follow"):
            roll_back(dies, TABLE, str(head.parent), Mode.REPLAY)
        write_next(runtime)
        views = slow.log.commit_views

        def meanwhile(*arguments: Any) -> Any:
            slow.log.commit_views = views
            out = views(*arguments)
            assert out[TABLE].parts
            runtime.context.followed(TABLE)
            return out

        slow.log.commit_views = meanwhile
        before = memory.rows()
        slow.commit([TABLE], now=True)
        assert memory.rows() == before
        settle(memory, runtime, 5)
    memory.audit()


def test_a_commit_that_a_rollback_overtakes_looks_again(memory: MemoryWorld) -> None:
    landed(memory)
    memory.produce(5)
    with memory.open() as slow, memory.open() as runtime:
        write_next(slow)
        committed = slow.log.committed

        def meanwhile(*arguments: Any) -> None:
            slow.log.committed = committed
            roll_back(runtime, TABLE, "last:1", Mode.RECOMMIT)
            committed(*arguments)

        slow.log.committed = meanwhile
        outcome = slow.commit([TABLE], now=True)[-1]
        assert outcome.version_id is not None, "what landed is reported"
        settle(memory, runtime)
    memory.audit()


def test_a_mark_that_a_rollback_overtakes_is_checked_again(memory: MemoryWorld) -> None:
    landed(memory)
    memory.produce(5)
    with memory.open() as slow, memory.open() as runtime:
        write_next(slow)
        with killed_at(slow.log, "committed"):
            slow.commit([TABLE], now=True)
        committed = slow.log.committed

        def meanwhile(*arguments: Any) -> None:
            slow.log.committed = committed
            roll_back(runtime, TABLE, "last:1", Mode.RECOMMIT)
            committed(*arguments)

        slow.log.committed = meanwhile
        slow.commit([TABLE], now=True)
        assert slow.log.committed is committed, "it was marked"
        settle(memory, runtime)
    memory.audit()
