"""The tasks that look, ask a person and act on the answer, as Airflow runs them in `recover__p`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lakelock.app.runtime import Runtime

from kits.memory_world import MemoryWorld
from kits.world import World

FORM: dict[str, Any] = {
    **dict.fromkeys(("topic", "partition", "from", "to", "table", "reason", "why")),
    "decision": "none",
    "accept_loss": False,
    "restored": False,
    "take_over": False,
    "mode": "recommit",
}


class Run:
    """One run of `recover__p`: its look, and its act once a person approved."""

    def __init__(self, world: World | MemoryWorld, tasks: Any, **form: Any) -> None:
        self.world, self.tasks, self.form = world, tasks, {**FORM, **form}
        self.seen: dict[str, str] = {}
        self.shown: dict[str, str] | None = None
        self.answer: str | None = "Approve"

    def preview(self) -> Run:
        self.seen = self._as_task(self.tasks.preview)
        # As the task `approve` does, which then asks.
        self.shown = self.seen
        return self

    def act(self) -> None:
        self._as_task(lambda resolved: self.tasks.recover(resolved, None))

    def maintain(self, *, table: str | None = None, dry_run: bool = False) -> None:
        """The first step of `maintain__p`, which asks no person."""
        self.form = {"table": table, "dry_run": dry_run}
        self._as_task(self.tasks.apply)

    def _as_task(self, task: Callable[[Any], Any]) -> Any:
        answer = {"chosen_options": [self.answer], "responded_by_user": {"name": "a person"}} if self.answer else None
        pulled = {("look", None): self.seen, ("approve", None): answer, ("approve", "asked"): self.shown}
        context = {
            "params": self.form,
            "ti": SimpleNamespace(xcom_pull=lambda task_ids, key=None: pulled[task_ids, key]),
            "dag_run": SimpleNamespace(run_id="run"),
        }

        @contextmanager
        def step(*_: Any) -> Iterator[Runtime]:
            with closing(self.world.runtime()) as runtime:
                yield runtime

        self.tasks.step, self.tasks.get_current_context = step, lambda: context
        # Asset events are Airflow's.
        self.tasks.landing = lambda *_: nullcontext(lambda outcome: None)
        return task({})


def tasks_of(airflow_home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the tasks, in which a `Run` may replace what Airflow gives to them. Airflow is imported at first use."""
    os.environ.setdefault("AIRFLOW_HOME", str(airflow_home))
    from lakelock.orchestration import maintenance_tasks

    for name in ("step", "get_current_context", "landing"):
        monkeypatch.setattr(maintenance_tasks, name, getattr(maintenance_tasks, name))
    return maintenance_tasks
