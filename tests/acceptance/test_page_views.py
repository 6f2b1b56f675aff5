"""What the page says of a table beside the truth: Kafka's offsets, the table's own metadata, the files as DuckDB reads them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import duckdb
import pytest
from fastapi import HTTPException
from kits.page_log import PageAnswers, dead_letters
from kits.topics import new_producer, produce
from kits.world import World, file_of, open_with, write_next
from lakelock.errors import Unreachable
from lakelock.model.ledger import Mode
from lakelock.model.valid_through import text
from lakelock.page import page_sources, schema_answers, table_answers
from lakelock.page.page_sources import Sources
from pyiceberg.catalog.sql import SqlCatalog
from sqlalchemy.pool import QueuePool

pytestmark = pytest.mark.drawn(0.15, about="page/")

# The last one was compressed by its producer, and the pipeline's file does not say so.
SHOWN = ['<img src=x onerror="alert(1)">', '{"id": "text"}', '{"id": 7}']
BAD = [SHOWN[0].encode(), SHOWN[1].encode(), gzip.compress(SHOWN[2].encode(), mtime=0)]
CAUSES = [("not a JSON object", None), ("text for a long", "id"), ("not UTF-8", None)]
UNREAD = 7


@pytest.fixture
def answers(near: World) -> PageAnswers:
    """20 records and three dead letters in two commits, then 60 records in a third, and some that no run has read yet."""
    near.produce(0, BAD)
    near.run()
    near.produce(60)
    near.run()
    near.produce(UNREAD)
    return PageAnswers(near)


def test_the_lag_is_what_kafka_has_and_the_table_has_not(answers: PageAnswers) -> None:
    world = answers.world
    with closing(world.runtime()) as runtime:
        sources = runtime.broker.sources([world.topic])
        spans = runtime.broker.watermarks(sources)
        ledger = runtime.tables.load(world.table).ledger
    assert ledger is not None
    found = answers.lag()
    assert found["lag_offsets"] == UNREAD
    assert found["tables"] == {world.table: UNREAD}
    assert found["lag_s"] > 0
    assert found["retention_left_s"] > 86_400
    assert [row[:5] for row in found["sources"]] == [
        [s.topic, s.partition, spans[s].low_offset, spans[s].end_offset, ledger.coverage[s].prefix_end] for s in sources
    ]


def test_partitions_and_batches_are_as_far_as_rows_and_dead_letters_go(answers: PageAnswers) -> None:
    world = answers.world
    taken = Counter([p for p, _ in world.files_by_offset()] + [p for p, _, _ in dead_letters(world)])
    pipeline, table = answers.pipeline(), answers.table()
    assert pipeline["sources"] == [[world.topic, p, 0, taken[p], taken[p]] for p in (0, 1)]
    assert (pipeline["batches"], pipeline["notes"]) == ([], [])
    assert [(b["rows"], b["dead_letters"]) for b in table["batches"]] == [(60, 0), (0, len(BAD)), (20, 0)]
    assert (table["written"], table["dead"], table["open_offsets"]) == (80, len(BAD), 0)
    current = world.catalog.load_table(world.table).current_snapshot()
    assert current is not None
    assert table["version_id"] == str(current.snapshot_id)
    assert current.summary is not None
    assert text(table["valid_through_ms"]) == current.summary["lakelock.valid-through"]


def test_snapshots_are_the_tables_own_with_ranges_that_leave_nothing_out(answers: PageAnswers) -> None:
    table = answers.world.catalog.load_table(answers.world.table)
    found = answers.of_table("snapshots", 100)
    assert [s["snapshot_id"] for s in found["snapshots"]] == [str(s.snapshot_id) for s in reversed(table.snapshots())]
    assert [s["kind"] for s in found["snapshots"]] == ["commit", "commit", "commit", "adoption"]
    assert (found["total"], found["detached"]) == (4, False)
    assert [s["snapshot_id"] for s in answers.of_table("snapshots", 2)["snapshots"]] == [
        s["snapshot_id"] for s in found["snapshots"][:2]
    ]
    reached: Counter[int] = Counter()
    for snapshot in reversed(found["snapshots"]):
        for r in snapshot["ranges"]:
            assert r["start"] == reached[r["partition"]]
            reached[r["partition"]] = r["end"]
    books = [r for s in found["snapshots"] for r in s["ranges"]]
    assert (sum(r["written"] for r in books), sum(r["dead"] for r in books)) == (80, len(BAD))
    assert sum(reached.values()) == 80 + len(BAD)


def test_where_an_offset_is(answers: PageAnswers) -> None:
    world = answers.world
    files, dead = world.files_by_offset(), {(p, o) for p, o, _ in dead_letters(world)}
    snapshots = answers.of_table("snapshots", 100)["snapshots"]
    ends = {p: max(o for q, o in [*files, *dead] if q == p) + 1 for p in (0, 1)}
    for partition, offset in [*dead, *list(files)[::20], *ends.items()]:
        found = answers.of_table("where", world.topic, partition, offset)
        (source,) = found["sources"]
        if offset == ends[partition]:
            assert (source["standing"], source["snapshot"], found["files"]) == ("not_yet", None, [])
            continue
        became = "dead_letter" if (partition, offset) in dead else "row"
        assert (source["standing"], source["became"], source["expired"]) == ("covered", became, False)
        assert [f["path"] for f in found["files"]] == ([files[partition, offset]] if became == "row" else [])
        brought = {
            s["snapshot_id"]
            for s in snapshots
            for r in s["ranges"]
            if r["partition"] == partition and r["start"] <= offset < r["end"]
        }
        assert {source["snapshot"]["snapshot_id"]} == brought
        (batch,) = found["batches"]
        assert batch["state"] == "committed"
        assert batch["start_offset"] <= offset < batch["end_offset"]
    unknown = answers.of_table("where", "nosuch", 0, 1)
    assert (unknown["sources"], unknown["batches"]) == ([], [])


def test_each_rollback_is_reported_with_who_and_why_also_after_one_that_went_back_further(answers: PageAnswers) -> None:
    world = answers.world
    for who, mode in (("ann", Mode.SKIP), ("bob", Mode.RECOMMIT)):
        with closing(world.runtime()) as runtime:
            # The second goes back to before the first one's own snapshot.
            snapshots = runtime.tables.load(world.table).handle.metadata.snapshots  # type: ignore[attr-defined]
            to = str(snapshots[1].snapshot_id if who == "bob" else snapshots[2].snapshot_id)
            planned = runtime.rollbacks.preview(world.table, to, mode)
            runtime.rollbacks.roll_back(world.table, to, mode, who, f"why {who} did", planned.shown)
    world.run()
    reported = answers.of_table("snapshots", 100)["rollbacks"]
    assert [line.partition(", ")[2] for line in (r["line"] for r in reported)] == [
        "recommit, by bob: why bob did",
        "skip, by ann: why ann did",
    ]
    assert reported[0]["timestamp_ms"] > reported[1]["timestamp_ms"]


def test_what_a_rollback_left_out_is_reported_so(answers: PageAnswers) -> None:
    world = answers.world
    last = max(o for p, o in world.files_by_offset() if p == 0)
    with closing(world.runtime()) as runtime:
        planned = runtime.rollbacks.preview(world.table, "last:1", Mode.SKIP)
        back_to = str(planned.to.id)
        runtime.rollbacks.roll_back(world.table, back_to, Mode.SKIP, "somebody", "a try", planned.shown)
    (source,) = answers.of_table("where", world.topic, 0, last)["sources"]
    assert (source["standing"], source["became"]) == ("skipped", None)
    assert source["snapshot"]["kind"] == "rollback"
    assert answers.of_table("snapshots", 1)["snapshots"][0]["kind"] == "rollback"
    assert "by somebody: a try" in answers.table()["rollback"]


def test_files_are_those_in_storage_and_each_reports_its_offsets(answers: PageAnswers) -> None:
    by_file: dict[str, list[tuple[int, int]]] = {}
    for at, path in answers.world.files_by_offset().items():
        by_file.setdefault(path, []).append(at)
    found = answers.of_table("files", 50)
    sizes = {p: Path(p.removeprefix("file://")).stat().st_size for p in by_file}
    assert {f["path"]: f["size_bytes"] for f in found["files"]} == sizes
    assert (found["sizes"]["files"], found["sizes"]["small"]) == (len(sizes), len(sizes))
    assert (found["sizes"]["size_bytes"], found["rows"]) == (sum(sizes.values()), 80)
    for file in found["files"]:
        offsets = by_file[file["path"]]
        assert (file["first_offset"], file["last_offset"]) == (min(o for _, o in offsets), max(o for _, o in offsets))
        reported = answers.of_table("file", file["path"])["offsets"]
        assert [(h["partition"], h["first_offset"], h["last_offset"], h["rows"]) for h in reported] == [
            (p, min(os), max(os), len(os)) for p in (0, 1) if (os := [o for q, o in offsets if q == p])
        ]
    for path in ("/etc/hostname", "file:///etc/hostname", "s3://other/file.parquet"):
        with pytest.raises(HTTPException) as refused:
            answers.of_table("file", path)
        assert refused.value.status_code == 404


def test_dead_letters_are_counted_by_cause_and_shown_as_they_were_sent(answers: PageAnswers) -> None:
    found = answers.dead_letters(True)
    assert {(c["kind"], c["field"]): c["count"] for c in found["causes"]} == dict.fromkeys(CAUSES, 1)
    assert {c["example"] for c in found["causes"]} == {r for _, _, r in dead_letters(answers.world)}
    assert {(s["partition"], s["offset"], s["reason"]) for s in found["sample"]} == set(dead_letters(answers.world))
    assert {s["value"] for s in found["sample"]} == set(SHOWN)
    assert {s["value"]: s["codec"] for s in found["sample"] if s["codec"]} == {SHOWN[2]: "gzip"}
    assert all(s["is_whole"] for s in found["sample"])


def test_the_dead_letter_tables_own_page_has_the_same_causes_and_names_the_table_of_each(answers: PageAnswers) -> None:
    own, (table,) = answers.dead_letters(True), [t.table for t in answers.opened.view.tables if t.is_dead_letter_table]
    served = answers.dead_letters(True, table)
    assert {c["target"] for c in served["causes"]} == {answers.world.table}
    for key in ("causes", "sample", "redriven", "files"):
        assert served[key] == own[key], key
    assert answers.dead_letters(False, table)["causes"] == answers.dead_letters(False)["causes"]


def test_the_dead_letter_tables_page_counts_each_table_apart(
    answers: PageAnswers, new_topic: Callable[..., str]
) -> None:
    """A second table takes a second topic: the same offsets of the same partitions are dead letters of both."""
    world, second = answers.world, f"{answers.world.namespace}.second"
    topic = new_topic(2)
    produce(new_producer(world.connections["kafka_default"].extra["bootstrap.servers"]), topic, [b'{"id": 1}', *BAD])
    text = f"{{name: {second}, topics: [{topic}], columns: {{id: long}}}}"
    rest = f"dead_letters: {{table: {answers.opened.planned().dead_letter_table}}}\n"
    both = file_of(
        replace(world, topic=f"{world.topic}, {topic}"),
        f"{{name: {world.table}, topics: [{world.topic}]}}",
        text,
        rest=rest,
    )
    with open_with(world, both) as runtime:
        write_next(runtime)
        runtime.commit([t.name for t in runtime.pipeline.tables] + [runtime.pipeline.dead_letter_table], now=True)
    served = answers.dead_letters(True, answers.opened.planned().dead_letter_table)
    counted = Counter[str]()
    for cause in served["causes"]:
        counted[cause["target"]] += cause["count"]
    assert counted == {world.table: len(BAD), second: len(BAD)}
    assert {s["target"] for s in served["sample"]} == {world.table, second}
    assert {s["target"] for s in answers.dead_letters(True, second)["sample"]} == {second}


def test_columns_and_layout_are_the_tables_own(answers: PageAnswers) -> None:
    table = answers.world.catalog.load_table(answers.world.table)
    found = answers.schema("definition", answers.sources.snippets(answers.opened, answers.world.table))
    assert [(c["name"], c["type"], c["required"]) for c in found["columns"]] == [
        (f.name, str(f.field_type), f.required) for f in table.schema().fields
    ]
    assert (found["layout"], found["location"]) == ("not partitioned", table.location())
    assert found["column_count"] == len(table.schema().fields)


def rows_by_duckdb(
    answers: PageAnswers, table: str, files: Sequence[str], columns: Sequence[str]
) -> list[tuple[str | None, ...]]:
    """Of *files* of the table, as text that DuckDB makes."""
    live = {task.file.file_path for task in answers.world.catalog.load_table(table).scan().plan_files()}
    assert set(files) <= live
    texts = ", ".join(f'CAST("{c}" AS VARCHAR)' for c in columns)
    paths = [f.removeprefix("file://") for f in files]
    rows: list[tuple[str | None, ...]] = duckdb.sql(f"SELECT {texts} FROM read_parquet({paths!r})").fetchall()
    return rows


def test_sample_rows_are_the_newest_files_rows_as_duckdb_reads_them(answers: PageAnswers) -> None:
    world = answers.world
    found = answers.schema("rows", True)
    assert len(found["rows"]) == schema_answers.ROWS_SHOWN
    assert (found["why_few"], found["fields_left_out"]) == ("", 0)
    columns = ["id", "note", "_kafka_partition", "_kafka_offset"]
    there = rows_by_duckdb(answers, world.table, found["files"], columns)
    places = [found["columns"].index(c) for c in columns]
    shown = [tuple(row[n] for n in places) for row in found["rows"]]
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(there)
    newest = max(world.catalog.load_table(world.table).snapshots(), key=lambda s: s.timestamp_ms)
    added = {
        e.data_file.file_path
        for m in newest.manifests(world.catalog.load_table(world.table).io)
        if m.added_snapshot_id == newest.snapshot_id
        for e in m.fetch_manifest_entry(world.catalog.load_table(world.table).io)
    }
    assert set(found["files"]) <= added


def test_sample_rows_of_dead_letters_have_the_value_as_hex(answers: PageAnswers) -> None:
    table = answers.opened.planned().dead_letter_table
    found = answers.schema("rows", True, table=table)
    at = found["columns"].index("value")
    assert {row[at] for row in found["rows"]} == {f"0x{b.hex()}" for b in BAD}
    assert found["why_few"] == ""


def test_who_may_read_no_logs_sees_columns_and_no_row_is_read(
    answers: PageAnswers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_answers, "sample", lambda *_: pytest.fail("rows were read"))
    hidden = answers.schema("rows", False)
    assert (hidden["hidden"], hidden["rows"], hidden["columns"], hidden["files"]) == (True, [], [], [])


def test_a_user_who_may_read_no_logs_sees_kinds_and_counts_alone(answers: PageAnswers) -> None:
    hidden = answers.dead_letters(False)
    assert (hidden["sample"], hidden["hidden"]) == ([], True)
    assert {(c["field"], c["example"]) for c in hidden["causes"]} == {(None, None)}
    assert {c["kind"]: c["count"] for c in hidden["causes"]} == {kind: 1 for kind, _ in CAUSES}
    reported = json.dumps(hidden)
    assert not [r for _, _, r in dead_letters(answers.world) if r in reported]


@pytest.fixture
def shared(answers: PageAnswers, new_topic: Callable[..., str]) -> PageAnswers:
    """Another pipeline puts another topic into the same table, with a dead letter of its own."""
    other = Beside(**{f.name: getattr(answers.world, f.name) for f in fields(answers.world)} | {"name": "beside"})
    other.beside, other.topic = answers.world.table, new_topic(2)
    dead_letters_of_both = f"dead_letters: {{table: {answers.opened.planned().dead_letter_table}}}\n"
    other.settings = dead_letters_of_both
    other.produce(10, [b"of the other"])
    other.run()
    with closing(other.runtime()) as runtime:
        runtime.commit([runtime.pipeline.dead_letter_table], now=True)
    return answers


class Beside(World):
    """A world whose pipeline has another's table."""

    beside = ""

    @property
    def table(self) -> str:
        return self.beside


