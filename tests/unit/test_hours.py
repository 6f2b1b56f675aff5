"""An hour is reported when it is complete in a table, never before, and once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.config import Pipeline
from lakelock.errors import TableMissing
from lakelock.ingest.complete_hours import CompleteHours, complete_hours, waiting
from lakelock.ingest.hours_decision import (
    HOUR,
    MAX_HOURS,
    SourceProgress,
    complete,
    hour_of,
    key_of,
    may_be_due,
    valid_through,
)
from lakelock.model.batches import StreamState
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.ports import Watermarks

AT = datetime(2026, 3, 1, 12, 20, tzinfo=UTC)
LATE = timedelta(minutes=10)
ALL = SourceProgress(7, 0, 7)


def ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def lacking(at: datetime, position: int = 5) -> SourceProgress:
    return SourceProgress(position, 0, 9, ms(at))


def test_a_table_that_has_everything_is_valid_through_now_less_what_may_come_late() -> None:
    assert valid_through(AT, LATE, [ALL, ALL]) == AT - LATE
    assert valid_through(AT, LATE, []) is None


def test_the_partition_that_is_furthest_behind_decides() -> None:
    behind = [ALL, lacking(AT - 3 * HOUR), lacking(AT - HOUR)]
    assert valid_through(AT, LATE, behind) == AT - 3 * HOUR - LATE


@pytest.mark.parametrize(
    "unknown",
    [
        SourceProgress(5, 0, 9),
        SourceProgress(5, 6, 9, ms(AT - HOUR)),
        lacking(AT + timedelta(seconds=1)),
    ],
    ids=["a record whose time is not known, as in an open transaction", "records that Kafka dropped", "a time to come"],
)
def test_nothing_is_guessed(unknown: SourceProgress) -> None:
    assert valid_through(AT, LATE, [ALL, unknown]) is None


def test_an_hour_is_complete_when_it_is_over_in_the_table() -> None:
    noon = AT.replace(minute=0)
    assert complete(noon, noon - 2 * HOUR) == [noon - HOUR]
    assert complete(noon - timedelta(microseconds=1), noon - 2 * HOUR) == []
    assert complete(noon, noon) == []


def test_the_first_hour_reported_is_the_newest_and_then_none_is_left_out() -> None:
    noon = AT.replace(minute=0)
    assert complete(AT, None) == [noon - HOUR]
    assert complete(AT, noon - 4 * HOUR) == [noon - 3 * HOUR, noon - 2 * HOUR, noon - HOUR]


def test_after_a_long_pause_the_oldest_come_first_and_not_all_at_once() -> None:
    reported = AT.replace(minute=0) - 100 * HOUR
    hours = complete(AT, reported)
    assert hours == [reported + n * HOUR for n in range(1, MAX_HOURS + 1)]
    assert complete(AT, hours[-1])[0] == hours[-1] + HOUR


def test_keys_are_what_airflows_mappers_read_and_nothing_else_is_taken_for_one() -> None:
    assert key_of(datetime(2026, 3, 1, 13, tzinfo=UTC)) == "2026-03-01T13:00:00"
    assert hour_of("2026-03-01T13:00:00") == datetime(2026, 3, 1, 13, tzinfo=UTC)
    for other in (None, "", "2026-03-01", "2026-03-01T13:30:00", "2026-3-1T13:00:00", "yes"):
        assert hour_of(other) is None


@st.composite
def partitions(draw: st.DrawFn) -> tuple[list[int], int, int]:
    """Minutes of records as they lie in Kafka, none more than ten older than one before it; what of it the table has; and how
    much came before Kafka was asked."""
    newest, stamps = 0, []
    for _ in range(draw(st.integers(0, 12))):
        newest += draw(st.integers(0, 90))
        stamps.append(max(0, newest - draw(st.integers(0, 10))))
    requested = draw(st.integers(0, len(stamps)))
    return stamps, draw(st.integers(0, requested)), requested


@given(st.lists(partitions(), min_size=1, max_size=3), st.none() | st.integers(-5, 20))
def test_no_record_of_an_hour_that_is_reported_is_missing_or_comes_later(
    given_: list[tuple[list[int], int, int]], last: int | None
) -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)

    def at_minute(minute: int) -> datetime:
        return start + timedelta(minutes=minute)

    # The moment of the question: all that lies in Kafka is stamped earlier, and later ones at most ten minutes before it.
    requested_at = max([stamp for stamps, _, requested in given_ for stamp in stamps[:requested]], default=0) + 1
    standings, lacks = [], []
    for stamps, has, requested in given_:
        standings.append(SourceProgress(has, 0, requested, ms(at_minute(stamps[has])) if has < requested else None))
        lacks += [at_minute(s) for s in stamps[has:requested]]
        lacks += [at_minute(max(s, requested_at - 10)) for s in stamps[requested:]]
    through = valid_through(at_minute(requested_at), LATE, standings)
    assert through is not None
    reported = None if last is None else start + last * HOUR
    hours = complete(through, reported)
    assert all(lack >= hour + HOUR for hour in hours for lack in lacks)
    assert hours == sorted(set(hours))
    assert reported is None or all(hour > reported for hour in hours)
    assert not hours or may_be_due(at_minute(requested_at), LATE, reported)


A, B = Source("a", "id", 0), Source("a", "id", 1)
PIPELINE = Pipeline.from_resolved(
    {"name": "p", "source": {"topics": ["a"]}, "tables": [{"name": "n.t"}, {"name": "n.u"}]}
)
REPORTED = {name: AT.replace(minute=0) - 3 * HOUR for name in ("n.t", "n.u")}
COMPLETE = (AT.replace(minute=0) - 2 * HOUR, AT.replace(minute=0) - HOUR)


def ledger(*covered: OffsetRange) -> Ledger:
    return Ledger("i", "p", "c", 0, "cfg", Coverage().adding([b for r in covered for b in booked(r)], {}, 0))


class Around:
    """What the log, Kafka and the catalog say; everything is in both tables where a test does not say otherwise."""

    def __init__(self) -> None:
        whole = ledger(OffsetRange(A, 0, 7), OffsetRange(B, 0, 7))
        self.known = {"n.t": whole, "n.u": whole}
        self.covered: dict[str, Ledger] = dict(self.known)
        self.spans = {A: Watermarks(0, 7, 7), B: Watermarks(0, 7, 7)}
        self.kept = [StreamState(A, 0, 7), StreamState(B, 0, 7)]
        self.stamps: dict[tuple[Source, int], datetime] = {}
        self.declared: dict[Source, int] = {}
        self.requests: list[str] = []

    def now(self) -> datetime:
        self.requests.append("clock")
        return AT

    def ledgers(self, _: str) -> dict[str, Ledger]:
        return self.known

    def dead_letter_tables(self, _: str) -> list[str]:
        return []

    def staged_files(self, _: str) -> list[str]:
        return []

    def way_back(self, *_: object) -> str:
        return "Register it"

    def streams(self, *_: str) -> list[StreamState]:
        return self.kept

    def begun(self, _: str) -> bool:
        return True

    def bound(self, _: str) -> dict[str, str]:
        return dict.fromkeys(self.known, "uuid")

    def routed(self, _: str) -> dict[str, str]:
        return {}

    def bound_uuid(self, _: str, table: str) -> str | None:
        return "uuid" if table in self.known else None

    def declared_starts(self, *_: str) -> dict[Source, int]:
        return self.declared

    def sources(self, *_: object) -> list[Source]:
        self.requests.append("kafka")
        return list(self.spans)

    def watermarks(self, _: Sequence[Source]) -> dict[Source, Watermarks]:
        return self.spans

    def timestamps_at(self, offsets: Mapping[Source, int]) -> dict[Source, int | None]:
        found = {s: self.stamps.get((s, o)) for s, o in offsets.items()}
        return {s: ms(at) if at else None for s, at in found.items()}

    def load(self, name: str) -> Any:
        self.requests.append(name)
        if name not in self.covered:
            raise TableMissing(f"{name} is gone")
        return SimpleNamespace(uuid="uuid", ledger=self.covered[name], head_id=4711)

    def complete(self, reported: Mapping[str, datetime | None] = REPORTED) -> dict[str, tuple[datetime, ...]]:
        found: list[CompleteHours] = complete_hours(PIPELINE, self, self, self, LATE, reported)  # type: ignore[arg-type]
        return {c.table: c.hours for c in found}


@pytest.fixture
def around() -> Around:
    return Around()


def test_each_table_reports_what_is_complete_in_it(around: Around) -> None:
    around.known["n.u"] = around.covered["n.u"] = ledger(OffsetRange(A, 0, 7), OffsetRange(B, 0, 4))
    around.stamps[B, 4] = AT - HOUR - timedelta(minutes=5)
    assert around.complete() == {"n.t": COMPLETE, "n.u": COMPLETE[:1]}
    assert "clock" not in around.requests[around.requests.index("kafka") :], (
        "what came after Kafka was asked may be missing"
    )


def test_a_table_whose_hours_were_reported_is_not_checked(around: Around) -> None:
    assert around.complete({"n.t": COMPLETE[-1], "n.u": COMPLETE[0]}) == {"n.u": COMPLETE[1:]}
    assert "n.t" not in around.requests
    around.requests.clear()
    reported = dict.fromkeys(REPORTED, COMPLETE[-1])
    assert around.complete(reported) == {}
    assert set(around.requests) == {"clock"}
    around.known = {"n.u": around.known["n.u"]}
    names = [t.name for t in waiting(PIPELINE, around, LATE, {})]  # type: ignore[arg-type]
    assert names == ["n.u"], "nothing was ever committed to the other one"


def test_records_that_nobody_planned_yet_hold_an_hour_back(around: Around) -> None:
    new = Source("a", "id", 2)
    around.spans[new] = Watermarks(0, 1, 1)
    assert around.complete() == {}
    around.stamps[new, 0] = COMPLETE[0]
    assert around.complete() == {}
    around.stamps[new, 0] = AT
    assert around.complete() == dict.fromkeys(REPORTED, COMPLETE)


def test_a_source_that_is_absent_holds_an_hour_back_until_it_is_retired(around: Around) -> None:
    del around.spans[B]
    assert around.complete() == {}
    around.kept[1] = StreamState(B, 0, FOREVER)
    assert around.complete() == dict.fromkeys(REPORTED, COMPLETE)


def test_what_a_table_was_planned_for_and_does_not_have_yet_holds_an_hour_back(around: Around) -> None:
    around.known = around.covered = dict.fromkeys(REPORTED, ledger(OffsetRange(A, 0, 7)))
    around.declared = {A: 0, B: 3}
    around.stamps[B, 3] = COMPLETE[0]
    assert around.complete() == {}
    # One that is not planned for it begins where the next batch does.
    around.declared = {}
    assert around.complete() == dict.fromkeys(REPORTED, COMPLETE)


def test_what_a_backfill_is_to_bring_holds_an_hour_back_but_for_what_is_before_the_start(around: Around) -> None:
    whole = ledger(OffsetRange(A, 0, 7), OffsetRange(B, 0, 7))
    later = Coverage().starting({B: 4}).adding(booked(OffsetRange(A, 0, 7), OffsetRange(B, 6, 7)), {A: 0}, 0)
    requested = replace(whole, coverage=later.requesting([OffsetRange(B, 0, 6)], {}))
    around.known["n.t"] = around.covered["n.t"] = requested
    around.stamps[B, 4] = AT - HOUR - timedelta(minutes=5)
    assert around.complete() == {"n.t": COMPLETE[:1], "n.u": COMPLETE}
    before = replace(
        whole, coverage=later.requesting([OffsetRange(B, 0, 4)], {}).adding(booked(OffsetRange(B, 4, 6)), {}, 0)
    )
    around.known["n.t"] = around.covered["n.t"] = before
    assert around.complete() == dict.fromkeys(REPORTED, COMPLETE)


def test_the_table_itself_has_the_last_word(around: Around) -> None:
    around.covered["n.t"] = ledger(OffsetRange(A, 0, 7), OffsetRange(B, 0, 6))
    assert around.complete() == {"n.u": COMPLETE}
    del around.covered["n.t"]
    assert around.complete() == {"n.u": COMPLETE}


def test_history_that_is_lost_reports_nothing_and_fails_nothing(around: Around) -> None:
    around.spans[B] = Watermarks(8, 9, 9)
    assert around.complete() == {}
