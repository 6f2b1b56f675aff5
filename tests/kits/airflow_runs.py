"""Runs of a pipeline's DAGs, as an operator starts, answers and reads them."""

from __future__ import annotations

import urllib.error
from typing import Any

from stack.process import wait_until

from kits.live import OVER, Live


class Maintenance:
    """One run of one of the pipeline's other DAGs."""

    def __init__(self, live: Live, kind: str, **conf: object) -> None:
        self.live, self.dag = live, f"{kind}__{live.name}"
        body = {"logical_date": None, "conf": conf}
        wait_until(lambda: live.knows(self.dag), 120, f"{self.dag} to be there", 0.5)
        self.run = live.api("POST", f"/dags/{self.dag}/dagRuns", body)["dag_run_id"]

    @property
    def path(self) -> str:
        return f"/dags/{self.dag}/dagRuns/{self.run}"

    def tasks(self) -> dict[str, str]:
        found = self.live.api("GET", f"{self.path}/taskInstances")["task_instances"]
        return {t["task_id"]: t["state"] for t in found}

    def plan(self) -> str:
        """What the person who is to approve reads."""
        wait_until(self._asks, 240, "the question", 0.2)
        found: dict[str, Any] = self.live.api("GET", f"{self.path}/taskInstances/approve/-1/hitlDetails")
        return f"{found['subject']}\n{found['body']}"

    def _asks(self) -> bool:
        """Whether the task waits, and the scheduler has noticed: it takes one that is answered before for one that was killed."""
        [task] = self.live.airflow(
            "SELECT state, try_number FROM task_instance WHERE dag_id = %s AND run_id = %s AND task_id = 'approve'",
            self.dag,
            self.run,
        )
        if task["state"] != "awaiting_input":
            return False
        noticed = f"task_id=approve, run_id={self.run}, ", f"try_number={task['try_number']}, "
        log = (self.live.stack.home / "airflow" / "scheduler.log").read_text(errors="replace")
        finished = [line for line in log.splitlines() if "TaskInstance Finished" in line]
        return any(all(part in line for part in noticed) for line in finished)

    def answer(self, option: str) -> dict[str, str]:
        """The states of all tasks once the run has ended."""
        answer = {"chosen_options": [option], "params_input": {}}

        def answered() -> bool:
            if self._asks():
                try:
                    self.live.api("PATCH", f"{self.path}/taskInstances/approve/-1/hitlDetails", answer)
                except urllib.error.HTTPError as fault:
                    if fault.code != 409:  # answered already, and not looked at yet
                        raise
            return self.live.state(self.run, self.dag) in OVER

        wait_until(answered, 300, "the end", 0.5)
        return self.tasks()

    def ended(self) -> dict[str, str]:
        wait_until(lambda: self.live.state(self.run, self.dag) in OVER, 300, "the end", 0.2)
        return self.tasks()

    def story(self) -> str:
        """States and logs of all tasks that ran."""
        states = self.tasks()
        ran = [task for task, state in states.items() if state in {"success", "failed"}]
        return "\n\n".join([str(states), *(f"{task}: {self.log(task)}" for task in ran)])

    def log(self, task: str) -> str:
        return self.live.last_log(f"{self.path}/taskInstances/{task}")


class Pressed(Maintenance):
    """The newest run of a DAG, which another user asked for."""

    def __init__(self, live: Live, kind: str) -> None:
        self.live, self.dag = live, f"{kind}__{live.name}"
        (found,) = live.api("GET", f"/dags/{self.dag}/dagRuns?order_by=-run_after&limit=1")["dag_runs"]
        self.run = found["dag_run_id"]
