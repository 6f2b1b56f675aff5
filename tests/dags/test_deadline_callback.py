"""The report of a run that misses its deadline, as Airflow's own callback runner calls it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog

NOTIFIERS = """
from pathlib import Path
from airflow.sdk.bases.notifier import BaseNotifier

class ToFile(BaseNotifier):
    template_fields = ("message",)

    def __init__(self, path, message):
        super().__init__()
        self.path, self.message = path, message

    def notify(self, context):
        Path(self.path).write_text(f"{context['lakelock']['kind']} {self.message}")

class Broken(BaseNotifier):
    def notify(self, context):
        raise OSError("no route")
"""
BROKEN = "{notifier: deadline_notifiers.Broken}"
Missed = Callable[[str], tuple[bool, str | None]]


@pytest.fixture
def notices(tmp_path: Path) -> Path:
    return tmp_path / "told"


@pytest.fixture
def missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Missed:
    """Whether the callback succeeded, and with which error not, for a file with these alerts."""
    if "AIRFLOW_HOME" not in os.environ:
        monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    from airflow.sdk.execution_time.callback_supervisor import execute_callback

    (tmp_path / "deadline_notifiers.py").write_text(NOTIFIERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "deadline_notifiers", raising=False)
    folder = tmp_path / "pipelines"
    folder.mkdir()

    def call(alerts: str) -> tuple[bool, str | None]:
        (folder / "p.yaml").write_text(f"source: {{topics: [a]}}\ntables: [{{name: n.t}}]\nalerts: {alerts}\n")
        given = {"pipeline": "p", "folder": str(folder), "context": {"dag_run": {"dag_run_id": "run1"}}}
        done: tuple[bool, str | None] = execute_callback(
            "lakelock.orchestration.deadline.missed", given, "", None, structlog.get_logger("callback")
        )
        return done

    return call


def to_file(path: Path) -> str:
    return (
        f'{{notifier: deadline_notifiers.ToFile, arguments: {{path: {path}, message: "{{{{ lakelock.message }}}}"}}}}'
    )


def test_everybody_in_the_file_is_reported_also_when_one_cannot_be(missed: Missed, notices: Path) -> None:
    assert missed(f"{{deadline: 30m, notify: [{to_file(notices)}]}}") == (True, None)
    line = "deadline p: deadline: run1 has not ended within 30m"
    assert notices.read_text() == line
    notices.unlink()
    well, why = missed(f"{{deadline: 30m, notify: [{BROKEN}, {to_file(notices)}]}}")
    assert notices.read_text() == line
    assert not well
    assert "deadline_notifiers.Broken failed to notify: OSError: no route" in str(why)


def test_a_deadline_that_left_the_file_is_reported_to_nobody(missed: Missed, notices: Path) -> None:
    assert missed(f"{{notify: [{to_file(notices)}]}}") == (True, None)
    assert not notices.exists()
