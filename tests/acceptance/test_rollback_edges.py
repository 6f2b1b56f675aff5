"""Rollbacks and recoveries where several things come together: each record still lands once, or the stop says why."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from kits.recoveries import postgres_of
from kits.rollbacks import approved, landed, letters_of, moving, on_the_way, roll_back, settle
from kits.upkeep import Killed
from kits.world import World, file_of, open_with, write_next
from lakelock.core.coverage import Coverage
from lakelock.core.ledger import Mode
from lakelock.errors import RecoveryRefused, RollbackRefused, TableUnfit, WalUnusable
from pyiceberg.types import LongType


def test_a_table_gets_nothing_of_a_topic_that_went_to_another(near: World, new_topic: Callable[..., str]) -> None:
    second, other = new_topic(2), f"{near.namespace}.other"
    before, after = moving(near, second, other)
    first, near.topic = near.topic, second
    with open_with(near, before) as runtime:
        near.produce(4)
        near.cycle(runtime)
    with open_with(near, after) as runtime:
        for topic in (first, second):
            near.topic = topic
            near.produce(6)
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("a", "r", planned.batch_id)
        runtime.commit([near.table, other], now=True)
        assert runtime.recovery("tester").look() == []
        with pytest.raises(RollbackRefused, match="no longer gives that to"):
            runtime.rollbacks.plan(near.table, "last:2", Mode.REPLAY)
        roll_back(runtime, near.table, "last:2", Mode.RECOMMIT)
        runtime.commit([near.table, other], now=True)
        assert runtime.audit().complete
    assert len(near.rows()) == 30
    assert near.catalog.load_table(other).scan().count() == 6


def test_a_rollback_by_hand_behind_a_cut_history_is_left_to_a_person(near: World) -> None:
    landed(near)
    table = near.catalog.load_table(near.table)
    oldest = table.current_snapshot()
    assert oldest is not None
    # A foreign writer appends, and everything before its snapshot expires: its parent is cleared.
    table.append(table.scan().to_arrow().slice(0, 0))
    strange = table.current_snapshot()
    assert strange is not None
    near.produce(5)
    near.run()
    table.refresh()
    table.manage_snapshots().set_current_snapshot(strange.snapshot_id).commit()
    gone = [s.snapshot_id for s in table.metadata.snapshots if s.timestamp_ms < strange.timestamp_ms]
    for snapshot_id in gone:
        table.maintenance.expire_snapshots().by_id(snapshot_id).commit()
    with closing(near.runtime()) as runtime:
        (finding,) = runtime.recovery("tester").recover()
        assert finding.left
        assert "not known" in finding.what
    assert len(near.rows()) == 50


def test_a_table_that_was_only_adopted_is_the_pipelines_after_a_rollback(near: World) -> None:
    """An attempt is killed before the log knows the dead-letter table; it goes back, and another file names another one."""
    other = replace(near, name="other")
    other.produce(5)

    def killed() -> str:
        raise Killed

    with closing(other.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        bind, letters = runtime.log.bind, letters_of(other)
        runtime.log.bind = lambda *of: killed() if letters in of else bind(*of)  # type: ignore
        with pytest.raises(Killed):
            runtime.write("killed", "test/1", planned.batch_id)
    table = other.catalog.load_table(letters)
    table.append(table.scan().to_arrow())
    with closing(other.runtime()) as runtime:
        history = runtime.tables.history(runtime.tables.load(letters))
        planned_back = runtime.rollbacks.plan(letters, str(history[1].snapshot_id), Mode.RECOMMIT)
        assert approved(runtime, planned_back) is not None
    other.settings = f"dead_letters: {{table: {near.namespace}.elsewhere}}\n"
    with closing(other.runtime()) as runtime:
        runtime.write("again", "test/1", planned.batch_id)
        for _ in range(2):
            other.cycle(runtime)
        assert runtime.audit().complete
    assert sorted(r[2] for r in other.rows()) == list(range(other.next_id))


def test_an_approved_rollback_is_done_once(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.rollbacks.plan(near.table, "last:1", Mode.SKIP)
        assert approved(runtime, planned) is not None
        near.produce(7)
        near.cycle(runtime)
        held = near.rows()
        assert approved(runtime, planned) is None, "the second attempt of the task"
        assert near.rows() == held
        again = runtime.rollbacks.plan(near.table, "last:1", Mode.RECOMMIT)
        with pytest.raises(RollbackRefused, match="rolled back meanwhile by tester"):
            runtime.rollbacks.roll_back(near.table, str(again.to.snapshot_id), Mode.REPLAY, "x", "y", planned.shown)


def test_what_lands_after_a_person_looked_is_not_skipped(near: World) -> None:
    landed(near)
    with closing(near.runtime()) as runtime:
        planned = runtime.rollbacks.plan(near.table, "last:1", Mode.SKIP)
        near.produce(7)
        near.cycle(runtime)
        assert approved(runtime, planned) is not None
        settle(near, runtime)
        found = runtime.audit()
        assert found.complete, found
    assert len(near.rows()) == near.next_id - 10


def test_dead_letters_that_land_while_their_table_goes_back_are_not_told_twice(near: World) -> None:
    landed(near)
    near.produce(10, bad=[b'{"id": 99, "unheard_of": 1}'])
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        write_next(zombie)
        on_the_way(zombie, zombie.tables, lambda: roll_back(runtime, near.table, "last:2", Mode.REPLAY))
        zombie.commit([letters_of(near)], now=True)
        assert len(near.rows(letters_of(near))) == 1
        # It would be a row by now, and is a dead letter already.
        with near.catalog.load_table(near.table).update_schema() as columns:
            columns.add_column("unheard_of", LongType())
        settle(near, runtime, 5)
    near.audit(dead=1)


def test_a_dead_letter_whose_commit_is_under_way_does_not_become_a_row(near: World) -> None:
    """Its table goes back, then gets the column that it lacked, and all is read again, before that commit lands."""
    landed(near)
    near.produce(10, bad=[b'{"id": 99, "unheard_of": 1}'])

    def meanwhile() -> None:
        with closing(near.runtime()) as runtime:
            roll_back(runtime, near.table, "last:2", Mode.REPLAY)
            with near.catalog.load_table(near.table).update_schema() as columns:
                columns.add_column("unheard_of", LongType())
            for _ in range(3):
                planned = runtime.plan()
                assert planned.batch_id is not None
                runtime.write(f"attempt-{uuid.uuid4()}", "r", planned.batch_id)

    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        write_next(zombie)
        on_the_way(zombie, zombie.tables, meanwhile)
        zombie.commit([letters_of(near)], now=True)
        settle(near, runtime, 5)
        assert runtime.audit().complete
    near.audit(dead=1)


def test_a_dead_letter_whose_table_just_goes_back_does_not_become_a_row(near: World) -> None:
    """It is out of its table, and the log does not yet know that it lands again; by now it would fit."""
    landed(near)
    near.produce(10, bad=[b'{"id": 99, "unheard_of": 1}'])

    class Killed(Exception):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    with closing(near.runtime()) as runtime, closing(near.runtime()) as dies:
        write_next(runtime)
        runtime.commit([letters_of(near)], now=True)
        with near.catalog.load_table(near.table).update_schema() as columns:
            columns.add_column("unheard_of", LongType())
        runtime.commit([near.table], now=True)
        dies.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(dies, letters_of(near), "last:1", Mode.RECOMMIT)
        planned = runtime.plan()
        assert planned.batch_id is not None
        waits = runtime.write("a", "r", planned.batch_id)
        assert f"waits until the log knows of the rollback of {letters_of(near)}" in waits.line
        runtime.commit([letters_of(near)], now=True)
        settle(near, runtime, 4)
    near.audit(dead=1)


def test_what_was_given_up_since_it_was_read_is_not_committed(near: World) -> None:
    """It was written between a rollback's swap and the log's following, so that it has the table's own generation."""
    landed(near)

    class Killed(Exception):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime, closing(near.runtime()) as dies:
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        # Nothing is taken out, so nothing lacks before what is written then.
        head = near.catalog.load_table(near.table).current_snapshot()
        assert head is not None
        dies.log.follow = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            roll_back(dies, near.table, str(head.parent_snapshot_id), Mode.REPLAY)
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("a", "r", planned.batch_id)
        staged = slow.log.staged

        def meanwhile(*arguments: Any) -> Any:
            slow.log.staged = staged  # type: ignore[method-assign]
            out = staged(*arguments)
            assert out
            runtime.follower.followed(near.table)
            return out

        slow.log.staged = meanwhile  # type: ignore[assignment, method-assign]
        before = near.rows()
        slow.committer._land(near.table, Coverage(), lambda outcome: None)
        assert near.rows() == before
        settle(near, runtime, 5)
    near.audit()


