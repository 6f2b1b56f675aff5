"""The guards of pipeline files with routes."""

from __future__ import annotations

from mutations.mutation import Mutation

FILES = "tests/unit/test_route_config.py::"
ONE = "tests/unit/test_route_one.py::"
TEMPLATES = "tests/unit/test_route_templates.py::"
SUMS = "tests/unit/test_route_sums.py::test_records_that_are_not_where_the_books_say_are_a_fault"
REFUSED = "tests/interleavings/test_refused_with_routes.py::"

ROUTE_FILES = (
    Mutation(
        "identity",
        "a rule makes a table that the file lists, or the dead-letter table",
        "config/routing.py",
        "taken = frozenset((*(t.name for t in tables), dead_letter_table))",
        "taken = frozenset[str]()",
        FILES + "test_entries_of_tables_take_their_topics_as_before",
    ),
    Mutation(
        "identity",
        "records of two names share a table",
        "records/routing/route_one.py",
        "why = None if owner == made.raw_name else unroutable.collision(made, owner)",
        "why = None",
        ONE + "test_a_table_belongs_to_one_raw_name",
    ),
    Mutation(
        "identity",
        "a dot in a value makes a namespace",
        "records/routing/templates.py",
        '_INVALID = re.compile(r"[^a-z0-9_]")',
        '_INVALID = re.compile(r"[^a-z0-9_.]")',
        TEMPLATES + "test_values_are_corrected",
    ),
    Mutation(
        "identity",
        "all tables of a rule have one folder",
        "config/route_rules.py",
        'needed = [] if one_table else ["{table}"]',
        "needed = list[str]()",
        FILES + "test_a_fault_is_reported_with_its_place_and_cure",
    ),
    Mutation(
        "identity",
        "a table has the settings of a template, and not of the rule that names it",
        "config/routing.py",
        "    if made.raw_name == made.name:\n        yield from (rule for rule in route.all_rules if made.name in rule.table_names)\n",
        "",
        FILES
        + "test_a_routed_table_has_the_settings_of_the_rule_that_names_it_or_of_the_first_that_could_have_made_it",
    ),
    Mutation(
        "identity",
        "settings that no table would have are accepted",
        "config/route_rules.py",
        "    yield from _overruled(route, table_defaults) if table_defaults else ()\n",
        "",
        FILES + "test_settings_that_no_table_would_have_are_refused",
    ),
    Mutation(
        "prefix",
        "only the first rule feeds a routed table",
        "config/routing.py",
        "return any(_feeds(rule, made, topic) for rule in route.all_rules)",
        "return any(_feeds(rule, made, topic) for rule in route.all_rules[:1])",
        FILES + "test_topics_that_may_feed_a_routed_table",
    ),
    Mutation(
        "once",
        "a batch is routed by a configuration that depends on the tables of the moment",
        "config/model.py",
        "            return self._file.resolved()\n",
        "            pass\n",
        FILES + "test_a_pipeline_with_routed_tables_is_that_of_the_file",
    ),
    Mutation(
        "isolation",
        "a removed route leaves the files of its tables staged for ever",
        "ingest/plan.py",
        "    refuse_other_tables(pipeline, log)\n",
        "",
        REFUSED + "test_a_route_is_not_removed_while_rules_have_made_tables",
    ),
    Mutation(
        "prefix",
        "the offsets of the group go back after a route is removed",
        "app/runtime.py",
        "            planning.refuse_other_tables(self.file, self.log)\n",
        "",
        REFUSED + "test_no_offset_of_the_group_moves_after_a_route_is_removed",
    ),
    Mutation(
        "once",
        "records of a pipeline with routes are replaced by the rules of today",
        "replace/replace_preview.py",
        "        if not pipeline.is_replaceable:\n",
        "        if False:\n",
        REFUSED + "test_commands_that_pipelines_with_routes_lack",
    ),
    Mutation(
        "progress",
        "a file passes `check` that the next run refuses",
        "check/preflight.py",
        "    refuse_other_tables(runtime.file, runtime.log)\n",
        "",
        "tests/acceptance/test_routed_check.py::test_a_file_that_the_next_run_refuses_does_not_pass",
    ),
    Mutation(
        "audit",
        "an audit does not miss records that are in no table",
        "audit/route_sums.py",
        "(r.in_tables < r.routed or (not r.routed and r.in_tables))",
        "(not r.routed and r.in_tables)",
        SUMS,
    ),
    Mutation(
        "audit",
        "an audit does not miss dead letters without a table",
        "audit/route_sums.py",
        "if r.letters is not None and r.letters != r.without_table:",
        "if False:",
        SUMS,
    ),
    Mutation(
        "identity",
        "a renamed table is registered a second time under its old name",
        "adapters/iceberg/gone_table.py",
        "renamed = None if uuid is None else _renamed(catalog, table, uuid, known)",
        "renamed = None",
        "tests/integration/test_iceberg_gone_table.py::test_a_table_that_was_renamed_is_found_by_its_uuid",
    ),
)
