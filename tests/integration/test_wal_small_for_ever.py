"""Folding: hundreds of batches later the log is as small as after the first hundred, and answers the same."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from kits.wal import (
    CONFIG,
    DEAD_LETTERS,
    PIPELINE,
    TABLE,
    abort,
    commit,
    dead_letters,
    one_staged,
    part,
    plan,
    planned,
    source,
    sql,
    stage,
)
from lakelock.adapters.wal import PostgresLog
from lakelock.model.batches import LIVE

TABLES = ("batches", "ranges", "parts", "attempts", "files", "books", "events", "table_streams", "tables", "streams")


def one_cycle(log: PostgresLog, start: int) -> None:
    """A tiny batch from plan to commit, with a dead letter in every third."""
    dead = int(start % 3 == 0)
    batch = plan(log, (source(), start, start + 1), (source(1), start * 3, start * 3 + 3))
    stage(
        log,
        batch,
        *([part(batch, dead=1)] if dead else [part(batch)]),
        *([dead_letters(batch, ranges=[p.range for p in batch.ranges])] if dead else []),
    )
    for table in (DEAD_LETTERS, TABLE):
        commit(log, log.staged(PIPELINE, table))


def answers(log: PostgresLog) -> dict[str, object]:
    return {
        "streams": log.streams(PIPELINE, LIVE),
        "starts": log.declared_starts(PIPELINE, TABLE),
        "bound": log.bound(PIPELINE),
        "ledgers": log.ledgers(PIPELINE),
        "planned": log.planned(PIPELINE),
    }


def sizes(dsn: str) -> dict[str, int]:
    """Bytes per table, after the vacuum that autovacuum does on a server that is left alone."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        for table in TABLES:
            connection.execute(f"VACUUM lakelock.{table}")
    return {t: sql(dsn, f"SELECT pg_total_relation_size('lakelock.{t}') AS n")[0]["n"] for t in TABLES}


def test_the_log_levels_off(log: PostgresLog, log_dsn: str) -> None:
    measured = []
    log.bind(PIPELINE, TABLE, "uuid-1")
    for start in range(300):
        one_cycle(log, start)
        if start % 10 == 9:
            log.coalesce(PIPELINE, 20)
        if start % 30 == 29:
            measured.append(sizes(log_dsn))
    settled, last = measured[4], measured[-1]
    for table in TABLES:
        assert last[table] <= settled[table] * 1.1 + 16_384, f"{table} grows: {[m[table] for m in measured]}"
    kept = sql(log_dsn, "SELECT count(*) AS n FROM lakelock.batches")[0]["n"]
    assert kept == 20
    assert [(s.source.partition, s.start_offset, s.next_offset) for s in log.streams(PIPELINE, LIVE)] == [
        (0, 0, 300),
        (1, 0, 900),
    ]


def test_folding_changes_no_answer(log: PostgresLog, log_dsn: str) -> None:
    log.bind(PIPELINE, TABLE, "uuid-1")
    for start in range(12):
        one_cycle(log, start)
    plan(log, (source(), 12, 13))
    before = answers(log)
    assert log.coalesce(PIPELINE, 5) == 7
    assert answers(log) == before
    assert log.coalesce(PIPELINE, 5) == 0
    assert log.coalesce(PIPELINE, 0) == 5
    assert answers(log) == before
    assert log.coalesce("another", 0) == 0
    log.close()
    with PostgresLog(log_dsn) as again:
        assert answers(again) == before


def test_what_is_not_finished_is_never_folded(log: PostgresLog) -> None:
    tables = {TABLE: ["orders"], "lake.copy": ["orders"]}
    half = plan(log, (source(), 0, 10), tables=tables)
    stage(log, half, part(half))
    commit(log, [one_staged(log)])
    written = plan(log, (source(), 10, 20))
    stage(log, written, part(written, dead=1), dead_letters(written))
    commit(log, [one_staged(log)])
    aborted = plan(log, (source(), 20, 30))
    stage(log, aborted)
    abort(log, one_staged(log), "overlap")
    before = log.staged(PIPELINE)
    assert log.coalesce(PIPELINE, 0) == 1, "only the batch whose one part was aborted"
    assert [b.batch_id for b in log.planned(PIPELINE)] == [half.batch_id]
    assert [p.result for p in log.staged(PIPELINE)] == [p.result for p in before]
    assert log.coalesce(PIPELINE, 0) == 0


def test_one_call_folds_a_bounded_number_of_batches_and_files(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for start in range(0, 100, 10):
        batch = plan(log, (source(), start, start + 10))
        stage(log, batch, part(batch, files=5))
        commit(log, [one_staged(log)])
    monkeypatch.setattr("lakelock.adapters.wal.log.MAX_BATCHES", 4)
    assert log.coalesce(PIPELINE, 0) == 4
    monkeypatch.setattr("lakelock.adapters.wal.log.MAX_FILES", 8)
    assert log.coalesce(PIPELINE, 0) == 2
    monkeypatch.setattr("lakelock.adapters.wal.log.MAX_FILES", 1)
    assert [log.coalesce(PIPELINE, 0) for _ in range(5)] == [1, 1, 1, 1, 0]


def test_folding_at_the_same_time_takes_each_batch_once(log_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = [PostgresLog(log_dsn) for _ in range(4)]
    for start in range(60):
        one_cycle(logs[0], start)
    monkeypatch.setattr("lakelock.adapters.wal.log.MAX_BATCHES", 3)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda log: log.coalesce(PIPELINE, 60), logs))  # connects
        folded = 0
        while one_round := sum(pool.map(lambda log: log.coalesce(PIPELINE, 0), logs)):
            folded += one_round
    assert folded == 60
    assert sql(log_dsn, "SELECT FROM lakelock.batches") == []
    for log in logs:
        log.close()


def test_configurations_go_when_nothing_names_them(log: PostgresLog, log_dsn: str) -> None:
    for number in range(4):
        start = number * 10
        log.plan(
            PIPELINE, LIVE, str(uuid.uuid4()), CONFIG, f"digest-{number}", planned((source(), start, start + 10)),
            {source(): 0}, {TABLE: ["orders"]},
        )  # fmt: skip
        (batch,) = log.planned(PIPELINE)
        stage(log, batch)
        commit(log, [one_staged(log)])
    sql(log_dsn, "UPDATE lakelock.configs SET used_at = used_at - interval '2 d' WHERE digest <> 'digest-0'")
    log.coalesce(PIPELINE, 1)
    left = sql(log_dsn, "SELECT digest FROM lakelock.configs ORDER BY digest")
    # 0 was used today, 1 is the one in the table's ledger, 3 belongs to a batch that is kept.
    assert [row["digest"] for row in left] == ["digest-0", "digest-1", "digest-3"]
