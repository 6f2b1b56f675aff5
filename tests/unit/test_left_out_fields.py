"""Fields whose columns were dropped: their values are in no row, whatever they hold, and are counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from kits.columns import columns
from kits.slices import target
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.adapters.parquet.file_layout import FileLayout
from lakelock.ports import Target
from lakelock.records.values import Values
from lakelock.workers.left_out_fields import LeftOutFields
from lakelock.workers.table_rows import Metadata, TableRows, share_decoding

COLUMNS = {"id": "long", "o": "struct<a: long>"}
GONE = (("note",), ("o", "x"))
RECORDS: list[Any] = [
    {"id": 0, "note": "a", "o": {"a": 1, "x": 1}},
    {"id": 1, "note": None, "o": {"a": 1}},
    {"id": 2, "note": {"deep": [1, "\ud800"]}, "o": None},
    {"id": 3},
    {"id": "no number", "note": "a"},
    {"id": 5, "note": 10**400, "o": {"x": []}},
    {"id": 6, "new": 1, "note": 1},
]

NO_METADATA: Metadata = dict[str, pa.Array]().__getitem__


def rows_of(folder: Path, name: str, **more: Any) -> TableRows:
    wanted: Target = target(folder, name, columns(COLUMNS), ["t"], metadata_columns={}, **more)
    return TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))


def payload(record: Any) -> bytes:
    return json.dumps({"schema": None, "payload": record}).encode()


@pytest.mark.parametrize("form", ["json", "connect_json"])
def test_values_of_rows_are_counted_by_field(tmp_path: Path, form: str) -> None:
    rows = rows_of(tmp_path, "t", dropped=GONE, left_out=GONE, format=form, unknown_fields="ignore")
    values = [json.dumps(r).encode() if form == "json" else payload(r) for r in RECORDS]
    found = rows.decode(Values.from_list(values), NO_METADATA)
    assert found.table.schema.names == ["id", "o"]
    assert [b.index for b in found.bad] == [4]
    assert [r["id"] for r in found.table.to_pylist()] == [0, 1, 2, 3, 5, 6]
    assert rows.left_out == {"note": 4, "o.x": 2}
    # Records that are left out themselves are not.
    rows.decode(Values.from_list(values), NO_METADATA, np.array([0, 2, 4, 5], np.int64))
    assert rows.left_out == {"note": 5, "o.x": 2}


def test_a_field_may_have_another_spelling_than_its_column_had(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "t", dropped=GONE, left_out=GONE, ignores_case=True)
    values = [b'{"ID": 1, "Note": "a", "O": {"A": 1, "X": 2}}', b'{"id": 2, "NOTE": null}']
    found = rows.decode(Values.from_list(values), NO_METADATA)
    assert found.table.to_pylist() == [{"id": 1, "o": {"a": 1}}, {"id": 2, "o": None}]
    assert rows.left_out == {"note": 1, "o.x": 1}


def test_rows_are_those_of_records_without_the_fields(tmp_path: Path) -> None:
    values = Values.from_list([json.dumps(r).encode() for r in RECORDS])
    counting = rows_of(tmp_path, "t", dropped=GONE, left_out=GONE)
    dropping = rows_of(tmp_path, "t", dropped=GONE)
    found, expected = (rows.decode(values, NO_METADATA) for rows in (counting, dropping))
    assert found.table.equals(expected.table)
    assert found.bad == expected.bad
    assert [b.index for b in found.bad] == [4, 6]
    assert (counting.left_out, dropping.left_out) == ({"note": 3, "o.x": 2}, {})


def test_tables_that_decode_together_count_for_themselves(tmp_path: Path) -> None:
    one = rows_of(tmp_path, "one", dropped=GONE, left_out=GONE)
    two = rows_of(tmp_path, "two", dropped=GONE, left_out=GONE[1:])
    share_decoding([one, two])
    values = Values.from_list([json.dumps(r).encode() for r in RECORDS])
    for rows in (one, two):
        assert rows.decode(values, NO_METADATA).table.schema.names == ["id", "o"]
    assert (one.left_out, two.left_out) == ({"note": 3, "o.x": 2}, {"o.x": 2})


def test_no_column_of_the_table_is_taken_for_one_of_them() -> None:
    of = LeftOutFields(GONE, ["id", "left out 0", "(left out) 1"])
    assert not {c.name for c in of.columns} & {"left out 0", "left out 1", "(left out) 0", "(left out) 1"}
    assert pa.schema(of.fields).names == [c.name for c in of.columns]


@pytest.mark.parametrize("more", [{}, {"ignores_case": True}, {"format": "connect_json"}], ids=str)
def test_beside_a_column_that_was_renamed(tmp_path: Path, more: dict[str, Any]) -> None:
    of = columns({"id": "long", "pan": "string"})
    left_out = (("note",),)
    wanted = target(
        tmp_path,
        "t",
        of,
        ["t"],
        metadata_columns={},
        renamed={"card": "pan"},
        dropped=left_out,
        left_out=left_out,
        **more,
    )
    rows = TableRows(wanted, arrow_schema(FileLayout.of(wanted.layout).schema))
    records: list[dict[str, Any]] = [{"id": 1, "card": "a", "note": "x"}, {"id": 2, "pan": "b"}]
    if more.get("format") == "connect_json":
        texts = [{"type": "string", "optional": True, "field": name} for name in ("card", "pan", "note")]
        kind = {"type": "struct", "fields": [{"type": "int64", "field": "id"}, *texts], "optional": False}
        records = [{"schema": kind, "payload": {"card": None, "pan": None, "note": None, **r}} for r in records]
    found = rows.decode(Values.from_list([json.dumps(r).encode() for r in records]), NO_METADATA)
    assert found.bad == []
    assert found.table.to_pylist() == [{"id": 1, "pan": "a"}, {"id": 2, "pan": "b"}]
    assert dict(rows.left_out) == {"note": 1}
