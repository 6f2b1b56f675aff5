"""Records for which a table's columns change, or do not: docs/evolution.md has each case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lakelock.model.type_notation import type_text

BOTH = "new_fields: evolve, new_types: evolve"


@dataclass(frozen=True)
class Case:
    """A table of *columns*, and *records* of one batch; None stands for each record that becomes a dead letter.

    *rows* are without Kafka's columns, in the order of the records. *after* has the columns' types.
    """

    what: str
    becomes: str
    columns: str
    records: tuple[dict[str, Any], ...]
    after: dict[str, str]
    rows: tuple[dict[str, Any] | None, ...]
    settings: str = BOTH
    group: str = field(default="")

    @property
    def row(self) -> str:
        return f"| {self.what} | {self.becomes} |"


LONG = {"id": "long"}
CASES = (
    Case("a field is new", "a column of the type that fits all its values in the batch", "{id: long}",
         ({"id": 1}, {"id": 2, "x": 3}), {**LONG, "x": "long"}, ({"id": 1, "x": None}, {"id": 2, "x": 3})),
    Case("its values are integers and other numbers", "`double`", "{id: long}",
         ({"id": 1, "x": 1}, {"id": 2, "x": 1.5}), {**LONG, "x": "double"}, ({"id": 1, "x": 1.0}, {"id": 2, "x": 1.5})),
    Case("its values are texts that are all RFC 3339 with an offset", "`timestamptz`; `string` if one is not", "{id: long}",
         ({"id": 1, "x": "2026-11-28T05:00:00Z", "y": "2026-11-28T05:00:00Z"}, {"id": 2, "y": "soon"}),
         {**LONG, "x": "timestamptz", "y": "string"},
         ({"id": 1, "x": "2026-11-28T05:00:00+00:00", "y": "2026-11-28T05:00:00Z"}, {"id": 2, "x": None, "y": "soon"})),
    Case("its values are of several kinds", "a column of the most common kind; a record with another is a dead letter", "{id: long}",
         ({"id": 1, "x": 1}, {"id": 2, "x": 2}, {"id": 3, "x": "a"}), {**LONG, "x": "long"},
         ({"id": 1, "x": 1}, {"id": 2, "x": 2}, None)),
    Case("it is null, `{}` or `[]` in all records", "no column yet; the records are rows", "{id: long}",
         ({"id": 1, "x": None, "y": {}, "z": []}, {"id": 2, "z": [None, {}]}), LONG, ({"id": 1}, {"id": 2})),
    Case("an object is new", "a struct of its fields that have a value", "{id: long}",
         ({"id": 1, "o": {"a": 1, "b": None, "c": {"d": True}}},),
         {**LONG, "o": "struct<`a`: long, `c`: struct<`d`: boolean>>"}, ({"id": 1, "o": {"a": 1, "c": {"d": True}}},)),
    Case("a list is new", "a list", "{id: long}", ({"id": 1, "l": []}, {"id": 2, "l": [{"a": 1}, {"b": "x"}]}),
         {**LONG, "l": "list<struct<`a`: long, `b`: string>>"},
         ({"id": 1, "l": []}, {"id": 2, "l": [{"a": 1, "b": None}, {"a": None, "b": "x"}]})),
    Case("a field within an object, a list or a map is new", "a field of that struct, at any depth",
         '{id: long, o: "struct<a: long>", l: "list<struct<a: long>>", m: "map<string, struct<a: long>>"}',
         ({"id": 1, "o": {"a": 1, "x": 2}, "l": [{"x": 2}], "m": {"k": {"a": 1, "x": {"y": [1]}}}},),
         {**LONG, "o": "struct<`a`: long, `x`: long>", "l": "list<struct<`a`: long, `x`: long>>",
          "m": "map<string, struct<`a`: long, `x`: struct<`y`: list<long>>>>"},
         ({"id": 1, "o": {"a": 1, "x": 2}, "l": [{"a": None, "x": 2}], "m": [("k", {"a": 1, "x": {"y": [1]}})]},)),
    Case("a name differs from that of a column, or of another new field, in case alone",
         "no column; a dead letter (engines such as Spark do not distinguish such names)", "{id: long, Name: string}",
         ({"id": 1, "name": "a"}, {"id": 2, "x": 1, "X": 2}, {"id": 3, "x": 1}),
         {**LONG, "Name": "string", "x": "long"}, (None, None, {"id": 3, "Name": None, "x": 1})),
    Case("the same, with [`case_sensitive: false`](json.md#upper-and-lower-case)",
         "that column; or one column for all spellings, by the most common one", "{id: long, Name: string}",
         ({"ID": 1, "name": "a"}, {"id": 2, "x": 1}, {"id": 3, "X": 1.5}, {"Id": 4, "X": 1}, {"id": 5, "ID": 5}),
         {**LONG, "Name": "string", "X": "double"},
         ({"id": 1, "Name": "a", "X": None}, {"id": 2, "Name": None, "X": 1.0}, {"id": 3, "Name": None, "X": 1.5},
          {"id": 4, "Name": None, "X": 1.0}, None),
         f"{BOTH}, case_sensitive: false"),
    Case("an integer needs more than 32 bits", "`int` becomes `long`", "{id: long, n: int}",
         ({"id": 1, "n": 2**31}, {"id": 2, "n": 1}), {**LONG, "n": "long"}, ({"id": 1, "n": 2**31}, {"id": 2, "n": 1})),
    Case("a number is too large or not exact for a float", "`float` becomes `double`", "{id: long, n: float}",
         ({"id": 1, "n": 16777217},), {**LONG, "n": "double"}, ({"id": 1, "n": 16777217.0},)),
    Case("a decimal has more digits before its point", "more digits, up to 38; the digits behind the point stay",
         '{id: long, n: "decimal(4, 2)"}', ({"id": 1, "n": 123456.5}, {"id": 2, "n": 1.234}),
         {**LONG, "n": "decimal(8, 2)"}, ({"id": 1, "n": "123456.50"}, None)),
    Case("a number within a list, a map or an object is too large", "its type becomes wider, as above",
         '{id: long, l: "list<int>", m: "map<string, int>"}', ({"id": 1, "l": [2**31], "m": {"k": 2**31}},),
         {**LONG, "l": "list<long>", "m": "map<string, long>"}, ({"id": 1, "l": [2**31], "m": [("k", 2**31)]},)),
    Case("an integer is beyond 64 bits, or a number is no integer", "no type of the format holds both: a dead letter",
         "{id: long, n: int}", ({"id": 1, "n": 2**63}, {"id": 2, "n": 1.5}), {**LONG, "n": "int"}, (None, None)),
    Case("the type is another: text for a number, an object for a text", "a dead letter", "{id: long, s: string}",
         ({"id": 1, "s": {"a": 1}}, {"id": "b"}), {**LONG, "s": "string"}, (None, None)),
)  # fmt: skip


def types(columns: Any) -> dict[str, str]:
    """Types by name, without Kafka's columns."""
    return {c.name: type_text(c.type) for c in columns if not c.name.startswith("_kafka")}
