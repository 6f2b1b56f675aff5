"""Columns that were renamed, and records with their fields by old names."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason
from lakelock.workers.renamed_columns import RenamedColumns

KINDS: dict[str, tuple[str, pa.DataType, list[Any]]] = {
    "text": ("string", pa.large_string(), ["a", "b"]),
    "nested": ("struct<a: list<long>>", pa.struct([("a", pa.list_(pa.int64()))]), [{"a": [1]}, {"a": []}]),
    "map": ("map<string, int>", pa.map_(pa.string(), pa.int32()), [[("k", 1)], []]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_the_value_of_either_name(kind: str) -> None:
    notation, arrow, (one, two) = KINDS[kind]
    of = RenamedColumns((Column("id", parse_type("long")), Column("new", parse_type(notation))), {"old": "new"})
    own = pa.schema([("id", pa.int64()), ("new", arrow)])
    schema = pa.schema([*own, *of.fields(own)])
    assert [c.name for c in of.columns] == ["old"]
    rows = pa.Table.from_pylist(
        [{"id": 1, "new": one}, {"id": 2, "old": two}, {"id": 3}, {"id": 4, "new": one, "old": two}], schema
    )
    bad = BadRecord(2, "convert", Reason("other", "other"))
    found = of.follow(Decoded(rows, [0, 1, 3, 5], [bad]))
    assert found.table.schema == own
    assert found.table.to_pylist() == [{"id": 1, "new": one}, {"id": 2, "new": two}, {"id": 3, "new": None}]
    assert found.good == [0, 1, 3]
    assert [(b.index, b.reason.kind) for b in found.bad] == [(2, "other"), (5, "field twice")]


def test_rows_without_an_old_name_stay_as_they_are() -> None:
    of = RenamedColumns((Column("new", parse_type("long")),), {"old": "new", "gone": "no column"})
    rows = pa.table({"new": [1, None], "old": pa.array([None, None], pa.int64())})
    found = of.follow(Decoded(rows, None, ()))
    assert (found.table.to_pydict(), found.good) == ({"new": [1, None]}, None)
