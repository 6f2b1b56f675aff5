"""Files land without partitions, and a compaction moves their rows into the table's partitions: every engine reads the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from kits.columns import columns
from kits.here_writer import HereCopier
from kits.iceberg import adopted, change, ids_in, open_tables, plain_catalog, raw
from kits.iceberg_files import equality_delete, position_delete
from kits.landing import landed, landing, partitioned, planned, rows, specs, written
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import CommitConflict, TableUnfit
from lakelock.ingest.write_order import target_of
from lakelock.ports.edits import Evolve
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import order_of
from lakelock.upkeep.compact_decision import When
from pyiceberg.table.update import RemovePartitionSpecsUpdate

if TYPE_CHECKING:
    from stack.spark import SparkConnect

PARTITIONS = ("hour(ts)", "bucket(64, id)")
FILTERS = ("id = 7", "ts >= '1970-01-01T05:00:00+00:00' and ts < '1970-01-01T06:00:00+00:00'", "name = 'n3'", "id >= 0")


@pytest.fixture
def tables(any_catalog: dict[str, str]) -> IcebergTables:
    return open_tables(any_catalog)


@pytest.fixture
def name(namespace: str) -> str:
    return f"{namespace}.landing"


def clean_metadata(tables: IcebergTables, name: str, spec_id: int) -> None:
    """As an engine that removes the specs that no file has."""
    table = plain_catalog(tables).load_table(name)
    table.catalog.commit_table(table, (), (RemovePartitionSpecsUpdate.model_validate({"spec-ids": [spec_id]}),))


def test_a_batch_of_many_partitions_is_one_file_and_the_tables_partitioning_stays(
    tables: IcebergTables, name: str
) -> None:
    before = adopted(tables, name, partition_by=PARTITIONS, sort_by=("id desc",))
    state = landed(tables, name, 2, 1000)
    assert state.layout == before.layout
    assert specs(state) == {0: 2, 1: 0}
    files = planned(tables, name)
    assert [spec for spec, _ in files] == [1, 1]
    (entry, *_) = (t.file for t in plain_catalog(tables).load_table(name).scan().plan_files())
    assert entry.sort_order_id == raw(state).metadata.default_sort_order_id != 0
    assert ids_in(tables, name) == list(range(2000))
    other = written(tables, state, rows(range(2000, 2100)))
    assert len(other) > 64, "another writer's files have partitions"


def test_every_engine_reads_the_same_rows_before_and_after_and_opens_fewer_files_after(
    catalog_properties: dict[str, str], name: str, spark_connect: SparkConnect
) -> None:
    tables = open_tables(catalog_properties)
    adopted(tables, name, partition_by=PARTITIONS)
    landed(tables, name, 4, 250)

    def seen() -> list[Any]:
        table = plain_catalog(tables).load_table(name)
        by_pyiceberg = [table.scan(row_filter=f).to_arrow().sort_by("id").to_pylist() for f in FILTERS]
        paths = [path for _, path in planned(tables, name)]
        wheres = [f.replace("true", "1 = 1") for f in FILTERS]
        query = "SELECT id FROM read_parquet($paths) WHERE {} ORDER BY id"
        by_duckdb = [duckdb.sql(query.format(w), params={"paths": paths}).fetchall() for w in wheres]
        with open_connect(spark_connect.remote, "reader", name) as spark:
            spark.sql(f"REFRESH TABLE lake.{name}")
            by_spark = [
                [r.id for r in spark.sql(f"SELECT id FROM lake.{name} WHERE {w} ORDER BY id").collect()] for w in wheres
            ]
        return [by_pyiceberg, by_duckdb, by_spark]

    before = seen()
    assert [len(found) for found in before[0]] == [1, 100, 1, 1000]
    assert len(planned(tables, name, "id = 7")) == 1
    assert len(planned(tables, name, FILTERS[1])) == 4, "each file has every hour"
    (group,) = partitioned(tables, name).groups
    assert (group.landed, len(group.files), len(group.bins)) == (True, 4, 1)
    assert seen() == before
    files = planned(tables, name)
    assert {spec for spec, _ in files} == {0}
    # 10 hours and 64 buckets of 1,000 rows: one file of each that occurs.
    assert 300 < len(files) <= 640
    assert 30 < len(planned(tables, name, FILTERS[1])) <= 64, "of one hour"
    assert len(planned(tables, name, "id = 7")) <= 10, "of one bucket"


def test_the_newest_file_stays_and_a_table_without_the_key_is_left(tables: IcebergTables, name: str) -> None:
    adopted(tables, name, partition_by=("hour(ts)",))
    landed(tables, name, 3)
    newest = next(t.file.file_path for t in raw(tables.load(name)).scan(row_filter="id = 250").plan_files())
    partitioned(tables, name, keeps_newest=True)
    assert [path for spec, path in planned(tables, name) if spec == 1] == [newest]
    assert partitioned(tables, name, keeps_newest=True).groups == ()
    partitioned(tables, name)
    assert {spec for spec, _ in planned(tables, name)} == {0}
    assert ids_in(tables, name) == list(range(300))


def test_deletes_of_a_partition_do_not_reach_rows_that_come_into_it(tables: IcebergTables, name: str) -> None:
    """They did not apply to them before: rows stay what they are."""
    adopted(tables, name, partition_by=("hour(ts)",))
    landed(tables, name, 2)
    state = tables.load(name)
    tables.commit(state, change(state, 200, 210, files=written(tables, state, rows(range(200, 210)))))
    there = next(t.file for t in raw(tables.load(name)).scan(row_filter="id = 203").plan_files() if t.file.spec_id == 0)
    partitioned(tables, name, lambda: equality_delete(tables, there, [3, 203], name))
    state = tables.load(name)
    assert {f.partitioning for f in IcebergStorage(tables.border).live_files(state)} == {0}
    live = {f.path: f for f in IcebergStorage(tables.border).live_files(state)}
    hidden = [f for f in live.values() if f.unfit]
    assert [f.path for f in hidden] == [there.file_path]


def test_files_that_landed_before_one_of_their_rows_was_deleted_stay_as_they_are(
    tables: IcebergTables, name: str
) -> None:
    adopted(tables, name, partition_by=("hour(ts)",))
    landed(tables, name, 2)
    first = next(t.file for t in raw(tables.load(name)).scan(row_filter="id = 0").plan_files())
    position_delete(tables, first, name)
    before = planned(tables, name)
    landed(tables, name, 1, start=200)
    found = partitioned(tables, name)
    assert found.left == {"delete files may hide some of its rows": 2}
    assert [one for one in planned(tables, name) if one[0] == 1] == before


# the partition spec


def test_files_land_although_a_clean_up_removed_the_spec_that_no_file_had(tables: IcebergTables, name: str) -> None:
    adopted(tables, name, partition_by=("hour(ts)",))
    landed(tables, name, 2)
    partitioned(tables, name)
    state = landing(tables, name)
    files = written(tables, state, rows(range(200, 300)))
    partitioned(tables, name)
    now = tables.load(name)
    tables.commit(now, change(now))
    late = tables.load(name)
    assert tables.misfits(late, {state.layout.token}) == {}
    clean_metadata(tables, name, 1)
    assert specs(tables.load(name)) == {0: 1}
    try:
        tables.commit(late, change(late, 200, 300, files=files))
    except CommitConflict:
        # A catalog in this process compares all specs; a server adds the spec again under its number.
        now = tables.load(name)
        assert tables.misfits(now, {state.layout.token}) == {}
        tables.commit(now, change(now, 200, 300, files=files))
    assert specs(tables.load(name)) == {0: 1, 1: 0}
    assert ids_in(tables, name) == list(range(300))


def test_files_whose_specs_number_is_another_spec_now_are_written_again(tables: IcebergTables, name: str) -> None:
    adopted(tables, name, partition_by=("hour(ts)",))
    state = landing(tables, name)
    now = tables.load(name)
    tables.commit(now, change(now, edit=Evolve(partition_by=("day(ts)",))))
    now = tables.load(name)
    assert specs(now)[1] > 0
    why = tables.misfits(now, {state.layout.token})[state.layout.token]
    assert why.endswith("the table has no such partition spec")
    landed(tables, name)
    assert {spec for spec, _ in planned(tables, name)} == {2}
    assert ids_in(tables, name) == list(range(100))


def test_a_repartitioned_table_goes_on_landing_and_its_files_get_the_newest_partitions(
    tables: IcebergTables, name: str
) -> None:
    adopted(tables, name, partition_by=("day(ts)",))
    landed(tables, name, 2)
    now = tables.load(name)
    tables.commit(now, change(now, edit=Evolve(partition_by=("hour(ts)",))))
    landed(tables, name, 1, start=200)
    assert {spec for spec, _ in planned(tables, name)} == {1}
    partitioned(tables, name, keeps_newest=True)
    assert {spec for spec, _ in planned(tables, name)} == {1, 2}
    landed(tables, name, 1, start=300)
    partitioned(tables, name, keeps_newest=True)
    assert len([1 for spec, _ in planned(tables, name) if spec == 1]) == 1
    assert ids_in(tables, name) == list(range(400))


def test_where_no_commit_can_be_sure_of_the_spec_files_get_partitions_at_once(
    rest_properties: dict[str, str], name: str
) -> None:
    """A server may give a spec that was removed another number, if it is not the last one."""
    tables = open_tables(rest_properties)
    adopted(tables, name)
    now = tables.load(name)
    tables.commit(now, change(now, edit=Evolve(partition_by=("hour(ts)",))))
    assert tables.landing_layout(tables.load(name)) is None
    assert landing(tables, name).layout == tables.load(name).layout
    landed(tables, name)
    assert {spec for spec, _ in planned(tables, name)} == {1}


def test_a_table_without_partitions_is_written_as_ever(tables: IcebergTables, name: str) -> None:
    state = adopted(tables, name)
    assert landing(tables, name) == state
    assert IcebergStorage(tables.border).landed(state) == frozenset()


# records that fit no partition


def test_rows_that_no_partition_can_have_do_not_land(catalog_properties: dict[str, str], name: str) -> None:
    """As without landing: else no compaction could move them."""
    tables = open_tables(catalog_properties)
    adopted(tables, name, columns=columns({"id": "long", "day": "timestamp"}), partition_by=("day",))
    late = pa.table({"id": [1], "day": pa.array([1 << 58], pa.timestamp("us"))})
    for state in (tables.load(name), landing(tables, name)):
        with pytest.raises((TableUnfit, OverflowError)):
            written(tables, state, late)
    good = pa.table({"id": [1], "day": pa.array([0], pa.timestamp("us"))})
    assert len(written(tables, landing(tables, name), good)) == 1


def test_rows_that_fit_no_partition_stay_where_they_are(catalog_properties: dict[str, str], name: str) -> None:
    """The table may have got other partitions since they landed."""
    tables = open_tables(catalog_properties)
    adopted(tables, name, columns=columns({"id": "long", "day": "timestamp"}), partition_by=("id",))
    late = pa.table({"id": [1], "day": pa.array([1 << 58], pa.timestamp("us"))})
    state = tables.load(name)
    tables.commit(state, change(state, 0, 1, files=written(tables, landing(tables, name), late)))
    state = tables.load(name)
    tables.commit(state, change(state, edit=Evolve(partition_by=("day",))))
    state, storage = tables.load(name), IcebergStorage(tables.border)
    when = When(1, 2, 1 << 62, storage.landed(state), keeps_newest=False)
    (group,) = compact.plan(storage.live_files(state), when, lambda files: storage.unfit(state, files)).groups
    group, order = order_of(group, "group", target_of(state, tables.storage(state)))
    (output,) = HereCopier().run(order)
    assert output.files == ()
    assert output.unfit is not None
    assert output.unfit[0] == group.files[0].path
    assert "fit no partition" in output.unfit[1]
