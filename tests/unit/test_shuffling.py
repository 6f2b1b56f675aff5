"""Which tables are shuffled, and in how many buckets and tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from lakelock.ingest.shuffling import BUCKET_BYTES, LEAST_RECORDS_A_FILE, shuffle_of
from lakelock.model.distribution import DISTRIBUTION_MODE, distribution
from lakelock.model.layouts import Layout
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.parquet_options import not_honoured
from lakelock.ports import Target, WriteOrder
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.sql.expressions import Expressions


def table(name: str, mode: str | None = None) -> Target:
    properties = {} if mode is None else {DISTRIBUTION_MODE: mode}
    return Target(name, "u", 0, Layout("l"), "file:///t", (), properties, ("t",), is_routed=True)


def order(*targets: Target, slices: int = 4, offsets: int = 1_000_000) -> WriteOrder:
    ranges = tuple((OffsetRange(Source("t", "id", n), 0, offsets // slices),) for n in range(slices))
    router = Router((RouteRule("dead_letter"),))
    return WriteOrder("p", "batch", "attempt", ranges, targets, table("dead"), kafka={}, router=router)


def shuffled(wanted: WriteOrder) -> set[str]:
    found = shuffle_of(wanted)
    return set() if found is None else set(found.tables)


def test_tables_by_hash_are_shuffled_and_others_are_not() -> None:
    wanted = order(table("h", "hash"), table("r", " Range "), table("n", "none"), table("u"), table("x", "sideways"))
    assert shuffled(wanted) == {"h", "r"}


def test_neither_static_tables_nor_those_with_expressions_are_shuffled() -> None:
    static = replace(table("s", "hash"), is_routed=False)
    with_sql = replace(table("e", "hash"), expressions=Expressions({"a": "1"}))
    assert shuffled(order(static, with_sql)) == set()
    assert shuffled(order(static, with_sql, table("h", "hash"))) == {"h"}


def test_one_slice_or_no_rules_need_no_shuffle() -> None:
    assert shuffle_of(order(table("h", "hash"), slices=1)) is None
    assert shuffle_of(replace(order(table("h", "hash")), router=None)) is None


def test_without_a_mode_files_of_few_records_decide() -> None:
    tables = [table(f"t{n}") for n in range(100)]
    enough = LEAST_RECORDS_A_FILE * 100 * 4
    assert shuffled(order(*tables, offsets=enough)) == set()
    assert shuffled(order(*tables, offsets=enough - 4)) == {t.table for t in tables}
    # Tables with a mode do not count.
    assert shuffled(order(*tables, table("n", "none"), offsets=enough)) == set()
    assert shuffled(order(*tables[1:], table("h", "hash"), offsets=enough - 4)) == {"h"}


@pytest.mark.parametrize(("tables", "buckets", "tasks"), [(1, 1, 1), (3, 3, 3), (40, 40, 4), (1_000, 256, 4)])
def test_there_are_no_more_tasks_than_slices_and_no_more_buckets_than_tables(
    tables: int, buckets: int, tasks: int
) -> None:
    found = shuffle_of(order(*(table(f"t{n}", "hash") for n in range(tables))))
    assert found is not None
    assert (found.buckets, found.tasks, found.bucket_bytes) == (buckets, tasks, BUCKET_BYTES // 4)


@pytest.mark.parametrize(
    ("properties", "routed", "static"),
    [
        ({}, False, False),
        ({DISTRIBUTION_MODE: "none"}, False, False),
        ({DISTRIBUTION_MODE: "hash"}, False, True),
        ({DISTRIBUTION_MODE: "range"}, False, True),
        ({DISTRIBUTION_MODE: "sideways"}, True, True),
    ],
)
def test_a_mode_without_effect_is_named(properties: Mapping[str, str], routed: bool, static: bool) -> None:
    assert not_honoured(properties, [], may_be_shuffled=True) == [DISTRIBUTION_MODE] * routed
    assert not_honoured(properties, []) == [DISTRIBUTION_MODE] * static
    assert (distribution(properties) is None) == (not properties or routed)
