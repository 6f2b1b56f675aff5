"""A field that a column takes as JSON, beside columns of fields within it: nothing in it is new."""

from __future__ import annotations

from lakelock.adapters.iceberg.columns import schema_from
from lakelock.adapters.json.scanner import scanner
from lakelock.adapters.parquet.file_form import arrow_schema
from lakelock.model.column_types import Column, Text
from lakelock.records.casts import Reading
from lakelock.records.json.shaped import ShapedDecoder
from lakelock.records.values import Values


def decoder(columns: tuple[Column, ...], rest: str | None, readings: dict[str, Reading]) -> ShapedDecoder:
    columns = tuple(c for c in columns if c.name != "rest" or rest is not None)
    return ShapedDecoder(
        columns,
        arrow_schema(schema_from(columns)),
        zones={},
        skip=frozenset(),
        unknown_fields="dead_letter",
        readings=readings,
        rest=rest,
        scanner=scanner,
    )


def test_fields_within_one_that_is_taken_as_json_are_not_new() -> None:
    columns = (Column("repo", Text()), Column("name", Text()), Column("rest", Text()))
    readings = {"repo": Reading(("repository",), ("json",)), "name": Reading(("repository", "name"))}
    values = [
        b'{"repository":{"a":1,"name":"x","b":{"name":2},"c":[{"d":3}]}}',
        b'{"repository":{"name":"y" , "last" : null }}',
        b'{"repository":{"first":[1],"name":"z"}}',
        b'{"repository":{"only":1}}',
        b'{"repository":{"a":1,"b":2},"new":5}',
        b'{"repository":{}}',
    ]
    kept = decoder(columns, "rest", readings).decode(Values.from_list(values))
    assert kept.table["repo"].to_pylist()[:3] == [json_text(value) for value in values[:3]]
    assert kept.table["name"].to_pylist() == ["x", "y", "z", None, None, None]
    assert kept.table["rest"].to_pylist() == [None, None, None, None, '{"new":5}', None]
    strict = decoder(columns, None, readings).decode(Values.from_list(values))
    assert strict.good == [0, 1, 2, 3, 5]
    assert [(b.index, b.reason.field) for b in strict.bad] == [(4, "new")]


def json_text(value: bytes) -> str:
    """The text of the only object within."""
    text = value.decode()
    return text[text.index(":") + 1 : text.rindex("}", 0, len(text) - 1) + 1]
