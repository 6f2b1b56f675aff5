"""Postgres lost, restored, or unaware of what somebody did by hand: one command later each record is there once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest
from kits.recoveries import postgres_of, recover
from kits.world import World, file_of, open_with, write_next
from lakelock.adapters.connections import postgres_dsn
from lakelock.compose import Runtime
from lakelock.core.ledger import Mode
from lakelock.errors import LakelockError, LedgerDetached, LedgerForeign


def landed(world: World, times: int = 3, bad: int = 1) -> None:
    for _ in range(times):
        world.produce(10, bad=[b"{"] * bad)
        world.run()


def test_where_all_is_well_nothing_is_done(near: World) -> None:
    landed(near)
    head = near.catalog.load_table(near.table).metadata_location
    assert recover(near) == []
    assert near.catalog.load_table(near.table).metadata_location == head


def test_a_lost_postgres_is_rebuilt_from_the_tables(near: World, new_log: Callable[[], str]) -> None:
    landed(near)
    with closing(near.runtime()) as before:
        near.produce(10, bad=[b"["])
        write_next(before)  # staged, and lost with the log
        (zombie,) = before.log.staged(near.name, near.table)
        dsn = new_log()
        postgres_of(near, dsn)
        with closing(near.runtime()) as runtime, pytest.raises(LedgerForeign, match="another installation"):
            near.cycle(runtime)
        with closing(near.runtime()) as runtime:
            found = runtime.recovery("tester").recover()
            assert [f.left for f in found] == [True, True], "nobody asked to take the tables over"
        assert len(recover(near, take_over=True)) == 3
        with pytest.raises(LedgerForeign):
            # A commit in flight against the log that is gone.
            before.commit([near.table], now=True)
    near.produce(10)
    for _ in range(3):
        near.run()
    table = near.catalog.load_table(near.table)
    assert not {f.path for f in zombie.result.files} & {t.file.file_path for t in table.scan().plan_files()}
    near.audit(dead=4)


def test_the_log_that_was_not_lost_after_all_writes_no_more(near: World, new_log: Callable[[], str]) -> None:
    lost = near.connections["lakelock_postgres"]
    near.produce(10)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
    dsn = new_log()
    postgres_of(near, dsn)
    recover(near, take_over=True)
    near.run()
    mine, near.connections["lakelock_postgres"] = near.connections["lakelock_postgres"], lost
    with closing(near.runtime()) as runtime, pytest.raises(LedgerForeign, match="another installation"):
        runtime.commit([near.table], now=True)
    near.connections["lakelock_postgres"] = mine
    near.audit()


def test_dead_letters_that_landed_before_the_log_was_lost_are_not_told_twice(
    near: World, new_log: Callable[[], str]
) -> None:
    landed(near)
    near.produce(10, bad=[b"[", b"{"])
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        runtime.commit([f"{near.table}__dead_letters"], now=True)
    dsn = new_log()
    postgres_of(near, dsn)
    recover(near, take_over=True)
    near.produce(10, bad=[b"x"])
    for _ in range(4):
        near.run()
    near.audit(dead=6)


@pytest.fixture
def restored(near: World, new_database: Callable[[], str]) -> Callable[[], None]:
    """Takes a copy of the log when asked for the fixture, and puts it in the log's place when called."""
    now = psycopg.conninfo.conninfo_to_dict(postgres_dsn(near.connections["lakelock_postgres"]))
    copy = new_database()
    name = str(psycopg.conninfo.conninfo_to_dict(copy)["dbname"])
    owner = postgres_dsn(near.connections["lakelock_postgres"]).replace(str(now["dbname"]), "postgres")
    landed(near)
    near.produce(10, bad=[b"["])
    with closing(near.runtime()) as runtime:
        write_next(runtime)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}"'.encode())
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{now["dbname"]}"'.encode())
    return lambda: postgres_of(near, copy)


@pytest.mark.parametrize("announced", [True, False])
def test_a_restored_postgres_ends_with_each_record_once(
    near: World, restored: Callable[[], None], announced: bool
) -> None:
    """Also when nobody says it: the tables know what they hold."""
    landed(near)
    near.produce(3)
    with closing(near.runtime()) as runtime:
        runtime.plan()
    restored()
    if announced:
        assert "restored" in recover(near, announced=True)[0]
    landed(near, 1)
    for _ in range(4):
        near.run()
    near.audit(dead=8)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_table_rolled_back_by_hand_is_adopted(near: World, mode: Mode) -> None:
    landed(near)
    table = near.catalog.load_table(near.table)
    history = [s.snapshot_id for s in table.metadata.snapshots]
    head = table.current_snapshot()
    assert head is not None
    target = table.metadata.snapshot_by_id(head.parent_snapshot_id or 0)
    assert target is not None
    assert target.parent_snapshot_id in history
    table.manage_snapshots().set_current_snapshot(target.parent_snapshot_id).commit()
    near.produce(5)
    with closing(near.runtime()) as runtime, pytest.raises(LedgerDetached, match="rolled back"):
        near.cycle(runtime)
    (line,) = recover(near, mode=mode)
    assert "rolled back by hand" in line
    for _ in range(3):
        near.run()
    with closing(near.runtime()) as runtime:
        found = runtime.audit()
    assert found.complete
    assert len(near.rows()) == near.next_id - (20 if mode is Mode.SKIP else 0)
    if mode is not Mode.SKIP:
        near.audit(dead=3)


def test_a_table_that_was_out_of_the_file_gets_what_it_missed(near: World) -> None:
    other = f"{near.namespace}.other"
    with open_with(near, file_of(near, near.table, other)) as runtime:
        near.produce(5)
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
    with open_with(near, file_of(near, near.table)) as runtime:
        near.produce(5)
        write_next(runtime)
        runtime.commit([near.table], now=True)
    near.produce(5)
    with open_with(near, file_of(near, near.table, other)) as runtime:
        write_next(runtime)
        with pytest.raises(LakelockError, match="comes first"):
            runtime.commit([near.table, other], now=True)
        (finding,) = runtime.recovery("tester").recover()
        assert "neither in it nor on its way" in finding.line
        assert runtime.recovery("tester").recover() == []
        write_next(runtime)
        runtime.commit([near.table, other], now=True)
        found = runtime.audit()
    assert found.complete, found
    assert near.catalog.load_table(other).scan().count() == 15


def test_the_command_tells_first(near: World, new_log: Callable[[], str]) -> None:
    landed(near)
    dsn = new_log()
    postgres_of(near, dsn)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lakelock.cli", "recover", str(near.file), *more]
        return subprocess.run(command, env=near.environment(), capture_output=True, text=True, check=False)

    assert run().returncode == 1
    shown = run("--take-over")
    assert shown.returncode == 0, shown.stderr
    assert "takes it over" in shown.stdout
    assert "Nothing was changed" in shown.stdout
    done = run("--take-over", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{near.name}: complete" in done.stdout
    assert "nothing to recover" in run().stdout
    assert_runs_on(near)


def assert_runs_on(world: World) -> None:
    world.produce(5)
    with closing(world.runtime()) as runtime:
        assert isinstance(runtime, Runtime)
        world.cycle(runtime)
    world.audit(dead=3)
