"""What DAG files cost: the DAG processor's parse of 300 pipeline files, and what a worker pays for its own DAG at a task's start.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_parse.py            about a minute

Each parse is one `BundleDagBag` in a forked process, as Airflow's DAG processor and task runner make it. The files take turns;
the fastest round of each counts, in seconds of processor time, for the machine may be shared. Two DAG files stand beside ours,
which show what Airflow's own objects take: as many DAGs with as many tasks that are empty, and with tasks of the same kinds as
ours, of which nothing else is said. Then all of our files by two processes at once, as many as Airflow's DAG processor has by
default (`[dag_processor] parsing_processes`), in seconds that pass, until all are parsed. A worker that was forked from the scheduler has the modules that the plugin preloads there;
any other has none of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kits.airflow import DAGS, airflow_environment

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
EMPTY, SAME = "bare_empty", "bare_same"
# Airflow's DAG processor and its workers fork a process for each file, with what they have imported by then; a module that only
# that file needs is paid with it. Before it forks, the DAG processor freezes what it holds and imports what the file names of
# Airflow; afterwards it serializes what was parsed.
PARENT = """
import gc, importlib, os, sys, time
import airflow.sdk
from airflow.dag_processing.dagbag import BundleDagBag
from airflow.serialization.serialized_objects import DagSerialization
from airflow.utils.file import iter_airflow_imports
who, rounds, *asked = sys.argv[1:]
if who == "preloaded":
    sys.argv[0:1] = ["airflow", "scheduler"]
    import lakelock_plugin
    lakelock_plugin.Preload().on_starting(None)
if who in ("processor", "together"):
    gc.freeze()
if who == "together":
    for file in asked:
        for module in iter_airflow_imports(file):
            importlib.import_module(module)
    for n in range(int(rounds)):
        began, free = time.perf_counter(), 2
        for file in asked:
            if free == 0:
                failed = os.wait()[1]
                free += 1
                assert not failed
            free -= 1
            if not os.fork():
                bag = BundleDagBag(
                    dag_folder=file, safe_mode=False, load_op_links=False, bundle_path=os.path.dirname(file), bundle_name="dags"
                )
                os._exit(1 if bag.import_errors else 0)
        for _ in range(2 - free):
            assert not os.wait()[1]
        print("RESULT", "together", time.perf_counter() - began, 0, 0, flush=True)
    raise SystemExit
for one in asked * int(rounds):
    file, _, dag_id = one.partition("@")
    if who == "processor":
        for module in iter_airflow_imports(file):
            importlib.import_module(module)
    if os.fork():
        if os.wait()[1]:
            raise SystemExit(f"{file} was not parsed")
        continue
    if dag_id:
        os.environ["_AIRFLOW_PARSING_CONTEXT_DAG_ID"] = dag_id
    began = time.process_time()
    bag = BundleDagBag(
        dag_folder=file, safe_mode=False, load_op_links=False, bundle_path=os.path.dirname(file), bundle_name="dags"
    )
    parsed = time.process_time()
    assert not bag.import_errors, bag.import_errors
    if who == "processor":
        for dag in bag.dags.values():
            DagSerialization.to_dict(dag)
    print("RESULT", file, parsed - began, time.process_time() - parsed, len(bag.dags), flush=True)
    os._exit(0)
"""
# As many tasks as our DAGs have, empty ones or of the same kinds: `!` a Python function, `?` an approval.
BARE = """
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import DAG, chain, task

def nothing(): ...

def made(name):
    if {empty} or name == "done":
        return EmptyOperator(task_id=name.strip("!?"))
    if name.endswith("?"):
        return ApprovalOperator(task_id=name[:-1], subject="?")
    return task(task_id=name[:-1])(nothing)()

KINDS = dict(
    ingest="plan! write! commit! publish! done",
    rollback="look! approve? roll_back! audit!",
    recover="look! approve? recover! audit!",
    backfill="ask! write! commit! check! done",
    maintain="compact! expire! rewrite_manifests! orphans! audit! done",
)
for n in range({files}):
    for kind, tasks in KINDS.items():
        with DAG(f"{{kind}}__{{n}}", schedule=None) as dag:
            chain(*map(made, tasks.split()))
        globals()[dag.dag_id] = dag