def test_dead_letters_that_a_batch_waits_for_are_due_at_once(near: World) -> None:
    landed(near)
    near.settings = "commit: {max_latency: 1h}\n"
    near.produce(10, bad=[b"]"])
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        (idle,) = runtime.commit([letters_of(near)])
        assert "not due" in idle.line
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        runtime.follower.followed(near.table)
        (told,) = runtime.commit([letters_of(near)])
        assert told.snapshot_id is not None
        settle(near, runtime)
    near.audit(dead=1)


def test_a_lost_file_of_dead_letters_is_read_again_alone(near: World) -> None:
    landed(near, bad=2)
    with closing(near.runtime()) as runtime:
        held = {t.file.file_path for t in near.catalog.load_table(letters_of(near)).scan().plan_files()}
        roll_back(runtime, letters_of(near), "last:1", Mode.RECOMMIT)
        table = near.catalog.load_table(letters_of(near))
        (lost,) = held - {t.file.file_path for t in table.scan().plan_files()}
        table.io.delete(lost)
        runtime.commit([letters_of(near)], now=True)
        settle(near, runtime, 4)
        runtime.commit([letters_of(near)], now=True)
        assert runtime.audit().complete
    near.audit(dead=6)


def test_dead_letters_that_would_fit_by_now_are_not_lost(near: World) -> None:
    """Their rows are in no table: what is read again for the dead-letter table alone must be the same records."""
    near.produce(4, bad=[b'{"id": 99, "unheard_of": 1}'])
    near.run()
    with closing(near.runtime()) as runtime:
        held = {t.file.file_path for t in near.catalog.load_table(letters_of(near)).scan().plan_files()}
        roll_back(runtime, letters_of(near), "last:1", Mode.RECOMMIT)
        near.catalog.load_table(letters_of(near)).io.delete(held.pop())
        table = near.catalog.load_table(near.table)
        with table.update_schema() as columns:
            columns.add_column("unheard_of", LongType())
        runtime.commit([letters_of(near)], now=True)
        planned = runtime.plan()
        assert planned.batch_id is not None
        with pytest.raises(TableUnfit, match="records that would fit it now"):
            runtime.write("a", "r", planned.batch_id)
        assert any("owes" in line for t in runtime.audit().tables for line in t.not_counted)
        table.refresh()
        with table.update_schema() as columns:
            columns.delete_column("unheard_of")
        runtime.write("b", "r", planned.batch_id)
        runtime.commit([letters_of(near)], now=True)
        assert runtime.audit().complete
    assert len(near.rows(letters_of(near))) == 1


