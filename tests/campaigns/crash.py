"""Kills and freezes real processes at every point, and prints what was lost and what is there twice.

    python -m campaigns.crash                     some thirty runs that the commit draws, as in the tests
    python -m campaigns.crash --long              every point, pairs of faults, a REST catalog, Spark; also writes docs/proofs/crash-points.md
    python -m campaigns.crash --long --share 0.2  a fifth of it: of each step and kind of fault a fifth, and at least one run

`PYTHONPATH=plugins:bin:tests` is what it needs. The same `--seed` draws the same runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from stack.settings import REPOSITORY

from campaigns import report
from campaigns.campaign import Campaign
from campaigns.draw import Draw, Seed, seed, share_of
from campaigns.lanes import Outcome
from campaigns.result import Result
from campaigns.runs import drawn, firsts, long_form, on_rest, on_spark, seconds, short_form
from campaigns.scenarios import (
    ALL_ON_SPARK,
    ON_REST,
    SCENARIOS,
    Scenario,
)
from campaigns.servers import campaign, end_in_order, started

PAGE = REPOSITORY / "docs" / "proofs" / "crash-points.md"


def pairs(crashes: Campaign, scenario: Scenario, draw: Draw) -> Iterator[Outcome]:
    """Both faults on the way from staged files to marked parts: the retry after the first shows where the second can be."""
    twice = []
    for out in crashes.outcomes(drawn(draw, f"{scenario.name}, first faults of pairs", firsts(crashes, scenario))):
        yield out
        twice += [replace(out.run, second=f) for f in seconds(out.twin_points)]
    # In the order of the faults, not of the lanes: the same seed draws the same.
    twice.sort(key=lambda run: run.name)
    yield from crashes.outcomes(drawn(draw, f"{scenario.name}, second faults", twice))


def short(chosen: argparse.Namespace, draw: Draw) -> Iterator[Outcome]:
    with started(spark=False) as own, campaign(own.known, chosen.lanes) as crashes:
        runs = short_form(crashes, draw.seed, _named(SCENARIOS, chosen.only))
        draw.note("runs", len(runs), len(runs))
        yield from crashes.outcomes(runs)


def long(chosen: argparse.Namespace, draw: Draw) -> Iterator[Outcome]:
    with started(spark=True, rest=True) as own:
        with campaign(own.known, chosen.lanes) as crashes:
            scenarios = _named(SCENARIOS, chosen.only)
            yield from crashes.outcomes(drawn(draw, "SQL catalog", long_form(crashes, scenarios)))
            for scenario in scenarios:
                if scenario.pairs:
                    yield from pairs(crashes, scenario, draw)
        if own.rest and (scenarios := _named(ON_REST, chosen.only)):
            with campaign(replace(own.known, lake=own.rest), chosen.lanes) as crashes:
                yield from crashes.outcomes(drawn(draw, "REST catalog", on_rest(crashes, scenarios)))
        if own.spark and (scenarios := _named(ALL_ON_SPARK, chosen.only)):
            with campaign(own.known, 1, own.spark) as crashes:
                yield from crashes.outcomes(drawn(draw, "Spark", on_spark(crashes, scenarios)))


def _named(scenarios: Sequence[Scenario], words: str) -> list[Scenario]:
    return [s for s in scenarios if words in s.name]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="all that it can do, and docs/proofs/crash-points.md")
    parser.add_argument("--only", default="", help="scenarios with these words in their name")
    parser.add_argument("--share", type=share_of, default=1.0, help="of the long form's runs")
    parser.add_argument("--seed", type=int, help="draws the runs; the commit's otherwise")
    parser.add_argument("--lanes", type=int, default=2, help="runs at once")
    parser.add_argument("--logs", type=Path, help="a folder for what the processes of failed runs said")
    chosen = parser.parse_args(arguments)
    end_in_order()
    draw = Draw(seed() if chosen.seed is None else Seed(chosen.seed, "--seed"), chosen.share)
    outcomes: list[Outcome] = []
    began = time.monotonic()
    try:
        for out in (long if chosen.long else short)(chosen, draw):
            outcomes.append(out)
            if not out.well:
                print(f"\nFAILED {out.line}", flush=True)
                report.keep_logs(out, chosen.logs)
            elif len(outcomes) % 50 == 0:
                print(f"{len(outcomes)} runs, {time.monotonic() - began:.0f} s", flush=True)
    finally:
        # Also when it must end: what was seen so far is a result.
        table = report.table(outcomes, time.monotonic() - began)
        print("\n" + table, flush=True)
    counts = {"lost": sum(o.lost for o in outcomes), "doubled": sum(o.doubled for o in outcomes)}
    print(Result(draw.drawn, draw.of, "runs", counts).line)
    if chosen.long and not chosen.only:
        print(report.write(PAGE, table, draw))
    return 0 if all(o.well for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
