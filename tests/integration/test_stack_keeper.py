"""Servers that end by themselves are started again, and nothing is left of them once all is to stop."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from stack.keeper import MANY, Keeper, end
from stack.process import Server, _session, wait_until

IDLE = "import time; time.sleep(600)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"


class Kettle:
    """A server whose start can be held up."""

    def __init__(self, folder: Path, program: str = IDLE) -> None:
        self.server = Server("Kettle", folder / "kettle.log")
        self.boils = threading.Event()
        self.boils.set()
        self.pids: list[int] = []
        self._program = program

    def start(self) -> None:
        self.server.launch([sys.executable, "-c", self._program], env=dict(os.environ), ready=self._ready, timeout_s=60)

    def _ready(self) -> bool:
        if self.server.pid not in self.pids:
            self.pids.append(self.server.pid)
        return self.boils.is_set()


@pytest.fixture
def kettle(tmp_path: Path) -> Iterator[Kettle]:
    one = Kettle(tmp_path)
    yield one
    one.server.kill()


def kept(kettle: Kettle) -> tuple[Keeper, list[str]]:
    said: list[str] = []
    keeper = Keeper({kettle.server: kettle.start}, said.append)
    keeper.start()
    return keeper, said


def test_a_server_that_was_killed_is_started_again_and_both_are_said(kettle: Kettle) -> None:
    keeper, said = kept(kettle)
    kettle.start()
    first = kettle.server.pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: len(said) == 2, 30, "it to be up again")
    assert said[0] == "Kettle was ended by SIGKILL; it is started again"
    assert said[1].startswith("Kettle is up again after ")
    assert kettle.server.alive
    assert kettle.server.pid != first
    keeper.end(kettle.server.stop)
    assert not kettle.server.alive
    assert len(said) == 2


def test_one_that_is_stopped_stays_stopped(kettle: Kettle) -> None:
    keeper, said = kept(kettle)
    kettle.start()
    kettle.server.stop()
    assert not kettle.server.has_ended
    assert said == []
    keeper.end(kettle.server.stop)


def test_the_end_does_not_wait_for_one_that_does_not_come_up(kettle: Kettle) -> None:
    keeper, said = kept(kettle)
    kettle.start()
    kettle.boils.clear()
    os.kill(kettle.server.pid, signal.SIGKILL)
    wait_until(lambda: len(kettle.pids) == 2, 30, "it to be started again")
    began = time.monotonic()
    keeper.end(kettle.server.stop)
    assert time.monotonic() - began < 10
    assert not any(_session(pid) for pid in kettle.pids)
    assert keeper.fault is None
    assert len(said) == 1


def test_one_that_always_ends_again_is_given_up(kettle: Kettle) -> None:
    keeper, said = kept(kettle)
    kettle.start()

    def given_up() -> bool:
        if kettle.server.alive and len(kettle.pids) > len(said) // 2:
            os.kill(kettle.server.pid, signal.SIGKILL)
        return keeper.fault is not None

    wait_until(given_up, 60, "the keeper to give up", every_s=0.2)
    assert f"Kettle was ended by SIGKILL, for the {MANY}th time" in str(keeper.fault)
    assert len(kettle.pids) == MANY
    keeper.end(kettle.server.stop)


def test_another_process_ends_a_server_by_its_name_and_a_stale_file_ends_nothing(
    kettle: Kettle, tmp_path: Path
) -> None:
    assert end(tmp_path, ["kettle"], signal.SIGKILL) == []
    kettle.start()
    assert end(tmp_path, ["kettle", "pot"], signal.SIGKILL) == ["kettle"]
    wait_until(lambda: not kettle.server.alive, 30, "it to end")
    (tmp_path / "kettle.pid").write_text(f"{os.getpid()} 1")
    assert end(tmp_path, ["kettle"], signal.SIGKILL) == []


def test_what_a_killed_server_leaves_running_is_ended_at_once(tmp_path: Path) -> None:
    """Its children may not listen to SIGTERM, and hold its data."""
    parent = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {DEAF!r}]); time.sleep(600)"
    kettle = Kettle(tmp_path, parent)
    kettle.start()
    session = kettle.server.pid
    wait_until(lambda: "up" in kettle.server.output(), 30, "its child")
    os.kill(session, signal.SIGKILL)
    wait_until(lambda: not kettle.server.alive, 30, "it to end")
    assert _session(session)
    began = time.monotonic()
    kettle.start()
    assert time.monotonic() - began < 10
    assert _session(session) == []
    with suppress(ProcessLookupError):
        kettle.server.kill()


def test_a_program_that_prepares_a_server_ends_with_it(tmp_path: Path) -> None:
    server, ended = Server("Kettle", tmp_path / "kettle.log"), []

    def prepare() -> None:
        ended.append(server.prepare([sys.executable, "-c", IDLE], env=dict(os.environ), cwd=tmp_path))

    preparing = threading.Thread(target=prepare)
    preparing.start()
    wait_until(lambda: server.alive, 60, "the program to run")
    pid = server.pid
    server.stop()
    preparing.join(30)
    assert ended == [""]
    assert _session(pid) == []
