"""Values whose partition no manifest can hold: said before the run, and dead letters of it."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
from kits.rollbacks import dead_letters_of
from kits.topics import new_producer, produce
from kits.world import World, file_of, open_with
from lakelock.adapters.parquet.file import ParquetFile
from lakelock.adapters.parquet.partition_limits import PartitionLimits
from lakelock.app.runtime import Runtime
from lakelock.check import preflight
from lakelock.check import sample as records_sample
from lakelock.ingest.fan_out import MOST_SMALL


def details(runtime: Runtime) -> tuple[str, str]:
    """What `check` says of records and tables."""
    found = {r.name: r.detail for r in preflight.run(runtime)}
    return found["records"], found["tables"]


def test_a_truncated_value_that_does_not_fit_is_foretold_and_holds_up_no_other(fresh: World) -> None:
    definition = (
        f"{{name: {fresh.table}, columns: {{id: long, c: 'decimal(10,2)'}}, partition_by: ['truncate(50, c)']}}"
    )
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, [b'{"id":1,"c":"1.00"}', b'{"id":2,"c":"-99999999.99"}', b'{"id":3,"c":"3.00"}'])
    with open_with(fresh, file_of(fresh, definition)) as runtime:
        reported = records_sample.sample(runtime, 10).text
        assert "would become 2 rows in 2 table partitions, 1 dead letter" in reported
        assert "truncate(50) of -99999999.99" in reported
        assert details(runtime) == (
            "3 to plan, 0 planned so far, in offsets",
            f"{fresh.table} will be created, partitioned by truncate(50, c)",
        )
        fresh.cycle(runtime)
        runtime.commit([fresh.table, dead_letters_of(fresh)], now=True)
        assert runtime.audit().complete
        assert details(runtime) == (
            "0 to plan, 3 planned so far, in offsets",
            f"{fresh.table} carries this pipeline's ledger, partitioned by truncate(50, c)",
        )
    assert sorted(row[2] for row in fresh.rows()) == [1, 3]
    assert len(fresh.rows(dead_letters_of(fresh))) == 1


@pytest.mark.parametrize("landing", ["partitioned", "unpartitioned"])
def test_records_that_no_commit_could_name_become_dead_letters(
    fresh: World, monkeypatch: pytest.MonkeyPatch, landing: str
) -> None:
    """Also of rows that get their partition later: they would never get it."""
    # As with any value that one day gets past the look at each record.
    monkeypatch.setattr(PartitionLimits, "check", lambda self, rows: None)
    definition = (
        f"{{name: {fresh.table}, columns: {{id: long, c: 'decimal(10,2)'}}, partition_by: ['truncate(50, c)'], "
        f"landing: {landing}}}"
    )
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, [b'{"id":1,"c":"1.00"}', b'{"id":2,"c":"-99999999.99"}', b'{"id":3,"c":"3.00"}'])
    lands_with_a_dead_letter(fresh, definition, r"no commit could name these files .*precision")


def test_records_that_no_file_can_hold_become_dead_letters(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    append = ParquetFile.append

    def refuses(self: ParquetFile, rows: pa.Table) -> int:
        if "id" in rows.column_names and 2 in rows.column("id").to_pylist():
            raise TypeError("no 2, please")
        return append(self, rows)

    monkeypatch.setattr(ParquetFile, "append", refuses)
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, [b'{"id":1}', b'{"id":2}', b'{"id":3}'])
    lands_with_a_dead_letter(fresh, f"{{name: {fresh.table}, columns: {{id: long}}}}", "no 2, please")


def lands_with_a_dead_letter(world: World, definition: str, reason: str) -> None:
    """Records 1 to 3 are produced: the second is a dead letter, and the next batch lands, too."""
    producer = new_producer(world.connections["kafka_default"].extra["bootstrap.servers"])
    with open_with(world, file_of(world, definition)) as runtime:
        world.cycle(runtime)
        produce(producer, world.topic, [b'{"id":4}'])
        world.cycle(runtime)
        runtime.commit([world.table, dead_letters_of(world)], now=True)
        assert runtime.audit().complete
    assert sorted(row[2] for row in world.rows()) == [1, 3, 4]
    found = world.catalog.load_table(dead_letters_of(world)).scan().to_arrow().to_pylist()
    assert [(r["stage"], r["kind"]) for r in found] == [("write", "cannot be written")]
    assert re.search(reason, found[0]["reason"])


def test_a_batch_that_fans_out_over_many_partitions_is_foretold_and_reported(
    fresh: World, caplog: pytest.LogCaptureFixture
) -> None:
    producer = new_producer(fresh.connections["kafka_default"].extra["bootstrap.servers"])
    produce(producer, fresh.topic, [b'{"id":%d}' % n for n in range(MOST_SMALL + 1)])
    said = f"{fresh.table}: one batch makes {MOST_SMALL + 1} files smaller than 1MiB"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}}}")) as runtime:
        assert said not in records_sample.sample(runtime, 100).text
    with open_with(
        fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, partition_by: [id]}}")
    ) as runtime:
        assert said in records_sample.sample(runtime, 100).text
        caplog.clear()
        fresh.cycle(runtime)
    assert [r.levelname for r in caplog.records if said in r.getMessage()] == ["WARNING"]
