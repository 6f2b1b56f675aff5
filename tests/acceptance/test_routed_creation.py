"""Tables that appear, on real servers: with what their rules say, beside others that cannot be made, and beside other creators."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from kits.harm import harm
from kits.page_log import PageAnswers
from kits.routing import BY_TYPE, commit, cycle, dead, ids, names, routed_file, send
from kits.world import World, open_with, with_extra, write_next
from lakelock.adapters.airflow.postgres_settings import postgres_dsn
from lakelock.adapters.iceberg import IcebergTables
from lakelock.app.runtime import Runtime
from lakelock.audit.audit_text import audit_text
from lakelock.errors import AccessDenied, BadTableDefinition
from pyiceberg.transforms import BucketTransform, DayTransform

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/new_tables", "config/route", "iceberg/create"))


@pytest.fixture(params=["sql", "rest"])
def anywhere(request: pytest.FixtureRequest, fresh: World) -> World:
    """As `fresh`, in each kind of catalog."""
    if request.param == "rest":
        properties = dict(request.getfixturevalue("rest_properties"))
        known = fresh.connections["iceberg_default"]
        fresh.connections["iceberg_default"] = replace(with_extra(known, type="rest"), host=properties["uri"])
    return fresh


def complete(runtime: Runtime) -> None:
    found = runtime.audit()
    assert found.complete, audit_text(found)


def write_all(runtime: Runtime) -> None:
    """Every batch that can be written, as a run does."""
    planned = runtime.plan()
    assert planned.batch_id is not None
    runtime.write_run(str(uuid.uuid4()), f"test/{uuid.uuid4()}", planned.batch_id)


def test_tables_have_what_their_rules_and_the_defaults_say(anywhere: World) -> None:
    """Partitions, sort order, identifier columns, properties and a location by template, in namespaces that are not there."""
    world, place = anywhere, f"file://{anywhere.folder}/elsewhere"
    rules = (
        "- {when: {event.type: order}, table: '{ns}_deep.{event.type}', columns: {id: {type: long, required: true}, "
        "at: timestamptz}, new_fields: ignore, id_columns: [id], sort_by: ['id desc'], partition_by: ['bucket(4, id)'], "
        f"properties: {{comment: ours}}, location: '{place}/{{namespace}}/{{table}}'}}",
        "- {when: {event.type: landed}, table: '{ns}.landed', landing: unpartitioned, partition_by: ['bucket(8, id)']}",
        "- {table: '{ns}.{event.type}'}",
    )
    defaults = "table_defaults: {partition_by: ['day(_kafka_timestamp)'], properties: {owner: team, comment: all}}\n"
    more = defaults + "maintenance: {compact_min_files: 2, compact_after: 1ms}\n"
    with open_with(world, routed_file(world, *rules, tables=more)) as runtime:
        for _ in range(3):
            send(world, "order", "star", "landed", "landed")
            cycle(world, runtime)
        order, star, landed = (
            world.catalog.load_table(f"{world.namespace}{name}") for name in ("_deep.order", ".star", ".landed")
        )
        (bucket,) = order.spec().fields
        assert bucket.transform == BucketTransform(4)
        assert [str(f) for f in order.sort_order().fields] == ["1 DESC NULLS LAST"]
        assert order.schema().identifier_field_names() == {"id"}
        assert order.location() == f"{place}/{world.namespace}_deep/order"
        assert (order.properties["owner"], order.properties["comment"]) == ("team", "ours")
        (day,) = star.spec().fields
        assert isinstance(day.transform, DayTransform)
        assert (star.properties["owner"], star.properties["comment"]) == ("team", "all")
        assert not star.schema().identifier_field_names()
        assert {"id", "event"} <= {*star.schema().column_names}, "inferred"
        assert "event" not in order.schema().column_names
        assert [t.file.file_path.startswith(place) for t in order.scan().plan_files()] == [True] * 3
        assert [str(t.file.sort_order_id) for t in order.scan().plan_files()] == ["1"] * 3
        # One file each, whatever the buckets of its rows.
        specs = [t.file.spec_id for t in landed.scan().plan_files()]
        assert (len(specs), set(specs) & {landed.spec().spec_id}) == (3, set())
        assert runtime.compact(f"{world.namespace}.landed").groups == 1
        specs = [t.file.spec_id for t in landed.refresh().scan().plan_files()]
        assert landed.spec().spec_id in specs
        assert sorted(ids(world, "landed")) == [2, 3, 6, 7, 10, 11]
        assert (sorted(order.scan().to_arrow()["id"].to_pylist()), ids(world, "star")) == ([0, 4, 8], [1, 5, 9])
        complete(runtime)


def test_a_table_that_cannot_be_is_an_error_for_it_alone(anywhere: World) -> None:
    world = anywhere
    bad = "- {when: {event.type: bad}, table: '{ns}.bad', partition_by: ['day(at)']}"
    with open_with(world, routed_file(world, bad, BY_TYPE)) as runtime:
        for _ in range(2):
            send(world, "push", "bad")
            with pytest.raises(BadTableDefinition, match="no column 'at'"):
                write_all(runtime)
            commit(world, runtime)
        assert (names(world), ids(world, "push")) == (["letters", "push"], [0, 2])
    with open_with(world, routed_file(world, bad.replace("day(at)", "bucket(4, id)"), BY_TYPE)) as runtime:
        for _ in range(3):
            cycle(world, runtime)
        assert (ids(world, "push"), ids(world, "bad"), dead(world)) == ([0, 2], [1, 3], [])
        assert [str(f.transform) for f in world.catalog.load_table(f"{world.namespace}.bad").spec().fields] == [
            "bucket[4]"
        ]
        complete(runtime)


@contextmanager
def forbidden(dsn: str, namespace: str) -> Iterator[None]:
    """The catalog's database lets none make a table of this namespace, as one does of whose schema a login has no rights."""
    name = f"forbid_{namespace}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF NEW.table_namespace = '{namespace}' THEN RAISE EXCEPTION 'permission denied for namespace {namespace}' "
            "USING ERRCODE = 'insufficient_privilege'; END IF; RETURN NEW; END $$"
        )
        connection.execute(
            f"CREATE TRIGGER {name} BEFORE INSERT ON iceberg_tables FOR EACH ROW EXECUTE FUNCTION {name}()"
        )
        try:
            yield
        finally:
            connection.execute(f"DROP TRIGGER {name} ON iceberg_tables")
            connection.execute(f"DROP FUNCTION {name}")


