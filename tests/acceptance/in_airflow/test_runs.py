"""What an operator does in Airflow and what it answers: triggers, faults, logs, assets; and no secret anywhere."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import pytest
from kits.live import Live
from kits.shared_airflow import SecretStack
from psycopg import sql
from stack.process import wait_until
from stack.settings import DATABASES

BROKEN = "source: {topics: [never]}\ntabels: [{name: live.never}]\nschedule: {every: 5 minuets}\n"


def shop_of(stack: SecretStack) -> Live:
    """A pipeline that runs every day and keeps staged files for an hour: each other act is a test's."""
    live = Live(stack, "shop", "schedule: {every: 1d}\ncommit: {max_latency: 1h}\n")
    live.world.produce(100)
    return live


PIPELINES = (shop_of,)


@pytest.fixture(scope="module")
def shop(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("shop") as live:
        live.first_run_done()
        yield live


def test_the_first_run_commits_at_once_and_a_later_one_when_it_is_due_or_asked_to(shop: Live) -> None:
    [first] = shop.runs(run_type="scheduled")
    tasks = shop.tasks(first["dag_run_id"])
    assert {name: task["state"] for name, task in tasks.items()} == {
        "plan": "success", "write": "success", "commit": "success", "publish": "success", "done": "success",
    }  # fmt: skip
    said = shop.log(first["dag_run_id"], "write")
    assert re.search(
        r"batch [0-9a-f-]{36}: shop-0 \[0, 50\), shop-1 \[0, 50\): read 100 records of 100 offsets, wrote 100 rows and 0 dead "
        r"letters in \d+ files?, \d+ bytes, \d+\.\d\d s",
        said,
    ), said
    assert shop.rows() == 100

    shop.world.produce(10)
    staged = shop.trigger()
    assert shop.finished(staged)["commit"]["state"] == "skipped"
    assert re.search(
        r"10 staged rows, \d+ bytes, \d+\.\d s old: due in 3[56]\d\d s", shop.log(staged, "commit", map_index=0)
    )
    assert shop.rows() == 100

    run = shop.trigger(commit_now=True)
    tasks = shop.finished(run)
    assert (tasks["write"]["state"], tasks["commit"]["state"]) == ("skipped", "success")
    assert tasks["commit"]["rendered_map_index"] == "live.shop, live.shop__dead_letters"
    said = shop.log(run, "commit", map_index=0)
    assert re.search(r"live\.shop: snapshot \d+: shop-0 \[50, 55\), shop-1 \[50, 55\): 10 rows", said), said
    shop.world.audit()

    snapshot = shop.world.catalog.load_table("live.shop").current_snapshot()

    def events() -> list[dict[str, object]]:
        found: list[dict[str, object]] = shop.api(
            "GET", f"/assets/events?source_dag_id={shop.dag}&source_run_id={quote(run)}"
        )["asset_events"]
        return found

    wait_until(lambda: bool(events()), 120, "the asset event")
    [event] = events()
    assert snapshot is not None
    assert event["uri"] == "iceberg://iceberg_default/live.shop"
    assert event["extra"] == {
        "table": "live.shop", "snapshot_id": snapshot.snapshot_id, "rows": 10, "ranges_omitted": 0, "schema_changes": [],
        "run": f"{shop.dag}/{run}",
        "ranges": [{"topic": "shop", "partition": p, "start": 50, "end": 55} for p in (0, 1)],
    }  # fmt: skip


def test_a_dry_run_records_nothing_and_says_what_it_would_read(shop: Live) -> None:
    shop.world.produce(30)
    before = shop.wal("SELECT * FROM lakelock.batches WHERE pipeline = 'shop' ORDER BY batch_no")
    run = shop.trigger(dry_run=True)
    tasks = shop.finished(run)
    assert tasks["write"]["state"] == "skipped"
    assert "dry run, nothing recorded: shop-0" in shop.log(run, "plan")
    assert shop.wal("SELECT * FROM lakelock.batches WHERE pipeline = 'shop' ORDER BY batch_no") == before


def test_a_run_reads_no_more_than_its_parameter_says(shop: Live) -> None:
    shop.world.produce(30)
    before = shop.rows()
    left = shop.status().lag_offsets - 10
    run = shop.trigger(max_records=10, commit_now=True)
    shop.finished(run)
    assert shop.rows() == before + 10
    assert shop.status().lag_offsets == left
    assert f"10 offsets, {left} left for later batches" in shop.log(run, "plan")
    shop.finished(shop.trigger(commit_now=True))
    assert shop.status().lag_offsets == 0
    shop.world.audit()


def test_a_run_stops_where_its_parameters_say(shop: Live) -> None:
    shop.finished(shop.trigger(commit_now=True))
    shop.world.produce(30)
    before = shop.rows()
    run = shop.trigger(stop_at_time="2000-01-01T00:00:00Z", commit_now=True)
    shop.finished(run)
    assert "before this run's stop" in shop.log(run, "plan")
    assert (shop.rows(), shop.status().lag_offsets) == (before, 30)
    shop.finished(shop.trigger(stop_at_offsets={"shop": {"0": 0}}, commit_tables=["live.shop"]))
    assert (shop.rows(), shop.status().lag_offsets) == (before + 15, 15)
    shop.finished(shop.trigger(commit_now=True))
    assert shop.status().lag_offsets == 0
    shop.world.audit()


@pytest.mark.parametrize(
    ("conf", "reason"),
    [
        ({"max_records": 0}, "less than the minimum"),
        ({"max_records": "many"}, "is not of type"),
        ({"dry_run": "x"}, "boolean"),
        ({"stop_at_time": "noon"}, "does not match"),
        ({"stop_at_time": "2026-01-31T12:00:00"}, "does not match"),
        ({"stop_at_offsets": {"shop": 5}}, "is not of type"),
        ({"commit_tables": ["live.other"]}, "is not one of"),
    ],
)
def test_a_bad_parameter_is_refused_with_the_reason(shop: Live, conf: dict[str, object], reason: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        shop.trigger(**conf)
    assert refused.value.code == 400
    assert reason in "".join(refused.value.__notes__)


def test_a_backfill_of_it_is_refused_and_the_run_beside_it_moves_each_record_once(shop: Live) -> None:
    shop.world.produce(10)
    run = shop.trigger(commit_now=True)
    days = {"from_date": "2026-01-01T00:00:00Z", "to_date": "2026-01-08T00:00:00Z", "reprocess_behavior": "completed"}
    with pytest.raises(urllib.error.HTTPError) as refused:
        shop.api("POST", "/backfills", {"dag_id": "ingest__shop", "max_active_runs": 2, **days})
    assert refused.value.code == 400
    assert "backfill" in "".join(refused.value.__notes__)
    shop.finished(run)
    assert not shop.runs(run_type="backfill")
    shop.world.audit()


def test_a_broken_file_shows_all_its_faults_and_the_good_one_runs_on(shop: Live) -> None:
    shop.write_file("broken.yaml", BROKEN)
    shop.stack.airflow.reparse("pipeline_faults.py")
    wait_until(lambda: "broken.yaml" in shop.import_errors(), 150, "the import error", 0.2)
    said = "".join(e["stack_trace"] for e in shop.api("GET", "/importErrors")["import_errors"])
    assert "broken.yaml:2" in said
    assert "tables" in said
    assert "broken.yaml:3" in said
    shop.world.produce(10)
    shop.finished(shop.trigger(commit_now=True))
    shop.world.audit()
    (shop.pipelines / "broken.yaml").unlink()
    shop.stack.airflow.reparse("pipeline_faults.py")
    wait_until(lambda: "broken.yaml" not in shop.import_errors(), 150, "the import error to go", 0.2)


def test_a_planted_secret_is_nowhere_but_in_the_connections(shop: Live) -> None:
    stack = shop.stack
    assert isinstance(stack, SecretStack)
    shop.world.produce(10, bad=[b"{broken"])
    shop.finished(shop.trigger(commit_now=True))
    known = shop.world.connections
    assert known["kafka_default"].extra["sasl.password"] == stack.KAFKA_SECRET
    assert stack.CATALOG_SECRET in str(known["iceberg_default"].host)
    secrets = [stack.KAFKA_SECRET, stack.CATALOG_SECRET, stack.WAL_SECRET]
    control = "ingest__shop"
    found: dict[str, list[str]] = {text: [] for text in (*secrets, control)}
    homes = (stack.home, stack.postgres.home, stack.kafka.home, stack.spark.home, Path(urlsplit(stack.warehouse).path))
    for place, content in (*(file for home in homes for file in files(home)), *rows(stack)):
        for text, places in found.items():
            if text.encode() in content:
                places.append(place)
    assert any(place.startswith("airflow.public.task_instance") for place in found[control]), "dumps hold something"
    assert any("/logs/" in place for place in found[control]), "logs hold something"
    assert {text: found[text] for text in secrets} == {text: [] for text in secrets}


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Logs, tables' data and metadata, Spark's files, Postgres' and Kafka's own."""
    for file in folder.rglob("*"):
        try:
            if file.is_file():
                yield str(file), file.read_bytes()
        except FileNotFoundError:
            continue


def rows(stack: SecretStack) -> Iterator[tuple[str, bytes]]:
    """Every table of every database as text: long values lie compressed in Postgres' files."""
    for database in DATABASES:
        with psycopg.connect(stack.postgres.dsn(database)) as connection:
            tables = connection.execute(
                "SELECT table_schema, table_name FROM information_schema.tables "
                "WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
            ).fetchall()
            for schema, name in tables:
                query = sql.SQL("SELECT coalesce(string_agg(t::text, chr(10)), '') FROM {} t").format(
                    sql.Identifier(schema, name)
                )
                row = connection.execute(query).fetchone()
                assert row is not None
                yield f"{database}.{schema}.{name}", row[0].encode()
