"""Reports beside the records never delay them: hours, and lineage."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.config import Pipeline


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "AIRFLOW_HOME" not in os.environ:
        monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))


def hourly(waiting: Any) -> Any:
    settings = {"source": {"topics": ["a"]}, "tables": [{"name": "n.t"}], "publish": {"max_lateness": "5m"}}
    pipeline = Pipeline.from_resolved({"name": "hourly", **settings})
    return SimpleNamespace(pipeline=pipeline, file=pipeline, waiting_for_hours=waiting)


@pytest.mark.parametrize("kept", ["no json", "[1]", '"x"', json.dumps({"n.t": 5}), json.dumps({"n.t": "yesterday"})])
def test_a_variable_that_somebody_edited_is_no_copy_of_what_was_reported(
    monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    from lakelock.orchestration import hour_events

    monkeypatch.setenv("AIRFLOW_VAR_LAKELOCK_HOURS__HOURLY", kept)

    def waiting(reported: dict[str, object]) -> list[str]:
        assert reported in ({}, {"n.t": None})
        return []

    assert not hour_events.may_be_due(hourly(waiting))


def test_plan_goes_on_where_hours_cannot_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from lakelock.orchestration import hour_events

    def broken(reported: object) -> list[str]:
        raise OSError("no answer")

    monkeypatch.setenv("AIRFLOW_VAR_LAKELOCK_HOURS__HOURLY", "{}")
    assert hour_events.may_be_due(hourly(broken))


def test_a_commit_goes_on_where_the_lineage_provider_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from lakelock.orchestration import openlineage

    def half_installed(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(openlineage, "find_spec", half_installed)
    task = SimpleNamespace()
    openlineage.report({"task": task}, SimpleNamespace(), [SimpleNamespace()])  # type: ignore[arg-type, list-item]
    assert vars(task) == {}
    assert "are not reported to OpenLineage" in caplog.text
