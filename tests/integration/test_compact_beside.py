"""A pipeline's files are rewritten while everything else goes on: rows stay what they are, each offset is there once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kits.commits import Bench, open_bench
from kits.here_writer import HereCopier
from kits.iceberg import plain_catalog, rows
from kits.iceberg_files import (
    NOTHING_KEPT,
    _third,
    aged,
    append_of_others,
    compaction_of_others,
    compaction_of_ours,
    equality_delete,
    exists,
    files,
    moved,
    new_column,
    on_swap,
    operations,
    orphans,
    position_delete,
    recommitted_rollback,
    replaced_column,
    rollback,
)
from kits.wal import sql
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.errors import BooksUnbalanced, CommitConflict, CompactionTooSlow, TableUnfit, Unreachable
from lakelock.ports import CopyOrder, CopyOutput
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact import Compaction, Settings
from lakelock.upkeep.expire import Expiry
from lakelock.upkeep.expiry_decision import ExpiryLimits
from pyiceberg.manifest import DataFile
from pyiceberg.table.snapshots import Operation

if TYPE_CHECKING:
    from stack.spark import SparkConnect

pytestmark = pytest.mark.drawn(0.2)


@pytest.fixture
def bench(log_dsn: str, folder: Path, namespace: str, catalog_properties: dict[str, str]) -> Iterator[Bench]:
    with open_bench(log_dsn, folder, namespace, catalog_properties) as bench:
        moved(bench, 4)
        yield bench


class Meanwhile(HereCopier):
    """Files are written, and then something happens before they land."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        self.acts = list(acts)
        self.written: list[str] = []

    def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
        out = super().run(order, ended)
        self.written += [f.path for o in out for f in o.files]
        if self.acts:
            self.acts.pop(0)()
        return out


def rewritten(bench: Bench) -> set[str]:
    return {f for f in files(bench) if f"/{compact.ATTEMPT}/" in f}


def test_what_is_due_is_rewritten_once(bench: Bench) -> None:
    planned = Compaction(bench.keeper, HereCopier).preview(bench.table, Settings(2, -1, 3_600_000))
    assert (planned.groups, planned.files, planned.into) == (1, 4, None)
    assert len(files(bench)) == 4
    reported = "no files to compact; 4 small files younger than maintenance.compact_after (1h)"
    assert (
        Compaction(bench.keeper, HereCopier).preview(bench.table, Settings(2, 3_600_000, 3_600_000)).line
        == f"{bench.table}: {reported}"
    )
    done = bench.compact()
    assert (done.groups, done.files, done.into) == (1, 4, 1)
    assert done.line.startswith(f"{bench.table}: 4 files of ")
    assert done.line.endswith(" in 1 group, rewritten into 1")
    assert len(rewritten(bench)) == len(files(bench)) == 1
    bench.check(snapshots=4)
    head = bench.head
    assert bench.compact().line == f"{bench.table}: no files to compact"
    assert bench.head == head
    moved(bench, 3)
    bench.compact()
    bench.check(snapshots=7)


def test_spark_is_not_started_where_nothing_is_due(bench: Bench) -> None:
    def never() -> HereCopier:
        raise AssertionError

    for settings in (Settings(5, -1, 3_600_000), Settings(2, 3_600_000, 3_600_000)):
        assert Compaction(bench.keeper, never).compact(bench.table, settings).nothing
    assert Compaction(bench.keeper, never).preview(bench.table, Settings(2, -1, 3_600_000)).groups == 1


def test_a_table_that_nobody_wrote_to_is_left(bench: Bench) -> None:
    other = f"{bench.table}_other"
    plain_catalog(bench.honest).create_table(other, rows([1]).schema)
    assert Compaction(bench.keeper, HereCopier).compact(other, Settings(2, -1, 3_600_000)).nothing


# what happens beside


def commit_of_ours(bench: Bench) -> None:
    moved(bench, 1)


# What happens between the files and their commit; whether the group still lands.
BESIDE: dict[str, tuple[Callable[[Bench], None], bool]] = {
    "a commit of ours": (commit_of_ours, True),
    "an append of others": (append_of_others, True),
    "a compaction of others": (compaction_of_others, False),
    "a compaction of ours": (compaction_of_ours, False),
    "a new column": (new_column, True),
    "another column of a name": (replaced_column, False),
    "a rollback that landed again": (recommitted_rollback, False),
    "a rollback": (rollback, False),
}


