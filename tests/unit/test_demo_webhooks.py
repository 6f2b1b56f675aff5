"""`bin/demo webhooks` without servers: its file, the order of the examples, and its check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from kits.pages import file, page
from stack import demo, github_examples, machine, webhooks
from stack.webhooks import NO_TABLE
from stack.webhooks_check import Found, Look, differences

PUSH, FORK = "lake.github_push", "lake.github_fork"
TOPIC = {(0, 0): PUSH, (0, 1): FORK, (1, 0): PUSH, (1, 1): NO_TABLE}
ROWS = {PUSH: [(0, 0)], FORK: [(0, 1)]}
DEAD = [(PUSH, (1, 0)), (NO_TABLE, (1, 1))]


def test_the_pipelines_file_is_that_of_the_page() -> None:
    shipped = yaml.safe_load(webhooks.SHIPPED.read_text(encoding="utf-8"))
    of_demo = {"owner": "demo", "tags": ["demo"]}
    assert shipped == of_demo | yaml.safe_load(file(page("webhooks.md"), "dags/pipelines/webhooks.yaml"))
    assert shipped["source"]["topics"] == [webhooks.TOPIC]
    assert [rule["table"].replace(f"{{header.{webhooks.HEADER}}}", "push") for rule in shipped["route"]["rules"]] == [
        PUSH
    ]
    assert webhooks.table_of("push") == PUSH


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "PIPELINE", tmp_path / "pipelines" / "webhooks.yaml")
    assert webhooks.deploy()
    assert webhooks.PIPELINE.read_bytes() == webhooks.SHIPPED.read_bytes()
    webhooks.PIPELINE.write_text("mine")
    assert not webhooks.deploy()
    assert [file.read_text() for file in webhooks.PIPELINE.parent.iterdir()] == ["mine"]


def test_events_begin_one_after_another_and_each_continues() -> None:
    sent = [("push", {"n": n}) for n in range(4)] + [("fork", {"n": n}) for n in range(2)]
    moments = github_examples.over_time(sent)
    assert [(round(at, 3), event, body["n"]) for at, (event, body) in moments] == [
        (0.0, "push", 0),
        (0.25, "push", 1),
        (0.5, "push", 2),
        (0.5, "fork", 0),
        (0.75, "push", 3),
        (0.75, "fork", 1),
    ]


def test_each_record_is_there_once_as_a_row_or_as_a_dead_letter() -> None:
    assert differences(TOPIC, ROWS, DEAD) == []
    redriven = [*DEAD, (FORK, (0, 1))]
    assert differences(TOPIC, ROWS, redriven) == []


@pytest.mark.parametrize(
    ("rows", "dead", "said"),
    [
        (ROWS, DEAD[:1], ["* lacks 1 record"]),
        (ROWS, DEAD[1:], [f"{PUSH} lacks 1 record"]),
        ({**ROWS, FORK: [(0, 1), (0, 1)]}, DEAD, [f"{FORK} has twice 1 record"]),
        (ROWS, [*DEAD, DEAD[0]], [f"{PUSH} has twice 1 record"]),
        ({PUSH: [(0, 0), (0, 1)]}, DEAD, [f"{FORK} lacks 1 record", f"{PUSH} has of other tables 1 record"]),
        ({**ROWS, "lake.github_x": [(1, 1)]}, DEAD, ["lake.github_x has of other tables 1 record"]),
    ],
)
def test_a_record_that_is_missing_or_there_twice_or_elsewhere_is_a_difference(
    rows: dict[str, list[tuple[int, int]]], dead: list[tuple[str, tuple[int, int]]], said: list[str]
) -> None:
    assert differences(TOPIC, rows, dead) == said


def test_a_look_names_the_tables_and_columns_that_appeared_since_the_last_one() -> None:
    before = Look({PUSH: Found(rows=1, columns=10, changes=0)})
    now = Look({PUSH: Found(rows=2, columns=12, changes=1), FORK: Found(rows=1, columns=5, changes=0)}, dead=3)
    assert [re.sub(r"\[.*?\]", "", line) for line in now.news_since(before)] == [
        "+ 1 table: github_fork",
        "~ columns: github_push +2",
    ]
    assert now.news_since(now) == []
    assert (now.rows, now.records) == (3, 6)


def test_without_a_demo_the_command_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path))
    assert demo.main(["webhooks"]) == 1
    assert f"no demo runs in {tmp_path}: start one by bin/demo" in capsys.readouterr().err


def test_without_npm_the_examples_cannot_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAKELOCK_HOME", str(tmp_path))
    monkeypatch.setattr(github_examples, "NPM", None)
    with pytest.raises(machine.SetupFault, match="no npm on this machine"):
        github_examples.by_event()
