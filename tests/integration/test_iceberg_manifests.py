"""Manifests of real tables are rewritten by a commit of our own: the same files and rows, and readers open fewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from kits.iceberg import adopted, change, ids_in, open_tables, plain_catalog, raw
from kits.iceberg_files import filled, position_delete
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables, manifest_writer
from lakelock.adapters.iceberg.manifest_writer import ManifestWriting
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import BooksUnbalanced, CommitConflict, TableUnfit
from lakelock.ports.edits import Reorganise
from lakelock.upkeep import manifests_decision as decisions
from lakelock.upkeep.manifests_decision import Entries, ManifestGroup
from pyiceberg.manifest import ManifestContent, ManifestEntry, ManifestEntryStatus, ManifestFile
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Operation

if TYPE_CHECKING:
    from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.2)

NAME = "shop.orders"
DAY = 24


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few commits are many."""
    monkeypatch.setattr(decisions, "MOST_SMALL", 5)


def due(tables: IcebergTables, name: str = NAME) -> list[ManifestGroup]:
    state = tables.load(name)
    target = decisions.target_bytes(state.properties)
    return decisions.due(IcebergStorage(tables.border).manifests(state), target)


def rewritten(tables: IcebergTables, name: str = NAME) -> int:
    """What the step does, without a log; how many commits."""
    for n in range(20):
        found = due(tables, name)
        if not found:
            return n
        state = tables.load(name)
        tables.commit(state, change(state, edit=Reorganise(tuple(m.path for m in found[0].part))))
    raise AssertionError("it goes on for ever")


def spread(tables: IcebergTables, commits: int, days: int, start: int = 0, name: str = NAME) -> None:
    """Each commit has a row of each day; ids are hours since the epoch."""
    for n in range(start, start + commits):
        state = tables.load(name)
        ids = [day * DAY + n for day in range(days)]
        tables.commit(state, change(state, n * days, (n + 1) * days, ids=ids))


def ids(commits: int, days: int) -> list[int]:
    return sorted(day * DAY + n for n in range(commits) for day in range(days))


def listed(table: Table, content: ManifestContent = ManifestContent.DATA) -> list[ManifestFile]:
    head = table.current_snapshot()
    assert head is not None
    return [m for m in head.manifests(table.io) if m.content == content]


def entries(table: Table) -> dict[str, ManifestEntry]:
    found = [e for m in listed(table) for e in m.fetch_manifest_entry(table.io, discard_deleted=False)]
    assert len(found) == len({e.data_file.file_path for e in found})
    return {e.data_file.file_path: e for e in found}


def opened(table: Table, day: int) -> int:
    """How many manifests a reader opens for one day: those whose bounds have it."""
    found = 0
    for manifest in listed(table):
        assert manifest.partitions
        low, high = manifest.partitions[0].lower_bound, manifest.partitions[0].upper_bound
        assert low is not None
        assert high is not None
        found += int.from_bytes(low, "little") <= day <= int.from_bytes(high, "little")
    return found


def sized(tables: IcebergTables, entries_each: int, name: str = NAME) -> None:
    """From now on a full manifest of the table has so many entries."""
    table = plain_catalog(tables).load_table(name)
    small = listed(table)[-1]
    one = len(table.io.new_input(small.manifest_path)) / ((small.added_files_count or 0) + 20)
    with table.transaction() as transaction:
        transaction.set_properties({decisions.TARGET_PROPERTY: str(int(one * (20 + entries_each)))})


# the commit


def test_a_reader_opens_fewer_manifests_and_finds_the_same_rows(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 12, 6)
    sized(tables, 20)
    before = plain_catalog(tables).load_table(NAME)
    was, wide = entries(before), [opened(before, day) for day in range(6)]
    assert wide == [12] * 6
    assert rewritten(tables) == 1
    after = plain_catalog(tables).load_table(NAME)
    assert 2 <= len(listed(after)) <= 6
    assert all(opened(after, day) <= 2 for day in range(6))
    assert ids_in(tables, NAME) == ids(12, 6)
    files = [t.file.file_path.removeprefix("file://") for t in after.scan().plan_files()]
    found = duckdb.sql("SELECT id FROM read_parquet($files) ORDER BY 1", params={"files": files}).fetchall()
    assert [r[0] for r in found] == ids(12, 6)
    third = after.scan(row_filter="ts >= '1970-01-03T00:00:00+00:00' and ts < '1970-01-04T00:00:00+00:00'")
    assert sorted(third.to_arrow()["id"].to_pylist()) == [2 * DAY + n for n in range(12)]

    now = entries(after)
    assert now.keys() == was.keys()
    for path, entry in now.items():
        old = was[path]
        assert entry.status is ManifestEntryStatus.EXISTING
        assert (entry.snapshot_id, entry.sequence_number, entry.file_sequence_number) == (
            old.snapshot_id,
            old.sequence_number,
            old.file_sequence_number,
        )
        assert entry.data_file._data == old.data_file._data


