"""A pipeline that a real scheduler runs, while records keep coming."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from lakelock.adapters.airflow.connections import from_environment
from lakelock.monitor.status import PipelineStatus
from psycopg.rows import dict_row
from stack.process import wait_until
from stack.stack import Stack

from kits.topics import create_topic
from kits.world import World

if TYPE_CHECKING:
    from kits.shared_airflow import SecretStack

CONNECTIONS = ("kafka_default", "iceberg_default", "lakelock_postgres", "spark_default")
TICK_S = 0.05
OVER = ("success", "failed")


class Live:
    """One pipeline named *name*: its topic with the settings *topic*, its DAG, its records with ids of their own, its audit."""

    def __init__(
        self, stack: Stack | SecretStack, name: str, settings: str, topic: Mapping[str, str] | None = None
    ) -> None:
        self.stack = stack
        self.name = name
        self.dag = f"ingest__{name}"
        self.pipelines = stack.home / "pipelines"
        known = stack.connections()
        # The world's own file is another than the one Airflow reads: that one appears and changes in one moment.
        own = stack.home / "world"
        own.mkdir(exist_ok=True)
        resolved = {c: from_environment(c, known) for c in CONNECTIONS}
        self.world = World(own, "live", name, resolved, name=name, settings=settings)
        admin = AdminClient({"bootstrap.servers": stack.kafka.bootstrap})
        create_topic(admin, name, config=topic)

    @classmethod
    def of(cls, stack: Stack | SecretStack, world: World) -> Live:
        """One that is there already, as *world* was left."""
        live = cls.__new__(cls)
        live.stack, live.world, live.name = stack, world, world.name
        live.dag, live.pipelines = f"ingest__{world.name}", stack.home / "pipelines"
        return live

    @cached_property
    def _connections(self) -> dict[str, psycopg.Connection[dict[str, Any]]]:
        return {}

    def deploy(self) -> None:
        self.world.runtime().close()
        self.write_file(f"{self.name}.yaml", (self.world.folder / f"{self.name}.yaml").read_text())

    def write_file(self, name: str, text: str) -> None:
        """A file of the pipelines folder, as a whole or not at all."""
        new = self.pipelines / f".{name}.new"
        new.write_text(text)
        new.rename(self.pipelines / name)

    @contextmanager
    def load(self, rate: int) -> Iterator[None]:
        """Records with the next ids, *rate* a second; all of them are in Kafka, each once, when it ends."""
        producer = Producer(
            {
                "bootstrap.servers": self.stack.kafka.bootstrap,
                "enable.idempotence": True,
                "linger.ms": 5,
                "log_level": 2,
            }
        )
        over = threading.Event()

        def run() -> None:
            began, sent = time.monotonic(), 0
            while not over.wait(TICK_S):
                due = int((time.monotonic() - began) * rate)
                for _ in range(due - sent):
                    number = self.world.next_id
                    value = json.dumps({"id": number, "note": f"n{number}"}).encode()
                    producer.produce(self.name, value, partition=number % 2)
                    self.world.next_id += 1
                sent = due
                producer.poll(0)

        thread = threading.Thread(target=run, name="load")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            assert producer.flush(120) == 0

    def rows(self) -> int:
        """Rows by the newest snapshot's summary; -1 while it is unknown."""
        try:
            snapshot = self.world.catalog.load_table(self.world.table).current_snapshot()
        except Exception:
            return -1
        return int(snapshot.summary["total-records"] or 0) if snapshot and snapshot.summary else 0

    def status(self) -> PipelineStatus:
        with closing(self.world.runtime()) as runtime:
            return runtime.status()

    def wait_for_rows(self, count: int, timeout_s: float = 300) -> None:
        wait_until(lambda: self.rows() >= count, timeout_s, f"{count} rows in {self.world.table}", 0.5)

    def wait_until_caught_up(self, timeout_s: float = 300) -> None:
        def done() -> bool:
            return self.supervise() and self.status().lag_offsets == 0

        wait_until(done, timeout_s, f"no lag of {self.name}", 0.5)

    def supervise(self) -> bool:
        """Starts what has ended by itself, as systemd or Kubernetes would: a scheduler that loses its database ends.

        It may do so long after the database is back, so whatever waits for progress has to call this.
        """
        airflow = self.stack.airflow
        if not isinstance(self.stack, Stack):
            # Others use it, too: the process that started it looks after it.
            return True
        for server, start in (
            (airflow.scheduler, airflow.start_scheduler),
            (airflow.dag_processor, airflow.start_dag_processor),
            (airflow.api_server, airflow.start_api_server),
        ):
            if not server.alive:
                print(f"  {server.name} had ended")
                start()
        return True

    def wal(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        return self._rows("lakelock", sql, parameters)

    def airflow(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        """Rows of Airflow's own database: what is waited for is asked there, which costs the api-server nothing."""
        return self._rows("airflow", sql, parameters)

    def _rows(self, database: str, sql: str, parameters: Sequence[object]) -> list[dict[str, Any]]:
        """Over one connection for each database: what waits asks often, and each new one is a process of the server."""
        known = self._connections.get(database)
        if known is not None and not known.closed:
            # A server that was restarted since does not know it.
            with suppress(psycopg.OperationalError):
                return known.execute(sql, parameters).fetchall()
            known.close()
        new = psycopg.connect(self.stack.postgres.dsn(database), row_factory=dict_row, autocommit=True)
        self._connections[database] = new
        return new.execute(sql, parameters).fetchall()

    def running(self, task: str) -> list[dict[str, Any]]:
        """Instances of a task of the pipeline's ingest DAG that run now."""
        return self.airflow(
            "SELECT id::text, run_id AS dag_run_id, task_id, map_index FROM task_instance"
            " WHERE dag_id = %s AND task_id = %s AND state = 'running'",
            self.dag,
            task,
        )

    def state(self, run: str, dag: str | None = None) -> str | None:
        """Of a run; None where there is none."""
        found = self.airflow("SELECT state FROM dag_run WHERE dag_id = %s AND run_id = %s", dag or self.dag, run)
        return str(found[0]["state"]) if found else None

    def api(self, method: str, path: str, body: object = None) -> Any:
        return self.stack.airflow.api(method, path, body)

    def first_run_done(self) -> None:
        """The scheduler's own first run has ended."""
        wait_until(lambda: bool(self.runs()), 120, "the first run", 0.2)
        self.finished(self.runs()[-1]["dag_run_id"], 300)

    def pause(self) -> None:
        self.api("PATCH", f"/dags/{self.dag}?update_mask=is_paused", {"is_paused": True})

    def resume(self) -> None:
        self.api("PATCH", f"/dags/{self.dag}?update_mask=is_paused", {"is_paused": False})

    def runs(self, **filters: str) -> list[dict[str, Any]]:
        """Newest first."""
        more = "".join(f"&{key}={value}" for key, value in filters.items())
        found: list[dict[str, Any]] = self.api("GET", f"/dags/{self.dag}/dagRuns?order_by=-run_after&limit=20{more}")[
            "dag_runs"
        ]
        return found

    def trigger(self, **conf: object) -> str:
        """Starts a run by hand; returns its id."""
        run: str = self.api("POST", f"/dags/{self.dag}/dagRuns", {"logical_date": None, "conf": conf})["dag_run_id"]
        return run

    def finished(self, run: str, timeout_s: float = 240) -> dict[str, dict[str, Any]]:
        """The tasks of a run, once it has ended."""
        wait_until(lambda: self.state(run) in OVER, timeout_s, f"{run} to end", 0.2)
        return self.tasks(run)

    def tasks(self, run: str) -> dict[str, dict[str, Any]]:
        found = self.api("GET", f"/dags/{self.dag}/dagRuns/{run}/taskInstances")["task_instances"]
        return {t["task_id"]: t for t in found}

    def log(self, run: str, task: str, attempt: int = 1, map_index: int = -1) -> str:
        """What the task said, as the UI shows it."""
        path = f"/dags/{self.dag}/dagRuns/{run}/taskInstances/{task}/logs/{attempt}?map_index={map_index}"
        return "\n".join(str(line.get("event", line)) for line in self.api("GET", path)["content"])

    def last_log(self, task: str) -> str:
        """All that the last try of a task, given by its path in Airflow's API, has logged, with the errors of structured lines.

        Of a question that was answered too fast for Airflow the first try is not to be had: it was never running.
        """
        attempt = self.api("GET", task)["try_number"]
        return str(self.api("GET", f"{task}/logs/{attempt}?map_index=-1")["content"])

    def knows(self, dag: str) -> bool:
        """Whether Airflow has read the file of a DAG."""
        return bool(self.airflow("SELECT 1 FROM dag WHERE dag_id = %s AND NOT is_stale", dag))

    def import_errors(self) -> str:
        return "".join(e["stacktrace"] for e in self.airflow("SELECT stacktrace FROM import_error"))


def kill_task(task_instance_id: str) -> bool:
    """SIGKILL to the process that executes a task instance, not to the one that supervises it; False when it is gone."""
    return any(_signalled(pid, signal.SIGKILL) for pid in _of_task(task_instance_id))


@dataclass(frozen=True)
class FrozenTask:
    """The processes of a task instance: the one that executes it and, for a machine that hangs, the one that supervises."""

    pids: tuple[int, ...]

    def thaw(self) -> bool:
        """False where all of them were killed meanwhile."""
        there = [_signalled(pid, signal.SIGCONT) for pid in self.pids]
        return any(there)

    def kill(self) -> None:
        for pid in self.pids:
            _signalled(pid, signal.SIGKILL)


def freeze_task(task_instance_id: str, *, machine: bool) -> FrozenTask | None:
    """None where it has ended already."""
    for pid in _of_task(task_instance_id):
        parent = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        pids = (parent, pid) if machine else (pid,)
        # The supervisor first, or it would notice.
        stopped = [p for p in pids if _signalled(p, signal.SIGSTOP)]
        if len(stopped) == len(pids):
            return FrozenTask(pids)
        # A task that ended just then: its supervisor must not hold a slot of the executor for ever.
        for p in stopped:
            _signalled(p, signal.SIGCONT)
    return None


def _of_task(task_instance_id: str) -> list[int]:
    title = f"airflow worker -- {task_instance_id}"
    return _processes(lambda line: line == title)


def _signalled(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _processes(wanted: Callable[[str], bool]) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
            if wanted(line):
                found.append(int(entry.name))
    return found
