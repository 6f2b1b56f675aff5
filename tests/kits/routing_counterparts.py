"""Cases of other tools' tests of routing, with rules and records of our own, and where lakelock sends them.

The entries of `conversions.routing_peers` and `conversions.flink_peers` have their names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lakelock.records import reasons
from lakelock.records.routing.router import RouteRule


@dataclass(frozen=True, slots=True)
class Sent:
    """A record, and where it goes: tables, "filter", or the kind of its dead letter."""

    goes_to: tuple[str, ...] | str
    value: Any = None
    topic: str = "t"
    headers: tuple[tuple[str, bytes | None], ...] = ()

    @property
    def raw(self) -> bytes | None:
        return None if self.value is None else json.dumps(self.value).encode()


@dataclass(frozen=True, slots=True)
class Case:
    rules: Sequence[RouteRule]
    records: Sequence[Sent]


FILTER, DEAD = RouteRule("filter"), RouteRule("dead_letter")
NOWHERE = reasons.NO_ROUTE


def _to(*tables: str, **more: Any) -> RouteRule:
    return RouteRule("tables", tables, **more)


def _of(field: str, *values: str) -> dict[str, Any]:
    return {"when": ((field, values),)}


def _headers(*values: str, name: str = "dest") -> tuple[tuple[str, bytes], ...]:
    return tuple((name, value.encode()) for value in values)


ALL = Case([_to("lake.all")], [Sent(("lake.all",), {}), Sent(("lake.all",))])
NONE = Case([FILTER], [Sent("filter", {})])
BY_VALUE = Case(
    [_to("lake.one", **_of("type", "type1")), _to("lake.two", **_of("type", "type2")), FILTER],
    [Sent(("lake.one",), {"type": "type1"}), Sent(("lake.two",), {"type": "type2"}), Sent("filter", {"type": "type3"})],
)
BY_NAME = Case(
    [_to("{db}.{name}")],
    [
        Sent(("lake.orders",), {"db": "lake", "name": "orders"}),
        Sent(("lake.db_tbl",), {"db": "lake", "name": "db.tbl"}),
    ],
)
WITHOUT_NAME = Case([_to("lake.{name}")], [Sent(NOWHERE, {"other": "x"}), Sent(NOWHERE, {"name": None}), Sent(NOWHERE)])
BY_TOPIC = Case(
    [_to("lake.one", topics_regex=".*1"), _to("lake.two", topics_regex=".*2")],
    [Sent(("lake.one",), {}, "topic1"), Sent(("lake.two",), {}, "topic2")],
)
TOPIC = Case([_to("analytics.{topic}")], [Sent(("analytics.orders",), {}, "orders")])
REPEATED = Case([_to("lake.{header.dest}")], [Sent(NOWHERE, headers=_headers("one", "two"))])
MAPPED = [_to("analytics.orders", topics=("orders-v2",)), _to("db.{topic}")]
BY_HEADER = [_to("analytics.users", **_of("header.route", "user")), _to("ns.{header.route}")]
ENV = [_to("lake.{topic}", **_of("env", "prod", "staging")), FILTER]
NUMBER = Case(
    [_to("lake.t{key_of.id}")], [Sent(("lake.t123",), {"key_of": {"id": 123}}), Sent(NOWHERE, {"key_of": {"x": 1}})]
)

CONNECT: dict[str, Case] = {
    "WorkerTest.testStaticRoute": BY_VALUE,
    "WorkerTest.testDynamicRoute": BY_NAME,
    "IntegrationDynamicTableTest.testIcebergSink": BY_NAME,
    "IntegrationMultiTableTest.testIcebergSink": BY_VALUE,
    "UtilitiesTest.testExtractFromRecordValueMap": Case([_to("lake.t{id}")], [Sent(("lake.t123",), {"id": 123})]),
    "UtilitiesTest.testExtractFromRecordValueMapNested": NUMBER,
    "TestSinkWriter.testDefaultRoute": ALL,
    "TestSinkWriter.testDefaultNoRoute": NONE,
    "TestSinkWriter.testStaticRoute": BY_VALUE,
    "TestSinkWriter.testStaticNoRoute": BY_VALUE,
    "TestSinkWriter.testDynamicRoute": BY_NAME,
    "TestSinkWriter.testDynamicNoRoute": BY_NAME,
    "TestRecordUtils.testExtractFromRecordValueMap": Case([_to("lake.t{id}")], [Sent(("lake.t123",), {"id": 123})]),
    "TestRecordUtils.testExtractFromRecordValueMapNested": NUMBER,
    "TestRecordUtils.testExtractFromRecordValueMapNull": NUMBER,
    "TestIntegrationDynamicTable.testIcebergSink": BY_NAME,
    "TestIntegrationDynamicTable.testDynamicRouteWithTopicRewritingSMT": Case(
        [_to("test.smttbl", topics_regex=".*")], [Sent(("test.smttbl",), {"type": "type1"}, "orders")]
    ),
    "TestIntegrationMultiTable.testIcebergSink": BY_VALUE,
}  # fmt: skip

ROUTERS: dict[str, Case] = {
    "TestStaticRouter.testDefaultRoute": ALL,
    "TestStaticRouter.testDefaultNoRoute": NONE,
    "TestStaticRouter.testStaticRoute": BY_VALUE,
    "TestStaticRouter.testStaticNoRoute": BY_VALUE,
    "TestStaticRouter.testNullRecordValue": Case([_to("lake.one", **_of("type", "val"))], [Sent(NOWHERE)]),
    "TestDynamicRouter.testDynamicRoute": BY_NAME,
    "TestDynamicRouter.testDynamicNoRoute": WITHOUT_NAME,
    "TestDynamicRouter.testDynamicRouteLowercase": Case([_to("db.{name}")], [Sent(("db.mytable",), {"name": "MyTable"})]),
    "TestDynamicRouter.testDynamicNullValue": WITHOUT_NAME,
    "TestTopicNameRouter.testSimpleTopicAsTable": TOPIC,
    "TestTopicNameRouter.testNamespacePrepended": TOPIC,
    "TestTopicNameRouter.testExplicitMapping": Case(MAPPED, [Sent(("analytics.orders",), {}, "orders-v2")]),
    "TestTopicNameRouter.testExplicitMappingBypassesNamespace": Case(MAPPED, [Sent(("analytics.orders",), {}, "orders-v2")]),
    "TestTopicNameRouter.testNonMatchedTopicFallsThrough": Case(MAPPED, [Sent(("db.regular",), {}, "regular")]),
    "TestTopicNameRouter.testRegexTransform": Case(
        [_to("lake.{topic.1}", topics_regex=r".*\.(.+)")], [Sent(("lake.clicks",), {}, "prod.clicks")]
    ),
    "TestTopicNameRouter.testRegexNoMatch": Case(
        [_to("lake.{topic.1}", topics_regex=r"events\.(.+)"), FILTER], [Sent("filter", {}, "orders")]
    ),
    "TestTopicNameRouter.testRegexWithNamespace": Case(
        [_to("warehouse.{topic.1}", topics_regex=r".*\.(.+)")], [Sent(("warehouse.clicks",), {}, "prod.events.clicks")]
    ),
    "TestTopicNameRouter.testLowercaseDefault": Case([_to("lake.{topic}")], [Sent(("lake.mytopic",), {}, "MyTopic")]),
    "TestTopicNameRouter.testLowercaseDisabled": Case([_to("lake.{topic}")], [Sent(("lake.mytopic",), {}, "MyTopic")]),
    "TestIntegrationTopicRouting.testTopicRouter": BY_TOPIC,
    "TestHeaderRouter.testSimpleHeaderAsTable": Case([_to("lake.{header.dest}")], [Sent(("lake.orders",), headers=_headers("orders"))]),
    "TestHeaderRouter.testHeaderWithNamespace": Case(
        [_to("events.{header.event-type}")], [Sent(("events.usersignup",), headers=_headers("UserSignup", name="event-type"))]
    ),
    "TestHeaderRouter.testHeaderExplicitMap": Case(BY_HEADER, [Sent(("analytics.users",), headers=_headers("user", name="route"))]),
    "TestHeaderRouter.testHeaderExplicitMapBypassesTransforms": Case(
        BY_HEADER, [Sent(("analytics.users",), headers=_headers("user", name="route")), Sent(("ns.other",), headers=_headers("other", name="route"))]
    ),
    "TestHeaderRouter.testMissingHeaderDrop": Case([_to("lake.{header.dest}"), FILTER], [Sent("filter", {})]),
    "TestHeaderRouter.testMissingHeaderFail": Case([_to("lake.{header.dest}")], [Sent(NOWHERE, {})]),
    "TestHeaderRouter.testMissingHeaderDefault": Case([_to("lake.{header.dest}"), _to("fallback.table")], [Sent(("fallback.table",), {})]),
    "TestHeaderRouter.testMultiValueFirst": REPEATED,
    "TestHeaderRouter.testMultiValueAll": REPEATED,
    "TestHeaderRouter.testMultiValueLast": REPEATED,
    "TestCompositeFieldRouter.testTwoFieldTemplate": Case(
        [_to("lake.{region}_{event_type}")], [Sent(("lake.us_east_clicks",), {"region": "us_east", "event_type": "clicks"})]
    ),
    "TestCompositeFieldRouter.testThreeFieldTemplate": Case(
        [_to("{env}.{service}_v{version}")], [Sent(("prod.payments_v2",), {"env": "prod", "service": "payments", "version": 2})]
    ),
    "TestCompositeFieldRouter.testDefaultTemplate": Case([_to("{a}.{b}")], [Sent(("foo.bar",), {"a": "foo", "b": "bar"})]),
    "TestCompositeFieldRouter.testNestedFieldExtraction": Case(
        [_to("lake.{metadata.env}_{name}")], [Sent(("lake.staging_orders",), {"metadata": {"env": "staging"}, "name": "orders"})]
    ),
    "TestCompositeFieldRouter.testNamespacePrepended": Case([_to("warehouse.{table}")], [Sent(("warehouse.orders",), {"table": "orders"})]),
    "TestCompositeFieldRouter.testLowercaseDefault": Case([_to("lake.{name}")], [Sent(("lake.mytable",), {"name": "MyTable"})]),
    "TestCompositeFieldRouter.testLowercaseDisabled": Case([_to("lake.{name}")], [Sent(("lake.mytable",), {"name": "MyTable"})]),
    "TestCompositeFieldRouter.testNullFieldDrop": Case([_to("lake.{a}_{b}"), FILTER], [Sent("filter", {"a": "foo"})]),
    "TestCompositeFieldRouter.testNullFieldLiteral": Case(
        [_to("lake.{a}_{b}"), _to("lake.{a}_null")], [Sent(("lake.foo_null",), {"a": "foo"}), Sent(("lake.foo_null",), {"a": "foo", "b": None})]
    ),
    "TestCompositeFieldRouter.testNullFieldDefault": Case([_to("lake.{a}_{b}"), _to("lake.{a}_unknown")], [Sent(("lake.foo_unknown",), {"a": "foo"})]),
    "TestCompositeFieldRouter.testNullRecordValue": WITHOUT_NAME,
    "TestFilterRouter.testIncludeTopicRegex": Case([_to("lake.{topic}", topics_regex=r"events\..*"), FILTER], [Sent(("lake.events_clicks",), {}, "events.clicks")]),
    "TestFilterRouter.testIncludeTopicRegexNoMatch": Case([_to("lake.{topic}", topics_regex=r"events\..*"), FILTER], [Sent("filter", {}, "orders.new")]),
    "TestFilterRouter.testExcludeTopicRegex": Case(
        [RouteRule("filter", topics_regex=r"test\..*"), _to("lake.{topic}")], [Sent("filter", {}, "test.debug"), Sent(("lake.prod_orders",), {}, "prod.orders")]
    ),
    "TestFilterRouter.testIncludeFieldRegex": Case(ENV, [Sent(("lake.t",), {"env": "prod"}), Sent("filter", {"env": "dev"})]),
    "TestFilterRouter.testExcludeFieldRegex": Case(
        [RouteRule("filter", **_of("env", "test", "dev")), _to("lake.{topic}")], [Sent("filter", {"env": "test"}), Sent(("lake.t",), {"env": "prod"})]
    ),
    "TestFilterRouter.testFieldExists": Case(
        [_to("lake.c{customer.id}"), FILTER], [Sent(("lake.c123",), {"customer": {"id": "123"}}), Sent("filter", {"customer": {"name": "test"}})]
    ),
    "TestFilterRouter.testHeaderFilter": Case(
        [_to("lake.{topic}", **_of("header.processable", "true")), FILTER],
        [Sent(("lake.t",), {}, headers=_headers("true", name="processable")), Sent("filter", {})],
    ),
    "TestFilterRouter.testCombinedPredicates": Case(
        [_to("lake.{topic}", topics_regex=r"events\..*", **_of("env", "prod")), FILTER],
        [Sent(("lake.events_clicks",), {"env": "prod"}, "events.clicks"), Sent("filter", {"env": "dev"}, "events.clicks"), Sent("filter", {"env": "prod"}, "orders.new")],
    ),
    "TestFilterRouter.testNullRecordValue": Case([_to("lake.{id}"), FILTER], [Sent("filter")]),
}  # fmt: skip
