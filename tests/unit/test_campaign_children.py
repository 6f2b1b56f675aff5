"""A campaign is interrupted in order, and what it leaves behind is found and ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

REPOSITORY = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(str(REPOSITORY / p) for p in ("plugins", "bin", "tests"))}
# Its server is in a session of its own, as those of campaigns are; it stops the server only when it is interrupted.
CAMPAIGN = """
import subprocess, sys, time
server = subprocess.Popen(["sleep", "600"], start_new_session=True)
try:
    print(server.pid, flush=True)
    if sys.argv[1] == "wait":
        time.sleep(600)
except KeyboardInterrupt:
    server.kill()
    server.wait()
    print("stopped", flush=True)
    sys.exit(1)
"""
# In a process of its own: adopting lost children changes whose parent pytest is.
OUTER = """
import json, os, signal, sys
from pathlib import Path
from campaigns import children
# As campaigns.long does: the process that runs the tests may have been started with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
children.adopt()
command, output, patience_s = json.loads(sys.argv[1])
code = children.run(command, Path(output), Path("/"), dict(os.environ), patience_s)
print(json.dumps([code, children.end_leftovers(0.5)]), flush=True)
"""


def outer(tmp_path: Path, what: str, patience_s: float) -> tuple[subprocess.Popen[str], Path]:
    (tmp_path / "campaign.py").write_text(CAMPAIGN)
    output = tmp_path / "output.txt"
    order = json.dumps([[sys.executable, str(tmp_path / "campaign.py"), what], str(output), patience_s])
    return subprocess.Popen(
        [sys.executable, "-c", OUTER, order], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ), output


def test_a_server_that_a_campaign_leaves_behind_is_named_and_ended(tmp_path: Path) -> None:
    process, output = outer(tmp_path, "end", 60)
    said, _ = process.communicate(timeout=60)
    assert json.loads(said) == [0, ["sleep"]]
    assert not psutil.pid_exists(int(output.read_text()))


def test_a_campaign_that_takes_too_long_is_interrupted_and_stops_its_servers(tmp_path: Path) -> None:
    process, output = outer(tmp_path, "wait", 2)
    said, _ = process.communicate(timeout=60)
    assert json.loads(said) == [1, []]
    assert "stopped" in output.read_text()


def test_an_interrupt_ends_a_campaign_in_order(tmp_path: Path) -> None:
    process, output = outer(tmp_path, "wait", 600)
    while not (output.exists() and output.read_text().strip()):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert "stopped" in output.read_text()
    assert not psutil.pid_exists(int(output.read_text().split()[0]))