"""


@dataclass(frozen=True)
class Parsed:
    """Seconds of processor time; of those `together`, seconds that passed."""

    seconds: float
    serialized_seconds: float
    dags: int


def parsed(home: Path, ours: Mapping[str, str], who: str, rounds: int, files: Sequence[str]) -> dict[str, Parsed]:
    """By name of a DAG file its fastest round; behind an `@` a file has the id of the only DAG that is wanted."""
    done = subprocess.run(
        [sys.executable, "-c", PARENT, who, str(rounds), *files],
        env=airflow_environment(home, DAGS, **ours),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-4000:])
    found: dict[str, list[Parsed]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            _, file, seconds, serialized, dags = line.split()
            found.setdefault(Path(file).stem, []).append(Parsed(float(seconds), float(serialized), int(dags)))
    return {name: best(rounds) for name, rounds in found.items()}


def best(found: Sequence[Parsed]) -> Parsed:
    return Parsed(min(p.seconds for p in found), min(p.serialized_seconds for p in found), found[0].dags)


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
        (home / "empty.py").write_text("from airflow.sdk import DAG\n", encoding="utf-8")
        for side in (EMPTY, SAME):
            text = BARE.format(files=arguments.files, empty=side == EMPTY)
            (home / f"{side}.py").write_text(text, encoding="utf-8")
        measure(home, {"LAKELOCK_PIPELINES": str(folder)}, arguments.rounds, arguments.files)


def measure(home: Path, ours: Mapping[str, str], rounds: int, files: int) -> None:
    dag_files = sorted(DAGS.glob("*.py"))
    bare = [home / f"{side}.py" for side in (EMPTY, SAME)]
    own = min(OWN, f"p{files - 1}", key=lambda name: int(name[1:]))
    kinds = {"ingest": "ingest", "backfill": "backfill", "maintenance": "maintain"}
    began = time.perf_counter()
    processor = parsed(home, ours, "processor", rounds, [str(file) for file in (*bare, *dag_files)])
    command = [str(home / "empty.py"), *(f"{DAGS / name}.py@{kind}__{own}" for name, kind in kinds.items())]
    workers = {who: parsed(home, ours, who, rounds, command) for who in ("worker", "preloaded")}
    spent, load = time.perf_counter() - began, os.getloadavg()[0]
    print(f"{files} pipeline files, {rounds} rounds in {spent:.0f} s, {os.cpu_count()} cores, load {load:.1f}\n")
    empty, same = processor[EMPTY].seconds, processor[SAME].seconds

    def row(name: str, found: Parsed, verdict: str = "") -> None:
        shares = f"{found.seconds / empty:.2f} | {found.seconds / same:.2f}"
        print(
            f"| {name} | {found.dags} | {found.seconds:.3f} | {shares} | {found.serialized_seconds:.3f} | {verdict} |"
        )

    print("| DAG processor | DAGs | parse, CPU s | of empty ones | of the same bare | then serialize, CPU s | |")
    print("|---|---|---|---|---|---|---|")
    row("Airflow: empty tasks", processor[EMPTY])
    row("Airflow: the same tasks, bare", processor[SAME])
    found = [processor[file.stem] for file in dag_files]
    for file, one in zip(dag_files, found, strict=True):
        row(file.name, one)
    whole = Parsed(
        sum(one.seconds for one in found), sum(one.serialized_seconds for one in found), sum(one.dags for one in found)
    )
    row("all of them", whole)
    (wall,) = parsed(home, ours, "together", rounds, [str(file) for file in dag_files]).values()
    verdict = "reached" if wall.seconds <= PARSE_S else "MISSED"
    print(f"\nall of them, two at once: {wall.seconds:.3f} s pass (goal: {PARSE_S} s, {verdict})")
    print("\n| a worker, for its own DAG | CPU s | over an empty file | |\n|---|---|---|---|")
    for who, fastest in workers.items():
        under = fastest["empty"].seconds
        for name in kinds:
            seconds = fastest[name].seconds
            verdict = "reached" if seconds - under <= WORKER_S else "MISSED"
            print(f"| {name}.py, {who} | {seconds:.3f} | {seconds - under:.3f} | goal: {WORKER_S} s, {verdict} |")


if __name__ == "__main__":
    main()
