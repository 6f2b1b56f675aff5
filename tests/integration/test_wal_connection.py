"""Lost connections, servers to refuse, and what a person reads then. A call cut at COMMIT is never lost or done twice."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Literal

import psycopg
import pytest
from kits.wal import (
    DEAD_LETTERS,
    PIPELINE,
    TABLE,
    CommitCutter,
    abort,
    commit,
    dead_letters,
    one_staged,
    part,
    plan,
    source,
    sql,
    stage,
)
from lakelock.adapters.wal import PostgresLog, migrate
from lakelock.errors import AccessDenied, ConnectionFault, Fenced, OutcomeUnknown, Unreachable, WalUnusable
from lakelock.model.batches import LIVE, StreamState
from psycopg.conninfo import make_conninfo
from stack.postgres import Postgres

SECRET = "planted-secret-7f3a"


@pytest.fixture
def cutter(wal_dsn: str) -> Iterator[CommitCutter]:
    migrate(wal_dsn)
    cutter = CommitCutter(wal_dsn)
    yield cutter
    cutter.close()


Call = Callable[[], object]


def stage_call(log: PostgresLog, batch_id: str) -> Call:
    (batch,) = log.planned(PIPELINE)
    parts = [part(batch, dead=1), dead_letters(batch)]
    return lambda: log.stage(batch_id, "attempt-1", parts)


def commit_call(log: PostgresLog, table: str) -> Call:
    staged = log.staged(PIPELINE, table)
    return lambda: commit(log, staged)


def replan_call(log: PostgresLog, table: str) -> Call:
    staged = one_staged(log, table)
    return lambda: log.replan(staged, "why")


def abort_call(log: PostgresLog, table: str) -> Call:
    staged = one_staged(log, table)
    return lambda: abort(log, staged, "why")


def stage_data_call(log: PostgresLog, batch_id: str) -> Call:
    """The dead letters are staged already."""
    (batch,) = log.planned(PIPELINE)
    parts = [part(batch, dead=1)]
    return lambda: log.stage(batch_id, "attempt-1", parts)


# In this order they lead a batch from plan to folding. Each reads what it needs, then returns the call to cut.
CALLS: dict[str, Callable[[PostgresLog, str], Call]] = {
    "plan": lambda log, batch_id: lambda: plan(log, (source(), 0, 10), batch_id=batch_id),
    "claim": lambda log, batch_id: lambda: log.claim(batch_id, "attempt-1", "run-1", 30),
    "heartbeat": lambda log, batch_id: lambda: log.heartbeat(batch_id, "attempt-1"),
    "stage": stage_call,
    "replan": lambda log, _: replan_call(log, TABLE),
    "claim again": lambda log, batch_id: lambda: log.claim(batch_id, "attempt-1", "run-1", 30),
    "stage again": stage_data_call,
    "release": lambda log, batch_id: lambda: log.release(batch_id, "attempt-1", "done"),
    "bind": lambda log, _: lambda: log.bind(PIPELINE, TABLE, "uuid-1"),
    "committed": lambda log, _: commit_call(log, DEAD_LETTERS),
    "abort": lambda log, _: abort_call(log, TABLE),
    "coalesce": lambda log, _: lambda: log.coalesce(PIPELINE, 0),
}


CONTENTS = (
    b"SELECT topic, partition, start_offset, next_offset FROM lakelock.streams",
    b"SELECT batch_id, attempt, holder_run FROM lakelock.batches",
    b"SELECT attempt, run, outcome FROM lakelock.attempts",
    b"SELECT offsets::text, state FROM lakelock.ranges",
    b"SELECT table_name, target, state, attempt, version_id FROM lakelock.parts ORDER BY part_id",
    b"SELECT row_count FROM lakelock.files ORDER BY row_count",
    b"SELECT read_count, dead_count FROM lakelock.books ORDER BY 1",
    b"SELECT table_name, table_uuid FROM lakelock.tables ORDER BY 1",
    b"SELECT table_name, target, start_offset FROM lakelock.table_streams ORDER BY 1",
    b"SELECT edge, table_name FROM lakelock.events ORDER BY event_id",
)


def contents(dsn: str) -> list[list[tuple[object, ...]]]:
    """Everything the log holds but times and generated numbers."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        return [connection.execute(query).fetchall() for query in CONTENTS]


BATCH_ID = "11111111-2222-3333-4444-555555555555"


@pytest.fixture(scope="module")
def undisturbed(postgres: Postgres) -> dict[str, object]:
    """What the log holds after each call of a sequence that nothing interrupts."""
    sql(postgres.dsn("postgres"), "CREATE DATABASE undisturbed")
    dsn = postgres.dsn("undisturbed")
    migrate(dsn)
    after: dict[str, object] = {}
    with PostgresLog(dsn) as log:
        for name, prepare in CALLS.items():
            prepare(log, BATCH_ID)()
            after[name] = contents(dsn)
    return after


