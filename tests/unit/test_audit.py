"""What an audit makes of what table, log, Kafka and an independent reader say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lakelock.core.audit import Counted, Letters, SourceAudit, Totals, countable, judge
from lakelock.core.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.core.offsets import OffsetRange, Source

SOURCE = Source("orders", "id", 0)
HELD = SourceCoverage(10, (Interval(10, 60), Interval(60, 70, 1), Interval(70, 80, 1, Kind.SKIPPED)))
TOTALS = Totals(10, 80, read=65, written=58, dead=4, filtered=3)


def verdict(**changed: Any) -> SourceAudit:
    whole: dict[str, Any] = {
        "held": HELD,
        "frontier": 95,
        "frontier_after": 95,
        "end_offset": 100,
        "in_flight": [OffsetRange(SOURCE, 80, 90), OffsetRange(SOURCE, 90, 95)],
        "totals": TOTALS,
        "counted": Counted(58, 58, 0),
        "letters": Letters(4, 4),
    }
    return judge("n.t", SOURCE, **(whole | changed))


def test_what_is_in_the_table_on_its_way_or_declared_is_complete() -> None:
    found = verdict()
    assert found.faults == ()
    assert (found.start_offset, found.end_offset, found.held, found.open, found.lag) == (10, 100, 70, 15, 5)
    assert found.gaps == {"skipped": 10}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"in_flight": [OffsetRange(SOURCE, 80, 90)]}, "[90, 95) is neither in the table nor on its way"),
        ({"in_flight": []}, "[80, 95) is neither in the table nor on its way"),
        (
            {"held": SourceCoverage(10, (Interval(10, 20), Interval(30, 80))), "totals": None},
            "[20, 30) is neither in the table nor on its way",
        ),
        ({"held": SourceCoverage(5, HELD.intervals), "totals": None}, "[5, 10) is neither in the table nor on its way"),
        ({"frontier": None, "frontier_after": None, "in_flight": []}, "the write-ahead log does not know this source"),
        (
            {"frontier": 50, "frontier_after": 50, "in_flight": []},
            "behind the table: frontier 50, the table has up to 80",
        ),
        ({"totals": replace(TOTALS, read=66)}, "the books do not balance: read 66, written 58"),
        (
            {"totals": replace(TOTALS, end_offset=85)},
            "the write-ahead log has [80, 85) as committed, the table does not",
        ),
        ({"counted": Counted(57, 57, 0)}, "58 rows were written, 57 are there"),
        ({"counted": Counted(59, 58, 0)}, "1 rows have an offset that another row has, too"),
        ({"counted": Counted(59, 59, 1)}, "1 rows have an offset that the ledger does not have"),
        ({"letters": Letters(3, 3)}, "4 dead letters were written, 3 are there"),
        ({"letters": Letters(4, 3)}, "1 dead letters have an offset that another one has, too"),
    ],
)
def test_each_way_to_be_incomplete_is_a_fault_with_its_interval(changed: dict[str, Any], fault: str) -> None:
    assert any(fault in said for said in verdict(**changed).faults), verdict(**changed).faults


def test_a_pipeline_that_runs_on_between_the_looks_is_complete() -> None:
    """The log was read first: by now its open parts have landed, and further ones were planned and landed."""
    later = SourceCoverage(10, (*HELD.intervals, Interval(80, 100, 1)))
    found = verdict(held=later, frontier_after=100, counted=Counted(77, 77, 0), letters=None)
    assert found.faults == ()
    assert found.open == 0


def test_books_that_begin_later_than_the_table_do_not_judge_its_rows() -> None:
    """As after the log was rebuilt."""
    assert verdict(totals=Totals(60, 80, 10, 10, 0, 0)).faults == ()


def test_a_partition_number_of_two_topics_tells_nothing() -> None:
    other = Source("shipments", "id2", 0)
    one = {SOURCE: HELD}
    assert countable(Coverage(one)) == {0: SOURCE}
    assert countable(Coverage({**one, replace(other, partition=1): HELD})) is not None
    assert countable(Coverage({**one, other: HELD})) is None
