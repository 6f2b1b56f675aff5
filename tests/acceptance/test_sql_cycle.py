"""SQL expressions through the CLI, on a real broker, Postgres, Spark Connect and catalog; read back by DuckDB."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import duckdb
import pytest
from kits import forks
from kits.lanes import SQL_BESIDE
from kits.topics import produce
from kits.world import World, connection

TABLE = """source: {{topics: [{topic}]}}
tables:
  - name: {table}
    columns:
      id: long
      total: {{type: "decimal(10, 2)"}}
      country: {{type: string, sql: "upper(land)"}}
      day: {{type: date, sql: "{day}"}}
    inputs:
      land: {{type: string, field: address.country}}
      created: string
      kind: string
    where: kind = 'order'
    partition_by: [day]
    checks:
      positive: {{sql: "total > 0", on_fail: {on_fail}}}
"""
DAY = "cast(created as date)"


class Cycle:
    """A pipeline file with these settings, and the command line."""

    def __init__(self, world: World, producer: Any) -> None:
        self.world, self._producer = world, producer
        self.file = world.folder / "orders.yaml"
        self.settings(DAY)

    def settings(self, day: str, on_fail: str = "stop") -> None:
        text = TABLE.format(topic=self.world.topic, table=self.world.table, day=day, on_fail=on_fail)
        self.file.write_text(text)

    def run(self, command: str, *options: object) -> subprocess.CompletedProcess[str]:
        return forks.lakelock(command, self.file, *options, environment={**os.environ, **self.world.environment()})

    def ok(self, command: str, *options: object) -> str:
        done = self.run(command, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def produce(self, *records: dict[str, Any]) -> None:
        produce(self._producer, self.world.topic, [json.dumps(r).encode() for r in records])

    def rows(self) -> list[tuple[Any, ...]]:
        """As DuckDB reads the files that the table's manifests name."""
        found = self.world.catalog.load_table(self.world.table)
        files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
        query = f"SELECT id, total, country, day FROM read_parquet({files!r}, hive_partitioning=false) ORDER BY id"
        found_rows: list[tuple[Any, ...]] = duckdb.sql(query).fetchall()
        return found_rows


@pytest.fixture
def cycle(world: World, producer: Any) -> Cycle:
    return Cycle(world, producer)


def order(number: int, **more: Any) -> dict[str, Any]:
    common = {"kind": "order", "total": 9.5, "created": "2026-11-27", "address": {"country": "ch"}}
    return {"id": number, **common, **more}


def test_expressions_from_the_check_to_a_redrive(cycle: Cycle) -> None:
    cycle.produce(order(1), order(2, kind="visit"), order(3, created="never"), order(4, address=None), {"id": 5})
    checked = cycle.ok("check", "--sample", 100)
    assert "ok    SQL: " in checked
    assert "would become 2 rows" in checked
    assert "1 dead letter, 2 filtered records (where: 2)" in checked
    assert checked.count("filtered: where") == 2
    assert "column 'day': its SQL fails for this record" in checked

    cycle.ok("run", "--once")
    first = [(1, "9.50", "CH", "2026-11-27"), (4, "9.50", None, "2026-11-27")]
    assert [tuple(None if v is None else v if isinstance(v, int) else str(v) for v in r) for r in cycle.rows()] == first
    assert json.loads(cycle.ok("audit", "--json"))

    cycle.produce(order(6, total=-1), order(7))
    refused = cycle.run("check", "--sample", 100)
    assert refused.returncode == 1
    assert "would become 3 rows" in refused.stdout
    assert "would stop the batch, because of 1 record" in refused.stdout
    assert "FAIL  sample: CheckFailed: " in refused.stdout
    stopped = cycle.run("run", "--once")
    assert stopped.returncode == 1
    assert "check 'positive' does not hold" in stopped.stderr + stopped.stdout
    assert len(cycle.rows()) == 2
    # Of a batch that is planned already, only this counts today.
    cycle.settings("if(created = '', null, date'2001-01-01')", "filter")
    cycle.ok("run", "--once")
    assert [(r[0], str(r[3])) for r in cycle.rows()] == [(1, "2026-11-27"), (4, "2026-11-27"), (7, "2026-11-27")]

    cycle.settings("try_cast(created as date)", "filter")
    preview = cycle.ok("redrive", "--why", "a date that never comes")
    assert "1 of the 1 that were tried now fit the table" in preview
    cycle.ok("redrive", "--yes", "--why", "a date that never comes")
    assert [(r[0], r[3]) for r in cycle.rows()][1] == (3, None)
    cycle.ok("audit")


def test_a_result_that_does_not_fit_is_refused_before_anything_is_read(cycle: Cycle) -> None:
    cycle.settings("concat(created, 'x')")
    cycle.produce(order(1))
    checked = cycle.run("check")
    assert checked.returncode == 1
    assert "column 'day' is date, but its SQL gives string; write cast(… as date)" in checked.stdout
    done = cycle.run("run", "--once")
    assert done.returncode == 1
    assert "its SQL gives string" in done.stdout + done.stderr


@pytest.mark.long
def test_a_driver_of_spark_submit_evaluates_expressions(cycle: Cycle) -> None:
    extra = {"spark.executor.memory": "1g"}
    cycle.world.connections["spark_default"] = connection("spark_default", "spark", host="local[2]", extra=extra)
    cycle.produce(order(1), order(2, kind="visit"), order(3, created="never"))
    checked = cycle.ok("check", "--sample", 100)
    assert "ok    SQL: " in checked
    assert "would become 1 row in 1 table partition, 1 dead letter, 1 filtered record (where: 1)" in checked
    cycle.ok("run", "--once")
    assert [r[0] for r in cycle.rows()] == [1]
    cycle.settings("try_cast(created as date)")
    cycle.ok("redrive", "--yes", "--why", "a date that never comes")
    assert [(r[0], r[3] is None) for r in cycle.rows()] == [(1, False), (3, True)]
    cycle.ok("audit")


@pytest.mark.drawn(0.5, group=SQL_BESIDE, about=("records/sql", "adapters/spark"))
def test_a_batch_with_wrong_expressions_is_written_after_the_file_is_fixed(cycle: Cycle) -> None:
    cycle.produce(order(1))
    cycle.ok("run", "--once")
    cycle.produce(order(2))
    cycle.settings("upper(created)")
    failed = cycle.run("run", "--once")
    assert failed.returncode != 0
    assert "column 'day' is date, but its SQL gives string" in failed.stderr
    cycle.settings(DAY)
    assert "planned again with the pipeline file as it is now" in cycle.ok("run", "--once")
    assert [row[0] for row in cycle.rows()] == [1, 2]
