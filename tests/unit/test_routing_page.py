"""The examples of docs/routing.md are what routing does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from kits.collected import names_in
from lakelock.config import load_pipeline
from lakelock.records import reasons
from lakelock.records.routing.route_one import route
from lakelock.records.routing.router import Router, RouteRule
from lakelock.records.routing.templates import MAX_LEVEL_CHARACTERS, corrected
from stack.settings import REPOSITORY

PAGE = (REPOSITORY / "docs" / "routing.md").read_text(encoding="utf-8")
FILE: str = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[0]

ROUTING, ROLLBACK = "acceptance/test_routing.py::", "acceptance/test_routed_rollback.py::"
CHANGED, TABLES = "interleavings/test_changed_rules.py::", "interleavings/test_routed_tables.py::"
RECOVERIES = "interleavings/test_routed_recoveries.py::"
RETIRED = "interleavings/test_retired_tables.py::"
EDITED = "interleavings/test_edited_routes.py::"
LOST = "interleavings/test_edited_routes_and_lost_logs.py::"
WITHOUT = "interleavings/test_rules_edited_without_a_table.py::"
CREATION, RULES = "acceptance/test_routed_creation.py::", "acceptance/test_route_rules.py::"
# The tests that show each row of the table *What happens when…*.
SHOWN = {
    "two rules fit a record": [
        "unit/test_route_one.py::test_the_first_rule_that_fits_decides",
        RULES + "test_the_pages_own_file_does_what_its_table_says",
    ],
    "the predicate of a rule fails for a record": [
        "integration/test_predicates_in_spark.py::test_a_predicate_that_fails_is_nothing_to_records_that_do_not_reach_it",
        "acceptance/test_predicates.py::test_records_go_where_predicates_say_and_one_that_fails_is_a_dead_letter",
    ],
    "a field that a rule needs is missing": [
        "unit/test_route_one.py::test_a_record_without_the_field",
        ROUTING + "test_a_record_without_the_field_goes_on_to_the_next_rule",
    ],
    "a table gets no records for a while": [
        ROUTING + "test_a_table_without_records_has_no_commit_and_lacks_nothing",
        CREATION + "test_a_table_without_rows_costs_no_row_in_postgres",
        TABLES + "test_what_a_table_has_no_records_of_is_filled_by_its_next_part",
        "integration/test_wal_routes.py::test_the_stage_that_closes_gives_its_tables_parts",
    ],
    "a table cannot be created": [
        CHANGED + "test_a_table_that_cannot_be_created_holds_up_no_other",
        CREATION + "test_a_table_that_cannot_be_is_an_error_for_it_alone",
        CREATION + "test_tables_of_a_forbidden_namespace_are_behind_and_get_their_records_once_it_is_allowed",
    ],
    "a table is dropped or replaced": [
        ROUTING + "test_a_dropped_table_is_behind_alone_and_is_never_made_again_by_itself",
        "acceptance/test_tables_behind_the_cut.py::"
        "test_a_dropped_table_is_named_with_its_lag_and_its_retention_until_it_has_all_of_its_records",
        RECOVERIES + "test_a_table_that_is_gone_is_named_and_not_created",
        RECOVERIES + "test_another_table_of_the_name_is_not_taken",
        "interleavings/test_shared_commits.py::test_a_table_that_was_dropped_stops_no_other_table",
    ],
    "a table is renamed": [
        ROUTING + "test_a_renamed_table_is_named_and_gets_its_records_once_it_has_its_name_again",
        "integration/test_iceberg_gone_table.py::test_a_table_that_was_renamed_is_found_by_its_uuid",
    ],
    "a table is retired": [
        RETIRED + "test_records_of_a_retired_table_become_dead_letters",
        "interleavings/test_retirements_that_die.py::test_a_recovery_asks_for_no_retired_table",
    ],
    "a table is rolled back": [ROLLBACK + "test_records_are_read_again_under_the_rules_that_routed_them"],
    "a rule is edited": [
        ROUTING + "test_edited_rules_apply_from_the_next_batch_on",
        "acceptance/test_routed_check.py::test_an_edit_of_the_rules_is_compared_with_those_of_the_newest_batch",
    ],
    "a rule is removed": [CHANGED + "test_a_table_whose_rule_was_removed_keeps_its_rows"],
    "`otherwise` changes": [CHANGED + "test_otherwise_is_for_later_records"],
    "an entry of `tables`, or `dead_letters.table`, gets the name of a table that rules made": [
        EDITED + "test_a_table_that_rules_made_is_not_taken_from_them",
        RETIRED + "test_what_cannot_be_retired_is_refused",
    ],
    "`dead_letters.table` is edited": [EDITED + "test_another_dead_letter_table_names_what_the_former_did"],
    "a pipeline without `route` gets one": [
        CHANGED + "test_a_pipeline_gets_a_route",
        RULES + "test_a_pipeline_of_one_table_gets_rules_and_does_not_lose_them_again",
    ],
    "a rule makes the name of a table that was an entry of `tables`": [
        EDITED + "test_a_rule_does_not_make_what_was_an_entry_of_tables"
    ],
    "Postgres is lost": [
        ROUTING + "test_a_lost_postgres_is_rebuilt_and_only_the_tail_is_read_again",
        RECOVERIES + "test_offsets_are_routed_by_the_rules_that_they_were_routed_by",
    ],
    "Postgres is lost while a table is gone": [
        LOST + "test_a_log_is_rebuilt_under_edited_rules_without_a_table_that_is_gone",
        LOST + "test_a_table_that_is_lost_for_good_is_rebound_though_a_partition_has_former_rules",
        WITHOUT + "test_nothing_is_planned_by_other_rules_until_the_table_is_back",
        WITHOUT + "test_the_former_rules_and_other_settings_go_on_without_it",
        WITHOUT + "test_a_decision_about_the_table_lets_other_rules_apply",
    ],
    "the dead-letter table cannot be committed": [
        CHANGED + "test_nothing_is_written_to_a_new_table_that_cannot_be_recorded"
    ],
    "earlier records are [backfilled](backfill.md#with-routes)": [
        "interleavings/test_routed_backfills.py::test_earlier_records_fan_out_and_make_tables",
        "interleavings/test_routed_backfills.py::test_the_rules_at_the_time_of_the_request_decide",
        "acceptance/test_routed_backfill.py::test_earlier_hours_by_the_command_with_spark",
    ],
}


def rows(head: str) -> list[list[str]]:
    """Of the page's table that begins with these cells."""
    _, _, below = PAGE.partition(f"\n| {head} |\n")
    lines = below.splitlines()[1:]
    end = next(n for n, line in enumerate(lines) if not line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[:end]]


