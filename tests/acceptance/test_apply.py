"""`apply` changes an existing table as the file says, and `schema` shows both, on real servers."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest
from fastapi import HTTPException
from kits.evolution import BOTH
from kits.page_log import PageAnswers
from kits.redrives import redrive
from kits.topics import new_producer, produce
from kits.upkeep import table_of
from kits.world import World, file_of, open_with, write_next
from lakelock.cli import main as cli
from lakelock.errors import TableUnfit
from lakelock.model.operator_log import What
from lakelock.orchestration.recover_decisions import Applied, decision_of
from pyiceberg.table import Table

BEFORE = "columns: {id: {type: long, required: true}, n: int, note: string, at: timestamptz}"
AFTER = (
    "columns: {id: long, n: {type: long, doc: a number}, note: {type: string, required: true}, at: timestamptz, "
    "more: string}, partition_by: [day(at), 'bucket(4, id)'], sort_by: [id desc], "
    "properties: {write.parquet.compression-codec: gzip}"
)


def send(world: World, *records: dict[str, Any]) -> None:
    servers = world.connections["kafka_default"].extra["bootstrap.servers"]
    produce(new_producer(servers), world.topic, [json.dumps(record).encode() for record in records])


def record(number: int, **more: Any) -> dict[str, Any]:
    return {"id": number, "n": number, "note": f"n{number}", "at": f"2026-01-0{1 + number % 3}T00:00:00Z", **more}


def summaries(table: Table) -> list[dict[str, str]]:
    return [s.summary.additional_properties for s in table.metadata.snapshots if s.summary]


def in_environment(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where commands look for connections."""
    for name, value in world.environment().items():
        if name.startswith("AIRFLOW_CONN_"):
            monkeypatch.setenv(name, value)


