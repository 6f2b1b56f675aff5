"""What other engines read of a table that lakelock has written, merged and expired."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from kits.iceberg import adopted, change, ids_in, open_tables, plain_catalog, raw, rows
from lakelock.adapters.iceberg import manifest_writer
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.ports import TableState

if TYPE_CHECKING:
    from stack.spark import SparkConnect

PARTITIONS = ("day(ts)", "bucket(4, id)")


@pytest.fixture
def state(catalog_properties: dict[str, str], namespace: str, monkeypatch: pytest.MonkeyPatch) -> TableState:
    """30 rows in as many commits, with manifests merged and snapshots expired on the way, two partition specs."""
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 5)
    tables, name = open_tables(catalog_properties), f"{namespace}.flights"
    adopted(tables, name, partition_by=PARTITIONS, sort_by=("id",))
    for i in range(30):
        if i == 15:
            with plain_catalog(tables).load_table(name).update_spec() as update:
                update.remove_field("id_bucket")
        state = tables.load(name)
        tables.commit(state, change(state, i, i + 1, keep_snapshots=8))
    assert ids_in(tables, name) == list(range(30))
    return tables.load(name)


def test_pyiceberg_reads_and_prunes(state: TableState) -> None:
    table = raw(state)
    scan = table.scan(row_filter="ts >= '1970-01-02T00:00:00+00:00' and id < 27")
    assert sorted(scan.to_arrow()["id"].to_pylist()) == [24, 25, 26]
    assert len(list(scan.plan_files())) < 10
    assert table.inspect.files().num_rows == 30
    assert table.inspect.snapshots().num_rows <= 10


def test_duckdb_reads_the_live_files_the_manifests_name(state: TableState) -> None:
    """DuckDB's own Iceberg reader is an extension that has to be downloaded; the files are what it would read."""
    paths = [t.file.file_path.removeprefix("file://") for t in raw(state).scan().plan_files()]
    assert all(Path(p).exists() for p in paths)
    query = "SELECT count(*), count(DISTINCT id), min(id), max(id) FROM read_parquet($paths)"
    assert duckdb.sql(query, params={"paths": paths}).fetchall() == [(30, 30, 0, 29)]


def test_spark_reads_prunes_appends_and_expires_and_our_ledger_survives(
    state: TableState, spark_connect: SparkConnect, catalog_properties: dict[str, str]
) -> None:
    tables, name = open_tables(catalog_properties), state.name
    with open_connect(spark_connect.remote, "reader", name) as spark:
        spark.conf.set("spark.sql.session.timeZone", "UTC")

        def ids(where: str) -> list[int]:
            return [r.id for r in spark.sql(f"SELECT id FROM lake.{name} WHERE {where} ORDER BY id").collect()]

        assert ids("true") == list(range(30))
        empty = f"{name}_empty"
        adopted(tables, empty)
        assert spark.sql(f"SELECT count(*) AS n FROM lake.{empty}").collect()[0].n == 0
        assert ids("ts >= timestamp'1970-01-02 00:00:00'") == list(range(24, 30))
        # bucketed under the first spec only
        assert ids("id = 3") == [3]
        assert ids("id = 20") == [20]
        counts = spark.sql(f"SELECT sum(record_count) AS n, count(*) AS files FROM lake.{name}.files").collect()[0]
        assert (counts.n, counts.files) == (30, 30)
        entries = spark.sql(
            f"SELECT count(*) AS n FROM lake.{name}.entries WHERE status < 2 AND sequence_number IS NOT NULL"
        ).collect()[0]
        assert entries.n == 30
        parts = spark.sql(f"SELECT count(*) AS n FROM lake.{name}.partitions").collect()[0]
        assert parts.n > 2
        history = spark.sql(f"SELECT count(*) AS n FROM lake.{name}.snapshots").collect()[0]
        assert history.n <= 10
        assert {r.name for r in spark.sql(f"SELECT name FROM lake.{name}.refs").collect()} == {"main", "lakelock-p"}
        spark.sql(f"INSERT INTO lake.{name} VALUES (100, 'theirs', timestamp'1970-01-05 00:00:00')")
        spark.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))")
        spark.sql(
            f"CALL lake.system.expire_snapshots(table => '{name}', older_than => timestamp'2100-01-01 00:00:00', "
            "retain_last => 1)"
        )
        with pytest.raises(Exception, match="expired snapshots between"):
            # nothing proves any more that the branch descends from the tag: a person decides
            tables.load(name)


def test_spark_compaction_between_our_commits_keeps_rows_and_ledger(
    state: TableState, spark_connect: SparkConnect, catalog_properties: dict[str, str]
) -> None:
    tables, name = open_tables(catalog_properties), state.name
    with open_connect(spark_connect.remote, "reader", name) as spark:
        spark.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))")
        spark.sql(f"CALL lake.system.rewrite_manifests('{name}')")
        after = tables.load(name)
        tables.commit(after, change(after, 30, 32))
        raw(tables.load(name)).append(rows([200]))
        again = tables.load(name)
        tables.commit(again, change(again, 32, 33))
        spark.sql(f"REFRESH TABLE lake.{name}")
        found = [r.id for r in spark.sql(f"SELECT id FROM lake.{name} ORDER BY id").collect()]
        assert found == [*range(33), 200] == ids_in(tables, name)
