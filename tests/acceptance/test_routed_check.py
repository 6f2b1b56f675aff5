"""`check` of a pipeline with routes: the tables that a sample would make, before and after a run, and after an edit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pytest
from kits.forks import lakelock
from kits.recoveries import postgres_of
from kits.routing import BY_TYPE, commit, cycle, ids, letters, names, routed_file, send
from kits.world import World, connection, open_with, write_next
from lakelock.check import preflight
from lakelock.check.forecast import foresee
from lakelock.check.forecast_text import foresight_text
from lakelock.check.sample import sample
from lakelock.errors import TableUnfit
from stack.ports import free_port

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/routed_batch"))

ALL = ("Postgres", "Kafka", "catalog and warehouse")
ENDS = "Nothing was changed. Correct the columns, or which records go to this table."
RULES = ("- {when: {event.type: hidden}, table: filter}", BY_TYPE)


def test_a_sample_shows_the_tables_that_it_would_make(fresh: World) -> None:
    ns = fresh.namespace
    with open_with(fresh, routed_file(fresh, *RULES)) as runtime:
        send(fresh, "push", "Pull-Request", "push", "hidden", "pull_request", None)
        shown = sample(runtime, 100).text.splitlines()
        assert shown[:2] == [
            "# route: of 6 sampled records, 3 would go to 2 tables, 1 would be filtered, and 2 would be dead letters without a "
            "table",
            f"#   {ns}.push: 2 rows (new table)",
        ]
        # Which one owns the name depends on the partition that is read first.
        assert shown[2].startswith(f"#   {ns}.pull_request: 1 row")
        assert any(line.startswith("#   dead letter: names of tables collide: 1 ") for line in shown)
        assert f"# {ns}.push: 2 sampled records of 1 Kafka partition" in shown
        assert shown.count("# would become 2 rows in 1 table partition, 0 dead letters") == 1
        results = preflight.run(runtime)
        assert not [r.fault for r in results if r.error is not None and r.name != "Spark"]
        assert "route: new" in foresight_text(foresee(runtime, ALL))


def test_the_columns_of_few_tables_are_shown_or_of_more_if_they_are_asked_for(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, *(f"t{n}" for n in range(7)))
        shown, more = sample(runtime, 100).text, sample(runtime, 100, is_long=True).text
    assert "# the columns of 2 more tables are not shown: --json shows those of up to 50 tables" in shown.splitlines()
    assert [text.count("1 sampled record of 1 Kafka partition") for text in (shown, more)] == [5, 7]
    assert "not shown" not in more


def test_an_edit_of_the_rules_is_compared_with_those_of_the_newest_batch(fresh: World) -> None:
    ns = fresh.namespace
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork", "push", "fork")
        write_next(runtime)
        commit(fresh, runtime)
        (tables,) = [r for r in preflight.run(runtime) if r.name == "tables"]
        assert f"{ns}.push carries this pipeline's ledger" in tables.detail
        assert "the rules changed" not in sample(runtime, 100).text
    edited = routed_file(fresh, "- {when: {event.type: fork}, table: '{ns}.forks'}", "- {table: '{ns}.{event.type}_x'}")
    with open_with(fresh, edited) as runtime:
        assert (
            "\n".join(
                [
                    "# the rules changed: 4 sampled records would go elsewhere than before",
                    f"#   tables added: {ns}.push_x, {ns}.forks",
                    f"#   tables that no longer get sampled records, with their number before: {ns}.push (2), {ns}.fork (2)",
                    f"#   tables left behind, because no rule makes their names any longer: {ns}.fork, {ns}.push",
                ]
            )
            in sample(runtime, 100).text
        )
        said = foresight_text(foresee(runtime, ALL))
        assert f"route: removed: [{ns}.{{event.type}}]; added: [event.type = fork -> {ns}.forks]" in said


def test_without_postgres_the_rules_are_tried_all_the_same(fresh: World) -> None:
    send(fresh, "push", "push")
    known = fresh.connections["lakelock_postgres"]
    fresh.connections["lakelock_postgres"] = connection(
        known.conn_id, "postgres", host="127.0.0.1", port=free_port(), login="lakelock", schema=known.schema
    )
    file = fresh.folder / f"{fresh.name}.yaml"
    file.write_text(routed_file(fresh, BY_TYPE))
    done = lakelock("check", file, "--sample", "10", environment=fresh.environment())
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"#   {fresh.namespace}.push: 2 rows (new table)" in done.stdout
    assert "tables: not checked: needs Postgres" in done.stdout
    assert "changes with the next run: unknown" in done.stdout


@pytest.mark.parametrize("edit", ["no route", "an entry"])
def test_a_file_that_the_next_run_refuses_does_not_pass(fresh: World, edit: str) -> None:
    ns, file = fresh.namespace, fresh.folder / f"{fresh.name}.yaml"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push")
        cycle(fresh, runtime)
    done = lakelock("check", file, environment=fresh.environment())
    assert "ok    route: 1 table made by rules so far; route.max_tables is 1,000" in done.stdout
    tables = f"tables: [{{name: {ns}.push, topics: [{fresh.topic}]}}]\n"
    without = f"source: {{topics: [{fresh.topic}]}}\ntables: [{{name: {ns}.other}}]\n"
    file.write_text(without if edit == "no route" else routed_file(fresh, BY_TYPE, tables=tables))
    # Only Spark is missing here.
    done = lakelock("check", file, environment=fresh.environment())
    refusal = "has no `route`" if edit == "no route" else f"names {ns}.push, but rules made this table"
    assert any(line.startswith("FAIL  route: ConfigFaults:") and refusal in line for line in done.stdout.splitlines())
    assert done.returncode == 1


def test_a_sample_shows_what_a_run_does_with_tables_that_are_there(fresh: World) -> None:
    ns, columns = fresh.namespace, pa.schema([("id", pa.int64()), ("event", pa.struct([("type", pa.string())]))])
    fresh.catalog.create_namespace_if_not_exists(ns)
    theirs = fresh.catalog.create_table(f"{ns}.theirs", columns)
    theirs.append(pa.Table.from_pylist([{"id": 99, "event": {"type": "before"}}], columns))
    fresh.catalog.create_table(f"{ns}.unfit", pa.schema([("_kafka_offset", pa.string())]))
    another = replace(fresh, name="another")
    text = routed_file(another, "- {when: {event.type: shared}, table: '{ns}.shared'}").replace(".letters", ".letters2")
    with open_with(another, text) as runtime:
        send(fresh, "shared")
        cycle(another, runtime)
    was_entry = f"tables: [{{name: {ns}.entry}}]"
    with open_with(fresh, f"source: {{topics: [{fresh.topic}]}}\n{was_entry}\n") as runtime:
        cycle(fresh, runtime)
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "theirs", "unfit", "new", "shared", "entry")
        shown = dict(
            line.removeprefix(f"#   {ns}.").split(": ", 1)
            for line in sample(runtime, 5).text.splitlines()
            if line.startswith(f"#   {ns}.")
        )
    assert shown["new"] == "1 row (new table)"
    assert shown["theirs"] == "1 row (exists; the run adds its rows to it)"
    assert shown["unfit"].startswith("1 row (its records wait (TableUnfit): ")
    assert shown["shared"].startswith("1 row (its records wait (TableUnfit): ")
    assert "from pipeline 'another'" in shown["shared"]
    assert shown["entry"] == "1 row (was an entry of `tables`, so the batch stops (ConfigFaults))"


def test_a_sample_whose_records_would_wait_or_stop_the_batch_is_wrong(fresh: World) -> None:
    ns, file = fresh.namespace, fresh.folder / f"{fresh.name}.yaml"
    fresh.catalog.create_namespace_if_not_exists(ns)
    fresh.catalog.create_table(f"{ns}.unfit", pa.schema([("_kafka_offset", pa.string())]))
    send(fresh, "a", "b", "unfit", None)

    def faults(*rules: str, rest: str = "") -> list[str]:
        file.write_text(routed_file(fresh, *rules, rest=rest))
        done = lakelock("check", file, "--sample", "10", "--json", environment=fresh.environment())
        (found,) = json.loads(done.stdout)["pipelines"]
        return [c["fault"] for c in found["checks"] if c["name"] == "sample"]

    (unfit,) = faults(BY_TYPE)
    assert unfit.startswith(f"TableUnfit: table {ns}.unfit: ")
    unfit, limit = faults(BY_TYPE, rest="  max_tables: 2")
    assert limit.startswith("RouteLimit: ")
    assert "the sampled records ask for 3 more" in limit
    hidden = "- {when: {event.type: unfit}, table: filter}"
    assert not faults(hidden, BY_TYPE)
    said = "none of its sampled records would become a row, and 1 record would become dead letters"
    found = faults(hidden, "- {table: '{ns}.{event.type}', columns: {id: boolean, event: string}}")
    assert sorted(found) == [f"TableUnfit: table {ns}.{name}: {said}. {ENDS}" for name in "ab"]
    (none,) = faults("- {table: '{ns}.{other}'}")
    assert none.startswith("ConfigFaults: all of 4 sampled records would become dead letters without a table. ")


def test_what_a_sample_shows_of_tables_that_are_there_comes_true(fresh: World) -> None:
    ns, columns = fresh.namespace, pa.schema([("id", pa.int64()), ("event", pa.struct([("type", pa.string())]))])
    fresh.catalog.create_namespace_if_not_exists(ns)
    fresh.catalog.create_table(f"{ns}.theirs", columns)
    fresh.catalog.create_table(f"{ns}.unfit", pa.schema([("_kafka_offset", pa.string())]))
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "theirs", "unfit", "new")
        with pytest.raises(TableUnfit):
            write_next(runtime)
        commit(fresh, runtime)
        assert (ids(fresh, "theirs"), ids(fresh, "new")) == ([0], [2])
        assert names(fresh) == ["letters", "new", "theirs", "unfit"]
        shown = sample(runtime, 5).text.splitlines()
        assert f"#   {ns}.theirs: 1 row" in shown
        assert f"#   {ns}.new: 1 row" in shown
        assert any(line.startswith(f"#   {ns}.unfit: 1 row (its records wait (TableUnfit): ") for line in shown)


def test_an_edit_is_compared_with_the_registered_rules_after_postgres_was_lost(
    fresh: World, new_log: Callable[[], str]
) -> None:
    ns = fresh.namespace
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
    postgres_of(fresh, new_log())
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        runtime.recovery("tester", take_over=True).recover()
        assert "the rules changed" not in sample(runtime, 10).text
    edited = routed_file(fresh, "- {when: {event.type: fork}, table: filter}", BY_TYPE)
    with open_with(fresh, edited) as runtime:
        shown = sample(runtime, 10).text
    assert "# the rules changed: 1 sampled record would go elsewhere than before" in shown
    assert f"#   tables that no longer get sampled records, with their number before: {ns}.fork (1)" in shown


def test_the_cost_is_of_as_many_tables_as_batches_have_records_for(fresh: World) -> None:
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "a", "b", "c", "d")
        found = foresee(runtime, ALL)
        assert [(t.table, t.count) for t in found.cost.tables] == [("*", 1.0)]
        assert "records for one routed table; `check --sample N` lists those" in foresight_text(found)
        cycle(fresh, runtime)
        send(fresh, "a", "a")
        cycle(fresh, runtime)
    with open_with(
        fresh, routed_file(fresh, BY_TYPE, tables=f"tables: [{{name: {fresh.table}, topics: []}}]")
    ) as runtime:
        found = foresee(runtime, ALL)
        assert [(t.table, t.count) for t in found.cost.tables] == [(fresh.table, 1.0), ("*", 2.5)]
        assert found.cost.marks is not None
        assert found.cost.marks.table == letters(fresh)
        of_one = found.cost.tables[0].requests
        assert found.cost.requests.all == pytest.approx(3.5 * of_one.all + found.cost.marks.requests.all)
        assert {s.task: s.a_day for s in found.cost.slots}["commit"] == 4 * found.cost.rhythm.runs
        text = foresight_text(found)
        assert "1 entry of tables and 2.5 routed tables, the mean of the newest batches" in text
        assert "for each of 3.5 tables" in text


def test_records_of_a_retired_table_are_dead_letters_in_the_sample_too(fresh: World) -> None:
    fork = f"{fresh.namespace}.fork"
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork")
        cycle(fresh, runtime)
        runtime.retiring.retire(fork, "tester", "no use", runtime.retiring.preview(fork).shown)
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        shown = sample(runtime, 10).text.splitlines()
    assert not any(line.startswith(f"#   {fork}:") for line in shown)
    assert f"#   {fresh.namespace}.push: 1 row" in shown
    assert any(line.startswith("#   dead letter: ") and "retired" in line for line in shown)
