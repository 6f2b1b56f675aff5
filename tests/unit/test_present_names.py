"""Settings that name a column which was renamed in the table apply to it under its present name, or to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from lakelock.config import Table
from lakelock.ingest.effective_settings import EffectiveTable
from lakelock.ingest.present_names import PresentNames, present_names
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type
from lakelock.ports.tables import PastColumns


def columns(**types: str) -> tuple[Column, ...]:
    return tuple(Column(name, parse_type(kind)) for name, kind in types.items())


def past(*several: str, **renamed: str) -> PastColumns:
    """Dotted names, with `__` for the dot in the first ones."""
    by_path = {tuple(old.split("__")): tuple(now.split(".")) for old, now in renamed.items()}
    return PastColumns(renamed=by_path, several=frozenset((name,) for name in several))


def table(**settings: Any) -> EffectiveTable:
    return EffectiveTable(Table.model_validate({"name": "n.t", **settings}))


NOW = columns(id="long", remark="string")
NOTE = past(note="remark")
# Settings of the file, and the same by present names.
CASES: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "a type": ({"columns": {"note": "string"}}, {"columns": {"remark": "string"}}),
    "required and doc": (
        {"columns": {"note": {"type": "string", "required": True, "doc": "d"}}},
        {"columns": {"remark": {"type": "string", "required": True, "doc": "d"}}},
    ),
    "a field": ({"columns": {"note": {"field": "a.b"}}}, {"columns": {"remark": {"field": "a.b"}}}),
    "a cast": ({"columns": {"note": {"cast": "json"}}}, {"columns": {"remark": {"cast": "json"}}}),
    "a zone": ({"columns": {"note": {"zone": "Europe/Zurich"}}}, {"columns": {"remark": {"zone": "Europe/Zurich"}}}),
    "a constant": ({"columns": {"note": {"constant": "c"}}}, {"columns": {"remark": {"constant": "c"}}}),
    "a mask": ({"columns": {"note": {"mask": "sha256"}}}, {"columns": {"remark": {"mask": "sha256"}}}),
    "derived": ({"columns": {"note": {"sql": "upper(id)"}}}, {"columns": {"remark": {"sql": "upper(id)"}}}),
    "what a column derives from": (
        {"columns": {"id": {"sql": "length(note)"}}},
        {"columns": {"id": {"sql": "length(`remark`)"}}},
    ),
    "where": ({"where": "note = 'note'"}, {"where": "`remark` = 'note'"}),
    "checks": (
        {"checks": {"note": {"sql": "id > 0 and note <> ''", "on_fail": "filter"}}},
        {"checks": {"note": {"sql": "id > 0 and `remark` <> ''", "on_fail": "filter"}}},
    ),
    "the JSON column": ({"new_fields": {"json_column": "note"}}, {"new_fields": {"json_column": "remark"}}),
    "partitioning": (
        {"partition_by": ["bucket(4, note)", "id"]},
        {"partition_by": ["bucket(4, remark)", "id"]},
    ),
    "sort order": (
        {"sort_by": ["truncate(2, note) desc nulls first", "note"]},
        {"sort_by": ["truncate(2, remark) desc nulls first", "remark"]},
    ),
    "identifiers": ({"id_columns": ["note"]}, {"id_columns": ["remark"]}),
    "a property": (
        {"columns": {"note": "string"}, "properties": {"write.metadata.metrics.column.note": "full", "note": "note"}},
        {
            "columns": {"remark": "string"},
            "properties": {"write.metadata.metrics.column.remark": "full", "note": "note"},
        },
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_of_setting_follows_the_column(kind: str) -> None:
    before, after = CASES[kind]
    found = present_names(table(**before), NOW, NOTE)
    assert found.settings == table(**after)
    assert (found.of_columns, found.unclear) == ({"note": "remark"}, {})
    assert found.line == "note is remark now"


def test_names_of_fields_stay() -> None:
    of = {
        "columns": {"note": {"type": "string", "cast": "json"}},
        "drop_fields": ["note.x"],
        "parse_json": ["note"],
        "inputs": {"kind": {"type": "string", "field": "note.kind"}},
        "where": "kind = 'a'",
    }
    found = present_names(table(**of), NOW, NOTE)
    assert found.settings == table(**{**of, "columns": {"remark": {"type": "string", "cast": "json"}}})


def test_of_delimited_text_the_field_keeps_its_name() -> None:
    fields = ["id", "note"]
    found = present_names(
        table(columns={"id": "long", "note": {"type": "string", "mask": "sha256"}}), NOW, NOTE, (), fields
    )
    assert found.settings == table(
        columns={"id": "long", "remark": {"type": "string", "field": "note", "mask": "sha256"}}
    )
    assert present_names(table(), NOW, NOTE, (), fields).settings == table(columns={"remark": {"field": "note"}})
    filled = table(columns={"note": {"constant": "c"}})
    assert present_names(filled, NOW, NOTE, (), fields).settings == table(columns={"remark": {"constant": "c"}})


def test_a_column_that_was_renamed_twice_is_followed_from_either_name() -> None:
    now = columns(c="string")
    for old in ("a", "b"):
        found = present_names(table(columns={old: {"mask": "sha256"}}), now, past(a="c", b="c"))
        assert found.settings == table(columns={"c": {"mask": "sha256"}})


def test_names_that_the_table_has_now_are_those_columns() -> None:
    """Also after two columns swapped their names, or another column got the old one: then no path is an earlier one."""
    of = table(columns={"a": {"mask": "sha256"}, "b": {"constant": "c"}})
    assert present_names(of, columns(a="string", b="string"), past(x="b")) == PresentNames(of)


UNCLEAR: dict[str, tuple[Mapping[str, Any], PastColumns, str]] = {
    "the file has the new name too": (
        {"columns": {"note": {"mask": "sha256"}, "remark": "string"}},
        NOTE,
        "the file also names 'remark'",
    ),
    "an expression uses the new name": (
        {"where": "note <> remark"},
        NOTE,
        "the file also names 'remark'",
    ),
    "the file has two earlier names": (
        {"columns": {"note": {"mask": "sha256"}, "text": {"cast": "json"}}},
        past(note="remark", text="remark"),
        "the file also names 'text'",
    ),
    "two columns had the name": (
        {"columns": {"note": {"mask": "sha256"}}},
        past("note", note="remark"),
        "several columns had this name",
    ),
    "it is another type": (
        {"columns": {"note": {"type": "long", "cast": "text"}}},
        NOTE,
        "the file declares it as long, and 'remark' is string",
    ),
    "the new name is an input": (
        {"inputs": {"remark": "string"}, "where": "note <> remark"},
        NOTE,
        "'remark' is an input in the file",
    ),
    "a struct would have another field": (
        {"where": "to_json(struct(note)) is not null"},
        NOTE,
        "makes a struct with a field that has the name of column 'note'",
    ),
    "a variable has the new name": (
        {"where": "exists(array('a'), remark -> remark = note)"},
        NOTE,
        "gives 'remark' another meaning",
    ),
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_what_could_mean_another_column_is_left_as_it_is(case: str) -> None:
    settings, before, why = UNCLEAR[case]
    of = table(**settings)
    found = present_names(of, NOW, before)
    assert (found.settings, found.of_columns) == (of, {})
    assert why in found.unclear["note"]
    assert found.sentences["note"].startswith(
        "Column 'note' was renamed in the table, but the file's settings do not follow it: "
    )


def test_an_input_of_the_old_name_is_the_input() -> None:
    of = table(inputs={"note": "string"}, where="note = 'a'")
    assert present_names(of, NOW, NOTE) == PresentNames(of)


def test_metadata_columns_are_not_followed() -> None:
    of = table(partition_by=["note"])
    assert present_names(of, NOW, NOTE, ["note"]) == PresentNames(of)
    assert present_names(of, NOW, NOTE, ["remark"]).unclear == {"note": "'remark' is a metadata column in the file"}


def test_a_wider_type_is_no_other_column() -> None:
    for kind in ("int", "long"):
        found = present_names(table(columns={"n": kind}), columns(m="long"), past(n="m"))
        assert found.settings == table(columns={"m": kind})
    found = present_names(table(columns={"n": "long"}), columns(m="int"), past(n="m"))
    assert found.settings == table(columns={"m": "long"})


def test_fields_within_columns_are_followed_by_their_ids() -> None:
    now = columns(to="struct<land: string, more: list<struct<x: int>>, m: map<string, struct<y: int>>>")
    before = past(
        address="to",
        address__country="to.land",
        address__more="to.more",
        address__more__element__w="to.more.element.x",
        to__country="to.land",
        to__m__value__z="to.m.value.y",
    )
    of = table(
        columns={
            "address": "struct<country: string, more: list<struct<w: int>>, m: map<string, struct<z: int>>, own: int>"
        },
        partition_by=["bucket(4, address.country)"],
        sort_by=["address.country"],
        properties={"write.metadata.metrics.column.address.country": "full"},
    )
    found = present_names(of, now, before)
    assert found.settings == table(
        columns={
            "to": "struct<`land`: string, `more`: list<struct<`x`: int>>, `m`: map<string, struct<`y`: int>>, `own`: int>"
        },
        partition_by=["bucket(4, to.land)"],
        sort_by=["to.land"],
        properties={"write.metadata.metrics.column.to.land": "full"},
    )
    assert found.followed[("address", "more", "element", "w")] == ("to", "more", "element", "x")


def test_of_two_names_of_a_field_within_a_column_neither_is_changed() -> None:
    now = columns(to="struct<land: string>")
    of = table(columns={"to": "struct<country: string, land: string>"})
    assert present_names(of, now, past(to__country="to.land")).settings == of
    again = columns(to="struct<country: string, land: string>")
    of = table(columns={"to": "struct<country: string>"})
    assert present_names(of, again, past(to__state="to.land")).settings == of


def test_a_name_with_dots_is_that_of_one_column() -> None:
    now = (Column("x.y", parse_type("string")),)
    renamed = PastColumns(renamed={("a.b",): ("x.y",)})
    found = present_names(table(partition_by=["a.b"], sort_by=["bucket(4, `a.b`)"]), now, renamed)
    assert found.settings == table(partition_by=["x.y"], sort_by=["bucket(4, x.y)"])


def test_odd_names_are_quoted() -> None:
    now = (Column("re`mark 1", parse_type("string")),)
    renamed = PastColumns(renamed={("note",): ("re`mark 1",)})
    found = present_names(
        table(partition_by=["bucket(4, note)"], sort_by=["note desc"], where="note = 'ü'"), now, renamed
    )
    assert found.settings == table(
        partition_by=["bucket(4, `re``mark 1`)"], sort_by=["`re``mark 1` desc"], where="`re``mark 1` = 'ü'"
    )
