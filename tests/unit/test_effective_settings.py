"""Which `new_fields` and `new_types` are in effect: those of the file, or those of the table's origin."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.config import Pipeline, load_pipeline
from lakelock.ingest.define import define
from lakelock.ingest.effective_settings import effective
from lakelock.ingest.evolving import evolving_now, evolving_of, settings_now
from lakelock.model.batches import LIVE, Batch
from lakelock.model.ledger import CREATED_BY, owner_property, owners_in
from lakelock.ports import TableDefinition, TableState
from lakelock.records.evolution import Evolution
from lakelock.records.observed_fields import observed
from lakelock.testing.catalog import MemoryCatalog
from lakelock.testing.tables import MemoryTables

NAME = "n.t"


def tables() -> MemoryTables:
    return MemoryTables(MemoryCatalog(count(1).__next__, lambda: 0), "one")


def existing(created_by: str | None) -> TableState:
    found = tables()
    found.create(NAME, TableDefinition((), created_by=created_by))
    return found.load(NAME)


def pipeline_of(format: str = "json", **settings: Any) -> Pipeline:
    of_table = {"name": NAME, "columns": {"id": "long"}, **settings}
    value: dict[str, Any] = {"format": format}
    if format == "csv":
        value["csv"] = {"columns": ["id"]}
    return Pipeline.model_validate({"name": "p", "source": {"topics": ["t"]}, "value": value, "tables": [of_table]})


def in_effect(pipeline: Pipeline, state: TableState | None) -> tuple[Any, Any]:
    table = effective(pipeline, pipeline.table(NAME), state)
    return table.new_fields, table.new_types


REST = {"json_column": "rest"}


@pytest.mark.parametrize(
    ("settings", "created", "made_by_others"),
    [
        ({}, ("evolve", "evolve"), (None, None)),
        ({"new_fields": "evolve"}, ("evolve", "evolve"), ("evolve", None)),
        ({"new_fields": "dead_letter"}, ("dead_letter", "evolve"), ("dead_letter", None)),
        ({"new_fields": "ignore"}, ("ignore", "evolve"), ("ignore", None)),
        ({"new_types": "dead_letter"}, ("evolve", "dead_letter"), (None, "dead_letter")),
        ({"new_types": "evolve"}, ("evolve", "evolve"), (None, "evolve")),
        ({"unknown_fields": "ignore"}, (None, "evolve"), (None, None)),
    ],
    ids=str,
)
def test_the_file_wins_and_else_the_origin_of_the_table_decides(
    settings: dict[str, Any], created: tuple[Any, Any], made_by_others: tuple[Any, Any]
) -> None:
    pipeline = pipeline_of(**settings)
    assert in_effect(pipeline, existing("p")) == created
    assert in_effect(pipeline, None) == created, "lakelock is yet to create it"
    assert in_effect(pipeline, existing(None)) == made_by_others
    assert in_effect(pipeline, existing("another")) == made_by_others


def test_a_column_for_new_fields_stays() -> None:
    pipeline = pipeline_of(new_fields=REST)
    table = effective(pipeline, pipeline.table(NAME), existing("p"))
    assert (table.rest_column, table.adds_columns, table.new_types) == ("rest", False, "evolve")


@pytest.mark.parametrize("format", ["csv", "raw", "none", "of_a_package"])
def test_formats_whose_columns_cannot_follow_the_records_keep_the_settings_of_the_file(format: str) -> None:
    pipeline = pipeline_of()
    value = pipeline.value.model_copy(update={"format": format})
    pipeline = pipeline.model_copy(update={"value": value})
    for state in (existing("p"), None):
        assert in_effect(pipeline, state) == (None, None)
    assert in_effect(pipeline_of("connect_json"), existing("p")) == ("evolve", "evolve")


def test_what_depends_on_the_settings_follows_those_in_effect() -> None:
    pipeline, found = pipeline_of(), tables()
    found.create(NAME, TableDefinition((), created_by="p"))
    found.catalog.change_extras(NAME, {"gone"})
    found.catalog.change_extras(NAME, ())
    state = found.load(NAME)
    now = settings_now(pipeline, pipeline.table(NAME), state, found)
    assert now.past_fields.left_out == (("gone",),)
    evolving = evolving_now(pipeline, now, state)
    assert evolving is not None
    assert (evolving.new_fields, evolving.new_types) == (True, True)
    assert now.settings.reading_settings["unknown_fields"] == "evolve"


def test_the_origin_of_a_table_is_no_owner() -> None:
    """`orphans` leaves files alone that may be of another installation."""
    assert owners_in({CREATED_BY: "p", owner_property("p"): "one", "comment": "x"}) == {"p": "one"}


def test_no_default_is_part_of_the_configuration() -> None:
    """Digests, and the settings that a batch keeps, are those of the release before."""
    of_table = pipeline_of().resolved()["tables"][0]
    assert not {"new_fields", "new_types"} & of_table.keys()


@pytest.mark.parametrize("columns", [{}, {"id": "long"}], ids=["inferred", "declared"])
def test_a_new_table_names_the_pipeline_and_leaves_out_what_has_no_value(columns: dict[str, str]) -> None:
    pipeline, batch = pipeline_of(columns=columns), Batch("", "p", LIVE, {}, "", (), (NAME,))
    record = b'{"id":1,"later":null}'
    found = define(pipeline, NAME, batch, lambda ranges, limit: [record], lambda limit: [], reshaped_texts)
    assert found.created_by == "p"
    assert [c.name for c in found.columns if not c.name.startswith("_")] == ["id"]
    new = tables()
    new.create(NAME, found)
    assert in_effect(pipeline, new.load(NAME)) == ("evolve", "evolve")


@pytest.mark.parametrize("place", ["table", "table_defaults", "_defaults.yaml"])
def test_dead_letter_under_the_former_name_of_the_key_is_what_the_file_says(tmp_path: Path, place: str) -> None:
    said = "unknown_fields: dead_letter"
    file = tmp_path / "p.yaml"
    own = f", {said}" if place == "table" else ""
    defaults = f"table_defaults: {{{said}}}\n"
    file.write_text(
        f"source: {{topics: [t]}}\ntables: [{{name: {NAME}{own}}}]\n{defaults if place == 'table_defaults' else ''}"
    )
    if place == "_defaults.yaml":
        (tmp_path / place).write_text(defaults)
    assert in_effect(load_pipeline(file), None) == ("dead_letter", "evolve")


OTHER_CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a masked field": ({"columns": {"hash": {"type": "string", "field": "card", "mask": "sha256"}}}, {"CARD": "4111"}),
    "an object around one": (
        {"columns": {"mail": {"type": "string", "field": "user.mail", "mask": "sha256"}}},
        {"User": {"mail": "a@b"}},
    ),
    "within an object with a column": (
        {"columns": {"mail": {"type": "string", "field": "user.mail", "mask": "sha256"}, "user": "struct<uid: long>"}},
        {"user": {"uid": 1, "MAIL": "a@b"}},
    ),
    "a dropped field": ({"drop_fields": ["ssn"]}, {"SSN": "1"}),
    "a dropped field of a new object": ({"drop_fields": ["a.ssn"]}, {"a": {"SSN": "1"}}),
    "of a new list": ({"drop_fields": ["ssn"]}, {"Ssn": [{"x": 1}]}),
    "JSON within a text": (
        {"parse_json": ["payload"], "columns": {"m": {"type": "string", "field": "payload.mail", "mask": "sha256"}}},
        {"Payload": '{"mail": "a@b"}'},
    ),
}


@pytest.mark.parametrize("case", OTHER_CASES)
def test_a_field_in_another_case_than_the_file_has_it_gets_no_column(case: str) -> None:
    """A column of its own would show what the file masks or drops."""
    settings, record = OTHER_CASES[case]
    pipeline = pipeline_of(**settings)
    table = effective(pipeline, pipeline.table(NAME), None)
    evolving = evolving_of(pipeline, table, table.declared)
    assert evolving is not None
    assert Evolution(evolving).changes(observed([json.dumps(record).encode()])) == []
    other = {**record, "beside": 1}
    assert [c.path for c in Evolution(evolving).changes(observed([json.dumps(other).encode()]))] == [("beside",)]


def test_a_field_in_another_case_than_a_dropped_column_gets_none() -> None:
    pipeline, found = pipeline_of(), tables()
    found.create(NAME, TableDefinition((), created_by="p"))
    found.catalog.change_extras(NAME, {"gone"})
    found.catalog.change_extras(NAME, ())
    state = found.load(NAME)
    evolving = evolving_now(pipeline, settings_now(pipeline, pipeline.table(NAME), state, found), state)
    assert evolving is not None
    assert [c.path for c in Evolution(evolving).changes(observed([b'{"GONE": 1, "gone": 2, "new": 3}']))] == [("new",)]