def test_in_a_table_that_pipelines_share_no_row_is_taken_for_ones_own(shared: PageAnswers) -> None:
    (source,) = shared.of_table("where", shared.world.topic, 0, 3)["sources"]
    assert (source["standing"], source["became"]) == ("covered", "unknown")
    assert shared.of_table("where", shared.world.topic, 0, 3)["files"] == []
    assert {s["value"] for s in shared.dead_letters(True)["sample"]} == set(SHOWN)
    assert len(dead_letters(shared.world)) == len(BAD) + 1
    # The other's commit is the newest, of ten rows.
    for table in (None, shared.opened.planned().dead_letter_table):
        found = shared.schema("rows", True, table=table)
        topics = [row[found["columns"].index("topic")] for row in found["rows"]] if table else []
        assert set(topics) <= {shared.world.topic}
        ids = set() if table else {row[found["columns"].index("id")] for row in found["rows"]}
        assert ids <= {str(n) for n in range(20, 80)}
        assert found["rows"]


def test_with_two_topics_no_row_is_taken_for_one_of_both(answers: PageAnswers, new_topic: Callable[..., str]) -> None:
    first, second = answers.world.topic, new_topic(2)
    answers.world.topic = second
    answers.world.produce(4)
    answers.world.topic = f"{first}, {second}"
    answers.world.run()
    found = answers.of_table("where", first, 0, 3)
    assert [(s["standing"], s["became"]) for s in found["sources"]] == [("covered", "unknown")]
    assert found["files"] == []
    dead = next((p, o) for p, o, _ in dead_letters(answers.world))
    assert answers.of_table("where", first, *dead)["sources"][0]["became"] == "dead_letter"


