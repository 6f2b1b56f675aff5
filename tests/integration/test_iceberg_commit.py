"""The strict commit on a real SQL catalog: what lands, what is refused, what stops."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

import pytest
from kits.iceberg import (
    COLUMNS,
    INSTALLATION,
    SOURCE,
    adopted,
    change,
    definition,
    ids_in,
    open_tables,
    raw,
    rows,
    write_files,
)
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.iceberg.ledger_reading import tag_name
from lakelock.adapters.parquet.file_layout import FileLayout, plain
from lakelock.errors import (
    ClockBehind,
    CommitConflict,
    LedgerDetached,
    LedgerForeign,
    LedgerUnreadable,
    TableMissing,
    TableUnfit,
)
from lakelock.model import ledger as codec
from lakelock.model.coverage import Interval
from lakelock.ports import TableState
from lakelock.ports.edits import new_files
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.snapshots import Operation
from pyiceberg.types import StringType

pytestmark = pytest.mark.drawn(0.2, about="adapters/iceberg")

TAG = tag_name("p")
OWNER = codec.owner_property("p")


@pytest.fixture
def tables(any_catalog: dict[str, str]) -> IcebergTables:
    return open_tables(any_catalog)


@pytest.fixture
def name(namespace: str) -> str:
    return f"{namespace}.flights"


@pytest.fixture
def state(tables: IcebergTables, name: str) -> TableState:
    """An adopted, empty table."""
    return adopted(tables, name)


def land(tables: IcebergTables, name: str, start: int, end: int) -> TableState:
    state = tables.load(name)
    tables.commit(state, change(state, start, end))
    return tables.load(name)


def prefix_end(state: TableState) -> int:
    assert state.ledger is not None
    covered = state.ledger.coverage.get(SOURCE)
    return covered.prefix_end if covered else 0


def test_adopting_a_new_table_sets_owner_branch_and_tag_in_one_snapshot(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition())
    new = tables.load(name)
    assert new.ledger is None
    assert new.head_id is None
    snapshot_id = tables.commit(new, change(new))
    after = tables.load(name)
    table = raw(after)
    assert after.head_id == snapshot_id
    assert after.properties[OWNER] == INSTALLATION
    assert table.metadata.refs["main"].snapshot_id == table.metadata.refs[TAG].snapshot_id == snapshot_id
    assert table.metadata.refs[TAG].snapshot_ref_type is SnapshotRefType.TAG
    assert len(table.metadata.snapshots) == 1
    assert after.ledger is not None
    assert len(after.ledger.coverage) == 0


def test_rows_offsets_and_tag_become_visible_together(tables: IcebergTables, name: str, state: TableState) -> None:
    planned = change(state, 0, 5)
    snapshot_id = tables.commit(state, planned)
    after = tables.load(name)
    assert ids_in(tables, name) == [0, 1, 2, 3, 4]
    assert after.ledger == planned.ledger
    assert after.ledger is not None
    assert after.ledger.coverage[SOURCE].intervals == (Interval(0, 5),)
    assert tables.find_commit(after, planned.ledger.commit_id) == snapshot_id
    assert tables.find_commit(after, str(uuid.uuid4())) is None
    assert tables.find_commit(state, planned.ledger.commit_id) is None


def test_summary_counts_as_icebergs_own_appends_do(tables: IcebergTables, name: str, state: TableState) -> None:
    tables.commit(state, change(state, 0, 5))
    before = tables.load(name)
    planned = change(before, 5, 8)
    tables.commit(before, planned)
    summary = raw(tables.load(name)).current_snapshot().summary  # type: ignore[union-attr]
    assert summary is not None
    assert summary.operation is Operation.APPEND
    added = {k: v for k, v in summary.additional_properties.items() if not k.startswith("lakelock.")}
    size_bytes = new_files(planned.edit)[0].size_bytes
    total_bytes = int(added["total-files-size"])
    assert added == {
        "added-data-files": "1",
        "added-records": "3",
        "added-files-size": str(size_bytes),
        "total-data-files": "2",
        "total-records": "8",
        "total-delete-files": "0",
        "total-position-deletes": "0",
        "total-equality-deletes": "0",
        "total-files-size": str(total_bytes),
    }
    assert total_bytes == sum(t.file.file_size_in_bytes for t in raw(tables.load(name)).scan().plan_files())


def test_a_range_without_records_makes_a_snapshot_without_files(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    land(tables, name, 0, 3)
    before = tables.load(name)
    tables.commit(before, change(before, 3, 9, files=()))
    assert ids_in(tables, name) == [0, 1, 2]
    after = tables.load(name)
    assert prefix_end(after) == 9
    summary = raw(after).current_snapshot().summary  # type: ignore[union-attr]
    assert summary is not None
    assert (summary["total-records"], summary["added-records"]) == ("3", None)


def test_two_commits_from_one_load_land_once(tables: IcebergTables, name: str, state: TableState) -> None:
    first, second = change(state, 0, 5), change(state, 0, 5)
    tables.commit(state, first)
    with pytest.raises(CommitConflict, match="the table changed"):
        tables.commit(state, second)
    assert ids_in(tables, name) == [0, 1, 2, 3, 4]


def test_two_first_commits_on_a_table_without_snapshots_land_once(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition())
    new = tables.load(name)
    tables.commit(new, change(new, 0, 2))
    with pytest.raises(CommitConflict):
        tables.commit(new, change(new, 0, 2))
    assert ids_in(tables, name) == [0, 1]


def test_a_refused_commit_deletes_nothing(tables: IcebergTables, name: str, state: TableState) -> None:
    late = change(state, 0, 5)
    land(tables, name, 0, 3)
    with pytest.raises(CommitConflict):
        tables.commit(state, late)
    assert tables.missing_files(state, new_files(late.edit)) == []
    assert ids_in(tables, name) == [0, 1, 2]


def test_a_foreign_append_after_the_load_refuses_and_the_next_load_builds_on_it(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    raw(tables.load(name)).append(rows([100, 101]))
    with pytest.raises(CommitConflict):
        tables.commit(state, change(state, 0, 2))
    land(tables, name, 0, 2)
    assert ids_in(tables, name) == [0, 1, 100, 101]
    summary = raw(tables.load(name)).current_snapshot().summary  # type: ignore[union-attr]
    assert summary is not None
    assert summary["total-records"] == "4"


def test_foreign_snapshots_behind_ours_leave_the_ledger_readable(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    land(tables, name, 0, 2)
    for i in range(3):
        raw(tables.load(name)).append(rows([100 + i]))
    assert prefix_end(tables.load(name)) == 2


def test_a_foreign_property_change_refuses_nothing(tables: IcebergTables, name: str, state: TableState) -> None:
    with raw(state).transaction() as transaction:
        transaction.set_properties({"comment": "theirs"})
    tables.commit(state, change(state, 0, 2))
    after = tables.load(name)
    assert after.properties["comment"] == "theirs"
    assert ids_in(tables, name) == [0, 1]


def test_a_rollback_behind_our_back_refuses_and_the_next_load_stops(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    before = land(tables, name, 0, 2)
    in_flight = land(tables, name, 2, 4)
    assert before.head_id is not None
    raw(in_flight).manage_snapshots().rollback_to_snapshot(before.head_id).commit()
    with pytest.raises(CommitConflict):
        tables.commit(in_flight, change(in_flight, 4, 6))
    with pytest.raises(LedgerDetached, match="rolled back or replaced by another tool"):
        tables.load(name)


def test_a_head_that_came_back_does_not_let_a_stale_commit_in(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    """The branch is what the stale commit expects, because a user rolled it back; the tag is not."""
    stale = land(tables, name, 0, 2)
    land(tables, name, 2, 4)
    assert stale.head_id is not None
    raw(tables.load(name)).manage_snapshots().rollback_to_snapshot(stale.head_id).commit()
    with pytest.raises(CommitConflict):
        tables.commit(stale, change(stale, 2, 4))


def test_a_tag_moved_by_hand_refuses(tables: IcebergTables, name: str, state: TableState) -> None:
    older = land(tables, name, 0, 2).head_id
    in_flight = land(tables, name, 2, 4)
    assert older is not None
    table = raw(in_flight)
    table.manage_snapshots().remove_tag(TAG).commit()
    table.manage_snapshots().create_tag(older, TAG).commit()
    with pytest.raises(CommitConflict):
        tables.commit(in_flight, change(in_flight, 4, 6))


def test_a_tag_deleted_by_hand_stops(tables: IcebergTables, name: str, state: TableState) -> None:
    in_flight = land(tables, name, 0, 2)
    raw(in_flight).manage_snapshots().remove_tag(TAG).commit()
    with pytest.raises(CommitConflict):
        tables.commit(in_flight, change(in_flight, 2, 4))
    with pytest.raises(LedgerDetached, match="tag 'lakelock-p' is gone"):
        tables.load(name)


def test_a_property_deleted_by_hand_stops(tables: IcebergTables, name: str, state: TableState) -> None:
    with raw(state).transaction() as transaction:
        transaction.remove_properties(OWNER)
    with pytest.raises(LedgerDetached, match=r"property 'lakelock\.p' is gone"):
        tables.load(name)


def test_a_foreign_installation_stops(
    tables: IcebergTables, name: str, state: TableState, any_catalog: dict[str, str]
) -> None:
    other = open_tables(any_catalog, installation_id="another")
    with pytest.raises(LedgerForeign):
        other.load(name)


def test_a_tag_on_a_foreign_snapshot_stops(tables: IcebergTables, name: str, state: TableState) -> None:
    table = raw(land(tables, name, 0, 2))
    table.append(rows([100]))
    table.manage_snapshots().remove_tag(TAG).commit()
    head = table.current_snapshot()
    assert head is not None
    table.manage_snapshots().create_tag(head.snapshot_id, TAG).commit()
    with pytest.raises(LedgerUnreadable):
        tables.load(name)


def test_an_ancestry_that_ends_in_expired_snapshots_stops(tables: IcebergTables, name: str, state: TableState) -> None:
    """The tag keeps its snapshot; what lay between it and the head is gone, so nothing proves the connection."""
    land(tables, name, 0, 2)
    table = raw(tables.load(name))
    for i in range(3):
        table.append(rows([100 + i]))
    between = [s.snapshot_id for s in table.metadata.snapshots][-3:-1]
    table.maintenance.expire_snapshots().by_ids(between).commit()
    with pytest.raises(LedgerDetached, match="expired snapshots between"):
        tables.load(name)


def test_a_dropped_table_is_missing(tables: IcebergTables, name: str, state: TableState) -> None:
    tables.catalog.drop_table(name)
    with pytest.raises(TableMissing, match=name):
        tables.commit(state, change(state, 0, 2))
    with pytest.raises(TableMissing, match=name):
        tables.load(name)


def test_a_recreated_table_refuses_what_was_built_on_the_old_one(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    planned = change(state, 0, 2)
    tables.catalog.drop_table(name)
    tables.create(name, definition())
    with pytest.raises(CommitConflict):
        tables.commit(state, planned)
    fresh = tables.load(name)
    assert fresh.uuid != state.uuid
    assert fresh.head_id is None


def test_an_empty_table_recreated_after_the_load_refuses(tables: IcebergTables, name: str) -> None:
    """Neither has a branch or a tag that differs; the UUID does."""
    tables.create(name, definition())
    old = tables.load(name)
    tables.catalog.drop_table(name)
    tables.create(name, definition())
    with pytest.raises(CommitConflict):
        tables.commit(old, change(old, 0, 2))
    assert tables.load(name).head_id is None


def test_a_schema_change_after_the_load_refuses(tables: IcebergTables, name: str, state: TableState) -> None:
    planned = change(state, 0, 2)
    with raw(tables.load(name)).update_schema() as update:
        update.add_column("extra", StringType())
    with pytest.raises(CommitConflict):
        tables.commit(state, planned)
    assert ids_in(tables, name) == []


def test_two_pipelines_keep_their_ledgers_apart_on_one_table(
    tables: IcebergTables, name: str, any_catalog: dict[str, str]
) -> None:
    other = open_tables(any_catalog, pipeline="q")
    adopted(tables, name)
    theirs = other.load(name)
    assert theirs.ledger is None
    other.commit(theirs, change(theirs, 0, 3, pipeline="q", ids=[50, 51, 52]))
    land(tables, name, 0, 2)
    theirs = other.load(name)
    other.commit(theirs, change(theirs, 3, 4, pipeline="q", ids=[53]))
    assert prefix_end(tables.load(name)) == 2
    assert prefix_end(other.load(name)) == 4
    assert ids_in(tables, name) == [0, 1, 50, 51, 52, 53]


def test_an_existing_table_with_rows_is_adopted_as_it_is(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition())
    raw(tables.load(name)).append(rows([7, 8]))
    found = tables.load(name)
    assert found.ledger is None
    tables.commit(found, change(found))
    land(tables, name, 0, 2)
    assert ids_in(tables, name) == [0, 1, 7, 8]


def test_two_adoptions_of_a_table_with_rows_land_once(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition())
    raw(tables.load(name)).append(rows([7, 8]))
    found = tables.load(name)
    tables.commit(found, change(found))
    with pytest.raises(CommitConflict):
        tables.commit(found, change(found))


def test_files_land_under_the_partition_spec_they_were_written_with(tables: IcebergTables, name: str) -> None:
    """A file under another spec's manifest would vanish from filtered scans."""
    adopted(tables, name, partition_by=("month(ts)",))
    old = tables.load(name)
    monthly = write_files(old, [0, 1, 2])
    with raw(old).update_spec() as update:
        update.remove_field("ts_month")
        update.add_field("ts", "day", "ts_day")
    new = tables.load(name)
    old_id, new_id = (FileLayout.of(s.layout).spec.spec_id for s in (old, new))
    assert new_id != old_id
    daily = write_files(new, [3, 4, 30])
    tables.commit(new, change(new, 0, 6, files=(*monthly, *daily)))
    table = raw(tables.load(name))
    manifests = table.current_snapshot().manifests(table.io)  # type: ignore[union-attr]
    assert sorted((m.partition_spec_id, m.added_files_count) for m in manifests) == [(old_id, 1), (new_id, 2)]
    filtered = table.scan(row_filter="ts < '1970-01-01T02:30:00+00:00'").to_arrow()
    assert sorted(filtered["id"].to_pylist()) == [0, 1, 2]
    assert ids_in(tables, name) == [0, 1, 2, 3, 4, 30]


