"""Another engine renames a column that the pipeline file names, while the pipeline runs: the file's settings follow it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from kits.changed_tables import evolved
from kits.evolution import BOTH
from kits.lanes import SQL_BESIDE
from kits.redrives import made, redrive
from kits.replaces import read_again
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with, write_next
from lakelock.check.preflight import run
from lakelock.check.sample import sample
from lakelock.check.table_schema import table_schemas
from lakelock.errors import TableUnfit
from pyiceberg.types import LongType, StringType

EVERY_KIND = """{
  id: long,
  at: {type: timestamp, cast: [epoch_s, 'pattern:yyyy-MM-dd HH:mm'], zone: Europe/Zurich},
  site: {type: string, constant: zrh},
  mail: {type: string, mask: sha256},
  total: {type: 'decimal(10, 2)', field: sums.total},
  kind: {type: string, required: true},
  s: 'struct<x: int>'
}"""
RENAMED = {"at": "moment", "site": "place", "mail": "address", "total": "sum", "kind": "sort", "rest": "others"}


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def rows_of(world: World) -> dict[int, dict[str, Any]]:
    found = table_of(world).scan().to_arrow().to_pylist()
    return {row["id"]: {k: v for k, v in row.items() if not k.startswith("_kafka")} for row in found}


def dead(world: World) -> list[str]:
    return [
        row["reason"] for row in world.catalog.load_table(f"{world.table}__dead_letters").scan().to_arrow().to_pylist()
    ]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def record(number: int, **more: Any) -> dict[str, Any]:
    values = {"id": number, "at": 0, "mail": f"m{number}", "sums": {"total": "1.50"}, "kind": "k", "s": {"x": number}}
    return {**values, **more}


@pytest.mark.parametrize("settings", ["new_fields: {json_column: rest}", BOTH])
def test_each_setting_applies_to_the_column_that_was_renamed(fresh: World, settings: str) -> None:
    text = file_of(fresh, f"{{name: {fresh.table}, columns: {EVERY_KIND}, {settings}}}")
    names = {old: now for old, now in RENAMED.items() if "rest" in settings or old != "rest"}
    with open_with(fresh, text) as runtime:
        send(fresh, record(0))
        fresh.cycle(runtime)
        send(fresh, record(1))
        write_next(runtime)
        evolved(*(lambda u, old=old, now=now: u.rename_column(old, now) for old, now in names.items()))(table_of(fresh))
        send(fresh, record(2), record(3, at="1970-01-01 01:00"))
        fresh.cycle(runtime)
        # The records have the new names, too; `field` says which one the sum has.
        new = {names.get(k, k): v for k, v in record(4).items()}
        send(fresh, new, {**record(5), "address": "m5"}, {**record(6), "kind": None})
        fresh.cycle(runtime)
        assert runtime.audit().complete
        rows = rows_of(fresh)
        assert sorted(rows) == [0, 1, 2, 3, 4]
        for number, row in rows.items():
            assert (row["moment"].isoformat(), row["place"], row["address"], str(row["sum"]), row["sort"]) == (
                "1970-01-01T01:00:00", "zrh", digest(f"m{number}"), "1.50", "k"
            ), number  # fmt: skip
        said = sorted(dead(fresh))
        assert len(said) == 2
        assert any("field twice" in text for text in said), said
        assert not any("m5" in text for text in said), "a mask hides it"
        own = {name for name in table_of(fresh).schema().column_names if not name.startswith("_kafka")}
        assert own == {"id", "s", "s.x", *names.values()}
        if "rest" in settings:
            send(fresh, record(7, strange=1))
            fresh.cycle(runtime)
            assert rows_of(fresh)[7]["others"] == '{"strange":1}'


def test_check_schema_and_apply_say_so(fresh: World) -> None:
    def file(columns: str) -> str:
        return file_of(
            fresh,
            f"{{name: {fresh.table}, columns: {columns}, partition_by: ['bucket(4, note)'], sort_by: [note], "
            "properties: {write.metadata.metrics.column.note: full}}",
        )

    before = "{id: long, note: {type: string, mask: sha256}, s: 'struct<x: int>'}"
    after = "{id: long, note: {type: string, mask: sha256, doc: a note}, s: 'struct<x: long>'}"
    with open_with(fresh, file(before)) as runtime:
        send(fresh, {"id": 0, "note": "a", "s": {"x": 1}})
        fresh.cycle(runtime)
        evolved(lambda u: u.rename_column("note", "remark"), lambda u: u.rename_column("s.x", "y"))(table_of(fresh))
        send(fresh, {"id": 1, "note": "b", "s": {"y": 1}})
    with open_with(fresh, file(after)) as runtime:
        (tables,) = (r for r in run(runtime) if r.name == "tables")
        assert tables.error is None
        assert (
            "the file calls column 'note', which is 'remark' in the table since schema 1; its settings follow"
            in tables.detail
        )
        assert (
            "the file calls column 's.x', which is 's.y' in the table since schema 2; its settings follow"
            in tables.detail
        )
        said = sample(runtime, 10).text
        assert "the file calls column 'note', which is 'remark' in the table since schema 1" in said
        assert "would become 1 row" in said or "would become 2 rows" in said
        assert "note: no column" not in said
        assert digest("b") in said
        (schema,) = table_schemas(runtime, None, 10)
        assert next(c.seen for c in schema.columns if c.name == "remark") == "string"
        assert (len(schema.notes), schema.fault, schema.changes) == (2, "", [])
        assert "note" not in (schema.fields_without_column or {})
        plan = runtime.applying.preview()
        assert plan.lines == [
            f"{fresh.table}: remark: comment 'a note'",
            f"{fresh.table}: s.y: long now",
            f"{fresh.table}: property write.metadata.metrics.column.remark: full",
            f"{fresh.table}: note: note: it is named remark in the table, and the file's settings follow it",
            f"{fresh.table}: note: s.x: it is named s.y in the table, and the file's settings follow it",
        ]
        runtime.applying.apply(None, "ann", "docs", plan.shown)
        assert runtime.applying.preview().nothing
        fresh.cycle(runtime)
        assert rows_of(fresh)[1] == {"id": 1, "remark": digest("b"), "s": {"y": 1}}
    assert table_of(fresh).schema().find_field("remark").doc == "a note"


def test_a_redrive_and_a_replace_follow_as_well(fresh: World) -> None:
    columns = "{id: long, note: {type: string, mask: sha256}, n: {type: int, cast: text}}"
    strict = f"{{name: {fresh.table}, columns: {columns}, new_fields: dead_letter}}"
    with open_with(fresh, file_of(fresh, strict)) as runtime:
        send(fresh, {"id": 0, "note": "a", "n": "1"}, {"id": 1, "note": "b", "n": "2", "more": 1})
        fresh.cycle(runtime)
        assert len(dead(fresh)) == 1
        with table_of(fresh).update_schema() as update:
            update.rename_column("note", "remark")
            update.rename_column("n", "number")
            update.add_column("more", LongType())
        assert made(redrive(runtime)) == 1
        wanted = {0: (digest("a"), 1), 1: (digest("b"), 2)}
        assert {i: (r["remark"], r["number"]) for i, r in rows_of(fresh).items()} == wanted
        read_again(runtime)
        assert {i: (r["remark"], r["number"]) for i, r in rows_of(fresh).items()} == wanted
        assert runtime.audit().complete


def test_what_could_mean_two_columns_stops_the_table(fresh: World) -> None:
    columns = "{id: long, note: {type: string, mask: sha256}, remark: string}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns}}}")) as runtime:
        send(fresh, {"id": 0, "note": "a", "remark": "b"})
        fresh.cycle(runtime)
        evolved(lambda u: u.delete_column("remark"), lambda u: u.rename_column("note", "remark"))(table_of(fresh))
        send(fresh, {"id": 1, "note": "a", "remark": "b"})
        with pytest.raises(
            TableUnfit, match="does not have it. Column 'note' was renamed .*: the file also names 'remark'"
        ):
            write_next(runtime)
        assert rows_of(fresh) == {0: {"id": 0, "remark": digest("a")}}


def test_a_name_that_two_columns_had_stands_for_none(fresh: World) -> None:
    def altered(*steps: Any) -> None:
        evolved(*steps)(table_of(fresh))

    columns = "{id: long, note: string}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 0, "note": "a"})
        fresh.cycle(runtime)
        altered(
            lambda u: u.rename_column("note", "first"),
            lambda u: u.add_column("note", StringType()),
            lambda u: u.rename_column("note", "second"),
        )
        send(fresh, {"id": 1, "note": "b"}, {"id": 2, "first": "c", "second": "d"})
        fresh.cycle(runtime)
        assert runtime.audit().complete
        assert rows_of(fresh) == {
            0: {"id": 0, "first": "a", "second": None},
            2: {"id": 2, "first": "c", "second": "d"},
        }
        assert len(dead(fresh)) == 1
    masked = "{id: long, note: {type: string, mask: sha256}}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {masked}}}")) as runtime:
        send(fresh, {"id": 3, "note": "e"})
        with pytest.raises(TableUnfit, match="do not follow it: several columns had this name"):
            write_next(runtime)


def test_columns_that_swap_their_names_keep_to_the_names(fresh: World) -> None:
    columns = "{id: long, a: {type: string, mask: sha256}, b: string}"
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns}}}")) as runtime:
        send(fresh, {"id": 0, "a": "1", "b": "2"})
        fresh.cycle(runtime)
        swapped = ("a", "c"), ("b", "a"), ("c", "b")
        evolved(*(lambda u, old=old, now=now: u.rename_column(old, now) for old, now in swapped))(table_of(fresh))
        send(fresh, {"id": 1, "a": "3", "b": "4"})
        fresh.cycle(runtime)
        assert rows_of(fresh) == {
            0: {"id": 0, "a": "2", "b": digest("1")},
            1: {"id": 1, "a": digest("3"), "b": "4"},
        }


def test_of_delimited_text_the_field_keeps_its_name(fresh: World) -> None:
    value = "value: {format: csv, csv: {columns: [id, note, n]}}\n"
    columns = "{id: long, note: {type: string, mask: sha256}, n: int}"
    servers = fresh.connections["kafka_default"].extra["bootstrap.servers"]
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns}}}", rest=value)) as runtime:
        produce(new_producer(servers), fresh.topic, [b"0,a,1"])
        fresh.cycle(runtime)
        evolved(lambda u: u.rename_column("note", "remark"), lambda u: u.rename_column("n", "number"))(table_of(fresh))
        produce(new_producer(servers), fresh.topic, [b"1,b,2"])
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert rows_of(fresh) == {i: {"id": i, "remark": digest("ab"[i]), "number": i + 1} for i in (0, 1)}


@pytest.mark.drawn(0.5, group=SQL_BESIDE, about=("records/sql", "adapters/spark"))
def test_sql_follows_columns_that_were_renamed(world: World) -> None:
    columns = "{id: long, n: int, double: {type: long, sql: 'n * 2'}, note: {type: string, mask: sha256}}"
    settings = "where: n > 0, checks: {small: {sql: 'double < 100 and note is not null', on_fail: dead_letter}}"
    with open_with(world, file_of(world, f"{{name: {world.table}, columns: {columns}, {settings}}}")) as runtime:
        send(world, {"id": 1, "n": 1, "note": "a"})
        world.cycle(runtime)
        renamed = ("n", "number"), ("double", "twice"), ("note", "remark")
        evolved(*(lambda u, old=old, now=now: u.rename_column(old, now) for old, now in renamed))(table_of(world))
        (sql,) = (r for r in run(runtime) if r.name == "SQL")
        assert (sql.error, sql.needs) == (None, None)
        send(
            world,
            {"id": 2, "n": 2, "note": "b"},
            {"id": 3, "number": 3, "note": "c"},
            {"id": 4, "n": 0, "note": "d"},
            {"id": 5, "n": 50, "note": "e"},
        )
        assert "would become 3 rows" in sample(runtime, 10).text
        world.cycle(runtime)
        assert runtime.audit().complete
    rows = rows_of(world)
    assert rows == {
        i: {"id": i, "number": i, "twice": 2 * i, "remark": digest(note)} for i, note in ((1, "a"), (2, "b"), (3, "c"))
    }
    assert len(dead(world)) == 1
