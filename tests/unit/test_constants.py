"""Columns with one value for each row."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from kits.shaping import landed, pipeline, rows_of
from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, TableUnfit
from lakelock.records.values import Values
from pyiceberg.partitioning import PartitionSpec

GOOD: list[tuple[str, str, Any]] = [
    ("string", "eu-1", "eu-1"),
    ("string", "''", ""),
    ("string", "'{\"a\": 1}'", '{"a": 1}'),
    ("boolean", "false", False),
    ("int", "0", 0),
    ("long", "9007199254740993", 9007199254740993),
    ("double", "0.5", 0.5),
    ("decimal(5, 2)", "'1.10'", Decimal("1.10")),
    ("decimal(38, 0)", "12345678901234567890123456789012345678", Decimal("12345678901234567890123456789012345678")),
    ("date", "2026-11-21", date(2026, 11, 21)),
    ("timestamptz", "2026-11-21T04:05:06Z", datetime(2026, 11, 21, 4, 5, 6, tzinfo=UTC)),
    ("struct<a: long, b: string>", "{a: 1}", {"a": 1, "b": None}),
    ("list<long>", "[1, 2]", [1, 2]),
    ("map<string, long>", "{x: 1}", [("x", 1)]),
    ("binary", "YQ==", b"a"),
]
BAD = [
    ("int", "3000000000", "3000000000"),
    ("long", "1.5", "not written as an integer"),
    ("long", "'1'", "expected an integer, found text"),
    ("double", ".nan", "must be text, a number"),
    ("date", "21.11.2026", "2026"),
    ("timestamptz", "2026-11-21T04:05:06", "offset"),
    ("decimal(3, 2)", "1.555", "decimal"),
    ("decimal(38, 10)", "1234567890123456789.1234567891", "needs quotes"),
    ("list<struct<a: map<string, decimal(38, 2)>>>", "[{a: {x: 12345678901234567890.12}}]", "needs quotes"),
    ("struct<a: long>", "{b: 1}", "b"),
]


@pytest.mark.parametrize(("kind", "written", "value"), GOOD)
def test_each_row_has_the_constant_and_its_field_is_like_any_other(
    tmp_path: Path, kind: str, written: str, value: object
) -> None:
    columns = f"columns: {{id: long, c: {{type: '{kind}', required: true, constant: {written}}}}}"
    values = [b'{"id":1}', b'{"id":2,"c":3}', b"no", b'{"id":4,"c":null}']
    rows, bad = landed(tmp_path, columns, values)
    assert rows == [{"id": n, "c": value} for n in (1, 4)]
    assert {n: r.kind for n, r in bad.items()} == {1: "unknown field", 2: "not a JSON object"}
    rows, _ = landed(tmp_path, columns, [b"no"])
    assert rows == []


def test_other_columns_and_the_rest_may_take_the_field_of_its_name(tmp_path: Path) -> None:
    table = "{columns: {id: {type: long, field: c}, c: {type: string, constant: eu}}, new_fields: {json_column: rest}}"
    rows, bad = landed(tmp_path, yaml_keys(table), [b'{"c":7,"x":1}'])
    assert (rows, bad) == ([{"id": 7, "c": "eu", "rest": '{"x":1}'}], {})
    rows, bad = landed(tmp_path, yaml_keys(table.replace("field: c", "field: d")), [b'{"c":7,"d":1}'])
    assert (rows, bad) == ([{"id": 1, "c": "eu", "rest": '{"c":7}'}], {})


def yaml_keys(table: str) -> str:
    """A map in one line as keys of the entry that `kits.shaping` begins."""
    lines = yaml.safe_dump(yaml.safe_load(table), default_flow_style=None, sort_keys=False, width=1000).splitlines()
    return "\n    ".join(lines)


@pytest.mark.parametrize(("kind", "written", "why"), BAD)
def test_a_constant_that_the_column_cannot_hold_is_a_fault_of_its_line(
    tmp_path: Path, kind: str, written: str, why: str
) -> None:
    with pytest.raises(ConfigFaults, match=rf"(?s)p\.yaml:5: tables\[0\]\.columns\.c.*({why})"):
        pipeline(tmp_path, f"columns: {{c: {{type: '{kind}', constant: {written}}}}}")


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("{type: string, constant: a, field: b}", "has a constant, so it has no field, cast or mask"),
        ("{type: string, constant: a, cast: stringify}", "has a constant, so"),
        ("{type: json, constant: a}", "has a constant, .* nor type json"),
        ("{type: string, constant: a, mask: sha256}", "has a constant, so"),
    ],
)
def test_a_constant_stands_alone(tmp_path: Path, column: str, why: str) -> None:
    with pytest.raises(ConfigFaults, match=rf"p\.yaml:5: .*columns\.c: {why}"):
        pipeline(tmp_path, f"columns: {{c: {column}}}")


def test_metadata_columns_and_the_rest_have_no_constant(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults, match="is a metadata column, which no constant fills"):
        pipeline(tmp_path, "columns: {_kafka_offset: {type: long, constant: 1}}", "batch: {}")
    table = "columns: {rest: {type: string, constant: x}}\n    new_fields: {json_column: rest}"
    with pytest.raises(ConfigFaults, match="no field, cast or constant of its own"):
        pipeline(tmp_path, table)


def test_stored_files_have_it_and_files_without_it_are_as_they_were(tmp_path: Path) -> None:
    found = pipeline(tmp_path, "columns: {c: {type: string, constant: a}, d: {type: 'list<long>', constant: [1]}}")
    assert Pipeline.from_resolved(found.resolved()).digest == found.digest
    assert found.tables[0].constants == {"c": '"a"', "d": "[1]"}
    plain = pipeline(tmp_path, "columns: {c: string}").resolved()["tables"][0]["columns"][0]
    assert plain == {"name": "c", "type": "string", "required": False}


def test_a_partition_value_that_does_not_fit_stops_the_table(tmp_path: Path) -> None:
    found = pipeline(tmp_path, "columns: {c: {type: int, constant: -2147483648}}")
    field = {"source-id": 1, "field-id": 1000, "transform": "truncate[1000]", "name": "c_trunc"}
    with pytest.raises(TableUnfit, match="does not fit int"):
        rows_of(tmp_path, found, spec=PartitionSpec.model_validate({"spec-id": 1, "fields": [field]}))


KINDS = [kind for kind, _, _ in GOOD] + ["float", "time", "timestamp", "uuid", "fixed[1]"]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**64))
def test_reading_the_file_refuses_just_what_a_task_would(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    random = Random(seed)
    texts = [
        "eu",
        "1",
        "1.5",
        "2026-11-21",
        "04:05",
        "2026-11-21T04:05:06Z",
        "YQ==",
        "12345678-1234-1234-1234-123456789012",
    ]
    scalars = [*texts, 0, 1, -1, 2**31, 2**63, 1.5, 1e300, True, False]
    value = random.choice([*scalars, *scalars, [random.choice(scalars)], {random.choice("ab"): random.choice(scalars)}])
    folder, kind = tmp_path_factory.mktemp("p"), random.choice(KINDS)
    column = yaml.safe_dump({"type": kind, "constant": value}, default_flow_style=True, width=1000).strip()
    try:
        of_file = pipeline(folder, f"columns: {{c: {column}}}")
    except ConfigFaults as fault:
        record = yaml.safe_dump(value)
        if "needs quotes" in str(fault):
            # YAML's double may be another number than the file's, which a record would have in full.
            assert kind.startswith("decimal")
            assert any(isinstance(part, float) for part in (value, *_parts(value)))
            return
        rows, _ = landed(folder, f"columns: {{c: '{kind}'}}", [f'{{"c":{_json(value)}}}'.encode()])
        assert rows == [], record
        return
    found = rows_of(folder, of_file).decode(Values.from_list([b"{}"]), lambda key: pa.nulls(1))
    plain, bad = landed(folder, f"columns: {{c: '{kind}'}}", [f'{{"c":{_json(value)}}}'.encode()])
    assert found.table.to_pylist() == plain
    assert not bad


def _parts(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _json(value: object) -> str:
    return json.dumps(value)
