"""A table's manifests are rewritten while everything else goes on: the second one decides again, each offset is there once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kits.commits import Bench, open_bench
from kits.iceberg import plain_catalog, rows
from kits.iceberg_files import (
    NOTHING_KEPT,
    aged,
    append_of_others,
    compaction_of_others,
    compaction_of_ours,
    exists,
    files,
    moved,
    new_column,
    on_swap,
    operations,
    orphans,
    recommitted_rollback,
    rollback,
)
from kits.wal import sql
from lakelock.errors import CommitConflict
from lakelock.upkeep import manifests_decision as decisions
from lakelock.upkeep.expire import Expiry
from lakelock.upkeep.expiry_decision import ExpiryLimits
from lakelock.upkeep.rewrite_manifests import ManifestRewrite
from pyiceberg.table.snapshots import Operation

pytestmark = pytest.mark.drawn(0.2)


@pytest.fixture
def bench(
    log_dsn: str, folder: Path, namespace: str, catalog_properties: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    monkeypatch.setattr(decisions, "MOST_SMALL", 3)
    with open_bench(log_dsn, folder, namespace, catalog_properties) as bench:
        moved(bench, 6)
        yield bench


def manifests(bench: Bench) -> set[str]:
    table = plain_catalog(bench.honest).load_table(bench.table)
    head = table.current_snapshot()
    assert head is not None
    return {m.manifest_path for m in head.manifests(table.io)}


def on_disk(bench: Bench) -> set[str]:
    folder = Path(plain_catalog(bench.honest).load_table(bench.table).location().removeprefix("file://")) / "metadata"
    return {f"file://{path}" for path in folder.glob("*.avro")}


def test_what_is_due_is_rewritten_once(bench: Bench) -> None:
    head, was = bench.head, files(bench)
    planned = ManifestRewrite(bench.keeper).preview(bench.table)
    assert (planned.manifests, planned.of, planned.now) == (6, 6, None)
    assert bench.head == head, "a plan changes nothing"
    done = bench.rewrite_manifests()
    assert (done.manifests, done.of, done.now) == (6, 6, 1)
    assert done.line.startswith(f"{bench.table}: 6 of 6 manifests, ")
    assert done.line.endswith(", rewritten; it has 1 now")
    assert len(manifests(bench)) == 1
    assert files(bench) == was
    bench.check(snapshots=6)
    head = bench.head
    assert bench.rewrite_manifests().line == f"{bench.table}: no manifests to rewrite"
    assert bench.head == head
    moved(bench, 4)
    assert bench.rewrite_manifests().manifests == 5
    bench.check(snapshots=10)


def test_one_commit_after_the_other_until_nothing_is_due(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_FILES", 3)
    done = bench.rewrite_manifests()
    assert (done.manifests, done.of, done.now) == (6, 6, 2)
    assert operations(bench).count(Operation.REPLACE) == 2
    assert ManifestRewrite(bench.keeper).preview(bench.table).nothing
    bench.check(snapshots=6)


def test_a_table_that_nobody_wrote_to_is_left(bench: Bench) -> None:
    other = f"{bench.table}_other"
    plain_catalog(bench.honest).create_table(other, rows([1]).schema)
    assert ManifestRewrite(bench.keeper).rewrite(other).nothing


def test_manifests_that_cannot_be_written_any_more_stay_and_are_reported(bench: Bench) -> None:
    table = plain_catalog(bench.honest).load_table(bench.table)
    with table.update_spec() as update:
        update.add_identity("name")
    for n in range(4):
        table.append(rows([100 + n]))
    with table.update_spec() as update:
        update.remove_field("name")
    with table.update_schema(allow_incompatible_changes=True) as evolving:
        evolving.delete_column("name")
    done = bench.rewrite_manifests()
    assert done.manifests == 6
    assert done.line.endswith("; 4 manifests stay: a column of its partition spec 1 was dropped")


# what happens beside


def commit_of_ours(bench: Bench) -> None:
    moved(bench, 1)


def rewrite_of_ours(bench: Bench) -> None:
    assert bench.rewrite_manifests().manifests == 6


def expiry(bench: Bench) -> None:
    assert Expiry(bench.keeper).expire(bench.table, NOTHING_KEPT).snapshots


def clean_up(bench: Bench) -> None:
    """Two hours passed: what the try has written is gone before it is sent."""
    aged(bench, 2)
    assert orphans(bench)


# What happens before the swap; how many manifests are then rewritten.
BESIDE: dict[str, tuple[Callable[[Bench], None], int]] = {
    "a commit of ours": (commit_of_ours, 7),
    "an append of others": (append_of_others, 6),
    "a compaction of ours": (compaction_of_ours, 0),
    "a compaction of others": (compaction_of_others, 0),
    "a rewrite of ours": (rewrite_of_ours, 0),
    "a new column": (new_column, 6),
    "a rollback": (rollback, 4),
    "a rollback that landed again": (recommitted_rollback, 5),
    "an expiry": (expiry, 6),
    "a clean-up": (clean_up, 6),
}


@pytest.mark.parametrize("what", BESIDE)
def test_who_comes_second_changes_nothing_and_decides_again(bench: Bench, what: str) -> None:
    act, rewritten = BESIDE[what]
    before = bench.honest.load(bench.table).ledger
    at: list[str] = []

    def meanwhile(swap: Callable[[], Any]) -> Any:
        act(bench)
        at.append(plain_catalog(bench.honest).load_table(bench.table).metadata_location)
        try:
            return swap()
        finally:
            at.append(plain_catalog(bench.honest).load_table(bench.table).metadata_location)

    on_swap(bench, meanwhile)
    done = bench.rewrite_manifests()
    assert at[0] == at[1], "the try that lost"
    assert done.manifests == rewritten, done.line
    assert ManifestRewrite(bench.keeper).preview(bench.table).nothing
    after = bench.honest.load(bench.table).ledger
    assert before is not None
    assert after is not None
    assert after.generation - before.generation == ("rollback" in what)
    bench.commit()
    bench.check()
    moved(bench, 1)
    bench.check()


@pytest.mark.parametrize("lands", [True, False])
def test_a_lost_answer_is_looked_up_before_anything_else(bench: Bench, lands: bool) -> None:
    def lost(swap: Callable[[], Any]) -> Any:
        if lands:
            swap()
        raise ConnectionResetError("no answer")

    on_swap(bench, lost)
    done = bench.rewrite_manifests()
    assert (done.manifests, done.now) == (6, 1)
    assert operations(bench).count(Operation.REPLACE) == 1
    bench.check(snapshots=6)


def test_an_answer_that_is_late_is_reported_as_done(bench: Bench) -> None:
    """The swap lands after the table was read, and before the next try: that one finds the branch moved."""
    late: list[Callable[[], Any]] = []

    def lost(swap: Callable[[], Any]) -> Any:
        late.append(swap)
        raise ConnectionResetError("no answer")

    on_swap(bench, lost)
    commit = bench.tables.commit

    def committing(*arguments: Any) -> int:
        if late:
            late.pop()()
        return commit(*arguments)

    bench.tables.commit = committing  # type: ignore[method-assign, assignment]
    done = bench.rewrite_manifests()
    assert (done.manifests, done.now) == (6, 1)
    assert operations(bench).count(Operation.REPLACE) == 1
    bench.check(snapshots=6)


def test_a_writer_that_never_rests_is_given_way(bench: Bench) -> None:
    swap = bench.tables.catalog.commit_table

    def busy(*arguments: Any) -> Any:
        append_of_others(bench)
        return swap(*arguments)

    bench.tables.catalog.commit_table = busy  # type: ignore[method-assign, assignment]
    was = manifests(bench)
    with pytest.raises(CommitConflict, match="and `orphans` deletes the files that were written"):
        bench.rewrite_manifests()
    assert was <= manifests(bench)
    assert Operation.REPLACE not in operations(bench)
    bench.check()


# rollback, expiry and orphans


@pytest.mark.parametrize("to", ["before", "after"])
def test_what_a_rollback_across_it_takes_out_lands_again_once(bench: Bench, to: str) -> None:
    second = bench.honest.history(bench.honest.load(bench.table))[2].id
    was = manifests(bench)
    bench.rewrite_manifests()
    rewritten, new = bench.head, manifests(bench)
    moved(bench, 2)
    bench.roll_back(second if to == "before" else rewritten)
    assert manifests(bench) < was if to == "before" else manifests(bench) == new
    bench.commit()
    bench.check()
    bench.rewrite_manifests()
    bench.commit()
    bench.check()


def test_old_manifests_go_with_the_last_snapshot_that_names_them(bench: Bench) -> None:
    old = manifests(bench)
    table = plain_catalog(bench.honest).load_table(bench.table)
    table.manage_snapshots().create_tag(bench.head, "month-end").commit()
    bench.rewrite_manifests()
    moved(bench, 3)
    keeper = Expiry(bench.keeper)
    assert keeper.expire(bench.table, NOTHING_KEPT).snapshots
    assert all(map(exists, old)), "the tag names them"
    table = plain_catalog(bench.honest).load_table(bench.table)
    table.manage_snapshots().remove_tag("month-end").commit()
    keeper.expire(bench.table, NOTHING_KEPT)
    assert not any(map(exists, old))
    bench.check()
    moved(bench, 1)
    bench.check()


def test_manifests_that_never_landed_go_when_they_are_old_and_no_other(bench: Bench) -> None:
    before = on_disk(bench)
    written: set[str] = set()

    def overtaken(swap: Callable[[], Any]) -> Any:
        written.update(on_disk(bench) - before)
        rewrite_of_ours(bench)
        return swap()

    on_swap(bench, overtaken)
    assert bench.rewrite_manifests().manifests == 0
    assert len(written) == 2, "a manifest and a list"
    assert orphans(bench) == set(), "they are young"
    aged(bench, 2)
    assert orphans(bench) == written
    assert not any(map(exists, written))
    bench.check()


# all at once


def test_everything_at_once(bench: Bench) -> None:
    faults: list[BaseException] = []
    over = threading.Event()
    landed: list[int] = []

    def tidy(act: Callable[[], object]) -> None:
        while not over.is_set():
            try:
                act()
            except CommitConflict:
                continue
            except BaseException as fault:
                faults.append(fault)
                return

    acts: list[Callable[[], object]] = [
        lambda: landed.append(bench.rewrite_manifests().manifests),
        lambda: bench.compact(min_files=6),
        lambda: Expiry(bench.keeper).expire(bench.table, ExpiryLimits(1, 12)),
    ]
    others = [threading.Thread(target=tidy, args=(act,)) for act in acts]
    for one in others:
        one.start()
    try:
        for n in range(12):
            bench.stage()
            bench.commit()
            if n % 4 == 3:
                history = bench.honest.history(bench.honest.load(bench.table))
                bench.roll_back(history[1].id)
                bench.commit()
    finally:
        over.set()
        for one in others:
            one.join()
    assert not faults, faults
    assert sum(landed)
    bench.commit()
    bench.check()
    marks = sql(bench.dsn, "SELECT count(*) AS n FROM lakelock.parts WHERE state <> 'committed'")
    assert marks[0]["n"] == 0
