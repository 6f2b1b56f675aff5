"""Which rows give way to rows that are read again, and what a table remembers of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace as with_
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.parquet.row_copy import outside
from lakelock.errors import OF_A_BATCH, LedgerUnreadable, ReplaceRefused, ReplaceUnfinished, State, Unreachable
from lakelock.ingest.changed_records import overtaken, replaced, replaces_undone, since, still_changed
from lakelock.ingest.reconcile_decision import follow
from lakelock.model import ledger as codec
from lakelock.model.coverage import Coverage, Interval, SourceCoverage
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import PartNote, PartState
from lakelock.model.offsets import OffsetRange, Source, offsets_in
from lakelock.model.operator_log import Decided, What
from lakelock.model.table_files import Compared, FileView, LiveFile, OfTime, RowsOf
from lakelock.replace import decision as replace
from lakelock.replace.dropped_decision import dropped, why_dropped

S, T = Source("t", "id-t", 0), Source("t", "id-t", 1)
COLUMNS = ("p", "o")
AT = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
LEDGER = Ledger("i", "p", "c", 0, "d", Coverage({S: SourceCoverage(0, (Interval(0, 100),))}))


def r(start: int, end: int, source: Source = S) -> OffsetRange:
    return OffsetRange(source, start, end)


def said(hour: int, *ranges: OffsetRange, who: str = "me", at: datetime = AT) -> Decided:
    return replace.said(at, who, "why", AT + hour * HOUR, AT + (hour + 1) * HOUR, ranges)


def live(path: str, rows: int, unfit: str = "") -> LiveFile:
    return LiveFile(path, 0, "[]", rows, rows * 10, 1, 0, unfit)


ranges_of_two = st.lists(
    st.tuples(st.sampled_from([S, T]), st.integers(0, 9), st.integers(1, 5)).map(lambda x: r(x[1], x[1] + x[2], x[0])),
    min_size=1,
    max_size=4,
)
places = st.tuples(st.none() | st.integers(0, 2), st.none() | st.integers(0, 14))


@given(found=st.lists(st.lists(places, max_size=12), max_size=4), ranges=ranges_of_two)
def test_the_rows_that_stay_and_those_that_go_are_all_rows(
    found: list[list[tuple[int | None, int | None]]], ranges: list[OffsetRange]
) -> None:
    rows_of = RowsOf(COLUMNS, tuple(ranges))

    def within(place: tuple[int | None, int | None]) -> bool:
        partition, offset = place
        return offset is not None and any(n == partition and a <= offset < b for n, a, b in rows_of.numbers)

    counts: dict[str, int] = {}
    candidates = []
    for n, rows in enumerate(found):
        table = pa.table(
            {"p": pa.array([p for p, _ in rows], pa.int32()), "o": pa.array([o for _, o in rows], pa.int64())}
        )
        kept = outside(table, rows_of)
        left = list(zip(kept["p"].to_pylist(), kept["o"].to_pylist(), strict=True))
        assert left == [place for place in rows if not within(place)]
        if rows:
            candidates.append(live(f"f{n}", len(rows)))
            counts[f"f{n}"] = len(rows) - len(left)
        known = [(p, o) for p, o in rows if p is not None and o is not None]
        if known and len(known) == len(rows):
            partitions, offsets = [p for p, _ in known], [o for _, o in known]
            look = FileView("f", 1, len(rows), None, min(partitions), max(partitions), min(offsets), max(offsets))
            assert look.may_hold(rows_of.numbers) or not counts[f"f{n}"], "a file with such rows is never passed over"
    of_interval = replace.of_interval(candidates, {p: n for p, n in counts.items() if n})
    assert of_interval.rows == sum(map(within, (place for rows in found for place in rows)))
    assert {f.path for f in of_interval.whole} | {f.path for f in of_interval.cut} == {
        p for p, n in counts.items() if n
    }
    assert of_interval.rows + of_interval.kept == sum(f.rows for f in of_interval.files)


def test_a_file_whose_manifest_says_nothing_may_hold_anything() -> None:
    def may_hold(*bounds: int | None) -> bool:
        return FileView("f", 1, 1, None, *bounds).may_hold(RowsOf(COLUMNS, (r(5, 10),)).numbers)

    assert may_hold()
    assert may_hold(0, 0, None, 5)
    assert may_hold(0, 0, 9, None)
    assert not may_hold(0, 0, None, 4)
    assert not may_hold(0, 0, 10, None)
    assert not may_hold(1, 3, 5, 9)


@pytest.mark.parametrize("state", State)
def test_a_fault_that_leaves_a_batch_planned_leaves_a_replace_its_rows(state: State) -> None:
    fault = Unreachable("the warehouse is away.", state, "Check it.")
    found = replace.of_no_batch(fault)
    if state in OF_A_BATCH:
        assert str(found) == "the warehouse is away. Nothing was changed: the rows stay as they are. Check it."
        assert found.__cause__ is fault
    else:
        assert found is fault


def test_no_text_of_an_error_says_in_its_own_words_that_a_batch_stays_planned() -> None:
    """A replace could not take that out of it."""
    package = Path(replace.__file__).parents[1]
    found = [
        f"{file.relative_to(package)}: {node.value}"
        for file in package.rglob("*.py")
        if file.name != "errors.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "staged" in node.value
        # Offsets that Kafka dropped have words of their own, and docstrings are no errors.
        if re.search(r"staged.*(batch|part)[^.]* stays planned", node.value) and "skipped" not in node.value
    ]
    assert found == []


def test_what_was_changed_in_rows_is_to_be_seen_until_they_are_replaced() -> None:
    assert still_changed([r(0, 10)], LEDGER, LEDGER)
    assert not still_changed([r(0, 10)], None, LEDGER)
    assert not still_changed([r(100, 110)], LEDGER, LEDGER)
    again = with_(LEDGER, decisions=(said(0, r(0, 10)),))
    assert not still_changed([r(0, 10)], LEDGER, again)
    assert still_changed([r(0, 11)], LEDGER, again)


def test_what_kafka_dropped_stands_in_the_way_only_with_rows_of_the_time_and_says_which_start_helps() -> None:
    gone, end_ms = [r(0, 40), r(0, 9, T)], 2_000
    assert why_dropped(gone, {}, end_ms, "at") == []
    (why,) = why_dropped(gone, {0: OfTime(5, 3, 9, 0, 999), 1: OfTime(1, 2, 2, 0, 1_499)}, end_ms, "at")
    assert (
        "t-0 [3, 10) with 5 rows, t-1 [2, 3) with 1 row; set the start to 1970-01-01T00:00:01.500+00:00 or later" in why
    )
    (why,) = why_dropped(gone, {0: OfTime(5, 3, 9, 0, 1_999)}, end_ms, "at")
    assert "exclude this time" in why
    (why,) = why_dropped(gone, {0: OfTime(5, 3, 9, 2, 999)}, end_ms, "at")
    assert "2 of them have no value in column 'at'" in why
    (why,) = why_dropped(gone, {0: OfTime(5, 3, 9, 5)}, end_ms, None)
    assert "no column for Kafka's timestamp" in why


@pytest.mark.parametrize(
    ("found", "dead", "what"),
    [
        (
            Compared(5, 4, lost=1, first_lost=7),
            {},
            "1 offsets have a row now, but their records in Kafka would make none, first 7",
        ),
        (Compared(4, 5, more=1, first_more=8), {}, "1 offsets have no row now, but would get one, first 8"),
        (Compared(5, 5, twice=1, first_twice=3), {}, "1 offsets have more than one row, first 3"),
        # As many, but others.
        (Compared(5, 5, lost=1, more=1, first_lost=2, first_more=9), {}, "would make none, first 2"),
        (Compared(5, 5), {S: 2}, "2 records do not fit the table's columns"),
    ],
)
def test_rows_of_other_records_than_before_never_land(found: Compared, dead: dict[Source, int], what: str) -> None:
    with pytest.raises(ReplaceRefused, match=what):
        replace.fit("n.t", [r(0, 10)], {0: found}, dead)


def test_rows_of_the_same_records_may_land() -> None:
    replace.fit("n.t", [r(0, 10), r(3, 4, T)], {0: Compared(5, 5)}, {S: 0})


def test_copies_have_just_what_is_to_stay() -> None:
    of_interval = replace.of_interval([live("a", 5), live("b", 4)], {"a": 2, "b": 4})
    replace.check_copies("n.t", of_interval, 3)
    with pytest.raises(ReplaceRefused, match="have 3 rows besides those that are read again, but 2 were copied"):
        replace.check_copies("n.t", of_interval, 2)


def test_files_that_cannot_give_rows_up_are_reported_with_the_reason() -> None:
    files = [live("a", 1), live("b", 1, "it is encrypted"), live("c", 1), live("c", 1), live("d", 1)]
    assert replace.why_left(files, {"d": "its file is gone"}) == [
        "1 files with rows of this time cannot be rewritten: it is encrypted, first b",
        "2 files with rows of this time cannot be rewritten: the table lists it more than once, first c",
        "1 files with rows of this time cannot be rewritten: its file is gone, first d",
    ]


def test_what_took_too_long_does_not_land() -> None:
    replace.check_in_time("n.t", [r(0, 10)], 0, 45 * 60_000)
    with pytest.raises(ReplaceUnfinished, match="to read 10 offsets again took 46 minutes"):
        replace.check_in_time("n.t", [r(0, 10)], 0, 46 * 60_000)


def test_only_what_the_table_has_as_records_is_meant_and_what_kafka_dropped_is_named() -> None:
    coverage = Coverage({S: SourceCoverage(5, (Interval(5, 10), Interval(12, 20)))})
    assert replace.wanted(coverage, [r(0, 15), r(0, 9, T)]) == [r(5, 10), r(12, 15)]
    assert dropped([r(5, 10), r(12, 15)], {S: 7, T: 3}) == [r(5, 7)]
    assert dropped([r(5, 10)], {S: 0}) == []


# what the ledger keeps


def test_squares_of_one_reason_are_one_decision_and_what_is_done_once_more_is_no_more_the_earlier_ones() -> None:
    decided: tuple[Decided, ...] = ()
    for hour in (1, 0, 2):
        decided = replace.decided(decided, said(hour, r(hour * 10, hour * 10 + 10), at=AT + hour * HOUR))
    (one,) = decided
    assert one.about == f"records of {AT.isoformat()} to {(AT + 3 * HOUR).isoformat()}"
    assert one.ranges == (r(0, 30),)
    old, again = replace.decided(decided, said(1, r(10, 20), at=AT + 9 * HOUR))
    assert (old.ranges, again.ranges) == ((r(0, 10), r(20, 30)), (r(10, 20),))
    assert len(replace.decided(decided, said(0, r(0, 10), who="other"))) == 2
    decided = ()
    for nth, hour in enumerate((0, 2, 1)):
        before, decided = (
            decided,
            replace.decided(decided, said(hour, r(hour * 10, hour * 10 + 10), at=AT + nth * HOUR)),
        )
    then, now = (with_(LEDGER, decisions=d) for d in (before, decided))
    assert [ranges for _, ranges in since(then, now)] == [[r(10, 20)]], "nothing of it was replaced once more"
    everything = replace.decided((old, again), with_(said(0, r(0, 30), at=AT + 10 * HOUR), about=old.about))
    assert [d.ranges for d in everything] == [(r(0, 30),)]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from(["me", "you"])), min_size=1, max_size=8)
)
def test_whoever_replaced_a_record_last_is_reported_from_any_other(requested: Sequence[tuple[int, int, str]]) -> None:
    now = LEDGER
    for first, hours, who in requested:
        ranges = (r(first * 10, (first + hours) * 10),)
        # Even in the same second.
        one = replace.said(AT, who, "why", AT + first * HOUR, AT + (first + hours) * HOUR, ranges)
        before, now = now, with_(now, decisions=replace.decided(now.decisions, one))
        assert overtaken(ranges, before, now), "what was just done is seen"
        assert not overtaken(ranges, now, now)
        recorded = [x for d in now.decisions for x in d.ranges]
        assert offsets_in(recorded) == offsets_in(replaced(now)), "each record is one decision's"


def test_only_what_was_replaced_meanwhile_is_in_the_way() -> None:
    before = with_(LEDGER, decisions=(said(0, r(0, 10)),))
    beside = with_(before, decisions=replace.decided(before.decisions, said(1, r(10, 20))))
    assert overtaken([r(0, 10)], before, beside) == ""
    assert "me has replaced some of these records since (why)" in overtaken([r(15, 25)], before, beside)


def test_a_ledger_of_another_protocol_is_not_read() -> None:
    summary = codec.summary(with_(LEDGER, decisions=(said(0, r(0, 10)),)), (), ())
    assert codec.parse(summary, "n.t").decisions[0].what is What.REPLACE
    for other in ("0", "2", "", None):
        with pytest.raises(LedgerUnreadable, match="Upgrade lakelock"):
            codec.parse({k: v for k, v in {**summary, codec.PROTOCOL: other}.items() if v is not None}, "n.t")


# rollbacks


def test_a_rollback_to_before_it_reports_what_is_there_as_it_was() -> None:
    at = with_(LEDGER, coverage=Coverage({S: SourceCoverage(0, (Interval(0, 15),))}))
    head = with_(LEDGER, decisions=(said(0, r(10, 20)),))
    ((decision, ranges),) = replaces_undone(head, at)
    assert (decision, ranges) == (head.decisions[0], [r(10, 15)])
    assert replaces_undone(head, with_(at, decisions=head.decisions)) == []
    assert replaces_undone(head, None) == []


@pytest.mark.parametrize("state", [PartState.COMMITTED, PartState.STAGED])
def test_files_from_before_a_replace_never_land_again(state: PartState) -> None:
    record = Rollback(2, 1, Mode.RECOMMIT, "who", "why")
    coverage = Coverage({S: SourceCoverage(0, (Interval(0, 10),))})
    after = with_(LEDGER, generation=1, coverage=coverage, rollback=record, decisions=(said(0, r(10, 15)),))
    notes = [PartNote(1, state, (r(10, 20),)), PartNote(2, state, (r(20, 30),))]
    then = follow(notes, after, 0, {S: 0}, {S: 30}, lambda _: True)
    assert (then.restage, then.abort, then.redo) == ((2,), (1,), (r(10, 20),))
