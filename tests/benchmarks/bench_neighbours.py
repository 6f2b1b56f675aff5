"""Two pipelines on one Spark server of two slots: flights that promise five seconds, beside GitHub's webhooks.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_neighbours.py                     100,000 webhooks, 1 GB
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_neighbours.py --webhooks 5000 --seconds 20

Measures the freshness of the flights alone, then beside the webhooks, whose table is made by inference alone: some 3,600 columns.
Exit 1 unless the flights' p95 is at most their own alone and the neighbour's `max_seconds`, each webhook is a row or a dead
letter, and dead letters are of types that conflict or of fields that the sample did not have.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench_freshness import MODES, Bench, loads, now
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from kits.webhooks import examples, payloads
from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.check.sample import sample
from lakelock.config import load_pipeline
from pyiceberg.catalog import load_catalog
from stack.flights import Flights
from stack.process import wait_until
from stack.settings import CATALOG
from stack.stack import Stack

TOPIC, TABLE, PARTITIONS = "webhooks", "bench.webhooks", 4
MAX_SECONDS = 5.0
PATIENCE_S = 3600.0
FILE = f"""
schedule: {{every: 5m, batch_every: {MAX_SECONDS:g}s}}
source: {{topics: [{TOPIC}]}}
tables: [{{name: {TABLE}COLUMNS}}]
"""


def produce(stack: Stack, count: int) -> int:
    """Returns the bytes of all values."""
    admin = AdminClient({"bootstrap.servers": stack.kafka.bootstrap})
    admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)])[TOPIC].result(30)
    producer = Producer({"bootstrap.servers": stack.kafka.bootstrap, "compression.type": "lz4", "linger.ms": 50})
    sent_bytes = 0
    for n, value in enumerate(payloads(examples(), count)):
        while True:
            try:
                producer.produce(TOPIC, value, partition=n % PARTITIONS)
                break
            except BufferError:
                producer.poll(0.1)
        sent_bytes += len(value)
    assert producer.flush(120) == 0
    return sent_bytes


class Webhooks:
    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.file = stack.home / "pipelines" / "webhooks.yaml"
        uri = stack.postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        self.catalog = load_catalog(CATALOG, type="sql", uri=uri, warehouse=stack.warehouse)

    def accepted(self) -> bool:
        """Whether what `check --sample` prints can be pasted back."""
        trial = self.stack.home / "webhooks.yaml"
        trial.write_text(FILE.replace("COLUMNS", ""))
        known = self.stack.connections()
        with contextlib.closing(
            Runtime(load_pipeline(trial), lambda conn_id: connections.from_environment(conn_id, known))
        ) as runtime:
            printed = sample(runtime, 1000).text
        print("\n".join(line[:160] for line in printed.splitlines() if line.startswith("#"))[:2000])
        trial.write_text(f"source: {{topics: [{TOPIC}]}}\n{printed}\n")
        return len(load_pipeline(trial).tables[0].columns) > 50

    def start(self) -> None:
        self.file.write_text(FILE.replace("COLUMNS", ""))

    def landed(self) -> tuple[int, int]:
        """Rows, dead letters."""
        found = []
        for name in (TABLE, f"{TABLE}__dead_letters"):
            with contextlib.suppress(Exception):
                snapshot = self.catalog.load_table(name).current_snapshot()
                assert snapshot is not None
                assert snapshot.summary is not None
                found.append(int(snapshot.summary["total-records"] or 0))
                continue
            found.append(0)
        return found[0], found[1]

    def causes(self) -> Counter[str]:
        dead_letters = (
            self.catalog.load_table(f"{TABLE}__dead_letters").scan(selected_fields=("kind", "field")).to_arrow()
        )
        return Counter(f"`{row['field']}`: {row['kind']}" for row in dead_letters.to_pylist())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--webhooks", type=int, default=100_000)
    parser.add_argument("--rate", type=int, default=500, help="flights a second")
    parser.add_argument("--seconds", type=float, default=60, help="of the flights alone")
    args = parser.parse_args()
    print(f"load {loads()} before")
    home = Path(tempfile.mkdtemp(prefix="lakelock-"))
    (home / "pipelines").mkdir()
    home.chmod(0o755)
    stack = Stack(home, pipelines=home / "pipelines")
    try:
        stack.start()
        return judged(stack, args.webhooks, args.rate, args.seconds)
    finally:
        stack.stop()
        shutil.rmtree(home, ignore_errors=True)


def judged(stack: Stack, count: int, rate: int, seconds: float) -> int:
    sent_bytes = produce(stack, count)
    print(f"{count:,} webhooks, {sent_bytes / 2**20:,.0f} MiB")
    webhooks = Webhooks(stack)
    faults = [] if webhooks.accepted() else ["what `check --sample` prints is not accepted"]
    flights = Bench(stack, "window-5s", MODES["window-5s"], Flights("").records)
    with flights.load.steady(rate):
        began = now(flights)
        flights.start()
        flights.wait_for_batches(began, 4)
        alone = now(flights)
        time.sleep(seconds)
        beside, clock = now(flights), time.monotonic()
        webhooks.start()
        wait_until(lambda: sum(webhooks.landed()) >= count, PATIENCE_S, f"{count} webhooks", 1.0)
        over, took_s = now(flights), time.monotonic() - clock
    wait_until(lambda: flights.rows() >= flights.load.sent, 300, "all flights", 0.2)
    rows, dead = webhooks.landed()
    print(
        f"webhooks: {rows:,} rows and {dead:,} dead letters in {took_s:.0f} s, {sent_bytes / 2**20 / took_s:.1f} MiB/s"
    )
    causes = webhooks.causes()
    for cause, n in causes.most_common():
        print(f"  {cause}: {n:,}")
    p50, p95, worst, _ = flights.freshness(alone.timestamp(), beside.timestamp())
    print(f"flights alone:  p50 {p50:.2f} s   p95 {p95:.2f} s   max {worst:.2f} s")
    limit_s = p95 + MAX_SECONDS
    p50, p95, worst, _ = flights.freshness(beside.timestamp(), over.timestamp())
    print(f"flights beside: p50 {p50:.2f} s   p95 {p95:.2f} s   max {worst:.2f} s   (goal p95 <= {limit_s:.2f})")
    faults += [] if p95 <= limit_s else [f"p95 {p95:.2f} s beside the webhooks is above {limit_s:.2f}"]
    faults += [] if rows + dead == count else [f"{rows + dead} of {count} webhooks landed"]
    faults += [f"dead letters of {cause}" for cause in causes if not (" for a" in cause or "unknown field" in cause)]
    print("\n".join(faults) or "as promised")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