@pytest.mark.parametrize("moment", ["after the files", "before the swap"])
@pytest.mark.parametrize("what", BESIDE)
def test_a_group_that_something_happened_to_is_left_or_lands_whole(bench: Bench, what: str, moment: str) -> None:
    act, lands = BESIDE[what]
    before = bench.honest.load(bench.table).ledger
    copier = Meanwhile()
    if moment == "after the files":
        copier.acts.append(lambda: act(bench))
    else:

        def meanwhile(swap: Callable[[], Any]) -> Any:
            act(bench)
            return swap()

        on_swap(bench, meanwhile)
    done = bench.compact(copier)
    assert (done.groups == 1) == lands
    assert (set(copier.written) <= files(bench)) == lands
    assert any("stay" in text for text in done.left) == (not lands)
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
    done = bench.compact()
    assert (done.groups, done.into, done.left) == (1, 1, ())
    assert operations(bench).count(Operation.REPLACE) == 1
    bench.check(snapshots=4)


def test_what_a_rollback_took_out_with_its_files_does_not_land_again(bench: Bench) -> None:
    """Its answer is lost; expiry deletes the new files, and the old ones are where they were."""
    copier = Meanwhile()

    def lost(swap: Callable[[], Any]) -> Any:
        swap()
        bench.roll_back(_third(bench))
        bench.commit()
        moved(bench, 3)
        Expiry(bench.keeper).expire(bench.table, NOTHING_KEPT)
        raise ConnectionResetError("no answer")

    on_swap(bench, lost)
    done = bench.compact(copier)
    assert not any(map(exists, copier.written))
    assert done.nothing
    assert any("the table was rolled back during the compaction" in text for text in done.left)
    assert not rewritten(bench)
    bench.check()


def test_files_that_are_gone_do_not_land(bench: Bench) -> None:
    copier = Meanwhile()
    copier.acts.append(lambda: Path(copier.written[0].removeprefix("file://")).unlink())
    done = bench.compact(copier)
    assert done.nothing
    assert any("1 of the new files are gone" in text for text in done.left)
    bench.check(snapshots=4)


def test_an_answer_that_is_late_finds_the_files_there(bench: Bench) -> None:
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
    done = bench.compact()
    assert (done.groups, done.left) == (1, ())
    assert operations(bench).count(Operation.REPLACE) == 1
    bench.check(snapshots=4)


def by_name(bench: Bench) -> None:
    """Two more files in each of three partitions of a second spec."""
    with plain_catalog(bench.honest).load_table(bench.table).update_spec() as update:
        update.add_identity("name")
    table = plain_catalog(bench.honest).load_table(bench.table)
    for _ in range(2):
        table.append(rows([21, 22, 23]))


def names(bench: Bench) -> list[str]:
    table = plain_catalog(bench.honest).load_table(bench.table)
    return sorted(table.scan(selected_fields=("name",)).to_arrow()["name"].to_pylist())


THRICE = sorted([*(f"n{n}" for n in range(12)), *("n21", "n22", "n23") * 2])


def test_partitions_share_a_job_and_a_commit_and_specs_do_not(bench: Bench) -> None:
    by_name(bench)
    before = len(operations(bench))
    done = bench.compact()
    assert (done.groups, done.files, done.into) == (2, 10, 4)
    assert operations(bench)[before:] == [Operation.REPLACE] * 2
    assert names(bench) == THRICE


def test_one_groups_fault_is_reported_and_the_others_go_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "MOST_FILES", 2)
    by_name(bench)

    class Failing(HereCopier):
        def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
            partition = order.slices[0].partition
            if partition in {'["n21"]', '["n22"]'}:
                raise (Unreachable if partition == '["n21"]' else TableUnfit)(f"no {partition}")
            return super().run(order, ended)

    with pytest.raises(
        TableUnfit, match=r'2 of 4 groups were not compacted: 2 files of partition \["n21"\].*: no \["n21"\]; 2'
    ):
        bench.compact(Failing())
    assert len(rewritten(bench)) == 2
    assert names(bench) == THRICE
    assert bench.compact().groups == 2


