"""Decisions and recoveries that die half-way, or meet what Kafka no longer has: nothing is lost that somebody still holds."""

from __future__ import annotations

import uuid
from contextlib import closing
from typing import Any

import psycopg
import pytest
from kits.decisions import LOSS, Killed, decide, expected, killed, letters_owed, set_back, settled
from kits.here_writer import HereWriter
from kits.rollbacks import letters_of, roll_back
from kits.topics import delete_before
from kits.world import World, file_of, open_with, write_next
from lakelock.adapters.connections import postgres_dsn
from lakelock.core.decisions import What
from lakelock.core.ledger import Mode
from lakelock.errors import HistoryMissing, LakelockError, LedgerDetached, RecoveryRefused, RollbackRefused
from lakelock.steps import heartbeat
from lakelock.steps.gap_plan import Which
from lakelock.texts import audit_text
from stack.process import wait_until


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

        runtime.tables.commit = refused  # type: ignore[method-assign]
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


@pytest.mark.parametrize("by_hand", [False, True])
def test_files_that_are_gone_do_not_land_again_where_kafka_cannot_bring_them_back(near: World, by_hand: bool) -> None:
    """As after a compaction, once what it replaced has expired."""
    near.produce(20)
    near.run()
    lost = {path for (_, offset), path in near.files_by_offset().items() if offset >= 10}
    if by_hand:
        set_back(near)
    table = near.catalog.load_table(near.table)
    kept = {path: table.io.new_input(path).open().read() for path in lost}
    for path in lost:
        table.io.delete(path)
    delete_before(near, 0, 15)
    with closing(near.runtime()) as runtime:
        if by_hand:
            (told,) = [f for f in runtime.recovery("tester").look() if f.left]
            assert f"{near.topic}-0 [10, 20), and Kafka holds it from 15 on" in told.line
        else:
            with pytest.raises(RollbackRefused, match=r"-0 \[10, 20\) would have to be read again, and Kafka cannot"):
                runtime.rollbacks.plan(near.table, "last:1", Mode.RECOMMIT)
    for path, content in kept.items():
        with table.io.new_output(path).create() as file:
            file.write(content)
    with closing(near.runtime()) as runtime:
        if by_hand:
            assert not any(f.left for f in runtime.recovery("tester", mode=Mode.RECOMMIT).recover())
        else:
            roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
    settled(near)
    assert len(near.rows()) == 40


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


def test_dead_letters_that_kafka_dropped_are_given_up_by_the_command_that_is_named(near: World) -> None:
    letters_owed(near, 17)
    with pytest.raises(HistoryMissing) as stop:
        near.run()
    assert f"lakelock accept-loss FILE --topic {near.topic} --partition 0 --why TEXT" in str(stop.value)
    planned = decide(near, LOSS)
    assert any(f"the dead letters of {near.table} in {near.topic}-0 [11, 17)" in line for line in planned.lines)
    found = settled(near)
    assert not any("owes" in reason for t in found.tables for reason in t.not_counted)
    assert len(near.rows(letters_of(near))) == 3, "those of the other partition were read again"
    assert len(near.rows()) == 30
    with closing(near.runtime()) as runtime:
        ledger = runtime.tables.load(letters_of(near)).ledger
    assert ledger is not None
    assert [d.what for d in ledger.decisions] == [What.ACCEPT_LOSS]
    assert sum(h.totals.filtered for h in ledger.coverage.values()) == 1


def test_dead_letters_that_are_there_still_are_read_again_beside_those_that_were_given_up(near: World) -> None:
    """The range that owes them is cut where Kafka begins: the one bad record of the partition is its last."""
    letters_owed(near, 14)
    with pytest.raises(HistoryMissing):
        near.run()
    decide(near, Which(What.ACCEPT_LOSS, near.topic, 0))
    settled(near)
    assert len(near.rows(letters_of(near))) == 4


def test_dead_letters_named_to_the_offset_are_given_up(near: World) -> None:
    letters_owed(near, 17)
    decide(near, Which(What.ACCEPT_LOSS, near.topic, 0, 11, 17))
    settled(near)


