"""What an expiry strands and what lies in a table's folders, on real tables and storage."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from kits.iceberg import adopted, change, ids_in, open_tables, plain_catalog, raw, rows
from lakelock.adapters.iceberg import IcebergStorage, IcebergTables
from lakelock.adapters.iceberg import pyiceberg_private as internals
from lakelock.adapters.iceberg.listing import Entry, entries
from lakelock.adapters.iceberg.unreferenced import key_of
from lakelock.errors import CommitConflict, TableUnfit
from lakelock.model import ledger as codec
from lakelock.model.operator_log import Decided, What
from lakelock.ports import Change, TableState
from lakelock.ports.edits import Expire, Restore, new_files
from lakelock.upkeep.expiry_decision import ExpiryLimits, expired
from pyiceberg.io import FileIO
from pyiceberg.io.fsspec import FsspecFileIO
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table.statistics import PartitionStatisticsFile, StatisticsFile
from pyiceberg.table.update import SetPartitionStatisticsUpdate, SetStatisticsUpdate

NAME = "shop.orders"


@pytest.fixture
def tables(folder: Path) -> IcebergTables:
    return open_tables(
        {"type": "sql", "uri": f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    )


def storage(tables: IcebergTables) -> IcebergStorage:
    return IcebergStorage(tables.border)


def committed(
    tables: IcebergTables, start: int, end: int, *, keep_snapshots: int = 1000, keep_younger_ms: int = 0
) -> TableState:
    for i in range(start, end):
        state = tables.load(NAME)
        kept = change(state, i, i + 1, keep_snapshots=keep_snapshots, keep_younger_ms=keep_younger_ms)
        tables.commit(state, kept)
    return tables.load(NAME)


def expire(tables: IcebergTables, *snapshot_ids: int) -> TableState:
    state = tables.load(NAME)
    tables.commit(state, change(state, edit=Expire(snapshot_ids)))
    return tables.load(NAME)


def with_statistics(tables: IcebergTables, snapshot_id: int, folder: Path) -> set[str]:
    paths = {kind: f"file://{folder}/{kind}-{snapshot_id}.stats" for kind in ("table", "partition")}
    for path in paths.values():
        Path(path.removeprefix("file://")).write_text("x")
    common = {"snapshot-id": snapshot_id, "file-size-in-bytes": 1}
    table = StatisticsFile.model_validate(
        {**common, "statistics-path": paths["table"], "file-footer-size-in-bytes": 1, "blob-metadata": []}
    )
    partition = PartitionStatisticsFile.model_validate({**common, "statistics-path": paths["partition"]})
    updates = (
        SetStatisticsUpdate.model_validate({"statistics": table.model_dump(by_alias=True)}),
        SetPartitionStatisticsUpdate.model_validate({"partition-statistics": partition.model_dump(by_alias=True)}),
    )
    plain = plain_catalog(tables).load_table(NAME)
    plain_catalog(tables).commit_table(plain, (), updates)
    return set(paths.values())


def test_an_expiry_deletes_nothing_itself_and_strands_what_only_they_named(tables: IcebergTables, folder: Path) -> None:
    adopted(tables, NAME)
    state = committed(tables, 0, 3)
    foreign = plain_catalog(tables).load_table(NAME)
    foreign.overwrite(rows([0, 1, 2]))
    old = {t.file.file_path for t in raw(state).scan().plan_files()}
    assert len(old) == 3
    gone = [s.snapshot_id for s in raw(state).snapshots()]
    statistics = with_statistics(tables, gone[-1], folder)
    kept_statistics = with_statistics(
        tables, plain_catalog(tables).load_table(NAME).metadata.current_snapshot_id or 0, folder
    )
    before = tables.load(NAME)
    planned = storage(tables).stranded(before, gone)
    now = expire(tables, *gone)
    found = storage(tables).stranded(before, gone, now)
    assert found == planned
    assert all(Path(p.removeprefix("file://")).exists() for p in found.paths)
    assert old | statistics <= set(found.paths)
    assert not kept_statistics & set(found.paths)
    assert {f.snapshot_id for f in raw(now).metadata.partition_statistics} == {raw(before).metadata.current_snapshot_id}
    some = next(iter(old))
    assert some not in storage(tables).stranded(before, gone, now, {some.rpartition("/")[2]}).paths
    assert storage(tables).delete(now, found.paths) == len(found.paths)
    assert storage(tables).delete(now, found.paths) == 0
    assert ids_in(tables, NAME) == [0, 1, 2]


def test_a_file_that_came_back_into_the_table_is_not_stranded(tables: IcebergTables) -> None:
    """A recommit: what a rollback left behind names the file, and a newer snapshot does again, in another manifest."""
    adopted(tables, NAME)
    first = committed(tables, 0, 1)
    landed = change(first, 1, 2)
    tables.commit(first, landed)
    left_behind = tables.load(NAME)
    assert first.head_id is not None
    tables.commit(left_behind, change(first, edit=Restore(first.head_id)))
    state = tables.load(NAME)
    tables.commit(state, change(state, 1, 2, files=new_files(landed.edit)))
    assert left_behind.head_id is not None
    found = storage(tables).stranded(tables.load(NAME), [left_behind.head_id])
    assert len(found.paths) == 2, "its list and its manifest"
    assert not {f.path for f in new_files(landed.edit)} & set(found.paths)


def decided(state: TableState, why: str = "because " * 1_000) -> Change:
    """A change whose ledger holds more decisions than a summary takes."""
    plain = change(state)
    said = Decided(What.REBIND, datetime(2026, 1, 1, tzinfo=UTC), "somebody", why)
    return replace(plain, ledger=replace(plain.ledger, decisions=(said,)))


def decisions_files(folder: Path) -> set[str]:
    return {f"file://{p}" for p in folder.rglob("lakelock-decisions-*.json")}


def test_files_of_decisions_go_with_the_snapshots_that_name_them(tables: IcebergTables, folder: Path) -> None:
    adopted(tables, NAME)
    for _ in range(3):
        state = tables.load(NAME)
        tables.commit(state, decided(state))
    state = tables.load(NAME)
    files = decisions_files(folder)
    assert len(files) == 3
    assert {Path(p).name for p in files} <= storage(tables).named(state)
    assert files <= {f.path for f in storage(tables).own_files(state)}
    gone = [s.snapshot_id for s in raw(state).snapshots()[:2]]
    before = state
    tables.commit(state, replace(decided(state), edit=Expire(tuple(gone))))
    now = tables.load(NAME)
    found = storage(tables).stranded(before, gone, now)
    lost = files & set(found.paths)
    assert len(lost) == 1
    storage(tables).delete(now, found.paths)
    assert files - decisions_files(folder) == lost
    ledger = open_tables(tables._properties).load(NAME).ledger
    assert ledger is not None
    assert len(ledger.decisions) == 1


def test_a_commit_that_expires_snapshots_takes_their_files_of_decisions_along(
    tables: IcebergTables, folder: Path
) -> None:
    adopted(tables, NAME)
    for _ in range(12):
        state = tables.load(NAME)
        tables.commit(state, replace(decided(state), keep_snapshots=5))
    left = raw(tables.load(NAME)).snapshots()
    assert len(left) <= 6
    assert {Path(p).name for p in decisions_files(folder)} == {
        Path(str(s.summary[codec.DECISIONS_FILE])).name for s in left if s.summary
    }
    assert open_tables(tables._properties).load(NAME).ledger is not None


def test_an_expiry_meets_every_tag_as_it_was(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    state = committed(tables, 0, 3)
    first, second = (s.snapshot_id for s in raw(state).snapshots()[:2])
    plain_catalog(tables).load_table(NAME).manage_snapshots().create_tag(second, "keep").commit()
    with pytest.raises(CommitConflict):
        tables.commit(state, change(state, edit=Expire((first,))))
    state = tables.load(NAME)
    plain_catalog(tables).load_table(NAME).manage_snapshots().remove_tag("keep").commit()
    with pytest.raises(CommitConflict):
        tables.commit(state, change(state, edit=Expire((first,))))
    assert raw(expire(tables, first)).metadata.snapshot_by_id(first) is None


def test_a_tag_that_moved_is_met_by_the_formats_own_requirements_too(
    tables: IcebergTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that a REST catalog checks."""
    monkeypatch.setattr(internals, "same_refs", lambda *_: [])
    adopted(tables, NAME)
    first, second = (s.snapshot_id for s in raw(committed(tables, 0, 3)).snapshots()[:2])
    plain_catalog(tables).load_table(NAME).manage_snapshots().create_tag(second, "keep").commit()
    state = tables.load(NAME)
    manage = plain_catalog(tables).load_table(NAME).manage_snapshots()
    manage.remove_tag("keep").create_tag(first, "keep").commit()
    with pytest.raises(CommitConflict):
        tables.commit(state, change(state, edit=Expire((first,))))
    assert plain_catalog(tables).load_table(NAME).metadata.refs["keep"].snapshot_id == first


