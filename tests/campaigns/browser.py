"""The demo under load, and an operator at Airflow's pages: rolls the flights back in every mode, audits, backfills, loses Postgres and recovers.

    python -m campaigns.browser

`PYTHONPATH=plugins:bin:tests` is what it needs, and Chromium. In the end each flight of 2013 must be in the table as it is in the
source file, field by field, and the topic's records must be there once each.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
from kits.browser import BROWSER, FLAGS, MISSING, log_in
from kits.flights import read_connections, wrong_flights
from pyiceberg.table.snapshots import ancestors_of
from stack import machine, state
from stack.flights import FLIGHTS, Flights
from stack.lake import STORED, TABLE, Lake, stored
from stack.process import wait_until
from stack.settings import REPOSITORY

from campaigns.result import Result

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page
    from pyiceberg.table import Table

FILE = "dags/pipelines/flights.yaml"
PATIENCE_S = 600.0
REQUESTED_OR_NEVER = {"awaiting_input", "upstream_failed", "skipped"}
ANSWERED = {"success", "failed", "skipped"}
PER_TICK, TICK_S = 40, 0.1


@dataclass
class Demo:
    """`bin/demo` with a home of its own."""

    home: Path
    process: subprocess.Popen[bytes]

    @property
    def log(self) -> str:
        return (self.home / "demo.log").read_text()

    @property
    def url(self) -> str:
        found = re.search(r"Airflow (http://\S+)", self.log)
        assert found, self.log
        return found[1]

    def connections(self) -> dict[str, dict[str, Any]]:
        return read_connections(self.home / "demo" / "connections.env")

    def lakelock(self, *arguments: str) -> str:
        """A command of `bin/lakelock`, which must end well."""
        known = {name: json.dumps(value) for name, value in self.connections().items()}
        command = [str(REPOSITORY / "bin" / "lakelock"), *arguments]
        done = subprocess.run(command, env=os.environ | known, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextmanager
def demo() -> Iterator[Demo]:
    home = Path(tempfile.mkdtemp(prefix="lakelock-browser-"))
    # Postgres' servers run under another user where root starts them.
    home.chmod(0o755)
    state.make(home)
    (home / "jars").symlink_to(machine.home().resolve() / "jars")
    with (home / "demo.log").open("w") as out:
        process = subprocess.Popen(
            [str(REPOSITORY / "bin" / "demo")],
            env=os.environ | {"LAKELOCK_HOME": str(home)},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    running = Demo(home, process)
    try:
        wait_until(
            lambda: "Ctrl-C stops everything" in running.log or process.poll() is not None, PATIENCE_S, "the demo"
        )
        assert process.poll() is None, running.log
        yield running
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(120)
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def load(flights: Flights) -> Iterator[None]:
    """Some 400 flights a second beside the demo's own trickle."""
    over = threading.Event()
    thread = threading.Thread(target=flights.trickle, args=(lambda: not over.wait(TICK_S), PER_TICK), name="load")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(60)


