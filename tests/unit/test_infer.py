from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lakelock.adapters.iceberg.definitions import schema_of
from lakelock.config import load_pipeline, table_text
from lakelock.model.type_notation import parse_type, type_text
from lakelock.ports import TableDefinition
from lakelock.records.infer import InferredSchema, infer_schema
from lakelock.records.metadata import with_metadata_columns
from pyiceberg.schema import Schema


def types(*records: Any) -> dict[str, str]:
    inferred = infer_schema([json.dumps(r).encode() for r in records])
    return {c.name: type_text(c.type) for c in inferred.columns}


def test_kinds_become_the_narrowest_type_that_holds_all_of_them() -> None:
    first = {"i": 1, "d": 1, "b": True, "s": "x", "at": "2026-11-21T04:00:00Z", "day": "2026-11-21", "n": None}
    second = {"i": None, "d": 1.5, "s": "2026-11-21T04:00:00Z", "at": "2026-11-21T04:00:00.5+01:00", "late": [1]}
    assert types(first, second) == {
        "i": "long", "d": "double", "b": "boolean", "s": "string", "at": "timestamptz", "day": "string", "n": "string",
        "late": "list<long>",
    }  # fmt: skip


def test_structs_are_merged_over_records() -> None:
    assert types({"st": {"x": 1}}, {"st": {"y": "a"}}) == {"st": "struct<`x`: long, `y`: string>"}


def test_a_zoneless_time_is_never_taken_for_an_instant() -> None:
    assert types({"at": "2026-11-21T04:00:00"}) == {"at": "string"}


def test_conflicts_nulls_and_other_values_are_noted_not_guessed_away() -> None:
    values = [b'{"a":1,"b":null}', b'{"a":2}', b'{"a":"x"}', b"[1]", b"{"]
    inferred = infer_schema(values)
    assert [(c.name, type_text(c.type)) for c in inferred.columns] == [("a", "long"), ("b", "string")]
    assert inferred.not_objects == 2
    assert any("2 × integer against 1 × text" in n for n in inferred.notes)
    assert any("'b': only nulls" in n for n in inferred.notes)


def inferred(*records: Any, reserved: tuple[str, ...] = ()) -> InferredSchema:
    return infer_schema([json.dumps(r).encode() for r in records], reserved)


def written(found: InferredSchema) -> Schema:
    """As the table is made; raises what making it would."""
    columns = with_metadata_columns("n.t", found.columns, {"offset": "_kafka_offset"})
    return schema_of(TableDefinition(columns))


@pytest.mark.parametrize(
    ("odd", "kept", "note"),
    [
        ({"extra": {}}, {"id"}, "'extra': objects without fields"),
        ({"m": {"x": {}}}, {"id"}, "'m.x': objects without fields"),
        ({"m": [{}]}, {"id"}, "'m[]': objects without fields"),
        ({"m": {"x": {}, "y": 1}}, {"id", "m", "m.y"}, "'m.x': objects without fields"),
        ({"": "oops"}, {"id"}, "'': left out"),
        ({"m": {"": 1}}, {"id"}, "'m.': left out"),
        ({"a\ud800": 1}, {"id"}, "left out, as no column can have that name"),
        ({"Id": 200}, {"id"}, "'Id': left out, as another field has its name"),
        ({"user": {"name": "u"}, "user.name": "flat"}, {"id", "user.name"}, "left out, as another field has its name"),
        ({"l": [{"x": 1}], "l.element": 5}, {"id", "l", "l.element", "l.element.x"}, "'l.element': left out"),
        ({"_KAFKA_OFFSET": 1}, {"id"}, "'_KAFKA_OFFSET': left out, as a metadata column has its name"),
        ({"_kafka_offset": "text"}, {"id"}, "'_kafka_offset': left out, as a metadata column has its name"),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode() if isinstance(value, dict) else None,
)
def test_what_no_table_can_hold_is_left_out_and_the_others_are_columns(odd: Any, kept: set[str], note: str) -> None:
    found = inferred(*[{"id": n} for n in range(3)], {"id": 3, **odd}, reserved=("_kafka_offset",))
    names = set(written(found).column_names) - {"_kafka_offset"}
    assert kept <= names
    assert names <= kept | {"user"}
    assert any(note in line for line in found.notes), found.notes


def test_of_names_that_a_table_takes_for_one_the_commonest_is_kept() -> None:
    found = inferred(*[{"user": {"name": "u"}}] * 30, {"user.name": "flat"})
    assert [c.name for c in found.columns] == ["user"]
    found = inferred({"user": {"name": "u"}}, *[{"user.name": "flat"}] * 30)
    assert [c.name for c in found.columns] == ["user.name"]


NAMES = st.text('aA.éß$`"\0 ', max_size=3) | st.sampled_from(["element", "key", "_kafka_offset", "a.element"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(NAMES, VALUES, max_size=5), min_size=1, max_size=6))
def test_any_objects_give_columns_that_a_table_can_have(records: list[Any]) -> None:
    found = inferred(*records, reserved=("_kafka_offset",))
    schema = written(found)
    lowered = [name.lower() for name in schema.column_names]
    assert len(lowered) == len(set(lowered))
    for column in found.columns:
        assert parse_type(type_text(column.type)) == column.type


@given(
    st.lists(
        st.dictionaries(NAMES | st.sampled_from(["${HOME}", "$${", "<<", "1:30", "null"]), VALUES, max_size=5),
        min_size=1,
        max_size=6,
    )
)
def test_columns_that_check_prints_are_those_of_the_file_they_are_pasted_into(records: list[Any]) -> None:
    found = inferred(*records, reserved=("_kafka_partition", "_kafka_offset", "_kafka_timestamp"))
    tables = table_text("n.t", found.columns)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pasted.yaml"
        file.write_text(f"source: {{topics: [t]}}\n{tables}\n", encoding="utf-8")
        (table,) = load_pipeline(file, {}).tables
    assert table.declared == found.columns
