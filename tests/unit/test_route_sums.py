"""The sums of routing in an audit: read = filtered + without a table + routed to at least one table."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from lakelock.audit.audit import PipelineAudit
from lakelock.audit.audit_text import audit_text
from lakelock.audit.route_sums import RouteAudit, route_sums
from lakelock.model.counts import RoutedRange
from lakelock.model.offsets import OffsetRange, Source
from lakelock.records.reasons import CountedCause

A, B = Source("t", "T", 0), Source("t", "T", 1)


def ranged(start: int, end: int, source: Source = A, **given: Any) -> RoutedRange:
    """Of ten records, two are filtered and three have no table."""
    known = {"read": 10, "filtered": 2, "without_table": 3, "in_tables": 5, "letters": 3}
    return RoutedRange(OffsetRange(source, start, end), **{**known, **given})


def test_the_sums_of_each_source() -> None:
    first, second = route_sums([ranged(0, 10), ranged(20, 30, B), ranged(10, 25, read=12, in_tables=14)])
    assert (first.source, first.start_offset, first.end_offset) == (A, 0, 25)
    assert (first.read, first.filtered, first.without_table, first.routed) == (22, 4, 6, 12)
    assert (second.source, second.read, second.routed) == (B, 10, 5)
    assert first.faults == second.faults == (), "a record may go to several tables"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"in_tables": 4}, "[0, 10): 5 records are routed to tables, and the tables have 4"),
        ({"letters": 2}, "[0, 10): 3 records have no table, and 2 dead letters of them are committed"),
        ({"letters": 4}, "[0, 10): 3 records have no table, and 4 dead letters of them are committed"),
        ({"read": 5, "in_tables": 1}, "[0, 10): 0 records are routed to tables, and the tables have 1"),
    ],
)
def test_records_that_are_not_where_the_books_say_are_a_fault(given: dict[str, Any], fault: str) -> None:
    (found,) = route_sums([ranged(0, 10, **given)])
    assert found.faults == (fault,)


def test_what_cannot_be_compared_is_counted_alone() -> None:
    (found,) = route_sums([ranged(0, 10, in_tables=None, letters=None)])
    assert (found.routed, found.faults) == (5, ())


def test_values_are_shown_as_they_are_on_one_line() -> None:
    routes = RouteAudit(letters=2, causes=(CountedCause("not JSON", None, 2, "begins with '<a href=\"http://b\">\n'"),))
    lines = audit_text(PipelineAudit("p", datetime.now(UTC), (), (), routes)).splitlines()
    assert lines[1].endswith("; without backfills")
    assert lines[2:] == [
        "  2 dead letters without a table so far",
        "  dead letters  not JSON: 2 (begins with '<a href=\"http://b\"> ')",
    ]
