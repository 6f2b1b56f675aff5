"""Which runs there are, and which of them a seed draws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from campaigns.campaign import Campaign
from campaigns.draw import Draw, Seed, reported, spread
from campaigns.lanes import Run
from campaigns.points import Fault, Kind
from campaigns.scenarios import ALL_ON_SPARK, ON_SPARK, ON_SPARK_SHUFFLED, SCENARIOS, Scenario

# Runs of the short form: recording the points of a step takes as long as a run, so each pair of step and fault has one.
SHORT = 6
# Inside the writing and inside one commit: the long form has them all.
_INNER = re.compile(r"file|delete|slice")
# The steps that pairs of faults are about: from staged files to marked parts.
_COMMIT = re.compile(r"log\.(stage|committed)|tables\.commit|catalog\.commit_table")
BOTH = (Kind.KILL, Kind.FREEZE)


def call_of(point: str) -> str:
    """The call that a point belongs to: without its number in the run, without before and after."""
    return re.sub(r"( \d+)? (before|after)$", "", point)


def faults(points: Iterable[str], kinds: Sequence[Kind] = BOTH) -> list[Fault]:
    return [Fault(point, kind) for point in points for kind in kinds]


def stratum(run: Run) -> tuple[str, str]:
    """The step, with the catalog or engine of its name, and the kinds of its faults: a share is one of each."""
    return run.scenario.name, run.kinds


def short_kinds(scenario: Scenario) -> tuple[Kind, ...]:
    return {"": (), "kill": (Kind.KILL,), "freeze": (Kind.FREEZE,)}.get(scenario.short, BOTH)


def short_points(points: Iterable[str], short: str) -> list[str]:
    """Those of the steps, without those inside a step."""
    outer = [p for p in points if not _INNER.match(p)]
    if short != "all":
        outer = [p for p in outer if not re.search(r" \d+ (before|after)$", p)]
    return [p for p in outer if _COMMIT.match(p)] if short == "freeze" else outer


def short_pairs(scenarios: Iterable[Scenario], seed: Seed, count: int = SHORT) -> list[tuple[Scenario, Kind]]:
    """Which kind of fault which step meets: as many steps as there can be, and of both kinds as many as there can be."""
    pairs = [(s, kind) for s in scenarios for kind in short_kinds(s)]
    chosen = spread(pairs, count, (lambda p: p[0].name, lambda p: p[1]), seed.chance("short form"))
    print(reported("steps and their faults", len(chosen), len(pairs), seed))
    return chosen


def short_form(campaign: Campaign, seed: Seed, scenarios: Sequence[Scenario] = SCENARIOS) -> list[Run]:
    """One run of each pair that is drawn; only these steps are recorded."""
    pairs = short_pairs(scenarios, seed)
    campaign.record(s for s, _ in pairs)
    runs, of = list[Run](), 0
    for scenario, kind in pairs:
        points = short_points(campaign.points(scenario), scenario.short)
        of += len(points)
        runs.append(Run(scenario, Fault(seed.chance(f"{scenario.name}, {kind.value}").choice(points), kind)))
    print(reported("their points", len(runs), of, seed))
    return runs


def long_form(campaign: Campaign, scenarios: Sequence[Scenario]) -> Iterator[Run]:
    """Every point; the commits' points with the reads between them."""
    campaign.record(scenarios)
    for scenario in scenarios:
        yield from (Run(scenario, f) for f in faults(campaign.points(scenario)))
    between = [s for s in scenarios if (s.base == "approved" and not s.twin) or s.pairs]
    campaign.record(between, reads=True)
    for scenario in between:
        known = set(campaign.points(scenario))
        reads = [p for p in campaign.points(scenario, reads=True) if p not in known]
        yield from (Run(scenario, f) for f in faults(reads, [Kind.FREEZE]))


def firsts(campaign: Campaign, scenario: Scenario) -> list[Run]:
    """Of pairs of faults on the way from staged files to marked parts; the retry shows where the second can be."""
    commits = [p for p in campaign.points(scenario) if _COMMIT.match(p)]
    return [Run(scenario, f, pairs=True) for f in faults(commits)]


def seconds(retry: Iterable[str]) -> list[Fault]:
    return [f for f in faults(retry, [Kind.KILL]) if _COMMIT.match(f.point)]


def in_tasks(scenarios: Sequence[Scenario] = ALL_ON_SPARK) -> list[Run]:
    """Faults that meet a job of Spark's: its driver, a task's worker, the server; before and after the task has written.

    With a shuffle, before and after it has sent its records, and before and after a task of the second stage has written them.
    """
    one, two = ("in a task before", "in a task after"), ("in a second task before", "in a second task after")
    places = {s: (*one, *two) if s is ON_SPARK_SHUFFLED else one for s in scenarios}
    return [Run(s, Fault(place, kind)) for s in scenarios for place in places[s] for kind in Kind]


def on_rest(campaign: Campaign, scenarios: Sequence[Scenario]) -> list[Run]:
    campaign.record(scenarios)
    return [Run(s, f) for s in scenarios for f in faults(p for p in campaign.points(s) if not _INNER.match(p))]


def on_spark(campaign: Campaign, scenarios: Sequence[Scenario]) -> list[Run]:
    """SQL and routes are in the tasks: a driver passes the same points without them, and a shuffle has some of its own."""
    drivers = [s for s in (ON_SPARK, ON_SPARK_SHUFFLED) if s in scenarios]
    by_driver = [Run(s, f) for s in drivers for f in faults(p for p in campaign.points(s) if not _INNER.match(p))]
    return in_tasks(scenarios) + by_driver


def drawn(draw: Draw, what: str, runs: Iterable[Run]) -> list[Run]:
    return draw.take(what, runs, stratum)
