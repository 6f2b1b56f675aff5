"""The examples of docs/routing.md are what routing does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lakelock.config import load_pipeline
from lakelock.records import reasons
from lakelock.records.routing.route_one import route
from lakelock.records.routing.templates import MAX_LEVEL_CHARACTERS, corrected
from stack.settings import REPOSITORY

PAGE = (REPOSITORY / "docs" / "routing.md").read_text(encoding="utf-8")
FILE: str = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]


def rows(head: str) -> list[list[str]]:
    """Of the page's table that begins with these cells."""
    _, _, below = PAGE.partition(f"\n| {head} |\n")
    lines = below.splitlines()[1:]
    end = next(n for n, line in enumerate(lines) if not line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[:end]]


@pytest.mark.parametrize("row", rows("topic | the record | goes to"), ids=" ".join)
def test_the_examples_are_right(tmp_path: Path, row: list[str]) -> None:
    (tmp_path / "p.yaml").write_text(FILE, encoding="utf-8")
    router = load_pipeline(tmp_path / "p.yaml", {}).router
    assert router is not None
    topic, record, goes_to = row
    found = route(router, topic.strip("`"), None, (), record.strip("`").encode())
    if found.reason is not None:
        assert goes_to == f"a dead letter: `{found.reason.kind}`"
    elif found.filtered:
        assert goes_to == "filtered"
    else:
        assert goes_to == " and ".join(f"`{table.name}`" for table in found.tables)


@pytest.mark.parametrize(("value", "name"), rows("value | in the name"))
def test_the_examples_of_names_are_right(value: str, name: str) -> None:
    assert corrected(value.strip("`")) == name.strip("`")


def test_each_reason_has_its_row_and_the_limits_are_right() -> None:
    of_routing = {
        reasons.NO_ROUTE,
        reasons.ROUTED_TO_DEAD_LETTERS,
        reasons.NO_TABLE_NAME,
        reasons.NAMES_COLLIDE,
        reasons.NAME_TAKEN,
    }
    assert {row[0].strip("`") for row in rows("reason | what to do")} == of_routing
    assert f"longer than {MAX_LEVEL_CHARACTERS} characters" in PAGE
