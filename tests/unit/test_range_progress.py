"""What the reader refuses to take for granted of its client: how far ranges are read, by what a call delivered."""

from __future__ import annotations

import numpy as np
import pytest
from confluent_kafka import KafkaError
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.kafka.read_accounting import END, ReadProgress, is_full
from lakelock.errors import Retryable, State
from lakelock.model.offsets import OffsetRange, Source

RECORD = 0
OTHER = KafkaError.GROUP_AUTHORIZATION_FAILED


class Reading:
    """Ranges of two partitions, [10, 100) each."""

    def __init__(self, partitions: int = 2) -> None:
        self.finished: list[int] = []
        self.ranges = [OffsetRange(Source("t", "id", partition), 10, 100) for partition in range(partitions)]
        self.progress = ReadProgress(self.ranges, self.finished.append)

    def take(self, *delivered: tuple[int, int] | tuple[int, int, int]) -> list[tuple[int, int]]:
        """Partition, offset and code of each; returns the records that are kept."""
        codes = np.array([d[2] if len(d) > 2 else RECORD for d in delivered], np.int32)
        partitions = np.array([d[0] for d in delivered], np.int32)
        offsets = np.array([d[1] for d in delivered], np.int64)
        kept = self.progress.take(codes, partitions, offsets)
        return [(d[0], d[1]) for d, k in zip(delivered, kept.tolist(), strict=True) if k]

    @property
    def unread(self) -> list[tuple[int, int, int]]:
        return [(r.source.partition, r.start, r.end) for r in self.progress.unread]


@pytest.fixture
def reading() -> Reading:
    return Reading()


def test_offsets_may_leave_gaps_in_any_mix_of_partitions(reading: Reading) -> None:
    assert reading.take((1, 12), (0, 10), (0, 15), (1, 13)) == [(1, 12), (0, 10), (0, 15), (1, 13)]
    assert reading.unread == [(0, 16, 100), (1, 14, 100)]
    assert reading.take((0, 16), (1, 99), (0, 100), (1, 100)) == [(0, 16), (1, 99)]
    assert reading.unread == []


@pytest.mark.parametrize("again", [(0, 15), (0, 9), (1, 12)])
def test_an_offset_that_comes_again_in_a_later_call_is_refused(reading: Reading, again: tuple[int, int]) -> None:
    reading.take((1, 12), (0, 10), (0, 15), (1, 13))
    with pytest.raises(Retryable, match=rf"offset {again[1]} of t-{again[0]} after"):
        reading.take((1, 20), again)


def test_an_offset_that_comes_twice_in_one_call_is_refused(reading: Reading) -> None:
    with pytest.raises(Retryable, match="offset 10 of t-0 after offset 10"):
        reading.take((0, 10), (1, 10), (0, 10))


def test_an_offset_before_the_range_is_refused(reading: Reading) -> None:
    with pytest.raises(Retryable, match="offset 9 of t-1 after offset 9"):
        reading.take((1, 9))


def test_what_comes_after_the_end_of_a_range_is_dropped_whatever_it_is(reading: Reading) -> None:
    assert reading.take((0, 100)) == []
    assert reading.take((0, 101), (1, 10), (0, 102)) == [(1, 10)]
    assert reading.unread == [(1, 11, 100)]


def test_a_range_ends_with_its_last_offset_and_only_while_others_are_open_its_partition_is_to_be_paused() -> None:
    reading = Reading(3)
    reading.take((1, 99))
    assert reading.finished == [1]
    reading.take((0, 10), (0, 100))
    assert reading.finished == [1, 0]
    assert not reading.take((2, 500))
    assert (reading.finished, reading.unread) == ([1, 0], [])


def test_the_end_of_a_partition_moves_a_range_past_offsets_that_never_come(reading: Reading) -> None:
    """Control records and aborted data lie before it; it may also lie short of the range, or beyond."""
    reading.take((0, 40, END))
    assert reading.unread == [(0, 40, 100), (1, 10, 100)]
    assert reading.take((0, 41), (1, 20), (1, 100, END)) == [(0, 41), (1, 20)]
    assert reading.unread == [(0, 42, 100)]
    reading.take((0, 130, END))
    assert reading.unread == []


def test_an_end_never_takes_a_range_back(reading: Reading) -> None:
    reading.take((0, 50))
    reading.take((0, 30, END))
    assert reading.unread == [(0, 51, 100), (1, 10, 100)]