def test_dead_letters_that_were_left_out_hold_up_no_others(near: World) -> None:
    """A batch that reads both again must not tell them together: those never land."""
    near.produce(4, bad=[b"]"])
    near.run()
    with closing(near.runtime()) as runtime:
        roll_back(runtime, letters_of(near), "last:1", Mode.SKIP)
        near.produce(5, bad=[b"}"])
        write_next(runtime)
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        settle(near, runtime, 5)
        found = runtime.audit()
        assert found.complete, found
    assert len(near.rows(letters_of(near))) == 1
    assert len(near.rows()) == near.next_id


def test_a_record_that_fits_no_more_is_not_lost_among_dead_letters_that_were_left_out(near: World) -> None:
    """Its range is held as skipped, so its dead letter cannot land; those that were left out hold up nothing."""
    near.produce(4)
    near.run()
    with near.catalog.load_table(near.table).update_schema() as columns:
        columns.add_column("unheard_of", LongType())
    near.produce(6, bad=[b"]", b"]", b"]", b"]", b'{"id": 99, "unheard_of": 1}'])
    near.run()
    with closing(near.runtime()) as runtime:
        roll_back(runtime, letters_of(near), "last:1", Mode.SKIP)
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        with near.catalog.load_table(near.table).update_schema() as columns:
            columns.delete_column("unheard_of")
        planned, before = runtime.plan(), near.rows()
        assert planned.batch_id is not None
        with pytest.raises(TableUnfit, match="1 records of .* fitted the table before"):
            runtime.write("a", "r", planned.batch_id)
        runtime.commit([near.table], now=True)
        assert near.rows() == before
        with near.catalog.load_table(near.table).update_schema() as columns:
            columns.add_column("unheard_of", LongType())
        settle(near, runtime)
        assert runtime.audit().complete
    assert sorted(r[2] for r in near.rows()) == [*range(near.next_id), 99]
    assert near.rows(letters_of(near)) == []


