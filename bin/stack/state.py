"""The folder with all state of a checkout's demo: one demo at a time, and how to remove it. Standard library only."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

# Only a folder that was made here is ever removed: LAKELOCK_HOME can point anywhere.
MARK = ".lakelock-state"


class StateFault(Exception):
    """The folder is in use or not ours; one line that says what to do."""


def make(home: Path) -> None:
    """Makes the folder and marks it; a folder with other people's files stays unmarked."""
    new = not home.exists() or not any(home.iterdir())
    home.mkdir(parents=True, exist_ok=True)
    if new:
        (home / MARK).touch()


@contextlib.contextmanager
def held(home: Path) -> Iterator[None]:
    """Holds the folder for one demo; raises StateFault while another has it. A killed demo holds it no longer."""
    lock = home / "demo.lock"
    # Close-on-exec keeps the lock out of the servers: it must end with the demo, not with what a crash leaves behind.
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
    """Removes the folder with everything in it; raises StateFault while a demo runs there."""
    if not home.exists():
        return
    if not (home / MARK).exists():
        raise StateFault(f"{home} was not made by lakelock and stays as it is. Remove it yourself if you mean to.")
    with held(home):
        shutil.rmtree(home)
