"""bin/test: every check of the repository, then the tests; with arguments only the tests they choose.

bin/test --long: the campaigns instead, in hours: see tests/campaigns/long.py.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from stack.settings import REPOSITORY

CHECKS = {
    "style": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "arrows": ("lint-imports",),
}
# Whole stacks that are watched by the second have the machine for themselves; of the rest much only waits for servers, so
# two workers, each with servers of its own, share it by file.
ALONE = ("tests/acceptance/in_airflow", "tests/integration/test_stack_demo.py")
SIDE_BY_SIDE = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *(f"--ignore={path}" for path in ALONE))
# It needs no server, and takes the time in which the stacks wait. Each commit draws other worlds; the long tier has more.
SIMULATION = ("nice", "-n", "19", sys.executable, "-m", "simulation", "--seeds", "10000", "--drawn")
PATHS = os.pathsep.join(str(REPOSITORY / name) for name in ("plugins", "bin", "tests"))
LONG = "--long"
INTERRUPTED = 2


def main(arguments: Sequence[str]) -> int:
    failed = []
    environment = os.environ | {"PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[:1] == [LONG]:
        # In this process's place: who interrupts it interrupts the campaigns.
        long = [sys.executable, "-m", "campaigns.long", *arguments[1:]]
        os.execve(sys.executable, long, {**environment, "PYTHONPATH": PATHS})
    if not arguments:
        for name, command in CHECKS.items():
            began = time.monotonic()
            done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                failed.append(name)
                print(done.stdout + done.stderr, flush=True)
            print(f"  {'FAILED' if done.returncode else 'ok'}: {name} ({time.monotonic() - began:.1f} s)", flush=True)
    if arguments:
        return _pytest(arguments, environment)
    code = 0
    with _beside(SIMULATION, environment) as (simulation, said):
        for chosen in (ALONE, SIDE_BY_SIDE):
            ended = _pytest(chosen, environment)
            code = code or ended
            if ended == INTERRUPTED:
                return code
        if simulation.wait():
            failed.append("simulation")
        said.seek(0)
        print(said.read(), flush=True)
    if failed:
        print(f"failed checks: {', '.join(failed)}", file=sys.stderr)
    return code or (1 if failed else 0)


@contextmanager
def _beside(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """A process that goes on meanwhile, and what it says; it ends with the block."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env={**environment, "PYTHONPATH": PATHS},
            stdout=said,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        # Where Linux weighs whole sessions against each other, a process's own niceness says nothing to those of others.
        with suppress(OSError):
            Path(f"/proc/{process.pid}/autogroup").write_text("19", encoding="ascii")
        try:
            yield process, said
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _pytest(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    # In the caller's place: Ctrl-C reaches pytest, which stops its servers.
    tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=REPOSITORY, env=environment)
    while True:
        try:
            return tests.wait()
        except KeyboardInterrupt:
            continue


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
