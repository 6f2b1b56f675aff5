"""Ports of servers that several processes start at once."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest
from stack import ports
from stack.ports import free_port
from stack.process import StackError
from stack.settings import REPOSITORY

OTHER = """
from stack import ports
ports.PORTS = range({start}, {stop})
print(ports.free_port(), flush=True)
input()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of sockets without files are Linux's")
def test_a_port_goes_to_one_process_while_that_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    # At random, as another run of this test may be under way.
    pairs = random.SystemRandom().sample(ports.PORTS[:-1], len(ports.PORTS) - 1)
    start = next(p for p in pairs if not ports.port_is_open(p) and not ports.port_is_open(p + 1))
    monkeypatch.setattr(ports, "PORTS", range(start, start + 2))
    mine = free_port()
    code = OTHER.format(start=start, stop=start + 2)
    command = [sys.executable, "-c", code]
    path = {**os.environ, "PYTHONPATH": str(REPOSITORY / "bin")}
    with subprocess.Popen(command, env=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        theirs = int(other.stdout.readline())
        assert {mine, theirs} == set(ports.PORTS)
        with pytest.raises(StackError, match="all ports from"):
            free_port()
        other.communicate("\n", timeout=60)
    assert free_port() == theirs
