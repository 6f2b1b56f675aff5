"""Which files are rewritten together, in which bins, and when what was rewritten may not take their place."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.errors import BooksUnbalanced, CompactionTooSlow
from lakelock.model.table_files import LAND_WITHIN_MS, LiveFile
from lakelock.upkeep import compact_decision as compact
from lakelock.upkeep.compact_bins import LANDED_BYTES_A_BIN, OPEN_FILE_BYTES, dealt, landed_bins
from lakelock.upkeep.compact_decision import CompactPlan, FileGroup, FilesNow, When

TARGET = 1000
WHEN = When(TARGET, 5, 100)


def file(n: int, size_bytes: int = 10, partition: str = "[1]", **more: object) -> LiveFile:
    fields = {"partitioning": 0, "rows": n, "sequence_number": n, "added_ms": 50} | more
    return LiveFile(f"f{n}", partition=partition, size_bytes=size_bytes, **fields)  # type: ignore[arg-type]


def all_fit(_: Sequence[LiveFile]) -> Mapping[str, str]:
    return {}


def planned(files: Sequence[LiveFile], when: When = WHEN) -> CompactPlan:
    return compact.plan(files, when, all_fit)


def test_a_partition_is_due_with_enough_small_old_files() -> None:
    assert planned([file(n) for n in range(4)]) == CompactPlan()
    (group,) = planned([file(n) for n in range(5)]).groups
    assert (group.partitioning, len(group.bins)) == (0, 1)
    assert group.partitions == {"[1]"}
    assert [f.path for f in group.files] == ["f0", "f1", "f2", "f3", "f4"]
    assert (group.rows, group.size_bytes) == (10, 50)


def test_large_and_young_files_and_those_of_other_partitions_and_specs_do_not_count() -> None:
    four = [file(n) for n in range(4)]
    for other in (
        file(4, TARGET),
        file(4, partition="[2]"),
        file(4, partitioning=1),
    ):
        assert planned([*four, other]) == CompactPlan()
    assert planned([*four, file(4, added_ms=100), file(5, TARGET, added_ms=100)]) == CompactPlan(young=1), (
        "it is reported"
    )
    assert planned([*four, file(4, added_ms=None)]).groups, "the snapshot that added it has expired: it is old"
    assert planned([*four, file(4, TARGET - 1)]).groups[0].files == tuple(four), "it would be copied for very little"


def test_files_that_cannot_be_rewritten_are_reported_and_the_others_go_on() -> None:
    files = [file(n) for n in range(9)] + [file(9, unfit="it is not a Parquet file")] * 1
    checked: list[str] = []

    def check(some: Sequence[LiveFile]) -> Mapping[str, str]:
        checked.extend(f.path for f in some)
        return {f.path: "strange" for f in some if f.path in {"f1", "f3"}}

    found = compact.plan(files, WHEN, check)
    assert {f.path for f in found.groups[0].files} == {"f0", "f2", "f4", "f5", "f6", "f7", "f8"}
    assert found.left == {"it is not a Parquet file": 1, "strange": 2}
    assert len(checked) == len(set(checked)), "each footer is read once"
    assert "f9" not in checked
    few = compact.plan(files[:6], WHEN, check)
    assert few.groups == ()
    assert few.left == {"strange": 2}


def test_a_path_that_the_table_names_twice_is_left() -> None:
    files = [file(n) for n in range(6)]
    found = planned([*files, replace(files[0], sequence_number=9)])
    assert {f.path for f in found.groups[0].files} == {f"f{n}" for n in range(1, 6)}
    assert found.left == {"the table lists it more than once": 2}


def test_partitions_share_a_group_and_specs_do_not() -> None:
    of_spec = [[file(n, partition=f"[{n % 700}]", partitioning=number) for n in range(1400)] for number in (0, 1)]
    found = planned([*of_spec[0], *(replace(f, path=f"g{f.path}") for f in of_spec[1])], replace(WHEN, min_files=2))
    assert [(g.partitioning, len(g.bins), len(g.partitions)) for g in found.groups] == [(0, 700, 700), (1, 700, 700)]
    assert found.groups[0].line == "1400 files of 700 partitions (partition spec 0)"
    assert found.later == ()


def test_a_run_makes_few_commits_and_the_next_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact, "MOST_FILES", 7)
    when, checked = replace(WHEN, min_files=2), list[str]()

    def check(some: Sequence[LiveFile]) -> Mapping[str, str]:
        checked.extend(f.path for f in some)
        return {}

    files = [file(n, partition=f"[{n // 2}]") for n in range(180)]
    runs = 0
    while (found := compact.plan(files, when, check)).groups:
        runs += 1
        assert len(found.groups) <= compact.MOST_COMMITS
        assert all(len(g.files) <= 7 for g in found.groups)
        rewritten = {f.path for g in found.groups for f in g.files}
        assert sorted(checked) == sorted(rewritten), "no footer is read for a later run"
        checked.clear()
        files = [f for f in files if f.path not in rewritten]
        if files:
            assert compact.postponed(found.later) == (
                f"{len(files)} files of {len(files) // 2} partitions left for the next run"
            )
        assert {f.path for g in found.later for f in g.files} == {f.path for f in files}
    assert runs == 3
    assert files == []
    assert compact.postponed(()) == ""


def test_the_most_worthwhile_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that readers are spared, for what it costs to open and to read them."""
    monkeypatch.setattr(compact, "MOST_FILES", 6)
    mib = 1 << 20
    large = [file(n, 200 * mib, partition="[1]") for n in range(2)]
    few = [file(n, 1, partition="[2]") for n in range(10, 12)]
    many = [file(n, 1, partition="[3]") for n in range(20, 25)]
    found = planned([*large, *few, *many], When(512 * mib, 2, 100))
    assert [g.partitions for g in found.groups] == [{"[3]"}, {"[2]", "[1]"}]
    assert [one[0].partition for one in found.groups[1].bins] == ["[2]", "[1]"]


