"""What a run of the ingest DAG does with each outcome of its steps: tasks that follow, colours, retries, asset events."""

from __future__ import annotations

import importlib.util
import inspect
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from kits.airflow import DRAWN, REPORTED, SCRIPTS, named_by_tests, run_scenarios, with_needed
from lakelock.ingest.plan_decision import StopAt

pytestmark = DRAWN
PIPELINES = {
    "one.yaml": "source: {topics: [flights]}\ntables: [{name: n.t}]\n",
    "two.yaml": "source: {topics: [flights]}\ntables: [{name: n.a}, {name: n.b}]\n",
    "win.yaml": "schedule: {every: 5m, batch_every: 10s}\nsource: {topics: [flights]}\ntables: [{name: n.w}]\n",
    "hourly.yaml": "source: {topics: [flights]}\ntables: [{name: n.h}, {name: n.i}]\npublish: {max_lateness: 5m}\n",
    "routed.yaml": "source: {topics: [flights]}\nroute: {rules: [{table: 'n.{event.type}'}]}\n"
    "catalog: {requests_per_second: 20}\n",
    "bad.yaml": "source: {topics: [flights]}\ntables: [{name: n.w}]\nownr: x\n",
}
CONSUMER = """
from airflow.sdk import DAG, Asset, PartitionedAssetTimetable, task
from airflow.providers.standard.operators.empty import EmptyOperator
with DAG("consumer", schedule=[Asset("iceberg://iceberg_default/n.t")]):
    EmptyOperator(task_id="consume")
hours = Asset("iceberg://iceberg_default/n.h/hours/hourly")
with DAG("hourly_consumer", schedule=PartitionedAssetTimetable(assets=hours)):
    EmptyOperator(task_id="consume")
with DAG("elsewhere", schedule=None):
    @task(outlets=[hours])
    def tell(outlet_events):
        outlet_events[hours].add_partitions("2027-01-01T00:00:00")
    tell()
"""
HOURS = [f"2026-03-01T{hour:02}:00:00" for hour in range(5)]
SCENARIOS: dict[str, dict[str, Any]] = {
    "a batch": {"dag": "ingest__one", "batch_id": "b1", "landed": {"n.t": 7}},
    "nothing to read": {"dag": "ingest__one"},
    "only commits": {"dag": "ingest__one", "staged": True, "landed": {"n.t": 8, "n.one__dead_letters": 9}},
    "only publish": {"dag": "ingest__one", "publish_due": True},
    "not due": {"dag": "ingest__one", "batch_id": "b1"},
    "params": {"dag": "ingest__one", "batch_id": "b1", "params": {"max_records": 5, "commit_now": True}},
    "some tables now": {"dag": "ingest__two", "batch_id": "b1", "params": {"commit_tables": ["n.b"]}},
    "a stop": {
        "dag": "ingest__one",
        "batch_id": "b1",
        "params": {"stop_at_time": "2026-01-31T12:00:00Z", "stop_at_offsets": {"flights": {"0": 7}}},
    },
    "a stop in a window": {
        "dag": "ingest__win",
        "batch_id": "b1",
        "params": {"stop_at_offsets": {"flights": {"0": 7}}},
    },
    "routed tables": {
        "dag": "ingest__routed",
        "batch_id": "b1",
        "routed": [f"n.t{n}" for n in range(20)],
        "landed": {f"n.t{n}": 100 + n for n in range(20)} | {"n.routed__dead_letters": 99},
    },
    "a routed table that does not exist": {
        "dag": "ingest__routed",
        "batch_id": "b1",
        "routed": [f"n.t{n}" for n in range(40)],
        "landed": {"n.t0": 1},
        "params": {"commit_tables": ["n.t0", "n.tt1"]},
    },
    "no cut yet": {"dag": "ingest__routed", "staged": True},
    "the first cut": {"dag": "ingest__routed", "staged": True, "cut": [10, {}]},
    "the same cut": {"dag": "ingest__routed", "staged": True, "cut": [10, {}]},
    "a cut with a table behind": {"dag": "ingest__routed", "staged": True, "cut": [20, {"n.t1": 15}]},
    "a cut that publish fails to see": {
        "dag": "ingest__routed",
        "staged": True,
        "cut": [30, {}],
        "fail": {"publish": ["AccessDenied"]},
    },
    "no table is behind": {"dag": "ingest__routed", "staged": True, "cut": [30, {}]},
    "dry run": {"dag": "ingest__one", "batch_id": "b1", "staged": True, "params": {"dry_run": True}},
    "dry run fails": {
        "dag": "ingest__one",
        "staged": True,
        "fail": {"plan": ["Unreachable"] * 2},
        "landed": {"n.t": 1},
        "params": {"dry_run": True},
    },
    "refused": {"dag": "ingest__one", "staged": True, "fail": {"plan": ["RunRefused"]}, "landed": {"n.t": 1}},
    "a name that no field has": {
        "dag": "ingest__one",
        "staged": True,
        "landed": {"n.t": 1},
        "params": {"dryrun": True},
    },
    "plan is terminal": {"dag": "ingest__one", "fail": {"plan": ["TopicMissing"]}, "landed": {"n.t": 1}},
    "write recovers": {"dag": "ingest__one", "batch_id": "b1", "fail": {"write": ["BatchChanged", "Unreachable"]}},
    "write is terminal": {"dag": "ingest__one", "batch_id": "b1", "fail": {"write": ["Fenced"]}, "landed": {"n.t": 2}},
    "one commit fails": {
        "dag": "ingest__two",
        "batch_id": "b1",
        "fail": {"commit": ["TableMissing"]},
        "landed": {"n.a": 1, "n.b": 2},
    },
    "a table fails, its dead letters land": {
        "dag": "ingest__one",
        "staged": True,
        "landed": {"n.one__dead_letters": 9},
        "after": {"n.t": ["TableMissing"]},
    },
    "a table fails once": {
        "dag": "ingest__one",
        "staged": True,
        "landed": {"n.one__dead_letters": 9},
        "after": {"n.t": ["Unreachable"]},
    },
    "a table fails in each try": {
        "dag": "ingest__one",
        "staged": True,
        "landed": {"n.one__dead_letters": 9},
        "after": {"n.t": ["Unreachable"] * 2},
        "fail": {"publish": ["Unreachable"] * 2},
    },
    "publish fails": {
        "dag": "ingest__one",
        "staged": True,
        "landed": {"n.t": 3},
        "fail": {"publish": ["AccessDenied"]},
    },
    "a window": {"dag": "ingest__win", "batch_id": "b1", "landed": {"n.w": 5}},
    "an idle window": {"dag": "ingest__win"},
    "a broken file": {"dag": "ingest__bad"},
    "two hours": {"dag": "ingest__hourly", "batch_id": "b1", "landed": {"n.h": 1}, "hours": {"n.h": HOURS[:2]}},
    "the run after": {"dag": "ingest__hourly", "hours": {"n.h": HOURS[:2]}},
    "and the one after that": {"dag": "ingest__hourly", "hours": {"n.h": HOURS[:2]}},
    "not complete yet": {"dag": "ingest__hourly", "hours": {"n.h": HOURS[:3]}, "complete": []},
    "a look that fails once": {
        "dag": "ingest__hourly",
        "hours": {"n.h": HOURS[:3]},
        "fail": {"hours": ["Unreachable"]},
    },
    "both tables": {"dag": "ingest__hourly", "hours": {"n.h": HOURS[:4], "n.i": HOURS[3:4]}},
    "hours in a dry run": {"dag": "ingest__hourly", "hours": {"n.h": HOURS}, "params": {"dry_run": True}},
    "plan fails, an hour does not": {
        "dag": "ingest__hourly",
        "hours": {"n.h": HOURS},
        "fail": {"plan": ["TopicMissing"]},
    },
}


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return run_scenarios(tmp_path_factory.mktemp("airflow"), PIPELINES, named_by_tests(request, SCENARIOS), CONSUMER)


