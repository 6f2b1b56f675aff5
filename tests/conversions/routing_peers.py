"""Tests of routing in Kafka Connect's sinks, and what lakelock has in their place: one entry a test.

The cases of `kits.routing_counterparts` run with rules and records of lakelock's own.
"""

from __future__ import annotations

from kits.routing_counterparts import CONNECT, ROUTERS

from conversions.peer_entries import Counterpart, Group, better, limit, never, same

CASE = "tests/unit/test_routing_counterparts.py::test_a_record_is_routed_as_in_the_case_of_another_tool"
ROUTING = "tests/acceptance/test_routing.py::"
BY_FIELD = ROUTING + "test_each_record_is_in_the_table_that_its_field_names"
OWN_SETTINGS = ROUTING + "test_tables_have_settings_and_columns_of_their_own"
DROPPED = ROUTING + "test_a_dropped_table_is_behind_alone_and_is_never_made_again_by_itself"
FORBIDDEN = "tests/interleavings/test_changed_rules.py::test_a_table_that_cannot_be_created_holds_up_no_other"
ONE = "tests/unit/test_route_one.py::"
REPEATED = ONE + "test_keys_and_headers"
SLICE = "tests/integration/test_routed_slices.py::test_targets_have_their_records_and_others_are_reported"
TEMPLATES = "tests/unit/test_route_templates.py::test_faults"
FILE = "tests/unit/test_route_config.py::test_a_fault_is_reported_with_its_place_and_cure"
MIXED = "tests/unit/test_route_config.py::test_entries_of_tables_take_their_topics_as_before"
RULE_ORDER = "tests/unit/test_route_config.py::test_the_router_has_the_rules_in_order_and_otherwise_last"

_DOT = "a dot in a value makes no namespace: a record chooses one only if the file has a placeholder there"
_CREATED = f"a table that is not there is created; theirs drops the record. {_DOT[0].upper()}{_DOT[1:]}"
_LETTER = "a record that no rule fits is a dead letter, or filtered if the file says so; theirs drops it"
_CONNECT_STRUCT = "a rule reads fields with `value.format: json` alone, and not with `connect_json`"
_LOWER = "letters of a value are always lower case, because engines such as Spark do not distinguish names by case"
_ONE_VALUE = "a header that is there twice has no value: lakelock does not choose one of two"
_MISSING = "lakelock creates a table; if it cannot, its records wait. None is dropped, and no other table waits"


def _case(name: str, verdict: str = "same", why: str = "", *more: str) -> Counterpart:
    assert name in CONNECT or name in ROUTERS, name
    return Counterpart(name, verdict, why, (CASE, *more))  # type: ignore[arg-type]


