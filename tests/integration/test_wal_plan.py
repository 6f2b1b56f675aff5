"""Planning: the frontier moves without gap or overlap, also if others plan at the same time."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from kits.wal import CONFIG, PIPELINE, TABLE, abort, part, plan, planned, source, sql, stage
from lakelock.adapters.wal import PostgresLog, planning
from lakelock.errors import PlanConflict, WalUnusable
from lakelock.model.batches import LIVE, Batch, StreamState
from lakelock.model.valid_through import Reach, Survey

ID = "0d9b7a3e-3f53-4a1c-9f0e-3a1f5b1f2c77"


def frontier(log: PostgresLog) -> dict[int, int]:
    return {s.source.partition: s.next_offset for s in log.streams(PIPELINE, LIVE)}


def test_a_plan_is_read_back_as_it_was_recorded(log: PostgresLog) -> None:
    batch_id = str(uuid.uuid4())
    batch = plan(log, (source(1), 5, 20), (source(0), 0, 10), starts={source(0): 0, source(1): 5}, batch_id=batch_id)
    assert batch == Batch(
        batch_id,
        PIPELINE,
        LIVE,
        CONFIG,
        "digest-1",
        tuple(planned((source(0), 0, 10), (source(1), 5, 20))),
        (TABLE,),
        None,
        has_survey=False,
    )
    assert log.planned(PIPELINE) == [batch]
    assert log.streams(PIPELINE, LIVE) == [StreamState(source(0), 0, 10), StreamState(source(1), 5, 20)]
    assert list(log.config("digest-1").items()) == list(CONFIG.items())
    assert list(log.config("digest-1")["columns"]) == ["z", "a"]  # type: ignore[call-overload]


def test_planned_batches_come_oldest_first(log: PostgresLog) -> None:
    batches = [plan(log, (source(), start, start + 10)) for start in range(0, 50, 10)]
    assert log.planned(PIPELINE) == batches
    assert log.planned("another") == []


@pytest.mark.parametrize("start", [5, 15], ids=["overlap", "gap"])
def test_a_range_that_does_not_begin_at_the_frontier_is_refused_whole(log: PostgresLog, start: int) -> None:
    plan(log, (source(0), 0, 10))
    with pytest.raises(PlanConflict, match="frontier, which is 10"):
        plan(log, (source(0), start, 20), (source(1), 0, 5))
    assert frontier(log) == {0: 10}, "partition 1 was not declared by the plan that failed"
    assert len(log.planned(PIPELINE)) == 1


def test_a_source_that_nobody_declared_is_refused(log: PostgresLog) -> None:
    with pytest.raises(PlanConflict, match="not declared"):
        plan(log, (source(), 0, 10), starts={})


def test_the_survey_of_a_batch_is_kept_as_it_was_when_it_was_planned(log: PostgresLog) -> None:
    found = Survey(1_700_000_000_123, {source(0): Reach(10, True), source(1): Reach(0, False)})
    for survey in (found, Survey(1, {})):
        log.plan(
            PIPELINE, LIVE, ID, CONFIG, "digest-1", planned((source(), 0, 10)), {source(): 0}, {TABLE: ["t"]}, survey
        )
    assert log.survey(ID) == found
    assert log.survey(plan(log, (source(), 10, 20)).batch_id) is None
    assert log.survey(str(uuid.uuid4())) is None


def test_planning_nothing_declares_starts_only(log: PostgresLog) -> None:
    plan(log, starts={source(): 40})
    assert log.streams(PIPELINE, LIVE) == [StreamState(source(), 40, 40)]
    plan(log, starts={source(): 99})
    assert log.streams(PIPELINE, LIVE) == [StreamState(source(), 40, 40)], "the first declaration stands"
    assert log.planned(PIPELINE) == []


def test_the_same_plan_again_returns_what_was_recorded(log: PostgresLog) -> None:
    batch = plan(log, (source(), 0, 10))
    stage(log, batch)
    again = plan(log, (source(), 0, 10), batch_id=batch.batch_id)
    assert (again.batch_id, again.ranges, again.planned_tables) == (batch.batch_id, batch.ranges, ())
    assert frontier(log) == {0: 10}
    with pytest.raises(PlanConflict, match="other ranges"):
        plan(log, (source(), 10, 20), batch_id=batch.batch_id)


def test_a_batch_has_one_range_per_source(log: PostgresLog) -> None:
    with pytest.raises(ValueError, match="one range per source"):
        plan(log, (source(), 0, 10), (source(), 10, 20))


def test_only_tables_that_take_a_topic_of_the_batch_get_a_part(log: PostgresLog) -> None:
    tables = {"lake.a": ["orders"], "lake.b": ["orders", "refunds"], "lake.c": ["refunds"]}
    assert plan(log, (source(), 0, 10), tables=tables).planned_tables == ("lake.a", "lake.b")


def test_lanes_and_pipelines_have_frontiers_of_their_own(log: PostgresLog) -> None:
    plan(log, (source(), 0, 10))
    plan(log, (source(), 0, 30), lane="backfill-1")
    plan(log, (source(), 0, 40), pipeline="another")
    assert frontier(log) == {0: 10}


def test_two_planners_of_the_same_range_one_wins(log_dsn: str) -> None:
    logs = [PostgresLog(log_dsn) for _ in range(6)]

    def attempt(log: PostgresLog) -> bool:
        try:
            plan(log, (source(0), 0, 10), (source(1), 0, 10))
        except PlanConflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(attempt, logs)) == [False] * 5 + [True]
    assert len(logs[0].planned(PIPELINE)) == 1
    for log in logs:
        log.close()


def test_planners_that_race_for_a_backlog_cover_it_without_gap_or_overlap(log_dsn: str) -> None:
    def work(number: int) -> list[Batch]:
        won = []
        with PostgresLog(log_dsn) as log:
            plan(log, starts={source(p): 0 for p in range(3)})
            while (streams := log.streams(PIPELINE, LIVE))[0].next_offset < 60:
                # Each planner names the sources in another order.
                ranges = [(s.source, s.next_offset, s.next_offset + 3) for s in streams]
                try:
                    won.append(plan(log, *ranges[number % 3 :], *ranges[: number % 3], starts={}))
                except PlanConflict:
                    continue
        return won

    with ThreadPoolExecutor(4) as pool:
        batches = [b for won in pool.map(work, range(4)) for b in won]
    for partition in range(3):
        stored = sorted(
            (p.range.start, p.range.end) for b in batches for p in b.ranges if p.range.source.partition == partition
        )
        assert stored == [(start, start + 3) for start in range(0, 60, 3)]


def test_the_database_itself_refuses_an_overlap(log: PostgresLog, log_dsn: str) -> None:
    plan(log, (source(), 0, 10))
    sql(log_dsn, "UPDATE lakelock.streams SET start_offset = 0, next_offset = 5")
    with pytest.raises(PlanConflict, match="ranges_do_not_overlap"):
        plan(log, (source(), 5, 15), starts={})
    assert frontier(log) == {0: 5}, "the whole transaction was rolled back"
    sql(log_dsn, "UPDATE lakelock.ranges SET state = 'aborted'")
    plan(log, (source(), 5, 15), starts={})


@pytest.mark.parametrize("offsets", ["empty", "[5,)", "(,5)", "[-5,5)"])
def test_the_database_itself_refuses_what_is_no_range(log: PostgresLog, log_dsn: str, offsets: str) -> None:
    plan(log, (source(), 0, 10))
    with pytest.raises(psycopg.errors.CheckViolation):
        sql(log_dsn, "UPDATE lakelock.ranges SET offsets = %s::int8range", offsets)


def test_crossing_inserts_end_in_a_conflict_never_in_a_hang(log: PostgresLog, log_dsn: str) -> None:
    plan(log, starts={source(0): 0, source(1): 0})
    holder = psycopg.connect(log_dsn)
    holder.execute("SELECT FROM lakelock.streams WHERE partition = 1 FOR UPDATE")
    with PostgresLog(log_dsn, lock_timeout_ms=200) as other, pytest.raises(PlanConflict, match="lock timeout"):
        plan(other, (source(0), 0, 10), (source(1), 0, 10))
    holder.rollback()
    holder.close()
    plan(log, (source(0), 0, 10), (source(1), 0, 10))


def test_a_plan_that_breaks_half_way_leaves_nothing(log: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(planning, "add_event", broken)
        with pytest.raises(RuntimeError, match="killed"):
            plan(log, (source(), 0, 10))
    assert log.streams(PIPELINE, LIVE) == []
    assert plan(log, (source(), 0, 10)).planned_tables == (TABLE,)


def test_a_configuration_nobody_planned_under_is_refused(log: PostgresLog) -> None:
    with pytest.raises(WalUnusable, match="digest-9"):
        log.config("digest-9")


def test_a_table_begins_at_its_first_planned_range_and_else_at_the_frontier(log: PostgresLog) -> None:
    both = {TABLE: ["orders"], "lake.late": ["orders"]}
    plan(log, (source(0), 0, 10), starts={source(0): 0, source(1): 4})
    assert log.declared_starts(PIPELINE, TABLE) == {source(0): 0, source(1): 4}
    assert log.declared_starts(PIPELINE, "lake.late") == {}
    late = plan(log, (source(0), 10, 20), tables=both)
    plan(log, (source(0), 20, 30), (source(1), 4, 9), tables=both, starts={})
    assert log.declared_starts(PIPELINE, TABLE) == {source(0): 0, source(1): 4}
    assert log.declared_starts(PIPELINE, "lake.late") == {source(0): 10, source(1): 4}
    log.claim(late.batch_id, "attempt-1", "run-1", 30)
    log.stage(late.batch_id, "attempt-1", [part(late, "lake.late")])
    abort(log, log.staged(PIPELINE, "lake.late")[0], "overlap")
    assert log.declared_starts(PIPELINE, "lake.late")[source(0)] == 10, "a later start would hide the missing range"