def test_the_snapshot_says_what_was_done_and_repeats_the_ledger(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 6, 2)
    before = tables.load(NAME)
    rewritten(tables)
    after = tables.load(NAME)
    head = raw(after).current_snapshot()
    assert head is not None
    assert head.summary is not None
    assert head.summary.operation is Operation.REPLACE
    said = head.summary.additional_properties
    wanted = {
        "manifests-created": "1", "manifests-replaced": "6", "manifests-kept": "0", "entries-processed": "12",
        "total-records": "12", "total-data-files": "12", "total-delete-files": "0",
    }  # fmt: skip
    assert {k: said[k] for k in wanted} == wanted
    assert not {"added-data-files", "deleted-data-files", "added-records", "deleted-records"} & said.keys()
    assert after.ledger_version == after.head != before.head
    assert before.ledger is not None
    assert after.ledger is not None
    assert (after.ledger.coverage, after.ledger.generation) == (before.ledger.coverage, before.ledger.generation)
    (manifest,) = listed(raw(after))
    assert (manifest.existing_files_count, manifest.existing_rows_count, manifest.deleted_files_count) == (12, 12, 0)
    assert manifest.min_sequence_number == min(e.sequence_number or 0 for e in entries(raw(before)).values())


def test_the_second_time_nothing_is_due_and_commits_go_on(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 8, 3)
    assert rewritten(tables) == 1
    head = tables.load(NAME).head_id
    assert rewritten(tables) == 0
    assert tables.load(NAME).head_id == head
    spread(tables, 6, 3, start=8)
    assert rewritten(tables) == 1
    assert ids_in(tables, NAME) == ids(14, 3)


