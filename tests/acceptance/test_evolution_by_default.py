"""Without settings in the file, columns follow the records in tables that lakelock created, and in no others."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from kits.evolution import BOTH, types
from kits.redrives import redrive
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with
from lakelock.adapters.iceberg.columns import columns_of
from lakelock.app.runtime import Runtime
from lakelock.check.sample import sample
from lakelock.check.table_schema import table_schemas
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.types import IntegerType, LongType, NestedField, StructType

PROPERTY = "lakelock.created-by"
OLD = {"id": 1, "n": 1}
NEW = {"id": 2, "n": 2**40, "x": "a"}
CHANGES = ["n: long now", "x: new, string"]
BEFORE = {"id": "long", "n": "int"}
AFTER = {"id": "long", "n": "long", "x": "string"}
DECLARED = "columns: {id: long, n: int}"


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def of_file(world: World, settings: str) -> str:
    return file_of(world, f"{{name: {world.table}, {settings}}}")


def columns(world: World) -> dict[str, str]:
    return types(columns_of(table_of(world).schema()))


def ids(world: World) -> list[int]:
    return sorted(row[2] for row in world.rows())


def dead(world: World) -> int:
    return len(world.rows(f"{world.table}__dead_letters"))


def is_foretold(runtime: Runtime) -> bool:
    """Whether the sample and the schema say what a batch would change, and agree."""
    said = sample(runtime, 10).text.splitlines()
    (schema,) = table_schemas(runtime, None, 10)
    found = [f"#   {change}" for change in CHANGES]
    in_sample = "# columns would change:" in said
    assert [line for line in said if line in found] == (found if in_sample else [])
    assert [*schema.changes, *schema.possible] == CHANGES
    assert (list(schema.changes) == CHANGES) == in_sample
    return in_sample


def created(world: World, settings: str = DECLARED) -> None:
    """The table as lakelock creates it, with a row."""
    with open_with(world, of_file(world, settings)) as runtime:
        send(world, OLD)
        world.cycle(runtime)
    assert table_of(world).properties[PROPERTY] == world.name


def without_property(world: World) -> None:
    with table_of(world).transaction() as change:
        change.remove_properties(PROPERTY)


@pytest.mark.parametrize("settings", [DECLARED, "columns: {}"], ids=["declared", "inferred"])
def test_columns_of_a_table_that_lakelock_created_follow_the_records(fresh: World, settings: str) -> None:
    created(fresh, settings)
    before = columns(fresh)
    with open_with(fresh, of_file(fresh, settings)) as runtime:
        send(fresh, {"id": 2, "x": "a", "o": {"y": [1]}, "later": None})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert columns(fresh) == {**before, "x": "string", "o": "struct<`y`: list<long>>"}
    assert (ids(fresh), dead(fresh)) == ([1, 2], 0)


def test_check_and_schema_foretell_what_the_default_changes(fresh: World) -> None:
    created(fresh)
    with open_with(fresh, of_file(fresh, DECLARED)) as runtime:
        send(fresh, NEW)
        assert is_foretold(runtime)
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert (columns(fresh), ids(fresh), dead(fresh)) == (AFTER, [1, 2], 0)


def test_the_sample_of_a_table_that_lakelock_would_create_has_the_columns_that_it_gets_then(fresh: World) -> None:
    with open_with(fresh, of_file(fresh, DECLARED)) as runtime:
        send(fresh, OLD, NEW)
        said = sample(runtime, 10).text
        assert "\n".join(["# columns would change:", *(f"#   {change}" for change in CHANGES)]) in said
        assert "would become 2 rows" in said
        fresh.cycle(runtime)
    assert (columns(fresh), ids(fresh), dead(fresh)) == (AFTER, [1, 2], 0)


def test_a_table_of_another_engine_keeps_its_columns_until_the_file_asks_for_more(fresh: World) -> None:
    fields = (NestedField(1, "id", LongType()), NestedField(2, "n", IntegerType()))
    fresh.catalog.create_namespace(fresh.namespace)
    fresh.catalog.create_table(fresh.table, Schema(*fields))
    rest = "metadata_columns: {partition: false, offset: false, timestamp: false}\n"
    name = f"{{name: {fresh.table}}}"
    with open_with(fresh, file_of(fresh, name, rest=rest)) as runtime:
        send(fresh, OLD, NEW)
        assert not is_foretold(runtime)
        fresh.cycle(runtime)
    assert PROPERTY not in table_of(fresh).properties
    assert (columns(fresh), dead(fresh)) == (BEFORE, 1)
    asked = f"{{name: {fresh.table}, {BOTH}}}"
    with open_with(fresh, file_of(fresh, asked, rest=rest)) as runtime:
        send(fresh, {**NEW, "id": 3})
        fresh.cycle(runtime)
        assert columns(fresh) == AFTER
        redrive(runtime)
    found = table_of(fresh).scan().to_arrow()
    assert sorted(found["id"].to_pylist()) == [1, 2, 3]


@pytest.mark.parametrize(
    ("settings", "after", "rows"),
    [
        ("new_fields: dead_letter, new_types: dead_letter", BEFORE, [1]),
        ("new_fields: dead_letter", {**BEFORE, "n": "long"}, [1, 3]),
        ("new_types: dead_letter", {**BEFORE, "x": "string"}, [1, 4]),
        ("new_fields: ignore", {**BEFORE, "n": "long"}, [1, 2, 3, 4]),
        ("unknown_fields: dead_letter", {**BEFORE, "n": "long"}, [1, 3]),
    ],
)
def test_the_file_wins(fresh: World, settings: str, after: dict[str, str], rows: Sequence[int]) -> None:
    created(fresh)
    with open_with(fresh, of_file(fresh, f"{DECLARED}, {settings}")) as runtime:
        send(fresh, NEW, {"id": 3, "n": 2**40}, {"id": 4, "x": "b"})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert (columns(fresh), ids(fresh), dead(fresh)) == (after, rows, 4 - len(rows))


def test_without_its_property_the_table_keeps_its_columns(fresh: World) -> None:
    created(fresh)
    without_property(fresh)
    with open_with(fresh, of_file(fresh, DECLARED)) as runtime:
        send(fresh, NEW)
        assert not is_foretold(runtime)
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert (columns(fresh), ids(fresh), dead(fresh)) == (BEFORE, [1], 1)


def test_a_batch_is_written_by_the_property_that_the_table_has_then(fresh: World) -> None:
    created(fresh)
    with open_with(fresh, of_file(fresh, DECLARED)) as runtime:
        send(fresh, NEW)
        planned = runtime.plan()
        assert planned.batch_id is not None
        without_property(fresh)
        runtime.write(str(uuid.uuid4()), "test/run", planned.batch_id)
        fresh.commit(runtime)
    assert (columns(fresh), ids(fresh), dead(fresh)) == (BEFORE, [1], 1)


def test_a_redrive_changes_no_column_of_a_table_whose_columns_follow_the_records(fresh: World) -> None:
    created(fresh)
    with open_with(fresh, of_file(fresh, f"{DECLARED}, new_fields: dead_letter, new_types: dead_letter")) as runtime:
        send(fresh, NEW, {"id": 3, "y": []})
        fresh.cycle(runtime)
    assert dead(fresh) == 2
    with open_with(fresh, of_file(fresh, DECLARED)) as runtime:
        redrive(runtime)
        # Of the two, the one whose new field has no value asks for no column.
        assert (columns(fresh), ids(fresh)) == (BEFORE, [1, 3])
        send(fresh, {**NEW, "id": 4})
        fresh.cycle(runtime)
        redrive(runtime)
        assert runtime.audit().complete
    assert (columns(fresh), ids(fresh)) == (AFTER, [1, 2, 3, 4])


def test_tables_of_dead_letters_have_no_such_property(fresh: World) -> None:
    created(fresh)
    assert PROPERTY not in fresh.catalog.load_table(f"{fresh.table}__dead_letters").properties


def optional(table: Table) -> bool:
    """Every column and all within it; keys of a map always have a value."""
    schema = table.schema()
    ids_of_keys = {f.key_id for f in _maps(schema.as_struct())}
    return not any(schema.find_field(n).required for n in schema.field_ids if n not in ids_of_keys)


def _maps(kind: Any) -> list[Any]:
    found = [kind] if hasattr(kind, "key_id") else []
    inner = [f.field_type for f in kind.fields] if isinstance(kind, StructType) else []
    inner += [getattr(kind, name) for name in ("element_type", "value_type") if hasattr(kind, name)]
    return [*found, *(m for one in inner for m in _maps(one))]


def test_no_column_is_required_because_connects_schema_says_so(fresh: World) -> None:
    number = {"type": "int64", "optional": False}
    deep = {
        "type": "struct",
        "optional": False,
        "fields": [
            {**number, "field": "a"},
            {"field": "l", "type": "array", "optional": False, "items": number},
            {
                "field": "m",
                "type": "map",
                "optional": False,
                "keys": {"type": "string", "optional": False},
                "values": {"type": "struct", "optional": False, "fields": [{**number, "field": "b"}]},
            },
        ],
    }

    def record(names: Sequence[str], payload: dict[str, Any]) -> dict[str, Any]:
        fields = [{**number, "field": "id"}, *({**deep, "field": name} for name in names)]
        return {"schema": {"type": "struct", "optional": False, "fields": fields}, "payload": payload}

    value = {"a": 1, "l": [1], "m": {"k": {"b": 1}}}
    none: dict[str, Any] = {"a": None, "l": [None], "m": {"k": None, "j": {}}}
    with open_with(
        fresh, file_of(fresh, f"{{name: {fresh.table}}}", rest="value: {format: connect_json}\n")
    ) as runtime:
        send(fresh, record(["made"], {"id": 1, "made": value}))
        fresh.cycle(runtime)
        send(fresh, record(["made", "added"], {"id": 2, "made": value, "added": value}))
        fresh.cycle(runtime)
        kind = "struct<`a`: long, `l`: list<long>, `m`: map<string, struct<`b`: long>>>"
        assert columns(fresh) == {"id": "long", "made": kind, "added": kind}
        assert optional(table_of(fresh))
        both = ["made", "added"]
        send(fresh, record(both, {"id": 3, "made": none, "added": none}), record(both, {"id": 4}))
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert (ids(fresh), dead(fresh)) == ([1, 2, 3, 4], 0)
