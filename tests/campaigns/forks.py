"""A process that has imported everything and opened nothing: it forks a child a job, in milliseconds instead of seconds.

`python -m campaigns.forks FD` is that process; `Forks` is its client. A child may be killed, or freeze; both are reported.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from stack.settings import REPOSITORY

# What children use: imported once, before the first fork.
MODULES = (
    "campaigns.child", "confluent_kafka.admin", "duckdb", "pyarrow.dataset", "pyiceberg.catalog.rest",
    "pyiceberg.catalog.sql", "pyiceberg.io.pyarrow", "pyspark.sql.connect.session", "psycopg", "sqlalchemy.dialects.postgresql",
)  # fmt: skip
# Far more than any child needs, also on a machine that others use.
PATIENCE_S = 180.0
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


class StillThere(Exception):
    """It neither ended nor froze."""


@dataclass(frozen=True)
class End:
    """How a child stands: `frozen`, or ended by a signal or with a code; `result` is what its function returned."""

    frozen: bool = False
    signal: int | None = None
    code: int | None = None
    result: Any = None

    @property
    def killed(self) -> bool:
        return self.signal == signal.SIGKILL

    @property
    def well(self) -> bool:
        return self.code == 0


class Forks:
    """One such process; its children run while the caller does other things, each call is answered at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._jobs = 0
        ours, theirs = socket.socketpair()
        path = os.pathsep.join(str(REPOSITORY / part) for part in ("plugins", "bin", "tests"))
        # OpenBLAS would start its threads at import.
        env = {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "campaigns.forks", str(theirs.fileno())], pass_fds=[theirs.fileno()], env=env
        )
        theirs.close()
        self._link = Connection(ours.detach())
        assert self._link.recv() == "ready"

    def start(self, function: Callable[..., Any], *arguments: Any) -> Child:
        self._jobs += 1
        place = self.folder / f"{self._process.pid}-{self._jobs}"
        pid = self._ask("start", function, arguments, str(place))
        return Child(self, pid, place)

    def run(self, function: Callable[..., Any], *arguments: Any, timeout_s: float = PATIENCE_S) -> End:
        return self.start(function, *arguments).wait(timeout_s)

    def close(self) -> None:
        """Ends it, and what is left of its children."""
        self._link.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            # It waits for a child on behalf of a lane that was interrupted; the kernel kills its children with it.
            self._process.kill()
            self._process.wait()

    def _ask(self, *order: Any) -> Any:
        self._link.send(order)
        return self._link.recv()


@dataclass
class Child:
    forks: Forks
    pid: int
    place: Path

    def wait(self, timeout_s: float = PATIENCE_S) -> End:
        """Until it ends or freezes; a child that does neither in time is killed, and TimeoutError has what it said."""
        reported = self.forks._ask("wait", self.pid, timeout_s)
        if reported is None and not timeout_s:
            raise StillThere
        if reported is None:
            self.forks._ask("end", self.pid)
            raise TimeoutError(f"a child ran for {timeout_s} s: {self.said()[-2000:]}")
        kind, number = reported
        result = self.place.with_suffix(".result")
        if kind == "code" and number == 0:
            return End(code=0, result=pickle.loads(result.read_bytes()))
        return End(frozen=kind == "frozen", **({} if kind == "frozen" else {kind: number}))

    def ended(self) -> End | None:
        """How it ended, if it has; one that is frozen has not."""
        try:
            end = self.wait(0)
        except StillThere:
            return None
        return None if end.frozen else end

    def wait_for_its_end(self, timeout_s: float = PATIENCE_S) -> End:
        """Whatever was reported of it before."""
        while (end := self.wait(timeout_s)).frozen:
            pass
        return end

    def wake(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def freeze(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def kill(self) -> None:
        """As the kernel would; `wait` reports it."""
        os.kill(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kills it, with nothing to report."""
        self.forks._ask("end", self.pid)

    def said(self) -> str:
        log = self.place.with_suffix(".log")
        return log.read_text(errors="replace") if log.exists() else ""

    def forget(self) -> None:
        for suffix in (".log", ".result"):
            self.place.with_suffix(suffix).unlink(missing_ok=True)


def serve(link: Connection) -> None:
    """Answers orders until the other side is gone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    alive: set[int] = set()
    link.send("ready")
    while True:
        try:
            order = link.recv()
        except EOFError:
            break
        match order:
            case ("start", function, arguments, place):
                pid = os.fork()
                if pid == 0:
                    link.close()
                    _be_child(function, arguments, Path(place))
                alive.add(pid)
                link.send(pid)
            case ("wait", pid, timeout_s):
                reported = _ended(pid, timeout_s)
                if reported and reported[0] != "frozen":
                    alive.discard(pid)
                link.send(reported)
            case ("end", pid):
                if pid in alive:
                    _end(pid)
                alive.discard(pid)
                link.send(None)
    for pid in alive:
        _end(pid)


def _ended(pid: int, timeout_s: float) -> tuple[str, int] | None:
    deadline = time.monotonic() + timeout_s
    while True:
        found, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
        if found:
            if os.WIFSTOPPED(status):
                return "frozen", os.WSTOPSIG(status)
            return ("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("code", os.WEXITSTATUS(status))
        if time.monotonic() > deadline:
            return None
        signal.sigtimedwait({signal.SIGCHLD}, 0.5)


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _be_child(function: Callable[..., Any], arguments: tuple[Any, ...], place: Path) -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    code = 1
    try:
        log = os.open(place.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os.dup2(log, 2)
        result = function(*arguments)
        place.with_suffix(".result").write_bytes(pickle.dumps(result))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    for module in MODULES:
        importlib.import_module(module)
    # Children share these pages for as long as no process writes to them.
    gc.collect()
    gc.freeze()
    serve(Connection(int(sys.argv[1])))
    # Nothing was opened, so there is nothing to close.
    os._exit(0)
