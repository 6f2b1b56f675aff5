"""The draw of the short campaigns: reproducible, and different for the next commit."""

from __future__ import annotations

import pytest
from kits import draw
from stack.seed import SEED, seed

CASES = list(range(100))


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    seed.cache_clear()
    monkeypatch.setenv(SEED, "one")
    return monkeypatch


def again(monkeypatch: pytest.MonkeyPatch, other: str) -> list[int]:
    seed.cache_clear()
    monkeypatch.setenv(SEED, other)
    return draw.chosen(CASES, 10, "points")


def test_one_seed_draws_the_same_and_another_something_else(seeded: pytest.MonkeyPatch) -> None:
    first = draw.chosen(CASES, 10, "points")
    assert len(set(first)) == 10
    assert first == sorted(first)
    assert again(seeded, "one") == first
    assert again(seeded, "two") != first


def test_draws_of_two_names_are_independent(seeded: pytest.MonkeyPatch) -> None:
    assert draw.chosen(CASES, 10, "points") != draw.chosen(CASES, 10, "rules")


def test_in_time_every_case_is_drawn(seeded: pytest.MonkeyPatch) -> None:
    drawn = {case for n in range(200) for case in again(seeded, str(n))}
    assert drawn == set(CASES)


def test_fewer_cases_than_asked_for_are_all_drawn(seeded: pytest.MonkeyPatch) -> None:
    assert draw.chosen([1, 2], 10, "points") == [1, 2]


def test_cases_that_are_not_drawn_are_in_the_long_tier(seeded: pytest.MonkeyPatch) -> None:
    made = draw.params(CASES, 10, "points")
    short = [p.values[0] for p in made if not p.marks]
    assert short == draw.chosen(range(100), 10, "points")
    assert {m.name for p in made for m in p.marks} == {"long"}


@pytest.fixture(autouse=True)
def _as_before() -> object:
    yield
    seed.cache_clear()
