"""The guards of rules with predicates."""

from __future__ import annotations

from mutations.mutation import Mutation

FILES = "tests/unit/test_route_config.py::"
LETTERS = "tests/unit/test_route_predicates.py::"
DETACHED = "tests/unit/test_detached_blocks.py::"
SPARK = "tests/integration/test_predicates_in_spark.py::"

FORMATS = "tests/unit/test_routes_of_formats.py::"

PREDICATES = (
    Mutation(
        "same rows",
        "a header line names a table",
        "records/routing/csv_texts.py",
        "            if headers:\n",
        "            if False:\n",
        FORMATS + "test_a_header_line_names_no_table",
    ),
    Mutation(
        "same rows",
        "a value that is no row is left out with the header lines",
        "records/routing/block_routes.py",
        "return csv is not None and CsvRecord(self._topic, None, None, value, csv=csv).is_skipped",
        "return csv is not None and csv.header is not None",
        FORMATS + "test_a_block_of_delimited_text_is_routed_as_each_of_its_records",
    ),
    Mutation(
        "same rows",
        "the fields of a change are looked for beside its payload",
        "records/routing/router.py",
        '(PAYLOAD,) if self.format == "connect_json" else ()',
        "()",
        FORMATS + "test_fields_of_connect_json_are_those_of_its_payload",
    ),
    Mutation(
        "same rows",
        "a record for which a predicate is false goes to its table",
        "records/routing/route_one.py",
        "(letter := record.verdicts[rule.where]) != PASSES:",
        "(letter := record.verdicts[rule.where]) == FAILS:",
        LETTERS + "test_true_fits_and_false_or_null_do_not",
    ),
    Mutation(
        "same rows",
        "a record for which a predicate fails is left to the next rule",
        "records/routing/route_one.py",
        "            if letter == FAILS:\n",
        "            if False:\n",
        LETTERS + "test_a_predicate_that_fails_makes_its_record_a_dead_letter_and_no_row",
    ),
    Mutation(
        "same rows",
        "records of a block go by the predicates of other records",
        "records/routing/block_routes.py",
        "self._outcomes.codes(outcomes, str)",
        "self._outcomes.codes(outcomes[::-1], str)",
        LETTERS + "test_a_block_is_routed_by_letters_as_each_of_its_records",
    ),
    Mutation(
        "readable",
        "a value that cannot be decompressed counts as one that no predicate is true for",
        "records/routing/block_routes.py",
        "self._texts.has_fields or any(VALUE in where.columns for where in wheres)",
        "self._texts.has_fields",
        LETTERS + "test_a_value_that_cannot_be_decompressed_is_reported_if_a_predicate_reads_it",
    ),
    Mutation(
        "same rows",
        "a predicate gets the letter of another one",
        "records/routing/predicates.py",
        "return dict(zip(self.predicates, outcome[1:], strict=True))",
        "return dict(zip(self.predicates, outcome[:0:-1], strict=True))",
        LETTERS + "test_equal_predicates_are_evaluated_once",
    ),
    Mutation(
        "same rows",
        "a key or value that is no text ends the slice",
        "records/headers.py",
        "    if len(bad):\n",
        "    if False:\n",
        LETTERS + "test_what_cannot_be_read_as_text_is_null",
    ),
    Mutation(
        "same rows",
        "headers that cannot be read are an empty one for predicates",
        "records/routing/seen_columns.py",
        "if not unreadable:",
        "if True:",
        LETTERS + "test_what_cannot_be_read_as_text_is_null",
    ),
    Mutation(
        "same rows",
        "a batch is read although Spark refuses a predicate of its rules",
        "ingest/write_order.py",
        "if (of_rules := unfit.get(NO_TABLE)) is not None:",
        "if (of_rules := unfit.pop(NO_TABLE, None)) is not None and False:",
        LETTERS + "test_a_batch_is_not_read_if_spark_refuses_a_predicate",
    ),
    Mutation(
        "readable",
        "a dead letter of rules with predicates has another value than the one that was sent",
        "adapters/kafka/detached.py",
        "    sent = values if compressed is None else compressed\n    return replace(whole, messages",
        "    sent = values\n    return replace(whole, messages",
        DETACHED + "test_a_block_for_another_process_has_its_values_and_those_that_were_sent",
    ),
    Mutation(
        "same rows",
        "the predicate of a rule leaves rows of its tables out",
        "config/route_section.py",
        "**self.settings, topics=(), where=None, name=",
        "**self.settings, topics=(), where=self.where, name=",
        FILES + "test_a_predicate_is_of_records_and_not_of_the_rows_of_tables",
    ),
    Mutation(
        "same rows",
        "a rule that records get to counts as one that they do not",
        "config/route_rules.py",
        "if earlier.where is not None and earlier.where != later.where:",
        "if False:",
        FILES + "test_a_rule_that_records_get_to",
    ),
    Mutation(
        "same rows",
        "a predicate uses a column that records do not have",
        "config/route_rules.py",
        "if name not in NAMES:",
        "if False:",
        FILES + "test_a_fault_is_reported_with_its_place_and_cure",
    ),
    Mutation(
        "same rows",
        "a condition whose key is in braces never holds",
        "config/route_section.py",
        'if "{" in text or "}" in text:',
        "if False:",
        FILES + "test_a_fault_is_reported_with_its_place_and_cure",
    ),
    Mutation(
        "once",
        "a predicate that fails for a record ends the job",
        "records/sql/guarded.py",
        "letters = f\"concat('{CHECKED}', {', '.join(map(_check_letter, checks))})\"",
        "letters = f\"concat('{CHECKED}', {', '.join(f'''if({_holds(c)}, '{PASSES}', '{IS_FALSE}')''' for c in checks)})\"",
        SPARK + "test_each_predicate_gives_what_plain_code_gives",
    ),
)