def test_what_is_left_once_the_time_is_over_is_reported_and_the_next_run_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compact, "MOST_FILES", 2)
    by_name(bench)
    now, later = bench.log.now, [timedelta()]
    monkeypatch.setattr(type(bench.log), "now", lambda _: now() + later[0])

    def some_time() -> None:
        later[0] += timedelta(minutes=31)

    done = bench.compact(Meanwhile(some_time, some_time))
    assert (done.groups, done.files) == (2, 6), "one is begun within the hour, none after it"
    assert done.left == ("4 files of 2 partitions left for the next run: maintenance.compact_within (1h) has passed",)
    assert bench.compact().line.endswith("in 2 groups, rewritten into 2")
    assert names(bench) == THRICE


def test_what_more_commits_would_do_is_reported_and_the_next_run_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compact, "MOST_FILES", 2)
    monkeypatch.setattr(compact, "MOST_COMMITS", 3)
    by_name(bench)
    left = '2 files of partition ["n23"] left for the next run: one run makes at most 3 commits'
    assert Compaction(bench.keeper, HereCopier).preview(bench.table, Settings(2, -1, 3_600_000)).left == (left,)
    done = bench.compact()
    assert (done.groups, done.left) == (3, (left,))
    assert bench.compact().line.endswith("in 1 group, rewritten into 1")
    assert names(bench) == THRICE


def test_what_happens_to_one_partition_keeps_no_other_from_landing(bench: Bench) -> None:
    by_name(bench)

    def others() -> None:
        plain_catalog(bench.honest).load_table(bench.table).overwrite(rows([22]), "name == 'n22'")

    done = bench.compact(Meanwhile(lambda: None, others))
    assert (done.groups, done.files, done.into) == (2, 8, 3)
    (said,) = done.left
    assert said.startswith('2 files of partition ["n22"] (partition spec 1) stay: ')
    assert said.endswith(" is no longer in the table")
    assert names(bench) == sorted([*(n for n in THRICE if n != "n22"), "n22"])


def test_a_file_that_cannot_be_read_keeps_only_those_of_its_bin(bench: Bench) -> None:
    moved(bench, 2)
    largest = max(Path(f.removeprefix("file://")).stat().st_size for f in files(bench))
    with plain_catalog(bench.honest).load_table(bench.table).transaction() as transaction:
        transaction.set_properties({compact.TARGET_PROPERTY: str(2 * largest + 10)})
    poison = min(files(bench))
    file = Path(poison.removeprefix("file://"))
    # The footer says nothing of it.
    file.write_bytes(b"PAR1" + 40 * b"\xff" + file.read_bytes()[44:])
    done = bench.compact()
    assert (done.groups, done.files, done.into) == (1, 4, 2)
    (said,) = done.left
    assert said.startswith("2 files of no partition (partition spec 0) stay: ")
    assert f"{poison} cannot be copied: " in said
    assert poison in files(bench)
    assert len(files(bench)) == 4


def test_a_writer_that_never_rests_is_given_way(bench: Bench) -> None:
    swap = bench.tables.catalog.commit_table

    def busy(*arguments: Any) -> Any:
        append_of_others(bench)
        return swap(*arguments)

    bench.tables.catalog.commit_table = busy  # type: ignore[method-assign, assignment]
    with pytest.raises(CommitConflict, match="1 of 1 groups were not compacted"):
        bench.compact()
    assert not rewritten(bench)


class Losing(HereCopier):
    """Results of Spark that are not all there."""

    def run(self, order: CopyOrder, ended: Callable[[int], None] = lambda tasks: None) -> list[CopyOutput]:
        return super().run(order, ended)[1:]


def test_a_group_of_which_a_result_is_lost_stays(bench: Bench) -> None:
    with pytest.raises(BooksUnbalanced, match="0 were written, with 0 rows"):
        bench.compact(Losing())
    bench.check(snapshots=4)


