"""The protocol of many tables, within small bounds: clean with all its rules, and without each of them something goes wrong.

docs/proofs/tables.md says what these searches find.
"""

from __future__ import annotations

import pytest

from model.tables.report import PAGE, clean_row, none_row, page, shown_row, way
from model.tables.search import explore
from model.tables.state import Setup
from model.tables.worlds import CLEAN, LONG, NOT_SHOWN, SHOWN, Removed

ABOUT = (
    "tests/model/tables/", "lakelock/model/", "_decision.py", "/decision.py", "ingest/marking.py", "ingest/decided_records.py",
    "ingest/dead_letter_state.py", "docs/proofs/tables.md",
)  # fmt: skip
STALE = "run python -m model.tables"


def test_the_page_has_these_worlds_and_no_other() -> None:
    written = PAGE.read_text(encoding="utf-8")
    rows = [line for line in written.splitlines() if line.startswith("| ")]
    heads_and_rules = 8 + 2 + 10
    assert len(rows) == heads_and_rules + len(CLEAN) + len(SHOWN) + len(NOT_SHOWN) + len(LONG), STALE
    for text in page((), (), (), ()).splitlines():
        assert text in written, STALE


@pytest.mark.drawn(0.25, about=ABOUT)
@pytest.mark.parametrize("setup", CLEAN, ids=lambda s: s.name)
def test_with_all_rules_no_order_of_steps_and_faults_breaks_an_invariant(setup: Setup) -> None:
    _searched_whole(setup)


@pytest.mark.long
@pytest.mark.parametrize("setup", LONG, ids=lambda s: s.name)
def test_so_do_larger_worlds(setup: Setup) -> None:
    _searched_whole(setup)


@pytest.mark.drawn(0.5, about=ABOUT)
@pytest.mark.parametrize("removed", SHOWN, ids=lambda r: f"{r.rule.number}: {r.rule.says}")
def test_without_the_rule_something_goes_wrong(removed: Removed) -> None:
    found = explore(removed.setup, [removed.rule])
    assert found.wrong is not None
    written = PAGE.read_text(encoding="utf-8")
    assert shown_row(removed, found) in written, STALE
    assert way(removed, found) in written, STALE


@pytest.mark.drawn(0.5, about=ABOUT)
@pytest.mark.parametrize(("removed", "why"), NOT_SHOWN, ids=lambda r: r.rule.number if isinstance(r, Removed) else "")
def test_what_is_kept_for_another_reason_is_not_needed_within_these_bounds(removed: Removed, why: str) -> None:
    found = explore(removed.setup, [removed.rule])
    assert found.wrong is None, found.trace
    assert none_row(removed, found, why) in PAGE.read_text(encoding="utf-8"), STALE


def _searched_whole(setup: Setup) -> None:
    found = explore(setup)
    assert found.wrong is None, found.trace
    assert found.whole
    assert clean_row(setup, found) in PAGE.read_text(encoding="utf-8"), STALE
