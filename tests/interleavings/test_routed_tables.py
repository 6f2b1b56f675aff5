"""Routed tables: offsets without a part, dead letters without a table, and rollbacks, with commits in any order."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest
from kits.memory_recoveries import lose_log
from kits.memory_routing import RoutedWorld, commit, ledger, write
from kits.memory_world import DEAD_LETTERS, killed_at
from kits.recoveries import recover
from kits.rollbacks import roll_back
from kits.routed_worlds import ONE, TWO, X
from lakelock.app.runtime import Runtime
from lakelock.errors import TableUnfit
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange


@pytest.fixture
def routed() -> RoutedWorld:
    return RoutedWorld()


def test_what_a_table_has_no_records_of_is_filled_by_its_next_part(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1, 2)
        commit(runtime, ONE, TWO)
        routed.written(runtime, 2, 2)
        routed.written(runtime, 2)
        assert commit(runtime, ONE)[-1].version_id is None, "nothing is committed for a fill alone"
        last = routed.written(runtime, 1)
        commit(runtime, ONE, TWO)
        assert ledger(runtime, ONE).coverage.ranges == [OffsetRange(X, 0, last.end)]
        assert [v.ranges for v in runtime.tables.own_since(runtime.tables.load(ONE), _first(runtime)) or ()] == [
            (last,)
        ]
    routed.whole()


def _first(runtime: Runtime) -> int:
    """The oldest version of the table that has a batch."""
    history = runtime.tables.history(runtime.tables.load(ONE))
    return [v.id for v in history if v.has_data][-1]


def test_dead_letters_without_a_table_are_committed_before_what_covers_them(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 0, 1)
        routed.written(runtime, 0, 2)
        routed.written(runtime, 1)
        done = commit(runtime, ONE)
        assert [o.table for o in done if o.version_id is not None] == [DEAD_LETTERS, ONE]
        assert ledger(runtime, ONE).coverage.ranges == [OffsetRange(X, 0, 5)]
        commit(runtime, TWO)
    routed.whole()


def test_a_part_waits_while_the_dead_letter_table_cannot_be_committed(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1)
        routed.written(runtime, 0)
        routed.written(runtime, 1)
        staged = runtime.log.staged
        # As a commit that is drafted before the letters have landed.
        runtime.log.staged = lambda pipeline, table=None: [] if table == DEAD_LETTERS else staged(pipeline, table)
        commit(runtime, ONE)
        assert ledger(runtime, ONE).coverage.ranges == [OffsetRange(X, 0, 1)]
        runtime.log.staged = staged
        commit(runtime, ONE)
    routed.whole()


def test_a_batch_that_is_not_closed_stops_later_ones_and_is_no_hole(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1)
        commit(runtime, ONE)
        routed.send(2)
        runtime.plan()
        (first,) = runtime.log.planned("p")
        routed.send(1)
        # As a run that plans beside it.
        planned, runtime.log.planned = runtime.log.planned, lambda pipeline: []
        runtime.plan()
        runtime.log.planned = planned
        _, second = runtime.log.planned("p")
        runtime.write("a2", "test/2", second.batch_id)
        assert "comes first" in commit(runtime, ONE)[-1].line
        runtime.write("a1", "test/1", first.batch_id)
        commit(runtime, ONE, TWO)
    routed.whole()


def test_an_offset_that_no_open_part_has_and_that_is_owed_is_reported(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1)
        commit(runtime, ONE)
        state, found = runtime.tables.load(ONE), ledger(runtime, ONE)
        routed.written(runtime, 2)
        routed.written(runtime, 1)
        owing = replace(found, commit_id="c", coverage=found.coverage.owing([OffsetRange(X, 1, 2)]))
        runtime.tables.commit(state, runtime.context.change(owing))
        with pytest.raises(TableUnfit, match="no open batch holds these offsets"):
            commit(runtime, ONE)


def test_a_part_that_another_process_commits_after_it_was_read_is_not_filled(routed: RoutedWorld) -> None:
    with routed.open() as runtime, routed.open() as other:
        routed.written(runtime, 1)
        routed.written(runtime, 2)
        routed.written(runtime, 1)
        views = runtime.log.commit_views

        def reads(*of: Any) -> Any:
            runtime.log.commit_views = views
            found = views(*of)
            assert all(found[name].parts for name in (ONE, TWO))
            commit(other, ONE)
            return found

        runtime.log.commit_views = reads
        commit(runtime, ONE, TWO)
        routed.whole()
        routed.written(runtime, 2)
        routed.written(runtime, 1)
        commit(runtime, ONE, TWO)
        found = ledger(runtime, ONE).coverage
        assert (found.ranges, found[X].totals.written) == ([OffsetRange(X, 0, 5)], 3)
    routed.whole()


def test_re_reads_of_a_routed_table_are_routed_as_they_were(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1, 2)
        routed.written(runtime, 1)
        commit(runtime, ONE, TWO)
    # From here on, no record goes to this table.
    routed.settings = {"route": {"rules": [{"table": ["ns.u{to}"]}]}}
    with routed.open() as runtime:
        roll_back(runtime, ONE, "last:1", Mode.REPLAY)
        (batch,) = runtime.log.planned("p")
        assert batch.config["route"] != routed.settings["route"]
        write(runtime)
        commit(runtime, ONE)
    assert routed.rows(ONE) == [("x", 0, 0), ("x", 0, 2)]


def test_dead_letters_without_a_table_stay_when_their_offsets_are_read_again(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1, 0)
        routed.written(runtime, 1, 0, 1)
        commit(runtime, ONE)
        roll_back(runtime, ONE, "last:1", Mode.REPLAY)
        while runtime.log.planned("p"):
            write(runtime)
        commit(runtime, ONE)
    routed.whole()


def test_a_re_read_waits_for_dead_letters_without_a_table_and_is_split_where_they_have_landed_since(
    routed: RoutedWorld,
) -> None:
    with routed.open() as runtime:
        for to in ((1, 0), (1,)):
            routed.written(runtime, *to)
            commit(runtime, ONE)
        letters = routed.written(runtime, 1, 0)
        roll_back(runtime, ONE, "last:2", Mode.REPLAY)
        assert any(p.range.start < letters.start < p.range.end for b in runtime.log.planned("p") for p in b.ranges)
        for _ in range(8):
            for batch in runtime.log.planned("p"):
                runtime.write(str(uuid.uuid4()), "test/1", batch.batch_id)
            commit(runtime, ONE, DEAD_LETTERS)
        assert not runtime.log.planned("p")
    routed.whole()


def test_offsets_that_are_outstanding_when_the_log_is_lost_do_not_block_the_table(routed: RoutedWorld) -> None:
    """The lost batch is read again in other pieces, of which not all have records of the table."""
    with routed.open() as runtime:
        routed.written(runtime, 1, 2, 2, 1, 2)
        commit(runtime, ONE)
        history = runtime.tables.history(runtime.tables.load(ONE))
        roll_back(runtime, ONE, str(history[1].id), Mode.RECOMMIT)
        assert ledger(runtime, ONE).coverage.owed
    lose_log(routed)
    routed.settings = {**routed.settings, "batch": {"max_records": 1}}
    recover(routed, take_over=True)
    with routed.open() as runtime:
        routed.send(1)
        for _ in range(10):
            if runtime.plan().batch_id:
                write(runtime)
        commit(runtime, ONE, TWO)
        assert ledger(runtime, ONE).coverage.owed == []
        assert ledger(runtime, ONE).coverage[X].prefix_end == 6
    routed.whole()


def test_the_mark_may_move_until_the_dead_letter_table_is_fenced(routed: RoutedWorld) -> None:
    """A process of before the loss marks offsets that a table owes, because its log has not followed the rollback."""
    with routed.open() as before, routed.open() as operator:
        for _ in range(2):
            routed.written(before, 1, 2)
            commit(before, ONE, TWO)
            if not ledger(before, DEAD_LETTERS).mark:
                before.publish()
        with killed_at(operator.log, "follow"):
            roll_back(operator, ONE, "last:1", Mode.RECOMMIT)
        lose_log(routed)
        routed.now_s += 100
        with routed.open() as runtime:
            swap, marked = runtime.tables.commit, [False]

            def swapped(state: Any, change: Any) -> int:
                if state.name == DEAD_LETTERS and not marked[0]:
                    marked[0] = True
                    before.publish()
                return int(swap(state, change))

            runtime.tables.commit = swapped
            runtime.recovery("ann", take_over=True).recover()
            assert marked[0]
            mark = ledger(runtime, DEAD_LETTERS).mark
            assert mark is not None
            assert mark[X].prefix_end == 4
        with routed.open() as runtime:
            for _ in range(4):
                if runtime.plan().batch_id:
                    write(runtime)
            commit(runtime, ONE, TWO)
    routed.whole()