@pytest.mark.parametrize("how", ["before", "after"])
@pytest.mark.parametrize("cut_call", CALLS)
def test_a_call_cut_at_commit_is_done_exactly_once(
    cutter: CommitCutter, undisturbed: dict[str, object], cut_call: str, how: Literal["before", "after"]
) -> None:
    with PostgresLog(cutter.dsn) as log:
        for name, prepare in CALLS.items():
            call = prepare(log, BATCH_ID)
            if name == cut_call:
                log.heartbeat(BATCH_ID, "attempt-1")  # opens the connection of heartbeats, too
                cutter.cut = how
            call()
            if name == cut_call:
                break
    assert cutter.cuts == 1, "the COMMIT was cut"
    assert contents(cutter.dsn) == undisturbed[cut_call]


def test_a_commit_nobody_can_answer_for_is_unknown_and_done_or_not_done_whole(cutter: CommitCutter) -> None:
    with PostgresLog(cutter.dsn, patience_s=0.5) as log:
        plan(log, starts={source(): 0})
        cutter.cut, cutter.refusing = "after", True
        batch_id = str(uuid.uuid4())
        with pytest.raises(OutcomeUnknown, match="completely or not at all"):
            plan(log, (source(), 0, 10), batch_id=batch_id)
        cutter.refusing = False
        assert [b.batch_id for b in log.planned(PIPELINE)] == [batch_id]
        assert plan(log, (source(), 0, 10), batch_id=batch_id).batch_id == batch_id


def test_a_connection_lost_between_calls_is_opened_again(cutter: CommitCutter, wal_dsn: str) -> None:
    with PostgresLog(cutter.dsn) as log:
        batch = plan(log, (source(), 0, 10))
        cutter.drop()
        assert log.streams(PIPELINE, LIVE) == [StreamState(source(), 0, 10)]
        sql(
            wal_dsn,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND application_name = 'lakelock'",
        )
        stage(log, batch)
        assert one_staged(log).batch_id == batch.batch_id


def test_a_server_that_stays_away_is_unreachable_and_nothing_was_changed(cutter: CommitCutter) -> None:
    with PostgresLog(cutter.dsn, patience_s=0.3) as log:
        plan(log, (source(), 0, 10))
        cutter.refusing = True
        cutter.drop()
        with pytest.raises(Unreachable):
            plan(log, (source(), 10, 20))
        cutter.refusing = False
        assert len(log.planned(PIPELINE)) == 1


def test_a_restart_of_postgres_is_waited_for(new_postgres: Callable[[], Postgres]) -> None:
    server = new_postgres()
    migrate(server.dsn())
    with PostgresLog(server.dsn(), patience_s=60) as log:
        batch = plan(log, (source(), 0, 10))
        server.kill()
        back = Thread(target=server.start)
        back.start()
        stage(log, batch)
        back.join()
        assert one_staged(log).batch_id == batch.batch_id


def test_nobody_listening_is_unreachable_and_names_the_address(wal_dsn: str) -> None:
    dsn = make_conninfo(wal_dsn, port=1, password=SECRET)
    with PostgresLog(dsn) as log, pytest.raises(Unreachable, match=r"127\.0\.0\.1:1/t_\w+.*refused") as caught:
        log.installation_id()
    assert SECRET not in str(caught.value) + repr(log) + repr(log._main._server)
    with pytest.raises(Unreachable):
        migrate(dsn)


def test_a_database_that_is_not_there_says_so(wal_dsn: str) -> None:
    with PostgresLog(make_conninfo(wal_dsn, dbname="nowhere")) as log, pytest.raises(WalUnusable, match="Create the"):
        log.installation_id()


def test_an_address_that_cannot_be_read_does_not_show_its_password() -> None:
    with pytest.raises(ConnectionFault) as caught:
        PostgresLog(f"postgresql://u:{SECRET}@h:5432/d?nonsense={SECRET}")
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_wrong_password_is_access_denied(new_postgres: Callable[[], Postgres]) -> None:
    server = new_postgres()
    migrate(server.dsn())
    sql(server.dsn(), "CREATE USER worker PASSWORD 'right'")
    (row,) = sql(server.dsn(), "SHOW hba_file")
    Path(row["hba_file"]).write_text("host all lakelock all trust\nhost all all all scram-sha-256\n")
    sql(server.dsn(), "SELECT pg_reload_conf()")
    dsn = make_conninfo(server.dsn(), user="worker", password=SECRET)
    with PostgresLog(dsn) as log, pytest.raises(AccessDenied, match=r"refused user 'worker'") as caught:
        log.installation_id()
    assert SECRET not in str(caught.value)
    with PostgresLog(make_conninfo(dsn, password="")) as log, pytest.raises(AccessDenied, match="no password"):
        log.installation_id()
    nobody = make_conninfo(server.dsn(), user="lakelock_of_yesterday")
    Path(row["hba_file"]).write_text("host all all all trust\n")
    sql(server.dsn(), "SELECT pg_reload_conf()")
    with PostgresLog(nobody) as log, pytest.raises(AccessDenied, match="refused user 'lakelock_of_yesterday'"):
        log.installation_id()


