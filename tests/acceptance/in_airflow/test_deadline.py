"""In a real Airflow: a run that takes longer than it may is told of, by the scheduler and once."""

from __future__ import annotations

from stack.process import wait_until

from acceptance.in_airflow.live import Live, SecretStack
from acceptance.in_airflow.test_runs import has_run
from acceptance.in_airflow.test_watch import NOTIFIER, to_file


def test_a_run_that_misses_its_deadline_is_told_once(secret_stack: SecretStack) -> None:
    (secret_stack.home / "airflow" / "config" / "site_notifier.py").write_text(NOTIFIER)
    heard = secret_stack.home / "overdue.txt"
    live = Live(
        secret_stack, "overdue", f"schedule: {{every: 1d}}\nalerts: {{deadline: 1s, notify: [{to_file(heard)}]}}\n"
    )
    live.world.produce(4)
    live.deploy()
    wait_until(lambda: has_run(live), 120, "the first run", 0.2)
    first = live.runs()[0]["dag_run_id"]
    live.finished(first, 300)
    wait_until(heard.exists, 120, "the notifier's file")
    second = live.trigger()
    live.finished(second, 300)

    def lines() -> list[str]:
        return heard.read_text().splitlines()

    wait_until(lambda: len(lines()) == 2, 120, "both runs' deadlines")
    for run, line in zip((first, second), lines(), strict=True):
        told = f"overdue: deadline: {run} has not ended within 1s"
        assert line == f"True deadline of overdue: {told}"
    live.pause()
