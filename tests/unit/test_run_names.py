"""Names in a run's configuration."""

from __future__ import annotations

import pytest
from lakelock.errors import RunRefused
from lakelock.model.run_names import check_names, check_table

FIELDS = ("max_records", "commit_now", "dry_run", "stop_at_time")


def test_fields_of_the_form_are_known_also_where_some_are_left_out() -> None:
    check_names((), FIELDS)
    check_names(("dry_run",), FIELDS)
    check_names(FIELDS, FIELDS)


def test_a_name_that_airflow_adds_is_known() -> None:
    check_names(("openlineage", "dry_run"), FIELDS)


@pytest.mark.parametrize(
    ("given", "near"),
    [("dryrun", "dry_run"), ("Dry_Run", "dry_run"), ("maxRecords", "max_records"), ("stop-at-time", "stop_at_time")],
)
def test_a_wrong_name_is_refused_with_the_nearest_field(given: str, near: str) -> None:
    with pytest.raises(RunRefused, match=f"'{given}', which is not a field of its form: did you mean '{near}'"):
        check_names([given, "commit_now"], FIELDS)


def test_all_wrong_names_are_refused_at_once() -> None:
    with pytest.raises(
        RunRefused, match=r"'dryrun'.*; 'zzz', .*the fields are commit_now, dry_run, .*Nothing was changed"
    ):
        check_names(["dryrun", "zzz"], FIELDS)


def test_of_thousands_of_tables_the_nearest_are_named_and_a_few_are_listed() -> None:
    known = [f"lake.t{n}" for n in range(5_000)]
    check_table("p", "lake.t4321", known)
    with pytest.raises(RunRefused) as fault:
        check_table("p", "lake.tt432", known)
    text = str(fault.value)
    assert text.startswith("'lake.tt432' is not a table of pipeline 'p'. Did you mean lake.t432 or lake.t")
    assert text.endswith("lake.t18, lake.t19 and 4,980 more.")
    assert len(text) < 500
