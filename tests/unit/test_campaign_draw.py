"""Draws of campaigns: the same seed draws the same, each kind of run is there, and no seed leaves one out for ever."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from campaigns.draw import Draw, Seed, by_share, seed_of, share_of, spread
from campaigns.lanes import Run
from campaigns.points import Fault, Kind
from campaigns.runs import SHORT, drawn, short_kinds, short_pairs, short_points
from campaigns.scenarios import ON_REST, ON_SPARK, SCENARIOS
from hypothesis import given
from hypothesis import strategies as st

HEAD = "4a7d9d25f7c5000000000000000000000000dead"
WITH_A_SHORT_FORM = {s.name for s in SCENARIOS if s.short}


def test_the_commit_gives_the_seed_and_the_environment_goes_before_it() -> None:
    assert seed_of({}, HEAD) == Seed(0x4A7D9D25, "commit 4a7d9d25f7c5")
    assert seed_of({"LAKELOCK_SEED": "17"}, HEAD) == Seed(17, "LAKELOCK_SEED")
    assert seed_of({}, None).number == seed_of({}, "").number == 0
    with pytest.raises(SystemExit, match="whole number"):
        seed_of({"LAKELOCK_SEED": "0x17"}, HEAD)


def test_a_seed_says_how_it_is_given_again() -> None:
    assert "LAKELOCK_SEED=1249746213" in str(seed_of({}, HEAD))
    again = seed_of({"LAKELOCK_SEED": "1249746213"}, None)
    assert again.chance("guards").random() == seed_of({}, HEAD).chance("guards").random()


def test_each_campaign_draws_from_a_stream_of_its_own() -> None:
    draws = {(n, what): Seed(n, "").chance(what).random() for n, what in product(range(3), ("guards", "worlds"))}
    assert len(set(draws.values())) == 6


@given(st.lists(st.sampled_from("abcde"), max_size=200), st.floats(0.01, 1.0), st.integers())
def test_a_share_has_each_stratum_in_order(strata: list[str], share: float, number: int) -> None:
    items = list(enumerate(strata))
    taken = by_share(items, lambda i: i[1], share, random.Random(number))
    assert taken == sorted(set(taken))
    found, there = Counter(s for _, s in taken), Counter(strata)
    assert found == {s: max(1, round(share * n)) for s, n in there.items()}


def test_another_seed_takes_another_share() -> None:
    taken = {tuple(Draw(Seed(n, ""), 0.1).take("runs", range(1000))) for n in range(5)}
    assert len(taken) == 5


def test_a_draw_adds_up_and_says_its_share(capsys: pytest.CaptureFixture[str]) -> None:
    draw = Draw(Seed(5, "here"), 0.25)
    draw.take("guards", range(40))
    draw.take("worlds", range(3))
    assert (draw.drawn, draw.of) == (11, 43)
    assert capsys.readouterr().out.splitlines()[0].startswith("guards: 10 of 40, 25%, drawn by seed 5 (here")


@pytest.mark.parametrize("text", ["0", "-0.1", "1.01", "x"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"share|float"):
        share_of(text)


@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("kf")), min_size=1, max_size=60), st.integers(1, 70)
)
def test_of_what_is_spread_none_that_is_left_has_fewer_than_another_less_one(
    items: list[tuple[str, str]], count: int
) -> None:
    taken = spread(items, count, (lambda i: i[0], lambda i: i[1]), random.Random(1))
    assert len(taken) == min(count, len(items))
    left = Counter(items) - Counter(taken)
    assert left.total() == len(items) - len(taken)
    found = Counter(a for a, _ in taken)
    for a, _ in left:
        assert found[a] >= max(found.values()) - 1


@pytest.mark.parametrize("number", range(20))
def test_the_short_form_has_as_many_steps_and_of_both_faults_as_many_as_it_can(number: int) -> None:
    pairs = short_pairs(SCENARIOS, Seed(number, ""))
    steps = Counter(s.name for s, _ in pairs)
    assert len(pairs) == SHORT
    assert len(steps) == min(SHORT, len(WITH_A_SHORT_FORM))
    assert set(steps) <= WITH_A_SHORT_FORM
    assert min(Counter(kind for _, kind in pairs).values()) >= SHORT // 2 - 1
    assert all(kind in short_kinds(s) for s, kind in pairs)


def test_no_step_is_left_out_by_every_commit() -> None:
    drawn_once = {s.name for n in range(120) for s, _ in short_pairs(SCENARIOS, Seed(n, ""))}
    assert drawn_once == WITH_A_SHORT_FORM


def test_a_few_steps_have_each_of_their_faults() -> None:
    (cycle,) = (s for s in SCENARIOS if s.name == "cycle")
    assert {kind for _, kind in short_pairs([cycle], Seed(1, ""))} == {Kind.KILL, Kind.FREEZE}


@pytest.mark.parametrize(
    ("short", "left"),
    [
        ("all", {"log.plan before", "tables.commit 2 after"}),
        ("first", {"log.plan before"}),
        ("kill", {"log.plan before"}),
        ("freeze", set()),
    ],
)
def test_points_of_the_short_form(short: str, left: set[str]) -> None:
    points = ["log.plan before", "file(data) before", "slice after", "tables.commit 2 after", "delete before"]
    assert set(short_points(points, short)) == left
    assert short_points(["log.stage after"], short) == ["log.stage after"]


def test_any_share_of_the_long_form_has_each_step_fault_and_mode() -> None:
    kinds = (Kind.KILL, Kind.FREEZE)
    scenarios = (*SCENARIOS, *ON_REST, ON_SPARK)
    runs = [Run(s, Fault(f"log.plan {n} before", k)) for s in scenarios for n in range(30) for k in kinds]
    chosen = drawn(Draw(Seed(3, ""), 0.01), "runs", runs)
    assert {(r.scenario.name, r.fault.kind) for r in chosen} == {(s.name, k) for s in scenarios for k in kinds}
    assert len(chosen) == 2 * len(scenarios)
    # Pairs of faults are kinds of their own.
    twice = [Run(r.scenario, r.fault, second=Fault("log.stage before", Kind.KILL)) for r in runs[:60]]
    assert {r.kinds for r in drawn(Draw(Seed(3, ""), 0.01), "pairs", [*runs[:60], *twice])} == {
        "kill", "freeze", "kill + kill", "freeze + kill",
    }  # fmt: skip