TABULAR = Group(
    "Routing of the Tabular sink",
    "Of `WorkerTest` both tests, of `UtilitiesTest` 4 of 6, of `IntegrationDynamicTableTest`, "
    "`IntegrationMultiTableTest` and `IcebergWriterFactoryTest` the one that each has",
    (
        _case("WorkerTest.testStaticRoute", "same", "`when` lists values; theirs is a regular expression"),
        _case("WorkerTest.testDynamicRoute", "limit", _DOT),
        _case("IntegrationDynamicTableTest.testIcebergSink", "better", _CREATED, BY_FIELD),
        _case("IntegrationMultiTableTest.testIcebergSink", "same", "a rule `filter` takes the rest", SLICE),
        limit("UtilitiesTest.testExtractFromRecordValueStruct", _CONNECT_STRUCT, FILE),
        limit("UtilitiesTest.testExtractFromRecordValueStructNested", _CONNECT_STRUCT, FILE),
        _case("UtilitiesTest.testExtractFromRecordValueMap"),
        _case("UtilitiesTest.testExtractFromRecordValueMapNested"),
        better(
            "IcebergWriterFactoryTest.testAutoCreateTable",
            "columns are inferred from all records of a batch for the table, not from one",
            OWN_SETTINGS,
        ),
    ),
)
APACHE = Group(
    "Routing of the Iceberg sink",
    "`TestSinkWriter`, 7 of 9 tests, `TestRecordUtils`, 6 tests, `TestIntegrationDynamicTable`, 2 tests, "
    "`TestIntegrationMultiTable` and `TestIcebergWriterFactory`, 1 test each",
    (
        _case("TestSinkWriter.testDefaultRoute"),
        _case("TestSinkWriter.testDefaultNoRoute", "better", "a file without any table is refused", FILE),
        _case("TestSinkWriter.testStaticRoute", "same", "`when` lists values; theirs is a regular expression"),
        _case("TestSinkWriter.testStaticNoRoute", "better", _LETTER),
        _case("TestSinkWriter.testDynamicRoute", "limit", _DOT),
        never(
            "TestSinkWriter.testOffsetTrackedByOriginalTopicPartition",
            "nothing rewrites the topic of a record: a template has the topic in the table's name",
        ),
        _case("TestSinkWriter.testDynamicNoRoute", "better", _CREATED, BY_FIELD),
        limit("TestRecordUtils.testExtractFromRecordValueStruct", _CONNECT_STRUCT, FILE),
        limit("TestRecordUtils.testExtractFromRecordValueStructNested", _CONNECT_STRUCT, FILE),
        limit("TestRecordUtils.testExtractFromRecordValueStructNull", _CONNECT_STRUCT, FILE),
        _case("TestRecordUtils.testExtractFromRecordValueMap"),
        _case("TestRecordUtils.testExtractFromRecordValueMapNested"),
        _case(
            "TestRecordUtils.testExtractFromRecordValueMapNull",
            "same",
            "an empty name is a fault of the file",
            TEMPLATES,
        ),
        _case("TestIntegrationDynamicTable.testIcebergSink", "better", _CREATED, BY_FIELD),
        _case(
            "TestIntegrationDynamicTable.testDynamicRouteWithTopicRewritingSMT",
            "better",
            "a rule for topics, without a transform and a field for it",
        ),
        _case("TestIntegrationMultiTable.testIcebergSink", "same", "a rule `filter` takes the rest", SLICE),
        better(
            "TestIcebergWriterFactory.testAutoCreateTable",
            "columns are inferred from all records of a batch for the table, not from one",
            OWN_SETTINGS,
        ),
    ),
)
PROPOSED = Group(
    "Routers that were proposed for the Iceberg sink",
    "65 tests of pull request [15959](https://github.com/apache/iceberg/pull/15959) at commit `64fd4f8`, and the one of "
    "[11623](https://github.com/apache/iceberg/pull/11623) at commit `c048029`; neither was merged",
    (
        never("TestRecordRouterFactory.testDefaultCreatesStaticRouter", "lakelock has one router"),
        never("TestRecordRouterFactory.testDynamicCreatesDynamicRouter", "lakelock has one router"),
        never("TestRecordRouterFactory.testCustomClassLoadsTopicNameRouter", "lakelock has one router"),
        never("TestRecordRouterFactory.testInvalidClassThrows", "lakelock has one router"),
        _case("TestStaticRouter.testDefaultRoute", "same", "an entry of `tables`, or a rule without conditions", MIXED),
        _case("TestStaticRouter.testDefaultNoRoute", "better", "a file without any table is refused", FILE),
        _case("TestStaticRouter.testStaticRoute", "same", "`when` lists values; theirs is a regular expression"),
        _case("TestStaticRouter.testStaticNoRoute", "better", _LETTER),
        _case("TestStaticRouter.testNullRecordValue", "better", _LETTER),
        _case("TestDynamicRouter.testDynamicRoute", "limit", _DOT),
        _case("TestDynamicRouter.testDynamicNoRoute", "better", _LETTER),
        _case("TestDynamicRouter.testDynamicRouteLowercase"),
        _case("TestDynamicRouter.testDynamicNullValue", "better", _LETTER),
        *(
            _case(f"TestTopicNameRouter.{name}")
            for name in (
                "testSimpleTopicAsTable",
                "testNamespacePrepended",
                "testExplicitMapping",
                "testExplicitMappingBypassesNamespace",
                "testRegexTransform",
                "testRegexNoMatch",
                "testLowercaseDefault",
            )
        ),
        _case("TestTopicNameRouter.testLowercaseDisabled", "limit", _LOWER),
        better("TestTopicNameRouter.testIgnoreMissingTableDefault", _MISSING, BY_FIELD, FORBIDDEN),
        better("TestTopicNameRouter.testIgnoreMissingTableFalse", _MISSING, FORBIDDEN, DROPPED),
        _case("TestTopicNameRouter.testRegexWithNamespace"),
        never("TestTopicNameRouter.testNullTopic", "each record of Kafka has a topic"),
        _case("TestTopicNameRouter.testNonMatchedTopicFallsThrough", "same", "", RULE_ORDER),
        _case("TestIntegrationTopicRouting.testTopicRouter"),
        _case("TestHeaderRouter.testSimpleHeaderAsTable", "limit", _DOT),
        _case("TestHeaderRouter.testHeaderWithNamespace"),
        _case("TestHeaderRouter.testHeaderExplicitMap"),
        _case("TestHeaderRouter.testHeaderExplicitMapBypassesTransforms"),
        limit("TestHeaderRouter.testHeaderRegex", "regular expressions are for topics; `when` lists values", FILE),
        limit("TestHeaderRouter.testHeaderRegexNoMatch", "regular expressions are for topics; `when` lists values", FILE),
        _case("TestHeaderRouter.testMissingHeaderDrop"),
        _case("TestHeaderRouter.testMissingHeaderFail", "better", "the record is a dead letter; theirs stops the task"),
        _case("TestHeaderRouter.testMissingHeaderDefault", "same", "`otherwise`, or a later rule"),
        *(_case(f"TestHeaderRouter.testMultiValue{name}", "limit", _ONE_VALUE, REPEATED) for name in ("First", "All", "Last")),
        same("TestHeaderRouter.testNoHeaderNameConfig", TEMPLATES),
        better("TestHeaderRouter.testIgnoreMissingTableDefault", _MISSING, BY_FIELD, FORBIDDEN),
        *(
            _case(f"TestCompositeFieldRouter.{name}")
            for name in (
                "testTwoFieldTemplate",
                "testThreeFieldTemplate",
                "testDefaultTemplate",
                "testNestedFieldExtraction",
                "testNamespacePrepended",
                "testLowercaseDefault",
            )
        ),
        _case("TestCompositeFieldRouter.testLowercaseDisabled", "limit", _LOWER),
        _case("TestCompositeFieldRouter.testNullFieldDrop"),
        _case("TestCompositeFieldRouter.testNullFieldLiteral", "same", "by a second rule"),
        _case("TestCompositeFieldRouter.testNullFieldDefault", "same", "by a second rule"),
        _case("TestCompositeFieldRouter.testNullRecordValue", "better", _LETTER),
        same("TestCompositeFieldRouter.testTemplateValidationInvalidIndex", FILE, why="a group that `topics_regex` lacks"),
        same("TestCompositeFieldRouter.testEmptyFieldsConfig", TEMPLATES),
        better("TestCompositeFieldRouter.testIgnoreMissingTableDefault", _MISSING, BY_FIELD, FORBIDDEN),
        *(
            _case(f"TestFilterRouter.{name}")
            for name in ("testIncludeTopicRegex", "testIncludeTopicRegexNoMatch", "testExcludeTopicRegex")
        ),
        _case("TestFilterRouter.testIncludeFieldRegex", "same", "`when` lists the values"),
        _case("TestFilterRouter.testExcludeFieldRegex", "same", "`when` lists the values"),
        _case("TestFilterRouter.testFieldExists", "limit", "for fields that are placeholders of the table's name; `when` lists values"),
        _case("TestFilterRouter.testHeaderFilter"),
        _case("TestFilterRouter.testCombinedPredicates"),
        never("TestFilterRouter.testNoPredicatesConfigured", "a rule without conditions is for all records"),
        never("TestFilterRouter.testNoDelegateConfigured", "a rule that filters stands beside the others, and wraps none"),
        _case("TestFilterRouter.testNullRecordValue"),
    ),
)  # fmt: skip
GROUPS = (TABULAR, APACHE, PROPOSED)
