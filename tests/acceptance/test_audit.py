"""`audit` against tables and logs that were harmed behind its back, and beside a pipeline that runs."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from contextlib import closing

import psycopg
import pyarrow as pa
import pytest
from lakelock.adapters.connections import postgres_dsn
from lakelock.commands import audit_text
from lakelock.steps.audit import PipelineAudit

from acceptance.world import World


def audited(world: World) -> PipelineAudit:
    with closing(world.runtime()) as runtime:
        return runtime.audit()


def faults(world: World) -> list[str]:
    return [fault for table in audited(world).tables for fault in table.faults]


def harm(world: World, statement: str) -> None:
    with psycopg.connect(postgres_dsn(world.connections["lakelock_postgres"])) as connection:
        assert connection.execute(statement).rowcount > 0


def test_every_moment_of_a_batch_is_complete(world: World) -> None:
    world.produce(40, bad=[b"no json", b"{"])
    assert audited(world).complete
    with closing(world.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        assert audited(world).complete
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
        assert audited(world).complete
        world.commit(runtime)
        world.produce(6)
        assert runtime.plan().batch_id is not None
    found = audited(world)
    assert found.complete, audit_text(found)
    (table,) = found.tables
    totals = [s.totals for s in table.sources if s.totals]
    assert sum(t.written for t in totals) == sum(s.counted.rows for s in table.sources if s.counted) == 40
    assert sum(t.dead for t in totals) == sum(s.letters.rows for s in table.sources if s.letters) == 2
    assert (sum(s.held for s in table.sources), sum(s.open for s in table.sources)) == (42, 6)
    print(audit_text(found))


def test_rows_that_came_or_went_behind_our_back_are_counted(moved: World) -> None:
    table = moved.catalog.load_table(moved.table)
    rows = table.scan().to_arrow()
    assert faults(moved) == []
    table.append(rows.slice(0, 3))
    assert any("rows have an offset that another row has, too" in f for f in faults(moved))
    table.overwrite(rows.slice(0, 18))
    assert sum("rows were written" in f for f in faults(moved)) >= 1
    table.overwrite(rows)
    assert faults(moved) == []
    stranger = rows.slice(0, 1).to_pylist()[0] | {"_kafka_offset": 10_000}
    table.append(pa.Table.from_pylist([stranger], rows.schema))
    assert any("1 rows have an offset that the ledger does not have" in f for f in faults(moved))
    table.append(pa.Table.from_pylist([stranger | {"_kafka_partition": 7}], rows.schema))
    assert any("1 rows have no offset" in f or "partition" in f for f in faults(moved))


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "UPDATE lakelock.parts SET state = 'aborted', finished_at = now() WHERE state = 'staged'",
            "neither in the table",
        ),
        ("UPDATE lakelock.streams SET start_offset = 0, next_offset = 3", "write-ahead log is behind the table"),
        ("UPDATE lakelock.table_streams SET written_count = written_count + 1", "the books do not balance"),
    ],
)
def test_a_log_that_was_harmed_is_seen(moved: World, statement: str, fault: str) -> None:
    with closing(moved.runtime()) as runtime:
        moved.produce(10)
        planned = runtime.plan()
        assert planned.batch_id is not None
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
    assert faults(moved) == []
    harm(moved, statement)
    assert any(fault in f for f in faults(moved)), faults(moved)


def test_the_command_says_it_and_its_exit_code_too(moved: World) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "lakelock.cli", "audit", str(moved.file), *arguments]
        return subprocess.run(command, env=moved.environment(), capture_output=True, text=True, check=False)

    done = run()
    assert done.returncode == 0, done.stderr
    assert f"{moved.name}: complete" in done.stdout
    moved.catalog.load_table(moved.table).overwrite(moved.catalog.load_table(moved.table).scan().to_arrow().slice(0, 5))
    done = run("--json")
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["pipelines"]
    assert found["complete"] is False
    assert "rows were written" in str(found["tables"][0]["sources"])
    assert run("--no-rows").returncode == 0
