"""What the page reads of the log, on a real Postgres: as many statements for ten tables as for a hundred."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest
from kits.page import STEP, fill
from kits.wal import DEAD_LETTERS, PIPELINE, TABLE, commit, dead_letters, one_staged, part, plan, source, sql, stage
from lakelock.adapters.wal import PostgresLog, page_queries
from lakelock.adapters.wal.check_queries import read_past
from lakelock.adapters.wal.chosen_tables import choice_key
from lakelock.adapters.wal.page_queries import LogReader
from lakelock.adapters.wal.queries import queries
from lakelock.errors import WalUnusable
from lakelock.model.offsets import Source
from lakelock.model.overview import PipelineView, TableChoice, TableOrder
from lakelock.model.sightings import Gone, HangingTransaction, LatenessLimits, Sights, Unread
from lakelock.monitor.alerts import Runs, alerts
from lakelock.monitor.incidents import IncidentKind
from psycopg.rows import dict_row


def view(dsn: str, *names: str) -> list[PipelineView]:
    with closing(LogReader(dsn)) as reader:
        return reader.overview(names)[1]


def test_an_overview_takes_as_many_statements_for_one_table_as_for_sixty(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes = [(1, 1, 2), (1, 60, 4), (30, 2, 4)]
    sent: list[int] = []
    execute, counted = psycopg.Connection.execute, [0]

    def spy(self: Any, *arguments: Any, **more: Any) -> Any:
        counted[0] += 1
        return execute(self, *arguments, **more)

    for pipelines, tables, partitions in shapes:
        dsn = new_database()
        fill(dsn, pipelines=pipelines, tables=tables, partitions=partitions, batches=2)
        with closing(LogReader(dsn)) as reader:
            names = [f"p{n}" for n in range(1, pipelines + 1)]
            reader.overview(names)
            monkeypatch.setattr(psycopg.Connection, "execute", spy)
            counted[0] = 0
            found = reader.overview(names)[1]
            sent.append(counted[0])
            monkeypatch.setattr(psycopg.Connection, "execute", execute)
        assert sum(len(p.tables) for p in found) == pipelines * tables
        assert {t.open_offsets for p in found for t in p.tables} == {partitions * STEP}
    assert sent[0] == sent[1] == sent[2]
    assert sent[0] <= 13


def test_only_what_is_requested_is_read(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=3, tables=1, partitions=2, batches=2)
    assert [p.pipeline for p in view(dsn, "p2", "p3", "nosuch")] == ["p2", "p3"]
    assert view(dsn) == []


def test_a_pipeline_from_its_first_plan_to_its_first_commit(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        assert view(log_dsn, PIPELINE) == []
        plan(log, starts={source(): 0, source(1): 0})
        (declared,) = view(log_dsn, PIPELINE)
        assert (declared.partitions, declared.topics, declared.planned_at) == (2, 1, None)
        batch = plan(log, (source(), 0, 100))
        (planned,) = view(log_dsn, PIPELINE)
        (table,) = planned.tables
        assert (table.table, table.planned.offsets, table.staged.parts, table.bound) == (TABLE, 100, 0, False)
        assert [(b.state, b.planned_parts) for b in planned.batches] == [("planned", 1)]
        log.claim(batch.batch_id, "attempt-1", "ingest__shop/run-1", 30)
        (writing,) = view(log_dsn, PIPELINE)
        assert [(b.state, b.run) for b in writing.batches] == [("writing", "ingest__shop/run-1")]
        log.stage(batch.batch_id, "attempt-1", [part(batch, dead=5), dead_letters(batch, count=5)])
        (staged,) = view(log_dsn, PIPELINE)
        views = {t.table: t for t in staged.tables}
        assert (views[TABLE].staged.rows, views[TABLE].open_offsets) == (95, 100)
        log.bind(PIPELINE, TABLE, "uuid-1")
        log.bind(PIPELINE, DEAD_LETTERS, "uuid-2")
        commit(log, [one_staged(log, DEAD_LETTERS)], version_id=10)
        commit(log, [one_staged(log)], version_id=11)
        (done,) = view(log_dsn, PIPELINE)
        views = {t.table: t for t in done.tables}
        assert (views[TABLE].open_offsets, views[TABLE].version_id, views[TABLE].newest_record_ms) == (0, 11, 100)
        assert (views[TABLE].dead_letters, views[TABLE].landed[-1].rows) == (5, 95)
        assert views[TABLE].committed_at is not None
        assert (views[DEAD_LETTERS].is_dead_letter_table, views[TABLE].is_dead_letter_table) == (True, False)
        assert done.batches == ()
        with closing(LogReader(log_dsn)) as reader:
            (committed,) = reader.batches(PIPELINE, TABLE, 10)
            assert (committed.rows, committed.dead_letters, committed.version_id) == (95, 5, 11)
            assert committed.run == "ingest__shop/run-1"
            (at,) = reader.parts_at(PIPELINE, TABLE, "orders", 0, 99)
            assert (at.state, at.start_offset, at.end_offset, at.run) == ("committed", 0, 100, "ingest__shop/run-1")
            assert reader.parts_at(PIPELINE, TABLE, "orders", 0, 100) == []
            assert reader.config(PIPELINE) is not None
            assert reader.config("nosuch") is None


def test_what_is_read_again_does_not_report_how_the_pipeline_is_set_now(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log, closing(LogReader(log_dsn)) as reader:
        plan(log, (source(), 0, 100), config={"is": "of then"}, digest="then", lane="redo-1")
        assert (reader.config(PIPELINE), read_past(log_dsn, PIPELINE)[0].before) == ({"is": "of then"},) * 2
        plan(log, (source(), 0, 100), config={"is": "of now"}, digest="now")
        plan(log, (source(), 100, 200), config={"is": "of then"}, digest="then", lane="redo-1")
        assert (reader.config(PIPELINE), read_past(log_dsn, PIPELINE)[0].before) == ({"is": "of now"},) * 2


def test_a_fence_reports_who_took_the_batch_over(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        batch = plan(log, (source(), 0, 100))
        log.claim(batch.batch_id, "attempt-1", "ingest__shop/one", 30)
        log.claim(batch.batch_id, "attempt-2", "ingest__shop/one", 30)
        sql(log_dsn, "UPDATE lakelock.batches SET heartbeat_at = now() - interval '1 hour'")
        (silent,) = view(log_dsn, PIPELINE)
        assert "heartbeat" in silent.notes[0].text
        log.claim(batch.batch_id, "attempt-3", "ingest__shop/two", 30)
        with closing(LogReader(log_dsn)) as reader:
            found = reader.fences(PIPELINE)
        assert [(f.run, f.next_run) for f in found] == [
            ("ingest__shop/one", "ingest__shop/two"),
            ("ingest__shop/one", "ingest__shop/one"),
        ]


def test_a_recovery_that_is_under_way_is_reported(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        stage(log, plan(log, (source(), 0, 100)))
        log.give_up(PIPELINE, "root", "token-1", None, lambda notes: None)
    (found,) = view(log_dsn, PIPELINE)
    assert found.recovered_by == "root"


def test_a_table_that_rarely_commits_is_reported_beside_busy_ones(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=2, partitions=1, batches=120)
    rare = "pipeline = 'p1' AND table_name = 'lake.p1_t2'"
    sql(dsn, f"UPDATE lakelock.parts SET state = 'aborted' WHERE {rare} AND state = 'committed' AND batch_no > 1")
    sql(dsn, f"UPDATE lakelock.tables SET ledger_at = now() - interval '120 minutes' WHERE {rare}")
    (found,) = view(dsn, "p1")
    assert [(t.table, t.version_id) for t in found.tables] == [("lake.p1_t1", 120), ("lake.p1_t2", 1)]
    assert all(t.newest_record_ms for t in found.tables)


def test_a_batch_that_is_read_again_does_not_make_a_table_old(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        log_then = plan(log, (source(), 0, 100), lane="backfill-1")
        stage(log, log_then)
        log.bind(PIPELINE, TABLE, "uuid-1")
        commit(log, [one_staged(log)], version_id=10)
        (alone,) = view(log_dsn, PIPELINE)
        assert [(t.version_id, t.newest_record_ms) for t in alone.tables] == [(10, 100)]
        stage(log, plan(log, (source(), 5_000, 6_000), starts={source(): 5_000}), attempt="attempt-2")
        commit(log, [one_staged(log)], version_id=11)
        stage(log, plan(log, (source(), 0, 50), lane="backfill-2"), attempt="attempt-3")
        commit(log, [one_staged(log)], version_id=12)
    (found,) = view(log_dsn, PIPELINE)
    assert [(t.version_id, t.newest_record_ms) for t in found.tables] == [(12, 6_000)]


def test_what_one_pipeline_has_open_does_not_hide_what_others_have(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=3, tables=1, partitions=1, batches=4)
    sql(dsn, "UPDATE lakelock.parts SET state = 'staged', finished_at = NULL WHERE pipeline = 'p1'")
    monkeypatch.setattr(page_queries, "MAX_OPEN_BATCHES", 2)
    assert [len(p.batches) for p in view(dsn, "p1", "p2", "p3")] == [2, 1, 1]


def test_a_long_backfill_that_goes_on_is_no_warning_and_one_that_stopped_is_one(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        first, *others = [plan(log, (source(), 0, 100), lane=f"backfill-{n}") for n in range(4)]
        sql(log_dsn, "UPDATE lakelock.batches SET planned_at = now() - interval '1 hour'")
        (stopped,) = view(log_dsn, PIPELINE)
        assert [note.text[:9] for note in stopped.notes] == ["4 batches"]
        stage(log, first)
        log.bind(PIPELINE, TABLE, "uuid-1")
        commit(log, [one_staged(log)])
        assert len(others) == 3
        assert view(log_dsn, PIPELINE)[0].notes == ()
        sql(log_dsn, "UPDATE lakelock.parts SET staged_at = now() - interval '1 hour' WHERE state = 'committed'")
        assert [note.text[:9] for note in view(log_dsn, PIPELINE)[0].notes] == ["3 batches"]


def test_dead_letters_that_became_rows_are_not_reported_any_more(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        batch = plan(log, (source(), 0, 100))
        stage(log, batch, part(batch, dead=3), dead_letters(batch, count=3))
        for table, snapshot_id in ((DEAD_LETTERS, 10), (TABLE, 11)):
            log.bind(PIPELINE, table, f"uuid of {table}")
            commit(log, [one_staged(log, table)], version_id=snapshot_id)
    for redriven, left in (("10-12", 1), ("10-12,50-51", 0)):
        ledger = json.dumps({"id-of-orders": {"topic": "orders", "0": f"0|0-100|97,3||{redriven}"}})
        text = "UPDATE lakelock.tables SET ledger = jsonb_set(ledger::jsonb, '{coverage}', to_jsonb(%s::text))::json WHERE table_name = %s"
        sql(log_dsn, text, ledger, TABLE)
        (found,) = view(log_dsn, PIPELINE)
        assert {t.table: t.dead_letters for t in found.tables} == {TABLE: left, DEAD_LETTERS: 0}


DAY_S = 86_400.0


def shown(dsn: str, seen: Sights, name: str = "p1") -> list[IncidentKind]:
    """The kinds of alerts of a pipeline of which the watch saw this last."""
    with PostgresLog(dsn) as log:
        log.saw(name, seen)
        assert log.sights(name) == seen
    (found,) = view(dsn, name)
    return [a.kind for a in alerts(found, Runs())]


def seen_of(dsn: str, **given: Any) -> Sights:
    """Just now, of a pipeline that runs since a day."""
    with PostgresLog(dsn) as log:
        now_s = log.now().timestamp()
    return Sights(now_s, LatenessLimits(3600, None, 300), now_s - DAY_S, ("lake.p1_t1",), **given)


def test_what_waits_for_a_commit_is_an_alert_and_what_a_rollback_took_out_is_not(
    new_database: Callable[[], str],
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=1, partitions=1, batches=1)
    staged = "UPDATE lakelock.parts SET {} WHERE state = 'staged'"
    assert shown(dsn, seen_of(dsn)) == []
    sql(dsn, staged.format("staged_at = now() - interval '1 day'"))
    assert shown(dsn, seen_of(dsn)) == [IncidentKind.WAITING]
    sql(dsn, staged.format("row_count = 0"))
    assert shown(dsn, seen_of(dsn)) == [], "no run waits for offsets without records"
    sql(dsn, staged.format("row_count = 5, restaged = true"))
    assert shown(dsn, seen_of(dsn)) == []
    (found,) = view(dsn, "p1")
    assert found.tables[0].staged.parts == 1


def test_a_pipeline_that_no_watch_ever_checked_says_so(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=2, partitions=1, batches=1)
    assert alerts(view(dsn, "p1")[0], Runs()) == ()
    sql(dsn, "UPDATE lakelock.tables SET bound_at = now() - interval '1 hour' WHERE table_name = 'lake.p1_t2'")
    assert [a.kind for a in alerts(view(dsn, "p1")[0], Runs())] == [IncidentKind.UNWATCHED]


def test_what_was_planned_long_ago_is_late_unless_it_is_read_again(log_dsn: str) -> None:
    with PostgresLog(log_dsn) as log:
        plan(log, (source(), 0, 100))
    sql(log_dsn, "UPDATE lakelock.batches SET planned_at = now() - interval '1 day'")
    assert shown(log_dsn, seen_of(log_dsn), PIPELINE) == [IncidentKind.LAG]
    sql(log_dsn, "UPDATE lakelock.batches SET lane = 'redo-1'")
    assert shown(log_dsn, seen_of(log_dsn), PIPELINE) == []


def test_what_tables_have_passed_since_the_watch_looked_is_read_where_it_matters(
    new_database: Callable[[], str],
) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=2, partitions=1, batches=1)
    at = Source("topic1", _topic_id(dsn), 0)
    long_ago_s = seen_of(dsn).at_s - DAY_S
    for unread, end, reported in ((0, STEP, []), (STEP, STEP + 1, [IncidentKind.LAG])):
        ends = ((end, long_ago_s),)
        seen = seen_of(
            dsn, unread={at: Unread(unread, long_ago_s, ends)}, hanging={at: HangingTransaction(unread, long_ago_s)}
        )
        assert shown(dsn, seen) == [*reported, *([IncidentKind.HANGING] if reported else [])]
    # A table that is no longer in the file holds nothing back.
    sql(dsn, "UPDATE lakelock.tables SET ledger = NULL WHERE table_name = 'lake.p1_t2'")
    assert view(dsn, "p1")[0].reached == {at: STEP}
    fresh = seen_of(dsn, unread={at: Unread(0, None, ((STEP, seen_of(dsn).at_s),))})
    assert shown(dsn, fresh) == []
    assert view(dsn, "p1")[0].reached == {}, "a ledger takes time to decode"


def _topic_id(dsn: str) -> str:
    ((found, *_),) = {tuple(r.values()) for r in sql(dsn, "SELECT DISTINCT topic_id FROM lakelock.streams")}
    return str(found)


def test_a_commit_that_is_skipped_says_when_it_is_due(log_dsn: str) -> None:
    limits = {"commit": {"max_latency": "1m", "min_bytes": 1 << 20}}
    with PostgresLog(log_dsn) as log:
        stage(log, plan(log, (source(), 0, 100), config=limits))
        due = {t.table: t.due_in_s for t in view(log_dsn, PIPELINE)[0].tables}
        assert due == {TABLE: 0.0}, "the first commit of a table waits for nothing"
        log.bind(PIPELINE, TABLE, "uuid-1")
        commit(log, [one_staged(log)], version_id=1)
        (table,) = view(log_dsn, PIPELINE)[0].tables
        assert table.due_in_s is None
        stage(log, plan(log, (source(), 100, 200), config=limits))
        (table,) = view(log_dsn, PIPELINE)[0].tables
        assert table.due_in_s is not None
        assert 50 < table.due_in_s <= 60
        sql(log_dsn, "UPDATE lakelock.parts SET row_count = 0 WHERE state = 'staged'")
        (table,) = view(log_dsn, PIPELINE)[0].tables
        assert (table.due_in_s or 0) > 60, "offsets without records may wait longer"
        sql(log_dsn, "UPDATE lakelock.parts SET row_count = 1, size_bytes = 1 << 20 WHERE state = 'staged'")
        assert view(log_dsn, PIPELINE)[0].tables[0].due_in_s == 0


def test_of_one_table_no_other_ledger_is_decoded(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=1, tables=2, partitions=1, batches=1)
    sql(dsn, "UPDATE lakelock.tables SET ledger = '{}' WHERE table_name = 'lake.p1_t2'")
    with PostgresLog(dsn) as log:
        assert list(log.ledgers("p1", ["lake.p1_t1"])) == ["lake.p1_t1"]
        with pytest.raises(KeyError):
            log.ledgers("p1")


def test_a_log_without_a_schema_is_reported(wal_dsn: str) -> None:
    with pytest.raises(WalUnusable, match="no write-ahead log yet"):
        view(wal_dsn, "p1")


def test_no_statement_reads_all_that_was_ever_committed(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=20, tables=2, partitions=10, batches=60)
    names: dict[str, object] = {"pipelines": ["p1"], "tables": ["lake.p1_t1", "lake.p1_t2"]}
    keys: dict[str, dict[str, object]] = {
        "pipelines": names,
        "chosen": {
            **names,
            **choice_key(TableChoice(find="t", in_pipelines=True, most=50), ["p1"], {}, {}),
        },
        "tables": names,
        "decisions": {"pipeline": "p1"},
        "settings": names,
        "open_parts": names,
        "open_batches": {**names, "limit": 500, "ranges": 5},
        "last_staged": {**names, "within_s": 300},
        "last_parts": names,
        # What landed in the last hour is a short span of a long history here.
        "last_hour": {**names, "window_s": 300, "bucket_s": 25},
        "last_dead_letters": {**names, "window_s": 300},
        "assigned": {"pipelines": ["p1"]},
        "redriven": {"of": ["p1"], "tables": ["lake.p1_t1"]},
        "fences": {"pipeline": "p1", "limit": 10},
        "table_batches": {"pipeline": "p1", "table": "lake.p1_t1", "limit": 300},
        "parts_with_offset": {
            "pipeline": "p1",
            "table": "lake.p1_t1",
            "topic": "topic1",
            "partition": 3,
            "offset": 4_000,
        },
    }
    every = {**queries("page"), **queries("redrive")}
    assert keys.keys() == every.keys()
    scans = {}
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        for name, key in keys.items():
            rows = connection.execute(b"EXPLAIN " + every[name], key).fetchall()
            text = "\n".join(row["QUERY PLAN"] for row in rows)
            if re.search(r"Seq Scan on (ranges|parts|files|books)\b", text):
                scans[name] = text
    assert not scans, "\n\n".join(f"{name}:\n{text}" for name, text in scans.items())


def test_of_thousands_of_tables_those_that_are_behind_come_first(new_database: Callable[[], str]) -> None:
    dsn = new_database()
    fill(dsn, pipelines=2, tables=3_000, partitions=1, batches=1)
    # All parts are a few seconds old but those of three tables, of which one has waited longest.
    sql(dsn, "UPDATE lakelock.parts SET staged_at = clock_timestamp() WHERE state = 'staged'")
    for table, hours in (("lake.p1_t2500", 3), ("lake.p1_t7", 1), ("lake.p1_t2999", 2)):
        ago = f"clock_timestamp() - interval '{hours} hours'"
        sql(dsn, f"UPDATE lakelock.parts SET staged_at = {ago} WHERE state = 'staged' AND table_name = '{table}'")

    def names(pipeline: str, **choice: Any) -> list[str]:
        with closing(LogReader(dsn)) as reader:
            (found,) = reader.overview([pipeline], TableChoice(**choice))[1]
        assert found.table_count == 3_000
        assert found.behind == (3 if pipeline == "p1" else 0)
        return [t.table for t in found.tables]

    late = ["lake.p1_t2500", "lake.p1_t2999", "lake.p1_t7"]
    assert names("p1", most=5) == [*late, "lake.p1_t1", "lake.p1_t10"]
    assert names("p1", most=2, skip=2) == ["lake.p1_t7", "lake.p1_t1"]
    assert names("p1", most=4, order=TableOrder.NAME) == ["lake.p1_t1", "lake.p1_t10", "lake.p1_t100", "lake.p1_t1000"]
    assert names("p1", most=3, order=TableOrder.LATEST) == late
    assert names("p1", find="T250", most=3) == ["lake.p1_t2500", "lake.p1_t250", "lake.p1_t2501"]
    assert names("p1", only="lake.p1_t12") == ["lake.p1_t12"]
    assert names("p1", find="nosuch") == []
    assert len(names("p2", find="p2 lake", in_pipelines=True, most=50)) == 50
    with closing(LogReader(dsn)) as reader:
        (found,) = reader.overview(["p1"], TableChoice("t250", most=3))[1]
        assert found.found == 11
        # A table that was dropped is among the first, whatever waits for it.
        gone = {"lake.p1_t42": Gone("it was dropped", 0.0)}
        with PostgresLog(dsn) as log:
            log.saw("p1", Sights(0.0, LatenessLimits(60.0, None, 300.0), 0.0, gone=gone))
        (found,) = reader.overview(["p1"], TableChoice(most=10))[1]
        assert "lake.p1_t42" in {t.table for t in found.tables}
        assert found.behind == 4