@dataclass
class Operator:
    """A person at Airflow's pages, who sees what they show; `done` has a line for each run."""

    page: Page
    url: str
    shots: Path
    done: list[str] = field(default_factory=list)

    def run(self, dag: str, name: str, *, approves: bool, wanted: str = "success", **fields: str | bool) -> None:
        """Fills in the form of *dag*, starts it, answers its question, and waits for the end."""
        began = time.monotonic()
        self.fill_in(dag, f"{name}-form", **fields)
        before = self.page.url
        self.page.get_by_test_id("trigger-dag-submit").click()
        self.page.wait_for_url(lambda url: url != before)
        path = self._newest(dag)
        if approves:
            self._approve(dag, path, name)
        self._see_its_end(path, name, began, wanted)

    def backfill(self, name: str, start: datetime, end: datetime, why: str) -> None:
        """By the button on the page of the table."""
        began = time.monotonic()
        self.page.goto(f"{self.url}/plugin/lakelock")
        self.frame.get_by_role("link", name=TABLE, exact=True).click()
        self.see(f"{name}-absent", "h2:text-is('Not in the table')")
        self.frame.get_by_role("button", name="Backfill…").click()
        box = self.frame.get_by_role("dialog")
        for label, value in (("From", start.isoformat()), ("To", end.isoformat()), ("Why", why)):
            box.get_by_label(label).fill(value)
        self.shoot(f"{name}-form")
        box.get_by_role("button", name="Start the run").click()
        box.get_by_role("link", name="Go to the run").wait_for()
        self._see_its_end(self._newest("backfill__flights"), name, began, "success")

    def _see_its_end(self, path: str, name: str, began: float, wanted: str) -> None:
        wait_until(lambda: self._state(path) in {"success", "failed"}, PATIENCE_S, f"the end of {path}", 0.5)
        self.page.goto(f"{self.url}{path}")
        self.page.get_by_text(re.compile("success|failed|skipped", re.IGNORECASE)).first.wait_for()
        self.shoot(f"{name}-ended")
        assert self._state(path) == wanted, f"{path}: {self._tasks(path)}"
        tasks = ", ".join(f"{task} {state}" for task, state in self._tasks(path).items())
        self.done.append(f"| {name} | {time.monotonic() - began:.0f} | {tasks} |")
        print(self.done[-1], flush=True)

    @property
    def frame(self) -> FrameLocator:
        """A page of lakelock's, within Airflow's own."""
        return self.page.frame_locator("iframe")

    def see(self, name: str, shows: str) -> None:
        """What lakelock's page has once *shows* is there."""
        self.frame.locator(shows).first.wait_for()
        self.shoot(name)

    def fill_in(self, dag: str, shot: str, **fields: str | bool) -> None:
        """The form that starts a run of *dag*, not sent yet."""
        page = self.page
        page.goto(f"{self.url}/dags/{dag}")
        page.get_by_test_id("trigger-dag-button").click()
        page.get_by_test_id("trigger-dag-submit").wait_for()
        for name, value in fields.items():
            hidden = page.locator(f"input[name=element_{name}]")
            hidden.wait_for(state="attached")
            if value is True:
                hidden.locator("xpath=ancestor::label[1]").click()
            elif page.locator(f"input#element_{name}").count():
                page.locator(f"input#element_{name}").fill(str(value))
            else:
                field = "xpath=ancestor::*[.//input[@aria-autocomplete='list']][1]//input[@aria-autocomplete='list']"
                hidden.locator(field).click()
                page.get_by_role("option").filter(has_text=re.compile(rf"^{re.escape(str(value))}\b")).first.click()
        self.shoot(shot)

    def _approve(self, dag: str, path: str, name: str) -> None:
        """On the page of the question; once more where Airflow asks again."""
        page = self.page
        wait_until(lambda: self._tasks(path).get("approve") in REQUESTED_OR_NEVER, PATIENCE_S, "the question", 0.3)
        page.goto(f"{self.url}/required_actions")
        page.get_by_text(re.compile(r"\?$")).first.wait_for()
        question = f"{self.url}{path}/tasks/approve/required_actions"
        page.goto(question)
        approve = page.get_by_test_id("hitl-option-Approve")
        approve.wait_for()
        self.shoot(f"{name}-asked")
        while self._is_waiting(path):
            approve.click()
            page.wait_for_load_state("networkidle")
            wait_until(
                lambda: self._is_waiting(path) or self._tasks(path).get("approve") in ANSWERED,
                PATIENCE_S,
                "the answer to be taken",
                0.3,
            )
            page.goto(question)

    def _is_waiting(self, path: str) -> bool:
        """Whether an answer is waited for, and none was given."""
        if self._tasks(path).get("approve") != "awaiting_input":
            return False
        details = self._api(f"{path.replace('/runs/', '/dagRuns/')}/taskInstances/approve/-1/hitlDetails")
        return not details["response_received"]

    def _newest(self, dag: str) -> str:
        found = self._api(f"/dags/{dag}/dagRuns?order_by=-run_after&limit=1")["dag_runs"][0]
        return f"/dags/{dag}/runs/{quote(found['dag_run_id'], safe=':+')}"

    def _state(self, path: str) -> str:
        return str(self._api(path.replace("/runs/", "/dagRuns/"))["state"])

    def _tasks(self, path: str) -> dict[str, str]:
        found = self._api(f"{path.replace('/runs/', '/dagRuns/')}/taskInstances")["task_instances"]
        return {t["task_id"]: t["state"] for t in found}

    def _api(self, path: str) -> Any:
        """What the pages themselves ask, with the browser's own login."""
        answer = self.page.request.get(f"{self.url}/api/v2{path.replace('+', '%2B')}")
        assert answer.ok, answer.text()
        return answer.json()

    def shoot(self, name: str) -> None:
        self.page.wait_for_load_state("networkidle")
        self.page.screenshot(path=self.shots / f"operator-{name.replace(' ', '-')}.png")


def before_the_last(lake: Lake) -> str:
    """The last snapshot that lacks flights of 2013; it has none where all of them came at once."""
    table = lake.table()
    assert table is not None
    return str(
        [s for s in table.snapshots() if s.summary and int(s.summary["total-records"] or 0) < FLIGHTS][-1].snapshot_id
    )


def rows_at(table: Table, snapshot_id: int) -> int:
    snapshot = table.snapshot_by_id(snapshot_id)
    return int(snapshot.summary["total-records"] or 0) if snapshot and snapshot.summary else 0


def full(lake: Lake) -> str:
    """A snapshot that has all flights of 2013, and others after it."""
    found: list[int] = []

    def grown() -> bool:
        table = lake.table()
        assert table is not None
        of_branch = [s.snapshot_id for s in ancestors_of(table.current_snapshot(), table.metadata)]
        have = [i for i in of_branch if rows_at(table, i) >= FLIGHTS]
        found[:] = have[1:2]
        return len(have) > 2

    wait_until(grown, PATIENCE_S, "commits after the flights of 2013", 1.0)
    return str(found[0])


