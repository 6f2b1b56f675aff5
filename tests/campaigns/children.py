"""A campaign as a child process: it ends in order when it is interrupted, and nothing that it started stays behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

_PR_SET_CHILD_SUBREAPER = 36
# To stop its servers, one after the other; then by force.
STEPS = ((signal.SIGINT, 90.0), (signal.SIGTERM, 30.0), (signal.SIGKILL, 10.0))
LINGER_S = 5.0


def adopt() -> None:
    """From now on what loses its parent among our descendants becomes a child of ours, where Linux allows that."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def run(command: Sequence[str], output: Path, folder: Path, environment: Mapping[str, str], patience_s: float) -> int:
    """Its exit code, once it has ended by itself or was ended for want of patience."""
    with output.open("wb") as out:
        # A session of its own: an interrupt reaches it once, from here.
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
        deadline = time.monotonic() + patience_s
        try:
            while child.poll() is None and time.monotonic() < deadline:
                _bury(child.pid)
                time.sleep(0.1)
        finally:
            if child.poll() is None:
                out.write(b"\nended from outside\n")
                stop(child)
    return child.returncode


def stop(child: subprocess.Popen[bytes]) -> None:
    """With all of its group; a second interrupt meanwhile changes nothing."""
    with _deaf():
        for number, patience_s in STEPS:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(patience_s)
                return


def end_leftovers(linger_s: float = LINGER_S) -> list[str]:
    """Names of processes that a campaign has left behind; they are ended."""
    with _deaf():
        _, alive = psutil.wait_procs(psutil.Process().children(recursive=True), linger_s)
        names = []
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                names.append(process.name())
                process.kill()
        psutil.wait_procs(alive, LINGER_S)
    return sorted(names)


def _bury(own: int) -> None:
    """Adopted children that have ended: a process that waits for one to be gone would wait for ever."""
    while True:
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None or found.si_pid == own:
            return
        os.waitpid(found.si_pid, 0)


@contextmanager
def _deaf() -> Iterator[None]:
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
