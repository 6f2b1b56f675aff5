"""The examples of delimited text that docs/formats.md shows are what a decoder does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from kits.columns import columns
from kits.formats import decoder
from lakelock.config import load_pipeline
from lakelock.config.csv_section import Csv
from lakelock.records.formats import named
from lakelock.records.values import Values
from stack.settings import REPOSITORY

PAGE = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
SIGNS = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}


def section(name: str) -> str:
    return re.split(r"\n##+ ", PAGE.partition(f"# {name}\n")[2])[0]


def rows(name: str) -> list[list[str]]:
    found = re.findall(r"^\|(.*)\|$", section(name), re.MULTILINE)
    return [[cell.strip() for cell in re.split(r" \|(?= )", row)] for row in found[2:]]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def decoded(kinds: dict[str, str], record: str, **options: Any) -> list[Any] | str:
    """The row of a record, or the kind of its dead letter."""
    made = decoder(named("csv", Csv(**options).options), columns(kinds))
    found = made.decode(Values.from_list([record.encode()]))
    return list(found.table.to_pylist()[0].values()) if not found.bad else found.bad[0].reason.kind


@pytest.mark.parametrize("row", rows("Rows"), ids=lambda row: str(row[0]))
def test_the_examples_of_rows_are_right(row: list[str]) -> None:
    record = re.sub(r"\\([nrt\\])", lambda found: SIGNS[found[1]], codes(row[0])[0])
    options = yaml.safe_load("{" + "".join(codes(row[1])) + "}")
    found = decoded({"a": "string", "b": "string"}, record, columns=["a", "b"], **options)
    if row[2].startswith("dead letter"):
        assert found == codes(row[2])[0]
    else:
        values = re.findall(r"`([^`]+)`|(null)", row[2])[:2]
        assert found == [json.loads(code or word) for code, word in values]


@pytest.mark.parametrize("row", rows("Types"), ids=lambda row: str(row[0]))
def test_the_examples_of_types_are_right(row: list[str]) -> None:
    for kind in codes(row[0]):
        for text in codes(row[1]):
            assert isinstance(decoded({"c": kind}, text), list), (kind, text)
        only = dict(re.findall(r"`([^`]+)` in an `(\w+)`", row[2]))
        refused = [text for text in codes(re.sub(r"in an `\w+`", "", row[2])) if only.get(text, kind) == kind]
        assert {decoded({"c": kind}, text) for text in refused} <= {f"text that is no {kind}"}


def test_the_table_of_options_has_each_of_them() -> None:
    assert [codes(row[0])[0] for row in rows("Delimited text")] == list(Csv.model_fields)


def test_the_file_of_the_page_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", section("Delimited text"), re.DOTALL)
    (tmp_path / "p.yaml").write_text("source: {topics: [t]}\n" + example)
    pipeline = load_pipeline(tmp_path / "p.yaml", {})
    (table,) = pipeline.tables
    made = decoder(
        named("csv", pipeline.value.options), table.declared, table.readings, dropped=table.drop_fields or ()
    )
    (row,) = made.decode(Values.from_list([b"1|ann|1557933565250|x\n"])).table.to_pylist()
    assert (row["id"], row["customer"], row["placed_at"].isoformat()) == (1, "ann", "2019-05-15T15:19:25.250000+00:00")
