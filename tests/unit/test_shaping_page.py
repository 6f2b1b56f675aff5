"""The examples of docs/shaping.md are what a task makes of such records."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from kits.shaping import landed
from stack.settings import REPOSITORY

PAGE = (REPOSITORY / "docs" / "shaping.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
KEYS = {"masking_key": "example"}


def table_of(section: str) -> str:
    """Keys of a table, as the section's first block of YAML has them."""
    block: str = re.findall(r"```yaml\n(.*?)```", SECTIONS[section], re.DOTALL)[0]
    _, _, keys = block.partition("- name: shop.orders\n")
    return keys.strip()


def rows(section: str, head: str) -> list[list[str]]:
    """Of the section's table whose first column has this head."""
    _, _, below = SECTIONS[section].partition(f"| {head} |")
    lines = below.splitlines()[2:]
    end = next((n for n, line in enumerate(lines) if not line.startswith("|")), len(lines))
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[:end]]


def examples() -> list[Any]:
    found = [(name, *row) for name in SECTIONS for row in rows(name, "the record")]
    return [pytest.param(*one, id=f"{one[0]} {one[1]}") for one in found]


@pytest.mark.parametrize(("section", "record", "becomes"), examples())
def test_the_examples_are_right(tmp_path: Path, section: str, record: str, becomes: str) -> None:
    found, bad = landed(tmp_path, table_of(section), [record.strip("`").encode()], keys=KEYS)
    if becomes.startswith("a dead letter"):
        assert bad[0].kind == becomes.partition("`")[2].strip("`")
    else:
        assert found == [json.loads(becomes.strip("`"), parse_float=Decimal)]


@pytest.mark.parametrize("row", rows("Masks", "mask"), ids=lambda row: row[0])
def test_the_examples_of_masks_are_right(tmp_path: Path, row: list[str]) -> None:
    mask = row[0].strip("`").replace("CONN_ID", "masking_key")
    found, _ = landed(
        tmp_path, f"columns: {{c: {{type: string, mask: {mask}}}}}", ['{"c": "Zoë 1234"}'.encode()], keys=KEYS
    )
    assert found == [{"c": re.findall(r"`([^`]+)`$", row[2])[0]}]


def test_the_example_of_all_masks_can_be_read(tmp_path: Path) -> None:
    found, bad = landed(tmp_path, table_of("Masks"), [b'{"id": 1}'], keys=KEYS)
    assert not bad
    assert found[0]["id"] == 1
