"""A SQL catalog whose connection breaks at COMMIT, before Postgres has it or after: each row is in the table once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
from kits.commits import Bench, open_bench
from kits.wal import CommitCutter, Cut, sql
from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.catalogs import open_catalog
from lakelock.adapters.wal import migrate
from lakelock.errors import Unreachable
from pyiceberg.catalog.sql import SqlCatalog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from stack.postgres import Postgres
from stack.process import wait_until


@pytest.fixture(scope="module")
def log_dsn(postgres: Postgres) -> str:
    """One log for all pipelines of this file."""
    sql(postgres.dsn("postgres"), "CREATE DATABASE sql_catalog_cut")
    dsn = postgres.dsn("sql_catalog_cut")
    migrate(dsn)
    return dsn


@pytest.fixture
def catalog_dsn(new_database: Callable[[], str]) -> str:
    return new_database()


@pytest.fixture
def cutter(catalog_dsn: str) -> Iterator[CommitCutter]:
    cutter = CommitCutter(catalog_dsn)
    yield cutter
    cutter.close()


@pytest.fixture
def bench(
    folder: Path, namespace: str, log_dsn: str, catalog_dsn: str, cutter: CommitCutter, warehouse: str
) -> Iterator[Bench]:
    def properties(dsn: str) -> dict[str, str]:
        uri = dsn.replace("postgresql://", "postgresql+psycopg://")
        return {"type": "sql", "uri": uri, "warehouse": warehouse}

    through = f"postgresql://lakelock@127.0.0.1:{cutter.port}/{catalog_dsn.rpartition('/')[2]}"
    with open_bench(log_dsn, folder, namespace, properties(through), properties(catalog_dsn)) as bench:
        bench.stage()
        # What is cut is the commit, not the making of the catalog's own tables.
        bench.tables.load(bench.table)
        yield bench


CUTS: dict[str, list[Cut]] = {
    "before": ["before"],
    "after": ["after"],
    "three times": ["before", "before", "before"],
    "then landed": ["before", "after"],
}


@pytest.mark.parametrize("cuts", CUTS)
def test_a_commit_whose_connection_breaks_at_commit_lands_once(bench: Bench, cutter: CommitCutter, cuts: str) -> None:
    cutter.cut, *cutter.then = CUTS[cuts]
    assert bench.commit() == 1, bench.faults
    assert cutter.cuts == len(CUTS[cuts])
    bench.check(snapshots=1)
    bench.stage()
    bench.commit()
    bench.check(snapshots=2)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_catalog_that_is_gone_with_the_answer_is_asked_by_the_next_run(
    bench: Bench, cutter: CommitCutter, cut: Cut
) -> None:
    cutter.cut, cutter.refusing = cut, True
    with pytest.raises(Unreachable):
        bench.committer.commit(bench.table, now=True)
    cutter.refusing = False
    assert bench.commit() == 1
    bench.check(snapshots=1)


def test_a_commit_that_is_still_open_in_postgres_when_the_next_is_sent_lands_once(
    bench: Bench, cutter: CommitCutter, catalog_dsn: str
) -> None:
    """The client lost its connection, its transaction did not end: the table does not show it, and yet it lands."""
    waiting = (
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    cutter.cut = "held"
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(bench.commit)
        wait_until(lambda: bool(sql(catalog_dsn, waiting)[0]["n"]), 120, "the second try behind the first one's lock")
        cutter.deliver()
        assert run.result(60) == 1, bench.faults
    bench.check(snapshots=1)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_rollback_whose_connection_breaks_at_commit_is_done_once(
    bench: Bench, cutter: CommitCutter, cut: Cut
) -> None:
    bench.commit()
    target = bench.head
    bench.stage()
    bench.commit()
    bench.stage()
    cutter.cut = cut
    assert bench.roll_back(target) == 1, bench.faults
    state = bench.honest.load(bench.table)
    assert state.ledger is not None
    assert state.ledger.generation == 1
    bench.commit()
    bench.check()


def test_a_process_frozen_within_a_commit_holds_up_nobody_for_long(
    bench: Bench, catalog_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(internals, "IDLE_TRANSACTION_MS", 1_000)
    uri = catalog_dsn.replace("postgresql://", "postgresql+psycopg://")
    frozen = cast("SqlCatalog", open_catalog("lake", {"type": "sql", "uri": uri, "warehouse": "file:///none"}))
    with frozen.engine.connect() as connection:
        connection.execute(text("SELECT metadata_location FROM iceberg_tables FOR UPDATE"))
        assert bench.commit() == 1, bench.faults
        with pytest.raises(DBAPIError):
            connection.execute(text("SELECT 1"))
    bench.check(snapshots=1)
