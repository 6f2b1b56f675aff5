"""What follows a rollback and a rebuild, with the log's connection cut at each COMMIT: done once, as if nothing had been."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest
from kits.coverage import booked
from kits.wal import (
    PIPELINE,
    TABLE,
    CommitCutter,
    Cut,
    abort,
    commit,
    ledger,
    one_staged,
    part,
    plan,
    redo,
    source,
    sql,
    stage,
)
from lakelock.adapters.wal import PostgresLog, migrate
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import Stand
from lakelock.model.offsets import OffsetRange
from stack.postgres import Postgres
from stack.process import wait_until

OTHER = "lake.orders_too"
UUID = "uuid-1"
ALL = OffsetRange(source(), 0, 20)

Call = Callable[[], object]


def rolled_back(log: PostgresLog, generation: int, mode: Mode) -> Ledger:
    """The table is empty again."""
    record = Rollback(12, 11, mode, "tester", "a test")
    return replace(
        ledger(log, generation=generation), coverage=Coverage().starting({source(): 0}), rollback=record
    )  # fmt: skip


def follow_call(generation: int, mode: Mode) -> Callable[[PostgresLog], Call]:
    return lambda log: (
        lambda: log.follow(PIPELINE, TABLE, UUID, rolled_back(log, generation, mode), redo(max_offsets=15))
    )


def stage_again(log: PostgresLog) -> Call:
    """Of the batches that are planned again the first."""
    batch = log.planned(PIPELINE)[0]
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    return lambda: log.stage(batch.batch_id, "attempt-2", (part(batch, generation=2),))


def committed_again(log: PostgresLog) -> Call:
    staged = log.staged(PIPELINE, TABLE)
    after = replace(rolled_back(log, 1, Mode.RECOMMIT), coverage=Coverage().adding(booked(ALL), {source(): 0}, 1))
    return lambda: log.committed(staged, 13, "commit-2", after)


def replaced(log: PostgresLog) -> Call:
    staged = one_staged(log)
    ranges = [OffsetRange(source(), 0, 4), OffsetRange(source(), 6, 15)]
    return lambda: log.plan_instead(PIPELINE, staged, "in the table in part", ranges, redo(max_offsets=15))


def given_up(log: PostgresLog) -> Call:
    stage_again(log)()
    staged = one_staged(log)
    return lambda: abort(log, staged, "why")


def rebuilt(log: PostgresLog) -> Call:
    both = Coverage().adding(booked(ALL), {source(): 0}, 3)
    half = Coverage().adding(booked(OffsetRange(source(), 0, 10)), {source(): 0}, 3)
    stands = [
        Stand(n, f"uuid-{n}", replace(ledger(log, generation=3), coverage=c)) for n, c in ((TABLE, both), (OTHER, half))
    ]
    return lambda: log.rebuild(PIPELINE, stands, redo(max_offsets=15), "recovery-1")


CALLS: dict[str, Callable[[PostgresLog], Call]] = {
    "await": lambda log: lambda: log.await_generation(PIPELINE, TABLE, 1),
    "follow a recommit": follow_call(1, Mode.RECOMMIT),
    "commit again": committed_again,
    "follow a replay": follow_call(2, Mode.REPLAY),
    "stage again": stage_again,
    "replace": replaced,
    "give up": given_up,
    "fill": lambda log: lambda: log.fill(PIPELINE, TABLE, rolled_back(log, 2, Mode.REPLAY), redo(max_offsets=15)),
    "give up all": lambda log: lambda: log.give_up(PIPELINE, "tester", "recovery-1", None, lambda notes: None),
    "rebuild": rebuilt,
}

CONTENTS = (
    b"SELECT topic, partition, start_offset, next_offset FROM lakelock.streams WHERE lane = 'live'",
    b"SELECT r.offsets::text FROM lakelock.ranges r JOIN lakelock.parts p USING (batch_no) "
    b"WHERE r.state = 'open' AND p.state IN ('planned', 'staged') ORDER BY 1",
    b"SELECT table_name, state, attempt, generation, version_id, restaged, topics FROM lakelock.parts "
    b"WHERE state <> 'aborted' ORDER BY part_id",
    b"SELECT table_name, table_uuid, generation, awaited_generation, covered_offsets FROM lakelock.tables ORDER BY 1",
    b"SELECT DISTINCT table_name, start_offset FROM lakelock.table_streams ORDER BY 1, 2",
)


def contents(dsn: str) -> list[list[tuple[object, ...]]]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        return [connection.execute(query).fetchall() for query in CONTENTS]


def begin(log: PostgresLog) -> None:
    """Half of the table's offsets are in it, the other half is staged."""
    stage(log, plan(log, (source(), 0, 10)))
    log.bind(PIPELINE, TABLE, UUID)
    commit(log, [one_staged(log)])
    stage(log, plan(log, (source(), 10, 20)))


@pytest.fixture(scope="module")
def undisturbed(postgres: Postgres) -> dict[str, object]:
    sql(postgres.dsn("postgres"), "CREATE DATABASE undisturbed_rollback")
    dsn = postgres.dsn("undisturbed_rollback")
    migrate(dsn)
    after: dict[str, object] = {}
    with PostgresLog(dsn) as log:
        begin(log)
        for name, prepare in CALLS.items():
            prepare(log)()
            after[name] = contents(dsn)
    return after


@pytest.fixture
def cutter(log_dsn: str) -> Iterator[CommitCutter]:
    cutter = CommitCutter(log_dsn)
    yield cutter
    cutter.close()


def lead_to(log: PostgresLog, wanted: str) -> Call:
    begin(log)
    for name, prepare in CALLS.items():
        call = prepare(log)
        if name == wanted:
            return call
        call()
    raise AssertionError(wanted)


def test_each_call_changes_what_is_compared(undisturbed: dict[str, object]) -> None:
    seen = list(undisturbed.values())
    assert all(a != b for a, b in itertools.pairwise(seen))


@pytest.mark.parametrize("cut", ["before", "after"])
@pytest.mark.parametrize("name", CALLS)
def test_a_call_cut_at_commit_is_done_exactly_once(
    cutter: CommitCutter, undisturbed: dict[str, object], name: str, cut: Cut
) -> None:
    with PostgresLog(cutter.dsn) as log:
        call = lead_to(log, name)
        cutter.cut = cut
        call()
    assert cutter.cuts == 1, "the COMMIT was cut"
    assert contents(cutter.dsn) == undisturbed[name]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_whose_first_transaction_outlives_its_connection_is_done_exactly_once(
    cutter: CommitCutter, undisturbed: dict[str, object], name: str
) -> None:
    """Postgres gets the first COMMIT while the second try of the same call already waits for its locks."""
    waiting = (
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with PostgresLog(cutter.dsn) as log, ThreadPoolExecutor(1) as pool:
        call = lead_to(log, name)
        cutter.cut = "held"
        done = pool.submit(call)
        wait_until(lambda: bool(sql(cutter.dsn, waiting)[0]["n"]), 120, "the second try behind the first one's locks")
        cutter.deliver()
        done.result(60)
    assert contents(cutter.dsn) == undisturbed[name]
