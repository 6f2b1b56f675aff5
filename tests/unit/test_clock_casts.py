"""Casts in an analysed plan of Spark 4.1 that depend on the time of the run."""

from __future__ import annotations

import pytest
from lakelock.records.sql.clock_casts import clock_cast

TEXTS = {"t", "odd name"}


@pytest.mark.parametrize(
    ("plan", "operand"),
    [
        ("Project [cast(t#1 as timestamp) AS at#2]", "t#1"),
        ("Project [(at#1 > cast(t#4 as timestamp)) AS x#2]", "t#4"),
        ("Project [try_cast(odd name#14 as timestamp) AS at#2]", "odd name#14"),
        ("Project [hour(cast(concat(t#1, x) as timestamp), Some(UTC)) AS at#2]", "concat(t#1, x)"),
        ("Project [cast(12:30 as timestamp) AS at#2]", "12:30"),
        ("Project [cast(concat(n, ow) as date) AS at#2]", "concat(n, ow)"),
        ("Project [cast(reverse(won) as timestamp_ntz) AS at#2]", "reverse(won)"),
        ("Project [cast(null as timestamp) AS a#1, cast(t#3 as timestamp) AS b#2]", "t#3"),
    ],
)
def test_such_casts_are_found(plan: str, operand: str) -> None:
    assert clock_cast(plan, TEXTS) == operand


@pytest.mark.parametrize(
    "plan",
    [
        "Project [cast(null as timestamp) AS a#1, cast(day#3 as timestamp) AS b#2, cast(n#3L as timestamp) AS c#2]",
        "Project [cast(t#1 as date) AS a#1, cast(concat(t#1, x) as timestamp_ntz) AS b#1]",
        "Project [(at#1 > cast(2020-01-01 as timestamp)) AS x#2, cast(2020-01-01 10:00:00 as timestamp) AS y#3]",
        "Project [cast(cast(t#1 as date) as timestamp) AS a#1]",
        "Project [concat(it is  as timestamp), x) AS a#1, to_timestamp(t#1, Some(yyyy), TimestampType, Some(UTC), true)]",
        "Project [cast(at#1 as string) AS a#1]",
    ],
)
def test_others_are_left(plan: str) -> None:
    assert clock_cast(plan, TEXTS) is None
