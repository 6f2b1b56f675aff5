"""What the demo judges by: each offset is a row once, or the table's ledger says why it is none."""

from __future__ import annotations

import duckdb
import pytest
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.offsets import FOREVER, Source
from rich.console import Console
from stack.accounts import Accounts, WithoutRow, accounts
from stack.lake import Stored, differences, strangers
from stack.report import Report

KAFKA = {0: (0, 10), 1: (5, 8)}
TOPIC = Accounts(KAFKA)
RIGHT = [Stored(0, 0, 9, 10, 10), Stored(1, 5, 7, 3, 3)]
SOURCES = [Source("flights", "id", partition) for partition in (0, 1)]


def covered(*parts: SourceCoverage) -> Coverage:
    return Coverage(dict(zip(SOURCES, parts, strict=False)))


def test_a_table_with_each_offset_once_has_no_differences() -> None:
    assert differences(RIGHT, TOPIC) == []
    assert differences([*RIGHT], Accounts(KAFKA | {2: (4, 4)})) == [], "an empty partition needs no rows"


@pytest.mark.parametrize(
    "wrong",
    [
        [Stored(0, 0, 9, 9, 9), RIGHT[1]],
        [Stored(0, 0, 9, 11, 10), RIGHT[1]],
        [Stored(0, 0, 9, 10, 9), RIGHT[1]],
        [Stored(0, 1, 10, 10, 10), RIGHT[1]],
        [RIGHT[0]],
        [*RIGHT, Stored(7, 0, 0, 1, 1)],
    ],
    ids=["gap", "row twice", "row twice instead of another", "shifted", "partition missing", "partition too much"],
)
def test_every_way_to_be_wrong_is_seen(wrong: list[Stored]) -> None:
    assert len(differences(wrong, TOPIC)) == 1


LEFT_OUT = Accounts(KAFKA, {0: [(2, 4), (8, 10)], 1: [(5, 8)]})
WITHOUT = [Stored(0, 0, 7, 6, 6)]


def test_offsets_that_were_left_out_on_purpose_are_no_difference_and_must_not_be_there() -> None:
    assert differences(WITHOUT, LEFT_OUT) == []
    assert LEFT_OUT.offsets_left_out == 7
    for wrong in ([], [Stored(0, 0, 7, 5, 5)], [Stored(0, 0, 9, 6, 6)], [*WITHOUT, RIGHT[1]]):
        assert len(differences(wrong, LEFT_OUT)) == 1
    assert len(differences(RIGHT, LEFT_OUT)) == 2


def test_rows_that_were_left_out_on_purpose_are_counted() -> None:
    rows = "(SELECT 0 AS _kafka_partition, unnest(range(10)) AS _kafka_offset UNION ALL SELECT 1, 9)"
    with duckdb.connect() as connection:
        assert connection.execute(strangers(LEFT_OUT.left_out).format(table=rows)).fetchall() == [(0, 4)]
        assert connection.execute(strangers({}).format(table=rows)).fetchall() == []


def test_open_dead_letters_and_skipped_tombstones_are_no_difference() -> None:
    """One of each, and an offset without a record; a dead letter that became a row counts as the row."""
    data = (Interval(0, 10),)
    half = SourceCoverage(0, data, Totals(written=7, dead=1, filtered=1), redriven=((3, 4),))
    found = accounts("flights", KAFKA, covered(half, SourceCoverage(5, (Interval(5, 8),), Totals(written=3))))
    assert found.without_row == {0: WithoutRow(dead=1, filtered=1, no_record=1)}
    assert (found.rows, found.to_come) == (10, 0)
    for right in (Stored(0, 0, 9, 7, 7), Stored(0, 2, 8, 7, 7)):
        assert differences([right, RIGHT[1]], found) == []
    for wrong in (Stored(0, 0, 9, 8, 8), Stored(0, 0, 9, 7, 6), Stored(0, 0, 9, 6, 6), Stored(0, 0, 10, 7, 7)):
        (line,) = differences([wrong, RIGHT[1]], found)
        assert "less 1 open dead letter, 1 skipped tombstone, 1 offset without a record" in line


def test_a_partition_of_dead_letters_alone_has_no_rows() -> None:
    found = accounts("flights", {0: (0, 3)}, covered(SourceCoverage(0, (Interval(0, 3),), Totals(dead=3))))
    assert (found.rows, differences([], found)) == (0, [])


def test_what_is_not_committed_is_still_to_come() -> None:
    assert accounts("flights", KAFKA, Coverage()).to_come == 13
    found = accounts("flights", KAFKA, covered(SourceCoverage(0, (Interval(0, 6),), Totals(written=6))))
    assert found.to_come == 4 + 3
    assert len(differences([Stored(0, 0, 5, 6, 6)], found)) == 2


def test_decisions_leave_offsets_out_and_a_backfill_has_yet_to_load_others() -> None:
    intervals = (Interval(0, 2), Interval(2, 4, 1, Kind.SKIPPED), Interval(6, 8), Interval(8, FOREVER, 1, Kind.RETIRED))
    found = accounts("flights", {0: (0, 10)}, covered(SourceCoverage(0, intervals, Totals(written=4), ((4, 6),))))
    assert found.left_out == {0: [(2, 6), (8, 10)]}
    assert (found.offsets_left_out, found.requested, found.to_come, found.rows) == (6, 2, 0, 4)
    assert differences([Stored(0, 0, 7, 4, 4)], found) == []


def test_a_table_keeps_records_that_kafka_has_deleted_and_may_start_later() -> None:
    deleted = accounts("flights", {0: (5, 10)}, covered(SourceCoverage(0, (Interval(0, 10),), Totals(written=10))))
    assert deleted.spans == {0: (0, 10)}
    assert differences(RIGHT[:1], deleted) == []
    later = accounts("flights", {0: (0, 10)}, covered(SourceCoverage(6, (Interval(6, 10),), Totals(written=4))))
    assert (later.left_out, later.rows, later.to_come) == ({0: [(0, 6)]}, 4, 0)


def test_the_verdict_names_what_has_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(Console(width=200))
    found = Accounts(KAFKA, {1: [(5, 7)]}, {0: WithoutRow(dead=2)}, requested=1)
    report.verdict({"DuckDB": [], "audit": []}, found)
    assert capsys.readouterr().out.strip() == (
        "✓ demo.flights holds each of the 9 records exactly once, and none of the 1 that were left out on purpose, and none "
        "of the 1 that a backfill has yet to load, by offset, in DuckDB and in Spark. Without a row: 2 open dead letters"
    )
    report.verdict({"DuckDB": [], "audit": ["demo.flights: 2 dead letters were written, 1 are there"]}, found)
    assert capsys.readouterr().out.strip() == "✗ audit: demo.flights: 2 dead letters were written, 1 are there"
