"""What a shuffle by table costs, and how many files it saves: batches on Spark that route one topic to many tables.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_shuffle.py            some minutes
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_shuffle.py --records 400000 --tables 200 --slices 8 --rounds 1

Starts a broker and a Connect server of its own. The records are those of `bench_routing`. Both sides run in turn on the same
records, after a first round that does not count; the least CPU of each counts, which is that of Spark and of all its workers.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace

import bench_expressions
import bench_routing
import bench_write_path as path
from bench_spark_overhead import connect_server
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.app.servers import WRITER
from lakelock.ingest.jobs import run_jobs

MODES = ("none", "hash")


def run(remote: str, address: str, load: path.Load, mode: str, tables: int, slices: int) -> tuple[path.Cost, int]:
    """The cost, and the number of files."""
    with (
        tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out,
        open_connect(remote, "bench", "live") as session,
    ):
        order = bench_routing.routed(path.order(load, out, address, slices=slices), tables)
        properties = {"write.distribution-mode": mode}
        order = replace(order, targets=tuple(replace(t, properties=properties) for t in order.targets))
        assert len(order.slices) == slices
        began, before = time.perf_counter(), bench_expressions.cpu_s()
        outputs = run_jobs(WRITER.over(session), order, slices)
        wall_s, spent_s = time.perf_counter() - began, bench_expressions.cpu_s() - before
        assert sum(b.written for o in outputs for t in o.tables for b in t.books) == load.records
        files = sum(len(t.files) for o in outputs for t in o.tables)
    return path.Cost(wall_s, spent_s, max(o.peak_memory_bytes for o in outputs)), files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--tables", default="20,200,1000")
    parser.add_argument("--slices", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.slices} slices")
    with path.broker(None) as address, connect_server(java_options=bench_expressions.JAVA_OPTIONS) as remote:
        for tables in (int(n) for n in options.tables.split(",")):
            values = bench_routing.typed_values(options.records, tables)
            load = path.produce(address, bench_routing.COLUMNS, values)
            for mode in MODES:
                run(remote, address, load, mode, tables, options.slices)
            found: dict[str, list[tuple[path.Cost, int]]] = {mode: [] for mode in MODES}
            for _ in range(options.rounds):
                for mode, costs in found.items():
                    costs.append(run(remote, address, load, mode, tables, options.slices))
            for mode, costs in found.items():
                spent_s, wall_s = min(c.cpu_s for c, _ in costs), min(c.wall_s for c, _ in costs)
                print(
                    f"{tables:6,} tables, {mode}: {costs[0][1]:6,} files, {spent_s / load.records * 1e6:.2f} µs CPU a record, "
                    f"{wall_s:.1f} s, peak {max(c.peak_bytes for c, _ in costs) / 2**20:.0f} MiB of Python a task",
                    flush=True,
                )


if __name__ == "__main__":
    main()
