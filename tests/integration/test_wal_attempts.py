"""One current attempt per batch: claims, heartbeats, releases, and zombies that are refused."""

from __future__ import annotations

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from kits.wal import PIPELINE, part, plan, source, sql
from lakelock.adapters.wal import PostgresLog
from lakelock.errors import BatchBusy, Fenced
from lakelock.model.batches import Batch


@pytest.fixture
def batch(log: PostgresLog) -> Batch:
    return plan(log, (source(), 0, 10))


def test_a_free_batch_is_taken_at_once(log: PostgresLog, batch: Batch) -> None:
    assert log.claim(batch.batch_id, "a1", "run-1", 30).attempt == "a1"
    assert log.planned(PIPELINE)[0].attempt == "a1"
    assert log.claim(batch.batch_id, "a1", "run-1", 30).attempt == "a1", "a second call is the same claim"


def test_another_run_has_to_wait_until_the_heartbeat_is_stale(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    with pytest.raises(BatchBusy, match=r"a1 of run-1.*0 s ago"):
        log.claim(batch.batch_id, "b1", "run-2", 30)
    sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '29 s'")
    with pytest.raises(BatchBusy):
        log.claim(batch.batch_id, "b1", "run-2", 30)
    sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '2 s'")
    assert log.claim(batch.batch_id, "b1", "run-2", 30).attempt == "b1"


def test_a_heartbeat_keeps_others_away(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '1 h'")
    assert log.heartbeat(batch.batch_id, "a1")
    with pytest.raises(BatchBusy):
        log.claim(batch.batch_id, "b1", "run-2", 30)


def test_the_next_attempt_of_the_same_run_takes_over_at_once_and_the_old_one_cannot_take_it_back(
    log: PostgresLog, batch: Batch
) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    assert log.claim(batch.batch_id, "a2", "run-1", 30).attempt == "a2"
    assert not log.heartbeat(batch.batch_id, "a1")
    assert log.heartbeat(batch.batch_id, "a2")
    with pytest.raises(Fenced, match="a1 was replaced by a2"):
        log.claim(batch.batch_id, "a1", "run-1", 30)
    with pytest.raises(Fenced, match="a2 works on it now"):
        log.stage(batch.batch_id, "a1", [part(batch)])


def test_an_old_attempt_cannot_take_the_batch_back_from_a_silent_one(
    log: PostgresLog, batch: Batch, log_dsn: str
) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    log.claim(batch.batch_id, "a2", "run-1", 30)
    sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '1 h'")
    with pytest.raises(Fenced):
        log.claim(batch.batch_id, "a1", "run-1", 30)
    assert log.claim(batch.batch_id, "b1", "run-2", 30).attempt == "b1"


def test_a_released_batch_is_free_for_everybody(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    log.release(batch.batch_id, "a1", "Unreachable")
    assert not log.heartbeat(batch.batch_id, "a1")
    with pytest.raises(Fenced):
        log.stage(batch.batch_id, "a1", [part(batch)])
    log.claim(batch.batch_id, "b1", "run-2", 30)
    log.release(batch.batch_id, "b1", "Unreachable")
    assert log.claim(batch.batch_id, "a1", "run-1", 30).attempt == "a1"
    ended = sql(log_dsn, "SELECT attempt, outcome, ended_at IS NOT NULL AS ended FROM lakelock.attempts ORDER BY 1")
    assert ended == [
        {"attempt": "a1", "outcome": None, "ended": False},
        {"attempt": "b1", "outcome": "Unreachable", "ended": True},
    ]


def test_releasing_what_one_does_not_hold_changes_nothing(log: PostgresLog, batch: Batch) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    log.claim(batch.batch_id, "a2", "run-1", 30)
    log.release(batch.batch_id, "a1", "Fenced")
    assert log.heartbeat(batch.batch_id, "a2")


def test_of_twins_that_claim_at_the_same_time_one_works(log_dsn: str) -> None:
    logs = [PostgresLog(log_dsn) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        for start in range(0, 50, 10):
            batch_id = plan(logs[0], (source(), start, start + 10)).batch_id

            def attempt(number: int, batch_id: str = batch_id) -> str | None:
                try:
                    return logs[number].claim(batch_id, f"a{number}", f"run-{number}", 30).attempt
                except BatchBusy:
                    return None

            won = [a for a in pool.map(attempt, range(6)) if a]
            assert len(won) == 1
            assert logs[0].heartbeat(batch_id, won[0])
    for log in logs:
        log.close()


def test_of_twins_that_take_over_a_silent_batch_one_works(log_dsn: str) -> None:
    logs = [PostgresLog(log_dsn) for _ in range(4)]
    batch_id = plan(logs[0], (source(), 0, 10)).batch_id
    with ThreadPoolExecutor(4) as pool:
        for turn in range(10):
            sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = heartbeat_at - interval '1 h'")

            def attempt(number: int, turn: int = turn) -> bool:
                try:
                    logs[number].claim(batch_id, f"a{number}-{turn}", f"run-{number}-{turn}", 30)
                except BatchBusy:
                    return False
                return True

            # In the first turn no attempt holds the batch; from then on a silent attempt does.
            assert sum(pool.map(attempt, range(4))) == 1
    for log in logs:
        log.close()


def test_a_heartbeat_does_not_wait_behind_other_work_of_the_log(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    holder = psycopg.connect(log_dsn)
    holder.execute("LOCK TABLE lakelock.configs IN ACCESS EXCLUSIVE MODE")
    reading = threading.Thread(target=lambda: log.config("digest-1"))
    reading.start()
    while not sql(
        log_dsn, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    ):
        time.sleep(0.01)
    assert log.heartbeat(batch.batch_id, "a1")
    assert reading.is_alive()
    holder.rollback()
    holder.close()
    reading.join()


def test_a_batch_the_log_does_not_know_is_fenced(log: PostgresLog) -> None:
    unknown = str(uuid.uuid4())
    with pytest.raises(Fenced, match="not in the write-ahead log"):
        log.claim(unknown, "a1", "run-1", 30)
    assert not log.heartbeat(unknown, "a1")


def test_what_an_attempt_did_is_in_the_events(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "a1", "run-1", 30)
    log.claim(batch.batch_id, "a2", "run-1", 30)
    log.stage(batch.batch_id, "a2", [part(batch)])
    log.release(batch.batch_id, "a2", "staged")
    edges = sql(log_dsn, "SELECT edge, attempt FROM lakelock.events ORDER BY event_id")
    assert [(e["edge"], e["attempt"]) for e in edges] == [
        ("planned", None),
        ("claimed", "a1"),
        ("claimed", "a2"),
        ("staged", "a2"),
        ("released", "a2"),
    ]
