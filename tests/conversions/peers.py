"""Tests of conversions in other connectors, and what lakelock has in their place: one entry a test."""

from __future__ import annotations

from conversions import evolution_peers, flink_peers, routing_peers
from conversions.peer_entries import Counterpart, Group, better, limit, never, same

OWN = "tests/unit/test_counterparts.py::"
TABLE = "tests/unit/test_conversions.py::test_a_value_becomes_what_the_page_says"
RECORD = "tests/unit/test_conversions.py::test_a_record_becomes_what_the_page_says"
LATER = "tests/unit/test_conversions.py::test_a_type_of_format_version_3_is_refused_by_name"
CONNECT = "tests/unit/test_formats.py::test_connects_schema_gives_columns_and_what_values_stand_for"
WITHIN_CONNECT = (
    "tests/unit/test_formats.py::test_bytes_of_a_decimal_within_another_field_are_never_the_number_that_they_spell"
)
STORED = "tests/integration/test_write_slice.py::test_all_types_are_stored_as_iceberg_has_them"
JSON_COLUMN = "tests/unit/test_casts_page.py::test_the_examples_of_json_columns_are_right"
CAST = "tests/unit/test_casts.py::test_a_case"
NEW_COLUMN = "tests/acceptance/test_webhooks.py::test_the_pages_commands_load_webhooks_and_give_their_rows_a_new_column"
INFERRED = "tests/unit/test_infer.py::test_structs_are_merged_over_records"
NULLS_INFERRED = "tests/unit/test_infer.py::test_conflicts_nulls_and_other_values_are_noted_not_guessed_away"
EVERY_TYPE, WITHIN = (
    OWN + "test_a_record_may_have_every_type_at_once",
    OWN + "test_every_type_is_the_same_within_structs_lists_and_maps",
)
NUMBER = OWN + "test_a_number_is_read_in_the_forms_that_the_file_names"
NARROWED = OWN + "test_a_number_that_would_be_narrowed_is_a_dead_letter"
DECIMAL = OWN + "test_a_decimal_is_a_number_or_text_at_the_scale_of_its_column"
DATE = OWN + "test_a_date_is_text_or_days_and_a_time_text_or_milliseconds"
OFFSET = OWN + "test_an_instant_has_any_form_of_offset_and_keeps_its_fraction"
LOCAL = OWN + "test_a_local_time_never_drops_an_offset"
UNIT = OWN + "test_an_instant_is_a_number_only_in_the_unit_that_the_file_names"
NAMED = OWN + "test_a_field_of_another_name_or_case_fills_a_column_that_names_it"
IN_ANY_CASE = "tests/acceptance/test_case.py::test_fields_fill_the_columns_of_a_table_that_is_there_at_any_depth"
BOTH_CASES = "tests/unit/test_case.py::test_a_record_with_both_is_a_dead_letter_that_names_both"
NEW_FIELD = OWN + "test_a_new_field_is_named_or_kept_at_every_level"
NEW_NULL = OWN + "test_a_new_field_without_a_value_changes_nothing"
WIDER = OWN + "test_a_number_that_needs_a_wider_column_is_a_dead_letter_at_every_level"
REQUIRED = OWN + "test_a_required_column_refuses_null_and_a_null_struct_does_not_miss_its_fields"
TO_TEXT = OWN + "test_an_object_is_text_only_if_the_file_says_so_and_then_all_of_it"


