"""What a change of columns costs: a batch that meets a new field, a wide schema, and commits to a table that has many schemas.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_evolution.py                   about five minutes, starts a broker and Postgres of its own
    python tests/benchmarks/bench_evolution.py --only batch --rounds 5
    python tests/benchmarks/bench_evolution.py --only commits --against PATH  in turns with another checkout, on this Python
    python tests/benchmarks/bench_evolution.py --only wide,commits --catalog postgresql+psycopg://…

A batch is planned before, and written and committed in the time that is shown, by two processes of which each reads 300,000
records of five fields. A field is new in all of them, or in those of one process. The affected slices are read twice, so the
goal is the time of the same batch without news, and that of a batch of the affected slices alone, and a second.

Every round has all sides, and a run on a busy machine is not a measurement: the fastest of each side count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench_write_path import SMALL, small_values, warm
from evolution_commits import commits, verdict
from kits.iceberg import INSTALLATION, open_tables
from lakelock.adapters.iceberg import IcebergTables
from lakelock.adapters.spark.thrift import be_thrifty
from lakelock.adapters.wal import migrate
from lakelock.errors import State, TableUnfit
from lakelock.model.column_types import Column
from lakelock.model.coverage import Coverage
from lakelock.model.ledger import Ledger
from lakelock.model.type_notation import parse_type
from lakelock.ports import Change, SliceOutput, TableDefinition, WriteOrder
from lakelock.ports.edits import Evolve
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.observed_fields import observed
from lakelock.records.sql.expressions import Evaluable
from lakelock.workers.write import write_slice

PROCESSES = 2
GOAL_MORE_S, GOAL_WIDE_S = 1.0, 2.0
WIDE = 4_000
NEWS = b',"discount":0.25}'


class PoolWriter:
    """Slices in two processes, as Spark has them in two tasks, without what a job of Spark costs."""

    parallelism = PROCESSES

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self.cpu_s = 0.0

    def interrupt_orphans(self, attempt: str) -> None:
        """The pool has no other attempts."""

    def unfit(self, targets: Sequence[Evaluable], state: State) -> dict[str, TableUnfit]:
        raise AssertionError("no table has SQL")

    def run(self, order: WriteOrder, ended: Callable[[int], None] = lambda slices: None) -> list[SliceOutput]:
        done = list(self._pool.map(timed_slice, [order] * len(order.slices), range(len(order.slices))))
        self.cpu_s += sum(cpu_s for _, cpu_s in done)
        return [output for output, _ in done]


def timed_slice(order: WriteOrder, number: int) -> tuple[SliceOutput, float]:
    before = time.process_time()
    return write_slice(order, number), time.process_time() - before


@contextmanager
def servers() -> Iterator[tuple[Path, str, Any]]:
    """A folder, the broker's address, and Postgres."""
    from stack import jars, machine
    from stack.kafka import Kafka
    from stack.postgres import Postgres

    with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as home:
        Path(home).chmod(0o755)
        postgres = Postgres(Path(home) / "postgres")
        kafka = Kafka(Path(home) / "kafka", machine.java(), jars.folder("kafka"))
        for server in (postgres, kafka):
            server.start()
        try:
            migrate(postgres.dsn("lakelock"))
            yield Path(home), kafka.bootstrap, postgres
        finally:
            kafka.stop()
            postgres.stop()


