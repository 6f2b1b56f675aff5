"""Columns that follow the records, with files, tables and a log of real servers."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from kits.changed_tables import evolved
from kits.evolution import BOTH, CASES, Case
from kits.evolving_world import columns, rows_of, send
from kits.lanes import SQL_BESIDE
from kits.topics import new_producer, produce
from kits.upkeep import roll_back, table_of
from kits.world import World, file_of, open_with, write_next
from lakelock.app.runtime import Runtime
from lakelock.errors import TableUnfit
from lakelock.ingest.outcome import WriteOutcome
from lakelock.model.layouts import tokens_in
from lakelock.model.ledger import Mode
from lakelock.model.operator_log import What
from pyiceberg.avro.file import AvroFile
from pyiceberg.table import Table
from pyiceberg.typedef import Record
from stack.settings import REPOSITORY

PAGE = REPOSITORY / "docs" / "evolution.md"
DRAWN = pytest.mark.drawn(0.4, about=("ingest/evolv", "iceberg/schema_changes", "records/evolution"))


def of_schemas(table: Table) -> list[int]:
    """Ids of the schemas that the files of the newest snapshot were written for."""
    head = table.current_snapshot()
    assert head is not None
    found = []
    for manifest in head.manifests(table.io):
        with AvroFile[Record](table.io.new_input(manifest.manifest_path)) as reader:
            found.append(json.loads(reader.header.meta["schema"])["schema-id"])
    return found


@DRAWN
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.what)
def test_what_becomes_of_columns_and_records_is_what_the_page_says(fresh: World, case: Case) -> None:
    with open_with(
        fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {case.columns}, {case.settings}}}")
    ) as runtime:
        send(fresh, *case.records)
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert columns(fresh) == case.after
    assert rows_of(fresh) == [row for row in case.rows if row is not None]
    dead = case.rows.count(None)
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == dead if dead else True
    # One for the table's adoption, one for its columns, one for its rows.
    assert len(table_of(fresh).metadata.snapshots) <= 3


def test_columns_change_once_for_a_batch(fresh: World) -> None:
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 1})
        fresh.cycle(runtime)
        send(fresh, *({"id": n, **({"x": n} if n % 2 else {}), **({"y": "a"} if n == 7 else {})} for n in range(2, 12)))
        fresh.cycle(runtime)
        assert runtime.audit().complete
    table = table_of(fresh)
    assert columns(fresh) == {"id": "long", "x": "long", "y": "string"}
    assert len(table.metadata.schemas) == 2
    summaries = [s.summary.additional_properties for s in table.metadata.snapshots if s.summary]
    (said,) = [found["lakelock.evolution"] for found in summaries if "lakelock.evolution" in found]
    assert json.loads(said)["changes"] == ["x: new, long", "y: new, string"]
    news = [
        (r["_kafka_partition"], r["_kafka_offset"]) for r in table.scan().to_arrow().to_pylist() if r["x"] or r["y"]
    ]
    assert json.loads(said)["record"] in [f"topic {fresh.topic}, partition {p}, offset {o}" for p, o in news]


def test_only_slices_with_something_new_are_read_again(fresh: World) -> None:
    """A part then has files of two layouts, and must not land if either of them no longer fits."""
    servers = fresh.connections["kafka_default"].extra["bootstrap.servers"]
    producer = new_producer(servers)
    count = 25_000
    produce(producer, fresh.topic, [b'{"id": %d}' % n for n in range(count)], partition=0)
    produce(
        producer,
        fresh.topic,
        [b'{"id": %d%s}' % (n, b', "x": 7' if n == 9_999 else b"") for n in range(count)],
        partition=1,
    )
    file = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, {BOTH}}}", rest="batch: {parallelism: 2}\n")
    with open_with(fresh, file) as runtime:
        write_next(runtime)
        (part,) = runtime.log.staged(runtime.pipeline.name, fresh.table)
        layouts = tokens_in(part.result.identity.layout)
        state = runtime.tables.load(fresh.table)
        assert len(layouts) == 2
        assert state.layout.token in layouts
        assert runtime.tables.misfits(state, [part.result.identity.layout]) == {}
        fresh.commit(runtime)
        assert runtime.audit().complete
        table = table_of(fresh)
        rows = table.scan().to_arrow()
        assert (rows.num_rows, rows.column("x").null_count) == (2 * count, 2 * count - 1)
        assert len(set(of_schemas(table))) == 2
        evolved(lambda u: u.delete_column("x"))(table)
        assert list(runtime.tables.misfits(runtime.tables.load(fresh.table), [part.result.identity.layout]))


def test_files_that_were_staged_before_land_as_they_are(fresh: World) -> None:
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, n: int}}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 1, "n": 1})
        write_next(runtime)
        (before,) = runtime.log.staged(runtime.pipeline.name, fresh.table)
        send(fresh, {"id": 2, "n": 2**40, "x": "a"})
        write_next(runtime)
        fresh.commit(runtime)
        assert runtime.audit().complete
        paths = {task.file.file_path for task in table_of(fresh).scan().plan_files()}
        assert {f.path for f in before.result.files} < paths
    assert rows_of(fresh) == [{"id": 1, "n": 1, "x": None}, {"id": 2, "n": 2**40, "x": "a"}]


def test_a_column_that_was_dropped_does_not_come_back_by_itself(fresh: World, caplog: pytest.LogCaptureFixture) -> None:
    columns_ = '{id: long, note: string, o: "struct<a: long, b: long>"}'
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {columns_}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 1, "note": "a"})
        fresh.cycle(runtime)
        evolved(lambda u: u.delete_column("note"), lambda u: u.delete_column(("o", "b")))(table_of(fresh))
        send(
            fresh,
            {"id": 2, "note": "b", "o": {"a": 1, "b": 2}, "x": 1},
            {"id": 3, "note": "c"},
            {"id": 4, "note": None},
        )
        with caplog.at_level("INFO"):
            done = written(runtime)
        assert done.left_out == 3
        assert ", left out 3 values of dropped columns, " in done.line
        assert (
            f"{fresh.table}: left out of rows, because their columns were dropped: 2 values of note, 1 value of o.b"
            in caplog.text
        )
        send(fresh, {"id": 5})
        later = written(runtime)
        assert later.left_out == 0
        assert "left out" not in later.line
        fresh.commit(runtime)
        assert runtime.audit().complete
    rows = sorted(rows_of(fresh), key=lambda row: row["id"])
    assert [(r["id"], r["o"], r["x"]) for r in rows] == [
        (1, None, None), (2, {"a": 1}, 1), (3, None, None), (4, None, None), (5, None, None),
    ]  # fmt: skip
    assert set(columns(fresh)) == {"id", "o", "x"}


def written(runtime: Runtime) -> WriteOutcome:
    planned = runtime.plan()
    assert planned.batch_id is not None
    return runtime.write(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)


def test_a_dead_letter_asks_for_no_column_when_its_offset_is_read_again(fresh: World) -> None:
    """It stays a dead letter, so a column for it would have no value."""
    strict = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, new_fields: dead_letter}}")
    with open_with(fresh, strict) as runtime:
        send(fresh, {"id": 1})
        fresh.cycle(runtime)
        send(fresh, {"id": 2, "x": 1}, {"id": 3})
        fresh.cycle(runtime)
        assert len(fresh.rows(f"{fresh.table}__dead_letters")) == 1
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, {BOTH}}}")) as runtime:
        roll_back(runtime, fresh.table, "last:1", Mode.REPLAY)
        assert rows_of(fresh) == [{"id": 1}]
        for _ in range(3):
            fresh.cycle(runtime)
        assert columns(fresh) == {"id": "long"}
        # Of a record that comes later it is a new field, as ever.
        send(fresh, {"id": 4, "x": 2})
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert sorted(rows_of(fresh), key=lambda row: row["id"]) == [
        {"id": 1, "x": None}, {"id": 3, "x": None}, {"id": 4, "x": 2},
    ]  # fmt: skip
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == 1


def test_a_paused_table_keeps_its_columns(fresh: World) -> None:
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long}}, {BOTH}}}")) as runtime:
        send(fresh, {"id": 1})
        fresh.cycle(runtime)
        runtime.pausing.decide(fresh.table, What.PAUSE, "ann", "a reader migrates")
        send(fresh, {"id": 2, "x": 1})
        with pytest.raises(TableUnfit, match="its records need other columns .x: new, long., but the table is paused"):
            write_next(runtime)
        assert columns(fresh) == {"id": "long"}
        runtime.pausing.decide(fresh.table, What.RESUME, "ann", "done")
        fresh.cycle(runtime)
        assert runtime.audit().complete
    assert rows_of(fresh) == [{"id": 1, "x": None}, {"id": 2, "x": 1}]


# Tables and records that ask for columns which cannot be, with the columns that they have then.
IMPOSSIBLE: dict[str, tuple[str, list[dict[str, Any]], dict[str, str]]] = {
    "Iceberg's short name of a field in a list": (
        "columns: {id: long, l: 'list<struct<a: long>>'}", [{"id": 1, "l.a": 5}, {"id": 2, "x": 1}],
        {"id": "long", "l": "list<struct<`a`: long>>", "x": "long"},
    ),
    "a field that two columns read": (
        "columns: {x: int, y: {type: int, field: x}}", [{"x": 2**40}, {"x": 1, "z": 1}], {"x": "int", "y": "int", "z": "long"},
    ),
    "a field of an object with a column that another column reads": (
        "columns: {o: 'struct<a: long>', y: {type: int, field: o.n}}", [{"o": {"n": 5, "b": 1}, "x": 1}, {"o": {"n": "t"}}],
        {"o": "struct<`a`: long, `b`: long>", "y": "int", "x": "long"},
    ),
    "the name of a metadata column": (
        "columns: {id: long}", [{"id": 1, "_kafka_key": "x"}, {"id": 2, "x": 1}], {"id": "long", "x": "long"},
    ),
    "an identifier that is missing": (
        "columns: {id: {type: long, required: true}, n: int}, id_columns: [id]", [{"n": 1}, {"id": 2, "n": 2**40}],
        {"id": "long", "n": "long"},
    ),
    "a name that is no name": (
        "columns: {id: long}", [{"id": 1, "a" * 300: 1}, {"id": 2, "\u0000": 1}, {"id": 3, "x": 1}], {"id": "long", "x": "long"},
    ),
}  # fmt: skip


@DRAWN
@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_records_that_ask_for_impossible_columns_stop_no_other(fresh: World, case: str) -> None:
    of_table, records, after = IMPOSSIBLE[case]
    rest = "metadata_columns: {key: _kafka_key}\n" if "_kafka_key" in str(records) else ""
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {of_table}, {BOTH}}}", rest=rest)) as runtime:
        for _ in range(2):
            send(fresh, *records)
            fresh.cycle(runtime)
            assert runtime.audit().complete
    assert columns(fresh) == after
    assert len(rows_of(fresh)) == 2
    assert len(fresh.rows(f"{fresh.table}__dead_letters")) == 2 * len(records) - 2


def test_the_page_has_every_case() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line in {case.row for case in CASES}] == [case.row for case in CASES]


@pytest.mark.drawn(0.5, group=SQL_BESIDE, about=("records/sql", "adapters/spark"))
def test_columns_follow_records_beside_sql_on_spark(world: World) -> None:
    """Of such a table, another process reads; records that `where` leaves out are left out after the change, too."""
    table = (
        f"{{name: {world.table}, columns: {{id: long, n: int, double: {{type: long, sql: 'n * 2'}}}}, "
        f"inputs: {{kind: string}}, where: \"kind = 'a'\", {BOTH}}}"
    )
    with open_with(world, file_of(world, table)) as runtime:
        send(world, *({"id": n, "n": n, "kind": "ab"[n % 2]} for n in range(4)))
        world.cycle(runtime)
        send(world, *({"id": n, "n": n + 2**31, "kind": "ab"[n % 2], "o": {"x": str(n)}} for n in range(4, 8)))
        world.cycle(runtime)
        assert runtime.audit().complete
    assert columns(world) == {"id": "long", "n": "long", "double": "long", "o": "struct<`x`: string>"}
    rows = sorted(rows_of(world), key=lambda row: row["id"])
    assert rows == [
        {"id": 0, "n": 0, "double": 0, "o": None},
        {"id": 2, "n": 2, "double": 4, "o": None},
        {"id": 4, "n": 2**31 + 4, "double": 2**32 + 8, "o": {"x": "4"}},
        {"id": 6, "n": 2**31 + 6, "double": 2**32 + 12, "o": {"x": "6"}},
    ]
