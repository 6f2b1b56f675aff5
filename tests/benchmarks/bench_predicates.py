"""What a rule with a predicate costs: batches on Spark that route one topic by a field, beside the same with predicates.

    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_predicates.py            about two minutes
    PYTHONPATH=plugins:bin:tests python tests/benchmarks/bench_predicates.py --records 200000 --rounds 1

Starts a broker and a Connect server of its own. The records are those of `bench_routing`, for 58 tables. As in
`bench_expressions`, the sides run in turn in two Spark tasks, the fastest round of each counts, and the ratios compare with
the side without a predicate.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace

import bench_expressions
import bench_routing
import bench_write_path as path
from bench_spark_overhead import connect_server
from kits.predicates import predicate
from lakelock.adapters.spark.connect_session import open_connect
from lakelock.app.servers import WRITER
from lakelock.records.routing.router import RouteRule

OF_FIELD = "try_cast(get_json_object(value, '$.amount') as double) > 1000"
SIDES: Mapping[str, tuple[str, ...]] = {
    "without a predicate": (),
    "one of the offset": ("offset < 0",),
    "one of a field": (OF_FIELD,),
    "four of fields": tuple(OF_FIELD.replace("1000", f"100{n}") for n in range(4)),
}


def run(remote: str, address: str, load: path.Load, wheres: tuple[str, ...], tables: int) -> path.Cost:
    """No record has a predicate's table, so all sides write the same."""
    with (
        tempfile.TemporaryDirectory(prefix="lakelock-bench-") as out,
        open_connect(remote, "bench", "live") as session,
    ):
        order = bench_routing.routed(path.order(load, out, address), tables)
        assert order.router is not None
        rules = tuple(RouteRule("tables", ("bench.e0",), where=predicate(sql)) for sql in wheres)
        order = replace(order, router=replace(order.router, rules=(*rules, *order.router.rules)))
        began, before = time.perf_counter(), bench_expressions.cpu_s()
        outputs = WRITER.over(session).run(order)
        wall_s, spent_s = time.perf_counter() - began, bench_expressions.cpu_s() - before
        assert sum(b.written for o in outputs for t in o.tables for b in t.books) == load.records
    return path.Cost(wall_s, spent_s, max(o.peak_memory_bytes for o in outputs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--tables", type=int, default=58)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    costs: dict[str, list[path.Cost]] = {side: [] for side in SIDES}
    with path.broker(None) as address, connect_server(java_options=bench_expressions.JAVA_OPTIONS) as remote:
        values = bench_routing.typed_values(options.records, options.tables)
        load = path.produce(address, bench_routing.COLUMNS, values)
        for number in range(options.rounds + 1):
            for side, wheres in SIDES.items():
                cost = run(remote, address, load, wheres, options.tables)
                if number:
                    costs[side].append(cost)
    base_s, base_cpu_s = (min(getattr(c, name) for c in costs["without a predicate"]) for name in ("wall_s", "cpu_s"))
    for side, found in costs.items():
        wall_s, spent_s = min(c.wall_s for c in found), min(c.cpu_s for c in found)
        print(
            f"{side:20} {wall_s / load.records * 1e6:.2f} s a million records, {wall_s / base_s:.2f} × the time, "
            f"{spent_s / load.records * 1e6:.2f} µs CPU a record, {spent_s / base_cpu_s:.2f} × the CPU, "
            f"peak {max(c.peak_bytes for c in found) / 2**20:.0f} MiB of Python a task"
        )


if __name__ == "__main__":
    main()
