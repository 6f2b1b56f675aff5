"""Rows/s, CPU and memory of slices that route one topic to many tables by a field, against one table.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_routing.py                        several minutes, starts a broker of its own
    python tests/benchmarks/bench_routing.py --records 8000000 --tables 58,1000 --rounds 2

The sides run in turn on the same records, in two slices, each in a process of its own: one table that takes all of them, and
tables that a rule names by a field, each of which gets a file of each slice. The folders of the tables are there, as after an
earlier batch. The fastest round of each side is printed, its least CPU, and its highest memory. Beside other load the CPU of
both sides grows, so each round also has a ratio of its own.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench_write_path import PROCESSES, SMALL, Cost, Load, broker, order, our_process, produce, two_processes
from lakelock.ports import WriteOrder
from lakelock.records.routing.router import Router, RouteRule

COLUMNS = [*SMALL, ("type", "string")]


def typed_values(count: int, types: int) -> Iterator[bytes]:
    """About 160 bytes, 6 fields; each type is as frequent as any other."""
    source = random.Random(24)
    names = [f"user-{i:06d}-{source.getrandbits(64):016x}" for i in range(5000)]
    note = "x" * 24
    for i in range(count):
        at = f"2026-11-21T04:{i // 60000 % 60:02d}:{i // 1000 % 60:02d}.{i % 1000:03d}Z"
        yield (
            f'{{"id":{i},"account":"{names[i % 5000]}","amount":{source.random() * 1000:.2f},"event_ts":"{at}",'
            f'"note":"{note}","type":"e{source.randrange(types)}"}}'
        ).encode()


def routed(whole: WriteOrder, tables: int) -> WriteOrder:
    (one,) = whole.targets
    folder = Path(one.location).parent
    targets = tuple(replace(one, table=f"bench.e{n}", location=f"{folder}/e{n}", is_routed=True) for n in range(tables))
    rules = (RouteRule("tables", ("bench.{type}",)), RouteRule("dead_letter"))
    return replace(whole, targets=targets, router=Router(rules, known={t.table: t.table for t in targets}))


def run(bootstrap: str, load: Load, tables: int, out: str) -> Cost:
    """One table if *tables* is 0. Files in *out* stay: ext4 makes files slower for half a minute after many were deleted."""
    with two_processes() as pool:
        whole = order(load, tempfile.mkdtemp(dir=out), bootstrap)
        whole = routed(whole, tables) if tables else whole
        for target in whole.targets:
            Path(target.location.removeprefix("file://"), "data", target.identity_uuid).mkdir(parents=True)
        began = time.perf_counter()
        results = list(pool.map(our_process, [(whole, n) for n in range(PROCESSES)]))
        wall = time.perf_counter() - began
    assert sum(r[0] for r in results) == load.records
    print(f"    {tables or 1:,} tables:", [{k: round(v, 1) for k, v in r[4].items()} for r in results], flush=True)
    return Cost(wall, sum(r[1] for r in results), max(r[2] for r in results))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bootstrap", help="a running broker, host:port")
    parser.add_argument("--records", type=int, default=8_000_000)
    parser.add_argument("--tables", default="58,1000")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with broker(options.bootstrap) as address, tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out:
        for tables in (int(n) for n in options.tables.split(",")):
            load = produce(address, COLUMNS, typed_values(options.records, tables))
            costs: dict[int, list[Cost]] = {0: [], tables: []}
            for _ in range(options.rounds):
                for side, found in costs.items():
                    found.append(run(address, load, side, out))
            best = {
                side: Cost(min(c.wall_s for c in cs), min(c.cpu_s for c in cs), max(c.peak_bytes for c in cs))
                for side, cs in costs.items()
            }
            for side, cost in best.items():
                print(
                    f"{side or 1:6,} tables: {load.records / cost.wall_s:11,.0f} rows/s   "
                    f"{cost.cpu_s / load.records * 1e6:.2f} µs CPU a row   peak {cost.peak_bytes / 2**20:.0f} MiB a task"
                )
            rounds = [one.cpu_s / many.cpu_s for one, many in zip(costs[0], costs[tables], strict=True)]
            print(
                f"{tables:6,} tables: {best[0].wall_s / best[tables].wall_s:.0%} of one table's rows/s, "
                f"{best[0].cpu_s / best[tables].cpu_s:.0%} by CPU (rounds {', '.join(f'{r:.0%}' for r in rounds)})",
                flush=True,
            )


if __name__ == "__main__":
    main()
