"""A backfill as an operator asks Airflow for one: two hours from before the table's start, while records keep coming."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from kits.airflow_runs import Maintenance
from kits.lanes import RUNS
from kits.live import Live
from kits.shared_airflow import SecretStack
from kits.topics import new_producer
from lakelock.audit.audit_text import audit_text
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about="backfill")

HOUR = timedelta(hours=1)
EACH = 20
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ebb_of(stack: SecretStack) -> Live:
    """A pipeline that starts with the third of four hours that Kafka has."""
    # Retention goes by the records' own time.
    kept = {"retention.ms": "-1"}
    live = Live(stack, "ebb", "schedule: {every: 10s}\ncommit: {max_latency: 1s}\n", kept)
    for hour in range(4):
        produce_at(live, NOON + hour * HOUR)
    live.world.start = (NOON + 2 * HOUR).isoformat()
    return live


PIPELINES = (ebb_of,)


@pytest.fixture(scope="module")
def ebb(secret_stack: SecretStack) -> Iterator[Live]:
    with secret_stack.running("ebb") as live:
        live.wait_for_rows(2 * EACH)
        yield live


def produce_at(live: Live, hour: datetime) -> None:
    """Records of that hour with the next ids, over both partitions."""
    producer = new_producer(live.stack.kafka.bootstrap)
    for n in range(EACH):
        number, live.world.next_id = live.world.next_id, live.world.next_id + 1
        moment = int((hour + n * HOUR / EACH).timestamp() * 1000)
        value = json.dumps({"id": number, "note": f"n{number}"}).encode()
        producer.produce(live.name, value, partition=number % 2, timestamp=moment)
    assert producer.flush(60) == 0


def backfill(
    live: Live, first: datetime, last: datetime, conf: dict[str, Any] | None, reprocess: str
) -> list[dict[str, Any]]:
    """The runs of a backfill, once it has ended. Airflow's form sends None in place of what is filled in, unless a box is ticked."""
    dag = f"backfill__{live.name}"
    form = {
        "dag_id": dag,
        "from_date": first.isoformat(),
        "to_date": last.isoformat(),
        "dag_run_conf": conf,
        "reprocess_behavior": reprocess,
    }
    made = live.api("POST", "/backfills", form)["id"]
    wait_until(lambda: live.api("GET", f"/backfills/{made}")["completed_at"], 420, "the backfill to end", 0.5)
    runs: list[dict[str, Any]] = live.api("GET", f"/dags/{dag}/dagRuns?order_by=logical_date")["dag_runs"]
    return [r for r in runs if r["run_type"] == "backfill"]


def states(live: Live, run: dict[str, Any]) -> dict[str, str]:
    found = live.api("GET", f"/dags/{run['dag_id']}/dagRuns/{run['dag_run_id']}/taskInstances")["task_instances"]
    return {t["task_id"]: t["state"] for t in found}


def ask_of(live: Live, run: dict[str, Any]) -> str:
    return live.last_log(f"/dags/{run['dag_id']}/dagRuns/{run['dag_run_id']}/taskInstances/ask")


def snapshot(live: Live) -> int:
    found = live.world.catalog.load_table(live.world.table).current_snapshot()
    assert found is not None
    return found.snapshot_id


def test_hours_from_before_the_start_come_once_while_the_pipeline_runs_on(ebb: Live) -> None:
    # Nothing is asked for yet, and nothing happens by itself.
    run = Maintenance(ebb, "backfill")
    assert run.ended() == dict.fromkeys(("write", "commit", "check", "replace", "tell"), "skipped") | {
        "ask": "success",
        "done": "success",
    }
    assert "no backfill is pending" in run.log("ask")
    there = snapshot(ebb)
    (unticked,) = backfill(ebb, NOON, NOON, None, "none")
    assert (unticked["state"], states(ebb, unticked)["ask"]) == ("failed", "failed")
    assert "ticked: tick it, and choose" in ask_of(ebb, unticked)
    (dry,) = backfill(ebb, NOON, NOON, {"dry_run": True}, "failed")
    assert (dry["state"], states(ebb, dry)["write"]) == ("success", "skipped")
    assert "dry run, nothing is changed: backfill of records of" in ask_of(ebb, dry)
    assert "will be requested, and read from Kafka" in ask_of(ebb, dry)
    assert snapshot(ebb) == there

    with ebb.load(rate=100):
        before = ebb.rows()
        runs = backfill(ebb, NOON, NOON + HOUR, {"why": "they are wanted after all"}, "completed")
        assert [(r["data_interval_start"], r["state"]) for r in runs] == [
            (f"2026-03-01T{hour}:00:00Z", "success") for hour in (12, 13)
        ]
        found = [states(ebb, r) for r in runs]
        assert [{s["ask"], s["check"], s["done"]} for s in found] == [{"success"}] * 2, found
        # A batch may have records of both hours: one of the runs writes it. A commit of the ingest run may be the faster one.
        assert "success" in {s["write"] for s in found}, found
        assert {s[task] for s in found for task in ("write", "commit")} <= {"success", "skipped"}, found
        # More than the backfill brought came meanwhile.
        ebb.wait_for_rows(before + 3 * EACH)
    ebb.wait_for_rows(ebb.world.next_id)
    ebb.wait_until_caught_up()
    ebb.world.audit()
    with closing(ebb.world.runtime()) as runtime:
        said = audit_text(runtime.audit())
    time = re.escape("records of 2026-03-01T12:00:00+00:00 to 2026-03-01T14:00:00+00:00")
    assert len(re.findall(rf"decided  .* backfill by admin: they are wanted after all \({time};", said)) == 1, said

    there = snapshot(ebb)
    runs = backfill(ebb, NOON, NOON + HOUR, {"why": "once more"}, "completed")
    assert [r["state"] for r in runs] == ["success", "success"]
    for run_of_hour in runs:
        assert states(ebb, run_of_hour)["write"] == "skipped"
    assert snapshot(ebb) == there
    ebb.world.audit()
