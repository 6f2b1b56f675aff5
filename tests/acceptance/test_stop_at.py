"""Where a run was asked to stop, the next one goes on; and which tables commit at once."""

from __future__ import annotations

import json
import logging
import uuid
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from kits.topics import new_producer
from kits.world import World, open_with, write_next
from lakelock.errors import RunRefused
from lakelock.ingest.plan_decision import StopAt

pytestmark = pytest.mark.drawn(0.15)

EXPECTED = list(range(10))


def ahead() -> datetime:
    """Whole, as Kafka knows milliseconds, and takes no record from further ahead than an hour; the world's own are older."""
    return datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=20)


def send(near: World, minutes: list[int], after: datetime) -> None:
    """One record each, at so many minutes after *after*, into partition 0."""
    producer = new_producer(near.connections["kafka_default"].extra["bootstrap.servers"])
    for minute in minutes:
        at = after + timedelta(minutes=minute)
        value = json.dumps({"id": near.next_id})
        near.next_id += 1
        producer.produce(near.topic, value, partition=0, timestamp=round(at.timestamp() * 1000))
    assert producer.flush(30) == 0


def read(near: World, stop_at: StopAt | None) -> tuple[str, list[int]]:
    """What plan says, and the offsets of partition 0 in the table after the run."""
    with closing(near.runtime()) as runtime:
        planned = runtime.plan(stop_at=stop_at)
        if planned.batch_id is not None:
            runtime.write_run(str(uuid.uuid4()), "run", planned.batch_id, stop_at=stop_at)
        near.commit(runtime)
    return planned.line, [offset for partition, offset, _ in near.rows() if partition == 0]


def test_a_run_stops_before_the_first_record_of_a_time_also_where_older_ones_lie_behind_it(near: World) -> None:
    at = ahead()
    send(near, [0, 1, 5, 2, 9], at)
    stop = StopAt(at + timedelta(minutes=5))
    assert read(near, stop)[1] == [*EXPECTED, 10, 11]
    reported = (
        "nothing to read in 2 partitions before this run's stop; left unread after this run's stop: 3 offsets of "
    )
    assert f"{reported}{near.topic}" in read(near, stop)[0]
    # A time that no record has reached bounds nothing that is there.
    assert read(near, StopAt(at + timedelta(days=1)))[1] == [*EXPECTED, 10, 11, 12, 13, 14]
    near.audit()


def test_a_run_stops_before_an_offset_and_a_later_one_goes_on(near: World) -> None:
    send(near, [0] * 6, ahead())
    line, rows = read(near, StopAt(None, {near.topic: {0: 14}}))
    assert rows == [*EXPECTED, 10, 11, 12, 13]
    assert line.endswith(f"0 left for later batches; left unread after this run's stop: 2 offsets of {near.topic}")
    assert read(near, StopAt(None, {near.topic: {0: 12}}))[1] == [*EXPECTED, 10, 11, 12, 13]
    assert read(near, None)[1] == [*EXPECTED, 10, 11, 12, 13, 14, 15]
    near.audit()


def test_a_window_stops_there_too_and_says_so_once(near: World, caplog: pytest.LogCaptureFixture) -> None:
    send(near, [0] * 6, ahead())
    stop = StopAt(None, {near.topic: {0: 14}})
    with closing(near.runtime()) as runtime:

        def window() -> list[int]:
            until = runtime.clock.now() + timedelta(seconds=3)
            done = runtime.write_window(str(uuid.uuid4()), "run", until, 0.1, max_records=3, stop_at=stop)
            return [o.offsets for o in done]

        written = window()
        while sum(written) < 4:
            # A busy machine needs more than one window for it.
            written += window()
        with caplog.at_level(logging.INFO, "lakelock"):
            caplog.clear()
            assert (written, window()) == ([3, 1], [])
        assert caplog.text.count(f"left unread after this run's stop: 2 offsets of {near.topic}") == 1
        runtime.commit([near.table], now=True)
    assert [offset for partition, offset, _ in near.rows() if partition == 0] == [*EXPECTED, 10, 11, 12, 13]
    read(near, None)
    near.audit()


def test_a_partition_that_is_not_read_is_refused_before_anything_is_planned(near: World) -> None:
    send(near, [0], ahead())
    with closing(near.runtime()) as runtime:
        with pytest.raises(RunRefused, match=f"offset 5 of {near.topic}-7, but this pipeline does not read it"):
            runtime.plan(stop_at=StopAt(None, {near.topic: {7: 5}}))
        assert not runtime.log.planned(near.name)
    near.run()
    near.audit()


def test_only_chosen_tables_commit_at_once_with_their_dead_letters(near: World) -> None:
    a, b = f"{near.namespace}.a", f"{near.namespace}.b"
    near.name = "other"
    text = f"source: {{topics: [{near.topic}]}}\ntables: [{{name: {a}}}, {{name: {b}}}]\ncommit: {{max_latency: 1d}}\n"
    with open_with(near, text) as runtime:
        dead_letters = runtime.pipeline.dead_letter_table
        # The first of each is made at once.
        write_next(runtime)
        runtime.commit([a, dead_letters, b])
        assert not runtime.log.staged_tables("other")
        near.produce(4, bad=[b"{torn"])
        write_next(runtime)
        landed = runtime.commit([a, dead_letters, b], now=[b])
        assert {o.table for o in landed if o.version_id is not None} == {dead_letters, b}
        assert set(runtime.log.staged_tables("other")) == {a}
        assert not [o for o in runtime.commit([a, dead_letters, b]) if o.version_id is not None]
        runtime.commit([a, dead_letters, b], now=True)
        assert not runtime.log.staged_tables("other")
        assert runtime.audit().complete


def test_a_partition_that_is_not_read_is_refused_also_while_a_batch_is_open(near: World) -> None:
    near.produce(10)
    with closing(near.runtime()) as runtime:
        assert runtime.plan().batch_id is not None
        with pytest.raises(RunRefused, match=f"offset 5 of {near.topic}-7, but this pipeline does not read it"):
            runtime.plan(stop_at=StopAt(None, {near.topic: {7: 5}}))
        assert runtime.plan().batch_id is not None
