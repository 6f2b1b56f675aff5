"""The folder with all state of a checkout's demo: its lock for one demo at a time, and its removal.

Standard library only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

# Only a folder with this mark is ever removed: LAKELOCK_HOME can point anywhere.
MARK = ".lakelock-state"


class StateFault(Exception):
    """The folder is in use or not lakelock's; one line with the action to take."""


def make(home: Path) -> None:
    """Create the folder and mark it; a folder with other files stays unmarked."""
    new = not home.exists() or not any(home.iterdir())
    home.mkdir(parents=True, exist_ok=True)
    if new:
        (home / MARK).touch()


@contextlib.contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold the folder for one demo; raises StateFault if another demo has it. A killed demo releases it."""
    lock = home / "demo.lock"
    # Close-on-exec keeps the lock out of the servers: it must end with the demo, not with leftovers of a crash.
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
            raise StateFault(
                f"a demo is already running in {home} (process {owner}). Stop it with Ctrl-C, or give this one another "
                "folder in LAKELOCK_HOME."
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)


def remove(home: Path) -> None:
    """Remove the folder with everything in it; raises StateFault if a demo runs there."""
    if not home.exists():
        return
    if not (home / MARK).exists():
        raise StateFault(f"{home} was not made by lakelock and stays as it is. Remove it yourself if you mean to.")
    with held(home):
        shutil.rmtree(home)
