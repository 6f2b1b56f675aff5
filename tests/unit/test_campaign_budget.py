"""A budget of minutes becomes parts of the campaigns."""

from __future__ import annotations

import pytest
from campaigns.budget import CAMPAIGNS, MINUTES, Campaign, Part, parts
from campaigns.long import chosen

LEAST = sum(c.least for c in CAMPAIGNS if c.option)


def by_name(minutes: float) -> dict[str, Part]:
    return {p.campaign.name: p for p in parts(minutes)}


@pytest.mark.parametrize("minutes", [60, 80, MINUTES, 180])
def test_what_is_given_is_the_budget(minutes: float) -> None:
    given = parts(minutes)
    assert sum(p.minutes for p in given) == pytest.approx(minutes)
    for part in given:
        assert part.minutes >= part.campaign.least or not part.minutes
        assert part.campaign.whole is None or part.minutes <= part.campaign.whole + 1e-6


def test_by_itself_it_takes_less_than_three_hours_and_most_campaigns_are_whole() -> None:
    assert MINUTES < 180
    whole = {p.campaign.name for p in parts(MINUTES) if p.campaign.whole and p.share == 1}
    assert whole == {
        "scenarios",
        "guards",
        "model",
        "broken rules",
        "browser",
        "slow tests",
        "slow tests in Airflow",
        "properties",
    }


def test_a_campaign_that_is_whole_leaves_the_rest_to_the_others_by_weight() -> None:
    small = Campaign("small", ("a",), "--share", 50, 1, 3)
    one, two = Campaign("one", ("b",), "--minutes", 10, 1, None), Campaign("two", ("c",), "--minutes", 30, 1, None)
    assert [p.minutes for p in parts(43, [small, one, two])] == pytest.approx([3, 1 + 9.5, 1 + 28.5])


def test_a_budget_that_is_too_small_gives_the_least_and_leaves_out_what_has_no_parts() -> None:
    given = by_name(1)
    assert not given["browser"].minutes
    assert sum(p.minutes for p in given.values()) == pytest.approx(LEAST + given["scenarios"].minutes)
    assert given["crash points"].share == 0.01


def test_more_minutes_are_no_smaller_part_once_nothing_is_left_out() -> None:
    shares = [by_name(minutes)["crash points"].share for minutes in range(60, 300, 10)]
    assert shares == sorted(shares)
    assert shares[-1] > 0.85
    assert by_name(1000)["crash points"].share == 1


def test_a_part_is_requested_as_the_campaign_takes_it() -> None:
    named = {c.name: c for c in CAMPAIGNS}
    crash, worlds, soak, browser = named["crash points"], named["simulation"], named["soak"], named["browser"]
    half = crash.least + ((crash.whole or 0) - crash.least) / 2
    assert Part(crash, half).command[-2:] == ["--share", "0.50"]
    assert Part(worlds, 2).command[-2:] == ["--seeds", "12000"]
    assert Part(soak, 2.5).command[-2:] == ["--minutes", "2.5"]
    assert Part(browser, 8).command[1:] == ["-m", "campaigns.browser"]


def test_one_campaign_gets_what_it_gets_beside_the_others_and_is_not_left_out() -> None:
    (alone,) = chosen(MINUTES, "crash points")
    assert alone == by_name(MINUTES)["crash points"]
    (browser,) = chosen(5, "browser")
    assert browser.minutes == browser.campaign.least
