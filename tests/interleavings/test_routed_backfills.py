"""Backfills of all routed tables, in memory: what each table gets of earlier records, and when they are complete."""

from __future__ import annotations

from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_world import DEAD_LETTERS, MemoryWorld, killed_at
from kits.recoveries import recover
from kits.routed_backfills import (
    EARLIER,
    OTHER_RULES,
    complete,
    earlier_records,
    finish_backfills,
    mark_later,
    request_earlier,
    write_backfills,
)
from kits.routed_worlds import ONE, RULES, THREE, TWO, X, check, commit, cycle, ledger_of, offsets, registry_of, send
from lakelock.backfill.backfill_batches import open_batches
from lakelock.errors import BackfillUnfinished, TableUnfit
from lakelock.gaps.gap_preview import Which
from lakelock.model.batches import LIVE, NO_TABLE
from lakelock.model.coverage import Coverage, Kind
from lakelock.model.offsets import OffsetRange, offsets_in
from lakelock.model.operator_log import What
from lakelock.model.registry import PlannedConfig
from lakelock.model.registry_text import decode, encode

FOUR = "ns.t4"


@pytest.fixture
def world() -> MemoryWorld:
    return earlier_records()


def test_earlier_records_fan_out_and_make_tables(world: MemoryWorld) -> None:
    with world.open() as runtime:
        planned = runtime.backfills.preview(EARLIER)
        assert planned.lines[1] == "the routed tables: 6 offsets: x-0 [0, 6) will be requested, and read from Kafka"
        request_earlier(runtime)
        assert [b.ranges[0].range.offsets for b in open_batches(runtime.log, "p", None)] == [2, 2, 2]
        assert runtime.backfills.waiting().lines == ["the routed tables: x-0 [0, 6) is requested"]
        # A second request of the same adds nothing.
        request_earlier(runtime)
        assert len(open_batches(runtime.log, "p", None)) == 3
        write_backfills(runtime)
        commit(runtime)
        runtime.backfills.check(planned)
        assert runtime.backfills.preview(EARLIER).nothing
    complete(world)
    said = [d for d in ledger_of(world).decisions if d.what is What.BACKFILL]
    assert [d.ranges for d in said] == [(OffsetRange(X, 0, 6),)]
    # What the backfill made begins at the start of all: it claims no earlier offset that it did not get.
    covered = ledger_of(world, THREE).coverage[X]
    assert (covered.start_offset, covered.prefix_end) == (6, 8)
    assert [(i.start, i.end) for i in covered.intervals] == [(0, 4), (6, 8)]


