"""A batch that ends earlier than it was planned: what it gives back is read by the next one, once."""

from __future__ import annotations

import pytest
from kits.wal import PIPELINE, TABLE, one_staged, part, plan, source, stage
from lakelock.adapters.wal import PostgresLog
from lakelock.errors import Fenced
from lakelock.model.batches import LIVE, REDO, Batch, lane_of
from lakelock.model.offsets import OffsetRange, Source

ATTEMPT = "attempt-1"


@pytest.fixture
def batch(log: PostgresLog) -> Batch:
    batch = plan(log, (source(0), 0, 10), (source(1), 0, 20))
    log.claim(batch.batch_id, ATTEMPT, "run-1", 30)
    return batch


def frontiers(log: PostgresLog) -> dict[Source, int]:
    return {s.source: s.next_offset for s in log.streams(PIPELINE, LIVE)}


def planned(log: PostgresLog) -> list[OffsetRange]:
    return [p.range for b in log.planned(PIPELINE) for p in b.ranges]


def test_what_it_gives_back_is_the_next_batchs(log: PostgresLog, batch: Batch) -> None:
    assert log.end_earlier(batch.batch_id, ATTEMPT, {source(1): 12})
    assert frontiers(log) == {source(0): 10, source(1): 12}
    (shorter,) = log.planned(PIPELINE)
    assert [p.range for p in shorter.ranges] == [OffsetRange(source(0), 0, 10), OffsetRange(source(1), 0, 12)]
    following = plan(log, (source(1), 12, 20), starts={})
    log.stage(batch.batch_id, ATTEMPT, [part(shorter)])
    assert one_staged(log).ranges == tuple(p.range for p in shorter.ranges)
    stage(log, following, attempt="attempt-2")
    assert len(log.staged(PIPELINE, TABLE)) == 2


def test_what_was_read_beyond_it_is_not_staged(log: PostgresLog, batch: Batch) -> None:
    assert log.end_earlier(batch.batch_id, ATTEMPT, {source(1): 12})
    with pytest.raises(Fenced, match="differ from the plan"):
        log.stage(batch.batch_id, ATTEMPT, [part(batch)])


def test_again_it_changes_nothing(log: PostgresLog, batch: Batch) -> None:
    """The answer to the first COMMIT was lost."""
    for _ in range(2):
        assert log.end_earlier(batch.batch_id, ATTEMPT, {source(1): 12})
    assert frontiers(log)[source(1)] == 12
    plan(log, (source(1), 12, 20), starts={})
    assert log.end_earlier(batch.batch_id, ATTEMPT, {source(1): 12})
    assert frontiers(log)[source(1)] == 20


def test_a_batch_that_another_one_follows_keeps_its_end(log: PostgresLog, batch: Batch) -> None:
    plan(log, (source(1), 20, 30), starts={})
    before = frontiers(log), planned(log)
    assert not log.end_earlier(batch.batch_id, ATTEMPT, {source(0): 5, source(1): 12})
    assert (frontiers(log), planned(log)) == before


def test_a_batch_of_which_a_part_is_written_keeps_its_end(log: PostgresLog) -> None:
    batch = plan(log, (source(0), 0, 10), tables={TABLE: ["orders"], "lake.copy": ["orders"]})
    stage(log, batch, part(batch))
    before = frontiers(log), planned(log)
    assert not log.end_earlier(batch.batch_id, ATTEMPT, {source(0): 5})
    assert (frontiers(log), planned(log)) == before


def test_what_is_read_again_keeps_its_end(log: PostgresLog) -> None:
    batch = plan(log, (source(0), 0, 10), lane=lane_of(REDO, "x"))
    log.claim(batch.batch_id, ATTEMPT, "run-1", 30)
    assert not log.end_earlier(batch.batch_id, ATTEMPT, {source(0): 5})
    assert planned(log) == [OffsetRange(source(0), 0, 10)]


@pytest.mark.parametrize("end", [0, 21])
def test_no_range_becomes_empty_or_longer(log: PostgresLog, batch: Batch, end: int) -> None:
    assert not log.end_earlier(batch.batch_id, ATTEMPT, {source(1): end})
    assert frontiers(log)[source(1)] == 20


def test_an_attempt_that_was_replaced_ends_nothing(log: PostgresLog, batch: Batch) -> None:
    log.claim(batch.batch_id, "attempt-2", "run-1", 30)
    with pytest.raises(Fenced, match="attempt-2 works on it"):
        log.end_earlier(batch.batch_id, ATTEMPT, {source(1): 12})
    assert frontiers(log)[source(1)] == 20
