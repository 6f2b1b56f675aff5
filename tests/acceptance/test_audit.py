"""`audit` against tables and logs that were harmed behind its back, and beside a pipeline that runs."""

from __future__ import annotations

import json
import subprocess
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from kits.forks import lakelock
from kits.harm import harm
from kits.topics import delete_before
from kits.world import World, file_of, open_with, write_next
from lakelock.audit.audit import PipelineAudit
from lakelock.audit.audit_text import audit_text
from pyiceberg.schema import Schema
from pyiceberg.types import IntegerType, LongType, NestedField, StringType

pytestmark = pytest.mark.drawn(0.15)


def audited(world: World) -> PipelineAudit:
    with closing(world.runtime()) as runtime:
        return runtime.audit()


def faults(world: World) -> list[str]:
    return [fault for table in audited(world).tables for fault in table.faults]


def test_every_moment_of_a_batch_is_complete(fresh: World) -> None:
    fresh.produce(40, bad=[b"no json", b"{"])
    assert audited(fresh).complete
    with closing(fresh.runtime()) as runtime:
        planned = runtime.plan()
        assert planned.batch_id is not None
        assert audited(fresh).complete
        runtime.write(str(uuid.uuid4()), "test/1", planned.batch_id)
        assert audited(fresh).complete
        fresh.commit(runtime)
        fresh.produce(6)
        assert runtime.plan().batch_id is not None
    found = audited(fresh)
    assert found.complete, audit_text(found)
    (table,) = found.tables
    totals = [s.totals for s in table.sources]
    assert sum(t.written for t in totals) == sum(s.counted.rows for s in table.sources if s.counted) == 40
    assert sum(t.dead for t in totals) == sum(s.letters.rows for s in table.sources if s.letters) == 2
    assert (sum(s.held for s in table.sources), sum(s.open for s in table.sources)) == (42, 6)
    assert "  dead letters  not a JSON object: 2 (not a JSON object: " in audit_text(found)


def test_dead_letters_are_counted_by_cause_with_an_example_each(fresh: World) -> None:
    fresh.produce(3)
    fresh.run()
    fresh.produce(0, bad=[*[b'{"id": "%d"}' % n for n in range(3)], b'{"id": 1, "new": [1]}', b'{"id": 2, "new": 7}'])
    fresh.run()
    (table,) = audited(fresh).tables
    assert [c.line for c in table.causes] == [
        "`id`: text for a long: 3 (field 'id': expected an integer, found text)",
        "`new`: unknown field: 2 (field 'new': no column takes it (new_fields: ignore would drop it))",
    ]


def test_rows_that_came_or_went_behind_our_back_are_counted(near: World) -> None:
    table = near.catalog.load_table(near.table)
    rows = table.scan().to_arrow()
    assert faults(near) == []
    table.append(rows.slice(0, 3))
    assert any("rows have an offset that another row has, too" in f for f in faults(near))
    table.overwrite(rows.slice(0, 18))
    assert sum("rows were written" in f for f in faults(near)) >= 1
    table.overwrite(rows)
    assert faults(near) == []
    stranger = rows.slice(0, 1).to_pylist()[0] | {"_kafka_offset": 10_000}
    table.append(pa.Table.from_pylist([stranger], rows.schema))
    assert any("1 rows have an offset that the ledger does not have" in f for f in faults(near))
    table.append(pa.Table.from_pylist([stranger | {"_kafka_partition": 7}], rows.schema))
    assert any("1 rows have a partition that the ledger does not have" in f for f in faults(near))


def test_rows_that_were_there_before_are_not_judged(fresh: World) -> None:
    fields = (
        NestedField(1, "id", LongType()),
        NestedField(2, "_kafka_partition", IntegerType()),
        NestedField(3, "_kafka_offset", LongType()),
        NestedField(4, "note", StringType()),
    )
    fresh.catalog.create_namespace(fresh.namespace)
    table = fresh.catalog.create_table(fresh.table, Schema(*fields))
    table.append(pa.Table.from_pylist([{"id": -1}, {"id": -2}], table.schema().as_arrow()))
    fresh.produce(6)
    fresh.run()
    found = audited(fresh)
    assert found.complete, audit_text(found)
    assert found.tables[0].rows_without_offset == 2
    assert "plus 2 rows without an offset" in audit_text(found)


def test_a_partition_of_which_nothing_landed_is_judged_too(fresh: World) -> None:
    fresh.produce(10)
    with closing(fresh.runtime()) as runtime:
        write_next(runtime)
    assert audited(fresh).complete
    harm(fresh, "UPDATE lakelock.parts SET state = 'aborted', finished_at = now() WHERE state = 'staged'")
    assert sum("[0, 5) is neither in the table nor on its way" in f for f in faults(fresh)) == 2