def steps(run: dict[str, Any]) -> list[str]:
    return [step for step, _ in run["calls"]]


def arguments(run: dict[str, Any], step: str) -> list[dict[str, Any]]:
    return [given for called, given in run["calls"] if called == step]


def test_a_batch_goes_through_all_four_tasks(runs: dict[str, Any]) -> None:
    run = runs["a batch"]
    assert (run["state"], steps(run)) == ("success", ["plan", "write", "commit", "publish"])
    assert set(run["tasks"].values()) == {"success"}
    [write] = arguments(run, "write")
    assert write["batch_id"] == "b1"
    assert write["run"].startswith("ingest__one/manual__")
    assert len(write["attempt"]) == 36
    assert "n.t, n.one__dead_letters" in run["labels"]


def test_each_further_cut_of_a_pipeline_is_one_event_of_its_own_asset(runs: dict[str, Any]) -> None:
    first, second = runs["the first cut"]["events"], runs["a cut with a table behind"]["events"]
    assert [e["uri"] for e in (*first, *second)] == ["lakelock://routed/"] * 2
    assert first[0]["offsets"] == [{"topic": "flights", "partition": 0, "end": 10}]
    assert (first[0]["total"], first[0]["valid_through"]) == (10, "1970-01-01T00:00:10.000Z")
    assert (first[0]["behind"], first[0]["offsets_omitted"]) == ({}, 0)
    assert second[0]["behind"] == {"n.t1": [{"topic": "flights", "partition": 0, "start": 15, "end": 20}]}
    assert second[0]["run"].startswith("ingest__routed/manual__")


