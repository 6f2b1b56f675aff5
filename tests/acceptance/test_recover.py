"""Postgres lost or restored: one command later each record is there once, and of two recoveries the later one counts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest
from kits.forks import lakelock
from kits.recoveries import meanwhile, postgres_of, recover
from kits.topics import delete_before
from kits.world import World, write_next
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.app.runtime import Runtime
from lakelock.errors import Fenced

pytestmark = pytest.mark.drawn(0.15)


def landed(world: World, times: int = 3, bad: int = 1) -> None:
    for _ in range(times):
        world.produce(10, bad=[b"{"] * bad)
        world.run()


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
    """Also when no operator says it: the tables know what they hold."""
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


def test_a_recovery_that_slept_does_not_rebuild_over_a_later_one(near: World) -> None:
    with closing(near.runtime()) as slow, closing(near.runtime()) as runtime:

        def goes_on() -> None:
            runtime.recovery("second", announced=True).recover()
            near.produce(20)
            near.cycle(runtime)
            near.produce(20)
            write_next(runtime)
            for partition in (0, 1):
                delete_before(near, partition, 30)

        meanwhile(slow, "rebuild", goes_on)
        with pytest.raises(Fenced, match=r"overtaken: second started another one"):
            slow.recovery("first", announced=True).recover()
        assert len(runtime.log.staged(near.name, near.table)) == 1
        runtime.commit([near.table], now=True)
        assert runtime.recovery("tester").preview() == []
    near.audit()


def test_the_command_reports_first(near: World, new_log: Callable[[], str]) -> None:
    landed(near)
    dsn = new_log()
    postgres_of(near, dsn)

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return lakelock("recover", near.file, *more, environment=near.environment())

    assert run().returncode == 1
    shown = run("--take-over")
    assert shown.returncode == 0, shown.stderr
    assert "takes over the table" in shown.stdout
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
