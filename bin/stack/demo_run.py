"""One run of the demo: from started servers to a query's answers, and the trickle after it."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from stack import machine, webhooks
from stack.airflow import PASSWORD, USER
from stack.demo_check import PIPELINE, ROUND_S, Check
from stack.flights import Flights
from stack.keeper import Keeper
from stack.lake import Lake
from stack.ports import Ports
from stack.process import StackError
from stack.report import component
from stack.settings import REPOSITORY
from stack.stack import Stack
from stack.topics import create_topic

CLOSE_S = 2.0


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
        self.keeper = Keeper(self.stack.servers, lambda text: console.print(f"  [yellow]![/] {text}", soft_wrap=True))
        self.check = Check(console, self.stack, self.flights, self.lake, self.keeper)

    def run(self, *, once: bool) -> int:
        """Run the demo, until Ctrl-C unless *once*; the exit code is 0 if the table holds exactly the topic's records."""
        try:
            self.keeper.start()
            self._start()
            self._show_way_in()
            exact = self._checked(once=once)
            if not once:
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
                # The file of an earlier `bin/demo webhooks` may be there, whose topic an earlier `--clean` has deleted.
                create_topic(self.stack.kafka.bootstrap, webhooks.TOPIC, webhooks.PARTITIONS)
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

    def _checked(self, *, once: bool) -> bool:
        """Whether the table holds exactly the topic's records; with *once*, raises the error that prevents the check.

        A failed check leaves the servers running, because only running servers can be examined.
        """
        try:
            with self._progress() as progress:
                self.spent.append(("pipeline", self.check.wait_until_moved(progress)))
            exact = self.check.compare(self.spent, self.began)
        except Exception as fault:
            if once or self.keeper.fault is not None:
                raise
            said = str(fault) if isinstance(fault, StackError) else f"{type(fault).__name__}: {fault}"
            self.console.print(f"  [red]✗[/] {escape(said)}", soft_wrap=True)
            exact = False
        if not exact and not once:
            self.console.print(
                "  The check failed. The servers keep running, so that you can find the cause: "
                f"{shell(self.stack.home / 'connections.env', 'audit')}",
                soft_wrap=True,
            )
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
            f"  [bold]Route[/]   bin/demo webhooks, from another terminal: watch tables appear, one for each event of GitHub\n"
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
                    status.update(self._status_line())
                    time.sleep(3)
        finally:
            over.set()
            trickle.join(3)

    def _status_line(self) -> str:
        try:
            return self.check.status_line()
        except StackError as fault:
            if self.keeper.fault is not None:
                raise
            # The data of a server may be lost, and its operator on the way to restore it.
            return escape(str(fault))

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
        self.check.close()

    def _progress(self) -> Progress:
        return Progress(
            TextColumn("  {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            console=self.console, transient=True,
        )  # fmt: skip


def shell(environment: Path, command: str = "status") -> str:
    """A line for another terminal that works in any folder."""
    program, file = shlex.quote(str(REPOSITORY / "bin" / "lakelock")), shlex.quote(str(PIPELINE))
    return f". {shlex.quote(str(environment))} && {program} {command} {file}"
