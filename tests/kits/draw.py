"""What the default tier draws of the campaigns. `LAKELOCK_SEED` draws again what an earlier run has drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet
from stack.seed import seed

T = TypeVar("T")


def chosen(cases: Sequence[T], count: int, name: str) -> list[T]:
    """*count* of *cases* (all, where there are fewer), in their order. Draws of another *name* are independent."""
    places = Random(f"{name} {seed()}").sample(range(len(cases)), min(count, len(cases)))
    return [cases[place] for place in sorted(places)]


def number(below: int, name: str) -> int:
    return Random(f"{name} {seed()}").randrange(below)


def params(cases: Sequence[T], count: int, name: str, label: Callable[[T], str] = str) -> list[ParameterSet]:
    """All *cases* for `parametrize`; those that are not drawn are run by the long tier alone."""
    drawn = set(chosen(range(len(cases)), count, name))
    return [
        pytest.param(case, id=label(case), marks=() if place in drawn else pytest.mark.long)
        for place, case in enumerate(cases)
    ]