def test_full_manifests_that_overlap_are_sorted(tables: IcebergTables, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when commits have merged what came for many days."""
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 3)
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 1, 6)
    sized(tables, 6)
    spread(tables, 12, 6, start=1)
    before = raw(tables.load(NAME))
    assert opened(before, 3) == len(listed(before)) > decisions.MOST_OVERLAPPING
    assert not [m for m in listed(before) if (m.added_files_count or 0) + (m.existing_files_count or 0) > 12]
    assert rewritten(tables) >= 1
    after = raw(tables.load(NAME))
    assert opened(after, 3) <= decisions.MOST_OVERLAPPING
    assert opened(after, 3) < opened(before, 3)
    assert entries(after).keys() == entries(before).keys()


@pytest.mark.long
def test_every_engine_reads_the_rows(
    catalog_properties: dict[str, str], namespace: str, spark_connect: SparkConnect
) -> None:
    tables, name = open_tables(catalog_properties), f"{namespace}.flights"
    adopted(tables, name, partition_by=("day(ts)", "bucket(4, id)"))
    spread(tables, 7, 3, name=name)
    with plain_catalog(tables).load_table(name).update_spec() as update:
        update.remove_field("id_bucket")
    spread(tables, 7, 3, start=7, name=name)
    with open_connect(spark_connect.remote, "reader", name) as spark:
        spark.conf.set("spark.sql.session.timeZone", "UTC")

        def ids_of(where: str) -> list[int]:
            return [r.id for r in spark.sql(f"SELECT id FROM lake.{name} WHERE {where} ORDER BY id").collect()]

        assert ids_of("true") == ids(14, 3)
        assert rewritten(tables, name) == 2
        spark.sql(f"REFRESH TABLE lake.{name}")
        assert ids_of("true") == ids(14, 3)
        assert ids_of("ts >= timestamp'1970-01-03 00:00:00'") == [2 * DAY + n for n in range(14)]
        assert ids_of("id = 3") == [3]
        assert [m.partition_spec_id for m in listed(raw(tables.load(name)))] == [1, 0]
        shown = spark.sql(
            f"SELECT partition_spec_id AS spec, existing_data_files_count AS n FROM lake.{name}.manifests"
        )
        assert {r.spec: r.n for r in shown.collect()} == {0: 21, 1: 21}
        numbers = spark.sql(f"SELECT data_file.file_path AS path, sequence_number AS n FROM lake.{name}.entries")
        now = entries(raw(tables.load(name)))
        assert {r.path: r.n for r in numbers.collect()} == {p: e.sequence_number for p, e in now.items()}
        spark.sql(f"DELETE FROM lake.{name} WHERE id = 3")
        spark.sql(f"CALL lake.system.rewrite_manifests('{name}')")
        assert ids_of("true") == [i for i in ids(14, 3) if i != 3]
    spread(tables, 1, 3, start=14, name=name)
    assert due(tables, name) == []


# what must stay as it is


def test_delete_files_stay_where_they_are_and_apply_to_the_same_files(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    filled(tables, 3)
    position_delete(tables, next(t.file for t in raw(tables.load(NAME)).scan().plan_files()))
    filled(tables, 6, start=3)
    before = raw(tables.load(NAME))
    hidden = {f.path for f in IcebergStorage(tables.border).live_files(tables.load(NAME)) if f.unfit}
    assert len(hidden) == 3
    assert rewritten(tables) == 1
    after = raw(tables.load(NAME))
    deletes = [m.manifest_path for m in listed(before, ManifestContent.DELETES)]
    assert [m.manifest_path for m in listed(after, ManifestContent.DELETES)] == deletes
    assert len(deletes) == len(listed(after)) == 1
    assert {f.path for f in IcebergStorage(tables.border).live_files(tables.load(NAME)) if f.unfit} == hidden


def test_a_spec_whose_column_was_dropped_is_left_and_reported(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("bucket(1, id)",))
    filled(tables, 7)
    foreign = plain_catalog(tables).load_table(NAME)
    with foreign.update_spec() as update:
        update.remove_field("id_bucket")
    with foreign.update_schema(allow_incompatible_changes=True) as evolving:
        evolving.delete_column("id")
    (group,) = due(tables)
    assert {m.unfit for m in group.manifests} == {"a column of its partition spec 0 was dropped"}
    state = tables.load(NAME)
    with pytest.raises(TableUnfit, match="under a partition spec that can no longer be written"):
        tables.commit(state, change(state, edit=Reorganise(tuple(m.path for m in group.part))))
    assert tables.load(NAME).head_id == state.head_id


def test_a_manifest_that_is_not_there_is_refused(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    state = filled(tables, 2)
    (path, _) = (m.manifest_path for m in listed(raw(state)))
    with pytest.raises(TableUnfit, match="2 manifests to rewrite are not in it exactly once"):
        tables.commit(state, change(state, edit=Reorganise((path, f"{path}.gone"))))
    assert tables.load(NAME).head_id == state.head_id


@pytest.mark.parametrize("lost", ["an entry read", "an entry written", "rows"])
def test_entries_that_get_lost_on_the_way_are_noticed_before_anything_is_sent(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    adopted(tables, NAME)
    state = filled(tables, 6)
    fetch, rolled, count = ManifestFile.fetch_manifest_entry, ManifestWriting._rolled, manifest_writer._listed

    def fetch_less(self: ManifestFile, *more: object) -> list[ManifestEntry]:
        return fetch(self, *more)[:-1] if self.manifest_path == last else fetch(self, *more)  # type: ignore[arg-type]

    def write_less(self: ManifestWriting, first: int, spec_id: int, entries: Sequence[ManifestEntry]) -> object:
        return rolled(self, first, spec_id, entries[:-1])

    def of_other_rows(found: Sequence[ManifestFile]) -> list[Entries]:
        (said,) = count(found)
        return [Entries(said.files, said.rows + len(found))]

    last = listed(raw(state))[-1].manifest_path
    with monkeypatch.context() as patch:
        if lost == "an entry read":
            patch.setattr(ManifestFile, "fetch_manifest_entry", fetch_less)
        elif lost == "rows":
            patch.setattr(manifest_writer, "_listed", of_other_rows)
        else:
            patch.setattr(ManifestWriting, "_rolled", write_less)
        with pytest.raises(BooksUnbalanced, match="manifests that list 6 data files with"):
            tables.commit(state, change(state, edit=Reorganise(tuple(m.manifest_path for m in listed(raw(state))))))
    assert tables.load(NAME).head_id == state.head_id


def test_what_a_list_of_manifests_need_not_say_is_not_missed(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Format version 1 leaves counts and bounds to the writer."""
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 6, 2)
    old = {m.manifest_path for m in listed(raw(tables.load(NAME)))}
    rows_count, partitions = ManifestFile.added_rows_count.fget, ManifestFile.partitions.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(
        ManifestFile, "added_rows_count", property(lambda m: None if m.manifest_path in old else rows_count(m))
    )
    monkeypatch.setattr(
        ManifestFile, "partitions", property(lambda m: None if m.manifest_path in old else partitions(m))
    )
    there = IcebergStorage(tables.border).manifests(tables.load(NAME))
    assert {(m.low, m.high) for m in there} == {((decisions.NULL,), (decisions.NAN,))}
    assert rewritten(tables) == 1
    assert ids_in(tables, NAME) == ids(6, 2)