@given(st.lists(st.integers(0, 50 << 20), min_size=1, max_size=60), st.integers(1, 20))
def test_bins_are_dealt_to_tasks_that_have_about_as_much_to_do(of_bins: list[int], tasks: int) -> None:
    tasks = min(tasks, len(of_bins))
    bins = [(file(n, size), file(1000 + n, size)) for n, size in enumerate(of_bins)]
    out = dealt(bins, tasks)
    assert Counter(out) == Counter(bins)
    cost = lambda b: sum(max(f.size_bytes, OPEN_FILE_BYTES) for f in b)  # noqa: E731
    counts = [len(out) * (n + 1) // tasks - len(out) * n // tasks for n in range(tasks)]
    assert max(counts) - min(counts) <= 1
    if len(out) % tasks == 0:
        each = len(out) // tasks
        sums = [sum(map(cost, out[n * each : (n + 1) * each])) for n in range(tasks)]
        assert max(sums) - min(sums) <= max(map(cost, bins))


def test_a_group_is_one_job_of_bounded_size() -> None:
    many = [file(n, 1) for n in range(12_000)]
    found = planned(many).groups
    assert [len(g.files) for g in found] == [5000, 5000, 2000]
    assert {len(one) for g in found for one in g.bins} == {1000}, "one task reads them"
    huge = When(512 << 20, 5, 100)
    large = [file(n, 256 << 20) for n in range(200)]
    groups = planned(large, huge).groups
    assert all(g.size_bytes <= compact.MOST_BYTES for g in groups)
    assert [len(g.bins) for g in groups] == [32, 32, 32, 4]


sizes = st.lists(st.integers(0, 1200), max_size=40)


@given(sizes, st.integers(2, 6), st.randoms(use_true_random=False))
def test_each_file_is_in_one_bin_at_most_and_each_bin_is_worth_it(
    of_files: list[int], min_files: int, chance: object
) -> None:
    files = [file(n, size, partition=f"[{n % 2}]") for n, size in enumerate(of_files)]
    when = When(TARGET, min_files, 100)
    found = planned(files, when)
    paths = [f.path for g in found.groups for f in g.files]
    assert len(paths) == len(set(paths))
    for group in found.groups:
        for one in group.bins:
            (partition,) = {f.partition for f in one}
            assert sum(f.partition == partition and f.size_bytes < TARGET for f in files) >= min_files
            of_bin = [f.size_bytes for f in one]
            assert len(of_bin) >= 2
            assert sum(of_bin) <= TARGET
            assert max(of_bin) <= 2 * (sum(of_bin) - max(of_bin))
    mixed = list(files)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert planned(mixed, when) == found


@given(st.lists(st.integers(1, 400), min_size=1, max_size=120))
def test_however_files_come_a_row_is_copied_a_logarithmic_number_of_times(arriving: list[int]) -> None:
    """And in the end few small files are left; then nothing is due."""
    files: list[LiveFile] = []
    copies: dict[str, int] = {}
    number = 0

    def run() -> bool:
        nonlocal files, number
        found = planned(files).groups
        for one in (b for g in found for b in g.bins):
            gone = {f.path for f in one}
            number += 1
            made = file(number, sum(f.size_bytes for f in one))
            copies[made.path] = 1 + max(copies[p] for p in gone)
            files = [f for f in files if f.path not in gone] + [made]
        return bool(found)

    for size in arriving:
        number += 1
        files.append(file(number, size))
        copies[f"f{number}"] = 0
        run()
    while run():
        pass
    assert max(copies.values()) <= log(TARGET) / log(1.5) + 1
    assert sum(f.size_bytes for f in files) == sum(arriving)


# what may take their place

GROUP = FileGroup(0, ((file(1), file(2)), (file(3), file(4))))
LIVE = GROUP.files


def test_what_was_rewritten_takes_the_place_of_files_that_are_what_they_were() -> None:
    assert compact.overtaken(GROUP.files, 5, FilesNow(LIVE, 5)) == ""


def test_nothing_lands_behind_a_rollback_not_even_where_all_landed_again() -> None:
    again = tuple(replace(f, sequence_number=9, added_ms=99) for f in LIVE)
    for live in (LIVE, again):
        assert "rolled back" in compact.overtaken(GROUP.files, 5, FilesNow(live, 6))


@pytest.mark.parametrize(
    ("live", "misfit", "said"),
    [
        (LIVE[1:], "", "f1 is no longer in the table"),
        ((), "", "f1 is no longer in the table"),
        ((*LIVE, LIVE[2]), "", "the table lists f3 more than once"),
        (
            (replace(LIVE[0], unfit="delete files may hide some of its rows"), *LIVE[1:]),
            "",
            "f1: delete files may hide",
        ),
        ((replace(LIVE[0], rows=7), *LIVE[1:]), "", "other metadata for f1"),
        ((replace(LIVE[0], partition="[2]"), *LIVE[1:]), "", "other metadata for f1"),
        ((replace(LIVE[0], partitioning=1), *LIVE[1:]), "", "other metadata for f1"),
        (LIVE, "column x was dropped", "column x was dropped"),
    ],
)
def test_a_group_that_changed_meanwhile_is_left(live: tuple[LiveFile, ...], misfit: str, said: str) -> None:
    assert said in compact.overtaken(GROUP.files, 5, FilesNow(live, 5, misfit))


@pytest.mark.parametrize(
    ("live", "landed", "said"),
    [
        (LIVE, set(), {}),
        (LIVE[1:], set(), {0: "f1 is no longer in the table"}),
        (
            (replace(LIVE[3], unfit="delete files may hide some of its rows"), *LIVE[:3]),
            set(),
            {1: "f4: delete files may hide some of its rows"},
        ),
        ((file(11), *LIVE[2:]), {0}, {}),
        ((file(11), *LIVE[3:]), {0}, {1: "f3 is no longer in the table"}),
        ((file(11), file(12)), {0, 1}, {}),
    ],
)
def test_what_happened_to_one_bin_keeps_no_other_from_landing(
    live: tuple[LiveFile, ...], landed: set[int], said: dict[int, str]
) -> None:
    found = compact.judged(GROUP, [["f11"], ["f12"]], 5, FilesNow(live, 5), 4)
    assert found.landed == landed
    assert found.left.keys() == said.keys()
    assert all(text in found.left[n] for n, text in said.items())


def test_what_happened_to_the_table_keeps_every_bin_that_has_not_landed() -> None:
    for now in (FilesNow((file(11), *LIVE), 5, "dropped"), FilesNow((file(11), *LIVE), 6)):
        assert compact.judged(GROUP, [["f11"], ["f12"]], 5, now, 4).left.keys() == {1}
    assert compact.judged(GROUP, [[], ["f12"]], 5, FilesNow(LIVE[2:], 5), 4).left.keys() == {0}


@pytest.mark.parametrize(("deleted_at", "lands"), [(5, True), (4, False), (3, False), (None, False)])
def test_equality_deletes_that_apply_to_the_new_files_too_keep_none_from_landing(
    deleted_at: int | None, lands: bool
) -> None:
    """Those of a higher number than the new files have; position deletes have none, they name a file."""
    hidden = replace(LIVE[0], unfit="delete files may hide some of its rows", deleted_at=deleted_at)
    now = FilesNow((hidden, *LIVE[1:]), 5)
    assert (compact.judged(GROUP, [["f11"], ["f12"]], 5, now, 4).left == {}) == lands
    assert compact.overtaken(GROUP.files, 5, now) != "", "without a number"


def test_a_commit_whose_answer_was_lost_is_known_by_its_files() -> None:
    assert compact.landed(["f1", "f2"], FilesNow(LIVE, 5))
    assert not compact.landed(["f1", "x"], FilesNow(LIVE, 5))
    assert not compact.landed([], FilesNow(LIVE, 5)), "files without rows give way to none"


@pytest.mark.parametrize(("made", "rows"), [(1, 0), (2, -1), (3, 0)])
def test_the_files_of_all_bins_have_the_rows_of_the_group(made: int, rows: int) -> None:
    compact.check_books("t", GROUP, 2, GROUP.rows)
    with pytest.raises(BooksUnbalanced, match=f"{made} were written, with {GROUP.rows + rows} rows"):
        compact.check_books("t", GROUP, made, GROUP.rows + rows)


def test_files_that_a_clean_up_may_take_do_not_land() -> None:
    compact.check_in_time("t", GROUP, 0, LAND_WITHIN_MS)
    with pytest.raises(CompactionTooSlow, match="4 files of partition"):
        compact.check_in_time("t", GROUP, 0, LAND_WITHIN_MS + 1)


@pytest.mark.parametrize(
    ("text", "size"), [(None, 512 << 20), ("1000", 1000), ("0", 512 << 20), ("x", 512 << 20), ("²", 512 << 20)]
)
def test_the_target_is_the_tables(text: str | None, size: int) -> None:
    assert compact.target_bytes({} if text is None else {compact.TARGET_PROPERTY: text}) == size


# files that landed without partitions: spec 7

LANDED = replace(WHEN, landed=frozenset({7}))


def landed_file(n: int, size_bytes: int = 10, **more: object) -> LiveFile:
    return file(n, size_bytes, "[]", partitioning=7, **more)


def test_what_landed_is_due_by_its_age_alone_whatever_its_number_and_size_and_comes_first() -> None:
    files = [landed_file(0, 50 * TARGET), landed_file(1), landed_file(2), landed_file(3, added_ms=100)]
    small = [replace(file(n), path=f"g{n}") for n in range(9)]
    first, second = planned([*small, *files], LANDED).groups
    assert (first.landed, second.landed) == (True, False)
    assert first.bins == ((files[0], files[1], files[2]),), "the newest is too young"
    assert first.line == "3 files of no partition (partition spec 7)"
    (one,) = planned([landed_file(0, 50 * TARGET), landed_file(1, added_ms=100)], LANDED).groups
    assert one.bins == ((landed_file(0, 50 * TARGET),),)


def test_the_newest_stays_so_that_the_spec_is_in_use_unless_no_more_land() -> None:
    files = [landed_file(n) for n in range(3)]
    assert planned(files, LANDED).groups[0].files == tuple(files[:2])
    assert planned(files[2:], LANDED) == CompactPlan()
    assert planned(files, replace(LANDED, keeps_newest=False)).groups[0].files == tuple(files)


def test_without_the_key_they_are_files_like_others() -> None:
    assert planned([landed_file(n) for n in range(4)]) == CompactPlan()
    assert not planned([landed_file(n) for n in range(5)]).groups[0].landed


@given(st.lists(st.integers(1, 1 << 30), max_size=40), st.randoms(use_true_random=False))
def test_one_task_takes_what_its_disk_holds_and_each_file_is_taken_once(sizes: list[int], order: Random) -> None:
    files = [landed_file(n, size) for n, size in enumerate(sizes)]
    order.shuffle(files)
    found = landed_bins(files)
    assert sorted(f.path for one in found for f in one) == sorted(f.path for f in files)
    for one in found:
        assert len(one) == 1 or sum(f.size_bytes for f in one) <= LANDED_BYTES_A_BIN
    for one, other in itertools.pairwise(found):
        assert one[-1].sequence_number < other[0].sequence_number, "in the order in which they were added"
        assert sum(f.size_bytes for f in one) + other[0].size_bytes > LANDED_BYTES_A_BIN


def test_of_a_bins_files_any_shows_that_it_has_landed() -> None:
    """Another compaction may have rewritten some of them since."""
    live = (file(11), *LIVE[2:])
    assert compact.judged(GROUP, [["f10", "f11"], ["f12"]], 5, FilesNow(live, 5), None).landed == {0}


def test_deletes_of_any_age_keep_what_landed_where_it_is() -> None:
    """Its rows get the number of the commit, so a delete file no longer applies."""
    live = tuple(replace(f, unfit="deleted", deleted_at=9) for f in LIVE)
    assert compact.judged(GROUP, [], 5, FilesNow(live, 5), None).left.keys() == {0, 1}
    assert compact.judged(GROUP, [], 5, FilesNow(live, 5), 4).left == {}
