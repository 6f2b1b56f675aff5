"""A backfill, and maintenance, beside a live tail, with Airflow in the loop: what each of them loses by the other.

    export PYTHONPATH=plugins:bin:tests:tests/benchmarks
    python tests/benchmarks/bench_backfill.py                              10 M records, about ten minutes
    python tests/benchmarks/bench_backfill.py --records 1000000 --seconds 30

A topic has records of ten hours of March; a pipeline starts behind them, with a window. A backfill brings the first half with
nothing beside it, and a run of `maintain__` compacts it and tidies; then the tail runs alone; then a backfill brings the other
half, and maintenance compacts that, while the tail runs on. A backfill's rate is that of its batches, from the first claim to the
last commit; maintenance takes from its run's start to its end; freshness is as `bench_freshness.py` has it. Then the answer time
of a backfill of thirty days by hours, which Airflow is asked for.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench_freshness import PATIENCE_S, WARM_BATCHES, Bench, Busy, Mode, loads, now
from bench_write_path import small_values
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, ResourceType
from stack.flights import PARTITIONS
from stack.process import wait_until
from stack.stack import Stack

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
HOURS = 10
TAIL_RECORDS = 100_000
SHARE_GOAL, FRESHNESS_GOAL = 0.8, 2.0

BROUGHT = """
SELECT sum(p.row_count)::bigint AS rows, count(DISTINCT b.batch_no) AS batches,
    extract(epoch FROM max(p.finished_at) - min(a.started_at))::float8 AS seconds
