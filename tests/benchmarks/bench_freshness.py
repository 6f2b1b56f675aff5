"""Freshness with Airflow in the loop: how long a record takes from Kafka's timestamp to a committed snapshot.

    export PYTHONPATH=plugins:bin
    python tests/benchmarks/bench_freshness.py --seconds 60 --rate 5000                 all modes, about five minutes
    python tests/benchmarks/bench_freshness.py --modes window-1s --seconds 30   one mode
    python tests/benchmarks/bench_freshness.py --modes window-1s --evolving 600   then ten minutes with new columns

Real flights at a steady rate through a whole stack of its own. A record is fresh when the write-ahead log says that its
offset is in a snapshot, which is a few milliseconds after readers can see it. The same pipeline is then fed ten records
at a time, for the fixed cost of a warm batch. With *evolving*, the producer adds, nests and widens fields every few
seconds in a second pipeline; p95 and files of a commit are compared with those of the first.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import psutil
import psycopg
import pyarrow as pa
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from psycopg.rows import dict_row
from pyiceberg.catalog import load_catalog
from stack.flights import PARTITIONS, Flights
from stack.process import wait_until
from stack.settings import CATALOG
from stack.stack import Stack

PATIENCE_S = 180.0
TICK_S = 0.02
WARM_BATCHES = 4
SMALL_BATCH = 10
CHANGE_EVERY_S = 3.0
_TYPES = {int: "long", float: "double", str: "string", type(None): "string", bool: "boolean"}


@dataclass(frozen=True)
class Mode:
    """A way to schedule the same pipeline; *goals* are p50 and p95 in seconds, and *fixed_s* for ten records."""

    schedule: str
    interval_s: float
    goals: tuple[float | None, float]
    fixed_s: float


MODES = {
    "runs-5s": Mode("{every: 5s}", 5, (4.0, 7.0), 1.5),
    "window-5s": Mode("{every: 5m, batch_every: 5s}", 5, (4.0, 7.0), 0.7),
    "window-1s": Mode("{every: 5m, batch_every: 1s}", 1, (None, 3.0), 0.7),
}

COMMITTED = """
SELECT b.batch_no, b.planned_at, a.run, a.started_at AS claimed_at, p.staged_at, p.finished_at AS committed_at, p.row_count
FROM lakelock.parts p
JOIN lakelock.batches b USING (batch_no)
JOIN lakelock.attempts a ON a.batch_no = p.batch_no AND a.attempt = p.attempt
WHERE p.pipeline = %s AND p.table_name = %s AND p.state = 'committed' AND p.finished_at >= %s
ORDER BY b.batch_no
"""
RANGES = """
SELECT s.partition, lower(r.offsets) AS start_offset, upper(r.offsets) AS end_offset,
    extract(epoch FROM p.finished_at)::float8 AS committed_s
