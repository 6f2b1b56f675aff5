"""Routes in pipeline files, and pipelines with tables that rules made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lakelock.check.overruled_text import overruled_notes
from lakelock.config import Pipeline, load_pipeline
from lakelock.config.described_tables import described_tables
from lakelock.config.planned_dags import commit_groups
from lakelock.errors import ConfigFaults
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import Predicate, Router, RouteRule

SOURCE = "source: {topics: [events, audit.log, tenant_a]}\n"
ROUTED = (
    SOURCE
    + """
table_defaults: {partition_by: ['day(ts)'], properties: {a: '1'}, topics: []}
route:
  rules:
    - {topics: [audit.log], table: lake.audit, partition_by: []}
    - {topics_regex: 'tenant_(.*)', table: 'raw.{topic.1}', properties: {b: '2'}}
    - {when: {action: [deleted], n: [1, 1.5, true, 1]}, table: filter}
    - {when: {event.kind: push}, table: [lake.push, lake.all]}
    - {table: 'lake.{event.type}', location: 's3://bucket/{namespace}/{table}_x', id_columns: [id]}
  otherwise: lake.rest
  max_tables: 50
"""
)
MIXED = SOURCE + "tables: [{name: lake.audit, topics: [audit.log]}]\nroute: {rules: [{table: 'lake.{type}'}], %s}\n"


def loaded(folder: Path, text: str, defaults: str = "") -> Pipeline:
    (folder / "p.yaml").write_text(text, encoding="utf-8")
    if defaults:
        (folder / "_defaults.yaml").write_text(defaults, encoding="utf-8")
    return load_pipeline(folder / "p.yaml", {})


def faults_of(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigFaults) as raised:
        loaded(folder, text)
    return [line.strip() for line in str(raised.value).splitlines()[1:]]


def test_the_router_has_the_rules_in_order_and_otherwise_last(tmp_path: Path) -> None:
    router = loaded(tmp_path, ROUTED).router
    assert router is not None
    assert router.rules == (
        RouteRule("tables", ("lake.audit",), topics=("audit.log",)),
        RouteRule("tables", ("raw.{topic.1}",), topics_regex="tenant_(.*)"),
        RouteRule("filter", when=(("action", ("deleted",)), ("n", ("1", "1.5", "true")))),
        RouteRule("tables", ("lake.push", "lake.all"), when=(("event.kind", ("push",)),)),
        RouteRule("tables", ("lake.{event.type}",)),
        RouteRule("tables", ("lake.rest",)),
    )
    assert router == Router(router.rules, {}, frozenset(("lake.p__dead_letters",)), max_tables=50, format="json")


def test_table_defaults_lie_under_each_rule_that_makes_tables(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, ROUTED)
    route = pipeline.route
    assert route is not None
    assert [rule.partition_by for rule in route.all_rules] == [(), ("day(ts)",), (), *[("day(ts)",)] * 3]
    assert [dict(rule.properties) for rule in route.all_rules] == [
        {"a": "1"},
        {"a": "1", "b": "2"},
        {},
        *[{"a": "1"}] * 3,
    ]
    assert route.max_tables == 50
    described = {".".join(map(str, at)): table.name for at, table in described_tables(pipeline)}
    assert described["route.rules.1"] == "raw.{topic.1}"
    assert described["route.otherwise"] == "lake.rest"
    assert "route.rules.2" not in described


def test_a_route_survives_json(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, ROUTED)
    again = Pipeline.from_resolved(json.loads(json.dumps(pipeline.resolved())))
    assert again.route == pipeline.route
    assert again.router == pipeline.router
    assert again.digest == pipeline.digest


def test_a_pipeline_without_a_route_has_the_digest_that_it_always_had(tmp_path: Path) -> None:
    path = tmp_path / "flights.yaml"
    path.write_text("source: {topics: [flights]}\ntables: [{name: demo.flights}]\n", encoding="utf-8")
    pipeline = load_pipeline(path, {})
    assert "route" not in pipeline.resolved()
    assert pipeline.digest == "14ae56a9645b2a52a52c797896147eb479e72befdb4a35819ae4c5a7f1337745"
    assert pipeline.router is None
    assert pipeline.with_routed({"demo.x": "demo.x"}) is pipeline


def test_a_routed_table_has_the_settings_of_the_rule_that_names_it_or_of_the_first_that_could_have_made_it(
    tmp_path: Path,
) -> None:
    file = loaded(tmp_path, ROUTED)
    names = {
        "lake.audit": "lake.audit",
        "raw.a_b": "raw.a.b",
        "lake.push": "lake.push",
        "lake.pull_request": "lake.Pull-Request",
        "lake.rest": "lake.rest",
        "lake.re_st": "lake.re-st",
        "old.gone": "old.Gone",
    }
    pipeline = file.with_routed(names)
    assert [t.name for t in pipeline.tables] == list(names)
    assert not file.tables
    assert pipeline.table("lake.audit").partition_by == ()
    assert dict(pipeline.table("raw.a_b").properties) == {"a": "1", "b": "2"}
    assert pipeline.table("raw.a_b").partition_by == ("day(ts)",)
    assert pipeline.table("lake.push").location is None
    made = pipeline.table("lake.pull_request")
    assert (made.location, made.id_columns) == ("s3://bucket/lake/pull_request_x", ("id",))
    # `lake.{event.type}` could have made it, too, and is before otherwise, which names it.
    assert pipeline.table("lake.rest").id_columns == ()
    assert pipeline.table("lake.re_st").id_columns == ("id",)
    other_value = file.with_routed({"lake.rest": "lake.Rest"})
    assert other_value.table("lake.rest").id_columns == ("id",)
    assert pipeline.table("old.gone").partition_by == ()
    assert pipeline.table("old.gone") == type(made)(name="old.gone")
    assert all(map(pipeline.is_routed, names))
    assert not pipeline.is_routed("lake.other")
    assert not file.is_routed("lake.audit")
    with pytest.raises(KeyError):
        pipeline.table("lake.other")


def test_a_pipeline_with_routed_tables_is_that_of_the_file(tmp_path: Path) -> None:
    file = loaded(tmp_path, ROUTED)
    pipeline = file.with_routed({"lake.x": "lake.X"})
    assert (pipeline.resolved(), pipeline.digest) == (file.resolved(), file.digest)
    assert pipeline.dead_letter_table == file.dead_letter_table == "lake.p__dead_letters"
    more = pipeline.with_routed({"lake.y": "lake.Y"})
    assert [t.name for t in more.tables] == ["lake.y"]
    assert more.router is not None
    assert more.router.known == {"lake.y": "lake.Y"}
    assert more.digest == file.digest
    assert [t.name for _, t in described_tables(more)] == [t.name for _, t in described_tables(file)]


def test_topics_that_may_feed_a_routed_table(tmp_path: Path) -> None:
    source = "source: {topics_regex: '.*'}\n"
    rules = (
        "route:\n  rules:\n    - {topics: [audit.log], table: lake.audit}\n"
        "    - {topics_regex: 'tenant_(?P<who>[^.]*)(x.*)?', table: 'raw.{topic.who}_{kind}'}\n"
        "    - {when: {a: 1}, table: 'raw.{topic}'}\n"
        "    - {topics: [u], table: 'lake.{kind}'}\n"
    )
    pipeline = loaded(tmp_path, source + rules).with_routed(
        {
            "lake.audit": "lake.audit",
            "raw.a_push": "raw.A_push",
            "raw.b": "raw.b",
            "lake.push": "lake.push",
            "lake.z_z": "lake.z-z",
        }
    )
    topics = ("audit.log", "tenant_A", "tenant_a", "tenant_A_push", "A_push", "b", "u")
    feeds = {t.name: {topic for topic in topics if pipeline.feeds(t.name, topic)} for t in pipeline.tables}
    assert feeds == {
        "lake.audit": {"audit.log", "u"},
        "raw.a_push": {"tenant_A", "A_push"},
        "raw.b": {"b"},
        "lake.push": {"u"},
        "lake.z_z": {"u"},
    }
    assert pipeline.takes(pipeline.table("raw.b"), "b")
    assert not pipeline.feeds("raw.c", "c")


def test_entries_of_tables_take_their_topics_as_before(tmp_path: Path) -> None:
    pipeline = loaded(tmp_path, MIXED % "otherwise: dead_letter")
    router = pipeline.router
    assert router is not None
    assert router.taken == {"lake.audit", "lake.p__dead_letters"}
    # A record of the audit table's topic that no rule fits is no dead letter, and one that a rule fits goes to both.
    assert route(router, "audit.log", None, (), b"{}").filtered
    assert [t.name for t in route(router, "audit.log", None, (), b'{"type": "x"}').tables] == ["lake.x"]
    assert route(router, "events", None, (), b"{}").reason is not None
    routed = pipeline.with_routed({"lake.audit": "lake.Audit", "lake.x": "lake.x"})
    assert [t.name for t in routed.tables] == ["lake.audit", "lake.x"]
    assert not routed.is_routed("lake.audit")
    assert routed.feeds("lake.audit", "audit.log")
    assert not routed.feeds("lake.audit", "events")
    assert routed.feeds("lake.x", "events")


def test_a_table_of_all_topics_leaves_nothing_for_otherwise(tmp_path: Path) -> None:
    text = SOURCE + "tables: [{name: lake.raw}]\nroute: {rules: [{table: 'lake.{type}'}]}\n"
    router = loaded(tmp_path, text).router
    assert router is not None
    assert router.rules[-1] == RouteRule("filter")


def test_tables_may_be_absent_with_a_route(tmp_path: Path) -> None:
    text = SOURCE + "route: {rules: [{table: 'lake.raw.{type}'}]}\n"
    assert loaded(tmp_path, text).dead_letter_table == "lake.raw.p__dead_letters"
    pipeline = loaded(tmp_path, "tables: []\n" + text)
    assert pipeline.tables == ()
    assert [name for group in commit_groups(pipeline) for name in group] == ["lake.raw.p__dead_letters"]


def rule(text: str, more: str = "") -> str:
    return f"{SOURCE}{more}route:\n  rules:\n    - {text}\n"


# One case a line: the fault, the file, the report.
CASES = {
    "no rules": (SOURCE + "route: {rules: []}\n", "p.yaml:2: route.rules: must not be empty"),
    "no table": (rule("{topics: [events]}"), "p.yaml:4: route.rules[0]: table is missing"),
    "a table of a number": (rule("{table: 5}"), "p.yaml:4: route.rules[0].table: must be a table, a list of tables, filter"),
    "a table of no level": (rule("{table: events}"), "p.yaml:4: route.rules[0].table: 'events' must be namespace.table"),
    "a table twice": (rule("{table: [a.b, a.b]}"), "route.rules[0].table: has a table twice"),
    "filter and a table": (rule("{table: [a.b, filter]}"), "route.rules[0].table: filter stands alone, without tables"),
    "an unknown placeholder": (rule("{table: 'a.{key.x}'}"), "p.yaml:4: route.rules[0].table: {key.x}: the key is a text"),
    "a name that is too long": (rule(f"{{table: a.{'x' * 129}}}"), "has a level that is longer than 128 characters"),
    "a group without a regex": (rule("{table: 'a.{topic.1}'}"), "p.yaml:4: route.rules[0].table: {topic.1} is a group of topics_regex, which this rule does not have; for a field, write {value.topic.1}"),
    "an unknown group": (rule("{topics_regex: 'ev(.*)', table: 'a.{topic.2}'}"), "p.yaml:4: route.rules[0].table: topics_regex has no group '2'"),
    "an unknown group by name": (rule("{topics_regex: 'ev(.*)', when: {topic.x: a}, table: a.b}"), "p.yaml:4: route.rules[0].when.topic.x: topics_regex has no group 'x'"),
    "a bad regex": (rule("{topics_regex: '(', table: a.b}"), "p.yaml:4: route.rules[0].topics_regex: not a regular expression"),
    "an unknown topic": (rule("{topics: [b], table: a.b}"), "p.yaml:4: route.rules[0].topics: topic 'b' is not in source.topics"),
    "a regex of no topic": (rule("{topics_regex: b, table: a.b}"), "p.yaml:4: route.rules[0].topics_regex: matches none of source.topics"),
    "when in braces": (rule("{when: {'{event.kind}': a}, table: a.b}"), "p.yaml:4: route.rules[0].when.{event.kind}: keys of when have no braces: write event.kind"),
    "a predicate that is no SQL": (rule("{where: 'a >', table: a.b}"), "p.yaml:4: route.rules[0].where: is no SQL expression: "),
    "a predicate of the clock": (rule("{where: 'now() > timestamp', table: a.b}"), "p.yaml:4: route.rules[0].where: function now is not allowed: its result depends on the time of the run"),
    "a predicate by chance": (rule("{where: 'rand() > 0.5', table: a.b}"), "p.yaml:4: route.rules[0].where: function rand is not allowed: its result is random"),
    "a predicate of several records": (rule("{where: 'count(*) > 1', table: a.b}"), "p.yaml:4: route.rules[0].where: must name its columns, without *"),
    "a query": (rule("{where: 'offset in (select 1)', table: a.b}"), "p.yaml:4: route.rules[0].where: must not query"),
    "a predicate of a field": (rule("{where: kind = 'a', table: a.b}"), "p.yaml:4: route.rules[0].where: uses column 'kind', and records have key, value, topic, partition, offset, timestamp, headers; for a field of the value, write get_json_object(value, '$.kind')"),
    "a predicate in upper case": (rule("{where: Value is null, table: a.b}"), "p.yaml:4: route.rules[0].where: uses column 'Value', and records have key, value, topic, partition, offset, timestamp, headers; it is written 'value'"),
    "a predicate of otherwise": (rule("{topics: [events], table: a.b}\n  otherwise: {table: filter, where: key = 'a'}"), "p.yaml:5: route.otherwise.where: otherwise is for all records"),
    "a predicate for all tables": (rule("{table: a.b}", "table_defaults: {where: a = 1}\n"), "p.yaml:2: table_defaults.where: with a route, this would not be for the tables of its rules, whose where is of records"),
    "when without a value": (rule("{when: {type: }, table: a.b}"), "p.yaml:4: route.rules[0].when.type: must be a text, number or boolean"),
    "when with no values": (rule("{when: {type: []}, table: a.b}"), "p.yaml:4: route.rules[0].when.type: must be a text, number or boolean"),
    "when of no placeholder": (rule("{when: {header: a}, table: a.b}"), "p.yaml:4: route.rules[0].when.header: {header} needs a name"),
    "a field of text": (rule("{table: 'a.{type}'}", "value: {format: raw}\n"), "p.yaml:5: route.rules[0].table: {type} is a field, and values of value.format raw have none"),
    "a condition on text": (rule("{when: {type: a}, table: a.b}", "value: {format: csv, csv: {columns: [kind]}}\n"), "route.rules[0].when.type: {type}: there is no field 'type' in value.csv.columns"),
    "settings of filter": (rule("{table: filter, partition_by: [a]}", "tables: [{name: a.b, topics: [events]}]\n"), "p.yaml:5: route.rules[0].partition_by: has no effect with table: filter"),
    "a bad partitioning": (rule("{table: a.b, partition_by: ['days(']}"), "p.yaml:4: route.rules[0].partition_by[0]: "),
    "an unknown column": (rule("{table: 'a.{type}', columns: {a: int}, sort_by: [b]}"), "p.yaml:4: route.rules[0].sort_by: column 'b' is not declared"),
    "bad SQL": (rule("{table: 'a.{type}', columns: {a: int}, checks: {c: z > 0}}"), "p.yaml:4: route.rules[0].checks"),
    "an entry of tables": (rule("{table: a.b}", "tables: [{name: a.b, topics: [events]}]\n"), "p.yaml:5: route.rules[0].table: a.b is an entry of tables"),
    "the dead-letter table": (rule("{table: a.p__dead_letters}"), "p.yaml:4: route.rules[0].table: a.p__dead_letters is the dead-letter table"),
    "dead letters of many namespaces": (rule("{table: '{type}.b'}"), "p.yaml:3: route.rules: dead_letters.table is needed, because the namespace of the first table, {type}, has a placeholder"),
    "nothing but filters": (rule("{table: filter}"), "p.yaml:3: route.rules: no rule names a table, and there are no tables"),
    "one place for many tables": (rule("{table: 'a.{type}', location: s3://a/b}"), "p.yaml:4: route.rules[0].location: must contain {table}, because"),
    "one place for many namespaces": (rule("{table: [a.b, c.b], location: 's3://{table}'}"), "p.yaml:4: route.rules[0].location: must contain {namespace}, because"),
    "other settings": (rule("{topics: [events], table: a.b}\n    - {table: a.b, sort_by: [x]}"), "p.yaml:5: route.rules[1].sort_by: sort_by: a.b has the settings of route.rules[0]"),
    "too few tables": (rule("{table: [a.b, a.c]}\n  max_tables: 1"), "p.yaml:5: route.max_tables: the rules name 2 tables already"),
    "no tables at all": (rule("{table: a.b}\n  max_tables: 0"), "p.yaml:5: route.max_tables: must be greater than or equal to 1"),
    "a condition of otherwise": (rule("{topics: [events], table: a.b}\n  otherwise: {table: filter, when: {a: b}}"), "p.yaml:5: route.otherwise.when: otherwise is for all records"),
    "otherwise after all": (rule("{when: {a: b}, table: a.b}\n  otherwise: filter", "tables: [{name: a.c}]\n"), "p.yaml:6: route.otherwise: has no effect: it is for records that go to no table, and tables[0] takes all"),
    "hours": (rule("{table: a.b}", "publish: {max_lateness: 5m}\n"), "p.yaml:2: publish.max_lateness: complete hours are not reported for the tables of a route"),
    "a key too many": (rule("{table: a.b, name: a.b}"), "route.rules[0].name: unknown key 'name'"),
    "a slip": (rule("{tabel: a.b}"), "did you mean 'table'?"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_fault_is_reported_with_its_place_and_cure(tmp_path: Path, case: str) -> None:
    text, report = CASES[case]
    assert any(report in line for line in faults_of(tmp_path, text)), faults_of(tmp_path, text)


PAYMENTS = "{where: \"value like 'pay%'\", table: 'a.{type}', columns: {id: long}}"
OVERRULED = {
    "the same template": ("{when: {kind: x}, table: 'a.{type}'}", PAYMENTS, "a.{type}"),
    "an override": (PAYMENTS, "{table: 'a.{type}', columns: {other: int}}", "a.{type}"),
    "another placeholder": ("{table: 'a.{type}'}", "{table: 'a.{kind}', columns: {id: long}}", "a.{kind}"),
    "another topic": (
        "{topics: [events], table: 'a.{x}'}",
        "{topics: [tenant_a], table: 'a.{x}', columns: {i: int}}",
        "a.{x}",
    ),
    "a narrower template": ("{table: 'a.{type}'}", "{table: 'a.pay_{kind}', columns: {id: long}}", "a.pay_{kind}"),
    "one of two tables": ("{table: 'a.{type}'}", "{table: [b.all, 'a.x{kind}'], columns: {id: long}}", "a.x{kind}"),
}
APPLIED = {
    "a name without placeholders": ("{table: 'a.{type}'}", "{when: {kind: x}, table: a.pay, columns: {id: long}}"),
    "a narrower template that is first": (
        "{table: 'a.pay_{kind}', columns: {id: long}}",
        "{table: 'a.{type}', sort_by: [x]}",
    ),
    "another namespace": ("{table: 'a.{type}'}", "{table: 'b.{kind}', columns: {id: long}}"),
    "upper case": ("{table: 'a.{type}'}", "{table: 'a.P{kind}', columns: {id: long}}"),
    "the same settings": (PAYMENTS, "{table: 'a.{type}', columns: {id: long}}"),
    "no settings": (PAYMENTS, "{table: 'a.{type}'}"),
    "values that repeat": ("{table: 'a.{type}_{type}'}", "{table: 'a.{kind}_{other}', columns: {id: long}}"),
}


def two_rules(first: str, second: str, more: str = "") -> str:
    return f"{SOURCE}{more}dead_letters: {{table: d.d}}\nroute:\n  rules:\n    - {first}\n    - {second}\n"


@pytest.mark.parametrize("case", OVERRULED)
def test_settings_that_no_table_would_have_are_refused(tmp_path: Path, case: str) -> None:
    first, second, template = OVERRULED[case]
    (fault,) = faults_of(tmp_path, two_rules(first, second))
    assert fault.startswith(
        f"p.yaml:6: route.rules[1].columns: columns: never applies to {template}: route.rules[0] could make all of these names, "
    )
    assert "Write them at route.rules[0], or route to names of another namespace" in fault


@pytest.mark.parametrize("case", APPLIED)
def test_settings_of_rules_that_do_not_conflict(tmp_path: Path, case: str) -> None:
    loaded(tmp_path, two_rules(*APPLIED[case]))


def test_a_rule_without_settings_of_its_own_may_share_names_whatever_the_table_defaults_are(tmp_path: Path) -> None:
    first, second = "{when: {kind: x}, table: 'a.{type}', partition_by: []}", "{table: 'a.{kind}'}"
    defaults = "table_defaults: {partition_by: ['day(ts)']}\n"
    route = loaded(tmp_path, two_rules(first, second, defaults)).route
    assert overruled_notes(route) == [
        "warning: tables of route.rules[1] (a.{kind}) have the settings of route.rules[0], which could make all of their names"
    ]
    (fault,) = faults_of(tmp_path, two_rules(first, "{table: 'a.{kind}', partition_by: ['hour(ts)']}", defaults))
    assert fault.startswith("p.yaml:7: route.rules[1].partition_by: partition_by: never applies to a.{kind}")
    assert not overruled_notes(loaded(tmp_path, two_rules(first, "{table: 'b.{kind}'}", defaults)).route)
    assert not overruled_notes(None)


def test_table_defaults_that_are_wrong_make_no_second_fault(tmp_path: Path) -> None:
    defaults = "table_defaults: {partition_by: ['days(']}\n"
    (fault,) = faults_of(tmp_path, two_rules("{table: 'a.{x}'}", "{table: 'a.{y}', sort_by: [x]}", defaults))
    assert "table_defaults.partition_by[0]" in fault


REACHED = {
    "other topics": ("{topics: [events], table: a.b}", "{table: a.c}"),
    "a topic that is left": ("{topics: [events], table: a.b}", "{topics: [events, tenant_a], table: a.c}"),
    "a value that may be missing": ("{table: 'a.{type}'}", "{table: a.c}"),
    "a key that may be missing": ("{table: 'a.{key}'}", "{table: a.c}"),
    "another value": ("{when: {a: [b, c]}, table: a.b}", "{when: {a: [c, d]}, table: a.c}"),
    "fewer conditions": ("{when: {a: b, c: d}, table: a.b}", "{when: {a: b}, table: a.c}"),
    "a predicate": ("{where: offset > 1, table: a.b}", "{table: a.c}"),
    "another predicate": ("{where: offset > 1, table: a.b}", "{where: offset > 2, table: a.c}"),
    "a group that takes no part": ("{topics_regex: 'e(x)?.*', table: 'a.{topic.1}'}", "{topics: [events], table: a.c}"),
}
UNREACHED = {
    "all": ("{table: a.b}", "{when: {a: b}, table: a.c}"),
    "the topic's name": ("{table: 'a.{topic}'}", "{table: a.c}"),
    "a topic": ("{topics: [events], table: a.b}", "{topics: [events], when: {x: y}, table: a.c}"),
    "a topic by regex": ("{topics_regex: 'e.*', table: a.b}", "{topics: [events], table: a.c}"),
    "every topic by regex": ("{topics_regex: '.*', table: a.b}", "{table: a.c}"),
    "a filter": ("{when: {a: b}, table: filter}", "{when: {a: b, c: d}, table: a.c}"),
    "more values": ("{when: {a: [b, c]}, table: a.b}", "{when: {a: c}, table: a.c}"),
    "the same field": ("{table: 'a.{type}'}", "{table: 'b.{type}'}"),
    "the same predicate": ("{where: offset > 1, table: a.b}", "{where: offset > 1, when: {a: b}, table: a.c}"),
    "a predicate after all": ("{table: a.b}", "{where: offset > 1, table: a.c}"),
    "a field that has a value": ("{table: 'a.{type}'}", "{when: {type: x}, table: a.c}"),
}


@pytest.mark.parametrize("case", REACHED)
def test_a_rule_that_records_get_to(tmp_path: Path, case: str) -> None:
    first, second = REACHED[case]
    loaded(tmp_path, f"{SOURCE}dead_letters: {{table: d.d}}\nroute:\n  rules:\n    - {first}\n    - {second}\n")


@pytest.mark.parametrize("case", UNREACHED)
def test_a_rule_that_no_record_gets_to(tmp_path: Path, case: str) -> None:
    first, second = UNREACHED[case]
    text = f"{SOURCE}dead_letters: {{table: d.d}}\nroute:\n  rules:\n    - {first}\n    - {second}\n"
    report = "p.yaml:6: route.rules[1]: no record gets to this rule: route.rules[0] fits all of its records"
    assert faults_of(tmp_path, text) == [report]


def test_two_rules_may_take_all_of_a_third(tmp_path: Path) -> None:
    rules = "[{topics: [events], table: a.b}, {topics_regex: '[at].*', table: a.c}, {table: a.d}]"
    (fault,) = faults_of(tmp_path, f"{SOURCE}route: {{rules: {rules}}}\n")
    assert fault.endswith("route.rules[0] and route.rules[1] fit all of its records")


@pytest.mark.parametrize(
    ("first", "second", "is_reached"),
    [
        ("{topics_regex: 'a.*', table: a.b}", "{topics_regex: 'a.*', when: {x: 1}, table: a.c}", False),
        ("{topics_regex: 'a.*', table: a.b}", "{topics_regex: 'ab.*', table: a.c}", True),
        ("{topics_regex: 'a.*', table: a.b}", "{topics: [ab], table: a.c}", False),
        ("{topics_regex: 'a.*', table: a.b}", "{topics: [ab, b], table: a.c}", True),
        ("{topics_regex: 'a.*', table: a.b}", "{topics: [b], topics_regex: 'a.*', table: a.c}", True),
        ("{topics: [a], table: a.b}", "{table: a.c}", True),
        ("{table: a.b}", "{topics: [a], topics_regex: x, table: a.c}", False),
    ],
)
def test_rules_for_topics_that_no_file_lists(tmp_path: Path, first: str, second: str, *, is_reached: bool) -> None:
    text = f"source: {{topics_regex: '.*'}}\nroute:\n  rules:\n    - {first}\n    - {second}\n"
    if is_reached:
        loaded(tmp_path, text)
    else:
        assert "no record gets to this rule" in faults_of(tmp_path, text)[0]


def test_all_faults_of_a_route_are_reported_at_once(tmp_path: Path) -> None:
    text = (
        f"{SOURCE}route:\n  max_tables: 1\n  rules:\n"
        "    - {topics: [x], table: a.b}\n    - {table: 'a.{topic.1}'}\n    - {table: a.c, id_columns: [z], columns: {y: int}}\n"
    )
    assert [line.partition(" ")[0] for line in faults_of(tmp_path, text)] == [
        "p.yaml:3:",
        "p.yaml:5:",
        "p.yaml:6:",
        "p.yaml:7:",
    ]


def test_a_wrong_table_hides_no_other_fault(tmp_path: Path) -> None:
    text = (
        "source: {topics: [events]}\nroute:\n  rules:\n"
        "    - {table: events, when: {'{kind}': a}, topics: [x], where: kind > 1, columns: {y: int}, id_columns: [z]}\n"
        "    - {topics: [x], partition_by: ['days(']}\n"
        "    - {table: [a.b, filter], topics_regex: '('}\n"
        "    - {table: a.{b, location: s3://a}\n"
        "    - {table: a.c, where: kind = 1}\n"
        "  otherwise: {table: 5, when: {a: b}, columns: {y: int}, sort_by: [z]}\n"
    )
    assert [
        line.removeprefix("p.yaml:").split(": ")[:2] for line in faults_of(tmp_path, text.replace("a.{b,", "'a.{b',"))
    ] == [
        ["4", "route.rules[0].when.{kind}"],
        ["4", "route.rules[0].table"],
        ["4", "route.rules[0].topics"],
        ["4", "route.rules[0].where"],
        ["4", "route.rules[0].id_columns"],
        ["5", "route.rules[1].partition_by[0]"],
        ["5", "route.rules[1]"],
        ["5", "route.rules[1].topics"],
        ["6", "route.rules[2].table"],
        ["6", "route.rules[2].topics_regex"],
        ["7", "route.rules[3].table"],
        ["8", "route.rules[4].where"],
        ["9", "route.otherwise.table"],
        ["9", "route.otherwise.when"],
        ["9", "route.otherwise.sort_by"],
    ]


def test_a_predicate_is_of_records_and_not_of_the_rows_of_tables(tmp_path: Path) -> None:
    file = loaded(
        tmp_path,
        rule("{where: \"key = 'a' and value like '%b%'\", when: {x: 1}, table: 'a.{t}', columns: {key: long}}"),
    )
    router = file.router
    assert router is not None
    where = Predicate("key = 'a' and value like '%b%'", ("key", "value"))
    assert router.rules[0] == RouteRule("tables", ("a.{t}",), when=(("x", ("1",)),), where=where)
    table = file.with_routed({"a.b": "a.b"}).table("a.b")
    assert (table.where, table.expressions) == (None, None)
    again = Pipeline.from_resolved(json.loads(json.dumps(file.resolved())))
    assert (again.router, again.digest) == (router, file.digest)


def test_a_fault_of_table_defaults_is_reported_once_for_many_rules(tmp_path: Path) -> None:
    text = f"{SOURCE}table_defaults: {{partition_by: ['days(']}}\nroute:\n  rules: [{{topics: [events], table: a.b}}, {{table: a.c}}]\n"
    (fault,) = faults_of(tmp_path, text)
    assert fault.startswith("p.yaml:2: table_defaults.partition_by[0]: ")


def test_five_thousand_routed_tables_are_quick(tmp_path: Path) -> None:
    """Looking up one does not read the others."""
    pipeline = loaded(tmp_path, ROUTED).with_routed({f"lake.t{n}": f"lake.T{n}" for n in range(5000)})
    assert len(pipeline.tables) == 5000
    assert sum(pipeline.feeds(t.name, "events") for t in pipeline.tables) == 5000
    assert all(pipeline.table(t.name) is t for t in pipeline.tables)
