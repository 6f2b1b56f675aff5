"""One run of the demo: from started servers to a query's answers, and the trickle after it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.config import load_pipeline
from lakelock.errors import LakelockError
from lakelock.model.offsets import OffsetRange, overlap
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from stack import machine
from stack.airflow import PASSWORD, USER
from stack.flights import TOPIC, Flights
from stack.keeper import Keeper
from stack.lake import QUESTION, STORED, TABLE, Lake, LeftOut, count, differences, stored, strangers
from stack.ports import Ports
from stack.process import StackError
from stack.report import Report, component
from stack.settings import REPOSITORY
from stack.stack import Stack

DAG = "ingest__flights"
PIPELINE = REPOSITORY / "dags" / "pipelines" / "flights.yaml"
# Airflow retries a write in seconds, and the next run comes after a minute: longer without a row is no progress.
PATIENCE_S = 300.0
# After this long without a row, and as often, the demo asks Airflow for the state of its run.
SILENT_S = 20.0
ROUND_S = 1.0
# A restarted server answers within this time, and its clients continue.
UP_AGAIN_S = 180.0
CLOSE_S = 2.0
T = TypeVar("T")


class Demo:
    """One run of the demo."""

    def __init__(self, console: Console, ports: Ports) -> None:
        self.console = console
        self.began = time.monotonic() - float(os.environ.get("LAKELOCK_SETUP_SECONDS", "0"))
        self.spent: list[tuple[str, float]] = [("set-up", time.monotonic() - self.began)]
        home = machine.home() / "demo"
        home.mkdir(exist_ok=True)
        self.stack = Stack(home, pipelines=REPOSITORY / "dags" / "pipelines", ports=ports)
        self.flights = Flights(self.stack.kafka.bootstrap)
        self.lake = Lake(
            self.stack.postgres.dsn("iceberg").replace("postgresql://", "postgresql+psycopg://"),
            self.stack.warehouse,
            self.stack.spark.remote,
        )
        self.requested_at = 0.0
        self.keeper = Keeper(self.stack.servers, lambda text: console.print(f"  [yellow]![/] {text}", soft_wrap=True))

    def run(self, *, once: bool) -> int:
        """Run the demo; the exit code is 0 if the table holds exactly the topic's records."""
        try:
            self.keeper.start()
            self._start()
            self._show_way_in()
            self._wait_until_moved()
            exact = self._report()
            if not once and exact:
                self._stay()
            return 0 if exact else 1
        finally:
            self._stop()

    def _start(self) -> None:
        began = time.monotonic()
        self.console.print("  starting Postgres, Kafka, Spark and Airflow: about a minute")
        with self._progress() as progress:
            task = progress.add_task("flights into Kafka", total=None)

            def fill() -> None:
                self.flights.create_topic()
                done = time.monotonic()
                sent = self.flights.fill(lambda n, total: progress.update(task, completed=n, total=total))
                say(f"{sent:,} flights produced" if sent else "flights are in Kafka already", time.monotonic() - done)

            def say(what: str, seconds: float) -> None:
                progress.console.print(component(what, seconds))

            self.stack.start(say, fill)
        environment = self.stack.home / "connections.env"
        lines = [f"export {name}={shlex.quote(text)}\n" for name, text in self.stack.connections().items()]
        environment.write_text("".join(lines))
        self.spent.append(("servers and flights", time.monotonic() - began))

    @cached_property
    def runtime(self) -> Runtime:
        """The demo's pipeline on the demo's servers, to look up operators' decisions."""
        known = self.stack.connections()
        return Runtime(load_pipeline(PIPELINE), lambda conn_id: connections.from_environment(conn_id, known))

    def _left_out(self, topic: Mapping[int, tuple[int, int]]) -> LeftOut:
        """Declared gaps in the table's ledger: a rollback with skip, a loss, a retired partition."""
        try:
            ledger = self.runtime.tables.load(TABLE).ledger
        except LakelockError:
            # The table does not exist yet, or its next commit reports the reason.
            return {}
        gaps = [r for r, _ in ledger.coverage.gaps if r.source.topic == TOPIC] if ledger else []
        spans = {s: topic.get(s.partition, (0, 0)) for s in sorted({g.source for g in gaps})}
        there = [OffsetRange(s, start, end) for s, (start, end) in spans.items() if start < end]
        out: dict[int, list[tuple[int, int]]] = {}
        for r in overlap(there, gaps):
            out.setdefault(r.source.partition, []).append((r.start, r.end))
        return out

    def _wait_until_moved(self) -> None:
        began = time.monotonic()
        topic = self.flights.offsets()
        wanted = sum(end - start for start, end in topic.values())
        with self._progress() as progress:
            task = progress.add_task(f"rows in {TABLE}", total=wanted)
            last, moved_at = -1, time.monotonic()
            while True:
                rows = self._patiently(self._rows)
                # While rows still arrive, the missing ones are on their way; gaps need no look.
                gone = count(self._left_out(topic)) if rows == last else 0
                if rows != last:
                    last, moved_at = rows, time.monotonic()
                    progress.update(task, completed=rows)
                if rows + self._patiently(self.lake.dead) + gone >= wanted:
                    break
                self._require_patience(moved_at, rows, wanted, progress, task)
                # Each query takes resources that the pipeline could use.
                time.sleep(ROUND_S)
        self.spent.append(("pipeline", time.monotonic() - began))

    def _require_patience(self, moved_at: float, rows: int, wanted: int, progress: Progress, task: TaskID) -> None:
        waited = time.monotonic() - moved_at
        if waited > PATIENCE_S:
            raise StackError(
                f"{rows:,} of {wanted:,} flights are in {TABLE} and none came for {PATIENCE_S:.0f} s. {self._last_run()}"
            )
        if waited <= SILENT_S:
            progress.update(task, description=f"rows in {TABLE}")
        elif time.monotonic() - self.requested_at > SILENT_S:
            progress.update(task, description=f"rows in {TABLE} ({self._last_run()})")
            self.requested_at = time.monotonic()

    def _rows(self) -> int:
        table = self.lake.table()
        return self.lake.rows(table) if table else 0

    def _patiently(self, queries: Callable[[], T]) -> T:
        """Repeat *queries* for as long as a server that has ended may take to come up again."""
        until = time.monotonic() + UP_AGAIN_S
        while True:
            if self.keeper.fault is not None:
                raise self.keeper.fault
            try:
                return queries()
            except StackError:
                raise
            except Exception as fault:
                # The clients of four servers have different errors for one that does not answer.
                if time.monotonic() > until:
                    raise StackError(f"{type(fault).__name__}: {fault} (logs in {self.stack.home})") from fault
                time.sleep(ROUND_S)

    def _last_run(self) -> str:
        """Airflow's state of the DAG's newest run, and the log of a failed task."""
        try:
            runs = self.stack.airflow.api("GET", f"/dags/{DAG}/dagRuns?order_by=-run_after&limit=1")["dag_runs"]
            if not runs:
                faults = self.stack.airflow.api("GET", "/importErrors")["import_errors"]
                return f"import error: {faults[0]['stack_trace'].strip().splitlines()[-1]}" if faults else "no run yet"
            run = runs[0]["dag_run_id"]
            tasks = self.stack.airflow.api("GET", f"/dags/{DAG}/dagRuns/{run}/taskInstances")["task_instances"]
            states = ", ".join(f"{t['task_id']} {t['state']}" for t in tasks if t["state"])
            logs = self.stack.home / "airflow" / "logs" / f"dag_id={DAG}" / f"run_id={run}"
            failed = f"; logs in {logs}" if any(t["state"] in ("failed", "up_for_retry") for t in tasks) else ""
            return f"run {runs[0]['state']}: {states}{failed}"
        except (OSError, KeyError) as fault:
            return f"Airflow does not answer: {fault}"

    def _report(self) -> bool:
        """Compare offsets in both engines, and show the results."""
        began = time.monotonic()
        report = Report(self.console)
        topic = self.flights.offsets()
        found = self._patiently(self.lake.table)
        assert found is not None
        table = found
        dead, left_out = self._patiently(self.lake.dead), self._left_out(topic)
        queries = (STORED, QUESTION, strangers(left_out))
        pool = ThreadPoolExecutor(2)
        try:
            attempt = {
                "DuckDB": pool.submit(lambda: [self.lake.by_duckdb(sql, table) for sql in queries]),
                "Spark": pool.submit(self._patiently, lambda: [self.lake.by_spark(sql) for sql in queries]),
            }
            results = {engine: future.result() for engine, future in attempt.items()}
        finally:
            # Ctrl-C must not wait for an answer.
            pool.shutdown(wait=False, cancel_futures=True)
        readers = {engine: stored(rows) for engine, (rows, _, _) in results.items()}
        answers = {engine: rows for engine, (_, rows, _) in results.items()}
        wrong = {
            engine: differences(readers[engine], topic, left_out)
            + [f"partition {p}: {n} rows that were left out on purpose" for p, n in strange]
            for engine, (_, _, strange) in results.items()
        }
        if answers["DuckDB"] != answers["Spark"]:
            wrong["DuckDB and Spark"] = ["the same query has different answers"]
        self.spent.append(("check by two engines", time.monotonic() - began))

        report.snapshots(table)
        report.answer(QUESTION.format(table=TABLE), answers)
        report.offsets(topic, readers, dead)
        exact = not any(wrong.values())
        gone = count(left_out)
        report.verdict(wrong, sum(end - start for start, end in topic.values()) - gone, gone)
        report.times(self.spent, time.monotonic() - self.began)
        self._show_way_in()
        return exact

    def _show_way_in(self) -> None:
        self.console.print(
            f"  [bold]Airflow[/] {self.stack.airflow.url}  user {USER}  password {PASSWORD}", soft_wrap=True
        )

    def _stay(self) -> None:
        self.console.print(
            f"  [bold]Shell[/]   {shell(self.stack.home / 'connections.env')}\n"
            f"  [bold]Crash[/]   bin/demo kill spark (or kafka, postgres, airflow), from another terminal: watch the rows go on\n"
            f"  A few flights a second follow. Ctrl-C stops everything; bin/demo --clean removes it.",
            soft_wrap=True,
        )
        over = threading.Event()

        def send() -> None:
            with contextlib.suppress(StackError):
                self.flights.trickle(lambda: not over.wait(ROUND_S))

        trickle = threading.Thread(target=send, name="trickle", daemon=True)
        trickle.start()
        try:
            with self.console.status("") as status:
                while True:
                    topic = self.flights.offsets()
                    produced = sum(end - start for start, end in topic.values())
                    rows = self._patiently(self._rows)
                    gone = count(self._left_out(topic))
                    left = f" · {gone:,} left out on purpose" if gone else ""
                    status.update(
                        f"{TOPIC}: {produced:,} records · {TABLE}: {rows:,} rows{left} · {produced - rows - gone:,} to go"
                    )
                    time.sleep(3)
        finally:
            over.set()
            trickle.join(3)

    def _stop(self) -> None:
        # A second Ctrl-C must not leave servers behind.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        began = time.monotonic()
        self.flights.over.set()
        # A call to a server that hangs may not return.
        closing = threading.Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(CLOSE_S)
        self.keeper.end(self.stack.stop)
        self.console.print(component("everything stopped", time.monotonic() - began))

    def _close(self) -> None:
        if self.stack.spark.alive:
            self.lake.close()
        self.runtime.close()

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("  {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            console=self.console, transient=True,
        )  # fmt: skip


def shell(environment: Path) -> str:
    """A line for another terminal that works in any folder."""
    program, file = shlex.quote(str(REPOSITORY / "bin" / "lakelock")), shlex.quote(str(PIPELINE))
    return f". {shlex.quote(str(environment))} && {program} status {file}"
