"""What a stage of SQL costs: batches on Spark with expressions beside the same batches without.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_expressions.py            about two minutes
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_expressions.py --records 200000 --rounds 1

Starts a broker and a Connect server of its own. 143-byte records of 16 partitions go through two Spark tasks. CPU is that
of Spark and all its Python workers. The sides run in turn; the fastest round of each counts, and the ratios compare with
the side without SQL. Memory is measured
in jobs of its own: that of all Python workers of Spark, each page once, over the two tasks.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace

import bench_write_path as path
import psutil
import task_memory
from bench_spark_overhead import connect_server
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.app.servers import WRITER
from lakelock.model.column_types import Column, Text
from lakelock.model.type_notation import parse_type
from lakelock.records.sql.expressions import Expressions, RowCheck

CHECK = RowCheck("positive", "amount >= 0")
SIDES: Mapping[str, Expressions | None] = {
    "without SQL": None,
    "where": Expressions(where="amount < 990"),
    "a derived column": Expressions({"shouted": "upper(account)"}),
    "where, a derived column, a check": Expressions({"shouted": "upper(account)"}, "amount < 990", (CHECK,)),
}
GOAL, MEMORY_GOAL_MIB = 2.0, 512
TASKS, JOBS = 2, 3
# The demo's server compiles little, because it starts often and its JVM has little to do without SQL.
JAVA_OPTIONS = "-XX:+UseSerialGC"


def run(remote: str, address: str, load: path.Load, expressions: Expressions | None, jobs: int = 1) -> path.Cost:
    """Of the last of so many *jobs* in one session."""
    with (
        tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out,
        open_connect(remote, "bench", "live") as session,
    ):
        # Also without SQL, so that both sides write the same columns.
        declared = tuple(Column(name, parse_type(text)) for name, text in load.columns)
        whole = path.order(load, out, address, columns=(*declared, Column("shouted", Text())))
        targets = tuple(replace(t, expressions=expressions) for t in whole.targets)
        for _ in range(jobs):
            began, before = time.perf_counter(), cpu_s()
            outputs = WRITER.over(session).run(replace(whole, targets=targets))
            wall_s, spent_s = time.perf_counter() - began, cpu_s() - before
            assert sum(b.read for o in outputs for t in o.tables for b in t.books) == load.records
            assert all(b.balanced for o in outputs for t in o.tables for b in t.books)
    return path.Cost(wall_s, spent_s, max(o.peak_memory_bytes for o in outputs))


def memory(address: str, load: path.Load, expressions: Expressions | None) -> int:
    """Bytes a task, on a server of its own: each session has other workers, and those of the last one may still be there."""
    with connect_server(java_options=JAVA_OPTIONS) as remote, task_memory.watched() as peak:
        run(remote, address, load, expressions, JOBS)
    assert peak.moments
    print(f"  {peak.workers} workers", flush=True)
    return peak.bytes // TASKS


def cpu_s() -> float:
    """Of Spark and its workers so far."""
    processes = [
        p
        for p in psutil.Process().children(recursive=True)
        if p.name() != "java" or "connect" in " ".join(p.cmdline()).lower()
    ]
    return sum(p.cpu_times().user + p.cpu_times().system for p in processes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    costs: dict[str, list[path.Cost]] = {side: [] for side in SIDES}
    with path.broker(None) as address:
        load = path.produce(address, path.SMALL, path.small_values(options.records))
        with connect_server(java_options=JAVA_OPTIONS) as remote:
            for number in range(options.rounds + 1):
                for side, expressions in SIDES.items():
                    cost = run(remote, address, load, expressions)
                    if number:
                        costs[side].append(cost)
        peaks = {side: memory(address, load, expressions) for side, expressions in SIDES.items()}
    base_s, base_cpu_s = (min(getattr(c, name) for c in costs["without SQL"]) for name in ("wall_s", "cpu_s"))
    for side, found in costs.items():
        wall_s, spent_s = min(c.wall_s for c in found), min(c.cpu_s for c in found)
        print(
            f"{side:34} {load.records / wall_s:11,.0f} rows/s, {wall_s / base_s:.2f} × the time, "
            f"{spent_s / load.records * 1e6:.2f} µs CPU a row, {spent_s / base_cpu_s:.2f} × the CPU, "
            f"peak {peaks[side] / 2**20:.0f} MiB of Python a task (goals ≤ {GOAL:g} × the time, ≤ {MEMORY_GOAL_MIB} MiB)"
        )


if __name__ == "__main__":
    main()
