"""What campaigns print at their end, and what is made of that."""

from __future__ import annotations

from pathlib import Path

import pytest
from campaigns import report
from campaigns.draw import Draw, Seed
from campaigns.long import Ended, summary
from campaigns.result import Result, read


@pytest.mark.parametrize(
    "result",
    [
        Result(2394, 7180, "runs", {"lost": 0, "doubled": 3}),
        Result(300_000, None, "worlds", {"violated": 1}),
        Result(92, 92, "scenarios, 86 shown by tests"),
        Result(41, None, "faults among 12,345 records", {"lost": 1, "doubled": 0}),
    ],
)
def test_a_result_is_read_as_it_was_written(result: Result) -> None:
    assert read(f"much\n{result.line}\nafter it\n") == result


def test_the_last_result_counts_and_text_is_none() -> None:
    first, last = Result(1, 2, "runs", {"lost": 1}), Result(2, 2, "runs", {"lost": 0})
    assert read(f"{first.line}\n{last.line}\n") == last
    assert read("200 runs, 30 s\nTraceback (most recent call last):\n") is None


def test_the_share_is_of_what_there_is() -> None:
    assert Result(30, 120, "runs").share == 0.25
    assert Result(30, None, "worlds").share is None


def test_a_summary_has_a_line_a_campaign() -> None:
    ended = [
        Ended("crash points", 0, 61.4, "long/crash-points.txt", Result(30, 120, "runs", {"lost": 0, "doubled": 2})),
        Ended("guards", 1, 5.0, "long/guards.txt"),
        Ended("browser", None, why="no Chromium"),
    ]
    heads, _, crash, guards, browser = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in summary(ended).splitlines()
    )
    assert heads == [
        "campaign",
        "what was run",
        "share",
        "s",
        "lost",
        "doubled",
        "violated",
        "unseen",
        "exit",
        "output",
    ]
    assert crash == ["crash points", "30 runs", "25%", "61", "0", "2", "", "", "0", "long/crash-points.txt"]
    assert guards[-2:] == ["1", "long/guards.txt"]
    assert browser[-2] == "left out: no Chromium"


@pytest.mark.parametrize(
    ("code", "why", "failed"),
    [(0, "", False), (1, "", True), (-9, "", True), (0, "left postgres behind", True), (None, "no Chromium", False)],
)
def test_a_campaign_fails_by_its_code_or_by_what_it_leaves_behind(code: int | None, why: str, failed: bool) -> None:
    assert Ended("soak", code, why=why).failed is failed


def test_a_smaller_share_leaves_the_page_of_a_larger_one(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    half, third = Draw(Seed(1, ""), 0.5, 3600, 7200), Draw(Seed(1, ""), 0.33, 2400, 7200)
    assert "is written" in report.write(page, "first", third)
    assert "is written" in report.write(page, "second", half)
    assert "stays as it is: it has 50 %" in report.write(page, "third", third)
    assert page.read_text().endswith("\n\nsecond\n")
    assert "is written" in report.write(page, "fourth", half)
    assert "3,600 of 7,200 runs" in page.read_text()


def test_the_page_that_is_there_says_its_share() -> None:
    text = (Path(__file__).parents[2] / "docs" / "proofs" / "crash-points.md").read_text()
    assert report.share_said(text) is not None
