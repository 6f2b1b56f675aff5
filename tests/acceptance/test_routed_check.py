"""`check` of a pipeline with routes: the tables that a sample would make, before and after a run, and after an edit."""

from __future__ import annotations

import pytest
from kits.forks import lakelock
from kits.routing import BY_TYPE, commit, routed_file, send
from kits.world import World, connection, open_with, write_next
from lakelock.check import preflight
from lakelock.check.forecast import foresee
from lakelock.check.forecast_text import foresight_text
from lakelock.check.sample import sample
from stack.ports import free_port

pytestmark = pytest.mark.drawn(0.35, about=("records/routing", "ingest/routed_batch"))

ALL = ("Postgres", "Kafka", "catalog and warehouse")
RULES = ("- {when: {event.type: hidden}, table: filter}", BY_TYPE)


def test_a_sample_shows_the_tables_that_it_would_make(fresh: World) -> None:
    ns = fresh.namespace
    with open_with(fresh, routed_file(fresh, *RULES)) as runtime:
        send(fresh, "push", "Pull-Request", "push", "hidden", "pull_request", None)
        shown = sample(runtime, 100).splitlines()
        assert shown[:2] == [
            "# route: of 6 sampled records, 3 would go to 2 tables, 1 would be filtered, and 2 would be dead letters without a "
            "table",
            f"#   {ns}.push: 2 rows (new table)",
        ]
        # Which one owns the name depends on the partition that is read first.
        assert shown[2].startswith(f"#   {ns}.pull_request: 1 row")
        assert any(line.startswith("#   dead letter: names of tables collide: 1 ") for line in shown)
        assert f"# {ns}.push: 2 sampled records of 1 Kafka partitions" in shown
        assert shown.count("# would become 2 rows in 1 table partition, 0 dead letters") == 1
        results = preflight.run(runtime)
        assert not [r.fault for r in results if r.error is not None and r.name != "Spark"]
        assert "route: new" in foresight_text(foresee(runtime, ALL))


def test_an_edit_of_the_rules_is_compared_with_those_of_the_newest_batch(fresh: World) -> None:
    ns = fresh.namespace
    with open_with(fresh, routed_file(fresh, BY_TYPE)) as runtime:
        send(fresh, "push", "fork", "push", "fork")
        write_next(runtime)
        commit(fresh, runtime)
        (tables,) = [r for r in preflight.run(runtime) if r.name == "tables"]
        assert f"{ns}.push carries this pipeline's ledger" in tables.detail
        assert "the rules changed" not in sample(runtime, 100)
    edited = routed_file(fresh, "- {when: {event.type: fork}, table: '{ns}.forks'}", "- {table: '{ns}.{event.type}_x'}")
    with open_with(fresh, edited) as runtime:
        assert "\n".join(
            [
                "# the rules changed: 4 sampled records would go elsewhere than before",
                f"#   tables added: {ns}.push_x, {ns}.forks",
                f"#   tables that no longer get sampled records, with their number before: {ns}.push (2), {ns}.fork (2)",
                f"#   tables left behind, because no rule makes their names any longer: {ns}.fork, {ns}.push",
            ]
        ) in sample(runtime, 100)
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
