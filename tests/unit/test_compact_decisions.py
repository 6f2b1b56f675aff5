"""Which files are rewritten together, in which bins, and when what was rewritten may not take their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.core import compact
from lakelock.core.compact import Group, LiveFile, Plan, Standing, When
from lakelock.errors import BooksUnbalanced, CompactionTooSlow

TARGET = 1000
WHEN = When(TARGET, 5, 100)


def file(n: int, size_bytes: int = 10, partition: str = "[1]", **more: object) -> LiveFile:
    fields = {"spec_id": 0, "rows": n, "sequence_number": n, "added_ms": 50} | more
    return LiveFile(f"f{n}", partition=partition, size_bytes=size_bytes, **fields)  # type: ignore[arg-type]


def all_fit(_: Sequence[LiveFile]) -> Mapping[str, str]:
    return {}


def planned(files: Sequence[LiveFile], when: When = WHEN) -> Plan:
    return compact.plan(files, when, all_fit)


def test_a_partition_is_due_with_enough_small_old_files() -> None:
    assert planned([file(n) for n in range(4)]) == Plan()
    (group,) = planned([file(n) for n in range(5)]).groups
    assert (group.spec_id, group.partition, len(group.bins)) == (0, "[1]", 1)
    assert [f.path for f in group.files] == ["f0", "f1", "f2", "f3", "f4"]
    assert (group.rows, group.size_bytes) == (10, 50)


def test_large_and_young_files_and_those_of_other_partitions_and_specs_do_not_count() -> None:
    four = [file(n) for n in range(4)]
    for other in (
        file(4, TARGET),
        file(4, partition="[2]"),
        file(4, spec_id=1),
    ):
        assert planned([*four, other]) == Plan()
    assert planned([*four, file(4, added_ms=100), file(5, TARGET, added_ms=100)]) == Plan(young=1), "it is told"
    assert planned([*four, file(4, added_ms=None)]).groups, "whoever added it has expired: it is old"
    assert planned([*four, file(4, TARGET - 1)]).groups[0].files == tuple(four), "it would be copied for very little"


def test_files_that_cannot_be_rewritten_are_told_and_the_others_go_on() -> None:
    files = [file(n) for n in range(9)] + [file(9, unfit="it is no Parquet file")] * 1
    asked: list[str] = []

    def look(some: Sequence[LiveFile]) -> Mapping[str, str]:
        asked.extend(f.path for f in some)
        return {f.path: "strange" for f in some if f.path in {"f1", "f3"}}

    found = compact.plan(files, WHEN, look)
    assert {f.path for f in found.groups[0].files} == {"f0", "f2", "f4", "f5", "f6", "f7", "f8"}
    assert found.left == {"it is no Parquet file": 1, "strange": 2}
    assert len(asked) == len(set(asked)), "each footer is read once"
    assert "f9" not in asked
    few = compact.plan(files[:6], WHEN, look)
    assert few.groups == ()
    assert few.left == {"strange": 2}


def test_a_path_that_the_table_names_twice_is_left() -> None:
    files = [file(n) for n in range(6)]
    found = planned([*files, replace(files[0], sequence_number=9)])
    assert {f.path for f in found.groups[0].files} == {f"f{n}" for n in range(1, 6)}
    assert found.left == {"the table names it more than once": 2}


def test_a_group_is_one_job_of_bounded_size() -> None:
    many = [file(n, 1) for n in range(2500)]
    assert [len(g.files) for g in planned(many).groups] == [1000, 1000, 500]
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
        assert sum(f.partition == group.partition and f.size_bytes < TARGET for f in files) >= min_files
        assert all(f.partition == group.partition for f in group.files)
        for one in group.bins:
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

GROUP = Group(0, "[1]", ((file(1), file(2)), (file(3), file(4))))
LIVE = GROUP.files


def test_what_was_rewritten_takes_the_place_of_files_that_are_what_they_were() -> None:
    assert compact.overtaken(GROUP.files, 3, 5, Standing(LIVE, 3, 5)) == ""


def test_nothing_lands_behind_a_rollback_not_even_where_all_landed_again() -> None:
    again = tuple(replace(f, sequence_number=9, added_ms=99) for f in LIVE)
    for live in (LIVE, again):
        assert "rolled back" in compact.overtaken(GROUP.files, 3, 5, Standing(live, 3, 6))


@pytest.mark.parametrize(
    ("live", "schema_id", "said"),
    [
        (LIVE[1:], 3, "f1 is not in the table any more"),
        ((), 3, "f1 is not in the table any more"),
        ((*LIVE, LIVE[2]), 3, "the table names f3 more than once"),
        ((replace(LIVE[0], unfit="delete files may hide rows of it"), *LIVE[1:]), 3, "f1: delete files may hide"),
        ((replace(LIVE[0], rows=7), *LIVE[1:]), 3, "something else of f1"),
        ((replace(LIVE[0], partition="[2]"), *LIVE[1:]), 3, "something else of f1"),
        ((replace(LIVE[0], spec_id=1), *LIVE[1:]), 3, "something else of f1"),
        (LIVE, 4, "schema 4 by now, the files were written under 3"),
    ],
)
def test_a_group_that_changed_meanwhile_is_left(live: tuple[LiveFile, ...], schema_id: int, said: str) -> None:
    assert said in compact.overtaken(GROUP.files, 3, 5, Standing(live, schema_id, 5))


def test_a_commit_whose_answer_was_lost_is_known_by_its_files() -> None:
    assert compact.landed(["f1", "f2"], Standing(LIVE, 3, 5))
    assert not compact.landed(["f1", "x"], Standing(LIVE, 3, 5))
    assert not compact.landed([], Standing(LIVE, 3, 5)), "files without rows give way to none"


@pytest.mark.parametrize(("made", "rows"), [(1, 0), (2, -1), (3, 0)])
def test_the_files_of_all_bins_have_the_rows_of_the_group(made: int, rows: int) -> None:
    compact.check_books("t", GROUP, 2, GROUP.rows)
    with pytest.raises(BooksUnbalanced, match=f"{made} were made, with {GROUP.rows + rows} rows"):
        compact.check_books("t", GROUP, made, GROUP.rows + rows)


def test_files_that_a_clean_up_may_take_do_not_land() -> None:
    compact.check_in_time("t", GROUP, 0, compact.LAND_WITHIN_MS)
    with pytest.raises(CompactionTooSlow, match="4 files of partition"):
        compact.check_in_time("t", GROUP, 0, compact.LAND_WITHIN_MS + 1)


@pytest.mark.parametrize(
    ("text", "size"), [(None, 512 << 20), ("1000", 1000), ("0", 512 << 20), ("x", 512 << 20), ("²", 512 << 20)]
)
def test_the_target_is_the_tables(text: str | None, size: int) -> None:
    assert compact.target_bytes({} if text is None else {compact.TARGET_PROPERTY: text}) == size
