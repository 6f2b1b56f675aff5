"""Marks on staged parts: they hold for the attempt and generation they name, once, and the ledger cache keeps up."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from kits.coverage import booked
from kits.wal import (
    DEAD_LETTERS,
    PIPELINE,
    TABLE,
    abort,
    commit,
    dead_letters,
    ledger,
    one_staged,
    part,
    plan,
    redo,
    source,
    sql,
    stage,
)
from lakelock.adapters.wal import PostgresLog
from lakelock.errors import Fenced, TableUnfit
from lakelock.model.batches import Batch, StagedPart, covered_range
from lakelock.model.coverage import Coverage
from lakelock.model.offsets import OffsetRange


@pytest.fixture
def batch(log: PostgresLog) -> Batch:
    return plan(log, (source(), 0, 10))


def states(log: PostgresLog) -> list[tuple[str, str]]:
    return sorted((p.table, p.state) for p in log.recent(PIPELINE, 100))


def planned_ranges(log: PostgresLog) -> list[OffsetRange]:
    return sorted(p.range for b in log.planned(PIPELINE) for p in b.ranges)


def test_parts_are_marked_with_their_snapshot_and_leave_the_staged(log: PostgresLog, log_dsn: str) -> None:
    batches = [plan(log, (source(), start, start + 10)) for start in range(0, 30, 10)]
    for batch in batches:
        stage(log, batch)
    parts = log.staged(PIPELINE, TABLE)
    commit(log, parts[:2])
    assert one_staged(log).batch_id == parts[2].batch_id
    (view,) = sql(log_dsn, "SELECT version_id, commit_id, parts, row_count, file_count FROM lakelock.commits")
    assert view == {"version_id": 11, "commit_id": "commit-1", "parts": 2, "row_count": 20, "file_count": 2}
    (open_work,) = sql(log_dsn, "SELECT batch_id, table_name, state, offset_ranges FROM lakelock.open_work")
    assert open_work["state"] == "staged"
    assert (str(open_work["batch_id"]), open_work["offset_ranges"]) == (parts[2].batch_id, "orders-0 [20,30)")
    named = sql(log_dsn, "SELECT batch_id, path FROM lakelock.batch_files ORDER BY staged_at")
    assert [(str(f["batch_id"]), f["path"]) for f in named] == [(p.batch_id, p.result.files[0].path) for p in parts]


def test_marking_twice_is_harmless_and_fills_in_the_snapshot(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    stage(log, batch)
    staged = one_staged(log)
    commit(log, [staged], None)
    commit(log, [staged], 11)
    commit(log, [staged], 12)
    marks = sql(log_dsn, "SELECT version_id, state FROM lakelock.parts")
    assert marks == [{"version_id": 11, "state": "committed"}]
    assert len(sql(log_dsn, "SELECT edge FROM lakelock.events WHERE edge = 'committed'")) == 1


def test_twin_committers_both_succeed_and_leave_one_mark(log_dsn: str) -> None:
    logs = [PostgresLog(log_dsn) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for start in range(0, 100, 10):
            stage(logs[0], plan(logs[0], (source(), start, start + 10)))
            staged = logs[0].staged(PIPELINE, TABLE)
            list(pool.map(lambda log, parts=staged: commit(log, parts), logs))
    assert logs[0].staged(PIPELINE) == []
    assert len(sql(log_dsn, "SELECT edge FROM lakelock.events WHERE edge = 'committed'")) == 10
    for log in logs:
        log.close()


def test_marks_lock_batches_in_planning_order_so_that_crossing_ones_cannot_deadlock(
    log: PostgresLog, log_dsn: str
) -> None:
    for start in range(0, 100, 10):
        stage(log, plan(log, (source(), start, start + 10)))
    parts = log.staged(PIPELINE, TABLE)
    numbers = [p.sequence for p in parts]
    with psycopg.connect(log_dsn) as holder, psycopg.connect(log_dsn) as watching, ThreadPoolExecutor(1) as pool:
        holder.execute("SELECT FROM lakelock.batches WHERE batch_no = %s FOR UPDATE", [numbers[-1]])
        marking = pool.submit(commit, log, parts[::-1])
        while not sql(log_dsn, "SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"):
            assert not marking.done()
        free = watching.execute("SELECT batch_no FROM lakelock.batches ORDER BY 1 FOR UPDATE SKIP LOCKED").fetchall()
        watching.rollback()
        holder.rollback()
        marking.result()
    assert free == [], "waiting for the last batch, the mark holds all before it"


def stale(part: StagedPart, case: str) -> StagedPart:
    if case == "attempt":
        return replace(part, attempt="attempt-0")
    identity = replace(part.result.identity, generation=1)
    return replace(part, result=replace(part.result, identity=identity))


MARKS: dict[str, Callable[[PostgresLog, StagedPart], None]] = {
    "committed": lambda log, p: commit(log, [p]),
    "replan": lambda log, p: log.replan(p, "why"),
    "abort": lambda log, p: abort(log, p, "why"),
}


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("case", ["attempt", "generation"])
def test_a_mark_for_another_attempt_or_generation_is_fenced(
    log: PostgresLog, batch: Batch, mark: str, case: str
) -> None:
    stage(log, batch)
    with pytest.raises(Fenced, match="cannot be marked"):
        MARKS[mark](log, stale(one_staged(log), case))
    assert states(log) == [(TABLE, "staged")]
    assert log.ledgers(PIPELINE) == {}, "a mark that is refused leaves the ledger alone, too"


@pytest.mark.parametrize(("first", "then"), [(a, b) for a in MARKS for b in MARKS if a != b])
def test_of_different_marks_the_first_holds(log: PostgresLog, batch: Batch, first: str, then: str) -> None:
    stage(log, batch)
    staged = one_staged(log)
    MARKS[first](log, staged)
    after = states(log)
    with pytest.raises(Fenced):
        MARKS[then](log, staged)
    assert states(log) == after
    MARKS[first](log, staged)
    assert states(log) == after, "the same mark again has no effect"


def test_one_part_that_cannot_be_marked_stops_its_companions(log: PostgresLog) -> None:
    for start in (0, 10):
        stage(log, plan(log, (source(), start, start + 10)))
    good, bad = log.staged(PIPELINE, TABLE)
    with pytest.raises(Fenced):
        commit(log, [good, stale(bad, "attempt")])
    assert len(log.staged(PIPELINE, TABLE)) == 2


def test_parts_of_two_tables_are_not_marked_together(log: PostgresLog, batch: Batch) -> None:
    stage(log, batch, part(batch), dead_letters(batch))
    with pytest.raises(ValueError, match="one table"):
        commit(log, log.staged(PIPELINE))


def test_a_replanned_part_is_written_again_by_a_new_attempt(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    stage(log, batch)
    old = one_staged(log)
    log.replan(old, "its files are gone")
    assert log.staged(PIPELINE) == []
    assert log.planned(PIPELINE)[0].planned_tables == (TABLE,)
    assert sql(log_dsn, "SELECT path FROM lakelock.batch_files") == []
    assert not log.heartbeat(batch.batch_id, "attempt-1")
    stage(log, batch, attempt="attempt-2", run="another run that need not wait")
    assert one_staged(log).attempt == "attempt-2"
    with pytest.raises(Fenced):
        commit(log, [old])
    commit(log, [one_staged(log)])


def test_staged_dead_letters_stay_when_their_data_is_written_again(log: PostgresLog, batch: Batch) -> None:
    """Their commit may be under way: given up here, they would land all the same, and their records could be rows by then."""
    stage(log, batch, part(batch, dead=1), dead_letters(batch))
    log.replan(one_staged(log), "schema changed")
    assert states(log) == [(TABLE, "planned"), (DEAD_LETTERS, "staged")]
    with pytest.raises(Fenced, match="already staged"):
        stage(log, batch, part(batch, dead=1), dead_letters(batch), attempt="attempt-2")
    commit(log, [one_staged(log, DEAD_LETTERS)])
    stage(log, batch, part(batch, dead=1), attempt="attempt-2")
    assert states(log) == [(TABLE, "staged"), (DEAD_LETTERS, "committed")]


def test_dead_letters_that_are_written_again_take_the_whole_of_their_data_along(log: PostgresLog) -> None:
    batch = plan(log, (source(0), 0, 10), (source(1), 0, 10))
    stage(log, batch, part(batch, dead=1), dead_letters(batch))
    dead = one_staged(log, DEAD_LETTERS)
    for _ in range(2):
        log.replan(dead, "files are gone")
    assert states(log) == [(TABLE, "planned"), (DEAD_LETTERS, "aborted")]
    assert log.staged(PIPELINE) == []
    stage(
        log, batch, part(batch, dead=1), dead_letters(batch), attempt="attempt-2", run="another run that need not wait"
    )
    assert {p.attempt for p in log.staged(PIPELINE)} == {"attempt-2"}


def test_dead_letters_whose_rows_are_committed_are_not_given_up(log: PostgresLog, batch: Batch) -> None:
    """They would be in neither table."""
    stage(log, batch, part(batch, dead=1), dead_letters(batch))
    commit(log, [one_staged(log)])
    with pytest.raises(TableUnfit, match="the rows of the same batch are already in"):
        log.replan(one_staged(log, DEAD_LETTERS), "files are gone")
    assert states(log) == [(TABLE, "committed"), (DEAD_LETTERS, "staged")]


def test_a_planned_part_is_cut_where_dead_letters_are_known(log: PostgresLog, batch: Batch) -> None:
    r = batch.ranges[0].range
    known = covered_range(OffsetRange(r.source, r.start, r.start + 4), TABLE)
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    with pytest.raises(Fenced):
        log.replan_unwritten(batch.batch_id, "a zombie", TABLE, "why", redo(Coverage().adding(booked(known), {}, 0)))
    for _ in range(2):
        log.replan_unwritten(batch.batch_id, "attempt-1", TABLE, "why", redo(Coverage().adding(booked(known), {}, 0)))
    found = sorted(p.range for b in log.planned(PIPELINE) for p in b.ranges if p.range.source == r.source)
    assert found == [OffsetRange(r.source, r.start, r.start + 4), OffsetRange(r.source, r.start + 4, r.end)]


def test_committed_dead_letters_stay_when_their_data_is_written_again(log: PostgresLog, batch: Batch) -> None:
    stage(log, batch, part(batch, dead=1), dead_letters(batch))
    commit(log, [one_staged(log, DEAD_LETTERS)])
    log.replan(one_staged(log), "schema changed")
    stage(log, batch, part(batch, dead=1), dead_letters(batch), attempt="attempt-2")
    assert states(log) == [(TABLE, "staged"), (DEAD_LETTERS, "committed"), (DEAD_LETTERS, "staged")]


def test_offsets_may_be_planned_again_once_every_part_of_a_batch_is_aborted(log: PostgresLog, log_dsn: str) -> None:
    tables = {TABLE: ["orders"], "lake.copy": ["orders"]}
    batch = plan(log, (source(), 0, 10), tables=tables)
    stage(log, batch, part(batch), part(batch, "lake.copy"))
    abort(log, one_staged(log), "overlap")
    assert sql(log_dsn, "SELECT state FROM lakelock.ranges") == [{"state": "open"}]
    abort(log, one_staged(log, "lake.copy"), "overlap")
    assert sql(log_dsn, "SELECT state FROM lakelock.ranges") == [{"state": "aborted"}]


def test_the_ledger_cache_never_goes_back(log: PostgresLog) -> None:
    for start in (0, 10):
        stage(log, plan(log, (source(), start, start + 10)))
    first, second = log.staged(PIPELINE, TABLE)
    older = ledger(log, OffsetRange(source(), 0, 10), commit_id="commit-1")
    newer = ledger(log, OffsetRange(source(), 0, 20), commit_id="commit-2")
    rolled_back = ledger(log, OffsetRange(source(), 0, 5), commit_id="commit-3", generation=1)
    log.committed([second], 12, "commit-2", newer)
    assert log.ledgers(PIPELINE) == {TABLE: newer}
    log.committed([first], 11, "commit-1", older)
    assert log.ledgers(PIPELINE) == {TABLE: newer}
    log.committed([first], 11, "commit-1", rolled_back)
    assert log.ledgers(PIPELINE) == {TABLE: rolled_back}, "a higher generation is newer, whatever it covers"


def test_a_table_is_bound_to_the_first_uuid(log: PostgresLog, batch: Batch) -> None:
    assert log.bound(PIPELINE) == {}, "a table that is only planned is not bound"
    assert log.bind(PIPELINE, TABLE, "uuid-1") == "uuid-1"
    assert log.bind(PIPELINE, TABLE, "uuid-2") == "uuid-1"
    assert log.bind("another", TABLE, "uuid-2") == "uuid-2"
    assert log.bound(PIPELINE) == {TABLE: "uuid-1"}
    stage(log, batch)
    commit(log, [one_staged(log)])
    assert log.bound(PIPELINE) == {TABLE: "uuid-1"}


def test_recent_shows_open_parts_then_the_last_finished(log: PostgresLog) -> None:
    batches = [plan(log, (source(), start, start + 10)) for start in range(0, 50, 10)]
    for batch in batches[:4]:
        stage(log, batch, part(batch, dead=1), dead_letters(batch))
    for number, staged in enumerate(log.staged(PIPELINE, TABLE)[:3]):
        commit(log, [staged], number)
    shown = log.recent(PIPELINE, 100)
    of_table = [p.state for p in shown if p.table == TABLE]
    assert of_table == ["planned", "staged", "committed", "committed", "committed"]
    assert shown[0].ranges == (OffsetRange(source(), 40, 50),)
    assert [p.version_id for p in shown if p.state == "committed"] == [2, 1, 0]
    assert [p.rows for p in shown if p.state == "committed"] == [9, 9, 9]
    assert log.recent(PIPELINE, 2) == shown[:2]
