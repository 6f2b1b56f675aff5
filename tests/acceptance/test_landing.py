"""A pipeline whose files land without partitions, on real servers: compaction, rollbacks and the rest, each record once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

# Airflow binds its log to what stdout is at its import, which must outlive any one test.
import airflow.providers.apache.spark.hooks.spark_submit  # noqa: F401
import pytest
from kits.here_writer import HereCopier, HereRedriver, HereWriter
from kits.iceberg_files import equality_delete
from kits.redrives import fixed, made, proven, redrive
from kits.replaces import read_again
from kits.rollbacks import dead_letters_of
from kits.topics import new_producer, produce
from kits.upkeep import FEW, live, moves_while, rewritten, roll_back, table_of
from kits.world import World, file_of, new_world, open_with, write_next
from lakelock.check import preflight
from lakelock.model.ledger import Mode
from lakelock.ports import CopyOrder, CopyOutput
from lakelock.upkeep.compact import Compaction
from pyiceberg.types import StringType

pytestmark = pytest.mark.drawn(0.4, about=("iceberg/landing", "ingest/landing", "upkeep/compact", "parquet/row_copy"))
DEFAULTS = 'table_defaults: {landing: unpartitioned, partition_by: ["bucket(8, id)"]'
LANDING = DEFAULTS + "}\nmaintenance: {compact_min_files: 2, compact_after: 1ms}\n"


@pytest.fixture(params=["sql", "rest"])
def landing(
    request: pytest.FixtureRequest,
    folder: Path,
    namespace: str,
    log_dsn: str,
    kafka: Any,
    new_topic: Callable[..., str],
) -> World:
    """A table with partitions that has got its first records without."""
    properties = request.getfixturevalue({"sql": "catalog_properties", "rest": "rest_properties"}[request.param])
    world = new_world(folder, namespace, log_dsn, kafka.bootstrap, 1, properties, new_topic(2))
    world.writer, world.copier, world.redriver = HereWriter(), HereCopier(), HereRedriver()
    world.settings = LANDING
    moved(world, 3)
    return world


def moved(world: World, times: int = 1) -> None:
    for _ in range(times):
        world.produce(40)
        world.run()


def by_spec(world: World) -> dict[int, int]:
    """Number of live files by partition spec."""
    out: dict[int, int] = {}
    for task in table_of(world).scan().plan_files():
        out[task.file.spec_id] = out.get(task.file.spec_id, 0) + 1
    return out


def test_batches_land_and_maintenance_partitions_them(landing: World) -> None:
    batches = by_spec(landing)
    assert list(batches) == [1]
    assert table_of(landing).metadata.default_spec_id == 0
    before = landing.rows()
    with closing(landing.runtime()) as runtime:
        planned = runtime.compaction.preview(landing.table, runtime.compact_settings)
        done = runtime.compact(landing.table)
        assert (planned.groups, planned.files) == (done.groups, done.files) == (1, batches[1] - 1)
        assert done.into == 8
        assert runtime.compact(landing.table).nothing
    assert by_spec(landing) == {0: 8, 1: 1}
    assert landing.rows() == before
    one = table_of(landing).scan(row_filter="id = 7").plan_files()
    assert len([t for t in one if t.file.spec_id == 0]) == 1, "seven buckets are skipped"
    moved(landing, 2)
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
        runtime.compact(landing.table)
        assert len(rewritten(landing)) == 8, "small files of a partition become one, as ever"
        old = live(landing)
        runtime.expiry.expire(landing.table, FEW)
        assert live(landing) == old
    moved(landing)
    landing.audit()


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("over", [True, False])
def test_a_rollback_over_the_compaction_or_to_it_keeps_each_record_once(landing: World, mode: Mode, over: bool) -> None:
    with closing(landing.runtime()) as runtime:
        assert runtime.compact(landing.table).groups == 1
        moved(landing, 2)
        roll_back(runtime, landing.table, "last:4" if over else "last:2", mode)
        taken_out = 160 if over else 80
        assert len(landing.rows()) == landing.next_id - taken_out
        for _ in range(3):
            landing.cycle(runtime)
        if mode is Mode.SKIP:
            assert len(landing.rows()) == landing.next_id - taken_out
            assert runtime.audit().complete
            return
        assert runtime.compact(landing.table).groups == 1
        for _ in range(2):
            landing.cycle(runtime)
    assert 0 in by_spec(landing)
    landing.audit()


def test_staged_files_land_after_a_compaction_of_all_others_and_a_change_of_columns_and_partitions(
    landing: World,
) -> None:
    landing.produce(40)
    with closing(landing.runtime()) as runtime:
        write_next(runtime)
        everything = landing.settings.replace("unpartitioned", "partitioned")
    landing.settings = everything
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
    assert list(by_spec(landing)) == [0]
    with table_of(landing).update_schema() as columns:
        columns.add_column("more", StringType())
    with table_of(landing).update_spec() as spec:
        spec.add_identity("note")
    landing.settings = LANDING
    with closing(landing.runtime()) as runtime:
        for _ in range(3):
            landing.cycle(runtime)
    moved(landing, 2)
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
    landing.audit()


def test_dead_letters_are_redriven_and_rows_are_replaced_beside_files_that_landed(landing: World) -> None:
    fixed(landing)
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
        assert made(redrive(runtime)) == 2
        moved(landing)
        runtime.compact(landing.table)
        read_again(runtime)
    proven(landing, redriven=2, dead=1)


def test_a_record_whose_partition_no_manifest_can_hold_is_a_dead_letter_as_ever(landing: World) -> None:
    """Else it would land, and no compaction could move it."""
    columns = "columns: {id: long, c: 'decimal(10,2)'}, partition_by: ['truncate(50, c)'], landing: unpartitioned"
    table = f"{landing.namespace}.limited"
    with open_with(landing, file_of(landing, f"{{name: {table}, {columns}, new_fields: ignore}}")) as runtime:
        servers = landing.connections["kafka_default"].extra["bootstrap.servers"]
        produce(new_producer(servers), landing.topic, [b'{"id":1,"c":"1.00"}', b'{"id":2,"c":"-99999999.99"}'])
        write_next(runtime)
        runtime.commit([table, dead_letters_of(landing)], now=True)
    found = landing.catalog.load_table(table)
    assert {t.file.spec_id for t in found.scan().plan_files()} == {1}
    assert found.scan(row_filter="c is not null").to_arrow()["id"].to_pylist() == [1]


def test_deletes_of_a_partition_do_not_reach_rows_that_come_into_it(landing: World) -> None:
    """They did not apply to them before: each row stays."""
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
        moved(landing)
        there = next(t.file for t in table_of(landing).scan().plan_files() if t.file.spec_id == 0)

        class Meanwhile(HereCopier):
            def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
                out = super().run(order, ended)
                equality_delete(runtime.tables, there, range(1000), landing.table)
                return out

        compaction = Compaction(runtime.keeper, Meanwhile)
        assert compaction.compact(landing.table, runtime.compact_settings).groups == 1
        state = runtime.tables.load(landing.table)
        files = list(runtime.keeper.storage.live_files(state))
    assert [f.path for f in files if f.unfit] == [there.file_path], "the delete is of its partition alone"
    assert len([f for f in files if f.partition == next(o.partition for o in files if o.path == there.file_path)]) == 2


def test_all_goes_on_while_files_are_partitioned(landing: World) -> None:
    moves_while(landing, lambda runtime, table: runtime.compact(table))
    with closing(landing.runtime()) as runtime:
        runtime.compact(landing.table)
    assert by_spec(landing)[1] == 1
    landing.audit(dead=12)


def test_check_warns_if_nothing_is_scheduled_that_partitions_the_files(landing: World) -> None:
    said = "its files land without partitions until you run `compact`: set maintenance.every"

    def of_tables(settings: str) -> str:
        with open_with(
            landing, f"source: {{topics: [{landing.topic}]}}\ntables: [{{name: {landing.table}}}]\n{settings}"
        ) as r:
            return next(found.line for found in preflight.run(r) if found.name == "tables")

    assert f"warning: {said}" in of_tables(LANDING)
    assert said not in of_tables(DEFAULTS + "}\nmaintenance: {every: 1d}\n")
    assert said not in of_tables("")
