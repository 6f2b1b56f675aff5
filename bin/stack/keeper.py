"""Restart servers that end by themselves, in a thread; and end servers of another process."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stack.process import Server, StackError

POLL_EVERY_S = 0.3
# A server that ends this often within this time will not stay up.
MANY, WITHIN_S = 4, 120.0


class Keeper:
    """Restarts servers that were up and have ended. `fault` is why it gave up on one, if it did."""

    def __init__(self, servers: Mapping[Server, Callable[[], None]], say: Callable[[str], None]) -> None:
        """*servers* are mapped to the calls that start them."""
        self._servers = servers
        self._say = say
        self._over = threading.Event()
        self._starts: list[tuple[str, float]] = []
        self._thread = threading.Thread(target=self._watch, name="keeper", daemon=True)
        self.fault: StackError | None = None

    def start(self) -> None:
        self._thread.start()

    def end(self, stop: Callable[[], None]) -> None:
        """Run *stop*, which stops all servers; none is started after it."""
        self._over.set()
        stop()
        # The thread may have been about to start one.
        while self._thread.is_alive():
            self._thread.join(0.5)
            stop()

    def _watch(self) -> None:
        while not self._over.wait(POLL_EVERY_S):
            for server, start in self._servers.items():
                if server.has_ended and self.fault is None and not self._over.is_set():
                    self._start_again(server, start)

    def _start_again(self, server: Server, start: Callable[[], None]) -> None:
        how, began = server.how_it_ended(), time.monotonic()
        self._starts = [(name, at) for name, at in self._starts if at > began - WITHIN_S] + [(server.name, began)]
        if sum(name == server.name for name, _ in self._starts) >= MANY:
            self.fault = StackError(f"{server.name} {how}, for the {MANY}th time in {WITHIN_S:.0f} s.")
            return
        self._say(f"{server.name} {how}; it is started again")
        try:
            start()
        except Exception as fault:
            if not self._over.is_set():
                self.fault = fault if isinstance(fault, StackError) else StackError(f"{server.name}: {fault}")
            return
        self._say(f"{server.name} is up again after {time.monotonic() - began:.1f} s")


def end(folder: Path, names: Sequence[str], number: int) -> list[str]:
    """Send signal *number* to servers of another process whose logs are *folder*/<name>.log; returns those that ran."""
    found = []
    for name in names:
        pid = Server(name, folder / f"{name}.log").running_pid()
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
                found.append(name)
    return found


# By the name on the command line: folder, names of the logs, and the signal for an orderly end.
SERVERS: dict[str, tuple[str, tuple[str, ...], int]] = {
    "postgres": ("postgres", ("postgres",), signal.SIGINT),
    "kafka": ("kafka", ("kafka",), signal.SIGTERM),
    "spark": ("spark", ("spark",), signal.SIGTERM),
    "airflow": ("airflow", ("api-server", "scheduler", "dag-processor", "triggerer"), signal.SIGTERM),
}
