"""A table's metadata stays small for ever, and nothing that anything names is deleted on the way."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from kits.iceberg import SOURCE, adopted, change, ids_in, open_tables, plain_catalog, raw, rows, write_files
from lakelock.adapters.iceberg import IcebergTables, manifest_writer
from lakelock.errors import LedgerUnreadable
from lakelock.model import ledger as codec
from lakelock.model.batches import Books, DataFile
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import RegisteredTable, Registry
from lakelock.model.versions import OwnVersion
from lakelock.ports import Change, TableState
from lakelock.ports.edits import Append
from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.manifest import ManifestEntryStatus
from pyiceberg.table import Table

pytestmark = pytest.mark.drawn(0.2)

NAME = "shop.orders"


@pytest.fixture
def tables(any_catalog: dict[str, str]) -> Iterator[IcebergTables]:
    tables = open_tables(any_catalog)
    yield tables
    # The table has the same name in each test.
    with suppress(NoSuchTableError):
        plain_catalog(tables).drop_table(NAME)
    shutil.rmtree(folder_of(any_catalog), ignore_errors=True)


def folder_of(properties: dict[str, str]) -> Path:
    return Path(properties["warehouse"].removeprefix("file://")) / "shop"


@pytest.fixture
def metadata_folder(any_catalog: dict[str, str]) -> Path:
    return folder_of(any_catalog) / "orders" / "metadata"


def commits(tables: IcebergTables, start: int, end: int, *, keep_snapshots: int = 1000) -> Table:
    """One offset and one file a commit."""
    for i in range(start, end):
        state = tables.load(NAME)
        tables.commit(state, change(state, i, i + 1, keep_snapshots=keep_snapshots))
    return plain_catalog(tables).load_table(NAME)


def in_place(table: Table, folder: Path) -> tuple[set[str], set[str]]:
    """Avro files in the metadata folder, and those that the retained snapshots name."""
    named = {s.manifest_list for s in table.snapshots()}
    named |= {m.manifest_path for s in table.snapshots() for m in s.manifests(table.io)}
    return {f"file://{p}" for p in folder.glob("*.avro")}, named


def test_many_small_manifests_are_merged_and_every_entry_keeps_its_history(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 6)
    adopted(tables, NAME, partition_by=("day(ts)",))
    table = commits(tables, 0, 40)
    head = table.current_snapshot()
    assert head is not None
    live = head.manifests(table.io)
    assert len(live) <= 8
    assert ids_in(tables, NAME) == list(range(40))
    added: dict[int | None, int | None] = {
        s.snapshot_id: s.sequence_number
        for s in table.snapshots()
        if s.summary and s.summary["added-data-files"] == "1"
    }
    entries = [(m, e) for m in live for e in m.fetch_manifest_entry(table.io)]
    assert len(entries) == 40
    for manifest, entry in entries:
        assert added[entry.snapshot_id] == entry.sequence_number == entry.file_sequence_number
        is_new = manifest.added_snapshot_id == entry.snapshot_id
        assert entry.status is (ManifestEntryStatus.ADDED if is_new else ManifestEntryStatus.EXISTING)
    for manifest in live:
        own = [e for m, e in entries if m is manifest]
        assert manifest.min_sequence_number == min(e.sequence_number or 0 for e in own)
        assert (manifest.added_files_count, manifest.existing_files_count) == (
            sum(e.status is ManifestEntryStatus.ADDED for e in own),
            sum(e.status is ManifestEntryStatus.EXISTING for e in own),
        )
        assert (manifest.added_rows_count or 0) + (manifest.existing_rows_count or 0) == len(own)
        days = [e.data_file.partition[0] for e in own]
        bounds = manifest.partitions[0]  # type: ignore[index]
        assert bounds.lower_bound is not None
        assert bounds.upper_bound is not None
        assert int.from_bytes(bounds.lower_bound, "little") == min(days)
        assert int.from_bytes(bounds.upper_bound, "little") == max(days)
    filtered = table.scan(row_filter="ts >= '1970-01-02T00:00:00+00:00'").to_arrow()
    assert sorted(filtered["id"].to_pylist()) == list(range(24, 40))


def test_merging_leaves_deletes_and_removed_entries_as_they_are(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 3)
    adopted(tables, NAME)
    commits(tables, 0, 3)
    plain_catalog(tables).load_table(NAME).delete("id == 1")
    commits(tables, 3, 9)
    assert ids_in(tables, NAME) == [0, 2, 3, 4, 5, 6, 7, 8]


def test_manifests_of_a_spec_over_a_dropped_column_are_left_alone(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopted(tables, NAME, partition_by=("name",))
    commits(tables, 0, 5)
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 3)
    table = plain_catalog(tables).load_table(NAME)
    with table.update_spec() as update:
        update.remove_field("name")
    with table.update_schema() as schema:
        schema.delete_column("name")
    state = tables.load(NAME)
    for i in range(5, 10):
        # The kit's rows have a column that the table lacks now.
        files = write_files_without_name(state, i)
        tables.commit(state, change(state, i, i + 1, files=files))
        state = tables.load(NAME)
    table = plain_catalog(tables).load_table(NAME)
    assert sum(e.record_count for t in table.scan().plan_files() for e in [t.file]) == 10


def write_files_without_name(state: TableState, i: int) -> tuple[DataFile, ...]:
    from kits import iceberg as iceberg_kit

    keep = iceberg_kit.rows
    iceberg_kit.rows = lambda ids: keep(ids).drop_columns(["name"])
    try:
        return write_files(state, [i])
    finally:
        iceberg_kit.rows = keep


def test_old_snapshots_expire_on_the_way_and_their_metadata_files_go(
    tables: IcebergTables, metadata_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 6)
    adopted(tables, NAME)
    table = commits(tables, 0, 60, keep_snapshots=10)
    assert 10 <= len(table.snapshots()) <= 11
    assert len(table.metadata.snapshot_log) <= 11
    there, named = in_place(table, metadata_folder)
    assert there == named
    assert len(list(metadata_folder.glob("*.metadata.json"))) <= 22
    assert ids_in(tables, NAME) == list(range(60))
    for snapshot in table.snapshots():
        assert table.scan(snapshot_id=snapshot.snapshot_id).to_arrow().num_rows > 40
    state = tables.load(NAME)
    assert state.ledger is not None
    assert state.ledger.coverage[SOURCE].intervals == (Interval(0, 60),)


def test_snapshots_that_users_named_stay_readable(
    tables: IcebergTables, metadata_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manifest_writer, "MAX_SMALL_MANIFESTS", 4)
    adopted(tables, NAME)
    table = commits(tables, 0, 8)
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().create_branch(head.snapshot_id, "audit").commit()
    table = commits(tables, 8, 12)
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().create_tag(head.snapshot_id, "month-end").commit()
    table = commits(tables, 12, 50, keep_snapshots=10)
    assert table.scan(snapshot_id=table.metadata.refs["month-end"].snapshot_id).to_arrow().num_rows == 12
    assert table.scan(snapshot_id=table.metadata.refs["audit"].snapshot_id).to_arrow().num_rows == 8
    # adoption and eight commits are the history of `audit`, one is tagged
    assert 20 <= len(table.snapshots()) <= 21
    there, named = in_place(table, metadata_folder)
    assert there == named
    assert ids_in(tables, NAME) == list(range(50))


def test_a_delete_in_the_history_keeps_itself_and_its_parent(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    commits(tables, 0, 5)
    table = plain_catalog(tables).load_table(NAME)
    before = table.current_snapshot()
    table.delete("id == 1")
    deleted = table.current_snapshot()
    assert before is not None
    assert deleted is not None
    table = commits(tables, 5, 40, keep_snapshots=10)
    kept = [s.snapshot_id for s in table.snapshots()]
    assert kept[:2] == [before.snapshot_id, deleted.snapshot_id]
    assert ids_in(tables, NAME) == [0, *range(2, 40)]


def test_foreign_appends_expire_like_our_own(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    for i in range(15):
        plain_catalog(tables).load_table(NAME).append(rows([100 + i]))
    table = commits(tables, 0, 3, keep_snapshots=5)
    assert len(table.snapshots()) <= 6
    assert len(ids_in(tables, NAME)) == 18


def test_the_branchs_own_minimum_is_respected(tables: IcebergTables) -> None:
    from pyiceberg.table.update import SetSnapshotRefUpdate

    state = adopted(tables, NAME)
    minimum = {"ref-name": "main", "type": "branch", "snapshot-id": state.head_id, "min-snapshots-to-keep": 20}
    tables.catalog.commit_table(raw(state), (), (SetSnapshotRefUpdate.model_validate(minimum),))
    assert len(commits(tables, 0, 40, keep_snapshots=5).snapshots()) >= 20


def test_a_refused_commit_expires_and_deletes_nothing(tables: IcebergTables, metadata_folder: Path) -> None:
    adopted(tables, NAME)
    commits(tables, 0, 20)
    stale = tables.load(NAME)
    commits(tables, 20, 21)
    before = {p.name for p in metadata_folder.glob("*.avro")}
    with pytest.raises(Exception, match="the table changed"):
        tables.commit(stale, change(stale, 20, 21, keep_snapshots=2))
    assert before <= {p.name for p in metadata_folder.glob("*.avro")}
    assert ids_in(tables, NAME) == list(range(21))


def test_metadata_files_that_cannot_be_deleted_do_not_fail_the_commit(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopted(tables, NAME)
    commits(tables, 0, 12)
    state = tables.load(NAME)

    def refuse(_: str) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(raw(state).io, "delete", refuse)
    tables.commit(state, change(state, 12, 13, keep_snapshots=5))
    assert ids_in(tables, NAME) == list(range(13))


def test_an_expired_manifest_list_that_is_gone_already_does_not_fail_the_commit(
    tables: IcebergTables, metadata_folder: Path
) -> None:
    adopted(tables, NAME)
    table = commits(tables, 0, 12)
    Path(table.snapshots()[2].manifest_list.removeprefix("file://")).unlink()
    commits(tables, 12, 13, keep_snapshots=5)
    assert ids_in(tables, NAME) == list(range(13))


def wide(state: TableState, sources: int, end: int) -> Change:
    """A change over many partitions, without files."""
    all_of = [Source("topic", "wide-topic", p) for p in range(sources)]
    coverage = Coverage({s: SourceCoverage(0, (Interval(0, end),)) for s in all_of})
    books = tuple(Books(OffsetRange(s, end - 1, end), 0, 0) for s in all_of)
    ledger = Ledger(state.ledger.installation_id, "p", f"commit-{end}", 0, "config", coverage)  # type: ignore[union-attr]
    return Change(ledger, {"name": "p"}, Append(()), ("b",), books, keep_snapshots=5, keep_younger_ms=0)


def test_coverage_of_many_partitions_lives_beside_the_metadata(
    tables: IcebergTables, metadata_folder: Path, folder: Path
) -> None:
    state = adopted(tables, NAME)
    for end in range(1, 15):
        planned = wide(state, 2_000, end)
        tables.commit(state, planned)
        state = tables.load(NAME)
    # another process, which has nothing in memory
    fresh = open_tables(tables._properties).load(NAME)
    assert fresh.ledger is not None
    assert fresh.ledger.coverage == planned.ledger.coverage
    summary = raw(fresh).current_snapshot().summary  # type: ignore[union-attr]
    assert summary is not None
    assert codec.COVERAGE not in summary.additional_properties
    path = Path(str(summary[codec.COVERAGE_FILE]).removeprefix("file://"))
    assert path.parent == metadata_folder
    ranges = json.loads(Path(str(summary[codec.RANGES_FILE]).removeprefix("file://")).read_text())
    assert ranges[7] == ["wide-topic", 7, 13, 14, 0, 0, 0, 0]
    # those of expired snapshots go with them
    retained = len(raw(fresh).snapshots())
    assert len(list(metadata_folder.glob("lakelock-coverage-*.json"))) <= retained <= 6
    assert len(list(metadata_folder.glob("lakelock-ranges-*.json"))) <= retained


def test_the_registry_and_the_mark_live_beside_the_metadata_and_ranges_can_be_read_again(tables: IcebergTables) -> None:
    state = adopted(tables, NAME)
    tables.commit(state, wide(state, 2_000, 1))
    first = tables.load(NAME)
    planned = wide(first, 2_000, 2)
    registry = Registry({f"lake.t{n}": RegisteredTable(f"lake.T{n}", str(n)) for n in range(1_000)})
    routed = replace(planned.ledger, mark=planned.ledger.coverage, registry=registry)
    tables.commit(first, replace(planned, ledger=routed))
    fresh = open_tables(tables._properties)
    state = fresh.load(NAME)
    assert state.ledger == routed
    summary = raw(state).current_snapshot().summary  # type: ignore[union-attr]
    assert summary is not None
    assert {codec.MARK, codec.REGISTRY} & summary.additional_properties.keys() == set()
    assert first.head is not None
    assert state.head is not None
    assert fresh.own_since(state, first.head.id) == [
        OwnVersion(planned.ledger.coverage, tuple(b.range for b in planned.books))
    ]
    assert fresh.own_since(state, state.head.id) == []
    assert fresh.own_since(state, 1) is None


def test_the_registry_is_written_again_only_if_it_changes(tables: IcebergTables, metadata_folder: Path) -> None:
    state, paths = adopted(tables, NAME), []
    for end, names in ((1, 400), (2, 400), (3, 401), (4, 401)):
        planned = wide(state, 1, end)
        registry = Registry({f"lake.t{n}": RegisteredTable(f"lake.T{n}", str(n)) for n in range(names)})
        tables.commit(state, replace(planned, ledger=replace(planned.ledger, registry=registry)))
        # Another process, which has nothing in memory.
        state = open_tables(tables._properties).load(NAME)
        assert state.ledger is not None
        assert state.ledger.registry == registry
        summary = raw(state).current_snapshot().summary  # type: ignore[union-attr]
        assert summary is not None
        paths.append(summary[codec.REGISTRY_FILE])
    assert [paths[0] == paths[1], paths[1] == paths[2], paths[2] == paths[3]] == [True, False, True]
    # Snapshots that name the first file expire one by one: it stays as long as one of them is there.
    for end in range(5, 14):
        planned = wide(state, 1, end)
        assert state.ledger is not None
        tables.commit(state, replace(planned, ledger=replace(planned.ledger, registry=state.ledger.registry)))
        state = tables.load(NAME)
        named = {
            s.summary[codec.REGISTRY_FILE]
            for s in raw(state).snapshots()
            if s.summary and codec.REGISTRY_FILE in s.summary.additional_properties
        }
        assert {Path(str(p).removeprefix("file://")).name for p in named} == {
            p.name for p in metadata_folder.glob("lakelock-registry-*.json")
        }
    assert len(named) == 1


def test_two_commits_never_share_a_file_that_can_be_deleted(tables: IcebergTables) -> None:
    state = adopted(tables, NAME)
    planned = wide(state, 2_000, 1)
    tables.commit(state, planned)
    state = tables.load(NAME)
    tables.commit(state, replace(planned, ledger=replace(planned.ledger, commit_id="another")))
    last = [s.summary for s in raw(tables.load(NAME)).snapshots()[-2:]]
    for key in (codec.COVERAGE_FILE, codec.RANGES_FILE):
        assert len({s[key] for s in last if s}) == 2


@pytest.mark.parametrize("harm", ["gone", "cut"])
def test_a_damaged_coverage_file_stops(tables: IcebergTables, metadata_folder: Path, harm: str) -> None:
    from lakelock.model import coverage_text as coverage_codec

    state = adopted(tables, NAME)
    tables.commit(state, wide(state, 2_000, 1))
    path = next(metadata_folder.glob("lakelock-coverage-*.json"))
    if harm == "gone":
        path.unlink()
    else:
        path.write_text(path.read_text()[:-10])
    coverage_codec._recent.clear()
    with pytest.raises(LedgerUnreadable, match=path.name):
        open_tables(tables._properties).load(NAME)


def test_a_configuration_that_a_killed_process_left_cut_short_is_written_whole(
    tables: IcebergTables, metadata_folder: Path
) -> None:
    state, config = adopted(tables, NAME), {"name": "p", "tables": [{"name": NAME}]}
    tables.commit(state, change(state, 0, 1, config=config))
    path = metadata_folder / "lakelock-config-config.json"
    whole = path.read_text()
    path.write_text(whole[:10])
    other = open_tables(tables._properties)
    state = other.load(NAME)
    other.commit(state, change(state, 1, 2, config=config))
    assert path.read_text() == whole


def test_the_configuration_is_kept_with_the_table(tables: IcebergTables, metadata_folder: Path) -> None:
    state = adopted(tables, NAME)
    tables.commit(state, change(state, 0, 1, config={"name": "p", "tables": [{"name": NAME}]}))
    assert json.loads((metadata_folder / "lakelock-config-config.json").read_text())["tables"] == [{"name": NAME}]
