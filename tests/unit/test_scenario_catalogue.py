"""The catalogue of scenarios is whole, names only tests that are there, and its page is what it says."""

from __future__ import annotations

import pytest
from kits.collected import names_in
from scenarios.entry import Scenario
from scenarios.page import PAGE, SCENARIOS, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run PYTHONPATH=tests python -m scenarios"


def test_every_scenario_is_there_once_in_order() -> None:
    assert [s.number for s in SCENARIOS] == [f"S{n:02d}" for n in range(1, 93)]
    assert len({s.title for s in SCENARIOS}) == len(SCENARIOS)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.number)
def test_a_scenario_names_tests_that_are_there_or_says_why_there_are_none(scenario: Scenario) -> None:
    assert [bool(scenario.tests), bool(scenario.cannot), bool(scenario.limit)].count(True) == 1
    assert len(scenario.tests) <= 3
    assert len(set(scenario.tests)) == len(scenario.tests)
    for test in scenario.tests:
        file, _, name = test.partition("::")
        assert name in names_in(file), test
    assert "|" not in scenario.title + scenario.expected + scenario.cannot + scenario.limit
