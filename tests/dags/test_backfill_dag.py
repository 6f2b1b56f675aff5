"""`backfill__p`: what Airflow's scheduler and its backfills make of it, and what a run does with each outcome of its steps."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kits.airflow import DRAWN, describe_folder, named_by_tests, run_scenarios
from lakelock.backfill.span import Span

pytestmark = DRAWN
PIPELINES = {
    "one.yaml": "owner: team\nsource: {topics: [flights]}\ntables: [{name: n.t}, {name: n.u}]\n",
    "days.yaml": "source: {topics: [flights]}\ntables: [{name: n.d}]\nbackfill: {interval: 1d}\n",
}
CONSUMERS = """
from airflow.sdk import DAG
from airflow.providers.standard.operators.empty import EmptyOperator
for name in ("consumer", "elsewhere"):
    with DAG(name, schedule=None) as dag:
        EmptyOperator(task_id="consume")
    globals()[name] = dag
"""
TIME = {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T02:00:00+01:00", "why": "a test"}
SCENARIOS: dict[str, dict[str, Any]] = {
    "a time": {"asking": 5, "landed": {"n.t": 7, "n.u": 8}, "params": TIME},
    "one table": {"asking": 5, "landed": {"n.t": 7, "n.u": 8}, "params": TIME | {"table": "n.u"}},
    "nothing is missing": {"params": TIME},
    "dry": {"asking": 5, "params": TIME | {"dry_run": True, "why": None}},
    "replace, no reason": {"replacing": 5, "params": TIME | {"mode": "replace", "why": None}},
    "no reason": {"asking": 5, "params": TIME | {"why": None}},
    "refused": {"asking": 5, "params": TIME, "fail": {"backfill.preview": ["BackfillRefused"]}},
    "replace": {"replacing": 5, "landed": {"n.t": 7}, "params": TIME | {"mode": "replace"}},
    "replace, none there": {"params": TIME | {"mode": "replace"}},
    "replace, dry": {"replacing": 5, "refused": "no", "params": TIME | {"mode": "replace", "dry_run": True, "why": None}},
    "replace, partly refused": {"replacing": 5, "refused": "no", "landed": {"n.t": 7}, "params": TIME | {"mode": "replace"}},
    "replace, overtaken": {
        "replacing": 5,
        "landed": {"n.t": 7},
        "params": TIME | {"mode": "replace"},
        "fail": {"replace": ["ReplaceUnfinished"] * 2},
    },
    "replace, no time": {"replacing": 5, "params": {"mode": "replace"}},
    "goes on": {"left": [4], "landed": {"n.t": 7}},
    "goes on, in vain": {"left": [4] * 9},
    "nothing to go on with": {},
    "would go on": {"left": [4], "params": {"dry_run": True}},
    "others write it": {"asking": 5, "others": True, "params": TIME, "fail": {"backfill.check": ["BackfillUnfinished"] * 2}},
    "a batch stops": {
        "asking": 5,
        "landed": {"n.t": 7},
        "params": TIME,
        "fail": {"backfill.write": ["DeadLetterLimit"], "backfill.check": ["BackfillUnfinished"] * 9},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def dags(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = describe_folder(tmp_path_factory.mktemp("airflow"), PIPELINES)
    assert found["import_errors"] == {}
    parsed: dict[str, Any] = found["dags"]
    return parsed


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    wanted = named_by_tests(request, SCENARIOS)
    scenarios = {name: {"dag": "backfill__one", **about} for name, about in wanted.items()}
    return run_scenarios(tmp_path_factory.mktemp("airflow"), PIPELINES, scenarios, CONSUMERS)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    os.environ.setdefault("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))
    from lakelock.orchestration import backfill_tasks

    return backfill_tasks


def steps(run: dict[str, Any]) -> list[str]:
    return [step.removeprefix("backfill.") for step, _ in run["calls"]]


def test_what_was_written_is_committed_and_checked_whatever_became_of_the_write(dags: dict[str, Any]) -> None:
    dag = dags["backfill__one"]
    assert dag["edges"] == {
        "ask": ["check", "commit", "replace", "tell", "write"],
        "write": ["commit", "done"],
        "commit": ["check", "done", "tell"],
        "check": ["done"],
        "replace": ["done", "tell"],
        "tell": ["done"],
        "done": [],
    }
    assert dag["rules"] == {
        "ask": "all_success",
        "write": "all_success",
        "commit": "all_done",
        "check": "all_done",
        "replace": "all_success",
        "tell": "all_done",
        "done": "none_failed",
    }
    assert [dag["retries"][task] for task in ("write", "check", "replace")] == [2, 5, 5]
    assert dag["groups"] == [["n.t", "n.one__dead_letters"], ["n.u"]]
    assert (dag["owner"], dag["tags"]) == ("team", ["backfill", "lakelock"])
    assert "at most 2 at once" in " ".join(dag["doc"].split())


def test_no_more_than_two_runs_work_at_once(dags: dict[str, Any]) -> None:
    dag = dags["backfill__one"]
    # The first counts the runs of one backfill alone.
    assert (dag["max_active_runs"], dag["catchup"]) == (2, False)
    assert dag["at_once"] == {
        "ask": 2,
        "write": 2,
        "commit": 2,
        "check": None,
        "replace": 2,
        "tell": None,
        "done": None,
    }


def test_only_a_backfill_or_a_hand_makes_a_run(dags: dict[str, Any]) -> None:
    dag = dags["backfill__one"]
    assert dag["run_types"] == [], "all: Airflow takes no DAG with a timetable that forbids scheduled runs"
    assert dag["timetable"] == {
        "__type": "lakelock.orchestration.backfill_timetable.BackfillTimetable",
        "__var": {"delta": 3600.0},
    }
    assert dag["round_trip"]
    squares = dag["squares"]
    assert squares["scheduled"] == [None, None]
    assert squares["periodic"], "Airflow refuses a backfill of any other"


def test_a_backfill_is_of_each_square_that_has_a_moment_of_it(dags: dict[str, Any]) -> None:
    squares = dags["backfill__one"]["squares"]
    hours = [f"2026-03-01T0{hour}:00:00+00:00" for hour in range(4)]
    assert squares["two hours"] == [" ".join(hours[n : n + 2]) for n in range(3)]
    assert squares["part of an hour"] == squares["elsewhere"] == squares["two hours"][:1]
    assert squares["long ago"] == ["1999-01-01T00:00:00+00:00 1999-01-01T01:00:00+00:00"]
    days = dags["backfill__days"]["squares"]
    assert days["two hours"] == days["part of an hour"] == ["2026-03-01T00:00:00+00:00 2026-03-02T00:00:00+00:00"]


def test_the_form_explains_its_fields(dags: dict[str, Any]) -> None:
    params = dags["backfill__one"]["params"]
    assert {name: p["value"] for name, p in params.items()} == dict.fromkeys(("table", "from", "to")) | {
        "dry_run": False,
        "mode": "fill",
        "why": "a backfill on Airflow's pages",
    }
    assert all(p["description"] and p["title"] for p in params.values())
    assert params["table"]["enum"] == [None, "n.t", "n.u"]
    # Once: it is true of all fields, and of a backfill only.
    says = [name for name, p in params.items() if "Override parameters on existing runs" in p["description"]]
    assert says == ["mode"]
    # Airflow shows the box right above the first of them.
    assert params["mode"]["description"].startswith("In a Backfill, tick 'Override parameters on existing runs' above:")
    assert "*Override parameters on existing runs*" in dags["backfill__one"]["doc"]
    # A user who presses Backfill has no use for them.
    assert {name for name, p in params.items() if "section" in p} == {"from", "to"}


def test_the_box_that_must_be_ticked_is_called_so_by_airflow() -> None:
    from airflow import ui
    from lakelock.catalogue.dag_forms import BOX

    texts = Path(*ui.__path__) / "dist" / "i18n" / "locales" / "en" / "components.json"
    assert json.loads(texts.read_text(encoding="utf-8"))["backfill"]["overrideExistingParams"] == BOX


def test_a_time_is_requested_written_committed_and_checked(runs: dict[str, Any]) -> None:
    run = runs["a time"]
    assert run["state"] == "success"
    assert {task for task, state in run["tasks"].items() if state != "success"} == {"replace", "tell"}
    assert steps(run) == ["preview", "ask", "preview", "write", "commit", "commit", "preview", "check"]
    [requested] = [given for step, given in run["calls"] if step == "backfill.ask"]
    span = "2026-03-01T00:00:00+00:00 to 2026-03-01T02:00:00+01:00"
    assert requested == {"span": span, "table": None, "who": "dag_test", "why": "a test"}
    assert {given["now"] for step, given in run["calls"] if step == "commit"} == {"True"}
    # In no order: the database returns them as it likes.
    assert sorted((e["uri"], e["snapshot_id"]) for e in run["events"]) == [
        ("iceberg://iceberg_default/n.t", 7),
        ("iceberg://iceberg_default/n.u", 8),
    ]
    assert all(e["run"].startswith("backfill__one/manual__") for e in run["events"])


def test_other_tables_wait_for_their_own_commits(runs: dict[str, Any]) -> None:
    run = runs["one table"]
    assert run["state"] == "success"
    assert [given["tables"] for step, given in run["calls"] if step == "commit"] == ["['n.u']"]
    assert (run["tasks"]["commit[0]"], run["tasks"]["commit[1]"]) == ("skipped", "success")


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("nothing is missing", ["preview"]),
        ("dry", ["preview"]),
        ("nothing to go on with", ["waiting"]),
        ("would go on", ["waiting"]),
    ],
)
def test_where_nothing_is_to_be_done_the_rest_is_skipped(runs: dict[str, Any], name: str, called: list[str]) -> None:
    run = runs[name]
    assert (run["state"], steps(run)) == ("success", called)
    assert {run["tasks"][task] for task in ("write", "commit[0]", "check")} == {"skipped"}


@pytest.mark.parametrize("name", ["no reason", "replace, no reason", "refused"])
def test_what_cannot_be_requested_makes_a_red_run_that_commits_nothing(runs: dict[str, Any], name: str) -> None:
    run = runs[name]
    assert (run["state"], run["tasks"]["ask"]) == ("failed", "failed")
    assert steps(run) == (["preview"] if name == "refused" else [])
    assert run["tasks"]["commit[0]"] == "skipped"


def test_rows_are_replaced_and_reported_and_nothing_is_requested(runs: dict[str, Any]) -> None:
    run = runs["replace"]
    assert run["state"] == "success"
    assert {t for t, state in run["tasks"].items() if state == "success"} == {"ask", "replace", "done"}
    assert [step for step, _ in run["calls"]] == ["replace.preview", "replace"]
    assert run["calls"][1][1] == {
        "span": "2026-03-01T00:00:00+00:00 to 2026-03-01T02:00:00+01:00",
        "table": None,
        "who": "dag_test",
        "why": "a test",
    }
    assert [(e["uri"], e["snapshot_id"]) for e in run["events"]] == [("iceberg://iceberg_default/n.t", 7)]


@pytest.mark.parametrize("name", ["replace, none there", "replace, dry"])
def test_where_nothing_is_to_be_replaced_the_rest_is_skipped(runs: dict[str, Any], name: str) -> None:
    run = runs[name]
    assert (run["state"], [step for step, _ in run["calls"]]) == ("success", ["replace.preview"])
    assert run["tasks"]["replace"] == "skipped"


def test_a_table_that_is_refused_makes_a_red_run_in_which_others_are_reported(runs: dict[str, Any]) -> None:
    run = runs["replace, partly refused"]
    assert (run["state"], run["tasks"]["replace"]) == ("failed", "failed")
    assert [step for step, _ in run["calls"]].count("replace") == 1, "a person must act first"
    assert [(e["uri"], e["snapshot_id"]) for e in run["events"]] == [("iceberg://iceberg_default/n.t", 7)]
    run = runs["replace, no time"]
    assert (run["state"], run["tasks"]["ask"], run["calls"]) == ("failed", "failed", [])


def test_one_that_others_overtook_is_tried_again(runs: dict[str, Any]) -> None:
    run = runs["replace, overtaken"]
    assert run["state"] == "success"
    assert [step for step, _ in run["calls"]].count("replace") == 3


def test_a_run_without_a_time_goes_on_with_all_that_was_requested(runs: dict[str, Any]) -> None:
    run = runs["goes on"]
    assert run["state"] == "success"
    assert steps(run) == ["waiting", "go_on", "write", "commit", "commit", "waiting"]
    [write] = [given for step, given in run["calls"] if step == "backfill.write"]
    assert write["interval"] is None
    run = runs["goes on, in vain"]
    assert (run["state"], run["tasks"]["check"]) == ("failed", "failed")
    assert steps(run)[-6:] == ["waiting"] * 6


def test_what_others_write_is_waited_for(runs: dict[str, Any]) -> None:
    run = runs["others write it"]
    assert (run["state"], run["tasks"]["write"]) == ("success", "skipped")
    assert steps(run).count("check") == 3


def test_a_batch_that_stops_leaves_a_red_run_whose_other_batches_land(runs: dict[str, Any]) -> None:
    run = runs["a batch stops"]
    assert (run["state"], run["tasks"]["write"], run["tasks"]["commit[0]"]) == ("failed", "failed", "success")
    # A person must act first: no second attempt.
    assert steps(run).count("write") == 1
    assert run["tasks"]["check"] == "failed"


START = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = (START, START + timedelta(hours=1))
EMPTY: dict[str, Any] = dict.fromkeys(("from", "to", "table", "why")) | {"dry_run": False, "mode": "fill"}
DEFAULTS = EMPTY | {"why": "a backfill on Airflow's pages"}


def test_a_run_of_a_backfill_has_its_own_time_and_one_by_hand_that_of_its_form(tasks: Any) -> None:
    form = EMPTY | {"table": "n.t"}
    for reached in ({"why": "x"}, {"why": "x", "mode": "replace"}, {"dry_run": True}):
        assert tasks.requested_span("backfill", HOUR, form | reached, sent=True) == Span(*HOUR, "n.t")
    # The interval that Airflow gives to a run by hand means nothing.
    assert tasks.requested_span("manual", HOUR, EMPTY, sent=False) is None
    span = tasks.requested_span("manual", HOUR, EMPTY | TIME, sent=True)
    assert (span.start, span.end, span.table) == (START, START + timedelta(hours=1), None)


@pytest.mark.parametrize(
    ("run_type", "given", "reported"),
    [
        # What Airflow's form sends while its box is not ticked: nothing, whatever is filled in.
        ("backfill", None, "'Override parameters on existing runs' is ticked.* Nothing was changed"),
        ("backfill", {"why": ""}, "fill in Why.* Nothing was changed"),
        ("backfill", {"from": TIME["from"]}, "leave From and To empty"),
        ("backfill", {"to": TIME["to"]}, "leave From and To empty"),
        ("manual", {"from": TIME["from"], "why": "x"}, "fill in both From and To"),
        ("manual", {"to": TIME["to"], "why": "x"}, "fill in both From and To"),
        ("manual", {"table": "n.t"}, "Table needs From and To"),
        ("manual", TIME | {"why": ""}, "fill in Why"),
        ("manual", TIME | {"to": "2026-13-01T00:00:00Z"}, "month must be in 1..12"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(tasks: Any, run_type: str, given: Any, reported: str) -> None:
    from airflow.sdk.exceptions import AirflowFailException

    with pytest.raises(AirflowFailException, match=reported):
        tasks.requested_span(run_type, HOUR, DEFAULTS | (given or {}), sent=given is not None)
