"""Columns of a new table that the file says how to fill need a type: inference knows only the record's own fields."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.check.sample import _sampled
from lakelock.config import Pipeline
from lakelock.errors import BadTableDefinition, TableUnfit
from lakelock.ingest.define import define, inferred_columns
from lakelock.ingest.effective_settings import effective
from lakelock.model.batches import LIVE, Batch
from lakelock.model.offsets import Source
from lakelock.model.type_notation import type_text


def defined(
    columns: dict[str, object], record: bytes = b'{"id":1,"at":"x"}', new_fields: str = "dead_letter", **more: object
) -> list[str]:
    of_table = {"name": "n.t", "columns": columns, "new_fields": new_fields}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [of_table], **more})
    batch = Batch("", "p", LIVE, {}, "", (), ("n.t",))
    found = define(pipeline, "n.t", batch, lambda ranges, limit: [record], lambda limit: [], reshaped_texts)
    return [c.name for c in found.columns if not c.name.startswith("_")]


def inferred(records: list[bytes], **settings: Any) -> dict[str, str]:
    """Types by column, for a table with the default of `new_fields`."""
    of_table = {"name": "n.t", **settings}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [of_table]})
    batch = Batch("", "p", LIVE, {}, "", (), ("n.t",))
    found = define(pipeline, "n.t", batch, lambda ranges, limit: records, lambda limit: [], reshaped_texts)
    return {c.name: type_text(c.type) for c in found.columns if not c.name.startswith("_")}


@pytest.mark.parametrize(
    "reading", [{"field": "event.id"}, {"cast": "epoch_ms"}, {"type": None, "cast": "json"}, {"constant": 1}]
)
def test_a_column_with_a_reading_and_without_a_type_makes_no_table(reading: dict[str, object]) -> None:
    with pytest.raises(BadTableDefinition, match="table n.t does not exist, .*: 'id'. Nothing was created"):
        defined({"id": reading})


def test_columns_are_inferred_beside_a_zone() -> None:
    assert defined({}) == ["id", "at"]
    assert defined({"at": {"zone": "UTC"}}) == ["id", "at"]


def test_a_field_without_a_value_has_no_column_in_a_table_that_adds_columns() -> None:
    """It would be text, and an object that follows a dead letter."""
    record = b'{"id":1,"app":null,"of":{"app":null},"all":[null]}'
    assert defined({}, record) == ["id", "app", "of", "all"]
    assert defined({}, record, new_fields="evolve") == ["id"]
    assert defined({}, b'{"app":null}', new_fields="evolve") == ["app"], "a table needs a column"


@pytest.mark.parametrize(
    "settings",
    [
        {"where": "region IS NULL"},
        {"checks": [{"name": "c", "sql": "region IS NULL OR id > 0"}]},
        {"columns": {"region": {"mask": "sha256"}}},
        {"partition_by": ["bucket(4, region)"]},
        {"sort_by": ["region desc"]},
        {"id_columns": ["region"]},
        {"properties": {"write.metadata.metrics.column.region": "full"}},
        {"where": "region IS NULL", "new_fields": "evolve"},
    ],
    ids=str,
)
def test_a_field_without_a_value_has_a_column_if_the_file_uses_it(settings: dict[str, Any]) -> None:
    """No run could create the table without it."""
    records = [b'{"id":%d,"deleted_at":null,"card":null,"region":null,"name":"a"}' % i for i in range(20)]
    assert [*inferred(records, **settings)] == ["id", "region", "name"]


@pytest.mark.parametrize(
    ("settings", "fields"),
    [
        ({}, "struct<`op`: string, `of`: list<struct<`a`: long>>>"),
        ({"where": "u.op <> 'd'"}, "struct<`op`: string, `of`: list<struct<`a`: long>>>"),
        ({"where": "u.`Before` IS NULL"}, "struct<`op`: string, `of`: list<struct<`a`: long>>, `before`: string>"),
        ({"where": "exists(u.of, o -> o.b = 'x')"}, "struct<`op`: string, `of`: list<struct<`a`: long, `b`: string>>>"),
        ({"where": "u IS NOT NULL"}, "struct<`op`: string, `of`: list<struct<`a`: long>>>"),
        ({"partition_by": ["u.before"]}, "struct<`op`: string, `of`: list<struct<`a`: long>>, `before`: string>"),
    ],
    ids=str,
)
def test_a_field_without_a_value_in_a_column_is_there_if_the_file_names_it(
    settings: dict[str, Any], fields: str
) -> None:
    """Any other stays without a type until it has a value."""
    record = b'{"u":{"before":null,"op":"c","of":[{"a":1,"b":null}],"z":null},"v":{"id":1,"before":null}}'
    assert inferred([record], **settings) == {"u": fields, "v": "struct<`id`: long>"}


def test_a_table_that_exists_is_compared_with_no_guess() -> None:
    """`check` would report a column of another type as text."""
    of_table = {"name": "n.t", "where": "at IS NULL", "new_fields": "evolve"}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [of_table]})
    table = effective(pipeline, pipeline.table("n.t"), None)
    found = inferred_columns(pipeline, table, [b'{"id":1,"at":null}'], reshaped_texts, is_new=False)
    assert [c.name for c in found.columns] == ["id"]


def test_a_type_for_each_column_needs_no_record() -> None:
    assert defined({"made": {"type": "timestamptz", "field": "event.at", "cast": "epoch_ms"}}) == ["made"]


@pytest.mark.parametrize(
    ("column", "why"), [("mail", "the file names it"), ("id", "mask sha256 is for string and binary")]
)
def test_a_mask_that_the_inferred_columns_cannot_have_makes_no_table(column: str, why: str) -> None:
    assert defined({"at": {"mask": "sha256"}}) == ["id", "at"]
    with pytest.raises(TableUnfit, match=f"{column}.*: {why}.* Nothing was created"):
        defined({column: {"mask": "sha256"}})


def test_fields_whose_names_differ_by_case_alone_make_no_table() -> None:
    value = {"format": "csv", "csv": {"columns": ["id", "ID"]}}
    with pytest.raises(TableUnfit, match="no column takes field 'ID'.* Nothing was created"):
        defined({}, b"1,2", value=value)


def test_a_sample_of_a_table_that_will_not_be_created_says_so_and_speaks_of_no_batch() -> None:
    table = {"name": "n.t", "columns": {"id": {"mask": "sha256"}}}
    pipeline = Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "tables": [table]})
    runtime: Any = SimpleNamespace(file=pipeline, mask_keys=lambda of: {})
    record = SampledRecord(Source("t", "t", 0), 0, None, None, b'{"id":1}')
    with pytest.raises(TableUnfit, match="mask sha256 is for string and binary, not for long. Nothing was created"):
        _sampled(runtime, pipeline, pipeline.tables[0], [record], can_load=False, can_evaluate=False)