FROM lakelock.parts p JOIN lakelock.ranges r USING (batch_no) JOIN lakelock.streams s USING (stream_id)
WHERE p.pipeline = %s AND p.table_name = %s AND p.state = 'committed'
"""
FILES = """
SELECT avg(files.files) AS files_a_part FROM (
    SELECT p.part_id, count(f.part_id) AS files FROM lakelock.parts p LEFT JOIN lakelock.files f USING (part_id)
    WHERE p.pipeline = %s AND p.table_name = %s AND p.state = 'committed' AND p.finished_at >= %s GROUP BY p.part_id
) files
"""
FRESHNESS = """
SELECT quantile_cont(fresh_s, [0.5, 0.95]), max(fresh_s), count(*) FROM (
    SELECT c.committed_s - epoch(f._kafka_timestamp) AS fresh_s
    FROM rows f ASOF JOIN committed c ON f._kafka_partition = c.partition AND f._kafka_offset >= c.start_offset
    WHERE f._kafka_offset < c.end_offset AND epoch(f._kafka_timestamp) BETWEEN $since AND $until
)
"""


class Load:
    """Flights into one topic, *rate* a second, evenly."""

    def __init__(self, servers: str, topic: str, records: Sequence[tuple[int, bytes, bytes]]) -> None:
        self._topic = topic
        self._records = records
        self.sent = 0
        self.more: Callable[[], bytes] = lambda: b""
        self._producer = Producer(
            {"bootstrap.servers": servers, "linger.ms": 5, "compression.type": "lz4", "log_level": 3}
        )

    def send(self, count: int) -> None:
        for _ in range(count):
            partition, key, value = self._records[self.sent % len(self._records)]
            if more := self.more():
                value = value[:-1] + more + b"}"
            self._producer.produce(self._topic, value, key, partition=partition)
            self.sent += 1
        self._producer.poll(0)

    def flush(self) -> None:
        assert self._producer.flush(30) == 0

    @contextmanager
    def steady(self, rate: int) -> Iterator[None]:
        over = threading.Event()

        def run() -> None:
            began, sent = time.monotonic(), 0
            while not over.wait(TICK_S):
                due = int((time.monotonic() - began) * rate)
                self.send(due - sent)
                sent = due
            self.flush()

        thread = threading.Thread(target=run, name="load")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


class Changes:
    """Fields that a record has in addition: another one every CHANGE_EVERY_S seconds, the newest few of them at a time.

    In turn, a field is new, is new within an object, or needs a wider column.
    """

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.made = 0
        self._text = b""
        self._fields: list[tuple[str, object]] = []
        self._inner: list[tuple[str, object]] = []

    def __call__(self) -> bytes:
        due = int((time.monotonic() - self.began) / CHANGE_EVERY_S)
        while self.made < due:
            number, self.made = self.made, self.made + 1
            if number % 3 == 1:
                self._inner = [*self._inner[-3:], (f"n{number}", [number])]
            else:
                self._fields = [
                    *self._fields[-5:],
                    (f"w{number}", 2**40) if number % 3 else (f"x{number}", f"v{number}"),
                ]
            record = {**dict(self._fields), **({"more": dict(self._inner)} if self._inner else {})}
            self._text = b"," + json.dumps(record).encode()[1:-1]
        return self._text


class Bench:
    """One pipeline of one mode on a running stack."""

    def __init__(
        self, stack: Stack, name: str, mode: Mode, records: Sequence[tuple[int, bytes, bytes]], columns: str = ""
    ) -> None:
        """*columns* has the table's columns if they change with the records."""
        self.stack, self.mode, self.columns = stack, mode, columns
        self.name = name.replace("-", "_")
        self.table = f"bench.{self.name}"
        self.dag = f"ingest__{self.name}"
        admin = AdminClient({"bootstrap.servers": stack.kafka.bootstrap})
        admin.create_topics([NewTopic(self.name, PARTITIONS, 1)])[self.name].result(30)
        self.load = Load(stack.kafka.bootstrap, self.name, records)
        self.file = stack.home / "pipelines" / f"{self.name}.yaml"

    def start(self) -> None:
        # Every batch is committed as soon as it is staged: with min_bytes a commit would wait for more.
        evolving = f", columns: {self.columns}, new_fields: evolve, new_types: evolve" if self.columns else ""
        self.file.write_text(
            f"schedule: {self.mode.schedule}\nsource: {{topics: [{self.name}]}}\n"
            f"tables: [{{name: {self.table}{evolving}}}]\ncommit: {{min_bytes: 0}}\n"
        )

    def stop(self) -> None:
        """No further runs; what runs is not waited for."""
        self.stack.airflow.api("PATCH", f"/dags/{self.dag}?update_mask=is_paused", {"is_paused": True})
        self.file.unlink()

    def query(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        with psycopg.connect(self.stack.postgres.dsn("lakelock"), row_factory=dict_row) as connection:
            return connection.execute(sql, (self.name, self.table, *parameters)).fetchall()

    def batches(self, since: datetime) -> list[dict[str, Any]]:
        return self.query(COMMITTED, since)

    def wait_for_batches(self, since: datetime, count: int) -> None:
        wait_until(lambda: len(self.batches(since)) >= count, PATIENCE_S, f"{count} batches of {self.name}", 0.2)

    def files_a_part(self, since: datetime) -> float:
        found = self.query(FILES, since)
        return float(found[0]["files_a_part"] or 0)

    def rows(self) -> int:
        return sum(b["row_count"] for b in self.batches(datetime.fromtimestamp(0, UTC)))

    def freshness(self, since_s: float, until_s: float) -> tuple[float, float, float, int]:
        """p50, p95, max in seconds, and how many records were produced in that time."""
        uri = self.stack.postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        catalog = load_catalog(CATALOG, type="sql", uri=uri, warehouse=self.stack.warehouse)
        table = catalog.load_table(self.table)
        files = [task.file.file_path.removeprefix("file://") for task in table.scan().plan_files()]
        with duckdb.connect() as connection:
            connection.register("committed", pa.Table.from_pylist(self.query(RANGES)))
            connection.execute(f"CREATE VIEW rows AS SELECT * FROM read_parquet({files!r})")
            found = connection.execute(FRESHNESS, {"since": since_s, "until": until_s}).fetchone()
        assert found is not None
        (p50, p95), worst, count = found
        return p50, p95, worst, count

    def columns_of_table(self) -> int:
        uri = self.stack.postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        catalog = load_catalog(CATALOG, type="sql", uri=uri, warehouse=self.stack.warehouse)
        return len(catalog.load_table(self.table).schema().fields)

    def task_starts(self, run: str) -> dict[str, Mapping[str, Any]]:
        answer = self.stack.airflow.api("GET", f"/dags/{self.dag}/dagRuns/{run}/taskInstances")
        return {t["task_id"]: t for t in answer["task_instances"]}


def measure(bench: Bench, rate: int, seconds: float) -> tuple[float, float]:
    """Freshness under load, then the fixed cost of small batches; prints both. Returns p95 in seconds, and files a part."""
    mode = bench.mode
    with bench.load.steady(rate):
        began = now(bench)
        bench.start()
        bench.wait_for_batches(began, WARM_BATCHES)
        since, busy = now(bench), Busy()
        changes = Changes()
        if bench.columns:
            bench.load.more = changes
        time.sleep(seconds)
        until, cores = now(bench), busy.cores()
    wait_until(lambda: bench.rows() >= bench.load.sent, PATIENCE_S, "all records to be committed", 0.2)
    p50, p95, worst, count = bench.freshness(since.timestamp(), until.timestamp())
    goal_50, goal_95 = mode.goals
    goals = f"p95 ≤ {goal_95:g}" if goal_50 is None else f"p50 ≤ {goal_50:g}, p95 ≤ {goal_95:g}"
    print(
        f"\n{bench.name}: {count / seconds:,.0f} records/s, {cores:.2f} of {os.cpu_count()} cores busy, load {loads()}"
    )
    print(f"  freshness        p50 {p50:5.2f} s   p95 {p95:5.2f} s   max {worst:5.2f} s   (goal {goals})")
    if "runs" in bench.name:
        of_runs(bench, bench.batches(since))
    else:
        of_batches(bench.batches(since))
    files = bench.files_a_part(since)
    if bench.columns:
        print(f"  {changes.made} changes of the records' schema; {bench.columns_of_table()} columns in the table now")
    print(f"  files a part     {files:.2f}")
    small(bench)
    return p95, files


def small(bench: Bench, times: int = 8) -> None:
    """Ten records at a time, each once the ones before are committed."""
    took: list[float] = []
    for _ in range(times):
        began = now(bench)
        bench.load.send(SMALL_BATCH)
        bench.load.flush()
        wait_until(lambda at=began: any(b["row_count"] for b in bench.batches(at)), PATIENCE_S, "ten records", 0.1)  # type: ignore[misc]
        batch = next(b for b in bench.batches(began) if b["row_count"])
        if "runs" in bench.name:
            start = at(bench.task_starts(run_of(batch))["plan"]["start_date"])
            took.append((batch["committed_at"] - start).total_seconds())
        else:
            took.append((batch["committed_at"] - batch["planned_at"]).total_seconds())
    what = "plan task's start → commit" if "runs" in bench.name else "planned → commit"
    print(
        f"  10 records       p50 {statistics.median(took):5.2f} s   max {max(took):5.2f} s                  "
        f"({what}; goal ≤ {bench.mode.fixed_s:g})"
    )


def of_runs(bench: Bench, batches: Sequence[Mapping[str, Any]]) -> None:
    """Where the time of a run goes, from its due time to its commit."""
    steps: dict[str, list[float]] = {}
    for batch in batches:
        run = run_of(batch)
        tasks = bench.task_starts(run)
        due = at(bench.stack.airflow.api("GET", f"/dags/{bench.dag}/dagRuns/{run}")["run_after"])
        marks = [
            ("due → plan starts", due, at(tasks["plan"]["start_date"])),
            ("plan starts → planned", at(tasks["plan"]["start_date"]), batch["planned_at"]),
            ("planned → write starts", batch["planned_at"], at(tasks["write"]["start_date"])),
            ("write starts → claimed", at(tasks["write"]["start_date"]), batch["claimed_at"]),
            ("claimed → staged", batch["claimed_at"], batch["staged_at"]),
            ("staged → commit starts", batch["staged_at"], at(tasks["commit"]["start_date"])),
            ("commit starts → committed", at(tasks["commit"]["start_date"]), batch["committed_at"]),
            ("plan starts → committed", at(tasks["plan"]["start_date"]), batch["committed_at"]),
        ]
        for step, start, end in marks:
            steps.setdefault(step, []).append((end - start).total_seconds())
    show(steps)


def of_batches(batches: Sequence[Mapping[str, Any]]) -> None:
    steps: dict[str, list[float]] = {}
    for batch in batches:
        steps.setdefault("planned → claimed", []).append((batch["claimed_at"] - batch["planned_at"]).total_seconds())
        steps.setdefault("claimed → staged", []).append((batch["staged_at"] - batch["claimed_at"]).total_seconds())
        steps.setdefault("staged → committed", []).append((batch["committed_at"] - batch["staged_at"]).total_seconds())
    starts = [b["planned_at"] for b in batches]
    steps["planned → next planned"] = [(b - a).total_seconds() for a, b in pairwise(starts)]
    show(steps)


def show(steps: Mapping[str, Sequence[float]]) -> None:
    for step, seconds in steps.items():
        if seconds:
            print(
                f"    {step:<26} p50 {statistics.median(seconds):5.2f} s   max {max(seconds):5.2f} s   n {len(seconds)}"
            )


def run_of(batch: Mapping[str, Any]) -> str:
    run: str = batch["run"].partition("/")[2]
    return run


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def now(bench: Bench) -> datetime:
    """Postgres' clock."""
    with psycopg.connect(bench.stack.postgres.dsn("lakelock")) as connection:
        row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None
    moment: datetime = row[0]
    return moment


class Busy:
    """Cores of the whole machine that were busy since this was made."""

    def __init__(self) -> None:
        self._before, self._began = psutil.cpu_times(), time.monotonic()

    def cores(self) -> float:
        after = psutil.cpu_times()
        idle: float = after.idle + after.iowait - self._before.idle - self._before.iowait
        return (os.cpu_count() or 1) - idle / (time.monotonic() - self._began)


def loads() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def evolving(
    stack: Stack,
    name: str,
    records: Sequence[tuple[int, bytes, bytes]],
    rate: int,
    seconds: float,
    quiet: tuple[float, float],
) -> None:
    fields = {field: _TYPES[type(value)] for _, _, one in records[:1000] for field, value in json.loads(one).items()}
    fields["time_hour"] = "timestamptz"
    wide = {f"w{number}": "int" for number in range(int(seconds / CHANGE_EVERY_S) + 100) if number % 3 == 2}
    columns = "{" + ", ".join(f"{field}: {kind}" for field, kind in (fields | wide).items()) + "}"
    bench = Bench(stack, f"{name}-evolving", MODES[name], records, columns)
    try:
        p95, files = measure(bench, rate, seconds)
    finally:
        bench.stop()
    print(
        f"\n{name}: with new columns p95 is {p95 / quiet[0]:.2f} × (goal ≤ 2), "
        f"and a part has {files / quiet[1]:.2f} × the files (goal 1)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=int, default=5000)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument(
        "--evolving", type=float, metavar="SECONDS", help="each mode again, with records whose fields change"
    )
    parser.add_argument("--keep", type=Path, help="folder for the stack's state and logs, kept")
    arguments = parser.parse_args()
    print(f"load {loads()} before; {arguments.rate:,} flights/s for {arguments.seconds:g} s a mode")
    records = Flights("").records
    home = arguments.keep or Path(tempfile.mkdtemp(prefix="lakelock-"))
    (home / "pipelines").mkdir(parents=True, exist_ok=True)
    home.chmod(0o755)
    stack = Stack(home, pipelines=home / "pipelines")
    try:
        stack.start()
        for name in arguments.modes:
            bench = Bench(stack, name, MODES[name], records)
            try:
                quiet = measure(bench, arguments.rate, arguments.seconds)
            finally:
                bench.stop()
            if arguments.evolving:
                evolving(stack, name, records, arguments.rate, arguments.evolving, quiet)
    finally:
        stack.stop()
        if arguments.keep is None:
            shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