@pytest.mark.parametrize("other", ["a commit", "a rewrite", "a delete"])
def test_whoever_commits_first_wins_and_the_other_changes_nothing(tables: IcebergTables, other: str) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 6, 2)
    stale = tables.load(NAME)
    chosen = tuple(m.manifest_path for m in listed(raw(stale)))
    if other == "a commit":
        spread(tables, 1, 2, start=6)
    elif other == "a rewrite":
        rewritten(tables)
    else:
        plain_catalog(tables).load_table(NAME).delete("id == 1")
    now = tables.load(NAME)
    with pytest.raises(CommitConflict):
        tables.commit(stale, change(stale, edit=Reorganise(chosen)))
    after = tables.load(NAME)
    assert raw(after).metadata_location == raw(now).metadata_location
    assert ids_in(tables, NAME) == (
        ids(7, 2) if other == "a commit" else [i for i in ids(6, 2) if other != "a delete" or i != 1]
    )


# with commits


def test_commits_leave_sorted_manifests_alone(tables: IcebergTables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 6)
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 6, 6)
    sized(tables, 3)
    rewritten(tables)
    target = int(raw(tables.load(NAME)).properties[decisions.TARGET_PROPERTY])
    full = {m.manifest_path for m in listed(raw(tables.load(NAME))) if m.manifest_length >= target}
    assert len(full) > manifest_writer.MAX_SMALL_MANIFESTS
    spread(tables, 8, 6, start=6)
    assert full < {m.manifest_path for m in listed(raw(tables.load(NAME)))}
    assert ids_in(tables, NAME) == ids(14, 6)


def test_who_turned_merging_off_has_no_merges_on_a_commits_way_and_the_step_when_it_runs(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 3)
    adopted(tables, NAME, properties={decisions.MERGE_PROPERTY: "false"})
    filled(tables, 12)
    assert len(listed(raw(tables.load(NAME)))) == 12
    assert rewritten(tables) == 1
    assert len(listed(raw(tables.load(NAME)))) == 1
    assert ids_in(tables, NAME) == list(range(12))


def test_expiry_on_a_commits_way_goes_on_over_it_and_deletes_what_it_replaced(tables: IcebergTables) -> None:
    adopted(tables, NAME, partition_by=("day(ts)",))
    spread(tables, 6, 2)
    old = {m.manifest_path for m in listed(raw(tables.load(NAME)))}
    rewritten(tables)
    for i in range(12, 40):
        state = tables.load(NAME)
        tables.commit(state, change(state, i, i + 1, keep_snapshots=10, ids=[i + 100]))
    table = raw(tables.load(NAME))
    kept = list(table.snapshots())
    assert len(kept) <= 11
    assert not [s for s in kept if s.summary and s.summary.operation is Operation.REPLACE]
    assert not any(Path(p.removeprefix("file://")).exists() for p in old)
    assert ids_in(tables, NAME) == sorted([*ids(6, 2), *(i + 100 for i in range(12, 40))])
    assert len(table.scan(snapshot_id=kept[0].snapshot_id).to_arrow()) >= 12