def test_files_of_an_unknown_spec_are_refused_before_anything_is_sent(
    tables: IcebergTables, name: str, state: TableState
) -> None:
    file = write_files(state, [1])[0]
    strange = replace(file, detail=json.dumps({**json.loads(file.detail), "spec_id": 9}).encode())
    with pytest.raises(TableUnfit, match="partition spec 9"):
        tables.commit(state, change(state, 0, 1, files=(strange,)))
    assert tables.load(name).head_id == state.head_id


def test_a_clock_behind_the_table_is_refused_and_a_little_skew_is_not(
    any_catalog: dict[str, str], tables: IcebergTables, name: str, state: TableState
) -> None:
    head = state.head
    assert head is not None
    behind = open_tables(any_catalog, now_ms=lambda: head.at_ms - 31_000)
    with pytest.raises(ClockBehind, match="31 s behind"):
        behind.commit(behind.load(name), change(state, 0, 1))
    skewed = open_tables(any_catalog, now_ms=lambda: head.at_ms - 29_000)
    skewed.commit(skewed.load(name), change(state, 0, 1))
    after = skewed.load(name).head
    assert after is not None
    assert after.at_ms > head.at_ms


def test_retention_settings_of_branch_and_tag_are_kept(tables: IcebergTables, name: str, state: TableState) -> None:
    from pyiceberg.table.update import SetSnapshotRefUpdate

    updates = tuple(
        SetSnapshotRefUpdate.model_validate(
            {
                "ref-name": ref,
                "type": kind,
                "snapshot-id": state.head_id,
                "max-ref-age-ms": 1_000_000_000 if kind == "tag" else None,
                "max-snapshot-age-ms": None if kind == "tag" else 2_000_000_000,
                "min-snapshots-to-keep": None if kind == "tag" else 7,
            }
        )
        for ref, kind in (("main", "branch"), (TAG, "tag"))
    )
    tables.catalog.commit_table(raw(state), (), updates)
    after = raw(land(tables, name, 0, 2)).metadata.refs
    assert (after["main"].max_snapshot_age_ms, after["main"].min_snapshots_to_keep) == (2_000_000_000, 7)
    assert after[TAG].max_ref_age_ms == 1_000_000_000


