"""A pipeline's tables are compacted on real servers, and end with each record once."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

# Airflow binds its log to what stdout is at its import, which must outlive any one test.
import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
import pytest
from kits.forks import lakelock
from kits.upkeep import (
    DAY_MS,
    DUE,
    FEW,
    SOME,
    aged,
    clean_up,
    compacted,
    landed,
    live,
    moves_while,
    named,
    on_disk,
    rewritten,
    roll_back,
    table_of,
)
from kits.world import World, connection
from lakelock.app.runtime import Runtime
from lakelock.model.ledger import Mode
from pyiceberg.table.snapshots import Operation

pytestmark = pytest.mark.drawn(0.15, about="upkeep/compact")


@pytest.fixture
def small(near: World) -> World:
    """Many small files; whatever is small is due."""
    near.settings = DUE
    landed(near)
    return near


# on Spark


@pytest.mark.long
def test_a_table_is_compacted_on_a_warm_spark_beside_the_pipeline(world: World) -> None:
    world.settings = DUE
    landed(world, 3, bad=1)
    before, dead_letters = live(world), f"{world.table}__dead_letters"
    with closing(world.runtime()) as runtime:
        world.produce(10)
        writing = threading.Thread(target=world.run)
        writing.start()
        done = runtime.compact(world.table)
        writing.join()
        assert done.files == len(before)
        assert done.into == 1
        assert runtime.compact(dead_letters).groups == 1
    assert not before & live(world)
    world.audit(dead=3)
    landed(world, 1)
    world.audit(dead=3)


def test_the_command_shows_or_does_and_starts_no_spark_where_nothing_is_due(world: World) -> None:
    world.settings = DUE
    landed(world, 2)

    def run(*more: str) -> str:
        done = lakelock("compact", world.file, *more, environment=world.environment())
        assert done.returncode == 0, done.stderr
        return done.stdout

    head = table_of(world).metadata_location
    shown = run("--dry-run")
    assert re.search(rf"{world.table}: 2 files of [\d.]+ KiB in 1 group\n", shown)
    assert "Nothing was changed. Repeat without --dry-run to run it." in shown
    assert table_of(world).metadata_location == head
    assert "in 1 group, rewritten into 1\n" in run("--table", world.table)
    world.audit()
    world.connections["spark_default"] = connection("spark_default", "spark_connect", host="sc://127.0.0.1", port=1)
    nothing = [f"{name}: no files to compact" for name in (world.table, f"{world.table}__dead_letters")]
    assert run().splitlines() == run("--dry-run").splitlines() == nothing


@pytest.mark.long
def test_a_driver_of_its_own_compacts_too(near: World, capfd: pytest.CaptureFixture[str]) -> None:
    near.settings = DUE
    landed(near, 2)
    near.copier = None
    near.connections["spark_default"] = connection("spark_default", "spark", host="local[2]")
    with closing(near.runtime()) as runtime:
        done = runtime.compact(near.table)
        assert (done.groups, done.into) == (1, 1), done.line
        assert "Spark-Submit cmd" in "".join(capfd.readouterr())
        assert runtime.compact(near.table).nothing
        assert "Spark-Submit cmd" not in "".join(capfd.readouterr()), "nothing is due"
    assert len(rewritten(near)) == len(live(near)) == 1
    near.audit()


# rollbacks, with Kafka


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("over", [True, False])
def test_a_rollback_over_a_compaction_or_to_it_keeps_each_record_once(small: World, mode: Mode, over: bool) -> None:
    rows = small.rows()
    with closing(small.runtime()) as runtime:
        compacted(small, runtime)
        landed(small, 2)
        roll_back(runtime, small.table, "last:4" if over else "last:2", mode)
        taken_out = 40 if over else 20
        assert len(small.rows()) == small.next_id - taken_out
        assert bool(rewritten(small)) == (not over)
        for _ in range(3):
            small.cycle(runtime)
        if mode is Mode.SKIP:
            assert len(small.rows()) == small.next_id - taken_out
            assert runtime.audit().complete
            return
        assert runtime.compact(small.table).groups == 1
        for _ in range(2):
            small.cycle(runtime)
    assert small.rows()[: len(rows)] != []
    small.audit()


def test_what_a_rollback_by_hand_takes_out_lands_again(small: World) -> None:
    with closing(small.runtime()) as runtime:
        before = table_of(small).snapshots()[-2].snapshot_id
        compacted(small, runtime)
        landed(small, 1)
        table_of(small).manage_snapshots().set_current_snapshot(before).commit()
        runtime.recovery("tester").recover()
        for _ in range(2):
            small.cycle(runtime)
        compacted(small, runtime)
    small.audit()


def test_a_log_that_is_lost_is_rebuilt_from_a_compacted_table(small: World, new_log: Any) -> None:
    with closing(small.runtime()) as runtime:
        compacted(small, runtime)
    dsn = new_log()
    fields = small.connections["lakelock_postgres"]
    small.connections["lakelock_postgres"] = connection(
        fields.conn_id, "postgres", host=fields.host, port=fields.port, login=fields.login, schema=dsn.rpartition("/")[2]
    )  # fmt: skip
    with closing(small.runtime()) as runtime:
        runtime.recovery("tester", take_over=True).recover()
        landed(small, 2)
        compacted(small, runtime)
    small.audit()


# expiry and orphans


def test_a_table_that_is_compacted_and_tidied_keeps_only_what_it_shows(small: World) -> None:
    with closing(small.runtime()) as runtime:
        old = live(small)
        compacted(small, runtime)
        landed(small, 2)
        runtime.expiry.expire(small.table, FEW)
        assert not old & on_disk(table_of(small))
        aged(table_of(small))
        clean_up(small)
        assert all(Path(p.removeprefix("file://")).exists() for p in named(table_of(small)))
        compacted(small, runtime)
    small.audit()


def test_all_goes_on_while_tables_are_compacted_expired_and_cleaned_up(small: World) -> None:
    def tidy(runtime: Runtime, table: str) -> None:
        runtime.compact(table)
        runtime.expiry.expire(table, SOME)
        runtime.orphans.clean_up(table, DAY_MS)

    moves_while(small, tidy)
    with closing(small.runtime()) as runtime:
        small.settings = DUE
        runtime.compact(small.table)
    small.audit(dead=12)
    operations = {s.summary.operation for s in table_of(small).snapshots() if s.summary}
    assert Operation.REPLACE in operations
    assert all(Path(p.removeprefix("file://")).exists() for p in named(table_of(small)))