@pytest.fixture
def changed(fresh: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A table with rows and a staged part, whose file then says more; commands find the servers."""
    with open_with(fresh, file_of(fresh, f"{{name: {fresh.table}, {BEFORE}}}")) as runtime:
        send(fresh, record(0), record(1))
        fresh.cycle(runtime)
        send(fresh, record(2), record(3))
        write_next(runtime)
    (fresh.folder / f"{fresh.name}.yaml").write_text(file_of(fresh, f"{{name: {fresh.table}, {AFTER}}}"))
    in_environment(fresh, monkeypatch)
    return fresh


def run(world: World, capsys: pytest.CaptureFixture[str], command: str, *more: str) -> str:
    capsys.readouterr()
    assert cli.main([command, str(world.folder / f"{world.name}.yaml"), *more]) == 0
    return capsys.readouterr().out


def test_the_file_is_applied_to_a_table_with_rows_and_a_staged_part(
    changed: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world, table = changed, changed.table
    before = table_of(world).metadata
    preview = run(world, capsys, "apply")
    assert preview.splitlines() == [
        f"{table}: id: optional now",
        f"{table}: n: long now",
        f"{table}: n: comment 'a number'",
        f"{table}: more: new, string",
        f"{table}: partitioned by day(at), bucket(4, id)",
        f"{table}: sorted by id desc",
        f"{table}: property write.parquet.compression-codec: gzip",
        f"{table}: not applied: note: required in the file and optional in the table, whose rows may have nulls",
        "Nothing was changed. Repeat with --yes to run it.",
    ]
    assert table_of(world).metadata == before
    assert run(world, capsys, "apply", "--table", table, "--who", "ann", "--why", "v2", "--yes").endswith("done\n")
    now = table_of(world)
    assert len(now.metadata.snapshots) == len(before.snapshots) + 1
    assert len(now.metadata.schemas) == len(before.schemas) + 1
    said = json.loads(summaries(now)[-1]["lakelock.applied"])
    assert (said["who"], said["why"], said["steps"][0]) == ("ann", "v2", "id: optional now")
    assert run(world, capsys, "apply", "--yes").splitlines() == [
        f"{table}: not applied: note: required in the file and optional in the table, whose rows may have nulls"
    ]
    assert len(table_of(world).metadata.snapshots) == len(now.metadata.snapshots)
    # The part of before, and one of now.
    send(world, record(4, more="m", n=2**40), {**record(5), "id": None})
    with open_with(world, file_of(world, f"{{name: {table}, {AFTER}}}")) as runtime:
        world.commit(runtime)
        world.cycle(runtime)
        assert runtime.audit().complete
    found = table_of(world)
    assert len({task.file.spec_id for task in found.scan().plan_files()}) == 2
    rows = found.scan().to_arrow().sort_by("_kafka_offset").to_pylist()
    by_note = {r["note"]: (r["id"], r["n"], r["more"]) for r in rows}
    assert by_note == {
        **{f"n{i}": (i, i, None) for i in range(4)},
        "n4": (4, 2**40, "m"),
        "n5": (None, 5, None),
    }
    files = [task.file.file_path.removeprefix("file://") for task in found.scan().plan_files()]
    query = f"SELECT count(*), sum(n) FROM read_parquet({files!r}, union_by_name = true)"
    assert duckdb.sql(query).fetchall() == [(6, 0 + 1 + 2 + 3 + 2**40 + 5)]
    assert found.scan(row_filter="at >= '2026-01-03T00:00:00+00:00'").to_arrow().num_rows == 2


def test_a_column_that_was_dropped_is_back_and_empty(changed: World, capsys: pytest.CaptureFixture[str]) -> None:
    world = changed
    with table_of(world).update_schema() as update:
        update.delete_column("note")
    assert f"{world.table}: note: new, string" in run(world, capsys, "apply", "--yes")
    with open_with(world, file_of(world, f"{{name: {world.table}, {AFTER}}}")) as runtime:
        world.commit(runtime)
        send(world, record(6))
        world.cycle(runtime)
        world.cycle(runtime)
        assert runtime.audit().complete
    notes = {r["id"]: r["note"] for r in table_of(world).scan().to_arrow().to_pylist()}
    # Rows that were committed lost their values with the column; the staged part was read again.
    assert notes == {0: None, 1: None, 2: "n2", 3: "n3", 6: "n6"}


def test_a_table_that_lacks_the_json_column_of_the_file_gets_it(
    changed: World, capsys: pytest.CaptureFixture[str]
) -> None:
    table = f"{{name: {changed.table}, {BEFORE}, new_fields: {{json_column: rest}}}}"
    send(changed, record(4, strange=[1]))
    with open_with(changed, file_of(changed, table)) as runtime:
        changed.commit(runtime)
        with pytest.raises(TableUnfit, match="rest"):
            changed.cycle(runtime)
        assert "changes for these records are not known:\n  table" in run(changed, capsys, "schema")
        assert f"{changed.table}: rest: new, string" in run(changed, capsys, "apply", "--yes")
        changed.commit(runtime)
        runtime.write("again", "test/again", runtime.log.planned(runtime.pipeline.name)[0].batch_id)
        changed.commit(runtime)
        assert runtime.audit().complete
    found = {r["id"]: r["rest"] for r in table_of(changed).scan().to_arrow().to_pylist()}
    assert found[4] == '{"strange":[1]}'


def test_a_run_in_airflow_makes_the_steps_that_were_approved(changed: World) -> None:
    params = {
        "decision": "apply", "topic": None, "partition": None, "from": None, "to": None, "table": None, "why": "v2",
        "reason": None, "accept_loss": False, "restored": False, "take_over": False, "mode": "recommit",
    }  # fmt: skip
    decision = decision_of(params)
    assert decision == Applied(None)
    with open_with(changed, file_of(changed, f"{{name: {changed.table}, {AFTER}}}")) as runtime:
        planned = decision.preview(runtime)
        assert not planned.nothing
        done = decision.act(runtime, "ann", "v2", planned.shown.text, lambda outcome: None)
        assert f"{changed.table}: sorted by id desc" in done.lines
        ledger = runtime.tables.load(changed.table).ledger
        assert ledger is not None
        assert [(d.what, d.who) for d in ledger.decisions] == [(What.APPLY, "ann")]
        assert decision.preview(runtime).nothing


def test_the_page_shows_the_steps_by_the_file_of_the_last_batch(
    changed: World, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PageAnswers(changed)
    assert page.steps()["lines"] == [f"{changed.table}: it is as the file says"]
    send(changed, record(4))
    with open_with(changed, file_of(changed, f"{{name: {changed.table}, {AFTER}}}")) as runtime:
        write_next(runtime)
    found = page.steps()
    assert not found["nothing"]
    assert found["lines"] == run(changed, capsys, "apply").splitlines()[:-1]
    run(changed, capsys, "apply", "--yes")
    found = page.steps()
    assert found["nothing"]
    assert [line.partition(": required")[0] for line in found["lines"]] == [f"{changed.table}: not applied: note"]
    with pytest.raises(HTTPException, match="does not name table"):
        page.steps(f"{changed.table}__dead_letters")


def test_the_schema_shows_columns_beside_the_records(
    fresh: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = file_of(
        fresh, f"{{name: {fresh.table}, columns: {{id: long, n: int, s: 'struct<x: int>', gone: string}}, {BOTH}}}"
    )
    in_environment(fresh, monkeypatch)
    with open_with(fresh, text) as runtime:
        assert "does not exist yet" in run(fresh, capsys, "schema")
        send(fresh, {"id": 1, "n": 1, "s": {"x": 1}})
        fresh.cycle(runtime)
        send(fresh, {"id": 2, "n": 2, "first": "a"})
        fresh.cycle(runtime)
        send(fresh, {"id": 3, "n": 2**40, "s": {"x": 1, "y": 1.5}, "second": True})
        shown = run(fresh, capsys, "schema")
        (found,) = json.loads(run(fresh, capsys, "schema", "--json", "--table", fresh.table))["tables"]
    assert [c["name"] for c in found["columns"]] == [
        "id", "n", "s", "s.x", "gone", "_kafka_partition", "_kafka_offset", "_kafka_timestamp", "first"
    ]  # fmt: skip
    by_name = {c["name"]: c for c in found["columns"]}
    assert (by_name["id"]["type"], by_name["id"]["seen"], by_name["gone"]["seen"]) == ("long", "long", None)
    assert by_name["id"]["schema"] < by_name["first"]["schema"]
    assert by_name["first"]["since"] > by_name["id"]["since"]
    assert found["fields_without_column"] == {"s.y": "double", "second": "boolean"}
    assert found["columns_without_field"] == ["gone"]
    assert sorted(found["changes"]) == ["n: long now", "s.y: new, double", "second: new, boolean"]
    assert found["possible"] == []
    (past,) = found["past"]
    assert (past["changes"], set(past["asked_by"])) == (["first: new, string"], {"record", "batch", "run"})
    for line in ("fields without a column:", "  second: boolean", "columns without a field in the sample:", "  gone"):
        assert line in shown.splitlines()
    assert "changes that the next batch would make for these records:" in shown
    assert "  in effect: new_fields: evolve, new_types: evolve" in shown.splitlines()
    refusing = text.replace(BOTH, "new_fields: {json_column: rest}, new_types: dead_letter")
    (fresh.folder / f"{fresh.name}.yaml").write_text(refusing.replace("{json_column: rest}", "dead_letter"))
    (found,) = json.loads(run(fresh, capsys, "schema", "--json"))["tables"]
    assert (found["changes"], len(found["possible"])) == ([], 3)
    assert (found["new_fields"], found["new_types"]) == ("dead_letter", "dead_letter")
    (fresh.folder / f"{fresh.name}.yaml").write_text(refusing)
    (found,) = json.loads(run(fresh, capsys, "schema", "--json"))["tables"]
    assert (found["new_fields"], found["new_types"]) == ("json_column", "dead_letter")


def test_the_schema_adds_no_column_by_a_name_that_was_renamed(
    fresh: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_environment(fresh, monkeypatch)
    text = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, note: string}}, {BOTH}}}")
    with open_with(fresh, text) as runtime:
        send(fresh, {"id": 1, "note": "a"})
        fresh.cycle(runtime)
        with table_of(fresh).update_schema() as update:
            update.rename_column("note", "remark")
        send(fresh, {"id": 2, "note": "b"})
        (found,) = json.loads(run(fresh, capsys, "schema", "--json"))["tables"]
    assert (found["changes"], found["possible"]) == ([], [])


def test_changes_wait_for_an_approval_and_no_record_is_lost(
    fresh: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps of *Approve each change first* in docs/evolution.md."""
    waits = "new_fields: dead_letter, new_types: dead_letter"
    text = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, n: int}}, {waits}}}")
    in_environment(fresh, monkeypatch)
    with open_with(fresh, text) as runtime:
        send(fresh, {"id": 1, "n": 1}, {"id": 2, "n": 2**40}, {"id": 3, "n": 3, "more": "m"})
        fresh.cycle(runtime)
        (found,) = json.loads(run(fresh, capsys, "schema", "--json"))["tables"]
        assert sorted(found["possible"]) == ["more: new, string", "n: long now"]
    approved = file_of(fresh, f"{{name: {fresh.table}, columns: {{id: long, n: long, more: string}}, {waits}}}")
    (fresh.folder / f"{fresh.name}.yaml").write_text(approved)
    preview = run(fresh, capsys, "apply")
    assert f"{fresh.table}: n: long now\n{fresh.table}: more: new, string\n" in preview
    run(fresh, capsys, "apply", "--yes")
    with open_with(fresh, approved) as runtime:
        redrive(runtime)
        rows = table_of(fresh).scan().to_arrow().sort_by("id").to_pylist()
        assert [(r["id"], r["n"], r["more"]) for r in rows] == [(1, 1, None), (2, 2**40, None), (3, 3, "m")]
        assert runtime.audit().complete
