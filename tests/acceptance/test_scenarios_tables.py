"""What others do to a table at the moment of a commit: it lands once, waits, or stops and says why."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest
from kits.rollbacks import on_the_way
from kits.world import World, file_of, open_with, write_next
from lakelock.errors import LedgerDetached, TableMissing, TableReplaced, WalUnusable
from lakelock.model.ledger import Mode
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.table.update import SetSnapshotRefUpdate
from pyiceberg.transforms import BucketTransform
from pyiceberg.types import LongType, NestedField

pytestmark = pytest.mark.drawn(0.15)


def table_of(world: World) -> Table:
    return world.catalog.load_table(world.table)


def head_of(world: World, table: str = "") -> int:
    head = world.catalog.load_table(table or world.table).current_snapshot()
    assert head is not None
    return head.snapshot_id


def test_a_table_that_is_renamed_before_its_commit_gets_it_under_its_old_name_again(near: World) -> None:
    elsewhere = f"{near.namespace}.elsewhere"
    near.produce(10)
    with closing(near.runtime()) as runtime:
        write_next(runtime)
        on_the_way(runtime, runtime.tables, lambda: near.catalog.rename_table(near.table, elsewhere))
        with pytest.raises(TableMissing, match="staged files are kept"):
            runtime.commit([near.table], now=True)
        assert near.catalog.load_table(elsewhere).scan().count() == 20
        near.catalog.rename_table(elsewhere, near.table)
        runtime.commit([near.table], now=True)
    near.audit()


def test_the_new_name_of_a_renamed_table_in_the_file_stops_before_anything_is_written_twice(near: World) -> None:
    elsewhere = f"{near.namespace}.elsewhere"
    near.catalog.rename_table(near.table, elsewhere)
    near.produce(10)
    with open_with(near, file_of(near, elsewhere)) as runtime, pytest.raises(WalUnusable, match="lakelock recover"):
        write_next(runtime)
    assert near.catalog.load_table(elsewhere).scan().count() == 20


def test_a_table_that_is_replaced_in_the_moment_of_its_commit_is_not_written_to(near: World) -> None:
    near.produce(10)
    location = table_of(near).metadata_location

    def replace() -> None:
        near.catalog.drop_table(near.table)
        near.catalog.create_table(near.table, Schema(NestedField(1, "id", LongType(), required=False)))

    with closing(near.runtime()) as runtime:
        write_next(runtime)
        on_the_way(runtime, runtime.tables, replace)
        with pytest.raises(TableReplaced, match="staged files are kept"):
            runtime.commit([near.table], now=True)
        assert table_of(near).current_snapshot() is None
        near.catalog.drop_table(near.table)
        near.catalog.register_table(near.table, location)
        runtime.commit([near.table], now=True)
    near.audit()


def test_a_table_that_went_on_and_came_back_to_the_very_snapshot_is_checked_again(near: World) -> None:
    """Branch and tag are what the commit expects; the table's last sequence number is not."""
    near.produce(10)
    head = head_of(near)

    def there_and_back() -> None:
        table_of(near).append(table_of(near).scan().to_arrow())
        table_of(near).manage_snapshots().rollback_to_snapshot(head).commit()
        assert head_of(near) == head

    with closing(near.runtime()) as runtime:
        write_next(runtime)
        on_the_way(runtime, runtime.tables, there_and_back)
        assert [o.rows for o in runtime.commit([near.table], now=True)] == [10]
    near.audit()


def strangers(world: World) -> None:
    table = table_of(world)
    table.append(pa.Table.from_pylist([{"id": -1}, {"id": -2}], table.schema().as_arrow()))


def they_go(world: World) -> None:
    table_of(world).delete("id < 0")


def one_file(world: World) -> None:
    table_of(world).overwrite(table_of(world).scan().to_arrow())


def some_are_removed(world: World) -> None:
    table_of(world).delete("id == 3")


