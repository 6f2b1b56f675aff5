"""What the page makes of values: what to look at, where an offset is, which files are small, what must be text in JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kits.views import batch, table
from lakelock.adapters.iceberg.page_snapshots import first_holding
from lakelock.adapters.wal.redrive import dead_letters_left
from lakelock.config import Pipeline
from lakelock.errors import Unreachable
from lakelock.model.coverage import Coverage, Interval, Kind, SourceCoverage
from lakelock.model.lag import positions, table_lag
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.overview import BatchView, Level, PipelineView, TableView, idle
from lakelock.model.table_files import FileView
from lakelock.monitor.file_sizes import MIB, sizes
from lakelock.monitor.offset_lookup import OffsetFate, OffsetStanding, about_batches, covered, incarnations, standing
from lakelock.monitor.status import SourceStatus
from lakelock.page.answers import not_known, tables_of
from lakelock.page.cache import Gate, SharedCache
from lakelock.page.json_values import answer

SOURCE, OTHER = Source("orders", "id-1", 0), Source("orders", "id-2", 0)


@pytest.mark.parametrize(
    ("view", "level", "about"),
    [
        (table(is_unsettled=True), Level.WARNING, "rollback was started"),
        (table(dead_letters=3), Level.NOTE, "3 dead letters in the last hour"),
        (table(dead_letters=1), Level.NOTE, "1 dead letter in the last hour"),
        (batch(run="ingest__p/r", silent_s=31.0), Level.WARNING, "no heartbeat for 31 s"),
        (batch(age_s=901.0), Level.WARNING, "no task writes it"),
        (batch(last_outcome="RouteLimit"), Level.STOPPED, "more routed tables than the pipeline file allows"),
        (batch(age_s=901.0, last_outcome="BatchChanged"), Level.WARNING, "no task writes it"),
        (PipelineView("p", 1, 1, None, "root", (), ()), Level.STOPPED, "root started to recover"),
    ],
)
def test_what_needs_attention(view: TableView | BatchView | PipelineView, level: Level, about: str) -> None:
    (note,) = view.notes
    assert note.level is level
    assert about in note.text


@pytest.mark.parametrize(
    "view",
    [
        table(),
        batch(run="ingest__p/r", silent_s=29.0),
        batch(age_s=899.0),
        # A later try may succeed without a fix, or is being made, or has been.
        *(batch(last_outcome=kind) for kind in ("Unreachable", "Fenced", "JobCancelled", "put off", "OfALaterRelease")),
        batch(run="ingest__p/r", silent_s=1.0, last_outcome="RouteLimit"),
        batch(planned_parts=0, staged_parts=1, last_outcome="RouteLimit"),
        # Staged: no attempt works on it any longer.
        batch(planned_parts=0, staged_parts=1, age_s=10_000.0, run="ingest__p/r", silent_s=10_000.0),
    ],
)
def test_what_goes_well_is_not_reported(view: TableView | BatchView) -> None:
    assert view.notes == ()


OLD = {"age_s": 10_000.0}


@pytest.mark.parametrize(
    ("batches", "staged_s", "reported"),
    [
        (
            [batch(lane=f"backfill-{n}", **OLD) for n in range(3)],
            {},
            ["3 batches of backfills: planned, but no task writes them"],
        ),
        ([batch(lane="redo-1", **OLD)], {}, ["1 batch to be read again: planned, but no task writes it"]),
        (
            [batch(lane="redo-1", **OLD), batch(lane="backfill-1", **OLD)],
            {},
            ["1 batch of backfills", "1 batch to be read again"],
        ),
        ([batch(lane="backfill-1", **OLD)], {"redo": 1.0}, ["1 batch of backfills"]),
        # One of them is written, was staged just now, or is as young: the others wait their turn.
        ([batch(lane="backfill-0", run="r", silent_s=1.0), *[batch(lane="backfill-1", **OLD)] * 500], {}, []),
        ([batch(lane="backfill-1", **OLD)], {"backfill": 60.0}, []),
        ([batch(lane="backfill-1", age_s=899.0)], {}, []),
        # A run of the tail writes what is read again after what it has in hand.
        ([batch(run="r", silent_s=1.0), batch(lane="redo-1", **OLD)], {}, []),
        # A run of the tail writes no backfill.
        ([batch(run="r", silent_s=1.0), batch(lane="backfill-1", **OLD)], {}, ["1 batch of backfills"]),
        ([batch(lane="redo-1", planned_parts=0, staged_parts=1, **OLD)], {}, []),
    ],
)
def test_what_waits_its_turn_is_no_warning_and_what_nobody_goes_on_with_is_one(
    batches: list[BatchView], staged_s: dict[str, float], reported: list[str]
) -> None:
    view = PipelineView("p", 1, 1, None, None, (), tuple(batches), idle(batches, staged_s))
    assert [note.level for note in view.notes] == [Level.WARNING] * len(reported)
    assert all(note.text.startswith(start) for note, start in zip(view.notes, reported, strict=True))


def test_a_dead_letter_that_became_a_row_is_not_counted() -> None:
    where = [OffsetRange(SOURCE, 0, 100), OffsetRange(OTHER, 0, 100)]
    redriven = [OffsetRange(SOURCE, 10, 12), OffsetRange(SOURCE, 99, 103), OffsetRange(OTHER, 200, 300)]
    assert dead_letters_left(5, where, redriven) == 2
    assert dead_letters_left(5, [], redriven) == 5
    assert dead_letters_left(1, where, redriven) == 0


@pytest.mark.parametrize(
    ("view", "state"),
    [
        (batch(), "planned"),
        (batch(run="r", silent_s=0.0), "writing"),
        (batch(planned_parts=0, staged_parts=2), "staged"),
    ],
)
def test_the_state_of_a_batch(view: BatchView, state: str) -> None:
    assert view.state == state


COVERAGE = Coverage(
    {
        SOURCE: SourceCoverage(
            10,
            (
                Interval(10, 20),
                Interval(20, 30, 1, Kind.SKIPPED),
                Interval(30, 40, 0, Kind.ACCEPTED_LOSS),
                Interval(50, FOREVER, 0, Kind.RETIRED),
            ),
        ),
        OTHER: SourceCoverage(0, (Interval(0, 5),)),
        Source("orders", "id-1", 1): SourceCoverage(0),
    }
)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        (9, OffsetStanding.BEFORE_START),
        (10, OffsetStanding.COVERED),
        (19, OffsetStanding.COVERED),
        (20, OffsetStanding.SKIPPED),
        (39, OffsetStanding.ACCEPTED_LOSS),
        (40, OffsetStanding.NOT_YET),
        (50, OffsetStanding.RETIRED),
    ],
)
def test_what_a_ledger_says_of_an_offset(offset: int, expected: OffsetStanding) -> None:
    assert standing(COVERAGE, SOURCE, offset) is expected


def test_a_topic_that_was_created_again_has_two_answers() -> None:
    assert incarnations(COVERAGE, "orders", 0) == [SOURCE, OTHER]
    assert incarnations(COVERAGE, "orders", 2) == []


@pytest.mark.parametrize(
    ("rows", "dead", "became"),
    [
        (1, 0, OffsetFate.ROW),
        (0, 1, OffsetFate.DEAD_LETTER),
        (0, 0, OffsetFate.NO_RECORD),
        (None, 0, OffsetFate.UNKNOWN),
        (0, None, OffsetFate.UNKNOWN),
        (None, 1, OffsetFate.DEAD_LETTER),
    ],
)
def test_what_became_of_an_offset_that_was_taken_in(rows: int | None, dead: int | None, became: OffsetFate) -> None:
    assert covered(rows, dead) is became
    assert covered(rows, dead, redriven=True) is OffsetFate.REDRIVEN


def test_batches_that_did_not_write_the_row_of_an_offset_say_so() -> None:
    assert about_batches([None, OffsetFate.ROW], changed=False) is None
    assert (about_batches([OffsetFate.ROW], changed=True) or "").endswith("Its current row comes from a replace:")
    for changed in (False, True):
        said = about_batches([OffsetFate.ROW, OffsetFate.REDRIVEN], changed=changed)
        assert said == "The batch that read it as a dead letter. Its row did not come from a batch:"
    assert [(fate.is_row, fate.at_first) for fate in (OffsetFate.REDRIVEN, OffsetFate.ROW, OffsetFate.UNKNOWN)] == [
        (True, "Its dead letter"), (True, "It"), (False, "It")
    ]  # fmt: skip


@given(st.lists(st.integers(1, 50), max_size=300), st.integers(0, 20_000))
def test_the_snapshot_that_brought_an_offset_is_found_by_asking_a_few(steps: list[int], offset: int) -> None:
    ends = [sum(steps[: i + 1]) for i in range(len(steps))]
    requests = []

    def holds(end: int) -> bool:
        requests.append(end)
        return offset < end

    at = first_holding(ends, holds)
    assert at == next((i for i, end in enumerate(ends) if offset < end), None)
    assert len(requests) <= 10


@given(st.lists(st.integers(0, 600 * MIB)))
def test_each_file_is_in_one_class_of_size(given_sizes: list[int]) -> None:
    found = sizes(given_sizes, 512 * MIB)
    assert (found.files, sum(found.spread), found.size_bytes) == (len(given_sizes), len(given_sizes), sum(given_sizes))
    assert found.small == sum(s < 384 * MIB for s in given_sizes)
    assert found.spread[-1] == sum(s >= found.edges_bytes[-1] for s in given_sizes)


@pytest.mark.parametrize(
    ("file", "may"),
    [
        (FileView("a", 1, 1, 1, 0, 3, 100, 200), True),
        (FileView("a", 1, 1, 1, 0, 3, 151, 200), False),
        (FileView("a", 1, 1, 1, 3, 3, 100, 200), False),
        # Without metrics it is unknown.
        (FileView("a", 1, 1, 1), True),
        (FileView("a", 1, 1, 1, 0, 3, None, None), True),
        (FileView("a", 1, 1, 1, 3, 3, None, None), False),
    ],
)
def test_a_file_is_looked_into_unless_its_bounds_exclude_an_offset(file: FileView, may: bool) -> None:
    assert file.may_hold([(2, 150, 151)]) is may


def test_how_far_a_table_is_behind() -> None:
    covered_here = Coverage({SOURCE: SourceCoverage(0, (Interval(0, 40), Interval(60, 80)))})
    assert table_lag(covered_here, {SOURCE: 100, OTHER: 7}, {OTHER: 2}) == 60 + 5
    assert table_lag(None, {SOURCE: 100}, {SOURCE: 10}) == 90
    ahead = Coverage({SOURCE: SourceCoverage(0, (Interval(0, 90),))})
    assert positions({"a": covered_here, "b": ahead}) == {SOURCE: 40}


def test_what_is_not_known_of_those_behind_is_counted() -> None:
    def status(behind: int, age_s: float | None, left_s: float | None) -> SourceStatus:
        at = 10 - behind
        facts: dict[str, Any] = {"high_offset": 10, "unpaused_committed": at, "unpaused_lag_s": age_s}
        return SourceStatus(SOURCE, 0, 10, 10, at, behind, age_s, left_s, **facts)

    read = status(0, 0.0, None)
    assert not_known([read]) == (0, 0)
    assert not_known([read, status(3, 0.0, 5.0), status(3, None, None), status(3, 7.0, None)]) == (1, 2)


def test_ids_of_64_bits_are_text_and_other_numbers_are_not() -> None:
    at = datetime(2026, 1, 31, tzinfo=UTC)
    body = answer({"snapshot_id": 2**62 + 1, "look": table(version_id=2**61 + 1, committed_at=at), "rows": [1, 2]}).body
    found = json.loads(bytes(body))
    assert found["snapshot_id"] == str(2**62 + 1)
    assert found["look"]["version_id"] == str(2**61 + 1)
    assert found["look"]["committed_at"] == "2026-01-31T00:00:00Z"
    assert found["rows"] == [1, 2]


def test_a_value_is_made_once_while_it_is_kept_and_a_fault_is_not() -> None:
    kept: SharedCache[str, int] = SharedCache(60.0, most=2)
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    def fail() -> int:
        raise Unreachable("no")

    with pytest.raises(Unreachable):
        kept.get("a", fail)
    assert [kept.get("a", make) for _ in range(3)] == [0, 0, 0]
    assert [kept.get(key, make) for key in ("b", "c")] == [1, 2]
    assert kept.get("a", make) == 3, "the oldest goes when there are too many"
    gone: SharedCache[str, int] = SharedCache(0.0)
    assert [gone.get("a", make), gone.get("a", make)] == [4, 5]


def test_what_is_asked_at_once_is_asked_of_others_once() -> None:
    kept: SharedCache[str, int] = SharedCache(60.0)
    together, made = threading.Barrier(4), []

    def make() -> int:
        made.append(1)
        return 7

    def ask() -> None:
        together.wait(10)
        kept.get("a", make)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert made == [1]


def test_who_waits_too_long_for_anothers_value_is_reported() -> None:
    kept: SharedCache[str, int] = SharedCache(60.0, wait_s=0.0)

    def make() -> int:
        with pytest.raises(Unreachable, match="Another request is already computing"):
            in_thread(lambda: kept.get("a", lambda: 2))
        return 1

    assert kept.get("a", make) == 1


def test_a_full_gate_refuses_and_opens_again() -> None:
    gate = Gate(1, 0.0)
    with gate.passed(), pytest.raises(Unreachable, match="Try again shortly"), gate.passed():
        raise AssertionError("two at once")
    with gate.passed():
        pass


def test_a_place_that_becomes_free_is_waited_for() -> None:
    gate, entered, leave = Gate(1, 30.0), threading.Event(), threading.Event()

    def pass_through() -> None:
        with gate.passed():
            entered.set()
            leave.wait(10)

    first = threading.Thread(target=pass_through)
    first.start()
    entered.wait(10)
    threading.Timer(0.05, leave.set).start()
    with gate.passed():
        first.join(10)
    assert leave.is_set()


def in_thread(act: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(act).result(10)


def test_a_table_that_rules_made_is_none_of_the_file_on_its_own_page() -> None:
    listed = {"name": "lake.listed", "topics": ["t"]}
    rules = {"rules": [{"table": "lake.{event.type}"}]}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [listed], "route": rules})
    found = tables_of(pipeline.with_routed({"lake.push": "lake.push"}))
    assert (found["routed"], found["named"]) == (True, ["lake.listed"])
    assert found["maintained"] == ["lake.listed", pipeline.dead_letter_table]
