"""Decisions and recoveries that die half-way, or meet what Kafka no longer has: nothing is lost that somebody still holds."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from lakelock.commands import audit_text
from lakelock.core.ledger import Mode
from lakelock.errors import HistoryMissing, LakelockError, LedgerDetached, RecoveryRefused

from acceptance.test_bad_input import delete_before
from acceptance.test_decisions import LOSS, Killed, expected, killed, settled
from acceptance.world import World, file_of, open_with, write_next


def half_done(world: World) -> None:
    """[10, 20) of each partition is staged, Kafka has partition 0 from 25 on; the table was told of that, the log was not."""
    with closing(world.runtime()) as runtime:
        world.produce(20)
        write_next(runtime)
        world.produce(20)
        delete_before(world, 0, 25)
        runtime.log.declare = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.decisions.decide(LOSS, "tester", "a test")


def test_a_decision_that_died_half_way_is_not_taken_for_a_restored_log(near: World) -> None:
    half_done(near)
    with closing(near.runtime()) as runtime:
        assert runtime.recovery("tester").recover() == []
        found = runtime.audit()
        assert not any("behind" in f for t in found.tables for f in t.faults), audit_text(found)
        assert len(runtime.log.staged(near.name, near.table)) == 1
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 20, 25))


def test_a_decision_that_one_table_refused_is_finished_by_the_same_command(near: World) -> None:
    other = f"{near.namespace}.other"
    both = file_of(near, near.table, other)
    near.produce(20)
    with open_with(near, both) as runtime:
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
        near.produce(20)
        delete_before(near, 0, 25)
        commit = runtime.tables.commit

        def refused(state: object, change: object) -> int:
            if state.name == other:  # type: ignore[attr-defined]
                raise LakelockError("not this one")
            return commit(state, change)  # type: ignore[arg-type]

        runtime.tables.commit = refused  # type: ignore[method-assign, assignment]
        with pytest.raises(LakelockError, match="not this one"):
            runtime.decisions.decide(LOSS, "tester", "a test")
    with open_with(near, both) as runtime:
        assert runtime.recovery("tester").look() == []
        assert [t.table for t in runtime.decisions.decide(LOSS, "tester", "a test").tables if t.gaps] == [other]
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
        found = runtime.audit()
    assert found.complete, audit_text(found)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 20, 25))


def test_a_rebuild_does_not_throw_away_what_is_staged_and_nowhere_else(near: World) -> None:
    near.produce(20)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        delete_before(near, 0, 15)
        recovery = runtime.recovery("tester", announced=True)
        (told,) = [f for f in recovery.look() if f.left]
        assert f"{near.topic}-0 [10, 20)" in told.line
        before = near.catalog.load_table(near.table).metadata_location
        with pytest.raises(RecoveryRefused, match=r"-0 \[10, 20\)"):
            recovery.recover()
        assert near.catalog.load_table(near.table).metadata_location == before
        assert runtime.log.recovering(near.name) is None
        # What the message says: it lands, and nothing is left to lose.
        runtime.commit([near.table], now=True)
        assert not any(f.left for f in runtime.recovery("tester", announced=True).recover())
    near.produce(4)
    settled(near)
    near.audit()


def test_what_was_staged_is_given_up_where_a_person_accepts_the_loss(near: World) -> None:
    near.produce(20)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        delete_before(near, 0, 20)
        found = runtime.recovery("tester", announced=True, accept_loss=True).recover()
        assert [f.line for f in found if f.left] == []
        assert any("[10, 20)" in f.line for f in found)
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(near)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 20))


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


@pytest.mark.parametrize("announced", [False, True])
def test_a_rollback_by_hand_that_kafka_cannot_undo_is_not_adopted(near: World, announced: bool) -> None:
    """Its batches are folded: only Kafka could bring the rows back."""
    near.produce(20)
    near.run()
    head = near.catalog.load_table(near.table).current_snapshot()
    assert head is not None
    with closing(near.runtime()) as runtime:
        runtime.log.coalesce(near.name, 0)
    set_back(near)
    delete_before(near, 0, 15)

    def recovery(runtime: Any, **how: Any) -> Any:
        return runtime.recovery("tester", announced=announced, **how)

    with closing(near.runtime()) as runtime:
        before = near.catalog.load_table(near.table).metadata_location
        (told,) = [f for f in recovery(runtime).look() if f.left]
        assert f"{near.topic}-0 [10, 20), and Kafka holds it from 15 on" in told.line
        if announced:
            with pytest.raises(RecoveryRefused, match=r"-0 \[10, 20\)"):
                recovery(runtime).recover()
        else:
            assert "--mode skip" in told.line
            assert recovery(runtime).recover() == [told]
        assert near.catalog.load_table(near.table).metadata_location == before
        with pytest.raises(LedgerDetached, match="lakelock recover FILE"):
            runtime.tables.load(near.table)
    if announced:
        near.catalog.load_table(near.table).manage_snapshots().set_current_snapshot(head.snapshot_id).commit()
    with closing(near.runtime()) as runtime:
        assert not any(f.left for f in recovery(runtime, mode=Mode.RECOMMIT if announced else Mode.SKIP).recover())
    settled(near)
    assert len(near.rows()) == 40 - (0 if announced else 20)


def test_the_loss_of_a_rollback_by_hand_can_be_accepted(near: World) -> None:
    near.produce(20)
    near.run()
    with closing(near.runtime()) as runtime:
        runtime.log.coalesce(near.name, 0)
    set_back(near)
    delete_before(near, 0, 15)
    with closing(near.runtime()) as runtime:
        assert not any(f.left for f in runtime.recovery("tester", accept_loss=True).recover())
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
        runtime.decisions.decide(LOSS, "tester", "a test")
    settled(near, 4)
    assert [r[:2] for r in near.rows()] == expected(near, (0, 10, 15))
