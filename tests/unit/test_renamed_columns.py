"""Columns that were renamed, and records with their fields by old names."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.records.dead_letters import BadRecord
from lakelock.records.decoding import Decoded
from lakelock.records.reasons import Reason, Unfit
from lakelock.workers.renamed_columns import RenamedColumns

KINDS: dict[str, tuple[str, pa.DataType, list[Any]]] = {
    "text": ("string", pa.large_string(), ["a", "b"]),
    "nested": ("struct<a: list<long>>", pa.struct([("a", pa.list_(pa.int64()))]), [{"a": [1]}, {"a": []}]),
    "map": ("map<string, int>", pa.map_(pa.string(), pa.int32()), [[("k", 1)], []]),
}


def fits(rows: pa.Table) -> None:
    pass


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_has_the_value_of_either_name(kind: str) -> None:
    notation, arrow, (one, two) = KINDS[kind]
    own = pa.schema([("id", pa.int64()), ("new", arrow)])
    of = RenamedColumns(
        (Column("id", parse_type("long")), Column("new", parse_type(notation))), own, {"old": "new"}, fits
    )
    schema = of.schema
    assert ([c.name for c in of.also], schema.names) == (["old"], ["id", "new", "old"])
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
    renamed = {"old": "new", "gone": "no column"}
    of = RenamedColumns((Column("new", parse_type("long")),), pa.schema([("new", pa.int64())]), renamed, fits)
    rows = pa.table({"new": [1, None], "old": pa.array([None, None], pa.int64())})
    found = of.follow(Decoded(rows, None, ()))
    assert (found.table.to_pydict(), found.good) == ({"new": [1, None]}, None)


def test_a_required_column_has_a_value_by_either_name() -> None:
    own = pa.schema([pa.field("new", pa.int64(), nullable=False)])
    of = RenamedColumns((Column("new", parse_type("long"), required=True),), own, {"old": "new"}, fits)
    assert ([c.required for c in of.columns], of.schema.field("new").nullable) == ([False], True)
    rows = pa.Table.from_pylist([{"new": 1}, {"old": 2}, {}], of.schema)
    found = of.follow(Decoded(rows, None, ()))
    assert (found.table.schema, found.table.to_pydict(), found.good) == (own, {"new": [1, 2]}, [0, 1])
    assert [(b.index, b.reason.kind) for b in found.bad] == [(2, "required field is null")]


def test_a_value_by_an_old_name_must_fit_the_partitions_too() -> None:
    def below(rows: pa.Table) -> None:
        if pc.min(rows.column("new")).as_py() < 0:
            raise Unfit("below", "partition value", "new")

    own = pa.schema([("new", pa.int64())])
    of = RenamedColumns((Column("new", parse_type("long")),), own, {"old": "new"}, below)
    found = of.follow(Decoded(pa.Table.from_pylist([{"old": 1}, {"old": -1}], of.schema), None, ()))
    assert (found.table.to_pydict(), [b.index for b in found.bad]) == ({"new": [1]}, [1])
