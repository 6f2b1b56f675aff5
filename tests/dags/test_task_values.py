"""Values that tasks derive from Airflow's context."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.config import Pipeline
from lakelock.ingest.outcome import CommitOutcome
from lakelock.model.evolutions import ColumnsChanged
from lakelock.model.offsets import OffsetRange, Source

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    os.environ.setdefault("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))
    from lakelock.orchestration import ingest_tasks as module

    return module


@pytest.mark.parametrize(
    ("run_type", "end"), [("scheduled", AT + timedelta(minutes=5)), ("manual", AT + timedelta(seconds=33))]
)
def test_a_scheduled_window_ends_when_the_next_run_is_due_and_a_manual_one_soon(
    tasks: Any, run_type: str, end: datetime
) -> None:
    from airflow.sdk.api.datamodels._generated import DagRunType

    pipeline = Pipeline.from_resolved(
        {
            "name": "p",
            "source": {"topics": ["a"]},
            "tables": [{"name": "n.t"}],
            "schedule": {"every": "5m", "batch_every": "10s"},
        }
    )
    run = SimpleNamespace(run_type=DagRunType(run_type), run_after=AT, start_date=AT + timedelta(seconds=3))
    assert tasks._window_end({"dag_run": run}, pipeline) == end


def test_an_event_joins_ranges_and_names_only_the_first_of_very_many(tasks: Any) -> None:
    def outcome(snapshot_id: int, start: int, partitions: int) -> CommitOutcome:
        ranges = tuple(OffsetRange(Source("a", "id", p), start, start + 10) for p in range(partitions))
        return CommitOutcome("n.t", snapshot_id, ranges, 5, "")

    from lakelock.orchestration.events import event_extra

    extra = event_extra([outcome(1, 0, 150), outcome(2, 10, 150)], "dag/run")
    assert (extra["snapshot_id"], extra["rows"], extra["run"]) == (2, 10, "dag/run")
    assert len(extra["ranges"]) == 100
    assert extra["ranges_omitted"] == 50
    assert extra["ranges"][0] == {"topic": "a", "partition": 0, "start": 0, "end": 20}


@pytest.mark.parametrize(("option", "reported"), [("Approve", ""), ("Reject", "rejected by ann: nothing was changed")])
def test_a_rejected_question_is_skipped_and_says_by_whom(tasks: Any, option: str, reported: str) -> None:
    from airflow.providers.standard.operators.empty import EmptyOperator
    from airflow.sdk import DAG
    from airflow.sdk.exceptions import AirflowSkipException
    from lakelock.orchestration.approval import Approval

    with DAG("asks", schedule=None):
        asks, does = Approval(task_id="approve", subject="?", preview="look"), EmptyOperator(task_id="does")
        asks >> does
    who = {"id": "1", "name": "ann"}
    event = {"chosen_options": [option], "params_input": {}, "responded_at": AT, "responded_by_user": who}
    context = {"ti": SimpleNamespace(xcom_push=lambda *_, **__: None, map_index=-1), "task": asks}
    if reported:
        with pytest.raises(AirflowSkipException, match=reported):
            asks.execute_complete(context, event)
    else:
        assert asks.execute_complete(context, event)["responded_by_user"] == who


class Store(dict[str, Any]):
    """As Airflow's for one task in one run, through all its tries."""

    def set(self, key: str, value: Any, retention: Any = None) -> None:
        self[key] = value

    def delete(self, key: str) -> None:
        self.pop(key, None)


@pytest.mark.parametrize(
    ("first", "tries", "now", "is_waiting"),
    [
        (None, 1, "a", True),
        ("a", 2, "a", True),
        # Airflow keeps the text of the first question, whatever this one would say.
        ("a", 2, "b", False),
        (None, 2, "b", False),
    ],
)
def test_a_question_is_never_asked_again_with_another_look_behind_it(
    tasks: Any, monkeypatch: pytest.MonkeyPatch, first: str | None, tries: int, now: str, is_waiting: bool
) -> None:
    from airflow.providers.standard.operators import hitl
    from airflow.sdk import DAG
    from airflow.sdk.exceptions import AirflowFailException, TaskAwaitingInput
    from lakelock.orchestration.approval import Approval

    questions: list[str] = []
    monkeypatch.setattr(hitl, "upsert_hitl_detail", lambda **given: questions.append(given["body"]))
    with DAG("asks", schedule=None):
        asks = Approval(task_id="approve", subject="?", preview="look")
    store, pushed = Store({"asked": {"text": first}} if first else {}), dict[str, Any]()
    ti = SimpleNamespace(
        id="1",
        try_number=tries,
        xcom_pull=lambda task_ids: {"text": now},
        xcom_push=lambda key, value: pushed.update({key: value}),
    )
    with pytest.raises(TaskAwaitingInput if is_waiting else AirflowFailException):
        asks.execute({"ti": ti, "task_instance": ti, "task_state_store": store})
    assert questions == ([now] if is_waiting else [])
    assert pushed == ({"asked": {"text": now}} if is_waiting else {})


