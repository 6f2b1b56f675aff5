from __future__ import annotations

import pytest
from lakelock.errors import BadTableDefinition
from lakelock.model.partition_expressions import Transform, TransformKind, parse_partition, parse_sort


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("carrier", Transform(TransformKind.IDENTITY, "carrier")),
        ("identity(carrier)", Transform(TransformKind.IDENTITY, "carrier")),
        ("address.city", Transform(TransformKind.IDENTITY, "address.city")),
        ("`odd name`", Transform(TransformKind.IDENTITY, "odd name")),
        ("`tick``ed`", Transform(TransformKind.IDENTITY, "tick`ed")),
        ("day(ts)", Transform(TransformKind.DAY, "ts")),
        ("DAYS( ts )", Transform(TransformKind.DAY, "ts")),
        ("hours(`odd name`)", Transform(TransformKind.HOUR, "odd name")),
        ("month(ts)", Transform(TransformKind.MONTH, "ts")),
        ("Years(ts)", Transform(TransformKind.YEAR, "ts")),
        ("bucket(16, id)", Transform(TransformKind.BUCKET, "id", 16)),
        ("bucket(id,16)", Transform(TransformKind.BUCKET, "id", 16)),
        ("truncate(10, name)", Transform(TransformKind.TRUNCATE, "name", 10)),
        ("truncate(name, 10)", Transform(TransformKind.TRUNCATE, "name", 10)),
        ("day", Transform(TransformKind.IDENTITY, "day")),
    ],
)
def test_spark_notation_is_understood(text: str, expected: Transform) -> None:
    assert parse_partition(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "day()",
        "day(ts",
        "day(ts))",
        "day(ts, id)",
        "day(16, ts)",
        "bucket(id)",
        "bucket(16)",
        "bucket(16, 17)",
        "bucket(a, b)",
        "bucket(0, id)",
        "bucket(99999999999, id)",
        "bucket(-1, id)",
        "week(ts)",
        "day(upper(ts))",
        "ts, id",
        "day(ts) x",
        "odd name",
    ],
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadTableDefinition) as caught:
        parse_partition(text)
    assert repr(text) in str(caught.value)


def test_a_refusal_says_what_can_be_written() -> None:
    with pytest.raises(BadTableDefinition, match=r"bucket\(16, c\)"):
        parse_partition("week(ts)")


@pytest.mark.parametrize(
    ("text", "column", "descending", "nulls_first"),
    [
        ("id", "id", False, True),
        ("id asc", "id", False, True),
        ("id DESC", "id", True, False),
        ("id desc nulls first", "id", True, True),
        ("id nulls last", "id", False, False),
        ("desc", "desc", False, True),
        ("`odd name` desc", "odd name", True, False),
    ],
)
def test_sort_keys_have_sparks_defaults(text: str, column: str, descending: bool, nulls_first: bool) -> None:
    key = parse_sort(text)
    assert (key.transform.column, key.descending, key.nulls_first) == (column, descending, nulls_first)


def test_sort_keys_may_be_transforms() -> None:
    assert parse_sort("bucket(4, id) desc").transform == Transform(TransformKind.BUCKET, "id", 4)


@pytest.mark.parametrize("text", ["", "id down", "id nulls", "id desc nulls middle", "id nulls first desc"])
def test_bad_sort_keys_are_refused_by_name(text: str) -> None:
    with pytest.raises(BadTableDefinition):
        parse_sort(text)


def test_partition_fields_are_named_as_spark_names_them() -> None:
    names = [parse_partition(t).field_name for t in ("c", "day(ts)", "bucket(8, id)", "truncate(2, s)")]
    assert names == ["c", "ts_day", "id_bucket", "s_trunc"]


@pytest.mark.parametrize("text", ["c", "day(ts)", "bucket(8, id)", "truncate(2, s)"])
def test_text_form_reads_back(text: str) -> None:
    assert str(parse_partition(text)) == text
