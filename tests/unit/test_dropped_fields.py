"""Fields that a pipeline file drops: no column takes them, no record is refused for them, and the rest does not have them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.config import Pipeline, load_pipeline
from lakelock.errors import ConfigFaults
from lakelock.model.column_types import Column, Integer, Struct, Text
from lakelock.records.decoding import Decoded
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.values import Values

COLUMNS = (Column("id", Integer(64)), Column("e", Struct((Column("a", Integer(64)),))), Column("rest", Text()))
DROPPED = (("debug",), ("e", "trace"))
VALUES = (
    b'{"id":1,"debug":{"x":[1]},"e":{"a":2,"trace":"t"}}',
    b'{"id":2,"e":{"trace":null},"debug":0}',
    b'{"id":3,"e":{"a":4,"more":5},"new":6}',
)


def decoded(columns: Sequence[Column], rest: str | None) -> Decoded:
    schema: pa.Schema = arrow_schema(schema_from(columns))
    decoder = ShapedDecoder(
        columns,
        schema,
        zones={},
        skip=frozenset(),
        unknown_fields="dead_letter",
        readings={},
        rest=rest,
        dropped=DROPPED,
        scanner=scanner,
    )
    return decoder.decode(Values.from_list(VALUES))


def test_dropped_fields_are_not_new() -> None:
    found = decoded(COLUMNS[:2], None)
    assert found.table.to_pylist() == [{"id": 1, "e": {"a": 2}}, {"id": 2, "e": {"a": None}}]
    assert [(b.index, b.reason.kind) for b in found.bad] == [(2, "unknown field")]


def test_dropped_fields_are_not_in_the_rest() -> None:
    found = decoded(COLUMNS, "rest")
    assert found.table["rest"].to_pylist() == [None, None, '{"e":{"more":5},"new":6}']
    assert not found.bad


def load(folder: Path, table: str) -> Pipeline:
    file = folder / "orders.yaml"
    file.write_text(f"source: {{topics: [t]}}\ntables:\n  - {table}\n")
    return load_pipeline(file)


def test_the_file_names_them_as_it_names_fields_and_stored_files_have_them(tmp_path: Path) -> None:
    pipeline = load(tmp_path, "{name: n.t, drop_fields: [debug, e.trace, [a.b, c]]}")
    assert pipeline.tables[0].drop_fields == (("debug",), ("e", "trace"), ("a.b", "c"))
    assert Pipeline.from_resolved(pipeline.resolved()).digest == pipeline.digest


def test_a_field_that_fills_a_column_is_not_dropped(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults, match=r"orders.yaml:3: .*drop_fields: field 'e.x' fills column 'x'"):
        load(tmp_path, "{name: n.t, drop_fields: [e.x], columns: {x: {type: long, field: e.x}}}")
    with pytest.raises(ConfigFaults, match="field 'id' fills column 'id'"):
        load(tmp_path, "{name: n.t, drop_fields: [id], columns: {id: long}}")
