"""The campaigns of `bin/test --long`, and how many minutes each gets of a budget."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from stack.checks import NOT_IN_AIRFLOW

MINUTES = 160.0
# Worlds of the simulation that two cores run in a minute.
WORLDS_A_MINUTE = 6000
# A campaign that cannot be run in part takes at most this part of the budget, or is left out.
FIXED_AT_MOST = 0.35


@dataclass(frozen=True)
class Campaign:
    """*least* minutes run the smallest part of it and *whole* all of it, on two cores; *whole* is None where it has no end.

    *option* asks for a part of it, and is empty where there are no parts. What of the budget is left, once each has its
    least, goes to them by *weight*.
    """

    name: str
    command: tuple[str, ...]
    option: str
    weight: int
    least: float
    whole: float | None


# Tests come first: they are red most often. Guards are whole before the others grow.
CAMPAIGNS = (
    Campaign("scenarios", ("scenarios",), "", 0, 0.1, 0.1),
    Campaign(
        "slow tests", ("pytest", "-n", "2", "--dist", "loadfile", "-m", "long", NOT_IN_AIRFLOW, "tests"), "", 0, 18, 18
    ),
    Campaign("slow tests in Airflow", ("kits.airflow_lane", "-m", "long"), "", 0, 14, 14),
    Campaign(
        "properties",
        ("pytest", "-n", "2", "--dist", "loadfile", "--hypothesis-profile", "long", "-m", "not long", "tests/unit"),
        "",
        0,
        6,
        6,
    ),
    Campaign("guards", ("mutations", "--long"), "--share", 60, 0.5, 14),
    Campaign("model", ("model", "--long"), "--share", 6, 2, 7),
    Campaign("broken rules", ("simulation", "--mutations", "--seeds", "12000"), "--share", 2, 0.5, 2),
    Campaign("simulation", ("simulation", "--drawn"), "--seeds", 27, 0.5, None),
    Campaign("fuzzing", ("campaigns.fuzz",), "--minutes", 2, 0.4, None),
    Campaign("crash points", ("campaigns.crash", "--long", "--lanes", "3"), "--share", 41, 8, 135),
    Campaign("soak", ("campaigns.soak",), "--minutes", 9, 2, None),
    Campaign("browser", ("campaigns.browser",), "", 0, 8, 8),
)


@dataclass(frozen=True)
class Part:
    """What of a campaign is run; none of it where it has no *minutes*."""

    campaign: Campaign
    minutes: float

    @property
    def share(self) -> float:
        """The part of what is between the least and the whole, as an option takes it."""
        one = self.campaign
        if one.whole is None or self.minutes >= one.whole:
            return 1.0
        return max(0.01, (self.minutes - one.least) / (one.whole - one.least))

    @property
    def command(self) -> list[str]:
        one = self.campaign
        amount = {
            "": [],
            "--share": [f"{self.share:.2f}"],
            "--seeds": [str(int(self.minutes * WORLDS_A_MINUTE))],
            "--minutes": [f"{self.minutes:.1f}"],
        }[one.option]
        return [sys.executable, "-m", *one.command, *([one.option] if one.option else []), *amount]


def parts(minutes: float, campaigns: Sequence[Campaign] = CAMPAIGNS) -> list[Part]:
    """Each gets its least; the rest goes by weight, to none more than its whole. Those without parts come first."""
    given = {c.name: _fixed(c, minutes) if not c.option else c.least for c in campaigns}
    left = max(0.0, minutes - sum(given.values()))
    hungry = [c for c in campaigns if c.option]
    while hungry:
        a_weight = left / sum(c.weight for c in hungry)
        full = [c for c in hungry if c.whole is not None and c.least + a_weight * c.weight >= c.whole]
        for c in full or hungry:
            more = c.whole - c.least if full and c.whole is not None else a_weight * c.weight
            given[c.name] += more
            left -= more
        hungry = [c for c in hungry if c not in full] if full else []
    return [Part(c, given[c.name]) for c in campaigns]


def _fixed(campaign: Campaign, minutes: float) -> float:
    return campaign.least if campaign.least <= FIXED_AT_MOST * minutes else 0.0