def test_commits_leave_what_a_rollback_may_need(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    assert len(raw(committed(tables, 0, 15, keep_snapshots=5, keep_younger_ms=3_600_000)).snapshots()) == 16
    assert len(raw(committed(tables, 15, 16, keep_snapshots=5)).snapshots()) <= 6


def test_other_pipelines_tags_and_staged_snapshots_are_reported(tables: IcebergTables) -> None:
    adopted(tables, NAME)
    committed(tables, 0, 2)
    other = open_tables(tables._properties, "q")
    state = other.load(NAME)
    other.commit(state, change(state, pipeline="q"))
    lineage = storage(tables).lineage(committed(tables, 2, 3))
    assert lineage.owners == {"p", "q"}
    assert [s.pipeline for s in lineage.history] == ["p", "q", "p", "p", "p"]
    assert lineage.others_ledgers == {lineage.history[1].id}
    # A branch that a user made here makes no pipeline a stranger.
    plain_catalog(tables).load_table(NAME).manage_snapshots().create_branch(lineage.history[0].id, "audit").commit()
    assert storage(tables).lineage(tables.load(NAME)).owners == {"p", "q"}


def on_branch(tables: IcebergTables, start: int, end: int) -> IcebergTables:
    """Pipeline q writes to a branch of its own."""
    head = raw(tables.load(NAME)).metadata.current_snapshot_id
    assert head is not None
    if "audit" not in raw(tables.load(NAME)).metadata.refs:
        plain_catalog(tables).load_table(NAME).manage_snapshots().create_branch(head, "audit").commit()
    other = open_tables(tables._properties, "q", branch="audit")
    if other.load(NAME).ledger is None:
        other.commit(other.load(NAME), change(other.load(NAME), pipeline="q"))
    for i in range(start, end):
        other.commit(state := other.load(NAME), change(state, i, i + 1, pipeline="q"))
    return other


def test_a_pipeline_on_another_branch_keeps_its_own_snapshots_and_none_of_this_one(
    tables: IcebergTables, folder: Path
) -> None:
    adopted(tables, NAME)
    committed(tables, 0, 2)
    other = on_branch(tables, 0, 3)
    state = committed(tables, 2, 8)
    lineage = storage(tables).lineage(state)
    assert lineage.owners == {"p"}
    theirs = {s.id for s in storage(tables).lineage(other.load(NAME)).history}
    assert len(theirs) == 3 + 4
    assert theirs <= lineage.named
    gone = expired(lineage, ExpiryLimits(1, 3), "p", 10**15)
    assert gone == [s.id for s in reversed(lineage.history[2:6])], "all since the branch began, but the newest"
    now = expire(tables, *gone)
    storage(tables).delete(now, storage(tables).stranded(state, gone, now).paths)
    on_branch(tables, 3, 4)
    assert plain_catalog(tables).load_table(NAME).scan(snapshot_id=other.load(NAME).head_id).to_arrow().num_rows == 6
    assert ids_in(tables, NAME) == list(range(8))


def test_a_pipeline_that_was_rolled_back_by_hand_still_counts(tables: IcebergTables) -> None:
    """Its tag is on no branch: `recover` will ask this history what it had."""
    adopted(tables, NAME)
    state = committed(tables, 0, 3)
    other = open_tables(tables._properties, "q")
    other.commit(theirs := other.load(NAME), change(theirs, pipeline="q"))
    assert state.head_id is not None
    plain_catalog(tables).load_table(NAME).manage_snapshots().set_current_snapshot(state.head_id).commit()
    lineage = storage(tables).lineage(committed(tables, 3, 4))
    assert lineage.owners == {"p", "q"}
    assert expired(lineage, ExpiryLimits(1, 2), "p", 10**15) == []


@pytest.mark.parametrize("io", [PyArrowFileIO(), FsspecFileIO({})], ids=["pyarrow", "fsspec"])
def test_folders_are_listed_as_the_storage_has_them(folder: Path, io: FileIO) -> None:
    for name in ("a/b/c.txt", "a/d.txt", "e f.txt"):
        (folder / "x" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "x" / name).write_text("123")
    found = {e.relative: e for e in entries(io, f"file://{folder}/x")}
    assert found["a"] == Entry("a", True)
    file = found["e f.txt"]
    assert (file.size_bytes, file.modified_ms // 1000) == (3, int((folder / "x" / "e f.txt").stat().st_mtime))
    files = {e.relative for e in entries(io, f"file://{folder}/x/", recursive=True) if not e.is_folder}
    assert files == {"a/b/c.txt", "a/d.txt", "e f.txt"}
    assert list(entries(io, f"file://{folder}/nowhere")) == []


def test_storage_that_cannot_be_listed_is_refused(folder: Path) -> None:
    class Strange(FileIO):
        new_input = new_output = delete = None  # type: ignore[assignment]

    with pytest.raises(TableUnfit, match="cannot be listed"):
        entries(Strange(), f"file://{folder}")


def test_a_path_is_the_same_however_its_scheme_is_spelled() -> None:
    assert key_of("file:/a/b") == key_of("file:///a/b") == key_of("/a/b")
    assert key_of("s3://bucket/a#1?x") == key_of("s3a://bucket/a#1?x") != key_of("s3://bucket/a")
