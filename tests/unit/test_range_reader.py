"""What the reader refuses to take for granted of its client and its broker."""

from __future__ import annotations

from collections.abc import Iterator

import confluent_kafka
import pytest
from confluent_kafka import Message
from lakelock.adapters.kafka.broker import refuse_nameless
from lakelock.adapters.kafka.reader import RangeReader
from lakelock.errors import ConnectionFault, Retryable
from lakelock.model.offsets import OffsetRange, Source


@pytest.fixture
def reader() -> Iterator[RangeReader]:
    ranges = [OffsetRange(Source("t", "id", partition), 10, 100) for partition in (0, 1)]
    with RangeReader({"bootstrap.servers": "127.0.0.1:1"}, ranges) as opened:
        yield opened


def messages(*places: tuple[int, int]) -> list[Message]:
    return [Message(topic="t", partition=p, offset=o, value=b"{}") for p, o in places]


def test_offsets_may_leave_gaps_in_any_mix_of_partitions(reader: RangeReader) -> None:
    first = reader._taken(messages((1, 12), (0, 10), (0, 15), (1, 13)))
    then = reader._taken(messages((0, 16), (1, 99), (0, 100), (1, 100)))
    assert first is not None
    assert then is not None
    assert [*first.offsets, *then.offsets] == [12, 10, 15, 13, 16, 99]


@pytest.mark.parametrize("again", [(0, 15), (0, 9), (1, 12)])
def test_an_offset_that_comes_again_in_a_later_call_is_refused(reader: RangeReader, again: tuple[int, int]) -> None:
    reader._taken(messages((1, 12), (0, 10), (0, 15), (1, 13)))
    with pytest.raises(Retryable, match=rf"offset {again[1]} of t-{again[0]} after"):
        reader._taken(messages((1, 20), again))


def test_an_offset_that_comes_twice_in_one_call_is_refused(reader: RangeReader) -> None:
    with pytest.raises(Retryable, match="offset 10 of t-0 after offset 10"):
        reader._taken(messages((0, 10), (1, 10), (0, 10)))


def test_what_comes_after_the_end_of_a_range_is_dropped_whatever_it_is(reader: RangeReader) -> None:
    reader._taken(messages((0, 100)))
    assert reader._taken(messages((0, 101), (0, 102))) is None


def test_a_broker_without_topic_ids_is_refused() -> None:
    refuse_nameless("t", "0X6vUq_lSX2vNqYJVDs0Kg", "broker:9092")
    with pytest.raises(ConnectionFault, match="no topic id"):
        refuse_nameless("t", str(confluent_kafka.Uuid(0, 0)), "broker:9092")
