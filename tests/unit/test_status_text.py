"""What `lakelock status` prints for a person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from lakelock.model.batches import PartSummary
from lakelock.monitor.status import PARTS, PipelineStatus
from lakelock.monitor.status_text import TABLES, status_text
from lakelock.monitor.table_status import TableStatus

AT = datetime(2026, 1, 31, 1, 30, tzinfo=timezone(timedelta(hours=2)))


def shown(*parts: PartSummary) -> list[str]:
    """The lines about batches and commits."""
    lines = status_text(PipelineStatus("orders", datetime.now(UTC), (), parts, {})).splitlines()
    return lines[lines.index("open batches and last commits:") + 1 :]


def committed(batch: str, snapshot_id: int, table: str = "shop.orders") -> PartSummary:
    return PartSummary(batch, table, "committed", rows=3, files=1, version_id=snapshot_id, at=AT)


def test_times_are_reported_in_utc_and_say_so() -> None:
    assert shown(committed("b1", 7))[-1].endswith("snapshot 7, 2026-01-30 23:30:00 UTC")


def test_a_commit_of_several_batches_is_one_line() -> None:
    """In the demo, most commits contain two batches."""
    waits = [PartSummary(f"b{n}", "shop.orders", "staged", rows=1, files=1) for n in (6, 5)]
    lines = shown(*waits, committed("b4", 8), committed("b3", 8), committed("b3", 9, "shop.items"), committed("b2", 7))
    at = "2026-01-30 23:30:00 UTC"
    assert lines == [
        "  staged    shop.orders  batch b6  1 row, 1 file",
        "  staged    shop.orders  batch b5  1 row, 1 file",
        f"  committed shop.orders  batch b4 and 1 more  6 rows, 2 files, snapshot 8, {at}",
        f"  committed shop.items  batch b3  3 rows, 1 file, snapshot 9, {at}",
        f"  committed shop.orders  batch b2  3 rows, 1 file, snapshot 7, {at}",
    ]


def test_dead_letters_of_several_tables_are_one_commit_of_one_batch() -> None:
    letters = [committed("b1", 5, "shop.orders__dead_letters") for _ in range(2)]
    assert shown(*letters)[0].startswith("  committed shop.orders__dead_letters  batch b1  6 rows, 2 files, snapshot 5")


def test_the_batches_of_a_commit_that_the_list_cuts_off_are_at_least_those_shown() -> None:
    whole = [committed(f"b{n}", 9) for n in range(2)]
    cut = [committed(f"a{n}", 8) for n in range(PARTS - 2)]
    lines = shown(*whole, *cut)
    assert "batch b0 and 1 more  6 rows, 2 files" in lines[0]
    assert f"batch a0 and at least {PARTS - 3} more  at least {3 * PARTS - 6} rows, at least" in lines[1]
    assert len(lines) == 2


def _with_tables(*tables: TableStatus) -> PipelineStatus:
    return PipelineStatus("orders", datetime.now(UTC), (), (), {}, tables=tables)


def test_of_thousands_of_tables_those_with_offsets_on_their_way_are_listed_and_their_number_is_limited() -> None:
    late = [TableStatus(f"lake.late{n}", 10, 300.0 - n, 60.0, 200.0) for n in range(30)]
    fine = [TableStatus(f"lake.t{n}") for n in range(5_000)]
    status = _with_tables(*late, *fine)
    lines = status_text(status).splitlines()
    assert lines[2] == "5030 tables, 30 with offsets on their way:"
    assert lines[4].split() == ["lake.late0", "10", "300.0", "200.0", "60.0"]
    assert lines[-1] == "  and 10 more; see --limit and --table"
    assert len(lines) == 2 + 2 + TABLES + 1
    assert len(status_text(status, most=3).splitlines()) == 2 + 2 + 3 + 1
    chosen = status_text(status, "t432").splitlines()
    assert chosen[2] == "5030 tables, 30 with offsets on their way, 11 named like t432:"
    assert [line.split()[0] for line in chosen[4:]] == ["lake.t432", *(f"lake.t432{n}" for n in range(10))]
    assert "lake.late7 " in status_text(status, "*late?")
    assert "lake.late17" not in status_text(status, "*late?")


def test_a_pipeline_that_keeps_up_has_one_line_about_its_tables() -> None:
    assert status_text(_with_tables(TableStatus("lake.a"))).splitlines()[2:] == [
        "1 table, none with offsets on their way"
    ]
    paused = TableStatus("lake.a", 5, None, None, 9.0, paused=True)
    assert status_text(_with_tables(paused)).splitlines()[4].split() == ["lake.a", "(paused)", "5", "?", "9.0", "?"]
