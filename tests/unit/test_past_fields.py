"""Which fields of records go to a column that was renamed in the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from kits.shaping import pipeline
from lakelock.ingest.evolving import evolving_now, settings_now, settings_with
from lakelock.model.column_changes import ColumnPath
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.ports import Tables, TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.evolution import Evolution
from lakelock.records.observed_fields import observed

COLUMNS = tuple(Column(name, parse_type(kind)) for name, kind in (("id", "long"), ("remark", "string"), ("_o", "long")))
PAST = PastColumns(frozenset({("gone",)}), {("note",): ("remark",), ("o",): ("_o",)})
EVOLVE = "new_fields: evolve"
FOLLOWS: Mapping[str, str] = {"note": "remark"}
# The table's entry in the file, and other settings.
CASES: dict[str, tuple[str, str, Mapping[str, str]]] = {
    "a column that the file does not name": ("columns: {id: long}", "", {}),
    "of a table whose columns follow records": (EVOLVE, "", FOLLOWS),
    "a column that the file names": ("columns: {id: long, note: string}", "", FOLLOWS),
    "with a mask and a cast": ("columns: {note: {cast: json, mask: sha256}}", "", FOLLOWS),
    "used in SQL": ("where: note = 'a'", "", FOLLOWS),
    "of a partitioning": ("partition_by: [note]", "", FOLLOWS),
    "with a field": ("columns: {note: {field: x}}\n    new_fields: evolve", "", {}),
    "the whole value": ("columns: {note: {field: $}}\n    new_fields: evolve", "", {}),
    "a constant": ("columns: {note: {constant: a}}\n    new_fields: evolve", "", {}),
    "derived": ("columns: {note: {sql: upper(id)}}\n    new_fields: evolve", "", {}),
    "for other fields": ("new_fields: {json_column: note}", "", {}),
    "another takes its field": ("columns: {id: {field: note.id}}\n    new_fields: evolve", "", {}),
    "another takes its field, too": ("columns: {id: {field: note, cast: text}, note: {cast: json}}", "", FOLLOWS),
    "dropped by the file": (f"drop_fields: [note]\n    {EVOLVE}", "", {}),
    "an input": (f"inputs: {{note: string}}\n    where: note = 'a'\n    {EVOLVE}", "", {}),
    "in values that are no objects": ("columns: {note: string}", "value: {format: raw}\n", {}),
}


@pytest.mark.parametrize("case", CASES)
def test_values_by_an_old_name(tmp_path: Path, case: str) -> None:
    entry, more, renamed = CASES[case]
    metadata = "metadata_columns: {partition: false, timestamp: false, offset: _o}"
    of = pipeline(tmp_path, entry, f"{more}{metadata}")
    state = cast(TableState, SimpleNamespace(columns=COLUMNS, properties={}))
    tables = cast(Tables, SimpleNamespace(past_columns=lambda state: PAST))
    found = settings_now(of, of.tables[0], state, tables).past_fields
    assert found.renamed == renamed
    assert found.left_out == ((("gone",),) if "evolve" in entry else ())


@pytest.mark.parametrize(
    ("kind", "level", "value"),
    [
        ("struct<price: int>", (), {"price": 2**40, "new": 1}),
        ("list<struct<price: int>>", ("element",), [{"price": 2**40, "new": 1}]),
        ("map<string, struct<price: int>>", ("value",), {"key": {"price": 2**40, "new": 1}}),
    ],
)
def test_fields_within_a_column_that_was_renamed_follow_the_records(
    tmp_path: Path, kind: str, level: ColumnPath, value: Any
) -> None:
    of = pipeline(tmp_path, "new_fields: evolve\n    new_types: evolve")
    state = cast(
        TableState,
        SimpleNamespace(columns=(Column("things", parse_type(kind)),), properties={}, identifier_columns=()),
    )
    past = PastColumns(renamed={("items", *path): ("things", *path) for path in ((), level, (*level, "price"))})
    evolving = evolving_now(of, settings_with(of, of.tables[0], state, past), state)
    assert evolving is not None
    for name in ("things", "items"):
        changes = Evolution(evolving).changes(observed([json.dumps({name: value}).encode()]))
        assert [c.path for c in changes] == [("things", *level, "price"), ("things", *level, "new")]
