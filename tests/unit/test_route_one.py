"""What routing means, one record at a time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lakelock.records import reasons
from lakelock.records.routing.route_one import Routed, route
from lakelock.records.routing.router import Router, RouteRule

OTHERWISE = RouteRule("dead_letter")
BY_TYPE = RouteRule("tables", ("lake.{event.type}",))


def routed(*rules: RouteRule, topic: str = "t", key: bytes | None = None, value: Any = None, **more: Any) -> Routed:
    headers = more.pop("headers", ())
    raw = value if isinstance(value, bytes) else None if value is None else json.dumps(value).encode()
    return route(Router((*rules, OTHERWISE), **more), topic, key, headers, raw)


def names(found: Routed) -> list[str]:
    assert found.reason is None
    return [table.name for table in found.tables]


def kind(found: Routed) -> str:
    assert found.reason is not None
    return found.reason.kind


def test_the_first_rule_that_fits_decides() -> None:
    rules = (
        RouteRule("tables", ("lake.audit",), topics=("audit",)),
        RouteRule("tables", ("raw.{topic.1}_{topic.what}",), topics_regex="tenant_([^_]*)_(?P<what>.*)"),
        RouteRule("filter", when=(("action", ("deleted",)),)),
        RouteRule("tables", ("lake.push", "lake.all"), when=(("event.type", ("push",)), ("n", ("1", "2")))),
        BY_TYPE,
    )
    assert names(routed(*rules, topic="audit", value={"action": "deleted"})) == ["lake.audit"]
    assert names(routed(*rules, topic="tenant_A_orders")) == ["raw.a_orders"]
    assert routed(*rules, value={"action": "deleted"}) == Routed(filtered=True, rule=2)
    assert names(routed(*rules, value={"event": {"type": "push"}, "n": 2})) == ["lake.push", "lake.all"]
    assert names(routed(*rules, value={"event": {"type": "push"}, "n": 3})) == ["lake.push"]
    assert kind(routed(*rules, value={"event": {}})) == reasons.NO_ROUTE


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b'"Pull Request"', "lake.pull_request"),
        (b'"a.b"', "lake.a_b"),
        (b"1.50", "lake.1_50"),
        (b"1E3", "lake.1e3"),
        (b"-7", "lake._7"),
        (b"true", "lake.true"),
        (b"123456789012345678901234567890", "lake.123456789012345678901234567890"),
        (rb'"\u0070ush"', "lake.push"),
    ],
)
def test_the_text_of_a_field(raw: bytes, name: str) -> None:
    assert names(routed(BY_TYPE, value=b'{"event": {"type": %s}}' % raw)) == [name]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        b"",
        b"no JSON",
        b"[]",
        b"7",
        b"{}",
        b'{"event": null}',
        b'{"event": 1}',
        b'{"event": {"type": null}}',
        b'{"event": {"type": NaN}}',
        b'{"event.type": "push"}',
        b'{"event": {"type": "push"}} x',
        b'\xef\xbb\xbf{"event": {"type": "push"}}',
        b'{"event": {"type": "\xff"}}',
        b'{"event": {"type": "push"}, "x": ' + b"[" * 100_000,
    ],
)
def test_a_record_without_the_field(raw: bytes | None) -> None:
    found = routed(BY_TYPE, value=raw)
    assert kind(found) == reasons.NO_ROUTE
    assert found.reason is not None
    assert found.reason.field is None


@pytest.mark.parametrize(
    ("raw", "found"),
    [(b'{"a": 1}', "an object"), (b'["push"]', "a list"), (b'"push", "type": "pull"', "there twice")],
)
def test_a_field_without_a_text(raw: bytes, found: str) -> None:
    """The rule does not fit, and the reason says why if no other does."""
    value = b'{"event": {"type": %s}}' % raw
    reason = routed(BY_TYPE, value=value).reason
    assert reason is not None
    assert (reason.kind, reason.field) == (reasons.NO_ROUTE, "event.type")
    assert reason.message == f"no rule of route fits the record: {{event.type}} is {found}, so it has no text"
    assert names(routed(BY_TYPE, RouteRule("tables", ("lake.rest",)), value=value)) == ["lake.rest"]


def test_keys_and_headers() -> None:
    by_key, by_header = RouteRule("tables", ("lake.{key}",)), RouteRule("tables", ("lake.{header.type}",))
    assert names(routed(by_key, key=b"A 1")) == ["lake.a_1"]
    assert kind(routed(by_key)) == reasons.NO_ROUTE
    assert "{key} is not UTF-8" in str(routed(by_key, key=b"\xff").reason)
    assert names(routed(by_header, headers=[("x", None), ("type", b"Push")])) == ["lake.push"]
    assert kind(routed(by_header, headers=[("type", None)])) == reasons.NO_ROUTE
    assert "{header.type} is there twice" in str(routed(by_header, headers=[("type", b"a"), ("type", b"a")]).reason)
    assert "cannot be read" in str(routed(by_header, headers=None).reason)


def test_a_group_that_took_no_part_in_the_match_has_no_value() -> None:
    rule = RouteRule("tables", ("lake.{topic.1}",), topics=("plain",), topics_regex="t(_.*)?")
    assert names(routed(rule, topic="t_a")) == ["lake._a"]
    assert kind(routed(rule, topic="t")) == reasons.NO_ROUTE
    assert kind(routed(rule, topic="plain")) == reasons.NO_ROUTE
    assert kind(routed(rule, topic="xt_a")) == reasons.NO_ROUTE


def test_a_table_belongs_to_one_raw_name() -> None:
    value = {"event": {"type": "a b"}}
    assert names(routed(BY_TYPE, value=value, known={"lake.a_b": "lake.a b"})) == ["lake.a_b"]
    found = routed(BY_TYPE, value=value, known={"lake.a_b": "lake.a-b"})
    assert found.reason is not None
    assert kind(found) == reasons.NAMES_COLLIDE
    assert found.reason.message == "'lake.a b' makes table lake.a_b, which is the table of 'lake.a-b'"


def test_a_table_of_the_pipeline_itself_is_taken() -> None:
    assert kind(routed(BY_TYPE, value={"event": {"type": "D"}}, taken=frozenset({"lake.d"}))) == reasons.NAME_TAKEN


def test_a_retired_table_gets_no_records() -> None:
    found = routed(BY_TYPE, value={"event": {"type": "D"}}, retired=frozenset({"lake.d"}), known={"lake.d": "lake.d"})
    assert found.reason is not None
    assert (kind(found), found.reason.message) == (
        reasons.TABLE_RETIRED,
        "'lake.D' makes table lake.d, which is retired",
    )


def test_a_record_that_one_of_its_tables_cannot_have_goes_to_none() -> None:
    rule = RouteRule("tables", ("lake.all", "lake.{x}", "lake.all"))
    found = routed(rule, value={"x": ""})
    assert not found.tables
    assert kind(found) == reasons.NO_TABLE_NAME
    both = routed(RouteRule("tables", ("lake.{x}", "lake.{y}")), value={"x": "a b", "y": "a-b"})
    assert not both.tables
    assert kind(both) == reasons.NAMES_COLLIDE


def test_a_rule_may_make_dead_letters() -> None:
    found = routed(RouteRule("dead_letter", topics=("t",)), BY_TYPE, value={"event": {"type": "push"}})
    assert kind(found) == reasons.ROUTED_TO_DEAD_LETTERS