_COLUMNS_ALONE = (
    "the casts that Connect's schema implies are for columns, not for fields within them: such a field needs a column of "
    "its own (`field`), or its record is a dead letter"
)
CONVERSION = Group(
    "Conversions of the Iceberg sink",
    "`TestRecordConverter`, 27 of 59 tests",
    (
        same("testMapConvert", EVERY_TYPE),
        same("testUUIDStringConversion", TABLE),
        same("testEmptyListAndMapConvert", OWN + "test_empty_lists_and_maps_remain_empty"),
        better("testUUIDConversionWithParquet", "a `uuid` is written to Parquet without a setting", STORED),
        same("testNestedMapConvert", WITHIN),
        better("testMapToString", "the exact text, by a cast; without it, the record is a dead letter", TO_TEXT),
        same("testMapValueInListConvert", WITHIN),
        same("testMapValueInMapConvert", WITHIN),
        same("testStructConvert", CONNECT, why="format `connect_json`"),
        limit("testNestedStructConvert", _COLUMNS_ALONE, WITHIN, WITHIN_CONNECT),
        better("testStructToString", "the exact text, by a cast; without it, the record is a dead letter", TO_TEXT),
        limit("testStructValueInListConvert", _COLUMNS_ALONE, WITHIN, WITHIN_CONNECT),
        limit("testStructValueInMapConvert", _COLUMNS_ALONE, WITHIN, WITHIN_CONNECT),
        same("testNameMapping", NAMED, RECORD, why="`field` in the pipeline file names the field"),
        better(
            "testCaseSensitivity",
            "`case_sensitive` is the same setting; a record that has a field in two cases is a dead letter. With exact names, a "
            "column can name a field in another case, and a field without a column is not dropped unless the file says so",
            IN_ANY_CASE,
            BOTH_CASES,
            NAMED,
            RECORD,
        ),
        better("testIntConversion", "text and fractions of zeros by a cast; nothing is narrowed", NUMBER, NARROWED),
        better("testLongConversion", "text and fractions of zeros by a cast; nothing is narrowed", NUMBER, TABLE),
        better("testFloatConversion", "text by a cast; an integer that a float cannot hold is refused", NUMBER, NARROWED),
        better("testDoubleConversion", "text by a cast; an integer that a double cannot hold is refused", NUMBER, TABLE),
        better("testDecimalConversion", "never through a double, and rounded only by a cast", DECIMAL, NARROWED),
        better("testDateConversion", "days since 1970 only by a cast", DATE),
        better("testTimeConversion", "milliseconds only by a cast, and microseconds by another one", DATE, CAST),
        better(
            "testTimestampWithZoneConversion",
            "text without an offset is not taken for UTC unless the column has a `zone`; a number has the unit that the "
            "file names",
            OFFSET,
            UNIT,
        ),
        same("testTimestampWithZoneAndFractionalSecondsConversion", OFFSET),
        better(
            "testTimestampWithoutZoneConversion",
            "an offset is not dropped: the record is a dead letter, or the column's `zone` converts the time",
            LOCAL,
        ),
        better(
            "testTimestampWithoutZoneAndFractionalSecondsConversion",
            "an offset is not dropped: the record is a dead letter, or the column's `zone` converts the time",
            LOCAL,
        ),
        same("testConvertOrdersOutputByTableSchemaNotSourceFieldOrder", OWN + "test_fields_may_come_in_any_order"),
    ),
)  # fmt: skip

_VARIANT = "`variant` is a type of format version 3, and refused by name; "
_AS_TEXT = _VARIANT + "a `json` column keeps the value's exact text"
_JAVA = _VARIANT + "JSON has text for this type of Java, which a column of its own reads"
VARIANT = Group(
    "Variants of the Iceberg sink",
    "`TestRecordConverter`, 14 of 59 tests",
    (
        never("testConvertVariantValueFromNull", _VARIANT + "a `json` column is null", LATER, JSON_COLUMN),
        never("testConvertVariantValuePassThrough", _VARIANT + "no value of JSON is one", LATER),
        *(
            never(f"testConvertVariantValueFrom{name}", _AS_TEXT, LATER, JSON_COLUMN)
            for name in ("PrimitiveString", "PrimitiveNumber", "Boolean")
        ),
        *(
            never(f"testConvertVariantValueFrom{name}", _JAVA, LATER, TABLE)
            for name in ("Instant", "OffsetDateTime", "ZonedDateTime", "LocalDateTime", "LocalDate", "LocalTime")
        ),
        *(
            never(f"testConvertVariantValueFrom{name}", _AS_TEXT, LATER, JSON_COLUMN)
            for name in ("List", "Map", "Struct")
        ),
    ),
)

