"""Set up a Python environment and jars on a bare machine. Standard library only: it runs before any installation."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stack import jars, machine, python_environment, settings, state, way_in

# Download and unpacked size of a first start, and growth of the servers' logs in a run.
FIRST_RUN_BYTES = 4 * 1024**3
LATER_RUN_BYTES = 512 * 1024**2


def prepare(
    say: Callable[[str, float], None], names: Sequence[str] = ("kafka", "spark"), *, starts_postgres: bool = False
) -> Path:
    """Install everything that a first run needs, with the jars of *names*; quick if it is there. Returns the Python.

    If *starts_postgres*, a folder that Postgres' user cannot enter is reported before an hour of download.
    """
    if sys.version_info < (3, 11):
        raise machine.SetupFault(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]} ({sys.executable})."
        )
    try:
        executable = machine.java() if names else ""
        if starts_postgres:
            way_in.require([settings.REPOSITORY, machine.home()])
        state.make(machine.home())
        _require_space()
        python = python_environment.ensure(say)
        if names:
            jars.ensure(executable, say, names)
        python_environment.compile_own()
    except OSError as fault:
        raise machine.SetupFault(machine.os_fault(fault)) from fault
    return python


def _require_space() -> None:
    """Report a full disk before an hour of download, not after it."""
    wanted = {machine.home(): LATER_RUN_BYTES, settings.REPOSITORY: 0 if machine.VENV.exists() else FIRST_RUN_BYTES}
    for folder, size in wanted.items():
        free = shutil.disk_usage(folder).free
        if free < size:
            raise machine.SetupFault(
                f"the disk of {folder} is full: {free / 1024**3:.1f} GB are free, {size / 1024**3:.1f} GB are needed. "
                "Free some, or name a folder elsewhere in LAKELOCK_HOME."
            )


def clean() -> None:
    """Remove all state of this checkout except `.venv`, which is only a copy of the lock."""
    try:
        state.remove(machine.home())
    except OSError as fault:
        raise machine.SetupFault(machine.os_fault(fault)) from fault


def _jars_for(module: str) -> tuple[str, ...]:
    if not module.startswith("stack."):
        return ()
    return ("kafka", "spark", "rest") if module == "stack.checks" else ("kafka", "spark")


def main() -> int:
    """`python3 bootstrap.py MODULE ARG…`: prepare, then become that module in the environment."""
    quiet = "LAKELOCK_QUIET" in os.environ

    def say(what: str, seconds: float) -> None:
        if not quiet:
            print(f"  {what}: {seconds:.1f} s", flush=True)

    began = time.monotonic()
    module, *arguments = sys.argv[1:]
    try:
        if module == "stack.demo" and "--clean" in arguments:
            clean()
            return 0
        python = prepare(say, _jars_for(module), starts_postgres=module == "stack.demo")
    except (machine.SetupFault, state.StateFault) as fault:
        print(f"lakelock: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    paths = [str(settings.REPOSITORY / "plugins"), str(settings.REPOSITORY / "bin")]
    env = machine.environment() | {
        "PYTHONPATH": os.pathsep.join(paths),
        "LAKELOCK_SETUP_SECONDS": f"{time.monotonic() - began:.1f}",
    }
    return os.execve(str(python), [str(python), "-m", module, *arguments], env)


if __name__ == "__main__":
    sys.exit(main())
