"""Staging: parts, files and books of the current attempt over exactly the ranges of the plan, all of them or none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from kits.wal import (
    DEAD_LETTERS,
    PIPELINE,
    TABLE,
    abort,
    commit,
    dead_letters,
    ledger,
    new_file,
    one_staged,
    part,
    plan,
    redo,
    source,
    sql,
    stage,
)
from lakelock.adapters.wal import PostgresLog, staging
from lakelock.errors import BooksUnbalanced, Fenced
from lakelock.model.batches import Batch, Books, PartResult, StagedPart
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Mode, Rollback
from lakelock.model.offsets import OffsetRange

TWO = {TABLE: ["orders"], "lake.copy": ["orders"]}


@pytest.fixture
def batch(log: PostgresLog) -> Batch:
    return plan(log, (source(0), 0, 10), (source(1), 0, 20), tables=TWO)


def counts(dsn: str) -> dict[str, int]:
    names = ("parts", "files", "books", "events")
    return {n: sql(dsn, f"SELECT count(*) AS n FROM lakelock.{n}")[0]["n"] for n in names}


def test_what_was_staged_is_read_back_as_it_was(log: PostgresLog, batch: Batch) -> None:
    parts = [part(batch, files=3, dead=1), dead_letters(batch, ranges=[p.range for p in batch.ranges])]
    stage(log, batch, *parts)
    staged = log.staged(PIPELINE)
    assert [p.result for p in staged] == sorted(parts, key=lambda p: p.table)
    assert [p.result for p in log.staged(PIPELINE, TABLE)] == [parts[0]]
    first = staged[0]
    assert isinstance(first, StagedPart)
    assert (first.batch_id, first.attempt, first.config_digest, first.lane) == (
        batch.batch_id, "attempt-1", "digest-1", "live",
    )  # fmt: skip
    assert 0 <= first.age_s < 30
    assert first.staged_at.tzinfo is not None
    assert log.staged("another") == []


def test_staged_parts_come_in_planning_order(log: PostgresLog) -> None:
    batches = [plan(log, (source(), start, start + 10)) for start in range(0, 50, 10)]
    for batch in reversed(batches):
        stage(log, batch)
    staged = log.staged(PIPELINE, TABLE)
    assert [p.batch_id for p in staged] == [b.batch_id for b in batches]
    assert [p.sequence for p in staged] == sorted(p.sequence for p in staged)


def test_a_range_without_records_is_staged_without_files(log: PostgresLog, batch: Batch) -> None:
    empty = replace(part(batch), files=(), books=tuple(Books(p.range, 0, 0) for p in batch.ranges))
    stage(log, batch, empty)
    assert one_staged(log).result == empty


def test_siblings_are_staged_independently(log: PostgresLog, batch: Batch) -> None:
    stage(log, batch, part(batch))
    assert log.planned(PIPELINE)[0].planned_tables == ("lake.copy",)
    log.release(batch.batch_id, "attempt-1", "TableMissing")
    stage(log, batch, part(batch, "lake.copy"), attempt="attempt-2", run="run-2")
    assert log.planned(PIPELINE) == []
    assert {(p.result.table, p.attempt) for p in log.staged(PIPELINE)} == {
        (TABLE, "attempt-1"),
        ("lake.copy", "attempt-2"),
    }


def test_staging_again_under_the_same_attempt_has_no_effect(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    parts = [part(batch), dead_letters(batch)]
    stage(log, batch, *parts)
    before = counts(log_dsn)
    log.stage(batch.batch_id, "attempt-1", parts)
    assert counts(log_dsn) == before
    commit(log, [one_staged(log)])
    log.stage(batch.batch_id, "attempt-1", parts)
    assert counts(log_dsn)["parts"] == before["parts"]
    log.claim(batch.batch_id, "attempt-2", "run-1", 30)
    log.stage(batch.batch_id, "attempt-1", parts)
    with pytest.raises(Fenced):
        log.stage(batch.batch_id, "attempt-1", [*parts, part(batch, "lake.copy")])


def test_what_is_planned_again_brings_its_further_dead_letters_under_the_same_attempt(log: PostgresLog) -> None:
    batch = plan(log, (source(0), 0, 10), (source(1), 0, 20))
    first, second = (p.range for p in batch.ranges)
    stage(log, batch, part(batch, dead=1), dead_letters(batch, ranges=[first]))
    commit(log, [one_staged(log, DEAD_LETTERS)])
    log.replan(one_staged(log), "the columns were changed")
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    log.stage(batch.batch_id, "attempt-1", [part(batch, dead=1), dead_letters(batch, ranges=[second])])
    staged = {(p.result.table, p.result.target): p.ranges for p in log.staged(PIPELINE)}
    assert set(staged) == {(TABLE, ""), (DEAD_LETTERS, TABLE)}
    assert [(r.start, r.end) for r in staged[DEAD_LETTERS, TABLE]] == [(0, 20)]


def test_dead_letters_that_one_attempt_staged_twice_are_given_up_and_marked_one_by_one(log: PostgresLog) -> None:
    batch = plan(log, (source(0), 0, 10), (source(1), 0, 20))
    first, second = (p.range for p in batch.ranges)
    stage(log, batch, part(batch, dead=1), dead_letters(batch, ranges=[first]))
    log.bind(PIPELINE, DEAD_LETTERS, "uuid-1")
    commit(log, [one_staged(log, DEAD_LETTERS)])
    log.replan(one_staged(log), "the columns were changed")
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    log.stage(batch.batch_id, "attempt-1", [part(batch, dead=1), dead_letters(batch, ranges=[second])])
    commit(log, [one_staged(log, DEAD_LETTERS)])
    commit(log, [one_staged(log)])
    back = Rollback(12, 11, Mode.RECOMMIT, "tester", "a test")
    after = replace(ledger(log, generation=1), coverage=Coverage(), rollback=back)
    assert log.follow(PIPELINE, DEAD_LETTERS, "uuid-1", after, redo())
    one, other = log.staged(PIPELINE, DEAD_LETTERS)
    abort(log, one, "a file of it is gone")
    assert [p.ranges for p in log.staged(PIPELINE, DEAD_LETTERS)] == [other.ranges]
    with pytest.raises(Fenced):
        log.committed([one], 13, "commit-2", after)
    log.committed([other], 13, "commit-2", after)
    assert log.staged(PIPELINE, DEAD_LETTERS) == []


def test_a_zombie_stages_nothing_after_a_newer_claim(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    log.claim(batch.batch_id, "attempt-2", "run-1", 30)
    before = counts(log_dsn)
    with pytest.raises(Fenced, match="attempt-2 works on it now"):
        log.stage(batch.batch_id, "attempt-1", [dead_letters(batch), part(batch)])
    assert counts(log_dsn) == before


def test_a_second_attempt_cannot_stage_what_the_first_has_staged(log: PostgresLog, batch: Batch) -> None:
    stage(log, batch)
    with pytest.raises(Fenced, match="no longer planned"):
        stage(log, batch, attempt="attempt-2")
    assert one_staged(log).attempt == "attempt-1"


def test_a_stage_that_races_with_a_claim_is_whole_or_fenced(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as one, PostgresLog(log_dsn) as two, ThreadPoolExecutor(2) as pool:
        for start in range(0, 200, 10):
            batch = plan(one, (source(), start, start + 10))
            one.claim(batch.batch_id, "old", "run", 30)

            def staging_it(batch: Batch = batch) -> bool:
                try:
                    one.stage(batch.batch_id, "old", [part(batch), dead_letters(batch)])
                except Fenced:
                    return False
                return True

            staged = pool.submit(staging_it)
            claimed = pool.submit(two.claim, batch.batch_id, "new", "run", 30)
            stored = [p for p in one.staged(PIPELINE) if p.batch_id == batch.batch_id]
            # What is seen meanwhile is all or nothing, too.
            assert len(stored) in (0, 2)
            left = claimed.result().planned_tables
            assert left == ((TABLE,) if not staged.result() else left)
            if left:
                two.stage(batch.batch_id, "new", [part(batch)])
            else:
                assert staged.result()


def wrong_ranges(batch: Batch) -> dict[str, tuple[OffsetRange, ...]]:
    first, second = (p.range for p in batch.ranges)
    return {
        "one is missing": (first,),
        "one is cut": (first, OffsetRange(second.source, 0, 19)),
        "one is longer": (first, OffsetRange(second.source, 0, 21)),
        "one is split": (first, OffsetRange(second.source, 0, 5), OffsetRange(second.source, 5, 20)),
        "one is twice": (first, first, second),
        "one is of another source": (first, OffsetRange(source(2), 0, 20)),
        "one is of a topic made again": (first, OffsetRange(replace(second.source, topic_id="new"), 0, 20)),
    }


@pytest.mark.parametrize(
    "case",
    [
        "one is missing",
        "one is cut",
        "one is longer",
        "one is split",
        "one is twice",
        "one is of another source",
        "one is of a topic made again",
    ],
)
def test_other_ranges_than_the_plans_are_refused_whole(log: PostgresLog, batch: Batch, log_dsn: str, case: str) -> None:
    ranges = wrong_ranges(batch)[case]
    books = tuple(Books(r, 1, 1) for r in ranges)
    wrong = replace(part(batch), files=(new_file(len(ranges)),), books=books)
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    before = counts(log_dsn)
    with pytest.raises(Fenced, match="differ from the plan"):
        log.stage(batch.batch_id, "attempt-1", [part(batch, "lake.copy"), wrong])
    assert counts(log_dsn) == before
    assert log.planned(PIPELINE)[0].planned_tables == ("lake.copy", TABLE)


def test_each_table_is_held_to_the_ranges_of_its_own_topics(log: PostgresLog) -> None:
    tables = {"lake.both": ["orders", "refunds"], TABLE: ["orders"]}
    batch = plan(log, (source(0), 0, 10), (source(0, "refunds"), 0, 5), tables=tables)
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    with pytest.raises(Fenced):
        log.stage(batch.batch_id, "attempt-1", [part(batch, "lake.both")])
    both = replace(
        part(batch, "lake.both"),
        files=(new_file(15),),
        books=part(batch).books + part(batch, topic="refunds").books,
    )
    log.stage(batch.batch_id, "attempt-1", [part(batch), both])


def test_dead_letters_must_lie_in_ranges_of_the_plan_and_come_with_their_part(log: PostgresLog, batch: Batch) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    outside = dead_letters(batch, ranges=[OffsetRange(source(0), 0, 11)])
    with pytest.raises(Fenced, match="differ from the plan"):
        log.stage(batch.batch_id, "attempt-1", [part(batch), outside])
    with pytest.raises(Fenced, match="without the part"):
        log.stage(batch.batch_id, "attempt-1", [part(batch), dead_letters(batch, "lake.copy")])
    with pytest.raises(Fenced, match=r"no part for table lake\.nowhere"):
        log.stage(batch.batch_id, "attempt-1", [part(batch), part(batch, "lake.nowhere")])
    assert log.staged(PIPELINE) == []


def test_dead_letters_of_several_tables_are_parts_of_their_own(log: PostgresLog, batch: Batch) -> None:
    stage(
        log,
        batch,
        part(batch),
        part(batch, "lake.copy"),
        dead_letters(batch),
        dead_letters(batch, "lake.copy", count=2),
    )
    assert [(p.result.target, p.result.rows) for p in log.staged(PIPELINE, DEAD_LETTERS)] == [
        ("lake.copy", 2),
        (TABLE, 1),
    ]
    staged = log.staged_tables(PIPELINE)
    assert set(staged) == {DEAD_LETTERS, TABLE, "lake.copy"}
    of_table = log.staged(PIPELINE, TABLE)
    assert staged[TABLE].size_bytes == sum(p.result.size_bytes for p in of_table) > 0
    assert (staged[TABLE].has_records, staged[TABLE].is_first) == (True, True)
    assert 0 <= staged[TABLE].age_s < 60
    log.bind(PIPELINE, DEAD_LETTERS, "uuid-2")
    commit(log, log.staged(PIPELINE, DEAD_LETTERS), version_id=1)
    log.bind(PIPELINE, TABLE, "uuid-1")
    commit(log, of_table, version_id=2)
    assert set(log.staged_tables(PIPELINE)) == {"lake.copy"}
    stage(log, plan(log, (source(), 10, 20)))
    assert not log.staged_tables(PIPELINE)[TABLE].is_first


@pytest.mark.parametrize("case", ["books", "files"])
def test_books_that_do_not_add_up_are_never_staged(log: PostgresLog, batch: Batch, case: str) -> None:
    good = part(batch)
    bad: PartResult
    if case == "books":
        bad = replace(good, books=(replace(good.books[0], read=9), *good.books[1:]))
    else:
        bad = replace(good, files=(new_file(29),))
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    with pytest.raises(BooksUnbalanced, match=r"read 9|hold 29 rows, its books say 30"):
        log.stage(batch.batch_id, "attempt-1", [bad])
    assert log.staged(PIPELINE) == []


def test_a_stage_that_breaks_half_way_leaves_nothing(
    log: PostgresLog, batch: Batch, log_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    before = counts(log_dsn)

    def broken(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(staging, "_add_events", broken)
        with pytest.raises(RuntimeError, match="killed"):
            log.stage(batch.batch_id, "attempt-1", [part(batch), dead_letters(batch)])
    assert counts(log_dsn) == before
    log.stage(batch.batch_id, "attempt-1", [part(batch), dead_letters(batch)])


def test_staging_wakes_those_that_wait(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    with PostgresLog(log_dsn) as waiting, ThreadPoolExecutor(1) as pool:
        assert waiting.wait(PIPELINE, 0.0), "the first wait cannot know what was sent before"
        assert not waiting.wait(PIPELINE, 0.01)
        heard = pool.submit(waiting.wait, PIPELINE, 20.0)
        stage(log, batch)
        assert heard.result()
        assert not waiting.wait(PIPELINE, 0.01)
        log.notify("another")
        assert not waiting.wait(PIPELINE, 0.01)
        log.notify(PIPELINE)
        assert waiting.wait(PIPELINE, 5.0), "a notice sent between two waits is kept"


def test_a_waiting_thread_that_lost_its_connection_looks_again(log: PostgresLog, log_dsn: str) -> None:
    assert log.wait(PIPELINE, 0.0)
    sql(log_dsn, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%'")
    assert log.wait(PIPELINE, 5.0)
    assert not log.wait(PIPELINE, 0.01)


def test_pipelines_of_any_name_have_a_channel(log: PostgresLog) -> None:
    name = 'a"b; DROP SCHEMA lakelock; ' + "ü" * 80
    assert log.wait(name, 0.0)
    log.notify(name)
    assert log.wait(name, 5.0)