def test_dead_letters_that_land_before_their_batch_are_not_too_many(near: World) -> None:
    near.produce(4, bad=[b"no json"])
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        assert [o.rows for o in runtime.commit([f"{near.table}__dead_letters"], now=True)] == [1]
        assert faults(near) == []
        near.commit(runtime)
    assert faults(near) == []
    dead_letters = near.catalog.load_table(f"{near.table}__dead_letters")
    dead_letters.append(dead_letters.scan().to_arrow())
    assert any("dead letters have an offset that another one has, too" in f for f in faults(near))


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (
            "UPDATE lakelock.parts SET state = 'aborted', finished_at = now() WHERE state = 'staged'",
            "neither in the table",
        ),
        ("UPDATE lakelock.streams SET start_offset = 0, next_offset = 3", "write-ahead log is behind the table"),
        (
            """UPDATE lakelock.tables SET ledger = regexp_replace(ledger::text, '-10([^0-9])', '-12\\1', 'g')::json""",
            "the write-ahead log has seen [10, 12) in the table",
        ),
    ],
)
def test_a_log_that_was_harmed_is_seen(near: World, statement: str, fault: str) -> None:
    with closing(near.runtime()) as runtime:
        near.produce(10)
        write_next(runtime)
    assert faults(near) == []
    harm(near, statement)
    assert any(fault in f for f in faults(near)), faults(near)


def test_the_command_says_it_and_its_exit_code_too(near: World) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return lakelock("audit", near.file, *arguments, environment=near.environment())

    done = run()
    assert done.returncode == 0, done.stderr
    assert f"{near.name}: complete\n" in done.stdout
    near.produce(3)
    done = run()
    assert done.returncode == 0, done.stderr
    assert f"{near.name}: complete\n" in done.stdout
    assert "; 3 offsets still to come" in done.stdout
    near.catalog.load_table(near.table).overwrite(near.catalog.load_table(near.table).scan().to_arrow().slice(0, 5))
    done = run("--json")
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["pipelines"]
    assert found["complete"] is False
    assert "rows were written" in str(found["tables"][0]["sources"])
    assert run("--no-rows").returncode == 0


def test_kafka_that_lost_what_is_next_to_read_is_seen(near: World) -> None:
    near.produce(40)
    delete_before(near, 0, 15)
    assert any("[10, 15): deleted by retention" in f for f in audited(near).faults)


def test_a_planned_range_that_kafka_dropped_is_seen(near: World) -> None:
    near.produce(40)
    with closing(near.runtime()) as runtime:
        assert runtime.plan().batch_id is not None
    assert audited(near).complete
    delete_before(near, 0, 15)
    assert any(
        "[10, 30) is planned and not written, and Kafka holds only from 15 on" in f for f in audited(near).faults
    )


def test_a_lost_data_file_is_named(near: World) -> None:
    folder = Path(near.catalog.load_table(near.table).location().removeprefix("file://"))
    lost = next(folder.rglob("data/**/*.parquet"))
    lost.unlink()
    assert any(lost.name in f and "is gone" in f for f in faults(near))


def test_a_table_of_another_log_is_not_taken_for_one_that_nothing_was_written_to(
    near: World, new_log: Callable[[], str]
) -> None:
    dsn = new_log()
    lost = near.connections["lakelock_postgres"]
    fields: dict[str, Any] = {**asdict(lost), "schema": dsn.rpartition("/")[2]}
    near.connections["lakelock_postgres"] = type(lost)(**fields)
    assert any("another installation" in f for f in faults(near))


def test_a_table_that_left_the_file_is_judged_by_what_it_got(fresh: World) -> None:
    """And the pipeline goes on without it, with dead letters in another table."""
    kept = f"{fresh.namespace}.kept"
    fresh.produce(10, bad=[b"{"])
    with open_with(fresh, file_of(fresh, fresh.table, kept)) as runtime:
        write_next(runtime)
        runtime.commit([fresh.table, kept, runtime.pipeline.dead_letter_table], now=True)
        assert runtime.audit().complete
    fresh.produce(10, bad=[b"["])
    with open_with(
        fresh, file_of(fresh, kept, rest=f"dead_letters: {{table: {fresh.namespace}.other_letters}}\n")
    ) as runtime:
        write_next(runtime)
        runtime.commit([kept, runtime.pipeline.dead_letter_table], now=True)
        found = runtime.audit()
        assert found.complete, audit_text(found)
        assert [t.table for t in found.tables] == [kept, fresh.table]
        fresh.catalog.drop_table(fresh.table)
        again = runtime.audit()
    assert again.complete
    assert again.tables[1].note == "is gone, and no longer in the pipeline file"


def test_no_pipeline_file_is_wrong_usage_and_proves_nothing(fresh: World) -> None:
    env = {**fresh.environment(), "LAKELOCK_PIPELINES": str(fresh.folder / "none")}
    done = lakelock("audit", environment=env)
    assert done.returncode == 2
    assert "no pipeline file in" in done.stderr
