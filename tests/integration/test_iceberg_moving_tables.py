"""Commits and reads that meet a table which others changed in the middle."""

from __future__ import annotations

import pyarrow as pa
import pytest
from kits.dead_letter_rows import REQUIRED
from kits.iceberg import adopted, change, ids_in, open_tables, raw
from lakelock.adapters.iceberg import IcebergTables
from lakelock.errors import CommitConflict
from lakelock.model.offsets import OffsetRange, Source
from lakelock.ports import TableDefinition
from lakelock.records import dead_letters

SOURCE = Source("t", "id", 0)


@pytest.fixture
def tables(any_catalog: dict[str, str]) -> IcebergTables:
    return open_tables(any_catalog)


def test_a_new_partition_spec_refuses_a_commit_that_was_slow(tables: IcebergTables, namespace: str) -> None:
    """Its files are written again by then: both may decide differently which records are dead letters."""
    name = f"{namespace}.t"
    state = adopted(tables, name)
    planned = change(state, 0, 2)
    with raw(tables.load(name)).update_spec() as update:
        update.add_field("ts", "day", "ts_day")
    with pytest.raises(CommitConflict):
        tables.commit(state, planned)
    assert ids_in(tables, name) == []


def test_dead_letters_are_read_from_the_branch_that_is_written_to(
    any_catalog: dict[str, str], tables: IcebergTables, namespace: str
) -> None:
    name = f"{namespace}.dead"
    tables.create(name, TableDefinition(dead_letters.COLUMNS))
    table = tables.catalog.load_table(name)
    schema = table.schema().as_arrow()

    def dead_letter_rows(*offsets: int) -> pa.Table:
        row = {
            "target_table": "ns.t",
            "topic": "t",
            "topic_id": SOURCE.topic_id,
            "partition": 0,
            **REQUIRED,
        }
        return pa.Table.from_pylist([{**row, "offset": o} for o in offsets], schema=schema)

    table.append(dead_letter_rows(1))
    # A pipeline's predecessor may have read another topic of this name into the same table of dead letters.
    table.append(
        dead_letter_rows(4).set_column(
            schema.get_field_index("topic_id"),
            schema.field("topic_id"),
            pa.array(["another"], schema.field("topic_id").type),
        )
    )
    snapshot = table.current_snapshot()
    assert snapshot is not None
    with table.manage_snapshots() as manage:
        manage.create_branch(snapshot.snapshot_id, "audit")
    table.append(dead_letter_rows(2), branch="audit")
    table.append(dead_letter_rows(3))
    found = {}
    for branch in ("main", "audit"):
        there = open_tables(any_catalog, branch=branch)
        found[branch] = there.dead_letters(there.load(name), "ns.t", [OffsetRange(SOURCE, 0, 10)])
    assert found == {"main": {("t", 0, 1), ("t", 0, 3)}, "audit": {("t", 0, 1), ("t", 0, 2)}}
