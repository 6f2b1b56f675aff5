"""A few worlds of the simulation, and its eyesight: rules that are broken on purpose are noticed.

Thousands of worlds are a check of their own: see bin/stack/checks.py. All broken rules are the long tier's.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from lakelock.ports import Log
from stack.settings import REPOSITORY

from simulation.__main__ import NOT_NOTICED
from simulation.mutations import MUTATIONS, Mutation
from simulation.world import LOG_WRITES


def simulation(*arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the order of sets, which a process cannot choose for itself, is part of a schedule."""
    paths = [str(REPOSITORY / name) for name in ("plugins", "bin", "tests")]
    return subprocess.run(
        [sys.executable, "-m", "simulation", *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_write_that_faults_are_about_is_one_of_the_log() -> None:
    assert {name for name in LOG_WRITES if not hasattr(Log, name)} == set()


def test_nothing_is_lost_or_doubled_in_any_schedule() -> None:
    done = simulation("--start", "1000000", "--seeds", "40", "--processes", "2")
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nreplay one: python -m simulation --replay SEED"


def test_the_same_seed_reports_the_same_story() -> None:
    first, second = (simulation("--replay", "74").stdout for _ in range(2))
    assert len(first.splitlines()) > 20
    assert first == second


def test_rules_that_are_broken_on_purpose_are_noticed() -> None:
    """Each takes from one world to some thousands: a tenth of them is drawn by the commit."""
    done = simulation("--mutations", "--seeds", "12000", "--share", "0.1")
    print(done.stdout)
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert len(rows) == round(0.1 * len(MUTATIONS)), done.stderr
    assert not [rule for rule, _, said in rows if said == NOT_NOTICED]
    assert done.returncode == 0


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_a_rule_that_is_to_be_broken_is_there(mutation: Mutation) -> None:
    """Only some are drawn above, and a function that moved would be met late."""
    with mutation.applied():
        for owner, name, instead in mutation.patches:
            assert getattr(owner, name) is instead