def test_after_a_rollback_by_hand_the_ledger_is_not_taken_for_the_table(answers: PageAnswers) -> None:
    table = answers.world.catalog.load_table(answers.world.table)
    back_to = table.snapshots()[-2].snapshot_id
    table.manage_snapshots().set_current_snapshot(back_to).commit()
    found = answers.of_table("where", answers.world.topic, 0, 3)
    assert found["detached"]
    assert [(s["standing"], s["became"]) for s in found["sources"]] == [("covered", "unknown")]


def test_a_silent_log_is_no_reason_to_leave_kafka_alone(answers: PageAnswers) -> None:
    nowhere = replace(answers.world.connections["lakelock_postgres"], conn_id="silent", host="127.0.0.1", port=1)
    answers.world.connections["silent"] = nowhere
    with pytest.raises(Unreachable):
        answers.sources.status(replace(answers.opened, conn_id="silent"))
    assert answers.lag()["lag_offsets"] == UNREAD


def idle(catalog: SqlCatalog) -> int:
    pool = catalog.engine.pool
    assert isinstance(pool, QueuePool)
    return pool.checkedin()


def test_pipelines_share_the_connections_to_a_catalog_and_old_ones_are_closed(
    answers: PageAnswers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_sources, "MOST_CATALOGS", 1)
    opened, catalog_id = answers.opened, answers.opened.planned().catalog.conn_id
    other = replace(opened, pipeline=opened.planned().model_copy(update={"name": "other"}))
    first = answers.sources.tables(opened).catalog
    assert isinstance(first, SqlCatalog)
    assert answers.sources.tables(other).catalog is first
    first.list_tables(answers.world.namespace)
    assert idle(first) == 1
    known = answers.world.connections[catalog_id]
    changed = Sources(["lakelock_postgres"], lambda conn_id, team: answers.world.connections[conn_id])
    changed._catalogs = answers.sources._catalogs
    answers.world.connections[catalog_id] = replace(known, extra={**known.extra, "pool_timeout": "31"})
    assert changed.tables(opened).catalog is not first
    assert idle(first) == 0


def test_a_table_of_another_pipeline_is_none_of_this_one(answers: PageAnswers) -> None:
    opened = answers.opened
    with pytest.raises(HTTPException) as refused:
        table_answers.snapshots(opened, "another.table", answers.sources.tables(opened), 1)
    assert refused.value.status_code == 404