def test_an_end_follows_the_records_that_came_before_it_in_its_call(reading: Reading) -> None:
    assert reading.take((0, 98), (0, 100, END), (1, 11)) == [(0, 98), (1, 11)]
    assert reading.unread == [(1, 12, 100)]


def test_the_end_of_a_range_that_is_read_says_nothing(reading: Reading) -> None:
    reading.take((0, 99))
    reading.take((0, 100, END), (0, 100, END))
    assert reading.finished == [0]


def test_an_event_about_something_else_moves_nothing(reading: Reading) -> None:
    assert reading.take((0, 10), (-1, -1001, OTHER), (0, 11)) == [(0, 10), (0, 11)]
    assert reading.take((-1, -1001, OTHER)) == []
    assert reading.unread == [(0, 12, 100), (1, 10, 100)]


def test_a_call_that_delivers_nothing_moves_nothing(reading: Reading) -> None:
    assert reading.take() == []
    assert reading.unread == [(0, 10, 100), (1, 10, 100)]


def test_nothing_has_moved_until_something_came(reading: Reading) -> None:
    assert not reading.progress.has_moved
    reading.take((-1, -1001, OTHER))
    assert not reading.progress.has_moved
    reading.take((0, 11, END))
    assert reading.progress.has_moved
    done = Reading()
    done.take((0, 99))
    assert done.progress.has_moved


def test_lost_history_names_what_is_gone_from_where_reading_is_to_what_there_is(reading: Reading) -> None:
    reading.take((1, 30))
    fault = reading.progress.missing(1, 60, 400)
    assert "offsets [31, 60) are gone" in fault.what
    assert "partition 1 of 't' now has [60, 400)" in fault.what
    assert fault.state is State.NOTHING_SKIPPED
    assert "accept-loss FILE --topic t --partition 1" in fault.do
    assert "offsets [31, 100) are gone" in reading.progress.missing(1, 300, 400).what


def test_offsets_are_passed_whether_their_records_are_delivered_or_not(reading: Reading) -> None:
    assert reading.progress.passed == 0
    reading.take((0, 10), (1, 19))
    assert reading.progress.passed == 1 + 10
    reading.take((0, 40, END), (-1, -1001, OTHER))
    assert reading.progress.passed == 30 + 10
    reading.take((0, 20, END), (1, 150))
    assert reading.progress.passed == 30 + 141
    reading.take((1, 160, END))
    assert reading.progress.passed == 30 + 141


@pytest.mark.parametrize(
    ("records", "size_bytes", "passed", "ends"),
    [
        (0, 0, 10**9, False),
        (1, 0, 399, False),
        (1, 0, 400, True),
        (99, 990, 399, False),
        (99, 990, 400, True),
        (100, 100, 100, True),
        (10, 1000, 10, True),
        # 20 bytes each.
        (10, 200, 199, False),
        (10, 200, 200, True),
    ],
)
def test_a_block_ends_when_it_is_full_or_has_passed_what_four_full_ones_would(
    records: int, size_bytes: int, passed: int, ends: bool
) -> None:
    assert is_full(records, size_bytes, passed, max_records=100, max_bytes=1000) is ends


def test_two_ranges_of_a_partition_are_no_work_for_one_reader() -> None:
    twice = [OffsetRange(Source("t", "id", 0), start, start + 5) for start in (0, 10)]
    with pytest.raises(ValueError, match="one range a partition"):
        ReadProgress(twice, print)


@given(st.data())
def test_whatever_the_calls_each_record_of_the_ranges_is_kept_once_and_no_other(data: st.DataObject) -> None:
    """Partitions with gaps, read in calls of any size and mix, up to an end of the partition or a record beyond."""
    reading, queues, expected = Reading(3), dict[int, list[tuple[int, int, int]]](), set[tuple[int, int]]()
    for partition in range(3):
        offsets = sorted(data.draw(st.sets(st.integers(10, 130), max_size=20)))
        expected |= {(partition, o) for o in offsets if o < 100}
        queues[partition] = [*((partition, o, RECORD) for o in offsets), (partition, 131, END)]
    kept: list[tuple[int, int]] = []
    while any(queues.values()):
        call: list[tuple[int, int, int]] = []
        for _ in range(data.draw(st.integers(1, 8))):
            if some := [p for p, queue in queues.items() if queue]:
                call.append(queues[data.draw(st.sampled_from(some))].pop(0))
        kept += reading.take(*call)
    assert sorted(kept) == sorted(expected)
    assert reading.unread == []
    assert len(reading.finished) == 2
