"""What runs every few seconds reads by index, however much finished detail lies around."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from kits.wal import PIPELINE, TABLE, part, plan, source, sql, stage
from lakelock.adapters.wal import PostgresLog
from lakelock.adapters.wal.queries import queries
from psycopg.rows import dict_row

FINISHED = 20_000


@pytest.fixture
def log(log_dsn: str) -> Iterator[PostgresLog]:
    """20,000 committed batches of one part, range and file, and 5 staged ones of 20 files."""
    with PostgresLog(log_dsn) as log:
        plan(log, starts={source(): 0, source(1): 0})
        stage(log, plan(log, (source(1), 0, 10)))
        sql(
            log_dsn,
            f"""
            INSERT INTO lakelock.batches (batch_id, pipeline, lane, config_digest)
            SELECT gen_random_uuid(), CASE WHEN i % 4 = 0 THEN '{PIPELINE}' ELSE 'other' || i % 4 END, 'live', 'digest-1'
            FROM generate_series(1, {FINISHED}) i;
            INSERT INTO lakelock.ranges (batch_no, stream_id, offsets)
            SELECT batch_no, (SELECT min(stream_id) FROM lakelock.streams), int8range(1000 + batch_no, 1001 + batch_no)
            FROM lakelock.batches b WHERE NOT EXISTS (SELECT FROM lakelock.ranges r WHERE r.batch_no = b.batch_no);
            INSERT INTO lakelock.parts (batch_no, pipeline, table_name, topics, state, attempt, table_uuid, generation,
                layout, staged_at, finished_at)
            SELECT batch_no, pipeline, '{TABLE}', ARRAY['orders'], 'committed', 'a', 'u', 0, 'l', now(),
                now() + batch_no * interval '1 ms'
            FROM lakelock.batches b WHERE NOT EXISTS (SELECT FROM lakelock.parts p WHERE p.batch_no = b.batch_no);
            INSERT INTO lakelock.files SELECT part_id, 1, 'file:///' || part_id, 1, 1 FROM lakelock.parts
            WHERE state = 'committed';
            INSERT INTO lakelock.books (part_id, range_id, read_count, written_count, dead_count, filtered_count)
            SELECT part_id, range_id, 1, 1, 0, 0 FROM lakelock.parts JOIN lakelock.ranges USING (batch_no)
            WHERE parts.state = 'committed'
            """,
        )
        for start in range(0, 50, 10):
            batch = plan(log, (source(), start, start + 10))
            stage(log, batch, part(batch, files=20))
        plan(log, (source(), 50, 60))
        sql(log_dsn, "ANALYZE")
        yield log


HOT: dict[tuple[str, str], dict[str, Any]] = {
    ("read", "newest_config"): {"pipeline": PIPELINE},
    ("read", "streams"): {"pipeline": PIPELINE, "lane": "live"},
    ("read", "planned_batches"): {"pipeline": PIPELINE},
    ("read", "batches"): {"batch_nos": [1, 2]},
    ("read", "ranges"): {"batch_nos": [1, 2]},
    ("read", "staged_parts"): {"pipeline": PIPELINE, "tables": [TABLE]},
    ("read", "staged_file_counts"): {"pipeline": PIPELINE, "tables": [TABLE]},
    ("read", "tables_to_commit"): {"pipeline": PIPELINE, "tables": [TABLE]},
    ("read", "files"): {"part_ids": [1, 2, 3]},
    ("read", "books"): {"part_ids": [1, 2, 3]},
    ("read", "staged_tables"): {"pipeline": PIPELINE},
    ("read", "recent"): {"pipeline": PIPELINE, "limit": 20},
    ("read", "declared_starts"): {"pipeline": PIPELINE, "lane": "live", "table": TABLE},
    ("attempt", "lock_batch"): {"batch_id": "00000000-0000-0000-0000-000000000000"},
    ("attempt", "heartbeat"): {"batch_id": "00000000-0000-0000-0000-000000000000", "attempt": "a", "progress": None},
    ("stage", "parts_of_batch"): {"batch_no": 1},
    ("stage", "ranges_of_batch"): {"batch_no": 1},
    ("stage", "ranges_to_end"): {"batch_no": 1},
    ("read", "paces"): {"pipeline": PIPELINE},
    ("read", "has_ledger"): {"pipeline": PIPELINE, "table": TABLE},
    ("mark", "lock_batches"): {"batch_ids": ["00000000-0000-0000-0000-000000000000"]},
    ("mark", "commit_parts"): {
        "table": TABLE,
        "version_id": 1,
        "commit_id": "c",
        "batch_nos": [1],
        "part_ids": [1],
        "targets": [""],
        "attempts": ["a"],
        "generations": [0],
    },
    ("read", "unclosed_ranges"): {"pipeline": PIPELINE, "with_backfills": True},
    ("routes", "sources"): {"pipeline": PIPELINE},
    ("routes", "has_other_unclosed"): {"pipeline": PIPELINE, "batch_id": "00000000-0000-0000-0000-000000000000"},
    ("routes", "open_ranges"): {"pipeline": PIPELINE, "tables": [TABLE]},
    ("routes", "decided"): {"pipeline": PIPELINE},
    ("routes", "open_tables"): {"pipeline": PIPELINE},
    ("read", "open_parts"): {"pipeline": PIPELINE},
    ("routes", "lately_routed"): {"pipeline": PIPELINE, "batches": 20, "most": 100},
    ("mark", "committed_routed"): {"batch_no": 1},
    ("fold", "drop_books"): {"batch_nos": [1, 2]},
    ("fold", "drop_files"): {"batch_nos": [1, 2]},
}
LARGE = ("batches", "ranges", "parts", "files", "books")


def test_hot_queries_never_scan_the_large_tables(log: PostgresLog, log_dsn: str) -> None:
    scans = {}
    with psycopg.connect(log_dsn, row_factory=dict_row) as connection:
        for (file, name), values in HOT.items():
            rows = connection.execute(b"EXPLAIN " + queries(file)[name], values).fetchall()
            text = "\n".join(row["QUERY PLAN"] for row in rows)
            if found := re.findall(rf"Seq Scan on ({'|'.join(LARGE)})\b", text):
                scans[name] = (found, text)
    assert not scans, "\n\n".join(f"{name}: {found}\n{text}" for name, (found, text) in scans.items())
    assert len(log.staged(PIPELINE, TABLE)) == 6


def test_the_last_commits_of_each_table_are_found_by_their_index(log: PostgresLog, log_dsn: str) -> None:
    """A pipeline has hundreds of tables, and a page asks for all of them: what one has kept is not gone through for each."""
    sql(
        log_dsn,
        f"""
        UPDATE lakelock.parts SET table_name = table_name || part_id % 200 WHERE state = 'committed';
        INSERT INTO lakelock.tables (pipeline, table_name) SELECT '{PIPELINE}', '{TABLE}' || i FROM generate_series(0, 199) i;
        ANALYZE
        """,
    )
    with psycopg.connect(log_dsn) as connection:
        key = {"pipelines": [PIPELINE], "tables": [f"{TABLE}{n}" for n in range(200)]}
        plan = connection.execute(b"EXPLAIN " + queries("page")["last_parts"], key).fetchall()
    text = "\n".join(row[0] for row in plan)
    assert text.count("parts_committed") == 2, text
    assert "parts_finished" not in text, text


def test_a_few_of_thousands_of_tables_are_found_by_an_index(log: PostgresLog, log_dsn: str) -> None:
    sql(
        log_dsn,
        f"""
        INSERT INTO lakelock.tables (pipeline, table_name, raw_name, table_uuid, topics)
        SELECT '{PIPELINE}', '{TABLE}' || i, i, 'u', ARRAY['t'] FROM generate_series(1, 5000) i;
        ANALYZE
        """,
    )
    with psycopg.connect(log_dsn) as connection:
        for file, name in (
            ("read", "unsettled"),
            ("read", "dead_letter_tables"),
            ("routes", "retirements"),
            ("routes", "routed_without_parts"),
        ):
            plan = connection.execute(b"EXPLAIN " + queries(file)[name], {"pipeline": PIPELINE}).fetchall()
            text = "\n".join(row[0] for row in plan)
            assert re.search(r"Scan (using|on) tables_(unsettled|without_topics|retired)", text), text


def test_foreign_keys_to_what_is_folded_have_an_index(log: PostgresLog, log_dsn: str) -> None:
    """Without one, deleting a batch reads every row that might point to it."""
    bare = sql(
        log_dsn,
        """
        SELECT c.conrelid::regclass::text AS referrer, a.attname::text AS column_name
        FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.connamespace = 'lakelock'::regnamespace
            AND c.confrelid IN ('lakelock.batches'::regclass, 'lakelock.parts'::regclass, 'lakelock.ranges'::regclass)
            AND NOT EXISTS (
                SELECT FROM pg_index i
                WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1] AND i.indpred IS NULL
            )
        """,
    )
    assert bare == []
