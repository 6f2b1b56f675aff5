"""Every order of steps in which columns change beside pipelines, another engine and older metadata."""

from __future__ import annotations

import pytest

from model.columns import PAGE, RULES, WORLDS, Model, counterexample, page


@pytest.mark.parametrize("name", WORLDS)
def test_with_all_rules_no_value_is_hidden_and_no_column_is_taken_away(name: str) -> None:
    found = Model().search(WORLDS[name])
    assert found.wrong is None, found.text
    assert found.whole
    assert found.states > 100


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_there_is_a_way_to_a_fault(rule: str) -> None:
    found = counterexample(rule)
    assert found is not None
    assert len(found.trace) < 12


def test_the_page_is_what_the_search_finds() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m model.columns"