@pytest.mark.parametrize("breaks", ["get", "delete"])
def test_what_landed_is_reported_though_airflows_store_fails_when_it_is_asked(
    tasks: Any, monkeypatch: pytest.MonkeyPatch, breaks: str
) -> None:
    from lakelock.orchestration import events as asset_events

    monkeypatch.setattr("lakelock.orchestration.events.table_asset", lambda pipeline, table: table)
    monkeypatch.setattr("lakelock.orchestration.openlineage.report", lambda *_: None)
    store, sent = Store(), list[dict[str, Any]]()

    def tried(number: int, snapshot_id: int | None, fault: Exception | None = None) -> None:
        events: Any = SimpleNamespace(add=lambda asset, extra: sent.append(extra))
        ti = SimpleNamespace(try_number=number, max_tries=3, dag_id="d", run_id="r")
        context = {"ti": ti, "task_state_store": store, "outlet_events": {None: events}}
        pipeline: Any = SimpleNamespace(pipeline=None, file=None)
        with asset_events.landing(context, {"name": "p"}, pipeline, None) as landed:
            if snapshot_id is not None:
                source = Source("a", "id", 0)
                landed(
                    CommitOutcome("n.t", snapshot_id, (OffsetRange(source, snapshot_id, snapshot_id + 1),), 1, "line")
                )
            if fault:
                raise fault

    with pytest.raises(ValueError, match="of another table"):
        tried(1, 1, ValueError("of another table"))
    works = getattr(store, breaks)

    def broken(*given: Any) -> Any:
        # As where it has done it, and only its answer is lost.
        setattr(store, breaks, works)
        works(*given)
        raise ConnectionError("the api-server")

    setattr(store, breaks, broken)
    with pytest.raises(ConnectionError):
        tried(2, 2)
    # Airflow takes no event of a task that fails.
    sent.clear()
    tried(3, None)
    assert [(extra["snapshot_id"], extra["rows"]) for extra in sent] == [(2, 2)]
    assert store == {}


def test_an_event_names_each_change_of_columns_once_and_only_the_first_of_very_many(tasks: Any) -> None:
    from lakelock.orchestration.events import event_extra

    few = ColumnsChanged("n.t", ("x: new, long",), "topic a, partition 0, offset 7", "b", "r", 1, 5)
    many = ColumnsChanged(
        "n.t", tuple(f"x{n}: new, long" for n in range(120)), "topic a, partition 0, offset 9", "b", "r", 3, 6
    )
    landed = [CommitOutcome("n.t", n, (), 1, "", changed) for n, changed in ((2, (few,)), (4, (few, many)))]
    # As from a try that failed.
    kept = [CommitOutcome.of(json.loads(json.dumps(outcome.fields))) for outcome in landed]
    assert kept == landed
    first, second = event_extra(kept, "dag/run")["schema_changes"]
    assert first == {
        "snapshot_id": 1,
        "changes": ["x: new, long"],
        "changes_omitted": 0,
        "record": "topic a, partition 0, offset 7",
    }
    assert (second["snapshot_id"], len(second["changes"]), second["changes_omitted"]) == (3, 100, 20)


def test_rows_that_were_replaced_twice_count_once(tasks: Any) -> None:
    from lakelock.orchestration.events import event_extra

    again = [CommitOutcome("n.t", n, (OffsetRange(Source("a", "id", 0), 0, 10),), 10, "") for n in (1, 2)]
    extra = event_extra(again, "dag/run")
    assert (extra["snapshot_id"], extra["rows"]) == (2, 10)
