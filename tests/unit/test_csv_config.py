"""Options of delimited text in a pipeline file: their faults, what they become, and that other files stay as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kits.columns import columns
from kits.fillings import Filled
from lakelock.config import Pipeline, load_pipeline
from lakelock.errors import ConfigFaults, State, TableUnfit
from lakelock.records.csv.options import CsvOptions
from lakelock.records.readings import check_readings
from stack.settings import REPOSITORY

START = "source: {topics: [t]}\n"
ANY = "tables: [{name: n.t}]\n"


def loaded(folder: Path, text: str) -> Pipeline:
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    return load_pipeline(folder / "p.yaml", {})


def table(columns: str, rest: str = "") -> str:
    return f"tables: [{{name: n.t, columns: {{{columns}}}{rest}}}]\n"


def value(csv: str) -> str:
    return f"value: {{format: csv, csv: {{{csv}}}}}\n"


CASES = {
    "options of another format": (
        "value: {format: json, csv: {}}\n" + ANY,
        ["p.yaml:2: value.csv: is for format csv, and value.format is json"],
    ),
    "all that is wrong with options, at once": (
        "value:\n  format: csv\n  csv:\n    delimiter: '||'\n    quote: ''\n    escape: é\n    null_text: \"\\n\"\n"
        "    columns: [a, b, a]\n    header: keep\n    comment: '#'\n" + ANY,
        [
            'p.yaml:5: value.csv.delimiter: must be one ASCII character, such as "|" or "\\t"',
            'p.yaml:6: value.csv.quote: must be one ASCII character, such as "|" or "\\t"',
            'p.yaml:7: value.csv.escape: must be one ASCII character, such as "|" or "\\t"',
            "p.yaml:8: value.csv.null_text: must not have a line break",
            "p.yaml:9: value.csv.columns: has 'a' twice",
            "p.yaml:10: value.csv.header: must be dead_letter or skip",
            "p.yaml:11: value.csv.comment: unknown key 'comment'; known here: delimiter, quote, escape, null_text, columns, header",
        ],
    ),
    "no delimiter": (
        value("delimiter: false, columns: []") + ANY,
        [
            'p.yaml:2: value.csv.delimiter: must be one ASCII character, such as "|" or "\\t"',
            "p.yaml:2: value.csv.columns: must not be empty",
        ],
    ),
    "signs that are one": (
        value("delimiter: '|', quote: '|', escape: '|', null_text: 'a|'") + ANY,
        [
            "p.yaml:2: value.csv.quote: must differ from delimiter",
            "p.yaml:2: value.csv.escape: must differ from delimiter and quote (a quote within quotes is doubled without any escape)",
            "p.yaml:2: value.csv.null_text: no field can be this text, because it contains the delimiter",
            "p.yaml:2: value.csv.null_text: no field can be this text, because it contains the quote",
            "p.yaml:2: value.csv.null_text: must not end with the escape, which would belong to the character behind it",
        ],
    ),
    "types that text does not fill": (
        value("header: skip") + table("a: 'list<long>', b: 'struct<x: long>', c: 'map<string, long>', d: json, e: long"),
        [
            "p.yaml:3: tables[0].columns.a: format csv does not fill a list<long>",
            "p.yaml:3: tables[0].columns.b: format csv does not fill a struct<`x`: long>",
            "p.yaml:3: tables[0].columns.c: format csv does not fill a map<string, long>",
            "p.yaml:3: tables[0].columns.d: format csv has text and no JSON; give the column another type or cast, such as string",
        ],
    ),
    "fields without names": (
        value("") + table("a: {type: long, field: b}", ", drop_fields: [c]"),
        [
            "p.yaml:3: tables[0].columns.a: field needs the names of all fields in value.csv.columns",
            "p.yaml:3: tables[0].drop_fields: there is no field 'c' in value.csv.columns",
        ],
    ),
    "fields and columns that do not meet": (
        value("columns: [a, b]")
        + table("a: long, x: {type: long, field: c}, r: {type: long, required: true}", ", drop_fields: [d]"),
        [
            "p.yaml:2: value.csv.columns: no column of table n.t takes field 'b'; if it is not wanted, add it to drop_fields",
            "p.yaml:3: tables[0].columns.x: there is no field 'c' in value.csv.columns",
            "p.yaml:3: tables[0].columns.r: it is required, and value.csv.columns has no such field",
            "p.yaml:3: tables[0].drop_fields: there is no field 'd' in value.csv.columns",
        ],
    ),
    "a rest": (
        value("columns: [a]") + table("a: long", ", new_fields: {json_column: rest}"),
        [
            "p.yaml:3: tables[0].new_fields: format csv has no new fields to keep as JSON: value.csv.columns names them all",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, case: str) -> None:
    text, wanted = CASES[case]
    with pytest.raises(ConfigFaults) as raised:
        loaded(tmp_path, START + text)
    said = [line.strip() for line in str(raised.value).splitlines()[1:]]
    assert sorted(said) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("value: {format: csv}\n" + ANY, CsvOptions()),
        (value('delimiter: "\\t", quote: false') + ANY, CsvOptions("\t", None)),
        (value("quote: null, escape: null") + ANY, CsvOptions(quote=None)),
        (
            value("delimiter: '|', quote: \"'\", escape: '\\', null_text: '\\N', columns: [a, b.c], header: skip")
            + table("a: long, _kafka_key: binary", ", new_fields: ignore")
            + "metadata_columns: {key: _kafka_key}\n",
            CsvOptions("|", "'", "\\", "\\N", ("a", "b.c"), "skip"),
        ),
        (
            value("columns: [a, b.c]") + table("a: long, a2: {type: string, field: a}", ", drop_fields: [b.c]"),
            CsvOptions(columns=("a", "b.c")),
        ),
        (value("columns: [a]") + "tables: [{name: n.t, columns: {x: {field: a}}}]\n", CsvOptions(columns=("a",))),
        ("value: {format: json}\n" + ANY, None),
    ],
)
def test_options_are_those_of_the_file_also_when_they_are_stored(
    tmp_path: Path, text: str, options: CsvOptions | None
) -> None:
    pipeline = loaded(tmp_path, START + text)
    assert pipeline.value.options == options
    stored = Pipeline.from_resolved(pipeline.resolved())
    assert (stored.value.options, stored.digest) == (options, pipeline.digest)


def test_files_without_options_are_stored_as_before(tmp_path: Path) -> None:
    resolved = loaded(tmp_path, START + ANY).resolved()
    assert resolved["value"] == {"format": "json", "max_decompressed_bytes": 64 << 20}


def test_a_file_is_checked_without_a_heavy_library(tmp_path: Path) -> None:
    text = START + value("columns: [a], header: skip") + table("a: {type: long, cast: clamp}")
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    code = (
        "import pathlib, sys; from lakelock.config import load_pipeline; load_pipeline(pathlib.Path(sys.argv[1]), {}); "
        "print(sorted({'numpy', 'pyarrow', 'llvmlite'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "p.yaml")]
    environment = {"PYTHONPATH": str(REPOSITORY / "plugins")}
    assert subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_table_that_no_row_fills_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    of, none = columns({"a": "long", "_o": "long"}), frozenset(("_o",))
    check_readings("n.t", of, Filled(), none, State.PART_PLANNED, csv=CsvOptions())
    check_readings("n.t", of, Filled(), none, State.PART_PLANNED, csv=CsvOptions(columns=("a", "b")), spare={"b"})
    check_readings("n.t", of, Filled(), none, State.PART_PLANNED, csv=CsvOptions(columns=("a", "b")), spare=None)
    with pytest.raises(TableUnfit, match="no column takes field 'b' of value.csv.columns"):
        check_readings("n.t", of, Filled(), none, State.PART_PLANNED, csv=CsvOptions(columns=("a", "b")))
    with pytest.raises(TableUnfit, match="format csv does not fill a list<long>"):
        check_readings("n.t", columns({"l": "list<long>"}), Filled(), none, State.PART_PLANNED, csv=CsvOptions())
