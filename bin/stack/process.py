"""A server as a child process: own session, log file, readiness check, and no leftover processes."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

STOP_TIMEOUT_S = 30.0
logger = logging.getLogger(__name__)
# Longest line shown of a server's last output.
MOST_CHARS = 160


class StackError(Exception):
    """A server did not start; the message says which, why, and where its log is."""


def too_slow(server: str, timeout_s: float, logs: Path) -> StackError:
    """The error for a server that runs but is not ready in time."""
    return StackError(
        f"{server} was not ready after {timeout_s:.0f} s, as happens on a busy machine (logs: {logs}). It was stopped, and "
        "what was already set up stays. Run the same command again: it continues from there."
    )


def wait_until(condition: Callable[[], bool], timeout_s: float, what: str | StackError, every_s: float = 0.05) -> None:
    """Return once *condition* holds; after *timeout_s*, raises *what*, or a StackError that names it."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise what if isinstance(what, StackError) else StackError(f"{what}: not within {timeout_s:.0f} s")
        time.sleep(every_s)


class Server:
    """One child process and all that it starts, as a session of its own."""

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log
        self._child: subprocess.Popen[bytes] | None = None
        self._log_start = 0
        self._is_up = False

    @property
    def alive(self) -> bool:
        return self._child is not None and self._child.poll() is None

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    @property
    def has_ended(self) -> bool:
        """Whether it was up and has ended by itself."""
        return self._is_up and not self.alive

    def how_it_ended(self) -> str:
        code = None if self._child is None else self._child.poll()
        # A JVM exits with the signal's number above 128.
        number = 0 if code is None else -code if code < 0 else code - 128
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(number).name}"
        return f"ended by itself: {self._last_words()}"

    def running_pid(self) -> int | None:
        """Pid of this server's first process if it runs, no matter which process started it."""
        if not self._pid_file.exists():
            return None
        pid, _, started_at = self._pid_file.read_text().partition(" ")
        return int(pid) if pid.isdigit() and started_at and _started_at(int(pid)) == started_at else None

    def launch(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        ready: Callable[[], bool],
        timeout_s: float,
        user: int | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._end_leftover()
        with self.log.open("ab") as out:
            self._log_start = out.tell()
            self._child = subprocess.Popen(
                list(command),
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=[] if user is not None else None,
                cwd=cwd,
            )
        self._pid_file.write_text(f"{self._child.pid} {_started_at(self._child.pid)}")

        def up() -> bool:
            self.require_alive()
            return ready()

        try:
            wait_until(up, timeout_s, too_slow(self.name, timeout_s, self.log))
        except BaseException:
            self.kill()
            raise
        self._is_up = True

    def prepare(
        self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path, user: int | None = None
    ) -> str | None:
        """Run *command* before the server's first start; its output if it failed. Whatever ends the server ends it, too."""
        self._child = subprocess.Popen(
            list(command),
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=user,
            cwd=cwd,
        )
        output, _ = self._child.communicate()
        return output.decode(errors="replace") if self._child.returncode else None

    def require_alive(self) -> None:
        """Raise StackError with the server's last words if it has ended."""
        if not self.alive:
            raise StackError(f"{self.name} {self.how_it_ended()}")

    def output(self) -> str:
        """The server's output since it was launched."""
        if not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")

    def _last_words(self) -> str:
        text = self.output()
        if "No space left on device" in text:
            return f"the disk of {self.log.parent} is full. Free at least 2 GB and start again."
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        relevant = [line for line in lines if re.search("FATAL|ERROR|Exception|rror:", line)] or lines
        last = relevant[-1] if relevant else "it said nothing"
        return f"{last if len(last) <= MOST_CHARS else last[:MOST_CHARS] + '…'} (log: {self.log})"

    def send(self, number: int) -> None:
        """Signal the server's process group."""
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, number)

    def is_to_end(self) -> None:
        """From now on its end is no fault."""
        self._is_up = False

    def stop(self, number: int = signal.SIGTERM, timeout_s: float = STOP_TIMEOUT_S) -> None:
        """End the process group, first by signal, then by force."""
        self._is_up = False
        if self._child is None:
            return
        if self.alive:
            self.send(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._child.wait(timeout_s)
        self.kill()

    def kill(self) -> None:
        """SIGKILL all its processes, as a power cut would."""
        self._is_up = False
        if self._child is None:
            return
        _kill_session(self._child.pid, self.name, self._child.poll)
        self._child.wait()
        self._pid_file.unlink(missing_ok=True)

    @property
    def _pid_file(self) -> Path:
        return self.log.with_suffix(".pid")

    def _end_leftover(self) -> None:
        """End this server of an earlier run whose starter was killed: it holds the data folder."""
        if self.alive or not self._pid_file.exists():
            return
        pid, _, started_at = self._pid_file.read_text().partition(" ")
        # The number of a session whose first process is gone is not reused while it has other processes.
        if pid.isdigit() and started_at and _started_at(int(pid)) in {started_at, ""} and _session(int(pid)):
            if self._child is None:
                logger.warning("%s of an earlier run still runs (process %s); ending it", self.name, pid)
            # Without its first process an orderly end is impossible.
            if _started_at(int(pid)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(int(pid), signal.SIGTERM)
                with contextlib.suppress(StackError):
                    wait_until(lambda: not _session(int(pid)), STOP_TIMEOUT_S, "")
            _kill_session(int(pid), self.name)
        self._pid_file.unlink(missing_ok=True)


def _kill_session(session: int, name: str, reap: Callable[[], object] = lambda: None) -> None:
    """Kill a whole session: workers of Spark and Airflow may have process groups of their own."""

    def gone() -> bool:
        reap()
        members = _session(session)
        for pid in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return not members

    wait_until(gone, 120, f"{name}'s processes to be gone")


def _session(session: int) -> list[int]:
    """Processes of the session that still run; zombies do not count."""
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields and int(fields[3]) == session and fields[0] not in "ZX":
                members.append(int(entry.name))
    return members


def _started_at(pid: int) -> str:
    """Start time of a process in ticks since boot, which identifies it beside its reusable number."""
    fields = _stat(pid)
    return fields[19] if fields else ""


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the process state on; empty if the process is gone."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
