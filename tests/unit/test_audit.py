"""What an audit makes of what table, log, Kafka and an independent reader say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lakelock.audit.decision import SourceAudit, judge
from lakelock.model.batches import StreamState
from lakelock.model.counts import Accounts, Counted, DeadLetterCounts, countable
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import OffsetRange, Source

TABLE = "n.t"
SOURCE = Source("orders", "id", 0)
COVERED = SourceCoverage(
    10,
    (Interval(10, 60), Interval(60, 70, 1), Interval(70, 80, 1, Kind.SKIPPED)),
    Totals(written=48, dead=4, filtered=3),
)
OPEN = (OffsetRange(SOURCE, 80, 90), OffsetRange(SOURCE, 90, 95))


def accounts(frontier: int | None = 95, parts: tuple[OffsetRange, ...] = OPEN, seen: Ledger | None = None) -> Accounts:
    streams = {} if frontier is None else {SOURCE: StreamState(SOURCE, 10, frontier)}
    return Accounts(streams, {(TABLE, SOURCE): parts}, (), {} if seen is None else {TABLE: seen})


def ledger(covered: SourceCoverage, generation: int = 1) -> Ledger:
    return Ledger("installation", "p", "commit", generation, "config", Coverage({SOURCE: covered}))


def verdict(covered: SourceCoverage = COVERED, reported: Accounts | None = None, **changed: Any) -> SourceAudit:
    whole: dict[str, Any] = {
        "taken": True,
        "frontier_after": 95,
        "end_offset": 100,
        "counted": Counted(48, 48, 0),
        "dead_letters": DeadLetterCounts(4, 4),
    }
    return judge(TABLE, SOURCE, ledger(covered), covered, reported or accounts(), **(whole | changed))


def test_what_is_in_the_table_on_its_way_or_declared_is_complete() -> None:
    found = verdict()
    assert found.faults == ()
    assert (found.start_offset, found.end_offset, found.held, found.open, found.lag) == (10, 100, 70, 15, 5)
    assert found.gaps == {"skipped": 10}
    assert found.without_record == 5


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"reported": accounts(parts=OPEN[:1])}, "[90, 95) is neither in the table nor on its way"),
        ({"reported": accounts(parts=())}, "[80, 95) is neither in the table nor on its way"),
        (
            {"covered": SourceCoverage(10, (Interval(10, 20), Interval(30, 80)))},
            "[20, 30) is neither in the table nor on its way",
        ),
        ({"covered": SourceCoverage(5, COVERED.intervals)}, "[5, 10) is neither in the table nor on its way"),
        (
            {"covered": SourceCoverage(10)},
            "[10, 80) is neither in the table nor on its way",
        ),
        ({"reported": accounts(None, ()), "frontier_after": None}, "the write-ahead log does not know this source"),
        ({"reported": accounts(50, ()), "frontier_after": 50}, "behind the table: frontier 50, the table has up to 80"),
        (
            {"reported": accounts(seen=ledger(SourceCoverage(10, (*COVERED.intervals, Interval(80, 85)))))},
            "the write-ahead log has seen [80, 85) in the table, and it is no longer there",
        ),
        ({"counted": Counted(47, 47, 0)}, "48 rows were written, 47 are there"),
        ({"counted": Counted(49, 48, 0)}, "1 rows have an offset that another row has, too"),
        ({"counted": Counted(49, 49, 1)}, "1 rows have an offset that the ledger does not have"),
        ({"dead_letters": DeadLetterCounts(3, 3)}, "4 dead letters were written, 3 are there"),
        ({"dead_letters": DeadLetterCounts(4, 3)}, "1 dead letters have an offset that another one has, too"),
    ],
)
def test_each_way_to_be_incomplete_is_a_fault_with_its_interval(changed: dict[str, Any], fault: str) -> None:
    assert any(fault in said for said in verdict(**changed).faults), verdict(**changed).faults


def test_a_source_that_the_table_no_longer_takes_ends_where_it_left_off() -> None:
    gone = accounts(frontier=500, parts=())
    assert verdict(reported=gone, taken=False, frontier_after=500).faults == ()
    assert verdict(reported=gone, frontier_after=500).faults != ()
    assert verdict(reported=accounts(500, OPEN[1:]), taken=False, frontier_after=500).faults == (
        "[80, 90) is neither in the table nor on its way",
    )


def test_a_pipeline_that_runs_on_between_the_looks_is_complete() -> None:
    """The log was read first: since then its open parts have landed, and further ones were planned and landed."""
    later = SourceCoverage(10, (*COVERED.intervals, Interval(80, 100, 1)), Totals(written=67, dead=4, filtered=3))
    found = verdict(covered=later, frontier_after=100, counted=Counted(67, 67, 0))
    assert found.faults == ()
    assert found.open == 0


def test_what_a_rollback_took_out_is_not_missing_from_what_was_seen_before_it() -> None:
    before = ledger(SourceCoverage(10, (*COVERED.intervals, Interval(80, 85))), generation=0)
    assert verdict(reported=accounts(seen=before)).faults == ()


def test_a_partition_number_of_two_topics_reports_nothing() -> None:
    other = Source("shipments", "id2", 0)
    one = {SOURCE: COVERED}
    assert countable(Coverage(one)) == {0: SOURCE}
    assert countable(Coverage({**one, replace(other, partition=1): COVERED})) is not None
    assert countable(Coverage({**one, other: COVERED})) is None
