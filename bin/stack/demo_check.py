"""The demo's check: wait until the table accounts for all records, then compare it with the topic in two engines."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from lakelock.adapters.airflow import connections
from lakelock.app.runtime import Runtime
from lakelock.audit.audit import PipelineAudit
from lakelock.config import load_pipeline
from lakelock.errors import LakelockError
from lakelock.model.coverage import Coverage
from rich.console import Console
from rich.progress import Progress, TaskID

from stack.accounts import Accounts, Spans, accounts
from stack.flights import TOPIC, Flights
from stack.keeper import Keeper
from stack.lake import QUESTION, STORED, TABLE, Lake, differences, stored, strangers
from stack.process import StackError
from stack.report import Report
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
T = TypeVar("T")


class Check:
    """Reads the demo's topic and table. What has no row is known from the table's ledger, as in `audit`."""

    def __init__(self, console: Console, stack: Stack, flights: Flights, lake: Lake, keeper: Keeper) -> None:
        self._console, self._stack, self._flights, self._lake, self._keeper = console, stack, flights, lake, keeper
        self._requested_at = 0.0

    def close(self) -> None:
        if "_runtime" in self.__dict__:
            self._runtime.close()

    def status_line(self) -> str:
        """Counts of the topic's records and of the table's rows. Raises StackError if a server does not answer."""
        topic = self._flights.offsets()
        produced = sum(end - start for start, end in topic.values())
        rows, of_topic = self._patiently(self._rows), self._accounts_so_far(topic)
        out, none = of_topic.offsets_left_out - of_topic.requested, of_topic.all_without_row
        return " · ".join(
            [
                f"{TOPIC}: {produced:,} records",
                f"{TABLE}: {rows:,} rows",
                *([str(none)] if none.offsets else []),
                *([f"{out:,} left out on purpose"] if out else []),
                f"{of_topic.to_come + of_topic.requested:,} to go",
            ]
        )

    def wait_until_moved(self, progress: Progress) -> float:
        """Return the seconds until no offset was still to come; raises StackError if none comes for too long."""
        began = time.monotonic()
        topic = self._flights.offsets()
        wanted = self._accounts_so_far(topic).rows
        task = progress.add_task(f"rows in {TABLE}", total=wanted)
        last, moved_at = -1, time.monotonic()
        while True:
            rows = self._patiently(self._rows)
            # While rows still arrive, the missing ones are on their way; the ledger needs no look.
            if rows == last or rows >= wanted:
                of_topic = self._accounts_so_far(topic)
                if not of_topic.to_come:
                    return time.monotonic() - began
                self._require_patience(moved_at, of_topic, progress, task)
            if rows != last:
                last, moved_at = rows, time.monotonic()
                progress.update(task, completed=rows)
            # Each query takes resources that the pipeline could use.
            time.sleep(ROUND_S)

    def compare(self, spent: list[tuple[str, float]], demo_began: float) -> bool:
        """Compare offsets in both engines, audit, and show the results; True if the table is exactly as it must be."""
        began = time.monotonic()
        report = Report(self._console)
        topic = self._flights.offsets()
        table = self._patiently(self._lake.table)
        if table is None:
            raise StackError(f"{TABLE} does not exist. {self._last_run()}")
        of_topic = self._patiently(lambda: self._accounts(topic))
        queries = (STORED, QUESTION, strangers(of_topic.left_out))
        pool = ThreadPoolExecutor(2)
        try:
            attempt = {
                "DuckDB": pool.submit(lambda: [self._lake.by_duckdb(sql, table) for sql in queries]),
                "Spark": pool.submit(self._patiently, lambda: [self._lake.by_spark(sql) for sql in queries]),
            }
            results = {engine: future.result() for engine, future in attempt.items()}
        finally:
            # Ctrl-C must not wait for an answer.
            pool.shutdown(wait=False, cancel_futures=True)
        readers = {engine: stored(rows) for engine, (rows, _, _) in results.items()}
        answers = {engine: rows for engine, (_, rows, _) in results.items()}
        wrong = {
            engine: differences(readers[engine], of_topic)
            + [f"partition {p}: {n} rows that were left out on purpose" for p, n in strange]
            for engine, (_, _, strange) in results.items()
        }
        if answers["DuckDB"] != answers["Spark"]:
            wrong["DuckDB and Spark"] = ["the same query has different answers"]
        # Whether the dead letters exist that the ledger counts, for example.
        audited = self._patiently(self._audit)
        wrong["audit"] = [*audited.faults, *(f"{t.table}: {fault}" for t in audited.tables for fault in t.faults)]
        spent.append(("check by two engines", time.monotonic() - began))

        report.snapshots(table)
        report.answer(QUESTION.format(table=TABLE), answers)
        report.offsets(of_topic, readers)
        report.verdict(wrong, of_topic)
        report.times(spent, time.monotonic() - demo_began)
        return not any(wrong.values())

    @cached_property
    def _runtime(self) -> Runtime:
        """The demo's pipeline on the demo's servers."""
        known = self._stack.connections()
        return Runtime(load_pipeline(PIPELINE), lambda conn_id: connections.from_environment(conn_id, known))

    def _audit(self) -> PipelineAudit:
        return self._runtime.audit()

    def _accounts(self, topic: Spans) -> Accounts:
        ledger = self._runtime.tables.load(TABLE).ledger
        return accounts(TOPIC, topic, ledger.coverage if ledger else Coverage())

    def _accounts_so_far(self, topic: Spans) -> Accounts:
        """Without any rows if the table does not exist yet, or if its next commit reports why it cannot be read."""
        try:
            return self._accounts(topic)
        except LakelockError:
            return accounts(TOPIC, topic, Coverage())

    def _require_patience(self, moved_at: float, of_topic: Accounts, progress: Progress, task: TaskID) -> None:
        waited = time.monotonic() - moved_at
        if waited > PATIENCE_S:
            raise StackError(
                f"{of_topic.to_come:,} of {of_topic.offsets:,} flights are not in {TABLE}, and none came for "
                f"{PATIENCE_S:.0f} s. {self._last_run()}"
            )
        if waited <= SILENT_S:
            progress.update(task, description=f"rows in {TABLE}")
        elif time.monotonic() - self._requested_at > SILENT_S:
            progress.update(task, description=f"rows in {TABLE} ({self._last_run()})")
            self._requested_at = time.monotonic()

    def _rows(self) -> int:
        table = self._lake.table()
        return self._lake.rows(table) if table else 0

    def _patiently(self, queries: Callable[[], T]) -> T:
        """Repeat *queries* for as long as a server that has ended may take to come up again."""
        until = time.monotonic() + UP_AGAIN_S
        while True:
            if self._keeper.fault is not None:
                raise self._keeper.fault
            try:
                return queries()
            except StackError:
                raise
            except Exception as fault:
                # The clients of four servers have different errors for one that does not answer.
                if time.monotonic() > until:
                    raise StackError(f"{type(fault).__name__}: {fault} (logs in {self._stack.home})") from fault
                time.sleep(ROUND_S)

    def _last_run(self) -> str:
        """Airflow's state of the DAG's newest run, and the log of a failed task."""
        try:
            runs = self._stack.airflow.api("GET", f"/dags/{DAG}/dagRuns?order_by=-run_after&limit=1")["dag_runs"]
            if not runs:
                faults = self._stack.airflow.api("GET", "/importErrors")["import_errors"]
                return f"import error: {faults[0]['stack_trace'].strip().splitlines()[-1]}" if faults else "no run yet"
            run = runs[0]["dag_run_id"]
            tasks = self._stack.airflow.api("GET", f"/dags/{DAG}/dagRuns/{run}/taskInstances")["task_instances"]
            states = ", ".join(f"{t['task_id']} {t['state']}" for t in tasks if t["state"])
            logs = self._stack.home / "airflow" / "logs" / f"dag_id={DAG}" / f"run_id={run}"
            failed = f"; logs in {logs}" if any(t["state"] in ("failed", "up_for_retry") for t in tasks) else ""
            return f"run {runs[0]['state']}: {states}{failed}"
        except (OSError, KeyError) as fault:
            return f"Airflow does not answer: {fault}"