def test_dead_letters_that_were_left_out_by_hand_stay_so(near: World) -> None:
    """A recovery knows them from the snapshot that the tag names."""
    near.produce(6, bad=[b"]", b"]"])
    near.run()
    letters = near.catalog.load_table(letters_of(near))
    head = letters.current_snapshot()
    assert head is not None
    assert head.parent_snapshot_id is not None
    letters.manage_snapshots().set_current_snapshot(head.parent_snapshot_id).commit()
    with closing(near.runtime()) as runtime:
        runtime.recovery("tester", mode=Mode.SKIP).recover()
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        settle(near, runtime)
        found = runtime.audit()
        assert found.complete, found
    assert sorted(r[2] for r in near.rows()) == [*range(near.next_id)]
    assert near.rows(letters_of(near)) == []


def test_dead_letters_that_were_left_out_unseen_stop_until_they_get_another_table(near: World) -> None:
    """Their file was gone: nobody knows which records they were, and so no other one is taken for one of them."""
    near.produce(4, bad=[b"]"])
    near.run()
    with closing(near.runtime()) as runtime:
        letters = near.catalog.load_table(letters_of(near))
        (held,) = [t.file.file_path for t in letters.scan().plan_files()]
        letters.io.delete(held)
        roll_back(runtime, letters_of(near), "last:1", Mode.SKIP)
        roll_back(runtime, near.table, "last:1", Mode.REPLAY)
        # What was left out is read again in a batch of its own.
        write_next(runtime)
        with pytest.raises(TableUnfit, match="recover FILE --restored"):
            write_next(runtime)
    with open_with(near, file_of(near, near.table, rest=f"dead_letters: {{table: {near.namespace}.new}}\n")) as runtime:
        runtime.recovery("tester", announced=True).recover()
        settle(near, runtime)
        found = runtime.audit()
        assert found.complete, found
    assert len(near.rows()) == near.next_id
    assert len(near.rows(f"{near.namespace}.new")) == 1


def test_dead_letters_in_a_table_of_an_older_name_are_not_told_again(near: World) -> None:
    landed(near, bad=1)
    old = letters_of(near)
    with open_with(near, file_of(near, near.table, rest=f"dead_letters: {{table: {near.namespace}.new}}\n")) as runtime:
        roll_back(runtime, near.table, "last:3", Mode.REPLAY)
        near.produce(5, bad=[b"]"])
        for _ in range(4):
            near.cycle(runtime)
        found = runtime.audit()
        assert found.complete, found
    assert (len(near.rows(old)), len(near.rows(f"{near.namespace}.new"))) == (3, 1)
    assert len(near.rows()) == near.next_id


def test_a_take_over_that_died_before_the_log_was_rebuilt_stops_all_runs(
    near: World, new_log: Callable[[], str]
) -> None:
    text = f"source: {{topics: [{near.topic}], start: latest}}\ntables: [{{name: {near.table}}}]\n"
    dsn = new_log()
    postgres_of(near, dsn)

    class Killed(Exception):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with open_with(near, text) as runtime:
        runtime.log.rebuild = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            runtime.recovery("tester", take_over=True).recover()
    near.produce(5)
    with open_with(near, text) as runtime:
        with pytest.raises(WalUnusable, match="lakelock recover"):
            runtime.plan()
        (zombie,) = [f for f in runtime.recovery("tester").look() if f.about == "the log"]
        assert zombie.what == "tester began to rebuild it, and did not end"
        runtime.recovery("tester").recover()
        near.cycle(runtime)
        assert runtime.audit().complete
    assert len(near.rows()) == near.next_id


def test_a_log_restored_to_its_first_moment_does_not_begin_anew(near: World, new_log: Callable[[], str]) -> None:
    text = f"source: {{topics: [{near.topic}], start: latest}}\ntables: [{{name: {near.table}}}]\n"
    with closing(near.runtime()) as runtime:
        installation = runtime.log.installation_id()
    dsn = new_log()
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE lakelock.installation SET installation_id = %s", (installation,))
    postgres_of(near, dsn)
    near.produce(5)
    with open_with(near, text) as runtime:
        with pytest.raises(WalUnusable, match="Postgres was lost or restored"):
            runtime.plan()
        assert any("restored or lost" in f.what for f in runtime.recovery("tester").recover())
        near.cycle(runtime)
        assert runtime.audit().complete
    assert len(near.rows()) == near.next_id