def test_a_file_that_goes_while_another_group_is_rewritten_fails_no_job(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compact, "MOST_FILES", 4)
    by_name(bench)

    def others() -> None:
        before = files(bench)
        plain_catalog(bench.honest).load_table(bench.table).overwrite(rows([22]), "name == 'n22'")
        for path in before - files(bench):
            if "name=n22" in path:
                Path(path.removeprefix("file://")).unlink()

    done = bench.compact(Meanwhile(others))
    assert (done.groups, done.files) == (3, 8)
    assert [text.partition(" stay: ")[0] for text in done.left] == ['2 files of partition ["n22"] (partition spec 1)']
    assert names(bench) == sorted([*(n for n in THRICE if n != "n22"), "n22"])


# delete files of others


def data_file(bench: Bench, path: str) -> DataFile:
    found = plain_catalog(bench.honest).load_table(bench.table).scan().plan_files()
    return next(t.file for t in found if t.file.file_path == path)


def deleted_by_value(bench: Bench, ids: Sequence[int]) -> None:
    equality_delete(bench.honest, data_file(bench, min(files(bench))), ids, bench.table)


@pytest.mark.parametrize("moment", ["after the files", "before the swap"])
def test_an_equality_delete_that_came_meanwhile_applies_to_the_new_file(bench: Bench, moment: str) -> None:
    """By the numbers that any reader goes by; what the next test has Spark read."""
    number = bench.honest.load(bench.table).head_sequence
    copier = Meanwhile()
    if moment == "after the files":
        copier.acts.append(lambda: deleted_by_value(bench, [1, 4]))
    else:

        def meanwhile(swap: Callable[[], Any]) -> Any:
            deleted_by_value(bench, [1, 4])
            return swap()

        on_swap(bench, meanwhile)
    done = bench.compact(copier)
    assert (done.groups, done.left) == (1, ())
    state = bench.honest.load(bench.table)
    (made,) = bench.keeper.storage.live_files(state)
    assert (made.path, made.sequence_number) == (copier.written[0], number)
    assert (made.unfit, made.deleted_at) == ("delete files may hide some of its rows", number + 1)
    moved(bench, 3)
    again = bench.compact()
    assert (again.files, again.into) == (3, 1), "none of them is older than the delete"
    assert again.left == ("1 file stays: delete files may hide some of its rows",)


@pytest.mark.long
def test_a_row_that_was_deleted_while_its_file_was_compacted_stays_deleted(
    bench: Bench, spark_connect: SparkConnect
) -> None:
    done = bench.compact(Meanwhile(lambda: deleted_by_value(bench, [1, 4])))
    assert (done.groups, len(rewritten(bench))) == (1, 1)
    moved(bench, 1)
    with open_connect(spark_connect.remote, "reader", bench.table) as spark:
        found = spark.sql(f"SELECT id FROM lake.{bench.table} ORDER BY id").collect()
        assert [r.id for r in found] == [n for n in range(15) if n not in {1, 4}]
        spark.sql(
            f"CALL lake.system.rewrite_data_files(table => '{bench.table}', options => map('rewrite-all', 'true'))"
        )
        found = spark.sql(f"SELECT id FROM lake.{bench.table} ORDER BY id").collect()
        assert [r.id for r in found] == [n for n in range(15) if n not in {1, 4}]


def test_a_position_delete_that_came_meanwhile_keeps_the_files_it_may_name(bench: Bench) -> None:
    old = files(bench)
    done = bench.compact(Meanwhile(lambda: position_delete(bench.honest, data_file(bench, min(old)), bench.table)))
    assert done.nothing
    assert any("delete files may hide some of its rows" in text for text in done.left)
    assert files(bench) == old
    assert len(names(bench)) == 11, "applied to the file that it names"


def test_an_equality_delete_before_the_look_at_the_files_keeps_them(bench: Bench) -> None:
    old = files(bench)
    deleted_by_value(bench, [1])
    done = bench.compact()
    assert done.nothing
    assert done.left == ("4 files stay: delete files may hide some of its rows",)
    assert files(bench) == old


# rollback