def test_a_cut_that_has_not_moved_is_not_reported_again(runs: dict[str, Any]) -> None:
    assert (runs["no cut yet"]["events"], runs["the same cut"]["events"]) == ([], [])
    assert runs["the same cut"]["tasks"]["publish"] == "success"


def test_the_last_event_is_the_one_of_the_last_run_whatever_the_clock_of_an_api_server_says() -> None:
    from lakelock.orchestration.cut_events import last_of

    # As Airflow orders them: the clock of the second api-server is behind.
    first, second = (SimpleNamespace(id=n, source_dag_id="ingest__routed") for n in (7, 8))
    by_hand = SimpleNamespace(id=9, source_dag_id=None)
    assert last_of([by_hand, first, second], "ingest__routed") is second
    assert last_of([by_hand], "ingest__routed") is None


def test_scenarios_of_chosen_tests_come_with_those_whose_reports_they_read() -> None:
    reporting = [name for name, about in SCENARIOS.items() if REPORTED & about.keys()]
    for n, name in enumerate(reporting):
        before = [b for b in reporting[: n + 1] if SCENARIOS[b]["dag"] == SCENARIOS[name]["dag"]]
        assert list(with_needed([name], SCENARIOS)) == before


def test_a_cut_that_a_failed_task_has_seen_is_reported_by_the_next_run(runs: dict[str, Any]) -> None:
    assert runs["a cut that publish fails to see"]["events"] == []
    [event] = runs["no table is behind"]["events"]
    assert (event["total"], event["behind"]) == (30, {})


def test_with_nothing_to_do_nothing_but_the_plan_runs(runs: dict[str, Any]) -> None:
    run = runs["nothing to read"]
    assert (run["state"], steps(run)) == ("success", ["plan"])
    assert {task: state for task, state in run["tasks"].items() if state == "skipped"}.keys() == {
        "write",
        "commit[0]",
        "publish",
    }


def test_staged_parts_commit_without_a_write(runs: dict[str, Any]) -> None:
    run = runs["only commits"]
    assert (run["state"], steps(run)) == ("success", ["plan", "commit", "publish"])
    assert run["tasks"]["write"] == "skipped"


def test_publish_can_run_alone(runs: dict[str, Any]) -> None:
    assert steps(runs["only publish"]) == ["plan", "publish"]


def test_a_commit_that_is_not_due_shows_as_skipped_and_sends_no_event(runs: dict[str, Any]) -> None:
    run = runs["not due"]
    assert (run["state"], run["tasks"]["commit[0]"], run["tasks"]["publish"]) == ("success", "skipped", "success")
    assert run["events"] == []


def test_params_reach_the_steps(runs: dict[str, Any]) -> None:
    run = runs["params"]
    assert arguments(run, "plan") == [{"max_records": "5", "dry_run": "False", "stop_at": None}]
    assert [c["now"] for c in arguments(run, "commit")] == ["True"]


def test_only_the_tables_that_were_chosen_commit_now(runs: dict[str, Any]) -> None:
    assert {c["now"] for c in arguments(runs["some tables now"], "commit")} == {"['n.b']"}


def test_few_tasks_share_all_routed_tables_and_each_is_one_event(runs: dict[str, Any]) -> None:
    run = runs["routed tables"]
    assert run["state"] == "success"
    assert sorted(c["share"] for c in arguments(run, "commit")) == [f"{n} of 4" for n in range(4)]
    assert {c["paced"] for c in arguments(run, "commit")} == {"as one of 4"}, (
        "they share requests to the catalog as well"
    )
    assert [c["tables"] for c in arguments(run, "commit")].count("['n.routed__dead_letters']") == 1
    assert sorted(e["snapshot_id"] for e in run["events"]) == list(range(99, 120))
    assert {t for t in run["tasks"] if t.startswith("commit")} == {f"commit[{n}]" for n in range(4)}


def test_a_run_for_a_routed_table_that_does_not_exist_is_refused(runs: dict[str, Any]) -> None:
    run = runs["a routed table that does not exist"]
    assert (run["state"], steps(run)) == ("failed", [])
    assert {run["tasks"][task] for task in ("commit[0]", "publish")} == {"skipped"}


