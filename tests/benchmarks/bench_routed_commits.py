"""What the commit of a thousand routed tables costs, and a batch of which one table of many gets rows.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_routed_commits.py             several minutes, starts a broker and Postgres of its own
    python tests/benchmarks/bench_routed_commits.py --tables 1000 --only commit --rounds 2
    python tests/benchmarks/bench_routed_commits.py --tables 5000 --only one --rounds 5
    python tests/benchmarks/bench_routed_commits.py --tables 300 --only commit --profile

Log and SQL catalog are two databases of one Postgres. *commit*: each table has one staged file; commit tasks are processes,
as many as Airflow has, and start before the clock does. CPU is that of the tasks and of Postgres, which other work on the machine
disturbs least. *one*: plan, write, commit and publish of a batch with one record, in turns with a pipeline of a single table. The
CPU of a whole round is counted once its connections have ended: that of a process of Postgres that lives is known by 10 ms.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import os
import pstats
import statistics
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import psutil
import psycopg
from bench_evolution import servers
from kits.here_writer import HereWriter
from kits.topics import create_topic, new_producer, produce
from kits.world import World, new_world
from lakelock.app.runtime import Runtime
from lakelock.app.servers import new_id
from lakelock.config.planned_dags import ROUTED_COMMIT_TASKS
from lakelock.ingest.bind import Binder, Owner
from lakelock.ingest.commit_share import CommitShare
from lakelock.ingest.registration import register
from lakelock.model.registry import RegisteredTable
from routed_commit_tasks import begin_task, postgres_cpu, task

GOAL_TABLES, GOAL_COMMIT_S, GOAL_PLAN_PUBLISH_S, GOAL_ONE = 1_000, 60.0, 1.0, 1.2


@dataclass
class Routed:
    """A pipeline whose topic has a record for each of *tables* routed tables, and its servers."""

    world: World
    broker: str
    tables: int
    postgres: Callable[[], float]
    pid: int
    dsn: str

    @classmethod
    def new(cls, home: Path, broker: str, postgres: Any, tables: int) -> Routed:
        from confluent_kafka.admin import AdminClient

        mark = uuid.uuid4().hex[:8]
        topic, folder = f"routed-{mark}", home / mark
        create_topic(AdminClient({"bootstrap.servers": broker}), topic)
        folder.mkdir()
        uri = postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        properties = {"type": "sql", "uri": uri, "warehouse": f"file://{home}/warehouse"}
        world = new_world(folder, f"bench_{mark}", postgres.dsn("lakelock"), broker, 1, properties, topic)
        world.name, world.writer = f"p_{mark}", HereWriter()
        world.text = (
            f"source: {{topics: [{topic}]}}\ntables: [{{name: {world.namespace}.one}}]\n"
            if tables == 0
            else f"source: {{topics: [{topic}]}}\n"
            f"route: {{max_tables: 10000, rules: [{{table: '{world.namespace}.t{{to}}'}}]}}\n"
            f"dead_letters: {{table: {world.namespace}.letters}}\n"
        )
        return cls(world, broker, tables, postgres_cpu(postgres.pid), postgres.pid, postgres.dsn("lakelock"))

    @property
    def letters(self) -> str:
        return (
            f"{self.world.namespace}.letters"
            if self.tables
            else f"{self.world.namespace}.{self.world.name}__dead_letters"
        )

    def send(self, *to: int) -> None:
        values = [json.dumps({"id": n, "note": f"n{n}", "amount": 0.5, "to": n}).encode() for n in to]
        produce(new_producer(self.broker), self.world.topic, values)

    def write(self, runtime: Runtime) -> None:
        planned = runtime.plan()
        assert planned.batch_id is not None, planned.line
        runtime.write(str(uuid.uuid4()), f"bench/{uuid.uuid4()}", planned.batch_id)

    def written(self) -> None:
        """A batch in which each table has a record."""
        self.send(*range(max(1, self.tables)))
        with closing(self.world.runtime()) as runtime:
            began = time.perf_counter()
            self.write(runtime)
        print(f"    written in {time.perf_counter() - began:.1f} s", flush=True)

    def know(self, others: int) -> None:
        """As if *others* tables had been there for long, with their commits: no batch has records for them."""
        names = [f"{self.world.namespace}.quiet{n}" for n in range(others)]
        uuids = {name: str(uuid.uuid4()) for name in names}
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute(
                """
                INSERT INTO lakelock.tables (pipeline, table_name, raw_name, table_uuid, bound_at, topics, generation,
                    covered_offsets, ledger, ledger_at)
                SELECT t.pipeline, w.name, w.name, w.uuid::uuid::text, t.bound_at, t.topics, t.generation, t.covered_offsets,
                    t.ledger, t.ledger_at
                FROM lakelock.tables t, unnest(%s::text[], %s::text[]) AS w (name, uuid)
                WHERE t.pipeline = %s AND t.table_name = %s
                """,
                (names, [uuids[n] for n in names], self.world.name, f"{self.world.namespace}.t0"),
            )
            connection.execute("ANALYZE")
        with closing(self.world.runtime()) as runtime:
            file, letters = runtime.file, runtime.tables.load(self.letters)
            owner = Owner(file.name, runtime.log.installation_id(), file.resolved(), file.digest)
            binder = Binder(runtime.log, runtime.tables, owner, file.commit, new_id, time.sleep)
            register(binder, letters, {n: RegisteredTable(n, uuids[n]) for n in names}, [])

    def commit_all(self, tasks: int, profile: bool = False) -> None:
        with ExitStack() as opened:
            # One process each: a pool of several gives its work to any of them.
            pools = [opened.enter_context(ProcessPoolExecutor(1, get_context("spawn"))) for _ in range(tasks)]
            for begun in [pool.submit(begin_task, self.world) for pool in pools]:
                begun.result()
            postgres, began = self.postgres(), time.perf_counter()
            work = [pool.submit(task, n, tasks, self.letters, profile) for n, pool in enumerate(pools)]
            done = [one.result() for one in work]
            wall, postgres = time.perf_counter() - began, self.postgres() - postgres
        landed, cpu = sum(n for n, _, _ in done), sum(c for _, c, _ in done)
        transactions: Counter[str] = sum((c.transactions for _, _, c in done), Counter())
        requests: Counter[str] = sum((c.requests for _, _, c in done), Counter())
        print(
            f"{landed:,} commits in {tasks} tasks: {wall:.1f} s   CPU {cpu + postgres:.1f} s (Postgres {postgres:.1f})   "
            f"{(cpu + postgres) / landed * 1e3:.1f} ms CPU a table   load {os.getloadavg()[0]:.1f}\n"
            f"    a table: {transactions.total() / landed:.2f} transactions, {requests.total() / landed:.2f} requests to the "
            f"catalog {dict(requests)}\n    { ({k: round(n / landed, 2) for k, n in transactions.most_common()}) }\n"
            f"    of {GOAL_TABLES:,} tables on two cores: {wall / landed * GOAL_TABLES:.0f} s, by CPU "
            f"{(cpu + postgres) / landed * GOAL_TABLES / 2:.0f} s, goal {GOAL_COMMIT_S:.0f} s",
            flush=True,
        )

    def one(self, runtime: Runtime) -> tuple[dict[str, tuple[float, float]], float]:
        """Wall and CPU seconds by step, of a batch with what was sent; and CPU of this process in all."""
        steps: dict[str, tuple[float, float]] = {}
        own: list[float] = []

        def step(name: str, act: Callable[[], object]) -> None:
            # To ask for the CPU time of Postgres takes some itself.
            postgres, wall, cpu = self.postgres(), time.perf_counter(), time.process_time()
            act()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            own.append(cpu)
            steps[name] = wall, cpu + self.postgres() - postgres

        planned: list[str] = []
        step("plan", lambda: planned.append(runtime.plan().batch_id or ""))
        step("write", lambda: runtime.write(str(uuid.uuid4()), f"bench/{uuid.uuid4()}", planned[0]))
        names = [self.letters] if self.tables else [f"{self.world.namespace}.one", self.letters]
        step("commit", lambda: runtime.commit(names, True, share=CommitShare() if self.tables else None))
        step("publish", runtime.publish)
        return steps, sum(own)


def has_ended(postgres: Any, processes: int) -> None:
    """Wait until Postgres has no more than so many *processes*: connections that were closed end a moment later."""
    until = time.monotonic() + 10
    while len(psutil.Process(postgres).children()) > processes:
        assert time.monotonic() < until, "a connection is still open"
        time.sleep(0.005)


def one_of_many(routed: Routed, single: Routed, rounds: int, quiet: int, profile: bool) -> None:
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    whole: dict[str, list[float]] = {"many": [], "single": []}
    profiler = cProfile.Profile()
    processes = len(psutil.Process(routed.pid).children())
    for _ in range(rounds + 1):
        for name, side in (("many", routed), ("single", single)):
            side.send(0)
            gc.collect()
            postgres = side.postgres()
            # As in Airflow, each round has a runtime of its own.
            with closing(side.world.runtime()) as runtime:
                if profile and name == "many":
                    profiler.enable()
                steps, cpu = side.one(runtime)
                profiler.disable()
                for step, costs in steps.items():
                    found.setdefault(name, {}).setdefault(step, []).append(costs)
            has_ended(routed.pid, processes)
            whole[name].append(cpu + side.postgres() - postgres)
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(90)
    middles = {
        name: {
            step: (statistics.median(c[0] for c in costs[1:]), statistics.median(c[1] for c in costs[1:]))
            for step, costs in steps.items()
        }
        for name, steps in found.items()
    }
    for name, steps in middles.items():
        line = "   ".join(f"{step} {wall * 1e3:.0f} ms, CPU {cpu * 1e3:.0f}" for step, (wall, cpu) in steps.items())
        print(f"{name:7} {line}   load {os.getloadavg()[0]:.1f}", flush=True)
    many, one = (statistics.mean(whole[name][1:]) for name in ("many", "single"))
    beside = sum(middles["many"][step][0] for step in ("plan", "publish"))
    print(
        f"one table of {routed.tables + quiet:,}: CPU {many * 1e3:.0f} ms of {one * 1e3:.0f}, {many / one:.2f} × a pipeline with one "
        f"table, goal {GOAL_ONE}; "
        f"plan and publish {beside:.2f} s, goal {GOAL_PLAN_PUBLISH_S} s",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--tasks", type=int, default=ROUTED_COMMIT_TASKS)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--quiet", type=int, default=4_000, help="further tables that are known, for one")
    parser.add_argument("--only", default="commit,one")
    parser.add_argument("--profile", action="store_true", help="of a single task")
    options = parser.parse_args()
    tasks = 1 if options.profile else options.tasks
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.tables:,} tables", flush=True)
    with servers() as (home, broker, postgres):
        routed = Routed.new(home, broker, postgres, options.tables)
        for _ in range(options.rounds if "commit" in options.only else 1):
            routed.written()
            routed.commit_all(tasks, options.profile)
        if "one" in options.only:
            routed.know(options.quiet)
            single = Routed.new(home, broker, postgres, 0)
            single.written()
            one_of_many(routed, single, options.rounds, options.quiet, options.profile)


if __name__ == "__main__":
    main()
