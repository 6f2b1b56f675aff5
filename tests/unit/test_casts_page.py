"""The examples of casts, JSON columns and fields without a column that docs/json.md shows are what a decoder does."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.config import load_pipeline
from lakelock.records import reasons
from lakelock.records.casts import CASTS
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.values import Values
from stack.settings import REPOSITORY

PAGE = (REPOSITORY / "docs" / "json.md").read_text(encoding="utf-8")
DEAD = "a dead letter"


def section(name: str) -> str:
    return re.split(r"\n##+ ", PAGE.partition(f"# {name}\n")[2])[0]


def rows(name: str) -> list[list[str]]:
    found = re.findall(r"^\|(.*)\|$", section(name), re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in found[2:]]


def decoded(tmp_path: Path, columns: str, record: str, new_fields: str = "dead_letter") -> dict[str, Any] | str:
    """The row of a record, or the kind of its dead letter."""
    file = tmp_path / "p.yaml"
    table = f"{{name: a.b, new_fields: {new_fields}, columns: {{{columns}}}}}"
    file.write_text(f"source: {{topics: [t]}}\nmetadata_columns: false\ntables: [{table}]\n")
    (of_file,) = load_pipeline(file, {}).tables
    declared = of_file.with_rest_column(of_file.declared)
    settings = of_file.reading_settings
    decoder = ShapedDecoder(
        declared,
        arrow_schema(schema_from(declared)),
        zones=settings["zones"],
        skip=frozenset(),
        unknown_fields=settings["unknown_fields"],
        readings=settings["readings"],
        rest=settings["rest_column"],
        scanner=scanner,
    )
    found = decoder.decode(Values.from_list([record.encode()]))
    return dict(found.table.to_pylist()[0]) if not found.bad else found.bad[0].reason.kind


def shown(value: Any) -> str:
    match value:
        case None:
            return "null"
        case datetime():
            text = value.replace(tzinfo=None).isoformat()
            return f"{text.rstrip('0') if '.' in text else text}Z"
        case date() | time():
            return value.isoformat()
        case str() | bool():
            return json.dumps(value)
    return str(value)


def examples() -> list[Any]:
    out = []
    for row in rows("Casts"):
        cast = row[1].strip("`")
        found = re.findall(r"`([^`]+)`: `([^`]+)` → (?:`([^`]+)`|(a dead letter|null))", row[-1])
        assert len(found) == row[-1].count("→")
        assert found
        out += [
            pytest.param(cast, kind, value, exact or words, id=f"{cast} {value}") for kind, value, exact, words in found
        ]
    return out


@pytest.mark.parametrize(("cast", "kind", "value", "becomes"), examples())
def test_the_examples_of_casts_are_right(tmp_path: Path, cast: str, kind: str, value: str, becomes: str) -> None:
    found = decoded(tmp_path, f"c: {{type: '{kind}', cast: {cast}}}", f'{{"c": {value}}}')
    assert (shown(found["c"]) if isinstance(found, dict) else DEAD) == becomes
    assert isinstance(found, dict) or found == reasons.NO_CAST


def test_the_table_of_casts_has_each_of_them() -> None:
    names = {row[1].strip('`"').partition(":")[0] for row in rows("Casts")}
    assert names == {*CASTS, "pattern", "unscaled"}


@pytest.mark.parametrize("row", rows("JSON columns"), ids=str)
def test_the_examples_of_json_columns_are_right(tmp_path: Path, row: list[str]) -> None:
    (value,) = re.findall(r"^`([^`]+)`", row[0])
    found = decoded(tmp_path, "c: json", f'{{"c":  {value} }}')
    assert isinstance(found, dict)
    assert found["c"] == (None if row[1] == "null" else row[1].split("`")[1])


def test_the_example_of_a_rest_is_right(tmp_path: Path) -> None:
    record, rest = re.findall(r"record\s+`(.*?)`\s+leaves\s+`(.*?)`", section("Fields without a column"), re.DOTALL)[0]
    found = decoded(tmp_path, "id: {type: long, field: user.id}, ref: long", record, "{json_column: rest}")
    assert found == {"id": 7, "ref": 1, "rest": rest}