def test_every_plan_of_a_run_knows_where_to_stop(runs: dict[str, Any]) -> None:
    at = StopAt(datetime(2026, 1, 31, 12, tzinfo=UTC), {"flights": {0: 7}})
    assert [c["stop_at"] for s in ("plan", "write") for c in arguments(runs["a stop"], s)] == [str(at)] * 2
    window = runs["a stop in a window"]
    at = StopAt(None, {"flights": {0: 7}})
    assert [c["stop_at"] for s in ("plan", "write_window") for c in arguments(window, s)] == [str(at)] * 2


def test_a_dry_run_only_plans(runs: dict[str, Any]) -> None:
    run = runs["dry run"]
    assert (run["state"], steps(run)) == ("success", ["plan"])
    assert arguments(run, "plan")[0]["dry_run"] == "True"


def test_a_dry_run_whose_plan_fails_changes_nothing(runs: dict[str, Any]) -> None:
    run = runs["dry run fails"]
    assert (run["state"], steps(run)) == ("failed", ["plan", "plan"])
    assert {run["tasks"][task] for task in ("commit[0]", "publish")} == {"skipped"}


@pytest.mark.parametrize(("name", "called"), [("refused", ["plan"]), ("a name that no field has", [])])
def test_a_run_whose_configuration_is_refused_changes_nothing(
    runs: dict[str, Any], name: str, called: list[str]
) -> None:
    run = runs[name]
    assert (run["state"], steps(run)) == ("failed", called)
    assert {run["tasks"][task] for task in ("commit[0]", "publish")} == {"skipped"}
    assert run["tasks"]["plan"] == "failed"


def test_a_failed_plan_makes_the_run_red_and_lets_staged_parts_commit(runs: dict[str, Any]) -> None:
    run = runs["plan is terminal"]
    assert (run["state"], steps(run)) == ("failed", ["plan", "commit", "publish"])
    assert (run["tasks"]["plan"], run["tasks"]["write"]) == ("failed", "upstream_failed")
    assert [e["snapshot_id"] for e in run["events"]] == [1]


def test_a_write_is_tried_again_with_a_new_attempt(runs: dict[str, Any]) -> None:
    run = runs["write recovers"]
    assert (run["state"], steps(run).count("write")) == ("success", 3)
    assert len({w["attempt"] for w in arguments(run, "write")}) == 3
    assert len({w["run"] for w in arguments(run, "write")}) == 1


def test_a_terminal_error_is_not_retried_and_the_run_is_red_though_publish_is_not(runs: dict[str, Any]) -> None:
    run = runs["write is terminal"]
    assert (run["state"], steps(run)) == ("failed", ["plan", "write", "commit", "publish"])
    assert (run["tasks"]["write"], run["tasks"]["publish"]) == ("failed", "success")


def test_one_tables_failure_stops_no_other_table(runs: dict[str, Any]) -> None:
    run = runs["one commit fails"]
    assert run["state"] == "failed"
    assert sorted(run["tasks"][f"commit[{i}]"] for i in range(2)) == ["failed", "success"]
    assert len(run["events"]) == 1
    assert run["tasks"]["publish"] == "success"


@pytest.mark.parametrize(
    ("name", "commit", "state"),
    [
        ("a table fails, its dead letters land", "failed", "failed"),
        ("a table fails once", "success", "success"),
        ("a table fails in each try", "failed", "failed"),
    ],
)
def test_what_landed_before_a_task_failed_is_reported_once(
    runs: dict[str, Any], name: str, commit: str, state: str
) -> None:
    run = runs[name]
    assert [(e["table"], e["snapshot_id"]) for e in run["events"]] == [("n.one__dead_letters", 9)]
    # Where the group cannot be set, too: a task that fails sends no event.
    assert (run["tasks"]["commit[0]"], run["tasks"]["publish"], run["state"]) == (commit, "success", state)


def test_a_failed_publish_makes_the_run_red_and_keeps_the_event(runs: dict[str, Any]) -> None:
    run = runs["publish fails"]
    assert (run["state"], run["tasks"]["publish"]) == ("failed", "failed")
    assert [e["snapshot_id"] for e in run["events"]] == [3]


def test_an_event_reports_snapshot_rows_and_ranges_and_wakes_consumers(runs: dict[str, Any]) -> None:
    run = runs["a batch"]
    [event] = run["events"]
    assert event["uri"] == "iceberg://iceberg_default/n.t"
    assert (event["table"], event["snapshot_id"], event["rows"]) == ("n.t", 7, 10)
    assert event["ranges"] == [{"topic": "flights", "partition": 0, "start": 0, "end": 10}]
    assert run["consumers"] == ["consumer"]
    assert sorted(e["table"] for e in runs["only commits"]["events"]) == ["n.one__dead_letters", "n.t"]


