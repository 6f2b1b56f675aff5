"""Decisions, rebuilds and rollbacks by hand that stop half-way or meet what Kafka no longer has: nothing is lost that is
still held anywhere."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_decisions import LOSS, delete_before, expected, places, settled
from kits.memory_world import MemoryRuntime, MemoryWorld, killed_at
from kits.rollbacks import roll_back
from kits.world import write_next
from lakelock.audit.audit_text import audit_text
from lakelock.errors import HistoryMissing, LedgerDetached, RecoveryRefused
from lakelock.model.ledger import Mode
from lakelock.recovery.recover import Recovery
from lakelock.testing.table_reading import PIPELINE


def half_done(memory: MemoryWorld) -> None:
    """[10, 20) of each partition is staged, Kafka has partition 0 from 25 on; the table has that decision, the log has not."""
    with memory.open() as runtime:
        memory.produce(20)
        write_next(runtime)
        memory.produce(20)
        delete_before(memory, 0, 25)
        with killed_at(runtime.log, "declare"):
            runtime.decisions.decide(LOSS, "tester", "a test")


def test_a_decision_that_died_half_way_is_not_taken_for_a_restored_log(memory: MemoryWorld) -> None:
    half_done(memory)
    with memory.open() as runtime:
        assert runtime.recovery("tester").recover() == []
        found = runtime.audit()
        assert not any("behind" in f for t in found.tables for f in t.faults), audit_text(found)
        assert len(runtime.log.staged(PIPELINE, memory.table)) == 1
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(memory)
    assert places(memory) == expected(memory, (0, 20, 25))


def test_a_rebuild_does_not_throw_away_what_is_staged_and_nowhere_else(memory: MemoryWorld) -> None:
    memory.produce(20)
    with memory.open() as runtime:
        write_next(runtime)
        delete_before(memory, 0, 15)
        recovery = runtime.recovery("tester", announced=True)
        (finding,) = [f for f in recovery.preview() if f.left]
        assert f"{memory.topic}-0 [10, 20)" in finding.line
        before = memory.catalog.get(memory.table)
        with pytest.raises(RecoveryRefused, match=r"-0 \[10, 20\)"):
            recovery.recover()
        assert memory.catalog.get(memory.table) == before
        assert runtime.log.recovering(PIPELINE) is None
        # What the message says: it lands, and nothing is left to lose.
        runtime.commit([memory.table], now=True)
        assert not any(f.left for f in runtime.recovery("tester", announced=True).recover())
    memory.produce(4)
    settled(memory)
    memory.audit()


def test_what_was_staged_is_given_up_where_a_person_accepts_the_loss(memory: MemoryWorld) -> None:
    memory.produce(20)
    with memory.open() as runtime:
        write_next(runtime)
        delete_before(memory, 0, 20)
        found = runtime.recovery("tester", announced=True, accept_loss=True).recover()
        assert [f.line for f in found if f.left] == []
        assert any("[10, 20)" in f.line for f in found)
        with pytest.raises(HistoryMissing):
            memory.cycle(runtime)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(memory)
    assert places(memory) == expected(memory, (0, 10, 20))


@pytest.mark.parametrize("announced", [False, True])
def test_a_rollback_by_hand_that_kafka_cannot_undo_is_not_adopted(memory: MemoryWorld, announced: bool) -> None:
    """Its batches are folded: only Kafka still has the rows."""
    memory.produce(20)
    memory.run()
    head = memory.head()
    with memory.open() as runtime:
        runtime.log.coalesce(PIPELINE, 0)
    memory.set_back()
    delete_before(memory, 0, 15)

    def recovery(runtime: MemoryRuntime, **how: Any) -> Recovery:
        return runtime.recovery("tester", announced=announced, **how)

    with memory.open() as runtime:
        before = memory.catalog.get(memory.table)
        (finding,) = [f for f in recovery(runtime).preview() if f.left]
        assert f"{memory.topic}-0 [10, 20), but Kafka holds it from 15 on" in finding.line
        if announced:
            with pytest.raises(RecoveryRefused, match=r"-0 \[10, 20\)"):
                recovery(runtime).recover()
        else:
            assert "--mode skip" in finding.line
            assert recovery(runtime).recover() == [finding]
        assert memory.catalog.get(memory.table) == before
        with pytest.raises(LedgerDetached, match="lakelock recover FILE"):
            runtime.tables.load(memory.table)
    if announced:
        memory.catalog.set_back(memory.table, head)
    with memory.open() as runtime:
        assert not any(f.left for f in recovery(runtime, mode=Mode.RECOMMIT if announced else Mode.SKIP).recover())
    settled(memory)
    assert len(memory.rows()) == 40 - (0 if announced else 20)
    memory.audit(missing=0 if announced else 20)


def test_the_loss_of_a_rollback_by_hand_can_be_accepted(memory: MemoryWorld) -> None:
    memory.produce(20)
    memory.run()
    with memory.open() as runtime:
        runtime.log.coalesce(PIPELINE, 0)
    memory.set_back()
    delete_before(memory, 0, 15)
    with memory.open() as runtime:
        assert not any(f.left for f in runtime.recovery("tester", accept_loss=True).recover())
        with pytest.raises(HistoryMissing):
            memory.cycle(runtime)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(memory, 4)
    assert places(memory) == expected(memory, (0, 10, 15))


def test_decisions_and_recoveries_expire_as_little_as_a_commit_does(memory: MemoryWorld) -> None:
    """With more snapshots than `keep_snapshots`, all of them younger than the window."""
    memory.settings = {
        "commit": {"keep_snapshots": 300, "rollback_window": "1d"},
        "maintenance": {"expire_after": "2d"},
        "schedule": {"every": "5m"},
    }
    for _ in range(3):
        memory.produce(4)
        memory.run()
    sent = []
    with memory.open() as runtime:
        commit = runtime.tables.commit

        def noted(state: Any, change: Any) -> int:
            sent.append((change.keep_snapshots, change.keep_younger_ms))
            return int(commit(state, change))

        runtime.tables.commit = noted
        roll_back(runtime, memory.table, "last:1", Mode.RECOMMIT)
        memory.produce(8)
        delete_before(memory, 0, 18)
        runtime.commit([memory.table], now=True)
        runtime.decisions.decide(LOSS, "tester", "a test")
        memory.catalog.drop(memory.table)
        runtime.rebinding.rebind(memory.table, True, "tester", "a test")
        runtime.recovery("tester", announced=True).recover()
    assert len(sent) >= 5
    assert set(sent) == {(300, 86_400_000)}
