"""Tests of schema changes in other connectors, and what lakelock has in their place: one entry a test.

The cases of `kits.evolution_counterparts` run with records of lakelock's own.
"""

from __future__ import annotations

from kits.evolution_counterparts import FLINK as OF_FLINK
from kits.evolution_counterparts import KAFKA_CONNECT

from conversions.peer_entries import Counterpart, Group, better, never, same

CASE = "tests/unit/test_evolution_counterparts.py::test_columns_change_as_in_the_case_of_another_tool"
WHOLE = "tests/acceptance/test_evolution.py::test_what_becomes_of_columns_and_records_is_what_the_page_says"
ONCE = "tests/acceptance/test_evolution.py::test_columns_change_once_for_a_batch"
BESIDE = "tests/acceptance/test_evolution_beside_others.py::"
MEANWHILE = BESIDE + "test_a_change_by_another_writer_meanwhile_stays_and_is_not_made_twice"
TWO = BESIDE + "test_two_pipelines_change_one_table_at_once"
ENGINES = (
    "tests/acceptance/test_evolution_in_engines.py::"
    "test_rows_from_before_and_after_each_change_are_the_same_in_every_engine"
)
IN_ANY_CASE = "tests/acceptance/test_case.py::test_columns_follow_records_in_any_case"
FILLED_IN_ANY_CASE = "tests/acceptance/test_case.py::test_fields_fill_the_columns_of_a_table_that_is_there_at_any_depth"

_ALL_RECORDS = (
    "the type fits all records of a batch, not the first one; text that is always an instant is `timestamptz`"
)
_VALUE = "a schema adds no column before a record has a value; then the column is the same"
_NEEDED = "a type becomes wider only if a number needs it, and then at any depth"
_ONE_CHANGE = "all changes of a batch are one commit, decided again if another writer was first"
_DEAD = "the record is a dead letter, and the others are rows; theirs fails the job"
_CASE = (
    "a record with a name that differs in case alone is a dead letter: engines such as Spark do not distinguish the two"
)
_ANY_CASE = "with `case_sensitive: false`"
_BOTH = f"{_ANY_CASE}; a record that has a field in two cases is a dead letter"
_LATER = "no column comes from null; a record with a value changes the columns as theirs"


def _of_connect(name: str, verdict: str = "same", why: str = "", *more: str) -> Counterpart:
    assert name in KAFKA_CONNECT, name
    return better(name, why, CASE, *more) if verdict == "better" else same(name, CASE, *more, why=why)


def _of_flink(name: str, why: str = "", *more: str, is_better: bool = False) -> Counterpart:
    assert name in OF_FLINK, name
    return better(name, why, CASE, *more) if is_better else same(name, CASE, *more, why=why)


