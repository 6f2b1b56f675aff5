"""Files of real tables are rewritten by a commit of our own, and every engine reads the same rows as before."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kits.columns import columns
from kits.here_writer import HereCopier
from kits.iceberg import adopted, change, ids_in, open_tables, plain_catalog, raw, rows
from kits.iceberg_files import NAME, filled, position_delete
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables, manifest_writer
from lakelock.adapters.iceberg.page_snapshots import SnapshotViews
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import BooksUnbalanced, TableUnfit, Unreachable
from lakelock.ingest.write_order import target_of
from lakelock.ports.edits import Rewrite, new_files
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import order_of
from lakelock.upkeep.compact_decision import When
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.manifest import (
    DataFile,
    ManifestEntry,
    ManifestEntryStatus,
)
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Operation
from pyiceberg.types import DateType, DecimalType, DoubleType, LongType

if TYPE_CHECKING:
    from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.2)

ALL = When(1 << 20, 2, 1 << 62)


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def rewritten(tables: IcebergTables, name: str = NAME, when: When = ALL) -> compact.CompactPlan:
    """Groups that are due, each by a commit; what the step does, without a log."""
    storage = IcebergStorage(tables.border)
    state = tables.load(name)
    read_at = state.head_sequence
    found = compact.plan(storage.live_files(state), when, lambda files: storage.unfit(state, files))
    for group in found.groups:
        state = tables.load(name)
        target = target_of(state, tables.storage(state), layout=storage.layout(state, group.partitioning))
        copied, order = order_of(group, str(uuid.uuid4()), target)
        files = tuple(f for o in HereCopier().run(order) for f in o.files)
        replaced = tuple(f.path for f in copied.files)
        tables.commit(state, change(state, edit=Rewrite(replaced, files, read_at)))
    return found


def entries(table: Table) -> list[tuple[ManifestEntryStatus, int, str]]:
    """(status, data sequence number, path) of all that the head's manifests say."""
    head = table.current_snapshot()
    assert head is not None
    return [
        (e.status, e.sequence_number or 0, e.data_file.file_path)
        for m in head.manifests(table.io)
        for e in m.fetch_manifest_entry(table.io, discard_deleted=False)
    ]


def live(table: Table) -> list[DataFile]:
    return [t.file for t in table.scan().plan_files()]


# the commit


