"""Functions of Spark SQL that expressions may call: those whose result depends on their arguments alone."""

from __future__ import annotations

from collections.abc import Mapping


def _named(text: str, why: str = "") -> dict[str, str]:
    return dict.fromkeys(text.split(), why)


ALLOWED = frozenset(
    _named(
        """
        array array_append array_compact array_contains array_distinct array_except array_insert array_intersect array_join
        array_max array_min array_position array_prepend array_remove array_size array_union arrays_overlap arrays_zip
        flatten get slice sort_array
        bit_count bit_get getbit shiftleft shiftright shiftrightunsigned
        cardinality concat element_at reverse size try_element_at
        coalesce if ifnull nanvl nullif nullifzero nvl nvl2 zeroifnull
        bigint binary boolean date decimal double float int smallint string timestamp tinyint
        add_months convert_timezone date_add date_diff date_format date_from_unix_date date_part date_sub date_trunc
        dateadd datediff datepart day dayname dayofmonth dayofweek dayofyear from_unixtime from_utc_timestamp hour
        last_day make_date make_dt_interval make_interval make_timestamp make_timestamp_ltz make_timestamp_ntz
        make_ym_interval minute month monthname months_between next_day quarter second timestamp_micros timestamp_millis
        timestamp_seconds to_date to_timestamp to_timestamp_ltz to_timestamp_ntz to_unix_timestamp to_utc_timestamp trunc
        try_make_interval try_make_timestamp try_make_timestamp_ltz try_make_timestamp_ntz try_to_date try_to_timestamp
        unix_date unix_micros unix_millis unix_seconds weekday weekofyear year
        crc32 hash md5 sha sha1 sha2 xxhash64
        from_json get_json_object json_array_length json_object_keys to_json
        aggregate array_sort exists filter forall map_filter reduce transform transform_values zip_with
        map_contains_key map_entries map_keys map_values
        abs acos acosh asin asinh atan atan2 atanh bin bround cbrt ceil ceiling conv cos cosh cot csc degrees div e exp
        expm1 factorial floor greatest hex hypot least ln log log10 log1p log2 mod negative pi pmod positive pow power
        radians rint round sec sign signum sin sinh sqrt tan tanh try_add try_divide try_mod try_multiply try_subtract
        unhex width_bucket
        assert_true raise_error typeof
        equal_null ilike isnan isnotnull isnull like regexp regexp_like rlike
        ascii base64 bit_length btrim char char_length character_length chr concat_ws contains decode elt encode endswith
        find_in_set format_string initcap instr is_valid_utf8 lcase left len length levenshtein locate lower
        lpad ltrim luhn_check make_valid_utf8 mask octet_length overlay position printf quote regexp_count regexp_extract
        regexp_extract_all regexp_instr regexp_replace regexp_substr replace right rpad rtrim soundex split split_part
        startswith substr substring substring_index to_binary to_char to_number to_varchar translate trim try_to_binary
        try_to_number try_validate_utf8 ucase unbase64 upper validate_utf8
        named_struct struct
        parse_url try_parse_url try_url_decode url_decode url_encode
        is_variant_null parse_json schema_of_variant to_variant_object try_parse_json try_variant_get variant_get
        """
    )
)

_REASONS: Mapping[str, str] = {
    **_named(
        "curdate current_date current_time current_timestamp localtimestamp now unix_timestamp",
        "its result depends on the time of the run",
    ),
    **_named(
        "monotonically_increasing_id rand randn random randstr shuffle uniform uuid",
        "its result is random",
    ),
    **_named(
        """
        current_catalog current_database current_schema current_timezone current_user input_file_block_length
        input_file_block_start input_file_name java_method reflect session_user spark_partition_id try_reflect user version
        """,
        "its result depends on the server and its user",
    ),
    **_named(
        """
        any any_value avg bool_and bool_or collect_list collect_set count count_if dense_rank every explode explode_outer
        first first_value inline inline_outer json_tuple lag last last_value lead listagg max max_by mean median min min_by
        mode nth_value ntile percent_rank posexplode posexplode_outer rank row_number some stack string_agg sum
        """,
        "it works on several rows, and an expression has one record",
    ),
    **_named("array_repeat repeat sequence space", "its result can have any size"),
    # After an error, a map that Spark builds keeps entries of the record before.
    **_named(
        "map map_concat map_from_arrays map_from_entries map_zip_with str_to_map transform_keys",
        "Spark does not build maps reliably after a record for which that failed; use a struct",
    ),
    # After an error, it takes the same format for known, and formats as before.
    **_named("format_number", "Spark does not format reliably after a record for which that failed; use format_string"),
    **_named(
        "aes_decrypt aes_encrypt try_aes_decrypt", "its key would be in the pipeline file; use a mask with a connection"
    ),
}

# These need no parentheses.
WORDS = frozenset(
    _named(
        """
        current_catalog current_database current_date current_schema current_time current_timestamp current_user
        localtimestamp session_user user
        """
    )
)


def refusal(name: str) -> str | None:
    """Why an expression may not call the function *name*; None if it may."""
    name = name.lower()
    if name in ALLOWED:
        return None
    return f"function {name} is not allowed: {_REASONS.get(name, 'it is not among those that expressions may call')}"
