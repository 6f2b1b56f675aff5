"""Another dead-letter table takes the place of one that has marked backfills: nothing of them is read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_backfills import EARLIER, earlier_records, finish_backfills, request_earlier
from kits.routed_worlds import X, check, ledger_of, offsets, retire, send, settle
from lakelock.backfill.backfill_batches import open_batches
from lakelock.backfill.decision import Share
from lakelock.errors import BackfillUnfinished, ConfigFaults
from lakelock.model.batches import Books
from lakelock.model.coverage import Coverage
from lakelock.model.joint_mark import Marked
from lakelock.model.offsets import OffsetRange

OTHER_LETTERS = "ns.dead2"
FORMER = {OTHER_LETTERS: DEAD_LETTERS, DEAD_LETTERS: OTHER_LETTERS}


@pytest.fixture
def world() -> MemoryWorld:
    """A backfill of six records is complete, and another dead-letter table has taken the place of the one that marked it."""
    world = earlier_records()
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    with world.open() as runtime:
        # As the log does with what is marked. Nor does Kafka have it.
        runtime.log.coalesce("p", 0)
    world.kafka.low[X] = 6
    world.dead_letters = OTHER_LETTERS
    send(world, 1, 2)
    settle(world)
    return world


def test_what_the_former_table_marked_is_marked(world: MemoryWorld) -> None:
    before, after = ledger_of(world), ledger_of(world, OTHER_LETTERS)
    assert before.mark is not None
    assert after.mark is not None
    assert after.mark.ranges == [OffsetRange(X, 0, 10)]
    assert after.mark[X].prefix_end == 10
    assert not after.backfills_left
    finish_backfills(world)
    with world.open() as runtime:
        assert not open_batches(runtime.log, "p", None)
    check(world)


def test_a_lost_log_reads_it_from_neither(world: MemoryWorld) -> None:
    lose_log(world)
    recover(world, take_over=True)
    with world.open() as runtime:
        assert not open_batches(runtime.log, "p", None)
    send(world, 1, 3)
    settle(world)
    finish_backfills(world)
    check(world)
    assert offsets(world, "ns.t1") == [1, 4, 5, 6, 8, 10]
    assert offsets(world, DEAD_LETTERS) == [2]


@pytest.mark.parametrize("decide", [retire, None])
def test_the_one_that_is_named_back_has_what_was_marked_since(
    world: MemoryWorld, decide: Callable[[MemoryWorld], None] | None
) -> None:
    """A retirement takes over the requests of the other table, before a batch does."""
    world.dead_letters = DEAD_LETTERS
    if decide is not None:
        decide(world)
    else:
        send(world, 1)
        settle(world)
    mark = ledger_of(world).mark
    assert mark is not None
    assert mark.ranges == [OffsetRange(X, 0, 10 if decide else 11)]
    finish_backfills(world)
    check(world, dead=1)


@pytest.mark.parametrize("is_planned", [True, False])
def test_what_the_former_one_requested_waits_before_any_batch(is_planned: bool) -> None:
    world = earlier_records()
    with world.open() as runtime:
        if is_planned:
            request_earlier(runtime)
        else:
            with killed_at(runtime.log, "fill_requested"):
                request_earlier(runtime)
    world.dead_letters = OTHER_LETTERS
    with world.open() as runtime:
        backfills = runtime.backfills
        assert backfills.waiting().lines == ["the routed tables: x-0 [0, 6) is requested"]
        planned = backfills.preview(EARLIER)
        assert planned.routed is not None
        assert (planned.routed.requesting, planned.routed.waiting) == ((), (OffsetRange(X, 0, 6),))
        for check_of in (backfills.check_all, lambda: backfills.check(planned)):
            with pytest.raises(BackfillUnfinished):
                check_of()
    finish_backfills(world)
    earlier_are_loaded(world)


@pytest.mark.parametrize("is_lost", [True, False])
def test_one_that_no_batch_has_written_to_takes_requests(is_lost: bool) -> None:
    """By the rules of then: a recovery finds them in it, with all tables."""
    world = earlier_records()
    world.dead_letters = OTHER_LETTERS
    with world.open() as runtime:
        request_earlier(runtime)
    if is_lost:
        lose_log(world)
        recover(world, take_over=True)
    finish_backfills(world)
    earlier_are_loaded(world)


def test_the_one_that_is_named_back_requests_nothing_twice() -> None:
    world = earlier_records()
    world.dead_letters = OTHER_LETTERS
    send(world, 1)
    settle(world)
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    with world.open() as runtime:
        runtime.log.coalesce("p", 0)
    world.dead_letters = DEAD_LETTERS
    with world.open() as runtime:
        assert runtime.backfills.preview(EARLIER).nothing
        # As two previews at once would.
        planned = replace(runtime.backfills.preview(EARLIER), routed=Share((OffsetRange(X, 0, 6),)))
        runtime.backfills.request(planned, "tester", "a test")
        assert not open_batches(runtime.log, "p", None)
    finish_backfills(world)
    earlier_are_loaded(world)


def earlier_are_loaded(world: MemoryWorld) -> None:
    """Each of the six earlier records is once in its table, or a dead letter."""
    assert [offset for offset in offsets(world, "ns.t1") if offset < 7] == [1, 4, 5, 6]
    assert offsets(world, "ns.t3") == [0, 3]
    assert offsets(world, world.dead_letters) + offsets(world, FORMER[world.dead_letters]) == [2]


def test_a_table_that_rules_made_takes_no_requests() -> None:
    world = earlier_records()
    world.dead_letters = "ns.t1"
    with world.open() as runtime, pytest.raises(ConfigFaults, match=r"names ns\.t1, but rules made this table"):
        runtime.backfills.preview(EARLIER)


def test_a_table_lacks_what_it_has_by_no_dead_letter_table() -> None:
    def marked(end: int, through_ms: int | None, **behind: tuple[int, int]) -> Marked:
        lack = {table: (OffsetRange(X, *ends),) for table, ends in behind.items()}
        return Marked(Coverage().adding([Books(OffsetRange(X, 0, end), 0, 0)], {X: 0}, 0), lack, through_ms)

    nothing = Marked(None, {})
    one, other = marked(6, 60, a=(2, 4), b=(3, 6)), marked(10, None, a=(3, 8))
    assert nothing.joined([one]) == one.joined([nothing]) == one
    # It has all that the other one has: what this says of tables is newer.
    assert other.joined([one]) == other
    assert one.joined([other]) == other
    # Neither has all of the other.
    beside = Marked(Coverage().adding([Books(OffsetRange(X, 4, 10), 0, 0)], {X: 4}, 0), {"a": (OffsetRange(X, 5, 8),)})
    both = one.joined([beside])
    assert both.mark is not None
    assert both.mark.ranges == [OffsetRange(X, 0, 10)]
    # What the other one does not have of it, a table lacks.
    assert both.behind == {"a": (OffsetRange(X, 2, 4), OffsetRange(X, 6, 8)), "b": (OffsetRange(X, 3, 4),)}
    assert both.through_ms == 60
    assert both.joined([one]) == both
