"""Where a table goes back to, the ledger it then has, and what the log makes of that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.coverage import booked
from lakelock.errors import RollbackRefused
from lakelock.ingest.outcome import followed
from lakelock.ingest.reconcile_decision import follow, lacking, reread
from lakelock.ingest.replan_decision import batches, cut, redo_batches
from lakelock.model.batches import NO_TABLE, covered_range, covered_source
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage, Totals
from lakelock.model.joint_coverage import joined
from lakelock.model.ledger import Ledger, Mode, Rollback
from lakelock.model.log_state import Following, PartNote, PartState, Redo, Stand
from lakelock.model.offsets import OffsetRange, Source
from lakelock.model.registry import RegisteredConfig, RegisteredTable, Registry
from lakelock.model.versions import PastVersion
from lakelock.recovery.rebuild_decision import rebuilt
from lakelock.rollback.decision import check_others, choose, rolled_back, taken_out
from lakelock.rollback.rollback import ApprovedRollback, RollbackPlan

A, B = Source("t", "id", 0), Source("t", "id", 1)


def takes_all(table: str, topic: str) -> bool:
    return True


def anything(source: Source) -> bool:
    return True


def nothing(source: Source) -> bool:
    return False


HISTORY = [
    PastVersion(50, 5_000, "p", has_data=True),
    PastVersion(40, 4_000, None),
    PastVersion(30, 3_000, "p", has_data=True),
    PastVersion(20, 2_000, "q", has_data=True),
    PastVersion(10, 1_000, "p"),
]


def record(mode: Mode) -> Rollback:
    return Rollback(50, 30, mode, "somebody", "because")


def ledger(coverage: Coverage, generation: int = 0, rollback: Rollback | None = None) -> Ledger:
    return Ledger("inst", "p", "c", generation, "cfg", coverage, rollback)


@pytest.mark.parametrize(
    ("to", "snapshot_id"),
    [("30", 30), ("last:1", 40), ("last:2", 20), ("1970-01-01T00:00:04.5Z", 40), ("1970-01-01T01:00:03+01:00", 30)],
)
def test_a_snapshot_is_named_by_id_count_or_time(to: str, snapshot_id: int) -> None:
    assert choose(to, HISTORY, "p", "n.t").id == snapshot_id


def test_commits_of_another_pipeline_do_not_go_along() -> None:
    assert check_others(HISTORY[2], HISTORY, "p", "n.t") == 1
    with pytest.raises(RollbackRefused, match="pipeline 'q' follow snapshot 10"):
        check_others(HISTORY[4], HISTORY, "p", "n.t")


def test_the_ledger_after_is_the_targets_under_the_next_generation() -> None:
    head = Coverage().adding(booked(OffsetRange(A, 0, 30)), {}, 0).adding(booked(OffsetRange(B, 5, 9)), {}, 0)
    at = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    after = rolled_back(ledger(head, 4), ledger(at, 2), record(Mode.REPLAY), "new")
    assert (after.generation, after.commit_id, after.rollback) == (5, "new", record(Mode.REPLAY))
    assert after.coverage == Coverage({**at, B: SourceCoverage(5)})
    assert taken_out(head, after.coverage) == (OffsetRange(A, 10, 30), OffsetRange(B, 5, 9))


def test_what_is_skipped_is_covered_and_counts_no_record() -> None:
    head = Coverage().adding(booked(OffsetRange(A, 0, 30)), {}, 0)
    at = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    after = rolled_back(ledger(head), ledger(at), record(Mode.SKIP), "new").coverage[A]
    assert after.intervals == (Interval(0, 10), Interval(10, 30, 1, Kind.SKIPPED))
    assert after.totals == Totals(written=10)


def test_what_was_skipped_once_stays_skipped_when_the_table_goes_back_before_it() -> None:
    skipped = SourceCoverage(0, (Interval(0, 10), Interval(10, 20, 1, Kind.SKIPPED), Interval(20, 30, 1)))
    at = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    after = rolled_back(ledger(Coverage({A: skipped}), 1), ledger(at), record(Mode.REPLAY), "new")
    assert after.coverage[A].intervals == (Interval(0, 10), Interval(10, 20, 2, Kind.SKIPPED))


@pytest.mark.parametrize(
    ("mode", "known", "restage", "abort", "redo"),
    [
        (Mode.RECOMMIT, 0, (2, 3), (), ()),
        (Mode.REPLAY, 0, (), (2, 3), (OffsetRange(A, 10, 30),)),
        # More than one generation behind: nothing is known of the files any more.
        (Mode.RECOMMIT, -1, (), (2, 3), (OffsetRange(A, 10, 30),)),
    ],
)
def test_parts_land_again_or_are_read_again(
    mode: Mode, known: int, restage: tuple[int, ...], abort: tuple[int, ...], redo: tuple[OffsetRange, ...]
) -> None:
    parts = [
        PartNote(1, PartState.COMMITTED, (OffsetRange(A, 0, 10),)),
        PartNote(2, PartState.COMMITTED, (OffsetRange(A, 10, 20),)),
        PartNote(3, PartState.STAGED, (OffsetRange(A, 20, 30),)),
        PartNote(4, PartState.PLANNED, (OffsetRange(A, 30, 40),)),
    ]
    after = ledger(Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0), 1, record(mode))
    found = follow(parts, after, known, {A: 0}, {A: 40}, anything)
    assert (found.mark, found.restage, found.abort, found.redo) == ((), restage, abort, redo)


def test_a_routed_table_is_read_again_under_the_configurations_that_routed_it() -> None:
    registry = Registry(
        {"n.t": RegisteredTable("n.t", "uuid")},
        (RegisteredConfig("old", {"rules": 1}, {A: 10}), RegisteredConfig("new", {"rules": 2}, {A: 20, B: 0})),
    )
    redo = Redo({"rules": 3}, "today", 100, Coverage(), str, takes_all, registry)
    found = redo_batches([OffsetRange(A, 5, 30), OffsetRange(B, 0, 5)], redo, "n.t")
    assert [(redo.config_at("n.t", batch)[1], batch) for batch in found] == [
        ("today", [OffsetRange(A, 5, 10)]),
        ("old", [OffsetRange(A, 10, 20)]),
        ("new", [OffsetRange(A, 20, 30), OffsetRange(B, 0, 5)]),
    ]
    assert redo.config_at("n.t", found[1]) == ({"rules": 1}, "old")
    # A table that the file names has the settings of today.
    assert redo_batches([OffsetRange(A, 5, 30)], redo, "n.other") == [[OffsetRange(A, 5, 30)]]
    assert redo.config_at("n.other", [OffsetRange(A, 5, 30)]) == ({"rules": 3}, "today")


def test_re_reads_are_cut_where_dead_letters_without_a_table_begin_or_end() -> None:
    letters = Coverage().adding(booked(covered_range(OffsetRange(A, 10, 20), NO_TABLE)), {}, 0)
    assert cut([OffsetRange(A, 5, 15)], letters, "n.t") == [OffsetRange(A, 5, 10), OffsetRange(A, 10, 15)]


def test_what_was_not_in_the_table_when_it_was_skipped_lands() -> None:
    parts = [
        PartNote(2, PartState.COMMITTED, (OffsetRange(A, 10, 20),)),
        PartNote(3, PartState.STAGED, (OffsetRange(A, 20, 30),)),
    ]
    head = Coverage().adding(booked(OffsetRange(A, 0, 20)), {}, 0)
    at = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    after = rolled_back(ledger(head), ledger(at), record(Mode.SKIP), "new")
    found = follow(parts, after, 0, {A: 0}, {A: 30}, anything)
    # What was left out is in no part: a backfill may ask for it, and reads it again.
    assert (found.restage, found.abort, found.redo) == ((3,), (2,), ())


ranges = st.lists(
    st.tuples(st.sampled_from([A, B]), st.integers(0, 8), st.integers(1, 4)).map(
        lambda t: OffsetRange(t[0], t[1] * 10, t[1] * 10 + t[2])
    ),
    max_size=8,
    unique_by=lambda r: (r.source, r.start),
)


@given(ranges, st.integers(1, 6))
def test_batches_hold_every_offset_once_in_order_and_bounded(wanted: list[OffsetRange], limit: int) -> None:
    found = batches(wanted, limit)
    offsets = [(r.source, o) for batch in found for r in batch for o in range(r.start, r.end)]
    assert sorted(offsets) == sorted((r.source, o) for r in wanted for o in range(r.start, r.end))
    for batch in found:
        assert sum(r.offsets for r in batch) <= limit
        assert len({r.source for r in batch}) == len(batch)
    for source in (A, B):
        of_source = [o for s, o in offsets if s == source]
        assert of_source == sorted(of_source)


def landed(some: list[OffsetRange], gaps: Iterable[OffsetRange] = ()) -> Coverage:
    out = Coverage()
    for r in some:
        if not out.touches(r):
            out = out.adding(booked(r), {}, 0)
    for r in gaps:
        covered = out.get(r.source) or SourceCoverage(0)
        for start, end in covered.missing(r.start, r.end):
            covered = covered.with_interval(Interval(start, end, 1, Kind.SKIPPED))
        out = Coverage({**out, r.source: covered})
    return out


@given(ranges, ranges)
def test_no_cut_range_is_settled_in_part(wanted: list[OffsetRange], settled: list[OffsetRange]) -> None:
    dead_letters = landed([covered_range(r, "n.t") for r in settled])
    pieces = cut(wanted, dead_letters, "n.t")
    assert sorted((p.source, o) for p in pieces for o in range(p.start, p.end)) == sorted(
        (r.source, o) for r in wanted for o in range(r.start, r.end)
    )
    for p in pieces:
        named = covered_range(p, "n.t")
        assert dead_letters.contains(named) or not dead_letters.touches(named)


def test_what_two_dead_letter_tables_lost_is_not_one_piece() -> None:
    """The table of today has one of them only: dead letters of both would be in it in part, for ever."""
    one, other = (landed([], [covered_range(OffsetRange(A, a, b), "n.t")]) for a, b in ((0, 3), (3, 6)))
    assert cut([OffsetRange(A, 0, 5)], joined([one, other]), "n.t") == [
        OffsetRange(A, 0, 3),
        OffsetRange(A, 3, 5),
    ]


def test_ranges_whose_dead_letters_are_lost_are_read_again_apart() -> None:
    wanted = [OffsetRange(A, 0, 10), OffsetRange(B, 0, 10)]
    covered = SourceCoverage(0, (Interval(0, 4, 1, Kind.ACCEPTED_LOSS), Interval(6, 8, 1)))
    redo = Redo({}, "digest", 100, Coverage({covered_source(A, "n.t"): covered}), str, takes_all)
    found = redo_batches(wanted, redo, "n.t")
    apart = [batch for batch in found if OffsetRange(A, 0, 4) in batch]
    assert apart == [[OffsetRange(A, 0, 4)]]
    assert sum(r.offsets for batch in found for r in batch) == 20


def test_a_log_is_reported_by_the_furthest_table_and_the_others_catch_up() -> None:
    far = Coverage().adding(booked(OffsetRange(A, 3, 30)), {A: 3}, 0)
    near = Coverage().adding(booked(OffsetRange(A, 10, 20)), {A: 10}, 0).starting({B: 7})
    dead_letters = Coverage().adding(booked(covered_range(OffsetRange(A, 30, 35), "far")), {}, 0)
    found = rebuilt(
        [Stand("far", "u1", ledger(far)), Stand("near", "u2", ledger(near)), Stand("d", "u3", ledger(dead_letters))],
        takes_all,
    )
    assert [(s.source, s.start_offset, s.next_offset) for s in found.streams] == [(A, 3, 35), (B, 7, 7)]
    assert found.redo == {"far": (OffsetRange(A, 30, 35),), "near": (OffsetRange(A, 20, 35),)}
    assert not found.nowhere


def test_what_the_file_gives_to_no_table_that_lacks_it_is_nowhere() -> None:
    far = Coverage().adding(booked(OffsetRange(A, 30, 40)), {A: 30}, 0)
    near = Coverage().adding(booked(OffsetRange(A, 10, 20)), {A: 10}, 0)
    stands = [Stand("far", "u1", ledger(far)), Stand("near", "u2", ledger(near))]
    assert rebuilt(stands, lambda table, topic: table == "far").nowhere == (OffsetRange(A, 20, 30),)
    assert not rebuilt(stands, takes_all).nowhere


def test_what_landed_after_a_person_looked_is_not_skipped_but_lands_again() -> None:
    shown = Coverage().adding(booked(OffsetRange(A, 0, 30)), {}, 0)
    head = shown.adding(booked(OffsetRange(A, 30, 40)), {}, 0)
    at = Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0)
    after = rolled_back(ledger(head), ledger(at), record(Mode.SKIP), "new", shown=shown)
    assert after.coverage[A].intervals == (Interval(0, 10), Interval(10, 30, 1, Kind.SKIPPED))
    part = PartNote(4, PartState.COMMITTED, (OffsetRange(A, 30, 40),))
    assert follow([part], after, 0, {A: 0}, {A: 40}, anything).restage == (4,)


def test_what_the_file_no_longer_gives_to_a_table_is_left_to_a_person() -> None:
    parts = [
        PartNote(2, PartState.COMMITTED, (OffsetRange(A, 10, 20),)),
        PartNote(3, PartState.COMMITTED, (OffsetRange(A, 20, 30),)),
    ]
    after = ledger(Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0), 1, record(Mode.REPLAY))
    found = follow(parts, after, 0, {A: 0}, {A: 90}, nothing)
    assert (found.redo, found.left) == ((), (OffsetRange(A, 10, 20), OffsetRange(A, 20, 30)))
    kept = follow(parts, replace(after, rollback=record(Mode.RECOMMIT)), 0, {A: 0}, {A: 90}, nothing)
    assert (kept.restage, kept.left) == ((2, 3), ())


def test_staged_dead_letters_are_kept_whatever_else_is_given_up() -> None:
    dead_letters = covered_range(OffsetRange(A, 0, 10), "n.t")
    part = PartNote(1, PartState.STAGED, (dead_letters,))
    found = follow([part], ledger(Coverage(), 9), 0, {}, {}, anything)
    assert (found.restage, found.abort) == ((1,), ())


def test_what_must_be_read_again_is_what_the_rollback_itself_makes_necessary() -> None:
    parts = [
        PartNote(2, PartState.COMMITTED, (OffsetRange(A, 10, 20),), "old"),
        PartNote(3, PartState.COMMITTED, (OffsetRange(A, 20, 30),), "new"),
    ]
    after = ledger(Coverage().adding(booked(OffsetRange(A, 0, 10)), {}, 0), 1, record(Mode.RECOMMIT))
    then = follow(parts, after, 0, {A: 0}, {A: 40}, anything)
    assert (then.restage, then.redo) == ((2, 3), (OffsetRange(A, 30, 40),))
    # [30, 40) was lacking before; the files of part 2 are of a layout that no longer fits.
    lacked = [OffsetRange(A, 30, 40)]
    assert reread(then, parts, {"old"}, (), lacked) == [OffsetRange(A, 10, 20)]
    assert reread(then, parts, {"old"}, {3}, lacked) == [OffsetRange(A, 10, 20), OffsetRange(A, 20, 30)]


def test_a_table_lacks_what_its_own_ledger_begins_with() -> None:
    """The log knows a later start of a table that was out of the file for a while."""
    covered = Coverage({A: SourceCoverage(5, (Interval(5, 10),))})
    assert lacking(covered, (), {A: 20}, {A: 30}, anything) == [OffsetRange(A, 10, 30)]


def test_a_person_reads_the_fewest_ranges_and_what_can_bring_them_back() -> None:
    ranges = tuple(OffsetRange(source, n, n + 1) for n in range(9) for source in (A, B))
    to, then = PastVersion(7, 0), Following(restage=(1,))
    plan = RollbackPlan("n.t", ApprovedRollback(0, 8), to, Mode.SKIP, 1, 0, 1, ranges, then, (), ())
    _, gone, mode, landing = plan.lines
    assert gone == "removes 1 commit of this pipeline: 1 row, 18 offsets: t-0 [0, 9), t-1 [0, 9)"
    assert mode.startswith("then: left out until a backfill requests them, and recorded as skipped")
    assert landing.startswith("batches to commit again: 1, staged ones included;")


@pytest.mark.parametrize(
    ("mode", "done", "line"),
    [
        (Mode.SKIP, Following(abort=(1, 2, 3)), "the records of 3 batches are skipped, 0 offsets will be read"),
        (
            Mode.SKIP,
            Following(abort=(1,), redo=(OffsetRange(A, 0, 5),)),
            "the records of 1 batch are skipped, or read again, 5 offsets will be read",
        ),
        (
            Mode.REPLAY,
            Following(abort=(1, 2), redo=(OffsetRange(A, 0, 5),)),
            "the records of 2 batches are read again, 5 offsets will be read",
        ),
        (Mode.RECOMMIT, Following(restage=(1, 2)), "(or read again if files are gone or no longer fit), 0 offsets"),
    ],
)
def test_the_log_line_of_a_rollback_says_what_becomes_of_the_records(mode: Mode, done: Following, line: str) -> None:
    said = followed(ledger(Coverage(), 2, record(mode)), done)
    assert said.startswith(f"rolled back to generation 2: {len(done.restage)} batches will be committed again")
    assert line in said
    assert "given up" not in said
