"""In a real Airflow: the scheduler reports a run that takes longer than it may, once."""

from __future__ import annotations

from pathlib import Path

import pytest
from kits.lanes import RUNS
from kits.live import Live
from kits.notifier import NOTIFIER, to_file
from kits.shared_airflow import SecretStack
from stack.process import wait_until

pytestmark = pytest.mark.drawn(0.35, group=RUNS, about=("deadline", "notifier"))


def overdue_of(stack: SecretStack) -> Live:
    (stack.home / "airflow" / "config" / "site_notifier.py").write_text(NOTIFIER)
    alerts = f"alerts: {{deadline: 1s, notify: [{to_file(heard_of(stack))}]}}\n"
    live = Live(stack, "overdue", f"schedule: {{every: 1d}}\n{alerts}")
    live.world.produce(4)
    return live


PIPELINES = (overdue_of,)


def heard_of(stack: SecretStack) -> Path:
    return stack.home / "overdue.txt"


def test_a_run_that_misses_its_deadline_is_reported_once(secret_stack: SecretStack) -> None:
    heard = heard_of(secret_stack)
    with secret_stack.running("overdue") as live:
        live.first_run_done()
        # A paused DAG's runs wait, so they are late for certain; one that runs may be done within a second.
        live.pause()
        late = [live.trigger() for _ in range(2)]

        def report(run: str) -> list[str]:
            said = f"overdue: deadline: {run} has not ended within 1s"
            lines = heard.read_text().splitlines() if heard.exists() else []
            return [line for line in lines if line == f"True deadline of overdue: {said}"]

        wait_until(lambda: all(report(run) for run in late), 120, "both runs' deadlines")
        live.resume()
        for run in late:
            live.finished(run, 300)
        assert [len(report(run)) for run in late] == [1, 1]
