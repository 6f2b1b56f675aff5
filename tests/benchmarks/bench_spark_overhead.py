"""What Spark costs: the fixed price of a warm batch over Spark Connect, and its share of a large one.

    PYTHONPATH=plugins:bin python tests/benchmarks/bench_spark_overhead.py            about three minutes
    PYTHONPATH=plugins:bin python tests/benchmarks/bench_spark_overhead.py --records 500000 --rounds 2

Starts a broker and a Connect server of its own. The large batch is `write_slice` over 143-byte records of 16 partitions:
in two plain processes, as two Spark tasks, and as a raw loop without any accounting (see bench_write_path.py). The sides
run in turn; the fastest round of each counts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import bench_write_path as path
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.adapters.spark.jobs import SparkWriter
from lakelock.ports import WriteOrder
from lakelock.workers.write import write_slice


@contextmanager
def connect_server(**more: Any) -> Iterator[str]:
    from stack import machine
    from stack.spark import SparkConnect

    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as home:
        settings = {"spark.ui.enabled": "false"}
        java_home = machine.java_home(machine.java())
        server = SparkConnect(Path(home) / "spark", java_home, Path(home) / "none", settings, **more)
        server.start()
        try:
            yield server.remote
        finally:
            server.stop()


def timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def fixed_cost(remote: str, empty: WriteOrder, rounds: int) -> None:
    """Two slices of no offsets: what remains is opening the session, the job, and each task's way in and out."""
    opened: list[float] = []
    ran: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        with open_connect(remote, "bench", "live") as session:
            opened.append(time.perf_counter() - began)
            writer = SparkWriter(session, write_slice)
            writer.interrupt_orphans("before")
            ran.append(timed(lambda writer=writer: writer.run(empty)))  # type: ignore[misc]
    print(f"first batch of a session: open {opened[0]:.2f} s, run {ran[0]:.2f} s (Python workers start)")
    warm_open, warm_run = statistics.median(opened[rounds // 2 :]), statistics.median(ran[rounds // 2 :])
    print(f"warm batch of two empty slices: open {warm_open * 1000:.0f} ms, run {warm_run * 1000:.0f} ms (medians)")


def run_spark(remote: str, address: str, load: path.Load) -> path.Cost:
    with (
        tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out,
        open_connect(remote, "bench", "live") as session,
    ):
        writer = SparkWriter(session, write_slice, path.PROCESSES)
        whole = path.order(load, out, address)
        began = time.perf_counter()
        outputs = writer.run(whole)
        wall_s = time.perf_counter() - began
    assert sum(b.read for o in outputs for t in o.tables for b in t.books) == load.records
    return path.Cost(wall_s, 0.0, max(o.peak_memory_bytes for o in outputs))


def share(remote: str, address: str, records: int, rounds: int) -> None:
    load = path.produce(address, path.SMALL, path.small_values(records))
    sides: dict[str, Callable[[], path.Cost]] = {
        "raw loop": lambda: path.run_raw(address, load),
        "two processes": lambda: path.run_ours(address, load),
        "two Spark tasks": lambda: run_spark(remote, address, load),
    }
    costs: dict[str, list[path.Cost]] = {side: [] for side in sides}
    run_spark(remote, address, load)
    for _ in range(rounds):
        for side, run in sides.items():
            costs[side].append(run())
    best = {side: min(c.wall_s for c in found) for side, found in costs.items()}
    for side, wall_s in best.items():
        print(
            f"{side:16} {records / wall_s:11,.0f} rows/s, {best['raw loop'] / wall_s:.0%} of the raw loop, "
            f"{best['two processes'] / wall_s:.0%} of two processes; rounds "
            f"{[round(records / c.wall_s / 1000) for c in costs[side]]} k/s"
        )
    peak = max(c.peak_bytes for c in costs["two Spark tasks"])
    print(f"peak memory of a Spark task's Python worker: {peak / 2**20:.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batches", type=int, default=30)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with path.broker(None) as address, connect_server() as remote:
        tiny = path.produce(address, path.SMALL, path.small_values(path.PARTITIONS))
        with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
            empty = replace(path.order(tiny, out, address), slices=((), ()))
            fixed_cost(remote, empty, options.batches)
        share(remote, address, options.records, options.rounds)


if __name__ == "__main__":
    main()