COERCIONS = Group(
    "Coercions of kafka-delta-ingest",
    "`src/coercions.rs`, 3 of 12 tests",
    (
        same("test_string_to_timestamp", OWN + "test_an_instant_beyond_64_bits_of_nanoseconds_is_a_row", OFFSET),
        better("test_coercion_tree", "each type is converted at every level, not text and timestamps alone", WITHIN),
        better(
            "test_coercions",
            "an object becomes text only by a cast, and null remains null. Text that is no instant is a dead letter with "
            "its reason. Microseconds are read by a cast, which is for columns and not for fields within them",
            OWN + "test_text_that_is_no_instant_is_a_dead_letter_and_not_left_as_it_is",
            OWN + "test_null_in_a_text_column_is_null_with_each_cast_to_text",
            UNIT,
        ),
    ),
)
_NO_FUNCTIONS = "a pipeline file has no functions for text; a column reads a field as it is"
TRANSFORMS = Group(
    "Transforms of kafka-delta-ingest",
    "`src/transforms.rs`, 9 of 12 tests",
    (
        never("substr_returns_will_from_william", _NO_FUNCTIONS),
        never("substr_returns_liam_from_william", _NO_FUNCTIONS),
        never(
            "set_value_sets_recursively",
            "a record is not rewritten: columns read fields at any level, and are not made of several",
            RECORD,
        ),
        better(
            "transforms_with_substr",
            "the day of a time is a column of type `date` over the same field, or a partition transform",
            OWN + "test_a_day_comes_from_the_text_of_a_time_beside_it",
        ),
        better("test_iso8601_from_epoch_seconds_test", "cast `epoch_s` gives an instant, not text", UNIT),
        better("test_iso8601_from_epoch_micros_test", "cast `epoch_us` gives an instant, not text", UNIT),
        better("test_epoch_millis_to_micro", "cast `epoch_ms` gives an instant in microseconds", UNIT),
        better(
            "test_transforms_with_epoch_seconds_to_iso8601",
            "casts `epoch_s` and `text` take integers, fractions and both as text, and keep the fraction",
            UNIT,
        ),
        better(
            "test_transforms_with_kafka_meta",
            "also the key and headers; the time is an instant, and its type has a name",
            "tests/acceptance/test_kafka_columns.py::test_topic_and_key_are_columns_of_a_new_table_and_redriven_rows_have_theirs",
            "tests/acceptance/test_kafka_columns.py::test_headers_are_columns_of_a_new_table_and_redriven_rows_have_theirs",
        ),
    ),
)
_REGISTRY = "lakelock has no format with a schema registry, and no Avro"
FORMATS = Group(
    "Formats of kafka-delta-ingest",
    "`tests/deserialization_tests.rs`, 7 tests beside the 12",
    (
        same("test_json_default", EVERY_TYPE),
        same("test_json_with_args", EVERY_TYPE, why="`value.format: json` is the default"),
        never("test_json_with_registry", _REGISTRY),
        never("test_avro_default", _REGISTRY),
        never("test_avro_with_file", _REGISTRY),
        never("test_avro_with_registry", _REGISTRY),
        never("test_avro_single_object_encoding_with_file", _REGISTRY),
    ),
)
GROUPS = (
    CONVERSION,
    evolution_peers.SINK,
    VARIANT,
    *evolution_peers.GROUPS[1:],
    *routing_peers.GROUPS,
    *flink_peers.GROUPS,
    COERCIONS,
    TRANSFORMS,
    FORMATS,
)
PEERS: tuple[Counterpart, ...] = tuple(c for group in GROUPS for c in group.counterparts)
