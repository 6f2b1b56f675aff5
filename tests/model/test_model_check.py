"""The protocol within small bounds: clean with all its rules, and with each of them taken away something goes wrong.

The worlds with the most states are left to the long tier: `python -m model` searches all.
"""

from __future__ import annotations

import pytest

from model.breadth_first import Result
from model.configurations import CLEAN, NOT_SHOWN, SHOWN, Removed
from model.explorer import explore
from model.setup import Setup

# Worlds of more states than this take half of the time of all: by what they are named in docs/proofs/model-check.md.
FEW = 10_000
LARGE = ("both go back",)


def searched(name: str) -> bool:
    return name not in LARGE


def explored(setup: Setup, name: str, *removed: str) -> Result:
    found = explore(setup, frozenset(removed))
    assert found.states < FEW, f"{name} has {found.states} states: it belongs to LARGE"
    return found


def test_what_is_large_is_searched_by_the_long_tier() -> None:
    names = [s.name for s in CLEAN] + [r.name for r in SHOWN] + list(NOT_SHOWN)
    assert sorted(n for n in names if n in LARGE) == sorted(LARGE)


@pytest.mark.drawn(0.25, about=("tests/model/", "lakelock/model/", "_decision.py", "/decision.py"))
@pytest.mark.parametrize("setup", [s for s in CLEAN if searched(s.name)], ids=lambda s: s.name)
def test_with_all_rules_no_order_of_steps_and_faults_breaks_an_invariant(setup: Setup) -> None:
    found = explored(setup, setup.name)
    assert found.wrong is None, found.text
    assert found.whole


@pytest.mark.drawn(0.25, about=("tests/model/", "lakelock/model/", "_decision.py", "/decision.py"))
@pytest.mark.parametrize("removed", [r for r in SHOWN if searched(r.name)], ids=lambda r: r.name)
def test_without_the_rule_something_goes_wrong(removed: Removed) -> None:
    found = explored(removed.setup, removed.name, *removed.rules)
    assert found.wrong is not None
    assert found.trace


@pytest.mark.long
@pytest.mark.parametrize("rule", [rule for rule in NOT_SHOWN if searched(rule)])
def test_what_is_called_redundant_is_not_needed_within_these_bounds(rule: str) -> None:
    found = explored(NOT_SHOWN[rule][0], rule, rule)
    assert found.wrong is None, found.text
