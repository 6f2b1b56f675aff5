"""bin/demo: real flights through Kafka, Airflow, Spark and lakelock into an Iceberg table, read by two engines."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence

from rich.console import Console

from stack import machine, state
from stack.demo_run import Demo
from stack.keeper import SERVERS, end
from stack.ports import Ports
from stack.process import StackError
from stack.webhooks_demo import WebhooksDemo


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bin/demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end when the table holds exactly the topic's records")
    parser.add_argument("--clean", action="store_true", help="remove all servers' data, logs and fetched jars, and end")
    parser.add_argument(
        "act",
        nargs="?",
        choices=("kill", "restart", "webhooks"),
        help="end a server of the demo that runs, by SIGKILL or in order; or send GitHub's webhooks to it, for a table per event",
    )
    parser.add_argument("server", nargs="?", choices=tuple(SERVERS), help="which one; the demo starts it again")
    for server in ("postgres", "kafka", "spark", "airflow"):
        parser.add_argument(
            f"--{server}-port",
            type=int,
            metavar="PORT",
            help=f"port of {server} (default: the one it had, if it is free)",
        )
    arguments = parser.parse_args(argv)
    console = Console(highlight=False)
    if arguments.act == "webhooks":
        return guarded(lambda: WebhooksDemo(console, machine.home() / "demo").run())
    if arguments.act:
        if arguments.server is None:
            parser.error(f"name a server: {', '.join(SERVERS)}")
        return end_server(arguments.server, orderly=arguments.act == "restart")
    ports = Ports(arguments.postgres_port, arguments.kafka_port, arguments.spark_port, arguments.airflow_port)

    logging.basicConfig(level=logging.WARNING, format="  %(message)s")
    # SIGTERM ends the demo like Ctrl-C. A shell that starts it in the background has Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def run() -> int:
        with state.held(machine.home()):
            return Demo(console, ports).run(once=arguments.once)

    return guarded(run)


def guarded(run: Callable[[], int]) -> int:
    """The exit code of *run*; an error becomes one line."""
    try:
        return run()
    except (StackError, state.StateFault, machine.SetupFault) as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        return 1
    except OSError as fault:
        print(f"lakelock: {machine.os_fault(fault)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def end_server(server: str, *, orderly: bool) -> int:
    """End a server of the running demo, which then starts it again; exit code 1 if no demo runs."""
    folder, names, number = SERVERS[server]
    ended = end(machine.home() / "demo" / folder, names, number if orderly else signal.SIGKILL)
    if not ended:
        print(
            f"lakelock: no demo with a running {server} is in {machine.home()}: start one by bin/demo",
            file=sys.stderr,
        )
        return 1
    how = "asked to end" if orderly else "killed"
    print(f"{', '.join(ended)}: {how}; the demo starts it again and says when it is up")
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Skips the exit handlers of client libraries, which wait for servers that are gone.
    os._exit(code)
