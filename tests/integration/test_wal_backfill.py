"""Lanes of a backfill in the write-ahead log: what is asked for stays in them, whatever becomes of its batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from kits.coverage import booked
from kits.wal import CONFIG, PIPELINE, TABLE, commit, ledger, one_staged, plan, redo, source, stage
from lakelock.adapters.wal import PostgresLog
from lakelock.model.batches import BACKFILL, LIVE, REDO, Batch
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.coverage_gaps import declaring
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import Recorded, Stand
from lakelock.model.offsets import OffsetRange
from lakelock.model.operator_log import Decided, What

UUID = "uuid-1"
S = source()


@pytest.fixture
def log(log_dsn: str) -> Iterator[PostgresLog]:
    """A table that begins at 10 and has all up to 20; what lies before was never read."""
    with PostgresLog(log_dsn) as log:
        log.plan(PIPELINE, LIVE, "00000000-0000-0000-0000-000000000001", CONFIG, "digest-1", (), {S: 10}, {TABLE: ()})
        stage(log, plan(log, (S, 10, 20)))
        log.bind(PIPELINE, TABLE, UUID)
        commit(log, [one_staged(log)])
        yield log


def requested(log: PostgresLog, generation: int = 0, mode: Mode | None = None) -> Ledger:
    """[0, 6) is asked for; after a rollback in *mode*, [10, 20) is not there either."""
    covered = Coverage().starting({S: 10})
    covered = covered if mode else covered.adding(booked(OffsetRange(S, 10, 20)), {}, generation)
    found = ledger(log, generation=generation)
    record = Rollback(12, 11, mode, "tester", "a test") if mode else None
    coverage = covered.requesting([OffsetRange(S, 0, 6)], {})
    return Ledger(found.installation_id, PIPELINE, "commit-2", generation, found.config_digest, coverage, record)


def said(r: OffsetRange) -> Decided:
    return Decided(What.BACKFILL, datetime(2026, 1, 1, tzinfo=UTC), "tester", "a test", "", (r,))


def lanes(log: PostgresLog) -> dict[str, list[OffsetRange]]:
    """By kind of lane."""
    out: dict[str, list[OffsetRange]] = {}
    for b in log.planned(PIPELINE):
        out.setdefault(b.lane.partition("-")[0], []).extend(p.range for p in b.ranges)
    return out


def backfill(log: PostgresLog) -> Batch:
    (found,) = [b for b in log.planned(PIPELINE) if b.lane.startswith(BACKFILL)]
    return found


def test_what_is_requested_is_planned_once_in_a_lane_of_its_own(log: PostgresLog) -> None:
    assert log.fill_requested(PIPELINE, TABLE, UUID, requested(log), redo()) == [OffsetRange(S, 0, 6)]
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 0, 6)]}
    assert log.fill_requested(PIPELINE, TABLE, UUID, requested(log), redo()) == []
    assert [s.next_offset for s in log.streams(PIPELINE, LIVE)] == [20]


def test_beside_what_a_rollback_makes_necessary_it_stays_apart(log: PostgresLog) -> None:
    log.follow(PIPELINE, TABLE, UUID, requested(log, 1, Mode.REPLAY), redo())
    assert lanes(log) == {REDO: [OffsetRange(S, 10, 20)], BACKFILL: [OffsetRange(S, 0, 6)]}


def test_a_rebuilt_log_has_it_apart_too(log: PostgresLog) -> None:
    log.give_up(PIPELINE, "tester", "recovery-1", None, lambda notes: None)
    log.rebuild(PIPELINE, [Stand(TABLE, UUID, requested(log, 3, Mode.REPLAY))], redo(), "recovery-1")
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 0, 6)]}, "the log knows no frontier but the table's"


def test_what_takes_the_place_of_its_part_is_a_backfills_too(log: PostgresLog) -> None:
    log.fill_requested(PIPELINE, TABLE, UUID, requested(log), redo())
    batch = backfill(log)
    stage(log, batch)
    log.plan_instead(PIPELINE, one_staged(log), "in the table in part", [OffsetRange(S, 2, 6)], redo())
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 2, 6)]}
    batch = backfill(log)
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    log.replan_unwritten(batch.batch_id, "attempt-2", TABLE, "why", redo())
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 2, 6)]}
    assert backfill(log).batch_id != batch.batch_id


def test_what_is_cut_around_a_loss_is_a_backfills_too(log: PostgresLog) -> None:
    log.fill_requested(PIPELINE, TABLE, UUID, requested(log), redo())
    lost = OffsetRange(S, 0, 2)
    recorded = requested(log)
    recorded = replace(recorded, coverage=declaring(recorded.coverage, [(lost, Kind.ACCEPTED_LOSS)], {}, 0))
    batch = backfill(log)
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    log.declare(PIPELINE, {TABLE: Recorded(UUID, recorded)}, [lost], redo(), "attempt-2", "accepted")
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 2, 6)]}


def test_what_had_landed_before_it_was_left_out_never_lands_again(log: PostgresLog) -> None:
    found = requested(log, 1, Mode.SKIP)
    left_out = Coverage({S: SourceCoverage(10, (Interval(10, 20, 1, Kind.SKIPPED),))})
    log.follow(PIPELINE, TABLE, UUID, replace(found, coverage=left_out), redo())
    assert log.notes(PIPELINE, TABLE) == []
    later = replace(
        found, coverage=left_out.requesting([OffsetRange(S, 10, 20)], {}), decisions=(said(OffsetRange(S, 10, 20)),)
    )
    assert log.fill_requested(PIPELINE, TABLE, UUID, later, redo()) == [OffsetRange(S, 10, 20)]
    assert lanes(log) == {BACKFILL: [OffsetRange(S, 10, 20)]}


def test_what_landed_or_was_given_up_meanwhile_is_not_planned(log: PostgresLog) -> None:
    before = requested(log)
    assert log.fill_requested(PIPELINE, TABLE, "another", before, redo()) == []
    log.fill_requested(PIPELINE, TABLE, UUID, before, redo())
    stage(log, backfill(log))
    part = one_staged(log)
    landed = replace(before, coverage=before.coverage.adding(booked(OffsetRange(S, 0, 6)), {}, 0))
    log.committed([part], 11, "c1", landed)
    assert log.fill_requested(PIPELINE, TABLE, UUID, before, redo()) == []
    assert log.ledgers(PIPELINE)[TABLE].coverage == landed.coverage
    assert log.fill_requested(PIPELINE, TABLE, UUID, requested(log, 1, Mode.SKIP), redo()) == []
    assert log.generations(PIPELINE)[TABLE] == 0, "what a rollback makes of the parts is still to be decided"


def test_what_an_older_release_left_marked_is_read_again(log: PostgresLog) -> None:
    covered = Coverage().starting({S: 10}).requesting([OffsetRange(S, 10, 20)], {})
    found = replace(requested(log), coverage=covered, decisions=(said(OffsetRange(S, 10, 20)),))
    assert log.fill_requested(PIPELINE, TABLE, UUID, found, redo()) == [OffsetRange(S, 10, 20)]
    assert [n.state.value for n in log.notes(PIPELINE, TABLE)] == ["planned"]


def test_its_lanes_go_with_its_batches(log: PostgresLog) -> None:
    log.fill_requested(PIPELINE, TABLE, UUID, requested(log), redo())
    batch = backfill(log)
    assert log.streams(PIPELINE, batch.lane)
    stage(log, batch)
    commit(log, [one_staged(log)])
    assert log.coalesce(PIPELINE, 0) > 0
    assert not log.streams(PIPELINE, batch.lane)
    assert log.streams(PIPELINE, LIVE)
