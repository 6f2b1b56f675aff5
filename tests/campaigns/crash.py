"""Kills and freezes real processes at every point, and prints what was lost and what is there twice.

    python -m campaigns.crash            a sample of the points, as in the tests
    python -m campaigns.crash --long     every point, pairs of faults, a REST catalog, Spark; also writes docs/crash-points.md

`PYTHONPATH=plugins:bin:tests` is what it needs.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from stack.settings import REPOSITORY

from campaigns import report
from campaigns.lanes import Campaign, Outcome, Run
from campaigns.points import Fault, Kind
from campaigns.scenarios import ON_REST, ON_SPARK, SCENARIOS, Scenario
from campaigns.servers import campaign, end_in_order, started

T = TypeVar("T")
PAGE = REPOSITORY / "docs" / "crash-points.md"
# Inside the writing and inside one commit: the long form has them all.
_INNER = re.compile(r"file|delete|slice")
# The steps that pairs of faults are about: from staged files to marked parts.
_BOTH = (Kind.KILL, Kind.FREEZE)
_COMMIT = re.compile(r"log\.(stage|committed)|tables\.commit|catalog\.commit_table")


def call_of(point: str) -> str:
    """The call that a point belongs to: without its number in the run, without before and after."""
    return re.sub(r"( \d+)? (before|after)$", "", point)


def faults(points: Sequence[str], kinds: Sequence[Kind] = _BOTH) -> list[Fault]:
    return [Fault(point, kind) for point in points for kind in kinds]


def sample(these: Sequence[T], every: int) -> list[T]:
    """One of *every*, the same ones each time."""
    return list(these) if every == 1 else random.Random(every).sample(these, len(these) // every)


def short_form(told: Campaign, scenarios: Sequence[Scenario] = SCENARIOS) -> list[Run]:
    """Some 250 runs: the points of the steps, without those inside a step."""
    runs = []
    for scenario in scenarios:
        points = [p for p in told.points(scenario) if not _INNER.match(p)] if scenario.short else []
        if scenario.short != "all":
            points = [p for p in points if not re.search(r" \d+ (before|after)$", p)]
        if scenario.short == "freeze":
            runs += [Run(scenario, f) for f in faults([p for p in points if _COMMIT.match(p)], [Kind.FREEZE])]
        else:
            runs += [Run(scenario, f) for f in faults(points, [Kind.KILL] if scenario.short == "kill" else _BOTH)]
    return runs


def long_form(told: Campaign, scenarios: Sequence[Scenario]) -> Iterator[Run]:
    """Every point; the commits' points with the reads between them; pairs, as the retries show their own points."""
    for scenario in scenarios:
        yield from (Run(scenario, f) for f in faults(told.points(scenario)))
    for scenario in scenarios:
        if (scenario.base == "approved" and not scenario.twin) or scenario.pairs:
            reads = [p for p in told.points(scenario, reads=True) if p not in told.points(scenario)]
            yield from (Run(scenario, f) for f in faults(reads, [Kind.FREEZE]))


def pairs(told: Campaign, scenario: Scenario, every: int) -> Iterator[Outcome]:
    """Both faults on the way from staged files to marked parts: the retry after the first shows where the second can be."""
    commits = [p for p in told.points(scenario) if _COMMIT.match(p)]
    seconds = []
    for out in told.outcomes([Run(scenario, f, pairs=True) for f in sample(faults(commits), every)]):
        yield out
        seconds += [replace(out.run, second=f) for f in faults(out.twin_points, [Kind.KILL]) if _COMMIT.match(f.point)]
    yield from told.outcomes(sample(seconds, every))


def in_tasks() -> list[Run]:
    """Faults that meet a job of Spark's: its driver, a task's worker, the server; before and after the task has written."""
    return [Run(ON_SPARK, Fault(f"in a task {when}", kind)) for when in ("before", "after") for kind in Kind]


def on_rest(told: Campaign, scenarios: Sequence[Scenario]) -> list[Run]:
    return [Run(s, f) for s in scenarios for f in faults([p for p in told.points(s) if not _INNER.match(p)])]


def on_spark(told: Campaign, *, long: bool) -> list[Run]:
    points = [p for p in told.points(ON_SPARK) if not _INNER.match(p)] if long else []
    return in_tasks() + [Run(ON_SPARK, f) for f in faults(points)]


def without_spark(told: Campaign, *, long: bool, only: str, every: int) -> Iterator[Outcome]:
    scenarios = [s for s in SCENARIOS if only in s.name]
    runs = list(long_form(told, scenarios)) if long else short_form(told, scenarios)
    yield from told.outcomes(sample(runs, every))
    for scenario in scenarios if long else ():
        if scenario.pairs:
            yield from pairs(told, scenario, every)


def run(chosen: argparse.Namespace) -> Iterator[Outcome]:
    every, only = chosen.every, chosen.only
    with started(spark=chosen.long, rest=chosen.long) as own:
        with campaign(own.known, chosen.lanes) as told:
            yield from without_spark(told, long=chosen.long, only=only, every=every)
        if own.rest:
            with campaign(replace(own.known, lake=own.rest), chosen.lanes) as told:
                yield from told.outcomes(sample(on_rest(told, [s for s in ON_REST if only in s.name]), every))
        if own.spark and only in ON_SPARK.name:
            with campaign(own.known, 1, own.spark) as told:
                yield from told.outcomes(sample(on_spark(told, long=chosen.long), every))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="all that it can do, and docs/crash-points.md")
    parser.add_argument("--only", default="", help="scenarios with these words in their name")
    parser.add_argument("--every", type=int, default=1, help="only one of so many runs")
    parser.add_argument("--lanes", type=int, default=2, help="runs at once")
    parser.add_argument("--logs", type=Path, help="a folder for what the processes of failed runs said")
    chosen = parser.parse_args(arguments)
    end_in_order()
    outcomes: list[Outcome] = []
    began = time.monotonic()
    try:
        for out in run(chosen):
            outcomes.append(out)
            if not out.well:
                print(f"\nFAILED {out.line}", flush=True)
                report.keep_logs(out, chosen.logs)
            elif len(outcomes) % 50 == 0:
                print(f"{len(outcomes)} runs, {time.monotonic() - began:.0f} s", flush=True)
    finally:
        # Also where it is told to end: what was seen so far is a result.
        table = report.table(outcomes, time.monotonic() - began)
        print("\n" + table, flush=True)
    if chosen.long and not chosen.only:
        PAGE.write_text(report.page(table, chosen.every))
    return 0 if all(o.well for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