def test_a_window_sends_one_event_for_all_its_commits_of_a_table(runs: dict[str, Any]) -> None:
    run = runs["a window"]
    assert run["state"] == "success"
    assert sorted(steps(run)) == ["commit_window", "plan", "publish", "write_window"]
    [event] = run["events"]
    assert (event["snapshot_id"], event["rows"]) == (6, 20)
    assert event["ranges"] == [{"topic": "flights", "partition": 0, "start": 0, "end": 20}]
    [write], [commit] = arguments(run, "write_window"), arguments(run, "commit_window")
    assert (write["batch_every_s"], write["batch_id"]) == ("10.0", "b1")
    assert write["until"] == commit["until"]


def test_a_window_without_a_first_batch_still_waits_for_records(runs: dict[str, Any]) -> None:
    assert sorted(steps(runs["an idle window"])) == ["commit_window", "plan", "publish", "write_window"]


def hours_reported(run: dict[str, Any]) -> list[tuple[str, str]]:
    return sorted((e["table"], e["partition"]) for e in run["events"] if e["partition"] is not None)


def test_each_complete_hour_is_one_event_and_one_run_of_a_consumer(runs: dict[str, Any]) -> None:
    run = runs["two hours"]
    assert run["state"] == "success"
    assert sorted(set(steps(run))) == ["commit", "hours", "plan", "publish", "write"]
    assert hours_reported(run) == [("n.h", HOURS[0]), ("n.h", HOURS[1])]
    event = next(e for e in run["events"] if e["partition"] == HOURS[0])
    assert event["uri"] == "iceberg://iceberg_default/n.h/hours/hourly"
    assert (event["snapshot_id"], event["valid_through"]) == (7, "2026-03-01T02:00:00+00:00")
    # Another's event, which was there before, says nothing of what this pipeline reported.
    assert run["partitions"] == [*HOURS[:2], "2027-01-01T00:00:00"]


def test_an_hour_is_reported_once_and_then_nothing_looks_for_it(runs: dict[str, Any]) -> None:
    after = runs["the run after"]
    assert (after["tasks"]["hours"], after["events"]) == ("skipped", [])
    assert arguments(after, "hours") == [{"n.h": "2026-03-01 01:00:00+00:00"}]
    assert steps(runs["and the one after that"]) == ["plan"]


def test_a_run_with_nothing_to_report_sends_no_event(runs: dict[str, Any]) -> None:
    run = runs["not complete yet"]
    assert (run["state"], steps(run), run["tasks"]["hours"]) == ("success", ["plan", "hours"], "skipped")
    assert run["events"] == []


def test_an_hour_whose_look_failed_is_reported_by_the_next(runs: dict[str, Any]) -> None:
    run = runs["a look that fails once"]
    assert steps(run) == ["plan", "hours", "hours"]
    assert hours_reported(run) == [("n.h", HOURS[2])]


def test_each_table_has_hours_of_its_own(runs: dict[str, Any]) -> None:
    assert hours_reported(runs["both tables"]) == [("n.h", HOURS[3]), ("n.i", HOURS[3])]
    assert len(runs["both tables"]["events"]) == 2


def test_no_hour_is_reported_in_a_dry_run_and_one_is_when_a_plan_fails(runs: dict[str, Any]) -> None:
    assert steps(runs["hours in a dry run"]) == ["plan"]
    run = runs["plan fails, an hour does not"]
    assert run["state"] == "failed"
    assert hours_reported(run) == [("n.h", HOURS[4])]


def test_the_dag_of_a_broken_file_fails_with_its_faults(runs: dict[str, Any]) -> None:
    run = runs["a broken file"]
    assert (run["state"], run["tasks"], run["calls"]) == ("failed", {"faults": "failed"}, [])


def test_the_scripted_steps_take_what_the_real_ones_take() -> None:
    from lakelock.app.runtime import Runtime

    spec = importlib.util.spec_from_file_location("scenarios", SCRIPTS / "scenarios.py")
    assert spec is not None
    assert spec.loader is not None
    scenarios = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scenarios)
    for step in (
        "plan",
        "write_run",
        "write_window",
        "commit",
        "commit_window",
        "publish",
        "waiting_for_hours",
        "complete_hours",
    ):
        scripted = list(inspect.signature(getattr(scenarios.ScriptedRuntime, step)).parameters)
        assert scripted == list(inspect.signature(getattr(Runtime, step)).parameters), step
