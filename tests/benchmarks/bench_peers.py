"""lakelock beside Spark Structured Streaming and the Iceberg Kafka Connect sink: one broker, one topic, one machine.

    export PYTHONPATH=plugins:bin:tests
    python tests/benchmarks/bench_peers.py                  about ten minutes, on a machine that does nothing else
    python tests/benchmarks/bench_peers.py --write          puts the table into docs/comparison.md
    python tests/benchmarks/bench_peers.py --small          a smoke run of two minutes, whose figures mean nothing

Starts all servers itself, and fetches the peers' jars (80 MB) at its first run. All sides write the five-field records of
bench_write_path.py as Parquet with zstd at level 1 into tables of one SQL catalog on Postgres, with two tasks each. DuckDB
reads every table, and a side that has lost or doubled records is reported and makes the run fail.

- lakelock: plan, write, commit and publish of a new pipeline with default settings on a warm Connect server, run after run
  until the topic is read, its table's creation included. It also stores each record's partition, offset and timestamp; the peers do not.
- Structured Streaming: a whole query with trigger AvailableNow, without a limit per batch, `from_json` with the schema. In the
  short topic as the first query of an application, whose start is not counted; in the long one in an application that has
  run such queries before.
- The sink: a standalone worker, measured from a commit behind its warm-up to the last commit of a whole interval. Its topic
  has more records, so that the rate between these commits is over enough of them.

CPU is that of all processes of a side and of Postgres, without the broker. Memory is the highest sum of their resident sets.
The fastest of all rounds counts for each side.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

import bench_write_path as path
from kits import peers
from kits.peers import Line, Run
from peer_sides import Lakelock, Servers, Sink, Streaming, fetch_jars
from stack.settings import ICEBERG_VERSION, KAFKA_VERSION, REPOSITORY, SPARK_VERSION

PAGE = REPOSITORY / "docs" / "comparison.md"
# As lakelock reads; all else is at the defaults of each.
CONSUMER = {"isolation.level": "read_committed"}
PARTS = ("short", "long", "sink")
SINK_GOAL, STREAMING_GOAL, SHORT_GOAL = 2.7, 3.2, 5.0


@dataclass
class Sizes:
    """Records of the topic when each part is measured."""

    short: int
    long: int
    sink: int
    warm_up: int
    rounds: int
    interval_s: float


@dataclass
class Bench:
    servers: Servers
    topic: str
    sizes: Sizes
    values: Iterator[bytes]
    sent: int = 0
    faults: list[str] = field(default_factory=list)

    def fill(self, until: int) -> None:
        """Send records until the topic has *until*."""
        if until > self.sent:
            path.send(self.servers.kafka.bootstrap, self.topic, islice(self.values, until - self.sent))
            self.sent = until
            say(f"{until:,} records in the topic")

    def measure(self, name: str, work: Callable[[], tuple[Run, list[str]]]) -> Run:
        run, faults = work()
        say(
            f"{name}: {run.rate:,.0f} rows/s ({run.rows:,} in {run.wall_s:.1f} s), {run.cpu_s / run.rows * 1e6:.2f} µs CPU a "
            f"row, {run.peak_bytes / 2**30:.1f} GiB"
        )
        self.faults += [f"{name}: {fault}" for fault in faults]
        for fault in faults:
            say(f"  {fault}")
        return run


def say(text: str) -> None:
    print(f"[load {os.getloadavg()[0]:.1f}] {text}", flush=True)


def ours_on(bench: Bench, lakelock: Lakelock, name: str, count: int) -> Run:
    run = bench.measure(f"lakelock, {name}", lambda: lakelock.run(count))
    say(f"  {', '.join(f'{step} {seconds:.1f} s' for step, seconds in lakelock.seconds.items())}")
    return run


def short_topic(bench: Bench, lakelock: Lakelock, new_application: Callable[[], Streaming]) -> list[Line]:
    """In turn, each query with an application of its own."""
    count = bench.sizes.short
    name = peers.in_words(count)
    bench.fill(count)
    first = ours_on(bench, lakelock, f"{name}, first run on a new Spark server", count)
    ours, theirs = [], []
    for _ in range(bench.sizes.rounds):
        ours.append(ours_on(bench, lakelock, name, count))
        application = new_application()
        with application.running():
            theirs.append(bench.measure(f"Structured Streaming, {name}, first query", partial(application.run, count)))
        say(f"  the application was ready after {application.start_s:.1f} s, which are not counted")
    best = peers.fastest(ours)
    return [
        Line(f"**lakelock**, {name} records", best),
        Line(
            f"Structured Streaming, {name} records, first query of an application",
            peers.fastest(theirs),
            best,
            SHORT_GOAL,
        ),
        Line(f"lakelock, {name} records, first run on a new Spark server", first),
    ]


def long_topic(bench: Bench, lakelock: Lakelock, streaming: Streaming) -> list[Line]:
    """In turn, in one application that has run a query before."""
    count = bench.sizes.long
    name = peers.in_words(count)
    bench.fill(bench.sizes.short)
    bench.measure("Structured Streaming, warm-up", lambda: streaming.run(bench.sent))
    bench.fill(count)
    ours, theirs = [], []
    for _ in range(bench.sizes.rounds):
        ours.append(ours_on(bench, lakelock, name, count))
        theirs.append(bench.measure(f"Structured Streaming, {name}, warm", lambda: streaming.run(count)))
    best = peers.fastest(ours)
    return [
        Line(f"**lakelock**, {name} records", best),
        Line(f"Structured Streaming, {name} records, once warm", peers.fastest(theirs), best, STREAMING_GOAL),
    ]


def compare(bench: Bench, only: Set[str], kafka: dict[str, str], batch_records: int | None) -> list[Line]:
    def new_application() -> Streaming:
        return Streaming(bench.servers, bench.topic, kafka)

    short, long = [], []
    with ExitStack() as running:
        if only & {"short", "long"}:
            lakelock = running.enter_context(Lakelock(bench.servers, bench.topic, batch_records).running())
        if "short" in only:
            short = short_topic(bench, lakelock, new_application)
        if "long" in only:
            long = long_topic(bench, lakelock, running.enter_context(new_application().running()))
    if "sink" in only:
        sizes = bench.sizes
        bench.fill(sizes.sink)
        with Sink(bench.servers, bench.topic, sizes.interval_s, kafka).running() as sink:
            found = [
                bench.measure("the sink", lambda: sink.run(sizes.sink, sizes.warm_up)) for _ in range(sizes.rounds)
            ]
        long.append(
            Line(
                "Iceberg Kafka Connect sink, once warm", peers.fastest(found), long[0].run if long else None, SINK_GOAL
            )
        )
    return [*long, *short]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = peers.parse_size
    parser.add_argument("--records", type=size, default=size("9M"), help="of the long topic; default %(default)s")
    parser.add_argument("--short", type=size, default=size("2M"), help="of the short topic; default %(default)s")
    parser.add_argument(
        "--sink-records", type=size, default=size("18M"), help="of the sink's topic; default %(default)s"
    )
    parser.add_argument("--warm-up", type=size, default=size("2M"), help="of the sink, in rows; default %(default)s")
    parser.add_argument(
        "--commit-interval", type=float, default=5.0, help="of the sink, in seconds; default %(default)s"
    )
    parser.add_argument("--batch-records", type=size, help="lakelock's batch.max_records; without it, its default")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="a smoke run: 200,000 records, one round")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.relative_to(REPOSITORY)}")
    parser.add_argument(
        "--kafka", action="append", default=[], metavar="NAME=VALUE", help="a consumer setting of the peers"
    )
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run; default %(default)s")
    parser.add_argument("--keep", type=Path, help="folder for the servers' state and logs, kept")
    args = parser.parse_args()
    only = set(args.only.split(","))
    if only - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}")
    if args.write and (args.small or len(only) < len(PARTS)):
        parser.error("the page's table is that of a whole run")
    sizes = Sizes(args.short, args.records, args.sink_records, args.warm_up, args.rounds, args.commit_interval)
    if args.small:
        sizes = Sizes(50_000, 200_000, 200_000, 10_000, 1, 2.0)
    if not sizes.short <= sizes.long <= sizes.sink:
        parser.error("the topic only grows: --short, --records, --sink-records must ascend")
    # All servers are stopped, whichever way this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    about = (
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before, {datetime.now(UTC):%Y-%m-%d}: Kafka {KAFKA_VERSION}, "
        f"Spark {SPARK_VERSION}, Iceberg {ICEBERG_VERSION}, Python {sys.version.split()[0]}"
    )
    print(about)
    fetch_jars()
    kafka = CONSUMER | dict(setting.split("=", 1) for setting in args.kafka)
    home = args.keep or Path(tempfile.mkdtemp(prefix="lakelock-bench-"))
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o755)
    try:
        with Servers.running(home) as servers:
            bench = Bench(servers, path.new_topic(servers.kafka.bootstrap), sizes, path.small_values(sizes.sink))
            lines = compare(bench, only, kafka, args.batch_records)
    finally:
        if args.keep is None:
            shutil.rmtree(home, ignore_errors=True)
    table = peers.table(lines)
    print("\n".join(["", *table, "", *peers.verdicts(lines)]))
    print("\n".join(bench.faults) or "each table has each record once")
    if args.write and not bench.faults:
        PAGE.write_text(peers.put_between_marks(PAGE.read_text(encoding="utf-8"), ["", *table, "", f"({about})", ""]))
    return int(bool(bench.faults))


if __name__ == "__main__":
    sys.exit(main())
