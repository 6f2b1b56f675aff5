"""A pipeline under load, and random faults for as long as is asked for; then each record is counted.

    python -m campaigns.soak --minutes 30

`PYTHONPATH=plugins:bin:tests` is what it needs. The same `--seed` chooses the same faults, at other moments; the commit gives it
where none is named. It also chooses whether the tables have expressions: a batch takes another way through Spark with them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from campaigns import child, load
from campaigns.child import Job, Settled
from campaigns.draw import Seed, seed
from campaigns.forks import Forks
from campaigns.place import Databases, Place, Servers, Topic, read_all
from campaigns.result import Result as Said
from campaigns.servers import end_in_order, started
from campaigns.soak_faults import FAULTS, Soak, pause

WITH_SQL, EVOLVING = 0.5, 0.5


@dataclass(frozen=True)
class Result:
    """`faults` has, per kind, how often and how many seconds in all."""

    seed: int
    seconds: float
    sent: int
    visible: int
    faults: dict[str, tuple[int, float]]
    settled: Settled
    unclear: tuple[str, ...]
    aborted: int = 0

    @property
    def well(self) -> bool:
        return self.settled.verdict.well and not self.settled.stuck and not self.unclear

    @property
    def text(self) -> str:
        verdict = self.settled.verdict
        lines = ["| fault | times | s each |", "|---|---|---|"]
        lines += [f"| {name} | {n} | {s / n:.1f} |" for name, (n, s) in sorted(self.faults.items())]
        lines += [
            "",
            f"seed {self.seed}, {self.seconds:.0f} s: {self.sent} records sent, {self.visible} visible to read_committed, for 2 tables",
            f"lost {verdict.lost}, doubled {verdict.doubled}, dead letters {verdict.dead}, skipped as asked {verdict.skipped}",
            f"quiet after {self.settled.cycles} runs" + (f"; stuck: {self.settled.stuck}" if self.settled.stuck else ""),
            f"{self.aborted} processes ended by librdkafka's own abort",
            *verdict.details, *verdict.faults, *(f"unclear: {u}" for u in self.unclear),
        ]  # fmt: skip
        return "\n".join(lines)


def soak(
    known: Servers, killable: dict[str, object], seconds: float, rate: int, seed: int, *, sql: bool, evolves: bool
) -> Result:
    """On servers that may be killed: *killable* has them by name. *sql*: the tables have expressions, but for one whose columns
    follow the records if it *evolves*.
    """
    databases = Databases(known.dsn)
    folder = tempfile.TemporaryDirectory(prefix="lakelock-soak-")
    load_ = load.Load(known.bootstrap, rate, seed)
    place = Place(known, Topic(load_.topic, {}), f"ns_soak_{seed}", databases.log(), databases.new(), sql=sql)
    place = replace(place, evolves=evolves)
    forks = Forks(Path(folder.name))
    reported: dict[str, tuple[int, float]] = {}
    one = Soak(place, forks, databases, killable, random.Random(seed), Path(folder.name, "over"))
    began = time.monotonic()
    load_.start()
    try:
        one.supervise()
        while time.monotonic() - began < seconds:
            pause(one, 1, 6)
            at = time.monotonic()
            (fault,) = one.chance.choices(list(FAULTS), list(FAULTS.values()))
            name = fault(one)
            before = reported.get(name, (0, 0.0))
            reported[name] = (before[0] + 1, before[1] + time.monotonic() - at)
            print(f"{time.monotonic() - began:6.0f} s  {name}", flush=True)
    finally:
        load_.stop()
        one.end()
    topic = Topic(load_.topic, read_all(known.bootstrap, load_.topic))
    place = replace(one.place, topic=topic, known={"fixed": "in part"} if one.fixed else {})
    settled = forks.run(
        child.settle, Job(place, "", spark=known.spark_port is not None), one.may_skip, timeout_s=600
    ).result
    forks.close()
    folder.cleanup()
    return Result(
        seed, time.monotonic() - began, load_.sent, len(topic.records), reported, settled, tuple(one.unclear), one.aborted
    )  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--rate", type=int, default=200, help="records a second")
    parser.add_argument("--seed", type=int, help="chooses the faults; the commit's otherwise")
    parser.add_argument(
        "--sql", action=argparse.BooleanOptionalAction, help="tables with expressions; chosen otherwise"
    )
    parser.add_argument(
        "--evolving",
        action=argparse.BooleanOptionalAction,
        help="a table whose columns follow the records; chosen otherwise",
    )
    chosen = parser.parse_args(arguments)
    end_in_order()
    by = seed() if chosen.seed is None else Seed(chosen.seed, "--seed")
    sql = by.chance("SQL").random() < WITH_SQL if chosen.sql is None else chosen.sql
    evolves = by.chance("evolving").random() < EVOLVING if chosen.evolving is None else chosen.evolving
    said = f"tables {'with' if sql else 'without'} SQL, {'one' if evolves else 'none'} with columns that follow the records"
    print(f"faults drawn by {by}; {said}", flush=True)
    with started(spark=True) as own:
        result = soak(own.known, own.killable, chosen.minutes * 60, chosen.rate, by.number, sql=sql, evolves=evolves)
    print("\n" + result.text)
    counts = {"lost": result.settled.verdict.lost, "doubled": result.settled.verdict.doubled}
    print(Said(sum(n for n, _ in result.faults.values()), None, f"faults among {result.sent:,} records", counts).line)
    return 0 if result.well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