@dataclass(frozen=True)
class Role:
    name: str
    dsn: str


@pytest.fixture
def role(wal_dsn: str) -> Iterator[Role]:
    migrate(wal_dsn)
    name = f"r_{uuid.uuid4().hex[:10]}"
    sql(wal_dsn, f"CREATE ROLE {name} LOGIN")
    yield Role(name, make_conninfo(wal_dsn, user=name))
    sql(wal_dsn, f"DROP OWNED BY {name}")
    sql(wal_dsn, f"DROP ROLE {name}")


def test_missing_rights_are_named(wal_dsn: str, role: Role) -> None:
    with PostgresLog(role.dsn) as log, pytest.raises(AccessDenied, match="lacks USAGE on schema lakelock"):
        log.installation_id()
    sql(wal_dsn, f"GRANT USAGE ON SCHEMA lakelock TO {role.name}")
    with PostgresLog(role.dsn) as log, pytest.raises(AccessDenied, match="permission denied for table migrations"):
        log.installation_id()
    sql(wal_dsn, f"GRANT SELECT ON ALL TABLES IN SCHEMA lakelock TO {role.name}")
    with (
        PostgresLog(role.dsn) as log,
        pytest.raises(AccessDenied, match=r"DELETE, INSERT, UPDATE on lakelock\.batches"),
    ):
        log.installation_id()
    with pytest.raises(AccessDenied):
        migrate(role.dsn)
    sql(wal_dsn, f"GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lakelock TO {role.name}")
    with PostgresLog(role.dsn) as log:
        stage(log, plan(log, (source(), 0, 10)))
        commit(log, [one_staged(log)])
        log.coalesce(PIPELINE, 0)


def test_a_read_only_server_is_refused(wal_dsn: str) -> None:
    migrate(wal_dsn)
    name = psycopg.conninfo.conninfo_to_dict(wal_dsn)["dbname"]
    sql(wal_dsn, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    with PostgresLog(wal_dsn) as log, pytest.raises(WalUnusable, match="is read-only"):
        log.installation_id()


def test_a_replica_is_refused(new_postgres: Callable[[], Postgres]) -> None:
    server = new_postgres()
    migrate(server.dsn())
    server.stop()
    (server.home / "data" / "standby.signal").touch()
    server.start()
    with PostgresLog(server.dsn()) as log, pytest.raises(WalUnusable, match="is a replica"):
        log.installation_id()
    with pytest.raises(WalUnusable, match="is a replica"):
        migrate(server.dsn())


def test_a_server_that_becomes_a_replica_while_connected_is_refused(wal_dsn: str) -> None:
    migrate(wal_dsn)
    with PostgresLog(wal_dsn) as log:
        plan(log, (source(), 0, 10))
        log._main._connected().execute("SET default_transaction_read_only = on")
        with pytest.raises(WalUnusable, match="is read-only"):
            plan(log, (source(), 10, 20))


def test_sessions_have_their_time_outs_and_wait_for_the_disk(wal_dsn: str) -> None:
    migrate(wal_dsn)
    name = psycopg.conninfo.conninfo_to_dict(wal_dsn)["dbname"]
    sql(wal_dsn, f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    with PostgresLog(wal_dsn, application_name="lakelock shop", lock_timeout_ms=1234) as log:
        log.installation_id()
        settings = {
            name: log._main._connected().execute(f"SHOW {name}".encode()).fetchone()
            for name in (
                "lock_timeout",
                "statement_timeout",
                "idle_in_transaction_session_timeout",
                "application_name",
                "synchronous_commit",
            )
        }
    assert [next(iter(row.values())) for row in settings.values() if row] == [
        "1234ms",
        "1min",
        "1min",
        "lakelock shop",
        "on",
    ]


def test_a_lock_that_another_session_holds_is_not_waited_for_without_end(wal_dsn: str) -> None:
    migrate(wal_dsn)
    with PostgresLog(wal_dsn, lock_timeout_ms=100) as log:
        batch = plan(log, (source(), 0, 10))
        holder = psycopg.connect(wal_dsn)
        holder.execute("SELECT FROM lakelock.batches FOR UPDATE")
        with pytest.raises(Unreachable, match="waited too long for other sessions"):
            log.claim(batch.batch_id, "attempt-1", "run-1", 30)
        holder.rollback()
        holder.close()
        log.claim(batch.batch_id, "attempt-1", "run-1", 30)


def test_a_refused_call_leaves_the_connection_usable(wal_dsn: str) -> None:
    migrate(wal_dsn)
    with PostgresLog(wal_dsn) as log:
        batch = plan(log, (source(), 0, 10))
        with pytest.raises(Fenced) as caught:
            log.stage(batch.batch_id, "nobody", [part(batch)])
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        stage(log, batch)