def test_tables_of_a_forbidden_namespace_are_behind_and_get_their_records_once_it_is_allowed(
    fresh: World, catalog_properties: dict[str, str]
) -> None:
    locked = f"{fresh.namespace}_locked"
    rules = ("- {when: {event.type: secret}, table: '{ns}_locked.{event.type}'}", BY_TYPE)
    fresh.catalog.list_namespaces()  # which makes the catalog's own tables
    dsn = catalog_properties["uri"].replace("postgresql+psycopg://", "postgresql://")
    fresh.text = routed_file(fresh, *rules, rest="  mark_every: 1ms")
    fresh.text += "schedule: {every: 1s}\ncommit: {max_latency: 1ms}\n"
    with forbidden(dsn, locked), open_with(fresh, fresh.text) as runtime:
        for _ in range(2):
            send(fresh, "push", "secret")
            with pytest.raises(AccessDenied, match=f"permission denied for namespace {locked}"):
                write_all(runtime)
            commit(fresh, runtime)
        # As if it had waited for an hour.
        harm(
            fresh,
            "UPDATE lakelock.batches SET closed_at = closed_at - interval '1h', planned_at = planned_at - interval '1h'",
        )
        runtime.publish()
        assert ids(fresh, "push") == [0, 2]
        (behind,) = runtime.status().cut.behind  # type: ignore[union-attr]
        assert (behind.table, sum(r.offsets for r in behind.ranges)) == (f"{locked}.secret", 4)
        shown = PageAnswers(fresh).lag()["cut"]["behind"]
        assert [b[0] for b in shown] == [f"{locked}.secret"]
    with open_with(fresh, fresh.text) as runtime:
        for _ in range(3):
            cycle(fresh, runtime)
        secret = fresh.catalog.load_table(f"{locked}.secret").scan().to_arrow()["id"].to_pylist()
        assert (ids(fresh, "push"), sorted(secret)) == ([0, 2], [1, 3])
        cut = runtime.status().cut
        assert cut is not None
        assert (cut.total, cut.behind) == (4, ())
        complete(runtime)


def test_another_creator_may_be_faster(anywhere: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right before lakelock makes a table, another engine does, with a column more; a second pipeline makes another one."""
    world, create = anywhere, IcebergTables.create
    theirs = pa.schema([("id", pa.int64()), ("event", pa.struct([("type", pa.string())])), ("theirs", pa.string())])
    raced = list[str]()

    def later(tables: IcebergTables, name: str, *more: Any) -> None:
        if name.rpartition(".")[2] in ("push", "fork") and name not in raced:
            raced.append(name)
            if name.endswith("push"):
                world.catalog.create_namespace_if_not_exists(world.namespace)
                world.catalog.create_table(name, theirs)
            else:
                create(tables.for_pipeline("another", "its installation"), name, *more)
        create(tables, name, *more)

    monkeypatch.setattr(IcebergTables, "create", later)
    with open_with(world, routed_file(world, BY_TYPE)) as runtime:
        for _ in range(2):
            send(world, "push", "fork")
            cycle(world, runtime)
        assert sorted(raced) == [f"{world.namespace}.fork", f"{world.namespace}.push"]
        assert (ids(world, "push"), ids(world, "fork"), dead(world)) == ([0, 2], [1, 3], [])
        assert "theirs" in world.catalog.load_table(f"{world.namespace}.push").schema().column_names
        complete(runtime)


def rows_about(world: World, table: str) -> dict[str, int]:
    """The log's rows with the name of the table, by where they are."""
    with psycopg.connect(postgres_dsn(world.connections["lakelock_postgres"])) as connection:
        named = connection.execute(
            "SELECT table_name FROM information_schema.columns WHERE table_schema = 'lakelock' AND column_name = 'table_name'"
        ).fetchall()
        counts = {
            where: connection.execute(
                f"SELECT count(*) FROM lakelock.{where} WHERE table_name = %s", [table]
            ).fetchone()
            for (where,) in named
        }
    return {where: count[0] for where, count in counts.items() if count and count[0]}


def test_a_table_without_rows_costs_no_row_in_postgres(fresh: World) -> None:
    fork, push = f"{fresh.namespace}.fork", f"{fresh.namespace}.push"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        before = rows_about(fresh, fork)
        assert before.keys() >= {"tables", "parts"}
        assert rows_about(fresh, push) == before
        for _ in range(3):
            send(fresh, "push", "push")
            write_next(runtime)
            assert rows_about(fresh, fork) == before
            assert rows_about(fresh, push)["parts"] > before["parts"]
            commit(fresh, runtime)
            assert rows_about(fresh, fork) == before
