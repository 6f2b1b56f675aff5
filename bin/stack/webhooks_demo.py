"""`bin/demo webhooks`: send GitHub's webhooks to a running demo, and show the tables that its Airflow makes of them."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lakelock.model.units import counted
from rich.console import Console
from rich.status import Status
from rich.table import Table as Grid

from stack import github_examples, webhooks_check
from stack.github_examples import Webhook
from stack.lake import Lake
from stack.ports import Ports
from stack.process import Server, StackError
from stack.topics import create_topic
from stack.webhooks import PARTITIONS, PIPELINE, TOPIC, Webhooks, deploy
from stack.webhooks_check import Look

# Long enough to watch tables appear, in several runs of the pipeline: the page shows new ones every 15 s.
FEED_S = 24.0
# Until the first table has rows, only this share is sent.
FIRST_SHARE = 1 / 3
LOOK_EVERY_S = 2.0
# The first run comes once Airflow has read the file; longer without a record is no progress.
PATIENCE_S = 180.0
LARGEST = 10


class WebhooksDemo:
    """One feed into the demo of the folder *home*."""

    def __init__(self, console: Console, home: Path) -> None:
        if Server("kafka", home / "kafka" / "kafka.log").running_pid() is None:
            raise StackError(
                f"no demo runs in {home.parent}: start one by bin/demo, and repeat this in another terminal."
            )
        known = connections(home / "connections.env")
        self._console = console
        self._servers = known["KAFKA_DEFAULT"]["extra"]["bootstrap.servers"]
        catalog = known["ICEBERG_DEFAULT"]
        self._lake = Lake(catalog["host"], catalog["extra"]["warehouse"], "")
        self._page = f"http://127.0.0.1:{Ports.of_before(home).airflow}/lakelock/page?pipeline={PIPELINE.stem}"
        self._began = time.monotonic()
        self._seen = Look()

    def run(self) -> int:
        """0 if each record of the topic is there exactly once."""
        examples = github_examples.over_time(github_examples.by_event())
        create_topic(self._servers, TOPIC, PARTITIONS)
        webhooks = Webhooks(self._servers)
        self._seen = webhooks_check.look(self._lake)
        is_new = deploy()
        self._say(f"{PIPELINE} {'is new: Airflow runs it every 10 s' if is_new else 'is there already'}")
        self._say(f"[bold]Watch[/] {self._page}")
        self._began = time.monotonic()
        with self._console.status("") as status:
            self._feed(status, webhooks, examples)
            topic = webhooks.tables()
            self._wait(status, len(topic))
        rows, dead = webhooks_check.by_duckdb(self._lake, list(self._seen.tables))
        wrong = webhooks_check.differences(topic, rows, dead)
        self._show()
        for line in wrong:
            self._console.print(f"  [red]✗ {line}[/]", soft_wrap=True)
        if not wrong:
            self._console.print(
                f"  [green]✓[/] [bold]{counted(len(rows), 'table')} hold each of the {len(topic):,} webhooks exactly once[/], by "
                f"offset, in DuckDB: {counted(self._seen.rows, 'row')}, {counted(len(dead), 'dead letter')}",
                soft_wrap=True,
            )
        return 1 if wrong else 0

    def _feed(self, status: Status, webhooks: Webhooks, examples: Sequence[tuple[float, Webhook]]) -> None:
        began, looked_at = self._began, 0.0
        for sent, (moment, webhook) in enumerate(examples):
            if moment > FIRST_SHARE and not self._seen.records:
                webhooks.flush()
                self._wait(status, 1)
                began = time.monotonic() - moment * FEED_S
            while time.monotonic() < began + moment * FEED_S:
                time.sleep(0.05)
            webhooks.send(webhook)
            if time.monotonic() > looked_at + LOOK_EVERY_S:
                self._look(status, f"{sent + 1} of {len(examples)} webhooks sent")
                looked_at = time.monotonic()
        webhooks.flush()

    def _look(self, status: Status, progress: str) -> bool:
        """Print what is new; whether there are more records than at the last look."""
        now = webhooks_check.look(self._lake)
        for line in now.news_since(self._seen):
            self._say(line)
        moved = now.records > self._seen.records
        self._seen = now
        rows, dead = counted(now.rows, "row"), counted(now.dead, "dead letter")
        status.update(f"{progress} · {counted(len(now.tables), 'table')}: {rows}, {dead}")
        return moved

    def _wait(self, status: Status, records: int) -> None:
        """Until so many *records* are in tables; raises StackError if none comes for too long."""
        moved_at = time.monotonic()
        while self._seen.records < records:
            if self._look(status, f"{records} webhooks in Kafka"):
                moved_at = time.monotonic()
            elif time.monotonic() > moved_at + PATIENCE_S:
                raise StackError(
                    f"{records - self._seen.records} of {records} webhooks are not in their tables, and none came for "
                    f"{PATIENCE_S:.0f} s. See the runs of ingest__{PIPELINE.stem} in Airflow, from {self._page} on."
                )
            time.sleep(LOOK_EVERY_S / 2)

    def _show(self) -> None:
        """The largest tables."""
        by_rows = sorted(self._seen.tables.items(), key=lambda entry: (-entry[1].rows, entry[0]))
        more = f", the largest {LARGEST}" if len(by_rows) > LARGEST else ""
        grid = Grid("table", "rows", "columns", "changes of columns", title_justify="left",
                    title=f"{counted(len(by_rows), 'table')} of {PIPELINE.stem}{more}")  # fmt: skip
        for name, found in by_rows[:LARGEST]:
            grid.add_row(name, str(found.rows), str(found.columns), str(found.changes))
        self._console.print()
        self._console.print(grid)

    def _say(self, text: str) -> None:
        self._console.print(f"  [dim]{time.monotonic() - self._began:4.0f} s[/]  {text}", soft_wrap=True)


def connections(exports: Path) -> dict[str, dict[str, Any]]:
    """The demo's connections by id in capitals, from the file that it leaves for shells."""
    pairs = (shlex.split(line)[1].partition("=") for line in exports.read_text(encoding="utf-8").splitlines())
    return {name.removeprefix("AIRFLOW_CONN_"): json.loads(text) for name, _, text in pairs}