def batches(rounds: int, records: int) -> None:
    """Each side is a batch of its own table; the table is there, and has had a batch."""
    from kits.topics import create_topic, new_producer, produce
    from kits.world import World, file_of, new_world, open_with

    with (
        servers() as (home, broker, postgres),
        ProcessPoolExecutor(PROCESSES, get_context("spawn"), be_thrifty) as pool,
    ):
        from confluent_kafka.admin import AdminClient

        list(pool.map(warm, range(PROCESSES)))
        admin, producer = AdminClient({"bootstrap.servers": broker}), new_producer(broker)
        uri = postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://")
        plain = list(small_values(records))
        news = [value[:-1] + NEWS for value in plain]
        columns = ", ".join(f"{name}: {kind}" for name, kind in SMALL)

        def once(*partitions: list[bytes]) -> tuple[float, float]:
            mark = uuid.uuid4().hex[:8]
            topic = f"evolution-{mark}"
            create_topic(admin, topic)
            folder = home / mark
            folder.mkdir()
            properties = {"type": "sql", "uri": uri, "warehouse": f"file://{home}/warehouse"}
            world: World = new_world(folder, "bench", postgres.dsn("lakelock"), broker, 1, properties, topic)
            writer = PoolWriter(pool)
            world.name, world.writer = f"p_{mark}", writer
            table = f"{{name: {world.table}, columns: {{{columns}}}, new_fields: evolve, new_types: evolve}}"
            limits = f"batch: {{max_records: {10 * records}, parallelism: {PROCESSES}}}\n"
            with open_with(world, file_of(world, table, rest=limits)) as runtime:
                for partition in range(PROCESSES):
                    produce(producer, topic, plain[:1], partition=partition)
                world.cycle(runtime)
                for partition, values in enumerate(partitions):
                    produce(producer, topic, values, partition=partition)
                planned = runtime.plan()
                assert planned.batch_id is not None
                began, cpu = time.perf_counter(), writer.cpu_s
                outcome = runtime.write(mark, mark, planned.batch_id)
                world.commit(runtime)
                took = time.perf_counter() - began
                assert bool(outcome.columns_changed) == any(p is news for p in partitions)
            rows = world.catalog.load_table(world.table).scan().count()
            assert rows == PROCESSES + sum(map(len, partitions))
            return took, writer.cpu_s - cpu

        sides = {
            "no news": (plain, plain),
            "one slice, no news": (plain,),
            "news in all records": (news, news),
            "news in all records of one slice": (plain, news),
        }
        took: dict[str, list[tuple[float, float]]] = {side: [] for side in sides}
        for _ in range(rounds):
            for side, partitions in sides.items():
                took[side].append(once(*partitions))
    best = {side: tuple(map(min, zip(*all_of_it, strict=True))) for side, all_of_it in took.items()}
    for side, (seconds, cpu_s) in best.items():
        rounds_text = ", ".join(f"{s:.2f}" for s, _ in took[side])
        print(
            f"batch: {side:34} {seconds:5.2f} s  {seconds / best['no news'][0]:.2f} ×   CPU of the slices {cpu_s:5.2f} s  "
            f"{cpu_s / best['no news'][1]:.2f} ×   rounds {rounds_text}"
        )
    for side, again in (
        ("news in all records", "no news"),
        ("news in all records of one slice", "one slice, no news"),
    ):
        seconds, goal = best[side][0], best["no news"][0] + best[again][0] + GOAL_MORE_S
        print(f"batch: {side}: {seconds:.2f} s of {goal:.2f} s: {verdict(seconds <= goal)}", flush=True)


def wide(tables: IcebergTables, rounds: int) -> None:
    """Load, decide and commit for a table of many columns, as a batch does when it has what its records ask for."""
    definition = [Column("id", parse_type("long"))]
    definition += [Column(f"n{n}", parse_type("int" if n % 2 else "string")) for n in range(WIDE - 1)]
    one = [b'{"id": 1, "new": 1}']
    many = {f"x{n}": {"a": n, "b": [n]} for n in range(200)} | {f"n{n}": 2**40 for n in range(1, WIDE - 1, 2)}
    for what, records in (("1 new", one), ("2,000 wider, 200 new structs", [json.dumps(many).encode()])):
        samples = []
        for _ in range(rounds):
            name = f"bench.wide_{uuid.uuid4().hex[:8]}"
            tables.create(name, TableDefinition(tuple(definition)))
            seen = observed(records)
            began, cpu = time.perf_counter(), time.process_time()
            state = tables.load(name)
            past = tables.past_columns(state)
            asked = Evolution(Evolving(state.columns, True, True, dropped=tuple(past.paths))).changes(seen)
            ledger = Ledger(INSTALLATION, "p", str(uuid.uuid4()), 0, "config", Coverage())
            edit = Evolve(tuple(asked))
            tables.commit(state, Change(ledger, {"name": "p"}, edit, (), (), keep_snapshots=100, keep_younger_ms=0))
            after = tables.load(name)
            samples.append((time.perf_counter() - began, time.process_time() - cpu))
            assert len(after.columns) >= WIDE
            assert after.layout.token != state.layout.token
        middle, cpu = (statistics.median(one) for one in zip(*samples, strict=True))
        print(
            f"wide: {WIDE:,} columns, {what:28} {middle:5.2f} s  CPU {cpu:.2f} s  "
            f"of {GOAL_WIDE_S} s: {verdict(middle <= GOAL_WIDE_S)}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="wide,commits,batch")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--records", type=int, default=300_000, help="of each of the two slices")
    parser.add_argument("--commits", type=int, default=20, help="in each round, after as many that do not count")
    parser.add_argument("--catalog", default="", help="SQLAlchemy URI of a SQL catalog, for wide and commits")
    parser.add_argument("--against", metavar="PATH", help="another checkout, for commits")
    options = parser.parse_args()
    only = options.only.split(",")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}", flush=True)
    if "wide" in only:
        with tempfile.TemporaryDirectory(prefix="lakelock-bench-") as folder:
            uri = options.catalog or f"sqlite:///{folder}/catalog.db"
            wide(open_tables({"type": "sql", "uri": uri, "warehouse": f"file://{folder}/warehouse"}), options.rounds)
    if "commits" in only:
        commits(options.catalog, options.rounds, options.commits, options.against)
    # Last, as clients of a broker that has ended complain for as long as their process lives.
    if "batch" in only:
        batches(options.rounds, options.records)


if __name__ == "__main__":
    main()
