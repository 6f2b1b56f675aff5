"""Sample records by the rules of a file, and rules that changed, as `check` shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lakelock.adapters.kafka.sample import SampledRecord
from lakelock.check.changed_rules import changed_rules, rules_of
from lakelock.check.config_diff import Now, effects
from lakelock.check.routed_sample import RoutedSample, changed_text, routed_sample, routed_text
from lakelock.check.routed_standing import refused
from lakelock.check.sampled import faults_of_rows
from lakelock.config import Pipeline
from lakelock.config.route_section import Route
from lakelock.errors import CheckFailed, LakelockError, RouteLimit, State, TableUnfit
from lakelock.model.offsets import Source
from lakelock.model.past import PastPipeline

RULES: list[dict[str, Any]] = [
    {"topics": ["audit"], "table": "lake.audit"},
    {"when": {"action": "deleted"}, "table": "filter"},
    {"table": ["lake.{type}", "lake.all"]},
]
RECORDS: list[tuple[str, Any]] = [
    ("audit", {}),
    ("t", {"action": "deleted"}),
    ("t", {"type": "A b"}),
    ("t", {"type": "A b"}),
    ("t", {"type": "a-b"}),
    ("t", {"type": ""}),
    ("t", {"type": []}),
    ("t", {}),
    ("t", None),
]


def pipeline(rules: list[dict[str, Any]], **more: Any) -> Pipeline:
    route = {"rules": rules, **more.pop("route", {})}
    return Pipeline.model_validate({"name": "p", "source": {"topics": ["audit", "t"]}, "route": route, **more})


def sampled(
    of: Pipeline, records: list[tuple[str, Any]] = RECORDS, known: dict[str, str] | None = None
) -> RoutedSample:
    values = [None if value is None else json.dumps(value).encode() for _, value in records]
    read = [
        SampledRecord(Source(topic, topic, 0), n, None, None, value)
        for n, ((topic, _), value) in enumerate(zip(records, values, strict=True))
    ]
    router = of.with_routed(known or {}).router
    assert router is not None
    skips = of.value.tombstones == "skip"
    return routed_sample(router, read, values, skips_tombstones=skips)


def route_of(of: Pipeline) -> Route:
    assert of.route is not None
    return of.route


def test_tables_with_their_rows_and_what_goes_to_none() -> None:
    of = pipeline(RULES)
    found = sampled(of)
    assert found.rows == {"lake.a_b": 2, "lake.all": 2, "lake.audit": 1}
    assert found.records_of("lake.a_b") == [2, 3]
    assert routed_text(
        found, route_of(of), {"lake.a_b": "new table", "lake.all": "", "lake.audit": "exists"}
    ).splitlines() == [
        "# route: of 9 sampled records, 3 would go to 3 tables, 1 would be filtered, and 5 would be dead letters without a table",
        "#   lake.a_b: 2 rows, from 'lake.A b' (new table)",
        "#   lake.all: 2 rows",
        "#   lake.audit: 1 row (exists)",
        "#   filtered by route.rules[1]: 1",
        "#   dead letter: no rule fits: 2 (no rule of route fits the record)",
        "#   dead letter: names of tables collide: 1 ('lake.a-b' makes table lake.a_b, which is the table of 'lake.A b')",
        "#   dead letter: no name for its table: 1 (table 'lake.{type}' has no name for the record: a level of it would be "
        "empty, longer than 128 characters, or no text)",
        "#   dead letter: `type`: no rule fits: 1 (no rule of route fits the record: {type} is a list, so it has no text)",
    ]


def test_each_collision_is_reported() -> None:
    records = [("t", {"type": name}) for name in ("a b", "a-b", "a.b", "a.b", "c d", "c-d")]
    causes = sampled(pipeline(RULES), records).causes
    assert [(c.count, c.example.partition(" ")[0]) for c in causes] == [
        (2, "'lake.a.b'"),
        (1, "'lake.a-b'"),
        (1, "'lake.c-d'"),
    ]


def test_a_table_that_exists_owns_its_name() -> None:
    found = sampled(pipeline(RULES), [("t", {"type": "a b"})], {"lake.a_b": "lake.a-b"})
    assert not found.rows
    assert found.known == {"lake.a_b": "lake.a-b"}


def test_more_tables_than_the_limit() -> None:
    of = pipeline(RULES, route={"max_tables": 3})
    found = sampled(of, [("t", {"type": name}) for name in "abcab"])
    assert found.rows == {"lake.all": 5, "lake.a": 2, "lake.b": 2, "lake.c": 1}
    assert refused(of, route_of(of), None, [], 4) is None
    assert refused(of, route_of(of), None, ["lake.c"], 2) is None
    fault = refused(of, route_of(of), None, list(found.rows), 0)
    assert isinstance(fault, RouteLimit)
    assert "the sampled records ask for 4 more" in fault.what
    assert fault.state == State.NOTHING_CHANGED


def test_a_table_whose_records_would_wait() -> None:
    of = pipeline(RULES)
    waits = TableUnfit("table lake.a: it is too small.", State.TABLE_WAITS, "Enlarge it.")
    text = routed_text(sampled(of, [("t", {"type": "a"})]), route_of(of), {"lake.a": waits})
    assert "#   lake.a: 1 row (its records wait (TableUnfit): table lake.a: it is too small.)" in text.splitlines()


@pytest.mark.parametrize(
    ("rows", "dead", "stopping", "kinds"),
    [
        (3, 0, 0, []),
        (3, 2, 0, []),
        (0, 0, 0, []),
        (0, 2, 0, [TableUnfit]),
        (3, 0, 1, [CheckFailed]),
        (0, 2, 1, [CheckFailed]),
    ],
)
def test_dead_letters_alone_are_no_fault_of_a_table_that_gets_rows(
    rows: int, dead: int, stopping: int, kinds: list[type[LakelockError]]
) -> None:
    assert [type(fault) for fault in faults_of_rows("lake.a", rows, dead, stopping)] == kinds


def test_many_tables_are_counted() -> None:
    of = pipeline(RULES)
    text = routed_text(sampled(of, [("t", {"type": str(n)}) for n in range(60)]), route_of(of), {})
    assert "#   and 11 more tables: 11 rows" in text


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"route": {"otherwise": "filter"}}, "route.otherwise"),
        ({"tables": [{"name": "lake.x", "topics": ["t"]}]}, "no rule; an entry of tables takes them"),
        ({"tables": [{"name": "lake.x"}]}, "no rule; an entry of tables takes them"),
        ({"value": {"tombstones": "skip"}}, "value.tombstones"),
    ],
)
def test_what_filters_a_record(more: dict[str, Any], rule: str) -> None:
    of = pipeline(RULES, **more)
    text = routed_text(sampled(of, [("t", None)]), route_of(of), {})
    assert text.splitlines()[1:] == [f"#   filtered by {rule}: 1"]


def test_tables_that_a_change_of_the_rules_adds_stops_and_leaves_behind() -> None:
    before = pipeline([{"table": "lake.{type}"}])
    now = pipeline([{"when": {"type": "b"}, "table": "filter"}, {"table": "raw.{type}"}])
    records = [("t", {"type": name}) for name in "aab"]
    existing = {"lake.a": "lake.a", "raw.z": "raw.z"}
    assert now.router is not None
    text = changed_text(sampled(before, records, existing), sampled(now, records, existing), now.router, existing)
    assert text.splitlines() == [
        "# the rules changed: 3 sampled records would go elsewhere than before",
        "#   tables added: raw.a",
        "#   tables that no longer get sampled records, with their number before: lake.a (2), lake.b (1)",
        "#   tables left behind, because no rule makes their names any longer: lake.a",
    ]
    same = changed_text(sampled(before, records), sampled(before, records), now.router, {})
    assert same == "# the rules changed, and each sampled record goes where it went before"


def test_changed_rules_as_text() -> None:
    old = rules_of(pipeline(RULES).resolved())
    assert changed_rules(old, [*old[1:3], old[0], old[3]]) == "another order"
    edited = pipeline([RULES[0], {**RULES[2], "sort_by": ["a"]}], route={"otherwise": "lake.rest"}).resolved()
    assert changed_rules(old, rules_of(edited)) == (
        "removed: [action = deleted -> filter], [otherwise -> dead_letter]; added: [otherwise -> lake.rest]; "
        "other settings: [lake.{type}, lake.all]"
    )
    by_regex = rules_of(pipeline([{"topics": ["a"], "topics_regex": "t(.*)", "table": "a.b"}]).resolved())
    assert "removed: [a, /t(.*)/ -> a.b]" in changed_rules(by_regex, old)
    of_nothing = rules_of(pipeline([{"when": {"type": ["", "a"]}, "table": "a.b"}]).resolved())
    assert "removed: [type = '' or a -> a.b]" in changed_rules(of_nothing, old)
    assert rules_of({}) == []


def test_the_next_run_after_an_edit_of_the_rules() -> None:
    routed, static = pipeline(RULES), {"tables": [{"name": "lake.t"}]}
    plain = Pipeline.model_validate({"name": "p", "source": {"topics": ["audit", "t"]}, **static})

    def told(before: Pipeline | None, now: Pipeline) -> dict[str, str]:
        known = PastPipeline(None if before is None else before.resolved())
        return {e.about: e.change for e in effects(known, Now(now.resolved())) if e.about.startswith("route")}

    assert told(None, routed) == {"route": "new"}
    assert told(plain, pipeline(RULES, **static)) == {"route": "added"}
    assert told(pipeline(RULES, **static), plain) == {"route": "removed"}
    assert told(routed, routed) == {}
    assert told(plain, plain) == {}
    assert told(routed, pipeline(RULES[1:])) == {"route": "removed: [audit -> lake.audit]"}
    assert told(routed, pipeline(RULES, route={"max_tables": 5})) == {"route.max_tables": "1000 -> 5"}