def test_appends_deletes_and_rewrites_of_others_beside_commits_change_nothing_of_ours(near: World) -> None:
    def commit_beside(what: Callable[[World], None]) -> Any:
        near.produce(10)
        with closing(near.runtime()) as runtime:
            write_next(runtime)
            on_the_way(runtime, runtime.tables, lambda: what(near))
            assert [o.rows for o in near.commit(runtime)] == [10]
            return runtime.audit()

    found = commit_beside(strangers)
    assert found.complete
    assert found.tables[0].rows_without_offset == 2
    for what in (one_file, they_go):
        assert commit_beside(what).complete
        near.run()
    near.audit()
    found = commit_beside(some_are_removed)
    assert [f for t in found.tables for f in t.faults if "rows were written" in f]
    near.run()
    assert sorted(r[2] for r in near.rows()) == [n for n in range(near.next_id) if n != 3]


def point(world: World, branch: str, snapshot_id: int, table: str = "") -> None:
    named = {"ref-name": branch, "type": "branch", "snapshot-id": snapshot_id}
    found = world.catalog.load_table(table or world.table)
    world.catalog.commit_table(found, (), (SetSnapshotRefUpdate.model_validate(named),))


@pytest.mark.parametrize("mode", [None, *Mode], ids=lambda m: f"rejected, {m.value}" if m else "published")
def test_what_is_written_to_a_branch_is_published_or_rejected_as_a_whole(near: World, mode: Mode | None) -> None:
    main, dead_letters = head_of(near), f"{near.table}__dead_letters"
    point(near, "audit", main)
    point(near, "audit", head_of(near, dead_letters), dead_letters)
    near.settings = "catalog: {branch: audit}\n"
    near.produce(10)
    near.run()
    assert len(near.rows()) == 20, "readers of main see nothing of it"
    near.settings = ""
    near.produce(10)
    with pytest.raises(LedgerDetached):
        near.run()
    near.settings = "catalog: {branch: audit}\n"
    if mode is not None:
        point(near, "audit", main)
        with pytest.raises(LedgerDetached):
            near.run()
        with closing(near.runtime()) as runtime:
            runtime.recovery("tester", mode).recover()
    for _ in range(3):
        near.run()
    assert len(near.rows()) == 20
    point(near, "main", table_of(near).metadata.refs["audit"].snapshot_id)
    near.settings = ""
    near.produce(10)
    near.run()
    if mode is Mode.SKIP:
        assert sorted(r[2] for r in near.rows()) == [*range(20), *range(30, 50)]
    else:
        near.audit()


# How the table is altered, and whether what was written for it before may land.
ALTERATIONS: dict[str, tuple[Callable[[Table], None], bool]] = {
    "a column more": (lambda table: table.update_schema().add_column("late", LongType()).commit(), True),
    "a column renamed": (lambda table: table.update_schema().rename_column("note", "remark").commit(), True),
    "another partitioning": (
        lambda table: table.update_spec().add_field("id", BucketTransform(4), "bucket").commit(),
        True,
    ),
    "a column less": (lambda table: table.update_schema().delete_column("note").commit(), False),
}


@pytest.mark.parametrize("moment", ["before the commit", "in its moment"])
@pytest.mark.parametrize("altered", ALTERATIONS)
def test_what_was_written_before_the_table_was_altered_lands_once_as_it_is_or_written_again(
    near: World, altered: str, moment: str
) -> None:
    alter, fits = ALTERATIONS[altered]
    text = file_of(near, f"{{name: {near.table}, new_fields: ignore}}")
    near.produce(10)
    before = table_of(near)
    with open_with(near, text) as runtime:
        write_next(runtime)
        if moment == "before the commit":
            alter(table_of(near))
        else:
            on_the_way(runtime, runtime.tables, lambda: alter(table_of(near)))
        (done,) = runtime.commit([near.table], now=True)
        assert (done.version_id is not None) == fits
        near.cycle(runtime)
    table = table_of(near)
    there = {t.file.file_path for t in before.scan().plan_files()}
    written = [t.file for t in table.scan().plan_files() if t.file.file_path not in there]
    assert {f.spec_id for f in written} == {(before if fits else table).spec().spec_id}
    near.audit()