def test_killed_after_the_dead_letter_table_was_told_the_command_goes_on(near: World) -> None:
    letters_owed(near, 17)
    with closing(near.runtime()) as runtime:
        runtime.log.declare = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.decisions.decide(LOSS, "tester", "a test")
    with closing(near.runtime()) as runtime:
        planned = runtime.decisions.plan(LOSS)
        assert [t.cut for t in planned.tables if t.table == near.table] == [1]
        runtime.decisions.decide(LOSS, "tester", "a test")
        assert runtime.decisions.plan(LOSS).nothing
    settled(near)


def test_what_a_restored_log_planned_twice_and_kafka_dropped_stops_nobody(near: World) -> None:
    """The table has it, so nothing is lost; the batch that would read it again cannot."""
    near.produce(20)
    with closing(near.runtime()) as runtime:
        before = runtime.tables.load(near.table).ledger
        assert before is not None
        near.cycle(runtime)
        runtime.log.coalesce(near.name, 0)
        # As a log that was restored to before the batch was planned: it is planned again.
        assert runtime.log.fill(near.name, near.table, before, runtime.follower.redo())
        delete_before(near, 0, 15)
        with pytest.raises(HistoryMissing):
            near.cycle(runtime)
    decide(near, LOSS)
    settled(near)
    near.audit()


class Idle(HereWriter):
    """Counts who stops what is left on Spark."""

    interrupted = 0

    def interrupt_orphans(self) -> None:
        self.interrupted += 1


def test_a_claim_stays_alive_and_what_the_dead_left_on_spark_is_stopped(
    near: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "INTERVAL_S", 0.05)
    near.writer = Idle()
    near.produce(20)
    with closing(near.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        batch_id = planned.batch_id
        runtime.log.claim(batch_id, str(uuid.uuid4()), "a run that died", 30.0)
        delete_before(near, 0, 15)
        dsn = postgres_dsn(near.connections["lakelock_postgres"])
        age(dsn, batch_id)
        declaring = runtime.log.declare

        def while_it_beats(*arguments: Any) -> None:
            age(dsn, batch_id)
            wait_until(lambda: silent_s(dsn, batch_id) < 30, 10, "a sign of life")
            declaring(*arguments)

        runtime.log.declare = while_it_beats  # type: ignore[method-assign, assignment]
        runtime.decisions.decide(LOSS, "tester", "a test")
        assert near.writer.interrupted == 1
    settled(near)


def age(dsn: str, batch_id: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "UPDATE lakelock.batches SET heartbeat_at = clock_timestamp() - interval '31 s' WHERE batch_id = %s",
            (batch_id,),
        )


def silent_s(dsn: str, batch_id: str) -> float:
    with psycopg.connect(dsn) as connection:
        query = "SELECT extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 FROM lakelock.batches WHERE batch_id = %s"
        row = connection.execute(query, (batch_id,)).fetchone()
    assert row is not None
    return float(row[0])


def test_decisions_and_recoveries_expire_no_more_than_a_commit_does(near: World) -> None:
    """With more snapshots than `keep_snapshots`, all of them younger than the window."""
    near.settings = (
        "commit: {keep_snapshots: 300, rollback_window: 1d}\nmaintenance: {expire_after: 2d}\nschedule: {every: 5m}\n"
    )
    for _ in range(3):
        near.produce(4)
        near.run()
    sent = []
    with closing(near.runtime()) as runtime:
        commit = runtime.tables.commit

        def told_of(state: Any, change: Any) -> int:
            sent.append((change.keep_snapshots, change.keep_younger_ms))
            return commit(state, change)

        runtime.tables.commit = told_of  # type: ignore[method-assign]
        roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
        near.produce(8)
        delete_before(near, 0, 18)
        runtime.commit([near.table], now=True)
        runtime.decisions.decide(LOSS, "tester", "a test")
        near.catalog.drop_table(near.table)
        runtime.rebinding.rebind(near.table, True, "tester", "a test")
        runtime.recovery("tester", announced=True).recover()
    assert len(sent) >= 5
    assert set(sent) == {(300, 86_400_000)}
