"""Values that tasks derive from Airflow's context."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.config import Pipeline
from lakelock.core.offsets import OffsetRange, Source
from lakelock.steps.outcome import CommitOutcome

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Any:
    os.environ.setdefault("AIRFLOW_HOME", str(tmp_path_factory.mktemp("airflow")))
    from lakelock import tasks as module

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

    from lakelock.telling import event_extra

    extra = event_extra([outcome(1, 0, 150), outcome(2, 10, 150)], "dag/run")
    assert (extra["snapshot_id"], extra["rows"], extra["run"]) == (2, 10, "dag/run")
    assert len(extra["ranges"]) == 100
    assert extra["ranges_omitted"] == 50
    assert extra["ranges"][0] == {"topic": "a", "partition": 0, "start": 0, "end": 20}


@pytest.mark.parametrize(("option", "told"), [("Approve", ""), ("Reject", "rejected by ann: nothing was changed")])
def test_a_rejected_question_is_skipped_and_says_by_whom(tasks: Any, option: str, told: str) -> None:
    from airflow.providers.standard.operators.empty import EmptyOperator
    from airflow.sdk import DAG
    from airflow.sdk.exceptions import AirflowSkipException
    from lakelock.approval import Approval

    with DAG("asks", schedule=None):
        asks, does = Approval(task_id="approve", subject="?", look="look"), EmptyOperator(task_id="does")
        asks >> does
    who = {"id": "1", "name": "ann"}
    event = {"chosen_options": [option], "params_input": {}, "responded_at": AT, "responded_by_user": who}
    context = {"ti": SimpleNamespace(xcom_push=lambda *_, **__: None, map_index=-1), "task": asks}
    if told:
        with pytest.raises(AirflowSkipException, match=told):
            asks.execute_complete(context, event)
    else:
        assert asks.execute_complete(context, event)["responded_by_user"] == who
