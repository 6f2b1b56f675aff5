"""SQL expressions in a pipeline file: their faults, what they become, and that other files stay as they are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lakelock.config import Pipeline, load_pipeline
from lakelock.errors import ConfigFaults
from lakelock.model.column_types import Column, Integer, Text, Timestamp
from lakelock.records.casts import Reading
from lakelock.records.sql.expressions import Expressions, RowCheck
from stack.settings import REPOSITORY

START = "source: {topics: [t]}\nmetadata_columns: {partition: p}\ntables:\n  - name: n.t\n"
CSV = "source: {topics: [t]}\nvalue: {format: csv, csv: {columns: [a, b, kind]}}\nmetadata_columns: {offset: o}\ntables:\n"
CSV += "  - name: n.t\n"
COLUMN = ", which the table does not have; to use a field without a column, add it to inputs"


def loaded(folder: Path, text: str) -> Pipeline:
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    return load_pipeline(folder / "p.yaml", {})


CASES = {
    "what each value is": (
        START + """
    columns:
      id: long
      day: {type: date, sql: "to_date(made"}
    inputs:
      made: {type: timestamptz, mask: sha256}
      untyped: {field: a}
    where: now() > made
    checks:
      a: {sql: "id > 0", on_fail: skip}
      b: nothing is null
      c: {sql: ""}
""",
        [
            "p.yaml:8: tables[0].columns.day.sql: is no SQL expression: Expecting ), at character 12 of line 1",
            "p.yaml:10: tables[0].inputs.made.mask: unknown key 'mask'; it belongs at tables[].columns[].mask",
            "p.yaml:11: tables[0].inputs.untyped: type is missing",
            "p.yaml:12: tables[0].where: function now is not allowed: its result depends on the time of the run",
            "p.yaml:14: tables[0].checks.a.on_fail: must be dead_letter, filter or stop",
            "p.yaml:16: tables[0].checks.c.sql: must not be empty",
        ],
    ),
    "what does not go together": (
        START + """
    columns:
      id: long
      two: {type: long, sql: "id + 1", mask: sha256}
      p: {type: int, sql: "1"}
      u: {type: uuid, sql: "name"}
    inputs:
      id: long
      spare: {type: json}
    where: made = two
    checks:
      - {name: a, sql: "id > 0"}
      - {name: a, sql: "zz"}
""",
        [
            "p.yaml:8: tables[0].columns.two: has SQL, so it has no zone, field, cast, constant or mask, nor type json",
            "p.yaml:8: tables[0].columns.two: mask sha256 is for string and binary, not for long",
            "p.yaml:9: tables[0].columns.p: is a metadata column, which no SQL fills",
            "p.yaml:10: tables[0].columns.u: no expression gives a value of type uuid",
            f"p.yaml:10: tables[0].columns.u: uses column 'name'{COLUMN}",
            "p.yaml:12: tables[0].inputs.id: is the name of a column already, which expressions can use",
            "p.yaml:13: tables[0].inputs.spare: no expression uses it",
            f"p.yaml:14: tables[0].where: uses column 'made'{COLUMN}",
            "p.yaml:14: tables[0].where: uses column 'two', which is derived itself: only checks can use derived columns",
            "p.yaml:15: tables[0].checks: check 'a' is listed 2 times",
            f"p.yaml:15: tables[0].checks: uses column 'zz'{COLUMN}",
        ],
    ),
    "fields of delimited text": (
        CSV + """
    columns: {a: long, d: {type: string, sql: "upper(kind)"}}
    inputs: {kind: string, z: {type: string, field: y}}
    where: z = '1'
""",
        [
            "p.yaml:2: value.csv.columns: no column of table n.t takes field 'b'; if it is not wanted, add it to drop_fields",
            "p.yaml:8: tables[0].inputs.z: there is no field 'y' in value.csv.columns",
        ],
    ),
}  # fmt: skip
for key in ("zone: UTC", "field: x", "cast: epoch_s", "constant: 1", "mask: sha256", "required: true, cast: text"):
    CASES[f"a derived column with {key}"] = (
        START + f"    columns: {{id: long, at: {{sql: 'id', {key}}}}}".replace("id: long", "id: {cast: text}") + "\n",
        ["p.yaml:5: tables[0].columns.at: has SQL, so it has no zone, field, cast, constant or mask, nor type json"],
    )


@pytest.mark.parametrize("case", CASES)
def test_all_faults_are_given_with_their_lines(tmp_path: Path, case: str) -> None:
    text, wanted = CASES[case]
    with pytest.raises(ConfigFaults) as raised:
        loaded(tmp_path, text)
    said = [line.strip() for line in str(raised.value).splitlines()[1:]]
    assert sorted(said) == sorted(wanted)


GOOD = (
    START
    + """
    columns:
      id: long
      day: {type: date, sql: "to_date(made) -- in UTC", required: true}
      odd one: string
    inputs:
      id2: {type: long, field: id, cast: text}
      doc: {type: json, field: $}
      made: {type: timestamp, zone: Europe/Berlin}
    where: id2 > 0 and doc like '%a%' and p < 3
    checks:
      positive: id > 0
      late: {sql: "day >= date'2020-01-01'", on_fail: filter}
      first: {sql: "`odd one` is null or `odd one` = 'é'", on_fail: stop}
