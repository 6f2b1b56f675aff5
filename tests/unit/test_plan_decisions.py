from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.errors import BooksUnbalanced, DeadLetterLimit, HistoryMissing, RunRefused, TopicRecreated
from lakelock.ingest.books import check_dead_letters, combined, dead_letter_books
from lakelock.ingest.outcome import withheld
from lakelock.ingest.plan_decision import StopAt, check_history, check_identity, plan, start_offset, stops
from lakelock.model.batches import Books, StreamState
from lakelock.model.offsets import OffsetRange, Source


@dataclass(frozen=True)
class Available:
    low_offset: int
    end_offset: int
    leader_epoch: int | None = 0


def source(n: int, topic_id: str = "id") -> Source:
    return Source("t", topic_id, n)


def test_a_backlog_is_shared_in_proportion_so_that_all_partitions_finish_together() -> None:
    spans = {source(0): Available(0, 9_000), source(1): Available(0, 1_000)}
    decided = plan([], {source(0): 0, source(1): 0}, spans, 1_000, {})
    assert [(p.range.start, p.range.end) for p in decided.ranges] == [(0, 900), (0, 100)]
    assert decided.backlog_offsets == 9_000


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=12), st.integers(1, 400))
def test_batches_are_bounded_oldest_first_and_reach_the_end(raw: list[tuple[int, int]], limit: int) -> None:
    spans = {source(n): Available(0, start + behind) for n, (start, behind) in enumerate(raw)}
    at = {source(n): start for n, (start, _) in enumerate(raw)}
    for _ in range(sum(b for _, b in raw) + 1):
        streams = [StreamState(s, 0, o) for s, o in at.items()]
        decided = plan(streams, {}, spans, limit, {})
        if not decided.ranges:
            break
        assert sum(p.range.offsets for p in decided.ranges) <= limit
        for p in decided.ranges:
            assert p.range.start == at[p.range.source]
            at[p.range.source] = p.range.end
    assert at == {s: span.end_offset for s, span in spans.items()}


def test_nothing_is_read_from_where_a_run_stops_on() -> None:
    spans = {source(n): Available(0, 100) for n in range(4)}
    streams = [StreamState(source(n), 0, 40) for n in range(4)]
    decided = plan(streams, {}, spans, 1_000, {source(0): 60, source(1): 40, source(2): 7, source(3): 1_000})
    assert [(p.range.source.partition, p.range.start, p.range.end) for p in decided.ranges] == [
        (0, 40, 60),
        (3, 40, 100),
    ]
    assert decided.backlog_offsets == 0
    # 40 and 60 of the first two, and 60 of the third, which has passed where it is to stop.
    assert decided.withheld == {"t": 160}
    bounded = plan(streams, {}, spans, 8, {source(n): 60 for n in range(4)})
    assert (bounded.backlog_offsets, bounded.withheld) == (72, {"t": 160})
    assert plan(streams, {}, spans, 8, {}).withheld == {}


def test_what_a_stop_holds_back_is_reported_by_topic_the_most_first() -> None:
    assert withheld({}) == ""
    assert withheld({"a": 1, "b": 30}) == "; left unread after this run's stop: 30 offsets of b, 1 offset of a"
    assert withheld({f"t{n}": 9 - n for n in range(7)}).endswith("5 offsets of t4 and of 2 more topics")


def test_a_run_stops_at_the_earlier_of_time_and_offset() -> None:
    at_time = {source(0): 10, source(1): 20}
    requested = StopAt(None, {"t": {0: 15, 1: 5}})
    assert stops(requested, [source(0), source(1)], at_time) == {source(0): 10, source(1): 5}
    assert stops(StopAt(), [source(0)], {}) == {}


def test_a_stop_in_what_is_not_read_is_refused() -> None:
    for wrong in ({"t": {3: 1}}, {"other": {0: 1}}):
        with pytest.raises(RunRefused, match=r"it reads t-0\. Nothing was planned"):
            stops(StopAt(None, wrong), [source(0)], {})


def test_a_recreated_topic_stops_with_both_ids() -> None:
    with pytest.raises(TopicRecreated, match="id was old and is now new"):
        check_identity([StreamState(source(0, "old"), 0, 5)], [source(0, "new")], "p")


def test_history_that_kafka_dropped_is_named_to_the_offset() -> None:
    streams = [StreamState(source(0), 0, 5), StreamState(source(1), 0, 9)]
    with pytest.raises(HistoryMissing, match=r"t-0 \[5, 8\): deleted"):
        check_history(streams, {source(0): Available(8, 20), source(1): Available(0, 20)})
    with pytest.raises(HistoryMissing, match=r"t-1 \[7, 9\): read before"):
        check_history(streams, {source(0): Available(0, 20), source(1): Available(0, 7)})
    check_history(streams, {source(0): Available(5, 5), source(1): Available(0, 9)})


def test_start_is_earliest_latest_a_time_or_named_offsets() -> None:
    span = Available(3, 10)
    assert start_offset("earliest", source(0), span, {}) == 3
    assert start_offset("latest", source(0), span, {}) == 10
    assert start_offset("time", source(0), span, {source(0): 6}) == 6
    assert start_offset({"t": {0: 4}}, source(0), span, {}) == 4
    assert start_offset({"t": {0: 4}}, source(1), span, {}) == 3
    with pytest.raises(HistoryMissing, match="only from 3 on"):
        start_offset({"t": {0: 2}}, source(0), span, {})


def test_books_of_cut_ranges_add_up_to_the_planned_range() -> None:
    whole = OffsetRange(source(0), 0, 100)
    pieces = [Books(OffsetRange(source(0), 60, 100), 30, 29, 1, 0, 5, 9), Books(OffsetRange(source(0), 0, 60), 60, 60)]
    (books,) = combined([whole], pieces)
    assert (books.range, books.read, books.written, books.dead) == (whole, 90, 89, 1)
    assert (books.min_timestamp_ms, books.max_timestamp_ms) == (5, 9)
    assert dead_letter_books([whole], [Books(OffsetRange(source(0), 60, 100), 1, 1)])[0].range == whole
    assert dead_letter_books([whole], []) == ()


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [Books(OffsetRange(source(0), 0, 60), 60, 60)],
        [Books(OffsetRange(source(0), 0, 60), 60, 60), Books(OffsetRange(source(0), 61, 100), 39, 39)],
        [Books(OffsetRange(source(0), 0, 60), 60, 60), Books(OffsetRange(source(0), 50, 100), 50, 50)],
        [Books(OffsetRange(source(0), 0, 100), 100, 99)],
        [Books(OffsetRange(source(0), 0, 120), 120, 120)],
    ],
)
def test_books_that_do_not_tile_or_balance_are_refused(pieces: list[Books]) -> None:
    with pytest.raises(BooksUnbalanced, match="Nothing was staged"):
        combined([OffsetRange(source(0), 0, 100)], pieces)


def test_dead_letters_stop_a_batch_by_count_and_by_ratio_but_one_of_one_is_no_trend() -> None:
    def books(read: int, dead: int) -> list[Books]:
        return [Books(OffsetRange(source(0), 0, read), read, read - dead, dead)]

    check_dead_letters("db.t", books(1, 1), 0.05, 10)
    check_dead_letters("db.t", books(1_000, 50), 0.05, None)
    check_dead_letters("db.t", books(1_000, 1_000), None, None)
    with pytest.raises(DeadLetterLimit, match="51 of 1000"):
        check_dead_letters("db.t", books(1_000, 51), 0.05, None)
    with pytest.raises(DeadLetterLimit, match="11 of 12"):
        check_dead_letters("db.t", books(12, 11), None, 10)
