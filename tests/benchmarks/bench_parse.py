"""What DAG files cost: the DAG processor's parse of 300 pipeline files, and what a worker pays for its own DAG at a task's start.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_parse.py            about two minutes

Each parse is one `BundleDagBag` in a process of its own, as Airflow's DAG processor and task runner make it, with what they
have imported by then. The sides run in turn; the fastest round of each counts, in seconds of processor time, for the machine
may be shared. Two DAG files stand beside ours: an empty one, and one that makes as many DAGs of as many tasks with nothing in
them, which is what Airflow's own objects take. A worker that was forked from the scheduler has the modules that the plugin
preloads there; any other has none of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from airflow_kit import DAGS, airflow_environment

PARSE_S, WORKER_S = 2.0, 0.1
PIPELINE = """\
owner: team-{n}
tags: [shop]
schedule: {{every: 5m, batch_every: 10s}}
source: {{topics: [orders_{n}, returns_{n}]}}
tables:
  - name: shop.orders_{n}
    topics: [orders_{n}]
    columns:
      id: {{type: long, required: true}}
      amount: decimal(10, 2)
      created_at: {{type: timestamptz, zone: Europe/Berlin}}
      items: "list<struct<sku: string, count: int>>"
    partition_by: ["day(created_at)", "bucket(16, id)"]
    sort_by: [id]
  - name: shop.returns_{n}
    topics: [returns_{n}]
dead_letters: {{stop_at: {{ratio: 0.05, count: 10000}}}}
maintenance: {{every: 1d}}
"""
SMALLEST = "source: {{topics: [orders_{n}]}}\ntables: [{{name: shop.orders_{n}}}]\n"
OWN = "p150"
# What the two have imported when they begin; a module that only one file needs is paid with that file.
CHILD = """
import os, sys, time
import airflow.sdk
from airflow.dag_processing.dagbag import BundleDagBag
if len(sys.argv) > 2:
    sys.argv[0:1] = ["airflow", "scheduler"]
    import lakelock_plugin
    lakelock_plugin.Preload().on_starting(None)
    file = sys.argv[2]
else:
    file = sys.argv[1]
began = time.process_time()
bag = BundleDagBag(
    dag_folder=file, safe_mode=False, load_op_links=False, bundle_path=os.path.dirname(file), bundle_name="dags"
)
seconds = time.process_time() - began
assert not bag.import_errors, bag.import_errors
print("RESULT", seconds, len(bag.dags))
"""
# As many tasks as our DAGs have.
BARE = """
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG
for n in range({files}):
    for kind, tasks in (("ingest", 5), ("backfill", 5), ("rollback", 4), ("recover", 4), ("maintain", 5)):
        with DAG(f"{{kind}}__{{n}}", schedule=None) as dag:
            for task in range(tasks):
                EmptyOperator(task_id=f"t{{task}}")
        globals()[dag.dag_id] = dag
"""


def parsed(home: Path, file: Path, environment: Mapping[str, str], *more: str) -> tuple[float, int]:
    """Processor time in seconds, and how many DAGs."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(file), *more],
        env=airflow_environment(home, DAGS, **environment),
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode or not lines:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-4000:])
    _, seconds, dags = lines[-1].split()
    return float(seconds), int(dags)


def best(found: list[tuple[float, int]]) -> float:
    return min(seconds for seconds, _ in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smallest", action="store_true", help="pipeline files of two lines")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lakelock-bench-parse-") as at:
        home = Path(at)
        folder = home / "pipelines"
        folder.mkdir()
        for n in range(arguments.files):
            text = (SMALLEST if arguments.smallest else PIPELINE).format(n=n)
            (folder / f"p{n}.yaml").write_text(text, encoding="utf-8")
        empty = home / "empty.py"
        empty.write_text("from airflow.sdk import DAG\n", encoding="utf-8")
        bare = home / "bare.py"
        bare.write_text(BARE.format(files=arguments.files), encoding="utf-8")
        ours = {"LAKELOCK_PIPELINES": str(folder)}
        measure(home, empty, bare, ours, arguments.rounds, arguments.files)


def measure(home: Path, empty: Path, bare: Path, ours: Mapping[str, str], rounds: int, files: int) -> None:
    sides: dict[str, list[tuple[float, int]]] = {}

    def took(side: str, file: Path, environment: Mapping[str, str], *more: str) -> None:
        sides.setdefault(side, []).append(parsed(home, file, environment, *more))

    dag_files = sorted(DAGS.glob("*.py"))
    own = f"{min(OWN, f'p{files - 1}', key=lambda name: int(name[1:]))}"
    kinds = {"ingest.py": "ingest", "backfill.py": "backfill", "maintenance.py": "maintain"}
    began = time.perf_counter()
    for _ in range(rounds):
        took("empty", empty, {})
        took("bare", bare, {})
        took("empty, preloaded", empty, {}, "preloaded")
        for file in dag_files:
            took(file.name, file, ours)
            if (kind := kinds.get(file.name)) is not None:
                mine = {**ours, "_AIRFLOW_PARSING_CONTEXT_DAG_ID": f"{kind}__{own}"}
                took(f"{file.name} in a task", file, mine)
                took(f"{file.name} in a task, preloaded", file, mine, "preloaded")
    spent = time.perf_counter() - began
    nothing = best(sides["empty"])
    print(
        f"{files} pipeline files, {rounds} rounds in {spent:.0f} s, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n"
    )
    floor = best(sides["bare"])
    print("| DAG processor | CPU seconds | DAGs | share of empty DAGs' |\n|---|---|---|---|")
    print(f"| an empty file | {nothing:.3f} | 0 | |")
    print(f"| empty DAGs, empty tasks | {floor:.3f} | {sides['bare'][0][1]} | 1 |")
    for file in dag_files:
        seconds = best(sides[file.name])
        print(f"| {file.name} | {seconds:.3f} | {sides[file.name][0][1]} | {seconds / floor:.2f} |")
    whole = sum(best(sides[f.name]) for f in dag_files)
    verdict = "reached" if whole <= PARSE_S else "MISSED"
    print(f"| all of them | {whole:.3f} | | {whole / floor:.2f}; goal: {PARSE_S} s, {verdict} |\n")
    print("| a worker, for its own DAG | CPU seconds | over an empty file | |\n|---|---|---|---|")
    for more in ("", ", preloaded"):
        under = best(sides[f"empty{more}"])
        print(f"| an empty file{more} | {under:.3f} | | |")
        for name in kinds:
            seconds = best(sides[f"{name} in a task{more}"])
            verdict = "reached" if seconds - under <= WORKER_S else "MISSED"
            print(f"| {name}{more} | {seconds:.3f} | {seconds - under:.3f} | goal: {WORKER_S} s, {verdict} |")


if __name__ == "__main__":
    main()
