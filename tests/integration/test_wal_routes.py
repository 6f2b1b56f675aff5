"""Batches of pipelines with routes: closed once, by the stage that says which tables have a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing as closing_of
from dataclasses import replace

import pytest
from kits.wal import (
    DEAD_LETTERS,
    PIPELINE,
    TABLE,
    commit,
    dead_letters,
    identity,
    ledger,
    new_file,
    one_staged,
    part,
    plan,
    redo,
    source,
    sql,
)
from lakelock.adapters.wal import PostgresLog
from lakelock.adapters.wal.page_queries import LogReader
from lakelock.errors import BatchChanged, DecisionRefused, Fenced, TableUnfit, WalUnusable
from lakelock.model import operator_log
from lakelock.model.batches import NO_TABLE, Batch, Books, Closing, PartResult
from lakelock.model.coverage import Coverage
from lakelock.model.log_state import Recorded
from lakelock.model.offsets import FOREVER, OffsetRange, Source
from lakelock.model.operator_log import Decided, What
from lakelock.model.overview import TableChoice
from lakelock.model.sightings import LatenessLimits, Sights, Unread
from lakelock.model.valid_through import Survey

PUSH, FORK = "lake.push", "lake.fork"
TOPICS = ("orders",)
SURVEY = Survey(1, {})


@pytest.fixture
def batch(log: PostgresLog) -> Batch:
    log.keep_routed(PIPELINE, {PUSH: "lake.Push", FORK: "lake.fork"})
    return unclosed(log, (source(0), 0, 10), (source(1), 0, 20))


def unclosed(
    log: PostgresLog,
    *ranges: tuple[object, int, int],
    tables: Mapping[str, Sequence[str]] = {},
    survey: Survey | None = SURVEY,
) -> Batch:
    """As the product plans it; a recovery plans without a *survey*."""
    return plan(log, *ranges, tables=tables, survey=survey, closed=False)  # type: ignore[arg-type]


def closing(batch: Batch, *tables: str, dead: int = 0, filtered: int = 0) -> Closing:
    """*dead* of each range are routed to no table."""
    ranges = [p.range for p in batch.ranges]
    books = tuple(Books(r, r.offsets, r.offsets - dead - filtered, dead, filtered) for r in ranges)
    return Closing(dict.fromkeys(tables, TOPICS), books)


def close(
    log: PostgresLog, batch: Batch, *parts: PartResult, how: Closing | None = None, attempt: str = "attempt-1"
) -> None:
    log.claim(batch.batch_id, attempt, "run-1", 30)
    log.stage(batch.batch_id, attempt, parts, how or closing(batch, *(p.table for p in parts if not p.target)))


def letters(batch: Batch, count: int = 1) -> PartResult:
    return dead_letters(batch, NO_TABLE, count=count, ranges=[p.range for p in batch.ranges])


def in_one_range(batch: Batch, table: str, rows: int = 3) -> PartResult:
    """Rows in the first range alone."""
    first, *others = (p.range for p in batch.ranges)
    return PartResult(
        table, identity(), (new_file(rows),), (Books(first, rows, rows), *(Books(r, 0, 0) for r in others))
    )


def test_a_batch_without_any_part_is_planned_until_it_is_closed(log: PostgresLog, batch: Batch) -> None:
    assert batch.closed is False
    assert [(b.batch_id, b.closed, b.planned_tables) for b in log.planned(PIPELINE)] == [(batch.batch_id, False, ())]
    assert log.accounts(PIPELINE).unwritten == tuple(p.range for p in batch.ranges)
    view = log.view(PIPELINE)
    assert view is not None
    assert [(b.batch_id, b.state) for b in view.batches] == [(batch.batch_id, "planned")]
    assert log.claim(batch.batch_id, "attempt-1", "run-1", 30).closed is False
    close(log, batch, how=closing(batch, filtered=2))
    assert log.planned(PIPELINE) == []
    assert log.accounts(PIPELINE).unwritten == ()


def test_the_stage_that_closes_gives_its_tables_parts(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    rows = in_one_range(batch, PUSH)
    close(log, batch, rows, letters(batch), how=closing(batch, PUSH, FORK, dead=1, filtered=2))
    (again,) = log.planned(PIPELINE)
    assert (again.closed, again.planned_tables) == (True, (FORK,))
    assert {(p.result.table, p.result.target): p.result for p in log.staged(PIPELINE)} == {
        (PUSH, ""): rows,
        (DEAD_LETTERS, NO_TABLE): one_staged(log, DEAD_LETTERS).result,
    }
    books = sql(log_dsn, "SELECT read_count, filtered_count, unroutable_count FROM lakelock.ranges ORDER BY range_id")
    assert [tuple(b.values()) for b in books] == [(10, 2, 1), (20, 2, 1)]
    assert sql(log_dsn, "SELECT count(*) AS n FROM lakelock.books WHERE written_count = 0") == [{"n": 0}]


def test_a_table_begins_with_the_stream_and_not_with_its_first_batch(log: PostgresLog, batch: Batch) -> None:
    close(log, batch)
    later = unclosed(log, (source(0), 10, 30))
    close(log, later, part(later, PUSH))
    assert log.declared_starts(PIPELINE, PUSH) == {source(0): 0, source(1): 0}


def test_a_batch_is_closed_once(log: PostgresLog, batch: Batch, log_dsn: str) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    with pytest.raises(Fenced, match="only the stage that closes it may be its first"):
        log.stage(batch.batch_id, "attempt-1", [])
    parts, how = [part(batch, PUSH), letters(batch)], closing(batch, PUSH, FORK, dead=1)
    log.stage(batch.batch_id, "attempt-1", parts, how)
    log.stage(batch.batch_id, "attempt-1", parts, replace(how, books=tuple(reversed(how.books))))
    assert sql(log_dsn, "SELECT count(*) AS n FROM lakelock.parts") == [{"n": 3}]
    for other in (closing(batch, PUSH, dead=1), closing(batch, PUSH, FORK, dead=2)):
        with pytest.raises(Fenced, match="closed with other tables or other books"):
            log.stage(batch.batch_id, "attempt-1", parts, other)


def test_an_attempt_that_was_replaced_closes_nothing(log: PostgresLog, batch: Batch) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    log.claim(batch.batch_id, "attempt-2", "run-1", 30)
    with pytest.raises(Fenced, match="attempt-2 works on it now"):
        log.stage(batch.batch_id, "attempt-1", [], closing(batch))
    assert [b.closed for b in log.planned(PIPELINE)] == [False]


@pytest.mark.parametrize("kind", ["stranger", "topics", "twice", "ranges", "books", "letters", "none", "too few"])
def test_a_closing_that_does_not_fit_leaves_the_batch_as_it_was(log: PostgresLog, kind: str) -> None:
    log.keep_routed(PIPELINE, {PUSH: PUSH})
    batch = unclosed(log, (source(0), 0, 10), (source(1), 0, 20), tables={TABLE: ["orders"]})
    whole, found = closing(batch, PUSH), []
    how = {
        "stranger": replace(whole, tables={FORK: TOPICS}),
        "topics": replace(whole, tables={PUSH: ("events",)}),
        "twice": replace(whole, tables={TABLE: TOPICS}),
        "ranges": replace(whole, books=whole.books[:1]),
        "books": replace(whole, books=(replace(whole.books[0], read=11), whole.books[1])),
        "none": closing(batch, PUSH, dead=1),
        "too few": closing(batch, PUSH, dead=2),
    }.get(kind, whole)
    if kind == "twice":
        log.keep_routed(PIPELINE, {TABLE: TABLE})
    if kind in ("letters", "too few"):
        found = [letters(batch)]
    with pytest.raises(Fenced):
        close(log, batch, part(batch, PUSH), part(batch), *found, how=how)
    assert [(b.closed, b.planned_tables) for b in log.planned(PIPELINE)] == [(False, (TABLE,))]
    assert log.staged(PIPELINE) == []


def test_dead_letters_without_a_table_come_with_the_closing_only(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, how=closing(batch, PUSH, dead=0))
    with pytest.raises(Fenced, match="with the closing only"):
        log.stage(batch.batch_id, "attempt-1", [part(batch, PUSH), letters(batch)])
    log.stage(batch.batch_id, "attempt-1", [part(batch, PUSH)])


def test_a_batch_that_is_not_closed_may_end_earlier_and_a_closed_one_not(log: PostgresLog, batch: Batch) -> None:
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    assert log.end_earlier(batch.batch_id, "attempt-1", {source(1): 15})
    assert [p.range.end for p in log.planned(PIPELINE)[0].ranges] == [10, 15]
    close(log, log.planned(PIPELINE)[0], how=closing(log.planned(PIPELINE)[0], PUSH))
    assert not log.end_earlier(batch.batch_id, "attempt-1", {source(1): 12})


def test_a_batch_that_a_recovery_planned_does_not_end_earlier(log: PostgresLog) -> None:
    """Tables may have what lies behind the new end: by the rules of then."""
    batch = unclosed(log, (source(0), 0, 10), survey=None)
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    assert not log.end_earlier(batch.batch_id, "attempt-1", {source(0): 5})


def test_a_batch_gets_other_rules_only_while_nothing_may_follow_from_its_own(log: PostgresLog) -> None:
    log.keep_routed(PIPELINE, {PUSH: PUSH})
    first, recovered = unclosed(log, (source(0), 0, 10)), unclosed(log, (source(1), 0, 10), survey=None)

    def reconfigured(batch: Batch, attempt: str = "attempt-1") -> bool:
        log.claim(batch.batch_id, attempt, "run-1", -1.0)
        return log.reconfigure(batch.batch_id, attempt, {"tables": []}, "digest-2", {}) is not None

    assert not reconfigured(recovered)
    assert reconfigured(first)
    assert log.planned(PIPELINE)[0].config_digest == "digest-2"
    assert not reconfigured(first, "attempt-2"), "the attempt before may be at work"


def test_a_batch_keeps_its_rules_beside_a_later_one_that_is_closed(log: PostgresLog) -> None:
    first, later = unclosed(log, (source(0), 0, 10)), unclosed(log, (source(0), 10, 20))
    log.claim(first.batch_id, "attempt-1", "run-1", 30)
    close(log, later, attempt="attempt-2")
    assert log.reconfigure(first.batch_id, "attempt-1", {"tables": []}, "digest-2", {}) is None


def test_details_of_a_batch_are_kept_until_it_is_closed(log: PostgresLog, batch: Batch) -> None:
    assert log.coalesce(PIPELINE, 0) == 0
    assert log.known([batch.batch_id]).batches[batch.batch_id].open
    close(log, batch)
    assert not log.known([batch.batch_id]).batches[batch.batch_id].open
    assert [p.offsets for p in log.paces(PIPELINE)] == [30]
    assert log.coalesce(PIPELINE, 0) == 1


def test_a_part_of_the_file_that_is_planned_again_frees_no_range_of_an_open_batch(
    log: PostgresLog, log_dsn: str
) -> None:
    batch = unclosed(log, (source(0), 0, 10), tables={TABLE: ["orders"]})
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    log.replan_unwritten(batch.batch_id, "attempt-1", TABLE, "too large", redo())
    assert sql(log_dsn, "SELECT count(*) AS n FROM lakelock.ranges WHERE state = 'open'") == [{"n": 2}]


# Dead letters without a table whose files are lost.


def test_lost_dead_letters_without_a_table_take_all_routed_parts_along(log: PostgresLog) -> None:
    log.keep_routed(PIPELINE, {PUSH: PUSH, FORK: FORK})
    batch = unclosed(log, (source(0), 0, 10), (source(1), 0, 20), tables={TABLE: ["orders"]})
    how, lost = closing(batch, PUSH, FORK, dead=1), letters(batch)
    close(log, batch, part(batch), part(batch, PUSH), part(batch, FORK), lost, how=how)
    log.replan(one_staged(log, DEAD_LETTERS), "its files are gone")
    (again,) = log.planned(PIPELINE)
    assert (again.closed, again.planned_tables) == (True, (NO_TABLE, FORK, PUSH))
    assert [p.result.table for p in log.staged(PIPELINE)] == [TABLE]
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    for parts, why in (
        ([part(batch, PUSH)], "are missing"),
        ([part(batch, PUSH), letters(batch, 2)], "are not those of the batch's books"),
        ([part(batch, PUSH), dead_letters(batch, NO_TABLE)], "are not those of the batch's books"),
    ):
        with pytest.raises(Fenced, match=why):
            log.stage(batch.batch_id, "attempt-2", parts)
    log.stage(batch.batch_id, "attempt-2", [part(batch, PUSH), letters(batch)])
    log.stage(batch.batch_id, "attempt-2", [part(batch, PUSH), letters(batch)])
    assert log.planned(PIPELINE)[0].planned_tables == (FORK,)
    log.stage(batch.batch_id, "attempt-2", [part(batch, FORK)])
    assert log.planned(PIPELINE) == []
    assert len(log.staged(PIPELINE)) == 4


def test_a_batch_that_has_lost_dead_letters_alone_is_planned_again(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, letters(batch), how=closing(batch, dead=1))
    part_ = one_staged(log, DEAD_LETTERS)
    log.replan(part_, "its files are gone")
    log.replan(part_, "its files are gone")
    assert [(b.closed, b.planned_tables) for b in log.planned(PIPELINE)] == [(True, (NO_TABLE,))]
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    log.stage(batch.batch_id, "attempt-2", [letters(batch)])
    assert one_staged(log, DEAD_LETTERS).ranges == part_.ranges


def test_lost_dead_letters_whose_rows_are_in_a_table_stop_the_dead_letter_table(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, part(batch, PUSH), letters(batch), how=closing(batch, PUSH, dead=1))
    commit(log, [one_staged(log, PUSH)])
    with pytest.raises(TableUnfit, match="for which no table is known"):
        log.replan(one_staged(log, DEAD_LETTERS), "its files are gone")
    assert [p.result.target for p in log.staged(PIPELINE)] == [NO_TABLE]


# What is known about offsets without a part.


def test_routed_tables_keep_their_first_names(log: PostgresLog) -> None:
    assert log.keep_routed(PIPELINE, {PUSH: "lake.Push"}) == {PUSH: "lake.Push"}
    assert log.keep_routed(PIPELINE, {PUSH: "lake.PUSH", FORK: FORK}) == {FORK: FORK, PUSH: "lake.Push"}
    assert log.keep_routed(PIPELINE, {}) == log.routed(PIPELINE) == {FORK: FORK, PUSH: "lake.Push"}
    log.bind(PIPELINE, PUSH, "uuid-1")
    assert log.dead_letter_tables(PIPELINE) == []


def test_tables_of_the_last_batches_are_lately_routed(log: PostgresLog, batch: Batch) -> None:
    log.bind(PIPELINE, FORK, "uuid-1")
    close(log, batch, part(batch, PUSH))
    commit(log, [one_staged(log, PUSH)])
    assert log.lately_routed(PIPELINE, 9) == [], "it is not bound"
    log.bind(PIPELINE, PUSH, "uuid-1")
    for start in range(10, 30):
        later = unclosed(log, (source(0), start, start + 1))
        assert PUSH in log.lately_routed(PIPELINE, 9), "a batch that is not closed is not counted"
        close(log, later, *([part(later, FORK)] if start == 10 else []))
    assert log.lately_routed(PIPELINE, 9) == [FORK]
    unclosed(log, (source(0), 30, 50))
    for start in range(20):
        close(log, unclosed(log, (source(2), start, start + 1)))
    assert log.lately_routed(PIPELINE, 9) == [FORK], "it has an open part"
    commit(log, [one_staged(log, FORK)])
    assert log.lately_routed(PIPELINE, 9) == []


def test_evidence_ends_at_what_is_not_closed_and_at_dead_letters_that_have_not_landed(
    log: PostgresLog, batch: Batch
) -> None:
    close(log, batch, part(batch, PUSH), letters(batch), how=closing(batch, PUSH, dead=1))
    second = unclosed(log, (source(0), 10, 30))
    close(log, second, how=closing(second, PUSH, FORK))
    third = unclosed(log, (source(0), 30, 40))
    found = log.evidence(PIPELINE, PUSH)
    assert found is not None
    assert found.starts == {source(0): 0, source(1): 0}
    assert found.closed_to == {source(0): 30, source(1): 20}
    assert found.letters_to == {source(0): 0, source(1): 0}
    assert found.open == (*(p.range for p in (batch.ranges[0], second.ranges[0])), batch.ranges[1].range)
    assert log.routed_progress(PIPELINE).complete == {source(0): 0, source(1): 0}
    commit(log, [one_staged(log, DEAD_LETTERS)])
    commit(log, [one_staged(log, PUSH)])
    found = log.evidence(PIPELINE, PUSH)
    assert found is not None
    assert found.letters_to == {source(0): 40, source(1): 20}
    assert found.open == (second.ranges[0].range,)
    assert log.routed_progress(PIPELINE).complete == {source(0): 10, source(1): 20}
    of_fork = log.evidence(PIPELINE, FORK)
    assert of_fork is not None
    assert of_fork.filled(Coverage()) == [OffsetRange(source(0), 0, 10), OffsetRange(source(1), 0, 20)]
    assert log.evidence(PIPELINE, TABLE) is None
    close(log, third)
    assert log.evidence(PIPELINE, FORK).closed_to[source(0)] == 40  # type: ignore[union-attr]


def test_the_page_sees_how_far_routed_tables_are_since_the_watch_looked(
    log: PostgresLog, batch: Batch, log_dsn: str
) -> None:
    def reached() -> dict[Source, int]:
        view = log.view(PIPELINE)
        assert view is not None
        return dict(view.reached)

    long_ago_s = log.now().timestamp() - 86_400
    unread = {source(n): Unread(0, long_ago_s, ((10, long_ago_s),)) for n in (0, 1)}
    log.saw(PIPELINE, Sights(long_ago_s, LatenessLimits(60, None, 300), long_ago_s, unread=unread, is_routed=True))
    assert reached() == {source(0): 0, source(1): 0}
    close(log, batch, how=closing(batch, PUSH, FORK))
    close(log, batch, part(batch, PUSH), how=closing(batch, PUSH, FORK))
    commit(log, [one_staged(log, PUSH)])
    assert reached() == {source(0): 0, source(1): 0}
    paused = operator_log.encode([Decided(What.PAUSE, log.now(), "me", "a try")])
    like = f"SELECT ledger::jsonb FROM lakelock.tables WHERE table_name = '{PUSH}'"
    given = f"({like}) || jsonb_build_object('decisions', '{paused}'::text)"
    sql(log_dsn, f"UPDATE lakelock.tables SET ledger = {given} WHERE table_name = '{FORK}'")
    assert reached() == {source(0): 10, source(1): 20}
    log.give_up(PIPELINE, "me", "token-1", None, lambda _: None)
    assert reached() == {}


def test_the_page_takes_no_table_for_a_dead_letter_table_while_a_write_creates_it(
    log: PostgresLog, batch: Batch, log_dsn: str
) -> None:
    for table in (PUSH, FORK):
        log.bind(PIPELINE, table, f"uuid of {table}")
    with closing_of(LogReader(log_dsn)) as reader:
        _, (found,) = reader.overview([PIPELINE], TableChoice(only=FORK))
    assert (found.table_count, [t.table for t in found.tables]) == (2, [FORK])


def test_a_retired_source_is_known_up_to_where_it_ended(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, part(batch, PUSH))
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    assert log.hold(PIPELINE, [OffsetRange(source(1), 20, FOREVER)], "attempt-1")
    found = log.evidence(PIPELINE, PUSH)
    assert found is not None
    assert (found.closed_to[source(1)], found.letters_to[source(1)]) == (20, 20)
    assert log.routed_progress(PIPELINE).complete == {source(0): 0, source(1): 0}


def test_a_table_waits_since_its_oldest_open_batch_was_closed(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, part(batch, PUSH), letters(batch), how=closing(batch, PUSH, FORK, dead=1))
    second = unclosed(log, (source(0), 10, 30))
    close(log, second, how=closing(second, PUSH))
    now = log.routed_progress(PIPELINE)
    assert now.decided == {source(0): 0, source(1): 0}
    assert {table: of.ranges for table, of in now.open.items()} == {
        PUSH: (OffsetRange(source(0), 0, 30), OffsetRange(source(1), 0, 20)),
        FORK: (OffsetRange(source(0), 0, 10), OffsetRange(source(1), 0, 20)),
    }
    assert now.open[PUSH].waits_s == now.open[FORK].waits_s > 0
    commit(log, [one_staged(log, DEAD_LETTERS)])
    commit(log, [one_staged(log, PUSH)])
    later = log.routed_progress(PIPELINE)
    assert later.decided == {source(0): 30, source(1): 20}
    assert later.open[PUSH].ranges == (OffsetRange(source(0), 10, 30),)
    assert 0 < later.open[PUSH].waits_s < later.open[FORK].waits_s


def test_the_newest_survey_that_lies_before_offsets(log: PostgresLog, batch: Batch) -> None:
    first, second = {source(0): 10, source(1): 20}, {source(0): 30, source(1): 20}
    assert log.surveyed(PIPELINE, second) is None, "the batch is not closed"
    close(log, batch, part(batch, PUSH))
    later = unclosed(log, (source(0), 10, 30))
    close(log, later, part(later, PUSH))
    for ends in (first, second, {source(0): 29, source(1): 99}):
        found = log.surveyed(PIPELINE, ends)
        expected = later if ends == second else batch
        assert found is not None
        assert found[0] == log.survey(expected.batch_id)
        assert found[1].keys() <= {p.range.source for p in expected.ranges}
    assert log.surveyed(PIPELINE, {source(0): 9, source(1): 20}) is None


def test_nothing_is_known_while_the_log_is_rebuilt(log: PostgresLog, batch: Batch) -> None:
    log.give_up(PIPELINE, "me", "token-1", None, lambda _: None)
    assert log.planned(PIPELINE) == []
    for asked in (lambda: log.evidence(PIPELINE, PUSH), lambda: log.routed_progress(PIPELINE)):
        with pytest.raises(WalUnusable, match="started to recover it"):
            asked()


def test_a_routed_table_lacks_what_it_owes_and_nothing_that_has_no_part(log: PostgresLog, batch: Batch) -> None:
    close(log, batch, part(batch, PUSH), letters(batch), how=closing(batch, PUSH, dead=1))
    log.bind(PIPELINE, FORK, "uuid-1")
    second = unclosed(log, (source(0), 10, 30))
    close(log, second, how=closing(second, FORK))
    unclosed(log, (source(0), 30, 40))
    owing = ledger(log, generation=1)
    owing = replace(owing, coverage=Coverage().starting({source(0): 0}).owing([OffsetRange(source(0), 3, 5)]))
    none = ledger(log)
    assert log.lacking(PIPELINE, FORK, none, lambda *_: True) == []
    assert log.lacking(PIPELINE, FORK, owing, lambda *_: True) == [OffsetRange(source(0), 3, 5)]
    followed = log.follow(PIPELINE, FORK, "uuid-1", owing, redo())
    assert followed is not None
    assert followed.redo == (OffsetRange(source(0), 3, 5),)
    assert log.fill(PIPELINE, FORK, owing, redo()) == []


def test_offsets_that_are_given_up_leave_a_batch_that_is_not_closed(log: PostgresLog, batch: Batch) -> None:
    gap = OffsetRange(source(0), 2, 5)
    recorded = {DEAD_LETTERS: Recorded(None, ledger(log))}
    assert not log.hold(PIPELINE, [gap], "attempt-1")
    with pytest.raises(Fenced):
        log.declare(PIPELINE, recorded, [gap], redo(), "attempt-1", "Kafka lost them")
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    for _ in range(2):
        log.declare(PIPELINE, recorded, [gap], redo(), "attempt-1", "Kafka lost them")
    again = log.planned(PIPELINE)
    assert all(not b.closed for b in again)
    assert sorted((p.range.source.partition, p.range.start, p.range.end) for b in again for p in b.ranges) == [
        (0, 0, 2), (0, 5, 10), (1, 0, 20),
    ]  # fmt: skip
    log.claim(again[0].batch_id, "attempt-2", "run-1", 30)
    close(log, again[0], part(again[0], PUSH), attempt="attempt-2")
    assert log.evidence(PIPELINE, PUSH).closed_to[source(0)] == 5  # type: ignore[union-attr]


def test_offsets_that_are_given_up_leave_a_batch_whose_dead_letters_are_planned_again(log: PostgresLog) -> None:
    log.keep_routed(PIPELINE, {PUSH: PUSH})
    batch = unclosed(log, (source(0), 0, 10), tables={TABLE: ["orders"]})
    close(log, batch, part(batch), part(batch, PUSH), letters(batch), how=closing(batch, PUSH, dead=1))
    log.replan(one_staged(log, DEAD_LETTERS), "its files are gone")
    log.claim(batch.batch_id, "attempt-2", "run-2", 30)
    for _ in range(2):
        log.declare(PIPELINE, {}, [OffsetRange(source(0), 0, 5)], redo(), "attempt-2", "Kafka lost them")
    assert [(b.closed, [p.range for p in b.ranges]) for b in log.planned(PIPELINE)] == [
        (False, [OffsetRange(source(0), 5, 10)])
    ]
    assert [p.result.table for p in log.staged(PIPELINE)] == [TABLE]


def test_a_table_that_the_log_does_not_know_is_not_retired(log: PostgresLog, batch: Batch) -> None:
    with pytest.raises(WalUnusable, match="does not know table ns.other"):
        log.retire_table(PIPELINE, "ns.other")


@pytest.mark.parametrize("is_closed", [False, True])
def test_an_attempt_that_a_retirement_overtakes_stages_nothing_and_the_next_one_may(
    log: PostgresLog, batch: Batch, is_closed: bool
) -> None:
    if is_closed:
        close(log, batch, part(batch, PUSH), how=(of_batch := closing(batch, PUSH, FORK)))
        overtaken = [part(batch, FORK)]
    else:
        of_batch, overtaken = closing(batch, PUSH), [part(batch, PUSH)]
    log.claim(batch.batch_id, "attempt-1", "run-1", 30)
    retired = FORK if is_closed else PUSH
    log.retire_table(PIPELINE, retired)
    log.give_up_parts(PIPELINE, retired, "retired")
    staged = [p.part_id for p in log.staged(PIPELINE)]
    with pytest.raises(BatchChanged, match="no longer planned" if is_closed else f"table {PUSH} was retired"):
        log.stage(batch.batch_id, "attempt-1", overtaken, of_batch)
    assert [p.part_id for p in log.staged(PIPELINE)] == staged
    if not is_closed:
        close(log, batch, how=closing(batch, FORK))
        assert [b.planned_tables for b in log.planned(PIPELINE)] == [(FORK,)]


def test_a_table_is_not_retired_while_a_batch_reads_for_all_tables_again(log: PostgresLog, batch: Batch) -> None:
    again = unclosed(log, (source(2), 0, 10), survey=None)
    assert [b.has_survey for b in log.planned(PIPELINE)] == [True, False]
    with pytest.raises(DecisionRefused, match=r"orders-2 \[0, 10\) is read for all tables"):
        log.retire_table(PIPELINE, PUSH)
    assert log.retirements(PIPELINE) == {}
    close(log, again)
    retired = log.retire_table(PIPELINE, PUSH)
    unclosed(log, (source(3), 0, 10), survey=None)
    assert log.retire_table(PIPELINE, PUSH) == retired, "it is retired already"
