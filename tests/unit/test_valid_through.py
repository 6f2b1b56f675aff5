"""What a snapshot says of the time through which it is valid, against all records that were ever produced."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.ingest.commit_decision import TableStanding, decide
from lakelock.model.batches import Books, PartResult, PlannedRange, StagedPart, StreamState, TableIdentity
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.ledger import Ledger
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.valid_through import Reach, Survey, newest_live, of_text, surveyed, text, valid_through_ms

A, B, OTHER = Source("t", "id", 0), Source("t", "id", 1), Source("u", "id-u", 0)
HERE = TableIdentity("uuid-1", 0, "layout")
TAKEN = {"t"}


def part(sequence: int, *books: Books, lane: str = "live") -> StagedPart:
    result = PartResult("n.t", HERE, (), books)
    return StagedPart(f"b{sequence}", sequence, lane, "a", "cfg", datetime.now(UTC), 0.0, result)


def read(r: OffsetRange, newest_ms: int | None) -> Books:
    return Books(r, r.offsets, r.offsets, 0, 0, newest_ms, newest_ms)


def after(*ranges: OffsetRange) -> Coverage:
    return Coverage().starting({A: 0, B: 0}).adding(booked(*ranges), {}, 0)


def survey(a: Reach, b: Reach, at_ms: int = 1000, **more: Reach) -> Survey:
    return Survey(at_ms, {A: a, B: b, OTHER: Reach(0, True)})


BOTH = part(1, read(OffsetRange(A, 0, 10), 500), read(OffsetRange(B, 0, 10), 300))


def test_it_is_the_least_of_the_partitions_newest() -> None:
    known, covered = survey(Reach(10, True), Reach(10, True)), after(OffsetRange(A, 0, 10), OffsetRange(B, 0, 10))
    assert valid_through_ms(known, TAKEN, [BOTH], covered, {}, 0) == 300
    assert valid_through_ms(known, TAKEN, [BOTH], covered, {}, 60) == 240, "declared lateness is taken off"
    later = part(2, read(OffsetRange(B, 10, 12), 700))
    covered = covered.adding(booked(OffsetRange(B, 10, 12)), {}, 0)
    assert valid_through_ms(survey(Reach(10, True), Reach(12, True)), TAKEN, [BOTH, later], covered, {}, 0) == 500


def test_a_partition_with_unread_records_that_was_no_part_of_it_makes_it_unknown() -> None:
    only_a, covered = part(1, read(OffsetRange(A, 0, 10), 500)), after(OffsetRange(A, 0, 10))
    assert valid_through_ms(survey(Reach(10, True), Reach(0, True)), TAKEN, [only_a], covered, {}, 0) is None
    assert valid_through_ms(survey(Reach(10, True), Reach(0, False)), TAKEN, [only_a], covered, {}, 0) == 500, "idle"
    assert valid_through_ms(survey(Reach(10, True), Reach(4, False)), TAKEN, [only_a], covered, {}, 0) is None, (
        "planned, and not landed"
    )


def test_a_partition_of_which_only_markers_were_read_is_idle_only_if_nothing_is_behind_them() -> None:
    markers = part(1, read(OffsetRange(A, 0, 10), 500), Books(OffsetRange(B, 0, 10), 0, 0))
    covered = after(OffsetRange(A, 0, 10), OffsetRange(B, 0, 10))
    assert valid_through_ms(survey(Reach(10, True), Reach(10, False)), TAKEN, [markers], covered, {}, 0) == 500
    assert valid_through_ms(survey(Reach(10, True), Reach(10, True)), TAKEN, [markers], covered, {}, 0) is None


def test_what_a_backfill_is_to_bring_makes_it_unknown() -> None:
    known = survey(Reach(20, True), Reach(10, True))
    covered = after(OffsetRange(A, 0, 10), OffsetRange(B, 0, 10)).requesting([OffsetRange(A, 10, 12)], {})
    assert valid_through_ms(known, TAKEN, [BOTH], covered, {}, 0) is None
    before = replace(covered[A], requested=((-5, 0),))
    assert valid_through_ms(known, TAKEN, [BOTH], Coverage({**covered, A: before}), {}, 0) == 300, "before its start"


def test_a_stamp_ahead_of_the_clock_says_nothing_of_the_records_behind_it() -> None:
    covered = after(OffsetRange(A, 0, 10), OffsetRange(B, 0, 10))
    assert valid_through_ms(survey(Reach(10, True), Reach(10, True), 400), TAKEN, [BOTH], covered, {}, 0) is None
    assert valid_through_ms(survey(Reach(10, False), Reach(10, True), 400), TAKEN, [BOTH], covered, {}, 0) == 300
    assert valid_through_ms(survey(Reach(10, False), Reach(10, False), 100), TAKEN, [BOTH], covered, {}, 0) == 100


def test_what_a_retired_source_has_on_its_way_makes_it_unknown() -> None:
    covered = after(OffsetRange(A, 0, 10), OffsetRange(B, 0, 10))
    old = Source("t", "id-old", 0)
    gone = SourceCoverage(0, (Interval(0, 50), Interval(100, FOREVER, kind=Kind.RETIRED)))
    known = survey(Reach(10, True), Reach(10, True))
    assert valid_through_ms(known, TAKEN, [BOTH], Coverage({**covered, old: gone}), {}, 0) is None
    all_there = replace(gone, intervals=(Interval(0, 100), gone.intervals[1]))
    assert valid_through_ms(known, TAKEN, [BOTH], Coverage({**covered, old: all_there}), {}, 0) == 300


def test_without_a_stamped_record_nothing_is_known() -> None:
    none = part(1, read(OffsetRange(A, 0, 10), None))
    assert valid_through_ms(survey(Reach(10, False), Reach(0, False)), TAKEN, [none], after(), {}, 0) is None


def test_only_parts_that_follow_kafka_count() -> None:
    redone = part(9, read(OffsetRange(A, 0, 10), 900), lane="redo-x")
    assert newest_live([BOTH, redone]) == BOTH
    assert newest_live([redone]) is None


def test_a_source_that_kafka_does_not_show_may_have_more_and_a_retired_one_has_not() -> None:
    streams = [StreamState(A, 0, 10), StreamState(B, 0, 10), StreamState(OTHER, 0, (1 << 63) - 1)]
    found = surveyed(5, streams, {}, {A: 12}, [PlannedRange(OffsetRange(A, 10, 12))])
    assert found.reached == {A: Reach(12, False), B: Reach(10, True)}


def test_it_is_kept_as_json_and_written_as_text() -> None:
    known = survey(Reach(10, True), Reach(7, False))
    assert Survey.of_json(known.json()) == known
    assert text(1_764_167_650_120) == "2025-11-26T14:34:10.120Z"
    assert of_text(text(1_764_167_650_127)) == 1_764_167_650_127


@dataclass
class World:
    """One table of one topic of two partitions beside another topic; each record is stamped by a clock that only grows."""

    rng: random.Random
    now: int = 1
    kafka: dict[Source, list[int]] = field(default_factory=lambda: {A: [], B: [], OTHER: []})
    frontiers: dict[Source, int] = field(default_factory=lambda: {A: 0, B: 0, OTHER: 0})
    staged: list[StagedPart] = field(default_factory=list)
    surveys: dict[str, Survey] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=lambda: Ledger("i", "p", "c", 0, "cfg", Coverage().starting({A: 0, B: 0})))
    batches: int = 0

    def produce(self) -> None:
        source = self.rng.choice(list(self.kafka))
        for _ in range(self.rng.randint(1, 4)):
            self.now += 1
            self.kafka[source].append(self.now)

    def plan(self) -> None:
        """Of some sources not all, of some nothing; a batch may end earlier than it was planned."""
        ranges = []
        for source, stamps in self.kafka.items():
            most = self.rng.choice([0, 1, 3, 100, 100])
            end = min(len(stamps), self.frontiers[source] + most)
            if end > self.frontiers[source]:
                ranges.append(PlannedRange(OffsetRange(source, self.frontiers[source], end)))
        streams = [StreamState(s, 0, f) for s, f in self.frontiers.items()]
        found = surveyed(self.now, streams, {}, {s: len(stamps) for s, stamps in self.kafka.items()}, ranges)
        self.batches += 1
        books = []
        for planned in (p.range for p in ranges):
            is_cut = self.rng.random() < 0.2
            end = self.rng.randint(planned.start + 1, planned.end) if is_cut else planned.end
            r = OffsetRange(planned.source, planned.start, end)
            self.frontiers[r.source] = r.end
            if r.source != OTHER:
                books.append(read(r, self.kafka[r.source][r.end - 1]))
        if books:
            self.surveys[f"b{self.batches}"] = found
            self.staged.append(part(self.batches, *books))
        self.now += 1

    def commit(self, share: float = 0.7) -> int | None:
        chosen = [p for p in self.staged if self.rng.random() < share]
        decided = decide(chosen, TableStanding("uuid-1", self.ledger), {}, lambda _: Coverage())
        newest = newest_live(decided.append)
        if newest is None:
            return None
        self.staged = [p for p in self.staged if p not in decided.append]
        through = valid_through_ms(
            self.surveys[newest.batch_id], TAKEN, decided.append, decided.coverage, {A: 0, B: 0}, 0
        )
        self.ledger = replace(self.ledger, coverage=decided.coverage, valid_through_ms=through)
        return through

    def missing(self, before: int) -> list[tuple[Source, int]]:
        """Records with an earlier stamp that the table has not, now or later: none may come any more."""
        covered = self.ledger.coverage
        return [
            (source, offset)
            for source in (A, B)
            for offset, stamp in enumerate(self.kafka[source])
            if stamp < before and not covered.contains(OffsetRange(source, offset, offset + 1))
        ]


@given(st.integers(0, 2**32))
# In this world a plan that has not landed matters: drawn ones may all do without.
@example(15)
def test_no_record_that_is_stamped_earlier_is_missing_then_or_comes_later(seed: int) -> None:
    world = World(random.Random(seed))
    reported: list[int] = []
    for _ in range(40):
        steps: list[Callable[[], int | None]] = [world.produce, world.produce, world.plan, world.commit]
        if (through := world.rng.choice(steps)()) is not None:
            assert world.missing(through) == []
            reported.append(through)
            assert sorted(reported) == reported


@pytest.mark.parametrize("seed", range(20))
def test_it_is_known_once_all_was_read(seed: int) -> None:
    world = World(random.Random(seed))
    for _ in range(10):
        world.produce()
    world.kafka[A].append(world.now)
    while any(world.frontiers[s] < len(stamps) for s, stamps in world.kafka.items()):
        world.plan()
    through = world.commit(share=1)
    assert world.staged == []
    assert through is not None