def test_old_files_are_deleted_entries_and_new_ones_added_with_the_numbers_they_had(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    before = raw(filled(tables, 5))
    rewritten(tables)
    table = raw(tables.load(NAME))
    head = table.current_snapshot()
    assert head is not None
    assert head.summary is not None
    assert head.summary.operation is Operation.REPLACE
    said = head.summary.additional_properties
    wanted = {
        "added-data-files": "1", "deleted-data-files": "5", "added-records": "5", "deleted-records": "5",
        "total-records": "5", "total-data-files": "1", "total-delete-files": "0", "changed-partition-count": "1",
    }  # fmt: skip
    assert {k: said[k] for k in wanted} == wanted
    assert int(said["removed-files-size"]) == sum(f.file_size_in_bytes for f in live(before))
    assert int(said["total-files-size"]) == int(said["added-files-size"]) == live(table)[0].file_size_in_bytes
    old = {(number, path) for status, number, path in entries(before) if status != ManifestEntryStatus.DELETED}
    found = entries(table)
    assert {(n, p) for status, n, p in found if status == ManifestEntryStatus.DELETED} == old
    ((_, number, _),) = [e for e in found if e[0] == ManifestEntryStatus.ADDED]
    assert number == max(n for n, _ in old) < (head.sequence_number or 0), "that at which the old ones were read"
    state = filled(tables, 1, start=5)
    assert not [e for e in entries(raw(state)) if e[0] == ManifestEntryStatus.DELETED], "reported once"
    assert state.ledger is not None
    assert state.ledger.coverage == tables.load(NAME).ledger.coverage  # type: ignore[union-attr]


def test_tag_and_branch_move_together_and_the_ledger_stays(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    before = filled(tables, 3)
    rewritten(tables)
    after = tables.load(NAME)
    assert after.ledger_version == after.head != before.head
    assert before.ledger is not None
    assert after.ledger is not None
    assert (after.ledger.coverage, after.ledger.generation) == (before.ledger.coverage, before.ledger.generation)
    assert [s.has_data for s in tables.history(after)][1:] == [s.has_data for s in tables.history(before)]


def test_other_files_of_a_touched_manifest_stay_with_who_added_them(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 3)
    monkeypatch.setattr(manifest_writer, "MERGE_FILES", 8)
    adopted(tables, NAME, partition_by=("day(ts)",))
    filled(tables, 60)
    before = {e.data_file.file_path: e for e in _entries(raw(tables.load(NAME)))}
    # Of one day alone.
    found = rewritten(tables, when=When(1 << 20, 24, 1 << 62))
    assert [len(g.bins) for g in found.groups] == [2]
    table = raw(tables.load(NAME))
    kept = [e for e in _entries(table) if e.data_file.file_path in before]
    assert len(kept) == 12
    for entry in kept:
        was = before[entry.data_file.file_path]
        assert (entry.snapshot_id, entry.sequence_number, entry.file_sequence_number) == (
            was.snapshot_id,
            was.sequence_number,
            was.file_sequence_number,
        )
    assert ids_in(tables, NAME) == list(range(60))
    filled(tables, 5, start=60)
    assert ids_in(tables, NAME) == list(range(65))


def _entries(table: Table) -> list[ManifestEntry]:
    head = table.current_snapshot()
    assert head is not None
    return [e for m in head.manifests(table.io) for e in m.fetch_manifest_entry(table.io)]


@pytest.mark.parametrize("wrong", ["absent", "twice"])
def test_a_commit_that_would_replace_what_is_not_there_once_writes_nothing(tables: IcebergTables, wrong: str) -> None:
    adopted(tables, NAME)
    state = filled(tables, 2)
    path = live(raw(state))[0].file_path
    if wrong == "twice":
        (file,) = new_files(change(state, 2, 3).edit)
        for _ in range(2):
            state = tables.load(NAME)
            tables.commit(state, change(state, files=(file,)))
        path, state = file.path, tables.load(NAME)
    else:
        path += ".gone"
    with pytest.raises(TableUnfit, match="1 of 1 files to replace are not in it exactly once"):
        tables.commit(state, change(state, edit=Rewrite((path,), ())))
    assert tables.load(NAME).head_id == state.head_id


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_a_commit_that_would_replace_files_by_others_of_more_or_fewer_rows_writes_nothing(
    tables: IcebergTables, rows: int
) -> None:
    adopted(tables, NAME)
    state = filled(tables, 2)
    paths = tuple(f.file_path for f in live(raw(state)))
    files = new_files(change(state, 2, 2 + rows).edit) if rows else ()
    with pytest.raises(BooksUnbalanced, match=f"files with 2 rows would be replaced by files with {rows} rows"):
        tables.commit(state, change(state, edit=Rewrite(paths, files)))
    assert tables.load(NAME).head_id == state.head_id


def test_expiry_on_a_commits_way_stops_at_a_compaction(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    filled(tables, 15)
    rewritten(tables)
    filled(tables, 1, start=15)
    for i in range(16, 40):
        state = tables.load(NAME)
        tables.commit(state, change(state, i, i + 1, keep_snapshots=10))
    kept = list(raw(tables.load(NAME)).snapshots())
    assert [s.summary.operation for s in kept if s.summary][1] is Operation.REPLACE
    assert all(Path(e.data_file.file_path.removeprefix("file://")).exists() for e in _entries(raw(tables.load(NAME))))
    assert len(raw(tables.load(NAME)).scan(snapshot_id=kept[0].snapshot_id).to_arrow()) == 15


def test_a_compaction_takes_no_place_of_a_snapshot_to_go_back_to(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    filled(tables, 15)
    rewritten(tables)
    state = tables.load(NAME)
    tables.commit(state, change(state, 15, 16, keep_snapshots=10))
    operations = [s.summary.operation for s in raw(tables.load(NAME)).snapshots() if s.summary]
    assert operations == [Operation.APPEND] * 9 + [Operation.REPLACE, Operation.APPEND]
    kept = IcebergStorage(tables.border).lineage(tables.load(NAME)).history
    assert [s.is_replace for s in kept] == [False, True, *[False] * 9]
    shown, total = SnapshotViews(tables, "p").snapshots(tables.load(NAME), 2)
    assert [s.snapshot_id for s in shown] == [s.id for s in kept[:3]], "nor on the page"
    assert total == 11


# what other engines read


@pytest.mark.long
def test_every_engine_reads_the_rows_and_prunes(
    catalog_properties: dict[str, str], namespace: str, spark_connect: SparkConnect
) -> None:
    tables, name = open_tables(catalog_properties), f"{namespace}.flights"
    adopted(tables, name, partition_by=("day(ts)", "bucket(4, id)"), sort_by=("id desc",))
    filled(tables, 15, name)
    with plain_catalog(tables).load_table(name).update_spec() as update:
        update.remove_field("id_bucket")
    filled(tables, 15, name, start=15)
    files = len(live(raw(tables.load(name))))
    found = rewritten(tables, name)
    assert {g.partitioning for g in found.groups} == {0, 1}
    table = plain_catalog(tables).load_table(name)
    assert len(live(table)) < files / 2
    assert Counter(f.spec_id for f in live(table)) == {0: 4, 1: 2}
    assert ids_in(tables, name) == list(range(30))
    scan = table.scan(row_filter="ts >= '1970-01-02T00:00:00+00:00' and id < 27")
    assert sorted(scan.to_arrow()["id"].to_pylist()) == [24, 25, 26]
    assert len(list(scan.plan_files())) == 1
    paths = [f.file_path.removeprefix("file://") for f in live(table)]
    query = "SELECT count(*), count(DISTINCT id), min(id), max(id) FROM read_parquet($paths)"
    assert duckdb.sql(query, params={"paths": paths}).fetchall() == [(30, 30, 0, 29)]
    for path in paths:
        ids = pq.read_table(path)["id"].to_pylist()
        assert ids == sorted(ids, reverse=True)
    with open_connect(spark_connect.remote, "reader", name) as spark:
        spark.conf.set("spark.sql.session.timeZone", "UTC")

        def ids_of(where: str) -> list[int]:
            return [r.id for r in spark.sql(f"SELECT id FROM lake.{name} WHERE {where} ORDER BY id").collect()]

        assert ids_of("true") == list(range(30))
        assert ids_of("ts >= timestamp'1970-01-02 00:00:00'") == list(range(24, 30))
        assert ids_of("id = 3") == [3]
        assert ids_of("id = 20") == [20]
        last = spark.sql(f"SELECT operation FROM lake.{name}.snapshots ORDER BY committed_at DESC LIMIT 1").collect()
        assert last[0].operation == "replace"
        ordered = spark.sql(f"SELECT file_path AS path, sort_order_id AS n FROM lake.{name}.files").collect()
        assert {r.n for r in ordered if f"/{compact.ATTEMPT}/" in r.path} == {1}
        # Old snapshots still show what they showed, also to others.
        old = raw(tables.load(name)).snapshots()[10].snapshot_id
        assert spark.sql(f"SELECT count(*) AS n FROM lake.{name} VERSION AS OF {old}").collect()[0].n == 10
        spark.sql(f"CALL lake.system.rewrite_manifests('{name}')")
        spark.sql(f"CALL lake.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))")
        assert ids_of("true") == list(range(30))
    filled(tables, 3, name, start=30)
    rewritten(tables, name)
    assert ids_in(tables, name) == list(range(33))


def test_partitions_of_every_plain_type_are_what_they_were(tables: IcebergTables) -> None:
    types = {
        "d": "date",
        "n": "decimal(5, 2)",
        "t": "timestamp",
        "s": "string",
        "b": "boolean",
        "i": "int",
        "f": "double",
    }
    adopted(tables, NAME, columns=columns(types), partition_by=tuple(types))
    row = {
        "d": date(2026, 1, 2),
        "n": Decimal("-1.25"),
        "t": datetime(2026, 1, 2, 3),
        "s": "ä/=",
        "b": True,
        "i": -1,
        "f": 0.5,
    }
    plain = plain_catalog(tables).load_table(NAME)
    for _ in range(3):
        plain.append(pa.Table.from_pylist([row, dict.fromkeys(types)], schema=schema_to_pyarrow(plain.schema())))
    before = sorted(map(repr, plain.scan().to_arrow().to_pylist()))
    partitions = {repr(f.partition) for f in live(plain)}
    found = rewritten(tables)
    assert [len(one) for g in found.groups for one in g.bins] == [3, 3]
    assert found.left == {}
    after = plain_catalog(tables).load_table(NAME)
    assert {repr(f.partition) for f in live(after)} == partitions
    assert sorted(map(repr, after.scan().to_arrow().to_pylist())) == before
    assert after.scan(row_filter="d = '2026-01-02' and n = -1.25 and s = 'ä/='").to_arrow().num_rows == 3


# files that stay


def foreign_file(table: Table, schema: pa.Schema, **columns: list[Any]) -> str:
    path = f"{table.location()}/data/{uuid.uuid4()}.parquet"
    Path(path.removeprefix("file://")).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns, schema=schema), path.removeprefix("file://"))
    return path


def test_files_without_field_ids_or_with_int96_are_left_and_reported(tables: IcebergTables) -> None:
    state = adopted(tables, NAME)
    table = raw(state)
    ids = schema_to_pyarrow(table.schema())
    plain = pa.schema([f.remove_metadata() for f in ids])
    for _ in range(3):
        table.add_files([foreign_file(table, plain, **rows([1, 2]).to_pydict())])
    odd = foreign_file(table, ids, **rows([3]).to_pydict())
    pq.write_table(
        pq.read_table(odd.removeprefix("file://")), odd.removeprefix("file://"), use_deprecated_int96_timestamps=True
    )
    table.refresh()
    # PyIceberg's add_files refuses files with field ids; other writers may add them.
    storage = IcebergStorage(tables.border)
    now = tables.load(NAME)
    found = compact.plan(storage.live_files(now), ALL, lambda files: storage.unfit(now, files))
    assert found.groups == ()
    assert found.left == {"its column id has no field id": 3}
    live_ones = list(storage.live_files(now))
    assert storage.unfit(now, [replace(live_ones[0], path=odd, rows=1)]) == {odd: "it has INT96 timestamps"}


def test_rows_that_delete_files_may_hide_are_left(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    filled(tables, 3)
    table = raw(tables.load(NAME))
    first = live(table)[0]
    position_delete(tables, first)
    filled(tables, 3, start=3)
    storage = IcebergStorage(tables.border)
    state = tables.load(NAME)
    unfit = [f for f in storage.live_files(state) if f.unfit]
    assert len(unfit) == 3, "those that were there before the delete file, in its partition"
    assert {f.unfit for f in unfit} == {"delete files may hide some of its rows"}
    found = rewritten(tables, when=When(1 << 20, 3, 1 << 62))
    assert [len(g.files) for g in found.groups] == [3]
    assert found.left == {"delete files may hide some of its rows": 3}
    assert len(live(raw(tables.load(NAME)))) == 4


def test_a_spec_whose_column_was_dropped_is_left(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("bucket(1, id)",))
    filled(tables, 3)
    foreign = plain_catalog(tables).load_table(NAME)
    with foreign.update_spec() as update:
        update.remove_field("id_bucket")
    with foreign.update_schema(allow_incompatible_changes=True) as evolving:
        evolving.delete_column("id")
    found = rewritten(tables)
    assert found.groups == ()
    assert found.left == {"a column of its partition spec 0 was dropped": 3}


def test_columns_that_came_went_and_grew_are_those_of_the_current_schema(tables: IcebergTables) -> None:
    types = {"id": "int", "gone": "string", "ratio": "float", "amount": "decimal(5, 2)", "name": "string"}
    adopted(tables, NAME, columns=columns(types))
    plain = plain_catalog(tables).load_table(NAME)
    written = pa.schema([("id", pa.int32()), ("gone", pa.string()), ("ratio", pa.float32()), ("amount", pa.decimal128(5, 2)), ("name", pa.string())])  # fmt: skip
    for n in range(3):
        plain.append(pa.table({"id": [n], "gone": ["x"], "ratio": [n / 2], "amount": [Decimal("1.25")], "name": [f"n{n}"]}, schema=written))  # fmt: skip
    with plain.update_schema() as update:
        update.delete_column("gone")
        update.rename_column("name", "title")
        update.add_column("since", DateType())
        update.update_column("id", LongType())
        update.update_column("ratio", DoubleType())
        update.update_column("amount", DecimalType(9, 2))
    before = plain.refresh().scan().to_arrow().to_pylist()
    assert len(rewritten(tables).groups) == 1
    after = plain_catalog(tables).load_table(NAME)
    key = lambda r: r["id"]  # noqa: E731
    assert sorted(after.scan().to_arrow().to_pylist(), key=key) == sorted(before, key=key)
    (file,) = live(after)
    kinds = {f.name: str(f.type) for f in pq.read_schema(file.file_path.removeprefix("file://"))}
    assert kinds == {
        "id": "int64",
        "ratio": "double",
        "amount": "decimal128(9, 2)",
        "title": "string",
        "since": "date32[day]",
    }


def test_who_asks_again_about_the_same_files_reads_only_manifests_that_are_new(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    state = filled(tables, 3)
    storage, read = IcebergStorage(tables.border), dict[str, Any]()
    paths = {f.file_path for f in live(raw(state))}
    one, other, _ = sorted(paths)
    head = raw(state).current_snapshot()
    assert head is not None
    old = [Path(m.manifest_path.removeprefix("file://")) for m in head.manifests(raw(state).io)]
    assert {f.path for f in storage.live_among(state, {one, other}, read)} == {one, other}

    position_delete(tables, next(f for f in live(raw(state)) if f.file_path == one))
    state = filled(tables, 1, start=3)
    (fresh,) = {f.file_path for f in live(raw(state))} - paths
    for manifest in old:
        manifest.unlink()
    assert {f.path: f.unfit for f in storage.live_among(state, {one, other, fresh}, read)} == {
        one: "delete files may hide some of its rows", other: "delete files may hide some of its rows", fresh: "",
    }  # fmt: skip
    with pytest.raises(Unreachable):
        list(storage.live_among(state, {one, other, fresh}, {}))