def test_nothing_is_planned_or_claimed_while_the_log_is_rebuilt(near: World) -> None:
    """Whoever read the new generation before the log is whole would commit what nobody then knows of."""
    landed(near)
    near.produce(5)
    with closing(near.runtime()) as zombie, closing(near.runtime()) as runtime:
        planned = zombie.plan()
        assert planned.batch_id is not None
        said = []

        def meanwhile() -> None:
            assert zombie.write("z", "r", planned.batch_id or "").files == 0
            near.produce(5)
            with pytest.raises(WalUnusable, match="began to recover"):
                zombie.plan()
            said.append(True)

        on_the_way(runtime, runtime.tables, meanwhile)
        runtime.recovery("tester", announced=True).recover()
        assert said
        settle(near, runtime)
    near.audit()


def test_no_log_is_rebuilt_without_a_table_of_the_file(near: World) -> None:
    other = f"{near.namespace}.other"
    near.produce(5)
    with open_with(near, file_of(near, near.table, other)) as runtime:
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
    near.catalog.drop_table(other)
    with open_with(near, file_of(near, near.table, other)) as runtime:
        before = near.catalog.load_table(near.table).metadata_location
        with pytest.raises(RecoveryRefused, match=other):
            runtime.recovery("tester", announced=True).recover()
        assert near.catalog.load_table(near.table).metadata_location == before
    with open_with(near, file_of(near, near.table)) as runtime:
        runtime.recovery("tester", announced=True).recover()
        near.produce(5)
        near.cycle(runtime)
    assert len(near.rows()) == near.next_id


def test_a_commit_that_a_rollback_overtakes_looks_again(near: World) -> None:
    landed(near)
    near.produce(5)
    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime:
        write_next(slow)
        committed = slow.log.committed

        def meanwhile(*arguments: Any) -> None:
            slow.log.committed = committed  # type: ignore[method-assign]
            roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
            committed(*arguments)

        slow.log.committed = meanwhile  # type: ignore[method-assign, assignment]
        outcome = slow.commit([near.table], now=True)[-1]
        assert outcome.snapshot_id is not None, "what landed is told"
        settle(near, runtime)
    near.audit()


def test_a_mark_that_a_rollback_overtakes_is_looked_at_again(near: World) -> None:
    landed(near)
    near.produce(5)

    class Killed(Exception):
        pass

    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime:
        write_next(slow)
        committed = slow.log.committed

        def killed(*_: Any) -> None:
            raise Killed

        def meanwhile(*arguments: Any) -> None:
            slow.log.committed = committed  # type: ignore[method-assign]
            roll_back(runtime, near.table, "last:1", Mode.RECOMMIT)
            committed(*arguments)

        slow.log.committed = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(Killed):
            slow.commit([near.table], now=True)
        slow.log.committed = meanwhile  # type: ignore[method-assign, assignment]
        slow.commit([near.table], now=True)
        settle(near, runtime)
    near.audit()


def test_offsets_that_no_table_has_after_a_rebuild_are_told(
    near: World, new_topic: Callable[..., str], new_log: Callable[[], str]
) -> None:
    """They were on their way to a table that the file does not give their topic any more, and the log that knew is lost."""
    second, other = new_topic(2), f"{near.namespace}.other"
    before, after = moving(near, second, other)
    near.topic = second
    with open_with(near, before) as runtime:
        near.produce(4)
        near.cycle(runtime)
        near.produce(6)
        write_next(runtime)
    near.produce(8)
    with open_with(near, after) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write("a", "r", planned.batch_id)
        runtime.commit([other], now=True)
    dsn = new_log()
    postgres_of(near, dsn)
    with open_with(near, after) as runtime:
        recovery = runtime.recovery("tester", take_over=True)
        (told,) = [f for f in recovery.look() if f.left]
        assert "is in no table" in told.what
        recovery.recover()
        assert [fault for fault in runtime.audit().faults if "is in no table" in fault]
    with open_with(near, before) as runtime:
        runtime.recovery("tester").recover()
        settle(near, runtime)
    with open_with(near, after) as runtime:
        assert runtime.audit().complete
    assert len(near.rows()) == near.next_id
