"""Tests in Airflow by several processes at once, in one Airflow that this one starts and stops.

python -m kits.airflow_lane [arguments of pytest]
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from stack.checks import BROKER
from stack.ports import free_port
from stack.process import wait_until
from stack.settings import REPOSITORY

from kits.lanes import SHARED
from kits.live import Live
from kits.shared_airflow import SecretStack, Servers

FOLDER = REPOSITORY / "tests" / "acceptance" / "in_airflow"
# Modules are tested side by side: each waits for its own runs most of the time.
AT_ONCE = 3
Prepare = Callable[[SecretStack], Live]


def main(arguments: Sequence[str]) -> int:
    with started(of_all_modules()) as file:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            str(AT_ONCE),
            "--dist",
            "loadfile",
            # By name instead of by their number of tests: of the longest file there is one.
            "--no-loadscope-reorder",
            "-p",
            "no:hypothesispytest",
            str(FOLDER),
            *arguments,
        ]
        tests = subprocess.Popen(command, cwd=REPOSITORY, env={**os.environ, SHARED: str(file)})
        while True:
            try:
                return tests.wait()
            except KeyboardInterrupt:
                # pytest got it, too, and ends in order.
                continue


@contextmanager
def started(pipelines: Iterable[Prepare]) -> Iterator[Path]:
    """The file that describes it, with *pipelines* in place."""
    home = Path(tempfile.mkdtemp(prefix="lakelock-airflow-"))
    home.chmod(0o755)
    with ExitStack() as ends:
        ends.callback(shutil.rmtree, home, ignore_errors=True)
        (home / "warehouse").mkdir()
        shared = os.environ.get(BROKER)
        servers = Servers(home, free_port(), int(shared) if shared else free_port(), free_port())
        stack = SecretStack.of_all(servers)
        running = (stack.postgres, stack.spark, *(() if shared else (stack.kafka,)))
        for server in running:
            ends.callback(server.stop)
        with ThreadPoolExecutor(len(running)) as pool:
            for done in [pool.submit(server.start) for server in running]:
                done.result()
        wait_until(stack.kafka.answers, 180, "the broker", 0.2)
        for prepare in pipelines:
            stack.add(prepare(stack))
        ends.callback(stack.airflow.stop)
        stack.start()
        stack.leave(home / "shared.pickle", servers)
        yield home / "shared.pickle"


def of_all_modules() -> Iterator[Prepare]:
    for file in sorted(FOLDER.glob("test_*.py")):
        yield from getattr(importlib.import_module(f"acceptance.in_airflow.{file.stem}"), "PIPELINES", ())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