@pytest.mark.parametrize("to", ["before", "after"])
def test_what_a_rollback_across_a_compaction_takes_out_lands_again_once(bench: Bench, to: str) -> None:
    """The same files: those of batches, not those that were made of them."""
    old = files(bench)
    second = bench.honest.history(bench.honest.load(bench.table))[2].id
    bench.compact()
    made = rewritten(bench)
    compacted = bench.head
    moved(bench, 2)
    bench.roll_back(second if to == "before" else compacted)
    assert files(bench) < old if to == "before" else files(bench) == made
    bench.commit()
    bench.check()
    assert rewritten(bench) == (set() if to == "before" else made)
    assert bench.compact().groups == 1
    bench.check()
    bench.commit()
    bench.check()


def test_after_a_rollback_the_old_files_are_there_however_much_was_tidied(bench: Bench) -> None:
    second = bench.honest.history(bench.honest.load(bench.table))[2].id
    bench.compact()
    moved(bench, 1)
    bench.roll_back(second)
    expiry = Expiry(bench.keeper)
    expiry.expire(bench.table, NOTHING_KEPT)
    bench.commit()
    bench.check()
    expiry.expire(bench.table, NOTHING_KEPT)
    moved(bench, 1)
    bench.check()


# expiry and orphans


def test_old_files_go_with_the_last_snapshot_that_shows_them(bench: Bench) -> None:
    old = files(bench)
    table = plain_catalog(bench.honest).load_table(bench.table)
    table.manage_snapshots().create_tag(bench.head, "month-end").commit()
    bench.compact()
    moved(bench, 3)
    expiry = Expiry(bench.keeper)
    gone = expiry.expire(bench.table, NOTHING_KEPT)
    assert gone.snapshots
    assert all(map(exists, old)), "the tag shows them"
    table = plain_catalog(bench.honest).load_table(bench.table)
    tagged = table.scan(snapshot_id=table.metadata.refs["month-end"].snapshot_id).to_arrow()
    assert sorted(tagged["id"].to_pylist()) == list(range(12))
    table.manage_snapshots().remove_tag("month-end").commit()
    expiry.expire(bench.table, NOTHING_KEPT)
    assert not any(map(exists, old))
    bench.check()
    moved(bench, 1)
    bench.check()


def test_the_compaction_expires_before_a_tag_on_what_was_before_it(bench: Bench) -> None:
    """Its manifests name the old files, as deleted; an older snapshot shows them."""
    old = files(bench)
    before = bench.head
    bench.compact()
    moved(bench, 3)
    table = plain_catalog(bench.honest).load_table(bench.table)
    table.manage_snapshots().create_branch(before, "audit").commit()
    Expiry(bench.keeper).expire(bench.table, NOTHING_KEPT)
    assert Operation.REPLACE not in operations(bench)
    assert all(map(exists, old))
    bench.check()


def test_files_that_never_landed_go_when_they_are_old_and_no_other(bench: Bench) -> None:
    copier = Meanwhile(lambda: compaction_of_others(bench))
    assert bench.compact(copier).nothing
    assert orphans(bench) == set(), "they are young"
    aged(bench, 2)
    gone = orphans(bench)
    assert set(copier.written) == {p for p in gone if p.endswith(".parquet")}
    bench.check()
    bench.compact()
    aged(bench, 2)
    assert not files(bench) & orphans(bench)
    bench.check()


def late(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hours pass, and a clean-up takes what was written."""
    now = bench.log.now
    aged(bench, 2)
    assert any(p.endswith(".parquet") for p in orphans(bench))
    monkeypatch.setattr(type(bench.log), "now", lambda _: now() + timedelta(hours=2))


@pytest.mark.parametrize("moment", ["after the files", "before the swap"])
def test_a_compaction_that_slept_while_its_files_were_cleaned_up_does_not_land(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    copier = Meanwhile()
    if moment == "after the files":
        copier.acts.append(lambda: late(bench, monkeypatch))
    else:

        def asleep(swap: Callable[[], Any]) -> Any:
            late(bench, monkeypatch)
            return swap()

        on_swap(bench, asleep)
    with pytest.raises(CompactionTooSlow, match="took 120 minutes, but must take at most 45"):
        bench.compact(copier)
    assert not any(map(exists, copier.written))
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

    def compacting() -> None:
        landed.append(bench.compact().groups)

    others = [
        threading.Thread(target=tidy, args=(act,))
        for act in (compacting, compacting, lambda: Expiry(bench.keeper).expire(bench.table, ExpiryLimits(1, 12)))
    ]
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
