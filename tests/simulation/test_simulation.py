"""A few worlds of the simulation, and its eyesight: each rule that is broken on purpose is noticed.

A hundred thousand worlds are a check of their own: see bin/stack/checks.py.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from stack.settings import REPOSITORY

from simulation.mutations import MUTATIONS


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


def test_nothing_is_lost_or_doubled_in_any_schedule() -> None:
    done = simulation("--start", "1000000", "--seeds", "2000", "--processes", "2")
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nreplay one: python -m simulation --replay SEED"


def test_the_same_seed_tells_the_same_story() -> None:
    first, second = (simulation("--replay", "74").stdout for _ in range(2))
    assert len(first.splitlines()) > 20
    assert first == second


@pytest.fixture(scope="module")
def noticed() -> dict[str, tuple[int, str]]:
    done = simulation("--mutations", "--seeds", "12000")
    print(done.stdout)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {rule: (int(worlds), said) for rule, worlds, said in rows}


@pytest.mark.parametrize("rule", [m.rule for m in MUTATIONS])
def test_a_broken_rule_is_noticed(rule: str, noticed: dict[str, tuple[int, str]]) -> None:
    worlds, said = noticed[rule]
    assert said != "NOT NOTICED", f"{worlds} worlds"
