"""Rules with predicates on real servers: a broker, Postgres, a catalog, and Spark, which evaluates them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from kits.forks import lakelock
from kits.here_writer import HereCopier, HereRedriver
from kits.recoveries import postgres_of
from kits.redrives import redrive
from kits.rollbacks import roll_back
from kits.routing import BY_TYPE, cycle, dead, ids, ledger, letters, names, routed_file, send
from kits.topics import delete_before
from kits.world import World, connection, open_with, write_next
from lakelock.app.redrive import PreviewRedrive
from lakelock.audit.audit_text import audit_text
from lakelock.check import preflight
from lakelock.check.sample import sample
from lakelock.errors import ConfigFaults
from lakelock.model.ledger import Mode
from lakelock.redrive.redrive_preview import RedriveRequest
from stack.ports import free_port

pytestmark = pytest.mark.drawn(0.5, about=("records/routing", "ingest/routed_batch", "app/evaluation"))

LARGE = "- {where: \"get_json_object(value, '$.n') > 100 and topic like '%'\", table: '{ns}.large'}"
FORKS = '- {when: {event.type: fork}, where: "partition = 1", table: filter}'


@pytest.fixture
def here(world: World) -> World:
    """Only what needs no Spark is done in this process."""
    world.copier, world.redriver = HereCopier(), HereRedriver()
    return world


def test_records_go_where_predicates_say_and_one_that_fails_is_a_dead_letter(here: World) -> None:
    with open_with(here, routed_file(here, FORKS, LARGE, BY_TYPE)) as runtime:
        shown = preflight.run(runtime)
        assert not [r.fault for r in shown if r.error is not None]
        assert [r.detail for r in shown if r.name == "SQL"] == ["2 predicates of rules"]
        send(here, "push", "push", n=5)
        send(here, "push", "push", n=500)
        send(here, "fork", "fork")
        send(here, "push", "push", n="many")
        said = sample(runtime, 100).text.splitlines()
        cycle(here, runtime)
        assert {name: ids(here, name) for name in ("large", "push", "fork")} == {
            "large": [2, 3],
            "push": [0, 1],
            "fork": [4],
        }
        found = dead(here)
        assert {(d["target_table"], d["stage"], d["kind"], d["reason"]) for d in found} == {
            ("*", "route", "predicate failed", "route.rules[1].where: its SQL fails for this record")
        }
        assert len(found) == 2
        ns = here.namespace
        assert said[0] == (
            "# route: of 8 sampled records, 5 would go to 3 tables, 1 would be filtered, and 2 would be dead letters without a table"
        )
        assert set(said[1:4]) == {
            f"#   {ns}.{t}: {n} (new table)" for t, n in (("push", "2 rows"), ("large", "2 rows"), ("fork", "1 row"))
        }
        assert "#   filtered by route.rules[0]: 1" in said
        assert any(line.startswith("#   dead letter: `route.rules[1].where`: predicate failed: 2 ") for line in said)
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_rules_of_rows_and_of_records_go_together(here: World) -> None:
    """Routed tables have derived columns and checks beside the predicates of their rules."""
    rule = (
        "- {where: \"get_json_object(value, '$.n') > 0\", table: '{ns}.{event.type}', "
        "columns: {id: long, n: long, half: {type: double, sql: 'n / 2'}}, new_fields: ignore, "
        "checks: {small: {sql: 'n < 100', on_fail: filter}}}"
    )
    with open_with(here, routed_file(here, rule, "- {table: filter}")) as runtime:
        for n in (1, 200, 0, 3):
            send(here, "push", "fork", n=n)
        cycle(here, runtime)
        assert (ids(here, "push"), ids(here, "fork")) == ([0, 6], [1, 7])
        rows = here.catalog.load_table(f"{here.namespace}.push").scan().to_arrow().to_pylist()
        assert sorted((r["n"], r["half"]) for r in rows) == [(1, 0.5), (3, 1.5)]
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_records_are_read_again_under_the_predicates_that_routed_them(here: World) -> None:
    with open_with(here, routed_file(here, LARGE, BY_TYPE)) as runtime:
        for n in (5, 500, 500):
            send(here, "push", "push", n=n)
            cycle(here, runtime)
        assert (ids(here, "large"), ids(here, "push")) == ([2, 3, 4, 5], [0, 1])
    edited = LARGE.replace("> 100", "> 1")
    with open_with(here, routed_file(here, edited, BY_TYPE)) as runtime:
        roll_back(runtime, f"{here.namespace}.large", "last:1", Mode.REPLAY)
        send(here, "push", "push", n=5)
        for _ in range(3):
            cycle(here, runtime)
        assert (ids(here, "large"), ids(here, "push")) == ([2, 3, 4, 5, 6, 7], [0, 1])
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_a_lost_postgres_is_rebuilt_with_the_predicates_of_then(here: World, new_log: Callable[[], str]) -> None:
    text = routed_file(here, LARGE, BY_TYPE)
    with open_with(here, text) as runtime:
        send(here, "push", "push", n=500)
        cycle(here, runtime)
        mark = ledger(runtime, letters(here)).mark
        assert mark is not None
        for partition, (_, coverage) in enumerate(sorted(mark.items())):
            delete_before(here, partition, coverage.prefix_end)
        send(here, "push", "fork", n=500)
        write_next(runtime)
        cycle(here, runtime)
    postgres_of(here, new_log())
    with open_with(here, text) as runtime:
        runtime.recovery("tester", take_over=True).recover()
    with open_with(here, text) as runtime:
        assert runtime.recovery("tester").preview() == []
        send(here, "fork", "fork", n=5)
        for _ in range(2):
            cycle(here, runtime)
        assert (ids(here, "large"), ids(here, "fork")) == ([0, 1, 2, 3], [4, 5])
        assert names(here) == ["fork", "large", "letters"]
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_a_predicate_that_spark_refuses_stops_the_batch_until_it_is_corrected(here: World) -> None:
    wrong = LARGE.replace("topic like '%'", "array_size(value) > 1")
    with open_with(here, routed_file(here, wrong, BY_TYPE)) as runtime:
        (sql,) = [r for r in preflight.run(runtime) if r.name == "SQL"]
        assert isinstance(sql.error, ConfigFaults)
        send(here, "push", "push", n=500)
        with pytest.raises(ConfigFaults, match=r"route\.rules\[0\]\.where: Spark refuses its SQL"):
            cycle(here, runtime)
    with open_with(here, routed_file(here, LARGE, BY_TYPE)) as runtime:
        cycle(here, runtime)
        assert (ids(here, "large"), names(here)) == ([0, 1], ["large", "letters"])


def test_dead_letters_without_a_table_go_where_predicates_say(here: World) -> None:
    """They see what a batch sees: key, headers, topic, partition, offset, timestamp and the decompressed value."""
    only = routed_file(here, "- {when: {event.type: push}, table: '{ns}.push'}")
    with open_with(here, only) as runtime:
        send(here, "push", "fork", "fork", "fork", n=500)
        send(here, "fork", "fork", n="many")
        cycle(here, runtime)
        assert (ids(here, "push"), len(dead(here))) == ([0], 5)
    sees = "offset > 0 and timestamp > timestamp'2020-01-01' and headers is null and key is null and topic like '%'"
    large = f"- {{where: \"get_json_object(value, '$.n') > 100 and partition < 2 and {sees}\", table: '{{ns}}.large'}}"
    with open_with(here, routed_file(here, large, BY_TYPE)) as runtime:
        (planned,) = runtime.run(PreviewRedrive(RedriveRequest("*")))
        ns = here.namespace
        assert [line for line in planned.lines if line.startswith("*: ")][2:] == [
            f"*: 2 of the 5 that were tried now go to {ns}.large, a new table",
            f"*: 1 of the 5 that were tried now go to {ns}.fork, a new table",
            "*: still without a table: `route.rules[0].where`: predicate failed: 2",
        ]
        redrive(runtime)
        assert (ids(here, "large"), ids(here, "fork"), ids(here, "push")) == ([2, 3], [1], [0])
        audited = runtime.audit()
        assert audited.complete, audit_text(audited)


def test_another_table_gets_the_records_of_its_predicate(here: World) -> None:
    with open_with(here, routed_file(here, LARGE, BY_TYPE)) as runtime:
        send(here, "push", "push", n=500)
        send(here, "push", "push", n=5, small=True)
        cycle(here, runtime)
        name = f"{here.namespace}.large"
        here.catalog.drop_table(name)
        runtime.rebinding.rebind(name, False, "tester", "a test")
        for _ in range(3):
            cycle(here, runtime)
        assert ids(here, "large") == [0, 1]
        assert "small" not in here.catalog.load_table(name).schema().column_names


def test_without_spark_a_sample_says_that_rules_are_not_evaluated(here: World) -> None:
    send(here, "push", "push", n=1)
    known = here.connections["spark_default"]
    here.connections["spark_default"] = connection(
        known.conn_id, known.conn_type, host="sc://127.0.0.1", port=free_port()
    )
    file = here.folder / f"{here.name}.yaml"
    file.write_text(routed_file(here, LARGE, BY_TYPE))
    done = lakelock("check", file, "--sample", "10", environment=here.environment())
    assert "# route: the predicates of its rules are not evaluated: needs Spark" in done.stdout
    assert "SQL: not checked: needs Spark" in done.stdout
