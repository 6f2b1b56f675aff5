"""bin/test: all checks of the repository and the tests; with arguments only the tests that they select.

bin/test --long: the campaigns and the slow tests instead, in hours; see tests/campaigns/long.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

from stack import jars, machine
from stack.kafka import Kafka
from stack.settings import REPOSITORY

# Tests in Airflow share one Airflow, and tests on Spark one Connect server, in lanes of their own. Two workers run the
# other tests with servers. They collect only these, because each file costs each worker a tenth of a CPU second.
NOT_IN_AIRFLOW = "--ignore=tests/acceptance/in_airflow"
ON_SERVERS = ("tests/acceptance", "tests/integration", NOT_IN_AIRFLOW)
ON_SPARK = (*ON_SERVERS, "-m", "not long and on_spark")
OTHERS = ("-n", "2", "--dist", "loadfile", *ON_SERVERS, "-m", "not long and not on_spark")
ON_NONE = ("tests", "--ignore=tests/acceptance", "--ignore=tests/integration", "-m", "not long")
PATHS = os.pathsep.join(str(REPOSITORY / name) for name in ("plugins", "bin", "tests"))
LONG = "--long"
# Environment variable with the port of the broker that all lanes use.
BROKER = "LAKELOCK_TEST_BROKER"
INTERRUPTED = 2


@dataclass(frozen=True)
class Lane:
    """A command that runs beside the tests; its output is shown as a whole at the end.

    *niceness* keeps commands without servers from slowing those that others wait for. *end* is the signal on which the
    command cleans up.
    """

    name: str
    command: tuple[str, ...]
    niceness: int = 0
    end: signal.Signals = signal.SIGTERM


LANES = (
    Lane("style", ("ruff", "check", ".")),
    Lane("format", ("ruff", "format", "--check", ".")),
    Lane("arrows", ("lint-imports",)),
    Lane("types", ("mypy",), niceness=5),
    Lane("tests in Airflow", (sys.executable, "-m", "kits.airflow_lane", "-m", "not long"), end=signal.SIGINT),
    Lane("tests on Spark", (sys.executable, "-m", "pytest", *ON_SPARK), end=signal.SIGINT),
    Lane("tests without servers", (sys.executable, "-m", "pytest", *ON_NONE), end=signal.SIGINT),
    Lane("simulation", (sys.executable, "-m", "simulation", "--seeds", "250", "--drawn"), niceness=19),
)


def main(arguments: Sequence[str]) -> int:
    environment = os.environ | {"PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[:1] == [LONG]:
        # Replaces this process, so that an interrupt reaches the campaigns.
        long = [sys.executable, "-m", "campaigns.long", *arguments[1:]]
        os.execve(sys.executable, long, {**environment, "PYTHONPATH": PATHS})
    if arguments:
        return _pytest(arguments, environment)
    with ExitStack() as open_lanes:
        environment[BROKER] = str(open_lanes.enter_context(_broker()))
        running = [open_lanes.enter_context(_beside(lane, environment)) for lane in LANES]
        code = _pytest(OTHERS, environment)
        if code == INTERRUPTED:
            return code
        failed = [lane.name for lane, one in zip(LANES, running, strict=True) if one.wait_and_show(lane.name)]
    if failed:
        print(f"failed checks: {', '.join(failed)}", file=sys.stderr)
    return code or (1 if failed else 0)


@contextmanager
def _broker() -> Iterator[int]:
    """The port of one broker for all lanes: one per lane would cost a quarter of a minute of a core each."""
    with tempfile.TemporaryDirectory(prefix="lakelock-", ignore_cleanup_errors=True) as folder:
        server = Kafka(Path(folder), machine.java(), jars.folder("kafka"))
        # Lanes wait for it when they need it.
        starting = Thread(target=server.start)
        starting.start()
        try:
            yield server.port
        finally:
            starting.join()
            server.stop()


@dataclass
class Running:
    process: subprocess.Popen[str]
    output: IO[str]

    def wait_and_show(self, name: str) -> int:
        code = self.process.wait()
        self.output.seek(0)
        print(f"\n== {name}: {'FAILED' if code else 'ok'}\n{self.output.read()}", flush=True)
        return code


@contextmanager
def _beside(lane: Lane, environment: Mapping[str, str]) -> Iterator[Running]:
    """Run the lane; it ends with the block at the latest."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(
            lane.command,
            cwd=REPOSITORY,
            env={**environment, "PYTHONPATH": PATHS},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        _weigh(process.pid, lane.niceness)
        try:
            yield Running(process, output)
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, lane.end)
            process.wait()


def _weigh(pid: int, niceness: int) -> None:
    """Set the niceness of a process, and on Linux also that of its session (autogroup), which otherwise decides."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    # In the caller's process group: Ctrl-C reaches pytest, which stops its servers.
    tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=REPOSITORY, env=environment)
    while True:
        try:
            return tests.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
