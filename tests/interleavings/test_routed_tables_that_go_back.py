"""A routed table is rolled back: what it owes comes back, and what was filled stays."""

from __future__ import annotations

import pytest
from kits.memory_routing import RoutedWorld, commit, ledger, write
from kits.memory_world import DEAD_LETTERS, killed_at
from kits.rollbacks import roll_back
from kits.routed_worlds import ONE, TWO, X
from lakelock.app.runtime import Runtime
from lakelock.errors import RollbackRefused
from lakelock.model.ledger import Mode
from lakelock.model.offsets import OffsetRange


@pytest.fixture
def routed() -> RoutedWorld:
    return RoutedWorld()


@pytest.mark.parametrize("mode", [Mode.RECOMMIT, Mode.REPLAY])
def test_a_table_that_went_back_gets_its_records_again_and_keeps_what_was_filled(
    routed: RoutedWorld, mode: Mode
) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1, 2)
        commit(runtime, ONE, TWO)
        routed.written(runtime, 2, 2)
        gone = routed.written(runtime, 1)
        routed.written(runtime, 2)
        commit(runtime, ONE, TWO)
        preview = runtime.rollbacks.preview(ONE, "last:1", mode)
        assert preview.ranges == (gone,)
        assert preview.kept == (OffsetRange(X, 2, 4), OffsetRange(X, 5, 6))
        assert any("keeps 3 offsets without records for the table" in line for line in preview.lines)
        roll_back(runtime, ONE, "last:1", mode)
        assert ledger(runtime, ONE).coverage.owed == [gone]
        assert routed.rows(ONE) == [("x", 0, 0)]
        # A part behind the gap waits: it is not filled.
        routed.written(runtime, 1) if mode is Mode.RECOMMIT else _write_all(routed, runtime, 1)
        commit(runtime, ONE, TWO)
        assert ledger(runtime, ONE).coverage.owed == []
        assert ledger(runtime, ONE).coverage.ranges[0].start == 0
    routed.whole()


def test_what_is_skipped_is_not_owed(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1)
        commit(runtime, ONE)
        gone = routed.written(runtime, 1)
        commit(runtime, ONE)
        roll_back(runtime, ONE, "last:1", Mode.SKIP)
        covered = ledger(runtime, ONE).coverage
        assert (covered.owed, [r for r, _ in covered.gaps]) == ([], [gone])
        routed.written(runtime, 1)
        commit(runtime, ONE)
    assert routed.rows(ONE) == [("x", 0, 0), ("x", 0, 2)]


def test_the_dead_letter_table_of_a_pipeline_with_routes_does_not_go_back(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1, 0)
        commit(runtime, ONE)
        with pytest.raises(RollbackRefused, match="holds the dead letters"):
            runtime.rollbacks.preview(DEAD_LETTERS, "last:1", Mode.RECOMMIT)


def test_a_rollback_of_a_commit_that_the_log_does_not_know_yet_is_owed_and_comes_back(routed: RoutedWorld) -> None:
    with routed.open() as runtime:
        routed.written(runtime, 1)
        commit(runtime, ONE)
        routed.written(runtime, 2)
        gone = routed.written(runtime, 1)
        with killed_at(runtime.log, "committed"):
            commit(runtime, ONE)
        roll_back(runtime, ONE, "last:1", Mode.RECOMMIT)
        assert ledger(runtime, ONE).coverage.owed == [gone]
        commit(runtime, ONE, TWO)
        assert ledger(runtime, ONE).coverage.owed == []
    routed.whole()


def _write_all(routed: RoutedWorld, runtime: Runtime, *to: int) -> None:
    routed.send(*to)
    for _ in range(3):
        if runtime.log.planned("p") or runtime.plan().batch_id:
            write(runtime)