def test_another_branch_is_written_to_without_touching_main(
    any_catalog: dict[str, str], tables: IcebergTables, name: str
) -> None:
    tables.create(name, definition())
    table = raw(tables.load(name))
    table.append(rows([7]))
    main = table.current_snapshot()
    assert main is not None
    audit = open_tables(any_catalog, branch="audit")
    with pytest.raises(TableUnfit, match="no branch 'audit'"):
        audit.load(name)
    table.manage_snapshots().create_branch(main.snapshot_id, "audit").commit()
    state = audit.load(name)
    audit.commit(state, change(state, 0, 2))
    assert ids_in(audit, name) == [7]
    assert audit.load(name).ledger is not None
    after = raw(audit.load(name))
    assert after.metadata.refs["main"].snapshot_id == main.snapshot_id
    branch = after.scan(snapshot_id=after.metadata.refs["audit"].snapshot_id).to_arrow()
    assert sorted(branch["id"].to_pylist()) == [0, 1, 7]


def test_a_ledger_of_another_pipeline_is_never_committed(tables: IcebergTables, name: str, state: TableState) -> None:
    with pytest.raises(ValueError, match="'q'"):
        tables.commit(state, change(state, 0, 2, pipeline="q"))


def test_missing_and_cut_files_are_found(tables: IcebergTables, name: str, state: TableState) -> None:
    files = write_files(state, [1]) + write_files(state, [2]) + write_files(state, [3])
    raw(state).io.delete(files[0].path)
    cut = replace(files[1], size_bytes=files[1].size_bytes + 1)
    assert tables.missing_files(state, (files[0], cut, files[2])) == [files[0].path, files[1].path]


def test_a_state_reports_what_writers_need(tables: IcebergTables, name: str) -> None:
    tables.create(name, definition(partition_by=("day(ts)",), sort_by=("id desc",)))
    state = tables.load(name)
    assert state.layout.is_partitioned
    layout = FileLayout.of(state.layout)
    assert list(layout.schema.column_names) == [c.name for c in COLUMNS]
    assert state.columns == COLUMNS
    assert plain(layout.spec)["fields"] == [{"source-id": 3, "field-id": 1000, "transform": "day", "name": "ts_day"}]
    assert plain(layout.sort_order)["fields"] == [
        {"source-id": 1, "transform": "identity", "direction": "desc", "null-order": "nulls-last"}
    ]
    assert state.location.startswith("file://")
    assert "handle" not in repr(state)
