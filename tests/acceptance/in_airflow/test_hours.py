"""In a real Airflow: a consumer is started for each hour that is complete in a table, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from kits.lanes import RUNS
from kits.live import Live
from kits.shared_airflow import SecretStack
from kits.topics import new_producer
from lakelock.ingest.hours_decision import HOUR, key_of
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="hour")

CONSUMER = """
from airflow.sdk import DAG, Asset, PartitionedAssetTimetable
from airflow.providers.standard.operators.empty import EmptyOperator
hours = Asset("iceberg://iceberg_default/live.hourly/hours/hourly")
with DAG("hourly_consumer", schedule=PartitionedAssetTimetable(assets=hours)):
    EmptyOperator(task_id="consume")
"""


def hourly_of(stack: SecretStack) -> Live:
    """Each run moves one of three records, of different hours."""
    (stack.site_dags / "hourly_consumer.py").write_text(CONSUMER)
    settings = "schedule: {every: 1d}\nbatch: {max_records: 1}\ncommit: {min_bytes: 0}\npublish: {max_lateness: 1m}\n"
    live = Live(stack, "hourly", settings)
    producer = new_producer(stack.kafka.bootstrap)
    base = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - 5 * HOUR
    for number, minute in enumerate((10, 70, 190)):
        stamp = round((base + timedelta(minutes=minute)).timestamp() * 1000)
        producer.produce("hourly", json.dumps({"id": number}).encode(), partition=0, timestamp=stamp)
    assert producer.flush(30) == 0
    live.world.next_id = 3
    return live


PIPELINES = (hourly_of,)


@pytest.fixture(scope="module")
def hourly(secret_stack: SecretStack) -> Iterator[Live]:
    """The first record is in the table."""
    # An event from before Airflow knew who waits for it starts no DAG.
    wait_until(lambda: secret_stack.lives["hourly"].knows("hourly_consumer"), 240, "the consumer's DAG")
    with secret_stack.running("hourly") as live:
        live.first_run_done()
        yield live


def base_of(live: Live) -> datetime:
    """The hour of the first record."""
    with closing(live.world.runtime()) as runtime:
        [source] = [s for s in runtime.broker.sources([live.name]) if s.partition == 0]
        stamp = runtime.broker.timestamps_at({source: 0})[source]
    assert stamp is not None
    return datetime.fromtimestamp(stamp / 1000, UTC).replace(minute=0)


def events(live: Live, run: str) -> list[dict[str, Any]]:
    path = f"/assets/events?source_dag_id={live.dag}&source_run_id={quote(run)}&source_task_id=hours"
    found: list[dict[str, Any]] = live.api("GET", path)["asset_events"]
    return sorted(found, key=lambda e: str(e["partition_key"]))


def consumed(live: Live) -> list[str]:
    return sorted(r["partition_key"] for r in live.api("GET", "/dags/hourly_consumer/dagRuns?limit=50")["dag_runs"])


def test_a_consumer_runs_once_for_each_hour_and_never_before_it_is_complete(hourly: Live) -> None:
    [first] = [r["dag_run_id"] for r in hourly.runs()]
    base = base_of(hourly)
    hour = [key_of(base + n * HOUR) for n in range(5)]
    assert f"live.hourly: complete: hour {hour[0]}" in hourly.log(first, "hours")
    assert hourly.rows() == 1

    run = hourly.trigger()
    assert hourly.finished(run, 300)["hours"]["state"] == "success"
    assert hourly.rows() == 2
    wait_until(lambda: len(events(hourly, run)) == 2, 120, "the asset events")
    reported = events(hourly, run)
    # The record that is not read yet is of ten past three.
    assert [e["partition_key"] for e in reported] == hour[1:3]
    assert {e["uri"] for e in reported} == {"iceberg://iceberg_default/live.hourly/hours/hourly"}
    snapshot = hourly.world.catalog.load_table("live.hourly").current_snapshot()
    assert snapshot is not None
    assert reported[0]["extra"] == {
        "table": "live.hourly",
        "valid_through": (base + timedelta(minutes=189)).isoformat(),
        "snapshot_id": snapshot.snapshot_id,
        "run": f"{hourly.dag}/{run}",
    }
    wait_until(lambda: consumed(hourly) == hour[:3], 240, "the consumer's runs")

    run = hourly.trigger()
    assert hourly.finished(run, 300)["hours"]["state"] == "success"
    assert hourly.rows() == 3
    wait_until(lambda: bool(events(hourly, run)), 120, "the asset events")
    assert [e["partition_key"] for e in events(hourly, run)][:2] == hour[3:]
    wait_until(lambda: consumed(hourly)[:5] == hour, 240, "the consumer's runs")

    run = hourly.trigger()
    hourly.finished(run, 300)
    assert not set(hour).intersection(e["partition_key"] for e in events(hourly, run))
    assert len(consumed(hourly)) == len(set(consumed(hourly)))
    hourly.world.audit()