SINK = Group(
    "Schema evolution of the Iceberg sink",
    "`TestRecordConverter`, 18 of 59 tests",
    (
        _of_connect("testMissingColumnDetectionMap", "better", _ALL_RECORDS, WHOLE),
        _of_connect("testMissingColumnDetectionMapNested", "better", _ALL_RECORDS, WHOLE),
        _of_connect("testMissingColumnDetectionMapListValue", "better", _ALL_RECORDS, ENGINES),
        *(
            _of_connect(f"testMissingColumnDetectionStruct{name}", why="format `connect_json`")
            for name in ("", "Nested", "ListValue", "MapValue")
        ),
        never("testNestedSchemaEvolutionStructWithNullValue", _VALUE, CASE),
        _of_connect("testNoSchemaEvolutionStructWithNullValue"),
        *(
            never(f"testNestedSchemaEvolution{name}", _LATER, CASE)
            for name in (
                "ListOfStructsWithNullValue",
                "MapOfStructsWithNullValue",
                "StructInStructWithNullParent",
                "TypePromotionWithNullValue",
                "MakeOptionalWithNullValue",
            )
        ),
        _of_connect("testSchemaEvolutionForFieldAndNestedFieldsAcrossTwoRecords", "better", "both in one change", ONCE),
        _of_connect("testNoNestedSchemaEvolutionMapKeyWithNullValue", why="no field makes a column of a map's keys"),
        _of_connect("testEvolveTypeDetectionStruct", "better", _NEEDED, ENGINES),
        _of_connect("testEvolveTypeDetectionStructNested", "better", _NEEDED, ENGINES),
    ),
)
_JSON_NUMBER = "a number of JSON with a fraction makes a `double`; a column that the file declares is a `decimal`"
SINK_SCHEMAS = Group(
    "Schema changes of the Iceberg sink",
    "`TestSchemaUtils`, 9 of 12 tests, `TestSchemaUpdate`, 3 tests, and `TestSinkWriter`, 2 of 9 tests",
    (
        _of_connect("testApplySchemaUpdates", "better", _ONE_CHANGE, MEANWHILE, TWO),
        _of_connect("testApplyNestedSchemaUpdates", "better", _ONE_CHANGE, ENGINES),
        _of_connect("testApplySchemaUpdatesNoUpdates"),
        _of_connect("testNeedsDataTypeUpdate", "better", _DEAD, WHOLE),
        _of_connect("testToIcebergType", why="a new column is always optional, as with `schema-force-optional`"),
        _of_connect("testInferIcebergType"),
        _of_connect("testInferIcebergTypeEmpty"),
        never("testInferIcebergTypeSmallDecimal", _JSON_NUMBER),
        never("testInferIcebergTypeDecimalOutOfRange", _JSON_NUMBER),
        _of_connect("testAddColumn"),
        _of_connect("testUpdateType"),
        _of_connect("testMakeOptional"),
        never("testEvolveAddsFractionalDecimalColumn", _JSON_NUMBER, CASE),
        never("testEvolveAddsExponentialDecimalColumn", _JSON_NUMBER, CASE),
    ),
)
_NO_DROP = "lakelock drops no column: a field that records no longer have is null"
_NO_KEYS = "keys of a map are text, as names of JSON's fields are"
_READ = "such text is no date-time: a cast reads it, or the record is a dead letter"
FLINK_VISITOR = Group(
    "Schema evolution of Flink's dynamic sink",
    "`TestEvolveSchemaVisitor`, 34 tests",
    (
        _of_flink("testAddTopLevelPrimitives", "types that JSON does not have, from the file or the records' schema"),
        _of_flink("testMakeTopLevelPrimitivesOptional"),
        never("testDropUnusedColumns", _NO_DROP),
        _of_flink("testPreserveUnusedColumns"),
        _of_flink("testIdentifyFieldsByName"),
        never("testChangeOrderTopLevelPrimitives", "records have no order of fields that a table could follow"),
        _of_flink("testAddTopLevelListOfPrimitives"),
        _of_flink("testMakeTopLevelListOfPrimitivesOptional"),
        _of_flink("testAddTopLevelMapOfPrimitives", "a map if the file declares one; otherwise a struct"),
        *(
            _of_flink(name)
            for name in (
                "testAddTopLevelStructOfPrimitives",
                "testAddNestedPrimitive",
                "testMakeNestedPrimitiveOptional",
                "testAddNestedPrimitives",
                "testAddNestedLists",
                "testAddNestedStruct",
            )
        ),
        _of_flink("testAddNestedMaps", "maps if the file declares them; otherwise structs"),
        _of_flink("testDetectInvalidTopLevelList", _DEAD, WHOLE, is_better=True),
        _of_flink("testDetectInvalidTopLevelMapValue", _DEAD, WHOLE, is_better=True),
        never("testDetectInvalidTopLevelMapKey", _NO_KEYS),
        _of_flink("testTypePromoteIntegerToLong", _NEEDED, ENGINES, is_better=True),
        _of_flink("testTypePromoteFloatToDouble", _NEEDED, ENGINES, is_better=True),
        _of_flink("testTypeNarrowDoubleToFloatIsLeftToConversion"),
        _of_flink("testAddColumnWithResidualNarrowingDoesNotFail"),
        never("testAddColumnWithResidualDateToTimestampDoesNotFail", _READ),
        _of_flink("testTypePromoteDecimalToFixedScaleWithWiderPrecision", _NEEDED, ENGINES, is_better=True),
        _of_flink("testAddPrimitiveToNestedStruct", "", ENGINES),
        _of_flink("testReplaceListWithPrimitive", _DEAD, WHOLE, is_better=True),
        _of_flink("addNewTopLevelStruct"),
        _of_flink("testAppendNestedStruct"),
        _of_flink("testMakeNestedStructOptional"),
        _of_flink("testCaseInsensitiveAddField", _ANY_CASE, IN_ANY_CASE),
        _of_flink("testCaseInsensitiveMakeFieldOptional", _ANY_CASE),
        _of_flink("testCaseInsensitiveNestedStructField", _ANY_CASE, IN_ANY_CASE),
        never("testCaseSensitiveDoesNotMatch", _CASE, WHOLE),
    ),
)
_IDS = "records have no field ids; columns are compared by name"
FLINK_COMPARISON = Group(
    "Comparison of schemas in Flink's dynamic sink",
    "`TestCompareSchemasVisitor`, 23 tests",
    (
        never("testSchema", _IDS),
        never("testSchemaDifferentId", _IDS),
        _of_flink("testSchemaDifferent"),
        _of_flink("testSchemaWithMoreColumns"),
        _of_flink("testDifferentType", _NEEDED, is_better=True),
        _of_flink("testCompatibleType"),
        _of_flink("testRequiredChangeForMatchingField"),
        _of_flink("testRequiredChangeForNonMatchingField"),
        _of_flink("testNoRequiredChangeForNonMatchingField"),
        never("testStructDifferentId", _IDS),
        _of_flink("testStructChanged"),
        never("testMapDifferentId", _IDS),
        never("testMapChanged", _NO_KEYS),
        never("testListDifferentId", _IDS),
        _of_flink("testListChanged"),
        _of_flink("testCaseInsensitiveFieldMatching", _ANY_CASE),
        never("testCaseSensitiveFieldMatchingDefault", _CASE, WHOLE),
        _of_flink("testCaseInsensitiveNestedStruct", _ANY_CASE),
        _of_flink("testCaseInsensitiveWithMoreColumns", _ANY_CASE),
        *(
            never(f"testDropUnusedColumns{name}", _NO_DROP)
            for name in ("Enabled", "WithRequiredField", "WhenInputHasMoreFields", "InNestedStruct")
        ),
    ),
)
FLINK_SINK = Group(
    "Flink's dynamic sink",
    "`TestDynamicIcebergSink`, 9 of 33 tests",
    (
        _of_flink("testSchemaEvolutionFieldOrderChanges", "", WHOLE),
        _of_flink("testSchemaEvolutionAddField", "", WHOLE),
        _of_flink("testRowEvolutionNullMissingOptionalField", "", WHOLE),
        _of_flink("testRowEvolutionMakeMissingRequiredFieldOptional", "", ENGINES),
        _of_flink("testSchemaEvolutionNonBackwardsCompatible", _DEAD, WHOLE, is_better=True),
        same("testCommitConcurrency", MEANWHILE, TWO),
        never("testOptInDropUnusedColumns", _NO_DROP),
        better("testCaseInsensitiveSchemaMatching", _BOTH, IN_ANY_CASE, FILLED_IN_ANY_CASE),
        never("testCaseSensitiveSchemaMatchingCreatesNewFields", _CASE, WHOLE),
    ),
)
GROUPS = (SINK, SINK_SCHEMAS, FLINK_VISITOR, FLINK_COMPARISON, FLINK_SINK)
