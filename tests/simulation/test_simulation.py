"""A few worlds of the simulation, and its eyesight: each rule that is broken on purpose is noticed.

Ten thousand worlds are a lane of their own: see bin/stack/checks.py.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from kits import draw
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
    done = simulation("--start", "1000000", "--seeds", "200", "--processes", "1")
    print(done.stdout)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nreplay one: python -m simulation --replay SEED"


def test_the_same_seed_tells_the_same_story() -> None:
    first, second = (simulation("--replay", "74").stdout for _ in range(2))
    assert len(first.splitlines()) > 20
    assert first == second


@pytest.mark.parametrize("rule", draw.params([m.rule for m in MUTATIONS], 7, "broken rules"))
def test_a_broken_rule_is_noticed(rule: str) -> None:
    done = simulation("--mutations", "--only", rule, "--seeds", "12000")
    assert done.returncode == 0, done.stdout
    [line] = done.stdout.splitlines()
    assert line.split("\t")[0] == rule