def test_a_table_that_appears_later_claims_nothing_of_it(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
    finish_backfills(world)
    send(world, 4)
    with world.open() as runtime:
        cycle(runtime)
    covered = ledger_of(world, FOUR).coverage[X]
    assert covered.intervals[0].start == 6
    check(world, dead=1)


def test_live_tables_do_not_wait_for_a_backfill(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime, 2)
        send(world, 2, 1, 2)
        cycle(runtime)
    assert offsets(world, TWO)[-1] == 10
    assert ledger_of(world).mark[X].prefix_end == 11  # type: ignore[index]
    finish_backfills(world)
    check(world, dead=1)


def test_rows_wait_for_the_dead_letters_without_a_table_of_their_batch(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime)
        log = runtime.log
        of_letters = [p for p in log.staged("p", DEAD_LETTERS) if p.result.target == NO_TABLE]
        assert [p.ranges[0].start for p in of_letters] == [2]
        evidence = log.evidence("p", THREE)
        assert evidence is not None
        assert evidence.lacks_letters
        assert evidence.undecided([OffsetRange(X, 0, 2), OffsetRange(X, 2, 4)]) == [OffsetRange(X, 2, 4)]
        with killed_at(runtime.tables, "commit"):
            runtime.commit([THREE], now=True)
    assert offsets(world, THREE) == []
    finish_backfills(world)
    complete(world)


def test_the_rules_at_the_time_of_the_request_decide(world: MemoryWorld) -> None:
    world.settings["route"] = OTHER_RULES
    with world.open() as runtime:
        request_earlier(runtime)
    world.settings["route"] = RULES
    finish_backfills(world)
    assert offsets(world, "ns.other") == [0, 1, 2, 3, 4, 5]
    assert offsets(world, ONE) == [6]
    pieces = registry_of(world).pieces(OffsetRange(X, 0, 8))
    assert [p.range for p in pieces] == [OffsetRange(X, 0, 6), OffsetRange(X, 6, 8)]
    assert pieces[0].digest != pieces[1].digest


def test_configurations_of_backfills_stay_apart(world: MemoryWorld) -> None:
    registry = registry_of(world)
    (began,) = registry.configs
    asked = PlannedConfig("other", {}, (OffsetRange(X, 0, 6),))
    with_backfill = registry.backfilling(asked)
    assert with_backfill.with_configs([asked, asked._replace(digest="third")]) == with_backfill
    assert decode(encode(with_backfill)) == with_backfill
    assert with_backfill.joined([registry]) == with_backfill
    assert registry.joined([with_backfill]) == with_backfill
    assert with_backfill.config_of(OffsetRange(X, 6, 8)) == began.digest
    with pytest.raises(ValueError, match="once"):
        with_backfill.backfilling(asked)


def test_a_request_that_was_not_planned_is_planned_by_the_next_run(world: MemoryWorld) -> None:
    with world.open() as runtime:
        planned = runtime.backfills.preview(EARLIER)
        with killed_at(runtime.log, "fill_requested"):
            runtime.backfills.request(planned, "tester", "a test")
        assert not open_batches(runtime.log, "p", None)
    assert registry_of(world).backfilled == [OffsetRange(X, 0, 6)]
    with world.open() as runtime, pytest.raises(BackfillUnfinished, match="the routed tables: 6 offsets"):
        runtime.backfills.check(planned)
    finish_backfills(world)
    complete(world)


def test_a_table_that_is_retired_gets_nothing_of_it(world: MemoryWorld) -> None:
    with world.open() as runtime:
        runtime.retiring.retire(ONE, "tester", "a test", runtime.retiring.preview(ONE).shown)
        request_earlier(runtime)
    finish_backfills(world)
    assert offsets(world, ONE) == [6]
    assert len(world.rows(DEAD_LETTERS)) == 4
    retirement = registry_of(world).tables[ONE].retirement
    assert retirement.has([OffsetRange(X, 0, 2)])
    assert not retirement.has([OffsetRange(X, 6, 7)])
    lose_log(world)
    recover(world, take_over=True)
    finish_backfills(world)
    assert len(world.rows(DEAD_LETTERS)) == 4


def test_what_kafka_dropped_is_accepted_as_lost(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        world.kafka.low[X] = 3
        which = Which(What.ACCEPT_LOSS)
        runtime.decisions.decide(which, "tester", "a test", runtime.decisions.preview(which).shown)
    finish_backfills(world)
    mark = ledger_of(world).mark
    assert mark is not None
    assert list(mark.gaps) == [(OffsetRange(X, 0, 3), Kind.ACCEPTED_LOSS)]
    assert (offsets(world, ONE), offsets(world, THREE)) == ([4, 5, 6], [3])
    with world.open() as runtime:
        assert runtime.backfills.preview(EARLIER).nothing


def test_folding_keeps_what_the_mark_does_not_have(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        write_backfills(runtime, 2)
        commit(runtime)
        runtime.log.coalesce("p", 0)
        write_backfills(runtime)
        commit(runtime)
        runtime.log.coalesce("p", 0)
        assert offsets_in(runtime.log.routed_progress("p").backfilled) == 6
        mark_later(runtime)
        runtime.log.coalesce("p", 0)
        assert not runtime.log.routed_progress("p").backfilled
    finish_backfills(world)
    complete(world)


def test_a_table_with_these_records_of_another_pipeline_waits(world: MemoryWorld) -> None:
    with world.open() as runtime:
        request_earlier(runtime)
        others = runtime.tables.others

        def with_theirs(state: Any) -> Any:
            theirs = Coverage().requesting([OffsetRange(X, 0, 6)], {X: 6})
            return {**others(state), "q": theirs}

        runtime.tables.others = with_theirs
        with pytest.raises(TableUnfit, match="a second time"):
            write_backfills(runtime)


def test_the_start_of_a_pipeline_bounds_a_backfill(world: MemoryWorld) -> None:
    with world.open() as runtime:
        assert {s.start_offset for s in runtime.log.streams("p", LIVE) if s.source == X} == {6}
        share = runtime.backfills.preview(EARLIER).routed
        assert share is not None
        assert share.requesting == (OffsetRange(X, 0, 6),)