FROM lakelock.parts p
JOIN lakelock.batches b USING (batch_no)
JOIN lakelock.attempts a ON a.batch_no = p.batch_no AND a.attempt = p.attempt
WHERE p.pipeline = %s AND p.table_name = %s AND p.state = 'committed' AND b.lane LIKE 'backfill-%%' AND p.finished_at >= %s
"""


class Shore(Bench):
    """A pipeline that starts behind *old* records of March."""

    def fill(self, old: int) -> None:
        servers = {"bootstrap.servers": self.stack.kafka.bootstrap}
        # Retention goes by the records' own time.
        kept = ConfigEntry("retention.ms", "-1", incremental_operation=AlterConfigOpType.SET)
        resource = ConfigResource(ResourceType.TOPIC, self.name, incremental_configs=[kept])
        admin = AdminClient(servers)
        admin.incremental_alter_configs([resource])[resource].result(30)
        producer = Producer({**servers, "linger.ms": 50, "batch.num.messages": 20_000, "compression.type": "lz4"})
        first_ms, span_ms = int(BEGIN.timestamp() * 1000), HOURS * 3_600_000
        for n, value in enumerate(small_values(old)):
            at_ms = first_ms + n * span_ms // old
            while True:
                try:
                    producer.produce(self.name, value, partition=n % PARTITIONS, timestamp=at_ms)
                    break
                except BufferError:
                    producer.poll(0.1)
            if n % 10_000 == 0:
                producer.poll(0)
        assert producer.flush(120) == 0

    def start(self) -> None:
        super().start()
        text = self.file.read_text().replace(f"topics: [{self.name}]", f"topics: [{self.name}], start: latest")
        text += "maintenance: {compact_after: 1s, compact_min_files: 2}\n"
        self.file.write_text(text)
        wait_until(self.planned, PATIENCE_S, "the first plan", 0.2)

    def planned(self) -> bool:
        return bool(self.query("SELECT 1 FROM lakelock.streams WHERE pipeline = %s AND %s <> ''"))

    def backfill(self, first: int, last: int) -> dict[str, Any]:
        """Brings hours `[first, last)`, as the form does; rows, batches and seconds of what it brought."""
        began = now(self)
        span = {key: (BEGIN + timedelta(hours=hour)).isoformat() for key, hour in {"from": first, "to": last}.items()}
        self.run(f"backfill__{self.name}", {**span, "why": "a benchmark"})
        (brought,) = self.query(BROUGHT, began)
        return brought

    def maintain(self) -> float:
        """Seconds of a run that compacts, expires, rewrites manifests, deletes orphans and audits."""
        run = self.run(f"maintain__{self.name}", {})
        return (datetime.fromisoformat(run["end_date"]) - datetime.fromisoformat(run["start_date"])).total_seconds()

    def run(self, dag: str, conf: dict[str, Any]) -> dict[str, Any]:
        """A run by hand, once it has ended well."""
        run = self.stack.airflow.api("POST", f"/dags/{dag}/dagRuns", {"logical_date": None, "conf": conf})["dag_run_id"]

        def found() -> dict[str, Any]:
            answer: dict[str, Any] = self.stack.airflow.api("GET", f"/dags/{dag}/dagRuns/{run}")
            return answer

        wait_until(lambda: found()["state"] in {"success", "failed"}, 1800, f"{run} to end", 0.5)
        assert found()["state"] == "success", self.failures(f"/dags/{dag}/dagRuns/{run}")
        return found()

    def failures(self, run: str) -> str:
        """What the last tries of its tasks that failed have logged."""
        api = self.stack.airflow.api
        failed = [t for t in api("GET", f"{run}/taskInstances")["task_instances"] if t["state"] == "failed"]
        paths = [
            f"{run}/taskInstances/{t['task_id']}/logs/{t['try_number']}?map_index={t['map_index']}" for t in failed
        ]
        return "\n".join(str(api("GET", path)["content"]) for path in paths)


def measure(shore: Shore, old: int, rate: int, seconds: float) -> None:
    began = time.monotonic()
    shore.fill(old)
    print(f"{old:,} records of {HOURS} hours in the topic after {time.monotonic() - began:.0f} s")
    shore.start()
    # A table is made from its first records.
    started = now(shore)
    shore.load.send(1_000)
    shore.load.flush()
    shore.wait_for_batches(started, 1)
    half, busy = HOURS // 2, Busy()
    free = report("backfill, free", shore.backfill(0, half), busy)
    tidied = shore.maintain()
    print(f"{'maintenance, free':<36} {tidied:.1f} s", flush=True)
    with shore.load.steady(rate):
        started = now(shore)
        shore.wait_for_batches(started, WARM_BATCHES)
        since, busy = now(shore), Busy()
        time.sleep(seconds)
        until, alone_cores = now(shore), busy.cores()
        busy = Busy()
        beside_since = now(shore)
        beside = report(f"backfill, beside {rate:,} records/s", shore.backfill(half, HOURS), busy)
        beside_until = now(shore)
        tidied_beside, tidied_until = shore.maintain(), now(shore)
        print(f"{f'maintenance, beside {rate:,} records/s':<36} {tidied_beside:.1f} s", flush=True)
    wait_until(lambda: shore.rows() >= shore.load.sent + old, PATIENCE_S, "all records to be committed", 0.2)
    alone = shore.freshness(since.timestamp(), until.timestamp())
    both = shore.freshness(beside_since.timestamp(), beside_until.timestamp())
    tidying = shore.freshness(beside_until.timestamp(), tidied_until.timestamp())
    measured = {"tail, alone": alone, "tail, beside the backfill": both, "tail, beside maintenance": tidying}
    for what, (p50, p95, worst, count) in measured.items():
        print(f"{what:<36} p50 {p50:5.2f} s   p95 {p95:5.2f} s   max {worst:5.2f} s   of {count:,} records")
    print(f"{'':<36} {alone_cores:.2f} of {os.cpu_count()} cores busy with the tail alone")
    print(f"backfill beside the tail / free      {beside / free:.2f} ×   (goal ≥ {SHARE_GOAL:g})")
    print(f"tail's p95 beside the backfill/alone {both[1] / alone[1]:.2f} ×   (goal ≤ {FRESHNESS_GOAL:g})")
    print(f"tail's p95 beside maintenance/alone  {tidying[1] / alone[1]:.2f} ×   (goal ≤ {FRESHNESS_GOAL:g})")
    print(f"maintenance free / beside the tail   {tidied / tidied_beside:.2f} ×")


def report(what: str, brought: dict[str, Any], busy: Busy) -> float:
    """Prints and returns records a second."""
    rate: float = brought["rows"] / brought["seconds"]
    print(
        f"{what:<36} {rate:,.0f} records/s: {brought['rows']:,} in {brought['batches']} batches, {brought['seconds']:.1f} s, "
        f"{busy.cores():.2f} of {os.cpu_count()} cores busy, load {loads()}",
        flush=True,
    )
    return rate


def thirty_days(shore: Shore) -> None:
    """How long Airflow takes to answer who asks for 720 runs; they are not waited for."""
    requested = {
        "dag_id": f"backfill__{shore.name}",
        "from_date": (BEGIN - timedelta(days=60)).isoformat(),
        "to_date": (BEGIN - timedelta(days=30, hours=1)).isoformat(),
        "dag_run_conf": {"why": "a benchmark"},
        "reprocess_behavior": "none",
    }
    began = time.monotonic()
    made = shore.stack.airflow.api("POST", "/backfills", requested, timeout_s=600)["id"]
    print(f"a backfill of 30 days by hours       answered after {time.monotonic() - began:.1f} s")
    shore.stack.airflow.api("PUT", f"/backfills/{made}/cancel")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--rate", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=60, help="how long the tail runs alone")
    parser.add_argument("--keep", type=Path, help="folder for the stack's state and logs, kept")
    arguments = parser.parse_args()
    print(f"load {loads()} before")
    records = [(n % PARTITIONS, b"", value) for n, value in enumerate(small_values(TAIL_RECORDS))]
    home = arguments.keep or Path(tempfile.mkdtemp(prefix="lakelock-"))
    (home / "pipelines").mkdir(parents=True, exist_ok=True)
    home.chmod(0o755)
    stack = Stack(home, pipelines=home / "pipelines")
    try:
        stack.start()
        shore = Shore(stack, "shore", Mode("{every: 5m, batch_every: 5s}", 5, (None, 7.0), 0.7), records)
        measure(shore, arguments.records, arguments.rate, arguments.seconds)
        thirty_days(shore)
    finally:
        stack.stop()
        if arguments.keep is None:
            shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
