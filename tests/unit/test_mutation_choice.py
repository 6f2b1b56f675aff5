"""Which guards the default run breaks."""

from __future__ import annotations

import pytest
from campaigns.draw import Seed
from mutations.catalogue import MUTATIONS
from mutations.choice import CHANGED, OTHERS, about, chosen

QUICK = [m for m in MUTATIONS if m.quick]
SEED = Seed(4, "test")


def test_guards_of_a_file_that_changed_are_broken_and_a_few_others() -> None:
    taken = chosen(MUTATIONS, {"plugins/lakelock/ingest/plan_decision.py", "docs/guide.md"}, SEED)
    of_plan = [m for m in QUICK if m.file == "ingest/plan_decision.py"]
    assert of_plan
    assert [m for m in taken if m.file == "ingest/plan_decision.py"] == of_plan
    assert len(taken) == len(of_plan) + OTHERS


def test_guards_whose_test_changed_are_broken_too() -> None:
    taken = chosen(MUTATIONS, {"tests/unit/test_audit.py"}, SEED)
    audits = [m for m in QUICK if m.test.startswith("tests/unit/test_audit.py::")]
    assert audits
    assert set(map(id, audits)) <= set(map(id, taken))


def test_of_many_changes_a_stated_number_is_drawn_and_none_that_needs_a_server() -> None:
    everything = {f"plugins/lakelock/{m.file}" for m in MUTATIONS if m.file != "ingest/hours_decision.py"}
    taken = chosen(MUTATIONS, everything, SEED)
    assert sum(about(m, everything) for m in taken) == CHANGED
    assert len(taken) == CHANGED + OTHERS
    assert all(m.quick for m in taken)
    assert [m for m in MUTATIONS if m in taken] == taken


def test_without_changes_some_are_drawn_and_another_seed_draws_others() -> None:
    draws = {tuple(m.breaks for m in chosen(MUTATIONS, (), Seed(n, ""))) for n in range(6)}
    assert len(draws) == 6
    assert {len(d) for d in draws} == {OTHERS}


def test_the_share_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    chosen(MUTATIONS, {"plugins/lakelock/ingest/plan_decision.py"}, SEED)
    of_plan = sum(m.file == "ingest/plan_decision.py" for m in QUICK)
    changed, others = capsys.readouterr().out.splitlines()
    assert changed == f"guards in files that changed: all {of_plan}"
    assert others.startswith(f"guards in other files: {OTHERS} of {len(QUICK) - of_plan}, ")
    assert "seed 4 (test" in others
