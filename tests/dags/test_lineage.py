"""What Airflow's own OpenLineage provider sends of an ingest run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kits.airflow import run_scenarios

pytestmark = pytest.mark.long
# The product does not need it; the locked environment of the tests has it.
pytest.importorskip("airflow.providers.openlineage")

CONSUMER = """
from airflow.sdk import DAG
from airflow.providers.standard.operators.empty import EmptyOperator
for name in ("consumer", "elsewhere"):
    with DAG(name, schedule=None):
        EmptyOperator(task_id="nothing")
"""
ONE = {"dag": "ingest__one", "batch_id": "b1"}
SCENARIOS: dict[str, dict[str, Any]] = {
    "a batch": {**ONE, "landed": {"n.t": 7}},
    "not due": ONE,
    "the catalog is gone": {**ONE, "landed": {"n.t": 8}, "no_catalog": True},
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Each scenario's run, and under `sent` what the provider sent of all of them."""
    home = tmp_path_factory.mktemp("airflow")
    sent = home / "sent"
    found = run_scenarios(
        home,
        {"one.yaml": "source: {topics: [flights]}\ntables: [{name: n.t}]\n"},
        SCENARIOS,
        CONSUMER,
        AIRFLOW__OPENLINEAGE__TRANSPORT=json.dumps({"type": "file", "log_file_path": str(sent), "append": True}),
        AIRFLOW__OPENLINEAGE__NAMESPACE="shop",
    )
    return found | {"sent": [json.loads(line) for line in sent.read_text(encoding="utf-8").splitlines()]}


def completed(runs: dict[str, Any], task: str) -> list[dict[str, Any]]:
    return [e for e in runs["sent"] if e["job"]["name"] == f"ingest__one.{task}" and e["eventType"] == "COMPLETE"]


def test_a_commit_reports_which_topics_went_into_which_table(runs: dict[str, Any]) -> None:
    assert runs["a batch"]["state"] == "success"
    [reported] = [e for e in completed(runs, "commit") if e["outputs"]]
    assert reported["job"]["namespace"] == "shop"
    assert [(d["namespace"], d["name"]) for d in reported["inputs"]] == [("kafka://broker.shop:9093", "flights")]
    [table] = reported["outputs"]
    assert (table["namespace"], table["name"]) == ("s3://lake", "n.t")
    assert table["facets"]["version"]["datasetVersion"] == "7"
    [symlink] = table["facets"]["symlinks"]["identifiers"]
    assert symlink == {"namespace": "https://catalog.shop/iceberg", "name": "n.t", "type": "TABLE"}
    assert table["outputFacets"]["outputStatistics"]["rowCount"] == 10
    assert "hunter2" not in json.dumps(runs["sent"])


def test_tasks_that_moved_nothing_into_a_table_report_none(runs: dict[str, Any]) -> None:
    assert runs["not due"]["tasks"]["commit[0]"] == "skipped"
    others = [e for e in runs["sent"] if not e["job"]["name"].endswith(".commit")]
    assert {e["job"]["name"] for e in others} >= {"ingest__one.plan", "ingest__one.write", "ingest__one.publish"}
    assert not any(e.get("outputs") for e in others)


def test_a_commit_does_not_fail_for_its_lineage(runs: dict[str, Any]) -> None:
    run = runs["the catalog is gone"]
    assert run["state"] == "success"
    assert [e["snapshot_id"] for e in run["events"]] == [8]
