"""Which manifests are rewritten, and that a table to which that happens comes to rest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.errors import BooksUnbalanced
from lakelock.model.table_files import Manifest
from lakelock.upkeep import manifests_decision as decisions
from lakelock.upkeep.manifests_decision import (
    DEFAULT_TARGET_BYTES,
    LEAST_MANIFESTS,
    MERGE_FILES,
    MOST_BYTES,
    MOST_FILES,
    MOST_OVERLAPPING,
    MOST_SMALL,
    NAN,
    NULL,
    Entries,
    ManifestGroup,
    due,
    placed,
)

TARGET = 1000


def manifest(
    n: int, files: int = 1, size_bytes: int = 10, values: Sequence[object] = (), partitioning: int = 0
) -> Manifest:
    """*values* are the first and the last of one partition field."""
    low, high = ((placed(values[0]),), (placed(values[-1]),)) if values else ((), ())
    return Manifest(f"m{n}", partitioning, files, size_bytes, low, high)


def full(n: int, *values: object, partitioning: int = 0) -> Manifest:
    return manifest(n, 1, TARGET, values, partitioning)


def paths(found: list[ManifestGroup]) -> list[list[str]]:
    return [[m.path for m in group.manifests] for group in found]


# which are due


def test_more_small_ones_of_one_spec_than_some_are_due() -> None:
    some = [manifest(n) for n in range(MOST_SMALL)]
    assert due(some, TARGET) == []
    assert due([*some, manifest(99, partitioning=1)], TARGET) == []
    assert [set(g) for g in paths(due([*some, manifest(99)], TARGET))] == [{m.path for m in some} | {"m99"}]


@pytest.mark.parametrize(("files", "size_bytes"), [(1, TARGET // 2), (MERGE_FILES // 2, 1)])
def test_one_that_is_half_full_is_not_small(files: int, size_bytes: int) -> None:
    some = [manifest(n) for n in range(MOST_SMALL)]
    assert due([*some, manifest(99, files, size_bytes)], TARGET) == []


def test_full_ones_that_overlap_at_a_value_are_due_and_no_others() -> None:
    most = [full(n, n, 10 + n) for n in range(MOST_OVERLAPPING)]
    apart = [full(50, 20, 25), full(51, 30, 35), manifest(52, values=(0, 99))]
    assert due([*most, *apart], TARGET) == []
    (found,) = paths(due([*apart, *most, full(60, 9, 11)], TARGET))
    assert sorted(found) == [*(m.path for m in most), "m60"]


def test_those_of_a_single_value_could_lie_nowhere_else() -> None:
    assert due([*(full(n, 7, 7) for n in range(40)), full(50, 0, 9), full(51, 0, 9)], TARGET) == []


def test_they_are_kept_apart_by_the_first_field_in_which_they_differ() -> None:
    def two(n: int, low: int, high: int) -> Manifest:
        return Manifest(f"m{n}", 0, 1, TARGET, (placed("eu"), placed(low)), (placed("eu"), placed(high)))

    assert due([two(n, 10 * n, 10 * n + 9) for n in range(40)], TARGET) == []
    assert len(due([two(n, n, 10 * n + 9) for n in range(40)], TARGET)) == 1


def test_nulls_and_nan_and_unknown_bounds_have_their_place() -> None:
    assert NULL < placed(-1.0) < placed(2.5) < NAN == placed(float("nan"))
    assert NULL < placed("") < NAN
    unknown = [Manifest(f"m{n}", 0, 1, TARGET, (NULL,), (NAN,)) for n in range(MOST_OVERLAPPING)]
    assert due(unknown, TARGET) == []
    assert len(due([*unknown, full(9, 3, 4)], TARGET)) == 1


def test_an_unpartitioned_table_has_no_overlap_and_an_empty_one_nothing() -> None:
    assert due([manifest(n, 1, TARGET) for n in range(200)], TARGET) == []
    assert due([], TARGET) == []


def test_each_spec_is_for_itself() -> None:
    of_two = [manifest(n, partitioning=n % 2) for n in range(2 * MOST_SMALL + 2)]
    assert [{m.partitioning for m in g.manifests} for g in due(of_two, TARGET)] == [{0}, {1}]


@pytest.mark.parametrize(
    ("one", "taken"),
    [
        (manifest(0, MOST_FILES // 4), 4),
        (manifest(0, 1, MOST_BYTES // 8), 8),
        (manifest(0, MOST_FILES), LEAST_MANIFESTS),
        (manifest(0), 40),
    ],
)
def test_a_commit_takes_a_bounded_part(one: Manifest, taken: int) -> None:
    assert len(ManifestGroup((one,) * 40).part) == taken


def test_the_tables_properties_are_read_as_iceberg_does() -> None:
    assert decisions.target_bytes({}) == DEFAULT_TARGET_BYTES == 8 << 20
    assert decisions.target_bytes({"commit.manifest.target-size-bytes": "4096"}) == 4096
    assert decisions.target_bytes({"commit.manifest.target-size-bytes": "8MB"}) == DEFAULT_TARGET_BYTES
    assert decisions.merges({})
    assert not decisions.merges({"commit.manifest-merge.enabled": "False"})


# books


@pytest.mark.parametrize(
    "before", [[Entries(2, 10), Entries(3, 10)], [Entries(3, 11)], [Entries(3, 10), Entries(3, 9)]]
)
def test_books_that_do_not_balance_are_refused(before: list[Entries]) -> None:
    with pytest.raises(BooksUnbalanced, match="that list 3 with 10 rows"):
        decisions.check_books("n.t", before, Entries(3, 10))
    decisions.check_books("n.t", [Entries(3, 10)] * 2, Entries(3, 10))


# run after run

Files = dict[str, list[int]]


def as_manifests(table: Files, file_bytes: int) -> list[Manifest]:
    return [
        Manifest(path, 0, len(files), 50 + file_bytes * len(files), (placed(min(files)),), (placed(max(files)),))
        for path, files in table.items()
    ]


def rewritten(table: Files, group: ManifestGroup, file_bytes: int, number: int) -> None:
    """As the adapter does: sorted, each full but the last."""
    files = sorted(f for m in group.part for f in table.pop(m.path))
    per = max(1, -(-(TARGET - 50) // file_bytes))
    for n in range(0, len(files), per):
        table[f"r{number}.{n}"] = files[n : n + per]


@given(
    st.lists(st.lists(st.integers(0, 60), min_size=1, max_size=12), min_size=1, max_size=60),
    st.sampled_from([20, 100, 400]),
    st.sampled_from([8, 40, 1000]),
)
def test_a_table_comes_to_rest_with_every_file_and_is_left_then(
    table: list[list[int]], file_bytes: int, most_files: int
) -> None:
    there: Files = {f"a{n}": files for n, files in enumerate(table)}
    before = sorted(f for files in table for f in files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decisions, "MOST_FILES", most_files)
        for number in range(100):
            groups = due(as_manifests(there, file_bytes), TARGET)
            if not groups:
                break
            rewritten(there, groups[0], file_bytes, number)
        else:
            pytest.fail("it goes on for ever")
    assert sorted(f for files in there.values() for f in files) == before
    small = [m for m in as_manifests(there, file_bytes) if m.size_bytes < TARGET // 2]
    assert len(small) <= MOST_SMALL
    wide = [m for m in as_manifests(there, file_bytes) if m.low < m.high and m not in small]
    opened = max((sum(m.low <= (placed(v),) <= m.high for m in wide) for v in range(61)), default=0)
    assert opened <= MOST_OVERLAPPING
