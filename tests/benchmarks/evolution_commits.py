"""Commits to a table that has many schemas, for `bench_evolution.py`."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import IO

GOAL_COMMITS = 1.1
SCHEMAS = (1, 200)

# Run by the code of each checkout, of which only `bench_commit.Bench` need be the same.
COMMITS = """
import json, sys, tempfile
from bench_commit import Bench
from kits.iceberg import open_tables

uri, schemas, count = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])

def age(table, number):
    "As if the columns had been changed so many times, which by commits would take minutes."
    path = table.metadata_location.removeprefix("file://")
    with open(path) as file:
        metadata = json.load(file)
    for n in range(1, number):
        metadata["last-column-id"] += 1
        field = {"id": metadata["last-column-id"], "name": f"more{n}", "required": False, "type": "long"}
        last = metadata["schemas"][-1]
        metadata["schemas"].append({**last, "schema-id": n, "fields": [*last["fields"], field]})
    metadata["current-schema-id"] = number - 1
    with open(path, "w") as file:
        json.dump(metadata, file)

with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as folder:
    at = {"type": "sql", "uri": uri or f"sqlite:///{folder}/catalog.db", "warehouse": f"file://{folder}/warehouse"}
    benches = []
    for number in schemas:
        bench = Bench.create(open_tables(at), 2)
        age(bench.tables.catalog.load_table(bench.name), number)
        # The other one knows the file as it was.
        bench.tables = open_tables(at)
        benches.append(bench)
        for _ in range(count):
            bench.once(100)
        assert len(bench.tables.catalog.load_table(bench.name).metadata.schemas) == number
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps([[bench.once(100) for _ in range(count)] for bench in benches]), flush=True)
"""


def commits(catalog: str, rounds: int, count: int, against: str | None) -> None:
    """Appends to a table of one schema and of many, in this checkout and another."""
    here = Path(__file__).resolve().parents[2]
    checkouts = {"here": here} | ({"there": Path(against).resolve()} if against else {})
    children = {name: _child(root, catalog, count) for name, root in checkouts.items()}
    found: dict[str, list[list[list[float]]]] = {name: [] for name in children}
    try:
        for child in children.values():
            assert _line(child.stdout) == "ready"
        for _ in range(rounds):
            # In turns, so that both see the same machine.
            for name, child in children.items():
                assert child.stdin is not None
                child.stdin.write("again\n")
                child.stdin.flush()
                found[name].append(json.loads(_line(child.stdout)))
    finally:
        for child in children.values():
            assert child.stdin is not None
            child.stdin.close()
            child.wait()
    medians: dict[str, list[float]] = {}
    for name, rounds_found in found.items():
        medians[name] = []
        for number, schemas in enumerate(SCHEMAS):
            cpu, wall = zip(*(sample for one in rounds_found for sample in one[number]), strict=True)
            medians[name].append(statistics.median(cpu))
            print(
                f"commits: {name:5} {schemas:3} schema{'s' if schemas > 1 else ' '}  CPU ms median {medians[name][-1]:6.1f}   "
                f"wall ms median {statistics.median(wall):6.1f}",
                flush=True,
            )
    for number, schemas in enumerate(SCHEMAS) if against else ():
        ratio = medians["here"][number] / medians["there"][number]
        print(f"commits: {schemas} schemas: {ratio:.2f} × of {against}: {verdict(ratio <= GOAL_COMMITS)}", flush=True)


def _child(root: Path, catalog: str, count: int) -> subprocess.Popen[str]:
    folders = ("plugins", "bin", "tests", "tests/benchmarks")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(root / folder) for folder in folders)}
    return subprocess.Popen(
        [sys.executable, "-c", COMMITS, catalog, json.dumps(SCHEMAS), str(count)],
        env=environment,
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _line(said: IO[str] | None) -> str:
    assert said is not None
    return said.readline().strip()


def verdict(is_met: bool) -> str:
    return "met" if is_met else "MISSED"
