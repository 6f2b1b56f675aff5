"""What docs/conversions.md says of each value is what becomes of a record with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from conversions.page import PAGE, TYPES, base, page
from kits.conversion_cases import CONVERSIONS, Conversion, json_kind
from kits.conversions import Table
from kits.record_cases import LATER, RECORDS, RecordCase
from lakelock.errors import ConfigFaults


def called(case: Conversion) -> str:
    return f"{(case.called or case.text)[:40]} as {case.type} by {', '.join(case.casts)} {case.zone or ''}".strip()


@pytest.fixture(scope="module")
def table_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Conversion], Table]:
    """One table for all cases of a column: no record depends on those before it."""

    @cache
    def made(kind: str, casts: tuple[str, ...], zone: str | None) -> Table:
        settings = {"type": kind, "cast": list(casts), "zone": zone}
        return Table(tmp_path_factory.mktemp("table"), {"c": {k: v for k, v in settings.items() if v}})

    return lambda case: made(case.type, case.casts, case.zone)


@pytest.mark.parametrize("case", CONVERSIONS, ids=called)
def test_a_value_becomes_what_the_page_says(table_of: Callable[[Conversion], Table], case: Conversion) -> None:
    row, kind = table_of(case).outcome(b'{"c": %s}' % case.text.encode())
    assert (None if row is None else row["c"], kind) == (case.value, case.kind)


def record_called(case: RecordCase) -> str:
    value = (case.value or b"")[:40].decode("utf-8", "backslashreplace").encode("unicode_escape").decode()
    return f"{case.called or value} {case.new_fields}"


@pytest.mark.parametrize("case", RECORDS, ids=record_called)
def test_a_record_becomes_what_the_page_says(tmp_path: Path, case: RecordCase) -> None:
    assert Table(tmp_path, case.columns, case.new_fields).outcome(case.value) == (case.row, case.kind)


@pytest.mark.parametrize("kind", LATER)
def test_a_type_of_format_version_3_is_refused_by_name(tmp_path: Path, kind: str) -> None:
    for text in (kind, f"list<{kind}>", f"struct<a: {kind}>", f"map<string, {kind}>"):
        with pytest.raises(ConfigFaults, match=f"{kind} is a type of Iceberg's format version 3"):
            Table(tmp_path, {"c": text})


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run PYTHONPATH=tests python -m conversions"


def test_each_case_is_there_once_and_each_type_has_all_kinds_of_json() -> None:
    cases = [(c.text, c.type, c.casts, c.zone) for c in CONVERSIONS]
    assert len(set(cases)) == len(cases)
    assert {base(c.type) for c in CONVERSIONS} == set(TYPES)

    def form(text: str) -> str:
        if json_kind(text) != "number" or text == "null":
            return "null" if text == "null" else json_kind(text)
        return "exponent" if "e" in text else "fraction" if "." in text else "integer"

    forms = ("null", "boolean", "integer", "fraction", "exponent", "text", "object", "list")
    found = {(base(c.type), form(c.text)) for c in CONVERSIONS if not c.casts and c.zone is None}
    assert set(product(TYPES, forms)) - found == set()


def test_no_cell_of_the_page_is_long_and_all_characters_can_be_seen() -> None:
    cells = [
        cell for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|" for cell in line.split(" | ")
    ]
    assert [cell for cell in cells if len(cell) > 120] == []
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", PAGE.read_text(encoding="utf-8")) == []