@pytest.mark.parametrize("row", rows("topic | the record | goes to"), ids=" ".join)
def test_the_examples_are_right(tmp_path: Path, row: list[str]) -> None:
    (tmp_path / "p.yaml").write_text(FILE, encoding="utf-8")
    router = load_pipeline(tmp_path / "p.yaml", {}).router
    assert router is not None
    topic, record, goes_to = row
    found = route(router, topic.strip("`"), None, (), record.strip("`").encode())
    if found.reason is not None:
        assert goes_to == f"a dead letter: `{found.reason.kind}`"
    elif found.filtered:
        assert goes_to == "filtered"
    else:
        assert goes_to == " and ".join(f"`{table.name}`" for table in found.tables)


@pytest.mark.parametrize(("value", "name"), rows("value | in the name"))
def test_the_examples_of_names_are_right(value: str, name: str) -> None:
    assert corrected(value.strip("`")) == name.strip("`")


def test_the_advice_for_names_that_collide_is_right() -> None:
    advice = " ".join(PAGE.partition("- **Collisions.**")[2].partition("\n- **")[0].split())
    apart, together = (f"{{{text}}}" for text in re.findall(r"`\{(.*?)\}`", advice))
    owner, other = b'{"event": {"type": "a b"}}', b'{"event": {"type": "a-b"}}'
    for text, names in ((apart, ("lake.a_b", "lake.a_dash_b")), (together, ("lake.a_and_b", "lake.a_and_b"))):
        rule = yaml.safe_load(text)
        (((place, values),), table) = rule["when"].items(), rule["table"]
        when = ((place, tuple(values) if isinstance(values, list) else (values,)),)
        rules = (
            RouteRule("tables", (table,), when=when),
            RouteRule("tables", ("lake.{event.type}",)),
            RouteRule("filter"),
        )
        router = Router(rules, known={"lake.a_b": "lake.a b"})
        assert tuple(route(router, "t", None, (), value).tables[0].name for value in (owner, other)) == names


def test_the_examples_of_settings_are_right(tmp_path: Path) -> None:
    text = next(t for t in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "crm.unrouted" in t)
    (tmp_path / "p.yaml").write_text(f"source: {{topics: [crm]}}\n{text}", encoding="utf-8")
    file = load_pipeline(tmp_path / "p.yaml", {})
    assert file.route is not None
    names = ("the first rule", "the second rule", "the third rule", "`otherwise`")
    settings = [rule.settings for rule in file.route.all_rules]
    assert all(settings.count(one) == 1 for one in settings)
    for table, of in rows("table | settings of"):
        name = table.strip("`")
        made = file.with_routed({name: name}).table(name)
        assert settings[names.index(of)].items() <= dict(made).items()


def test_each_event_has_tests_that_show_its_effect() -> None:
    events = [row[0].partition(", for example")[0] for row in rows("event | effect")]
    assert events == list(SHOWN)
    for test in (t for tests in SHOWN.values() for t in tests):
        file, _, name = test.partition("::")
        assert name in names_in(f"tests/{file}"), test


def test_each_reason_has_its_row_and_the_limits_are_right() -> None:
    of_routing = {
        reasons.NO_ROUTE,
        reasons.PREDICATE_FAILED,
        reasons.ROUTED_TO_DEAD_LETTERS,
        reasons.NO_TABLE_NAME,
        reasons.NAMES_COLLIDE,
        reasons.NAME_TAKEN,
        reasons.TABLE_RETIRED,
    }
    assert {row[0].strip("`") for row in rows("reason | what to do")} == of_routing
    assert f"longer than {MAX_LEVEL_CHARACTERS} characters" in PAGE