"""
)


def test_expressions_are_those_of_the_file_also_when_they_are_stored(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, GOOD)
    wanted = Expressions(
        {"day": "to_date(made) -- in UTC"},
        "id2 > 0 and doc like '%a%' and p < 3",
        (
            RowCheck("positive", "id > 0"),
            RowCheck("late", "day >= date'2020-01-01'", "filter"),
            RowCheck("first", "`odd one` is null or `odd one` = 'é'", "stop"),
        ),
        (Column("id2", Integer(64)), Column("doc", Text()), Column("made", Timestamp(zoned=False))),
    )
    stored = Pipeline.from_resolved(json.loads(json.dumps(pipeline.resolved(), sort_keys=True)))
    for one in (pipeline, stored):
        (table,) = one.tables
        assert table.expressions == wanted
        settings = table.reading_settings
        assert settings["expressions"] == wanted
        assert settings["zones"] == {"made": "Europe/Berlin"}
        assert settings["readings"] == {
            "id2": Reading(("id",), ("text",)), "doc": Reading((), ("json",), whole=True),
        }  # fmt: skip
        assert table.unread == {"day"}
        assert [c.name for c in table.declared] == ["id", "day", "odd one"]
    assert stored.digest == pipeline.digest
    assert stored.resolved() == pipeline.resolved()


@pytest.mark.parametrize(
    ("old", "new"),
    [("id2 > 0", "id2 > 1"), ("on_fail: filter", "on_fail: stop"), ("-- in UTC", ""), ("positive:", "above:"),
     ("zone: Europe/Berlin", "zone: UTC"), ("id2: {type: long", "id2: {type: int")],
)  # fmt: skip
def test_each_part_of_an_expression_changes_the_digest(tmp_path: Path, old: str, new: str) -> None:
    assert GOOD.count(old) == 1
    assert loaded(tmp_path, GOOD).digest != loaded(tmp_path, GOOD.replace(old, new)).digest


def test_files_without_sql_are_stored_as_before(tmp_path: Path) -> None:
    text = (
        START
        + "    columns: {id: long, at: {type: timestamptz, zone: UTC, cast: epoch_s}, c: {type: string, constant: x}}\n"
    )
    pipeline = loaded(tmp_path, text.replace("metadata_columns: {partition: p}\n", ""))
    # As before there were expressions.
    assert pipeline.digest == "8e3eff06a862bd9a499d9d67b0b2f72b07736451ad080d324ef646910abeb612"
    assert pipeline.tables[0].expressions is None


def test_expressions_see_fields_of_delimited_text_and_metadata(tmp_path: Path) -> None:
    text = (
        CSV
        + """
    columns: {a: long, d: {type: string, sql: "upper(kind)"}}
    inputs: {kind: string, b2: {type: timestamp, field: b, cast: epoch_s}}
    where: o > 3 and b2 is not null
"""
    )
    (table,) = loaded(tmp_path, text).tables
    assert table.readings == {"b2": Reading(("b",), ("epoch_s",))}
    assert table.expressions is not None
    assert [c.name for c in table.expressions.inputs] == ["kind", "b2"]


def test_expressions_of_an_existing_table_are_read(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path, START + "    columns: {x: {sql: a + b}}\n    where: c\n").tables
    assert table.declared == ()
    assert table.expressions == Expressions({"x": "a + b"}, "c")


@pytest.mark.parametrize(("table", "is_loaded"), [("columns: {id: long}", False), ("where: id = 1", True)])
def test_only_files_with_sql_load_the_parser(tmp_path: Path, table: str, is_loaded: bool) -> None:
    (tmp_path / "p.yaml").write_text(START + f"    {table}\n", encoding="utf-8")
    code = (
        "import pathlib, sys; from lakelock.config import load_pipeline; load_pipeline(pathlib.Path(sys.argv[1]), {}); "
        "print('sqlglot' in sys.modules, sorted({'numpy', 'pyspark', 'pyiceberg'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "p.yaml")]
    environment = {"PYTHONPATH": str(REPOSITORY / "plugins")}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed == f"{is_loaded} []\n"
