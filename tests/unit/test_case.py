"""Fields whose names differ from those of columns in case alone, with `case_sensitive: false`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from kits.columns import columns
from kits.fillings import Filled
from kits.formats import decoder, shape
from kits.shaping import landed, pipeline, rows_of
from lakelock.adapters.json.reshape import reshaped_texts
from lakelock.adapters.json.scanner import MOST_LEVELS
from lakelock.config import Pipeline
from lakelock.errors import ConfigFaults, State, TableUnfit
from lakelock.ingest.define import inferred_columns
from lakelock.ingest.effective_settings import effective
from lakelock.ingest.evolving import _other_names, settings_now
from lakelock.model.column_changes import changed, described
from lakelock.model.column_types import Column
from lakelock.model.type_notation import parse_type, type_text
from lakelock.ports import Tables, TableState
from lakelock.ports.tables import PastColumns
from lakelock.records.casts import Reading
from lakelock.records.connect_json import CONNECT_JSON
from lakelock.records.decoding import Format
from lakelock.records.evolution import Evolution, Evolving
from lakelock.records.json.format import JSON
from lakelock.records.json.together import together
from lakelock.records.observed_fields import observed
from lakelock.records.readings import check_readings
from lakelock.records.reasons import Unfit
from lakelock.records.values import Values

ANY = "case_sensitive: false"
# Each with records in the spelling of the file.
TABLES: dict[str, tuple[str, list[str]]] = {
    "values": (
        "columns: {id: long, userName: string, at: timestamptz, flag: boolean}",
        ['{"id":1,"userName":"Ann","at":"2026-11-28T05:00:00Z","flag":true}', '{"id":2}', '{"id":"x"}', '{"id":3,"more":1}'],
    ),
    "nested": (
        "columns: {id: long, user: 'struct<name: string, tags: list<struct<k: string>>>', by: 'map<string, struct<n: int>>'}",
        ['{"id":1,"user":{"name":"Ann","tags":[{"k":"A"},{"k":null}]},"by":{"Q":{"n":1},"q":{"n":2}}}', '{"user":{"new":1}}'],
    ),
    "places": (
        "columns: {id: long, name: {type: string, field: user.name}, day: {type: date, field: user.day, cast: epoch_days}, "
        "mail: {type: string, mask: {redact: hidden}}, kept: {type: string, field: user.kept, cast: json}}",
        ['{"id":1,"user":{"name":"Ann","day":3,"kept":{"ID":[1]}},"mail":"a@b"}', '{"user":{"name":"Ann","other":1}}'],
    ),
    "dropped": (
        "columns: {id: long, e: 'struct<a: long>'}\n    drop_fields: [debug, e.trace]",
        ['{"id":1,"debug":{"ID":1},"e":{"a":2,"trace":3}}', '{"trace":1}'],
    ),
    "rest": (
        "columns: {id: long, user: 'struct<name: string>'}\n    new_fields: {json_column: rest}",
        ['{"id":1,"user":{"name":"Ann","Age":7},"Other":{"ID":1}}', '{"Foo":1,"foo":2}'],
    ),
    "flat": (
        "columns: {id: long, user_name: string}\n    flatten: {}",
        ['{"id":1,"user":{"name":"Ann"}}', '{"id":1,"user":{"age":7}}', '{"user_name":"Ann"}'],
    ),
    "parsed": (
        "columns: {id: long, payload: 'struct<x: long, inner: struct<y: string>>'}\n    parse_json: [payload, payload.inner]",
        ['{"id":1,"payload":"{\\"x\\":1,\\"inner\\":\\"{\\\\\\"y\\\\\\":\\\\\\"Z\\\\\\"}\\"}"}', '{"payload":"{"}'],
    ),
    "ignoring": ("columns: {id: long}\n    new_fields: ignore", ['{"id":1,"Foo":{"id":2}}']),
}  # fmt: skip


def in_other_case(random: Random, text: str, names: set[str]) -> str:
    """*text* with each of *names* in some case."""

    def spelled(value: Any) -> Any:
        if isinstance(value, dict):
            return {_cased(random, k) if k in names else k: spelled(v) for k, v in value.items()}
        if isinstance(value, list):
            return [spelled(v) for v in value]
        if isinstance(value, str) and value.startswith("{") and len(value) > 1:
            return json.dumps(spelled(json.loads(value)), separators=(",", ":"))
        return value

    return json.dumps(spelled(json.loads(text)), separators=(",", ":"))


def _cased(random: Random, name: str) -> str:
    return "".join(random.choice((c.upper(), c.lower())) for c in name)


NAMES = {"id", "userName", "at", "flag", "user", "name", "tags", "k", "by", "n", "day", "mail", "kept", "debug", "e", "a",
         "trace", "user_name", "payload", "x", "inner", "y"}  # fmt: skip


@pytest.mark.parametrize("of", TABLES)
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_those_of_the_columns_own_spelling(tmp_path: Path, of: str, seed: int) -> None:
    table, texts = TABLES[of]
    random = Random(seed)
    texts = texts * 6
    # Unknown fields keep their spelling, so that texts and reasons are the same.
    names = NAMES - ({"trace"} if of == "dropped" and seed % 2 else set())
    others = [in_other_case(random, text, names) for text in texts]
    expected, why = landed(tmp_path, table, [t.encode() for t in texts])
    found, why_not = landed(tmp_path, f"{table}\n    {ANY}", [t.encode() for t in others])
    assert found == expected
    assert {i: r.kind for i, r in why_not.items()} == {i: r.kind for i, r in why.items()}


def test_without_the_setting_another_case_is_an_unknown_field(tmp_path: Path) -> None:
    rows, bad = landed(tmp_path, "columns: {id: long}", [b'{"ID":1}'])
    assert (rows, bad[0].kind) == ([], "unknown field")


@pytest.mark.parametrize(
    ("value", "field", "message"),
    [
        ('{"ID":1,"id":2}', "id", "fields 'ID' and 'id': with case_sensitive: false they are one field, and the record has both"),
        ('{"id":null,"Id":2}', "id", "fields 'id' and 'Id'"),
        ('{"u":{"N":"a","n":"b"}}', "u.n", "fields 'u.N' and 'u.n'"),
        ('{"l":[{"K":1},{"K":1,"k":2}]}', "l.element.k", "fields 'l.element.K' and 'l.element.k'"),
        ('{"m":{"X":{"K":1},"x":{"K":1,"k":2}}}', "m.value.k", "fields 'm.value.K' and 'm.value.k'"),
        ('{"ID":1,"ID":2}', "id", "field 'ID' is there twice"),
        ('{"id":1,"id":2}', "id", "field 'id' is there twice"),
        ('{"\\u0049D":1,"id":2}', "id", "fields 'ID' and 'id'"),
    ],
)  # fmt: skip
def test_a_record_with_both_is_a_dead_letter_that_names_both(
    tmp_path: Path, value: str, field: str, message: str
) -> None:
    table = f"columns: {{id: long, u: 'struct<n: string>', l: 'list<struct<k: long>>', m: 'map<string, struct<k: long>>'}}\n    {ANY}"
    rows, bad = landed(tmp_path, table, [b'{"ID":1}', value.encode(), b'{"iD":3}'])
    assert [r["id"] for r in rows] == [1, 3]
    assert (bad[1].kind, bad[1].field) == ("field twice", field)
    assert message in bad[1].message


def test_both_may_be_where_no_column_is(tmp_path: Path) -> None:
    table = f"columns: {{m: 'map<string, long>', j: {{type: string, cast: json}}}}\n    new_fields: ignore\n    {ANY}"
    rows, bad = landed(tmp_path, table, [b'{"M":{"K":1,"k":2},"J":{"K":1,"k":2},"X":1,"x":2}'])
    assert not bad
    assert rows == [{"m": [("K", 1), ("k", 2)], "j": '{"K":1,"k":2}'}]


def test_a_record_that_is_nested_too_deep_to_look_for_names_is_a_dead_letter(tmp_path: Path) -> None:
    """Its values would be lost: the decoder ignores names in another case."""
    deep = b"[" * MOST_LEVELS + b"]" * MOST_LEVELS
    table = f"columns: {{id: long, name: string}}\n    new_fields: ignore\n    {ANY}"
    rows, bad = landed(tmp_path, table, [b'{"id":1,"z":%s,"NAME":"a"}' % deep, b'{"id":2,"NAME":"b"}'])
    assert rows == [{"id": 2, "name": "b"}]
    assert (bad[0].kind, bad[0].message) == ("cannot be read", "objects and lists are nested too deep")


def test_letters_beyond_ascii_are_as_they_are(tmp_path: Path) -> None:
    table = f"columns: {{äB: long, İx: long}}\n    new_fields: ignore\n    {ANY}"
    rows, bad = landed(
        tmp_path, table, ['{"äb":1,"ÄB":2,"İX":3,"ix":4,"\\u00e4b":5}'.encode(), '{"\\u00e4b":5,"ſx":1}'.encode()]
    )
    assert rows == [{"äB": 5, "İx": None}]
    assert "fields 'äb' and 'äb'" in bad[0].message or bad[0].message == "field 'äb' is there twice"


def test_whole_values_and_dead_letters_are_as_they_were_produced(tmp_path: Path) -> None:
    table = f"columns: {{id: long, whole: {{type: string, field: $}}}}\n    {ANY}"
    rows, bad = landed(tmp_path, table, [b'{ "ID":1 }', b'{"Id":true}'])
    assert rows == [{"id": 1, "whole": '{ "ID":1 }'}]
    assert bad[1].kind == "boolean for a long"


def connect(fields: Sequence[Mapping[str, Any]], payload: object) -> bytes:
    return json.dumps({"schema": {"type": "struct", "fields": fields}, "payload": payload}).encode()


DECIMAL: dict[str, Any] = {
    "type": "bytes",
    "name": "org.apache.kafka.connect.data.Decimal",
    "parameters": {"scale": "2"},
}
MILLISECONDS: dict[str, Any] = {"type": "int64", "name": "org.apache.kafka.connect.data.Timestamp"}


def test_kafka_connects_schemas_describe_fields_in_any_case() -> None:
    of = columns(
        {
            "id": "long",
            "at": "timestamptz",
            "amount": "decimal(9, 2)",
            "o": "struct<sum: decimal(9, 2)>",
            "l": "list<struct<sum: decimal(9, 2)>>",
        }
    )
    decode = decoder(CONNECT_JSON, of, ignores_case=True)
    fields = [{"field": "ID", "type": "int64"}, {"field": "At", **MILLISECONDS}, {"field": "AMOUNT", **DECIMAL}]
    nested = [{"field": "O", "type": "struct", "fields": [{"field": "SUM", **DECIMAL}]}]
    listed = [{"field": "L", "type": "array", "items": {"type": "struct", "fields": [{"field": "Sum", **DECIMAL}]}}]
    values = [
        connect(fields, {"ID": 1, "At": 0, "AMOUNT": "1234"}),
        # As bytes it is another number than as text.
        connect(nested, {"O": {"SUM": "1234"}}),
        connect(listed, {"L": [{"Sum": "1234"}]}),
        connect(fields, {"ID": 1, "id": 2}),
        b'{"payload":{"Id":5}}',
    ]
    found = decode.decode(Values.from_list(values))
    first, last = found.table.to_pylist()
    assert (first["id"], first["at"].year, str(first["amount"])) == (1, 1970, "-26588.24")
    assert last["id"] == 5
    assert [(b.index, b.reason.field) for b in found.bad] == [(1, "o.sum"), (2, "l.element.sum"), (3, "id")]


def evolved(
    of: Format, before: tuple[Column, ...], values: list[bytes], **more: Any
) -> tuple[list[str], list[Any], int]:
    """The changes for *values*, their rows afterwards, and the number that are none."""
    evolving = Evolving(before, True, True, ignores_case=True, **more)
    first = decoder(of, before, unknown_fields="evolve", ignores_case=True, evolving=evolving).decode(
        Values.from_list(values)
    )
    changes = [] if first.news is None else Evolution(evolving).changes(first.news.observed)
    after = changed(before, changes)
    then = decoder(of, after, unknown_fields="evolve", ignores_case=True, evolving=replace(evolving, columns=after))
    again = then.decode(Values.from_list(values))
    assert again.news is None
    return [described(c) for c in changes], again.table.to_pylist(), len(again.bad)


def test_columns_evolve_with_one_spelling_of_each_new_field() -> None:
    before = columns(
        {"Id": "int", "o": "struct<a: long>", "l": "list<struct<a: int>>", "m": "map<string, struct<a: long>>"}
    )
    values = [
        b'{"ID":1,"FOO":1,"bar":{"X":1},"O":{"B":true},"L":[{"C":1}],"M":{"K":{"D":1}}}',
        b'{"id":2,"foo":1,"BAR":{"x":2},"o":{"b":true},"l":[{"c":1,"A":3000000000}],"m":{"k":{"d":1}}}',
        b'{"iD":3000000000,"foo":2.5,"BAR":{"x":3}}',
        b'{"foo":1,"FOO":2}',
    ]
    changes, rows, bad = evolved(JSON, before, values)
    assert sorted(changes) == [
        "BAR: new, struct<`x`: long>", "Id: long now", "foo: new, double", "l.element.C: new, long", "l.element.a: long now",
        "m.value.D: new, long", "o.B: new, boolean",
    ]  # fmt: skip
    assert [r["foo"] for r in rows] == [1.0, 1.0, 2.5]
    assert [r["BAR"]["x"] for r in rows] == [1, 2, 3]
    assert [r["Id"] for r in rows] == [1, 2, 3000000000]
    assert bad == 1


def test_the_order_of_observations_does_not_matter() -> None:
    texts = [b'{"Foo":1}', b'{"foo":1}', b'{"fOO":1}', b'{"x":{"Y":1}}', b'{"X":{"y":1}}', b'{"X":{"y":2}}']
    evolution = Evolution(Evolving((), True, True, ignores_case=True))
    found = {
        tuple(sorted(described(c) for c in evolution.changes(observed(Random(seed).sample(texts, len(texts))))))
        for seed in range(10)
    }
    assert found == {("Foo: new, long", "X: new, struct<`y`: long>")}


def test_a_new_field_has_the_spelling_and_type_that_the_file_declares() -> None:
    changes, rows, _ = evolved(
        JSON, columns({"id": "long"}), [b'{"ORDERID":1}'], declared={"orderId": parse_type("string")}
    )
    assert changes == ["orderId: new, string"]
    assert not rows


@pytest.mark.parametrize("dropped", [("Foo",), ("o", "B"), ("l", "element", "C"), ("x", "Y")])
def test_a_column_that_was_dropped_is_not_added_in_another_case(dropped: tuple[str, ...]) -> None:
    before = columns({"o": "struct<a: long>", "l": "list<struct<a: int>>"})
    record: Any = 1
    for name in reversed(dropped):
        record = [record] if name == "element" else {name.swapcase(): record}
    found = observed([json.dumps(record).encode()])
    assert Evolution(Evolving(before, True, True, ignores_case=True)).changes(found)
    assert not Evolution(Evolving(before, True, True, ignores_case=True, dropped=(dropped,))).changes(found)


def test_a_column_has_its_fields_though_one_was_dropped_that_differs_in_case_alone() -> None:
    before = columns({"foo": "int"})
    evolution = Evolution(Evolving(before, True, True, ignores_case=True, dropped=(("Foo",),)))
    assert [described(c) for c in evolution.changes(observed([b'{"FOO":3000000000}']))] == ["foo: long now"]


def of_file(folder: Path, table: str, value: str = "metadata_columns: false") -> Pipeline:
    return pipeline(folder, f"{table}\n    {ANY}", value)


def test_past_names_that_are_names_of_columns_now_are_left_to_these(tmp_path: Path) -> None:
    (table,) = of_file(tmp_path, "new_fields: evolve\n    drop_fields: [debug]").tables
    now = columns({"id": "long", "o": "struct<a: long>"})
    past = PastColumns(
        frozenset({("foo",), ("Foo",), ("ID",), ("o", "A"), ("o", "b"), ("o", "B"), ("Debug",), ("Bar",)}),
        {("Id",): ("id",), ("bar",): ("o",)},
    )
    found = _other_names(past, table, now)
    assert found == PastColumns(frozenset({("Foo",), ("o", "B")}), {("bar",): ("o",)})


def no_metadata(key: str) -> Any:
    raise AssertionError(key)


class PastTables:
    """A table that had other columns."""

    def __init__(self, past: PastColumns) -> None:
        self._past = past

    def past_columns(self, state: TableState) -> PastColumns:
        return self._past


def test_values_of_a_past_name_go_to_the_column_that_has_it_now_but_for_case(tmp_path: Path) -> None:
    of = of_file(tmp_path, "new_fields: evolve")
    state = cast(TableState, SimpleNamespace(columns=columns({"id": "long", "note": "string"}), properties={}))
    past = PastColumns(frozenset({("ID",), ("gone",)}), {("NOTE",): ("id",), ("old",): ("note",)})
    tables = cast(Tables, PastTables(past))
    found = settings_now(of, of.tables[0], state, tables).past_fields
    assert (found.left_out, dict(found.renamed)) == ((("gone",),), {"old": "note"})


def test_a_column_that_was_renamed_takes_its_old_name_in_any_case(tmp_path: Path) -> None:
    of = rows_of(tmp_path, of_file(tmp_path, "columns: {id: long, remark: string}"), renamed={"Note": "remark"})
    found = of.decode(
        Values.from_list([b'{"ID":1,"NOTE":"a"}', b'{"id":2,"Remark":"b"}', b'{"note":"a","REMARK":"b"}']),
        no_metadata,
    )
    assert found.table.to_pylist() == [{"id": 1, "remark": "a"}, {"id": 2, "remark": "b"}]
    assert [(b.index, b.reason.kind) for b in found.bad] == [(2, "field twice")]


def test_inputs_of_sql_take_fields_in_any_case(tmp_path: Path) -> None:
    table = "columns: {id: long}\n    inputs: {kind: {type: string, field: event.kind}}\n    where: kind = 'a'"
    found = rows_of(tmp_path, of_file(tmp_path, table)).decode(
        Values.from_list([b'{"ID":1,"EVENT":{"Kind":"a"}}']), no_metadata
    )
    assert found.table.to_pylist() == [{"id": 1, "kind": "a"}]


def test_tables_of_one_topic_each_have_their_own_setting(tmp_path: Path) -> None:
    of, values = columns({"id": "long"}), Values.from_list([b'{"ID":1}', b'{"id":2}'] * 4)
    shapes = [shape(of, unknown_fields="ignore", ignores_case=ignores) for ignores in (True, True, False, False)]
    found = together(shapes, [JSON.decoder(s) for s in shapes])
    ids = [d.decode(values).table["id"].to_pylist() for d in found]
    assert ids == [[1, 2] * 4, [1, 2] * 4, [None, 2] * 4, [None, 2] * 4]


def test_columns_of_a_new_table_are_those_of_texts_in_fields_of_any_case(tmp_path: Path) -> None:
    found = of_file(tmp_path, "parse_json: [payload]")
    values = [b'{"PAYLOAD":"{\\"X\\":1}"}', b'{"payload":"{\\"X\\":2}"}', b'{"payload":"{}","Payload":"{}"}']
    inferred = inferred_columns(found, effective(found, found.tables[0], None), values, reshaped_texts)
    assert [(c.name, type_text(c.type)) for c in inferred.columns] == [("payload", "struct<`X`: long>")]


def test_columns_of_a_new_table_have_the_most_common_spelling(tmp_path: Path) -> None:
    values = [
        b'{"ID":1,"userName":"a","o":{"X":1}}',
        b'{"id":2,"USERNAME":"b","O":{"x":2}}',
        b'{"id":3,"userName":"c","O":{"x":2}}',
        b'{"B":1}',
        b'{"b":2}',
    ]
    found = of_file(tmp_path, "new_fields: dead_letter")
    inferred = inferred_columns(found, effective(found, found.tables[0], None), values, lambda reshape, values: values)
    assert [(c.name, type_text(c.type)) for c in inferred.columns] == [
        ("id", "long"), ("userName", "string"), ("O", "struct<`x`: long>"), ("B", "long"),
    ]  # fmt: skip


def test_columns_of_kafka_connects_schemas_have_the_first_spelling(tmp_path: Path) -> None:
    first = connect(
        [
            {"field": "ID", "type": "int64"},
            {
                "field": "o",
                "type": "struct",
                "fields": [{"field": "A", "type": "string"}, {"field": "a", "type": "string"}],
            },
        ],
        {"ID": 1},
    )
    second = connect([{"field": "id", "type": "int32"}, {"field": "more", "type": "int32"}], {"id": 1})
    found = of_file(tmp_path, "new_fields: dead_letter", "value: {format: connect_json}\nmetadata_columns: false")
    inferred = inferred_columns(
        found, effective(found, found.tables[0], None), [first, second], lambda reshape, values: values
    )
    assert [(c.name, type_text(c.type)) for c in inferred.columns] == [
        ("ID", "long"), ("o", "struct<`A`: string>"), ("more", "int"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "value", "why"),
    [
        ("columns: {id: long, ID: long}", "batch: {}", "'id' and 'ID' are one field; give it one spelling"),
        ("columns: {u: 'struct<a: long, A: long>'}", "batch: {}", r"'u\.a' and 'u\.A' are one field"),
        ("columns: {a: {type: long, field: u.x}, b: {type: long, field: U.y}}", "batch: {}", "'u' and 'U' are one field"),
        ("columns: {id: long}\n    drop_fields: [Id]", "batch: {}", "'id' and 'Id' are one field"),
        ("parse_json: [a.b, A.c]", "batch: {}", "'a' and 'A' are one field"),
        ("columns: {id: long}", "value: {format: raw}", "is for records that name their fields"),
        ("columns: {id: long}", "value: {format: csv}", "is for records that name their fields"),
    ],
)  # fmt: skip
def test_a_file_that_could_mean_two_fields_is_a_fault(tmp_path: Path, table: str, value: str, why: str) -> None:
    with pytest.raises(ConfigFaults, match=f"case_sensitive: .*{why}"):
        of_file(tmp_path, table, value)


def test_a_table_with_two_such_columns_is_refused_before_records_are_read() -> None:
    of = columns({"id": "long", "ID": "long"})
    check_readings("n.t", of, Filled(), frozenset(), State.PART_PLANNED)
    with pytest.raises(TableUnfit, match="'id' and 'ID' are one field"):
        check_readings("n.t", of, Filled(ignores_case=True), frozenset(), State.PART_PLANNED)
    # A metadata column takes no field.
    check_readings("n.t", of, Filled(ignores_case=True), frozenset({"ID"}), State.PART_PLANNED)
    with pytest.raises(Unfit, match="'id' and 'ID' are one field"):
        decoder(JSON, of, ignores_case=True)
    with pytest.raises(Unfit, match="'u' and 'U' are one field"):
        decoder(JSON, columns({"id": "long"}), {"id": Reading(("u",))}, dropped=(("ID",), ("U",)), ignores_case=True)


def test_files_without_the_setting_are_as_they_were(tmp_path: Path) -> None:
    plain = pipeline(tmp_path, "columns: {c: string}")
    assert "case_sensitive" not in plain.resolved()["tables"][0]
    stored = of_file(tmp_path, "columns: {c: string}")
    assert stored.resolved()["tables"][0]["case_sensitive"] is False
    assert Pipeline.from_resolved(stored.resolved()).digest == stored.digest != plain.digest
