"""The protocol within small bounds: clean with all its rules, and with each of them taken away something goes wrong."""

from __future__ import annotations

import pytest
from kits import draw

from model.configurations import CLEAN, NOT_SHOWN, SHOWN, Removed
from model.explorer import explore
from model.setup import Setup


@pytest.mark.parametrize("setup", draw.params(CLEAN, 7, "clean worlds", lambda s: s.name))
def test_with_all_rules_no_order_of_steps_and_faults_breaks_an_invariant(setup: Setup) -> None:
    found = explore(setup)
    assert found.wrong is None, found.text
    assert found.whole


@pytest.mark.parametrize("removed", draw.params(SHOWN, 8, "removed rules", lambda r: r.name))
def test_without_the_rule_something_goes_wrong(removed: Removed) -> None:
    found = explore(removed.setup, frozenset(removed.rules))
    assert found.wrong is not None
    assert found.trace


@pytest.mark.parametrize("rule", draw.params(list(NOT_SHOWN), 2, "redundant rules"))
def test_what_is_called_redundant_is_not_needed_within_these_bounds(rule: str) -> None:
    found = explore(NOT_SHOWN[rule][0], frozenset([rule]))
    assert found.wrong is None, found.text