def browse(operator: Operator) -> None:
    operator.page.goto(f"{operator.url}/plugin/lakelock")
    operator.see("overview", f"td[data-lag='{TABLE}'] >> text=/\\d/")
    operator.frame.get_by_role("link", name=TABLE, exact=True).click()
    operator.see("table", "th:text-is('Offsets added')")
    operator.page.goto(f"{operator.url}/dags/ingest__flights/plugin/lakelock_dag")
    operator.see("pipeline", "text=/offsets behind in/")
    operator.fill_in("ingest__flights", "ingest-form", dry_run=True)


def operate(now: Demo, operator: Operator, lake: Lake) -> None:
    rollback, recover, maintain = "rollback__flights", "recover__flights", "maintain__flights"
    past = before_the_last(lake)
    log_in(operator.page, operator.url)
    browse(operator)
    operator.run(rollback, "recommit", approves=True, to=past, mode="recommit", why="files again")
    operator.run(rollback, "replay", approves=True, to=past, mode="replay", why="Kafka again")
    operator.run(rollback, "skip", approves=True, to=full(lake), mode="skip", why="out for good")
    operator.run(maintain, "audit after skip", approves=False)
    operator.run(rollback, "replay after skip", approves=True, to=past, mode="replay", why="Kafka again")
    operator.run(maintain, "audit after replay", approves=False)
    left_out = sum(skipped(now).values())
    assert left_out, "the rollback in mode skip left nothing out"
    today = datetime.now(UTC)
    operator.backfill("backfill", today - timedelta(days=1), today + timedelta(days=1), "in after all")
    print(
        f"left out by the rollback in mode skip: {left_out} offsets; after the backfill: {sum(skipped(now).values())}"
    )
    operator.run(maintain, "audit after the backfill", approves=False)
    operator.run(recover, "nothing to recover", approves=False)
    drop_postgres(now)
    operator.run(recover, "Postgres lost", approves=True, take_over=True)
    operator.run(maintain, "audit after the loss", approves=False)


def drop_postgres(now: Demo) -> None:
    """The log's whole database, under its users; then an empty one."""
    known = now.connections()["AIRFLOW_CONN_LAKELOCK_POSTGRES"]
    dsn = f"postgresql://{known['login']}@{known['host']}:{known['port']}/postgres"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("DROP DATABASE lakelock WITH (FORCE)")
        connection.execute("CREATE DATABASE lakelock")
    print(now.lakelock("migrate").strip(), flush=True)


def skipped(now: Demo) -> dict[int, int]:
    """By partition the offsets that the audit, which must be clean, says were left out."""
    (reported,) = json.loads(now.lakelock("audit", FILE, "--json"))["pipelines"]
    (table,) = reported["tables"]
    return {s["source"]["partition"]: s["gaps"].get("skipped", 0) for s in table["sources"]}


def compare(now: Demo, lake: Lake) -> list[str]:
    """What is wrong in the end."""
    wrong = wrong_flights(now.home / "demo" / "connections.env")
    table = lake.table()
    assert table is not None
    for h in stored(lake.by_duckdb(STORED, table)):
        if h.rows != h.distinct or h.rows != h.last + 1:
            wrong.append(f"partition {h.partition}: {h.rows} rows, {h.distinct} offsets up to {h.last}")
    return [*wrong, *(["something is left out"] if sum(skipped(now).values()) else [])]


def main() -> int:
    from playwright.sync_api import sync_playwright

    if BROWSER is None:
        print(MISSING, file=sys.stderr)
        return 2
    shots = machine.home() / "screenshots"
    shots.mkdir(parents=True, exist_ok=True)
    with demo() as now, sync_playwright() as playwright:
        known = now.connections()
        flights = Flights(known["AIRFLOW_CONN_KAFKA_DEFAULT"]["extra"]["bootstrap.servers"])
        catalog, spark = known["AIRFLOW_CONN_ICEBERG_DEFAULT"], known["AIRFLOW_CONN_SPARK_DEFAULT"]
        lake = Lake(catalog["host"], catalog["extra"]["warehouse"], f"{spark['host']}:{spark['port']}")
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        operator = Operator(browser.new_page(viewport={"width": 1400, "height": 1000}), now.url, shots)
        operator.page.set_default_timeout(60_000)
        with load(flights):
            operate(now, operator, lake)
        ends = flights.end_offsets()

        def caught_up() -> bool:
            table = lake.table()
            return table is not None and lake.rows(table) >= sum(ends.values())

        wait_until(caught_up, PATIENCE_S, "the table to have all that was sent", 1.0)
        wrong = compare(now, lake)
        print(now.lakelock("audit", FILE))
        browser.close()
    print("| run in the browser | s | its tasks |\n|---|---|---|", *operator.done, sep="\n")
    print(
        *(wrong or [f"each of {FLIGHTS:,} flights is as in the file, each record of {TABLE} is there once"]), sep="\n"
    )
    print(Result(len(operator.done), None, "runs in the browser", {"violated": len(wrong)}).line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
